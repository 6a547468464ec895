"""The columns of a table: where a position comes from, and what each job found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import Forbidden, _native
from renju.batch.columns import RATES
from renju.batch.search import win_rates
from renju.pipeline.columns import (
    Chances,
    Column,
    Lists,
    Numbers,
    Records,
    Strings,
    Texts,
    Words,
)
from renju.pipeline.game_findings import COLORS, STATUSES
from renju.pipeline.positions import OUTCOMES, Positions
from renju.pipeline.readers import Record

__all__ = [
    "analysis_columns",
    "evaluation_columns",
    "forbidden_columns",
    "place_columns",
    "solve_columns",
]

_SOURCES = _native.SOURCES


def place_columns(
    positions: Positions, records: Sequence[Record], keys: npt.NDArray[np.uint64]
) -> dict[str, Column]:
    """Those that every table has."""
    games = positions.games
    digits = np.frombuffer(keys.astype(">u8").tobytes().hex().encode(), np.uint8)
    none = np.zeros(len(keys), np.bool_)
    texts, ends = _native.prefixes(positions.lines, positions.starts, positions.plies)
    codes = sorted({code for code in positions.openings.values() if code is not None})
    places = {code: n for n, code in enumerate(codes)}
    openings = [places.get(positions.openings.get(n) or "", -1) for n in range(len(records))]
    return {
        "file": Words(games, tuple(record.file for record in records)),
        "row": Numbers(positions.rows),
        "game": _labels(positions, records),
        "ply": Numbers(positions.plies.astype(np.uint16)),
        "turn": Words(positions.turns - 1, COLORS),
        "moves": Strings(texts, ends, positions.starts < 0),
        "played": Words(positions.played),
        "outcome": Words(positions.outcomes - 1, OUTCOMES),
        "result": Words(positions.results - 1, OUTCOMES),
        "opening": Words(np.array(openings, np.int64)[games], tuple(codes)),
        "key": Strings(digits, 16 * np.arange(1, len(keys) + 1), none),
    }


def _labels(positions: Positions, records: Sequence[Record]) -> Column:
    """The id of a game, or where it is. The rows of an array have one each."""
    labels = tuple(record.id or f"{record.file}:{record.row}" for record in records)
    if not any(isinstance(record.content, np.ndarray) for record in records):
        return Words(positions.games, labels)
    rows = zip(positions.games.tolist(), positions.rows.tolist(), strict=True)
    return Texts([records[game].id or f"{records[game].file}:{row}" for game, row in rows])


def forbidden_columns(positions: Positions, is_over: npt.NDArray[np.bool_]) -> dict[str, Column]:
    """The points forbidden to black, by kind."""
    found = _native.forbidden_points(positions.boards, is_over, 1)
    kinds = (Forbidden.DOUBLE_THREE, Forbidden.DOUBLE_FOUR, Forbidden.OVERLINE)
    return {
        kind.name.lower(): Lists(points, ends, is_over)
        for kind, (points, ends) in zip(kinds, found, strict=True)
    }


def solve_columns(kind: str, rows: npt.NDArray[Any], is_over: npt.NDArray[np.bool_]) -> dict[str, Column]:
    """What a solver found, under the name of its kind."""
    name = kind.replace("-", "_")
    is_none = is_over | (rows["status"] != 1)
    status = np.where(is_over, -1, rows["status"] % len(STATUSES))
    return {
        name: Words(status, STATUSES),
        f"{name}_first": Words(np.where(is_none, -1, rows["first"])),
        f"{name}_length": Numbers(rows["length"], is_none),
        f"{name}_line": Lists.of_lines(rows["line"], is_none),
        f"{name}_nodes": Numbers(rows["nodes"], is_over),
    }


def analysis_columns(rows: npt.NDArray[Any], is_over: npt.NDArray[np.bool_]) -> dict[str, Column]:
    """The best move, or several as candidates."""
    best = rows if rows.ndim == 1 else rows[:, 0]
    # Black may be left without a legal point although the game is not over.
    is_none = is_over | (best["source"] >= _native.OVER_SOURCE)
    columns: dict[str, Column] = {
        "best": Words(np.where(is_none, -1, best["best"])),
        "score": Numbers(best["score"], is_none),
        "win_in": Numbers(best["win_in"], is_none | (best["win_in"] == 0)),
        "depth": Numbers(best["depth"], is_none),
        "nodes": Numbers(best["nodes"], is_none),
        "source": Words(np.where(is_none, -1, best["source"].astype(np.int64)), _SOURCES),
        "pv": Lists.of_lines(best["pv"], is_none),
    }
    rates = win_rates(best)
    is_unrated = is_none | np.isnan(rates[:, 0])
    columns |= {name: Chances(rates[:, i], is_unrated) for i, name in enumerate(RATES)}
    if rows.ndim > 1:
        is_move = (rows["best"] >= 0) & ~is_none[:, None]
        flat = rows[is_move]
        none = np.zeros(len(flat), np.bool_)
        fields: dict[str, Column] = {
            "move": Words(flat["best"]),
            "score": Numbers(flat["score"]),
            "win_in": Numbers(flat["win_in"], flat["win_in"] == 0),
            "pv": Lists.of_lines(flat["pv"], none),
        }
        columns["candidates"] = Records(fields, np.cumsum(np.count_nonzero(is_move, axis=1)), is_none)
    return columns


def evaluation_columns(rows: npt.NDArray[Any], is_over: npt.NDArray[np.bool_]) -> dict[str, Column]:
    """What the network thinks of the positions, and the likeliest moves if the rows have them."""
    # Not only "loss", which is what a move loses.
    names = ("win_chance", "draw_chance", "loss_chance")
    columns: dict[str, Column] = {
        name: Chances(rows["chances"][:, i], is_over) for i, name in enumerate(names)
    }
    if "moves" in (rows.dtype.names or ()):
        is_move = (rows["likely"] > 0) & ~is_over[:, None]
        fields: dict[str, Column] = {
            "move": Words(rows["moves"][is_move].astype(np.int64)),
            "chance": Chances(rows["likely"][is_move]),
        }
        columns["policy"] = Records(fields, np.cumsum(np.count_nonzero(is_move, axis=1)), is_over)
    return columns
