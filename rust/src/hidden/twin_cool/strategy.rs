use super::card::{Card, CardSet};
use super::state::{CARD_POINTS, GameState, Placement, TwinCool};
use super::value::{Learnt, Table, Valuation};
use crate::hidden::{Guide, HiddenGame, SearchOptions, Valued};
use crate::types::Random;

/// How the rest of a game is played in a search. What moves look worth, for the prior, is [`outlook`] in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RolloutKind {
    /// A roll-out plays any move, all equally likely.
    Random,
    /// A roll-out plays the move that keeps the hand most flexible.
    #[default]
    Heuristic,
    /// Nothing is played out: the learnt value says what a game is worth. For those who do not see the deck, as the
    /// value does not.
    Value,
}

impl RolloutKind {
    /// All ways to roll out, in order.
    pub const ALL: [RolloutKind; 3] = [RolloutKind::Random, RolloutKind::Heuristic, RolloutKind::Value];

    /// The name of the roll-out in settings.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RolloutKind::Random => "random",
            RolloutKind::Heuristic => "heuristic",
            RolloutKind::Value => "value",
        }
    }
}

/// How the moves of a game are chosen.
#[derive(Clone, Copy, Debug)]
pub enum Strategy {
    /// Any move, all equally likely.
    Random,
    /// The move that leaves the most cards that fit.
    Heuristic,
    /// The move with the best [`outlook`], the first of equal ones.
    Glance,
    /// The move after which the learnt value is highest, the first of equal ones.
    Value,
    /// A search that knows the deck: for practice, and as a measure of what the hidden cards cost.
    Mcts(Search),
    /// Determinized MCTS (PIMC): imagines decks, searches each as if it were seen, and adds up.
    Pimc(Search),
    /// A search that does not.
    IsMcts(Search),
}

/// How a search for a move is made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Search {
    /// The settings of the trees.
    pub options: SearchOptions,
    /// How games are played to their end.
    pub rollout: RolloutKind,
    /// Trees, which share the iterations; 0 is one.
    pub trees: usize,
}

impl From<SearchOptions> for Search {
    fn from(options: SearchOptions) -> Search {
        Search { options, ..Search::default() }
    }
}

/// Decks that [`Strategy::Pimc`] imagines if nothing else is said.
pub const PIMC_DECKS: u32 = 20;

/// After a move: how many cards of the hand fit, weighed most, and how many of those not seen yet.
#[must_use]
pub fn flexibility(game: &TwinCool, state: &GameState, mv: Placement) -> u32 {
    let mut tops = state.tops();
    tops[usize::from(mv.pile)] = Some(mv.card);
    let fitting = game.fitting(tops[0]) | game.fitting(tops[1]);
    let held = state.held() & !mv.card.bit();
    let unseen = !(state.played() | state.held()) & game.all();
    (held & fitting).count_ones() * CardSet::BITS + (unseen & fitting).count_ones()
}

/// What a move promises: how many cards can be played one after the other once another one is drawn, on average
/// over all that may be, and a little if it fits at once. Alone it plays 11.6 cards a game where flexibility plays
/// 8.5 (2026-11).
#[must_use]
pub fn outlook(game: &TwinCool, state: &GameState, mv: Placement) -> f64 {
    const FITS: f64 = 0.5;
    let mut tops = state.tops();
    tops[usize::from(mv.pile)] = Some(mv.card);
    let fitting = game.fitting(tops[0]) | game.fitting(tops[1]);
    let held = state.held() & !mv.card.bit();
    let unseen = !(state.played() | state.held()) & game.all();
    if state.deck_len() == 0 {
        return f64::from(CARD_POINTS * longest(game, held, tops));
    }
    let (mut sum, mut rest) = (0, unseen);
    while rest != 0 {
        let drawn = rest & rest.wrapping_neg();
        rest ^= drawn;
        sum += longest(game, held | drawn, tops);
    }
    let fits = FITS * f64::from((unseen & fitting).count_ones());
    f64::from(CARD_POINTS) * (f64::from(sum) + fits) / f64::from(unseen.count_ones())
}

/// The place of the move that promises most, the first of equal ones.
#[must_use]
pub fn most_promising(game: &TwinCool, state: &GameState, moves: &[Placement]) -> usize {
    let worth = |&place: &usize| outlook(game, state, moves[place]);
    (0..moves.len()).rev().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap_or(0)
}

/// The most cards of a set that can be played one after the other.
fn longest(game: &TwinCool, held: CardSet, tops: [Option<Card>; 2]) -> u32 {
    let most = held.count_ones();
    let mut best = 0;
    for pile in 0..2 {
        let mut rest = held & game.fitting(tops[pile]);
        while rest != 0 && best < most {
            let card = Card(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            let mut after = tops;
            after[pile] = Some(card);
            best = best.max(1 + longest(game, held & !card.bit(), after));
        }
    }
    best
}

/// The most flexible of some moves, one of equal ones at random; its place.
pub fn most_flexible(game: &TwinCool, state: &GameState, moves: &[Placement], random: &mut Random) -> usize {
    let (mut best, mut chosen, mut equal) = (0, 0, 0);
    for (place, &mv) in moves.iter().enumerate() {
        let worth = flexibility(game, state, mv) + 1;
        if worth > best {
            (best, chosen, equal) = (worth, place, 1);
        } else if worth == best {
            equal += 1;
            if random.below(equal) == 0 {
                chosen = place;
            }
        }
    }
    chosen
}

impl Guide<TwinCool> for RolloutKind {
    fn choose(&self, game: &TwinCool, state: &GameState, moves: &[Placement], random: &mut Random) -> usize {
        match self {
            RolloutKind::Random => random.below(moves.len()),
            RolloutKind::Heuristic => most_flexible(game, state, moves, random),
            RolloutKind::Value => {
                let best = Valuation::shipped().best(game, &Table::of(game, state)).1;
                moves.iter().position(|&mv| Some(mv) == best).unwrap_or(0)
            }
        }
    }

    fn prior(&self, game: &TwinCool, state: &GameState, mv: Placement) -> f64 {
        outlook(game, state, mv)
    }

    fn valued(&self) -> Option<&dyn Valued<TwinCool>> {
        (*self == RolloutKind::Value).then_some(&Learnt)
    }
}

impl Guide<Practice<'_>> for RolloutKind {
    fn choose(
        &self,
        game: &Practice<'_>,
        state: &GameState,
        moves: &[Placement],
        random: &mut Random,
    ) -> usize {
        <RolloutKind as Guide<TwinCool>>::choose(self, game.0, state, moves, random)
    }

    fn prior(&self, game: &Practice<'_>, state: &GameState, mv: Placement) -> f64 {
        outlook(game.0, state, mv)
    }
}

/// The game as one sees it who may look at the deck: the only determinization is the truth.
#[derive(Clone, Copy, Debug)]
pub struct Practice<'a>(pub &'a TwinCool);

impl HiddenGame for Practice<'_> {
    type Observation = GameState;
    type State = GameState;
    type Move = Placement;
    type Key = <TwinCool as HiddenGame>::Key;

    fn determinize(&self, truth: &GameState, _: &mut Random) -> GameState {
        truth.clone()
    }

    fn key(&self, state: &GameState) -> Self::Key {
        self.0.key(state)
    }

    fn moves(&self, state: &GameState, moves: &mut Vec<Placement>) {
        self.0.moves(state, moves);
    }

    fn play(&self, state: &mut GameState, mv: Placement) {
        self.0.play(state, mv);
    }

    fn reward(&self, state: &GameState, player: usize) -> f64 {
        self.0.reward(state, player)
    }

    fn hidden_share(&self, _: &GameState) -> f64 {
        0.0
    }
}
