//! IS-MCTS with a value in place of roll-outs.
//!
//! An iteration walks down the information sets as ever, and ends at a set that is new, or at the first move whose
//! worth nobody has looked up: the guide tells it, exactly over what may come to light after the move. What is carried back to a move before is
//! the worth of the set that was reached, less what the guide estimates for this set, plus what the guide expects of
//! the move: a control variate, which takes the luck of the draw out of the worth and leaves what the tree has learnt.

use super::tree::{Edge, edge_of};
use super::{Guide, HiddenGame, IsMcts};

/// What a move is worth by now: what the guide says, and the mean of what was found to differ from it, as if so many
/// visits more had found no difference: what the tree finds has to come again before it is believed.
fn worth<M>(edge: &Edge<M>, prior_visits: f64) -> f64 {
    let said = edge.prior.unwrap_or(0.0);
    let visits = f64::from(edge.visits);
    if edge.visits == 0 { said } else { said + (edge.total - visits * said) / (visits + prior_visits) }
}

impl<G: HiddenGame, R: Guide<G>> IsMcts<'_, G, R> {
    /// Asks the guide, if it values moves, for the exact worth of all moves at the root that were not tried.
    pub(super) fn value_root(&mut self, state: &G::State, root: &G::Key) {
        let Some(valued) = self.guide.valued() else { return };
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        if moves.is_empty() {
            return;
        }
        self.tree.make_room(root);
        let (place, _) = self.tree.visit(root.clone());
        let edges = &mut self.tree.node(place).edges;
        for mv in moves {
            let at = edge_of(edges, mv);
            if edges[at].visits == 0 {
                edges[at].prior = Some(valued.expected(self.game, state, mv));
            }
        }
    }

    /// One iteration from the root; what the root is worth by it.
    pub(super) fn valued_iteration(
        &mut self,
        state: &mut G::State,
        moves: &mut Vec<G::Move>,
        walked: &mut Vec<G::Move>,
    ) -> f64 {
        let mut path = Vec::new();
        loop {
            moves.clear();
            self.game.moves(state, moves);
            if moves.is_empty() {
                break;
            }
            let (place, is_new) = self.tree.visit(self.game.key(state));
            let is_root = path.is_empty();
            if is_new && !is_root {
                break;
            }
            let (edge, estimate) = self.most_urgent(place, state, moves, is_root);
            path.push((place, edge, estimate));
            let known = &mut self.tree.node(place).edges[edge];
            walked.push(known.mv);
            if known.visits == 0 && !is_root {
                let valued = self.guide.valued().expect("a guide that values");
                known.prior = Some(valued.expected(self.game, state, known.mv));
                break;
            }
            self.game.play(state, known.mv);
        }
        // Back: each move gets by how much the set after it is worth more than its estimate. A game that is over is
        // worth what was estimated, and of a new set, or a move that was looked up, nothing more is known.
        let prior_visits = self.options.prior_weight;
        let (mut surplus, mut found) = (0.0, 0.0);
        for &(place, edge, estimate) in path.iter().rev() {
            let edges = &mut self.tree.node(place).edges;
            let known = &mut edges[edge];
            known.visits += 1;
            known.total += known.prior.unwrap_or(0.0) + surplus;
            found = edges.iter().map(|edge| worth(edge, prior_visits)).fold(f64::NEG_INFINITY, f64::max);
            surplus = found - estimate;
        }
        found
    }

    /// The edge to walk, and what the guide estimates for the set; the root needs no estimate.
    fn most_urgent(
        &mut self,
        place: usize,
        state: &G::State,
        moves: &[G::Move],
        is_root: bool,
    ) -> (usize, f64) {
        let valued = self.guide.valued().expect("a guide that values");
        let edges = &mut self.tree.node(place).edges;
        let prior_visits = self.options.prior_weight;
        let unit = self.options.exploration * valued.error();
        let (mut best, mut estimate) = ((f64::NEG_INFINITY, 0), f64::NEG_INFINITY);
        for &mv in moves {
            let at = edge_of(edges, mv);
            let edge = &mut edges[at];
            edge.available += 1;
            if !is_root {
                let glance = valued.glance(self.game, state, mv);
                estimate = estimate.max(glance);
                edge.prior.get_or_insert(glance);
            }
            let tried = f64::from(edge.visits) + 1.0;
            let bound = worth(edge, prior_visits) + unit * (f64::from(edge.available).ln() / tried).sqrt();
            if bound > best.0 {
                best = (bound, at);
            }
        }
        (best.1, estimate)
    }
}
