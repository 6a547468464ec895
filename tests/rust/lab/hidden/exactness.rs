//! The search finds the best move where it is known, and plays other games.

use std::collections::HashMap;
use std::hash::Hash;

use renju::hidden::twin_cool::{
    Card, CardSet, GameState, KeyKind, Manner, Placement, Player, Practice, RolloutKind, Rules, Strategy,
    TwinCool, TwinKey, hand_points,
};
use renju::hidden::{AtRandom, HiddenGame, SearchOptions, best_edge};
use renju::types::Random;

use super::{GO_ON, dealt, iterations, later, moves, open, search, visits};

// Exactness.

/// The value of observations when played perfectly: every order of the unseen cards is equally likely, so the next
/// card is any of them, the removed ones included.
struct Perfect {
    rules: Rules,
    /// Key: hand, top cards, played cards; value: the most that can still be expected.
    known: HashMap<(CardSet, [Option<Card>; 2], CardSet), f64>,
}

impl Perfect {
    fn moves(&self, hand: CardSet, tops: [Option<Card>; 2]) -> Vec<Placement> {
        let mut all = Vec::new();
        for card in self.rules.all().filter(|card| hand & card.bit() != 0) {
            for (pile, top) in (0..).zip(tops) {
                if top.is_none_or(|top| self.rules.fits(card, top)) {
                    all.push(Placement { card, pile });
                }
            }
        }
        all
    }

    fn value(&mut self, hand: CardSet, tops: [Option<Card>; 2], played: CardSet) -> f64 {
        if let Some(&value) = self.known.get(&(hand, tops, played)) {
            return value;
        }
        let moves = self.moves(hand, tops);
        let value = moves.iter().map(|&mv| self.value_of(hand, tops, played, mv)).fold(0.0, f64::max);
        self.known.insert((hand, tops, played), value);
        value
    }

    fn value_of(
        &mut self,
        hand: CardSet,
        mut tops: [Option<Card>; 2],
        played: CardSet,
        mv: Placement,
    ) -> f64 {
        let unseen: Vec<Card> = self.rules.all().filter(|card| (hand | played) & card.bit() == 0).collect();
        let (hand, played) = (hand & !mv.card.bit(), played | mv.card.bit());
        tops[usize::from(mv.pile)] = Some(mv.card);
        let hands: Vec<CardSet> = if unseen.len() <= usize::from(self.rules.removed) {
            vec![hand]
        } else {
            unseen.iter().map(|card| hand | card.bit()).collect()
        };
        let mut sum = 0.0;
        for &hand in &hands {
            let held: Vec<Card> = self.rules.all().filter(|card| hand & card.bit() != 0).collect();
            sum += f64::from(hand_points(self.rules, &held)) + self.value(hand, tops, played);
        }
        10.0 + sum / hands.len() as f64
    }
}

#[test]
fn the_search_finds_the_perfect_move_of_small_games() {
    find_perfect_moves(RolloutKind::Random, 200_000, 0.7, 0.03);
}

/// What the value says of decks that it has never met matters less and less: the move is the best one, and its mean,
/// which still counts what was believed in the beginning, is near the perfect value.
#[test]
fn the_search_by_value_finds_the_perfect_move_of_small_games() {
    find_perfect_moves(RolloutKind::Value, 60_000, 10.0, 0.05);
}

fn find_perfect_moves(rollout: RolloutKind, count: u32, exploration: f64, tolerance: f64) {
    // Suits, values, removed, hand; cards played before.
    let sizes = [([3, 3, 1, 2], 1), ([4, 3, 2, 2], 3), ([4, 4, 4, 2], 4), ([4, 2, 2, 4], 0)];
    let options =
        SearchOptions { prior_weight: 0.0, exploration, most_nodes: 1_000_000, ..iterations(count) };
    for ([suits, values, removed, hand], plies) in sizes {
        let rules = Rules { suits, values, removed, hand };
        let game = TwinCool::new(rules, KeyKind::Played);
        let mut perfect = Perfect { rules, known: HashMap::new() };
        let mut positions = 0;
        for (seed, state) in (0..).zip(open(&game, plies).take(300)) {
            let (held, tops, played) = (state.held(), state.tops(), state.played());
            let mut value = |mv| f64::from(state.score()) + perfect.value_of(held, tops, played, mv);
            let values: Vec<f64> = moves(&game, &state).iter().map(|&mv| value(mv)).collect();
            let best = values.iter().copied().fold(0.0, f64::max);
            // Where all moves are alike there is nothing to find, and where they are nearly alike nobody can.
            let is_best = |value: f64| value > best - 1e-9;
            let is_clear = values.iter().all(|&value| is_best(value) || value < best - 0.25);
            if !is_clear || values.iter().all(|&value| is_best(value)) {
                continue;
            }
            let (edges, _) = search(&game, rollout, options, &state.observe().unwrap(), seed);
            let chosen = best_edge(&edges).unwrap();
            let mean = chosen.mean();
            assert!(is_best(value(chosen.mv)), "{rules:?} {seed}: {chosen:?} of {values:?}");
            assert!((mean - best).abs() < tolerance * best, "{rules:?} {seed}: {mean}, perfect is {best}");
            positions += 1;
            if positions == 4 {
                break;
            }
        }
        assert_eq!(positions, 4, "{rules:?}");
    }
}

/// The most that a known deck allows.
fn highest(game: &TwinCool, state: &GameState, known: &mut HashMap<TwinKey, u32>) -> u32 {
    let key = game.key(state);
    if let Some(&more) = known.get(&key) {
        return state.score() + more;
    }
    let mut best = state.score();
    for mv in moves(game, state) {
        let mut next = state.clone();
        game.play(&mut next, mv);
        best = best.max(highest(game, &next, known));
    }
    known.insert(key, best - state.score());
    best
}

#[test]
fn who_sees_the_deck_reaches_the_most_there_is() {
    let rules = Rules { suits: 4, values: 4, removed: 3, hand: 3 };
    let game = TwinCool::new(rules, KeyKind::Played);
    let mut is_beaten = false;
    for seed in 0..6 {
        let start = dealt(rules, seed);
        let most = highest(&game, &start, &mut HashMap::new());
        let mut player = Player::new(&game, Strategy::Mcts(iterations(5_000).into()));
        let (mut state, mut random) = (start.clone(), Random::new(seed));
        while let Some(advice) = player.advise(&state, &mut random, &GO_ON, Manner::PLAIN).unwrap() {
            game.play(&mut state, advice.best);
        }
        assert_eq!(state.score(), most, "seed {seed}");
        // There is but one determinization, the truth.
        let practice = Practice(&game);
        let state = practice.determinize(&start, &mut random);
        assert_eq!(state, start);
        assert_eq!(practice.hidden_share(&start), 0.0);
        // The most is not what any play reaches.
        is_beaten |= later(&game, seed, 100).score() < most;
    }
    assert!(is_beaten);
}

// Other games.

/// Player 0 plays safe or leads high; player 1 then follows, or trumps, which only one hidden card in so many
/// allows. What one wins the other loses.
struct Duel {
    cards: usize,
    /// What player 0 gets when trumped; 3 when followed, 2 when safe.
    trumped: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Act {
    Safe,
    High,
    Follow,
    Trump,
}

impl HiddenGame for Duel {
    /// Has player 0 led?
    type Observation = Option<Act>;
    /// The hidden card and the last move.
    type State = (usize, Option<Act>);
    type Move = Act;
    type Key = Option<Act>;

    fn determinize(&self, led: &Option<Act>, random: &mut Random) -> Self::State {
        (random.below(self.cards), *led)
    }

    fn key(&self, state: &Self::State) -> Option<Act> {
        state.1
    }

    fn moves(&self, state: &Self::State, moves: &mut Vec<Act>) {
        match *state {
            (_, None) => moves.extend([Act::Safe, Act::High]),
            (0, Some(Act::High)) => moves.extend([Act::Follow, Act::Trump]),
            (_, Some(Act::High)) => moves.push(Act::Follow),
            _ => (),
        }
    }

    fn play(&self, state: &mut Self::State, mv: Act) {
        state.1 = Some(mv);
    }

    fn player(&self, state: &Self::State) -> usize {
        usize::from(state.1 == Some(Act::High))
    }

    fn reward(&self, state: &Self::State, player: usize) -> f64 {
        let first = match state.1.expect("the game is over") {
            Act::Safe => 2.0,
            Act::Follow => 3.0,
            Act::Trump => self.trumped,
            Act::High => panic!("the game is not over"),
        };
        if player == 0 { first } else { -first }
    }

    fn hidden_share(&self, _: &Option<Act>) -> f64 {
        1.0
    }
}

#[test]
fn players_play_for_themselves() {
    // Trumped once in four times a high lead is worth 2.25; once in two times, 1.5. If player 1 were thought to help,
    // it would be 3.
    for (cards, best, high) in [(4, Act::High, 2.25), (2, Act::Safe, 1.5), (1, Act::Safe, 0.0)] {
        let game = Duel { cards, trumped: 0.0 };
        let options = SearchOptions { prior_weight: 0.0, ..iterations(20_000) };
        let (edges, report) = search(&game, AtRandom, options, &None, 1);
        assert_eq!(best_edge(&edges).unwrap().mv, best);
        assert_eq!((report.nodes, visits(&edges)), (2, 20_000));
        let [safe, lead] = &edges[..] else { panic!("{edges:?}") };
        assert_eq!(safe.mean(), 2.0);
        // A move that looks bad is tried seldom, so player 1 has not learnt much about it.
        assert!((lead.mean() - high).abs() < if best == Act::High { 0.05 } else { 0.4 }, "{lead:?}");
    }
}

#[test]
fn a_move_that_is_rarely_legal_is_judged_by_the_times_it_was() {
    let rounds = 10_000;
    for (trumped, is_good) in [(0.0, true), (5.0, false)] {
        for seed in 0..3 {
            let game = Duel { cards: 20, trumped };
            let options = SearchOptions { prior_weight: 0.0, ..iterations(rounds) };
            let (edges, _) = search(&game, AtRandom, options, &Some(Act::High), seed);
            // The first determinization hardly ever allows the trump; others do.
            assert_eq!(edges.iter().map(|edge| edge.mv).collect::<Vec<_>>(), [Act::Follow, Act::Trump]);
            let [follow, trump] = &edges[..] else { panic!("{edges:?}") };
            assert_eq!((follow.available, visits(&edges)), (rounds, rounds));
            assert!((400..600).contains(&trump.available), "{trump:?}");
            assert!(trump.visits > 0 && trump.visits <= trump.available);
            // The rewards are those of player 1.
            assert_eq!((follow.mean(), trump.mean()), (-3.0, -trumped));
            // A good one is played nearly whenever it can be. A bad one is left alone, as it would not be if it
            // were measured by all visits of the set.
            let share = f64::from(trump.visits) / f64::from(trump.available);
            assert!(if is_good { share > 0.9 } else { share < 0.1 }, "{trump:?}");
        }
    }
}

/// A coin lies hidden. Take 0.6, or bet: 1 for naming its side, else 0.
struct Coin;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Call {
    Take,
    Bet,
    Name(bool),
}

impl HiddenGame for Coin {
    type Observation = ();
    type State = (bool, Option<Call>);
    type Move = Call;
    type Key = Option<Call>;

    fn determinize(&self, (): &(), random: &mut Random) -> Self::State {
        (random.below(2) == 0, None)
    }

    fn key(&self, state: &Self::State) -> Option<Call> {
        state.1
    }

    fn moves(&self, state: &Self::State, moves: &mut Vec<Call>) {
        match state.1 {
            None => moves.extend([Call::Take, Call::Bet]),
            Some(Call::Bet) => moves.extend([false, true].map(Call::Name)),
            _ => (),
        }
    }

    fn play(&self, state: &mut Self::State, mv: Call) {
        state.1 = Some(mv);
    }

    fn reward(&self, state: &Self::State, _: usize) -> f64 {
        match state.1 {
            Some(Call::Name(side)) => f64::from(u8::from(side == state.0)),
            _ => 0.6,
        }
    }

    fn hidden_share(&self, (): &()) -> f64 {
        1.0
    }
}

#[test]
fn nobody_acts_on_what_cannot_be_known() {
    // Whoever solved each side of the coin for itself would bet, and win every time.
    for seed in 0..5 {
        let (edges, report) = search(&Coin, AtRandom, iterations(10_000), &(), seed);
        let best = best_edge(&edges).unwrap();
        assert_eq!((best.mv, report.nodes), (Call::Take, 2));
        assert!((best.mean() - 0.6).abs() < 1e-9 && (edges[1].mean() - 0.5).abs() < 0.1, "{edges:?}");
    }
}
