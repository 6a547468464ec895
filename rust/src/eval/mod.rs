//! What a move is worth at a glance: one table of scores, and how each of them counts.

mod moves;
mod scores;

pub use moves::{MoveValue, Term, Terms, move_value};
pub use scores::Scores;
