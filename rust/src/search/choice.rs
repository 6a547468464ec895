//! Which of the moves that were found is played.

use super::Params;
use super::root::{Iteration, RootMove, RootResult};
use crate::types::SplitMix;
use crate::types::score::{Score, UNPROVED_LOSS};

/// The moves that an answer is taken from, best first, and the depth that speaks.
pub(super) struct Shown {
    /// The moves, the best first.
    pub moves: Vec<RootMove>,
    /// The depth that speaks, in plies; 0 if none was finished.
    pub depth: u32,
    /// Is the depth an earlier one than the last?
    pub is_fallback: bool,
}

/// What counts of a search: the last finished depth, or what the unfinished one found, or an earlier depth
/// if a hurried search fell far behind it. A move that is known to lose counts only where all do.
pub(super) fn shown(params: &Params, result: &RootResult, is_single: bool) -> Shown {
    let last = result.iterations.last();
    let depth = last.map_or(0, |i| i.depth);
    let finished = last.map(|i| i.moves.as_slice());
    if !result.is_interrupted || result.is_lost() {
        let moves = finished.unwrap_or(&result.known).to_vec();
        return Shown { moves, depth, is_fallback: false };
    }
    let good = |moves: &[RootMove]| -> Vec<RootMove> {
        moves.iter().filter(|m| !result.losing.contains(m.point)).cloned().collect()
    };
    let unfinished = result.unfinished.as_deref();
    let early = unfinished.filter(|_| params.keep_unfinished && is_single);
    let sources = [early, finished, unfinished, Some(&result.known)];
    let mut moves =
        sources.into_iter().flatten().map(good).find(|moves| !moves.is_empty()).unwrap_or_default();
    let score = moves.first().map_or(UNPROVED_LOSS, |best| best.score);
    if let Some(better) = fallback(params, &result.iterations, score)
        && let moves = good(&better.moves)
        && !moves.is_empty()
    {
        return Shown { moves, depth: better.depth, is_fallback: true };
    }
    if moves.is_empty() {
        moves.clone_from(&result.known);
    }
    Shown { moves, depth, is_fallback: false }
}

/// An earlier depth that was far better than what a hurried search ended with.
#[must_use]
pub fn fallback<'a>(params: &Params, iterations: &'a [Iteration], score: Score) -> Option<&'a Iteration> {
    let of = |iteration: &Iteration| iteration.moves[0].score;
    let best = iterations.iter().max_by_key(|iteration| (of(iteration), iteration.depth))?;
    let is_better =
        of(best) >= params.fallback_score as Score && of(best) > score + params.fallback_gap as Score;
    is_better.then_some(best)
}

/// The move to be played: the best, or with some probability another that is not much worse. Of these as many as the
/// settings say are drawn, all equally likely, and the best of those drawn is played.
pub(super) fn choose(params: &Params, moves: &[RootMove], seed: u64) -> usize {
    let Some(best) = moves.first() else { return 0 };
    let near = moves.iter().take_while(|m| m.score >= best.score - params.random_threshold as Score).count();
    let mut numbers = SplitMix::new(seed);
    if near <= 1 || numbers.below(100) >= params.random_percent as usize {
        return 0;
    }
    let draws = (0..params.random_draws).map(|_| 1 + numbers.below(near - 1));
    draws.min().expect("at least one is drawn")
}
