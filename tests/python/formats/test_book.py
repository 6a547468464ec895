"""Opening books: orientation, choice, files whole and damaged, building, games, and the shipped one."""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from statistics import mean
from struct import pack, pack_into

import pytest

import renju
from renju import (
    BLACK,
    Board,
    Engine,
    FormatError,
    Game,
    Interrupted,
    Limit,
    Point,
    _native,
    book,
    lab,
    openings,
)
from renju.batch import solve
from renju.book import Book, BookMove, building
from renju.book.growth import Analysis, Growth, Rules, is_decided
from renju.book.playing import pick
from renju.cli import main
from renju.engine import LEVELS
from renju.io import lib
from support.data import SYMMETRIES
from support.journals import write_lines
from support.waiting import PATIENCE_S

# No symmetry, a mirror, a diagonal, all eight.
PLAIN = "h8 i9 j7 g8"
POSITIONS = [PLAIN, "h8 h9 h10", "h8 i9 j10", "h8"]
SMALL = {"positions": 12, "nodes": 1_000, "width": 3, "check_nodes": 500}
HEAD = 16


def moves_of(text: str, weight: int = 1) -> list[BookMove]:
    return [BookMove(Point(name), weight) for name in text.split()]


def after(board: Board, move: Point) -> Board:
    board = board.copy()
    board.push(move)
    return board


def facts(found: Book, board: Board) -> list[tuple[int, int, int | None]]:
    """What the book says of a position, whatever its orientation."""
    return [(after(board, move.move).symmetric_key, move.weight, move.score) for move in found.moves(board)]


@pytest.fixture(scope="module")
def small() -> Book:
    return book.build(["h8 i9 g7", "h8 h9 h10"], **SMALL)


@pytest.fixture(scope="module")
def shipped() -> Book:
    return book.load()


# Orientation


@pytest.mark.parametrize("moves", POSITIONS)
def test_a_position_is_known_in_every_orientation(moves: str) -> None:
    board = Board(moves)
    given = [BookMove(point, 7, 40 - number) for number, point in enumerate(board.legal_moves[90:96])]
    wanted = {after(board, move.move).symmetric_key for move in given}
    first = Book([(board, given)])
    for k in SYMMETRIES:
        image = board.transform(k)
        assert image in first
        found = first.moves(image)
        assert all(image.is_legal(move.move) for move in found)
        assert {after(image, move.move).symmetric_key for move in found} == wanted
        assert facts(first, image) == facts(first, board)
        # It does not matter how the position was turned when the book was made.
        turned = [BookMove(Point(_native.transform_point(one.move, k)), 7, one.score) for one in given]
        assert facts(Book([(image, turned)]), board) == facts(first, board)


def test_moves_are_turned_with_the_board() -> None:
    board = Board(PLAIN)
    found = Book([(board, moves_of("j8"))])
    for k in SYMMETRIES:
        (move,) = found.moves(board.transform(k))
        assert move.move == _native.transform_point(Point("j8"), k)


def test_images_of_a_move_are_one() -> None:
    found = Book([(Board("h8"), moves_of("h9 g8 i8 h7 i9"))])
    assert len(found.moves(Board("h8"))) == 2


def test_another_position_is_not_known() -> None:
    found = Book([(Board(PLAIN), moves_of("j8"))])
    assert Board("h8 i9 j7 g9") not in found
    assert found.moves(Board("h8 i9 j7 g9")) == ()
    assert found.choose(Board(), 3) is None
    assert "h8" not in found
    key = Board(PLAIN).symmetric_key
    other = Book._of({key: book.entries.Entry(5, found._entries[key].moves)}, {})
    assert Board(PLAIN) not in other, "another number of stones: another position with the same key"
    assert other.moves(Board(PLAIN)) == ()


# Choice


def test_a_choice_follows_weight_and_seed() -> None:
    board = Board(PLAIN)
    weights = {"j8": 6, "k8": 3, "k9": 1, "a1": 0}
    found = Book([(board, [BookMove(Point(name), weight) for name, weight in weights.items()])])
    counts = Counter(str(found.choose(board, seed).move).lower() for seed in range(2_000))
    assert counts.keys() == {"j8", "k8", "k9"}
    for name, count in counts.items():
        assert abs(count / 2_000 - weights[name] / 10) < 0.05
    for seed in range(40):
        keys = {
            after(image, found.choose(image, seed).move).symmetric_key
            for image in map(board.transform, SYMMETRIES)
        }
        assert len(keys) == 1, "the same in every orientation"
    assert Book([(board, moves_of("j8", weight=0))]).choose(board) is None


def test_picks_are_the_same_for_ever() -> None:
    wanted = [1, 1, 2, 0, 0, 2, 1, 0, 1, 0, 1, 0]
    assert [pick([5, 3, 2], seed, 17) for seed in range(12)] == wanted


@pytest.mark.parametrize(
    ("moves", "error"),
    [
        ([BookMove(Point("h8"), 1)], "H8 is not legal"),
        ([BookMove(Point("j8"), -1)], "weight is a number from 0"),
        ([BookMove(Point("j8"), 2**16)], "weight is a number from 0"),
        ([BookMove(Point("j8"), 1, 10**9)], "score is a number"),
        ([BookMove(Point("j8"), 1, 1, 1, 2**32)], "nodes is a number"),
        ([], "at least one move"),
    ],
)
def test_wrong_moves(moves: list[BookMove], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        Book([(Board(PLAIN), moves)])


# Files


def test_a_file_holds_everything(small: Book, tmp_path: Path) -> None:
    data = small.to_bytes()
    again = Book.from_bytes(data)
    assert (again, again.info) == (small, small.info)
    assert again.to_bytes() == data
    assert pickle.loads(pickle.dumps(small)) == small
    small.save(tmp_path / "a.book")
    assert book.load(tmp_path / "a.book") == small
    assert list(tmp_path.iterdir()) == [tmp_path / "a.book"]
    unscored = Book([(Board(PLAIN), [BookMove(Point("j8"), 65_535, None, 0, 0, 2**32 - 1)])])
    assert Book.from_bytes(unscored.to_bytes()) == unscored
    assert list(small) == sorted(small._entries)


def test_the_order_of_making_does_not_matter() -> None:
    pairs = [(Board(moves), moves_of("a1 b1 c1")) for moves in POSITIONS]
    backward = [(board, moves[::-1]) for board, moves in pairs[::-1]]
    assert Book(pairs).to_bytes() == Book(backward).to_bytes()


def test_every_damage_is_noticed(small: Book) -> None:
    data = small.to_bytes()
    for size in range(len(data)):
        with pytest.raises(FormatError, match="byte"):
            Book.from_bytes(data[:size])
    with pytest.raises(FormatError, match="byte"):
        Book.from_bytes(data + b"x")
    for place in range(8 * len(data)):
        bad = bytearray(data)
        bad[place // 8] ^= 1 << place % 8
        with pytest.raises(FormatError, match="byte"):
            Book.from_bytes(bytes(bad))


def packed(payload: bytes, size: int | None = None) -> bytes:
    """A file with a right checksum, whatever is in it."""
    return whole(zlib.compress(payload), len(payload) if size is None else size)


def whole(data: bytes, size: int) -> bytes:
    return pack("<7sBII", b"RENJUBK", 1, size, zlib.crc32(data)) + data


@pytest.mark.slow
def test_hostile_files_with_right_checksums(small: Book) -> None:
    payload = zlib.decompress(small.to_bytes()[HEAD:])
    assert Book.from_bytes(packed(payload)) == small
    rng = random.Random(1)
    read = 0
    for _ in range(3_000):
        bad = bytearray(payload)
        for _ in range(rng.randint(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        try:
            found = Book.from_bytes(packed(bytes(bad[: rng.choice([len(bad), rng.randrange(len(bad))])])))
        except FormatError:
            continue
        read += 1
        for board in (Board("h8 i9 g7"), Board("h8 h9 h10")):
            with suppress(FormatError):  # a move that is not legal there
                assert all(board.is_legal(move.move) for move in found.moves(board))
    assert read > 100


INFO = pack("<I", 2) + b"{}"
MOVE = pack("<BHiHII", 112, 1, 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "byte 0: this is no opening book"),
        (b"PK\x03\x04" * 10, "byte 0: this is no opening book"),
        (b"RENJUBK\x02" + bytes(20), "byte 7: version 2"),
        (packed(b"", size=2**31), "larger than"),
        (packed(bytes(10**6), size=100), "another size"),
        (packed(INFO + bytes(4), size=100), "another size"),
        (b"RENJUBK\x01" + bytes(8) + b"junk", "checksum is wrong"),
        (whole(b"junk", 4), "cannot be decompressed"),
        (packed(pack("<I", 5) + b"{}"), "byte 4: the info"),
        (packed(pack("<I", 2) + b"[]" + bytes(4)), "no JSON object"),
        (packed(pack("<I", 9) + b"[" * 9 + bytes(4)), "no JSON"),
        (packed(INFO + pack("<I", 2**32 - 1)), "position 0 at byte 10: byte 10: a position is cut off"),
        (packed(INFO + pack("<IQBB", 1, 1, 3, 0)), "0 moves"),
        (packed(INFO + pack("<IQBB", 1, 1, 225, 1) + MOVE), "1 moves with 225 stones"),
        (packed(INFO + pack("<IQBB", 1, 1, 3, 2) + MOVE), "a move is cut off"),
        (packed(INFO + pack("<IQBB", 1, 1, 3, 2) + MOVE * 2), "given twice"),
        (packed(INFO + pack("<IQBB", 1, 1, 3, 1) + b"\xe1" + MOVE[1:]), "225 is no point"),
        (packed(INFO + pack("<IQBB", 1, 1, 3, 1) + MOVE[:3] + pack("<i", 2**30) + MOVE[7:]), "no score"),
        (
            packed(INFO + pack("<I", 2) + (pack("<QBB", 9, 3, 1) + MOVE) * 2),
            "position 1 at .*not larger",
        ),
        (packed(INFO + pack("<I", 0) + b"x"), "behind the last"),
    ],
)
def test_wrong_files(data: bytes, error: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=error):
        Book.from_bytes(data)
    path = tmp_path / "bad.book"
    path.write_bytes(data)
    with pytest.raises(FormatError, match="bad.book: .*" + error):
        Engine(book=path, hash_mb=1)


def test_a_book_with_illegal_moves_is_told_of() -> None:
    board = Board(PLAIN)
    data = bytearray(zlib.decompress(Book([(board, moves_of("j8"))], {}).to_bytes()[HEAD:]))
    stone = _native.transform_point(Point("h8"), board._position.symmetric_key()[1])
    place = data.index(pack("<QBB", board.symmetric_key, 4, 1)) + 10
    pack_into("<B", data, place, stone)
    bad = Book.from_bytes(packed(bytes(data)))
    with pytest.raises(FormatError, match=r"H8 .*not legal"):
        Engine(book=bad, hash_mb=1).best_move(board)


def test_wrong_types() -> None:
    with pytest.raises(TypeError, match="bytes"):
        Book.from_bytes("text")
    with pytest.raises(TypeError, match="BookMove"):
        Book([(Board(), ["h8"])])
    with pytest.raises(TypeError, match=r"renju\.Board"):
        Book().moves("h8")
    with pytest.raises(TypeError, match=r"renju\.Board"):
        Book().line("h8")
    with pytest.raises(ValueError, match="given twice"):
        Book([(Board("h8 i9"), moves_of("g7")), (Board("h8 g9"), moves_of("g7"))])
    with pytest.raises(OSError, match="none"):
        book.load("none.book")
    for wrong in (None, 1.5, 2, Board()):
        with pytest.raises(TypeError, match="book is"):
            Engine(book=wrong, hash_mb=1)


def test_info_has_its_bounds() -> None:
    with pytest.raises(ValueError, match="info"):
        Book(info={"x": "y" * 10**5}).to_bytes()


# Building


def reachable(found: Book, starts: list[Board]) -> dict[int, Board]:
    """The positions of a book that can be reached from some boards by its moves."""
    seen: dict[int, Board] = {}
    waiting = list(starts)
    while waiting:
        board = waiting.pop()
        if board.outcome is not None or board.symmetric_key in seen or board not in found:
            continue
        seen[board.symmetric_key] = board
        waiting += [after(board, move.move) for move in found.moves(board)]
    return seen


def assert_negamax(found: Book, boards: dict[int, Board]) -> int:
    """Scores go through the book: a move is worth what the best reply leaves. Returns how many do."""
    count = 0
    for board in boards.values():
        moves = found.moves(board)
        for move in moves:
            replies = found.moves(after(board, move.move))
            if replies:
                worth = -max(reply.score for reply in replies)
                assert move.score == worth or (is_decided(worth) and abs(move.score - worth) == 1)
                assert move.depth > max(replies, key=lambda reply: reply.score).depth
                count += 1
        played = {move.score: move.weight for move in moves if move.weight}
        if played:
            assert max(played) - min(played) < 60
            assert played[max(played)] == max(played.values())
        else:
            assert any(move.score < 0 and is_decided(move.score) for move in moves), (
                "what is lost is searched"
            )
    return count


def test_a_book_is_built(small: Book) -> None:
    starts = [Board("h8 i9 g7"), Board("h8 h9 h10")]
    boards = reachable(small, starts)
    assert len(small) == len(boards) == 12
    assert {board.symmetric_key for board in starts} <= boards.keys()
    assert assert_negamax(small, boards) >= 5
    assert small.info["nodes"] == 1_000
    assert small.info["positions"] == 12


def test_the_best_move_is_that_of_the_engine() -> None:
    board = Board("h8 i9 g7").canonical()
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


# The engine


def test_the_engine_plays_by_the_book(shipped: Book) -> None:
    board = Board("h8 i9 g7")
    for level in LEVELS:
        engine = Engine(level, hash_mb=1)
        result = engine.best_move(board)
        assert (result.source, result.nodes, result.depth) == ("book", 0, 0)
        chosen = shipped.choose(board, 0)
        assert (result.move, result.score) == (chosen.move, chosen.score)
        played = {move.move: move.score for move in shipped.moves(board) if move.weight}
        assert {candidate.move: candidate.score for candidate in result.candidates} == played
        scores = [candidate.score for candidate in result.candidates]
        assert scores == sorted(scores, reverse=True)
        assert result.pv == (result.move, *shipped.line(after(board, result.move)))
        Board([*board.moves, *result.pv])
        assert [found.move for found in engine.stream(board, play=True)] == [result.move]
        few = Limit(nodes=1_000)
        assert [found.source for found in engine.stream(board, few)][-1] == "search"
        assert engine.analyse(board, few).source == "search"
        assert Engine(level, hash_mb=1, book=False).best_move(board, few).source == "search"
        assert Engine(level, hash_mb=1, book=Book()).best_move(board, few).source == "search"
        assert Engine(level, hash_mb=1, book=Book()).best_move(Board()).source == "opening"


def test_the_engine_takes_any_book(tmp_path: Path) -> None:
    board = Board("h8 a1 b2")
    mine = Book([(board, moves_of("o15 c4"))])
    mine.save(tmp_path / "mine.book")
    for given in (mine, tmp_path / "mine.book", str(tmp_path / "mine.book")):
        engine = Engine(book=given, hash_mb=1)
        found = set()
        for engine.seed in range(20):
            result = engine.best_move(board)
            assert (result.source, result.score) == ("book", 0)
            found.add(str(result.move))
        assert found == {"O15", "C4"}
    assert "book=<Book: 1 position>" in repr(engine)
    assert "book=False" in repr(Engine(book=False, hash_mb=1))


def test_a_result_knows_its_board(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, limit = Engine(hash_mb=1), Limit(nodes=2_000)
    for moves in ("", "h8 i9 g7", "h8 a1 b2 c3"):
        board = Board(moves)
        results = [engine.best_move(board, limit), engine.analyse(board, limit), *engine.stream(board, limit)]
        for result in results:
            assert result.board == board
            assert result.board is not board
            again = pickle.loads(pickle.dumps(result))
            assert (again, again.board) == (result, board)
            assert "board" not in repr(result)
            result.board.push("o1")
        assert board == Board(moves)
        assert len({id(result.board) for result in results}) == len(results)


# Players of the lab


def test_matches_are_played_without_a_book_unless_asked() -> None:
    plain, with_book = lab.Player.parse("hard"), lab.Player.parse("hard,book=1")
    assert (plain.book, with_book.book) == (False, True)
    assert "book" not in plain.facts()
    assert len(with_book.facts()["book"]) == 64
    assert lab.Player.parse("hard,book=off").book is False
    sources = []
    for player in (plain, with_book):
        seat = player.with_limit(Limit(nodes=500)).seat()
        seat.new_game(1)
        sources.append([seat.think(Board(moves)).ply.source for moves in ("", "h8 i9 g7")])
    assert sources == [["opening", "search"], ["opening", "book"]]
    with pytest.raises(ValueError, match="there is no file"):
        lab.Player.parse("hard,book=none.book")


# The shipped book


def test_the_shipped_book_is_read_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        assert len({id(found) for found in pool.map(lambda _: book.load(), range(32))}) == 1
    code = "import sys, renju; assert 'renju.book' not in sys.modules; renju.Engine(hash_mb=1); "
    code += "assert 'renju.book' not in sys.modules; assert len(renju.book.load()) > 1000"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE_S)


@pytest.fixture(scope="module")
def boards(shipped: Book) -> dict[int, Board]:
    return reachable(shipped, [Board(opening.moves) for opening in openings.OPENINGS])


def test_the_shipped_book_is_whole(shipped: Book, boards: dict[int, Board]) -> None:
    assert len(shipped) > 1_000
    assert len(shipped.to_bytes()) < 10**6
    assert {Board(opening.moves).symmetric_key for opening in openings.OPENINGS} <= boards.keys()
    assert len(boards) > 0.95 * len(shipped)
    assert assert_negamax(shipped, boards) > 1_000


def test_the_shipped_book_agrees_with_theory(shipped: Book) -> None:
    """The classical verdicts: white has won D13 and I13; ten and more are lost for white, some are even."""
    scores = {
        opening.code: max(move.score for move in shipped.moves(Board(opening.moves)))
        for opening in openings.OPENINGS
    }
    white, even, black = (
        [scores[opening.code] for opening in openings.OPENINGS if opening.evaluation in verdicts]
        for verdicts in (["0-1"], ["=", "-="], ["1-0"])
    )
    assert min(white) > 0 > max(black)
    assert mean(white) > mean(even) > mean(black)


def test_no_shipped_move_is_forbidden_or_loses_at_once(shipped: Book, boards: dict[int, Board]) -> None:
    following = {}
    for board in boards.values():
        for move in shipped.moves(board):
            assert board.is_legal(move.move)
            if move.weight:
                child = after(board, move.move)
                assert child.outcome is None
                following[child.symmetric_key] = child
    cells, turns = building.as_arrays(list(following.values()))
    assert (solve(cells, turns, "vcf", Limit(nodes=2_000))["status"] <= 0).all()
    assert (solve(cells, turns, "vct", Limit(nodes=2_000))["status"] <= 0).all()


def test_the_shipped_book_in_all_orientations(shipped: Book, boards: dict[int, Board]) -> None:
    sample = random.Random(5).sample(sorted(boards), 40)
    for key in sample:
        board = boards[key]
        for k in SYMMETRIES:
            image = board.transform(k)
            assert facts(shipped, image) == facts(shipped, board)
            assert all(image.is_legal(move.move) for move in shipped.moves(image))


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
