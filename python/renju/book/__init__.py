"""Opening books: what to play in known positions, learnt by the engine beforehand or from games.

The book that comes with the package holds the 26 openings, as far as the engine looked into them. It is used
by `Engine.best_move`, and nowhere else.

>>> import renju
>>> from renju import book
>>> board = renju.Board("h8 h9 i9")
>>> board in book.load()
True
>>> moves = book.load().moves(board)
>>> all(board.is_legal(move.move) for move in moves), sum(move.weight for move in moves) > 0
(True, True)

docs/book.md tells the rest.
"""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from renju.book.collection import Book
from renju.book.entries import BookMove
from renju.book.file import MOST_BYTES
from renju.errors import FormatError

if TYPE_CHECKING:
    from renju.book.building import build
    from renju.book.gathering import from_games, merge

__all__ = ["Book", "BookMove", "build", "from_games", "load", "merge"]

_SHIPPED = "data/openings.book"
_lock = Lock()
_shipped: Book | None = None

# Imported when first used: playing by a book needs neither numpy nor the searches.
_LAZY = {"build": "building", "from_games": "gathering", "merge": "gathering"}


def load(path: str | os.PathLike[str] | None = None) -> Book:
    """The book of the file at `path`, or the one that comes with the package, which is read once.

    `FormatError` tells what is wrong with a file, and where.
    """
    global _shipped
    if path is not None:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        try:
            return Book.from_bytes(data)
        except FormatError as error:
            raise FormatError(f"{os.fspath(path)}: {error}") from None
    with _lock:
        if _shipped is None:
            _shipped = Book.from_bytes(resources.files("renju").joinpath(_SHIPPED).read_bytes())
        return _shipped


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f"renju.book.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'renju.book' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
