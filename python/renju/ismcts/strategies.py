"""How to choose a card: at random, by flexibility, at a glance, by the learnt value, or by a search that
knows the deck or does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from renju import _native
from renju.errors import Interrupted
from renju.ismcts.advice import Advice, TraceStep, advice_of
from renju.ismcts.cards import Card
from renju.ismcts.search import SearchSettings
from renju.ismcts.states import GameState, Move, ObservableState
from renju.limits import between, whole

if TYPE_CHECKING:
    from renju._native import _TwinCoolAdvice

__all__ = [
    "SEARCHING",
    "STRATEGIES",
    "Glance",
    "Heuristic",
    "IsMcts",
    "Mcts",
    "Pimc",
    "Random",
    "Strategy",
    "Value",
    "strategy_named",
]

_MOST_TRACED = 2**31
# Moves after which information sets are told; a game has no more cards.
_MOST_DEPTH = 80


@dataclass(frozen=True)
class Strategy:
    """One who chooses moves. `name` is that of the benchmark."""

    name: ClassVar[str]
    """The word that names the strategy in `strategy_named` and in a benchmark."""

    def advise(
        self,
        state: ObservableState | GameState,
        seed: int = 0,
        threads: int = 1,
        trace: int = 0,
        depth: int = 0,
    ) -> Advice[Move] | None:
        """The move to play, and why; None if no card fits. The same seed gives the same advice.

        Several trees are searched on as many `threads` as are given. `trace` is the number of iterations of
        every tree that the advice tells one by one, `depth` the moves after which it tells the information
        sets of the tree (`IsMcts` alone has such a tree).
        """
        self._check(state)
        # A copy: the game may go on in another thread.
        game = state.copy() if isinstance(state, GameState) else state.determinize(seed)
        between("threads", threads, 1, _native.ISMCTS_MOST_TREES)
        between("trace", trace, 0, _MOST_TRACED)
        between("depth", depth, 0, _MOST_DEPTH)
        try:
            found = game._native.advise(
                self.name, self.options(), whole("seed", seed) % 2**64, threads, trace, depth
            )
        except KeyboardInterrupt:
            raise Interrupted("interrupted while thinking") from None
        return None if found is None else _advice(found)

    def _check(self, state: ObservableState | GameState) -> None:
        """`TypeError` if the strategy needs to know more than this."""

    def options(self) -> dict[str, Any]:
        """The settings of the strategy by name, as the native module takes them."""
        return {}


@dataclass(frozen=True)
class Random(Strategy):
    """Plays any card that fits, by chance."""

    name: ClassVar[str] = "random"
    """The word that names the strategy: "random"."""


@dataclass(frozen=True)
class Heuristic(Strategy):
    """Plays the card that leaves the most cards that fit."""

    name: ClassVar[str] = "heuristic"
    """The word that names the strategy: "heuristic"."""


@dataclass(frozen=True)
class Glance(Strategy):
    """Plays the card after which the most cards can be played one after the other with one more card in hand,
    on average over all cards unseen: the glance of `IsMcts`, and nothing else."""

    name: ClassVar[str] = "glance"
    """The word that names the strategy: "glance"."""


@dataclass(frozen=True)
class Value(Strategy):
    """Plays the card after which the learnt value is highest: the value of `IsMcts`, and nothing else."""

    name: ClassVar[str] = "value"
    """The word that names the strategy: "value"."""


@dataclass(frozen=True)
class _Searching(SearchSettings, Strategy):
    prior_weight: float = _native.ISMCTS_DEFAULTS["prior_weight"]
    """How many times as much the glance at the moves weighs as all that was tried; 0 is plain UCB1."""
    rollout: str = "heuristic"
    """How games are played to their end: by flexibility (heuristic), or at random. `IsMcts` alone has value,
    which plays nothing out: the learnt value says what a game is worth."""
    key: str = "count"
    """What information sets remember besides the hand and the top cards: tops (nothing more), count, played
    or piles."""
    trees: int = 1
    """Trees that are searched side by side and share the iterations; what they know is added up."""

    def __post_init__(self) -> None:
        super().__post_init__()
        between("trees", self.trees, 1, _native.ISMCTS_MOST_TREES)
        if self.max_nodes < self.trees * _native.ISMCTS_LEAST_NODES:
            what = f"{_native.ISMCTS_LEAST_NODES} for each of {self.trees} trees"
            raise ValueError(f"max_nodes is at least {what}, not {self.max_nodes}")
        for name, known in (("rollout", _native.TWIN_COOL_ROLLOUTS), ("key", _native.TWIN_COOL_KEYS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} is {', '.join(known)}, not {getattr(self, name)!r}")
        if self.rollout == "value" and not isinstance(self, IsMcts):
            raise ValueError(
                f"rollout value is of no use to {self.name}, which plans with a deck that is seen"
            )

    def options(self) -> dict[str, Any]:
        return dict(vars(self))


@dataclass(frozen=True)
class Mcts(_Searching):
    """A search that sees the deck: for practice, and to know what the hidden cards cost. `advise` needs the
    whole `GameState`."""

    name: ClassVar[str] = "mcts"
    """The word that names the strategy: "mcts"."""
    prior_weight: float = 0.0
    """How many times as much the glance at the moves weighs as all that was tried: nothing, since this search
    sees the deck."""

    def _check(self, state: ObservableState | GameState) -> None:
        if not isinstance(state, GameState):
            raise TypeError("mcts looks at the deck: it needs a GameState, not what the player knows")


@dataclass(frozen=True)
class Pimc(_Searching):
    """Determinized MCTS (PIMC, perfect information Monte Carlo): imagines decks, searches each of them as if
    it were seen, and adds up what is known of the moves. It knows what the player knows, but plans as if the
    deck were seen from the next move on. `determinizations` is the number of decks, which share the
    iterations and the time; None is `DECKS`.

    >>> from renju.ismcts import GameState, Pimc
    >>> advice = Pimc(iterations=200, determinizations=8).advise(GameState.deal(seed=1).observe())
    >>> advice.iterations, advice.determinizations
    (200, 8)
    """

    name: ClassVar[str] = "pimc"
    """The word that names the strategy: "pimc"."""
    DECKS: ClassVar[int] = _native.TWIN_COOL_PIMC_DECKS
    """Decks that are imagined for a move if `determinizations` is None."""
    prior_weight: float = 0.0
    """How many times as much the glance at the moves weighs as all that was tried: nothing, as in plain
    MCTS."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.adaptive is not None:
            raise ValueError("adaptive is of no use to pimc: determinizations is the number of its decks")


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
    """The word that names the strategy: "ismcts"."""
    rollout: str = "value"
    """What a game is worth where the tree ends: what the learnt value says (value), or the score of a game
    that is played to its end by flexibility (heuristic) or at random."""
    keep: bool = False
    """Whether `simulate` and `benchmark` keep what was learnt for the next move of the game."""


_STRATEGIES: dict[str, type[Strategy]] = {
    kind.name: kind for kind in (Random, Heuristic, Glance, Value, Pimc, IsMcts, Mcts)
}
STRATEGIES: tuple[str, ...] = tuple(_STRATEGIES)
"""The names of all strategies; mcts, which sees the deck, is the last."""
SEARCHING: tuple[str, ...] = tuple(n for n, kind in _STRATEGIES.items() if issubclass(kind, _Searching))
"""The names of the strategies that search, and have the settings of a search."""


def strategy_named(name: str, **options: Any) -> Strategy:
    """The strategy with a name of `STRATEGIES`; `options` are its fields."""
    if name not in _STRATEGIES:
        raise ValueError(f"strategy is {', '.join(_STRATEGIES)}, not {name!r}")
    return _STRATEGIES[name](**options)


def _advice(found: _TwinCoolAdvice) -> Advice[Move]:
    trace = tuple(
        TraceStep(tree, iteration, tuple(map(Card.of, deck)), tuple(map(_move, walked)), score)
        for tree, iteration, deck, walked, score in found["trace"]
    )
    edges = [(_move((card, pile)), *facts) for card, pile, *facts in found["edges"]]
    sets = [
        (
            tuple(
                (_move((card, pile)), None if drawn is None else Card.of(drawn)) for card, pile, drawn in path
            ),
            [(_move((card, pile)), *facts) for card, pile, *facts in moves],
        )
        for path, moves in found["seen"]
    ]
    return advice_of(_move(found["best"]), edges, found, trace, sets)


def _move(numbers: tuple[int, int]) -> Move:
    card, pile = numbers
    return Move(Card.of(card), pile)
