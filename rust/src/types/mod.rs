//! The nouns of the board: points, colours, lines, sets of points, symmetries, keys, scores, random numbers.
//!
//! Nothing in here knows a rule of the game.

mod bitboard;
mod color;
mod line;
mod point;
mod random;
/// Values of the search, and how wins are told in them.
pub mod score;
pub(crate) mod setting;
mod symmetry;
mod zobrist;

pub use bitboard::{Bitboard, Points};
pub use color::Color;
pub use line::{Direction, Line, LineCell};
pub use point::{BOARD_POINTS, BOARD_SIZE, Move, Point};
pub use random::{Random, SplitMix};
pub use setting::Setting;
pub use symmetry::Symmetry;
pub use zobrist::{Key, WideKey, image_keys, side_key, stone_key, wide_stone_key};
