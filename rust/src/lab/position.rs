use crate::batch::{BadCell, stones_of};
use crate::board::Stones;
use crate::search::Source;
use crate::types::score::Score;
use crate::types::{BOARD_POINTS, Color, Point};

/// Bytes of one position, little-endian and without gaps: board 225 x u8 (0 empty, 1 black, 2 white), turn u8,
/// score i32, move i16, result i8, score only u8, source u8, game u32.
pub const POSITION_BYTES: usize = BOARD_POINTS + 1 + 4 + 2 + 1 + 1 + 1 + 4;

/// A position as an array holds it.
pub type PositionRow = [u8; POSITION_BYTES];

/// A position with what the search thought of it and how its game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The stones.
    pub stones: Stones,
    /// Who moves.
    pub turn: Color,
    /// What the search found, for the side to move.
    pub score: Score,
    /// The move it chose, which is not always the one that was played.
    pub best: Point,
    /// 1 if the side to move won the game, -1 if it lost, 0 in a draw or if the game says nothing of it.
    pub result: i8,
    /// Does the game say nothing of it? The position stands beside the game, or a random move came after it.
    pub score_only: bool,
    /// Where the move comes from.
    pub source: Source,
    /// The number of the game.
    pub game: u32,
}

/// A row that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRow {
    /// A code that is none.
    #[error(transparent)]
    Cell(#[from] BadCell),
    /// Neither colour moves.
    #[error("turn is 1 or 2, not {0}")]
    Turn(u8),
    /// The move is no empty point.
    #[error("move {0} is no empty point of the board")]
    Move(i16),
    /// No result of a game.
    #[error("result is -1, 0 or 1, not {0}")]
    Result(i8),
    /// No source of a move.
    #[error("source is a number from 0 to 8, not {0}")]
    Source(u8),
}

impl Position {
    /// The position as a row.
    ///
    /// # Panics
    /// Never: the fields fill the row.
    #[must_use]
    pub fn encode(&self) -> PositionRow {
        let mut row = [0; POSITION_BYTES];
        for color in Color::ALL {
            for point in self.stones.of(color).points() {
                row[point.index()] = color as u8;
            }
        }
        let [s0, s1, s2, s3] = self.score.to_le_bytes();
        let [m0, m1] = (self.best.index() as i16).to_le_bytes();
        let [g0, g1, g2, g3] = self.game.to_le_bytes();
        let rest = [
            self.turn as u8,
            s0,
            s1,
            s2,
            s3,
            m0,
            m1,
            self.result as u8,
            u8::from(self.score_only),
            self.source as u8,
            g0,
            g1,
            g2,
            g3,
        ];
        row[BOARD_POINTS..].copy_from_slice(&rest);
        row
    }

    /// The position of a row.
    pub fn decode(row: &PositionRow) -> Result<Position, BadRow> {
        let (cells, rest) = row.split_first_chunk::<BOARD_POINTS>().expect("a row begins with a board");
        let &[turn, s0, s1, s2, s3, m0, m1, result, score_only, source, g0, g1, g2, g3] = rest else {
            unreachable!("the fields fill the row")
        };
        let stones = stones_of(&cells.map(|code| code as i8))?;
        let (best, result) = (i16::from_le_bytes([m0, m1]), result as i8);
        let point = usize::try_from(best).ok().and_then(Point::from_index);
        if !(-1..=1).contains(&result) {
            return Err(BadRow::Result(result));
        }
        Ok(Position {
            stones,
            turn: Color::from_code(turn).ok_or(BadRow::Turn(turn))?,
            score: Score::from_le_bytes([s0, s1, s2, s3]),
            best: point.filter(|&point| stones.at(point).is_none()).ok_or(BadRow::Move(best))?,
            result,
            score_only: score_only != 0,
            source: Source::ALL.get(usize::from(source)).copied().ok_or(BadRow::Source(source))?,
            game: u32::from_le_bytes([g0, g1, g2, g3]),
        })
    }
}
