use std::sync::atomic::{AtomicBool, Ordering};

use super::state::{GameState, Placement, TwinCool};
use super::strategy::{Practice, RolloutKind, Strategy, most_flexible};
use crate::hidden::{Edge, HiddenGame, IsMcts, Random, Report, best_edge};

/// How a game ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    /// Cards played.
    pub cards: u32,
    /// Points of hands.
    pub points: u32,
    /// Ten for every card, and the points.
    pub score: u32,
}

/// A move, and why.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The move to play.
    pub best: Placement,
    /// What is known of all moves; empty without a search.
    pub edges: Vec<Edge<Placement>>,
    /// What the search did.
    pub report: Report,
}

/// One who plays, with a memory of positions if the strategy has one.
pub struct Player<'a> {
    game: &'a TwinCool,
    strategy: Strategy,
    hidden: Option<IsMcts<'a, TwinCool, RolloutKind>>,
}

impl<'a> Player<'a> {
    /// A player who knows nothing yet.
    #[must_use]
    pub fn new(game: &'a TwinCool, strategy: Strategy) -> Player<'a> {
        let hidden = match strategy {
            Strategy::IsMcts(options, rollout) => Some(IsMcts::new(game, rollout, options)),
            _ => None,
        };
        Player { game, strategy, hidden }
    }

    /// The move to play in a state of which only the observation is looked at, except by [`Strategy::Mcts`];
    /// `None` at the end of the game.
    pub fn advise(&mut self, state: &GameState, random: &mut Random, stop: &AtomicBool) -> Option<Advice> {
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        if moves.is_empty() {
            return None;
        }
        let at_once =
            |place: usize| Advice { best: moves[place], edges: Vec::new(), report: Report::default() };
        let (edges, report) = match self.strategy {
            Strategy::Random => return Some(at_once(random.below(moves.len()))),
            Strategy::Heuristic => return Some(at_once(most_flexible(self.game, state, &moves, random))),
            Strategy::Mcts(options, rollout) => {
                let practice = Practice(self.game);
                IsMcts::new(&practice, rollout, options).search(state, random, stop, &mut |_| {})
            }
            Strategy::IsMcts(..) => {
                let observation = state.observe().expect("states of games keep their piles");
                let hidden = self.hidden.as_mut().expect("made with the player");
                hidden.search(&observation, random, stop, &mut |_| {})
            }
        };
        let best = best_edge(&edges).map_or(moves[0], |edge| edge.mv);
        Some(Advice { best, edges, report })
    }
}

/// Plays a game from the deal to its end; `None` if `stop` was set.
pub fn play_game(
    game: &TwinCool,
    strategy: Strategy,
    random: &mut Random,
    stop: &AtomicBool,
) -> Option<GameResult> {
    let mut state = GameState::deal(game.rules, random);
    let mut player = Player::new(game, strategy);
    while let Some(advice) = player.advise(&state, random, stop) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        state.play(game.rules, advice.best);
    }
    Some(GameResult { cards: state.count(), points: state.points(), score: state.score() })
}
