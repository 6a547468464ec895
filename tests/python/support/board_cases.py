"""Boards of all kinds, and subtle cases of forbidden points: what the tests of boards share."""

from __future__ import annotations

from renju import BLACK, WHITE, Board, Color, Forbidden, Point
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


def assert_same(board: Board, other: Board) -> None:
    """Equal in everything, not only in the stones."""
    assert other == board
    assert hash(other) == hash(board)
    for name in ("moves", "turn", "ply", "outcome", "move_limit", "referee", "key", "symmetric_key"):
        assert getattr(other, name) == getattr(board, name), name
    assert other.to_text() == board.to_text()
