//! The array functions: the same question asked of many boards, on many threads.
//!
//! Boards come as slices of cells in the codes of the array API. Work is cut into chunks that
//! threads take in order; every result has its own place, so the answer does not depend on how many
//! threads there are.

mod analyze;
pub mod csv;
mod evaluate;
mod expand;
mod memo;
mod record;
pub mod row;
mod run;
mod solve;

pub use analyze::{Analysis, AnalysisRow, NO_SOURCE, OVER_SOURCE, analyze};
pub use evaluate::{Evaluator, Outlook};
pub use expand::{Expanded, Plies, expand, prefixes};
pub use memo::{Memo, ToSearch};
pub use record::{BadRecord, Record, parse};
pub use run::{Effort, Item, Plan, Report, cores, run};
pub use solve::{SolveRow, solve};

use crate::board::{Stones, UnclearTurn};
use crate::rules::{ForbiddenPoints, Scan, decode, winner};
use crate::threats::Survey;
use crate::types::{BOARD_POINTS, Color, Key, Point};

/// One board of an array: 0 empty, 1 black, 2 or -1 white, at `y * 15 + x`.
pub type Cells = [i8; BOARD_POINTS];

/// A board and who moves on it; `None` is for the stones to tell.
pub type Asked<'a> = (&'a Cells, Option<Color>);

/// A cell with a code that is none of 0, 1, 2, -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cell} (y={}, x={}) holds {code}, not 0, 1, 2 or -1", .cell.y(), .cell.x())]
pub struct BadCell {
    /// The point of the cell with a code that means nothing.
    pub cell: Point,
    /// The code that the cell holds.
    pub code: i128,
}

/// The stones of an array board.
pub fn stones_of(cells: &Cells) -> Result<Stones, BadCell> {
    decode(cells).map_err(|index| BadCell {
        cell: Point::from_index(index).expect("an index of a cell"),
        code: cells[index].into(),
    })
}

/// A board that cannot be played on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPosition {
    /// A cell holds a code that means nothing.
    #[error(transparent)]
    Cell(#[from] BadCell),
    /// Stone counts that do not tell the turn.
    #[error("{0}; give turns")]
    UnclearTurn(#[from] UnclearTurn),
}

/// The stones of an array board and who moves: the side given, or else the one the stones tell.
fn playable(cells: &Cells, turn: Option<Color>) -> Result<(Stones, Color), BadPosition> {
    let stones = stones_of(cells)?;
    Ok((stones, stones.turn_or(turn)?))
}

/// The forbidden code of every cell.
pub fn forbidden(cells: &Cells, codes: &mut [u8; BOARD_POINTS]) -> Result<Item, BadCell> {
    let points = Scan::of(&stones_of(cells)?).points();
    codes.fill(0);
    for (point, kind) in points.iter() {
        codes[point.index()] = kind as u8;
    }
    Ok(Item::Done)
}

/// The forbidden points of a board, by kind.
pub fn forbidden_points(cells: &Cells, points: &mut ForbiddenPoints) -> Result<Item, BadCell> {
    *points = Scan::of(&stones_of(cells)?).points();
    Ok(Item::Done)
}

row::row! {
    /// A forbidden point of one of many boards.
    pub struct ForbiddenRow {
        /// The index of the board.
        board: i64,
        /// The index of the point, `y * 15 + x`.
        point: u8,
        /// The kind of the foul: 1 double-three, 2 double-four, 3 overline.
        kind: u8,
    }
}

impl ForbiddenRow {
    /// Adds a row for each forbidden point of a board to the bytes of others.
    pub fn push_all(rows: &mut Vec<u8>, board: usize, points: &ForbiddenPoints) {
        for (point, kind) in points.iter() {
            let row = ForbiddenRow { board: board as i64, point: point.index() as u8, kind: kind as u8 };
            rows.extend(row.encode());
        }
    }
}

/// 1 if black has exactly five in a row, 2 if white has five or more, else 0.
pub fn winners(cells: &Cells, code: &mut i8) -> Result<Item, BadCell> {
    *code = winner(&stones_of(cells)?).map_or(0, |color| color as i8);
    Ok(Item::Done)
}

/// The threat code of every cell for a colour.
pub fn threat_map(color: Color, cells: &Cells, codes: &mut [u8; BOARD_POINTS]) -> Result<Item, BadCell> {
    let survey = Survey::of(&stones_of(cells)?, color);
    codes.fill(0);
    for (threat, cells) in survey.by_threat() {
        for point in cells.points() {
            codes[point.index()] = threat as u8;
        }
    }
    Ok(Item::Done)
}

/// The hash of a board with this side to move; without one, the side that has no more stones than
/// the other (black if equal).
pub fn key(cells: &Cells, turn: Option<Color>, symmetric: bool, key: &mut Key) -> Result<Item, BadCell> {
    let stones = stones_of(cells)?;
    let turn = turn.unwrap_or_else(|| turn_by_count(&stones));
    *key = if symmetric { stones.symmetric_key(turn).0 } else { stones.key(turn) };
    Ok(Item::Done)
}

fn turn_by_count(stones: &Stones) -> Color {
    if stones.black().len() <= stones.white().len() { Color::Black } else { Color::White }
}

/// The canonical image of a board, the number of the symmetry that leads there, and the key of the image,
/// which is that of all images. The turn is as for [`key`].
pub fn canonical(
    cells: &Cells,
    turn: Option<Color>,
    image: &mut Cells,
    symmetry: &mut u8,
    key: &mut Key,
) -> Result<Item, BadCell> {
    let stones = stones_of(cells)?;
    let (least, by) = stones.symmetric_key(turn.unwrap_or_else(|| turn_by_count(&stones)));
    write_cells(&stones.transformed(by), image);
    (*symmetry, *key) = (by.index() as u8, least);
    Ok(Item::Done)
}

/// The stones as an array board.
pub fn write_cells(stones: &Stones, cells: &mut Cells) {
    cells.fill(0);
    for color in Color::ALL {
        for point in stones.of(color).points() {
            cells[point.index()] = color as i8;
        }
    }
}
