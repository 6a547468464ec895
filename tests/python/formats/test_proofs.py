"""Files of proofs: what they hold and say, how they grow and merge, and what damage does to them."""

from __future__ import annotations

import base64
import json
import random
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

import renju
from renju import io
from renju.proofs import Place, ProofStore
from renju.proofs.records import KIND, line_text
from renju.proving import ProveResult
from support.journals import write_lines
from support.windows import quiet_board, window

pytestmark = pytest.mark.usefixtures("inside")

LIMIT = renju.Limit(nodes=5_000_000)


@pytest.fixture(scope="module")
def board() -> renju.Board:
    return quiet_board()


@pytest.fixture(scope="module")
def won(board: renju.Board) -> ProveResult:
    return renju.prove(board, limit=LIMIT)


@pytest.fixture
def path(board: renju.Board, won: ProveResult) -> Path:
    """A file with a proof, a position that is open, and a goal."""
    found = Path("some.proof")
    with ProofStore.open(found, "a") as store:
        assert store.add(board, won, limit=5_000_000, cpu_s=1.5)
        hard = renju.Board("h8 i9 i7 g8")
        assert store.add(hard, renju.prove(hard, limit=renju.Limit(nodes=10)), limit=10)
        assert store.add_goal(renju.Board("h8 i9 i7"))
    return found


def test_what_was_added_is_read_again(path: Path, board: renju.Board, won: ProveResult) -> None:
    store = ProofStore.open(path)
    (record,) = store
    assert store.proof(record) == won.proof
    assert (record.move, record.entries, record.verified) == (won.move, won.entries, True)
    assert (record.limit, record.nodes, record.cpu_s) == (5_000_000, won.nodes, 1.5)
    assert record.place.board() == board.set_up(renju.BLACK)
    (left,) = store.open_records
    assert (left.reason, left.limit, left.is_final) == ("nodes", 10, False)
    assert [goal.place.color for goal in store.goals] == [renju.BLACK]
    assert repr(store) == "<ProofStore 'some.proof': 1 proved, 1 open>"
    for k in range(8):
        assert store.record(Place.of(board.transform(k), renju.BLACK)) == record


def test_the_same_is_no_news(path: Path, board: renju.Board, won: ProveResult) -> None:
    size = path.stat().st_size
    with ProofStore.open(path, "a") as store:
        assert not store.add(board.transform(3), won)
        assert not store.add_goal(renju.Board("h8 i9 i7").transform(5))
        hard = renju.Board("h8 i9 i7 g8")
        assert not store.add(hard, ProveResult("unknown", renju.BLACK, reason="stop"), limit=10**9)
        assert not store.add(hard, ProveResult("unknown", renju.BLACK, reason="nodes"), limit=9)
        assert path.stat().st_size == size
        assert store.add(hard, ProveResult("unknown", renju.BLACK, reason="nodes"), limit=11)
    assert ProofStore.open(path).open_records[0].limit == 11


def test_a_file_that_is_read_is_not_written(path: Path, board: renju.Board, won: ProveResult) -> None:
    with pytest.raises(ValueError, match='mode "a"'):
        ProofStore.open(path).add_goal(renju.Board("h8"))
    with pytest.raises(ValueError, match='mode is "r" or "a"'):
        ProofStore.open(path, "w")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        ProofStore.open("none.proof")
    with ProofStore.open(path, "a"), pytest.raises(BlockingIOError, match="another run"):
        ProofStore.open(path, "a")


@pytest.mark.slow
def test_play_by_a_proof_wins_in_every_orientation(path: Path, board: renju.Board) -> None:
    """Against replies by chance, those with answers of their own and any others."""
    store, chance = ProofStore.open(path), random.Random(1)
    for game in range(16):
        now = board.transform(game % 8)
        while True:
            step = store.step(now)
            assert step is not None, now
            if now.push(step.move) is not None:
                break
            replies = [p for p in step.replies if now.is_legal(p)] or [*now.legal_moves]
            now.push(chance.choice(replies if chance.random() < 0.7 else now.legal_moves))
            assert now.outcome is None
        assert now.outcome is not None
        assert now.outcome.winner == renju.BLACK


def test_nothing_is_said_of_what_no_proof_covers(path: Path, board: renju.Board, won: ProveResult) -> None:
    store = ProofStore.open(path)
    assert board in store
    assert renju.Board() not in store
    assert "h8" not in store
    assert store.move(renju.Board("h8 i9 i7 g8")) is None
    assert store.move(board.set_up(renju.WHITE)) is None
    other = next(p for p in board.legal_moves if p != won.move)
    after = board.copy()
    after.push(other)
    after.push(after.legal_moves[0])
    assert store.move(after) is None
    with pytest.raises(TypeError, match=r"renju\.Board"):
        store.move("h8")  # type: ignore[arg-type]


def test_an_engine_plays_by_proofs(path: Path, board: renju.Board, won: ProveResult) -> None:
    for book in (path, ProofStore.open(path)):
        engine = renju.Engine("easy", book=book)
        found = engine.best_move(board)
        assert (found.move, found.source, found.nodes) == (won.move, renju.Source.BOOK, 0)
        assert engine.best_move(renju.Board("h8 i9 i7 g8"), renju.Limit(nodes=10)).source != renju.Source.BOOK
    with pytest.raises(TypeError, match="ProofStore"):
        renju.Engine(book=3)  # type: ignore[arg-type]


@pytest.mark.slow
def test_files_merge(path: Path, board: renju.Board, won: ProveResult) -> None:
    vcf = renju.Board.from_stones("f8 g8 h8 i8", "e8 a1 a3", turn=renju.BLACK)
    with ProofStore.open("other.proof", "a") as other:
        other.add(board.transform(2), replace(won, proof=won.proof))
        other.add(vcf, renju.prove(vcf))
        other.add_goal(renju.Board("h8 h9 i9"))
    with ProofStore.open("all.proof", "a") as both:
        assert both.merge([ProofStore.open(path), ProofStore.open("other.proof")]) == 5
        assert both.merge([ProofStore.open(path)]) == 0
    both = ProofStore.open("all.proof")
    assert (len(both), len(both.open_records), len(both.goals)) == (2, 1, 2)
    assert both.move(board) == won.move
    assert both.move(vcf) == renju.Point("j8")
    check = both.check(threads=1)
    assert (check.proofs, check.refused, check.open) == (2, (), 0)
    assert [len(goal.open) for goal in check.goals] == [223, 223]


def test_parts_are_exported(path: Path, board: renju.Board, won: ProveResult) -> None:
    vcf = renju.Board("h8 a1 h9 a15 h10 o1 h11")
    with ProofStore.open("moves.proof", "a") as store:
        for reply in ("h12", "c3"):
            after = vcf.copy()
            after.push(reply)
            store.add(after, renju.prove(after))
        store.add_goal(vcf)
    store = ProofStore.open("moves.proof")
    count = store.export("moves.sgf", plies=2)
    (game,) = io.load("moves.sgf")
    node = list(game.root.main_line())[-3]
    assert {str(child.move) for child in node.children} == {"H12", "C3"}
    assert count == 7 + 2 + 2
    store.export("moves.lib", vcf, plies=1)
    assert len(io.load("moves.lib")) == 1
    store.export("moves.json", vcf, plies=2)
    facts = json.loads(Path("moves.json").read_text())
    assert (facts["format"], facts["version"]) == ("renju-proof-tree", 1)
    assert "H7" in Path("moves.json").read_text()
    with pytest.raises(renju.FormatError, match="no variations"):
        store.export("moves.psq")
    with pytest.raises(ValueError, match="no proof covers the position"):
        store.export("none.sgf", renju.Board("h8"))
    with pytest.raises(ValueError, match="pass"):
        ProofStore.open(path).export("none.sgf", renju.Board("h8 pass"))


# Damage


def test_every_cut_is_noticed_or_loses_the_last_line_alone(path: Path) -> None:
    data = path.read_bytes()
    whole = [n + 1 for n, byte in enumerate(data) if byte == ord("\n")]
    for size in [*range(200), *range(200, len(data), 61)]:
        path.write_bytes(data[:size])
        if size < whole[0]:
            with pytest.raises(renju.FormatError):
                ProofStore.open(path)
            continue
        store = ProofStore.open(path)
        lines = len(store) + len(store.open_records) + len(store.goals)
        assert lines == sum(end <= size for end in whole[1:])


def test_every_changed_byte_is_noticed(path: Path) -> None:
    data = path.read_bytes()
    chance = random.Random(5)
    for _ in range(60):
        place, bit = chance.randrange(len(data) - 1), 1 << chance.randrange(8)
        changed = data[:place] + bytes([data[place] ^ bit]) + data[place + 1 :]
        path.write_bytes(changed)
        with pytest.raises(renju.FormatError, match=r"some\.proof"):
            ProofStore.open(path)


def test_a_line_that_was_cut_off_is_removed_before_something_is_added(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:-10])
    with ProofStore.open(path, "a") as store:
        assert not store.goals
        assert store.add_goal(renju.Board("h8 i9 i7"))
    assert path.read_bytes() == data


def changed(path: Path, **facts: object) -> None:
    """Changes the line of the proof in such a way that its checksum is right again."""
    lines = path.read_text().splitlines()
    proof = json.loads(lines[1]) | facts
    write_lines(path, [lines[0], json.dumps(proof), *lines[2:]])


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"kind": "guess"}, "of kind 'guess'"),
        ({"color": "red"}, "color is 'red'"),
        ({"black": "h8h8"}, "black: a point is given twice"),
        ({"white": "q9"}, "white: "),
        ({"white": "b15pass"}, "white: "),
        ({"threat": 9}, "threat is 9"),
        ({"limit": -1}, "limit is -1"),
        ({"nodes": True}, "nodes is True"),
        ({"cpu_s": "long"}, "cpu_s is 'long'"),
        ({"verified": 1}, "verified is 1"),
        ({"size": 0}, "size is 0"),
        ({"move": "pass"}, "pass"),
        ({"proof": None}, "proof is None"),
    ],
)
def test_lines_that_stand_for_nothing(path: Path, facts: dict[str, object], message: str) -> None:
    changed(path, **facts)
    with pytest.raises(renju.FormatError, match=rf"some\.proof:2: .*{message}"):
        ProofStore.open(path)


def test_what_is_no_file_of_proofs(path: Path) -> None:
    Path("other.proof").write_text("h8 i9 i7\n")
    with pytest.raises(renju.FormatError, match=r"other\.proof: this is no file of a collection of proofs"):
        ProofStore.open("other.proof")
    lines = path.read_text().splitlines()
    write_lines(path, [lines[0].replace('"version": 1', '"version": 2'), *lines[1:]])
    with pytest.raises(renju.FormatError, match="its version is 2, this program reads 1"):
        ProofStore.open(path)


def test_proofs_that_cannot_be_read(path: Path, board: renju.Board, won: ProveResult) -> None:
    assert won.proof is not None
    for text, message in (
        ("?", "cannot be decompressed"),
        (base64.b64encode(b"nothing").decode(), "cannot be decompressed"),
        (base64.b64encode(zlib.compress(won.proof + b"x")).decode(), "has not the"),
        (base64.b64encode(zlib.compress(won.proof)[:-5]).decode(), "has not the"),
    ):
        changed(path, proof=text)
        with pytest.raises(renju.FormatError, match=message):
            ProofStore.open(path).move(board)


@pytest.mark.slow
def test_changed_proofs_are_refused_by_the_check(path: Path, won: ProveResult) -> None:
    """Bytes that were changed, with checksums that are right again: the verifier refuses what fails."""
    assert won.proof is not None
    chance, refused = random.Random(3), 0
    for _ in range(12):
        place = chance.randrange(6, len(won.proof))
        proof = bytearray(won.proof)
        proof[place] ^= 1 << chance.randrange(8)
        changed(path, proof=base64.b64encode(zlib.compress(proof)).decode())
        check = ProofStore.open(path).check(threads=1)
        alone = renju.proving.verify_proof(quiet_board(), bytes(proof))
        assert [reason for _, reason in check.refused] == [alone.reason] * (not alone)
        refused += not alone
    assert refused > 6


@pytest.mark.parametrize(
    ("color", "move", "flaw"),
    [
        ("white", "g9", "the proof is one of black, not of white"),
        ("black", "b15", "the proof begins with G9, not with B15"),
    ],
)
def test_a_line_that_says_more_than_its_proof(path: Path, color: str, move: str, flaw: str) -> None:
    changed(path, color=color, move=move)
    store = ProofStore.open(path)
    assert [reason for _, reason in store.check(threads=1).refused] == [flaw]
    board = quiet_board().set_up(renju.Color[color.upper()])
    with pytest.raises(renju.FormatError, match=flaw):
        store.move(board)


def test_a_proof_on_another_board_is_refused(path: Path) -> None:
    other = window("d10 g10 e12 c13", "e9 h9 e10 g13 d14 f13", renju.BLACK)
    black, white = Place.of(other, renju.BLACK).texts()
    changed(path, black=black, white=white)
    check = ProofStore.open(path).check(threads=1)
    assert not check
    assert len(check.refused) == 1
    assert check.proofs == 0


def test_a_line_is_what_its_text_says(path: Path) -> None:
    store = ProofStore.open(path)
    for line in (*store.goals, *store.open_records, *(replace(record, packed="") for record in store)):
        assert KIND.read(line_text(line)) == line
