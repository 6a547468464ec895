//! The proof of a win of order 3: a graph of decisions that anybody can walk.

use std::collections::HashMap;
use std::sync::Arc;

use super::graph::{Graph, NodeId, ROOT};
use crate::solve::packed::PackedTree;
use crate::types::{Color, Point};

/// Which tree of a proof is meant.
pub type TreeId = u32;

/// Which decision of a proof is meant.
pub type EntryId = u32;

/// What the attacker does in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The attacker wins by this tree of a VCT, which may have been found against another reply.
    Tree(TreeId),
    /// The attacker plays a stone that need not be a threat.
    Stone {
        /// The point where the attacker plays.
        stone: Point,
        /// For a stone that makes no four: the tree that wins after a pass, and against every legal reply that has no
        /// entry of its own.
        after_pass: Option<TreeId>,
        /// The replies with the entries of the positions after them.
        replies: Vec<(Point, EntryId)>,
    },
}

/// A proved win of order 3. Positions that several ways lead to have one entry, and trees that win against several
/// replies are kept once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuietProof {
    pub(super) attacker: Color,
    pub(super) threat_limit: usize,
    pub(super) trees: Vec<PackedTree>,
    /// Each refers to earlier ones only; the last is that of the first position.
    pub(super) entries: Vec<Decision>,
}

impl QuietProof {
    /// The colour that wins.
    #[must_use]
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// Most fours of a threat in the trees.
    #[must_use]
    pub fn threat_limit(&self) -> usize {
        self.threat_limit
    }

    /// The trees of VCTs that the entries refer to.
    #[must_use]
    pub fn trees(&self) -> &[PackedTree] {
        &self.trees
    }

    /// The decisions of the attacker, one for each position; the last is that of the first position.
    #[must_use]
    pub fn entries(&self) -> &[Decision] {
        &self.entries
    }

    /// The entry of the position that the proof begins with.
    #[must_use]
    pub fn root(&self) -> EntryId {
        self.entries.len() as EntryId - 1
    }

    /// The first stone of the attacker.
    #[must_use]
    pub fn first(&self) -> Point {
        match &self.entries[self.root() as usize] {
            Decision::Tree(tree) => self.trees[*tree as usize].first(),
            Decision::Stone { stone, .. } => *stone,
        }
    }

    /// Stones of the attacker before the last VCT, in the longest line: 0 if the first position is won by a VCT.
    #[must_use]
    pub fn quiet_depth(&self) -> usize {
        let mut depths: Vec<usize> = Vec::with_capacity(self.entries.len());
        for entry in &self.entries {
            depths.push(match entry {
                Decision::Tree(_) => 0,
                Decision::Stone { replies, .. } => {
                    1 + replies.iter().map(|&(_, next)| depths[next as usize]).max().unwrap_or(0)
                }
            });
        }
        depths.last().copied().unwrap_or(0)
    }

    /// The proof that a graph holds whose first position is won.
    pub(super) fn of_graph(graph: &Graph, attacker: Color, threat_limit: usize) -> QuietProof {
        let proof = QuietProof { attacker, threat_limit, trees: Vec::new(), entries: Vec::new() };
        let mut writer = Writer { graph, proof, entries: HashMap::new(), trees: HashMap::new() };
        writer.entry(ROOT);
        writer.proof
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    proof: QuietProof,
    /// Key: a node with the attacker to move; value: its entry.
    entries: HashMap<NodeId, EntryId>,
    /// Key: where a tree is kept; value: its number.
    trees: HashMap<*const PackedTree, TreeId>,
}

impl Writer<'_> {
    /// Writes the decision of a position that is won, and all below it.
    fn entry(&mut self, id: NodeId) -> EntryId {
        if let Some(&entry) = self.entries.get(&id) {
            return entry;
        }
        let node = self.graph.node(id);
        let decision = match &node.tree {
            Some(tree) => Decision::Tree(self.tree(tree)),
            None => {
                let child = node.children.first().expect("a won position has a tree or a move");
                let next = self.graph.node(child.node.expect("a proof has been looked at"));
                let after_pass = next.tree.as_ref().map(|tree| self.tree(tree));
                let replies = next.children.iter();
                let replies = replies
                    .map(|reply| (reply.stone, self.entry(reply.node.expect("a proof has been looked at"))))
                    .collect();
                Decision::Stone { stone: child.stone, after_pass, replies }
            }
        };
        self.proof.entries.push(decision);
        let entry = self.proof.root();
        self.entries.insert(id, entry);
        entry
    }

    fn tree(&mut self, tree: &Arc<PackedTree>) -> TreeId {
        let trees = &mut self.proof.trees;
        *self.trees.entry(Arc::as_ptr(tree)).or_insert_with(|| {
            trees.push((**tree).clone());
            trees.len() as TreeId - 1
        })
    }
}
