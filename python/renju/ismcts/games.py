"""Many games of Twin Cool at once."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._progress import Progress, reporting
from renju.errors import Interrupted
from renju.ismcts.strategies import SEARCHING, Strategy, strategy_named
from renju.limits import between, whole

__all__ = ["RESULT_DTYPE", "Benchmark", "benchmark", "simulate"]

RESULT_DTYPE = np.dtype([("cards", "<u4"), ("points", "<u4"), ("score", "<u4")])

_MOST_GAMES = 10**8  # at once: some gigabytes


@dataclass(frozen=True)
class Benchmark:
    """Means of many games with their standard errors."""

    strategy: Strategy
    """The strategy that played the games."""
    games: int
    """Games that were played with the strategy."""
    mean_cards: float
    """The mean number of cards that were played in a game."""
    stderr_cards: float
    """The standard error of `mean_cards`, in cards; nan for a single game."""
    mean_points: float
    """The mean number of points that the hands of a game were worth."""
    stderr_points: float
    """The standard error of `mean_points`, in points; nan for a single game."""
    mean_score: float
    """The mean final score of a game: ten for every card played, and the points."""
    stderr_score: float
    """The standard error of `mean_score`, in the unit of scores; nan for a single game."""
    time: float
    """Seconds that all games took together."""

    def __str__(self) -> str:
        return (
            f"{self.strategy.name}: {self.mean_cards:.2f} ± {self.stderr_cards:.2f} cards, "
            f"{self.mean_points:.2f} ± {self.stderr_points:.2f} points, "
            f"{self.mean_score:.1f} ± {self.stderr_score:.1f} score, "
            f"{self.games:,} games, {self.time / self.games * 1000:.3f} ms each"
        )


def simulate(
    strategy: Strategy | str,
    games: int = 1000,
    seed: int = 0,
    threads: int = 0,
    progress: bool | Progress | None = None,
) -> npt.NDArray[np.void]:
    """Plays `games` games natively, on `threads` threads (0: one per core); cards, points and score of each.

    Game number n of a seed is the same deal for every strategy, and the result does not depend on the
    threads, unless the strategy has a limit of time. `progress` is True for a bar, or called with the games
    done and planned. Ctrl-C raises `Interrupted` with what was played.
    """
    player = strategy_named(strategy) if isinstance(strategy, str) else strategy
    count = between("games", games, 0, _MOST_GAMES)
    results = np.zeros(count, RESULT_DTYPE)
    rows = results.view(np.uint32).reshape(count, len(RESULT_DTYPE.names or ()))

    with reporting(progress, count, "games") as report:
        done = _native.twin_cool_games(
            player.name,
            player.options(),
            seed=whole("seed", seed) % 2**64,
            first=0,
            out=rows,
            threads=between("threads", threads, 0, 1024),
            progress=report,
        )
    if done is not None:
        raise Interrupted("interrupted", results, done)
    return results


def benchmark(
    strategy: Strategy | str = "ismcts",
    iterations: int | None = None,
    games: int = 1000,
    seed: int = 0,
    threads: int = 0,
    progress: bool | Progress | None = None,
    **options: Any,
) -> Benchmark:
    """Plays games and tells the means.

    `strategy` is one, or the name of one; `iterations` and `options` are settings of a named one that
    searches, such as those of `SearchSettings`. All else is as for `simulate`.

    >>> from renju import ismcts
    >>> result = ismcts.benchmark("heuristic", games=2000)
    >>> result.games, 8 < result.mean_cards < 9.5
    (2000, True)
    """
    if isinstance(strategy, str):
        if iterations is not None and strategy in SEARCHING:
            options["iterations"] = iterations
        strategy = strategy_named(strategy, **options)
    elif options or iterations is not None:
        raise TypeError("options belong to a strategy that is named; this one has its own")
    if games < 1:
        raise ValueError(f"games is a number from 1 on, not {games}")
    start = perf_counter()
    results = simulate(strategy, games, seed, threads, progress)
    time = perf_counter() - start
    cards, points, score = (_mean(results[name]) for name in ("cards", "points", "score"))
    return Benchmark(strategy, games, *cards, *points, *score, time)


def _mean(values: npt.NDArray[Any]) -> tuple[float, float]:
    """The mean and its standard error."""
    error = values.std(ddof=1) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return float(values.mean()), float(error)
