//! Information-set Monte Carlo tree search.
//!
//! Every iteration draws a determinization, walks down the information sets it passes through, adds one, plays the
//! game to its end, and credits the reward to the moves that were walked. A move is chosen among those legal in
//! this very determinization, by UCB1 with the times it *could* have been tried in place of all visits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::tree::{Edge, Tree, edge_of};
use super::{Guide, HiddenGame};
use crate::types::Random;

/// How many determinizations a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Determinizations {
    /// A new one for every iteration.
    Always,
    /// This number of determinizations, one after the other, again and again.
    Fixed(u32),
    /// As many determinizations as iterations when everything is hidden, at least `least` when little is.
    Adaptive {
        /// The least number of determinizations.
        least: u32,
    },
}

/// How an information set is searched.
#[derive(Clone, Copy, Debug)]
pub struct SearchOptions {
    /// The number of iterations: determinize, descend, play out, go back.
    pub iterations: u32,
    /// The time after which the search ends; without it no clock is read.
    pub time: Option<Duration>,
    /// How much is tried that does not look best: the constant of UCB1, for rewards from 0 to 1, or in units of
    /// [`Valued::error`](super::Valued::error) if the guide values states.
    pub exploration: f64,
    /// How many times as much as all that was tried the guide's prior of the moves to choose from weighs. A
    /// share, not a number of visits: a search that goes on for longer believes in it as much as a short one. Of a
    /// guide that values states it is the visits that its word counts for, which yields to evidence.
    pub prior_weight: f64,
    /// How many determinizations the iterations share.
    pub determinizations: Determinizations,
    /// The greatest number of information sets that are kept.
    pub most_nodes: usize,
    /// Is what was learnt kept for the next search?
    pub keep: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            iterations: 200,
            time: None,
            exploration: 1.41,
            prior_weight: 3.0,
            determinizations: Determinizations::Always,
            most_nodes: 100_000,
            keep: false,
        }
    }
}

/// What a search did, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// The number of iterations that were done.
    pub iterations: u32,
    /// The number of determinizations that were drawn.
    pub determinizations: u32,
    /// The number of information sets in the tree.
    pub nodes: usize,
    /// The number of information sets that were passed, new ones included.
    pub visits: u64,
    /// The number of information sets that were new to the tree.
    pub created: u64,
    /// The memory that the tree takes, in bytes.
    pub bytes: usize,
}

impl Report {
    /// The part of the information sets passed that were known from another path or determinization.
    #[must_use]
    pub fn sharing(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { 1.0 - self.created as f64 / self.visits as f64 }
    }
}

/// One iteration, for those who watch.
#[derive(Debug)]
pub struct Step<'a, G: HiddenGame> {
    /// The number of the iteration, from 0.
    pub iteration: u32,
    /// The determinization with which the iteration began.
    pub start: &'a G::State,
    /// The moves that were walked in the tree.
    pub walked: &'a [G::Move],
    /// The reward at the end of the iteration.
    pub reward: f64,
}

/// A searcher with its tree.
pub struct IsMcts<'a, G: HiddenGame, R: Guide<G>> {
    pub(super) game: &'a G,
    pub(super) guide: R,
    pub(super) options: SearchOptions,
    pub(super) tree: Tree<G::Key, G::Move>,
    /// The lowest and the highest reward seen: what 0 and 1 stand for.
    range: (f64, f64),
}

impl<'a, G: HiddenGame, R: Guide<G>> IsMcts<'a, G, R> {
    /// A searcher that knows nothing yet.
    pub fn new(game: &'a G, guide: R, options: SearchOptions) -> IsMcts<'a, G, R> {
        let tree = Tree::new(options.most_nodes);
        IsMcts { game, guide, options, tree, range: (f64::INFINITY, f64::NEG_INFINITY) }
    }

    /// Sets the time of the next searches.
    pub(super) fn set_time(&mut self, time: Option<Duration>) {
        self.options.time = time;
    }

    /// Forgets all information sets of the tree.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.range = (f64::INFINITY, f64::NEG_INFINITY);
    }

    /// What the tree knows of the moves of an information set; nothing if the set is not in it.
    #[must_use]
    pub fn known(&self, key: &G::Key) -> &[Edge<G::Move>] {
        self.tree.find(key).map_or(&[], |node| &node.edges)
    }

    /// Searches the observed position; what is known of its moves then, in the game's order. `stop` ends the
    /// search when set, `watch` hears of every iteration.
    pub fn search(
        &mut self,
        observation: &G::Observation,
        random: &mut Random,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&Step<'_, G>),
    ) -> (Vec<Edge<G::Move>>, Report) {
        if !self.options.keep {
            self.clear();
        }
        let start = self.options.time.map(|time| (Instant::now(), time));
        let before = self.tree.traffic();
        // Determinization number n is the same whenever it comes again.
        let wanted = self.determinizations(observation);
        let determinizations = random.number();
        let template = self.game.determinize(observation, random);
        let root = self.game.key(&template);
        self.value_root(&template, &root);
        let mut report = Report::default();
        let (mut path, mut walked, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for iteration in 0..self.options.iterations {
            let is_late = start.is_some_and(|(start, time)| start.elapsed() >= time);
            if iteration > 0 && (is_late || stop.load(Ordering::Relaxed)) {
                break;
            }
            // 1. A determinization: a new one, or one of those there were.
            let mut source = Random::part(determinizations, (iteration % wanted).into());
            let first = self.game.determinize_again(observation, &template, &mut source);
            let mut state = first.clone();
            // 2. and 3. Down the tree, and one step out of it, for which there has to be room.
            self.tree.make_room(&root);
            path.clear();
            walked.clear();
            let reward = if self.guide.valued().is_some() {
                self.valued_iteration(&mut state, &mut moves, &mut walked)
            } else {
                self.walk(&mut state, random, &mut path, &mut moves, &mut walked);
                // 4. To the end.
                self.play_out(&mut state, random, &mut moves);
                // 5. Back along the path that was walked.
                self.credit(&state, &path)
            };
            watch(&Step { iteration, start: &first, walked: &walked, reward });
            report.iterations += 1;
        }
        report.determinizations = report.iterations.min(wanted);
        let (visits, created) = self.tree.traffic();
        report.nodes = self.tree.len();
        report.bytes = self.tree.bytes();
        (report.visits, report.created) = (visits - before.0, created - before.1);
        (self.tree.find(&root).map_or_else(Vec::new, |node| node.edges.clone()), report)
    }

    fn determinizations(&self, observation: &G::Observation) -> u32 {
        let most = self.options.iterations.max(1);
        match self.options.determinizations {
            Determinizations::Always => most,
            Determinizations::Fixed(count) => count.clamp(1, most),
            Determinizations::Adaptive { least } => {
                let share = self.game.hidden_share(observation).clamp(0.0, 1.0);
                let least = least.clamp(1, most);
                least + (f64::from(most - least) * share) as u32
            }
        }
    }

    /// Walks down while all moves are known, then one step further. `path` gets place, edge and player of
    /// every step.
    fn walk(
        &mut self,
        state: &mut G::State,
        random: &mut Random,
        path: &mut Vec<(usize, usize, usize)>,
        moves: &mut Vec<G::Move>,
        walked: &mut Vec<G::Move>,
    ) {
        loop {
            moves.clear();
            self.game.moves(state, moves);
            if moves.is_empty() {
                return;
            }
            let (place, is_new) = self.tree.visit(self.game.key(state));
            if is_new && !path.is_empty() {
                // The set that was reached by a step out of the tree: its own moves come later.
                return;
            }
            let (edge, is_untried) = self.choose(place, state, moves, path.is_empty(), random);
            let mv = self.tree.node(place).edges[edge].mv;
            path.push((place, edge, self.game.player(state)));
            walked.push(mv);
            self.game.play(state, mv);
            if is_untried {
                // The next set is made now, so that it is there when others come by.
                moves.clear();
                self.game.moves(state, moves);
                if !moves.is_empty() {
                    self.tree.visit(self.game.key(state));
                }
                return;
            }
        }
    }

    /// The edge to walk: one that was never tried, or the best by UCB1; and whether it is untried. All moves that
    /// are legal now count as available.
    fn choose(
        &mut self,
        place: usize,
        state: &G::State,
        moves: &[G::Move],
        is_root: bool,
        random: &mut Random,
    ) -> (usize, bool) {
        let (low, high) = self.range;
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let SearchOptions { exploration, prior_weight, .. } = self.options;
        // A glance may take longer than a whole game played out; only the first choice is worth it.
        let prior_weight = if is_root { prior_weight } else { 0.0 };
        let edges = &mut self.tree.node(place).edges;
        let (mut untried, mut chosen) = (0, None);
        let (mut visits, mut total, mut best_prior) = (0, 0.0, f64::NEG_INFINITY);
        for &mv in moves {
            let at = edge_of(edges, mv);
            let edge = &mut edges[at];
            if prior_weight > 0.0 && edge.prior.is_none() {
                // A set that was reached in an earlier search may have become the root.
                edge.prior = Some(self.guide.prior(self.game, state, mv));
            }
            edge.available += 1;
            visits += edge.visits;
            total += edge.total;
            best_prior = best_prior.max(edge.prior.unwrap_or(0.0));
            if edge.visits == 0 {
                // One of the untried at random: the n-th takes the place of those before it once in n times.
                untried += 1;
                if random.below(untried) == 0 {
                    chosen = Some(at);
                }
            }
        }
        if let Some(at) = chosen {
            return (at, true);
        }
        let mean = total / f64::from(visits);
        let prior_visits = prior_weight * f64::from(visits);
        let mut best = None;
        for &mv in moves {
            let at = edges.iter().position(|edge| edge.mv == mv).expect("all moves have edges now");
            let edge = &edges[at];
            let prior = edge.prior.unwrap_or(0.0);
            let visits = f64::from(edge.visits) + prior_visits;
            let worth = (edge.total + prior_visits * (mean + prior - best_prior)) / visits;
            let bound =
                (worth - low) * scale + exploration * (f64::from(edge.available).ln() / visits).sqrt();
            if best.is_none_or(|(highest, _)| bound > highest) {
                best = Some((bound, at));
            }
        }
        (best.expect("there are moves").1, false)
    }

    fn play_out(&mut self, state: &mut G::State, random: &mut Random, moves: &mut Vec<G::Move>) {
        loop {
            moves.clear();
            self.game.moves(state, moves);
            if moves.is_empty() {
                return;
            }
            let chosen = self.guide.choose(self.game, state, moves, random);
            self.game.play(state, moves[chosen]);
        }
    }

    fn credit(&mut self, state: &G::State, path: &[(usize, usize, usize)]) -> f64 {
        let reward = self.game.reward(state, 0);
        for &(place, edge, player) in path {
            let reward = if player == 0 { reward } else { self.game.reward(state, player) };
            self.range = (self.range.0.min(reward), self.range.1.max(reward));
            let edge = &mut self.tree.node(place).edges[edge];
            edge.visits += 1;
            edge.total += reward;
        }
        reward
    }
}

/// The move to play: the one tried most, then the one with the higher mean, then the first.
#[must_use]
pub fn best_edge<M>(edges: &[Edge<M>]) -> Option<&Edge<M>> {
    edges.iter().rev().max_by(|a, b| a.visits.cmp(&b.visits).then(a.mean().total_cmp(&b.mean())))
}
