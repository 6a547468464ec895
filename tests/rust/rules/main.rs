//! The rules and what is built on them: forbidden points, positions, threats and the value of moves.

mod architecture;
mod cells;
mod eval;
mod forbidden;
mod learn;
mod position;
#[path = "../support/mod.rs"]
mod support;
mod threats;
