use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::{Asked, BadPosition, Item, NO_MOVE, pack, playable};
use crate::rules::winner;
use crate::search::{CallLimits, Engine, Query, Source};
use crate::types::Point;
use crate::types::score::{Score, loss_in, plies_to_end, win_in};

/// Bytes of one result, little-endian and without gaps: best i16, score i32, win_in i16, depth u8, nodes u64,
/// time in microseconds u32, source u8, moves of the line u8, line 32 x u8.
pub const ANALYSIS_BYTES: usize = 2 + 4 + 2 + 1 + 8 + 4 + 1 + 1 + LINE_BYTES;

/// A row of the result.
pub type AnalysisRow = [u8; ANALYSIS_BYTES];

/// Moves of a line that fit into a result.
const LINE_BYTES: usize = 32;

/// In place of a [`Source`]: there is no move, because the game is over or black has no legal point.
pub const OVER_SOURCE: u8 = Source::ALL.len() as u8;

/// In place of a [`Source`]: nobody looked.
pub const NO_SOURCE: u8 = u8::MAX;

/// What is asked of every position.
#[derive(Clone, Copy, Debug)]
pub struct Analysis {
    /// Limits of each.
    pub limits: CallLimits,
    /// So many best moves; each has a row of the result.
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
) -> impl FnMut(&Asked<'a>, &mut &mut [AnalysisRow]) -> Result<Item, BadPosition> {
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
        rows.fill(unanalyzed());
        let Ok(answer) = answer else {
            let score = match winner(&stones) {
                None => 0,
                Some(color) if color == turn => win_in(0),
                Some(_) => loss_in(0),
            };
            rows[0] = encode(&Row { score, source: OVER_SOURCE, ..Row::default() });
            return Ok(Item::Done);
        };
        let row = Row {
            best: Some(answer.best),
            score: answer.score,
            depth: answer.depth,
            nodes: answer.nodes,
            time_us: u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX),
            source: answer.source as u8,
            line: &answer.pv,
        };
        rows[0] = encode(&row);
        let others = answer.candidates.iter().filter(|candidate| candidate.point != answer.best);
        for (other, place) in others.zip(&mut rows[1..]) {
            let source = Source::Search as u8;
            let Row { depth, nodes, time_us, .. } = row;
            let line = &other.pv;
            *place = encode(&Row {
                best: Some(other.point),
                score: other.score,
                depth,
                nodes,
                time_us,
                source,
                line,
            });
        }
        Ok(Item::Done)
    }
}

/// The row of a position nobody looked at, or of a move that there is not.
#[must_use]
pub fn unanalyzed() -> AnalysisRow {
    encode(&Row::default())
}

struct Row<'a> {
    best: Option<Point>,
    score: Score,
    depth: u32,
    nodes: u64,
    time_us: u32,
    source: u8,
    line: &'a [Point],
}

impl Default for Row<'_> {
    fn default() -> Self {
        Row { best: None, score: 0, depth: 0, nodes: 0, time_us: 0, source: NO_SOURCE, line: &[] }
    }
}

fn encode(row: &Row<'_>) -> AnalysisRow {
    let best = row.best.map_or(-1, |point| point.index() as i16);
    let win_in = plies_to_end(row.score).unwrap_or(0) as i16;
    let depth = u8::try_from(row.depth).unwrap_or(u8::MAX);
    let shown = row.line.len().min(LINE_BYTES);
    let mut moves = [NO_MOVE; LINE_BYTES];
    for (place, point) in moves.iter_mut().zip(row.line) {
        *place = point.index() as u8;
    }
    pack(&[
        &best.to_le_bytes(),
        &row.score.to_le_bytes(),
        &win_in.to_le_bytes(),
        &[depth],
        &row.nodes.to_le_bytes(),
        &row.time_us.to_le_bytes(),
        &[row.source],
        &[shown as u8],
        &moves,
    ])
}
