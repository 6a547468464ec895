"""Forced wins and best moves of many positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._progress import Progress, reporting
from renju._types import BOARD_SIZE
from renju.batch.arrays import Boards, call, thread_count, turns_of
from renju.config import EngineConfig
from renju.limits import (
    DEFAULT_HASH_MB,
    Limit,
    between,
    check_depth,
    check_engine_depth,
    check_hash,
    check_kind,
    check_limit,
    check_seconds,
)
from renju.result import UNSCORED_SOURCES, Source

__all__ = ["ANALYSIS_DTYPE", "SOLVE_DTYPE", "analyze", "solve", "win_rates"]

SOLVE_DTYPE = np.dtype(list(_native.SOLVE_LAYOUT))
"""A row of `solve`: status (1 proved, 0 refuted, -1 unknown), first (the winning move, -1 if there is none),
length (plies of the whole line), nodes, time_us, line (stones and replies; cut off if longer, 255 after the
last)."""

ANALYSIS_DTYPE = np.dtype(list(_native.ANALYSIS_LAYOUT))
"""A row of `analyze`: best (-1 if there is no move), score for the side to move, win_in (plies to the five,
negative for a loss, 0 if neither is sure), depth, nodes, time_us, source (a `renju.Source`; OVER if there is
no move to make, NONE if nobody looked), pv_len (moves in pv), pv (the line expected; cut off if longer, 255
after the last)."""


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
    Each of `threads` threads (0: one per core) takes up to 300 MB for hard VCTs, and a few otherwise.
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
        sides = turns_of(turns, len(cells))
        # A packed row is its bytes; a view of no rows would have none to view.
        raw = rows.view(np.uint8).reshape(len(rows), SOLVE_DTYPE.itemsize)
        with reporting(progress, len(cells), "positions") as report:
            return _native.solve(
                cells,
                sides,
                kind=kind,
                threat_limit=threat_limit,
                max_depth=depth,
                nodes=limit.nodes,
                time_s=limit.time,
                deadline_s=deadline,
                progress=report,
                out=raw,
                threads=thread_count(threads),
            )

    return call(work, boards, (), SOLVE_DTYPE, None)


def analyze(
    boards: npt.ArrayLike,
    turns: npt.ArrayLike | None = None,
    limit: Limit | None = None,
    level: str = "hard",
    multipv: int = 1,
    threads: int = 0,
    progress: bool | Progress | None = None,
    deadline: float | None = None,
    reuse: bool = False,
    *,
    config: EngineConfig | None = None,
    hash_mb: int = DEFAULT_HASH_MB,
) -> npt.NDArray[np.void]:
    """The best moves of every position, as `Engine.analyse` finds them; an `ANALYSIS_DTYPE` array of shape
    (N,), or (N, multipv) if more than one move is asked for.

    `turns`, `progress` and `deadline` are as for `solve`. `limit` holds for each position; what it does not
    name is bounded by `level`, or by `config` in its place. With a number of nodes as the limit the result is
    the same on every machine and for any number of threads. Rows beyond the moves there are have ``best`` -1
    and ``source`` NONE, as have positions that the deadline left out; where the game is over ``source`` is
    OVER.

    Each thread has an engine with a table of `hash_mb` megabytes, and takes some more for threat searches:
    in all about ``threads * (hash_mb + 20)`` MB. Every position starts from an empty table; with `reuse` it
    profits from those before it, which is quicker for the moves of a game, but then the result depends on
    their order and on the threads.

    >>> from renju import Limit, Point, Source, batch
    >>> boards, turns = batch.parse(["h8a1i8a3j8a5", "h8i9"])
    >>> result = batch.analyze(boards, turns, Limit(nodes=10_000))
    >>> str(Point(result[0]["best"])), Source(result[0]["source"]).name, result["win_in"].tolist()
    ('G8', 'VCF', [3, 0])
    """
    if config is not None and not isinstance(config, EngineConfig):
        raise TypeError(f"config is a renju.EngineConfig, not {type(config).__name__}")
    settings = EngineConfig.from_level(level) if config is None else config
    if deadline is not None:
        check_seconds("deadline", deadline)
    limit = check_limit(limit)
    count = between("multipv", multipv, 1, BOARD_SIZE**2)
    hash_mb = check_hash(hash_mb)

    def work(cells: Boards, rows: npt.NDArray[Any]) -> npt.NDArray[np.bool_] | None:
        sides = turns_of(turns, len(cells))
        raw = rows.reshape(-1).view(np.uint8).reshape(rows.size, ANALYSIS_DTYPE.itemsize)
        with reporting(progress, len(cells), "positions") as report:
            return _native.analyze(
                cells,
                sides,
                config=vars(settings),
                hash_mb=hash_mb,
                multipv=count,
                reuse=bool(reuse),
                time_s=limit.time,
                nodes=limit.nodes,
                depth=check_engine_depth(limit.depth),
                deadline_s=deadline,
                progress=report,
                out=raw,
                threads=thread_count(threads),
            )

    return call(work, boards, () if count == 1 else (count,), ANALYSIS_DTYPE, None)


analyse = analyze


def win_rates(rows: npt.NDArray[np.void]) -> npt.NDArray[np.float32]:
    """How likely the side to move wins, draws and loses, each from 0 to 1, from the rows of `analyze`: an
    array of shape (N, 3), or (N, multipv, 3), as `SearchResult.win_rate` tells it.

    NaN where there is no move (``source`` OVER or NONE), and where the move did not come with a score: it was
    the only one.

    >>> from renju import Limit, batch
    >>> boards, turns = batch.parse(["h8a1i8a3j8a5", "h8i9"])
    >>> rates = batch.win_rates(batch.analyze(boards, turns, Limit(nodes=1_000)))
    >>> rates[0].tolist(), round(float(rates[1].sum()), 6)
    ([1.0, 0.0, 0.0], 1.0)
    """
    rows = np.asarray(rows)
    if rows.dtype != ANALYSIS_DTYPE:
        raise TypeError(f"rows are those of batch.analyze, not of dtype {rows.dtype}")
    rates = np.empty((rows.size, 3), np.float32)
    # A copy: a field of packed rows may lie anywhere in memory.
    _native.win_rates(rows["score"].astype(np.int32).reshape(-1), rates)
    unscored = np.isin(rows["source"], [int(source) for source in UNSCORED_SOURCES]) & (rows["win_in"] == 0)
    rates[(unscored | (rows["source"] >= int(Source.OVER))).reshape(-1)] = np.nan
    return rates.reshape(*rows.shape, 3)
