"""What a book holds of a position: its moves, in the orientation that all eight images share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from renju import _native
from renju._types import BOARD_SIZE, Point
from renju.board import Board
from renju.errors import IllegalMoveError
from renju.limits import between

__all__ = [
    "MOST_COUNT",
    "MOST_DEPTH",
    "MOST_WEIGHT",
    "BookMove",
    "Entry",
    "entry_of",
    "ranked",
    "representative",
    "turned",
    "turned_back",
]

# What the fields of the file can hold.
MOST_WEIGHT = 2**16 - 1
MOST_DEPTH = 2**16 - 1
MOST_COUNT = 2**32 - 1

_QUARTERS = 4


@dataclass(frozen=True, slots=True)
class BookMove:
    """A move of a book."""

    move: Point
    """The point where the stone goes."""
    weight: int
    """How often the move is played, compared with the other moves of the position; never if 0."""
    score: int | None = None
    """Score in points for the side to move, of the best line if both sides play on as the book has it. None
    if nobody searched."""
    depth: int = 0
    """Plies that were looked ahead, in the book and in the search at the end of its line."""
    nodes: int = 0
    """Positions looked at by the search that the score comes from."""
    games: int = 0
    """Games in which the move was played, if the book was made from games."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A position of a book."""

    stones: int
    """Stones on the board, which tell the position from another one with the same key."""
    moves: tuple[BookMove, ...]
    """The moves on the canonical board: what is played most often first, then the best first."""


def entry_of(board: Board, moves: Iterable[BookMove]) -> tuple[int, Entry]:
    """Key and entry of a position; an error if a move cannot be one of a book. Of moves that a symmetry of
    the position maps to each other, one is kept: the best."""
    key, k = board._position.symmetric_key()
    canonical = board.transform(k)
    found: dict[int, BookMove] = {}
    for move in sorted(map(_checked, moves), key=_rank):
        if not board.is_legal(move.move):
            raise IllegalMoveError(f"{move.move} is not legal after {_name(board)}")
        point = representative(canonical, _native.transform_point(move.move, k))
        found.setdefault(point, replace(move, move=Point(point)))
    if not found:
        raise ValueError(f"a position of a book has at least one move, and {_name(board)} has none")
    return key, Entry(len(board), ranked(found.values()))


def ranked(moves: Iterable[BookMove]) -> tuple[BookMove, ...]:
    """The moves in the order of a book."""
    return tuple(sorted(moves, key=_rank))


def turned(moves: Iterable[BookMove], k: int) -> tuple[BookMove, ...]:
    """The moves on the board that the symmetry gives."""
    return tuple(replace(move, move=move.move.transform(k)) for move in moves)


def turned_back(k: int) -> int:
    """The symmetry that undoes another: a reflection undoes itself, a turn is made the other way."""
    return k if k >= _QUARTERS else -k % _QUARTERS


def representative(canonical: Board, point: int) -> int:
    """The first of the points that the symmetries of a position map to each other."""
    position = canonical._position
    kept = (k for k in range(2 * _QUARTERS) if position.transformed(k) == position)
    return min(_native.transform_point(point, k) for k in kept)


def _rank(move: BookMove) -> tuple[int, int, int]:
    score = -_native.WIN if move.score is None else move.score
    return -move.weight, -score, int(move.move)


def _checked(move: BookMove) -> BookMove:
    if not isinstance(move, BookMove):
        raise TypeError(f"moves are renju.book.BookMove, not {type(move).__name__}")
    between("weight", move.weight, 0, MOST_WEIGHT)
    between("depth", move.depth, 0, MOST_DEPTH)
    between("nodes", move.nodes, 0, MOST_COUNT)
    between("games", move.games, 0, MOST_COUNT)
    if move.score is not None:
        between("score", move.score, -_native.WIN, _native.WIN)
    return replace(move, move=Point(move.move))


def _name(board: Board) -> str:
    """A position in an error."""
    moves = " ".join(map(str, board.moves)) or "no move"
    return moves if len(board.moves) < BOARD_SIZE else f"{len(board.moves)} moves"
