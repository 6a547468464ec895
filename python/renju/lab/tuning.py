"""Positions of self-play in a file that grows: saved now and then, taken up again, made larger."""

from __future__ import annotations

import inspect
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from renju._files import sync_folder, written
from renju._journal import check_new, claim, differences
from renju._machine import cores
from renju._network import with_network
from renju._progress import Progress, reporting
from renju.config import EngineConfig
from renju.errors import FormatError, Interrupted
from renju.lab.runner import engine_facts
from renju.lab.selfplay import DEFAULT_NODES, POSITION_DTYPE, load_positions, selfplay
from renju.limits import Limit, between, fixed_nodes
from renju.values import values_text

__all__ = ["game_facts", "grow_positions"]

_MOST_GAMES = 2**32 - 1

# Games for each thread in the first part, which are few, to see how long one takes.
_FIRST_GAMES = 8
# Between two times of saving there is at least this multiple of the time that saving took.
_SAVE_SHARE = 10
_MOST_GROWTH = 8


def grow_positions(
    path: str | os.PathLike[str],
    games: int = 2000,
    nodes: int | None = None,
    *,
    limit: Limit | None = None,
    seed: int = 0,
    threads: int = 0,
    resume: bool = False,
    save_s: float = 120.0,
    progress: bool | Progress | None = None,
    **settings: Any,
) -> npt.NDArray[np.void]:
    """Plays as `selfplay` does until the file `path` holds the first `games` games of a seed; all positions
    that are in it, game by game.

    The file is written anew, in one step, about every `save_s` seconds, which is what a kill may cost. With
    `resume` the games that are in it count, and are not played again; all else has to be as it was. If none
    is missing, any file of positions will do. All other arguments are those of `selfplay`.

    Ctrl-C saves the games that are finished, and raises `Interrupted` with their positions.
    """
    path = Path(path)
    count = between("games", games, 0, _MOST_GAMES)
    nodes = fixed_nodes(limit, nodes, DEFAULT_NODES)
    facts = game_facts(settings | {"nodes": nodes, "seed": seed})
    lock = claim(path, "position")
    try:
        kept = _Kept.empty(facts) if check_new(path, resume) else _Kept.load(path)
        missing = np.setdiff1d(np.arange(count, dtype=np.uint32), kept.games)
        if len(missing) == 0:
            return kept.positions
        kept.check(path, facts)
        play = partial(selfplay, nodes=nodes, seed=seed, threads=threads, **settings)
        done = len(kept.games)
        with reporting(progress, done + len(missing), "games", done) as report:
            return _grow(kept, path, missing, play, _FIRST_GAMES * (threads or cores()), save_s, report)
    finally:
        lock.remove()


def _grow(
    kept: _Kept,
    path: Path,
    missing: npt.NDArray[np.uint32],
    play: Callable[..., npt.NDArray[np.void]],
    size: int,
    save_s: float,
    report: Callable[[int], object] | None,
) -> npt.NDArray[np.void]:
    """Plays what is missing, `size` games and then as many as the time between two saves allows."""
    while len(missing):
        first, run = int(missing[0]), _run(missing[:size])
        tell = None if report is None else partial(_tell, report, len(kept.games))
        start = monotonic()
        try:
            kept = kept.with_games(play(run, first=first, progress=tell), np.arange(first, first + run))
        except Interrupted as error:
            kept = kept.with_games(error.partial, np.flatnonzero(error.done) + first)
            kept.save(path)
            text = f"interrupted; {len(kept.games)} games safe in {path}: resume to go on"
            raise Interrupted(text, partial=kept.positions) from None
        played = monotonic()
        try:
            kept.save(path)
        except KeyboardInterrupt:
            kept.save(path)  # what was played is not lost
            raise Interrupted("interrupted while saving", partial=kept.positions) from None
        missing = missing[run:]
        if run == size:
            wanted = max(save_s, _SAVE_SHARE * (monotonic() - played)) / max(played - start, 1e-3)
            size = max(1, int(size * min(wanted, _MOST_GROWTH)))
    return kept.positions


def _tell(report: Callable[[int], object], before: int, done: int, _total: int) -> None:
    report(before + done)


def _run(numbers: npt.NDArray[np.uint32]) -> int:
    """How many of the numbers follow each other from the first on."""
    gaps = np.flatnonzero(np.diff(numbers) != 1)
    return int(gaps[0]) + 1 if len(gaps) else len(numbers)


@dataclass(frozen=True)
class _Kept:
    """What a file holds."""

    positions: npt.NDArray[np.void]
    games: npt.NDArray[np.uint32]
    """Numbers of the games that are finished."""
    facts: Mapping[str, Any] | None
    """What decided the games; None if the file does not tell."""

    @classmethod
    def empty(cls, facts: Mapping[str, Any]) -> _Kept:
        return cls(np.empty(0, POSITION_DTYPE), np.empty(0, np.uint32), facts)

    @classmethod
    def load(cls, path: Path) -> _Kept:
        positions = load_positions(path)
        with np.load(path, allow_pickle=False) as file:
            if "facts" not in file:
                return cls(positions, np.unique(positions["game"]), None)
            try:
                return cls(positions, np.asarray(file["games"], np.uint32), json.loads(str(file["facts"])))
            except (KeyError, ValueError) as error:
                raise FormatError(f"{path} is no file of positions that grows: {error}") from None

    def check(self, path: Path, facts: Mapping[str, Any]) -> None:
        """`ValueError` if other games would come to those that are there."""
        if self.facts is None:
            raise ValueError(f"{path}: it does not tell how its games were played, and cannot be made larger")
        if changes := differences(self.facts, facts):
            raise ValueError(f"{path}: these are other games, and are not resumed: {'; '.join(changes)}")

    def with_games(self, positions: npt.NDArray[np.void], games: npt.NDArray[Any]) -> _Kept:
        """In the order of the games, in whatever order they came."""
        rows = np.concatenate([self.positions, positions])
        numbers = np.concatenate([self.games, games.astype(np.uint32)])
        return _Kept(rows[np.argsort(rows["game"], kind="stable")], np.sort(numbers), self.facts)

    def save(self, path: Path) -> None:
        with written(path) as file:
            np.savez_compressed(
                file, positions=self.positions, games=self.games, facts=np.array(json.dumps(self.facts))
            )
        sync_folder(path.resolve().parent)


def game_facts(settings: dict[str, Any]) -> dict[str, Any]:
    """All that decides the games, as JSON has it."""
    bound = inspect.signature(selfplay).bind(**settings)
    bound.apply_defaults()
    facts = {k: v for k, v in bound.arguments.items() if k not in ("games", "first", "threads", "progress")}
    level, config, values = (facts.pop(name) for name in ("level", "config", "values"))
    config, weights = with_network(
        EngineConfig.from_level(level) if config is None else config, facts["network"], values is not None
    )
    facts["config"] = dict(vars(config))
    facts["network"] = None if weights is None else sha256(weights).hexdigest()
    facts["values"] = None if values is None else sha256(values_text(values).encode()).hexdigest()
    plain: dict[str, Any] = json.loads(json.dumps(engine_facts() | facts))
    return plain
