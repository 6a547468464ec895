"""How to choose a card: at random, by flexibility, or by a search that knows the deck or does not."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar

from renju.errors import Interrupted
from renju.ismcts.cards import Card
from renju.ismcts.states import GameState, Move, ObservableState
from renju.limits import between, check_seconds, whole

__all__ = ["Advice", "Heuristic", "IsMcts", "Mcts", "MoveStatistics", "Random", "Strategy", "strategy_named"]

_MOST_ITERATIONS = 2**31


@dataclass(frozen=True)
class MoveStatistics:
    """What a search knows of a move."""

    move: Move
    visits: int
    available: int
    """How often it could have been tried."""
    mean: float
    """The mean of the final scores."""
    prior: float
    """What it looked worth at a glance, beside the others."""


@dataclass(frozen=True)
class Advice:
    """A move, and why."""

    move: Move
    moves: tuple[MoveStatistics, ...] = ()
    """All moves, the most visited first; none without a search."""
    iterations: int = 0
    determinizations: int = 0
    nodes: int = 0
    """Information sets in the tree."""
    sharing: float = 0.0
    """The part of the information sets passed that were known from another way or another determinization."""
    bytes: int = 0
    """Of the tree."""


@dataclass(frozen=True)
class Strategy:
    """One who chooses moves. `name` is that of the benchmark."""

    name: ClassVar[str]

    def advise(self, state: ObservableState | GameState, seed: int = 0) -> Advice | None:
        """The move to play, and why; None if no card fits. The same seed gives the same advice."""
        game = state if isinstance(state, GameState) else state.determinize(seed)
        try:
            found = game._native.advise(self.name, self.options(), whole("seed", seed) % 2**64)
        except KeyboardInterrupt:
            raise Interrupted("interrupted while thinking") from None
        return None if found is None else _advice(found)

    def options(self) -> dict[str, Any]:
        """Its settings, as the native side takes them."""
        return {}


@dataclass(frozen=True)
class Random(Strategy):
    """Any card that fits."""

    name: ClassVar[str] = "random"


@dataclass(frozen=True)
class Heuristic(Strategy):
    """The card that leaves the most cards that fit."""

    name: ClassVar[str] = "heuristic"


@dataclass(frozen=True)
class _Searching(Strategy):
    iterations: int = 200
    time: float | None = None
    """Seconds for a move; without it no clock is read."""
    exploration: float = 1.41
    """The constant of UCB1."""
    prior_visits: float = 600.0
    """What the moves look worth at a glance counts as much as so many visits; 0 for plain UCB1."""
    rollout: str = "random"
    """How games are played to their end: random or heuristic."""
    key: str = "count"
    """What information sets remember besides hand and top cards: tops (nothing), count, played, piles."""
    max_nodes: int = 100_000
    """Information sets that are kept; then the half that was not used for longest goes."""

    def __post_init__(self) -> None:
        between("iterations", self.iterations, 1, _MOST_ITERATIONS)
        between("max_nodes", self.max_nodes, 1, _MOST_ITERATIONS)
        if self.time is not None:
            check_seconds("time", self.time)
        for name in ("exploration", "prior_visits"):
            if not 0 <= getattr(self, name) < inf:
                raise ValueError(f"{name} is a number from 0 on, not {getattr(self, name)}")

    def options(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class Mcts(_Searching):
    """A search that sees the deck: for practice, and to know what the hidden cards cost. `advise` needs the
    whole `GameState`."""

    name: ClassVar[str] = "mcts"
    prior_visits: float = 0.0
    """What a move promises is worth little to one who sees the deck."""

    def advise(self, state: ObservableState | GameState, seed: int = 0) -> Advice | None:
        if not isinstance(state, GameState):
            raise TypeError("mcts looks at the deck: it needs a GameState, not what the player knows")
        return super().advise(state, seed)


@dataclass(frozen=True)
class IsMcts(_Searching):
    """A search that knows what the player knows.

    >>> from renju.ismcts import GameState, IsMcts
    >>> game = GameState.deal(seed=1)
    >>> advice = IsMcts(iterations=100).advise(game.observe(), seed=7)
    >>> advice.move in game.moves(), sum(m.visits for m in advice.moves)
    (True, 100)
    """

    name: ClassVar[str] = "ismcts"
    determinizations: int | None = field(default=None)
    """So many, used again and again; by default a new one for every iteration."""
    adaptive: int | None = field(default=None)
    """As many as iterations at the beginning, and fewer as less is hidden, down to this."""
    keep: bool = False
    """Keep what was learnt for the next move of the game, in `simulate` and `benchmark`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("determinizations", "adaptive"):
            if getattr(self, name) is not None:
                between(name, getattr(self, name), 1, _MOST_ITERATIONS)


_STRATEGIES: dict[str, type[Strategy]] = {kind.name: kind for kind in (Random, Heuristic, Mcts, IsMcts)}


def strategy_named(name: str, **options: Any) -> Strategy:
    """The strategy with a name: random, heuristic, mcts or ismcts."""
    if name not in _STRATEGIES:
        raise ValueError(f"strategy is {', '.join(_STRATEGIES)}, not {name!r}")
    return _STRATEGIES[name](**options)


def _advice(found: dict[str, Any]) -> Advice:
    edges = [
        MoveStatistics(Move(Card.of(card), pile), visits, available, mean, prior)
        for card, pile, visits, available, mean, prior in found["edges"]
    ]
    card, pile = found["best"]
    visits = found["visits"]
    return Advice(
        Move(Card.of(card), pile),
        tuple(sorted(edges, key=lambda edge: (-edge.visits, -edge.mean, edge.move))),
        found["iterations"],
        found["determinizations"],
        found["nodes"],
        1 - found["created"] / visits if visits else 0.0,
        found["bytes"],
    )
