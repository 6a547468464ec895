//! What either side may play: the attacks, and the replies that need an answer.

use super::{Attacks, COUNTER_DEPTH, Search};
use crate::solve::guide::OTHER_PROOF;
use crate::solve::store::{Child, NodeId, Numbers};
use crate::solve::threat::{
    AttackZone, breaking_replies, line_wins, line_zone, makes_three, threatens_four_three, threatens_to_win,
};
use crate::solve::{Attack, LimitHit};
use crate::threats::Presence;
use crate::types::{Bitboard, Direction, Point};

impl Search<'_, '_> {
    /// The attacker is to move: is there a win by fours, and if not, what are the attacks?
    pub(super) fn expand_attacker(&mut self, id: NodeId, depth: u16) -> Result<(), LimitHit> {
        self.budget.take()?;
        let fours = self.fours_left(depth);
        if fours == 0 {
            self.settle(id, Numbers::REFUTED, true);
            return Ok(());
        }
        if self.own.find(self.map, self.attacker, fours, false, self.budget)?.is_some() {
            self.settle(id, Numbers::PROVED, false);
            return Ok(());
        }
        if depth == 0 || fours == 1 {
            self.settle(id, Numbers::REFUTED, true);
            return Ok(());
        }
        self.children.clear();
        self.counter_line.clear();
        let threat_depth = self.threat_limit.min(fours - 1);
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
        self.follow_guide();
        self.set_children(id)
    }

    /// Puts off all attacks but the one that the guide names, if it names one of them.
    fn follow_guide(&mut self) {
        let Some(stone) = self.guided.and_then(|guided| guided.stone(self.map.stones_key())) else { return };
        if self.children.iter().any(|child| child.stone == stone) {
            self.children
                .iter_mut()
                .filter(|child| child.stone != stone)
                .for_each(|child| child.put_off(OTHER_PROOF));
        }
    }

    /// Gives the first position its children, where only some stones may start. Returns the proof if
    /// one of them wins as it is.
    pub(super) fn expand_root(
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
            self.store.node(id).is_cut |= self.is_limited && self.fours_left(depth - 1) < self.threat_limit;
        }
        self.set_children(id)?;
        Ok(None)
    }

    /// Adds a first stone if it is an attack. Returns whether it wins as it is.
    fn add_start(&mut self, stone: Point, depth: u16) -> Result<bool, LimitHit> {
        if !self.map.is_legal(self.attacker, stone) {
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
        let is_won = block.is_some_and(|block| completions.len() > 1 || !self.map.is_legal(defender, block));
        self.map.undo();
        match block {
            _ if is_lost => {}
            // The four was there before; a mise may be a three.
            Some(_) if !makes_four && self.attacks != Attacks::Mise => {}
            Some(_) if is_won => return Ok(true),
            Some(_) => self.children.push(Child::new(stone, block, Numbers::OPEN)),
            None => self.add_threat(stone, self.threat_limit.min(self.fours_left(depth - 1)), false)?,
        }
        Ok(false)
    }

    /// The stones that make a three or a four and threaten a four-three.
    fn mise_moves(&mut self) -> impl Iterator<Item = Point> {
        let starts = self.map.cells_with(self.attacker, Presence::OpenThree)
            | self.map.cells_with(self.attacker, Presence::Four);
        let mut found = Vec::new();
        for stone in starts.points() {
            let makes_four = |&d: &Direction| self.map.class(self.attacker, stone, d).fours() > 0;
            let is_forcing =
                Direction::ALL.iter().any(makes_four) || makes_three(self.map, self.attacker, stone);
            let is_five = self.map.fives(self.attacker).contains(stone);
            if is_five || !is_forcing || !self.map.is_legal(self.attacker, stone) {
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
    pub(super) fn look_further(&mut self, id: NodeId, depth: u16) -> Result<(), LimitHit> {
        self.budget.take()?;
        self.children.clear();
        self.children.extend(self.store.children(id).map(|place| *self.store.child(place)));
        let looked_to = u16::from(self.store.node(id).looked_to) + 1;
        self.find_counter()?;
        self.add_threats(looked_to)?;
        let is_all = looked_to == self.threat_limit.min(self.fours_left(depth - 1));
        self.store.node(id).looked_to = if is_all { 0 } else { looked_to as u8 };
        self.set_children(id)
    }

    /// How the defender would win by a few fours if the attacker passed.
    fn find_counter(&mut self) -> Result<(), LimitHit> {
        self.counter_line.clear();
        let defender = self.attacker.opponent();
        let counter = self.counter.find(self.map, defender, COUNTER_DEPTH, true, self.budget)?;
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
        let mut fours = std::mem::take(&mut self.fours);
        for (stone, block) in fours.drain(..) {
            if self.map.is_legal(self.attacker, stone) {
                let mut child = Child::new(stone, Some(block), Numbers::OPEN);
                child.put_off(self.four_proof(stone));
                self.children.push(child);
            }
        }
        self.fours = fours;
    }

    /// Adds the stones that threaten to win by at most `threat_depth` fours.
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

    /// Adds a stone if it threatens to win by at most `threat_depth` fours and is not refuted at once. If
    /// `is_simple`, the threat can only be to win with the next stone by a four of this one.
    fn add_threat(&mut self, stone: Point, threat_depth: u16, is_simple: bool) -> Result<(), LimitHit> {
        if !self.map.is_legal(self.attacker, stone) {
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
            self.own
                .find(self.map, self.attacker, threat_depth, false, self.budget)
                .map(|line| line.is_some())
        };
        self.map.undo();
        if is_threat? {
            let guess = Numbers { proof: threat_depth.into(), disproof: 1 };
            let mut child = Child::new(stone, None, guess);
            child.put_off(self.shape_proof(stone));
            self.children.push(child);
        }
        Ok(())
    }

    /// The defender is to move against a threat that is no four: which replies break it?
    pub(super) fn expand_defender(&mut self, id: NodeId, depth: u16) -> Result<(), LimitHit> {
        self.budget.take()?;
        let line = self.threat(depth)?;
        self.replies.clear();
        breaking_replies(self.map, self.attacker, &line, &mut self.replies);
        self.children.clear();
        self.children.extend(self.replies.iter().map(|&reply| Child::new(reply, None, Numbers::OPEN)));
        self.set_children(id)
    }

    /// How the attacker would win after a pass.
    pub(super) fn threat(&mut self, depth: u16) -> Result<Vec<Point>, LimitHit> {
        let threat_depth = self.threat_limit.min(self.fours_left(depth));
        let line = self.own.find(self.map, self.attacker, threat_depth, true, self.budget)?;
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
}
