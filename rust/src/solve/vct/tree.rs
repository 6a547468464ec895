//! The proof tree of a position that is won: the smallest one the graph holds.

use super::{Search, Turn};
use crate::solve::store::NodeId;
use crate::solve::{Attack, LimitHit};
use crate::types::{Bitboard, Point};

impl Search<'_, '_> {
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
    pub(super) fn tree_size(&mut self, id: NodeId, depth: u16) -> Result<u32, LimitHit> {
        if let Some(&size) = self.sizes.get(id as usize).filter(|&&size| size > 0) {
            return Ok(size);
        }
        let size = match self.best_proof(id, depth)? {
            Some(place) => self.child_size(place, depth)?,
            None => {
                let fours = self.fours_left(depth);
                let line = self.own.find(self.map, self.attacker, fours, false, self.budget)?;
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
    pub(super) fn tree(&mut self, id: NodeId, depth: u16) -> Result<Attack, LimitHit> {
        let Some(place) = self.best_proof(id, depth)? else {
            let fours = self.fours_left(depth);
            let line = self.own.find(self.map, self.attacker, fours, false, self.budget)?;
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
            let idle = idle.filter(|&reply| self.map.is_legal(self.attacker.opponent(), reply));
            replies.extend(
                idle.min_by_key(|reply| reply.distance(stone)).map(|reply| (reply, after_pass.clone())),
            );
        }
        Ok(Attack { stone, after_pass: Some(Box::new(after_pass)), replies })
    }
}
