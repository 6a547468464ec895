"""Opening books that are made: built by the engine, gathered from games, and by commands."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import renju
from renju import BLACK, Board, Engine, FormatError, Game, Interrupted, Limit, Point, _native, book
from renju.book import Book, BookMove, building
from renju.book.growth import Analysis, Growth, Rules
from renju.cli import main
from renju.io import lib
from support.books import PLAIN, SMALL, after, assert_negamax, reachable
from support.books import small as small
from support.journals import write_lines
from support.waiting import PATIENCE_S

# Building


def test_a_book_is_built(small: Book) -> None:
    starts = [Board("h8 i9 g7"), Board("h8 h9 h10")]
    boards = reachable(small, starts)
    assert len(small) == len(boards) == 12
    assert {board.symmetric_key for board in starts} <= boards.keys()
    assert assert_negamax(small, boards) >= 5
    assert small.info["nodes"] == 1_000
    assert small.info["positions"] == 12


def test_the_best_move_is_that_of_the_engine() -> None:
    board = Board("h8 i9 g8").canonical()
    limit = Limit(nodes=3_000)
    found, *others = book.build([board], positions=1, nodes=3_000, check_nodes=0).moves(board)
    result = Engine("master", hash_mb=2).analyse(board, limit, multipv=1)
    assert (found.move, found.score, found.depth, found.nodes) == (
        result.move,
        result.score,
        result.depth,
        result.nodes,
    )
    assert found.weight > 0
    assert others
    assert not any(move.weight for move in others), "what was only glanced at is not played"


def test_threads_do_not_matter(small: Book) -> None:
    again = book.build(["h8 g9 i7", Board("h8 h9 h10").transform(3)], threads=2, hash_mb=2, **SMALL)
    assert again.to_bytes() == small.to_bytes()


def test_what_was_found_is_not_found_again(
    small: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "work"
    starts = ["h8 i9 g7", "h8 h9 h10"]
    book.build(starts, **(SMALL | {"positions": 2}), path=path)
    with pytest.raises(FileExistsError):
        book.build(starts, **SMALL, path=path)
    with pytest.raises(ValueError, match=r"another book build.*nodes"):
        book.build(starts, **(SMALL | {"nodes": 999}), path=path, resume=True)
    with path.open("ab") as file:
        file.write(b'{"key": 12, "ma')  # cut off when the machine went down
    assert book.build(starts, **SMALL, path=path, resume=True).to_bytes() == small.to_bytes()
    lines = path.read_text().splitlines()
    assert len(lines) == 13
    monkeypatch.setattr(building, "analyze", None)
    assert book.build(starts, **SMALL, path=path, resume=True).to_bytes() == small.to_bytes()
    write_lines(path, [*lines[:3], '{"key": 5, "main": [300, 1, 1, 1], "others": []}'])
    with pytest.raises(FormatError, match=r"work:4: 300 is no point"):
        book.build(starts, **SMALL, path=path, resume=True)


def test_an_interruption_leaves_the_book_so_far(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    count = 0

    def analyze(*args: object, **settings: object) -> object:
        nonlocal count
        count += 1
        if count > 3:
            raise Interrupted("interrupted")
        return real(*args, **settings)

    real = building.analyze
    monkeypatch.setattr(building, "analyze", analyze)
    with pytest.raises(Interrupted, match="1 position") as caught:
        book.build(["h8 i9 g7"], **SMALL, path=tmp_path / "work")
    assert len(caught.value.partial) == 1
    assert Board("h8 i9 g7") in caught.value.partial


LONG_BUILD = """
from renju import Interrupted, book
try:
    book.build(
        ["h8 i9 g7"],
        positions=1_000_000,
        nodes=20_000,
        progress=lambda done, total: print("more", flush=True),
        path="work",
    )
except Interrupted as error:
    print(error, "-", len(error.partial), flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX has them")
def test_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LONG_BUILD]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE) as run:
        try:
            assert run.stdout.readline() == b"more\n"
            run.send_signal(signal.SIGINT)
            out, _ = run.communicate(timeout=PATIENCE_S)
        finally:
            run.kill()
    last = out.decode().splitlines()[-1]
    count = int(last.split()[-1])
    assert last.startswith(f"interrupted; so far there is <Book: {count} position")
    assert count >= 1
    assert len((tmp_path / "work").read_text().splitlines()) >= 1 + count, "all of it is in the file"


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"positions": 0}, "positions is a number"),
        ({"nodes": 0}, "nodes is a number"),
        ({"width": 226}, "width is a number"),
        ({"starts": []}, "no position to start from"),
        ({"starts": ["f8 a1 g8 a3 h8 a5 i8 a7 j8"]}, "the game is over"),
        ({"resume": True}, "path"),
    ],
)
def test_wrong_settings(settings: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        book.build(**settings)
    with pytest.raises(TypeError, match="list"):
        book.build("h8 i9 g7")


RULES = Rules(plies=9, ply_cost=10, margin=100, play_margin=60, weight_step=20)


def test_growth_follows_the_costs() -> None:
    start = Board("h8 i9 g7 g9").canonical()
    growth = Growth([start], RULES)
    (first,) = growth.next(5)
    points = [int(point) for point in start.legal_moves[60:65]]
    others = tuple((point, 50 - 40 * number, 5, 5) for number, point in enumerate(points))
    growth.add(first, Analysis((points[0], 30, 9, 9), others))
    growth.settle()
    keys = [after(start, Point(point)).symmetric_key for point in points]
    # The main move keeps the score of its own search, 30; what is at most 100 behind it is looked at.
    assert growth.next(9) == keys[:4]
    assert growth.next(2) == keys[:2]
    ((_, moves),) = growth.moves()
    assert [int(move.move) for move in moves] == points
    assert [move.weight for move in moves] == [100, 0, 0, 0, 0]
    assert (moves[0].score, moves[0].depth) == (30, 9)
    reply = int(growth.board(keys[1]).legal_moves[0])
    growth.add(keys[1], Analysis((reply, -35, 7, 7), ()))
    growth.settle()
    found = {int(move.move): move for _, moves in growth.moves() for move in moves}
    assert (found[points[1]].score, found[points[1]].depth, found[points[1]].weight) == (35, 8, 100)
    assert found[points[0]].weight == 100
    reply = int(growth.board(keys[0]).legal_moves[0])
    growth.add(keys[0], Analysis((reply, 10, 7, 7), ()))
    growth.settle()
    found = {int(move.move): move for _, moves in growth.moves() for move in moves}
    assert (found[points[0]].score, found[points[0]].weight) == (-10, 25)


def test_a_win_is_a_ply_farther_from_the_move_before() -> None:
    start = Board("h8 i9 g7 g9").canonical()
    growth = Growth([start], RULES)
    point = int(start.legal_moves[60])
    growth.add(start.symmetric_key, Analysis((point, 30, 9, 9), ()))
    child = after(start, Point(point)).symmetric_key
    reply = int(growth.board(child).legal_moves[0])
    growth.add(child, Analysis((reply, _native.WIN - 7, 7, 7), ()))
    growth.settle()
    moves = {int(move.move): move for _, moves in growth.moves() for move in moves}
    assert moves[point].score == -(_native.WIN - 8)
    assert (moves[point].weight, moves[reply].weight) == (0, 100), "a lost position is left to the search"


def test_moves_that_lose_are_taken_out() -> None:
    """The engine is told to see nothing; the check before the end finds that white has a VCT."""
    board = Board.from_stones("a1 c4 g2", "h8 i8 k9 k10", turn=BLACK)
    config = renju.EngineConfig.from_level("beginner").replace(depth=1, vct=False, vcf=False)
    settings = {"positions": 1, "nodes": 300, "config": config}
    bad = book.build([board], check_nodes=0, **settings).choose(board)
    assert renju.solve_vct(after(board, bad.move), limit=Limit(nodes=20_000))
    assert len(book.build([board], check_nodes=20_000, **settings)) == 0


# Games and merging


def test_a_book_from_games() -> None:
    games = [
        Game.from_moves("h8 i9 g7 g9", result="1-0"),
        Game.from_moves("h8 g9 i7 i9", result="0-1"),  # the mirror image
        Game.from_moves("h8 i9 j7", result="1/2-1/2"),
        Game.from_moves("h8 i9 j7"),
        Game.from_moves("h8 h9 f8 a1 g8 a3 i8 a5 j8"),  # black makes five
    ]
    found = book.from_games(games)
    board = Board("h8 i9")
    assert {
        (after(board, move.move).symmetric_key, move.weight, move.games, move.score)
        for move in found.moves(board)
    } == {(Board(moves).symmetric_key, 2, 2, None) for moves in ("h8 i9 g7", "h8 i9 j7")}
    (start,) = found.moves(Board())
    assert (str(start.move), start.weight, start.games) == ("H8", 2 + 0 + 1 + 1 + 2, 5)
    (five,) = found.moves(Board("h8 h9 f8 a1 g8 a3 i8 a5"))
    assert (str(five.move), five.weight) in [("J8", 2), ("E8", 2)]
    assert Board("h8 i9 g7") not in book.from_games(games, plies=3)
    (second,) = book.from_games(games, least_games=2).moves(Board("h8"))
    assert (second.games, after(Board("h8"), second.move)) == (4, Board(["h8", second.move]))
    assert second.move.x != 7 != second.move.y, "white's second stone is diagonal to the first"
    assert Engine(book=found, hash_mb=1).best_move(Board("h8 i9 j7 a1"), Limit(nodes=10)).source == "search"
    with pytest.raises(TypeError, match="list"):
        book.from_games(games[0])


def test_passes_and_forbidden_moves_are_no_moves_of_a_book() -> None:
    foul = "f8 a1 g8 a3 h9 a5 h10 a7 h8"
    assert Board(foul[:-3]) not in book.from_games([Game.from_moves(foul, result="0-1")])
    found = book.from_games([Game.from_moves([*Board("h8 i9 g7").moves, renju.PASS, "g9"])])
    assert len(found) == 3


@pytest.mark.slow
def test_weights_of_many_games_fit() -> None:
    games = [Game.from_moves("h8 i9", result="1-0")] * 33_000
    games += [Game.from_moves("h8 i9", result="0-1")] * 10
    (move,) = book.from_games(games, plies=1).moves(Board())
    assert (move.weight, move.games) == (2**16 - 1, 33_010)
    # A move that is played seldom does not become one that is never played.
    often, seldom = Game.from_moves("h8 i9 g7", result="1-0"), Game.from_moves("h8 i9 a1")
    moves = book.from_games([often] * 70_000 + [seldom]).moves(Board("h8 i9"))
    assert [move.weight for move in moves] == [2**16 - 1, 1]


def test_books_are_merged(small: Book) -> None:
    board = Board(PLAIN)
    one = Book([(board, [BookMove(Point("j8"), 3, 10, 5, 100), BookMove(Point("k8"), 1, 0, 5, 100)])])
    other = Book([(board, [BookMove(Point("j8"), 2, 20, 9, 50, 4), BookMove(Point("k9"), 9, games=1)])])
    merged = book.merge([one, other, small])
    assert merged.moves(board) == (
        BookMove(Point("k9"), 9, None, 0, 0, 1),
        BookMove(Point("j8"), 5, 20, 9, 50, 4),
        BookMove(Point("k8"), 1, 0, 5, 100),
    )
    assert len(merged) == 1 + len(small)
    assert book.merge([small]) == small
    assert len(book.merge([])) == 0
    with pytest.raises(TypeError, match="Book"):
        book.merge([one, "other"])


def test_a_book_becomes_a_library(small: Book) -> None:
    game = small.to_game(["h8 i9 g7", "h8 h9 h10"])
    (again,) = lib.loads(lib.dumps(game))
    seen: set[int] = set()
    written = 0
    boards = [Board()]
    for depth, node in again.root.walk():
        del boards[depth:]
        board = boards[-1].copy() if depth else Board()
        if node.move is not None:
            if board in small:
                move = next(move for move in small.moves(board) if move.move == node.move)
                assert f"{move.score:+d}" in node.comment
                assert (f"weight {move.weight}" in node.comment) == (move.weight > 0)
                seen.add(board.symmetric_key)
                written += 1
            board.push(node.move)
        boards.append(board)
    assert seen == set(small)
    assert written == sum(len(entry.moves) for entry in small._entries.values()), "every move once"
    assert small.to_game().moves[:3] in (Board("h8 i9 g7").moves, Board("h8 h9 h10").moves)
    with pytest.raises(ValueError, match="not in the book"):
        small.to_game(["a1"])


# The command line


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    return tmp_path


QUICK = ["--nodes", "500", "--width", "2", "--quiet", "--threads", "1"]


def test_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "build", "-o", "a.book", "--start", "D4", "--positions", "4", *QUICK]) == 0
    assert main(["book", "build", "-o", "b.book", "--start", "h8i9g7", "--positions", "3", *QUICK]) == 0
    assert "a.book: 4 positions" in capsys.readouterr().out
    assert main(["book", "merge", "a.book", "b.book", "-o", "c.book"]) == 0
    assert len(book.load("c.book")) == 7
    capsys.readouterr()
    assert main(["book", "show", "h8h9i9", "--book", "c.book", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    wanted = book.load("c.book").moves(Board("h8h9i9"))
    assert [move["move"] for move in shown["moves"]] == [str(move.move) for move in wanted]
    assert main(["book", "show", "h8h9i9"]) == 0
    assert capsys.readouterr().out.startswith("move")
    assert main(["book", "show", "a1", "--book", "c.book"]) == 1
    assert "not in the book, which has 7 positions of 3 to" in capsys.readouterr().out
    assert main(["book", "export", "--book", "c.book", "-o", "c.lib"]) == 0
    (game,) = lib.load("c.lib")
    assert game.moves[:1] == Board("h8").moves
    assert main(["book", "export", "--book", "c.book", "--start", "D4", "-o", "c.sgf"]) == 0
    assert "weight 100" in Path("c.sgf").read_text()


def test_a_book_of_game_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("games.txt").write_text("h8i9g7\nh8i9j7\n")
    assert main(["book", "build", "--games", "games.txt", "-o", "g.book"]) == 0
    assert [move.games for move in book.load("g.book").moves(Board("h8"))] == [2]
    Path("none.txt").write_text("")
    assert main(["book", "build", "--games", "none.txt", "-o", "n.book"]) in (1, 2)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["build", "-o", "no/a.book"], "no: there is no such folder"),
        (["build", "-o", "a.book", "--start", "z9"], "--start z9: "),
        (["build", "-o", "a.book", "--resume"], "--work FILE"),
        (["build", "-o", "a.book", "--games", "x.txt", "--start", "D4"], "--games does not go with --start:"),
        (
            ["build", "-o", "a.book", "--games", "x.txt", "--nodes", "5", "--ply-cost", "2"],
            "--nodes, --ply-cost:",
        ),
        (["merge", "none.book", "-o", "a.book"], "none.book"),
        (["show", "h8", "--book", "text.book"], "text.book: byte 0: this is no opening book"),
        (["export", "-o", "a.psq"], "psq"),
    ],
)
def test_wrong_commands(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], error: str
) -> None:
    Path("text.book").write_text("h8i9g7")
    assert main(["book", *arguments]) == 2
    assert error in capsys.readouterr().err
