"""What a search says: a move, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from renju.ismcts.cards import Card
from renju.ismcts.states import Move

__all__ = ["Advice", "InformationSet", "MoveStatistics", "TraceStep", "advice_of"]

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
class InformationSet(Generic[M]):
    """An information set of the tree: a way to it, and what is known of its moves."""

    path: tuple[tuple[M, Card | None], ...]
    """The moves from the position searched to this set, each with the card drawn after it; None if the deck
    was empty."""
    moves: tuple[MoveStatistics[M], ...]
    """The moves of the set that were met, the most visited first."""

    @property
    def visits(self) -> int:
        """Iterations that went on from this set."""
        return sum(move.visits for move in self.moves)

    def __str__(self) -> str:
        way = ", ".join(f"{move}, draw {'nothing' if drawn is None else drawn}" for move, drawn in self.path)
        best = self.moves[0]
        return f"{way}: {self.visits} visits, then {best.move} ({best.mean:.1f})"


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
    tree: tuple[InformationSet[M], ...] = field(default=(), repr=False)
    """The information sets after the first moves, as deep as was asked for: the nearest first, of those the
    most visited first."""

    def line(self) -> tuple[tuple[M, Card | None], ...]:
        """The principal line, as far as `tree` goes: the move, the draw after which the search knows most,
        the best move then, and so on. The last move has no draw."""
        found: tuple[tuple[M, Card | None], ...] = ()
        move = self.move
        while True:
            ways = [known for known in self.tree if _leads_on(known.path, found, move)]
            if not ways:
                return (*found, (move, None))
            best = max(ways, key=lambda known: known.visits)
            found, move = best.path, best.moves[0].move

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


def _leads_on(path: tuple[Any, ...], found: tuple[Any, ...], move: object) -> bool:
    """Is this the way of `found`, then the move and a draw?"""
    return len(path) == len(found) + 1 and path[:-1] == found and path[-1][0] == move


def advice_of(
    best: M,
    edges: Iterable[tuple[Any, ...]],
    found: Mapping[str, Any],
    trace: tuple[TraceStep, ...] = (),
    sets: Iterable[tuple[tuple[Any, ...], Iterable[tuple[Any, ...]]]] = (),
) -> Advice[M]:
    """The advice in what the native side found."""
    report = {name: found[name] for name in ("iterations", "determinizations", "nodes", "sharing", "bytes")}
    tree = [InformationSet(path, _ranked(moves)) for path, moves in sets]
    tree.sort(key=lambda known: (len(known.path), -known.visits))
    return Advice(best, _ranked(edges), **report, trace=trace, tree=tuple(tree))


def _ranked(edges: Iterable[tuple[Any, ...]]) -> tuple[MoveStatistics[Any], ...]:
    """What is known of moves, the most visited first."""
    return tuple(sorted((MoveStatistics(*edge) for edge in edges), key=lambda m: (-m.visits, -m.mean)))
