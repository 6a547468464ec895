"""How fast the array functions are on this machine, with their answers checked; what the search does."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from renju import _native, batch, samples
from renju._types import Color
from renju.errors import EngineError

__all__ = ["measure", "rate", "signature"]

# What the sample positions hold. The slow reference counts the same in tests/rust/rules/forbidden.rs.
SAMPLE_FORBIDDEN = 944
SAMPLE_WINS = 103
SAMPLE_DISTINCT = 4720


def measure(positions: int = 500_000, threads: int = 1) -> dict[str, float]:
    """Positions per second of each array function on `threads` threads (0: one per core), with the sample
    games repeated to `positions` positions.

    The answers are compared with known counts first; a wrong one is an `EngineError`.
    """
    records = samples.positions()
    boards, _ = batch.parse(records, threads=threads)
    _expect("forbidden points", int(np.count_nonzero(batch.forbidden(boards, threads))), SAMPLE_FORBIDDEN)
    _expect("wins", int(np.count_nonzero(batch.winners(boards, threads))), SAMPLE_WINS)
    _expect("distinct keys", len(np.unique(batch.keys(boards, threads=threads))), SAMPLE_DISTINCT)
    many = np.resize(boards, (max(positions, 1), *boards.shape[1:]))
    codes = np.empty(many.shape, np.uint8)
    return {
        "forbidden": rate(lambda: batch.forbidden(many, threads), len(many)),
        "forbidden (out=)": rate(lambda: batch.forbidden(many, threads, out=codes), len(many)),
        "winners": rate(lambda: batch.winners(many, threads), len(many)),
        "threat_map": rate(lambda: batch.threat_map(many, Color.BLACK, threads), len(many)),
        "keys": rate(lambda: batch.keys(many, threads=threads), len(many)),
        "keys (symmetric)": rate(lambda: batch.keys(many, symmetric=True, threads=threads), len(many)),
        "parse": rate(lambda: batch.parse(records, threads=threads), len(records)),
    }


def signature() -> int:
    """Positions the search looks at in a fixed task: the same on every machine, and another number as soon as
    its behaviour changes."""
    return _native.signature()


def _expect(what: str, found: int, expected: int) -> None:
    if found != expected:
        raise EngineError(f"{found} {what} in the sample positions, {expected} expected")


def rate(work: Callable[[], Any], count: int, repeats: int = 3) -> float:
    """Items per second if `work` does `count` of them: the best of `repeats` runs, disturbed least."""
    times = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return count / min(times)
