"""What a search says: a move, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from renju.ismcts.cards import Card
from renju.ismcts.states import Move

__all__ = ["Advice", "MoveStatistics", "TraceStep", "advice_of"]

M = TypeVar("M")


@dataclass(frozen=True)
class MoveStatistics(Generic[M]):
    """What a search knows of a move."""

    move: M
    """The move that the figures are about."""
    visits: int
    """Iterations in which the move was tried."""
    available: int
    """Iterations in which the move could have been tried."""
    mean: float
    """The mean final score of the iterations in which the move was tried, in the unit of rewards."""
    prior: float
    """What the move looked worth at a glance, in the unit of rewards."""


@dataclass(frozen=True)
class TraceStep:
    """An iteration of a search of Twin Cool."""

    tree: int
    """The number of the tree that was walked, from 0."""
    iteration: int
    """The number of the iteration in its tree, from 0."""
    deck: tuple[Card, ...]
    """The deck that was imagined; the last card is drawn first."""
    walked: tuple[Move, ...]
    """The moves that were chosen in the tree; the rest of the game was played out."""
    score: float
    """The final score of the whole game, in points of Twin Cool."""

    def __str__(self) -> str:
        drawn = " ".join(str(card) for card in reversed(self.deck[-len(self.walked) :]))
        walked = ", ".join(map(str, self.walked))
        return f"tree {self.tree}, iteration {self.iteration}: {walked}; drawn {drawn}; score {self.score:g}"


@dataclass(frozen=True)
class Advice(Generic[M]):
    """The move that a search advises, and why."""

    move: M
    """The move that is to be played."""
    moves: tuple[MoveStatistics[M], ...] = ()
    """All moves, the most visited first; none without a search."""
    iterations: int = 0
    """Iterations that all trees did together."""
    determinizations: int = 0
    """Hidden states that were imagined, over all trees."""
    nodes: int = 0
    """Information sets in the trees."""
    sharing: float = 0.0
    """The share, from 0 to 1, of the information sets passed that were known from another way or another
    determinization."""
    bytes: int = 0
    """The size of the trees in bytes."""
    trace: tuple[TraceStep, ...] = field(default=(), repr=False)
    """The first iterations of every tree, if they were asked for."""

    def __str__(self) -> str:
        """The move and a table of all moves."""
        lines = [f"play {self.move}"]
        if self.moves:
            width = max(len(str(m.move)) for m in self.moves) + 2
            lines.append(f"{'move':<{width}}{'visits':>7}{'score':>8}{'at a glance':>13}")
            lines += [f"{m.move!s:<{width}}{m.visits:>7}{m.mean:>8.1f}{m.prior:>13.1f}" for m in self.moves]
            lines.append(
                f"{self.iterations} iterations, {self.determinizations} determinizations, "
                f"{self.nodes} information sets, {self.sharing:.0%} shared"
            )
        return "\n".join(lines)


def advice_of(
    best: M, edges: Iterable[tuple[Any, ...]], found: Mapping[str, Any], trace: tuple[TraceStep, ...] = ()
) -> Advice[M]:
    """The advice in what the native side found."""
    moves = sorted((MoveStatistics(*edge) for edge in edges), key=lambda m: (-m.visits, -m.mean))
    report = {name: found[name] for name in ("iterations", "determinizations", "nodes", "sharing", "bytes")}
    return Advice(best, tuple(moves), **report, trace=trace)
