"""Quick questions about boards."""

from __future__ import annotations

from os import PathLike
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._network import network_bytes
from renju._types import Color
from renju.batch.arrays import BOARD_SHAPE, Boards, Codes, as_boards, call, thread_count, turns_of
from renju.errors import Interrupted

__all__ = [
    "FORBIDDEN_DTYPE",
    "canonical",
    "canonical_with_keys",
    "evaluate",
    "forbidden",
    "inverse",
    "keys",
    "threat_map",
    "transform",
    "transform_points",
    "winners",
]


FORBIDDEN_DTYPE = np.dtype(list(_native.FORBIDDEN_LAYOUT))
"""A row of a sparse `forbidden`: board (the index of the board), point (its index, y*15+x), kind (a
`renju.Forbidden`: 1 double-three, 2 double-four, 3 overline)."""


@overload
def forbidden(
    boards: npt.ArrayLike, threads: int = 0, out: Codes | None = None, *, sparse: Literal[False] = False
) -> Codes: ...


@overload
def forbidden(
    boards: npt.ArrayLike, threads: int = 0, out: None = None, *, sparse: Literal[True]
) -> npt.NDArray[np.void]: ...


def forbidden(
    boards: npt.ArrayLike, threads: int = 0, out: Codes | None = None, *, sparse: bool = False
) -> Codes | npt.NDArray[np.void]:
    """The `renju.Forbidden` code of every cell, for black; 0 on stones and allowed points.

    Each board is judged by its stones alone, also where the game is over or the counts are impossible. (A
    `renju.Board` on which black has five reports no forbidden points, because nobody plays there any more.)

    `threads` is the number of threads, 0 for one per core; `out` is an array to fill in place of a new one.
    With `sparse` the result is a `FORBIDDEN_DTYPE` array instead: a row for each forbidden point, board by
    board and there by the index of the point. That is quicker on many boards, which have few such points.

    >>> from renju import Board, batch
    >>> board = Board.from_stones("f8 g8 h9 h10", "", turn=1)
    >>> codes = batch.forbidden(board.to_array())
    >>> int(codes[7, 7]), int(codes.sum())
    (1, 1)
    >>> batch.forbidden(board.to_array(), sparse=True).tolist()
    [(0, 112, 1)]
    """
    if sparse:
        if out is not None:
            raise ValueError("out is for codes of all cells, not for sparse rows")
        raw, done = _native.forbidden_rows(as_boards(boards), thread_count(threads))
        rows = raw.view(FORBIDDEN_DTYPE)
        if done is not None:
            raise Interrupted("interrupted", rows, done)
        return rows
    return call(
        lambda cells, rows: _native.forbidden(cells, rows, thread_count(threads)),
        boards,
        BOARD_SHAPE,
        np.uint8,
        out,
    )


def winners(
    boards: npt.ArrayLike, threads: int = 0, out: npt.NDArray[np.int8] | None = None
) -> npt.NDArray[np.int8]:
    """1 for each of `boards` where black has exactly five in a row, 2 where white has five or more, else 0.

    Boards on which both have, which no game reaches, count for black.

    `threads` is the number of threads, 0 for one per core; `out` is an array to fill in place of a new one.
    """
    return call(
        lambda cells, rows: _native.winners(cells, rows, thread_count(threads)), boards, (), np.int8, out
    )


def threat_map(
    boards: npt.ArrayLike, color: Color | int, threads: int = 0, out: Codes | None = None
) -> Codes:
    """The `renju.Threat` code of every empty cell of `boards`: the best that a stone of `color` makes there.

    `threads` is the number of threads, 0 for one per core; `out` is an array to fill in place of a new one.

    >>> from renju import Board, Threat, batch
    >>> codes = batch.threat_map(Board.from_stones("f8 g8 h8", "a1 a2").to_array(), color=1)
    >>> Threat(codes[7, 8])
    <Threat.OPEN_FOUR: 9>
    """
    if color not in (Color.BLACK, Color.WHITE):
        raise ValueError(f"color is BLACK (1) or WHITE (2), not {color!r}")
    return call(
        lambda cells, rows: _native.threat_map(cells, int(color), rows, thread_count(threads)),
        boards,
        BOARD_SHAPE,
        np.uint8,
        out,
    )


def evaluate(
    boards: npt.ArrayLike,
    turns: npt.ArrayLike | None = None,
    *,
    policy: bool = False,
    network: str | PathLike[str] | None = None,
    threads: int = 0,
    out: npt.NDArray[np.float32] | None = None,
) -> npt.NDArray[np.float32] | tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """How likely the side to move on each of the `boards` wins, draws and loses, by the network alone,
    without a search: (N, 3).

    With `policy` also how likely the best move is at each point, (N, 15, 15): 0 on stones and where black may
    not play. The network answers what it is asked at the leaves of a search: where a five or a straight four
    is at hand, and in a win by fours, a search or a solver knows better.

    `turns` holds 1 or 2 for each board, or is one of them for all. Without it the side to move is told by
    the stones, and a board that does not tell is an error. `network` is the path of a network's file in place
    of the one that comes with the package. `threads` is the number of threads, 0 for one per core; `out` is
    an array for the chances in place of a new one.

    >>> from renju import Board, batch
    >>> chances, moves = batch.evaluate(Board("h8h9").to_array(), policy=True)
    >>> chances.shape, moves.shape, round(float(chances.sum()), 3), round(float(moves.sum()), 3)
    ((3,), (15, 15), 1.0, 1.0)
    """
    weights = network_bytes(network)
    cells = as_boards(boards)
    likely = np.empty((len(cells), *BOARD_SHAPE), np.float32) if policy else None

    def work(cells: Boards, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_] | None:
        sides = turns_of(turns, len(cells))
        return _native.evaluate(cells, sides, weights, rows, likely, thread_count(threads))

    chances = call(work, boards, (3,), np.float32, out)
    if likely is None:
        return chances
    return chances, likely[0] if np.ndim(boards) == 2 else likely


def keys(
    boards: npt.ArrayLike,
    turns: npt.ArrayLike | None = None,
    symmetric: bool = False,
    threads: int = 0,
    out: npt.NDArray[np.uint64] | None = None,
) -> npt.NDArray[np.uint64]:
    """The 64-bit key of each of the `boards`: `Board.key`, or `Board.symmetric_key` if `symmetric`.

    `turns` holds 1 or 2 for each board, or is one of them for all. Without it the side with fewer stones is
    to move, black if they are equal.

    `threads` is the number of threads, 0 for one per core; `out` is an array to fill in place of a new one.
    """

    def work(cells: Boards, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_] | None:
        return _native.keys(cells, turns_of(turns, len(cells)), symmetric, rows, thread_count(threads))

    return call(work, boards, (), np.uint64, out)


def canonical(
    boards: npt.ArrayLike, turns: npt.ArrayLike | None = None, threads: int = 0
) -> tuple[Boards, Codes]:
    """`Board.canonical` of every board, and the number of the symmetry that leads there.

    Boards that are images of each other have the same one. `turns` and `threads` are as for `keys`.

    >>> from renju import batch
    >>> boards, turns = batch.parse(["h8i9", "h8g9"])
    >>> images, symmetries = batch.canonical(boards, turns)
    >>> (images[0] == images[1]).all() and (images[0] == batch.transform(boards[0], symmetries[0])).all()
    np.True_
    """
    images, symmetries, _ = canonical_with_keys(as_boards(boards), turns, threads)
    return (images[0], symmetries[0]) if np.ndim(boards) == 2 else (images, symmetries)


def canonical_with_keys(
    cells: Boards, turns: npt.ArrayLike | None, threads: int
) -> tuple[Boards, Codes, npt.NDArray[np.uint64]]:
    """`canonical`, and the key of each image, which is the `Board.symmetric_key` of its board."""
    images = np.empty_like(cells)
    symmetries, keys = np.empty(len(cells), np.uint8), np.empty(len(cells), np.uint64)
    sides = turns_of(turns, len(cells))
    done = _native.canonical(cells, sides, images, symmetries, keys, thread_count(threads))
    if done is not None:
        raise Interrupted("interrupted", (images, symmetries), done)
    return images, symmetries, keys


def transform(array: npt.ArrayLike, k: int) -> npt.NDArray[Any]:
    """Symmetry `k` (0 to 7) of an `array` whose last two axes are rows and columns; see `Board.transform`.

    >>> from renju import Board, batch
    >>> board = Board("h8i9g7")
    >>> all((batch.transform(board.to_array(), k) == board.transform(k).to_array()).all() for k in range(8))
    True
    """
    if k not in range(8):
        raise ValueError(f"a symmetry is a number 0..7, not {k!r}")
    cells = np.asarray(array)
    if cells.shape[-2:] != BOARD_SHAPE:
        raise ValueError(f"the array has shape {cells.shape}, (..., 15, 15) is needed")
    if k >= 4:
        cells = np.flip(cells, -1)
    # Rows count from the bottom, so that a turn to the left is one to the right for numpy.
    return np.ascontiguousarray(np.rot90(cells, -(int(k) % 4), (-2, -1)))


def transform_points(points: npt.ArrayLike, k: npt.ArrayLike) -> npt.NDArray[Any]:
    """Where points go under symmetry `k`, which may be one number or one for each; all that is no point
    (-1, 225, 255) stays as it is.

    >>> from renju import Point, batch
    >>> batch.transform_points([Point("A1"), Point("H8"), -1], 1).tolist() == [Point("O1"), Point("H8"), -1]
    True
    """
    places = np.asarray(points)
    if places.dtype.kind not in "iu" and places.size:
        raise TypeError(f"points has dtype {places.dtype}, an integer array is needed")
    is_point = (places >= 0) & (places < _native.PASS)
    images = _IMAGES[_symmetries(k), np.where(is_point, places, 0).astype(np.intp)]
    # Points do not fit into int8.
    return np.where(is_point, images, places).astype(np.result_type(places.dtype, np.uint8))


def inverse(k: npt.ArrayLike) -> npt.NDArray[np.uint8]:
    """The symmetry that takes symmetry `k` back; one number or many.

    >>> from renju import batch
    >>> batch.inverse(range(8)).tolist()
    [0, 3, 2, 1, 4, 5, 6, 7]
    """
    numbers = _symmetries(k)
    return np.where(numbers < 4, (4 - numbers) % 4, numbers).astype(np.uint8)


def _symmetries(k: npt.ArrayLike) -> npt.NDArray[np.intp]:
    numbers = np.asarray(k)
    if numbers.size and (numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() > 7):
        raise ValueError(f"a symmetry is a number 0..7, not {k!r}")
    return numbers.astype(np.intp)


# Key: symmetry, point; value: its image.
_IMAGES = np.array([[_native.transform_point(i, k) for i in range(_native.PASS)] for k in range(8)], np.uint8)
