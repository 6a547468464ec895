//! The search by proof numbers: which position to work on next, and what its children say of it.

use std::time::Instant;

use super::graph::{Child, Graph, NodeId, ROOT};
use super::{Hints, MoveOrder, QuietOptions, QuietProof, QuietSolver, QuietStats, QuietVerdict};
use crate::solve::store::{INFINITE, Numbers};
use crate::solve::{LimitHit, Limits, VcfSolver, VctSolver};
use crate::threats::ThreatMap;
use crate::types::{Color, Point};

/// The proof number of a quiet move that nobody has looked at, if it is the first in order.
pub(super) const MOVE_PROOF: u32 = 100;

/// What every place in the order adds to it.
pub(super) const PLACE_PROOF: u32 = 15;

/// Key: leaf searches that failed; value: the proof number of the next.
const LEAF_PROOF: [u32; 3] = [1, 40, 600];

/// The proof number of a second search after a pass.
pub(super) const PASS_PROOF: u32 = 400;

/// Leaf searches before the attacker's moves are put in order.
const EARLY_LEAVES: u8 = 2;

/// What a position with the defender to move adds to its proof number, beside a quarter: without it the search sinks
/// into endless fours, each of which has one reply only.
const ATTACK_PROOF: u32 = 20;

/// Whose turn it is in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    Attacker,
    Defender,
}

pub(super) struct Search<'a> {
    pub(super) map: &'a mut ThreatMap,
    pub(super) vct: &'a mut VctSolver,
    pub(super) vcf: &'a mut VcfSolver,
    pub(super) order: &'a mut dyn MoveOrder,
    pub(super) should_stop: &'a mut dyn FnMut() -> bool,
    pub(super) attacker: Color,
    pub(super) options: QuietOptions,
    pub(super) hints: &'a Hints,
    pub(super) graph: Graph,
    pub(super) stats: QuietStats,
    /// The nodes from the first position to the one under work.
    pub(super) path: Vec<NodeId>,
    deadline: Option<Instant>,
}

/// What to do with a node next.
enum Step {
    Expand,
    Enter(usize),
}

impl<'a> Search<'a> {
    #[expect(clippy::too_many_arguments, reason = "each is a part of one search")]
    pub(super) fn new(
        solver: &'a mut QuietSolver,
        map: &'a mut ThreatMap,
        attacker: Color,
        options: QuietOptions,
        hints: &'a Hints,
        order: &'a mut dyn MoveOrder,
        should_stop: &'a mut dyn FnMut() -> bool,
        deadline: Option<Instant>,
        stats: QuietStats,
    ) -> Search<'a> {
        let graph = Graph::new(map.stones_key());
        let QuietSolver { vct, vcf } = solver;
        let path = Vec::new();
        Search { map, vct, vcf, order, should_stop, attacker, options, hints, graph, stats, path, deadline }
    }

    /// Searches until the first position is settled. `None` if it is refuted, but not for good.
    pub(super) fn run(&mut self) -> Result<Option<QuietVerdict>, LimitHit> {
        while !self.graph.node(ROOT).numbers.is_settled() {
            self.improve(ROOT, Turn::Attacker, None)?;
            if !self.graph.fits(self.options.memory) {
                return Err(LimitHit::Memory);
            }
        }
        let root = self.graph.node(ROOT);
        if root.numbers.proof == 0 {
            let proof = QuietProof::of_graph(&self.graph, self.attacker, self.options.threat_limit);
            return Ok(Some(QuietVerdict::Proved(proof)));
        }
        Ok(root.is_final.then_some(QuietVerdict::Refuted))
    }

    /// What was done so far.
    pub(super) fn stats(&self) -> QuietStats {
        QuietStats { positions: self.graph.len() as u64, ..self.stats }
    }

    /// The limits of a leaf search that may take this number of nodes.
    pub(super) fn limits(&mut self, nodes: u64) -> Result<Limits, LimitHit> {
        if (self.should_stop)() {
            return Err(LimitHit::Stop);
        }
        let left = self.options.limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.stats.nodes));
        if left == 0 {
            return Err(LimitHit::Nodes);
        }
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if time.is_some_and(|time| time.is_zero()) {
            return Err(LimitHit::Time);
        }
        Ok(Limits { nodes: Some(nodes.min(left)), time })
    }

    /// Does one piece of work below a node, whose position is on the board.
    fn improve(&mut self, id: NodeId, turn: Turn, parent: Option<NodeId>) -> Result<(), LimitHit> {
        self.path.push(id);
        let result = self.improve_below(id, turn, parent);
        self.path.pop();
        result
    }

    fn improve_below(&mut self, id: NodeId, turn: Turn, parent: Option<NodeId>) -> Result<(), LimitHit> {
        self.refresh(id, turn, parent)?;
        if self.graph.node(id).numbers.is_settled() {
            return Ok(());
        }
        match self.step(id, turn, parent) {
            Step::Expand if turn == Turn::Attacker => self.expand_attacker(id, parent)?,
            Step::Expand => self.expand_defender(id, parent)?,
            Step::Enter(place) => {
                let stone = self.graph.node(id).children[place].stone;
                self.map.play(self.mover(turn), stone);
                let next = self.graph.enter(id, place, self.map.stones_key());
                let other = if turn == Turn::Attacker { Turn::Defender } else { Turn::Attacker };
                let result = self.improve(next, other, Some(id));
                self.map.undo();
                result?;
            }
        }
        self.refresh(id, turn, parent)
    }

    fn mover(&self, turn: Turn) -> Color {
        if turn == Turn::Attacker { self.attacker } else { self.attacker.opponent() }
    }

    fn step(&mut self, id: NodeId, turn: Turn, parent: Option<NodeId>) -> Step {
        let node = self.graph.node(id);
        if !node.has_children && (turn == Turn::Defender || node.children.is_empty()) {
            return Step::Expand;
        }
        if turn == Turn::Defender {
            let open = |(_, child): &(usize, &Child)| self.graph.numbers(child).proof > 0;
            let children = node.children.iter().enumerate().filter(open);
            let best = children.min_by_key(|(_, child)| self.graph.numbers(child).disproof);
            return Step::Enter(best.expect("an open node has an open child").0);
        }
        self.prefer(id, parent);
        let node = self.graph.node(id);
        let best = node.children.iter().enumerate().min_by_key(|(_, child)| self.graph.numbers(child).proof);
        let other = self.leaf_proof(id).min(self.moves_proof(id));
        match best {
            Some((place, child)) if self.graph.numbers(child).proof <= other => Step::Enter(place),
            _ => Step::Expand,
        }
    }

    /// Brings forward the quiet moves that won against other replies to the same attack.
    fn prefer(&mut self, id: NodeId, parent: Option<NodeId>) {
        let Some(parent) = parent else { return };
        let moves: Vec<Point> = self.graph.node(parent).answers.moves.clone();
        for child in &mut self.graph.node_mut(id).children {
            if child.node.is_none() && child.guess.disproof > 0 && moves.contains(&child.stone) {
                child.guess.proof = child.guess.proof.min(MOVE_PROOF / 2);
            }
        }
    }

    /// The proof number of the next leaf search with the attacker to move.
    fn leaf_proof(&self, id: NodeId) -> u32 {
        let node = self.graph.node(id);
        let proof = LEAF_PROOF.get(usize::from(node.tries)).copied();
        proof.filter(|_| !node.is_searched_out).unwrap_or(INFINITE)
    }

    /// The proof number of the moves that are not among the children.
    fn moves_proof(&self, id: NodeId) -> u32 {
        if self.graph.node(id).has_children { INFINITE } else { MOVE_PROOF }
    }

    /// Is a leaf search to be made here, rather than the moves put in order?
    pub(super) fn wants_leaf(&self, id: NodeId) -> bool {
        let node = self.graph.node(id);
        self.leaf_proof(id) < INFINITE && (node.has_children || node.tries < EARLY_LEAVES)
    }

    /// Takes over what the children say of a node, whose position is on the board.
    fn refresh(&mut self, id: NodeId, turn: Turn, parent: Option<NodeId>) -> Result<(), LimitHit> {
        let node = self.graph.node(id);
        if node.numbers.is_settled() || (node.tries == 0 && !node.has_children && node.children.is_empty()) {
            return Ok(());
        }
        match turn {
            Turn::Attacker => self.refresh_attacker(id, parent),
            Turn::Defender if node.has_children => self.refresh_defender(id)?,
            Turn::Defender => {}
        }
        Ok(())
    }

    fn refresh_attacker(&mut self, id: NodeId, parent: Option<NodeId>) {
        let node = self.graph.node(id);
        let leaf = Numbers { proof: self.leaf_proof(id), disproof: 1 };
        let moves = Numbers { proof: self.moves_proof(id), disproof: 1 };
        let more = [leaf, moves].into_iter().filter(|more| more.proof < INFINITE);
        let (mut least, mut most, mut others, mut is_final) = (INFINITE, 0, 0u32, true);
        let mut won = None;
        for child in &node.children {
            let Numbers { proof, disproof } = self.graph.numbers(child);
            least = least.min(proof);
            if proof == 0 {
                won = Some(*child);
            } else if disproof > 0 {
                (most, others) = (disproof.max(most), others + 1);
            } else {
                is_final &= self.graph.is_final(child);
            }
        }
        for Numbers { proof, disproof } in more {
            (least, most, others) = (least.min(proof), disproof.max(most), others + 1);
        }
        if let Some(child) = won {
            let node = self.graph.node_mut(id);
            node.children = vec![child];
            node.settle(Numbers::PROVED, true);
            if let Some(parent) = parent {
                self.graph.node_mut(parent).answers.add_move(child.stone);
            }
        } else if least >= INFINITE {
            self.graph.node_mut(id).settle(Numbers::REFUTED, is_final);
        } else {
            let disproof = (most + others.saturating_sub(1)).min(INFINITE);
            self.graph.node_mut(id).numbers = Numbers { proof: least, disproof };
        }
    }

    fn refresh_defender(&mut self, id: NodeId) -> Result<(), LimitHit> {
        let node = self.graph.node(id);
        let (mut sum, mut least, mut is_final) = (0u32, INFINITE, false);
        for child in &node.children {
            let Numbers { proof, disproof } = self.graph.numbers(child);
            sum = (sum + proof).min(INFINITE);
            least = least.min(disproof);
            is_final |= disproof == 0 && self.graph.is_final(child);
        }
        if least == 0 {
            self.graph.node_mut(id).settle(Numbers::REFUTED, is_final);
        } else if sum > 0 {
            let proof = if node.is_four { sum } else { sum + sum / 4 } + ATTACK_PROOF;
            self.graph.node_mut(id).numbers = Numbers { proof: proof.min(INFINITE - 1), disproof: least };
        } else if self.check_rest(id)? {
            self.graph.node_mut(id).settle(Numbers::PROVED, true);
        }
        Ok(())
    }
}
