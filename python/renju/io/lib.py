"""RenLib libraries (``.lib``): trees of variations with comments and texts on the board.

A library becomes one game with variations; writing merges games into one tree. The format has no headers,
no results and no set-ups, and the colours always take turns.

>>> from renju.game import Game
>>> from renju.io import lib
>>> games = [Game.from_moves("h8 i9 i7"), Game.from_moves("h8 i9 g7")]
>>> library = lib.loads(lib.dumps(games))[0]
>>> [str(child.move) for child in library.root.children[0].children[0].children]
['I7', 'G7']
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from renju import _files
from renju.errors import FormatError
from renju.game import Game
from renju.io._lib_read import read
from renju.io._lib_text import text_encoding
from renju.io._lib_write import write

__all__ = ["MOST_BYTES", "MOST_NODES", "dump", "dumps", "is_db", "load", "loads", "refuse_db"]

MOST_NODES = 2_000_000
"""Nodes that are read of a library unless more are asked for; they take about a gigabyte."""

MOST_BYTES = 1 << 28
"""The size of a file that is still read."""

_LZ4 = b"\x04\x22\x4d\x18"


def loads(data: bytes, encoding: str | None = None, *, max_nodes: int = MOST_NODES) -> list[Game]:
    """Reads `data`, the bytes of a library, into one game of at most `max_nodes` nodes.

    Texts on the board are labels of the node before the move they stand on; a marked move has an empty label
    on its own stone. The texts are decoded as UTF-8, else with the `encoding`, else with the code page that
    fits best.

    A damaged library is read up to the damage, and `Game.errors` says at which byte that is. If there is
    nothing to read, it is a `FormatError`.
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"a RenLib library is bytes, not {type(data).__name__}")
    if max_nodes < 1:
        raise ValueError(f"max_nodes is {max_nodes}: at least one node has to be read")
    if encoding is not None:
        encoding = text_encoding(encoding)
    data = bytes(data)
    _check_size(len(data))
    refuse_db(data)
    return [read(data, encoding, max_nodes)]


def load(
    path: str | os.PathLike[str], encoding: str | None = None, *, max_nodes: int = MOST_NODES
) -> list[Game]:
    """Reads a library from the file at `path`; `encoding` and `max_nodes` are as for `loads`."""
    with Path(path).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    return loads(data, encoding, max_nodes=max_nodes)


def dumps(games: Game | Iterable[Game], *, encoding: str = "utf-8") -> bytes:
    """The games as one library, where the same moves share nodes and their different comments are joined.

    `encoding` is that of the texts. Headers, results and colours are not in a library. `ValueError` where the
    moves alone would tell another game: with a set-up, or if a colour moves twice.
    """
    return write([games] if isinstance(games, Game) else games, text_encoding(encoding))


def dump(games: Game | Iterable[Game], path: str | os.PathLike[str], *, encoding: str = "utf-8") -> None:
    """Writes the games to the file at `path`, in one step; `encoding` is that of the texts."""
    _files.write_bytes(Path(path), dumps(games, encoding=encoding))


def is_db(data: bytes) -> bool:
    """Whether `data` are a position database of Yixin or Rapfi (``.db``), by their first record."""
    if data.startswith(_LZ4):
        return True
    if len(data) < 9:
        return False
    key_size = int.from_bytes(data[4:6], "little")
    rule, width, height = data[6:9]
    sized = width == height == 0 or (5 <= width <= 32 and 5 <= height <= 32)
    return key_size % 2 == 1 and 3 <= key_size <= 3 + 2 * 32 * 32 and rule <= 2 and sized


def refuse_db(data: bytes) -> None:
    """A `FormatError` that says what to do, if `data` are a position database."""
    if is_db(data):
        raise FormatError(
            "byte 0: a position database of Yixin or Rapfi (.db), which holds no games; "
            "export it to a .lib with the program that wrote it"
        )


def _check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise FormatError(f"byte {MOST_BYTES}: the library is larger than {MOST_BYTES >> 20} MB")
