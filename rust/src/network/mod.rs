//! The network beside the table of values: what a board is worth, learnt from games.
//!
//! Every cell has two groups of codes, one for each colour ([`crate::eval::Code`]: the four shapes that a stone
//! would make). Each group has a vector of [`WIDTH`] numbers; the two of a cell are added, what is negative
//! becomes 0, and the results of all cells are summed up. Two small layers, of their own for each side to move and
//! told what both sides threaten, make of these sums the value, which is added to that of the table, and the chance
//! of a draw; with the numbers of a cell they make its policy: how likely the best move is there. All numbers are whole,
//! so that every CPU gives the same answer; no number depends on where a cell is, so that the eight images of a
//! board are worth the same.

mod boards;
mod file;
mod kernel;
mod state;
#[cfg(target_arch = "x86_64")]
mod vectors;
mod weights;

pub use boards::{NetworkBoards, Opinion};
pub use file::BadNetwork;
pub use state::{NetworkState, Policy};
pub use weights::{
    CELL_UNIT, FIRST_UNIT, Head, INPUT_DIVISOR, INPUT_SHIFT, LAYER_UNIT, Layer, MOST_CELL, MOST_LAYER,
    MOST_OUTPUT, MOST_WEIGHT, Network, OUTPUT_UNIT, POINTS, SECOND_UNIT, TABLE_UNIT, WEIGHT_UNIT, WIDTH,
};
