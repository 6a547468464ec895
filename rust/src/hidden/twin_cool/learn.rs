//! How the learnt value is made: fitted value iteration on positions of games that the value itself plays.
//!
//! The first weights are fitted to how many cards the [`most_promising`] move brought in whole games. Then, round by
//! round, games are played by the value of the round before, now and then with a move at random; the positions after
//! their moves, and after others, are valued one draw further, exactly over the cards that may be drawn; and the
//! weights are fitted to that. The same seed gives the same weights, on any number of threads.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

use super::card::Rules;
use super::features::{FEATURES, Features, features};
use super::state::{GameState, KeyKind, TwinCool};
use super::strategy::most_promising;
use super::value::{Table, UNITS, Valuation};
use crate::hidden::HiddenGame;
use crate::types::Random;

/// How a value is learnt.
#[derive(Clone, Copy, Debug)]
pub struct Learning {
    /// Rounds after the first fit.
    pub rounds: u32,
    /// Positions of each round.
    pub positions: usize,
    /// How often each position is shown in a round.
    pub epochs: u32,
    /// The number that decides everything.
    pub seed: u64,
    /// The number of threads that value positions.
    pub threads: usize,
}

/// Positions that are shown at once.
const BATCH: usize = 256;

/// One move in so many is played at random, so that the value learns what it would not play.
const RANDOM_MOVE: usize = 10;

/// Deals whose mean value is what a game is worth before its cards are dealt.
const DEALS: u64 = 200_000;

/// Positions of whole games to begin with: more of them than this are not worth their time.
const MOST_PLAYED: usize = 30_000;

/// The step of the first rounds; those of the second half go a third as far.
const STEP: f32 = 2e-3;

/// All weights in one list: those of the features, the constants, those of the units, the base.
const WEIGHTS: usize = (FEATURES + 2) * UNITS + 1;

/// Learns a value. `told` hears of every round: its number, and how far the fit is from what it was shown (root mean
/// square, in cards). `None` if `stop` was set. Fails only if the system gives us no threads.
pub fn learn(
    learning: Learning,
    stop: &AtomicBool,
    told: &mut dyn FnMut(u32, f64),
) -> Result<Option<Valuation>, ThreadPoolBuildError> {
    let pool = ThreadPoolBuilder::new().num_threads(learning.threads).build()?;
    let game = TwinCool::new(Rules::FULL, KeyKind::default());
    let mut random = Random::new(learning.seed);
    let mut value = first_weights(&mut random);
    for round in 0..=learning.rounds {
        let lessons: Vec<(Features, f32)> = if round == 0 {
            played_games(&game, learning.positions, &mut random, stop)
        } else {
            let tables = positions(&game, &value, learning.positions, &mut random, stop);
            let lesson = |table: &Table| {
                let target = if stop.load(Ordering::Relaxed) { 0.0 } else { value.expected(&game, table).0 };
                (features(&game, table).numbers, target)
            };
            pool.install(|| tables.par_iter().map(lesson).collect())
        };
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let step = if 2 * round > learning.rounds { STEP / 3.0 } else { STEP };
        let error = fit(&mut value, &lessons, learning.epochs, step, &mut random, stop);
        told(round, error);
    }
    let seed = random.number();
    let start = |number: u64| {
        let state = GameState::deal(game.rules, &mut Random::part(seed, number));
        f64::from(value.best(&game, &Table::of(&game, &state)).0)
    };
    let all: Vec<f64> = pool.install(|| (0..DEALS).into_par_iter().map(start).collect());
    value.start = (all.iter().sum::<f64>() / DEALS as f64) as f32;
    Ok((!stop.load(Ordering::Relaxed)).then_some(value))
}

/// Small weights, even between -1/4 and 1/4, and the base at the mean of games.
fn first_weights(random: &mut Random) -> Valuation {
    let mut small = || (random.number() >> 40) as f32 / (1 << 25) as f32 - 0.25;
    let mut value = Valuation {
        first: std::array::from_fn(|_| std::array::from_fn(|_| small())),
        second: std::array::from_fn(|_| 4.0 * small()),
        base: 5.0,
        start: 0.0,
    };
    value.first[FEATURES] = [0.0; UNITS];
    value
}

/// Positions after the moves of games by [`most_promising`], and how many cards were still played.
fn played_games(
    game: &TwinCool,
    positions: usize,
    random: &mut Random,
    stop: &AtomicBool,
) -> Vec<(Features, f32)> {
    let (mut lessons, mut moves) = (Vec::new(), Vec::new());
    while lessons.len() < positions.min(MOST_PLAYED) && !stop.load(Ordering::Relaxed) {
        let mut state = GameState::deal(game.rules, random);
        let mut met = Vec::new();
        loop {
            moves.clear();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[most_promising(game, &state, &moves)];
            met.push(features(game, &Table::of(game, &state).after(mv)).numbers);
            game.play(&mut state, mv);
        }
        let last = met.len().saturating_sub(1);
        lessons.extend(met.into_iter().enumerate().map(|(at, numbers)| (numbers, (last - at) as f32)));
    }
    lessons
}

/// Positions after moves of games that the value plays, and after others that it could have played there. Those
/// without a deck are known exactly and left out.
fn positions(
    game: &TwinCool,
    value: &Valuation,
    positions: usize,
    random: &mut Random,
    stop: &AtomicBool,
) -> Vec<Table> {
    let (mut tables, mut moves) = (Vec::with_capacity(positions), Vec::new());
    while tables.len() < positions && !stop.load(Ordering::Relaxed) {
        let mut state = GameState::deal(game.rules, random);
        while state.deck_len() > 0 {
            moves.clear();
            game.moves(&state, &mut moves);
            if moves.is_empty() {
                break;
            }
            let table = Table::of(game, &state);
            let other = moves[random.below(moves.len())];
            let best = value.best(game, &table).1.unwrap_or(other);
            let played = if random.below(RANDOM_MOVE) == 0 { other } else { best };
            tables.extend([table.after(other), table.after(played)]);
            game.play(&mut state, played);
        }
    }
    tables.truncate(positions);
    tables
}

/// The weights as one list, in the order of [`WEIGHTS`].
fn weights(value: &mut Valuation) -> impl Iterator<Item = &mut f32> {
    let Valuation { first, second, base, .. } = value;
    first.as_flattened_mut().iter_mut().chain(second).chain([base])
}

/// Fits the weights to lessons by Adam with steps that shrink to nothing; the root mean square error of the last time.
fn fit(
    value: &mut Valuation,
    lessons: &[(Features, f32)],
    epochs: u32,
    first_step: f32,
    random: &mut Random,
    stop: &AtomicBool,
) -> f64 {
    let mut order: Vec<u32> = (0..lessons.len() as u32).collect();
    let (mut means, mut squares) = (vec![0.0_f32; WEIGHTS], vec![0.0_f32; WEIGHTS]);
    let steps = epochs as usize * lessons.len().div_ceil(BATCH);
    let (mut done, mut error) = (0, 0.0);
    for _ in 0..epochs {
        random.shuffle(&mut order);
        error = 0.0;
        for batch in order.chunks(BATCH) {
            if stop.load(Ordering::Relaxed) {
                return f64::NAN;
            }
            let mut slopes = vec![0.0_f32; WEIGHTS];
            for &lesson in batch {
                error += show(value, &lessons[lesson as usize], &mut slopes);
            }
            done += 1;
            let step = first_step * (1.0 - (done - 1) as f32 / steps as f32);
            let early = [0.9_f32, 0.999].map(|share| 1.0 - share.powi(done));
            for (i, weight) in weights(value).enumerate() {
                let slope = slopes[i] / batch.len() as f32;
                means[i] += 0.1 * (slope - means[i]);
                squares[i] += 0.001 * (slope * slope - squares[i]);
                *weight -= step * (means[i] / early[0]) / ((squares[i] / early[1]).sqrt() + 1e-8);
            }
        }
    }
    (error / lessons.len().max(1) as f64).sqrt()
}

/// Adds the slopes of the squared error of one lesson, halved; the squared error.
fn show(value: &Valuation, (numbers, target): &(Features, f32), slopes: &mut [f32]) -> f64 {
    let hidden = value.hidden(numbers);
    let error = value.output(&hidden) - target;
    let (rows, last) = slopes.as_chunks_mut::<UNITS>();
    let mut behind = [0.0; UNITS];
    for (unit, &sum) in hidden.iter().enumerate() {
        if sum > 0.0 {
            behind[unit] = error * value.second[unit];
            rows[FEATURES + 1][unit] += error * sum;
        }
    }
    for (row, &number) in rows.iter_mut().zip(numbers.iter().chain([&1.0])) {
        if number != 0.0 {
            for (slope, behind) in row.iter_mut().zip(behind) {
                *slope += number * behind;
            }
        }
    }
    last[0] += error;
    f64::from(error) * f64::from(error)
}
