//! 呼手 (yobi), order 3: wins in which a stone of the attacker may also be quiet, if a pass after it would lose to a VCT.
//!
//! The attacker to move wins by a VCT, or by a stone after which the defender loses whatever it does. That stone makes
//! a four, whose block is the only reply; or the attacker would have a VCT if the defender passed. Then every legal
//! reply is met: by the tree of the pass, played against it move by move; by a tree that won against another reply, in
//! the same way; or by a search.
//!
//! The search goes by proof numbers, best first. A leaf is a VCT search with a limit of nodes; where it fails, a
//! higher limit is tried before the quiet moves are. All legal moves of the attacker are tried in the end, those first
//! that a [`MoveOrder`] names first. A position is refuted for good only if no limit had a part in it.
//!
//! The zone of a tree is a guess that saves time: before a position counts as won, the tree of the pass has been
//! played against every legal reply that was not searched.

mod bytes;
mod check;
mod expand;
mod follow;
mod graph;
mod hints;
mod proof;
mod search;
#[cfg(test)]
mod tests;

pub use bytes::BadBytes;
pub use check::{Coverage, legal_replies, verify_quiet};
pub use follow::{Step, follow};
pub use hints::Hints;
pub use proof::{Decision, EntryId, QuietProof, TreeId};

use std::time::Instant;

use self::search::Search;
use super::{LimitHit, Limits, MOST_THREAT_FOURS, VcfSolver, VctSolver};
use crate::board::Stones;
use crate::rules::fives_of;
use crate::threats::ThreatMap;
use crate::types::{Color, Point};

/// In which order moves are tried. The solver knows no values of moves: who calls it does.
pub trait MoveOrder {
    /// Adds moves of the attacker that are worth trying, the most promising first; the solver tries all other legal
    /// ones after them, those next to stones first. Returns the nodes it took.
    fn attacks(
        &mut self,
        stones: &Stones,
        attacker: Color,
        moves: &mut Vec<Point>,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> u64;

    /// Sorts replies of the defender, the most troublesome first.
    fn replies(&mut self, map: &mut ThreatMap, defender: Color, replies: &mut [Point]);
}

/// Tries moves in the order of the board.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardOrder;

impl MoveOrder for BoardOrder {
    fn attacks(&mut self, _: &Stones, _: Color, _: &mut Vec<Point>, _: &mut dyn FnMut() -> bool) -> u64 {
        0
    }

    fn replies(&mut self, _: &mut ThreatMap, _: Color, _: &mut [Point]) {}
}

/// How a win of order 3 is looked for.
#[derive(Clone, Copy, Debug)]
pub struct QuietOptions {
    /// Most fours of a threat in the VCTs, 1 to 3.
    pub threat_limit: usize,
    /// The nodes of the VCT searches with the attacker to move, each made only where the one before failed.
    pub leaf_nodes: [u64; 3],
    /// The nodes of the VCT searches after a pass of the defender, the second made only where the first failed.
    pub pass_nodes: [u64; 2],
    /// Most bytes of the graph of positions.
    pub memory: usize,
    /// The nodes, those of leaf searches and of the order of moves included, and the time after which the search
    /// gives up.
    pub limits: Limits,
}

impl Default for QuietOptions {
    fn default() -> QuietOptions {
        QuietOptions {
            threat_limit: 1,
            leaf_nodes: [100_000, 1_000_000, 4_000_000],
            pass_nodes: [150_000, 1_500_000],
            memory: 1 << 30,
            limits: Limits::default(),
        }
    }
}

/// Why it is open whether there is a win of order 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenReason {
    /// A limit of the whole search was hit.
    Limit(LimitHit),
    /// Every move failed, but some only because leaf searches gave up.
    Leaves,
}

impl OpenReason {
    /// The name of the reason in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OpenReason::Limit(limit) => limit.name(),
            OpenReason::Leaves => "leaves",
        }
    }
}

/// What is known of a win of order 3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuietVerdict {
    /// There is a win, and this is its proof.
    Proved(QuietProof),
    /// There is no win of order 3 with threats of that length: every move was tried, and no limit had a part in it.
    Refuted,
    /// It is open whether there is a win, for this reason.
    Open(OpenReason),
}

/// What a search of order 3 did, in counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuietStats {
    /// Nodes of all leaf searches and of the order of moves, and attacks of trees that were played again.
    pub nodes: u64,
    /// Positions that the graph held in the end.
    pub positions: u64,
    /// VCT searches.
    pub leaves: u64,
    /// VCT searches that found a win.
    pub leaves_won: u64,
    /// Replies that were answered by the tree of a sibling.
    pub inherited: u64,
    /// Positions with the defender to move whose replies were worked out.
    pub attacks: u64,
    /// Positions of which the attacker's moves were put in order.
    pub ordered: u64,
}

/// How often a search that was cut by its leaf limits alone is begun again with limits four times as high.
const ROUNDS: u32 = 3;

/// Finds wins of order 3. Keeps the memory of its leaf solvers from one position to the next, but nothing in it.
#[derive(Clone, Default)]
pub struct QuietSolver {
    vct: VctSolver,
    vcf: VcfSolver,
}

impl QuietSolver {
    /// Looks for a win of `attacker`, to move, and tries first what the hints say. On a board where somebody has five or
    /// more already there is none. `should_stop` is asked now and then.
    ///
    /// # Panics
    /// If the threat limit is not a number from 1 to [`MOST_THREAT_FOURS`].
    pub fn solve(
        &mut self,
        stones: &Stones,
        attacker: Color,
        options: QuietOptions,
        hints: &Hints,
        order: &mut dyn MoveOrder,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> (QuietVerdict, QuietStats) {
        assert!((1..=MOST_THREAT_FOURS).contains(&options.threat_limit), "a threat is 1 to 3 fours");
        let mut stats = QuietStats::default();
        if fives_of(stones.black(), false) || fives_of(stones.white(), false) {
            return (QuietVerdict::Refuted, stats);
        }
        let deadline = options.limits.time.and_then(|time| Instant::now().checked_add(time));
        for round in 0..ROUNDS {
            let options = raised(options, 4u64.pow(round));
            let mut map = ThreatMap::new(stones);
            let mut search =
                Search::new(self, &mut map, attacker, options, hints, order, should_stop, deadline, stats);
            let verdict = search.run();
            stats = search.stats();
            match verdict {
                Err(limit) => return (QuietVerdict::Open(OpenReason::Limit(limit)), stats),
                Ok(Some(verdict)) => return (verdict, stats),
                Ok(None) => {}
            }
        }
        (QuietVerdict::Open(OpenReason::Leaves), stats)
    }
}

/// The options with higher limits of leaf searches.
fn raised(options: QuietOptions, times: u64) -> QuietOptions {
    let raise = |nodes: u64| nodes.saturating_mul(times);
    let (leaf_nodes, pass_nodes) = (options.leaf_nodes.map(raise), options.pass_nodes.map(raise));
    QuietOptions { leaf_nodes, pass_nodes, ..options }
}
