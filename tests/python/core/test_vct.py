"""VCT and Mise-VCF through Python: proofs, the verifier, what surrounds a win, arrays, interrupts."""

import json
import signal
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest

import renju
from renju import BLACK, WHITE, Board, Color, Limit, Point, Proof, batch, cli, verify
from renju.cli.solve import proof_text
from renju.proof import Attack
from support.data import json_lines, quiet_positions
from support.positions import MISE
from support.processes import run_child, run_named
from support.waiting import signal_after_work

CASES = [case for case in json_lines("vct_cases.jsonl") if case["expect"]["max_depth"] <= 9]
# White to move: K8 makes two threes.
DOUBLE_THREE = Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=WHITE)
README = (
    "H8,I9,H7,J8,F8,H9,G9,H10,G11,F10,I10,G10,I8,J9,E10,K9,L9,G8,J10,K7,L6,K8,K6,L10,I7,J6,M9,I5,H4,F7,G6,E6,D5,"
    "F5,G4"
)


# A proof with 24,327 branches, with which the verifier takes 6 s: tests/rust/search/vct.rs lets it do so.
LARGEST = "quintet2026-white_l09_1"


def board_of(case: dict) -> Board:
    return Board.from_stones(case["black"], case["white"], turn=Color[case["side"].upper()])


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_known_cases(case: dict) -> None:
    board, expect = board_of(case), case["expect"]
    proof = renju.solve_vct(board, max_depth=expect["max_depth"], threat_limit=expect["threat_limit"])
    assert proof.status == ("proved" if expect["vct"] else "refuted")
    assert (proof.kind, proof.threat_limit) == ("vct", expect["threat_limit"])
    if proof:
        assert proof.depth <= expect["max_depth"]
        if case["id"] != LARGEST:
            assert verify(board, proof)
        again = Proof.from_json(proof.to_json())
        assert again == proof
        rows = list(proof.branches())
        assert rows[0] == (1, proof.line)
        assert all(number % 2 == 0 for number, _ in rows[1:])
        assert max(number + len(moves) for number, moves in rows) <= 2 * proof.depth


@pytest.mark.parametrize("case", json_lines("mise_vcf_cases.jsonl"), ids=lambda case: case["id"])
def test_known_mise_cases(case: dict) -> None:
    board, expect = board_of(case), case["expect"]
    proof = renju.solve_mise_vcf(board)
    if "mise_vcf" in expect:
        assert bool(proof) is expect["mise_vcf"]
    if "first" in expect:
        assert str(proof.first) in expect["first"]
    for point in expect.get("not_first", ()):
        start = renju.is_winning_start(board, point, "mise-vcf")
        assert (start.status, start.exhausted) == ("refuted", True)
    assert not proof or verify(board, proof)


@pytest.mark.slow
def test_the_claimed_win_after_move_17_is_broken() -> None:
    """White was said to win by E13 F12 K9 J9 E7 D6 E9 H6 D8 H12 C8."""
    board = Board("h8 i9 i7 g9 h7 h9 f9 g8 f7 g7 g6 h10 g10 f8 i11 g11 j8")
    for limit in (1, 2, 3):
        assert renju.solve_vct(board, max_depth=10, threat_limit=limit).status == "refuted"
    for move in ["e13", "f12", "k9", "j9", "e7", "d6", "e9"]:
        board.push(move)
    # The fours can be played, but four replies to E9 leave nothing at all, H6 of the line among them.
    for reply in ("F5", "H6", "I8", "D10"):
        board.push(reply)
        proof = renju.solve_vct(board, threat_limit=3)
        assert (proof.status, proof.exhausted) == ("refuted", True)
        board.pop()
    # After H6 D8 the reply H12 loses, as claimed; E6 does not.
    for move in ("h6", "d8"):
        board.push(move)
    for reply, status in (("H12", "proved"), ("E6", "refuted")):
        board.push(reply)
        assert renju.solve_vct(board, threat_limit=3).status == status
        board.pop()


def test_what_a_threat_is_made_of() -> None:
    proof = renju.solve_vct(DOUBLE_THREE, max_depth=2)
    tree = proof.tree
    assert tree is not None
    assert tree.after_pass is not None
    # It threatens a straight four; only these three points stop it, and each loses to the other three.
    assert (str(tree.after_pass.stone), tree.after_pass.replies) == ("K7", {})
    assert set(map(str, tree.replies)) == {"K7", "K6", "K11"}


def test_the_verifier_wants_every_reply_answered() -> None:
    proof = renju.solve_vct(DOUBLE_THREE, max_depth=2)
    tree = proof.tree
    assert tree is not None
    assert verify(DOUBLE_THREE, proof)

    def reason(tree: Attack, **changes: object) -> str:
        return verify(DOUBLE_THREE, replace(proof, tree=tree, **changes)).reason  # type: ignore[arg-type]

    for reply in tree.replies:
        fewer = {other: after for other, after in tree.replies.items() if other != reply}
        assert reason(replace(tree, replies=fewer)).startswith(f"after K8 {reply}")
    assert (
        reason(replace(tree, after_pass=None))
        == "after K8: K8 makes no four, and what it threatens is not told"
    )
    quiet = Attack(Point("a15"))
    assert reason(replace(tree, after_pass=quiet)) == "after K8 A15: A15 makes no four"
    # A threat inside of what is threatened is not enough: that must be fours.
    nested = replace(quiet, after_pass=tree.after_pass)
    assert reason(replace(tree, after_pass=nested), threat_limit=2) == "after K8 A15: A15 makes no four"
    assert "more fours than the threat limit" in reason(replace(tree, after_pass=nested))
    # The same tree is no Mise-VCF (K8 threatens no four-three) and no VCF.
    assert (
        reason(tree, kind="mise-vcf")
        == "after no move: K8 makes neither three nor four, or threatens no four-three"
    )
    assert reason(tree, kind="vcf") == "after K8: K8 makes no four"
    assert reason(tree, depth=proof.depth + 1) == "line and depth are not those of the tree"


def test_the_verifier_holds_a_proof_to_its_kind() -> None:
    # There is no win with threats of two fours, only of three.
    case = next(case for case in CASES if case["id"] == "quintet-test_vct_fukumi_move-5")
    board = board_of(case)
    proof = renju.solve_vct(board, max_depth=7, threat_limit=3)
    assert verify(board, proof)
    assert "more fours than the threat limit" in verify(board, replace(proof, threat_limit=2)).reason
    # A VCT in which another threat follows the first is no Mise-VCF, even if it begins with a mise.
    case = next(case for case in CASES if case["id"] == "quintet-test_vct_black-1")
    board = board_of(case)
    proof = renju.solve_vct(board, max_depth=4)
    assert verify(board, proof)
    assert not verify(board, replace(proof, kind="mise-vcf"))


def test_a_proof_of_another_position_is_rejected() -> None:
    proof = renju.solve_vct(DOUBLE_THREE, max_depth=2)
    # Black has a three of its own and gets there first.
    board = Board.from_stones("c3 d3 e3 n1", "h8 i8 k9 k10", turn=WHITE)
    found = verify(board, proof)
    assert not found
    assert found.reason


def test_first_files_of_version_1_can_be_read() -> None:
    proof = renju.solve_vcf(Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK))
    text = proof.to_json().replace('"version": 2', '"version": 1').replace(', "threat_limit": 1', "")
    assert Proof.from_json(text) == proof
    with pytest.raises(renju.FormatError, match="version 3"):
        Proof.from_json(text.replace('"version": 1', '"version": 3'))


@pytest.mark.parametrize("limit", [0, 4, -1, 2**70])
def test_threat_limits_make_sense(limit: int) -> None:
    for call in (
        lambda: renju.solve_vct(DOUBLE_THREE, threat_limit=limit),
        lambda: renju.winning_moves(DOUBLE_THREE, "vct", threat_limit=limit),
        lambda: renju.is_winning_start(DOUBLE_THREE, "k8", "vct", threat_limit=limit),
        lambda: batch.solve(DOUBLE_THREE.to_array(), 2, kind="vct", threat_limit=limit),
    ):
        with pytest.raises(ValueError, match="threat_limit is a number from 1 to 3"):
            call()


def test_every_winning_first_move() -> None:
    moves = renju.winning_moves(DOUBLE_THREE, "vct", max_depth=2)
    assert moves.complete
    assert [str(point) for point in moves] == ["K8"]
    for point in DOUBLE_THREE.legal_moves:
        start = renju.is_winning_start(DOUBLE_THREE, point, "vct", max_depth=2)
        assert bool(start) == (point in moves)
    mise = renju.winning_moves(Board(MISE), "mise-vcf")
    assert {"G7", "J6"} <= {str(point) for point in mise}
    assert all(verify(Board(MISE), proof) for proof in mise.values())
    limited = renju.winning_moves(DOUBLE_THREE, "vct", max_depth=2, limit=Limit(nodes=3))
    assert not limited.complete


@pytest.mark.slow
def test_shorten_and_breakers() -> None:
    board = Board(README)
    proof = renju.solve_vct(board, threat_limit=2)
    assert proof.depth > 15
    shorter = renju.shorten(board, proof, Limit(nodes=3_000_000))
    assert shorter.depth <= proof.depth
    assert verify(board, shorter)
    proof = renju.solve_vct(DOUBLE_THREE, max_depth=2)
    found = renju.breakers(DOUBLE_THREE, proof, max_depth=2)
    assert found.complete
    assert "K8" in map(str, found.points)
    assert "A15" not in map(str, found.points)


@pytest.mark.slow
def test_a_limit_is_unknown_and_never_no() -> None:
    board = Board(README)
    for limit in (Limit(nodes=0), Limit(nodes=5_000), Limit(time=0, nodes=20_000)):
        proof = renju.solve_vct(board, limit=limit, threat_limit=3)
        assert (proof.status, proof.tree, proof.line) == ("unknown", None, ())
        assert proof.limit_hit in ("nodes", "time")
    one, two = (renju.solve_vct(board, limit=Limit(nodes=400_000), threat_limit=2) for _ in range(2))
    assert (one.status, one.line, one.nodes) == (two.status, two.line, two.nodes)


@pytest.mark.parametrize(("kind", "options"), [("mise-vcf", {}), ("vct", {"max_depth": 4})])
def test_arrays_equal_single_positions(kind: str, options: dict) -> None:
    boards, turns = quiet_positions()
    boards, turns = boards[::4], turns[::4]
    result = batch.solve(boards, turns, kind=kind, **options)
    for threads in (1, 2):
        again = batch.solve(boards, turns, kind=kind, threads=threads, **options)
        for name in ("status", "first", "length", "nodes", "line"):
            assert np.array_equal(result[name], again[name])
    for n in range(0, len(boards), 10):
        board = Board.from_array(boards[n], turn=turns[n])
        proof = renju.solve_vct(board, **options) if kind == "vct" else renju.solve_mise_vcf(board)
        assert (result["status"][n] == 1, result["nodes"][n]) == (bool(proof), proof.nodes)
        assert result["length"][n] == len(proof.line)
    assert (result["status"] == 1).sum() > 5


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["solve", MISE, "--kind", "mise-vcf", "--branches", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("black MISE-VCF in 6: G7 ")
    assert len(lines) == 4
    assert cli.main(["solve", MISE, "--kind", "vct", "--threat", "2", "--json"]) == 0
    proof = Proof.from_json(capsys.readouterr().out)
    assert (proof.kind, proof.threat_limit) == ("vct", 2)
    assert verify(Board(MISE), proof)
    assert cli.main(["solve", README, "--kind", "vct", "--nodes", "1000"]) == 3
    assert cli.main(["solve", MISE, "--json", "--svg", "-"]) == 2
    assert cli.main(["solve", "h8 i9", "--kind", "vct"]) == 1
    assert capsys.readouterr().out.splitlines()[-1].startswith("black VCT: none (")


def test_a_board_can_be_played_on_while_it_is_solved() -> None:
    board = Board(README)
    solver = threading.Thread(
        target=lambda: renju.solve_vct(board, threat_limit=3, limit=Limit(nodes=200_000))
    )
    solver.start()
    while solver.is_alive():
        board.push("a1")
        board.pop()
    assert renju.solve_vct(board, limit=Limit(nodes=10)).status == "unknown"


def test_numbers_of_numpy_are_numbers() -> None:
    proof = renju.solve_vct(DOUBLE_THREE, max_depth=np.int64(2), threat_limit=np.uint8(1))
    assert Proof.from_json(proof.to_json()) == proof
    assert renju.solve_vct(DOUBLE_THREE, limit=Limit(time=np.float32(5), nodes=np.int32(9_999)))
    for arguments in (
        {"max_depth": 1.5},
        {"max_depth": "3"},
        {"threat_limit": 1.0},
        {"limit": 0},
        {"limit": {}},
    ):
        with pytest.raises(TypeError, match=next(iter(arguments))):
            renju.solve_vct(DOUBLE_THREE, **arguments)
        with pytest.raises(TypeError, match=next(iter(arguments))):
            batch.solve(DOUBLE_THREE.to_array(), 2, kind="vct", **arguments)


@pytest.mark.slow
def test_a_limit_on_the_shortest_win_is_told() -> None:
    board = Board(README)
    proof = renju.solve_vct(board, threat_limit=2)
    hurried = renju.shorten(board, proof, Limit(nodes=proof.nodes + 20_000))
    assert (hurried.status, hurried.limit_hit, hurried.depth) == ("proved", "nodes", proof.depth)
    assert verify(board, hurried)
    assert Proof.from_json(hurried.to_json()) == hurried
    assert renju.shorten(DOUBLE_THREE, renju.solve_vct(DOUBLE_THREE)).limit_hit is None


def test_a_proof_of_another_board_is_refused() -> None:
    proof, other = renju.solve_vct(DOUBLE_THREE, max_depth=2), Board("h8 i9")
    with pytest.raises(ValueError, match="no proof for the board"):
        renju.shorten(other, proof)
    with pytest.raises(ValueError, match="no proof for the board"):
        renju.breakers(other, proof)


@pytest.mark.parametrize(
    "change",
    [
        {"version": True},
        {"version": 2.0},
        {"threat_limit": 4},
        {"threat_limit": None},
        {"time": -5},
        {"time": float("nan")},
        {"tree": None},
        {"line": []},
        {"status": "refuted"},
        {"status": "unknown"},
        {"exhausted": True},
        {"version": 1},
    ],
)
def test_contradictions_in_a_file(change: dict) -> None:
    data = json.loads(renju.solve_vct(DOUBLE_THREE, max_depth=2).to_json())
    assert Proof.from_json(json.dumps(data | {"time": 0}))
    with pytest.raises(renju.FormatError):
        Proof.from_json(json.dumps(data | change))
    twice = json.dumps(data).replace('"K7": {', '"k7": {"stone": "A1"}, "K7": {', 1)
    with pytest.raises(renju.FormatError, match="twice"):
        Proof.from_json(twice)


def child_handlers_error() -> None:
    """An error that the handler of a signal raises within a check comes out of it."""
    case = next(case for case in json_lines("vct_cases.jsonl") if case["id"] == LARGEST)
    board = board_of(case)
    proof = renju.solve_vct(board, max_depth=9, threat_limit=2)
    assert len(repr(proof)) < 1000

    def handler(*_: object) -> None:
        # Once: the next one could come while the first is dealt with.
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise ValueError("from the handler")

    # What is raised while an object is destroyed is told here and lost; then the signal comes again.
    sys.unraisablehook = lambda _: signal.setitimer(signal.ITIMER_REAL, 0.02)
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    with pytest.raises(ValueError, match="from the handler"):
        _verify_for_ever(board, proof)


@pytest.mark.slow
def test_a_handlers_error_is_not_taken_for_a_bad_proof() -> None:
    run_child(__file__, "child_handlers_error")


def test_a_tree_too_large_is_told_in_words() -> None:
    proof = Proof("unknown", "vct", BLACK, limit_hit="tree", nodes=5)
    assert not proof
    assert proof_text(proof) == "black VCT: won, but the tree is too large to be told (5 nodes)"
    assert Proof.from_json(proof.to_json()) == proof


def child_interrupt() -> None:
    """A long search and a long check end soon after Ctrl-C."""
    case = next(case for case in json_lines("vct_cases.jsonl") if "unstable" in case["id"])
    board = board_of(case)
    signal_after_work(0.3)
    with pytest.raises(renju.Interrupted) as caught:
        renju.solve_vct(board, threat_limit=3)
    assert (caught.value.partial.status, caught.value.partial.limit_hit) == ("unknown", "stop")

    case = next(case for case in json_lines("vct_cases.jsonl") if case["id"] == LARGEST)
    board = board_of(case)
    proof = renju.solve_vct(board, max_depth=9, threat_limit=2)
    sent = signal_after_work(0.3)
    with pytest.raises(renju.Interrupted) as stopped:
        _verify_for_ever(board, proof)
    assert not stopped.value.partial
    assert sent[0].seconds() < 5, "an order of magnitude, not a figure"


def _verify_for_ever(board: Board, proof: Proof) -> None:
    while True:
        verify(board, proof)


@pytest.mark.slow
def test_ctrl_c() -> None:
    run_child(__file__, "child_interrupt")


if __name__ == "__main__":
    run_named(globals())
