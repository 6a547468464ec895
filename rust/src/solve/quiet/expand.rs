//! What either side may play: leaf searches, the attacker's moves, and the replies that need an answer.

use std::sync::Arc;

use super::graph::{Child, NodeId, ROOT};
use super::search::{MOVE_PROOF, PASS_PROOF, PLACE_PROOF, Search};
use crate::solve::guide::Guided;
use crate::solve::packed::PackedTree;
use crate::solve::replay::{tree_wins, tree_zone};
use crate::solve::store::Numbers;
use crate::solve::{Attack, Attacks, LimitHit, VcfOptions, VctOptions, Verdict};
use crate::types::{Bitboard, Color, Point, WideKey};

/// The nodes of the search for a win by fours of the defender, after every stone of the attacker.
const COUNTER_NODES: u64 = 5_000;

/// Positions on the way to one whose trees are tried there.
const NEAR: usize = 4;

/// What a leaf search says.
enum Leaf {
    Won(Attack),
    /// There is no VCT, whatever the limit.
    Lost,
    Open,
}

impl Search<'_> {
    /// The attacker is to move: plays the trees of siblings, searches for a VCT, or puts the moves in order.
    pub(super) fn expand_attacker(&mut self, id: NodeId, parent: Option<NodeId>) -> Result<(), LimitHit> {
        let node = self.graph.node(id);
        if node.tries == 0 && node.children.is_empty() {
            if let Some(tree) = self.known_tree()? {
                self.win_by_tree(id, parent, tree);
                return Ok(());
            }
            if self.add_hinted(id) {
                return Ok(());
            }
        }
        if !self.wants_leaf(id) {
            return self.add_moves(id);
        }
        let nodes = self.options.leaf_nodes[usize::from(self.graph.node(id).tries)];
        let leaf = self.leaf(nodes, parent)?;
        let node = self.graph.node_mut(id);
        node.tries += 1;
        match leaf {
            Leaf::Won(tree) => {
                if let Some(parent) = parent {
                    let parent = self.graph.node_mut(parent);
                    parent.answers.guide.add(parent.key, self.attacker, &tree);
                }
                self.win_by_tree(id, parent, Arc::new(PackedTree::new(&tree)));
            }
            Leaf::Lost => node.is_searched_out = true,
            Leaf::Open => {}
        }
        Ok(())
    }

    fn win_by_tree(&mut self, id: NodeId, parent: Option<NodeId>, tree: Arc<PackedTree>) {
        let node = self.graph.node_mut(id);
        node.tree = Some(tree.clone());
        node.children = Vec::new();
        node.settle(Numbers::PROVED, true);
        if let Some(parent) = parent {
            self.graph.node_mut(parent).answers.add_tree(tree);
        }
    }

    /// The stones that were added to the first position.
    fn added(&self) -> WideKey {
        self.map.stones_key() ^ self.graph.node(ROOT).key
    }

    /// Gives a position with the attacker to move those moves as children that hints name. Returns whether there are any.
    fn add_hinted(&mut self, id: NodeId) -> bool {
        let named = self.hints.moves(self.added());
        let is_free = |p: Point| self.map.stones().at(p).is_none() && self.map.is_legal(self.attacker, p);
        let moves = named.iter().copied().filter(|&p| is_free(p));
        let children: Vec<Child> = moves.map(|stone| Child::new(stone, Numbers::OPEN)).collect();
        let is_hinted = !children.is_empty();
        self.graph.node_mut(id).children = children;
        is_hinted
    }

    /// A tree of a hint, or one that won near the node under work, that wins here too.
    fn known_tree(&mut self) -> Result<Option<Arc<PackedTree>>, LimitHit> {
        self.limits(1)?;
        let mut trees = self.hints.trees(self.added()).to_vec();
        for &id in self.path.iter().rev().take(NEAR) {
            let node = self.graph.node(id);
            trees.extend(node.answers.trees.iter().chain(&node.tree).cloned());
        }
        let mut visits = 0;
        let found = trees.into_iter().find(|tree| {
            self.map.stones().at(tree.first()).is_none()
                && tree_wins(self.map, self.attacker, &tree.unpacked(), &mut visits)
        });
        self.stats.nodes += visits;
        self.stats.inherited += u64::from(found.is_some());
        Ok(found)
    }

    /// Searches for a VCT of the attacker as if it were to move, guided by what won against other replies to the
    /// attack that led here.
    fn leaf(&mut self, nodes: u64, parent: Option<NodeId>) -> Result<Leaf, LimitHit> {
        let limits = self.limits(nodes)?;
        let attacks = Attacks::Threats(self.options.threat_limit);
        let options = VctOptions { attacks, by_shape: true, limits, ..VctOptions::default() };
        let guided = parent.map(|parent| {
            let node = self.graph.node(parent);
            Guided { guide: &node.answers.guide, difference: node.key ^ self.map.stones_key() }
        });
        let (verdict, used) =
            self.vct.solve_guided(self.map, self.attacker, options, guided, self.should_stop);
        self.stats.nodes += used;
        self.stats.leaves += 1;
        Ok(match verdict {
            Verdict::Proved(proof) => {
                self.stats.leaves_won += 1;
                Leaf::Won(proof.tree)
            }
            Verdict::Refuted { exhausted: true } => Leaf::Lost,
            Verdict::Unknown(limit @ (LimitHit::Time | LimitHit::Stop)) => return Err(limit),
            Verdict::Unknown(LimitHit::Nodes) if limits.nodes < Some(nodes) => return Err(LimitHit::Nodes),
            Verdict::Refuted { exhausted: false } | Verdict::Unknown(_) => Leaf::Open,
        })
    }

    /// Gives a position with the attacker to move all its legal moves, the most promising first.
    fn add_moves(&mut self, id: NodeId) -> Result<(), LimitHit> {
        self.limits(1)?;
        let stones = *self.map.stones();
        let forced = self.map.fives(self.attacker.opponent());
        let pool = match forced.len() {
            0 => stones.empty(),
            1 => forced,
            _ => Bitboard::EMPTY,
        };
        let pool: Bitboard = pool.points().filter(|&p| self.map.is_legal(self.attacker, p)).collect();
        let mut moves = Vec::new();
        if pool.len() > 1 {
            self.stats.ordered += 1;
            self.stats.nodes += self.order.attacks(&stones, self.attacker, &mut moves, self.should_stop);
            // An order that was told to stop is none.
            self.limits(1)?;
        }
        let hinted = std::mem::take(&mut self.graph.node_mut(id).children);
        let known: Bitboard = hinted.iter().map(|child| child.stone).collect();
        let pool = pool - known;
        moves.retain(|&p| pool.contains(p));
        let named: Bitboard = moves.iter().copied().collect();
        let mut rest: Vec<Point> = (pool - named).points().collect();
        let taken: Vec<Point> = (Bitboard::ALL - stones.empty()).points().collect();
        rest.sort_by_key(|p| taken.iter().map(|stone| stone.distance(*p)).min());
        let children = moves.into_iter().chain(rest).enumerate().map(|(place, stone)| {
            let proof = MOVE_PROOF + PLACE_PROOF * place as u32;
            Child::new(stone, Numbers { proof, disproof: 1 })
        });
        let children: Vec<Child> = hinted.into_iter().chain(children).collect();
        let node = self.graph.node_mut(id);
        (node.children, node.has_children) = (children, true);
        Ok(())
    }

    /// The defender is to move: is the attacker's stone an attack, and which replies need an answer?
    pub(super) fn expand_defender(&mut self, id: NodeId, parent: Option<NodeId>) -> Result<(), LimitHit> {
        let defender = self.attacker.opponent();
        if !self.map.fives(defender).is_empty() {
            self.graph.node_mut(id).settle(Numbers::REFUTED, true);
            return Ok(());
        }
        let completions = self.map.fives(self.attacker);
        if let Some(block) = completions.points().next() {
            let is_won = completions.len() > 1 || !self.map.is_legal(defender, block);
            let node = self.graph.node_mut(id);
            (node.is_four, node.has_children) = (true, true);
            if is_won {
                node.settle(Numbers::PROVED, true);
            } else {
                node.children = vec![Child::new(block, Numbers::OPEN)];
            }
            return Ok(());
        }
        if self.graph.node(id).tries == 0 && self.has_counter(defender)? {
            self.graph.node_mut(id).settle(Numbers::REFUTED, true);
            return Ok(());
        }
        let tries = usize::from(self.graph.node(id).tries);
        if tries == 0
            && let Some(tree) = self.known_tree()?
        {
            self.graph.node_mut(id).tries += 1;
            return self.add_replies(id, parent, tree);
        }
        let leaf = self.leaf(self.options.pass_nodes[tries], None)?;
        let is_last = tries + 1 == self.options.pass_nodes.len();
        let node = self.graph.node_mut(id);
        node.tries += 1;
        match leaf {
            Leaf::Won(tree) => self.add_replies(id, parent, Arc::new(PackedTree::new(&tree)))?,
            Leaf::Lost => node.settle(Numbers::REFUTED, true),
            Leaf::Open if is_last => node.settle(Numbers::REFUTED, false),
            Leaf::Open => node.numbers = Numbers { proof: PASS_PROOF, disproof: 1 },
        }
        Ok(())
    }

    /// Does the defender, to move, win by fours?
    fn has_counter(&mut self, defender: Color) -> Result<bool, LimitHit> {
        let limits = self.limits(COUNTER_NODES)?;
        let options = VcfOptions { limits, ..VcfOptions::default() };
        let (verdict, used) = self.vcf.solve(self.map, defender, options, self.should_stop);
        self.stats.nodes += used;
        match verdict {
            Verdict::Unknown(limit @ (LimitHit::Time | LimitHit::Stop)) => Err(limit),
            verdict => Ok(matches!(verdict, Verdict::Proved(_))),
        }
    }

    /// Gives a position with the defender to move the replies against which the tree of the pass fails.
    fn add_replies(
        &mut self,
        id: NodeId,
        parent: Option<NodeId>,
        packed: Arc<PackedTree>,
    ) -> Result<(), LimitHit> {
        let tree = &packed.unpacked();
        if let Some(parent) = parent {
            self.graph.node_mut(parent).answers.add_tree(packed.clone());
        }
        let defender = self.attacker.opponent();
        self.stats.attacks += 1;
        let legal: Bitboard =
            self.map.stones().empty().points().filter(|&p| self.map.is_legal(defender, p)).collect();
        let zone = tree_zone(self.map, self.attacker, tree) & legal;
        let mut replies = Vec::new();
        for reply in zone.points() {
            self.limits(1)?;
            if !self.wins_after(tree, reply) {
                replies.push(reply);
            }
        }
        self.order.replies(self.map, defender, &mut replies);
        let node = self.graph.node_mut(id);
        node.children = replies.into_iter().map(|reply| Child::new(reply, Numbers::OPEN)).collect();
        node.answers.guide.add(node.key, self.attacker, tree);
        node.tree = Some(packed);
        (node.unchecked, node.has_children) = (legal - zone, true);
        Ok(())
    }

    /// Does the tree of the pass win against this reply?
    fn wins_after(&mut self, tree: &Attack, reply: Point) -> bool {
        self.map.play(self.attacker.opponent(), reply);
        let wins = tree_wins(self.map, self.attacker, tree, &mut self.stats.nodes);
        self.map.undo();
        wins
    }

    /// Plays the tree of the pass against the replies outside its zone. Those against which it fails become children;
    /// returns whether there are none.
    pub(super) fn check_rest(&mut self, id: NodeId) -> Result<bool, LimitHit> {
        let node = self.graph.node(id);
        let Some(tree) = node.tree.as_ref().map(|tree| tree.unpacked()) else { return Ok(true) };
        let unchecked = node.unchecked;
        let mut found = Vec::new();
        for reply in unchecked.points() {
            self.limits(1)?;
            if !self.wins_after(&tree, reply) {
                found.push(Child::new(reply, Numbers::OPEN));
            }
        }
        let node = self.graph.node_mut(id);
        node.unchecked = Bitboard::EMPTY;
        node.children.extend_from_slice(&found);
        if !found.is_empty() {
            node.numbers = Numbers { proof: found.len() as u32, disproof: 1 };
        }
        Ok(found.is_empty())
    }
}
