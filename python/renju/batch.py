"""Many boards at once: arrays in, arrays out.

A batch is an int8 array of shape (N, 15, 15), ``a[n, y, x]`` with row 1 first: 0 empty, 1 black, 2 white (-1
is accepted for white). One board of shape (15, 15) is accepted too, and the result then has no leading axis.
C-contiguous int8 arrays are read where they are; other integer arrays are copied first.

The loop is native and runs without the GIL on a thread pool of its own; ``threads=0`` means one per core.
Inside Dask or multiprocessing workers pass ``threads=1``. The results do not depend on the number of threads.
Do not change an array in another thread while a call reads it. Ctrl-C raises `renju.Interrupted` with what
was finished.

>>> import numpy as np
>>> from renju import batch
>>> boards, turns = batch.parse(["h8i9g7", "h8h9"])
>>> boards.shape, turns.tolist()
((2, 15, 15), [2, 1])
>>> batch.winners(boards).tolist()
[0, 0]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._types import BOARD_SIZE, Color, Point
from renju.errors import Interrupted, NotationError, PositionError
from renju.limits import Limit, check_depth, check_kind, check_limit, check_seconds

__all__ = ["SOLVE_DTYPE", "forbidden", "keys", "parse", "solve", "threat_map", "winners"]

Boards = npt.NDArray[np.int8]
Codes = npt.NDArray[np.uint8]

SOLVE_DTYPE = np.dtype(
    [
        ("status", "<i1"),  # 1 proved, 0 refuted, -1 unknown
        ("first", "<i2"),  # the winning move, -1 if there is none
        ("length", "<u2"),  # plies of the whole line
        ("nodes", "<u8"),
        ("time_us", "<u4"),
        ("line", "u1", 64),  # stones and replies; cut off if longer, 255 after the last
    ]
)
assert SOLVE_DTYPE.itemsize == _native.SOLVE_BYTES

Progress = Callable[[int, int], object]

_SHAPE = (BOARD_SIZE, BOARD_SIZE)
_MOST_THREADS = 2**16


def forbidden(boards: npt.ArrayLike, threads: int = 0, out: Codes | None = None) -> Codes:
    """The `renju.Forbidden` code of every cell, for black; 0 on stones and allowed points.

    Each board is judged by its stones alone, also where the game is over or the counts are impossible. (A
    `renju.Board` on which black has five reports no forbidden points, because nobody plays there any more.)

    >>> from renju import Board, batch
    >>> board = Board.from_stones("f8 g8 h9 h10", "", turn=1)
    >>> codes = batch.forbidden(board.to_array())
    >>> int(codes[7, 7]), int(codes.sum())
    (1, 1)
    """
    return _call(
        lambda cells, rows: _native.forbidden(cells, rows, _threads(threads)), boards, _SHAPE, np.uint8, out
    )


def winners(
    boards: npt.ArrayLike, threads: int = 0, out: npt.NDArray[np.int8] | None = None
) -> npt.NDArray[np.int8]:
    """1 where black has exactly five in a row, 2 where white has five or more, else 0.

    Boards on which both have, which no game reaches, count for black.
    """
    return _call(
        lambda cells, rows: _native.winners(cells, rows, _threads(threads)), boards, (), np.int8, out
    )


def threat_map(
    boards: npt.ArrayLike, color: Color | int, threads: int = 0, out: Codes | None = None
) -> Codes:
    """The `renju.Threat` code of every empty cell: the best that a stone of `color` makes there.

    >>> from renju import Board, Threat, batch
    >>> codes = batch.threat_map(Board.from_stones("f8 g8 h8", "a1 a2").to_array(), color=1)
    >>> Threat(codes[7, 8])
    <Threat.OPEN_FOUR: 9>
    """
    if color not in (Color.BLACK, Color.WHITE):
        raise ValueError(f"color is BLACK (1) or WHITE (2), not {color!r}")
    return _call(
        lambda cells, rows: _native.threat_map(cells, int(color), rows, _threads(threads)),
        boards,
        _SHAPE,
        np.uint8,
        out,
    )


def keys(
    boards: npt.ArrayLike,
    turns: npt.ArrayLike | None = None,
    symmetric: bool = False,
    threads: int = 0,
    out: npt.NDArray[np.uint64] | None = None,
) -> npt.NDArray[np.uint64]:
    """The 64-bit key of every board: `Board.key`, or `Board.symmetric_key` if `symmetric`.

    `turns` holds 1 or 2 for each board, or is one of them for all. Without it the side with fewer stones is
    to move, black if they are equal.
    """

    def work(cells: Boards, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_] | None:
        return _native.keys(cells, _turns(turns, len(cells)), symmetric, rows, _threads(threads))

    return _call(work, boards, (), np.uint64, out)


def solve(
    boards: npt.ArrayLike,
    turns: npt.ArrayLike | None = None,
    kind: str = "vcf",
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
    threads: int = 0,
    progress: bool | Progress | None = None,
    deadline: float | None = None,
) -> npt.NDArray[np.void]:
    """Looks for a forced win of the side to move on every board; a `SOLVE_DTYPE` array.

    `turns` is as for `keys`, but boards whose counts do not tell the turn are an error without it. `limit`
    and `max_depth` hold for each position, `deadline` (seconds) for all: positions not reached stay unknown.
    `progress` is True for a bar, or called with (done, total). The clock is looked at every 20 ms, so that a
    few quick boards are solved whatever the deadline. On boards with five or more in a row there is no win.
    Each thread takes up to 300 MB for hard VCTs, and a few otherwise.
    `kind` and `threat_limit` are those of `solve_vcf`, `solve_mise_vcf` and `solve_vct`.

    >>> from renju import batch
    >>> boards, turns = batch.parse(["h8a1i8a3j8a5", "h8i9"])
    >>> result = batch.solve(boards, turns)
    >>> result["status"].tolist(), result["first"].tolist()
    ([1, 0], [111, -1])
    """
    threat_limit = check_kind(kind, threat_limit)
    if deadline is not None:
        check_seconds("deadline", deadline)
    limit = check_limit(limit)
    depth = check_depth(max_depth)

    def work(cells: Boards, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_] | None:
        sides = _turns(turns, len(cells))
        # A packed row is its bytes; a view of no rows would have none to view.
        raw = rows.view(np.uint8).reshape(len(rows), SOLVE_DTYPE.itemsize)
        with _reporting(progress, len(cells)) as report:
            return _native.solve(
                cells,
                sides,
                kind,
                threat_limit,
                depth,
                limit.nodes,
                limit.time,
                deadline,
                report,
                raw,
                _threads(threads),
            )

    return _call(work, boards, (), SOLVE_DTYPE, None)


@contextmanager
def _reporting(progress: bool | Progress | None, total: int) -> Iterator[Callable[[int], object] | None]:
    """What the native loop calls with the number of positions finished, now and then and at the end."""
    if callable(progress):
        yield lambda done: progress(done, total)
    elif not progress:
        yield None
    else:
        from tqdm import tqdm

        with tqdm(total=total, unit=" positions") as bar:
            yield lambda done: bar.update(done - bar.n)


def parse(
    records: Iterable[str], referee: bool = True, threads: int = 0
) -> tuple[Boards, npt.NDArray[np.int8]]:
    """The boards after the moves of each record, and whose turn it is there (1 or 2).

    `records` is a list, or a column of numpy, pandas, polars or pyarrow. The first record that cannot be read
    or played is an error that names its index. ``referee=False`` accepts moves after a foul or a five.

    >>> from renju import batch
    >>> batch.parse(["h8i9", "h8h8"])
    Traceback (most recent call last):
        ...
    renju.errors.IllegalMoveError: records[1]: move 2 (H8): H8 is occupied by black
    """
    texts = _texts(records)
    boards = np.zeros((len(texts), *_SHAPE), np.int8)
    turns = np.zeros(len(texts), np.int8)
    done = _native.parse(texts, referee, boards, turns, _threads(threads))
    if done is not None:
        raise Interrupted("interrupted while parsing", (boards, turns), done)
    return boards, turns


def as_boards(boards: npt.ArrayLike, name: str = "boards") -> Boards:
    """`boards` as a C-contiguous int8 array (N, 15, 15): the same memory if it is one already."""
    if np.ma.is_masked(boards):
        raise TypeError(f"{name} has masked cells; fill them first")
    array = np.asarray(boards)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}, an integer array (int8) is needed")
    if array.ndim == 2:
        array = array[None]
    if array.ndim != 3 or array.shape[1:] != _SHAPE:
        raise ValueError(f"{name} has shape {np.shape(boards)}, (N, 15, 15) or (15, 15) is needed")
    if array.dtype != np.int8:
        _check_codes(array, name)  # before the cast, which could turn 257 into 1
        array = array.astype(np.int8)
    return np.ascontiguousarray(array)


def _check_codes(array: npt.NDArray[Any], name: str) -> None:
    low = -1 if array.dtype.kind == "i" else 0
    bad = (array < low) | (array > 2)
    if bad.any():
        n, y, x = (int(i) for i in np.argwhere(bad)[0])
        place = Point((x, y))
        raise PositionError(f"{name}[{n}]: {place} (y={y}, x={x}) holds {array[n, y, x]}, not 0, 1, 2 or -1")


def _threads(threads: int) -> int:
    if not 0 <= threads <= _MOST_THREADS:
        raise ValueError(f"threads is 0 (one per core) or a number up to {_MOST_THREADS}, not {threads}")
    return threads


def _turns(turns: npt.ArrayLike | None, count: int) -> npt.NDArray[np.int8]:
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


def _call(
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
