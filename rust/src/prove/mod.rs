//! Sure wins of order 3, with the engine to say which moves are worth trying.
//!
//! The solver itself is in `solve` and knows no values. What it needs of the engine and of the value of a move comes
//! from here, above `search`: so the engine never depends on a solver that depends on the engine.

use std::sync::atomic::AtomicBool;

use crate::board::Stones;
use crate::eval::{Scores, Terms, move_value};
use crate::search::{CallLimits, Engine, Level, Params, Query};
use crate::solve::{Hints, MoveOrder, QuietOptions, QuietSolver, QuietStats, QuietVerdict, VcfSolver};
use crate::threats::ThreatMap;
use crate::types::{Bitboard, Color, Point};

/// The nodes of the engine that put the moves of one position in order.
const ORDER_NODES: u64 = 15_000;

/// The moves of the engine that get exact scores; they come first.
const EXACT_MOVES: usize = 6;

/// Bytes of the engine's table.
const TABLE_BYTES: usize = 16 << 20;

/// The order of moves by the engine: those it prefers first, all others by what they are worth at a glance.
pub struct EngineOrder {
    engine: Engine,
    scores: Scores,
    terms: Terms,
    vcf: VcfSolver,
    /// Moves that are tried before all others.
    first: Vec<Point>,
}

impl EngineOrder {
    /// An order by the strongest level, without its own search for threats, that tries the moves of `first`, such as
    /// those that won in similar positions, before all others; `None` if there is no memory for its table.
    #[must_use]
    pub fn new(first: Vec<Point>) -> Option<EngineOrder> {
        let params = Params { vct: false, ..Params::of(Level::Master) };
        let (scores, terms) = (params.scores.clone(), params.terms());
        let engine = Engine::new(params, TABLE_BYTES, 1)?;
        Some(EngineOrder { engine, scores, terms, vcf: VcfSolver::default(), first })
    }

    /// Sorts moves of a colour by what they are worth at a glance.
    fn sort(&mut self, map: &mut ThreatMap, color: Color, moves: &mut [Point]) {
        let value = |&p: &Point| {
            -i64::from(move_value(map, color, p, &self.scores, self.terms, &mut self.vcf).total())
        };
        moves.sort_by_cached_key(value);
    }
}

impl MoveOrder for EngineOrder {
    fn attacks(
        &mut self,
        stones: &Stones,
        attacker: Color,
        moves: &mut Vec<Point>,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> u64 {
        let limits = CallLimits { time: None, nodes: Some(ORDER_NODES), depth: None };
        let query =
            Query { stones: *stones, turn: attacker, limits, multipv: EXACT_MOVES, is_play: false, seed: 0 };
        let stop = AtomicBool::new(false);
        let answer = self.engine.think(&query, &stop, should_stop, &mut |_| {});
        let mut preferred = self.first.clone();
        // Without a move there is nothing to put in order.
        let nodes = answer.map_or(0, |answer| {
            preferred.extend(answer.candidates.iter().map(|candidate| candidate.point));
            answer.nodes
        });
        let mut known = Bitboard::EMPTY;
        preferred.retain(|&p| {
            let is_new = !known.contains(p);
            known.insert(p);
            is_new
        });
        let mut map = ThreatMap::new(stones);
        let mut rest: Vec<Point> = stones.empty().points().collect();
        rest.retain(|p| !preferred.contains(p) && map.is_legal(attacker, *p));
        self.sort(&mut map, attacker, &mut rest);
        moves.extend(preferred);
        moves.extend(rest);
        nodes
    }

    fn replies(&mut self, map: &mut ThreatMap, defender: Color, replies: &mut [Point]) {
        self.sort(map, defender, replies);
    }
}

/// There is no memory for the table of the engine that orders the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory for the table of the engine that orders the moves")]
pub struct NoMemory;

/// Looks for a win of order 3 of `attacker`, to move, trying the moves of `first` before all others. With a limit of
/// nodes and none of time the answer is always the same. `should_stop` is asked now and then.
///
/// # Panics
/// If the threat limit is not a number from 1 to [`crate::solve::MOST_THREAT_FOURS`].
pub fn prove(
    stones: &Stones,
    attacker: Color,
    options: QuietOptions,
    first: Vec<Point>,
    hints: &Hints,
    should_stop: &mut dyn FnMut() -> bool,
) -> Result<(QuietVerdict, QuietStats), NoMemory> {
    let mut order = EngineOrder::new(first).ok_or(NoMemory)?;
    Ok(QuietSolver::default().solve(stones, attacker, options, hints, &mut order, should_stop))
}
