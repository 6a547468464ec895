//! 四追い, VCF: a win in which every stone of the attacker makes a four.
//!
//! After each stone let C be the cells that complete a five for the attacker. Two or more: won. One:
//! the defender must play it; if it is forbidden to black, white has won. The forced block may make
//! a four of its own (a counter-four): then the attacker must block it with a stone that is again a
//! four. All fours on the board are tried, near the last stone or not, so a failure is a refutation.

mod parts;

use self::parts::Part;
use super::table::{EXHAUSTED, FailureTable};
use super::{Attack, Budget, LimitHit, Limits, Proof, Verdict, WinKind};
use crate::rules::{Forbidden, fives_of};
use crate::threats::ThreatMap;
use crate::types::{BOARD_POINTS, Bitboard, Color, Direction, Point, wide_stone_key};

/// More attacker stones than fit on a board.
const NO_DEPTH_LIMIT: u16 = 225;

/// Entries of a small table of failures: 4 MB.
const SMALL_LOG2: u32 = 18;

/// Few positions of games take as many. In parts, the positions of 120 games took 76,000 nodes instead of
/// 1,066,000, of which a single one had 770,000 (2026-11).
const NODES_AT_ONCE: u64 = 300;

/// How a VCF is looked for.
#[derive(Clone, Copy, Debug)]
pub struct VcfOptions {
    /// Most stones of the attacker; no limit if `None`.
    pub max_depth: Option<usize>,
    /// Find a win with the fewest attacker stones, not just any.
    pub shortest: bool,
    /// The first stone of the attacker, if only wins that start with it are wanted.
    pub first: Option<Point>,
    /// The nodes and the time after which the search gives up.
    pub limits: Limits,
    /// The number of nodes after which a search for any win is begun again in parts. Whether there is a win
    /// does not depend on it; in parts it is noticed more often that the depth had no part in a "no".
    pub nodes_at_once: u64,
}

impl Default for VcfOptions {
    fn default() -> VcfOptions {
        VcfOptions {
            max_depth: None,
            shortest: false,
            first: None,
            limits: Limits::default(),
            nodes_at_once: NODES_AT_ONCE,
        }
    }
}

/// Finds VCFs. Keeps its memory from one position to the next, but nothing in it.
#[derive(Clone, Default)]
pub struct VcfSolver {
    fours: FourSearch,
}

impl VcfSolver {
    /// Looks for a win of `attacker`, to move, on the board of `map`, which is left as it was. Returns the
    /// verdict and the nodes it took. On a board where somebody has five or more already there is none.
    /// `should_stop` is asked now and then.
    pub fn solve(
        &mut self,
        map: &mut ThreatMap,
        attacker: Color,
        options: VcfOptions,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> (Verdict, u64) {
        let stones = map.stones();
        if fives_of(stones.black(), false) || fives_of(stones.white(), false) {
            return (Verdict::Refuted { exhausted: true }, 0);
        }
        self.fours.forget();
        let mut budget = Budget::new(options.limits, should_stop);
        let mut search = self.fours.on(map, attacker, &mut budget);
        search.first = options.first;
        search.is_thorough = true;
        let max_depth = most_stones(options.max_depth);
        let found = if options.shortest {
            search.deepen(max_depth)
        } else if options.first.is_some() {
            search.root(max_depth)
        } else {
            search.root_in_parts(max_depth, options.nodes_at_once)
        };
        let verdict = match found {
            Err(limit) => Verdict::Unknown(limit),
            Ok(Found::Nothing { exhausted }) => Verdict::Refuted { exhausted },
            Ok(Found::Win) => {
                let tree = Attack::from_line(self.fours.line()).expect("a win has a first stone");
                Verdict::Proved(Proof {
                    kind: WinKind::Vcf,
                    attacker,
                    threat_limit: 1,
                    tree,
                    limit_hit: None,
                })
            }
        };
        (verdict, budget.nodes())
    }
}

/// A depth limit as the searches count it.
pub(super) fn most_stones(max_depth: Option<usize>) -> u16 {
    max_depth.map_or(NO_DEPTH_LIMIT, |depth| depth.min(NO_DEPTH_LIMIT.into()) as u16)
}

/// How the search below a position ended, if no limit was hit.
enum Found {
    /// Won; the line is in `FourSearch::line`, last move first.
    Win,
    /// Not won; `exhausted` if the depth had no part in it.
    Nothing { exhausted: bool },
}

/// A four that can be tried: the stone, and the one cell that stops it.
#[derive(Clone, Copy)]
struct Four {
    stone: Point,
    block: Point,
}

/// The memory of a search by fours of one colour. What failed is remembered until [`Self::forget`];
/// until then every call must be for the same colour.
#[derive(Clone, Default)]
pub(crate) struct FourSearch {
    failures: FailureTable,
    /// The fours of all positions from the root to the current one, one list after the other.
    fours: Vec<Four>,
    line: Vec<Point>,
}

impl FourSearch {
    /// One whose memory never grows over a few megabytes, for a search that asks often and briefly.
    pub(crate) fn small() -> FourSearch {
        FourSearch { failures: FailureTable::bounded(SMALL_LOG2), ..FourSearch::default() }
    }

    /// To be called before another position or colour.
    pub(crate) fn forget(&mut self) {
        self.failures.forget();
    }

    /// A win of `attacker`, to move, with at most `depth` stones, or with the fewest if `shortest`:
    /// stones and forced replies.
    pub(crate) fn find(
        &mut self,
        map: &mut ThreatMap,
        attacker: Color,
        depth: u16,
        shortest: bool,
        budget: &mut Budget,
    ) -> Result<Option<&[Point]>, LimitHit> {
        let mut search = self.on(map, attacker, budget);
        let found = if shortest { search.deepen(depth)? } else { search.root(depth)? };
        Ok(matches!(found, Found::Win).then(|| self.line()))
    }

    fn on<'a, 'b>(
        &'a mut self,
        map: &'a mut ThreatMap,
        attacker: Color,
        budget: &'a mut Budget<'b>,
    ) -> Search<'a, 'b> {
        self.fours.clear();
        self.line.clear();
        Search {
            map,
            failures: &mut self.failures,
            fours: &mut self.fours,
            line: &mut self.line,
            budget,
            attacker,
            first: None,
            is_thorough: false,
            part: None,
            is_complete: false,
        }
    }

    /// The line of the win that was found, first stone first.
    fn line(&mut self) -> &[Point] {
        self.line.reverse();
        &self.line
    }
}

struct Search<'a, 'b> {
    map: &'a mut ThreatMap,
    failures: &'a mut FailureTable,
    fours: &'a mut Vec<Four>,
    line: &'a mut Vec<Point>,
    budget: &'a mut Budget<'b>,
    attacker: Color,
    /// The only stone to be tried in the first position, if one was named.
    first: Option<Point>,
    /// Look behind the last stone too, to know whether the depth had a part in a failure.
    is_thorough: bool,
    /// The part of the fours that is searched, if not all are.
    part: Option<Box<Part>>,
    /// Are the fours collected last all there are, each with one completion?
    is_complete: bool,
}

impl Search<'_, '_> {
    /// The shortest win: one stone more at a time. Failures carry over.
    fn deepen(&mut self, max_depth: u16) -> Result<Found, LimitHit> {
        for depth in 1..max_depth {
            match self.root(depth)? {
                Found::Nothing { exhausted: false } => {}
                found => return Ok(found),
            }
        }
        self.root(max_depth)
    }

    /// The first position, where the attacker may have a five at once.
    fn root(&mut self, depth: u16) -> Result<Found, LimitHit> {
        if depth == 0 && (self.first.is_some() || !self.map.fives(self.attacker).is_empty()) {
            return Ok(Found::Nothing { exhausted: false });
        }
        if depth == 0 {
            return self.attack(0);
        }
        if let Some(first) = self.first {
            return self.start(first, depth);
        }
        if let Some(five) = self.map.fives(self.attacker).points().next() {
            self.budget.take()?;
            self.line.push(five);
            return Ok(Found::Win);
        }
        self.attack(depth)
    }

    /// The same, part by part where that takes long.
    fn root_in_parts(&mut self, depth: u16, nodes_at_once: u64) -> Result<Found, LimitHit> {
        // The first node sees a five, which parts do not look for.
        let nodes_at_once = nodes_at_once.max(1);
        let most = self.budget.replace_most(nodes_at_once);
        self.budget.replace_most(most.min(nodes_at_once));
        let found = self.root(depth);
        self.budget.replace_most(most);
        match found {
            Err(LimitHit::Nodes) if self.budget.nodes() < most => self.attack_in_parts(depth),
            found => found,
        }
    }

    /// The first position, with the first stone given.
    fn start(&mut self, first: Point, depth: u16) -> Result<Found, LimitHit> {
        self.budget.take()?;
        let defender = self.attacker.opponent();
        let nothing = Ok(Found::Nothing { exhausted: true });
        if self.map.stones().at(first).is_some() || !self.map.is_legal(self.attacker, first) {
            return nothing;
        }
        if self.map.fives(self.attacker).contains(first) {
            self.line.push(first);
            return Ok(Found::Win);
        }
        let makes_four = |d: &Direction| self.map.class(self.attacker, first, *d).fours() > 0;
        if !Direction::ALL.iter().any(makes_four) {
            return nothing;
        }
        self.map.play(self.attacker, first);
        // Completions the attacker had before count too.
        let completions = self.map.fives(self.attacker);
        let block = completions.points().next().filter(|_| self.map.fives(defender).is_empty());
        let found = match block {
            None => nothing,
            Some(_) if completions.len() > 1 => Ok(Found::Win),
            Some(block) if !self.map.is_legal(defender, block) => Ok(Found::Win),
            Some(block) => {
                self.map.play(defender, block);
                let found = self.attack(depth - 1);
                self.map.undo();
                if matches!(found, Ok(Found::Win)) {
                    self.line.push(block);
                }
                found
            }
        };
        self.map.undo();
        if matches!(found, Ok(Found::Win)) {
            self.line.push(first);
        }
        found
    }

    /// The attacker is to move, has no five, and may play `depth` stones.
    fn attack(&mut self, depth: u16) -> Result<Found, LimitHit> {
        self.budget.take()?;
        let first = self.fours.len();
        let unstoppable = self.collect_fours();
        let found = if unstoppable.is_none() && self.fours.len() == first {
            Ok(Found::Nothing { exhausted: true })
        } else if depth == 0 {
            Ok(Found::Nothing { exhausted: false })
        } else if let Some(stone) = unstoppable {
            self.line.push(stone);
            Ok(Found::Win)
        } else {
            self.try_fours(first, depth)
        };
        self.fours.truncate(first);
        found
    }

    /// Puts the fours to be tried at the end of the list; returns a stone with two completions
    /// instead, if there is a legal one.
    fn collect_fours(&mut self) -> Option<Point> {
        const NONE: u8 = u8::MAX;
        const TWO: u8 = NONE - 1;
        // Key: stone; value: what completes its four, if one cell does.
        let mut completion = [NONE; BOARD_POINTS];
        let first = self.fours.len();
        // A counter-four: only a four on its one completion goes on.
        let counter = self.map.fives(self.attacker.opponent());
        self.note_counters(counter);
        self.is_complete = counter.is_empty() && self.part.is_none();
        if counter.len() > 1 {
            return None;
        }
        let (fours, mut doubles) = (&mut *self.fours, Bitboard::EMPTY);
        self.map.for_each_four(self.attacker, |stone, block| {
            if !counter.is_empty() && !counter.contains(stone) {
                return;
            }
            let known = &mut completion[stone.index()];
            if *known == NONE {
                *known = block.index() as u8;
                fours.push(Four { stone, block });
            } else if *known != block.index() as u8 && *known != TWO {
                *known = TWO;
                doubles.insert(stone);
            }
        });
        if let Some(stone) = doubles.points().find(|&stone| self.map.is_legal(self.attacker, stone)) {
            self.fours.truncate(first);
            return Some(stone);
        }
        self.is_complete &= doubles.is_empty();
        self.keep_part(first);
        // Two completions and not legal: black's double-four. (It stays in the list with one of its
        // blocks and is refused there.)
        None
    }

    /// Tries the fours from `first` on, each with its one reply.
    ///
    /// In the order in which they were found: sorting them by what they leave to follow saved 1 % of
    /// the nodes on quiet positions and 8 % on long wins, and cost a quarter of the time (2026-11).
    fn try_fours(&mut self, first: usize, depth: u16) -> Result<Found, LimitHit> {
        let mut exhausted = true;
        let is_complete = self.is_complete;
        for i in first..self.fours.len() {
            let Four { stone, block } = self.fours[i];
            let is_alone = is_complete && self.is_alone(first, stone, block);
            match self.try_four(stone, block, depth, is_alone)? {
                Found::Win => return Ok(Found::Win),
                Found::Nothing { exhausted: all } => exhausted &= all,
            }
        }
        Ok(Found::Nothing { exhausted })
    }

    /// Does none of the fours from `first` on outlive this one and its block?
    fn is_alone(&self, first: usize, stone: Point, block: Point) -> bool {
        let is_used = |point| point == stone || point == block;
        self.fours[first..].iter().all(|four| is_used(four.stone) || is_used(four.block))
    }

    /// Plays a four and its block, and goes on. `is_alone` if no other four is left after them: what the stone
    /// opens must be seen then before they are played.
    fn try_four(
        &mut self,
        stone: Point,
        block: Point,
        depth: u16,
        is_alone: bool,
    ) -> Result<Found, LimitHit> {
        // Whether the block is forbidden depends on the order of moves, so it is asked before the
        // table, which knows only positions: another order may have led there legally.
        if self.attacker == Color::White && self.is_block_forbidden(stone, block) {
            self.line.push(stone);
            return Ok(Found::Win);
        }
        if depth == 1 && !self.is_thorough {
            return Ok(Found::Nothing { exhausted: false });
        }
        let defender = self.attacker.opponent();
        let after =
            self.map.stones_key() ^ wide_stone_key(self.attacker, stone) ^ wide_stone_key(defender, block);
        if let Some(failed) = self.failures.failed(after, depth - 1) {
            return Ok(Found::Nothing { exhausted: failed == EXHAUSTED });
        }
        if is_alone && !self.map.opens_four(self.attacker, stone, block) {
            self.budget.take()?;
            self.failures.store(after, EXHAUSTED);
            return Ok(Found::Nothing { exhausted: true });
        }
        if !self.map.is_legal(self.attacker, stone) {
            return Ok(Found::Nothing { exhausted: true });
        }
        self.map.play(self.attacker, stone);
        self.map.play(defender, block);
        let found = self.attack(depth - 1);
        self.map.undo();
        self.map.undo();
        match found {
            Ok(Found::Win) => self.line.extend([block, stone]),
            Ok(Found::Nothing { exhausted }) => {
                self.failures.store(after, if exhausted { EXHAUSTED } else { depth - 1 });
            }
            Err(_) => {}
        }
        found
    }

    /// Is black's block of a white four forbidden once the four is on the board?
    fn is_block_forbidden(&mut self, stone: Point, block: Point) -> bool {
        if !self.map.is_forbidden_in_form(block) {
            return false;
        }
        self.map.play(Color::White, stone);
        let is_forbidden = self.map.forbidden_kind(block) != Forbidden::None;
        self.map.undo();
        is_forbidden
    }
}
