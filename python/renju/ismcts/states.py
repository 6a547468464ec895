"""States of Twin Cool: what the player knows, and everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from renju import _native
from renju.ismcts.cards import Card
from renju.limits import between, whole

__all__ = ["Deck", "Field", "GameState", "Move", "ObservableState", "hand_points"]

_REMOVED = _native.TWIN_COOL_REMOVED


@dataclass(frozen=True, order=True, slots=True)
class Move:
    """A card of the hand and the pile it goes on, 0 or 1.

    >>> from renju.ismcts import Move
    >>> str(Move.parse("c7 2"))
    'C7 on pile 2'
    """

    card: Card
    """The card of the hand that is played."""
    pile: int
    """The number of the pile it goes on: 0 or 1, printed as 1 or 2."""

    @staticmethod
    def parse(text: str) -> Move:
        """The move of `text`: a card and the number of a pile, 1 or 2."""
        words = text.replace(" on pile ", " ").split()
        if len(words) != 2 or words[1] not in ("1", "2"):
            raise ValueError(f"a move is a card and a pile, 1 or 2, such as C7 1, not {text!r}")
        return Move(Card.parse(words[0]), int(words[1]) - 1)

    def __str__(self) -> str:
        return f"{self.card} on pile {self.pile + 1}"


@dataclass(frozen=True)
class Deck:
    """The cards that are drawn, the last one first, and those that were removed.

    >>> from renju.ismcts import Card, Deck, GameState
    >>> deck = GameState.deal(seed=1).deck
    >>> len(deck), len(deck.removed), deck.next == deck.cards[-1]
    (65, 10, True)
    """

    cards: tuple[Card, ...]
    """The cards that can be drawn; the last one is drawn first."""
    removed: tuple[Card, ...] = ()
    """The cards that were removed before the game, and are never drawn."""

    @staticmethod
    def from_cards(cards: Iterable[Card], removed: Iterable[Card] = ()) -> Deck:
        """The deck of some cards, in this order; no card may be there twice."""
        deck = Deck(tuple(cards), tuple(removed))
        everything = deck.cards + deck.removed
        twice = next((card for i, card in enumerate(everything) if card in everything[:i]), None)
        if twice is not None:
            raise ValueError(f"{twice} is in the deck twice")
        return deck

    @property
    def next(self) -> Card | None:
        """The card that is drawn next; None if the deck is empty."""
        return self.cards[-1] if self.cards else None

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)


@dataclass(frozen=True)
class Field:
    """The cards of both piles, the top card of each last.

    >>> from renju.ismcts import Card, Field
    >>> field = Field(((Card(0, 1), Card(0, 9)), ()))
    >>> [str(card) for card in field.all_cards()], field.tops
    (['A1', 'A9'], (Card(suit=0, value=9), None))
    >>> field.fits(Card(3, 2), 0), field.fits(Card(3, 2), 1)
    (False, True)
    """

    piles: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    """The cards of both piles, the lowest card of each first."""

    def all_cards(self) -> tuple[Card, ...]:
        """The cards of both piles, the first pile first."""
        return self.piles[0] + self.piles[1]

    @property
    def tops(self) -> tuple[Card | None, Card | None]:
        """The top card of each pile; None for an empty one."""
        first, second = (pile[-1] if pile else None for pile in self.piles)
        return first, second

    def fits(self, card: Card, pile: int) -> bool:
        """May the card go on the pile, 0 or 1?"""
        top = self.tops[between("pile", pile, 0, 1)]
        return top is None or card.fits(top)

    def with_card(self, move: Move) -> Field:
        """The field after a move; `ValueError` if the card does not fit."""
        if not self.fits(move.card, move.pile):
            raise ValueError(f"{move.card} cannot go on pile {move.pile + 1}")
        first, second = self.piles
        return Field(((*first, move.card), second) if move.pile == 0 else (first, (*second, move.card)))


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
    """What the player knows: the hand, both piles with the top card last, and the points up to now.

    A game with cards on a table goes on by `after`, which is told the card that was drawn:

    >>> from renju.ismcts import Card, Move, ObservableState
    >>> start = ObservableState.first(map(Card.parse, "A1 A2 B7 C7 H10".split()))
    >>> state = start.after(Move.parse("C7 1"), Card.parse("D7"))
    >>> [str(card) for card in state.hand], len(state.unseen_cards), state.score
    (['A1', 'A2', 'B7', 'D7', 'H10'], 74, 10)
    """

    hand: tuple[Card, ...]
    """The cards that the player holds, in rising order."""
    piles: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    """The cards of both piles, the lowest card of each first."""
    points: int = 0
    """Points that the hands of the game were worth up to now."""

    @staticmethod
    def first(hand: Iterable[Card]) -> ObservableState:
        """The beginning of a game, the points of the first hand counted."""
        hand = tuple(sorted(hand))
        return ObservableState(hand, points=hand_points(hand))

    @staticmethod
    def from_game_state(state: GameState) -> ObservableState:
        """What the player knows of the game `state`, without what is hidden."""
        return ObservableState(state.hand, state.piles, state.points)

    @property
    def field(self) -> Field:
        """Both piles as a `Field`."""
        return Field(self.piles)

    @property
    def played_cards(self) -> tuple[Card, ...]:
        """All cards on the piles."""
        return self.field.all_cards()

    @property
    def unseen_cards(self) -> tuple[Card, ...]:
        """Cards in the deck and cards that were removed: nobody knows which are which."""
        seen = {*self.hand, *self.played_cards}
        return tuple(card for card in Card.all() if card not in seen)

    @property
    def turn_count(self) -> int:
        """Turns that were played; each puts one card on a pile."""
        return len(self.played_cards)

    @property
    def deck_size(self) -> int:
        """Cards that can still be drawn."""
        return max(0, len(self.unseen_cards) - _REMOVED)

    @property
    def score(self) -> int:
        """The score of the game: ten for every card played, and the points."""
        return self.determinize(0).score

    def moves(self) -> list[Move]:
        """All moves; none at the end of the game. Of two empty piles only the first is named."""
        return self.determinize(0).moves()

    def after(self, move: Move, drawn: Card | None) -> ObservableState:
        """What is known when a card was played and another drawn; None if the deck is empty."""
        if move.card not in self.hand:
            raise ValueError(f"{move.card} is not in the hand")
        if drawn is None and self.deck_size > 0:
            raise ValueError("a card is drawn after the move: which?")
        if drawn is not None and self.deck_size == 0:
            raise ValueError(f"{drawn} cannot be drawn: the deck is empty")
        if drawn is not None and drawn not in self.unseen_cards:
            raise ValueError(f"{drawn} cannot be drawn: it was seen before")
        field = self.field.with_card(move)
        rest = [card for card in self.hand if card != move.card]
        hand = tuple(sorted(rest if drawn is None else [*rest, drawn]))
        return ObservableState(hand, field.piles, self.points + hand_points(hand))

    def determinize(self, seed: int) -> GameState:
        """A whole state that may be the true one, all equally likely; `ValueError` if there is none."""
        return GameState.from_determinization(self, seed)


@dataclass(eq=False, repr=False)
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
    def from_deck(hand: Iterable[Card], deck: Deck) -> GameState:
        """A new game with this hand and this deck; all other cards are removed."""
        hand = tuple(hand)
        return GameState.from_parts(hand, Field(), deck, hand_points(hand))

    @staticmethod
    def from_parts(hand: Iterable[Card], field: Field, deck: Deck, points: int = 0) -> GameState:
        """A game in its middle: the hand, both piles, the deck with the last card drawn next, and the points
        that the hands were worth up to now, the present one included. All other cards are removed; if the
        deck names them, they must be just those.

        >>> from renju.ismcts import GameState
        >>> game = GameState.deal(seed=1)
        >>> for _ in range(3):
        ...     game.play(game.moves()[0])
        >>> GameState.from_parts(game.hand, game.field, game.deck, game.points) == game, game.turn_count
        (True, 3)
        """
        hand = tuple(hand)
        rest = {*Card.all()} - {*hand, *field.all_cards(), *deck}
        if deck.removed and {*deck.removed} != rest:
            wrong = min({*deck.removed} ^ rest)
            raise ValueError(f"{wrong} is not removed as the deck says, or not said to be removed")
        held, drawn = ([card.number for card in cards] for cards in (hand, deck))
        piles = [[card.number for card in pile] for pile in field.piles]
        worth = between("points", points, 0, 2**31)
        return GameState(_native.TwinCoolState.from_parts(held, piles, drawn, worth))

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

    def is_legal(self, move: Move) -> bool:
        """Is the card of `move` in the hand, and does it fit on the pile of `move`?"""
        return move.pile in (0, 1) and move.card in self.hand and self.field.fits(move.card, move.pile)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards that the player holds, in rising order."""
        return tuple(map(Card.of, self._native.hand()))

    @property
    def piles(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """The cards of both piles, the top card of each last."""
        first, second = self._native.piles()
        return tuple(map(Card.of, first)), tuple(map(Card.of, second))

    @property
    def field(self) -> Field:
        """Both piles as a `Field`."""
        return Field(self.piles)

    @property
    def deck(self) -> Deck:
        """The deck, the last card drawn next, and what was removed. Only practice may look at it."""
        cards = tuple(map(Card.of, self._native.deck()))
        known = {*cards, *self.hand, *self.played_cards}
        return Deck(cards, tuple(card for card in Card.all() if card not in known))

    @property
    def played_cards(self) -> tuple[Card, ...]:
        """All cards on the piles."""
        return self.field.all_cards()

    @property
    def turn_count(self) -> int:
        """Turns that were played; each puts one card on a pile."""
        return len(self.played_cards)

    @property
    def points(self) -> int:
        """Points that the hands of the game were worth up to now."""
        return self._native.points

    @property
    def score(self) -> int:
        """The score of the game: ten for every card played, and the points."""
        return self._native.score

    def key(self, kind: str = "count") -> int:
        """A number that names the information set: the same for all states that look alike to the player, as
        far as this kind of key remembers (`IsMcts.key`)."""
        return self._native.key(kind)

    def observe(self) -> ObservableState:
        """What the player knows of it."""
        return ObservableState.from_game_state(self)

    def copy(self) -> GameState:
        """A copy of the game, which goes on by itself."""
        return GameState(self._native.copy())

    def __copy__(self) -> GameState:
        return self.copy()

    def __deepcopy__(self, _: object) -> GameState:
        return self.copy()

    def __repr__(self) -> str:
        piles = " | ".join(" ".join(map(str, pile)) for pile in self.piles)
        hand = " ".join(map(str, self.hand))
        return f"<GameState: hand {hand}, piles {piles}, {len(self.deck)} in the deck, score {self.score}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and self._native.equals(other._native)

    __hash__ = None  # type: ignore[assignment]  # it changes with every move
