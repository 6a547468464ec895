"""Boards as text, arrays and pickles; what makes two boards equal; and properties of any board."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renju import BLACK, PASS, WHITE, Board, Color, Outcome, Point, batch
from renju.errors import IllegalMoveError, NotationError, PositionError
from support import data
from support.board_cases import assert_same, sample_boards

SAMPLES = sorted(sample_boards())


# Forms


@pytest.mark.parametrize("name", SAMPLES)
def test_repr_reads_back(name: str) -> None:
    board = sample_boards()[name]
    again = eval(repr(board))
    assert again == board
    if not repr(board).startswith("Board.from_stones"):
        assert_same(board, again)


def test_reprs() -> None:
    assert repr(Board("h8 i9")) == "Board('h8i9')"
    assert repr(Board("h8", move_limit=9, referee=False)) == "Board('h8', move_limit=9, referee=False)"
    assert repr(Board.from_stones("h8", "")) == "Board.from_stones('H8', '', turn=2)"


@pytest.mark.slow
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("name", SAMPLES)
def test_pickle(name: str, protocol: int) -> None:
    board = sample_boards()[name]
    again = pickle.loads(pickle.dumps(board, protocol))
    assert_same(board, again)
    while board.moves:  # the way back is the same too
        assert again.pop() == board.pop()
        assert_same(board, again)


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "unclaimed five"])
def test_text_and_array_read_back(name: str) -> None:
    board = sample_boards()[name]
    assert str(board) == board.to_text()
    assert Board.from_text(str(board), turn=board.turn) == board
    assert Board.from_array(board.to_array(), turn=board.turn) == board


def test_text_form() -> None:
    lines = str(Board("a1 o15 h8")).split("\n")
    assert len(lines) == 17
    assert lines[0] == lines[-1] == "   A B C D E F G H I J K L M N O"
    assert lines[1] == "15 . . . . . . . . . . . . . . O 15"
    assert lines[8] == " 8 . . . . . . . X . . . . . . . 8"
    assert lines[15] == " 1 X . . . . . . . . . . . . . . 1"


def test_text_with_other_margins() -> None:
    board = Board("a1 o15 h8 b2")
    rows = [line[3:32] for line in str(board).split("\n")[1:16]]
    for text in (
        "\n".join(rows),
        "\n".join(row.replace(" ", "") for row in rows),
        "\r\n".join(rows) + "\r\n",
    ):
        assert Board.from_text(text) == board


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("X", "x", "line 9"),
        ("X", "*", "line 9"),
        ("14 .", "13 .", "row 14"),
        ("14 . ", "14 ", "14 cells"),
        ("14 . ", "14 . . ", "16 cells"),
    ],
)
def test_bad_text(old: str, new: str, message: str) -> None:
    text = str(Board("h8"))
    with pytest.raises(NotationError, match=message):
        Board.from_text(text.replace(old, new, 1))


def test_text_with_too_few_or_too_many_rows() -> None:
    text = str(Board("h8"))
    for bad in ("", "\n".join(text.split("\n")[:-2]), text + "\n" + text):
        with pytest.raises(NotationError, match="15 expected"):
            Board.from_text(bad)


def test_arrays() -> None:
    board = Board("a1 o15 b1")
    array = board.to_array()
    assert (array.dtype, array.shape) == (np.int8, (15, 15))
    assert array[0, 0] == array[0, 1] == 1
    assert array[14, 14] == 2
    assert np.count_nonzero(array) == len(board) == 3
    array[5, 5] = 1  # a copy
    assert board.to_array()[5, 5] == 0
    signed = np.where(board.to_array() == 2, -1, board.to_array())
    for form in (
        signed,
        board.to_array().tolist(),
        board.to_array().astype(np.uint64),
        np.asfortranarray(signed),
    ):
        assert Board.from_array(form) == board


@pytest.mark.parametrize(
    ("array", "error"),
    [
        (np.zeros((1, 15, 15), np.int8), ValueError),
        (np.zeros((14, 15), np.int8), ValueError),
        (np.zeros(225, np.int8), ValueError),
        (np.full((15, 15), 3, np.int8), PositionError),
        (np.full((15, 15), 257, np.int16), PositionError),
        (np.zeros((15, 15)), TypeError),
        (np.zeros((15, 15), bool), TypeError),
        (None, TypeError),
    ],
    ids=["three axes", "too small", "flat", "code 3", "code 257", "float", "bool", "None"],
)
def test_bad_arrays(array: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        Board.from_array(array)  # type: ignore[arg-type]


# Identity


def test_equality_is_stones_and_turn() -> None:
    assert Board("h8 i9 g7 j10") == Board("g7 j10 h8 i9") == Board.from_stones("g7 h8", "i9 j10")
    assert hash(Board("h8 i9 g7 j10")) == hash(Board("g7 j10 h8 i9"))
    assert Board("h8") != Board("h9")
    assert Board.from_stones("h8", "i9", turn=BLACK) != Board.from_stones("h8", "i9", turn=WHITE)
    assert Board.from_stones("h8", "i9") != Board.from_stones("i9", "h8")
    assert Board() != ""
    assert Board() != None  # noqa: E711 - the operator is the point
    assert len({Board("h8 i9 g7"), Board("g7 i9 h8"), Board("h8 i9")}) == 2


def test_keys_are_the_same_on_every_machine() -> None:
    """Written down here because files and caches may hold them."""
    assert [Board(text).key for text in ("", "h8", "h8i9g7")] == [
        0,
        15656269987986601126,
        15181304996348489131,
    ]
    assert Board("h8i9g7").symmetric_key == 997055734122423241


def random_game(seed: int, length: int) -> Board:
    """Legal moves near the centre, so that shapes meet; passes now and then."""
    rng = random.Random(seed)
    board = Board(referee=False)
    while board.ply < length:
        if board.ply >= 3 and rng.random() < 0.05:
            board.push(PASS)
            continue
        point = Point((rng.randrange(2, 13), rng.randrange(2, 13)))
        if point not in board.moves:
            board.push(point)
    return board


@pytest.mark.parametrize("seed", range(12))
def test_symmetric_images(seed: int) -> None:
    board = random_game(seed, 5 * seed + 1)
    images = [board.transform(k) for k in data.SYMMETRIES]
    assert_same(board, images[0])
    assert {image.symmetric_key for image in images} == {board.symmetric_key}
    assert board.symmetric_key == min(image.key for image in images)
    assert len({image.canonical() for image in images}) == 1
    canonical = board.canonical()
    assert canonical in images
    assert canonical.canonical() == canonical
    assert canonical.key == board.symmetric_key
    assert canonical.symmetric_key == board.symmetric_key
    for k, image in enumerate(images):
        np.testing.assert_array_equal(image.to_array(), data.transformed(board.to_array(), k))
        assert (image.ply, image.turn, image.referee) == (board.ply, board.turn, board.referee)
        moves = [m if m == PASS else Point(data.transformed_index(m, k)) for m in board.moves]
        assert list(image.moves) == moves
        assert_same(Board(moves, referee=False), image)


def test_transformed_boards_play_on() -> None:
    board = Board("h8 i9 g7", move_limit=5)
    turned = board.transform(1)  # a quarter counter-clockwise: right of the centre goes above it
    assert Board("i8").transform(1) == Board("h9")
    assert Board("a1").transform(4) == Board("o1")
    assert Board("a2").transform(5) == Board("n15")  # O2 in the mirror, then turned
    turned.push("a1")
    assert turned.push("a2") == Outcome(None, "move-limit")
    assert board.ply == 3


@pytest.mark.parametrize("k", [-1, 8, 100, "1", None])
def test_no_symmetry(k: object) -> None:
    with pytest.raises(ValueError, match=r"0\.\.7"):
        Board().transform(k)  # type: ignore[arg-type]


def test_openings() -> None:
    opening = Board("h8 i9 i7 a1").opening()
    assert opening is not None
    assert opening.code == "I7"
    assert Board("h8 i9").opening() is None
    assert Board("h8 a1 b1").opening() is None
    for k in data.SYMMETRIES:
        assert Board("h8 i9 i7").transform(k).opening() is opening


# Properties


record_points = st.lists(st.integers(0, 224), unique=True, max_size=60)
separators = st.sampled_from(["", " ", ",", ", ", "\n", " ; ", "_", "|", "\t"])


@settings(deadline=None)
@given(record_points, separators, st.booleans(), st.integers(3, 70))
def test_parse_undoes_print(indices: list[int], separator: str, upper: bool, pass_at: int) -> None:
    moves = [Point(index) for index in indices]
    moves[pass_at:pass_at] = [Point(PASS)] if len(moves) >= pass_at else []
    text = separator.join(move.name for move in moves)
    board = Board(text if upper else text.lower(), referee=False)
    assert list(board.moves) == moves
    assert_same(board, Board(board.record(), referee=False))
    assert_same(board, eval(repr(board)))


@settings(deadline=None)
@given(st.sets(st.integers(0, 224)), st.sets(st.integers(0, 224)), st.sampled_from(Color))
def test_drawn_boards_read_back(black: set[int], white: set[int], turn: Color) -> None:
    white -= black
    of_both = np.zeros((2, 225), np.int8)
    of_both[0, list(black)] = BLACK
    of_both[1, list(white)] = WHITE
    if batch.winners(of_both.reshape(2, 15, 15)).all():
        with pytest.raises(PositionError, match="both colours"):
            Board.from_stones(black, white, turn)
        return
    board = Board.from_stones(black, white, turn)
    assert Board.from_text(board.to_text(), turn) == board
    assert Board.from_array(board.to_array(), turn) == board
    assert eval(repr(board)) == board
    assert set(np.flatnonzero(board.to_array() == BLACK).tolist()) == black
    assert set(np.flatnonzero(board.to_array() == WHITE).tolist()) == white


@settings(deadline=None)
@given(st.lists(st.one_of(st.integers(0, 224), st.just("undo"), st.just(PASS)), max_size=120), st.booleans())
def test_walks_equal_fresh_boards(steps: list[int | str], referee: bool) -> None:
    board, moves = Board(referee=referee), list[int]()
    for step in steps:
        if step == "undo":
            if moves:
                assert board.pop() == moves.pop()
        else:
            try:
                board.push(step)
            except IllegalMoveError:
                assert not board.is_legal(step)
            else:
                moves.append(int(step))
    assert_same(Board(moves, referee=referee), board)
    assert board.key == batch.keys(board.to_array(), turns=board.turn)
    assert board.symmetric_key == batch.keys(board.to_array(), turns=board.turn, symmetric=True)
    for _ in range(len(moves) // 2):
        board.pop()
        moves.pop()
    assert_same(Board(moves, referee=referee), board)
