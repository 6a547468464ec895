use std::fmt;

/// A card: its number among all, suit by suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(pub u8);

/// Most cards of a hand.
pub const MOST_HAND: usize = 8;

/// Most values of a suit.
const MOST_VALUES: usize = 32;

/// Some cards, a bit each.
pub type CardSet = u128;

impl Card {
    /// The set of it alone.
    #[must_use]
    pub const fn bit(self) -> CardSet {
        1 << self.0
    }
}

/// The size of the game. Smaller ones can be solved, which tests do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The number of suits of the deck.
    pub suits: u8,
    /// The number of values in each suit.
    pub values: u8,
    /// The number of cards that are removed unseen before the game.
    pub removed: u8,
    /// The number of cards in the hand.
    pub hand: u8,
}

impl Rules {
    /// The rules of the game itself, of full size.
    pub const FULL: Rules = Rules { suits: 8, values: 10, removed: 10, hand: 5 };

    /// The number of cards in all, the removed ones included.
    #[must_use]
    pub const fn cards(self) -> usize {
        self.suits as usize * self.values as usize
    }

    /// All cards of the deck, in order.
    pub fn all(self) -> impl Iterator<Item = Card> {
        (0..self.cards() as u8).map(Card)
    }

    /// The card of a suit and a value, both from 0.
    #[must_use]
    pub const fn card(self, suit: u8, value: u8) -> Card {
        Card(suit * self.values + value)
    }

    /// The suit of a card, from 0.
    #[must_use]
    pub const fn suit(self, card: Card) -> u8 {
        // The divisor of the whole game is known when this is compiled; dividing by any other takes ten times as long.
        if self.values == Rules::FULL.values { card.0 / Rules::FULL.values } else { card.0 / self.values }
    }

    /// The value of a card, from 0.
    #[must_use]
    pub const fn value(self, card: Card) -> u8 {
        if self.values == Rules::FULL.values { card.0 % Rules::FULL.values } else { card.0 % self.values }
    }

    /// May one card lie on the other?
    #[must_use]
    pub const fn fits(self, card: Card, on: Card) -> bool {
        self.suit(card) == self.suit(on) || self.value(card) == self.value(on)
    }

    /// Are these numbers a game that can be played?
    #[must_use]
    pub const fn is_sound(self) -> bool {
        self.hand > 0
            && self.hand <= MOST_HAND as u8
            && self.values <= MOST_VALUES as u8
            && self.cards() <= CardSet::BITS as usize
            && self.removed as usize + self.hand as usize <= self.cards()
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (suit, value) = (Rules::FULL.suit(*self), Rules::FULL.value(*self));
        write!(f, "{}{}", char::from(b'A' + suit), value + 1)
    }
}

/// What a hand is worth: the highest of a run of five in one suit, five of one value, a run of five, and four of
/// one value.
#[must_use]
pub fn hand_points(rules: Rules, hand: &[Card]) -> u32 {
    const SUITED_RUN: u32 = 50;
    const FIVE_ALIKE: u32 = 5;
    const RUN: u32 = 2;
    const FOUR_ALIKE: u32 = 1;
    // Place n: a bit for every value that is there more than n times.
    let mut there = [0_u32; 5];
    for &card in hand {
        let mut value = 1 << rules.value(card);
        for values in &mut there {
            (*values, value) = (*values | value, *values & value);
        }
    }
    let values = there[0];
    let is_run = hand.len() == 5 && values.checked_shr(values.trailing_zeros()) == Some(0b1_1111);
    if is_run && hand.iter().all(|&card| rules.suit(card) == rules.suit(hand[0])) {
        SUITED_RUN
    } else if there[4] != 0 {
        FIVE_ALIKE
    } else if is_run {
        RUN
    } else if there[3] != 0 {
        FOUR_ALIKE
    } else {
        0
    }
}
