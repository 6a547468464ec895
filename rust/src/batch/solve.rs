use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::{Asked, BadPosition, Item, NO_MOVE, pack, playable};
use crate::solve::{LimitHit, Question, Solver, Verdict};

/// Bytes of one result, little-endian and without gaps: status i8, first i16, length u16, nodes u64,
/// time in microseconds u32, line 64 x u8.
pub const SOLVE_BYTES: usize = 1 + 2 + 2 + 8 + 4 + LINE_BYTES;

/// Moves of a line that fit into a result.
const LINE_BYTES: usize = 64;

/// A worker for [`super::run`] that looks for wins of the side to move: a board and its turn (`None`:
/// by the stone counts) to a result.
pub fn solve<'a>(
    question: Question,
    stop: &'a AtomicBool,
) -> impl FnMut(&Asked<'a>, &mut [u8; SOLVE_BYTES]) -> Result<Item, BadPosition> {
    let mut solver = Solver::default();
    move |&(cells, turn), result| {
        let (stones, turn) = playable(cells, turn)?;
        let start = Instant::now();
        let (verdict, nodes) = solver.solve(&stones, turn, question, &mut || stop.load(Ordering::Relaxed));
        let time_us = u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX);
        let (status, line) = match verdict {
            Verdict::Proved(proof) => (1, proof.line()),
            Verdict::Refuted { .. } => (0, Vec::new()),
            Verdict::Unknown(LimitHit::Stop) => return Ok(Item::Stopped),
            Verdict::Unknown(_) => (-1, Vec::new()),
        };
        *result = encode(status, &line.iter().map(|p| p.index() as u8).collect::<Vec<_>>(), nodes, time_us);
        Ok(Item::Done)
    }
}

/// The result of a position nobody looked at.
#[must_use]
pub fn unsolved() -> [u8; SOLVE_BYTES] {
    encode(-1, &[], 0, 0)
}

fn encode(status: i8, line: &[u8], nodes: u64, time_us: u32) -> [u8; SOLVE_BYTES] {
    let first = line.first().map_or(-1, |&point| i16::from(point));
    let mut moves = [NO_MOVE; LINE_BYTES];
    let shown = line.len().min(LINE_BYTES);
    moves[..shown].copy_from_slice(&line[..shown]);
    pack(&[
        &status.to_le_bytes(),
        &first.to_le_bytes(),
        &(line.len() as u16).to_le_bytes(),
        &nodes.to_le_bytes(),
        &time_us.to_le_bytes(),
        &moves,
    ])
}
