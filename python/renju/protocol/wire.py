"""Points, positions and times as they are on the wire: ``x,y`` from 0, rows counted from the top."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain, pairwise, zip_longest

from renju._types import BOARD_SIZE, PASS, Color, Point
from renju.board import Board
from renju.errors import IllegalMoveError, NotationError, PositionError

__all__ = [
    "OPPONENT",
    "OWN",
    "UNLIMITED_MS",
    "parse_point",
    "parse_stone",
    "point_text",
    "position",
    "rows",
    "stone_rows",
    "without_stone",
]

# Whose stone a row of BOARD holds.
OWN, OPPONENT = 1, 2

# What a manager sends for a match without a time limit, in milliseconds.
UNLIMITED_MS = 2**31 - 1

_NUMBERS = re.compile(r"-?\d{1,9}(\s*,\s*-?\d{1,9})*", re.ASCII)
# Several rows may share a line, and a comma may have spaces around it.
_ROW = re.compile(r"[^\s,]+(?:\s*,\s*[^\s,]+)*|,+")


def point_text(point: Point) -> str:
    """H8 is "7,7", A15 is "0,0"."""
    return f"{point.x},{BOARD_SIZE - 1 - point.y}"


def parse_point(text: str) -> Point:
    """The point of a text "x,y", both from 0 to 14."""
    numbers = _numbers(text)
    if len(numbers) != 2:
        raise NotationError(f"a point is x,y, not {text[:40]!a}")
    x, y = numbers
    if not (0 <= x < BOARD_SIZE and 0 <= y < BOARD_SIZE):
        raise NotationError(f"{x},{y} is off the board: x and y are 0..{BOARD_SIZE - 1}")
    return Point((x, BOARD_SIZE - 1 - y))


def parse_stone(text: str) -> tuple[Point, int]:
    """The point and the owner of "x,y,owner"."""
    place, _, owner = text.rpartition(",")
    if owner.strip() not in ("1", "2"):
        raise NotationError(f"a stone is x,y,1 (own) or x,y,2 (the opponent's), not {text[:40]!a}")
    return parse_point(place), int(owner)


def rows(text: str) -> list[str]:
    """The rows of a line: "7,7,1 8, 7, 2" has two."""
    return _ROW.findall(text)


def position(stones: Sequence[tuple[Point, int]], own_to_move: bool = True) -> Board:
    """The board with these stones, each with its owner, in the order of the moves.

    Who moved first is black. Where the owners do not alternate, the rows are in no order, and the counts tell
    who is black, if they can. With `own_to_move` it is our turn even where the moves say otherwise.
    """
    owners = [owner for _, owner in stones]
    in_order = all(one != other for one, other in pairwise(owners))
    own = Color.BLACK if _own_is_black(owners, in_order) else Color.WHITE
    turn = own
    if in_order:
        next_to_move = Color.WHITE if len(stones) % 2 else Color.BLACK
        turn = own if own_to_move else next_to_move
        board = Board()
        if turn == next_to_move and all(board.push(point) is None for point, _ in stones):
            return board
    mine, others = ([point for point, owner in stones if owner == side] for side in (OWN, OPPONENT))
    black, white = (mine, others) if own is Color.BLACK else (others, mine)
    return Board.from_stones(black, white, turn=turn)


def without_stone(board: Board, point: Point) -> Board:
    """The stones but one, whose owner is to move."""
    stones = board.stones
    if point not in stones:
        raise IllegalMoveError(f"there is no stone on {point}")
    owner = stones[point]
    black, white = ([p for p in board.points_of(color) if p != point] for color in Color)
    return Board.from_stones(black, white, turn=owner)


def stone_rows(board: Board) -> list[str]:
    """The rows of BOARD for the side to move, in the order of the moves; those of a set-up take turns."""
    played = [move for move in board.moves if move != PASS]
    colors = board.stones
    set_up = [point for point in colors if point not in set(played)]
    black, white = ([point for point in set_up if colors[point] == color] for color in Color)
    alternating = (point for point in chain(*zip_longest(black, white)) if point is not None)
    order = [*alternating, *played]
    if order and colors[order[0]] != Color.BLACK:
        raise PositionError("the protocol has no way to tell a position in which white moved first")
    return [f"{point_text(p)},{OWN if colors[p] == board.turn else OPPONENT}" for p in order]


def _own_is_black(owners: Sequence[int], in_order: bool) -> bool:
    lead = owners.count(OWN) - owners.count(OPPONENT)
    if not owners or (not in_order and lead in (0, -1)):
        return lead == 0
    return owners[0] == OWN


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")] if _NUMBERS.fullmatch(text.strip()) else []
