"""Board, Point and the small types: play, results, forms, identity and explanations."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renju
from renju import BLACK, PASS, WHITE, Board, Color, Forbidden, Outcome, Point, Threat, _native, batch
from renju.errors import IllegalMoveError, NotationError, PositionError, RenjuError
from support import data

NONE, DOUBLE_THREE, DOUBLE_FOUR, OVERLINE = Forbidden
WINS = "wins"

# Subtle positions on which the checker of the Gomocup judge and the engine Rapfi agree.
# id, black, white, black's move, verdict, why
CASES = [
    ("E01", "f8 g8 h9 h10", "", "h8", DOUBLE_THREE, "plain"),
    ("E02", "e8 f8 g8 h9 h10", "d8", "h8", NONE, "a four and a three are the allowed fork"),
    ("E03", "e8 f8 g8 h9 h10 h11", "", "h8", DOUBLE_FOUR, "plain"),
    ("E04", "d8 e8 g8 j8 k8", "", "h8", DOUBLE_FOUR, "on one line, XX.XX.XX"),
    ("E05", "d8 f8 g8 j8", "", "h8", DOUBLE_FOUR, "on one line, X.XXX.X"),
    ("E06", "c8 d8 e8 i8 j8 k8", "", "g8", DOUBLE_FOUR, "on one line, XXX.X.XXX"),
    ("E07", "f8 g8 h8", "", "i8", NONE, "a straight four is one four"),
    ("E08", "c8 d8 e8 g8 h8", "", "f8", OVERLINE, "six"),
    ("E09", "d8 e8 f8 g8 h5 h6 h7 h9 h10", "", "h8", WINS, "five beats overline"),
    ("E10", "d8 e8 f8 g8 h5 h6 h7 i9 j10 k11", "", "h8", WINS, "five beats double-four"),
    ("E11", "e8 f8 j8 g9 g10", "c8", "g8", NONE, "d8 is stopped by c8, i8 would make six with j8"),
    ("E12", "e8 f8 g9 g10", "c8", "g8", DOUBLE_THREE, "E11 without j8"),
    ("E13", "f8 g8 h9 h10 i9 i10 i11", "d8", "h8", NONE, "the only extension, i8, is a double-four"),
    ("E14", "f8 g8 h9 h10 i9 i10 i11", "d8 i7 i12", "h8", DOUBLE_THREE, "E13 with a dead four on the i-file"),
    ("E15", "f8 g8 h9 h10 i10 i11 j9 k10", "d8", "h8", NONE, "i8 would be a double-three"),
    ("E16", "f8 g8 h9 h10 i10 i11 j9 k10", "d8 l11", "h8", DOUBLE_THREE, "E15 with a dead diagonal"),
    ("E17", "f8 i8 h9 h10 g4 g5 g6 g7", "", "h8", NONE, "g8 makes a five, so the row is no three"),
    ("E18", "f8 g8 h9 h10 i4 i5 i6 i7 i9", "d8", "h8", NONE, "i8 would be an overline"),
    ("E19", "f8 g8 h9 h10", "d8 j8", "h8", NONE, "room for a five, none for a straight four"),
    ("E20", "a8 b8 d9 d10", "", "d8", NONE, "a three against the edge cannot become straight"),
    ("E21", "e8 g8 h9 h10", "", "h8", DOUBLE_THREE, "a split three counts"),
    ("E22", "e8 g8 h10 h11", "", "h8", DOUBLE_THREE, "two split threes"),
    ("E23", "c8 d8 e8 f8 h8", "", "i8", NONE, "g8 would make seven: no four"),
    ("E24", "f8 g8 h9 h10 g7 f6", "", "h8", DOUBLE_THREE, "three threes"),
    ("E25", "c8 f8 g8 k8 h9 h10", "", "h8", NONE, "both straight fours would have a completion that is six"),
    ("E26", "d8 e8 f8 i8 h9 h10 h11", "", "h8", NONE, "the row would be six on completion: one four"),
]
IDS = [case[0] for case in CASES]
BY_ID = {case[0]: case for case in CASES}

BLACK_FIVE = "h8 a1 i8 a3 j8 a5 k8 a7 l8"
FULL_GAME = next(game for game in data.games() if game["reason"] == "board_full")


def points(text: str) -> set[Point]:
    return {Point(name) for name in text.split()}


def case_board(case: str, turn: Color = BLACK) -> tuple[Board, Point]:
    _, black, white, move, _, _ = BY_ID[case]
    return Board.from_stones(black, white, turn=turn), Point(move)


def sample_boards() -> dict[str, Board]:
    """A board of every sort that has to survive copying, pickling and printing."""
    played_on = Board(BLACK_FIVE + " a9 m8 a11", referee=False)
    set_up = case_board("E01")[0]
    set_up_finished = case_board("E01")[0]
    set_up_finished.push("h8")
    set_up.push("a1")
    set_up.push("pass")
    return {
        "empty": Board(),
        "opening": Board("h8 i9 g7"),
        "passes": Board("h8 i9 g7 pass a1"),
        "two passes": Board("h8 i9 g7 pass pass"),
        "five": Board(BLACK_FIVE),
        "foul": Board("f8 a1 g8 a3 h9 a5 h10 a7 h8"),
        "unclaimed foul": Board("f8 a1 g8 a3 h9 a5 h10 a7 h8 a9 h7", referee=False),
        "unclaimed five": played_on,
        "move limit": Board("h8 i9", move_limit=3),
        "move limit reached": Board("h8 i9 g7", move_limit=3),
        "both options": Board("h8 i9", move_limit=3, referee=False),
        "set up": set_up,
        "set up and finished": set_up_finished,
        "set up empty, white to move": Board.from_stones("", "", turn=WHITE),
        "set up with a five": Board.from_stones("a1 b1 c1 d1 e1", "a3 b3 c3 d3"),
        "full": Board(FULL_GAME["moves"]),
    }


SAMPLES = sorted(sample_boards())


def assert_same(board: Board, other: Board) -> None:
    """Equal in everything, not only in the stones."""
    assert other == board
    assert hash(other) == hash(board)
    for name in ("moves", "turn", "ply", "outcome", "move_limit", "referee", "key", "symmetric_key"):
        assert getattr(other, name) == getattr(board, name), name
    assert other.to_text() == board.to_text()


# Codes and points


def test_codes_are_those_of_the_native_module() -> None:
    def spelled(kinds: type[Forbidden] | type[Threat]) -> tuple[str, ...]:
        assert [int(kind) for kind in kinds] == list(range(len(kinds)))
        return tuple(kind.name.lower().replace("_", "-") for kind in kinds)

    assert spelled(Forbidden) == _native.FORBIDDEN_KINDS
    assert spelled(Threat) == _native.THREATS
    assert [int(kind) for kind in Forbidden] == [0, 1, 2, 3]


def test_colors() -> None:
    assert (BLACK, WHITE) == (1, 2)
    assert BLACK.opponent is WHITE
    assert WHITE.opponent is BLACK
    assert [Color(1), Color(2)] == [renju.BLACK, renju.WHITE]


@pytest.mark.parametrize("index", range(225))
def test_every_point(index: int) -> None:
    point = Point(index)
    name = f"{'ABCDEFGHIJKLMNO'[index % 15]}{index // 15 + 1}"
    assert (point, point.x, point.y) == (index, index % 15, index // 15)
    assert point.name == str(point) == name
    assert eval(repr(point)) == point
    spellings = [name, name.lower(), f" {name} ", (point.x, point.y), index, np.int16(index), point]
    assert {Point(spelling) for spelling in spellings} == {point}
    assert all(type(Point(spelling)) is Point for spelling in spellings)


def test_pass_is_a_point_without_a_place() -> None:
    point = Point(PASS)
    assert (int(point), point.name, str(point), repr(point)) == (225, "pass", "pass", "Point('pass')")
    assert Point("PASS") == Point("--") == point
    for attribute in ("x", "y"):
        with pytest.raises(NotationError):
            getattr(point, attribute)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_points_and_results_pickle(protocol: int) -> None:
    for value in (Point("h8"), Point(PASS), BLACK, Forbidden.OVERLINE, Board(BLACK_FIVE).outcome):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value
        assert type(again) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "h",
        "8",
        "h0",
        "h16",
        "p8",
        "hh8",
        "h8 i9",
        "h8x",
        "連",
        -1,
        226,
        10**30,
        (15, 0),
        (0, -1),
        (1,),
        (1, 2, 3),
    ],
)
def test_no_point(value: object) -> None:
    with pytest.raises(NotationError) as caught:
        Point(value)  # type: ignore[arg-type]
    assert isinstance(caught.value, RenjuError)
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("value", [None, 1.0, [7, 7], b"h8", {}, (1.5, 2), ("h", 8)])
def test_not_even_like_a_point(value: object) -> None:
    with pytest.raises(TypeError):
        Point(value)  # type: ignore[arg-type]


# Forbidden points


@pytest.mark.parametrize("k", data.SYMMETRIES)
@pytest.mark.parametrize("case", IDS)
def test_subtle_case(case: str, k: int) -> None:
    verdict = BY_ID[case][4]
    kind = NONE if verdict is WINS else verdict
    original, move = case_board(case)
    board, point = original.transform(k), Point(data.transformed_index(move, k))
    np.testing.assert_array_equal(board.to_array(), data.transformed(original.to_array(), k))

    assert board.forbidden_kind(point) is kind
    assert board.forbidden_points().get(point, NONE) is kind
    assert batch.forbidden(board.to_array())[point.y, point.x] == kind
    assert board.is_legal(point) == (kind is NONE)
    assert (point in board.legal_moves) == (kind is NONE)
    explanation = board.explain_forbidden(point)
    assert (explanation.point, explanation.kind) == (point, kind)
    assert explanation.makes_five == (verdict is WINS)

    outcome = board.push(point)
    assert outcome == board.outcome
    if verdict is WINS:
        assert outcome is not None
        assert (outcome.winner, outcome.reason, len(outcome.line)) == (BLACK, "five", 5)
        assert point in outcome.line
    elif kind:
        assert outcome == Outcome(WHITE, "forbidden", (point,))
    else:
        assert outcome is None


@pytest.mark.parametrize("case", IDS)
def test_forbidden_speaks_of_black_whoever_is_to_move(case: str) -> None:
    black_to_move, point = case_board(case)
    white_to_move, _ = case_board(case, turn=WHITE)
    assert white_to_move.forbidden_points() == black_to_move.forbidden_points()
    assert white_to_move.forbidden_kind(point) is black_to_move.forbidden_kind(point)
    assert white_to_move.is_legal(point)
    assert len(white_to_move.legal_moves) == 225 - len(white_to_move)
    assert white_to_move.push(point) is None


def test_nothing_is_forbidden_to_white() -> None:
    for _, black, white, move, _, _ in CASES:
        board = Board.from_stones(white, black, turn=WHITE)
        outcome = board.push(move)
        assert outcome is None or outcome.winner is WHITE


def test_points_of_the_data_files() -> None:
    """Point by point on boards; test_batch.py does all of them as arrays."""
    cases = data.all_forbidden_cases()
    for n in range(0, len(cases.ids), 29):
        board = Board.from_array(cases.boards[n], turn=BLACK)
        found = np.array([board.forbidden_kind(index) for index in range(225)]).reshape(15, 15)
        np.testing.assert_array_equal(found, cases.codes[n], cases.ids[n])
        expected = {Point(int(i)): Forbidden(cases.codes[n].flat[i]) for i in np.flatnonzero(cases.codes[n])}
        assert board.forbidden_points() == expected
        empty = set(map(Point, np.flatnonzero(cases.boards[n] == 0).tolist()))
        assert set(board.legal_moves) == empty - expected.keys()


@pytest.mark.parametrize("five", ["a1 b1 c1 d1 e1", "a1 b1 c1 d1 e1 f1"], ids=["five", "six"])
def test_nothing_is_forbidden_once_black_has_five(five: str) -> None:
    board = Board.from_stones(f"f8 g8 h9 h10 {five}", "", turn=WHITE)
    assert board.forbidden_points() == {}
    assert board.forbidden_kind("h8") is NONE
    assert board.explain_forbidden("h8").kind is NONE
    # The arrays judge every board by its stones alone.
    assert batch.forbidden(board.to_array())[7, 7] == DOUBLE_THREE


def test_occupied_and_impossible_points() -> None:
    board = Board("h8 i9")
    assert board.forbidden_kind("h8") is NONE
    assert not board.is_legal("h8")
    with pytest.raises(IllegalMoveError, match="H8 is occupied"):
        board.explain_forbidden("h8")
    for method in (board.forbidden_kind, board.explain_forbidden):
        with pytest.raises(NotationError):
            method("pass")


# Explanations


def test_explains_a_plain_double_three() -> None:
    board, point = case_board("E01")
    explanation = board.explain_forbidden(point)
    assert [line.direction for line in explanation.lines] == ["row", "column"]
    assert [line.shape for line in explanation.lines] == ["three", "three"]
    assert explanation.real_threes == explanation.lines
    assert explanation.fake_threes == ()
    row, column = explanation.lines
    assert set(row.stones) == points("F8 G8 H8")
    assert set(column.stones) == points("H8 H9 H10")
    assert {extension.point for extension in row.extensions} == points("E8 I8")
    assert all(extension.is_allowed for line in explanation.lines for extension in line.extensions)
    assert str(explanation).startswith("H8 is forbidden: a double-three\n")


@pytest.mark.parametrize(
    ("case", "extension", "kind"),
    [("E13", "I8", DOUBLE_FOUR), ("E15", "I8", DOUBLE_THREE), ("E18", "I8", OVERLINE)],
)
def test_explains_a_fake_three(case: str, extension: str, kind: Forbidden) -> None:
    board, point = case_board(case)
    explanation = board.explain_forbidden(point)
    assert explanation.kind is NONE
    (fake,) = explanation.fake_threes
    (real,) = explanation.real_threes
    assert (fake.direction, real.direction) == ("row", "column")
    assert not fake.is_real
    assert real.is_real
    assert set(fake.stones) == points("F8 G8 H8")
    (only,) = fake.extensions
    assert (only.point, only.makes_five, only.is_allowed) == (Point(extension), False, False)
    nested = only.forbidden
    assert nested is not None
    assert (nested.point, nested.kind, nested.makes_five) == (Point(extension), kind, False)
    # What the nested explanation says is what the board says one stone later.
    board.push(point)
    board.push("a15")
    assert board.explain_forbidden(extension) == nested
    assert "no real three" in str(explanation)
    assert f"{extension} is forbidden" in str(explanation)


def test_nested_reasons_go_all_the_way_down() -> None:
    board, point = case_board("E15")
    (fake,) = board.explain_forbidden(point).fake_threes
    nested = fake.extensions[0].forbidden
    assert nested is not None
    shapes = {line.direction: line.shape for line in nested.lines}
    assert shapes == {"row": "straight four", "column": "three", "rising diagonal": "three"}
    assert len(nested.real_threes) == 2
    diagonal = next(line for line in nested.lines if line.direction == "rising diagonal")
    verdicts = {extension.point.name: extension.forbidden for extension in diagonal.extensions}
    assert verdicts["L11"] is None  # so this three is real although H7 is forbidden
    assert verdicts["H7"] is not None
    assert verdicts["H7"].kind is DOUBLE_FOUR


def test_explains_that_an_extension_makes_five() -> None:
    board, point = case_board("E17")
    (fake,) = board.explain_forbidden(point).fake_threes
    (only,) = fake.extensions
    assert (only.point, only.makes_five, only.forbidden, only.is_allowed) == (Point("G8"), True, None, False)
    assert "G8 makes a five" in str(board.explain_forbidden(point))


@pytest.mark.parametrize(
    ("case", "shapes", "completions"),
    [
        ("E02", {"row": "four", "column": "three"}, "I8"),
        ("E03", {"row": "straight four", "column": "straight four"}, "D8 I8 H7 H12"),
        ("E04", {"row": "two fours"}, "F8 I8"),
        ("E06", {"row": "two fours"}, "F8 H8"),
        ("E07", {"row": "straight four"}, "E8 J8"),
        ("E08", {"row": "overline"}, ""),
        ("E09", {"row": "five", "column": "overline"}, ""),
        (
            "E10",
            {"row": "five", "column": "straight four", "rising diagonal": "straight four"},
            "H4 H9 G7 L12",
        ),
        ("E19", {"column": "three"}, ""),
        ("E23", {}, ""),
        ("E24", {"row": "three", "column": "three", "rising diagonal": "three"}, ""),
        ("E26", {"column": "straight four"}, "H7 H12"),
    ],
)
def test_explains_shapes(case: str, shapes: dict[str, str], completions: str) -> None:
    board, point = case_board(case)
    explanation = board.explain_forbidden(point)
    assert {line.direction: line.shape for line in explanation.lines} == shapes
    assert {p for line in explanation.lines for p in line.completions} == points(completions)
    assert all(point in line.stones for line in explanation.lines)


def test_explanations_agree_with_the_verdicts() -> None:
    """The kind follows from the lines, on crowded boards."""
    cases = data.forbidden_cases("forbidden_cases.jsonl")
    for n, cells in enumerate(cases.boards):
        if batch.winners(cells) == BLACK:
            continue
        board = Board.from_array(cells, turn=BLACK)
        for index in np.flatnonzero(cases.codes[n]).tolist():
            explanation = board.explain_forbidden(index)
            shapes = [line.shape for line in explanation.lines]
            fours = sum({"four": 1, "straight four": 1, "two fours": 2}.get(shape, 0) for shape in shapes)
            if "overline" in shapes:
                expected = OVERLINE
            elif fours >= 2:
                expected = DOUBLE_FOUR
            else:
                assert len(explanation.real_threes) >= 2
                expected = DOUBLE_THREE
            assert explanation.kind is expected, cases.ids[n]


# Play


def test_play_and_take_back() -> None:
    board = Board()
    assert (board.turn, board.ply, len(board), board.moves, board.outcome) == (BLACK, 0, 0, (), None)
    assert board  # a board is no container, even when empty
    assert board.push("h8") is None
    assert board.push((8, 8)) is None
    assert board.push(96) is None
    assert board.moves == (Point("H8"), Point("I9"), Point("G7"))
    assert (board.turn, board.ply, len(board)) == (WHITE, 3, 3)
    assert board.peek() == Point("G7")
    assert board.pop() == Point("G7")
    assert board == Board("h8 i9")
    assert (board.pop(), board.pop()) == (Point("I9"), Point("H8"))
    assert board == Board()
    for method in (board.pop, board.peek):
        with pytest.raises(IndexError):
            method()


@pytest.mark.parametrize(
    "text", ["h8i9g7", "H8 I9 G7", "H8,I9,G7", "h8-I9_g7", "  h8\ni9\r\n g7;", "h8|i9|g7"]
)
def test_spellings_of_a_record(text: str) -> None:
    assert Board(text).record() == "h8i9g7"


def test_moves_may_be_any_points() -> None:
    assert Board([112, "i9", (6, 6)]).record() == "h8i9g7"
    assert Board(Point(name) for name in ("h8", "i9")).record() == "h8i9"


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        ("h8 h8", IllegalMoveError, r"move 2 \(H8\): H8 is occupied by black"),
        ("h8 i9 i9", IllegalMoveError, r"move 3 \(I9\): I9 is occupied by white"),
        ("h8 pass", IllegalMoveError, r"move 2 \(pass\)"),
        (BLACK_FIVE + " a9", IllegalMoveError, r"move 10 \(A9\): the game is over"),
        ("h8 z9", NotationError, "column 4"),
        ("h8\ni16", NotationError, "line 2"),
    ],
)
def test_bad_records(moves: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Board(moves)


def test_bytes_are_no_record() -> None:
    """They would be read as numbers of points."""
    with pytest.raises(TypeError):
        Board(b"h8")  # type: ignore[arg-type]


@pytest.mark.parametrize("played", ["", "h8", "h8 i9"])
def test_no_pass_in_the_first_three_moves(played: str) -> None:
    board = Board(played)
    assert not board.is_legal(PASS)
    with pytest.raises(IllegalMoveError, match="pass"):
        board.push("pass")
    assert_same(Board(played), board)


def test_pass() -> None:
    board = Board("h8 i9 g7")
    assert board.is_legal(PASS)
    assert PASS not in board.legal_moves
    assert board.push(PASS) is None
    assert (board.turn, board.ply, len(board), board.peek()) == (BLACK, 4, 3, Point(PASS))
    assert board.record() == "h8i9g7pass"
    assert board.push("a1") is None
    assert board.push("pass") is None  # not two in a row
    assert board.push("pass") == Outcome(None, "two-passes")
    assert board.pop() == PASS
    assert board.outcome is None
    assert board.push("a2") is None


def test_stones_of_a_set_up_count_for_the_first_pass() -> None:
    board = Board.from_stones("h8 g7", "i9")
    assert (board.ply, board.moves, len(board)) == (3, (), 3)
    assert board.push("pass") is None


def test_copies_are_independent() -> None:
    for original in sample_boards().values():
        for duplicate in (original.copy(), copy.copy(original), copy.deepcopy(original)):
            assert_same(original, duplicate)
    board = Board("h8 i9")
    duplicate = board.copy()
    duplicate.push("g7")
    assert board == Board("h8 i9")
    board.pop()
    assert duplicate == Board("h8 i9 g7")


def test_legal_moves() -> None:
    assert Board().legal_moves == tuple(map(Point, range(225)))
    board = Board("f8 a1 g8 a3 h9 a5 h10 a7")
    assert set(board.legal_moves) == set(map(Point, range(225))) - set(board.moves) - points("H8")
    assert all(board.is_legal(point) for point in board.legal_moves)
    assert Board(BLACK_FIVE).legal_moves == ()
    assert Board(BLACK_FIVE, referee=False).legal_moves != ()
    assert Board(FULL_GAME["moves"], referee=False).legal_moves == ()


# Results


@pytest.mark.parametrize("k", data.SYMMETRIES)
@pytest.mark.parametrize(
    ("black", "white", "turn", "move", "winner", "reason", "line"),
    [
        ("f8 g8 i8 j8", "", BLACK, "h8", BLACK, "five", "F8 G8 H8 I8 J8"),
        ("a1 b2 c3 d4", "", BLACK, "e5", BLACK, "five", "A1 B2 C3 D4 E5"),
        ("", "f8 g8 i8 j8", WHITE, "h8", WHITE, "five", "F8 G8 H8 I8 J8"),
        ("", "f8 g8 i8 j8 k8", WHITE, "h8", WHITE, "overline", "F8 G8 H8 I8 J8 K8"),
        ("", "a1 b1 c1 d1 f1 g1 h1 i1", WHITE, "e1", WHITE, "overline", "A1 B1 C1 D1 E1 F1 G1 H1 I1"),
        ("f8 g8 i8 j8 k8", "", BLACK, "h8", WHITE, "forbidden", "H8"),
        ("f8 g8 h9 h10", "", BLACK, "h8", WHITE, "forbidden", "H8"),
        ("e8 f8 g8 h9 h10 h11", "", BLACK, "h8", WHITE, "forbidden", "H8"),
    ],
    ids=["black", "corner", "white", "white six", "white nine", "black six", "double-three", "double-four"],
)
def test_wins(
    black: str, white: str, turn: Color, move: str, winner: Color, reason: str, line: str, k: int
) -> None:
    board = Board.from_stones(black, white, turn=turn).transform(k)
    point = data.transformed_index(Point(move), k)
    outcome = board.push(point)
    assert outcome is not None
    assert outcome == board.outcome
    assert (outcome.winner, outcome.reason) == (winner, reason)
    assert set(outcome.line) == {Point(data.transformed_index(p, k)) for p in points(line)}
    assert len(outcome.line) == len(line.split())
    assert_over(board)
    board.pop()
    assert board.outcome is None
    assert board.push(point) == outcome


def assert_over(board: Board) -> None:
    before = board.copy()
    assert board.legal_moves == ()
    for index in range(226):
        assert not board.is_legal(index)
        with pytest.raises(IllegalMoveError):
            board.push(index)
    assert_same(before, board)


def test_a_row_of_more_than_five_that_holds_no_five() -> None:
    board = Board.from_stones("a1 b1 c1 d1 e1 f1", "", turn=WHITE)
    assert board.outcome is None
    assert batch.winners(board.to_array()) == 0


def test_draws() -> None:
    limited = Board("h8 i9", move_limit=3)
    assert limited.outcome is None
    assert limited.push("g7") == Outcome(None, "move-limit")
    assert_over(limited)
    assert Board(move_limit=0).outcome == Outcome(None, "move-limit")

    passed = Board("h8 i9 g7 pass pass")
    assert passed.outcome == Outcome(None, "two-passes")
    assert_over(passed)

    full = Board(FULL_GAME["moves"][:-1])
    assert full.outcome is None
    assert full.push(FULL_GAME["moves"][-1]) == Outcome(None, "board-full")
    assert_over(full)
    assert Board.from_array(full.to_array(), turn=WHITE).outcome == Outcome(None, "board-full")


def test_a_win_comes_before_the_move_limit() -> None:
    board = Board(BLACK_FIVE, move_limit=9)
    assert board.outcome is not None
    assert board.outcome.reason == "five"
    foul = Board("f8 a1 g8 a3 h9 a5 h10 a7 h8", move_limit=9)
    assert foul.outcome == Outcome(WHITE, "forbidden", (Point("H8"),))


@pytest.mark.parametrize("limit", [-1, -(10**30)])
def test_negative_move_limit(limit: int) -> None:
    with pytest.raises(ValueError, match="move_limit"):
        Board(move_limit=limit)


def test_without_referee_play_goes_on() -> None:
    board = Board("f8 a1 g8 a3 h9 a5 h10 a7", referee=False)
    assert not board.is_legal("h8")
    assert board.push("h8") is None
    assert board.turn is WHITE
    assert board.push("a9") is None
    assert board.push("h7") is None


def test_without_referee_the_first_result_stays() -> None:
    board = Board(BLACK_FIVE, referee=False)
    won = board.outcome
    assert won is not None
    assert won == Board(BLACK_FIVE).outcome
    assert board.push("b1") == won
    assert board.push("m8") == won  # six now
    while board.ply > 9:
        board.pop()
        assert board.outcome == won
    board.pop()
    assert board.outcome is None


def test_a_black_five_lifts_the_rules_without_referee() -> None:
    board = Board("f10 a1 g10 a3 h11 a5 h12 a7 a9 b1 b9 b3 c9 b5 d9 b7 e9 c1", referee=False)
    assert board.outcome is not None
    assert board.forbidden_points() == {}
    assert board.is_legal("h10")


def test_recorded_games_end_as_recorded() -> None:
    for game in data.games():
        board = Board()
        outcome = None
        for move in game["moves"]:
            assert outcome is None
            assert board.is_legal(move)
            outcome = board.push(move)
        if game["reason"] == "five":
            assert outcome is not None
            assert outcome.reason in ("five", "overline")
            assert outcome.winner is {"black": BLACK, "white": WHITE}[game["result"]]
            assert batch.winners(board.to_array()) == outcome.winner
        elif game["reason"] == "board_full":
            assert outcome == Outcome(None, "board-full")
        else:  # a resignation of sorts: black has nothing legal, or only a forbidden block
            assert outcome is None
        opening = board.opening()
        assert opening is not None
        assert opening.code == game["opening"]


# Set-ups


def test_the_turn_of_a_set_up() -> None:
    assert Board.from_stones("h8", "i9").turn is BLACK
    assert Board.from_stones("h8 g7", "i9").turn is WHITE
    assert Board.from_stones("h8", "i9", turn=WHITE).turn is WHITE
    assert Board.from_stones(["h8", (0, 0), 224], [], turn=2).turn is WHITE
    for turn in (0, 3, -1, "black"):
        with pytest.raises(ValueError, match="colour"):
            Board.from_stones("", "", turn=turn)  # type: ignore[arg-type]


def test_all_problems_at_once() -> None:
    black = ["h8", "h8", "z9", "g7", (15, 0), 226, "pass", "a1", "a1"]
    white = ["g7", "h8", "h16"]
    with pytest.raises(PositionError) as caught:
        Board.from_stones(black, white)
    problems = caught.value.problems
    assert isinstance(problems, tuple)
    assert len(problems) == 9
    for part in (
        "H8 is given twice for black",
        "A1 is given twice for black",
        "G7 is both black and white",
        "H8 is both black and white",
        "z9",
        "(15, 0)",
        "226",
        "'pass'",
        "h16",
    ):
        assert sum(part in problem for problem in problems) == 1, part
        assert part in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).problems == problems


def test_stones_as_text() -> None:
    assert Board.from_stones("h8g7", "I9, j10") == Board("h8 i9 g7 j10")
    with pytest.raises(PositionError) as caught:
        Board.from_stones("h8 pass h8", "h8")
    assert len(caught.value.problems) == 3
    with pytest.raises(NotationError, match="column 4"):  # a text that cannot be read has no stones
        Board.from_stones("h8 z9", "")


@pytest.mark.parametrize(("black", "white"), [("h8", "i9 a1"), ("h8 a2 a3", "i9"), ("", "a1")])
def test_counts_that_tell_no_turn(black: str, white: str) -> None:
    with pytest.raises(PositionError, match="turn") as caught:
        Board.from_stones(black, white)
    assert len(caught.value.problems) == 1
    assert Board.from_stones(black, white, turn=BLACK).turn is BLACK


def test_two_winners() -> None:
    black, white = "a1 b1 c1 d1 e1", "a2 b2 c2 d2 e2"
    with pytest.raises(PositionError, match="both") as caught:
        Board.from_stones(black, white)
    assert len(caught.value.problems) == 1


def test_two_winners_and_an_unclear_turn_are_two_problems() -> None:
    with pytest.raises(PositionError) as caught:
        Board.from_stones("a1 b1 c1 d1 e1", "a2 b2 c2 d2 e2 a9 c9")
    assert len(caught.value.problems) == 2


def test_set_ups_that_are_over() -> None:
    line = tuple(Point(name) for name in ["A1", "B1", "C1", "D1", "E1"])
    board = Board.from_stones("a1 b1 c1 d1 e1", "a3 b3 c3 d3")
    assert board.outcome is not None
    assert (board.outcome.winner, board.outcome.reason) == (BLACK, "five")
    assert set(board.outcome.line) == set(line)
    assert_over(board)
    white = Board.from_stones("", "a1 b1 c1 d1 e1 f1", turn=BLACK)
    assert white.outcome is not None
    assert (white.outcome.winner, white.outcome.reason) == (WHITE, "overline")


def test_set_ups_have_no_record() -> None:
    board = Board.from_stones("h8", "i9")
    with pytest.raises(NotationError, match="record"):
        board.record()


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


# Threats


def test_threats_of_a_simple_board() -> None:
    board = Board.from_stones("f8 g8 h8", "e8", turn=BLACK)
    threats = board.threats()
    assert threats.fours == points("I8 J8")
    assert threats.fives == threats.open_fours == threats.double_fours == threats.four_threes == set()
    assert Board.from_stones("f8 g8 h8", "", turn=BLACK).threats().open_fours == points("E8 I8")
    assert Board.from_stones("f8 g8 h8 i8", "", turn=BLACK).threats().fives == points("E8 J8")
    assert Board.from_stones("f8 g8", "", turn=BLACK).threats().threes == points("D8 E8 H8 I8")


def test_threats_are_those_of_the_side_to_move_or_asked_for() -> None:
    board = Board.from_stones("f8 g8 h8", "a1 b1 c1 d1", turn=BLACK)
    assert board.threats() == board.threats(BLACK) == board.threats(1)
    assert board.threats(WHITE).fives == points("E1")
    assert Board.from_stones("f8 g8 h8", "a1 b1 c1 d1", turn=WHITE).threats() == board.threats(2)
    for color in (0, 3, "white"):
        with pytest.raises(ValueError, match="colour"):
            board.threats(color)  # type: ignore[arg-type]


def test_threats_where_shapes_meet() -> None:
    board, point = case_board("E02")
    assert point in board.threats().four_threes
    assert point in board.threats().fours
    assert point in board.threats().threes
    # What is forbidden to black is no threat of black's, but one of white's.
    for case in ("E01", "E03", "E04", "E08"):
        board, point = case_board(case)
        threats = board.threats()
        sets = (threats.open_fours, threats.fours, threats.double_fours, threats.four_threes, threats.threes)
        assert not any(point in cells for cells in sets), case
    _, black, _, _, _, _ = BY_ID["E03"]
    assert Point("H8") in Board.from_stones("", black, turn=WHITE).threats().double_fours
    # A fake three is none.
    board, point = case_board("E13")
    assert point in board.threats().threes  # the column is real
    board = Board.from_stones("f8 g8 i9 i10 i11", "d8", turn=BLACK)
    assert board.explain_forbidden("h8").fake_threes
    assert Point("H8") not in board.threats().threes


@pytest.mark.parametrize("color", Color)
def test_threats_by_playing_them_out(color: Color) -> None:
    """A five is what wins; a four is what threatens a five afterwards."""
    seen = {"fives": 0, "fours": 0}
    for cells in data.random_boards(300, seed=3)[:120]:
        if batch.winners(cells):
            continue
        board = Board.from_array(cells, turn=color)
        threats = board.threats(color)
        empty = np.flatnonzero(cells == 0)
        after = np.repeat(cells[None], len(empty), axis=0)
        after.reshape(len(empty), -1)[np.arange(len(empty)), empty] = color
        wins = {Point(int(i)) for i in empty[batch.winners(after) == color]}
        assert threats.fives == wins
        seen["fives"] += len(wins)
        if wins:
            continue
        legal = set(board.legal_moves)
        fours = {
            Point(int(i))
            for i, later in zip(empty, after, strict=True)
            if Point(int(i)) in legal and (batch.threat_map(later, color) == Threat.FIVE).any()
        }
        assert threats.fours | threats.open_fours | threats.double_fours == fours
        seen["fours"] += len(fours)
    assert min(seen.values()) > 50


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
