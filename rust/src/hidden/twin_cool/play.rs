use std::sync::atomic::{AtomicBool, Ordering};

use rayon::ThreadPoolBuildError;

use super::card::Card;
use super::state::{GameState, Placement, TwinCool};
use super::strategy::{PIMC_DECKS, Practice, RolloutKind, Search, Strategy, most_flexible, most_promising};
use super::value::{Table, Valuation};
use crate::hidden::{
    Determinizations, Edge, Forest, Found, Guide, HiddenGame, Report, SearchOptions, Step, best_edge, merged,
};
use crate::types::Random;

/// How a game of Twin Cool ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    /// The number of cards that were played.
    pub cards: u32,
    /// The points that hands have given.
    pub points: u32,
    /// Ten for every card, and the points.
    pub score: u32,
}

/// A move to play, and why.
#[derive(Clone, Debug)]
pub struct Advice {
    /// The move to play.
    pub best: Placement,
    /// What is known of all moves; empty without a search.
    pub edges: Vec<Edge<Placement>>,
    /// What the search did, in numbers.
    pub report: Report,
    /// The first iterations of every tree, if they were asked for.
    pub trace: Vec<TraceStep>,
    /// The information sets after the first moves, if they were asked for and the search has them.
    pub seen: Vec<Seen>,
}

impl Advice {
    /// Without a search.
    fn plain(best: Placement) -> Advice {
        Advice { best, edges: Vec::new(), report: Report::default(), trace: Vec::new(), seen: Vec::new() }
    }
}

/// An information set of the tree.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The moves that lead to the set, each with the card that was drawn after it.
    pub path: Vec<(Placement, Option<Card>)>,
    /// What is known of the moves of the set.
    pub edges: Vec<Edge<Placement>>,
}

/// An iteration of the search, written down.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceStep {
    /// The number of the tree that the iteration belongs to, from 0.
    pub tree: usize,
    /// The number of the iteration in its tree, from 0.
    pub iteration: u32,
    /// The deck that was imagined; the last card is drawn first.
    pub deck: Vec<Card>,
    /// The moves that were walked in the tree.
    pub walked: Vec<Placement>,
    /// The final score of the game that was played out.
    pub score: f64,
}

/// How a search is carried out: nothing that changes what it finds.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The number of threads on which several trees are searched.
    pub threads: usize,
    /// Iterations of every tree that are written down; then the trees are searched one after the other.
    pub trace: u32,
    /// The moves after which information sets are told, by [`Strategy::IsMcts`] alone.
    pub depth: u32,
}

impl Manner {
    /// The search runs on one thread and writes nothing down.
    pub const PLAIN: Manner = Manner { threads: 1, trace: 0, depth: 0 };
}

/// One who plays, with a memory of positions if the strategy has one.
pub struct Player<'a> {
    game: &'a TwinCool,
    strategy: Strategy,
    hidden: Option<Forest<'a, TwinCool, RolloutKind>>,
}

impl<'a> Player<'a> {
    /// A player who knows nothing yet.
    #[must_use]
    pub fn new(game: &'a TwinCool, strategy: Strategy) -> Player<'a> {
        let hidden = match strategy {
            Strategy::IsMcts(search) => {
                Some(Forest::new(game, &search.rollout, search.options, search.trees))
            }
            _ => None,
        };
        Player { game, strategy, hidden }
    }

    /// The move to play in a state of which only the observation is looked at, except by [`Strategy::Mcts`];
    /// `None` at the end of the game. Fails only if the system gives us no threads.
    pub fn advise(
        &mut self,
        state: &GameState,
        random: &mut Random,
        stop: &AtomicBool,
        manner: Manner,
    ) -> Result<Option<Advice>, ThreadPoolBuildError> {
        let mut moves = Vec::new();
        self.game.moves(state, &mut moves);
        if moves.is_empty() {
            return Ok(None);
        }
        let mut trace = Vec::new();
        let (edges, report) = match self.strategy {
            Strategy::Random => return Ok(Some(Advice::plain(moves[random.below(moves.len())]))),
            Strategy::Heuristic => {
                let best = moves[most_flexible(self.game, state, &moves, random)];
                return Ok(Some(Advice::plain(best)));
            }
            Strategy::Glance => {
                let best = moves[most_promising(self.game, state, &moves)];
                return Ok(Some(Advice::plain(best)));
            }
            Strategy::Value => {
                let best = Valuation::shipped().best(self.game, &Table::of(self.game, state)).1;
                return Ok(best.map(Advice::plain));
            }
            Strategy::Pimc(search) => self.determinized(search, state, random, stop),
            Strategy::Mcts(Search { options, rollout, trees }) => {
                let practice = Practice(self.game);
                let mut forest = Forest::new(&practice, &rollout, options, trees);
                found(&mut forest, state, random, stop, manner, &mut trace)?
            }
            Strategy::IsMcts(..) => {
                let observation = state.observe().expect("states of games keep their piles");
                let forest = self.hidden.as_mut().expect("made with the player");
                found(forest, &observation, random, stop, manner, &mut trace)?
            }
        };
        let best = best_edge(&edges).map_or(moves[0], |edge| edge.mv);
        let mut seen = Vec::new();
        if let Some(forest) = &self.hidden {
            list_sets(self.game, forest, state, &mut Vec::new(), &edges, manner.depth, &mut seen);
        }
        Ok(Some(Advice { best, edges, report, trace, seen }))
    }

    /// Determinized MCTS: every imagined deck is searched as if it were seen, with its share of the iterations, and
    /// what is known of the moves is added up. Nothing of the true deck is looked at.
    fn determinized(
        &self,
        search: Search,
        state: &GameState,
        random: &mut Random,
        stop: &AtomicBool,
    ) -> Found<Placement> {
        let Search { options, rollout, trees } = search;
        let observation = state.observe().expect("states of games keep their piles");
        let wanted = match options.determinizations {
            Determinizations::Fixed(count) => count,
            Determinizations::Always | Determinizations::Adaptive { .. } => PIMC_DECKS,
        };
        let decks = wanted.clamp(1, options.iterations.max(1));
        let practice = Practice(self.game);
        let (mut found, mut total) = (Vec::new(), Report::default());
        for number in 0..decks {
            if number > 0 && stop.load(Ordering::Relaxed) {
                break;
            }
            let iterations = options.iterations / decks + u32::from(number < options.iterations % decks);
            let time = options.time.map(|time| time / decks);
            let share = SearchOptions {
                iterations,
                time,
                determinizations: Determinizations::Always,
                keep: false,
                ..options
            };
            let imagined = GameState::from_determinization(self.game.rules, &observation, random, true);
            let mut forest = Forest::new(&practice, &rollout, share, trees);
            let (edges, report) = forest.search(&imagined, random, stop, &mut |_, _| {});
            found.push(edges);
            total.iterations += report.iterations;
            total.determinizations += 1;
            total.nodes += report.nodes;
            total.visits += report.visits;
            total.created += report.created;
            total.bytes = total.bytes.max(report.bytes);
        }
        (merged(found), total)
    }
}

/// Lists the information sets that are met after the moves of a set, down to a depth in moves.
fn list_sets(
    game: &TwinCool,
    forest: &Forest<'_, TwinCool, RolloutKind>,
    state: &GameState,
    path: &mut Vec<(Placement, Option<Card>)>,
    edges: &[Edge<Placement>],
    depth: u32,
    seen: &mut Vec<Seen>,
) {
    if depth == 0 {
        return;
    }
    for edge in edges.iter().filter(|edge| edge.visits > 0) {
        let mut drawn: Vec<Option<Card>> = vec![None];
        if state.deck_len() > 0 {
            drawn = state.unseen().iter().copied().map(Some).collect();
            drawn.sort_unstable();
        }
        for card in drawn {
            let after = state.after(game.rules, edge.mv, card);
            let known = forest.known(&game.key(&after));
            if known.iter().all(|edge| edge.visits == 0) {
                continue;
            }
            path.push((edge.mv, card));
            list_sets(game, forest, &after, path, &known, depth - 1, seen);
            seen.push(Seen { path: path.clone(), edges: known });
            path.pop();
        }
    }
}

/// Searches in a manner.
fn found<G: HiddenGame<State = GameState, Move = Placement> + Sync>(
    forest: &mut Forest<'_, G, RolloutKind>,
    observation: &G::Observation,
    random: &mut Random,
    stop: &AtomicBool,
    manner: Manner,
    trace: &mut Vec<TraceStep>,
) -> Result<Found<Placement>, ThreadPoolBuildError>
where
    G::Observation: Sync,
    G::Key: Send,
    RolloutKind: Guide<G>,
{
    if manner.trace == 0 {
        return forest.search_on(manner.threads, observation, random, stop);
    }
    let mut watch = |tree: usize, step: &Step<'_, G>| {
        if step.iteration < manner.trace {
            let (deck, walked) = (step.start.deck(), step.walked.to_vec());
            trace.push(TraceStep { tree, iteration: step.iteration, deck, walked, score: step.reward });
        }
    };
    Ok(forest.search(observation, random, stop, &mut watch))
}

/// Plays a game from the deal to its end, on this thread; `None` if `stop` was set.
pub fn play_game(
    game: &TwinCool,
    strategy: Strategy,
    random: &mut Random,
    stop: &AtomicBool,
) -> Option<GameResult> {
    play_watched(game, strategy, random, stop, &mut |_, _, _| {})
}

/// Plays a game as [`play_game`] does, and tells the luck of its cards, too: by how many cards the first hand and the
/// cards drawn were worth more to the learnt value than cards are on average. For strategies that do not see the deck
/// its mean over all deals is 0, so that cards less luck have the same mean as cards, and spread far less.
pub fn play_game_with_luck(
    game: &TwinCool,
    strategy: Strategy,
    random: &mut Random,
    stop: &AtomicBool,
) -> Option<(GameResult, f64)> {
    let value = Valuation::shipped();
    let best = |state: &GameState| f64::from(value.best(game, &Table::of(game, state)).0);
    let mut luck = None;
    let result = play_watched(game, strategy, random, stop, &mut |before, mv, after| {
        let luck = luck.get_or_insert_with(|| best(before) - f64::from(value.start));
        *luck += best(after) - f64::from(value.expected(game, &Table::of(game, before).after(mv)).0);
    })?;
    Some((result, luck.unwrap_or(0.0)))
}

/// Plays a game; `watch` hears of every move with the states before and after it.
fn play_watched(
    game: &TwinCool,
    strategy: Strategy,
    random: &mut Random,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&GameState, Placement, &GameState),
) -> Option<GameResult> {
    let mut state = GameState::deal(game.rules, random);
    let mut player = Player::new(game, strategy);
    while let Some(advice) =
        player.advise(&state, random, stop, Manner::PLAIN).expect("no threads are asked for")
    {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let before = state.clone();
        state.play(game.rules, advice.best);
        watch(&before, advice.best, &state);
    }
    Some(GameResult { cards: state.count(), points: state.points(), score: state.score() })
}
