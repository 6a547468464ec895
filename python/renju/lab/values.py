"""Tables of values, fitted to games."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from renju import _native
from renju.errors import Interrupted
from renju.limits import as_float, between, whole
from renju.values import ValueTable, load_values, save_values, values_text

if TYPE_CHECKING:
    from renju._native import _PartFit

__all__ = ["Fit", "Losses", "PartFit", "ValueTable", "fit_values", "load_values", "save_values"]


class Losses(NamedTuple):
    """What a position costs on average: the logistic loss, lower is better."""

    train: float
    """The mean loss of a position, in nats, over the games that were learnt from."""
    validation: float
    """The mean loss of a position, in nats, over the games that were not learnt from."""


@dataclass(frozen=True)
class PartFit:
    """How one part of a table was fitted."""

    losses: tuple[Losses, ...]
    """The losses at the start and after every step."""
    best: int
    """The step that was taken: the one with the lowest loss of the games that were not learnt from."""
    rounded: Losses
    """The losses of the table with its whole numbers."""
    scale: float
    """Points of value that are one unit of the logistic scale."""

    def __str__(self) -> str:
        before, after = self.losses[0], self.rounded
        return (
            f"train {before.train:.5f} -> {after.train:.5f}, validation {before.validation:.5f} -> "
            f"{after.validation:.5f} in {self.best} of {len(self.losses) - 1} steps, scale {self.scale:.0f}"
        )


@dataclass(frozen=True)
class Fit:
    """A table that was fitted to positions."""

    table: ValueTable
    """The fitted table of values, in whole numbers."""
    board: PartFit
    """The fit of the board value."""
    order: PartFit | None
    """The fit of the columns that order the moves, if it was asked for."""
    positions: tuple[int, int, int] = field(default=(0, 0, 0))
    """Numbers of positions that were learnt from, compared with, and left out."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table to the file at `path`."""
        save_values(self.table, path)

    def __str__(self) -> str:
        train, validation, rest = self.positions
        lines = [f"{train:,} positions, {validation:,} to compare with, {rest:,} left out"]
        lines += [f"{name}: {part}" for name, part in (("board", self.board), ("order", self.order)) if part]
        return "\n".join(lines)


FitProgress = Callable[[str, int, float, float], object]


def fit_values(
    positions: npt.NDArray[np.void],
    start: ValueTable | str | os.PathLike[str] | None = None,
    *,
    weights: npt.ArrayLike | None = None,
    result_share: float = 0.7,
    scale: float = 200,
    pull: float = 10,
    validation: float = 0.1,
    iterations: int = 200,
    patience: int = 10,
    order: bool = True,
    seed: int = 0,
    threads: int = 0,
    progress: FitProgress | None = None,
) -> Fit:
    """Fits a table of values to the positions of `selfplay`, beginning with `start` (the fitted table that
    comes with the package).

    The value of a position is to tell how often its side to move wins: a value of `scale` is one unit of the
    logistic scale. The target is the result of the game with a share of `result_share`, and the score of the
    search; the score alone for positions that are `score_only`. With `order` the columns that order the moves
    are fitted, too, to the moves that the search chose among all candidates; their scale stays that of the
    start.

    Positions that the engine never values at a glance are left out: those with a five of either side or a
    straight four of the side to move, and those won by fours. `weights` are one number for each position.
    `pull` keeps what is seldom seen near the start: half of it times the square of the distance, in units of
    the scale, is added to the sum of the losses. A share of the games from 0 to 1, `validation`, is not
    learnt from; when its loss has not fallen for `patience` steps, or after `iterations` steps, the best
    table is taken. `seed` decides which games these are. The result does not depend on the threads.

    `progress` is called with "board" or "order", the step and the two losses. Ctrl-C raises `Interrupted`
    with the best fit up to then, if there is one.
    """
    from renju.lab.selfplay import check_positions

    rows = check_positions(positions)
    scales = np.empty(0, np.float32)
    if weights is not None:
        scales = np.ascontiguousarray(weights, dtype=np.float32)
        if scales.shape != rows.shape:
            raise ValueError(f"weights have shape {scales.shape}, {rows.shape} is needed")
        if not (np.isfinite(scales).all() and (scales >= 0).all()):
            raise ValueError("weights are finite numbers from 0 on")
    found = _native.fit_values(
        rows.view(np.uint8).reshape(len(rows), rows.dtype.itemsize),
        scales,
        start=None if start is None else values_text(start),
        result_share=_real("result_share", result_share, 0, 1),
        scale=_real("scale", scale, 1e-3, 1e6),
        pull=_real("pull", pull, 0, 1e12),
        validation=_real("validation", validation, 0, 1),
        iterations=between("iterations", iterations, 0, 10**6),
        patience=between("patience", patience, 1, 10**6),
        order=bool(order),
        seed=whole("seed", seed) % 2**64,
        threads=between("threads", threads, 0, 1024),
        progress=progress,
    )
    if found is None:
        raise Interrupted("interrupted while reading the positions")
    fit = Fit(
        ValueTable.parse(found["table"]),
        _part(found["board"]),
        _part(found["order"]) if "order" in found else None,
        found["positions"],
    )
    if found["stopped"]:
        raise Interrupted("interrupted while fitting", fit)
    return fit


def _part(found: _PartFit) -> PartFit:
    losses = tuple(Losses(*pair) for pair in found["losses"])
    return PartFit(losses, found["best"], Losses(*found["rounded"]), found["scale"])


def _real(name: str, value: float, least: float, most: float) -> float:
    number = as_float(value)
    if not least <= number <= most:
        raise ValueError(f"{name} is a number from {least:g} to {most:g}, not {value}")
    return number
