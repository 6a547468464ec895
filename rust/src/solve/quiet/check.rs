//! The independent verifier of order 3: stones and the slow reference rules, nothing else.
//!
//! At every turn of the defender it tries the pass and every legal point of the board. It knows no zone and no solver.

use std::collections::HashSet;

use super::{Decision, EntryId, QuietProof};
use crate::board::Stones;
use crate::rules::Forbidden;
use crate::rules::reference::{forbidden_kind, has_five_or_more, makes_five};
use crate::solve::packed::PackedTree;
use crate::solve::verify::{Fault, verify_replayed};
use crate::solve::{Proof, Rejection, WinKind};
use crate::types::{Bitboard, Color, Point};

/// What a check of a proof went through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Positions with the attacker to move that have an entry.
    pub positions: u64,
    /// Replies of the defender that were tried, passes included.
    pub replies: u64,
    /// Trees of VCTs that were played through, each as often as a position needed it.
    pub trees: u64,
}

/// Checks a proof for the attacker to move: that its decisions win against every legal reply and every pass.
/// `should_stop` is asked now and then.
pub fn verify_quiet(
    stones: &Stones,
    proof: &QuietProof,
    should_stop: &mut dyn FnMut() -> bool,
) -> Result<Coverage, Rejection> {
    if Color::ALL.iter().any(|&color| has_five_or_more(stones, color)) {
        return Err(Rejection { moves: Vec::new(), fault: Fault::GameOver });
    }
    let mut check =
        Check { proof, seen: HashSet::new(), coverage: Coverage::default(), moves: Vec::new(), should_stop };
    check.entry(stones, proof.root())?;
    Ok(check.coverage)
}

struct Check<'a> {
    proof: &'a QuietProof,
    /// Entries that hold, each with the stones on which it does.
    seen: HashSet<(EntryId, Stones)>,
    coverage: Coverage,
    /// The moves that lead to the current position.
    moves: Vec<Point>,
    should_stop: &'a mut dyn FnMut() -> bool,
}

impl Check<'_> {
    fn fault<T>(&self, fault: Fault) -> Result<T, Rejection> {
        Err(Rejection { moves: self.moves.clone(), fault })
    }

    /// Does the attacker, to move, win by what the entry says?
    fn entry(&mut self, stones: &Stones, id: EntryId) -> Result<(), Rejection> {
        if self.seen.contains(&(id, *stones)) {
            return Ok(());
        }
        let proof = self.proof;
        match &proof.entries[id as usize] {
            Decision::Tree(tree) => self.tree(stones, &proof.trees[*tree as usize])?,
            Decision::Stone { stone, after_pass, replies } => {
                self.stone(stones, *stone, after_pass.map(|tree| &proof.trees[tree as usize]), replies)?;
            }
        }
        self.coverage.positions += 1;
        self.seen.insert((id, *stones));
        Ok(())
    }

    /// Does the attacker, to move, win by this tree?
    fn tree(&mut self, stones: &Stones, tree: &PackedTree) -> Result<(), Rejection> {
        self.coverage.trees += 1;
        let QuietProof { attacker, threat_limit, .. } = *self.proof;
        let proof =
            Proof { kind: WinKind::Vct, attacker, threat_limit, tree: tree.unpacked(), limit_hit: None };
        verify_replayed(stones, &proof, self.should_stop).map_err(|rejection| {
            let moves = self.moves.iter().copied().chain(rejection.moves).collect();
            Rejection { moves, fault: rejection.fault }
        })
    }

    /// Does this stone of the attacker win?
    fn stone(
        &mut self,
        stones: &Stones,
        stone: Point,
        after_pass: Option<&PackedTree>,
        replies: &[(Point, EntryId)],
    ) -> Result<(), Rejection> {
        let (attacker, defender) = (self.proof.attacker, self.proof.attacker.opponent());
        if stones.at(stone).is_some() {
            return self.fault(Fault::Occupied(stone));
        }
        if makes_five(stones, attacker, stone) {
            return Ok(());
        }
        if !is_legal(stones, attacker, stone) {
            return self.fault(Fault::Forbidden(stone));
        }
        let stones = stones.with(attacker, stone);
        self.moves.push(stone);
        if let Some(five) = fives(&stones, defender).points().next() {
            return self.fault(Fault::DefenderWins(five));
        }
        let completions = fives(&stones, attacker);
        match (completions.len(), completions.points().next()) {
            (1, Some(block)) if is_legal(&stones, defender, block) => {
                let Some(next) = entry_of(replies, block) else { return self.fault(Fault::NoAnswer(block)) };
                self.coverage.replies += 1;
                self.after(&stones, block, next)?;
            }
            // Two completions, or a block that black may not play.
            (1.., _) => {}
            _ => {
                let Some(after_pass) = after_pass else { return self.fault(Fault::NoThreat(stone)) };
                self.everywhere(&stones, after_pass, replies)?;
            }
        }
        self.moves.pop();
        Ok(())
    }

    /// The defender may pass or reply anywhere.
    fn everywhere(
        &mut self,
        stones: &Stones,
        after_pass: &PackedTree,
        replies: &[(Point, EntryId)],
    ) -> Result<(), Rejection> {
        let defender = self.proof.attacker.opponent();
        self.coverage.replies += 1;
        self.tree(stones, after_pass)?;
        for reply in stones.empty().points() {
            if (self.should_stop)() {
                return self.fault(Fault::Stopped);
            }
            if !is_legal(stones, defender, reply) {
                continue;
            }
            self.coverage.replies += 1;
            if let Some(next) = entry_of(replies, reply) {
                self.after(stones, reply, next)?;
            } else {
                self.moves.push(reply);
                self.tree(&stones.with(defender, reply), after_pass)?;
                self.moves.pop();
            }
        }
        Ok(())
    }

    fn after(&mut self, stones: &Stones, reply: Point, next: EntryId) -> Result<(), Rejection> {
        self.moves.push(reply);
        self.entry(&stones.with(self.proof.attacker.opponent(), reply), next)?;
        self.moves.pop();
        Ok(())
    }
}

/// The points that a colour may play by the slow rules: those that the verifier tries as replies.
#[must_use]
pub fn legal_replies(stones: &Stones, color: Color) -> Bitboard {
    stones.empty().points().filter(|&p| is_legal(stones, color, p)).collect()
}

/// The cells that complete a five of this colour.
pub(super) fn fives(stones: &Stones, color: Color) -> Bitboard {
    stones.empty().points().filter(|&p| makes_five(stones, color, p)).collect()
}

pub(super) fn is_legal(stones: &Stones, color: Color, point: Point) -> bool {
    color == Color::White || forbidden_kind(stones, point) == Forbidden::None
}

pub(super) fn entry_of(replies: &[(Point, EntryId)], reply: Point) -> Option<EntryId> {
    replies.iter().find(|(known, _)| *known == reply).map(|&(_, next)| next)
}
