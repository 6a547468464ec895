"""Moves that are the same but for a symmetry, and the check of fifth moves that black offers (五手)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from renju._native import parse_moves
from renju._types import BOARD_SIZE, Color, Point, PointLike, on_board
from renju.errors import IllegalMoveError

if TYPE_CHECKING:
    from renju.board import Board

__all__ = ["FifthCheck", "as_points", "check_fifths", "equivalent_moves"]

_Cell = tuple[int, int]
# A symmetry: the image of (x, y) is (a*x + b*y + e, c*x + d*y + f).
_Symmetry = tuple[int, int, int, int, int, int]
_TURNS = (
    *((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)),
    *((-1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 0, -1), (0, -1, -1, 0)),
)


def equivalent_moves(
    board: Board, candidates: str | Iterable[PointLike], edges: bool = True
) -> list[tuple[Point, ...]]:
    """Candidates grouped by equivalence: one is mapped to another by a symmetry that keeps the position.

    Groups and their members keep the order of the candidates. With ``edges=False`` the shape of the stones
    alone counts, wherever it stands: that is how the opening rules mean it, see `check_fifths`.

    >>> import renju
    >>> from renju import openings
    >>> board = renju.Board("h8 h9 h10 h7")
    >>> [[str(point) for point in group] for group in openings.equivalent_moves(board, ["G8", "J9", "I8"])]
    [['G8', 'I8'], ['J9']]
    """
    stones = {(point.x, point.y): color for point, color in board.stones.items()}
    kept = _symmetries(stones, edges)
    groups: dict[_Cell, list[Point]] = {}
    for point in as_points(candidates):
        if (point.x, point.y) in stones:
            raise IllegalMoveError(f"{point} is occupied")
        representative = min(_image((point.x, point.y), symmetry) for symmetry in kept)
        groups.setdefault(representative, []).append(point)
    return [tuple(group) for group in groups.values()]


@dataclass(frozen=True)
class FifthCheck:
    """What is wrong with fifth moves that are offered; true if nothing is."""

    fifths: tuple[Point, ...]
    """The points that were offered, in their order."""
    equivalent: tuple[tuple[Point, ...], ...]
    """Groups of two or more different points that are the same move."""
    repeated: tuple[Point, ...]
    """Points that were offered more than once."""
    occupied: tuple[Point, ...]
    """Points that were offered and have a stone."""
    forbidden: tuple[Point, ...]
    """Points that are forbidden to black. With two black stones on the board there is none."""
    problems: tuple[str, ...]
    """All that is wrong, in words; empty if nothing is."""

    def __bool__(self) -> bool:
        return not self.problems


def check_fifths(board: Board, fifths: str | Iterable[PointLike], count: int | None = None) -> FifthCheck:
    """Are `fifths` points that black may offer as the fifth move on `board`, `count` of them if it is given?

    No two may be equivalent, and what counts is the shape of the four stones: its distance from the edges
    does not make moves different. In this column of four all moves beside the middle are one.

    >>> import renju
    >>> from renju import openings
    >>> check = openings.check_fifths(renju.Board("h8 h9 h7 h6"), "g8 g7 i8 j9 h9")
    >>> bool(check), check.problems
    (False, ('H9 is occupied', 'G8, G7 and I8 are equivalent'))
    >>> bool(openings.check_fifths(renju.Board("h8 h9 h7 h6"), ["G8", "J9"], count=2))
    True
    """
    if board.turn != Color.BLACK:
        raise ValueError("fifth moves are black's, but white is to move")
    points = as_points(fifths)
    stones = board.stones
    repeated = tuple(point for point, times in Counter(points).items() if times > 1)
    distinct = tuple(dict.fromkeys(points))
    occupied = tuple(point for point in distinct if point in stones)
    free = [point for point in distinct if point not in stones]
    kinds = {point: kind for point in free if (kind := board.forbidden_kind(point))}
    groups = equivalent_moves(board, free, edges=False)
    equivalent = tuple(group for group in groups if len(group) > 1)
    miscounted = count is not None and count != len(points)
    problems = [
        *([f"{count} fifths are to be offered, not {len(points)}"] if miscounted else []),
        *(["no fifth is offered"] if not points and not miscounted else []),
        *(f"{point} is occupied" for point in occupied),
        *(f"{point} is offered more than once" for point in repeated),
        *(f"{point} is forbidden to black: {kind.label}" for point, kind in kinds.items()),
        *(f"{_listed(group)} are equivalent" for group in equivalent),
    ]
    return FifthCheck(points, equivalent, repeated, occupied, tuple(kinds), tuple(problems))


def as_points(points: str | Iterable[PointLike]) -> tuple[Point, ...]:
    """The points of a list or a text; `NotationError` for a pass, which is no point."""
    return tuple(on_board(point) for point in (parse_moves(points) if isinstance(points, str) else points))


def _listed(points: Iterable[Point]) -> str:
    *others, last = map(str, points)
    return f"{', '.join(others)} and {last}"


def _symmetries(stones: dict[_Cell, Color], edges: bool) -> list[_Symmetry]:
    """The turns and reflections that keep the stones: of the board, or of their shape alone."""
    kept = []
    # A symmetry of the board fixes its middle, one of a shape the middle of its stones. No stones, no shape.
    corners = [(0, 0), (BOARD_SIZE - 1, BOARD_SIZE - 1)]
    fixed = corners if edges or not stones else list(stones)
    sum_x, sum_y = sum(x for x, _ in fixed), sum(y for _, y in fixed)
    for a, b, c, d in _TURNS:
        e, rest_e = divmod(sum_x - a * sum_x - b * sum_y, len(fixed))
        f, rest_f = divmod(sum_y - c * sum_x - d * sum_y, len(fixed))
        symmetry = (a, b, c, d, e, f)
        if not rest_e and not rest_f and stones == {_image(s, symmetry): stones[s] for s in stones}:
            kept.append(symmetry)
    return kept


def _image(cell: _Cell, symmetry: _Symmetry) -> _Cell:
    (x, y), (a, b, c, d, e, f) = cell, symmetry
    return a * x + b * y + e, c * x + d * y + f
