"""What a board is made of, as it is given: moves, stones, a colour."""

from __future__ import annotations

from collections.abc import Iterable

from renju import _native
from renju._types import Color, Point, PointLike, on_board
from renju.errors import NotationError

__all__ = ["given_color", "given_stones", "given_turn", "move_indices"]


def move_indices(moves: str | Iterable[PointLike]) -> list[int]:
    if isinstance(moves, str):
        return _native.parse_moves(moves)
    if isinstance(moves, bytes | bytearray):
        raise TypeError("moves are text or points, not bytes")
    return [Point(move) for move in moves]


def given_stones(points: str | Iterable[PointLike]) -> list[int | str]:
    """Indices, and for what is no point on the board a text that says why."""
    if isinstance(points, str | bytes | bytearray):
        points = map(Point, move_indices(points))
    entries: list[int | str] = []
    for point in points:
        try:
            entries.append(on_board(point))
        except NotationError as error:
            entries.append(f"{point!r}: {error}")
    return entries


def given_color(color: Color | int) -> Color:
    try:
        return Color(color)
    except ValueError:
        raise ValueError(f"a colour is BLACK (1) or WHITE (2), not {color!r}") from None


def given_turn(turn: Color | int | None) -> Color | None:
    return None if turn is None else given_color(turn)
