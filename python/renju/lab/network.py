"""Networks that are taught: files of positions in, a file of weights out."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from renju import __version__, _native
from renju._files import write_bytes, written
from renju._journal import claim, differences
from renju._network import NetworkLike, network_bytes
from renju.errors import FormatError
from renju.lab.shards import blocks, shard_files
from renju.limits import as_float, between, whole

__all__ = ["EpochLosses", "LossFigures", "Training", "train"]

# Files of positions in memory at once, from which the positions of a step are drawn.
_FILES_AT_ONCE = 24
# The last rate of a run as a share of the first.
_LAST_RATE = 0.02
# What one unit of the logistic scale is in a score of the search, in points.
_SCORE_SCALE = 200.0
_MOST_EPOCHS = 10_000


@dataclass(frozen=True)
class LossFigures:
    """What a network and the table alone get wrong, on average over many positions."""

    positions: int
    """The number of positions that were looked at."""
    value: float
    """The mean loss of the value against its target, in nats."""
    table: float
    """The mean loss of the table alone against the same target, in nats."""
    result: float
    """The mean loss of the value against the results of games, in nats."""
    table_result: float
    """The mean loss of the table alone against the results of games, in nats."""
    draw: float
    """The mean loss of the chance of a draw, in nats."""
    policy: float
    """The mean loss of the policy against the moves of the search, in nats."""
    first: float
    """The share of positions whose move comes first by the policy, from 0 to 1."""
    first_four: float
    """The share of positions whose move is one of the first four by the policy, from 0 to 1."""
    table_first: float
    """The share of positions whose move comes first by the table's order, from 0 to 1."""
    table_first_four: float
    """The share of positions whose move is one of the first four by the table's order, from 0 to 1."""

    @classmethod
    def of(cls, sums: dict[str, float]) -> LossFigures:
        positions, results, moves = (max(sums[name], 1.0) for name in ("positions", "results", "moves"))
        return cls(
            int(sums["positions"]),
            sums["value_loss"] / positions,
            sums["table_loss"] / positions,
            sums["result_loss"] / results,
            sums["table_result_loss"] / results,
            sums["draw_loss"] / results,
            sums["policy_loss"] / moves,
            sums["policy_first"] / moves,
            sums["policy_first_four"] / moves,
            sums["table_first"] / moves,
            sums["table_first_four"] / moves,
        )

    def __str__(self) -> str:
        return (
            f"value {self.value:.4f} (table {self.table:.4f}), result {self.result:.4f} "
            f"({self.table_result:.4f}), policy {self.policy:.3f}, first {self.first:.1%} "
            f"({self.table_first:.1%}), first four {self.first_four:.1%} ({self.table_first_four:.1%})"
        )


@dataclass(frozen=True)
class EpochLosses:
    """The losses of one time through all positions."""

    train: LossFigures
    """The losses of the positions that were learnt from, while they were."""
    validation: LossFigures
    """The losses of the positions that are never learnt from, afterwards."""


@dataclass(frozen=True)
class Training:
    """What a run of `train` came to."""

    path: Path
    """The path of the file that holds the weights."""
    before: LossFigures
    """The losses of the table alone, on the positions that are never learnt from."""
    epochs: tuple[EpochLosses, ...]
    """The losses after each time through all positions."""
    recipe: tuple[str, ...] = field(default=())
    """The lines that the file tells of itself."""

    def to_svg(self) -> str:
        """The loss of the value over the epochs as a picture: learnt from, and never learnt from."""
        from renju.lab.loss_picture import draw_losses

        return draw_losses(
            "loss of the value, in nats",
            [
                ("learnt from", [epoch.train.value for epoch in self.epochs], "#2b6cb0"),
                ("never learnt from", [epoch.validation.value for epoch in self.epochs], "#c05621"),
                ("table alone", [self.before.table for _ in self.epochs], "#718096"),
            ],
        )

    def __str__(self) -> str:
        lines = [f"before: {self.before}"]
        for number, epoch in enumerate(self.epochs, 1):
            lines += [f"epoch {number}: {epoch.validation}"]
        return "\n".join([*lines, f"the network is in {self.path}"])


def train(
    folders: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    epochs: int = 4,
    batch: int = 1024,
    rate: float = 0.003,
    result_share: float = 0.5,
    policy_weight: float = 0.15,
    draw_weight: float = 0.2,
    validation: float = 0.02,
    start: NetworkLike = None,
    seed: int = 0,
    threads: int = 0,
    resume: bool = False,
    note: str = "",
    progress: Callable[[int, int, LossFigures | None], object] | None = None,
) -> Training:
    """Teaches a network with the files of positions in `folders` (`grow_shards`), and writes it to `out`.

    A position is shown `epochs` times, `batch` of them at a step of Adam, whose size falls from `rate` along
    a cosine. The value is to tell how often the side to move wins: the result of the game has a share of
    `result_share` in that, the score of the search the rest, and all of it where the game tells nothing. The
    move of the search is learnt with weight `policy_weight`, draws with `draw_weight`. A share of the
    openings, `validation`, is never learnt from: all games of such an opening and of its images, so that
    nothing is learnt by heart. With `start`, a file or True for the network of the package, the weights go
    on from that network in place of from small random numbers: a smaller `rate` is then enough, such as
    0.001. `note` is added to the recipe in the file.

    The state is saved beside `out` (``.state.npz``) whenever some files were gone through; with `resume` a
    run that was killed goes on from there and comes to the same weights. The result does not depend on the
    threads. `progress` is called with the number of parts finished, of how many, and the losses of the last
    epoch. Ctrl-C raises KeyboardInterrupt; the saved state stays.
    """
    out = Path(out)
    names = [folders] if isinstance(folders, str | os.PathLike) else list(folders)
    files = [file for name in names for file in shard_files(name)]
    if not files:
        raise ValueError(f"there are no files of positions in {', '.join(map(str, names))}")
    weights = _native.shipped_network() if start is True else network_bytes(start)
    lesson = _Lesson(
        between("epochs", epochs, 1, _MOST_EPOCHS),
        between("batch", batch, 1, 1 << 20),
        _real("rate", rate, 1e-7, 1.0),
        _real("result_share", result_share, 0, 1),
        _real("policy_weight", policy_weight, 0, 100),
        _real("draw_weight", draw_weight, 0, 100),
        _real("validation", validation, 1e-4, 0.5),
        whole("seed", seed) % 2**64,
        tuple(file.name for file in files),
        None if weights is None else sha256(weights).hexdigest()[:16],
    )
    lock = claim(out, "network")
    try:
        run = _Run.load(out, lesson, threads) if resume and _state_path(out).exists() else None
        run = _Run.new(out, lesson, files, weights, threads) if run is None else run
        return run.finish(files, note, progress)
    finally:
        lock.remove()


@dataclass(frozen=True)
class _Lesson:
    """All that decides the weights, but for the positions themselves."""

    epochs: int
    batch: int
    rate: float
    result_share: float
    policy_weight: float
    draw_weight: float
    validation: float
    seed: int
    files: tuple[str, ...]
    start: str | None

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = json.loads(json.dumps(asdict(self) | {"version": __version__}))
        return facts

    def is_compared(self, rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """Which positions are never learnt from."""
        keys = _native.opening_keys(rows) % np.uint64(10_000)
        return np.asarray(keys < np.uint64(round(10_000 * self.validation)))

    @property
    def parts(self) -> int:
        """Parts of an epoch: as many files as are in memory at once."""
        return math.ceil(len(self.files) / _FILES_AT_ONCE)


class _Run:
    """A run of `train`: the network, how far it is, and what was measured."""

    def __init__(self, out: Path, lesson: _Lesson, trainer: _native.Trainer, done: int) -> None:
        self.out, self.lesson, self.trainer, self.done = out, lesson, trainer, done
        self.before: LossFigures | None = None
        self.epochs: list[EpochLosses] = []
        self.sums: dict[str, float] = {}

    @classmethod
    def new(cls, out: Path, lesson: _Lesson, files: list[Path], start: bytes | None, threads: int) -> _Run:
        trainer = _native.Trainer(seed=lesson.seed, threads=threads, start=start, state=None, steps=0)
        run = cls(out, lesson, trainer, 0)
        run.before = run.compare(files)
        return run

    @classmethod
    def load(cls, out: Path, lesson: _Lesson, threads: int) -> _Run:
        path = _state_path(out)
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                told = json.loads(str(file["told"]))
                trainer = _native.Trainer(
                    seed=lesson.seed, threads=threads, start=None, state=file["state"], steps=told["steps"]
                )
                run = cls(out, lesson, trainer, told["done"])
                run.before = LossFigures(**told["before"])
                run.sums = told["sums"]
                run.epochs = [
                    EpochLosses(LossFigures(**epoch["train"]), LossFigures(**epoch["validation"]))
                    for epoch in told["epochs"]
                ]
                known = told["lesson"]
        except (BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{path} is no state of a network that learns: {error}") from None
        if changes := differences(known, lesson.facts()):
            raise ValueError(f"{path}: another run, which is not resumed: {'; '.join(changes)}")
        return run

    def save(self) -> None:
        told = {
            "lesson": self.lesson.facts(),
            "steps": self.trainer.steps(),
            "done": self.done,
            "before": None if self.before is None else asdict(self.before),
            "sums": self.sums,
            "epochs": [asdict(epoch) for epoch in self.epochs],
        }
        with written(_state_path(self.out)) as file:
            np.savez(file, state=self.trainer.state(), told=np.array(json.dumps(told)))

    def finish(
        self,
        files: list[Path],
        note: str,
        progress: Callable[[int, int, LossFigures | None], object] | None,
    ) -> Training:
        parts = self.lesson.parts
        total = parts * self.lesson.epochs
        while self.done < total:
            epoch, part = divmod(self.done, parts)
            self.learn(files, epoch, part, self.done / max(total - 1, 1))
            self.done += 1
            if part == parts - 1:
                self.epochs.append(EpochLosses(LossFigures.of(self.sums), self.compare(files)))
                self.sums = {}
            self.save()
            if progress is not None:
                last = self.epochs[-1].validation if self.epochs else None
                progress(self.done, total, last)
        assert self.before is not None
        recipe = self.recipe(files, note)
        write_bytes(self.out, self.trainer.network("\n".join(recipe)))
        return Training(self.out, self.before, tuple(self.epochs), recipe)

    def learn(self, files: list[Path], epoch: int, part: int, progress: float) -> None:
        """Learns from a part of the files, drawn anew for every epoch."""
        lesson = self.lesson
        order = np.random.default_rng([lesson.seed, epoch]).permutation(len(files))
        chosen = [files[i] for i in order[part * _FILES_AT_ONCE : (part + 1) * _FILES_AT_ONCE]]
        for rows in blocks(chosen, _FILES_AT_ONCE):
            random = np.random.default_rng([lesson.seed, epoch, part])
            learnt = random.permutation(np.flatnonzero(~lesson.is_compared(rows))).astype(np.uint32)
            sums = self.trainer.learn(
                rows,
                learnt,
                batch=lesson.batch,
                rate=lesson.rate * (_LAST_RATE + (1 - _LAST_RATE) * 0.5 * (1 + math.cos(math.pi * progress))),
                result_share=lesson.result_share,
                score_scale=_SCORE_SCALE,
                policy_weight=lesson.policy_weight,
                draw_weight=lesson.draw_weight,
            )
            self.sums = _added(self.sums, sums)

    def compare(self, files: list[Path]) -> LossFigures:
        """The losses of all positions that are never learnt from."""
        sums: dict[str, float] = {}
        for rows in blocks(files, _FILES_AT_ONCE):
            order = np.flatnonzero(self.lesson.is_compared(rows)).astype(np.uint32)
            measured = self.trainer.measure(
                rows, order, result_share=self.lesson.result_share, score_scale=_SCORE_SCALE
            )
            sums = _added(sums, measured)
        if sums["positions"] == 0:
            raise ValueError("no opening is left to compare with: more games, or a larger validation share")
        return LossFigures.of(sums)

    def recipe(self, files: list[Path], note: str) -> tuple[str, ...]:
        lesson = self.lesson
        last = self.epochs[-1].validation
        plans = sorted({_digest(file.parent / "plan.json") for file in files})
        lines = [
            f"trained by renju {__version__}; licence MIT",
            f"{len(files)} files of positions, plans {' '.join(plans)}",
            *([] if lesson.start is None else [f"goes on from the network with the digest {lesson.start}"]),
            f"epochs {lesson.epochs}, batch {lesson.batch}, rate {lesson.rate}, seed {lesson.seed}, "
            f"steps {self.trainer.steps()}",
            f"result share {lesson.result_share}, policy weight {lesson.policy_weight}, "
            f"draw weight {lesson.draw_weight}, validation {lesson.validation}",
            f"validation: {last}",
        ]
        return tuple(lines + [line for line in note.splitlines() if line])


def _added(sums: dict[str, float], more: dict[str, float]) -> dict[str, float]:
    return {name: sums.get(name, 0.0) + number for name, number in more.items()}


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else "unknown"


def _state_path(out: Path) -> Path:
    return out.with_name(out.name + ".state.npz")


def _real(name: str, value: float, least: float, most: float) -> float:
    number = as_float(value)
    if not least <= number <= most:
        raise ValueError(f"{name} is a number from {least:g} to {most:g}, not {value}")
    return number
