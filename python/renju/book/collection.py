"""The opening book: positions with their moves, the same for all eight rotations and reflections."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from renju import _native
from renju._files import write_bytes
from renju._types import Point
from renju.board import Board
from renju.book.entries import BookMove, Entry, entry_of, turned, turned_back
from renju.book.file import from_bytes, to_bytes
from renju.book.playing import pick
from renju.errors import FormatError
from renju.limits import whole

if TYPE_CHECKING:
    from renju.game import Game

__all__ = ["Book"]


class Book:
    """An opening book: what to play in known positions, and how often.

    It does not change once it is made, so threads may share it.

    >>> import renju
    >>> from renju.book import Book, BookMove
    >>> board = renju.Board("h8 i9 j7")
    >>> mine = Book([(board, [BookMove(renju.Point("i8"), weight=3), BookMove(renju.Point("g8"), weight=1)])])
    >>> [(str(move.move), move.weight) for move in mine.moves(board.transform(1))]
    [('H9', 3), ('H7', 1)]
    >>> len(mine), board in mine, renju.Board() in mine
    (1, True, False)
    """

    def __init__(
        self,
        positions: Iterable[tuple[Board, Iterable[BookMove]]] = (),
        info: Mapping[str, Any] | None = None,
    ) -> None:
        """From boards with their moves, in any orientation. `info` is kept in the file, as JSON has it."""
        self._entries: dict[int, Entry] = {}
        for board, moves in positions:
            key, entry = entry_of(board, moves)
            if key in self._entries:
                raise ValueError(f"{board!r} is given twice, as it is or turned")
            self._entries[key] = entry
        self.info: dict[str, Any] = dict(info or {})
        """Where the book comes from."""

    @classmethod
    def _of(cls, entries: dict[int, Entry], info: Mapping[str, Any]) -> Book:
        book = cls(info=info)
        book._entries = entries
        return book

    def moves(self, board: Board) -> tuple[BookMove, ...]:
        """The moves of a position, on the board as it is given: what is played most often first. Empty if the
        position is not in the book.

        `FormatError` if a move is not legal: then the file was not made from positions.
        """
        if not isinstance(board, Board):
            raise TypeError(f"board is a renju.Board, not {type(board).__name__}")
        key, k = board._position.symmetric_key()
        entry = self._entries.get(key)
        if entry is None or entry.stones != len(board):
            return ()
        moves = turned(entry.moves, turned_back(k))
        bad = next((move.move for move in moves if not board.is_legal(move.move)), None)
        if bad is not None and board.outcome is None:
            raise FormatError(f"the book has {bad} in position {key:#018x}, where it is not legal")
        return moves

    def choose(self, board: Board, seed: int = 0) -> BookMove | None:
        """A move to play on `board`, by weight: the same for a position, in any orientation, and a seed. None
        if the position is not in the book, or no move has a weight."""
        moves = self.moves(board)
        weights = [move.weight for move in moves]
        if not any(weights):
            return None
        return moves[pick(weights, whole("seed", seed), board.symmetric_key)]

    def line(self, board: Board) -> tuple[Point, ...]:
        """How the book goes on from the position of `board`: the best of the moves that are played, for both
        sides."""
        if not isinstance(board, Board):
            raise TypeError(f"board is a renju.Board, not {type(board).__name__}")
        board, line = board.copy(), []
        while board.outcome is None and (played := [move for move in self.moves(board) if move.weight]):
            best = max(played, key=lambda move: -_native.WIN if move.score is None else move.score)
            line.append(best.move)
            board.push(best.move)
        return tuple(line)

    def __contains__(self, board: object) -> bool:
        if not isinstance(board, Board):
            return False
        entry = self._entries.get(board.symmetric_key)
        return entry is not None and entry.stones == len(board)

    def __len__(self) -> int:
        """The number of positions; images of each other are one."""
        return len(self._entries)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[int]:
        """The symmetric keys of the positions, in order."""
        return iter(sorted(self._entries))

    def __eq__(self, other: object) -> bool:
        """The same positions with the same moves."""
        return self._entries == other._entries if isinstance(other, Book) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # it would take long, and nobody needs it

    def __repr__(self) -> str:
        return f"<Book: {len(self):,} position{'' if len(self) == 1 else 's'}>"

    def to_bytes(self) -> bytes:
        """The file of the book; the same book gives the same bytes."""
        return to_bytes(self._entries, self.info)

    @classmethod
    def from_bytes(cls, data: bytes) -> Book:
        """The book of `data`, the bytes of a file; `FormatError` tells where they are wrong."""
        return cls._of(*from_bytes(data))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the book to the file at `path`, in one step."""
        write_bytes(Path(path), self.to_bytes())

    def to_game(self, starts: Iterable[Board | str] | None = None) -> Game:
        """The book as a game with variations, best move first, with weights and scores as comments, such as
        `renju.io.lib` writes. It begins at `starts`, or at the empty board and the 26 openings. A position
        that comes again is not written a second time."""
        from renju.book.tree import to_game

        return to_game(self, starts)
