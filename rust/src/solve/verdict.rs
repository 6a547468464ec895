use std::time::{Duration, Instant};

use super::Proof;

/// What may end a search before it knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The number of positions that may be looked at.
    pub nodes: Option<u64>,
    /// The time that a search may take; without it no clock is read.
    pub time: Option<Duration>,
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitHit {
    /// The nodes were used up.
    Nodes,
    /// The time was used up.
    Time,
    /// The memory was used up.
    Memory,
    /// A win was found, but its tree has too many stones to be told.
    Tree,
    /// Somebody asked the search to stop.
    Stop,
}

impl LimitHit {
    /// All limits that a search can hit.
    pub const ALL: [LimitHit; 5] =
        [LimitHit::Nodes, LimitHit::Time, LimitHit::Memory, LimitHit::Tree, LimitHit::Stop];

    /// The name of the limit in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LimitHit::Nodes => "nodes",
            LimitHit::Time => "time",
            LimitHit::Memory => "memory",
            LimitHit::Tree => "tree",
            LimitHit::Stop => "stop",
        }
    }
}

/// What a solver found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a win, and this is its proof.
    Proved(Proof),
    /// There is no win of this kind within the depth asked for; none at all if `exhausted`.
    Refuted {
        /// No branch was cut by the depth.
        exhausted: bool,
    },
    /// A limit was hit before the solver knew.
    Unknown(LimitHit),
}

/// The nodes and the time that are left.
pub struct Budget<'a> {
    nodes: u64,
    most_nodes: u64,
    deadline: Option<Instant>,
    should_stop: &'a mut dyn FnMut() -> bool,
}

/// The number of nodes after which the clock is read and `should_stop` asked: a quarter of a millisecond of fours,
/// some milliseconds of threats.
const LOOK_EVERY: u64 = 1024;

impl<'a> Budget<'a> {
    /// A budget that starts now.
    pub fn new(limits: Limits, should_stop: &'a mut dyn FnMut() -> bool) -> Budget<'a> {
        Budget {
            nodes: 0,
            most_nodes: limits.nodes.unwrap_or(u64::MAX),
            // A time no clock can hold is no limit.
            deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
            should_stop,
        }
    }

    /// The number of nodes that were used.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Puts another number of nodes in place of the limit, which is returned.
    pub(super) fn replace_most(&mut self, most_nodes: u64) -> u64 {
        std::mem::replace(&mut self.most_nodes, most_nodes)
    }

    /// Takes one node, or says why there is none left.
    #[inline]
    pub fn take(&mut self) -> Result<(), LimitHit> {
        if self.nodes >= self.most_nodes {
            return Err(LimitHit::Nodes);
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(LOOK_EVERY) { self.look() } else { Ok(()) }
    }

    /// Reads the clock and asks whether to stop, now.
    #[cold]
    pub fn look(&mut self) -> Result<(), LimitHit> {
        if (self.should_stop)() {
            return Err(LimitHit::Stop);
        }
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(LimitHit::Time);
        }
        Ok(())
    }
}
