"""Results of `solve` and `analyze` as columns, for tables of pandas, polars and pyarrow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from renju._types import BOARD_SIZE, PASS, Point
from renju.batch.search import ANALYSIS_DTYPE, SOLVE_DTYPE
from renju.result import Source

__all__ = ["columns"]

_STATUSES = {1: "proved", 0: "refuted", -1: "unknown"}
_POINTS = {point: str(Point(point)) for point in (*range(BOARD_SIZE**2), PASS)}
_SOURCES = {int(source): str(source) for source in Source}


def columns(rows: npt.NDArray[np.void]) -> dict[str, npt.NDArray[Any]]:
    """The columns of what `solve` or `analyze` returned, by name, all of one length: what `pandas.DataFrame`,
    `polars.DataFrame` and `pyarrow.table` take.

    Numbers stay what they are; `status` and `source` become their names, `first` and `best` the name of a
    point or None, `line` and `pv` the names of their points with spaces between. Rows of several moves per
    position (`multipv`) are told apart by the columns `position` (the number of the board, from 0) and `rank`
    (1 is the best move).

    >>> from renju import batch
    >>> boards, turns = batch.parse(["h8a1i8a3j8a5", "h8i9"])
    >>> table = batch.columns(batch.solve(boards, turns))
    >>> table["status"].tolist(), table["first"].tolist(), table["line"].tolist()
    (['proved', 'refuted'], ['G8', None], ['G8', ''])
    """
    rows = np.asarray(rows)
    found: dict[str, npt.NDArray[Any]] = {}
    if rows.dtype == SOLVE_DTYPE:
        lengths = (rows["line"] != _FILLER).sum(-1)
        names = {"status": _STATUSES, "first": _POINTS}
    elif rows.dtype == ANALYSIS_DTYPE:
        lengths = np.minimum(rows["pv_len"], ANALYSIS_DTYPE["pv"].shape[0])
        names = {"best": _POINTS, "source": _SOURCES}
    else:
        raise TypeError(f"rows are those of batch.solve or batch.analyze, not of dtype {rows.dtype}")
    if rows.ndim > 1:
        places = np.indices(rows.shape).reshape(rows.ndim, -1)
        found["position"], found["rank"] = places[0], places[1] + 1
    flat = rows.reshape(-1)
    for name in flat.dtype.names or ():
        if flat.dtype[name].shape:
            found[name] = _texts(flat[name], lengths.reshape(-1))
        elif name in names:
            found[name] = _objects([names[name].get(number) for number in flat[name].tolist()])
        elif name != "pv_len":
            found[name] = np.ascontiguousarray(flat[name])
    return found


# What stands behind the last point of a line.
_FILLER = 255


def _texts(lines: npt.NDArray[np.uint8], lengths: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return _objects(
        [
            " ".join([_POINTS[point] for point in line[:length].tolist()]) if length else ""
            for line, length in zip(lines, lengths.tolist(), strict=True)
        ]
    )


def _objects(values: Sequence[str | None]) -> npt.NDArray[Any]:
    """An array of objects, also of none."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
