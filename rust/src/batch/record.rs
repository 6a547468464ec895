use super::{Cells, Item, write_cells};
use crate::record::{NotationError, parse_moves};
use crate::rules::{IllegalRecord, Position};
use crate::types::{BOARD_POINTS, Move};

/// The moves of a game, as they come.
#[derive(Clone, Copy, Debug)]
pub enum Record<'a> {
    /// The moves as text, such as "h8i9".
    Text(&'a str),
    /// The moves as numbers: 0..=224 for a point, 225 for a pass.
    Numbers(&'a [u8]),
}

/// A record that gives no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRecord {
    /// The text of the record cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A number of the record is no move.
    #[error("move {number}: {code} is off the board: points are 0..{}, a pass is {BOARD_POINTS}", BOARD_POINTS - 1)]
    OffBoard {
        /// The number of the move in the record, from 1.
        number: usize,
        /// The number that stands for the move.
        code: u8,
    },
    /// The moves of the record cannot be made.
    #[error(transparent)]
    Illegal(#[from] IllegalRecord),
}

impl Record<'_> {
    /// The moves, whether they can be made or not.
    pub fn moves(self) -> Result<Vec<Move>, BadRecord> {
        match self {
            Record::Text(text) => Ok(parse_moves(text)?),
            Record::Numbers(codes) => codes
                .iter()
                .enumerate()
                .map(|(n, &code)| {
                    Move::from_index(code.into()).ok_or(BadRecord::OffBoard { number: n + 1, code })
                })
                .collect(),
        }
    }
}

/// The board after the moves of a record, and whose turn it is.
pub fn parse(record: Record<'_>, referee: bool, cells: &mut Cells, turn: &mut i8) -> Result<Item, BadRecord> {
    let mut position = Position::new(referee, None);
    position.play_all(&record.moves()?)?;
    write_cells(position.stones(), cells);
    *turn = position.turn() as i8;
    Ok(Item::Done)
}
