//! The network beside the table of values: what a board is worth, learnt from games.
//!
//! Every cell has two groups of codes, one for each colour ([`crate::eval::Code`]: the four shapes that a stone
//! would make). Each group has a vector of [`WIDTH`] numbers; the two of a cell are added, what is negative
//! becomes 0, and the results of all cells are summed up. Two small layers, of their own for each side to move, make
//! one number of these sums, which is added to the value of the table. All numbers are whole, so that every CPU
//! gives the same answer; no number depends on where a cell is, so that the eight images of a board are worth
//! the same.

mod file;
mod kernel;
mod state;
mod weights;

pub use file::BadNetwork;
pub use state::NetworkState;
pub use weights::{
    CELL_UNIT, HIDDEN, HIDDEN_UNIT, Head, INPUT_SHIFT, MOST_CELL, MOST_HIDDEN, MOST_INPUT, MOST_OUTPUT,
    Network, OUTPUT_UNIT, OUTPUT_WEIGHT_UNIT, POINTS, TABLE_UNIT, WEIGHT_UNIT, WIDTH,
};
