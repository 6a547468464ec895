"""States of Twin Cool: what the player knows, and everything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from renju import _native
from renju.ismcts.cards import SUITS, VALUES, Card
from renju.limits import between, whole

__all__ = ["GameState", "Move", "ObservableState", "hand_points"]


@dataclass(frozen=True, order=True, slots=True)
class Move:
    """A card of the hand and the pile it goes on, 0 or 1."""

    card: Card
    pile: int

    def __str__(self) -> str:
        return f"{self.card} on pile {self.pile + 1}"


def hand_points(hand: Iterable[Card]) -> int:
    """What a hand is worth: a run of five in one suit 50, five of one value 5, a run of five 2, four of one
    value 1; the highest counts.

    >>> from renju.ismcts import Card, hand_points
    >>> hand_points(Card(3, value) for value in range(2, 7))
    50
    """
    return _native.twin_cool_points([card.number for card in hand])


@dataclass(frozen=True)
class ObservableState:
    """What the player knows: the hand, both piles with the top card last, and the points so far."""

    hand: tuple[Card, ...]
    piles: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    points: int = 0

    @staticmethod
    def from_game_state(state: GameState) -> ObservableState:
        """Without what is hidden."""
        return ObservableState(state.hand, state.piles, state.points)

    @property
    def played_cards(self) -> tuple[Card, ...]:
        """All cards on the piles."""
        return self.piles[0] + self.piles[1]

    @property
    def unseen_cards(self) -> tuple[Card, ...]:
        """Those in the deck, and those that were removed: nobody knows which."""
        seen = {*self.hand, *self.played_cards}
        return tuple(card for card in map(Card.of, range(SUITS * VALUES)) if card not in seen)

    def determinize(self, seed: int) -> GameState:
        """A whole state that may be the true one, all equally likely; `ValueError` if there is none."""
        return GameState.from_determinization(self, seed)


@dataclass(eq=False)
class GameState:
    """A game with everything that is hidden in it.

    >>> from renju.ismcts import GameState
    >>> game = GameState.deal(seed=1)
    >>> len(game.hand), len(game.deck), game.score == game.points
    (5, 65, True)
    >>> game.play(game.moves()[0])
    >>> len(game.played_cards), len(game.hand), len(game.deck)
    (1, 5, 64)
    """

    _native: _native.TwinCoolState = field(repr=False)

    @staticmethod
    def deal(seed: int = 0) -> GameState:
        """A new game: shuffled and dealt, the points of the first hand counted."""
        return GameState(_native.TwinCoolState.deal(whole("seed", seed) % 2**64))

    @staticmethod
    def from_determinization(known: ObservableState, seed: int) -> GameState:
        """A whole state that agrees with what is known, the unseen cards in any order."""
        piles = [[card.number for card in pile] for pile in known.piles]
        hand = [card.number for card in known.hand]
        points = between("points", known.points, 0, 2**31)
        return GameState(_native.TwinCoolState.determinize(hand, piles, points, whole("seed", seed) % 2**64))

    def play(self, move: Move) -> None:
        """Puts the card on the pile and draws another; `ValueError` if it does not fit."""
        self._native.play(move.card.number, between("pile", move.pile, 0, 1))

    def moves(self) -> list[Move]:
        """All moves; none at the end of the game. Of two empty piles only the first is named."""
        return [Move(Card.of(card), pile) for card, pile in self._native.moves()]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The hand, sorted."""
        return tuple(map(Card.of, self._native.hand()))

    @property
    def piles(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Both piles, the top card last."""
        first, second = self._native.piles()
        return tuple(map(Card.of, first)), tuple(map(Card.of, second))

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck; the last card is drawn next. Only practice may look at it."""
        return tuple(map(Card.of, self._native.deck()))

    @property
    def played_cards(self) -> tuple[Card, ...]:
        """All cards on the piles."""
        return self.piles[0] + self.piles[1]

    @property
    def points(self) -> int:
        """Points of all hands so far."""
        return self._native.points

    @property
    def score(self) -> int:
        """Ten for every card played, and the points."""
        return self._native.score

    def observe(self) -> ObservableState:
        """What the player knows of it."""
        return ObservableState.from_game_state(self)

    def copy(self) -> GameState:
        """The same game once more."""
        return GameState(self._native.copy())
