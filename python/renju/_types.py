"""Colours, points and codes: the small words of the package."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import TypeAlias

from renju import _native, _whole  # noqa: F401  # `_whole` raises if files of ours are missing
from renju._native import BOARD_SIZE, PASS, parse_point
from renju.errors import NotationError

__all__ = [
    "BLACK",
    "BOARD_SIZE",
    "PASS",
    "WHITE",
    "Color",
    "Forbidden",
    "Outcome",
    "Point",
    "PointLike",
    "Threat",
    "Threats",
    "on_board",
]


class Color(IntEnum):
    """A side; the numbers are the codes in arrays.

    >>> import renju
    >>> renju.BLACK.opponent
    <Color.WHITE: 2>
    """

    BLACK = 1
    WHITE = 2

    @property
    def opponent(self) -> Color:
        return Color.WHITE if self is Color.BLACK else Color.BLACK

    @property
    def label(self) -> str:
        """The name for people and files: "black"."""
        return self.name.lower()


BLACK = Color.BLACK
WHITE = Color.WHITE


class Forbidden(IntEnum):
    """Why black may not play a point (禁手)."""

    NONE = 0
    DOUBLE_THREE = 1
    DOUBLE_FOUR = 2
    OVERLINE = 3

    @property
    def label(self) -> str:
        """The name for people and files: "double-three"."""
        return _native.FORBIDDEN_KINDS[self]


class Threat(IntEnum):
    """The best a stone makes on a cell: the codes of `renju.batch.threat_map`, weakest first.

    FORBIDDEN is black's only; DOUBLE_THREE and DOUBLE_FOUR are white's only, since black's are forbidden.
    """

    NONE = 0
    CLOSED_TWO = 1
    OPEN_TWO = 2
    CLOSED_THREE = 3
    OPEN_THREE = 4
    DOUBLE_THREE = 5
    FOUR = 6
    FOUR_THREE = 7
    DOUBLE_FOUR = 8
    OPEN_FOUR = 9
    FIVE = 10
    FORBIDDEN = 11

    @property
    def label(self) -> str:
        """The name for people and files: "four-three"."""
        return _native.THREATS[self]


class Point(int):
    """A cell of the board, or a pass: an int with a name.

    The number is ``y * 15 + x``, 225 for a pass. Made from a name in any case, a number, or a pair (x, y)
    counted from 0 at A1.

    >>> from renju import Point
    >>> Point("h8"), Point(112), Point((7, 7)), str(Point("H8"))
    (Point('H8'), Point('H8'), Point('H8'), 'H8')
    >>> Point("h8").x, Point("h8").y, int(Point("h8"))
    (7, 7, 112)
    """

    __slots__ = ()

    def __new__(cls, value: PointLike) -> Point:
        if isinstance(value, Point):
            return value
        return super().__new__(cls, _index_of(value))

    @property
    def x(self) -> int:
        """Column from the left, 0..14."""
        return self._on_board() % BOARD_SIZE

    @property
    def y(self) -> int:
        """Row from the bottom, 0..14."""
        return self._on_board() // BOARD_SIZE

    @property
    def name(self) -> str:
        """The column letter and the row number, or "pass"."""
        return "pass" if self == PASS else f"{chr(ord('A') + self.x)}{self.y + 1}"

    def transform(self, k: int) -> Point:
        """Where the point is on the board that `Board.transform` makes with the number `k`; a pass stays one.

        >>> from renju import Point
        >>> Point("a1").transform(1), Point("h8").transform(5)
        (Point('O1'), Point('H8'))
        """
        if k not in range(8):
            raise ValueError(f"a symmetry is a number 0..7, not {k!r}")
        return self if self == PASS else Point(_native.transform_point(self, k))

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Point({self.name!r})"

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __reduce__(self) -> tuple[type[Point], tuple[int]]:
        return Point, (int(self),)

    def _on_board(self) -> int:
        if self == PASS:
            raise NotationError("a pass has no place on the board")
        return int(self)


PointLike: TypeAlias = Point | int | str | tuple[int, int]


def _index_of(value: PointLike) -> int:
    if isinstance(value, str):
        return parse_point(value)
    if isinstance(value, tuple):
        if len(value) != 2:
            raise NotationError(f"{value!r} is no point: a pair (x, y) was expected")
        x, y = index(value[0]), index(value[1])
        if not (0 <= x < BOARD_SIZE and 0 <= y < BOARD_SIZE):
            raise NotationError(f"({x}, {y}) is off the board: x and y are 0..{BOARD_SIZE - 1}")
        return y * BOARD_SIZE + x
    try:
        number = index(value)
    except TypeError:
        kind = type(value).__name__
        raise TypeError(f"a point is a name, a number or a pair (x, y), not {kind}") from None
    if not 0 <= number <= PASS:
        raise NotationError(f"{number} is off the board: points are 0..{PASS - 1}, a pass is {PASS}")
    return number


def on_board(point: PointLike) -> Point:
    """The point of the board; `NotationError` for a pass, which is no point."""
    point = Point(point)
    point._on_board()
    return point


@dataclass(frozen=True)
class Outcome:
    """How a game ended."""

    winner: Color | None
    """The colour that won; None in a draw."""
    reason: str
    """How the game ended: five, overline (white's), forbidden, board-full, two-passes or move-limit."""
    line: tuple[Point, ...] = ()
    """The stones of the five, or the forbidden stone; empty in a draw."""


@dataclass(frozen=True)
class Threats:
    """The points where a colour's next stone makes a shape. A point may be in several sets.

    Points that are forbidden to black are in none, except that a five is never forbidden; black's threes are
    real ones. `fours` are those that are not open; `double_fours` and `four_threes` say where shapes meet.
    """

    fives: frozenset[Point]
    """Points where the next stone makes a five."""
    open_fours: frozenset[Point]
    """Points where the next stone makes a straight four, which two points complete."""
    fours: frozenset[Point]
    """Points where the next stone makes a four that is not straight."""
    double_fours: frozenset[Point]
    """Points where the next stone makes two fours at once: white only, since they are forbidden to black."""
    four_threes: frozenset[Point]
    """Points where the next stone makes a four and a three at once."""
    threes: frozenset[Point]
    """Points where the next stone makes a three that can become a straight four."""
