//! Search under hidden information: IS-MCTS, generic over the game, and Twin Cool, its first game.

mod game;
mod ismcts;
mod random;
mod tree;
pub mod twin_cool;

pub use game::{AtRandom, Guide, HiddenGame};
pub use ismcts::{Determinizations, IsMcts, Report, SearchOptions, Step, best_edge, merged};
pub use random::Random;
pub use tree::{Edge, Node, Tree};
