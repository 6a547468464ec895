//! The positions of a proof-number search: a graph that is kept while one board is being solved.

use crate::types::{Point, WideKey};

/// A proof or disproof number that no sum reaches.
pub(super) const INFINITE: u32 = u32::MAX / 4;

/// Where a position is kept.
pub(super) type NodeId = u32;

/// A graph that has grown beyond this is not kept for the next board.
const KEPT_BYTES: usize = 1 << 24;

const NOWHERE: NodeId = NodeId::MAX;

/// How much is still to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Positions that must be won at least, to prove the win; 0: proved.
    pub(super) proof: u32,
    /// Positions that must be refuted at least, to refute the win; 0: refuted.
    pub(super) disproof: u32,
}

impl Numbers {
    /// Of a position nobody has looked at.
    pub(super) const OPEN: Numbers = Numbers { proof: 1, disproof: 1 };
    pub(super) const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };
    pub(super) const REFUTED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    pub(super) fn is_settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// One position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    key: WideKey,
    /// Where `Store::index` holds this node; what it holds elsewhere is left from older boards.
    home: u32,
    first: u32,
    count: u16,
    pub(super) numbers: Numbers,
    pub(super) is_expanded: bool,
    /// Searching done below, to know what is worth keeping.
    pub(super) work: u32,
    /// The longest threats that have been looked for, in fours; attacks with longer ones have not. 0: all
    /// have.
    pub(super) looked_to: u8,
    /// The depth limit had a part in what is known.
    pub(super) is_cut: bool,
}

/// A way on: a stone, and for a four also its forced block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child {
    pub(super) stone: Point,
    pub(super) block: Option<Point>,
    node: NodeId,
    /// The numbers that count until the position itself has been looked at, and after it has been given up.
    guess: Numbers,
    is_cut: bool,
}

impl Child {
    pub(super) fn new(stone: Point, block: Option<Point>, guess: Numbers) -> Child {
        Child { stone, block, node: NOWHERE, guess, is_cut: false }
    }

    /// Makes a child that nobody has looked at seem harder to prove.
    pub(super) fn put_off(&mut self, proof: u32) {
        self.guess.proof = (self.guess.proof + proof).min(INFINITE);
    }

    pub(super) fn node(&self) -> Option<NodeId> {
        (self.node != NOWHERE).then_some(self.node)
    }
}

/// The graph. Emptying it takes no time, whatever it held.
#[derive(Clone, Debug, Default)]
pub(super) struct Store {
    nodes: Vec<Node>,
    children: Vec<Child>,
    /// Key: some bits of a position's key, and the places after; value: its node.
    index: Vec<NodeId>,
    /// Nodes that were given up.
    free: Vec<NodeId>,
}

impl Store {
    /// Forgets everything, and keeps no more than some megabytes for the next time.
    pub(super) fn give_back(&mut self) {
        if self.bytes() > KEPT_BYTES {
            *self = Store::default();
        }
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.free.clear();
    }

    /// Makes ready for a greater depth: what is proved, or refuted whatever the depth, stays.
    pub(super) fn reopen(&mut self) {
        for node in &mut self.nodes {
            let is_final = node.numbers.proof == 0 || (node.numbers.disproof == 0 && !node.is_cut);
            if !is_final {
                (node.numbers, node.is_expanded, node.is_cut) = (Numbers::OPEN, false, false);
                (node.count, node.looked_to) = (0, 0);
            }
        }
    }

    /// Gives up what no proof needs: all that is won but not below `path`, and half of what is not won,
    /// that with the least work in it. What leads there keeps the numbers, and the position will be
    /// looked at anew when it is wanted. The places of children change. Returns whether anything was
    /// given up.
    pub(super) fn compact(&mut self, path: &[NodeId]) -> bool {
        let is_reached = self.reached_from(path);
        let mut is_given_up = vec![false; self.nodes.len()];
        for &id in &self.free {
            is_given_up[id as usize] = true;
        }
        let live: Vec<usize> = (0..self.nodes.len()).filter(|&id| !is_given_up[id]).collect();
        let (won, other): (Vec<usize>, Vec<usize>) =
            live.into_iter().partition(|&id| self.nodes[id].numbers.proof == 0);
        let spare: Vec<usize> = other.into_iter().filter(|&id| !path.contains(&(id as NodeId))).collect();
        let mut works: Vec<u32> = spare.iter().map(|&id| self.nodes[id].work).collect();
        let middle = works.len() / 2;
        let most = if works.is_empty() { 0 } else { *works.select_nth_unstable(middle).1 };
        let before = self.free.len();
        let unreached = won.into_iter().filter(|&id| !is_reached[id]);
        for id in spare.into_iter().filter(|&id| self.nodes[id].work <= most).chain(unreached) {
            is_given_up[id] = true;
            self.free.push(id as NodeId);
        }
        if self.free.len() == before {
            return false;
        }
        for child in self.children.iter_mut().filter(|child| child.node != NOWHERE) {
            let node = &self.nodes[child.node as usize];
            if is_given_up[child.node as usize] {
                // A win must be found anew: a proof needs its node.
                child.guess = if node.numbers.proof == 0 { Numbers::OPEN } else { node.numbers };
                (child.is_cut, child.node) = (node.is_cut, NOWHERE);
            }
        }
        let mut kept = Vec::new();
        for (id, is_given_up) in is_given_up.into_iter().enumerate() {
            let Numbers { proof, disproof } = self.nodes[id].numbers;
            let first = kept.len();
            if disproof > 0 && !is_given_up {
                let is_kept = |place: &usize| proof > 0 || self.numbers(*place).proof == 0;
                kept.extend(self.children(id as NodeId).filter(is_kept).map(|place| self.children[place]));
            }
            let node = &mut self.nodes[id];
            (node.first, node.count) = (first as u32, (kept.len() - first) as u16);
        }
        self.children = kept;
        self.rebuild_index(self.index.len());
        true
    }

    /// Which nodes some way leads to from these.
    fn reached_from(&self, path: &[NodeId]) -> Vec<bool> {
        let mut is_reached = vec![false; self.nodes.len()];
        let mut open = path.to_vec();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut is_reached[id as usize], true) {
                open.extend(self.children(id).filter_map(|place| self.children[place].node()));
            }
        }
        is_reached
    }

    /// Bytes in use, each node with its share of the index. Vectors have room to grow beside, up to as
    /// much again.
    pub(super) fn bytes(&self) -> usize {
        const NODE: usize = size_of::<Node>() + 4 * size_of::<NodeId>();
        (self.nodes.len() - self.free.len()) * NODE + self.children.len() * size_of::<Child>()
    }

    pub(super) fn node(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The children of a node, as places for [`Self::child`].
    /// Searching done below a node.
    pub(super) fn work(&self, id: NodeId) -> u32 {
        self.nodes[id as usize].work
    }

    pub(super) fn children(&self, id: NodeId) -> std::ops::Range<usize> {
        let node = &self.nodes[id as usize];
        node.first as usize..node.first as usize + usize::from(node.count)
    }

    pub(super) fn child(&self, place: usize) -> &Child {
        &self.children[place]
    }

    /// What is known of a child.
    #[inline]
    pub(super) fn numbers(&self, place: usize) -> Numbers {
        let child = &self.children[place];
        self.nodes.get(child.node as usize).map_or(child.guess, |node| node.numbers)
    }

    /// Did the depth limit have a part in it?
    pub(super) fn is_cut(&self, place: usize) -> bool {
        let child = &self.children[place];
        self.nodes.get(child.node as usize).map_or(child.is_cut, |node| node.is_cut)
    }

    /// Gives a node its children, instead of those it had.
    pub(super) fn set_children(&mut self, id: NodeId, children: &[Child]) {
        let first = self.children.len() as u32;
        self.children.extend_from_slice(children);
        let node = self.node(id);
        (node.first, node.count) = (first, children.len() as u16);
    }

    /// The node of a child's position, which has this key.
    pub(super) fn enter(&mut self, place: usize, key: WideKey) -> NodeId {
        let Child { node, guess, .. } = self.children[place];
        if node != NOWHERE {
            return node;
        }
        let node = self.find_or_add(key, guess);
        self.children[place].node = node;
        node
    }

    /// The node of a position; a new one gets the numbers given.
    pub(super) fn find_or_add(&mut self, key: WideKey, numbers: Numbers) -> NodeId {
        if 2 * self.nodes.len() >= self.index.len() {
            self.rebuild_index((2 * self.index.len()).max(1 << 12));
        }
        let place = self.place(key);
        if let Some(id) = self.at(place) {
            return id;
        }
        let node = Node {
            key,
            home: place as u32,
            first: 0,
            count: 0,
            numbers,
            is_expanded: false,
            work: 0,
            looked_to: 0,
            is_cut: false,
        };
        let id = if let Some(id) = self.free.pop() {
            self.nodes[id as usize] = node;
            id
        } else {
            self.nodes.push(node);
            self.nodes.len() as NodeId - 1
        };
        self.index[place] = id;
        id
    }

    /// Where this key is, or where it belongs.
    fn place(&self, key: WideKey) -> usize {
        let mask = self.index.len() - 1;
        let mut home = key as usize & mask;
        while self.at(home).is_some_and(|id| self.nodes[id as usize].key != key) {
            home = (home + 1) & mask;
        }
        home
    }

    /// The node whose home this is.
    fn at(&self, home: usize) -> Option<NodeId> {
        let id = self.index[home];
        self.nodes.get(id as usize).is_some_and(|node| node.home == home as u32).then_some(id)
    }

    #[cold]
    fn rebuild_index(&mut self, size: usize) {
        self.index = vec![NOWHERE; size];
        // A node without a home is not taken for the one that is looked for.
        for node in &mut self.nodes {
            node.home = u32::MAX;
        }
        let mut is_free = vec![false; self.nodes.len()];
        for &id in &self.free {
            is_free[id as usize] = true;
        }
        for id in (0..self.nodes.len()).filter(|&id| !is_free[id]) {
            let place = self.place(self.nodes[id].key);
            self.index[place] = id as NodeId;
            self.nodes[id].home = place as u32;
        }
    }
}
