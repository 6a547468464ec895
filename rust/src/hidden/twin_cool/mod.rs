//! Twin Cool: a game for one player with a deck nobody sees.
//!
//! 80 cards, eight suits with the values 1 to 10. Ten are removed unseen, five are the hand, the rest is the deck.
//! There are two piles. A card goes on an empty pile, or on a card of the same suit or the same value; then one is
//! drawn. The game ends when no card fits. The initial hand, and each new one, may bring points; the score is ten
//! times the cards played, and the points.

mod card;
mod features;
mod learn;
mod play;
mod state;
mod strategy;
mod value;

pub use card::{Card, CardSet, Rules, hand_points};
pub use learn::{Learning, learn};
pub use play::{Advice, GameResult, Manner, Player, Seen, TraceStep, play_game, play_game_with_luck};
pub use state::{GameState, KeyKind, Observation, Placement, TwinCool, TwinKey};
pub use strategy::{
    PIMC_DECKS, Practice, RolloutKind, Search, Strategy, flexibility, most_flexible, most_promising, outlook,
};
pub use value::{Learnt, Table, Valuation};
