//! What the rest of a game of Twin Cool is worth to one who does not see the deck: a small network over what can be
//! counted on the table. [`super::learn`] made its weights; `value.bin` keeps them.

use std::sync::LazyLock;

use super::card::{Card, CardSet, Rules, hand_points};
use super::features::{FEATURES, Features, features};
use super::state::{CARD_POINTS, GameState, Placement, TwinCool};
use crate::hidden::Valued;

/// Hidden units of the network.
pub const UNITS: usize = 32;

/// The first bytes of a file of weights, with the number of the version.
const MAGIC: [u8; 4] = *b"TCV1";

/// What counts on the table: the top cards, the hand, and the cards that nobody has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The top card of each pile.
    pub tops: [Option<Card>; 2],
    /// The cards in the hand.
    pub held: CardSet,
    /// The cards of the deck and those that were removed.
    pub unseen: CardSet,
}

impl Table {
    /// The table of a state.
    #[must_use]
    pub fn of(game: &TwinCool, state: &GameState) -> Table {
        let held = state.held();
        Table { tops: state.tops(), held, unseen: game.all() & !(state.played() | held) }
    }

    /// The table after a card was placed, before one is drawn.
    #[inline]
    #[must_use]
    pub fn after(mut self, mv: Placement) -> Table {
        self.tops[usize::from(mv.pile)] = Some(mv.card);
        self.held &= !mv.card.bit();
        self
    }

    /// The table after one of the unseen cards was drawn.
    #[inline]
    #[must_use]
    pub fn with(mut self, drawn: CardSet) -> Table {
        self.held |= drawn;
        self.unseen &= !drawn;
        self
    }

    /// The number of cards in the deck.
    #[inline]
    #[must_use]
    pub fn deck_len(&self, rules: Rules) -> u32 {
        self.unseen.count_ones().saturating_sub(rules.removed.into())
    }
}

/// The weights of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Valuation {
    /// The weights from each feature to the hidden units, then the constants of the hidden units.
    pub(super) first: [[f32; UNITS]; FEATURES + 1],
    /// The weights of the hidden units, in cards.
    pub(super) second: [f32; UNITS],
    /// What is added to the sum of the hidden units, in cards.
    pub(super) base: f32,
    /// The mean of [`Valuation::best`] over all deals, in cards: what a game is worth before its cards are dealt.
    pub start: f32,
}

static SHIPPED: LazyLock<Valuation> = LazyLock::new(|| {
    Valuation::from_bytes(include_bytes!("value.bin")).expect("weights that were made here")
});

impl Valuation {
    /// The weights that come with this package.
    #[must_use]
    pub fn shipped() -> &'static Valuation {
        &SHIPPED
    }

    /// The weights as a file keeps them.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let sizes = [FEATURES as u32, UNITS as u32].map(u32::to_le_bytes);
        let numbers = self.first.as_flattened().iter().chain(&self.second).chain([&self.base, &self.start]);
        let numbers = numbers.flat_map(|number| number.to_le_bytes());
        MAGIC.into_iter().chain(sizes.into_iter().flatten()).chain(numbers).collect()
    }

    /// The weights in the bytes of a file, or what is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Valuation, String> {
        let (words, rest) = bytes.as_chunks::<4>();
        let [magic, features, units, numbers @ ..] = words else {
            return Err(format!("a file of weights has more than {} bytes", bytes.len()));
        };
        let sizes = [*features, *units].map(u32::from_le_bytes);
        if *magic != MAGIC || sizes != [FEATURES as u32, UNITS as u32] {
            return Err("the file has no weights of this version".to_owned());
        }
        let wanted = (FEATURES + 2) * UNITS + 2;
        if numbers.len() != wanted || !rest.is_empty() {
            return Err(format!("the file has {} bytes, {} are needed", bytes.len(), 4 * (wanted + 3)));
        }
        let numbers: Vec<f32> = numbers.iter().map(|&word| f32::from_le_bytes(word)).collect();
        if let Some(at) = numbers.iter().position(|number| !number.is_finite()) {
            return Err(format!("weight number {at} of the file is no number"));
        }
        let (rows, last) = numbers.as_chunks::<UNITS>();
        let mut first = [[0.0; UNITS]; FEATURES + 1];
        first.copy_from_slice(&rows[..=FEATURES]);
        Ok(Valuation { first, second: rows[FEATURES + 1], base: last[0], start: last[1] })
    }

    /// What the hidden units get from the features.
    #[inline(always)]
    pub(super) fn hidden(&self, features: &Features) -> [f32; UNITS] {
        let mut sums = self.first[FEATURES];
        for (&feature, weights) in features.iter().zip(&self.first) {
            if feature != 0.0 {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum += feature * weight;
                }
            }
        }
        sums
    }

    /// The cards that features promise, as the network says.
    #[inline(always)]
    pub(super) fn output(&self, hidden: &[f32; UNITS]) -> f32 {
        // Four sums in a fixed order: the same on every machine, and short chains of additions.
        let mut sums = [0.0; 4];
        for (units, weights) in hidden.as_chunks::<4>().0.iter().zip(self.second.as_chunks::<4>().0) {
            for i in 0..4 {
                sums[i] += units[i].max(0.0) * weights[i];
            }
        }
        self.base + (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// The cards that can be expected after a card was placed, before one is drawn.
    #[inline(always)]
    fn placed(&self, game: &TwinCool, table: &Table) -> f32 {
        let deck = table.deck_len(game.rules);
        let known = features(game, table);
        if deck == 0 {
            return known.longest as f32;
        }
        let most = (deck + table.held.count_ones()) as f32;
        self.output(&self.hidden(&known.numbers)).clamp(known.longest as f32, most)
    }

    /// The most cards that can be expected by one who is to move, and the move; none if no card fits.
    #[inline(always)]
    fn best_anywhere(&self, game: &TwinCool, table: &Table) -> (f32, Option<Placement>) {
        let mut best = (0.0, None);
        // Of two empty piles only the first counts.
        let piles = if table.tops == [None; 2] { 1 } else { 2 };
        for (pile, &top) in table.tops[..piles].iter().enumerate() {
            let mut rest = table.held & game.fitting(top);
            while rest != 0 {
                let card = Card(rest.trailing_zeros() as u8);
                rest &= rest - 1;
                let mv = Placement { card, pile: pile as u8 };
                let worth = 1.0 + self.placed(game, &table.after(mv));
                if best.1.is_none() || worth > best.0 {
                    best = (worth, Some(mv));
                }
            }
        }
        best
    }

    /// The mean of [`Valuation::best`] over all cards that may be drawn after a card was placed; without a deck
    /// nothing is drawn. The second number is the mean of the points of the new hands.
    #[inline(always)]
    fn expected_anywhere(&self, game: &TwinCool, table: &Table) -> (f32, f32) {
        let points = |held: CardSet| hand_points_of(game.rules, held) as f32;
        if table.deck_len(game.rules) == 0 {
            return (self.best_anywhere(game, table).0, points(table.held));
        }
        let (mut cards, mut earned, mut rest) = (0.0, 0.0, table.unseen);
        while rest != 0 {
            let drawn = rest & rest.wrapping_neg();
            rest ^= drawn;
            let table = table.with(drawn);
            cards += self.best_anywhere(game, &table).0;
            earned += points(table.held);
        }
        let count = table.unseen.count_ones() as f32;
        (cards / count, earned / count)
    }
}

/// The same text for every CPU and for those with wide registers; all give the same numbers.
macro_rules! widened {
    ($(#[$doc:meta])* $name:ident, $anywhere:ident, $wide:ident -> $result:ty) => {
        impl Valuation {
            $(#[$doc])*
            #[must_use]
            pub fn $name(&self, game: &TwinCool, table: &Table) -> $result {
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                    // SAFETY: the CPU has these instructions.
                    return unsafe { self.$wide(game, table) };
                }
                self.$anywhere(game, table)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,popcnt,bmi1")]
            fn $wide(&self, game: &TwinCool, table: &Table) -> $result {
                self.$anywhere(game, table)
            }
        }
    };
}

widened!(
    /// The cards that can be expected after a card was placed, before one is drawn: the network's value, and the
    /// longest chain of the hand where the deck is empty.
    after, placed, placed_wide -> f32
);
widened!(
    /// The most cards that can be expected by one who is to move, and the move; none if no card fits.
    best, best_anywhere, best_wide -> (f32, Option<Placement>)
);
widened!(
    /// The mean of [`Valuation::best`] over all cards that may be drawn after a card was placed, which is exact since
    /// all unseen cards are equally likely, and the mean of the points of the new hands. Without a deck nothing is
    /// drawn.
    expected, expected_anywhere, expected_wide -> (f32, f32)
);

/// The points of a hand that is given as a set.
#[inline(always)]
fn hand_points_of(rules: Rules, held: CardSet) -> u32 {
    let mut hand = [Card(0); CardSet::BITS as usize];
    let (mut count, mut rest) = (0, held);
    while rest != 0 {
        hand[count] = Card(rest.trailing_zeros() as u8);
        count += 1;
        rest &= rest - 1;
    }
    hand_points(rules, &hand[..count])
}

/// The learnt value as the search asks for it, in points of the final score.
#[derive(Clone, Copy, Debug)]
pub struct Learnt;

impl Valued<TwinCool> for Learnt {
    fn estimate(&self, game: &TwinCool, state: &GameState) -> f64 {
        let more = Valuation::shipped().best(game, &Table::of(game, state)).0;
        f64::from(state.score()) + f64::from(CARD_POINTS) * f64::from(more)
    }

    fn glance(&self, game: &TwinCool, state: &GameState, mv: Placement) -> f64 {
        let more = 1.0 + Valuation::shipped().after(game, &Table::of(game, state).after(mv));
        f64::from(state.score()) + f64::from(CARD_POINTS) * f64::from(more)
    }

    fn expected(&self, game: &TwinCool, state: &GameState, mv: Placement) -> f64 {
        let table = Table::of(game, state).after(mv);
        let (cards, points) = Valuation::shipped().expected(game, &table);
        f64::from(state.score()) + f64::from(CARD_POINTS) * f64::from(1.0 + cards) + f64::from(points)
    }

    /// A tenth of a card: the network's values differ from those that look one draw further by 0.1 cards (root mean
    /// square).
    fn error(&self) -> f64 {
        f64::from(CARD_POINTS) / 10.0
    }
}
