"""Results as flat columns, for tables of pandas, polars and pyarrow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from renju._types import BOARD_SIZE, PASS, Color, Forbidden, Point
from renju.batch.boards import FORBIDDEN_DTYPE
from renju.batch.games import Expanded
from renju.batch.search import ANALYSIS_DTYPE, SOLVE_DTYPE, win_rates
from renju.result import Source

__all__ = ["columns"]

RATES = ("win_rate", "draw_rate", "loss_rate")
"""The columns for what `win_rates` tells."""

_STATUSES = {1: "proved", 0: "refuted", -1: "unknown"}
_POINTS = {point: str(Point(point)) for point in (*range(BOARD_SIZE**2), PASS)}
_SOURCES = {int(source): str(source) for source in Source}
_KINDS = {int(kind): kind.label for kind in Forbidden}
_COLORS = {int(color): color.label for color in Color}
_RESULTS = {**_COLORS, 3: "draw"}


def columns(rows: npt.NDArray[np.void] | Expanded) -> dict[str, npt.NDArray[Any]]:
    """The columns of `rows`, which `solve`, `analyze`, `expand` or a sparse `forbidden` returned, by name,
    all of one length: what `pandas.DataFrame`, `polars.DataFrame` and `pyarrow.table` take.

    Numbers stay what they are; `status` and `source` become their names, `first` and `best` the name of a
    point or None, `line` and `pv` the names of their points with spaces between. Rows of several moves per
    position (`multipv`) are told apart by the columns `position` (the number of the board, from 0) and `rank`
    (1 is the best move). Rows of `analyze` have `win_rate`, `draw_rate` and `loss_rate` as well, which are
    those of `win_rates`. A sparse `forbidden` has the columns `board` (the index of the board), `point` and
    `kind`; `expand` has `game`, `ply`, `turn`, `played`, `outcome` and `result`, without the boards.

    >>> from renju import batch
    >>> boards, turns = batch.parse(["h8a1i8a3j8a5", "h8i9"])
    >>> table = batch.columns(batch.solve(boards, turns))
    >>> table["status"].tolist(), table["first"].tolist(), table["line"].tolist()
    (['proved', 'refuted'], ['G8', None], ['G8', ''])
    """
    if isinstance(rows, Expanded):
        return _positions(rows)
    rows = np.asarray(rows)
    found: dict[str, npt.NDArray[Any]] = {}
    if rows.dtype == SOLVE_DTYPE:
        lengths = (rows["line"] != _FILLER).sum(-1)
        names = {"status": _STATUSES, "first": _POINTS}
    elif rows.dtype == ANALYSIS_DTYPE:
        lengths = np.minimum(rows["pv_len"], ANALYSIS_DTYPE["pv"].shape[0])
        names = {"best": _POINTS, "source": _SOURCES}
    elif rows.dtype == FORBIDDEN_DTYPE:
        lengths = np.zeros(rows.shape, np.int64)
        names = {"point": _POINTS, "kind": _KINDS}
    else:
        raise TypeError(
            f"rows are those of batch.solve, analyze, expand or a sparse forbidden, not of dtype {rows.dtype}"
        )
    if rows.ndim > 1:
        places = np.indices(rows.shape).reshape(rows.ndim, -1)
        found["position"], found["rank"] = places[0], places[1] + 1
    flat = rows.reshape(-1)
    for name in flat.dtype.names or ():
        if flat.dtype[name].shape:
            found[name] = _texts(flat[name], lengths.reshape(-1))
        elif name in names:
            found[name] = _named(flat[name], names[name])
        elif name != "pv_len":
            found[name] = np.ascontiguousarray(flat[name])
    if flat.dtype == ANALYSIS_DTYPE:
        found |= zip(RATES, np.ascontiguousarray(win_rates(flat).T), strict=True)
    return found


def _positions(found: Expanded) -> dict[str, npt.NDArray[Any]]:
    return {
        "game": found.games,
        "ply": found.plies,
        "turn": _named(found.turns, _COLORS),
        "played": _named(found.played, _POINTS),
        "outcome": _named(found.outcomes, _RESULTS),
        "result": _named(found.results, _RESULTS),
    }


def _named(numbers: npt.NDArray[Any], names: Mapping[int, str]) -> npt.NDArray[Any]:
    """The name of every number; None where there is no name."""
    return _objects([names.get(number) for number in numbers.tolist()])


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
