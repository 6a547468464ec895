"""Trees of proofs that no solver makes: deep, shared, or in themselves."""

import copy
import json
import pickle
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

import renju
from renju import BLACK, WHITE, Board, Point, Proof, breakers, shorten, solve_vcf, solve_vct, verify
from renju._native import MOST_PROOF_DEPTH
from renju.errors import FormatError
from renju.proof import Attack, depth_of

BOARD = Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK)
TOO_DEEP = "deeper than a game can be long"


def deep_tree(depth: int) -> Attack:
    """A line of so many attacks."""
    tree = Attack(Point(0))
    for _ in range(depth - 1):
        tree = Attack(Point(0), {Point(1): tree})
    return tree


def shared_tree(depth: int) -> Attack:
    """So many attacks one after the other, each of which answers two replies with the same next one."""
    tree = Attack(Point(0))
    for _ in range(depth - 1):
        tree = Attack(Point(0), {Point(1): tree, Point(2): tree}, tree)
    return tree


def tree_in_itself() -> Attack:
    tree = Attack(Point(0))
    tree.replies[Point(1)] = tree
    return tree


def proof_of(tree: Attack) -> Proof:
    return Proof("proved", "vcf", BLACK, line=(Point(0),), tree=tree, depth=1)


def json_of(depth: int) -> str:
    """The file of a proof whose tree is a line of so many attacks."""
    nested = '{"stone": "A1", "replies": {"B1": ' * (depth - 1) + '{"stone": "A1"}' + "}}" * (depth - 1)
    head = Proof("proved", "vcf", BLACK, line=(Point(0),), tree=Attack(Point(0)), depth=1).to_json()
    return head.replace('"tree": {"stone": "A1"}', f'"tree": {nested}')


@pytest.mark.parametrize("depth", [226, 900, 5_000, 200_000])
def test_a_file_with_a_deep_tree_is_refused(depth: int) -> None:
    with pytest.raises(FormatError, match=f"{TOO_DEEP}|nested too deeply"):
        Proof.from_json(json_of(depth))


def test_the_deepest_tree_can_be_used() -> None:
    proof = Proof.from_json(json_of(MOST_PROOF_DEPTH))
    assert proof.tree is not None
    assert depth_of(proof.tree) == MOST_PROOF_DEPTH
    assert proof.to_json() == json_of(MOST_PROOF_DEPTH)
    assert [len(moves) for _, moves in proof.branches()] == [2 * MOST_PROOF_DEPTH - 1]
    assert proof.transform(1).transform(3) == proof
    for same in (copy.copy(proof), copy.deepcopy(proof), pickle.loads(pickle.dumps(proof))):
        assert (same, hash(same)) == (proof, hash(proof))
    assert repr(proof.tree) == repr(copy.deepcopy(proof.tree))
    assert verify(BOARD, proof).reason == "after no move: A1 is occupied"


def uses(proof: Proof) -> dict[str, Any]:
    """Everything that walks through a tree, by name."""
    return {
        "to_json": proof.to_json,
        "branches": lambda: list(proof.branches()),
        "transform": lambda: proof.transform(1),
        "pickle": lambda: pickle.dumps(proof),
        "deepcopy": lambda: copy.deepcopy(proof),
        "depth_of": lambda: depth_of(proof.tree),  # type: ignore[arg-type]
        "breakers": lambda: breakers(BOARD, proof),
    }


@pytest.mark.parametrize("use", uses(proof_of(Attack(Point(0)))))
@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        (deep_tree(226), TOO_DEEP),
        (deep_tree(20_000), TOO_DEEP),
        (shared_tree(60), "more than 1,048,576 attacks"),
        (shared_tree(200), "more than 1,048,576 attacks"),
        (tree_in_itself(), "contains itself"),
    ],
    ids=["226 deep", "20,000 deep", "60 shared", "200 shared", "in itself"],
)
def test_what_no_game_could_follow_is_refused(tree: Attack, reason: str, use: str) -> None:
    with pytest.raises(ValueError, match=reason):
        uses(proof_of(tree))[use]()


@pytest.mark.parametrize(
    ("tree", "reason"),
    [(deep_tree(20_000), TOO_DEEP), (shared_tree(60), "more than"), (tree_in_itself(), "contains itself")],
    ids=["deep", "shared", "in itself"],
)
def test_the_verifier_says_why(tree: Attack, reason: str) -> None:
    found = verify(BOARD, proof_of(tree))
    assert (found.ok, reason in found.reason) == (False, True)


@pytest.mark.slow
def test_what_needs_no_walk_takes_any_tree() -> None:
    deep, shared = deep_tree(20_000), shared_tree(60)
    for tree in (deep, shared, tree_in_itself()):
        assert proof_of(tree) == proof_of(tree)
        assert proof_of(tree).first == Point(0)
        assert isinstance(hash(tree), int)
        assert len(repr(tree)) < 200_000
        assert copy.copy(tree) == tree
    assert (deep == deep_tree(20_000), deep == deep_tree(19_999)) == (True, False)
    assert (shared == shared_tree(60), shared == shared_tree(61)) == (True, False)
    assert proof_of(deep) != proof_of(shared)
    shorter = shorten(BOARD, replace(proof_of(deep), depth=10**30))
    assert str(shorter.first) == "E8"


def test_a_shared_tree_means_what_the_same_tree_without_sharing_means() -> None:
    shared = proof_of(shared_tree(6))
    apart = Proof.from_json(shared.to_json())
    assert apart.tree is not None
    assert apart.tree.replies[Point(1)] is not apart.tree.replies[Point(2)]
    assert (shared, shared.to_json()) == (apart, apart.to_json())
    assert list(shared.branches()) == list(apart.branches())
    assert shared.transform(5) == apart.transform(5)
    again = pickle.loads(pickle.dumps(shared))
    assert again == apart
    assert again.tree.replies[Point(1)] is again.tree.replies[Point(2)]
    assert verify(BOARD, shared) == verify(BOARD, apart)


def test_attacks_differ_in_stone_reply_and_pass() -> None:
    one = Attack(Point(0), {Point(1): Attack(Point(2))}, Attack(Point(3)))
    others = [
        replace(one, stone=Point(4)),
        replace(one, replies={}),
        replace(one, replies={Point(5): Attack(Point(2))}),
        replace(one, replies={Point(1): Attack(Point(6))}),
        replace(one, after_pass=None),
        replace(one, after_pass=Attack(Point(7))),
        "no attack",
    ]
    assert all(one != other for other in others)
    assert one == replace(one, replies=dict(one.replies))
    namespace = {"Attack": Attack, "Point": Point}
    assert eval(repr(one), namespace) == one


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("depth", 10**30),
        ("depth", MOST_PROOF_DEPTH + 1),
        ("nodes", 2**64),
        ("nodes", -1),
        ("time", 10**400),
        ("time", 1e300),
        ("time", float("inf")),
        ("time", float("nan")),
        ("threat_limit", 10**30),
        ("version", 10**30),
        ("kind", "x" * 100_000),
    ],
)
def test_absurd_numbers_in_a_file(field: str, value: object) -> None:
    data = json.loads(solve_vcf(BOARD).to_json()) | {field: value}
    with pytest.raises(FormatError) as error:
        Proof.from_json(json.dumps(data))
    assert len(str(error.value)) < 300


def test_proofs_of_solvers_are_as_before() -> None:
    board = Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=WHITE)
    proof = solve_vct(board, max_depth=2)
    assert proof.to_json().startswith('{"format": "renju-proof", "version": 2, "status": "proved", ')
    assert '"tree": {"stone": "K8", "replies": {"' in proof.to_json()
    assert Proof.from_json(proof.to_json()) == proof
    assert json.loads(proof.to_json())["tree"]["stone"] == "K8"
    rows = [" ".join(map(str, moves)) for _, moves in islice(proof.branches(), 3)]
    assert rows == ["K8 K6 J8", "K7 J8", "K11 J8"]
    assert renju.verify(board, proof)
