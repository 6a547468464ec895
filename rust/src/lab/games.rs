//! Games of the engine against itself, at a fixed number of nodes for every move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::opening::{even_opening, random_point};
use super::sample::Sample;
use crate::board::Stones;
use crate::eval::{CellValues, ValueTable};
use crate::network::Network;
use crate::rules::winner;
use crate::search::{CallLimits, Engine, Params, Query, Source, near};
use crate::types::score::{Score, is_decided};
use crate::types::{BOARD_POINTS, Bitboard, Color, Point, Random};

/// The greatest distance of a random move from a stone, in cells, as that of the candidates of the search.
const RADIUS: u32 = 2;

/// How the engine plays games against itself.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The settings of the engine that plays.
    pub params: Params,
    /// The values that the engine plays by, if not those of its settings.
    pub values: Option<Arc<ValueTable>>,
    /// The network that the engine plays by, if not that of its settings.
    pub network: Option<Arc<Network>>,
    /// The number of nodes for every move.
    pub nodes: u64,
    /// Bytes of the table of positions, for each thread.
    pub hash_bytes: usize,
    /// The least number of stones of an opening.
    pub least_opening_stones: usize,
    /// The greatest number of stones of an opening.
    pub most_opening_stones: usize,
    /// The number of nodes with which an opening is looked at, to see whether it is even.
    pub opening_nodes: u64,
    /// An opening is even if its score is no further from 0 than this, in points of score.
    pub opening_bound: Score,
    /// How often a random move is played in place of the best, in thousandths.
    pub random_permille: usize,
    /// The number of positions, one or two random moves away, that are searched beside every position of a
    /// game.
    pub beside: usize,
    /// The number of stones with which a game is a draw.
    pub most_stones: usize,
    /// The number that decides all that is random.
    pub seed: u64,
}

/// What the search thinks of a position.
pub(super) struct Thought {
    /// The move that the search chose.
    pub best: Point,
    /// The score of the position for the side to move, in points.
    pub score: Score,
    /// The step of the engine that the move comes from.
    source: Source,
    /// Was the search told to stop before it was finished?
    pub is_stopped: bool,
}

/// An engine that plays games, one for each thread.
pub struct Player {
    engine: Engine,
}

impl Player {
    /// A player with these settings; `None` if there is no memory for its table.
    #[must_use]
    pub fn new(options: &SelfPlay) -> Option<Player> {
        let params = options.params.clone();
        let engine = match &options.values {
            None => Engine::new(params, options.hash_bytes, 1),
            Some(table) => {
                let params = Params { fitted: true, ..params };
                Engine::with_values(params, CellValues::from_table(table), options.hash_bytes, 1)
            }
        };
        let mut engine = engine?;
        if let Some(network) = &options.network {
            engine.set_network(Some(Arc::clone(network)));
        }
        Some(Player { engine })
    }

    /// Thinks about a position; `None` if there is no move. Nothing thought before matters.
    pub(super) fn think(
        &mut self,
        stones: &Stones,
        turn: Color,
        nodes: u64,
        stop: &AtomicBool,
    ) -> Option<Thought> {
        let limits = CallLimits { nodes: Some(nodes), ..CallLimits::default() };
        let query = Query { stones: *stones, turn, limits, multipv: 1, is_play: false, seed: 0 };
        let mut should_stop = || stop.load(Ordering::Relaxed);
        let answer =
            self.engine.think(&query, &AtomicBool::new(false), &mut should_stop, &mut |_| {}).ok()?;
        let is_stopped = stop.load(Ordering::Relaxed);
        Some(Thought { best: answer.best, score: answer.score, source: answer.source, is_stopped })
    }
}

/// The positions of game number `game`, in order, each before those beside it. The game is the same whoever
/// plays it and when. A win that the search has found ends it. `None` if told to stop.
pub fn play_game(
    player: &mut Player,
    options: &SelfPlay,
    game: u32,
    stop: &AtomicBool,
) -> Option<Vec<Sample>> {
    let mut random = Random::part(options.seed, game.into());
    let (mut stones, mut turn) = even_opening(player, options, &mut random, stop)?;
    let mut positions: Vec<Sample> = Vec::new();
    // The number of positions that come before a random move, and have not led to the result.
    let mut before_random = 0;
    let mut winner_color = None;
    while stones.len() < options.most_stones.min(BOARD_POINTS)
        && let Some(thought) = player.think(&stones, turn, options.nodes, stop)
    {
        if thought.is_stopped {
            return None;
        }
        positions.push(thought.position(&stones, turn, false, game));
        if is_decided(thought.score) && thought.score > 0 {
            winner_color = Some(turn);
            break;
        }
        let mut point = thought.best;
        if thought.source == Source::Search {
            for _ in 0..options.beside {
                positions.extend(position_beside(player, options, (&stones, turn), game, &mut random, stop)?);
            }
            if random.below(1_000) < options.random_permille
                && let Some(other) = random_point(&stones, turn, around(&stones), &mut random)
            {
                (point, before_random) = (other, positions.len());
            }
        }
        stones.place(turn, point);
        if winner(&stones).is_some() {
            winner_color = Some(turn);
            break;
        }
        turn = turn.opponent();
    }
    for (i, position) in positions.iter_mut().enumerate() {
        position.score_only |= i < before_random;
        if !position.score_only {
            position.result = winner_color.map_or(0, |color| if color == position.turn { 1 } else { -1 });
        }
    }
    Some(positions)
}

/// A position one or two random moves away, searched; nothing if these moves end the game. `None` if told to
/// stop.
fn position_beside(
    player: &mut Player,
    options: &SelfPlay,
    (stones, turn): (&Stones, Color),
    game: u32,
    random: &mut Random,
    stop: &AtomicBool,
) -> Option<Option<Sample>> {
    let (mut stones, mut turn) = (*stones, turn);
    for _ in 0..=random.below(2) {
        let Some(point) = random_point(&stones, turn, around(&stones), random) else { return Some(None) };
        stones.place(turn, point);
        if winner(&stones).is_some() {
            return Some(None);
        }
        turn = turn.opponent();
    }
    match player.think(&stones, turn, options.nodes, stop) {
        Some(thought) if thought.is_stopped => None,
        thought => Some(thought.map(|thought| thought.position(&stones, turn, true, game))),
    }
}

fn around(stones: &Stones) -> Bitboard {
    near(Bitboard::ALL - stones.empty(), RADIUS)
}

impl Thought {
    fn position(&self, stones: &Stones, turn: Color, score_only: bool, game: u32) -> Sample {
        let Thought { best, score, source, .. } = *self;
        Sample { stones: *stones, turn, score, best, result: 0, score_only, source, game }
    }
}
