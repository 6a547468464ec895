"""Opening books: orientation, choice, files whole and damaged, the engine, and the shipped one."""

import pickle
import random
import subprocess
import sys
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from statistics import mean
from struct import pack, pack_into

import pytest

from renju import Board, Engine, FormatError, Limit, Point, _native, book, lab, openings
from renju.batch import solve
from renju.book import Book, BookMove, building
from renju.book.playing import pick
from renju.engine import LEVELS
from support.books import PLAIN, after, assert_negamax, reachable
from support.books import small as small
from support.data import SYMMETRIES
from support.waiting import PATIENCE_S

POSITIONS = [PLAIN, "h8 h9 h10", "h8 i9 j10", "h8"]
HEAD = 16


def moves_of(text: str, weight: int = 1) -> list[BookMove]:
    return [BookMove(Point(name), weight) for name in text.split()]


def facts(found: Book, board: Board) -> list[tuple[int, int, int | None]]:
    """What the book says of a position, whatever its orientation."""
    return [(after(board, move.move).symmetric_key, move.weight, move.score) for move in found.moves(board)]


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
