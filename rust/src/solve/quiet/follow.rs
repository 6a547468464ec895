//! What a proof says in the positions that it covers: the way from its first position is looked for.
//!
//! The way is one of stones, in any order of the defender's. Inside a tree the proof may win against a reply by an
//! answer of the tree or by what a stone threatens; below such a reply the independent verifier says which.

use std::cell::OnceCell;
use std::collections::HashSet;

use super::check::{entry_of, fives, is_legal};
use super::{Decision, EntryId, QuietProof, TreeId};
use crate::board::Stones;
use crate::rules::reference::makes_five;
use crate::solve::verify::verify_replayed;
use crate::solve::{Attack, Proof, WinKind};
use crate::types::{Color, Point};

/// What the attacker does in a position that a proof covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The point where the attacker plays.
    pub stone: Point,
    /// The replies for which the proof holds an answer of their own; what the stone threatens wins against all others.
    pub replies: Vec<Point>,
}

/// What the proof of a win on the stones `start` says on the stones `target`, with the attacker to move; `None` if no
/// way of the proof leads there. Any reply, and any pass, of the defender is a way.
#[must_use]
pub fn follow(proof: &QuietProof, start: &Stones, target: &Stones) -> Option<Step> {
    let (attacker, defender) = (proof.attacker, proof.attacker.opponent());
    let added = |color: Color| {
        let is_part = (*start.of(color) - *target.of(color)).is_empty();
        is_part.then(|| target.of(color).len() - start.of(color).len())
    };
    let passes = added(attacker)?.checked_sub(added(defender)?)?;
    let trees = vec![OnceCell::new(); proof.trees.len()];
    let walk = Walk { proof, target, trees: &trees };
    walk.entry(&mut HashSet::new(), start, proof.root(), passes)
}

struct Walk<'a> {
    proof: &'a QuietProof,
    target: &'a Stones,
    /// Key: the number of a tree; value: the tree as attacks, once somebody asked for it.
    trees: &'a [OnceCell<Attack>],
}

/// The decisions and attacks, by their addresses, from which no way leads to the target, with the stones.
type Seen = HashSet<(usize, Stones)>;

/// What answers a reply that is on the target.
enum Answer<'a> {
    Entry(EntryId),
    /// This attack wins, if the one before it does.
    Attack(Option<&'a Attack>),
    /// One of these attacks wins.
    OneOf(&'a Attack, &'a Attack),
}

impl<'a> Walk<'a> {
    fn tree_of(&self, id: TreeId) -> &'a Attack {
        let id = id as usize;
        self.trees[id].get_or_init(|| self.proof.trees[id].unpacked())
    }

    fn entry(&self, seen: &mut Seen, stones: &Stones, id: EntryId, passes: usize) -> Option<Step> {
        let decision = &self.proof.entries[id as usize];
        if !seen.insert((std::ptr::from_ref(decision) as usize, *stones)) {
            return None;
        }
        match decision {
            Decision::Tree(tree) => self.attack(seen, stones, self.tree_of(*tree), passes, true),
            Decision::Stone { stone, replies, .. } if stones == self.target => {
                Some(Step { stone: *stone, replies: replies.iter().map(|&(reply, _)| reply).collect() })
            }
            Decision::Stone { stone, after_pass, replies } => {
                let after_pass = after_pass.map(|tree| self.tree_of(tree));
                let answer = |reply: Option<Point>| match reply.and_then(|reply| entry_of(replies, reply)) {
                    Some(next) => Answer::Entry(next),
                    None => Answer::Attack(after_pass),
                };
                self.stone(seen, stones, *stone, passes, true, &answer)
            }
        }
    }

    /// The way through an attack, of which the proof says that it wins here if `is_sure`.
    fn attack(
        &self,
        seen: &mut Seen,
        stones: &Stones,
        attack: &'a Attack,
        passes: usize,
        is_sure: bool,
    ) -> Option<Step> {
        if stones == self.target {
            return (is_sure || self.wins(attack)).then(|| Step {
                stone: attack.stone,
                replies: attack.replies.iter().map(|&(reply, _)| reply).collect(),
            });
        }
        if !seen.insert((std::ptr::from_ref(attack) as usize, *stones)) {
            return None;
        }
        let after_pass = attack.after_pass.as_deref();
        let answer = |reply: Option<Point>| {
            let known = attack.replies.iter().find(|(known, _)| Some(*known) == reply);
            match (known.map(|(_, next)| next), after_pass) {
                (Some(next), Some(after_pass)) => Answer::OneOf(next, after_pass),
                (next, after_pass) => Answer::Attack(next.or(after_pass)),
            }
        };
        self.stone(seen, stones, attack.stone, passes, is_sure, &answer)
    }

    /// Does this attack win on the target?
    fn wins(&self, attack: &Attack) -> bool {
        let QuietProof { attacker, threat_limit, .. } = *self.proof;
        let proof =
            Proof { kind: WinKind::Vct, attacker, threat_limit, tree: attack.clone(), limit_hit: None };
        verify_replayed(self.target, &proof, &mut || false).is_ok()
    }

    /// The way through a stone of the attacker, if it is on the target, and through the replies that are.
    fn stone(
        &self,
        seen: &mut Seen,
        stones: &Stones,
        stone: Point,
        passes: usize,
        is_sure: bool,
        answer: &dyn Fn(Option<Point>) -> Answer<'a>,
    ) -> Option<Step> {
        let (attacker, defender) = (self.proof.attacker, self.proof.attacker.opponent());
        let is_ours = stones.at(stone).is_none() && self.target.at(stone) == Some(attacker);
        if !is_ours || makes_five(stones, attacker, stone) {
            return None;
        }
        let stones = stones.with(attacker, stone);
        let completions = fives(&stones, attacker);
        let replies = (*self.target.of(defender) - *stones.of(defender)).points().map(Some);
        for reply in replies.chain((passes > 0).then_some(None)) {
            let (after, passes) = match reply {
                Some(reply) => (stones.with(defender, reply), passes),
                None => (stones, passes - 1),
            };
            let is_block = reply.is_some_and(|reply| completions.contains(reply));
            let found = if completions.len() > usize::from(is_block) {
                // The defender let the attacker make five.
                let five = fives(&after, attacker).points().next();
                five.filter(|_| after == *self.target).map(|stone| Step { stone, replies: Vec::new() })
            } else if reply.is_some_and(|reply| !is_legal(&stones, defender, reply)) {
                None
            } else {
                match answer(reply) {
                    Answer::Entry(next) => self.entry(seen, &after, next, passes),
                    Answer::Attack(None) => None,
                    Answer::Attack(Some(attack)) => self.attack(seen, &after, attack, passes, is_sure),
                    Answer::OneOf(next, after_pass) => [next, after_pass]
                        .into_iter()
                        .find_map(|attack| self.attack(seen, &after, attack, passes, false)),
                }
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}
