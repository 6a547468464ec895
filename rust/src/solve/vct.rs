//! 追い詰め, VCT: a win in which every stone of the attacker makes a four or threatens to win by fours.
//!
//! A stone is an attack if it makes a four, or if after a pass of the defender the attacker would win
//! by at most `threat_limit` fours. Against an attack that is no four the defender may play anywhere;
//! only replies against which that very win fails need an answer of their own. They include every
//! four of the defender: the attacker must then block it with a stone that is again an attack.
//!
//! The search is depth-first by proof numbers over a graph of positions. Every stone of the attacker
//! counts for the depth, so that the depth left follows from the number of stones on the board and a
//! position needs no depth of its own.

use super::store::{Child, INFINITE, NodeId, Numbers, Store};
use super::threat::{
    AttackZone, breaking_replies, is_legal, line_wins, line_zone, makes_three, threatens_four_three,
    threatens_to_win,
};
use super::vcf::{FourSearch, most_stones};
use super::{Attack, Budget, Kind, LimitHit, Limits, Proof, Verdict};
use crate::board::Stones;
use crate::rules::fives_of;
use crate::threats::{Presence, ThreatMap};
use crate::types::{Bitboard, Color, Direction, Point};

/// Which attacks a win may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attacks {
    /// Fours, and stones that threaten to win by at most so many fours: 1 are threes, 2 and 3 also
    /// fukumi moves.
    Threats(usize),
    /// One stone that makes a three or a four and threatens a four-three; then only fours, and blocks
    /// of the defender's fours while the threat lasts.
    Mise,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct VctOptions {
    /// Most stones of the attacker in any line; no limit if `None`.
    pub max_depth: Option<usize>,
    /// What the attacker may play.
    pub attacks: Attacks,
    /// Find a win with the fewest attacker stones, not just any; if a limit comes first, the one found
    /// so far.
    pub shortest: bool,
    /// Only wins that start here.
    pub first: Option<Point>,
    /// Most bytes of the graph of positions, which may take twice as many for a moment. When it is full,
    /// what is cheapest to find again is given up; a search ends with [`LimitHit::Memory`] only if proofs
    /// and the way to them fill three quarters of it.
    pub memory: usize,
    /// Nodes and time.
    pub limits: Limits,
}

impl Default for VctOptions {
    fn default() -> VctOptions {
        VctOptions {
            max_depth: None,
            attacks: Attacks::Threats(1),
            shortest: false,
            first: None,
            memory: 1 << 26,
            limits: Limits::default(),
        }
    }
}

/// Most stones of the attacker in a proof tree, pass-proofs included.
pub const MOST_TREE_STONES: u32 = 1 << 18;

/// The defender's wins by fours that refute attacks are looked for up to so many stones.
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
    map: ThreatMap,
    own: FourSearch,
    counter: FourSearch,
    store: Store,
}

impl VctSolver {
    /// Looks for a win of `attacker`, to move. Returns the verdict and the nodes it took. On a board
    /// where somebody has five or more already there is none. `should_stop` is asked now and then.
    ///
    /// # Panics
    /// If the threat limit is not 1, 2 or 3.
    pub fn solve(
        &mut self,
        stones: &Stones,
        attacker: Color,
        options: VctOptions,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> (Verdict, u64) {
        let threat_limit = match options.attacks {
            Attacks::Threats(limit) => limit,
            Attacks::Mise => most_stones(None).into(),
        };
        let is_known = options.attacks == Attacks::Mise || (1..=MOST_THREAT_FOURS).contains(&threat_limit);
        assert!(is_known, "a threat is 1 to 3 fours");
        if fives_of(stones.black(), false) || fives_of(stones.white(), false) {
            return (Verdict::Refuted { exhausted: true }, 0);
        }
        self.map.reset(stones);
        let mut budget = Budget::new(options.limits, should_stop);
        let mut search = Search {
            map: &mut self.map,
            own: &mut self.own,
            counter: &mut self.counter,
            store: &mut self.store,
            budget: &mut budget,
            attacker,
            attacks: options.attacks,
            is_limited: options.max_depth.is_some(),
            memory: options.memory,
            threat_limit: threat_limit as u16,
            path: Vec::new(),
            fours: Vec::new(),
            children: Vec::new(),
            replies: Vec::new(),
            counter_line: Vec::new(),
            sizes: Vec::new(),
        };
        let verdict = search.solve(options).unwrap_or_else(Verdict::Unknown);
        // What a hard position needed is not kept for the next.
        self.store.give_back();
        self.own.forget();
        self.counter.forget();
        (verdict, budget.nodes())
    }
}

struct Search<'a, 'b> {
    map: &'a mut ThreatMap,
    /// The attacker's fours.
    own: &'a mut FourSearch,
    /// The defender's fours.
    counter: &'a mut FourSearch,
    store: &'a mut Store,
    budget: &'a mut Budget<'b>,
    attacker: Color,
    attacks: Attacks,
    /// There is a depth limit.
    is_limited: bool,
    memory: usize,
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

    /// Is there a win with at most so many stones?
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
        if self.tree_size(root, depth)? > MOST_TREE_STONES {
            return Err(LimitHit::Tree);
        }
        let tree = self.tree(root, depth)?;
        Ok(self.proved(tree))
    }

    fn proved(&self, tree: Attack) -> Verdict {
        let (kind, threat_limit) = match self.attacks {
            Attacks::Threats(limit) => (Kind::Vct, limit),
            Attacks::Mise => (Kind::MiseVcf, 1),
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

    /// The attacker is to move: is there a win by fours, and if not, what are the attacks?
    fn expand_attacker(&mut self, id: NodeId, depth: u16) -> Result<(), LimitHit> {
        self.budget.take()?;
        if depth == 0 {
            self.settle(id, Numbers::REFUTED, true);
            return Ok(());
        }
        if self.own.find(self.map, self.attacker, depth, self.budget)?.is_some() {
            self.settle(id, Numbers::PROVED, false);
            return Ok(());
        }
        if depth == 1 {
            self.settle(id, Numbers::REFUTED, true);
            return Ok(());
        }
        self.children.clear();
        self.counter_line.clear();
        let threat_depth = self.threat_limit.min(depth - 1);
        let mut looked_to = 0;
        let forced = self.map.fives(self.attacker.opponent());
        if forced.is_empty() && self.attacks == Attacks::Mise {
            // Neither a win by fours nor a four to be blocked: the defender has got out.
        } else if forced.is_empty() {
            self.add_fours(None);
            self.find_counter()?;
            self.add_threats(1)?;
            looked_to = u8::from(threat_depth > 1);
        } else if let (1, Some(stone)) = (forced.len(), forced.points().next()) {
            self.add_fours(Some(stone));
            if self.children.is_empty() {
                self.add_threat(stone, threat_depth, false)?;
            }
        }
        let node = self.store.node(id);
        let is_cut = self.is_limited && threat_depth < self.threat_limit;
        (node.looked_to, node.is_cut) = (looked_to, is_cut);
        self.set_children(id)
    }

    /// Gives the first position its children, where only some stones may start. Returns the proof if
    /// one of them wins as it is.
    fn expand_root(
        &mut self,
        id: NodeId,
        first: Option<Point>,
        depth: u16,
    ) -> Result<Option<Attack>, LimitHit> {
        let starts: Bitboard = match (self.attacks, first) {
            (Attacks::Mise, _) => {
                self.mise_moves().filter(|&p| first.is_none_or(|first| first == p)).collect()
            }
            (Attacks::Threats(_), Some(first)) if self.map.stones().at(first).is_none() => {
                Bitboard::of(first)
            }
            (Attacks::Threats(_), Some(_)) => Bitboard::EMPTY,
            (Attacks::Threats(_), None) => return Ok(None),
        };
        self.budget.take()?;
        self.children.clear();
        self.counter_line.clear();
        let node = self.store.node(id);
        (node.is_expanded, node.is_cut, node.numbers) = (true, depth == 0, Numbers::OPEN);
        if depth > 0 {
            for stone in starts.points() {
                if self.add_start(stone, depth)? {
                    return Ok(Some(Attack::last(stone)));
                }
            }
            self.store.node(id).is_cut |= self.is_limited && depth - 1 < self.threat_limit;
        }
        self.set_children(id)?;
        Ok(None)
    }

    /// Adds a first stone if it is an attack. Returns whether it wins as it is.
    fn add_start(&mut self, stone: Point, depth: u16) -> Result<bool, LimitHit> {
        if !is_legal(self.map, self.attacker, stone) {
            return Ok(false);
        }
        if self.map.fives(self.attacker).contains(stone) {
            return Ok(true);
        }
        let defender = self.attacker.opponent();
        let makes_four = |&d: &Direction| self.map.class(self.attacker, stone, d).fours() > 0;
        let makes_four = Direction::ALL.iter().any(makes_four);
        self.map.play(self.attacker, stone);
        let is_lost = !self.map.fives(defender).is_empty();
        let completions = self.map.fives(self.attacker);
        let block = completions.points().next();
        let is_won = block.is_some_and(|block| completions.len() > 1 || !is_legal(self.map, defender, block));
        self.map.undo();
        match block {
            _ if is_lost => {}
            // The four was there before; a mise may be a three.
            Some(_) if !makes_four && self.attacks != Attacks::Mise => {}
            Some(_) if is_won => return Ok(true),
            Some(_) => self.children.push(Child::new(stone, block, Numbers::OPEN)),
            None => self.add_threat(stone, self.threat_limit.min(depth - 1), false)?,
        }
        Ok(false)
    }

    /// The stones that make a three or a four and threaten a four-three.
    fn mise_moves(&mut self) -> impl Iterator<Item = Point> {
        let forms = self.map.cells_with(self.attacker, Presence::OpenThree)
            | self.map.cells_with(self.attacker, Presence::Four);
        let mut found = Vec::new();
        for stone in forms.points() {
            let makes_four = |&d: &Direction| self.map.class(self.attacker, stone, d).fours() > 0;
            let is_forcing =
                Direction::ALL.iter().any(makes_four) || makes_three(self.map, self.attacker, stone);
            let is_five = self.map.fives(self.attacker).contains(stone);
            if is_five || !is_forcing || !is_legal(self.map, self.attacker, stone) {
                continue;
            }
            self.map.play(self.attacker, stone);
            if threatens_four_three(self.map, self.attacker) {
                found.push(stone);
            }
            self.map.undo();
        }
        found.into_iter()
    }

    /// Adds the attacks whose threat is one four longer than those known.
    fn look_further(&mut self, id: NodeId, depth: u16) -> Result<(), LimitHit> {
        self.budget.take()?;
        self.children.clear();
        self.children.extend(self.store.children(id).map(|place| *self.store.child(place)));
        let looked_to = u16::from(self.store.node(id).looked_to) + 1;
        self.find_counter()?;
        self.add_threats(looked_to)?;
        let is_all = looked_to == self.threat_limit.min(depth - 1);
        self.store.node(id).looked_to = if is_all { 0 } else { looked_to as u8 };
        self.set_children(id)
    }

    /// How the defender would win by a few fours if the attacker passed.
    fn find_counter(&mut self) -> Result<(), LimitHit> {
        self.counter_line.clear();
        let defender = self.attacker.opponent();
        let counter = self.counter.find_shortest(self.map, defender, COUNTER_DEPTH, self.budget)?;
        self.counter_line.extend_from_slice(counter.unwrap_or(&[]));
        Ok(())
    }

    /// Adds the legal fours, or only one on `only`. None of them wins as it is.
    fn add_fours(&mut self, only: Option<Point>) {
        let fours = &mut self.fours;
        self.map.for_each_four(self.attacker, |stone, block| {
            if only.is_none_or(|only| only == stone) && !fours.iter().any(|&(known, _)| known == stone) {
                fours.push((stone, block));
            }
        });
        for (stone, block) in fours.drain(..) {
            if is_legal(self.map, self.attacker, stone) {
                self.children.push(Child::new(stone, Some(block), Numbers::OPEN));
            }
        }
    }

    /// Adds the stones that threaten to win by at most so many fours.
    fn add_threats(&mut self, threat_depth: u16) -> Result<(), LimitHit> {
        let tried: Bitboard = self.children.iter().map(|child| child.stone).collect();
        let zone = AttackZone::of(self.map, self.attacker, threat_depth, &mut self.fours);
        let mut stones = (zone.by_shape | zone.by_verdict) - tried;
        if !self.counter_line.is_empty() {
            stones &= line_zone(self.map, self.attacker.opponent(), &self.counter_line);
        }
        for stone in stones.points() {
            let is_simple = threat_depth == 1 && !zone.by_verdict.contains(stone);
            self.add_threat(stone, threat_depth, is_simple)?;
        }
        Ok(())
    }

    /// Adds a stone if it threatens to win by at most so many fours and is not refuted at once. If
    /// `is_simple`, the threat can only be to win with the next stone by a four of this one.
    fn add_threat(&mut self, stone: Point, threat_depth: u16, is_simple: bool) -> Result<(), LimitHit> {
        if !is_legal(self.map, self.attacker, stone) {
            return Ok(());
        }
        self.map.play(self.attacker, stone);
        let is_refuted = !self.counter_line.is_empty()
            && line_wins(self.map, self.attacker.opponent(), &self.counter_line);
        let is_threat = if is_refuted {
            Ok(false)
        } else if is_simple {
            Ok(threatens_to_win(self.map, self.attacker, stone))
        } else {
            self.own.find(self.map, self.attacker, threat_depth, self.budget).map(|line| line.is_some())
        };
        self.map.undo();
        if is_threat? {
            let guess = Numbers { proof: threat_depth.into(), disproof: 1 };
            self.children.push(Child::new(stone, None, guess));
        }
        Ok(())
    }

    /// The defender is to move against a threat that is no four: which replies break it?
    fn expand_defender(&mut self, id: NodeId, depth: u16) -> Result<(), LimitHit> {
        self.budget.take()?;
        let line = self.threat(depth)?;
        self.replies.clear();
        breaking_replies(self.map, self.attacker, &line, &mut self.replies);
        self.children.clear();
        self.children.extend(self.replies.iter().map(|&reply| Child::new(reply, None, Numbers::OPEN)));
        self.set_children(id)
    }

    /// How the attacker would win after a pass.
    fn threat(&mut self, depth: u16) -> Result<Vec<Point>, LimitHit> {
        let threat_depth = self.threat_limit.min(depth);
        let line = self.own.find_shortest(self.map, self.attacker, threat_depth, self.budget)?;
        Ok(line.expect("only attacks are played").to_vec())
    }

    fn set_children(&mut self, id: NodeId) -> Result<(), LimitHit> {
        self.store.set_children(id, &self.children);
        if self.store.bytes() <= self.memory {
            return Ok(());
        }
        // What is left must leave room to work in.
        while self.store.bytes() > self.memory / 4 * 3 {
            if !self.store.compact(&self.path) {
                return Err(LimitHit::Memory);
            }
        }
        self.budget.look()
    }

    /// The child with the smallest proof, of a node that is won with the attacker to move; none if it
    /// is won by fours.
    fn best_proof(&mut self, id: NodeId, depth: u16) -> Result<Option<usize>, LimitHit> {
        let mut best = None;
        for place in self.store.children(id) {
            if self.store.numbers(place).proof == 0 {
                let size = self.child_size(place, depth)?;
                if best.is_none_or(|(_, least)| size < least) {
                    best = Some((place, size));
                }
            }
        }
        Ok(best.map(|(place, _)| place))
    }

    /// Stones of the attacker in the smallest proof below a node, with the attacker to move.
    fn tree_size(&mut self, id: NodeId, depth: u16) -> Result<u32, LimitHit> {
        if let Some(&size) = self.sizes.get(id as usize).filter(|&&size| size > 0) {
            return Ok(size);
        }
        let size = match self.best_proof(id, depth)? {
            Some(place) => self.child_size(place, depth)?,
            None => {
                let line = self.own.find(self.map, self.attacker, depth, self.budget)?;
                line.expect("won by fours").len().div_ceil(2) as u32
            }
        };
        Ok(self.remember_size(id, size))
    }

    /// The same for an attack on a won position.
    fn child_size(&mut self, place: usize, depth: u16) -> Result<u32, LimitHit> {
        let child = *self.store.child(place);
        let id = child.node().expect("a proof has been looked at");
        if let Some(&size) = self.sizes.get(id as usize).filter(|&&size| size > 0) {
            return Ok(size.saturating_add(1));
        }
        self.play(Turn::Attacker, &child);
        let size = if child.block.is_some() {
            self.tree_size(id, depth - 1)
        } else {
            self.answers_size(id, depth - 1)
        };
        self.take_back(&child);
        Ok(size?.saturating_add(1))
    }

    /// The same for the answers to a threat that has been played.
    fn answers_size(&mut self, id: NodeId, depth: u16) -> Result<u32, LimitHit> {
        let mut size = self.threat(depth)?.len().div_ceil(2) as u32;
        for place in self.store.children(id) {
            let child = *self.store.child(place);
            self.play(Turn::Defender, &child);
            let answer = self.tree_size(child.node().expect("a proof has been looked at"), depth);
            self.take_back(&child);
            size = size.saturating_add(answer?);
        }
        Ok(self.remember_size(id, size))
    }

    fn remember_size(&mut self, id: NodeId, size: u32) -> u32 {
        if self.sizes.len() <= id as usize {
            self.sizes.resize(id as usize + 1, 0);
        }
        self.sizes[id as usize] = size;
        size
    }

    /// The proof below a node that is won, with the attacker to move.
    fn tree(&mut self, id: NodeId, depth: u16) -> Result<Attack, LimitHit> {
        let Some(place) = self.best_proof(id, depth)? else {
            let line = self.own.find(self.map, self.attacker, depth, self.budget)?;
            return Ok(Attack::from_line(line.expect("won by fours")).expect("a win has a first stone"));
        };
        let child = *self.store.child(place);
        let next = child.node().expect("a proof has been looked at");
        self.play(Turn::Attacker, &child);
        let attack = match child.block {
            Some(block) => self.tree(next, depth - 1).map(|after| {
                let replies = vec![(block, after)];
                Attack { stone: child.stone, after_pass: None, replies }
            }),
            None => self.answers(next, child.stone, depth - 1),
        };
        self.take_back(&child);
        attack
    }

    /// The proof below a threat that has been played: what it threatens, and an answer to every reply
    /// that breaks it.
    fn answers(&mut self, id: NodeId, stone: Point, depth: u16) -> Result<Attack, LimitHit> {
        let after_pass = Attack::from_line(&self.threat(depth)?).expect("a win has a first stone");
        let mut replies = Vec::new();
        for place in self.store.children(id) {
            let child = *self.store.child(place);
            self.play(Turn::Defender, &child);
            let after = self.tree(child.node().expect("a proof has been looked at"), depth);
            self.take_back(&child);
            replies.push((child.stone, after?));
        }
        // If the threatened fours are the longest way to win, one reply that does not matter shows them.
        if replies.iter().all(|(_, next)| next.depth() < after_pass.depth()) {
            let known: Bitboard = replies.iter().map(|&(reply, _)| reply).collect();
            let idle = (self.map.stones().empty() - known).points();
            let idle = idle.filter(|&reply| is_legal(self.map, self.attacker.opponent(), reply));
            replies.extend(
                idle.min_by_key(|reply| reply.distance(stone)).map(|reply| (reply, after_pass.clone())),
            );
        }
        Ok(Attack { stone, after_pass: Some(Box::new(after_pass)), replies })
    }
}
