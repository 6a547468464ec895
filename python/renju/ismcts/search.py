"""Search in games written in Python: slower than native ones, for teaching and for tests."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol, TypeVar

from renju import _native
from renju.errors import Interrupted
from renju.ismcts.advice import Advice
from renju.ismcts.advice import advice_of as _advice_of
from renju.limits import between, check_seconds, whole

__all__ = ["Game", "SearchSettings", "search"]

Observation = TypeVar("Observation", contravariant=True)
State = TypeVar("State")
M = TypeVar("M", bound=Hashable)

_MOST_ITERATIONS = 2**31
_MOST_WEIGHT = 1e6


class Game(Protocol[Observation, State, M]):
    """A game of which the players do not see everything.

    States are values: `play` gives a new one. Moves and keys can be hashed; they are remembered for the whole
    search, also where `max_nodes` bounds the tree. A game may also have

    - ``player(state) -> int``, whose turn it is; 0 is the only player without it,
    - ``hidden_share(observation) -> float``, how much is hidden, from 0 to 1, for `adaptive`,
    - ``choose(state, moves, random) -> move``, how games are played to their end; at random without it,
    - ``prior(state, move) -> float``, what a move looks worth at a glance, in the unit of rewards.
    """

    def determinize(self, observation: Observation, random: Random, /) -> State:
        """A whole state that agrees with what was observed, all equally likely."""

    def key(self, state: State, /) -> Hashable:
        """The name of the information set: the same for all states that look the same to the player."""

    def moves(self, state: State, /) -> Iterable[M]:
        """The moves of the player to move, always in the same order; none at the end of the game."""

    def play(self, state: State, move: M, /) -> State:
        """The state after a move."""

    def reward(self, state: State, player: int, /) -> float:
        """What the end of a game is worth to a player, in any unit."""


@dataclass(frozen=True)
class SearchSettings:
    """How a tree is searched. The same seed gives the same result, unless there is a limit of time."""

    iterations: int = _native.ISMCTS_DEFAULTS["iterations"]
    """Iterations for a move, each a game from the tree to its end."""
    time: float | None = None
    """Seconds for a move; None reads no clock."""
    exploration: float = _native.ISMCTS_DEFAULTS["exploration"]
    """The constant of UCB1, for rewards from 0 to 1: how much is tried that does not look best."""
    prior_weight: float = 0.0
    """How many times as much the glance at the moves weighs as all that was tried; 0 is plain UCB1."""
    max_nodes: int = _native.ISMCTS_DEFAULTS["max_nodes"]
    """Information sets that are kept at most; at this number the half that was not used for longest goes."""
    determinizations: int | None = None
    """Hidden states that are imagined for a move, used again and again; None draws one for every
    iteration."""
    adaptive: int | None = None
    """The fewest hidden states that are imagined: as many as `iterations` where all is hidden, and fewer as
    less is. It counts on `iterations`, also where `time` ends the search before."""

    def __post_init__(self) -> None:
        between("iterations", self.iterations, 1, _MOST_ITERATIONS)
        between("max_nodes", self.max_nodes, _native.ISMCTS_LEAST_NODES, _native.ISMCTS_MOST_NODES)
        if self.time is not None:
            check_seconds("time", self.time)
        for name in ("exploration", "prior_weight"):
            if not 0 <= getattr(self, name) <= _MOST_WEIGHT:
                what = f"a number from 0 to {_MOST_WEIGHT:g}"
                raise ValueError(f"{name} is {what}, not {getattr(self, name)}")
        if self.determinizations is not None and self.adaptive is not None:
            raise ValueError("determinizations and adaptive are two ways to say it: give one")
        for name in ("determinizations", "adaptive"):
            if getattr(self, name) is not None:
                between(name, getattr(self, name), 1, _MOST_ITERATIONS)


def search(
    game: Game[Observation, State, M], observation: Observation, seed: int = 0, **settings: Any
) -> Advice[M] | None:
    """The best move of the position that was observed, and what is known of the others; None if there is no
    move. `observation` is what the player sees, in any form that `game` takes; `settings` are those of
    `SearchSettings`, and the same `seed` gives the same search. An exception of the game ends the search.

    A coin lies hidden. Take 6, or bet: 10 for naming its side.

    >>> from renju import ismcts
    >>> class Coin:
    ...     def determinize(self, observation, random):
    ...         return (random.choice(["heads", "tails"]), "")
    ...     def key(self, state):
    ...         return state[1]
    ...     def moves(self, state):
    ...         return {"": ["take", "bet"], "bet": ["heads", "tails"]}.get(state[1], [])
    ...     def play(self, state, move):
    ...         return (state[0], move)
    ...     def reward(self, state, player):
    ...         return 6 if state[1] == "take" else 10 * (state[0] == state[1])
    >>> advice = ismcts.search(Coin(), None, iterations=2000)
    >>> advice.move, advice.nodes, round(advice.moves[1].mean)
    ('take', 2, 5)
    """
    options = vars(SearchSettings(**settings))
    try:
        found = _native.search_hidden(game, observation, options, whole("seed", seed) % 2**64)
    except KeyboardInterrupt:
        raise Interrupted("interrupted while thinking") from None
    if not found["edges"]:
        return None
    return _advice_of(found["best"], found["edges"], found)
