"""Positions by their stones alone: the colour that is to win is to move."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from renju import _native
from renju._types import BOARD_SIZE, Color, Point

if TYPE_CHECKING:
    from renju.board import Board

__all__ = ["SYMMETRIES", "Place"]

SYMMETRIES = 8
"""The rotations and reflections of the board."""


class Place(NamedTuple):
    """The stones of a position as numbers whose bit n is the point n, and the colour that is to win."""

    black: int
    """The points with black stones, a bit each."""
    white: int
    """The points with white stones, a bit each."""
    color: Color
    """The colour that is to win."""

    @classmethod
    def of(cls, board: Board, color: Color) -> Place:
        """The position of a board."""
        return cls(_mask(board.points_of(Color.BLACK)), _mask(board.points_of(Color.WHITE)), color)

    def board(self, turn: Color | None = None) -> Board:
        """The board of the position, with the colour that is to win on move unless `turn` says otherwise.
        `PositionError` if nobody could play on it."""
        from renju.board import Board

        black, white = ([Point(p) for p in _points(mask)] for mask in (self.black, self.white))
        return Board.from_stones(black, white, turn or self.color)

    def turned(self, k: int) -> Place:
        """The position on the board that a symmetry gives."""
        table = _table(k)
        black, white = (sum(1 << table[p] for p in _points(mask)) for mask in (self.black, self.white))
        return Place(black, white, self.color)

    def images(self) -> list[Place]:
        """The position in all symmetries, in their order."""
        return [self.turned(k) for k in range(SYMMETRIES)]

    def canonical(self) -> Place:
        """The same position for all its rotations and reflections."""
        return _canonical(self)

    def after(self, reply: int) -> Place:
        """The position after a reply of the colour that is to lose, which may be a pass."""
        if reply == _native.PASS:
            return self
        black, white = (1 << reply if color != self.color else 0 for color in (Color.BLACK, Color.WHITE))
        return Place(self.black | black, self.white | white, self.color)

    def is_within(self, other: Place) -> bool:
        """Does the other position have all stones of this one, and does the same colour win?"""
        is_part = not (self.black & ~other.black or self.white & ~other.white)
        return is_part and self.color == other.color

    def texts(self) -> tuple[str, str]:
        """The black and the white stones as moves are written in files."""
        black, white = ("".join(str(Point(p)).lower() for p in _points(m)) for m in (self.black, self.white))
        return black, white


def _mask(points: tuple[Point, ...]) -> int:
    return sum(1 << p for p in points)


def _points(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


@cache
def _table(k: int) -> tuple[int, ...]:
    return tuple(_native.transform_point(p, k) for p in range(BOARD_SIZE**2))


# A run asks again and again for the same few hundred positions.
@lru_cache(1 << 12)
def _canonical(place: Place) -> Place:
    return min(place.images())
