//! Moves, boards and plain game files as text.

mod diagram;
mod moves;
mod psq;
mod sgf;

pub use diagram::{Diagram, DiagramError, parse_diagram, print_diagram};
pub use moves::{parse_move, parse_moves, print_moves};
pub use psq::psq_line;
pub use sgf::{SgfGame, next_sgf_game};

/// Text that is not a move, with the place where it went wrong (both counted from 1, in characters).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct NotationError {
    /// The number of the line in the text, from 1.
    pub line: usize,
    /// The number of the character in its line, from 1.
    pub column: usize,
    /// What is wrong at this place of the text.
    pub fault: Fault,
}

/// What can be wrong with the text of a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A character that starts no move.
    #[error("{0:?} starts no point (A1..O15) and no pass")]
    Unexpected(char),
    /// A column letter beyond O.
    #[error("column {0:?} is off the board (A..O)")]
    Column(char),
    /// A row outside 1..=15.
    #[error("row {0} is off the board (1..15)")]
    Row(String),
    /// A column letter without a row.
    #[error("{0:?} has no row number after it")]
    NoRow(char),
    /// Nothing where one move was wanted.
    #[error("a point was expected, the text is empty")]
    Empty,
    /// A pass where a point was wanted.
    #[error("a point was expected, not a pass")]
    Pass,
    /// More than the one move that was wanted.
    #[error("one point was expected, there is more text")]
    More,
}
