//! Search under hidden information: IS-MCTS, generic over the game, and Twin Cool, its first game.

mod forest;
mod game;
mod ismcts;
mod tree;
pub mod twin_cool;
mod valued;

pub use forest::{Forest, Found, MOST_TREES, merged};
pub use game::{AtRandom, Guide, HiddenGame, Valued};
pub use ismcts::{Determinizations, IsMcts, Report, SearchOptions, Step, best_edge};
pub use tree::{Edge, LEAST_NODES, MOST_NODES, Mix, Node, Tree};
