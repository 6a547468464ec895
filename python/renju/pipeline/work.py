"""The work on one chunk of records, wherever it is done: positions, jobs, columns, a file of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import __version__, _native, batch
from renju._checksum import Stamp
from renju.batch.boards import canonical_with_keys
from renju.config import EngineConfig
from renju.pipeline.columns import Flags, encode
from renju.pipeline.game_findings import Results, losses, missed_wins, summary_counts
from renju.pipeline.positions import positions_of
from renju.pipeline.readers import BadRow, Record
from renju.pipeline.spec import Spec
from renju.pipeline.table import (
    analysis_columns,
    evaluation_columns,
    forbidden_columns,
    place_columns,
    solve_columns,
)

__all__ = ["Chunk", "Done", "forget", "work"]

Tick = Callable[[int], None]

# What a process remembers of the positions of a run, in bytes: at most about so much.
_MEMO_BYTES = 1 << 25


@dataclass(frozen=True)
class Chunk:
    """Neighbouring records; their results make one shard."""

    index: int
    """The number of the chunk and of its shard, from 0."""
    first: int
    """The number of the first record, from 0."""
    records: Sequence[Record | BadRow]
    """The records, and the rows between them that are none."""
    positions: int
    """The number of positions that the records will have, roughly."""


@dataclass
class Done:
    """What became of a chunk."""

    data: bytes
    """The file of the shard."""
    bad: bytes
    """The bad rows of the chunk, as JSON lines."""
    table: Stamp
    """The size and the checksum of the shard's file, made where the file is made: who hands out the work has
    no time for it."""
    positions: int = 0
    """The number of rows of the shard's table."""
    analysed: int = 0
    """Positions that were searched and not known from before."""
    counts: Counter[str] = field(default_factory=Counter)
    """The numbers that the summary tells, by what they count."""
    first_bad: str | None = None
    """The first bad row with its file and its reason, if there is one."""
    version: str = __version__
    """The version of renju that did the work."""


def work(
    spec: Spec, form: str, meta: Mapping[str, Any], run: str, chunk: Chunk, tick: Tick | None = None
) -> Done:
    """Does all jobs on a chunk of a run, with one thread. `tick` hears how many more positions are finished;
    what it raises ends the work."""
    records = [record for record in chunk.records if isinstance(record, Record)]
    bad = [row for row in chunk.records if isinstance(row, BadRow)]
    positions, more = positions_of(records, spec)
    # In the order of the input, where the files may have any names.
    places = {record.file: n for n, record in reversed([*enumerate(chunk.records)])}
    bad = sorted([*bad, *more], key=lambda row: (places[row.file], row.row))
    is_over = positions.outcomes != 0
    live = np.flatnonzero(~is_over)
    # The key of the canonical image is that of all images.
    images, symmetries, keys = canonical_with_keys(positions.boards, positions.turns, threads=1)
    results, analysed = _search(spec, run, images, positions.turns, keys, symmetries, live, tick)
    columns = place_columns(positions, records, keys)
    for job in spec.jobs:
        if job == "forbidden":
            columns |= forbidden_columns(positions, is_over)
        elif job == "analyze":
            rows = _spread(results[job], live, len(positions))
            columns |= analysis_columns(rows, is_over)
            columns["loss"] = losses(positions, rows if rows.ndim == 1 else rows[:, 0])
        elif job == "evaluate":
            found = _evaluated(spec, images[live], positions.turns[live], symmetries[live])
            columns |= evaluation_columns(_spread(found, live, len(positions)), is_over)
        else:
            columns |= solve_columns(job, _spread(results[job], live, len(positions)), is_over)
    missed = missed_wins(positions, results, live)
    if missed is not None:
        columns["missed"] = Flags(missed == 1, missed < 0)
    if tick is not None:
        tick(0)
    data = encode(columns, form, meta)
    return Done(
        data,
        "".join(_bad_line(row) for row in bad).encode(),
        Stamp.of(data),
        len(positions),
        analysed,
        summary_counts(positions, results, live, missed, len(bad)),
        f"{bad[0].file}:{bad[0].row}: {bad[0].reason}" if bad else None,
    )


def _bad_line(row: BadRow) -> str:
    facts = {"file": row.file, "row": row.row, "reason": row.reason, "text": row.text[:1000]}
    return json.dumps(facts) + "\n"


def _search(
    spec: Spec,
    run: str,
    images: batch.Boards,
    turns: npt.NDArray[np.int8],
    keys: npt.NDArray[np.uint64],
    symmetries: npt.NDArray[np.uint8],
    live: npt.NDArray[np.int64],
    tick: Tick | None,
) -> tuple[Results, int]:
    """The results of the jobs that search, for each of the `live` positions, and how many were searched.

    What is searched is the canonical image of a position. So the result does not depend on which of its
    images came first, or on what else is in the chunk.
    """
    if not spec.is_searching:
        if tick is not None:
            tick(len(live))
        return {}, 0
    results = _empty(spec, len(live))
    memo = _memo(run, *(row.nbytes for row in _empty(spec, 1).values()))
    found = [_bytes(values) for values in results.values()]
    rows, sources = memo.find(images, keys, live, found)
    if tick is not None:
        tick(int(len(live) - len(rows)))
    new = _ask(spec, images[rows], turns[rows], tick)
    memo.add(images, keys, rows, sources, [_bytes(new[name]) for name in results], found)
    inverse = batch.inverse(symmetries[live])
    return {name: _turned(values, inverse) for name, values in results.items()}, len(rows)


@lru_cache(maxsize=2)
def _memo(run: str, *sizes: int) -> _native.Memo:
    """The memory of this process for a run whose jobs have results of these sizes in bytes."""
    return _native.Memo(_MEMO_BYTES, list(sizes))


def _bytes(rows: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The bytes of rows, which share their memory."""
    return rows.reshape(-1).view(np.uint8).reshape(len(rows), -1 if len(rows) else rows.dtype.itemsize)


def forget() -> None:
    """Gives back the memory of finished runs."""
    _memo.cache_clear()


def _empty(spec: Spec, count: int) -> Results:
    shape = (count,) if spec.multipv == 1 else (count, spec.multipv)
    results: Results = {kind: np.zeros(count, batch.SOLVE_DTYPE) for kind in spec.kinds}
    if "analyze" in spec.jobs:
        results["analyze"] = np.zeros(shape, batch.ANALYSIS_DTYPE)
    return results


def _ask(spec: Spec, boards: batch.Boards, turns: npt.NDArray[np.int8], tick: Tick | None) -> Results:
    """All jobs that search, on these boards."""
    results: Results = {}
    for number, job in enumerate(spec.searches):
        told = [0]

        def progress(
            done: int, _: int, told: list[int] = told, is_last: bool = number == len(spec.searches) - 1
        ) -> None:
            # The last job, by far the longest, tells of the progress; the others only listen for a stop.
            if tick is not None:
                tick(done - told[0] if is_last else 0)
                told[0] = done

        if job == "analyze":
            results[job] = batch.analyze(
                boards,
                turns,
                spec.limit,
                multipv=spec.multipv,
                threads=1,
                progress=progress,
                config=EngineConfig(**dict(spec.config)),
                hash_mb=spec.hash_mb,
            )
        else:
            results[job] = batch.solve(
                boards,
                turns,
                kind=job,
                limit=spec.solve_limit(job),
                max_depth=spec.max_depth,
                threat_limit=spec.threat_limit,
                threads=1,
                progress=progress,
            )
    return results


def _evaluated(
    spec: Spec,
    images: batch.Boards,
    turns: npt.NDArray[np.int8],
    symmetries: npt.NDArray[np.uint8],
) -> npt.NDArray[Any]:
    """What the network thinks of positions, given by their canonical images: it is asked again for every
    image, which takes less time than to remember it."""
    count = spec.policy
    fields: list[Any] = [("chances", np.float32, 3)]
    fields += [("moves", np.uint8, (count,)), ("likely", np.float32, (count,))] if count else []
    rows = np.zeros(len(images), fields)
    if not count:
        rows["chances"] = batch.evaluate(images, turns, threads=1)
        return rows
    rows["chances"], policy = batch.evaluate(images, turns, policy=True, threads=1)
    likely = policy.reshape(len(images), _native.PASS)
    # Of equally likely moves the one with the lowest index on the canonical image comes first.
    best = np.argsort(-likely, axis=1, kind="stable")[:, :count]
    rows["likely"] = np.take_along_axis(likely, best, axis=1)
    rows["moves"] = batch.transform_points(best.astype(np.uint8), batch.inverse(symmetries)[:, None])
    return rows


def _turned(rows: npt.NDArray[Any], symmetries: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
    """Results with all their points under a symmetry each; `rows` are changed."""
    move, line = ("first", "line") if rows.dtype == batch.SOLVE_DTYPE else ("best", "pv")
    k = np.broadcast_to(symmetries.reshape(-1, *[1] * (rows.ndim - 1)), rows.shape)
    is_move = rows[move] >= 0
    rows[move][is_move] = batch.transform_points(rows[move][is_move], k[is_move])
    rows[line][is_move] = batch.transform_points(rows[line][is_move], k[is_move][:, None])
    return rows


def _spread(rows: npt.NDArray[Any], live: npt.NDArray[np.int64], count: int) -> npt.NDArray[Any]:
    """The results of the live positions among all positions."""
    spread = np.zeros((count, *rows.shape[1:]), rows.dtype)
    spread[live] = rows
    return spread
