//! Hidden information: the rules of Twin Cool, its determinizations and information sets, and the search, which is
//! compared with plain and slow answers where there are any.

mod exactness;
mod information;
mod rules;
mod search;
mod value;

use std::sync::atomic::AtomicBool;

use renju::hidden::twin_cool::{Card, CardSet, GameState, KeyKind, Observation, Rules, TwinCool};
use renju::hidden::{Edge, Guide, HiddenGame, IsMcts, Report, SearchOptions};
use renju::types::Random;

/// Nobody stops the search.
static GO_ON: AtomicBool = AtomicBool::new(false);

/// Games of several sizes; in the last ones the deck runs out.
const SIZES: [Rules; 4] = [
    Rules::FULL,
    Rules { suits: 4, values: 5, removed: 2, hand: 5 },
    Rules { suits: 2, values: 4, removed: 1, hand: 3 },
    Rules { suits: 1, values: 10, removed: 2, hand: 5 },
];

/// "A1" to "H10".
fn card(name: &str) -> Card {
    let value: u8 = name[1..].parse().expect("a value");
    let card = Rules::FULL.card(name.as_bytes()[0] - b'A', value - 1);
    assert_eq!(card.to_string(), name);
    card
}

/// "A1 B2".
fn cards(names: &str) -> Vec<Card> {
    names.split_whitespace().map(card).collect()
}

fn set(cards: &[Card]) -> CardSet {
    cards.iter().fold(0, |set, card| set | card.bit())
}

fn seen(hand: &str, piles: [&str; 2]) -> Observation {
    Observation { hand: cards(hand), piles: piles.map(cards), points: 0 }
}

fn full() -> TwinCool {
    TwinCool::new(Rules::FULL, KeyKind::default())
}

fn moves<G: HiddenGame>(game: &G, state: &G::State) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}

fn dealt(rules: Rules, seed: u64) -> GameState {
    GameState::deal(rules, &mut Random::new(seed))
}

/// The state after some random moves; fewer if the game ends before.
fn later(game: &TwinCool, seed: u64, plies: usize) -> GameState {
    let mut random = Random::new(seed);
    let mut state = GameState::deal(game.rules, &mut random);
    for _ in 0..plies {
        let moves = moves(game, &state);
        if moves.is_empty() {
            break;
        }
        game.play(&mut state, moves[random.below(moves.len())]);
    }
    state
}

/// States after so many random moves in which there is something to choose.
fn open(game: &TwinCool, plies: usize) -> impl Iterator<Item = GameState> {
    let is_open = move |state: &GameState| {
        state.count() == plies as u32 && !state.hand().is_empty() && moves(game, state).len() > 1
    };
    (0..).map(move |seed| later(game, seed, plies)).filter(is_open)
}

fn iterations(iterations: u32) -> SearchOptions {
    SearchOptions { iterations, ..SearchOptions::default() }
}

fn search<G: HiddenGame, R: Guide<G>>(
    game: &G,
    guide: R,
    options: SearchOptions,
    observation: &G::Observation,
    seed: u64,
) -> (Vec<Edge<G::Move>>, Report) {
    IsMcts::new(game, guide, options).search(observation, &mut Random::new(seed), &GO_ON, &mut |_| {})
}

fn visits<M>(edges: &[Edge<M>]) -> u32 {
    edges.iter().map(|edge| edge.visits).sum()
}

/// Chi-square is passed by chance less than once in ten thousand times above this; the seeds are fixed anyway.
fn chi_limit(freedom: usize) -> f64 {
    freedom as f64 + 4.5 * (2.0 * freedom as f64).sqrt()
}
