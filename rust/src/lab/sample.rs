use crate::batch::row::{BoardCells, row};
use crate::batch::{BadCell, stones_of};
use crate::board::Stones;
use crate::search::Source;
use crate::types::score::Score;
use crate::types::{BOARD_POINTS, Color, Point};

row! {
    /// A position as an array holds it.
    pub struct SampleRow {
        /// The stones: 0 empty, 1 black, 2 white.
        board: BoardCells,
        /// Who moves: 1 black, 2 white.
        turn: u8,
        /// The score that the search found for the side to move, in points.
        score: i32,
        /// The move that the search chose, which is not always the one that was played.
        r#move: i16,
        /// 1 if the side to move won the game, 0 in a draw, -1 if it lost.
        result: i8,
        /// Whether the game says nothing of the position: it stands beside the game, or a random move came after.
        score_only: bool,
        /// Where the move comes from, a [`Source`].
        source: u8,
        /// The number of the game.
        game: u32,
    }
}

/// The bytes of a [`SampleRow`].
pub type SampleBytes = [u8; SampleRow::BYTES];

/// A position with what the search thought of it and how its game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The stones of the position.
    pub stones: Stones,
    /// The colour that is to move.
    pub turn: Color,
    /// The score that the search found for the side to move, in points.
    pub score: Score,
    /// The move that the search chose, which is not always the one that was played.
    pub best: Point,
    /// 1 if the side to move won the game, -1 if it lost, 0 in a draw or if the game says nothing of the
    /// position.
    pub result: i8,
    /// Does the game say nothing of the position? It stands beside the game, or a random move came after it.
    pub score_only: bool,
    /// The step of the engine that the move comes from.
    pub source: Source,
    /// The number of the game.
    pub game: u32,
}

/// A row that is no position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRow {
    /// A cell holds a code that means nothing.
    #[error(transparent)]
    Cell(#[from] BadCell),
    /// The turn is that of neither colour.
    #[error("turn is 1 or 2, not {0}")]
    Turn(u8),
    /// The move is no empty point.
    #[error("move {0} is no empty point of the board")]
    Move(i16),
    /// The result is none of a game.
    #[error("result is -1, 0 or 1, not {0}")]
    Result(i8),
    /// The source is none of a move.
    #[error("source is a number from 0 to 8, not {0}")]
    Source(u8),
}

impl Sample {
    /// The position as a row.
    #[must_use]
    pub fn encode(&self) -> SampleBytes {
        let mut board = [0; BOARD_POINTS];
        for color in Color::ALL {
            for point in self.stones.of(color).points() {
                board[point.index()] = color as u8;
            }
        }
        let row = SampleRow {
            board: BoardCells(board),
            turn: self.turn as u8,
            score: self.score,
            r#move: self.best.index() as i16,
            result: self.result,
            score_only: self.score_only,
            source: self.source as u8,
            game: self.game,
        };
        row.encode()
    }

    /// The position of a row.
    pub fn decode(row: &SampleBytes) -> Result<Sample, BadRow> {
        let row = SampleRow::decode(row);
        let stones = stones_of(&row.board.0.map(|code| code as i8))?;
        let point = usize::try_from(row.r#move).ok().and_then(Point::from_index);
        if !(-1..=1).contains(&row.result) {
            return Err(BadRow::Result(row.result));
        }
        Ok(Sample {
            stones,
            turn: Color::from_code(row.turn).ok_or(BadRow::Turn(row.turn))?,
            score: row.score,
            best: point.filter(|&point| stones.at(point).is_none()).ok_or(BadRow::Move(row.r#move))?,
            result: row.result,
            score_only: row.score_only,
            source: Source::ALL.get(usize::from(row.source)).copied().ok_or(BadRow::Source(row.source))?,
            game: row.game,
        })
    }
}
