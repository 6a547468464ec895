"""Arrays as the native loops take them, and what is wrong with others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._types import BOARD_SIZE, Color
from renju.errors import Interrupted, PositionError
from renju.limits import whole

__all__ = [
    "BOARD_SHAPE",
    "Boards",
    "Codes",
    "as_boards",
    "bad_cells",
    "call",
    "check_rows",
    "thread_count",
    "turns_of",
    "what_is_bad",
]

Boards = npt.NDArray[np.int8]
Codes = npt.NDArray[np.uint8]

BOARD_SHAPE = (BOARD_SIZE, BOARD_SIZE)
_MOST_THREADS = 2**16


def as_boards(boards: npt.ArrayLike, name: str = "boards") -> Boards:
    """`boards` as a C-contiguous int8 array (N, 15, 15): the same memory if it is one already."""
    if np.ma.is_masked(boards):
        raise TypeError(f"{name} has masked cells; fill them first")
    array = np.asarray(boards)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}, an integer array (int8) is needed")
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or array.shape[1:] != BOARD_SHAPE:
        raise ValueError(f"{name} has shape {np.shape(boards)}, (N, 15, 15) or (15, 15) is needed")
    if array.dtype != np.int8:
        # Before the cast, which could turn 257 into 1.
        for n in np.flatnonzero(bad_cells(array).any(axis=(1, 2)))[:1].tolist():
            raise PositionError(f"{name}[{n}]: {what_is_bad(array[n])}")
        array = array.astype(np.int8)
    return np.ascontiguousarray(array)


def bad_cells(array: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Which cells hold none of the codes 0, 1, 2 and -1."""
    low = -1 if array.dtype.kind == "i" else 0
    return (array < low) | (array > Color.WHITE)


def what_is_bad(board: npt.NDArray[Any]) -> str:
    """The first cell of a board with a code that is none, for people."""
    cell = int(np.argmax(bad_cells(board)))
    return _native.bad_cell(cell, int(board.flat[cell]))


def thread_count(threads: int) -> int:
    """A number of threads that makes sense."""
    count = whole("threads", threads)
    if not 0 <= count <= _MOST_THREADS:
        raise ValueError(f"threads is 0 (one per core) or a number up to {_MOST_THREADS}, not {threads}")
    return count


def turns_of(turns: npt.ArrayLike | None, count: int) -> npt.NDArray[np.int8]:
    """Whose turn it is on each of `count` boards: 1, 2, or 0 where the stones shall tell."""
    if turns is None:
        return np.zeros(count, np.int8)
    array = np.asarray(turns)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"turns has dtype {array.dtype}, an integer array is needed")
    if array.ndim == 0:
        array = np.full(count, array)
    if array.shape != (count,):
        raise ValueError(f"turns has shape {array.shape}, ({count},) is needed")
    bad = (array != Color.BLACK) & (array != Color.WHITE)
    if bad.any():
        n = int(np.argmax(bad))
        raise ValueError(f"turns[{n}] is {array[n]}, not 1 (black) or 2 (white)")
    return np.ascontiguousarray(array, np.int8)


def call(
    work: Callable[[Boards, npt.NDArray[Any]], npt.NDArray[np.bool_] | None],
    boards: npt.ArrayLike,
    cell_shape: tuple[int, ...],
    dtype: npt.DTypeLike,
    out: Any,
) -> npt.NDArray[Any]:
    """Calls `work` with the boards and the rows to fill; returns `out`, or a new array."""
    cells = as_boards(boards)
    shape = cell_shape if np.ndim(boards) == 2 else (len(cells), *cell_shape)
    if out is not None:
        _check_out(out, shape, np.dtype(dtype), cells)
    result: npt.NDArray[Any] = np.empty(shape, dtype) if out is None else out
    done = work(cells, result.reshape(len(cells), *cell_shape))
    if done is not None:
        raise Interrupted("interrupted", result, done)
    return result


def _check_out(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any], cells: Boards) -> None:
    if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != shape:
        found = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise ValueError(f"out is {found}, {dtype} {shape} is needed")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError("out must be C-contiguous and writeable")
    if np.may_share_memory(out, cells):
        raise ValueError("out overlaps the boards")


def check_rows(
    rows: npt.ArrayLike, name: str, dtype: np.dtype[np.void], dtype_name: str
) -> npt.NDArray[np.void]:
    """`rows` one after the other in memory; `TypeError` or `ValueError` if they are no rows (N,) of the
    `dtype`. Errors call the rows by `name` and the dtype by `dtype_name`."""
    array = np.asarray(rows)
    if array.dtype != dtype:
        raise TypeError(f"{name} have dtype {array.dtype}, {dtype_name} is needed")
    if array.ndim != 1:
        raise ValueError(f"{name} have shape {array.shape}, (N,) is needed")
    return np.ascontiguousarray(array)
