"""The cards of Twin Cool."""

from __future__ import annotations

from dataclasses import dataclass

from renju import _native

__all__ = ["SUITS", "VALUES", "Card"]

SUITS, VALUES = _native.TWIN_COOL_SUITS, _native.TWIN_COOL_VALUES


@dataclass(frozen=True, order=True, slots=True)
class Card:
    """A card: suit 0 to 7, written A to H, and value 1 to 10.

    >>> from renju.ismcts import Card
    >>> Card.parse("c7"), str(Card(2, 7))
    (Card(suit=2, value=7), 'C7')
    """

    suit: int
    """The number of the suit, from 0 (written A) to 7 (written H)."""
    value: int
    """The value on the card, from 1 to 10."""

    def __post_init__(self) -> None:
        if not (0 <= self.suit < SUITS and 1 <= self.value <= VALUES):
            raise ValueError(f"a card has suit 0 to 7 and value 1 to 10, not {self.suit} and {self.value}")

    @staticmethod
    def parse(text: str) -> Card:
        """The card of `text`, as it is printed, in upper or lower case."""
        word = text.strip().upper()
        if not 2 <= len(word) <= 3 or not "A" <= word[0] <= "H" or not word[1:].isdecimal():
            raise ValueError(f"a card is a letter A to H and a number 1 to 10, such as C7, not {text!r}")
        return Card(ord(word[0]) - ord("A"), int(word[1:]))

    @staticmethod
    def all() -> tuple[Card, ...]:
        """All cards of the game, suit by suit."""
        return _ALL

    def fits(self, other: Card) -> bool:
        """May the card lie on the other, by suit or by value?"""
        return self.suit == other.suit or self.value == other.value

    @property
    def number(self) -> int:
        """The place of the card among all cards, from 0 to 79."""
        return self.suit * VALUES + self.value - 1

    @staticmethod
    def of(number: int) -> Card:
        """The card with this `number` among all cards, from 0 to 79."""
        return Card(number // VALUES, number % VALUES + 1)

    def __str__(self) -> str:
        return f"{chr(ord('A') + self.suit)}{self.value}"


_ALL = tuple(map(Card.of, range(SUITS * VALUES)))
