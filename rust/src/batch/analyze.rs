use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::row::{Moves, row};
use super::{Asked, BadPosition, Item, playable};
use crate::rules::winner;
use crate::search::{CallLimits, Engine, Query, Source};
use crate::types::Point;
use crate::types::score::{Score, loss_in, plies_to_end, win_in};

row! {
    /// What was found of one move of a position.
    pub struct AnalysisRow {
        /// The best move as the index of its point; -1 if there is no move.
        best: i16,
        /// The score for the side to move.
        score: i32,
        /// Plies to the five, negative for a loss, 0 if neither is sure.
        win_in: i16,
        /// The last finished depth, in plies.
        depth: u8,
        /// Positions looked at for the position.
        nodes: u64,
        /// Time for the position in microseconds.
        time_us: u32,
        /// Where the move comes from: a [`Source`], [`OVER_SOURCE`] or [`NO_SOURCE`].
        source: u8,
        /// The number of moves in `pv`.
        pv_len: u8,
        /// The principal variation as indices of points, cut off if the line is longer.
        pv: Moves<32>,
    }
}

impl AnalysisRow {
    /// The row of a position nobody looked at, or of a move that there is not.
    #[must_use]
    pub fn none() -> AnalysisRow {
        AnalysisRow {
            best: -1,
            score: 0,
            win_in: 0,
            depth: 0,
            nodes: 0,
            time_us: 0,
            source: NO_SOURCE,
            pv_len: 0,
            pv: Moves::of([]).0,
        }
    }

    /// This row for another move.
    fn of_move(self, best: Point, score: Score, source: Source, line: &[Point]) -> AnalysisRow {
        let (pv, shown) = Moves::of(line.iter().map(|point| point.index() as u8));
        AnalysisRow {
            best: best.index() as i16,
            score,
            win_in: plies_to_end(score).unwrap_or(0) as i16,
            source: source as u8,
            pv_len: shown as u8,
            pv,
            ..self
        }
    }

    /// The row of a position where the game is over, or black has no legal point.
    fn over(score: Score) -> AnalysisRow {
        let win_in = plies_to_end(score).unwrap_or(0) as i16;
        AnalysisRow { score, win_in, source: OVER_SOURCE, ..AnalysisRow::none() }
    }
}

/// In place of a [`Source`]: there is no move, because the game is over or black has no legal point.
pub const OVER_SOURCE: u8 = Source::ALL.len() as u8;

/// In place of a [`Source`]: nobody looked.
pub const NO_SOURCE: u8 = u8::MAX;

/// What is asked of every position.
#[derive(Clone, Copy, Debug)]
pub struct Analysis {
    /// The limits of the search of each position.
    pub limits: CallLimits,
    /// How many of the best moves of a position are wanted; each has a row of the result.
    pub multipv: usize,
    /// May a position profit from what was learnt from those before it?
    pub reuse: bool,
}

/// A worker for [`super::run`] with an engine of its own: a board and its turn (`None`: by the stone
/// counts) to as many rows as moves are asked for.
pub fn analyze<'a>(
    mut engine: Engine,
    analysis: Analysis,
    stop: &'a AtomicBool,
) -> impl FnMut(&Asked<'a>, &mut &mut [[u8; AnalysisRow::BYTES]]) -> Result<Item, BadPosition> {
    move |&(cells, turn), rows| {
        let (stones, turn) = playable(cells, turn)?;
        let start = Instant::now();
        if !analysis.reuse {
            engine.clear();
        }
        let Analysis { limits, multipv, .. } = analysis;
        let query = Query { stones, turn, limits, multipv, is_play: false, seed: 0 };
        // A flag of its own: the engine sets it at the end of every limit.
        let mut should_stop = || stop.load(Ordering::Relaxed);
        let answer = engine.think(&query, &AtomicBool::new(false), &mut should_stop, &mut |_| {});
        if stop.load(Ordering::Relaxed) {
            return Ok(Item::Stopped);
        }
        rows.fill(AnalysisRow::none().encode());
        let Ok(answer) = answer else {
            let score = match winner(&stones) {
                None => 0,
                Some(color) if color == turn => win_in(0),
                Some(_) => loss_in(0),
            };
            rows[0] = AnalysisRow::over(score).encode();
            return Ok(Item::Done);
        };
        let row = AnalysisRow {
            depth: u8::try_from(answer.depth).unwrap_or(u8::MAX),
            nodes: answer.nodes,
            time_us: u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX),
            ..AnalysisRow::none()
        };
        rows[0] = row.of_move(answer.best, answer.score, answer.source, &answer.pv).encode();
        let others = answer.candidates.iter().filter(|candidate| candidate.point != answer.best);
        for (other, place) in others.zip(&mut rows[1..]) {
            *place = row.of_move(other.point, other.score, Source::Search, &other.pv).encode();
        }
        Ok(Item::Done)
    }
}
