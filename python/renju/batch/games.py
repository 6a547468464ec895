"""Boards from move records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju.batch.arrays import BOARD_SHAPE, Boards, thread_count
from renju.errors import Interrupted, NotationError
from renju.limits import shown, whole

__all__ = ["Expanded", "expand", "expand_moves", "parse"]

# More plies than a game can have, with passes.
_MOST_PLIES = 2**16 - 1


def parse(
    records: Iterable[str], referee: bool = True, threads: int = 0
) -> tuple[Boards, npt.NDArray[np.int8]]:
    """The boards after the moves of each record, and whose turn it is there (1 or 2).

    `records` is a list, or a column of numpy, pandas, polars or pyarrow. The first record that cannot be read
    or played is an error that names its index. ``referee=False`` accepts moves after a foul or a five.
    `threads` is the number of threads, 0 for one per core.

    >>> from renju import batch
    >>> batch.parse(["h8i9", "h8h8"])
    Traceback (most recent call last):
        ...
    renju.errors.IllegalMoveError: records[1]: move 2 (H8): H8 is occupied by black
    """
    texts = _texts(records)
    boards = np.zeros((len(texts), *BOARD_SHAPE), np.int8)
    turns = np.zeros(len(texts), np.int8)
    done = _native.parse(texts, referee, boards, turns, thread_count(threads))
    if done is not None:
        raise Interrupted("interrupted while parsing", (boards, turns), done)
    return boards, turns


@dataclass(frozen=True)
class Expanded:
    """The positions of many games, one after the other; arrays up to `results` have one entry for each."""

    boards: Boards
    """The stones of each position, as all array functions take them."""
    turns: npt.NDArray[np.int8]
    """Who moves, 1 or 2."""
    games: npt.NDArray[np.int64]
    """The index of the record."""
    plies: npt.NDArray[np.uint16]
    """Moves of the game that were made before."""
    played: npt.NDArray[np.int16]
    """The move made there, 225 for a pass, -1 at the end of the record."""
    outcomes: npt.NDArray[np.int8]
    """0 while the game goes on; 1 or 2: black or white has won; 3: draw."""
    results: npt.NDArray[np.int8]
    """The same at the end of the record: what became of the game."""
    moves: npt.NDArray[np.uint8]
    """The moves of all records, one after the other; 225 is a pass."""
    ends: npt.NDArray[np.int64]
    """For each record, where its moves end in `moves`."""
    errors: dict[int, Exception]
    """What is wrong with the records that cannot be read or played, by index. They have no positions here."""


def expand(
    records: Iterable[str],
    referee: bool = True,
    plies: tuple[int, int | None] = (0, None),
    only_last: bool = False,
    threads: int = 0,
) -> Expanded:
    """All positions of games, from the empty board to the last move.

    `records`, `referee` and `threads` are as for `parse`; bad records are collected. `plies` is the first and
    the last number of moves to keep, `only_last` keeps the end of each record alone.

    >>> from renju import batch
    >>> positions = batch.expand(["h8i9g7", "h8h8", "h8"])
    >>> positions.games.tolist(), positions.plies.tolist()
    ([0, 0, 0, 0, 2, 2], [0, 1, 2, 3, 0, 1])
    >>> positions.errors
    {1: IllegalMoveError('move 2 (H8): H8 is occupied by black')}
    """
    try:
        start, end = plies
    except (TypeError, ValueError):
        raise TypeError(f"plies is the first and the last of a range, not {shown(plies)}") from None
    first, last = whole("plies[0]", start), _MOST_PLIES if end is None else whole("plies[1]", end)
    if not 0 <= first <= last:
        raise ValueError(f"plies is the first and the last of a range, not {shown(plies)}")
    first, last = min(first, _MOST_PLIES + 1), min(last, _MOST_PLIES)
    return expand_moves(_texts(records), referee, (first, last), only_last, thread_count(threads))


def expand_moves(
    records: Sequence[str | bytes],
    referee: bool,
    plies: tuple[int, int | None],
    only_last: bool,
    threads: int,
) -> Expanded:
    """`expand` for what was checked before; bytes are the numbers of moves, 225 for a pass."""
    first, last = plies[0], _MOST_PLIES if plies[1] is None else plies[1]
    try:
        arrays, errors = _native.expand(records, referee, first, last, only_last, threads)
    except KeyboardInterrupt:
        raise Interrupted("interrupted while games were played out") from None
    return Expanded(*arrays, errors=dict(errors))


def _texts(records: Iterable[str]) -> list[str]:
    if isinstance(records, str):
        raise TypeError("records is a list of move strings, not one string")
    for method in ("to_pylist", "tolist", "to_list"):  # pyarrow, numpy and pandas, polars
        if hasattr(records, method):
            texts: list[Any] = getattr(records, method)()
            break
    else:
        texts = list(records)
    for n, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"records[{n}] is {type(text).__name__}, not a move string")
        if not text.isascii():
            _check_unicode(text, n)
    return texts


def _check_unicode(text: str, n: int) -> None:
    """Half a surrogate pair is a character to Python but to nobody else."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise NotationError(f"records[{n}]: {error}") from None
