use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::late_map::LateMap;
use super::order::MoveList;
use super::view::View;
use super::{Params, Stats, Table};
use crate::eval::{CellKind, CellMap, four_threes};
use crate::network::{Network, NetworkState};
use crate::rules::Forbidden;
use crate::solve::{Budget, FourSearch, Limits, VcfSolver};
use crate::threats::{ThreatMap, VerdictCache};
use crate::types::score::{MOST_PLIES, MOST_STATIC, Score};
use crate::types::{BOARD_POINTS, Color, Key, Point, side_key, stone_key};

/// The search was told to stop; what it was doing counts for nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// The number of nodes, or of work that takes as long, after which the clock is read and the caller asked.
const LOOK_EVERY: u64 = 1024;

/// What ends a search, shared by its threads.
pub struct Control<'a> {
    /// Set by anyone, obeyed by all.
    pub stop: &'a AtomicBool,
    /// The number of nodes that this thread may use.
    pub nodes: u64,
    /// When the time is up; without it no clock is read.
    pub deadline: Option<Instant>,
    /// Asked now and then; true ends the search.
    pub should_stop: &'a mut dyn FnMut() -> bool,
}

/// What a thread needs for a search and keeps from one to the next, though nothing in it: allocating it
/// would take longer than many a search.
pub struct Memory {
    /// Key: colour; value: the memory of its searches by fours.
    pub(super) fours: [FourSearch; 2],
    pub(super) vcf: VcfSolver,
    verdicts: VerdictCache,
    /// Key: ply; value: the last two moves that cut the search off there.
    pub(super) killers: Vec<[Option<Point>; 2]>,
    /// Key: colour, point; value: how often the move cut the search off, weighted by depth.
    pub(super) history: [[i32; BOARD_POINTS]; 2],
    /// Key: colour, point; value: the share of its history that counts in the order of moves.
    pub(super) history_order: [[i32; BOARD_POINTS]; 2],
    /// Key: ply; value: the moves that are left to be tried there.
    pub(super) moves: Vec<MoveList>,
    /// Key: ply; value: the best line from that ply on.
    pub(super) lines: Vec<Vec<Point>>,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory {
            fours: [FourSearch::small(), FourSearch::small()],
            vcf: VcfSolver::default(),
            verdicts: VerdictCache::default(),
            killers: vec![[None; 2]; MOST_PLIES + 1],
            history: [[0; BOARD_POINTS]; 2],
            history_order: [[0; BOARD_POINTS]; 2],
            moves: vec![MoveList::EMPTY; MOST_PLIES + 1],
            lines: vec![Vec::new(); MOST_PLIES + 2],
        }
    }
}

impl Memory {
    fn forget(&mut self) {
        self.fours.iter_mut().for_each(FourSearch::forget);
        // So that the counters do not depend on earlier searches; the verdicts would be the same.
        self.verdicts = VerdictCache::default();
        self.killers.fill([None; 2]);
        self.history = [[0; BOARD_POINTS]; 2];
        self.history_order = [[0; BOARD_POINTS]; 2];
    }
}

/// One thread's search: its board, its memory of good moves, its counters.
pub struct Worker<'a> {
    pub(super) params: &'a Params,
    pub(super) table: &'a Table,
    pub(super) control: Control<'a>,
    pub(super) map: LateMap,
    /// The hash of the stones.
    stones_key: Key,
    pub(super) cells: CellMap,
    /// The sums of the network, if boards are valued by one.
    pub(super) network: Option<NetworkState>,
    pub(super) memory: &'a mut Memory,
    pub(super) root_turn: Color,
    /// Was the line to the current position made longer because of a high score?
    pub(super) is_extended: bool,
    pub(super) extension_nodes: u64,
    /// A move that is left out at a ply: the ply and the move.
    pub(super) excluded: Option<(usize, Point)>,
    pub(super) seldepth: usize,
    /// Does this thread begin a ply deeper than others?
    pub(super) skip_first_depth: bool,
    pub(super) stats: Stats,
    nodes: u64,
    /// Work since the clock was last read.
    unseen: u64,
}

impl<'a> Worker<'a> {
    /// A search of the board of these two maps, valued by the network if there is one, with this side to move.
    pub fn new(
        params: &'a Params,
        table: &'a Table,
        memory: &'a mut Memory,
        control: Control<'a>,
        (map, cells): (ThreatMap, CellMap),
        network: Option<&Arc<Network>>,
        turn: Color,
    ) -> Worker<'a> {
        memory.forget();
        Worker {
            params,
            table,
            control,
            stones_key: map.key(Color::Black),
            map: LateMap::new(map),
            network: network.map(|network| NetworkState::new(Arc::clone(network), &cells)),
            cells,
            memory,
            root_turn: turn,
            is_extended: false,
            extension_nodes: 0,
            excluded: None,
            seldepth: 0,
            skip_first_depth: false,
            stats: Stats::default(),
            nodes: 0,
            unseen: 0,
        }
    }

    /// Positions looked at, those of the searches by fours included.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What the search did, in counters.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// What can be read off the position.
    #[inline]
    pub(super) fn view(&self) -> View<'_> {
        View { params: self.params, cells: &self.cells }
    }

    /// Takes one node, or says that none is left.
    #[inline]
    pub(super) fn take_node(&mut self) -> Result<(), Stopped> {
        self.count_nodes(1)?;
        self.stats.search_nodes += 1;
        Ok(())
    }

    fn count_nodes(&mut self, nodes: u64) -> Result<(), Stopped> {
        self.nodes += nodes;
        if self.nodes >= self.control.nodes {
            return Err(Stopped);
        }
        self.charge(nodes);
        if self.unseen >= LOOK_EVERY { self.look() } else { Ok(()) }
    }

    /// Counts work that takes as long as this number of nodes.
    pub(super) fn charge(&mut self, nodes: u64) {
        self.unseen += nodes;
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        self.unseen = 0;
        if !self.control.stop.load(Ordering::Relaxed) && (self.control.should_stop)() {
            self.control.stop.store(true, Ordering::Relaxed);
        }
        let is_late = || self.control.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.control.stop.load(Ordering::Relaxed) || is_late() {
            return Err(Stopped);
        }
        Ok(())
    }

    #[inline]
    pub(super) fn play(&mut self, color: Color, point: Point) {
        self.stones_key ^= stone_key(color, point);
        self.map.play(color, point);
        self.cells.play(color, point);
    }

    #[inline]
    pub(super) fn undo(&mut self) {
        let (color, point) = self.cells.undo();
        if let Some(network) = &mut self.network {
            network.undo(&self.cells);
        }
        self.stones_key ^= stone_key(color, point);
        self.map.undo();
    }

    /// The hash of the position with this side to move.
    #[inline]
    pub(super) fn key(&self, turn: Color) -> Key {
        self.stones_key ^ side_key(turn)
    }

    /// May this colour play on this empty point?
    #[inline]
    pub(super) fn is_legal(&mut self, color: Color, point: Point) -> bool {
        if color == Color::White {
            return true;
        }
        self.stats.forbidden_checks += 1;
        let kind = self.cells.value(Color::Black, point).kind;
        if !matches!(kind, CellKind::DoubleThree | CellKind::DoubtfulFour) {
            self.stats.forbidden_shortcuts += 1;
            return kind != CellKind::Forbidden;
        }
        let hits = self.memory.verdicts.hits();
        let kind = self.memory.verdicts.forbidden_kind(self.map.get(), point);
        self.stats.forbidden_cache_hits += self.memory.verdicts.hits() - hits;
        kind == Forbidden::None
    }

    /// The value of the board for the side to move, at a glance. The network is not asked where the table alone is
    /// far above `bound`: with a margin of 200 points that spared two of three questions at the leaves, and of 336,000
    /// answers two would have been on the other side of the bound (2026-11, a network of 19,000 games).
    #[inline]
    pub(super) fn static_value(&mut self, color: Color, bound: Score) -> Score {
        self.stats.evaluations += 1;
        if let Some(network) = &mut self.network {
            let table = network.table_points(&self.cells, color);
            let is_clear = table - self.params.network_margin as i32 >= bound;
            let value = if is_clear { table } else { table + network.network_points(&self.cells, color) };
            return value.clamp(-MOST_STATIC, MOST_STATIC);
        }
        let mut value = self.cells.board_value(color);
        // The fitted table knows what threats are worth.
        if !self.params.fitted
            && self.cells.fours(color) > self.cells.count(color, CellKind::Four)
            && !four_threes(self.map.get(), color).is_empty()
        {
            value += self.params.scores.leaf_four_three;
        }
        if !self.params.fitted {
            value += self.leaf_terms(color);
        }
        value.clamp(-MOST_STATIC, MOST_STATIC)
    }

    /// Plies to the five if this colour, to move, is found to have a win by fours. The line is left in
    /// `lines[ply]`.
    pub(super) fn find_vcf(
        &mut self,
        color: Color,
        ply: usize,
        depth: u32,
        nodes: u32,
    ) -> Result<Option<usize>, Stopped> {
        if self.cells.fours(color) == 0 {
            return Ok(None);
        }
        let left = self.control.nodes.saturating_sub(self.nodes);
        let limits = Limits { nodes: Some(left.min(nodes.into())), time: None };
        let mut never = || false;
        let mut budget = Budget::new(limits, &mut never);
        let depth = depth.min(u32::from(u16::MAX)) as u16;
        let found = self.memory.fours[color.index()].find(self.map.get(), color, depth, false, &mut budget);
        let used = budget.nodes();
        let plies = match found {
            Ok(Some(line)) => {
                self.memory.lines[ply].clear();
                self.memory.lines[ply].extend_from_slice(line);
                // The five follows the answer to the last stone.
                Some(line.len() + 2)
            }
            Ok(None) | Err(_) => None,
        };
        self.stats.threat_nodes += used;
        self.stats.vcf_wins += u64::from(plies.is_some());
        self.count_nodes(used)?;
        Ok(plies)
    }

    /// Remembers a move that was too good for the opponent to allow.
    pub(super) fn remember_cutoff(
        &mut self,
        color: Color,
        ply: usize,
        depth: i32,
        best: Point,
        tried: &[Point],
    ) {
        let killers = &mut self.memory.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        let most = self.params.history_most as i32;
        let order = self.params.history_order as i32;
        let Memory { history, history_order, .. } = &mut *self.memory;
        let (history, history_order) = (&mut history[color.index()], &mut history_order[color.index()]);
        let bonus = (depth * depth).clamp(1, self.params.history_bonus_most as i32);
        let mut add = |point: Point, bonus: i32| {
            let entry = &mut history[point.index()];
            *entry += bonus - *entry * bonus.abs() / most;
            history_order[point.index()] = *entry / order;
        };
        add(best, bonus);
        for &point in tried {
            add(point, -bonus);
        }
    }

    /// Becomes the line of a ply: a move and what follows.
    pub(super) fn set_line(&mut self, ply: usize, point: Point) {
        let (head, tail) = self.memory.lines.split_at_mut(ply + 1);
        let line = &mut head[ply];
        line.clear();
        line.push(point);
        line.extend_from_slice(&tail[0]);
    }
}
