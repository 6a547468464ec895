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

__all__ = ["RESULT_DTYPE", "Benchmark", "benchmark", "simulate", "simulate_with_luck"]

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
    fair_cards: float | None = None
    """The mean of cards less luck, as `simulate_with_luck` tells it; None if nobody asked."""
    stderr_fair: float | None = None
    """The standard error of `fair_cards`, in cards; nan for a single game."""

    def __str__(self) -> str:
        fair = (
            "" if self.fair_cards is None else f"{self.fair_cards:.3f} ± {self.stderr_fair:.3f} less luck, "
        )
        return (
            f"{self.strategy.name}: {self.mean_cards:.2f} ± {self.stderr_cards:.2f} cards, {fair}"
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
    return _simulate(strategy, games, seed, threads, progress, None)


def simulate_with_luck(
    strategy: Strategy | str,
    games: int = 1000,
    seed: int = 0,
    threads: int = 0,
    progress: bool | Progress | None = None,
) -> tuple[npt.NDArray[np.void], npt.NDArray[np.float64]]:
    """Plays games as `simulate` does; the results, and the luck of each game in cards.

    The luck is by how much the first hand and the cards drawn were better than such cards are on average, by
    the learnt value. A player who does not see the deck has none in the long run, so that cards less luck
    have the same mean as cards; they spread over one card where cards spread over eight. Of `mcts`, which
    sees the deck, it tells nothing.

    >>> from renju import ismcts
    >>> results, luck = ismcts.simulate_with_luck("value", games=500)
    >>> bool((results["cards"] - luck).std() < results["cards"].std() / 5)
    True
    """
    luck = np.zeros(between("games", games, 0, _MOST_GAMES))
    return _simulate(strategy, games, seed, threads, progress, luck), luck


def _simulate(
    strategy: Strategy | str,
    games: int,
    seed: int,
    threads: int,
    progress: bool | Progress | None,
    luck: npt.NDArray[np.float64] | None,
) -> npt.NDArray[np.void]:
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
            luck=luck,
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
    luck: bool = False,
    **options: Any,
) -> Benchmark:
    """Plays games and tells the means.

    `strategy` is one, or the name of one; `iterations` and `options` are settings of a named one that
    searches, such as those of `SearchSettings`. With `luck` the mean without the luck of the draw is told,
    too: `simulate_with_luck`. All else is as for `simulate`.

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
    found = np.zeros(games) if luck else None
    results = _simulate(strategy, games, seed, threads, progress, found)
    time = perf_counter() - start
    cards, points, score = (_mean(results[name]) for name in ("cards", "points", "score"))
    fair = (None, None) if found is None else _mean(results["cards"] - found)
    return Benchmark(strategy, games, *cards, *points, *score, time, *fair)


def _mean(values: npt.NDArray[Any]) -> tuple[float, float]:
    """The mean and its standard error."""
    error = values.std(ddof=1) / sqrt(len(values)) if len(values) > 1 else float("nan")
    return float(values.mean()), float(error)
