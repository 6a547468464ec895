"""Numbers of the search, tuned by games: SPSA, simultaneous perturbation stochastic approximation.

There are N iterations. Iteration k moves all values at once, each up or down as a coin of its own says,
Δ = ±1, and lets the two sides play: θ⁺ = θ + c Δ against θ⁻ = θ - c Δ. With y = 2 score - 1, from -1 to 1,
it goes on

    θ ← θ + a y / (2 c) Δ

in units of the `step` of each parameter, with the usual gains

    c = (N / (k + 1))^0.101         a = rate ((A + N) / (A + k + 1))^0.602         A = N / 10

so that in the end values are tried one step up and down, and a side that wins all games moves them by half a
step times `rate`. The engine takes whole numbers: a value of 7.3 is 8 in three iterations of ten. Coins,
rounding and games follow from the seed and k alone, so that a run that is taken up again goes the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from renju._journal import Journal, JournalKind, read_journal
from renju._machine import cores
from renju._progress import Progress, reporting
from renju._settings import SETTINGS
from renju.config import EngineConfig
from renju.errors import FormatError, Interrupted
from renju.lab.openings import Openings
from renju.lab.players import EnginePlayer
from renju.lab.runner import engine_facts, match
from renju.lab.schedule import game_seed
from renju.lab.spsa_result import (
    Iteration,
    Parameter,
    SpsaResult,
    iteration_from_json,
    iteration_to_json,
)
from renju.limits import Limit, between, check_limit, whole

__all__ = ["SPSA_FORMAT", "Play", "gains", "spsa"]

SPSA_FORMAT = "renju-spsa"
SPSA_VERSION = 2

Play = Callable[[Mapping[str, int], Mapping[str, int], int], float]
"""Called with the settings of θ⁺, of θ⁻ and a seed; the share of points that θ⁺ takes, from 0 to 1."""

_ALPHA, _GAMMA = 0.602, 0.101
# A as a share of the iterations: without it the first ones would take far longer steps than the others.
_CALM = 0.1
_MOST_ITERATIONS, _MOST_PAIRS = 10**6, 10**5
_PAIRS_A_CORE = 4


_KIND = JournalKind("tuning run", SPSA_FORMAT, SPSA_VERSION, iteration_from_json)


def gains(k: int, iterations: int, rate: float = 1.0) -> tuple[float, float]:
    """a and c of iteration k, from 0 on, in units of the step."""
    calm = _CALM * iterations
    a = rate * ((calm + iterations) / (calm + k + 1)) ** _ALPHA
    return a, (iterations / (k + 1)) ** _GAMMA


def spsa(
    parameters: Sequence[Parameter],
    level: str = "master",
    *,
    config: EngineConfig | None = None,
    limit: Limit | None = None,
    iterations: int = 100,
    pairs: int = 0,
    rate: float = 1.0,
    openings: str | Path | Iterable[str] | None = "random:6",
    hash_mb: int = 16,
    seed: int = 0,
    workers: int = 0,
    path: str | Path | None = None,
    resume: bool = False,
    progress: bool | Progress | None = None,
    play: Play | None = None,
) -> SpsaResult:
    """Tunes numbers of a level (or of `config`) by games of variants against each other.

    Each iteration plays `pairs` pairs of games on openings of its own (0: four for each core, or as in the
    file that is taken up), `workers` games at once; with fixed nodes the result does not depend on them.
    `limit` holds for a move, `hash_mb` is the megabytes of a player's table, and what is random follows from
    `seed`. `rate` says how far an iteration moves the values. What is finished is written to the file `path`,
    and `resume` goes on with it. `progress` is True for a bar, or called with (done, total) iterations.

    `play` takes the place of the games: parameters are then whatever it understands.

    Ctrl-C raises `Interrupted` with the `SpsaResult` of the iterations that are finished.
    """
    iterations = between("iterations", iterations, 1, _MOST_ITERATIONS)
    if not (math.isfinite(rate) and rate > 0):
        raise ValueError(f"rate is a number over 0, not {rate}")
    if resume and path is None:
        raise ValueError("a tuning run is resumed from its file: path is missing")
    header: dict[str, Any] = {"seed": whole("seed", seed), "iterations": iterations, "rate": float(rate)}
    if play is None:
        base = EngineConfig.from_level(level) if config is None else config
        tuned = _checked(parameters, base)
        games = _Games(
            config=base,
            limit=check_limit(limit),
            pairs=between("pairs", pairs, 0, _MOST_PAIRS) or _usual_pairs(path, resume),
            openings=openings if openings is None or isinstance(openings, str | Path) else tuple(openings),
            hash_mb=hash_mb,
            workers=workers,
        )
        count, play = games.pairs, games
        header |= engine_facts() | games.facts()
    else:
        tuned, count = _checked(parameters, None), 0
    header["parameters"] = {p.name: asdict(p) for p in tuned}
    file = None if path is None else _SpsaFile(path, header)
    empty = SpsaResult(tuned, (), iterations, count, None if file is None else file.path)
    with ExitStack() as stack:
        if file is not None:
            stack.enter_context(file).begin(resume)
        done = 0 if file is None else len(file.history)
        report = stack.enter_context(reporting(progress, iterations, "iterations", done))
        return _run(empty, file, partial(_iterate, seed=seed, rate=rate, play=play), report)


def _run(
    empty: SpsaResult,
    file: _SpsaFile | None,
    iterate: Callable[[SpsaResult, int], Iteration],
    report: Callable[[int], object] | None,
) -> SpsaResult:
    """All iterations that are not in the file."""
    history = [] if file is None else file.history
    try:
        while len(history) < empty.iterations:
            found = iterate(replace(empty, history=tuple(history[-1:])), len(history))
            if file is None:
                history.append(found)
            else:
                file.add(found)
            if report is not None:
                report(len(history))
    except KeyboardInterrupt:
        text = f"interrupted; {_what_is_safe(file, len(history), empty.iterations)}"
        raise Interrupted(text, partial=replace(empty, history=tuple(history))) from None
    except Exception as error:
        error.add_note(_what_is_safe(file, len(history), empty.iterations))
        raise
    return replace(empty, history=tuple(history))


def _iterate(now: SpsaResult, k: int, seed: int, rate: float, play: Play) -> Iteration:
    """One iteration from where a run is."""
    a, c = gains(k, now.iterations, rate)
    values = now.values
    plus: dict[str, int] = {}
    minus: dict[str, int] = {}
    signs: dict[str, int] = {}
    for p in now.parameters:
        # By name: the order in which parameters are given does not matter.
        rng = Random(f"spsa {seed} {k} {p.name}")
        signs[p.name] = sign = rng.choice((-1, 1))
        chance = rng.random()
        # One chance for both sides: rounding must not add to what tells them apart.
        for side, way in ((plus, sign), (minus, -sign)):
            side[p.name] = math.floor(p.clamp(values[p.name] + way * c * p.step) + chance)
    score = play(plus, minus, game_seed(seed, k))
    if not 0 <= score <= 1:
        raise ValueError(f"play gives a share of points from 0 to 1, not {score}")
    move = a * (2 * score - 1) / (2 * c)
    after = {p.name: p.clamp(values[p.name] + move * signs[p.name] * p.step) for p in now.parameters}
    return Iteration(k, plus, minus, score, after)


class _SpsaFile(Journal[Iteration]):
    """A line for every iteration."""

    def __init__(self, path: str | Path, header: Mapping[str, Any]) -> None:
        super().__init__(path, _KIND, header)
        self.history: list[Iteration] = []

    def _restore(self, entries: Sequence[Iteration]) -> None:
        for number, iteration in enumerate(entries):
            if iteration.number != number or {*iteration.values} != {*self.header["parameters"]}:
                raise FormatError(f"{self.path}:{number + 2}: this is not iteration {number}")
        self.history += entries

    def add(self, iteration: Iteration) -> None:
        self._write(iteration_to_json(iteration))
        self.history.append(iteration)
        self._sync()


@dataclass(frozen=True)
class _Games:
    """Both sides in a match."""

    config: EngineConfig
    limit: Limit
    pairs: int
    openings: str | Path | tuple[str, ...] | None
    hash_mb: int
    workers: int

    def __call__(self, plus: Mapping[str, int], minus: Mapping[str, int], seed: int) -> float:
        if plus == minus:
            return 0.5  # steps are so small that both were rounded alike
        sides = [
            EnginePlayer(name=name, config=self.config.replace(**settings), hash_mb=self.hash_mb)
            for name, settings in (("plus", plus), ("minus", minus))
        ]
        played = match(
            *sides,
            games=2 * self.pairs,
            openings=self.openings,
            limit=self.limit,
            seed=seed,
            workers=self.workers,
        )
        return played.score("plus").points / len(played.games)

    def facts(self) -> dict[str, Any]:
        return {
            "config": dict(vars(self.config)),
            "limit": dict(vars(self.limit)),
            "pairs": self.pairs,
            "openings": Openings.make(self.openings).facts(),
            "hash_mb": self.hash_mb,
        }


def _checked(parameters: Sequence[Parameter], config: EngineConfig | None) -> tuple[Parameter, ...]:
    """The parameters with their values at the start; `ValueError` if a value could not be played."""
    if not parameters:
        raise ValueError("there is no parameter to tune")
    names = [p.name for p in parameters]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"{twice} is given twice")
    found = []
    for p in parameters:
        start = p.start
        if config is not None:
            if p.name not in SETTINGS:
                raise ValueError(f"there is no setting {p.name!r}")
            now = vars(config)[p.name]
            if isinstance(now, bool):
                raise ValueError(f"{p.name} is a switch: compare both with lab.ab")
            known = SETTINGS[p.name]
            if not known.least <= p.low < p.high <= known.most:
                raise ValueError(f"{p.name} is a number from {known.least} to {known.most}")
            if p.name in (inert := config.inert()):
                raise ValueError(f"{p.name} has no effect here: it needs {inert[p.name]}")
            start = now if start is None else start
        if start is None:
            raise ValueError(f"{p.name} has no start")
        found.append(Parameter(p.name, start, p.low, p.high, p.step))
    return tuple(found)


def _usual_pairs(path: str | Path | None, resume: bool) -> int:
    """As in the file that is taken up: it may be from a machine with other cores."""
    if path is not None and resume and Path(path).is_file():
        pairs = read_journal(Path(path), _KIND)[0].get("pairs")
        if isinstance(pairs, int):
            return pairs
    return _PAIRS_A_CORE * cores()


def _what_is_safe(file: _SpsaFile | None, done: int, iterations: int) -> str:
    text = f"{done} of {iterations} iterations"
    return text if file is None else f"{text} safe in {file.path}: resume to go on"
