"""What is played without thinking: the first three moves of a game, then the book."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

from renju import openings
from renju._types import Color, Point

if TYPE_CHECKING:
    from renju.board import Board
    from renju.book.collection import Book
    from renju.proofs.store import ProofStore

__all__ = ["Known", "known_move", "pick"]

# Black, who has the third move, keeps away from what is known to be lost, but does not leave it out.
_SOUND_WEIGHT, _LOST_WEIGHT = 16, 1
_LOST = "0-1"


@dataclass(frozen=True)
class Known:
    """A move that needs no search."""

    move: Point
    """The point of the move that is played."""
    score: int
    """Score of the move in points for the side to move; 0 in an opening or if the book has none."""
    source: str
    """Where the move comes from: "opening" or "book"."""
    lines: tuple[tuple[int, tuple[Point, ...]], ...]
    """Score and line of this move and of those that might have been played, best first."""


def known_move(board: Board, seed: int, book: Book | ProofStore | None = None) -> Known | None:
    """The move of a position that is known, by opening, book or proof; the shipped book if none is given."""
    from renju.book.collection import Book

    move = _opening_move(board, seed)
    if move is not None:
        return Known(move, 0, "opening", ((0, (move,)),))
    if book is None:
        from renju.book import load

        book = load()
    elif not isinstance(book, Book):
        move = book.move(board)
        return None if move is None else Known(move, 0, "book", ((0, (move,)),))
    chosen = book.choose(board, seed)
    if chosen is None:
        return None
    lines = []
    for found in book.moves(board):
        if found.weight:
            after = board.copy()
            after.push(found.move)
            lines.append((found.score or 0, (found.move, *book.line(after))))
    lines.sort(key=lambda line: -line[0])
    return Known(chosen.move, chosen.score or 0, "book", tuple(lines))


def pick(weights: Sequence[int], seed: int, key: int) -> int:
    """The number of one of the weights, by chance: the same for a seed and the key of a position."""
    ticket = int.from_bytes(blake2b(f"{seed} {key}".encode(), digest_size=8).digest()) % sum(weights)
    for number, weight in enumerate(weights):
        ticket -= weight
        if ticket < 0:
            return number
    raise AssertionError("a ticket is below the sum of the weights")


def _opening_move(board: Board, seed: int) -> Point | None:
    """One of the first three moves of a game, so that it becomes one of the 26 openings."""
    moves = board.moves
    if len(moves) > 2 or len(board) != len(moves) or (board.turn is Color.BLACK) != (len(moves) != 1):
        return None
    wanted: list[tuple[Point, int]] = []
    for opening in openings.OPENINGS:
        weight = _LOST_WEIGHT if opening.evaluation == _LOST else _SOUND_WEIGHT
        for k in range(8):
            image = tuple(move.transform(k) for move in opening.moves)
            if image[: len(moves)] == moves:
                wanted.append((image[len(moves)], weight))
    if not wanted:
        return None
    return wanted[pick([weight for _, weight in wanted], seed, board.key)][0]
