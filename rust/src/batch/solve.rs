use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::row::{Moves, row};
use super::{Asked, BadPosition, Item, playable};
use crate::solve::{LimitHit, Question, Solver, Verdict};
use crate::threats::ThreatMap;

row! {
    /// What was found of one position.
    pub struct SolveRow {
        /// 1 proved, 0 refuted, -1 unknown.
        status: i8,
        /// The winning move as the index of its point; -1 if there is none.
        first: i16,
        /// The number of moves of the whole winning line.
        length: u16,
        /// The number of positions looked at.
        nodes: u64,
        /// The time that the search took, in microseconds.
        time_us: u32,
        /// The winning line, stones and replies, as indices of points, cut off if there are more.
        line: Moves<64>,
    }
}

impl SolveRow {
    /// The row of a position nobody looked at.
    #[must_use]
    pub fn none() -> SolveRow {
        SolveRow { status: -1, first: -1, length: 0, nodes: 0, time_us: 0, line: Moves::of([]).0 }
    }
}

/// A worker for [`super::run`] that looks for wins of the side to move: a board and its turn (`None`:
/// by the stone counts) to a row.
pub fn solve<'a>(
    question: Question,
    stop: &'a AtomicBool,
) -> impl FnMut(&Asked<'a>, &mut [u8; SolveRow::BYTES]) -> Result<Item, BadPosition> {
    let (mut solver, mut map) = (Solver::default(), ThreatMap::default());
    move |&(cells, turn), result| {
        let (stones, turn) = playable(cells, turn)?;
        let start = Instant::now();
        map.reset(&stones);
        let (verdict, nodes) = solver.solve(&mut map, turn, question, &mut || stop.load(Ordering::Relaxed));
        let time_us = u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX);
        let (status, line) = match verdict {
            Verdict::Proved(proof) => (1, proof.line()),
            Verdict::Refuted { .. } => (0, Vec::new()),
            Verdict::Unknown(LimitHit::Stop) => return Ok(Item::Stopped),
            Verdict::Unknown(_) => (-1, Vec::new()),
        };
        let row = SolveRow {
            status,
            first: line.first().map_or(-1, |point| point.index() as i16),
            length: line.len() as u16,
            nodes,
            time_us,
            line: Moves::of(line.iter().map(|point| point.index() as u8)).0,
        };
        *result = row.encode();
        Ok(Item::Done)
    }
}
