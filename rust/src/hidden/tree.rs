use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::mem::size_of;

/// What is known of a move at an information set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge<M> {
    /// The move that leads along this edge.
    pub mv: M,
    /// How often the move was tried.
    pub visits: u32,
    /// In how many of the determinizations that came by the move was legal.
    pub available: u32,
    /// The sum of the rewards that followed the move.
    pub total: f64,
    /// What the move looked worth to the guide at a glance, if it was asked.
    pub prior: Option<f64>,
}

impl<M> Edge<M> {
    /// The mean of the rewards.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.total / f64::from(self.visits) }
    }
}

/// The place of a move's edge, which is made if need be.
pub(super) fn edge_of<M: Copy + Eq>(edges: &mut Vec<Edge<M>>, mv: M) -> usize {
    edges.iter().position(|edge| edge.mv == mv).unwrap_or_else(|| {
        edges.push(Edge { mv, visits: 0, available: 0, total: 0.0, prior: None });
        edges.len() - 1
    })
}

/// A search needs the root and a set after it.
pub const LEAST_NODES: usize = 2;

/// Information sets of one tree: their places are numbers of 32 bits.
pub const MOST_NODES: usize = 1 << 31;

/// The moves of an information set.
#[derive(Clone, Debug)]
pub struct Node<M> {
    /// In order of their first appearance.
    pub edges: Vec<Edge<M>>,
    /// The number of the visit that used the information set last.
    pub used: u64,
}

/// The information sets that were met, by key, whatever the path or the determinization that led there.
#[derive(Clone, Debug)]
pub struct Tree<K, M> {
    nodes: Vec<Node<M>>,
    /// Key: information set; value: its place in `nodes`.
    places: HashMap<K, u32, BuildHasherDefault<Mix>>,
    most_nodes: usize,
    visits: u64,
    created: u64,
}

impl<K: Clone + Eq + Hash, M: Copy + Eq> Tree<K, M> {
    /// An empty tree that keeps at most `most_nodes` information sets, from [`LEAST_NODES`] to
    /// [`MOST_NODES`]: what is less or more counts as the nearest of these.
    #[must_use]
    pub fn new(most_nodes: usize) -> Tree<K, M> {
        let places = HashMap::default();
        Tree {
            nodes: Vec::new(),
            places,
            most_nodes: most_nodes.clamp(LEAST_NODES, MOST_NODES),
            visits: 0,
            created: 0,
        }
    }

    /// The place of an information set, which is made if need be.
    pub fn visit(&mut self, key: K) -> (usize, bool) {
        self.visits += 1;
        if let Some(&place) = self.places.get(&key) {
            self.nodes[place as usize].used = self.visits;
            return (place as usize, false);
        }
        let place = self.nodes.len();
        self.nodes.push(Node { edges: Vec::new(), used: self.visits });
        self.places.insert(key, place as u32);
        self.created += 1;
        (place, true)
    }

    /// Sees to it that one more set can be made, and the root if it is not there. If there is no room, about half of
    /// the sets go, those that were not used for longest; never the root. The places of the others change then.
    pub fn make_room(&mut self, root: &K) {
        let root_place = self.places.get(root).copied();
        let needed = 1 + usize::from(root_place.is_none());
        if self.nodes.len() + needed <= self.most_nodes {
            return;
        }
        if let Some(place) = root_place {
            self.nodes[place as usize].used = u64::MAX;
        }
        let kept_len = (self.most_nodes / 2).min(self.most_nodes - needed);
        let mut times: Vec<u64> = self.nodes.iter().map(|node| node.used).collect();
        // No two sets were used by the same visit, so exactly so many are left.
        times.sort_unstable_by(|a, b| b.cmp(a));
        let mut kept = Vec::with_capacity(self.most_nodes);
        let nodes = &mut self.nodes;
        self.places.retain(|_, place| {
            let node = &mut nodes[*place as usize];
            let is_kept = times[..kept_len].last().is_some_and(|&oldest| node.used >= oldest);
            if is_kept {
                *place = kept.len() as u32;
                kept.push(Node { edges: std::mem::take(&mut node.edges), used: node.used.min(self.visits) });
            }
            is_kept
        });
        self.nodes = kept;
    }

    /// A node by its place, which holds until the next visit.
    pub fn node(&mut self, place: usize) -> &mut Node<M> {
        &mut self.nodes[place]
    }

    /// What is known of an information set.
    #[must_use]
    pub fn find(&self, key: &K) -> Option<&Node<M>> {
        self.places.get(key).map(|&place| &self.nodes[place as usize])
    }

    /// The number of information sets in the tree.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Is there no information set in the tree?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How often a set was visited, and how often it had to be made.
    #[must_use]
    pub fn traffic(&self) -> (u64, u64) {
        (self.visits, self.created)
    }

    /// The memory that the tree takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let edges: usize = self.nodes.iter().map(|node| node.edges.capacity() * size_of::<Edge<M>>()).sum();
        // A map fills seven eighths of its places, and keeps a byte of control for each. What a key holds elsewhere
        // is not known here.
        let places = match self.places.capacity() {
            0 => 0,
            capacity => (capacity * 8 / 7).next_power_of_two(),
        };
        edges + self.nodes.capacity() * size_of::<Node<M>>() + places * (size_of::<(K, u32)>() + 1)
    }

    /// Forgets all information sets of the tree.
    pub fn clear(&mut self) {
        *self = Tree::new(self.most_nodes);
    }
}

/// A quick hash for keys of our own: nobody chooses them to collide. The order in the map, which it decides,
/// is never looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        let mixed = u128::from(self.0 ^ word ^ 0x2545_f491_4f6c_dd1d) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (mixed >> 64) as u64 ^ mixed as u64;
    }

    fn write_u128(&mut self, word: u128) {
        self.write_u64(word as u64);
        self.write_u64((word >> 64) as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
