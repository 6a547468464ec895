"""Board, Point and the small types: play, results and set-ups."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import renju
from renju import BLACK, PASS, WHITE, Board, Color, Forbidden, Outcome, Point, Threat, _native, batch
from renju.errors import IllegalMoveError, NotationError, PositionError, RenjuError
from support import data
from support.board_cases import BLACK_FIVE, FULL_GAME, assert_same, points, sample_boards

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
