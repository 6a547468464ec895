//! What won in other positions, such as those after other replies to the same opening: tried first where the same
//! stones have been added.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Decision, EntryId, QuietProof};
use crate::solve::packed::PackedTree;
use crate::types::{Point, WideKey, wide_stone_key};

/// The decisions of proofs, by the stones that were added to the position that each proof begins with. They change how
/// soon a win is found, never whether there is one: a tree counts only where it wins when it is played again.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Key: the stones added, with the attacker to move; value: what the attacker played there.
    moves: HashMap<WideKey, Vec<Point>>,
    /// Key: the stones added; value: the trees that won, for the defender to move after a pass.
    trees: HashMap<WideKey, Vec<Arc<PackedTree>>>,
}

impl Hints {
    /// The hints of these proofs, those of the first proof first.
    #[must_use]
    pub fn new(proofs: &[QuietProof]) -> Hints {
        let mut hints = Hints::default();
        for proof in proofs {
            hints.add(proof);
        }
        hints
    }

    fn add(&mut self, proof: &QuietProof) {
        let trees: Vec<Arc<PackedTree>> = proof.trees().iter().cloned().map(Arc::new).collect();
        let mut is_added = vec![false; proof.entries().len()];
        let mut open: Vec<(EntryId, WideKey)> = vec![(proof.root(), 0)];
        while let Some((entry, added)) = open.pop() {
            if std::mem::replace(&mut is_added[entry as usize], true) {
                continue;
            }
            match &proof.entries()[entry as usize] {
                Decision::Tree(tree) => self.add_tree(added, &trees[*tree as usize]),
                Decision::Stone { stone, after_pass, replies } => {
                    let moves = self.moves.entry(added).or_default();
                    if !moves.contains(stone) {
                        moves.push(*stone);
                    }
                    let after = added ^ wide_stone_key(proof.attacker(), *stone);
                    if let Some(tree) = after_pass {
                        self.add_tree(after, &trees[*tree as usize]);
                    }
                    let defender = proof.attacker().opponent();
                    let next =
                        |&(reply, next): &(Point, EntryId)| (next, after ^ wide_stone_key(defender, reply));
                    open.extend(replies.iter().map(next));
                }
            }
        }
    }

    fn add_tree(&mut self, added: WideKey, tree: &Arc<PackedTree>) {
        let trees = self.trees.entry(added).or_default();
        if !trees.contains(tree) {
            trees.push(tree.clone());
        }
    }

    /// What the attacker, to move, played with the same stones added.
    pub(super) fn moves(&self, added: WideKey) -> &[Point] {
        self.moves.get(&added).map_or(&[], Vec::as_slice)
    }

    /// The trees that won with the same stones added.
    pub(super) fn trees(&self, added: WideKey) -> &[Arc<PackedTree>] {
        self.trees.get(&added).map_or(&[], Vec::as_slice)
    }
}
