//! The positions of a search of order 3, and what is known of each.

use std::collections::HashMap;
use std::sync::Arc;

use crate::solve::guide::Guide;
use crate::solve::packed::PackedTree;
use crate::solve::store::Numbers;
use crate::types::{Bitboard, Point, WideKey};

/// Where a position is kept.
pub(super) type NodeId = u32;

/// The position that the search began with.
pub(super) const ROOT: NodeId = 0;

/// One position. Whose turn it is follows from the way to it.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) key: WideKey,
    pub(super) numbers: Numbers,
    /// The refutation holds whatever the limits of the leaf searches.
    pub(super) is_final: bool,
    /// Leaf searches that were made here, each with a higher limit.
    pub(super) tries: u8,
    /// No leaf search with a higher limit can find a win by threats.
    pub(super) is_searched_out: bool,
    /// The children have been found.
    pub(super) has_children: bool,
    /// The attacker's stone makes a four, and the one child is its block.
    pub(super) is_four: bool,
    /// The attacker to move: the tree that wins. The defender to move: the tree that wins after a pass.
    pub(super) tree: Option<Arc<PackedTree>>,
    pub(super) children: Vec<Child>,
    /// Defender to move: the legal replies outside the zone of the tree, against which it was not played yet.
    pub(super) unchecked: Bitboard,
    /// Defender to move: trees and quiet moves that won against replies, the last that did so first.
    pub(super) answers: Answers,
}

/// What won against the replies to one attack.
#[derive(Debug, Default)]
pub(super) struct Answers {
    /// What the attacker played in the trees, the one after a pass included.
    pub(super) guide: Guide,
    pub(super) trees: Vec<Arc<PackedTree>>,
    pub(super) moves: Vec<Point>,
}

/// Most trees that are tried against a reply before it is searched.
const MOST_TREES: usize = 16;

impl Answers {
    /// Remembers a tree that won, as the first to be tried.
    pub(super) fn add_tree(&mut self, tree: Arc<PackedTree>) {
        self.trees.retain(|known| !Arc::ptr_eq(known, &tree));
        self.trees.insert(0, tree);
        self.trees.truncate(MOST_TREES);
    }

    /// Remembers a quiet move that won.
    pub(super) fn add_move(&mut self, stone: Point) {
        if !self.moves.contains(&stone) {
            self.moves.push(stone);
        }
    }
}

/// A way on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) stone: Point,
    pub(super) node: Option<NodeId>,
    /// The numbers that count until the position itself has been looked at, and after it has been given up.
    pub(super) guess: Numbers,
    /// The position was given up, and its refutation holds whatever the limits of the leaf searches.
    is_final: bool,
}

impl Child {
    pub(super) fn new(stone: Point, guess: Numbers) -> Child {
        Child { stone, node: None, guess, is_final: false }
    }
}

impl Node {
    fn new(key: WideKey, numbers: Numbers) -> Node {
        Node {
            key,
            numbers,
            is_final: false,
            tries: 0,
            is_searched_out: false,
            has_children: false,
            is_four: false,
            tree: None,
            children: Vec::new(),
            unchecked: Bitboard::EMPTY,
            answers: Answers::default(),
        }
    }

    pub(super) fn settle(&mut self, numbers: Numbers, is_final: bool) {
        (self.numbers, self.is_final) = (numbers, is_final);
        self.answers = Answers::default();
        if numbers.disproof == 0 {
            (self.children, self.tree) = (Vec::new(), None);
        }
    }

    /// Bytes of what the node holds, a tree counted wherever it is used.
    fn held_bytes(&self) -> usize {
        let trees = self.tree.iter().chain(&self.answers.trees).map(|tree| tree.bytes().len()).sum::<usize>();
        self.children.capacity() * size_of::<Child>() + self.answers.guide.bytes() + trees
    }
}

/// All positions that were looked at, one node for each.
#[derive(Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// Key: the stones of a position; value: its node.
    index: HashMap<WideKey, NodeId>,
    free: Vec<NodeId>,
    /// Nodes that were added since the bytes were counted last.
    added: usize,
}

/// Nodes that are added before the bytes are counted again.
const COUNT_EVERY: usize = 1024;

impl Graph {
    pub(super) fn new(root: WideKey) -> Graph {
        let mut graph = Graph::default();
        graph.find_or_add(root, Numbers::OPEN);
        graph
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The number of positions that are known.
    pub(super) fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    /// What is known of a child.
    pub(super) fn numbers(&self, child: &Child) -> Numbers {
        child.node.map_or(child.guess, |id| self.node(id).numbers)
    }

    /// Does the refutation of a child hold whatever the limits of the leaf searches?
    pub(super) fn is_final(&self, child: &Child) -> bool {
        child.node.map_or(child.is_final, |id| self.node(id).is_final)
    }

    /// The node of a child's position, which has this key.
    pub(super) fn enter(&mut self, parent: NodeId, place: usize, key: WideKey) -> NodeId {
        let Child { node, guess, .. } = self.node(parent).children[place];
        node.unwrap_or_else(|| {
            let id = self.find_or_add(key, guess);
            self.node_mut(parent).children[place].node = Some(id);
            id
        })
    }

    fn find_or_add(&mut self, key: WideKey, numbers: Numbers) -> NodeId {
        if let Some(&id) = self.index.get(&key) {
            return id;
        }
        let node = Node::new(key, numbers);
        let id = if let Some(id) = self.free.pop() {
            self.nodes[id as usize] = node;
            id
        } else {
            self.nodes.push(node);
            self.nodes.len() as NodeId - 1
        };
        self.index.insert(key, id);
        self.added += 1;
        id
    }

    /// Keeps the graph within about this number of bytes: gives up what no longer matters to the root, and what only
    /// helps to find answers, when it is larger. Returns whether it is small enough.
    pub(super) fn fits(&mut self, memory: usize) -> bool {
        if self.added < COUNT_EVERY {
            return true;
        }
        self.added = 0;
        if self.bytes() <= memory {
            return true;
        }
        self.collect();
        if self.bytes() > memory / 2 {
            self.nodes.iter_mut().for_each(|node| node.answers = Answers::default());
        }
        self.bytes() <= memory / 4 * 3
    }

    /// Bytes in use, each node with its share of the index.
    fn bytes(&self) -> usize {
        2 * size_of::<Node>() * self.len() + self.nodes.iter().map(Node::held_bytes).sum::<usize>()
    }

    /// Gives up the positions that no open or proved way leads to from the root.
    fn collect(&mut self) {
        let mut is_kept = vec![false; self.nodes.len()];
        let mut open = vec![ROOT];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut is_kept[id as usize], true) {
                continue;
            }
            let node = self.node(id);
            let children = node.children.iter().filter_map(|child| child.node);
            open.extend(children.filter(|&id| self.node(id).numbers.disproof > 0));
        }
        let is_final: Vec<bool> = self.nodes.iter().map(|node| node.is_final).collect();
        for id in (0..self.nodes.len()).filter(|&id| !is_kept[id]) {
            let node = &mut self.nodes[id];
            if self.index.get(&node.key) == Some(&(id as NodeId)) {
                self.index.remove(&node.key);
                *node = Node::new(node.key, Numbers::REFUTED);
                self.free.push(id as NodeId);
            }
        }
        // What was refuted is remembered by the way that led to it.
        for id in 0..self.nodes.len() {
            let mut children = std::mem::take(&mut self.nodes[id].children);
            for child in &mut children {
                if let Some(next) = child.node.take_if(|next| !is_kept[*next as usize]) {
                    (child.guess, child.is_final) = (Numbers::REFUTED, is_final[next as usize]);
                }
            }
            self.nodes[id].children = children;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(index: usize) -> Child {
        Child::new(Point::from_index(index).unwrap(), Numbers::OPEN)
    }

    /// A root with many children, each of which has many: half of the children are refuted, for good or not.
    fn graph() -> Graph {
        let mut graph = Graph::new(0);
        graph.node_mut(ROOT).children = (0..40).map(child).collect();
        for i in 0..40 {
            let id = graph.enter(ROOT, i, 1_000 + i as WideKey);
            graph.node_mut(id).children = (0..40).map(child).collect();
            for j in 0..40 {
                graph.enter(id, j, 10_000 + 100 * i as WideKey + j as WideKey);
            }
            if i % 2 == 1 {
                graph.node_mut(id).settle(Numbers::REFUTED, i % 4 == 1);
            }
        }
        graph
    }

    #[test]
    fn what_is_refuted_is_given_up_and_remembered() {
        let mut graph = graph();
        let (positions, bytes) = (graph.len(), graph.bytes());
        assert_eq!(positions, 1 + 40 + 40 * 40);
        assert!(graph.fits(bytes), "nothing is given up without need");
        assert_eq!(graph.len(), positions);
        graph.added = COUNT_EVERY;
        assert!(graph.fits(bytes - 1));
        assert_eq!(graph.len(), 1 + 20 + 20 * 40);
        for i in 0..40 {
            let child = graph.node(ROOT).children[i];
            let expected = if i % 2 == 1 { Numbers::REFUTED } else { Numbers::OPEN };
            assert_eq!((graph.numbers(&child), graph.is_final(&child)), (expected, i % 4 == 1), "{i}");
        }
        // A place that was given up is used again, by the position that asks for it.
        let id = graph.enter(ROOT, 1, 7);
        assert_eq!((graph.node(id).key, graph.node(id).numbers), (7, Numbers::REFUTED));
        assert_eq!(graph.len(), 2 + 20 + 20 * 40);
        graph.added = COUNT_EVERY;
        assert!(!graph.fits(1_000), "what is open cannot be given up");
    }
}
