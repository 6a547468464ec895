"""What is tuned by SPSA, and what came of it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from renju._settings import SETTINGS
from renju.errors import FormatError
from renju.lab.tables import table_text
from renju.limits import whole

__all__ = ["Iteration", "Parameter", "SpsaResult", "iteration_from_json", "iteration_to_json"]

_FORM = "NAME:START:LOW:HIGH:STEP"


@dataclass(frozen=True)
class Parameter:
    """A number of the engine that is tuned.

    >>> from renju import lab
    >>> lab.Parameter.parse("razoring_margin:150:0:600:30")
    Parameter(name='razoring_margin', start=150, low=0, high=600, step=30.0)
    """

    name: str
    """The name of the setting of `EngineConfig`."""
    start: float | None
    """The value before the first iteration, in the unit of the setting; None is what the engine has."""
    low: int
    """The least value that is tried, in the unit of the setting."""
    high: int
    """The greatest value that is tried, in the unit of the setting."""
    step: float
    """How far the value is moved to be tried in the last iteration, in the unit of the setting."""

    def __post_init__(self) -> None:
        if whole("low", self.low) >= whole("high", self.high):
            raise ValueError(f"{self.name}: low is less than high, not {self.low} and {self.high}")
        if not 0 < self.step <= self.high - self.low:
            raise ValueError(f"{self.name}: step is a number up to high - low, not {self.step}")
        if self.start is not None and not self.low <= self.start <= self.high:
            raise ValueError(f"{self.name}: the start {self.start} is not from {self.low} to {self.high}")

    @classmethod
    def parse(cls, text: str) -> Parameter:
        """From ``NAME:START:LOW:HIGH:STEP``; an empty start is the value that the engine has, an empty low or
        high the end of the setting's range."""
        name, *numbers = (word.strip() for word in text.split(":"))
        try:
            start, low, high, step = numbers
            known = SETTINGS.get(name)
            ends = (low or known.least, high or known.most) if known else (low, high)
            read = (_number(start) if start else None, int(ends[0]), int(ends[1]), float(step))
        except ValueError:
            raise ValueError(f"{text!r}: {_FORM} was expected") from None
        try:
            return cls(name, *read)
        except ValueError as error:
            raise ValueError(f"{text!r}: {error}") from None

    def clamp(self, value: float) -> float:
        return min(max(value, self.low), self.high)


def _number(text: str) -> float:
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


@dataclass(frozen=True)
class Iteration:
    """What was tried, and what followed."""

    number: int
    """The number of the iteration, from 0."""
    plus: Mapping[str, int] = field(hash=False)
    """Settings, by name, of the player whose score is told."""
    minus: Mapping[str, int] = field(hash=False)
    """Settings, by name, of the player that it met."""
    score: float
    """The share of points, from 0 to 1, that the player with the settings `plus` took."""
    values: Mapping[str, float] = field(hash=False)
    """Key: the name of a setting; value: where it stands after the iteration, not yet rounded."""


def iteration_to_json(iteration: Iteration) -> str:
    """One line, without its end. Numbers come back as they were, to the last bit."""
    return json.dumps(asdict(iteration), separators=(",", ":"))


def iteration_from_json(text: str) -> Iteration:
    """The iteration of a line; `FormatError` tells what is wrong with it."""
    try:
        found = Iteration(**json.loads(text))
        numbers = [found.number, found.score, *found.values.values()]
        is_sound = all(map(math.isfinite, numbers))
    except (ValueError, TypeError, AttributeError) as error:
        raise FormatError(f"not the record of an iteration: {error}") from None
    if not is_sound:
        raise FormatError("not the record of an iteration: a number is not finite")
    return found


@dataclass(frozen=True)
class SpsaResult:
    """Where a run of SPSA is; `str` is a table for a terminal."""

    parameters: tuple[Parameter, ...]
    """The settings that are tuned, with their values at the start."""
    history: tuple[Iteration, ...]
    """The iterations that are finished, in order."""
    iterations: int
    """Iterations that the run is to have in all."""
    pairs: int
    """Pairs of games in an iteration; 0 if no games were played."""
    path: Path | None = None
    """Path of the file of the run; None if nothing is written."""

    @property
    def is_finished(self) -> bool:
        return len(self.history) == self.iterations

    @property
    def values(self) -> dict[str, float]:
        """Key: the name of a setting; value: where it stands after the last iteration, not yet rounded."""
        if self.history:
            return dict(self.history[-1].values)
        return {p.name: float(p.start or 0) for p in self.parameters}

    @property
    def settings(self) -> dict[str, int]:
        """The values that were found, rounded to whole numbers as the engine takes them."""
        return {name: round(value) for name, value in self.values.items()}

    @property
    def mean_values(self) -> dict[str, float]:
        """The mean of the last quarter of the iterations: it swings less than the last values."""
        last = self.history[-max(1, len(self.history) // 4) :]
        if not last:
            return self.values
        return {p.name: math.fsum(i.values[p.name] for i in last) / len(last) for p in self.parameters}

    @property
    def chance(self) -> dict[str, float]:
        """How far each value would most likely stray if it had no say: the root of the sum of its squared
        moves. What moved less has not moved."""
        found = {}
        for p in self.parameters:
            path = [float(p.start or 0), *(i.values[p.name] for i in self.history)]
            found[p.name] = math.sqrt(math.fsum((b - a) ** 2 for a, b in pairwise(path)))
        return found

    def to_dict(self) -> dict[str, Any]:
        """The summary, as JSON has it."""
        mean, chance = self.mean_values, self.chance
        return {
            "iterations": self.iterations,
            "done": len(self.history),
            "finished": self.is_finished,
            "pairs": self.pairs,
            "path": None if self.path is None else str(self.path),
            "settings": self.settings,
            "parameters": [
                asdict(p) | {"value": self.values[p.name], "mean": mean[p.name], "chance": chance[p.name]}
                for p in self.parameters
            ],
        }

    def __str__(self) -> str:
        rows = [["", "start", "value", "moved", "in steps", "by chance", "mean of last ¼", "seen"]]
        mean, chance = self.mean_values, self.chance
        for p in self.parameters:
            start, value = float(p.start or 0), self.values[p.name]
            seen = [start, *(i.values[p.name] for i in self.history)]
            moved = value - start
            rows.append(
                [
                    p.name,
                    f"{start:g}",
                    f"{value:.1f}",
                    f"{moved:+.1f}",
                    f"{moved / p.step:+.2f}",
                    f"±{chance[p.name] / p.step:.2f}",
                    f"{mean[p.name]:.1f}",
                    f"{min(seen):.0f}…{max(seen):.0f}",
                ]
            )
        games = f" of {2 * self.pairs} games" if self.pairs else ""
        return f"{len(self.history)} of {self.iterations} iterations{games}\n\n{table_text(rows)}"
