use std::sync::atomic::AtomicBool;
use std::time::Duration;

use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::{Edge, Guide, HiddenGame, IsMcts, Report, SearchOptions, Step};
use crate::types::Random;

/// Trees of one forest: more of them than this have next to nothing to share.
pub const MOST_TREES: usize = 1024;

/// Several trees of the same position, searched side by side, each with random numbers of its own. What they know of
/// the moves is added up tree by tree, so that the answer does not depend on the threads.
pub struct Forest<'a, G: HiddenGame, R: Guide<G>> {
    trees: Vec<IsMcts<'a, G, R>>,
    time: Option<Duration>,
}

/// What is known of the moves, and what it took to know it.
pub type Found<M> = (Vec<Edge<M>>, Report);

impl<'a, G: HiddenGame, R: Guide<G> + Clone> Forest<'a, G, R> {
    /// A forest of `trees` trees, 1 to [`MOST_TREES`] (what is less or more counts as the nearest of these),
    /// which share the iterations and the information sets of `options`.
    pub fn new(game: &'a G, guide: &R, options: SearchOptions, trees: usize) -> Forest<'a, G, R> {
        let count = trees.clamp(1, MOST_TREES);
        let share = |all: usize, i: usize| all / count + usize::from(i < all % count);
        let tree = |i| {
            let iterations = share(options.iterations as usize, i) as u32;
            let most_nodes = share(options.most_nodes, i);
            IsMcts::new(game, guide.clone(), SearchOptions { iterations, most_nodes, ..options })
        };
        Forest { trees: (0..count).map(tree).collect(), time: options.time }
    }

    /// Searches the observed position, one tree after the other. `watch` hears of every iteration, with the number
    /// of its tree.
    pub fn search(
        &mut self,
        observation: &G::Observation,
        random: &mut Random,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(usize, &Step<'_, G>),
    ) -> Found<G::Move> {
        self.share_time(1);
        let sources = self.sources(random);
        let found = self.trees.iter_mut().zip(sources).enumerate().map(|(i, (tree, mut random))| {
            tree.search(observation, &mut random, stop, &mut |step| watch(i, step))
        });
        together(found.collect())
    }

    /// Searches as [`Forest::search`] does, on several threads. Fails only if the system gives us none.
    pub fn search_on(
        &mut self,
        threads: usize,
        observation: &G::Observation,
        random: &mut Random,
        stop: &AtomicBool,
    ) -> Result<Found<G::Move>, ThreadPoolBuildError>
    where
        G: Sync,
        G::Observation: Sync,
        G::Key: Send,
        G::Move: Send,
        R: Send,
    {
        let threads = threads.min(self.trees.len());
        if threads <= 1 {
            return Ok(self.search(observation, random, stop, &mut |_, _| {}));
        }
        self.share_time(threads);
        let sources = self.sources(random);
        let pool = ThreadPoolBuilder::new().num_threads(threads).build()?;
        let search = |(tree, mut random): (&mut IsMcts<'a, G, R>, Random)| {
            tree.search(observation, &mut random, stop, &mut |_| {})
        };
        Ok(together(pool.install(|| self.trees.par_iter_mut().zip(sources).map(search).collect())))
    }

    /// What the last search knows of the moves of an information set; empty if it never met the set.
    #[must_use]
    pub fn known(&self, key: &G::Key) -> Vec<Edge<G::Move>> {
        merged(self.trees.iter().map(|tree| tree.known(key).to_vec()))
    }

    /// The trees that are searched one after the other share the time.
    fn share_time(&mut self, threads: usize) {
        let rounds = self.trees.len().div_ceil(threads) as u32;
        for tree in &mut self.trees {
            tree.set_time(self.time.map(|time| time / rounds));
        }
    }

    /// Random numbers for every tree.
    fn sources(&self, random: &mut Random) -> Vec<Random> {
        let seed = random.number();
        (0..self.trees.len() as u64).map(|i| Random::part(seed, i)).collect()
    }
}

fn together<M: Copy + Eq>(found: Vec<Found<M>>) -> Found<M> {
    let mut all = Report::default();
    for (_, report) in &found {
        all.iterations += report.iterations;
        all.determinizations += report.determinizations;
        all.nodes += report.nodes;
        all.visits += report.visits;
        all.created += report.created;
        all.bytes += report.bytes;
    }
    (merged(found.into_iter().map(|(edges, _)| edges)), all)
}

/// The sum of what several trees know of the same moves, in the order of the first.
#[must_use]
pub fn merged<M: Copy + Eq>(trees: impl IntoIterator<Item = Vec<Edge<M>>>) -> Vec<Edge<M>> {
    let mut all: Vec<Edge<M>> = Vec::new();
    for edge in trees.into_iter().flatten() {
        match all.iter_mut().find(|known| known.mv == edge.mv) {
            None => all.push(edge),
            Some(known) => {
                known.visits += edge.visits;
                known.available += edge.available;
                known.total += edge.total;
            }
        }
    }
    all
}
