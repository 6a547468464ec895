"""Puzzles: one solution each, verified proofs, files that come back, runs that can be taken up again."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import cli, puzzles, samples
from renju.io import sgf
from renju.puzzles import run
from renju.puzzles.wanted import Stop
from support.plain_fours import PlainFours, other_solution

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]

SAMPLES = puzzles.samples()
FOURS = [puzzle for puzzle in SAMPLES if puzzle.kind == "vcf"]
QUICK = puzzles.Wanted(kinds=("vcf",), panel_nodes=100)

# docs/proofs.md has the Mise-VCF of this position.
MISE = "h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10"


def named(kind: str) -> puzzles.Puzzle:
    return next(puzzle for puzzle in SAMPLES if puzzle.kind == kind)


# The puzzles that come with the package


def test_the_samples_are_different_and_verified() -> None:
    assert 30 <= len(SAMPLES) <= 60
    assert {puzzle.kind for puzzle in SAMPLES} == {*puzzles.PUZZLE_KINDS}
    assert len({puzzle.id for puzzle in SAMPLES}) == len(SAMPLES)
    for puzzle in SAMPLES:
        puzzle.verify()
        assert {*puzzle.themes} <= {*puzzles.THEMES}
        assert puzzle.difficulty == sum(not found for found in puzzle.measured["panel"].values())
        assert [*puzzle.measured["panel"]] == [*puzzles.PANEL]
        assert renju.Board(puzzle.source["moves"]).to_text() == puzzle.board().to_text()


@pytest.mark.parametrize("puzzle", FOURS[:4], ids=lambda puzzle: puzzle.id)
def test_a_plain_search_finds_no_second_solution(puzzle: puzzles.Puzzle) -> None:
    board = puzzle.board()
    assert PlainFours(board.turn, 50_000).wins(board.set_up(board.turn), puzzle.solution)
    assert other_solution(board, puzzle.solution, 50_000) is None


def test_the_plain_search_sees_a_second_solution() -> None:
    board = renju.Board.from_stones("f8 g8 h8 c3 d4 e5", "a1 a3 c12 d12 f14 k14", turn=renju.BLACK)
    assert other_solution(board, renju.Point("E8"), 10_000) is not None


@pytest.mark.parametrize("kind", puzzles.PUZZLE_KINDS)
def test_a_sample_is_made_again(kind: str) -> None:
    puzzles.check(min((p for p in SAMPLES if p.kind == kind), key=lambda p: len(p.to_json())))


def test_a_wrong_puzzle_is_found() -> None:
    data = named("vcf").to_dict()
    other = next(p for p in named("vcf").board().legal_moves if p.name != data["solution"])
    with pytest.raises(renju.RenjuError, match="the proof does not hold"):
        puzzles.Puzzle.from_dict(data | {"solution": other.name}).verify()
    with pytest.raises(renju.RenjuError, match="its difficulty is"):
        puzzles.check(puzzles.Puzzle.from_dict(data | {"difficulty": data["difficulty"] + 1}))
    lame = named("defence").to_dict()
    lame["losses"].popitem()
    with pytest.raises(renju.RenjuError, match="not every other move"):
        puzzles.Puzzle.from_dict(lame).verify()


# Why a position is none


@pytest.mark.parametrize(
    ("black", "white", "reason"),
    [
        ("e8 f8 g8 h8", "a1 a3 a5 d8", "a five is at hand"),
        ("a1 a3 c5 o15", "e8 f8 g8 h8 d2", "a four of the opponent must be blocked"),
        ("f8 g8 h8 a15", "a1 a3 c12 o1", "the win is too short"),
        ("f8 h9 a15", "a1 a3 c12", "nothing is threatened"),
    ],
)
def test_reasons(black: str, white: str, reason: str) -> None:
    board = renju.Board.from_stones(black, white, turn=renju.BLACK)
    with pytest.raises(puzzles.Rejected, match=reason):
        puzzles.look(board)


def test_a_second_win_by_fours_rejects() -> None:
    puzzle = FOURS[0]
    # The same stones with a four elsewhere, which can be played first.
    color = puzzle.turn
    board = puzzle.board()
    spare = next(
        points
        for y in (1, 13, 0, 14)
        for x in range(10)
        if all(renju.Point((x + i, y)) not in board.stones for i in range(6))
        for points in [[renju.Point((x + i, y)) for i in range(5)]]
    )
    own = [*board.points_of(color), *spare[1:4]]
    other = [*board.points_of(color.opponent), spare[0], *_far(board, spare, 2)]
    black, white = (own, other) if color == renju.BLACK else (other, own)
    with pytest.raises(puzzles.Rejected):
        puzzles.look(renju.Board.from_stones(black, white, turn=color))


def _far(board: renju.Board, taken: list[renju.Point], count: int) -> list[renju.Point]:
    """Empty corners, where a stone means little."""
    corners = [renju.Point(name) for name in ("A1", "O1", "A15", "O15")]
    return [point for point in corners if point not in board.stones and point not in taken][:count]


def test_a_limit_leaves_a_position_open() -> None:
    with pytest.raises(puzzles.Rejected, match="open"):
        puzzles.look(renju.Board(MISE), puzzles.Wanted(nodes=1))


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"kinds": ("vcx",)}, "'vcx'"),
        ({"kinds": ()}, "none"),
        ({"depth": (5, 3)}, r"depth\[1\]"),
        ({"threat_limit": 4}, "threat_limit"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        puzzles.Wanted(**settings)


# Files


def test_a_file_comes_back(tmp_path: Path) -> None:
    chosen = [named(kind) for kind in puzzles.PUZZLE_KINDS]
    puzzles.dump(chosen, "p.jsonl")
    assert [puzzle.to_dict() for puzzle in puzzles.load("p.jsonl")] == [puzzle.to_dict() for puzzle in chosen]
    puzzles.dump(chosen, "p.sgf")
    games = sgf.load("p.sgf")
    assert [game.moves[0] for game in games] == [puzzle.solution for puzzle in chosen]
    assert [game.board(0).to_text() for game in games] == [puzzle.board().to_text() for puzzle in chosen]
    puzzles.dump(chosen, "p.html")
    page = Path("p.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2 * len(chosen)
    with pytest.raises(renju.FormatError, match=r"\.jsonl, \.sgf or \.html"):
        puzzles.dump(chosen, "p.txt")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"format": "x"}, "no renju puzzle"),
        ({"version": 99}, "version 99"),
        ({"id": "0" * 16}, "the id is not that of the stones"),
        ({"kind": "defence"}, "does not go with this proof"),
        ({"solution": "Z9"}, "no renju puzzle"),
        ({"turn": 3}, "no renju puzzle"),
    ],
)
def test_damaged_puzzles(change: dict[str, Any], text: str) -> None:
    Path("p.jsonl").write_text(json.dumps(named("vcf").to_dict() | change) + "\n")
    with pytest.raises(renju.FormatError, match=rf"p\.jsonl:1: .*{text}"):
        puzzles.load("p.jsonl")


# Runs


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> str:
    """A few games, one with a puzzle twice, and a row that is no game."""
    monkeypatch.setattr(run, "_CHUNK_POSITIONS", 40)
    record = FOURS[0].source["moves"]
    Path("games.txt").write_text("\n".join([record, *samples.games()[:3], "h8h8", record]))
    return "games.txt"


def test_a_run(games: str) -> None:
    report = puzzles.find(games, "p.jsonl", QUICK, threads=1)
    found = puzzles.load("p.jsonl")
    assert FOURS[0].id in {puzzle.id for puzzle in found}
    assert len({puzzle.id for puzzle in found}) == len(found) == report.puzzles
    assert report.rejected["an image of an earlier puzzle"] == 1
    assert report.counts["games"] == 6
    assert report.counts["bad"] == 1
    assert "H8 is occupied" in Path("p.jsonl.bad.jsonl").read_text()
    # Every position is a puzzle or is rejected for one reason.
    assert report.counts["positions"] == report.puzzles + sum(report.rejected.values())
    assert not Path("p.jsonl.work").exists()
    place = next(puzzle for puzzle in found if puzzle.id == FOURS[0].id).source
    assert (place["file"], place["row"]) == ("games.txt", 1)
    # With two threads the file is the same.
    puzzles.find(games, "q.jsonl", QUICK, threads=2)
    assert Path("q.jsonl").read_bytes() == Path("p.jsonl").read_bytes()


def test_a_run_is_taken_up_again(games: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzles.find(games, "whole.jsonl", QUICK, threads=1)
    real = run.examine
    seen = []

    def failing(spec: Any, wanted: Any, stop: Stop, chunk: Any) -> Any:
        seen.append(chunk.index)
        if len(seen) > 2:
            raise OSError("the disk is gone")
        return real(spec, wanted, stop, chunk)

    monkeypatch.setattr(run, "examine", failing)
    with pytest.raises(OSError, match="the disk is gone"):
        puzzles.find(games, "p.jsonl", QUICK, threads=1)
    monkeypatch.setattr(run, "examine", real)
    again = []
    report = puzzles.find(
        games, "p.jsonl", QUICK, threads=1, resume=True, progress=lambda done, total: again.append(done)
    )
    assert again[0] > 0
    assert Path("p.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    # A finished run is not done again, and not overwritten.
    assert puzzles.find(games, "p.jsonl", QUICK, resume=True).counts == report.counts
    with pytest.raises(FileExistsError):
        puzzles.find(games, "p.jsonl", QUICK)
    with pytest.raises(FileExistsError):
        puzzles.find(games, "p.jsonl", puzzles.Wanted(), resume=True)


def test_a_sheet_in_japanese() -> None:
    chosen = puzzles.samples()
    page = puzzles.sheet(chosen, language="ja")
    assert '<html lang="ja">' in page
    assert "<h1>連珠の問題</h1>" in page
    words = re.sub("<svg.*?</svg>|<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    assert "負けない手は一つだけ。" in words
    assert "四追い" in words
    assert set(re.findall(r"[A-Za-z]{2,}", words)) == set()


def test_the_command(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["puzzles", games, "-o", "p.jsonl", "--kinds", "vcf", "--quiet", "--json"]
    assert cli.main([*words, "--sheet", "p.html", "--sgf", "p.sgf"]) == 0
    counts = json.loads(capsys.readouterr().out)["counts"]
    assert counts["puzzles"] == len(puzzles.load("p.jsonl")) == len(sgf.load("p.sgf"))
    assert cli.main(["puzzles", "--check", "p.jsonl"]) == 0
    assert capsys.readouterr().out.endswith("checked again, 0 wrong\n")
    lines = Path("p.jsonl").read_text().splitlines()
    Path("wrong.jsonl").write_text(json.dumps(json.loads(lines[0]) | {"difficulty": 77}) + "\n")
    assert cli.main(["puzzles", "--check", "wrong.jsonl"]) == 2
    assert cli.main(["puzzles", "--from", "p.jsonl", "--sheet", "again.html"]) == 0
    assert Path("again.html").read_text() == Path("p.html").read_text()
    with pytest.raises(SystemExit):
        cli.main(["puzzles", "-o", "x.jsonl"])
