//! 追い詰め, VCT: a win in which every stone of the attacker makes a four or threatens to win by fours.
//!
//! A stone is an attack if it makes a four, or if after a pass of the defender the attacker would win
//! by at most `threat_limit` fours. Against an attack that is no four the defender may play anywhere;
//! only replies against which that very win fails need an answer of their own. They include every
//! four of the defender: the attacker must then block it with a stone that is again an attack.
//!
//! The search is depth-first by proof numbers over a graph of positions. Every stone of the attacker
//! counts for the depth, unless some fours at the end are to be counted apart, so that the depth left follows from the number of stones on the board and a
//! position needs no depth of its own.

mod attacks;
mod shape;
mod tree;

use super::guide::Guided;
use super::store::{Child, INFINITE, NodeId, Numbers, Store};
use super::vcf::{FourSearch, most_stones};
use super::{Attack, Budget, LimitHit, Limits, Proof, Verdict, WinKind};
use crate::rules::fives_of;
use crate::threats::ThreatMap;
use crate::types::{Color, Point};

/// Which attacks a win may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attacks {
    /// Fours, and stones that threaten to win by at most this number of fours: 1 are threes, 2 and 3 also
    /// fukumi moves.
    Threats(usize),
    /// One stone that makes a three or a four and threatens a four-three; then only fours, and blocks
    /// of the defender's fours while the threat lasts.
    Mise,
}

/// How a VCT or a Mise-VCF is looked for.
#[derive(Clone, Copy, Debug)]
pub struct VctOptions {
    /// Most stones of the attacker in any line; no limit if `None`.
    pub max_depth: Option<usize>,
    /// Fours that a line may end with beyond `max_depth`, whatever `shortest` asks for.
    pub end_fours: usize,
    /// The attacks that a win may be made of.
    pub attacks: Attacks,
    /// Try first the attacks whose stones make the best shapes. It changes how soon a win is found, never whether there
    /// is one: on boards with few stones in a tenth of the nodes (2026-11, wins after fourth moves of Hogetsu).
    pub by_shape: bool,
    /// Find a win with the fewest attacker stones, not just any; if a limit comes first, the shortest that
    /// was found by then.
    pub shortest: bool,
    /// The first stone of the attacker, if only wins that start with it are wanted.
    pub first: Option<Point>,
    /// Most bytes of the graph of positions, which may take twice as many for a moment. When it is full,
    /// what is cheapest to find again is given up; a search ends with [`LimitHit::Memory`] only if proofs
    /// and the way to them fill three quarters of it.
    pub memory: usize,
    /// Most stones of the attacker in the tree, what threats threaten included; a larger win ends in
    /// [`LimitHit::Tree`].
    pub tree_stones: u32,
    /// The nodes and the time after which the search gives up.
    pub limits: Limits,
}

impl Default for VctOptions {
    fn default() -> VctOptions {
        VctOptions {
            max_depth: None,
            end_fours: 0,
            attacks: Attacks::Threats(1),
            by_shape: false,
            shortest: false,
            first: None,
            memory: 1 << 26,
            tree_stones: 1 << 18,
            limits: Limits::default(),
        }
    }
}

/// The most stones of the defender's wins by fours that are looked for to refute attacks.
const COUNTER_DEPTH: u16 = 2;

/// Most fours of a threat.
pub const MOST_THREAT_FOURS: usize = 3;

/// Key: fours of the threats that have been looked for; value: the proof number of looking further.
/// High, so that short threats are followed a good way first (2026-11: a quarter of the nodes on
/// known wins with threats of three fours, and a thirtieth where threes alone win).
const FURTHER_PROOF: [u32; MOST_THREAT_FOURS] = [0, 16, 64];

/// No bound at all.
const UNBOUNDED: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

/// The place of the attacks not yet looked for, among the children.
const FURTHER: usize = usize::MAX;

/// Finds VCTs. Keeps its memory from one position to the next, but nothing in it.
#[derive(Clone, Default)]
pub struct VctSolver {
    own: FourSearch,
    counter: FourSearch,
    store: Store,
    promising: Option<Point>,
}

impl VctSolver {
    /// If the last question stayed open: the first stone whose proof seemed nearest.
    #[must_use]
    pub fn promising(&self) -> Option<Point> {
        self.promising
    }

    /// Looks for a win of `attacker`, to move, on the board of `map`, which is left as it was. Returns the
    /// verdict and the nodes it took. On a board where somebody has five or more already there is none.
    /// `should_stop` is asked now and then.
    ///
    /// # Panics
    /// If the threat limit is not a number from 1 to [`MOST_THREAT_FOURS`].
    pub fn solve(
        &mut self,
        map: &mut ThreatMap,
        attacker: Color,
        options: VctOptions,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> (Verdict, u64) {
        self.solve_guided(map, attacker, options, None, should_stop)
    }

    /// As [`VctSolver::solve`], trying first what a guide names. It changes how soon a win is found, never whether
    /// there is one.
    pub(super) fn solve_guided(
        &mut self,
        map: &mut ThreatMap,
        attacker: Color,
        options: VctOptions,
        guided: Option<Guided<'_>>,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> (Verdict, u64) {
        let threat_limit = match options.attacks {
            Attacks::Threats(limit) => limit,
            Attacks::Mise => most_stones(None).into(),
        };
        let is_known = options.attacks == Attacks::Mise || (1..=MOST_THREAT_FOURS).contains(&threat_limit);
        assert!(is_known, "a threat is 1 to 3 fours");
        let stones = map.stones();
        if fives_of(stones.black(), false) || fives_of(stones.white(), false) {
            return (Verdict::Refuted { exhausted: true }, 0);
        }
        self.promising = None;
        let mut budget = Budget::new(options.limits, should_stop);
        let mut search = Search {
            map,
            own: &mut self.own,
            counter: &mut self.counter,
            store: &mut self.store,
            budget: &mut budget,
            guided,
            attacker,
            attacks: options.attacks,
            by_shape: options.by_shape,
            end_fours: most_stones(Some(options.end_fours)),
            is_limited: options.max_depth.is_some(),
            memory: options.memory,
            tree_stones: options.tree_stones,
            threat_limit: threat_limit as u16,
            path: Vec::new(),
            fours: Vec::new(),
            children: Vec::new(),
            replies: Vec::new(),
            counter_line: Vec::new(),
            sizes: Vec::new(),
        };
        let verdict = search.solve(options).unwrap_or_else(Verdict::Unknown);
        if matches!(verdict, Verdict::Unknown(_)) {
            self.promising = search.promising();
        }
        // What a hard position needed is not kept for the next.
        self.store.give_back();
        self.own.forget();
        self.counter.forget();
        (verdict, budget.nodes())
    }
}

struct Search<'a, 'b> {
    map: &'a mut ThreatMap,
    /// The memory of the attacker's searches by fours.
    own: &'a mut FourSearch,
    /// The memory of the defender's searches by fours.
    counter: &'a mut FourSearch,
    store: &'a mut Store,
    budget: &'a mut Budget<'b>,
    guided: Option<Guided<'a>>,
    attacker: Color,
    attacks: Attacks,
    /// Are attacks that make the best shapes tried first?
    by_shape: bool,
    /// Fours that a line may end with beyond its depth.
    end_fours: u16,
    /// Is there a limit of depth?
    is_limited: bool,
    memory: usize,
    tree_stones: u32,
    /// Most fours of a threat.
    threat_limit: u16,
    /// The nodes from the first position to the current one.
    path: Vec<NodeId>,
    // Room to work in.
    fours: Vec<(Point, Point)>,
    children: Vec<Child>,
    replies: Vec<Point>,
    counter_line: Vec<Point>,
    /// Key: node; value: stones in its smallest proof, 0 if not yet counted.
    sizes: Vec<u32>,
}

/// Whose turn it is in a node.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Attacker,
    Defender,
}

/// What the children of a node say of it, and which of them to look at next.
struct Summary {
    numbers: Numbers,
    best: usize,
    /// The number of the second best child that the best one is chosen by.
    second: u32,
}

impl Search<'_, '_> {
    fn solve(&mut self, options: VctOptions) -> Result<Verdict, LimitHit> {
        let mut found = self.within(most_stones(options.max_depth), options.first)?;
        let Verdict::Proved(proof) = &mut found else { return Ok(found) };
        if !options.shortest {
            return Ok(found);
        }
        // One stone more at a time; what is refuted whatever the depth carries over, and what is won.
        self.is_limited = true;
        self.store.clear();
        for depth in 1..proof.depth() as u16 {
            match self.within(depth, options.first) {
                Ok(shorter @ Verdict::Proved(_)) => return Ok(shorter),
                Ok(_) => self.store.reopen(),
                // Perhaps not the shortest, but a win.
                Err(limit) => {
                    proof.limit_hit = Some(limit);
                    break;
                }
            }
        }
        Ok(found)
    }

    /// The attack from the first position whose proof number is smallest, the most searched of equals.
    fn promising(&mut self) -> Option<Point> {
        let root = *self.path.first()?;
        let open = |place: &usize| self.store.numbers(*place).disproof > 0;
        let places: Vec<usize> = self.store.children(root).filter(open).collect();
        let key = |place: &usize| {
            let work = self.store.child(*place).node().map_or(0, |id| self.store.work(id));
            (self.store.numbers(*place).proof, std::cmp::Reverse(work))
        };
        places.into_iter().min_by_key(key).map(|place| self.store.child(place).stone)
    }

    /// Is there a win with at most `depth` stones?
    fn within(&mut self, depth: u16, first: Option<Point>) -> Result<Verdict, LimitHit> {
        let root = self.store.find_or_add(self.map.stones_key(), Numbers::OPEN);
        self.path.clear();
        self.path.push(root);
        if let Some(won) = self.expand_root(root, first, depth)? {
            return Ok(self.proved(won));
        }
        self.search(root, Turn::Attacker, depth, UNBOUNDED)?;
        if self.store.node(root).numbers.proof != 0 {
            return Ok(Verdict::Refuted { exhausted: !self.store.node(root).is_cut });
        }
        self.sizes.clear();
        if self.tree_size(root, depth)? > self.tree_stones {
            return Err(LimitHit::Tree);
        }
        let tree = self.tree(root, depth)?;
        Ok(self.proved(tree))
    }

    fn proved(&self, tree: Attack) -> Verdict {
        let (kind, threat_limit) = match self.attacks {
            Attacks::Threats(limit) => (WinKind::Vct, limit),
            Attacks::Mise => (WinKind::MiseVcf, 1),
        };
        Verdict::Proved(Proof { kind, attacker: self.attacker, threat_limit, tree, limit_hit: None })
    }

    /// Works on a node until one of its numbers reaches the bound. `depth` is how many stones the
    /// attacker may still play.
    fn search(&mut self, id: NodeId, turn: Turn, depth: u16, bound: Numbers) -> Result<(), LimitHit> {
        let before = self.budget.nodes();
        self.path.push(id);
        let result = self.search_below(id, turn, depth, bound);
        self.path.pop();
        let work = u32::try_from(self.budget.nodes() - before).unwrap_or(u32::MAX);
        let node = self.store.node(id);
        node.work = node.work.saturating_add(work);
        result
    }

    fn search_below(&mut self, id: NodeId, turn: Turn, depth: u16, bound: Numbers) -> Result<(), LimitHit> {
        if !self.store.node(id).is_expanded {
            match turn {
                Turn::Attacker => self.expand_attacker(id, depth)?,
                Turn::Defender => self.expand_defender(id, depth)?,
            }
            self.store.node(id).is_expanded = true;
        }
        // Now, or before by another order of moves.
        if self.store.node(id).numbers.is_settled() {
            return Ok(());
        }
        loop {
            let Summary { numbers, best, second } = self.summary(id, turn);
            self.store.node(id).numbers = numbers;
            if numbers.disproof == 0 {
                self.store.node(id).is_cut = self.is_cut(id, turn);
            }
            if numbers.is_settled() || numbers.proof >= bound.proof || numbers.disproof >= bound.disproof {
                return Ok(());
            }
            if best == FURTHER {
                self.look_further(id, depth)?;
                continue;
            }
            // One eighth more than the second best saves going to and fro.
            let rival = second.saturating_add(second / 8 + 1);
            let known = self.store.numbers(best);
            let bound = match turn {
                Turn::Attacker => Numbers {
                    proof: bound.proof.min(rival),
                    disproof: bound.disproof - numbers.disproof + known.disproof,
                },
                Turn::Defender => Numbers {
                    proof: bound.proof - numbers.proof + known.proof,
                    disproof: bound.disproof.min(rival),
                },
            };
            let child = *self.store.child(best);
            self.play(turn, &child);
            let next = self.store.enter(best, self.map.stones_key());
            let result = match (turn, child.block) {
                (Turn::Attacker, Some(_)) => self.search(next, Turn::Attacker, depth - 1, bound),
                (Turn::Attacker, None) => self.search(next, Turn::Defender, depth - 1, bound),
                (Turn::Defender, _) => self.search(next, Turn::Attacker, depth, bound),
            };
            self.take_back(&child);
            result?;
        }
    }

    /// Fours that may end a line with this depth left.
    fn fours_left(&self, depth: u16) -> u16 {
        depth.saturating_add(self.end_fours).min(most_stones(None))
    }

    fn play(&mut self, turn: Turn, child: &Child) {
        let color = match turn {
            Turn::Attacker => self.attacker,
            Turn::Defender => self.attacker.opponent(),
        };
        self.map.play(color, child.stone);
        if let Some(block) = child.block {
            self.map.play(color.opponent(), block);
        }
    }

    fn take_back(&mut self, child: &Child) {
        if child.block.is_some() {
            self.map.undo();
        }
        self.map.undo();
    }

    fn summary(&mut self, id: NodeId, turn: Turn) -> Summary {
        // Seen from the side to move: it wins with one child, and loses only with all. Many orders of
        // moves lead to the same positions, which a sum would count again and again: the largest
        // number counts, and one for each of the others.
        let (mut least, mut second, mut best) = (INFINITE, INFINITE, 0);
        let (mut most, mut others) = (0u32, 0u32);
        let further = FURTHER_PROOF[usize::from(self.store.node(id).looked_to)];
        let not_looked_for = (further > 0).then_some((FURTHER, Numbers { proof: further, disproof: 1 }));
        let known = self.store.children(id).map(|place| (place, self.store.numbers(place)));
        for (place, Numbers { proof, disproof }) in known.chain(not_looked_for) {
            let (own, other) = match turn {
                Turn::Attacker => (proof, disproof),
                Turn::Defender => (disproof, proof),
            };
            if own < least {
                (second, least, best) = (least, own, place);
            } else {
                second = second.min(own);
            }
            if other > 0 {
                most = most.max(other);
                others += 1;
            }
        }
        let all = if least == 0 { INFINITE } else { (most + others.saturating_sub(1)).min(INFINITE) };
        let numbers = match turn {
            Turn::Attacker => Numbers { proof: least, disproof: all },
            Turn::Defender => Numbers { proof: all, disproof: least },
        };
        Summary { numbers, best, second }
    }

    /// Did the depth have a part in the refutation of this node?
    fn is_cut(&mut self, id: NodeId, turn: Turn) -> bool {
        let mut refuted = self.store.children(id).filter(|&place| self.store.numbers(place).disproof == 0);
        match turn {
            Turn::Attacker => refuted.any(|place| self.store.is_cut(place)) || self.store.node(id).is_cut,
            Turn::Defender => refuted.all(|place| self.store.is_cut(place)),
        }
    }

    fn settle(&mut self, id: NodeId, numbers: Numbers, is_cut: bool) {
        let node = self.store.node(id);
        (node.numbers, node.is_cut) = (numbers, is_cut);
    }
}
