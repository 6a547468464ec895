//! Hidden information: the rules of Twin Cool, its determinizations and information sets, and the search, which is
//! compared with plain and slow answers where there are any.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use renju::hidden::twin_cool::{
    Card, CardSet, GameState, KeyKind, Manner, Observation, Placement, Player, Practice, RolloutKind, Rules,
    Strategy, TwinCool, TwinKey, hand_points, outlook, play_game,
};
use renju::hidden::{
    AtRandom, Determinizations, Edge, Forest, Guide, HiddenGame, IsMcts, LEAST_NODES, Report, SearchOptions,
    Tree, best_edge, merged,
};
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

// The rules.

#[test]
fn hands_are_worth_their_highest_pattern_only() {
    let cases = [
        // A run in one suit is also a run: only the 50 count.
        ("A1 A2 A3 A4 A5", 50),
        ("H6 H7 H8 H9 H10", 50),
        ("C7 C5 C4 C8 C6", 50),
        // Five of one value are also four.
        ("A3 B3 C3 D3 E3", 5),
        ("D10 E10 F10 G10 H10", 5),
        ("A1 A2 A3 A4 B5", 2),
        ("A6 B7 C8 D9 E10", 2),
        ("A3 B3 C3 D3 E4", 1),
        ("A1 B1 C1 D1", 1),
        // One suit without a run, a run with a gap, a run that would go round, a pair in a run.
        ("A1 A2 A3 A4 A6", 0),
        ("A1 B2 C3 D4 E6", 0),
        ("A7 A8 A9 A10 A1", 0),
        ("A8 A9 A10 B1 B2", 0),
        ("A1 B2 C3 D4 E4", 0),
        ("A3 B3 C3 D4 E4", 0),
        // Four cards are no run of five, three no four of a kind.
        ("A1 A2 A3 A4", 0),
        ("A1 B1 C1", 0),
        ("A1", 0),
        ("", 0),
    ];
    for (names, points) in cases {
        let mut hand = cards(names);
        for _ in 0..5 {
            assert_eq!(hand_points(Rules::FULL, &hand), points, "{names}");
            let first = hand.len().min(1);
            hand.rotate_left(first);
        }
    }
}

#[test]
fn a_card_fits_on_its_suit_and_on_its_value() {
    let rules = Rules::FULL;
    assert_eq!(rules.cards(), 80);
    assert_eq!((rules.suit(card("C7")), rules.value(card("C7"))), (2, 6));
    assert!(rules.fits(card("A1"), card("A10")) && rules.fits(card("A1"), card("H1")));
    assert!(!rules.fits(card("A1"), card("B2")) && !rules.fits(card("A10"), card("B1")));
    let game = full();
    for on in rules.all() {
        let fitting = rules.all().filter(|&card| rules.fits(card, on)).collect::<Vec<_>>();
        // Ten of the suit and eight of the value, the card itself in both.
        assert_eq!(fitting.len(), 17);
        assert_eq!(game.fitting(Some(on)), set(&fitting));
        assert!(fitting.iter().all(|&card| rules.fits(on, card)));
    }
    assert_eq!(game.fitting(None), game.all());
}

#[test]
fn moves_go_on_empty_piles_and_on_cards_that_fit() {
    let game = full();
    let placed = |hand, piles| -> Vec<String> {
        let observation = seen(hand, piles);
        let state = game.determinize(&observation, &mut Random::new(1));
        moves(&game, &state).iter().map(|mv| format!("{}-{}", mv.card, mv.pile)).collect()
    };
    let hand = "A1 B2 C3 D4 E5";
    // Two empty piles are alike: the first is enough.
    assert_eq!(placed(hand, ["", ""]), ["A1-0", "B2-0", "C3-0", "D4-0", "E5-0"]);
    // The second pile is still empty and takes anything.
    assert_eq!(placed(hand, ["A9", ""]), ["A1-0", "A1-1", "B2-1", "C3-1", "D4-1", "E5-1"]);
    assert_eq!(placed(hand, ["A9", "H4"]), ["A1-0", "D4-1"]);
    assert_eq!(placed(hand, ["A3", "C1"]), ["A1-0", "A1-1", "C3-0", "C3-1"]);
    // Only the top card counts.
    assert_eq!(placed(hand, ["A9 F9", "D10 H10"]), [""; 0]);
}

#[test]
fn a_deal_accounts_for_all_cards() {
    for seed in 0..100 {
        let state = dealt(Rules::FULL, seed);
        assert_eq!((state.hand().len(), state.deck().len()), (5, 65));
        let known = set(state.hand()) | set(&state.deck());
        // No card is there twice, and ten are nowhere: they were removed.
        assert_eq!(known.count_ones(), 70);
        assert_eq!((full().all() & !known).count_ones(), 10);
        assert!(state.hand().is_sorted());
        assert_eq!((state.count(), state.played(), state.tops()), (0, 0, [None; 2]));
        assert_eq!(state.points(), hand_points(Rules::FULL, state.hand()));
        assert_eq!(state.observe().unwrap().check(Rules::FULL), Ok(()));
    }
    assert_ne!(dealt(Rules::FULL, 1), dealt(Rules::FULL, 2));
}

#[test]
fn sound_rules_can_be_played() {
    // The smallest, the largest, and what is just beyond: hands and values that are too many for a state.
    let mut sound = 0;
    for (suits, values) in [(1, 1), (2, 1), (16, 8), (8, 16), (4, 32), (2, 33), (2, 64), (1, 128), (0, 9)] {
        for hand in [0, 1, 8, 9] {
            for removed in [0, 1, 10] {
                let rules = Rules { suits, values, removed, hand };
                if rules.is_sound() {
                    let game = TwinCool::new(rules, KeyKind::Piles);
                    let state = later(&game, 1, 1_000);
                    assert!(state.count() > 0 && moves(&game, &state).is_empty());
                    sound += 1;
                }
            }
        }
    }
    assert!(sound > 10);
    assert!(Rules::FULL.is_sound());
    for (removed, hand) in [(10, 0), (80, 1), (76, 5)] {
        assert!(!Rules { removed, hand, ..Rules::FULL }.is_sound());
    }
}

#[test]
fn the_first_hand_brings_points_too() {
    let state = GameState::from_parts(Rules::FULL, &cards("A5 A3 A1 A2 A4"), cards("B1 A6"), &[]);
    assert_eq!(state.hand(), cards("A1 A2 A3 A4 A5"));
    assert_eq!((state.points(), state.score()), (50, 50));
    // A1 goes, the last of the deck comes: another run. Then B1, which breaks it.
    let mut state = state;
    state.play(Rules::FULL, Placement { card: card("A1"), pile: 0 });
    assert_eq!((state.points(), state.count(), state.score()), (100, 1, 110));
    state.play(Rules::FULL, Placement { card: card("A3"), pile: 0 });
    assert_eq!((state.points(), state.count(), state.score()), (100, 2, 120));
    assert_eq!(state.hand(), cards("A2 A4 A5 A6 B1"));
    // The deck is empty: nothing comes.
    state.play(Rules::FULL, Placement { card: card("A5"), pile: 0 });
    assert_eq!(state.hand(), cards("A2 A4 A6 B1"));
    assert_eq!(state.score(), 130);
}

/// The game again, with lists and without tricks.
struct SlowState {
    hand: Vec<Card>,
    deck: Vec<Card>,
    piles: [Vec<Card>; 2],
    points: u32,
}

impl SlowState {
    fn moves(&self, rules: Rules) -> Vec<Placement> {
        let mut all = Vec::new();
        for &card in &self.hand {
            for pile in 0..2 {
                let is_same_as_first = pile == 1 && self.piles.iter().all(Vec::is_empty);
                let fits = self.piles[pile].last().is_none_or(|&top| rules.fits(card, top));
                if fits && !is_same_as_first {
                    all.push(Placement { card, pile: pile as u8 });
                }
            }
        }
        all
    }

    fn play(&mut self, rules: Rules, mv: Placement) {
        self.hand.retain(|&card| card != mv.card);
        self.piles[usize::from(mv.pile)].push(mv.card);
        self.hand.extend(self.deck.pop());
        self.hand.sort_unstable();
        self.points += hand_points(rules, &self.hand);
    }
}

#[test]
fn games_go_as_slow_ones_do() {
    for rules in SIZES {
        let game = TwinCool::new(rules, KeyKind::default());
        let (mut has_shrunk, mut has_points) = (false, false);
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let mut state = GameState::deal(rules, &mut random);
            let mut slow = SlowState {
                hand: state.hand().to_vec(),
                deck: state.deck(),
                piles: Default::default(),
                points: hand_points(rules, state.hand()),
            };
            loop {
                assert_eq!(state.hand(), slow.hand);
                assert_eq!(state.deck(), slow.deck);
                let observation = state.observe().unwrap();
                assert_eq!(observation.check(rules), Ok(()));
                assert_eq!((&observation.hand, &observation.piles), (&slow.hand, &slow.piles));
                assert_eq!(state.tops(), [0, 1].map(|pile: usize| slow.piles[pile].last().copied()));
                assert_eq!(state.played(), slow.piles.iter().map(|pile| set(pile)).sum::<CardSet>());
                assert_eq!(state.played(), observation.played());
                assert_eq!(state.held(), set(&slow.hand));
                assert_eq!(state.count(), state.played().count_ones());
                assert_eq!((state.points(), observation.points), (slow.points, slow.points));
                assert_eq!(state.score(), 10 * state.count() + slow.points);
                has_shrunk |= state.hand().len() < usize::from(rules.hand);
                has_points |= state.points() > 0;
                let moves = moves(&game, &state);
                assert_eq!(moves, slow.moves(rules));
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.below(moves.len())];
                game.play(&mut state, mv);
                slow.play(rules, mv);
            }
            assert_eq!(game.reward(&state, 0), f64::from(state.score()));
            if rules.suits == 1 {
                // Everything fits: all cards are played that were not removed.
                assert_eq!((state.hand(), state.count()), (&[][..], 8));
            }
        }
        assert_eq!(has_shrunk, rules != Rules::FULL, "{rules:?}");
        assert!(has_points || rules.hand < 4, "{rules:?}");
    }
}

#[test]
fn a_game_tells_its_cards_points_and_score() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let result = play_game(&full(), Strategy::Heuristic, &mut random, &GO_ON).unwrap();
        assert!(result.cards > 0);
        assert_eq!(result.score, 10 * result.cards + result.points);
    }
    let stopped = AtomicBool::new(true);
    assert_eq!(play_game(&full(), Strategy::Heuristic, &mut Random::new(1), &stopped), None);
}

#[test]
fn faults_of_observations_are_named() {
    let fault = |rules, observation: Observation| observation.check(rules).unwrap_err();
    let hand = "A1 B2 C3 D4 E5";
    assert_eq!(seen(hand, ["F1 F2 G2", "H10"]).check(Rules::FULL), Ok(()));
    assert_eq!(fault(Rules::FULL, seen("A1 B2 A1 D4 E5", ["", ""])), "A1 is there twice");
    assert_eq!(fault(Rules::FULL, seen(hand, ["F1", "F1"])), "F1 is there twice");
    assert_eq!(fault(Rules::FULL, seen(hand, ["", "D4"])), "D4 is there twice");
    assert_eq!(fault(Rules::FULL, seen(hand, ["", "F1 F2 G3"])), "G3 cannot lie on F2");
    assert_eq!(fault(Rules::FULL, seen("A1 B2 C3 D4 E5 F6", ["", ""])), "the hand has 6 cards, 5 at most");
    assert_eq!(
        fault(Rules::FULL, seen("A1 B2 C3 D4", ["", ""])),
        "the hand has 4 cards, and the deck is not empty"
    );
    let mut strange = seen(hand, ["", ""]);
    strange.hand[4] = Card(80);
    assert_eq!(fault(Rules::FULL, strange), "there is no card number 80");
    // Six cards, one of them removed: nobody can have seen all.
    let tiny = Rules { suits: 2, values: 3, removed: 1, hand: 2 };
    let path = vec![Card(0), Card(1), Card(2), Card(5)];
    let all = Observation { hand: vec![Card(3), Card(4)], piles: [path.clone(), vec![]], points: 0 };
    assert_eq!(fault(tiny, all), "0 cards are unseen, 1 were removed");
    let last = Observation { hand: vec![Card(4)], piles: [path, vec![]], points: 0 };
    assert_eq!(last.check(tiny), Ok(()));
}

// Determinizations.

/// By turns a new one, and one made of the first.
fn determinized(
    game: &TwinCool,
    observation: &Observation,
    first: &GameState,
    i: usize,
    random: &mut Random,
) -> GameState {
    if i.is_multiple_of(2) {
        game.determinize(observation, random)
    } else {
        game.determinize_again(observation, first, random)
    }
}

#[test]
fn determinizations_agree_with_what_was_seen() {
    for rules in SIZES {
        for kind in KeyKind::ALL {
            let game = TwinCool::new(rules, kind);
            for (seed, plies) in [(1, 0), (2, 1), (3, 4), (4, 9), (5, 30)] {
                let truth = later(&game, seed, plies);
                let observation = truth.observe().unwrap();
                let mut random = Random::new(seed);
                let first = game.determinize(&observation, &mut random);
                for i in 0..20 {
                    let state = determinized(&game, &observation, &first, i, &mut random);
                    assert_eq!(state.hand(), truth.hand());
                    assert_eq!((state.tops(), state.played()), (truth.tops(), truth.played()));
                    assert_eq!((state.points(), state.count()), (truth.points(), truth.count()));
                    assert_eq!(state.deck().len(), truth.deck().len());
                    // What is neither in the deck nor seen was removed; nothing is in two places.
                    let places = [state.held(), state.played(), set(&state.deck())];
                    let known = places.iter().fold(0, |set, place| set | place);
                    assert_eq!(
                        known.count_ones(),
                        places.iter().map(|place| place.count_ones()).sum::<u32>()
                    );
                    assert_eq!((game.all() & !known).count_ones(), u32::from(rules.removed));
                    // Piles are kept only where keys need them.
                    let kept = state.observe();
                    assert_eq!(kept.is_some(), kind == KeyKind::Piles);
                    assert!(kept.is_none_or(|kept| kept == observation));
                    assert_eq!(moves(&game, &state), moves(&game, &truth));
                }
            }
        }
    }
}

#[test]
fn determinizations_differ() {
    let game = full();
    for plies in [0, 5, 10] {
        let observation = later(&game, 3, plies).observe().unwrap();
        let mut random = Random::new(7);
        let first = game.determinize(&observation, &mut random);
        for part in 0..2 {
            let decks: HashSet<Vec<Card>> = (0..10)
                .map(|_| determinized(&game, &observation, &first, part, &mut random).deck())
                .collect();
            assert!(decks.len() >= 8);
        }
    }
}

#[test]
fn all_determinizations_are_equally_likely() {
    for part in 0..2 {
        check_likelihood(part);
    }
}

fn check_likelihood(part: usize) {
    let game = full();
    let truth = later(&game, 11, 6);
    let observation = truth.observe().unwrap();
    let unseen = game.all() & !truth.held() & !truth.played();
    let count = unseen.count_ones() as usize;
    let rounds = 40_000;
    let (mut next, mut removed) = ([0_u32; 80], [0_u32; 80]);
    let mut random = Random::new(5);
    let first = game.determinize(&observation, &mut random);
    for _ in 0..rounds {
        let state = determinized(&game, &observation, &first, part, &mut random);
        next[usize::from(state.deck().last().unwrap().0)] += 1;
        let away = unseen & !set(&state.deck());
        for card in game.rules.all().filter(|card| away & card.bit() != 0) {
            removed[usize::from(card.0)] += 1;
        }
    }
    let squares = |counts: [u32; 80], mean: f64| -> f64 {
        let hidden = game.rules.all().filter(|card| unseen & card.bit() != 0);
        hidden.map(|card| (f64::from(counts[usize::from(card.0)]) - mean).powi(2)).sum()
    };
    // Every card that was not seen may be the next one.
    let mean = f64::from(rounds) / count as f64;
    let chi = squares(next, mean) / mean;
    assert!(chi < chi_limit(count - 1), "next: {chi}");
    // Ten of them are removed, drawn without being put back: hence the factors.
    let share = 10.0 / count as f64;
    let chi = squares(removed, f64::from(rounds) * share) / (f64::from(rounds) * share * (1.0 - share))
        * (count - 1) as f64
        / count as f64;
    assert!(chi < chi_limit(count - 1), "removed: {chi}");
    assert_eq!(next.iter().sum::<u32>(), rounds);
    assert_eq!(removed.iter().sum::<u32>(), 10 * rounds);
}

// Information sets.

fn hash(key: &TwinKey) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}

/// The kinds of keys that take two observations for the same.
fn kinds_that_agree(one: &Observation, other: &Observation) -> Vec<KeyKind> {
    let agrees = |&kind: &KeyKind| {
        let game = TwinCool::new(Rules::FULL, kind);
        // Two decks: what is hidden must not matter.
        let keys = [(one, 1), (other, 2)]
            .map(|(seen, seed)| game.key(&game.determinize(seen, &mut Random::new(seed))));
        assert!(keys[0] != keys[1] || hash(&keys[0]) == hash(&keys[1]));
        keys[0] == keys[1]
    };
    KeyKind::ALL.into_iter().filter(agrees).collect()
}

#[test]
fn keys_remember_what_their_kind_says_and_no_more() {
    use KeyKind::{Count, Played, Tops};
    let hand = "B1 C5 D4 G7 H9";
    let one = seen(hand, ["A1 A3 A2", "E2 E4"]);
    // Another deck, another order of the hand and other points are no difference.
    let mut same = seen("H9 G7 B1 D4 C5", ["A1 A3 A2", "E2 E4"]);
    same.points = 7;
    assert_eq!(kinds_that_agree(&one, &same), KeyKind::ALL);
    // Same tops, one card fewer.
    assert_eq!(kinds_that_agree(&one, &seen(hand, ["A3 A2", "E2 E4"])), [Tops]);
    // As many cards, but another one.
    assert_eq!(kinds_that_agree(&one, &seen(hand, ["A7 A3 A2", "E2 E4"])), [Tops, Count]);
    // The same cards, in another order or on the other pile.
    assert_eq!(kinds_that_agree(&one, &seen(hand, ["A3 A1 A2", "E2 E4"])), [Tops, Count, Played]);
    let moved = seen(hand, ["A1 A2", "A3 E3 E4"]);
    assert_eq!(kinds_that_agree(&moved, &seen(hand, ["A1 A3 A2", "E3 E4"])), [Tops, Count, Played]);
    // Another top, tops exchanged, another hand: never the same.
    for other in [seen(hand, ["A1 A2 A3", "E2 E4"]), seen(hand, ["E2 E4", "A1 A3 A2"])] {
        assert_eq!(kinds_that_agree(&one, &other), []);
    }
    assert_eq!(kinds_that_agree(&one, &seen("B1 C5 D4 G7 H10", ["A1 A3 A2", "E2 E4"])), []);
    // An empty pile is not one with the first card on it.
    assert_eq!(kinds_that_agree(&seen(hand, ["A2", ""]), &seen(hand, ["A2", "A1"])), []);
}

#[test]
fn the_way_to_an_information_set_does_not_matter() {
    // The same two cards played in two orders, and the same two cards drawn.
    let (first, second) = (Placement { card: card("A1"), pile: 0 }, Placement { card: card("B1"), pile: 1 });
    let after = |kind, order: [Placement; 2], deck: &str| {
        let game = TwinCool::new(Rules::FULL, kind);
        let mut state = GameState::from_parts(Rules::FULL, &cards("A1 B1 C3 D4 E5"), cards(deck), &[]);
        for mv in order {
            game.play(&mut state, mv);
        }
        game.key(&state)
    };
    for kind in KeyKind::ALL {
        let key = after(kind, [first, second], "H1 H2 F7 G7");
        let other = after(kind, [second, first], "H9 H8 H3 G7 F7");
        assert_eq!(key, other);
        assert_eq!(hash(&key), hash(&other));
        assert_ne!(key, after(kind, [first, second], "H1 H2 F7 G8"));
    }
}

// The search.

#[test]
fn the_seed_decides_everything() {
    let game = full();
    let observation = open(&game, 3).next().unwrap().observe().unwrap();
    for rollout in [RolloutKind::Random, RolloutKind::Heuristic] {
        for determinizations in
            [Determinizations::Always, Determinizations::Fixed(7), Determinizations::Adaptive { least: 10 }]
        {
            let options = SearchOptions { determinizations, ..iterations(300) };
            let once = search(&game, rollout, options, &observation, 1);
            assert_eq!(once, search(&game, rollout, options, &observation, 1));
            assert_ne!(once.0, search(&game, rollout, options, &observation, 2).0);
        }
    }
}

#[test]
fn every_iteration_counts_once_at_the_root() {
    for kind in KeyKind::ALL {
        let game = TwinCool::new(Rules::FULL, kind);
        for plies in [0, 2, 5] {
            let state = open(&game, plies).next().unwrap();
            let legal = moves(&game, &state);
            let (edges, report) =
                search(&game, RolloutKind::Random, iterations(500), &state.observe().unwrap(), 1);
            assert_eq!(edges.iter().map(|edge| edge.mv).collect::<Vec<_>>(), legal);
            assert_eq!((report.iterations, visits(&edges)), (500, 500));
            for edge in &edges {
                // The hand and the tops are known, so all moves are legal in all determinizations.
                assert_eq!(edge.available, 500);
                assert!(edge.visits > 0 && edge.visits <= edge.available);
                // At least the card itself is played.
                assert!(edge.mean() >= f64::from(state.score() + 10));
            }
            // An iteration adds one set at most, besides the root.
            assert!(report.nodes <= 501 && report.created == report.nodes as u64);
            assert!(report.visits >= 500 && report.sharing() > 0.0 && report.sharing() < 1.0);
        }
    }
}

#[test]
fn nothing_is_said_of_a_game_that_is_over() {
    let game = full();
    let state = later(&game, 1, 100);
    assert_eq!(moves(&game, &state), []);
    let (edges, report) = search(&game, RolloutKind::Random, iterations(20), &state.observe().unwrap(), 1);
    assert_eq!((edges.len(), report.nodes), (0, 0));
    let mut player = Player::new(&game, Strategy::IsMcts(iterations(20).into()));
    assert!(player.advise(&state, &mut Random::new(1), &GO_ON, Manner::PLAIN).unwrap().is_none());
}

#[test]
fn memory_that_is_full_forgets_what_was_not_used_for_longest() {
    let mut tree: Tree<u32, u8> = Tree::new(4);
    for key in [7, 1, 2, 3] {
        tree.make_room(&7);
        tree.visit(key);
    }
    tree.visit(1);
    assert_eq!((tree.len(), tree.traffic()), (4, (5, 4)));
    let (place, _) = tree.visit(1);
    tree.node(place).edges.push(Edge { mv: 9, visits: 3, available: 5, total: 1.5, prior: None });
    // The root stays, although it was not used for longest, and one more.
    tree.make_room(&7);
    let kept: Vec<u32> = (1..=7).filter(|key| tree.find(key).is_some()).collect();
    assert_eq!(kept, [1, 7]);
    // What is kept is kept whole.
    assert_eq!(tree.find(&1).unwrap().edges[0].visits, 3);
    assert!(!tree.visit(1).1 && tree.visit(2).1);
    tree.clear();
    assert!(tree.is_empty() && tree.find(&1).is_none());
}

#[test]
fn a_tree_is_never_larger_than_allowed() {
    for most in 0..20 {
        let mut tree: Tree<u32, u8> = Tree::new(most);
        let most = most.max(LEAST_NODES);
        for key in 0..100 {
            // A new root every ten steps, and a step from it.
            let root = key / 10 * 10;
            tree.make_room(&root);
            assert!(tree.find(&root).is_some() == (key > root));
            tree.visit(root);
            let (place, is_new) = tree.visit(key);
            assert!(is_new == (key != root) && place < tree.len());
            assert!(tree.len() <= most, "{} sets, {most} allowed", tree.len());
            assert!(tree.find(&key).is_some() && tree.find(&root).is_some());
        }
        assert!(tree.len() >= most / 2, "{} sets kept of {most}", tree.len());
    }
}

#[test]
fn a_search_with_little_memory_still_gives_legal_moves() {
    let game = TwinCool::new(Rules::FULL, KeyKind::Played);
    for most_nodes in [1, 2, 3, 4, 5, 8, 50, 100] {
        let options = SearchOptions { most_nodes, keep: true, ..iterations(400) };
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, options);
        let mut random = Random::new(1);
        let mut state = dealt(Rules::FULL, 4);
        loop {
            let legal = moves(&game, &state);
            if legal.is_empty() {
                break;
            }
            let (edges, report) =
                searcher.search(&state.observe().unwrap(), &mut random, &GO_ON, &mut |_| {});
            assert!(report.nodes <= most_nodes.max(LEAST_NODES), "{} sets", report.nodes);
            // Nothing of what was tried is lost, and all moves are known.
            assert_eq!(report.iterations, 400);
            assert!(visits(&edges) >= 400);
            assert_eq!(edges.len(), legal.len());
            assert!(edges.iter().all(|edge| legal.contains(&edge.mv) && edge.visits <= edge.available));
            assert!(edges.iter().all(|edge| edge.mean().is_finite()));
            game.play(&mut state, best_edge(&edges).unwrap().mv);
        }
    }
}

#[test]
fn what_was_learnt_is_kept_only_if_asked_for() {
    let game = full();
    let state = dealt(Rules::FULL, 9);
    let observation = state.observe().unwrap();
    for keep in [false, true] {
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, SearchOptions { keep, ..iterations(300) });
        let mut random = Random::new(1);
        let mut again = |searcher: &mut IsMcts<'_, _, _>, seen: &Observation| {
            searcher.search(seen, &mut random, &GO_ON, &mut |_| {})
        };
        let (edges, first) = again(&mut searcher, &observation);
        assert_eq!(visits(&edges), 300);
        let (edges, second) = again(&mut searcher, &observation);
        assert_eq!(visits(&edges), if keep { 600 } else { 300 });
        // The report is about this search alone, the tree about all.
        assert_eq!(second.iterations, 300);
        assert!(second.visits < 2 * first.visits);
        assert_eq!(second.nodes as u64, second.created + if keep { first.created } else { 0 });
        // The sets after the move that was played are known already.
        let mut next = state.clone();
        game.play(&mut next, best_edge(&edges).unwrap().mv);
        let (edges, third) = again(&mut searcher, &next.observe().unwrap());
        assert!(if keep { third.nodes > second.nodes } else { visits(&edges) == 300 });
        searcher.clear();
        let (edges, last) = again(&mut searcher, &observation);
        assert_eq!((visits(&edges), last.nodes as u64), (300, last.created));
    }
}

#[test]
fn a_tree_that_is_kept_knows_what_moves_promise() {
    let game = full();
    let options = SearchOptions { keep: true, ..iterations(2_000) };
    for state in open(&game, 2).take(5) {
        let mut searcher = IsMcts::new(&game, RolloutKind::Heuristic, options);
        let (edges, _) = searcher.search(&state.observe().unwrap(), &mut Random::new(1), &GO_ON, &mut |_| {});
        let mut next = state.clone();
        game.play(&mut next, best_edge(&edges).unwrap().mv);
        let legal = moves(&game, &next);
        let (edges, _) = searcher.search(&next.observe().unwrap(), &mut Random::new(2), &GO_ON, &mut |_| {});
        assert_eq!(edges.len(), legal.len());
        for edge in edges {
            assert_eq!(edge.prior, Some(outlook(&game, &next, edge.mv)));
        }
    }
}

#[test]
fn trees_share_the_time() {
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    // The iterations of one tree in a time, and of eight trees, one after the other, in the same time.
    let time = Duration::from_millis(40);
    let options = SearchOptions { time: Some(time), ..iterations(u32::MAX) };
    let counts = [1, 8].map(|trees| {
        let start = Instant::now();
        let mut forest = Forest::new(&game, &RolloutKind::Random, options, trees);
        let (_, report) = forest.search(&observation, &mut Random::new(1), &GO_ON, &mut |_, _| {});
        (report.iterations, start.elapsed())
    });
    assert!(counts.iter().all(|&(count, _)| count > 100), "{counts:?}");
    // Not eight times as long, however busy the machine.
    assert!(counts[1].1 < 5 * counts[0].1.max(time), "{counts:?}");
}

#[test]
fn draws_follow_the_deck_that_was_told() {
    let game = full();
    let mut random = Random::new(8);
    for seed in 0..50 {
        let observation = later(&game, seed, 4).observe().unwrap();
        let mut state = game.determinize(&observation, &mut random);
        let mut deck = state.deck();
        while let Some(&mv) = moves(&game, &state).last() {
            let before = state.held();
            game.play(&mut state, mv);
            assert_eq!((state.held() & !before).count_ones(), 1);
            assert_eq!(Some(state.held() & !before), deck.pop().map(Card::bit));
            assert_eq!(state.deck(), deck);
        }
    }
}

#[test]
fn a_hundred_searches_do_not_grow_the_tree() {
    let game = full();
    for (keep, most_nodes) in [(false, 100_000), (true, 2_000), (true, 100_000)] {
        let options = SearchOptions { keep, most_nodes, ..iterations(200) };
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, options);
        let mut random = Random::new(3);
        let (mut most_bytes, mut created) = (0, 0);
        for _ in 0..100 {
            let observation = GameState::deal(Rules::FULL, &mut random).observe().unwrap();
            let (_, report) = searcher.search(&observation, &mut random, &GO_ON, &mut |_| {});
            assert!(report.nodes <= if keep { most_nodes } else { 201 });
            most_bytes = most_bytes.max(report.bytes);
            created += report.created;
        }
        assert!(created > 10_000);
        assert!(most_bytes > 0 && most_bytes < 100_000_000, "{most_bytes} bytes");
        // A set takes some hundred bytes, whatever came and went.
        let most_sets = if keep { most_nodes.min(created as usize) } else { 201 };
        assert!(most_bytes < 2_000 * most_sets, "{most_bytes} bytes for {most_sets} sets");
    }
}

#[test]
fn determinizations_are_as_many_as_asked_for() {
    let game = full();
    let drawn = |state: &GameState, determinizations, rounds| {
        let options = SearchOptions { determinizations, ..iterations(rounds) };
        let mut decks = HashSet::new();
        let mut watch = |step: &renju::hidden::Step<'_, TwinCool>| {
            decks.insert(step.start.deck());
        };
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, options);
        let observation = state.observe().unwrap();
        let (edges, report) = searcher.search(&observation, &mut Random::new(1), &GO_ON, &mut watch);
        assert_eq!((report.iterations, visits(&edges)), (rounds, rounds));
        // So many decks are hardly ever the same by chance.
        assert_eq!(decks.len(), report.determinizations as usize);
        report.determinizations
    };
    let early = dealt(Rules::FULL, 1);
    assert_eq!(drawn(&early, Determinizations::Always, 100), 100);
    for (count, expected) in [(1, 1), (7, 7), (100, 100), (1_000, 100), (0, 1)] {
        assert_eq!(drawn(&early, Determinizations::Fixed(count), 100), expected);
    }
    // Everything is hidden at first, and less with every card.
    let adaptive = Determinizations::Adaptive { least: 10 };
    assert_eq!(drawn(&early, adaptive, 100), 100);
    let mut counts = Vec::new();
    let mut state = early;
    while let Some(&mv) = moves(&game, &state).first() {
        counts.push(drawn(&state, adaptive, 100));
        game.play(&mut state, mv);
    }
    assert!(counts.len() > 2 && counts.is_sorted_by(|early, late| early > late), "{counts:?}");
    assert!(counts.iter().all(|&count| count >= 10));
    // Of a deck that is almost empty only the least is drawn.
    let small = TwinCool::new(Rules { suits: 1, values: 10, removed: 0, hand: 2 }, KeyKind::Played);
    let late = later(&small, 1, 9).observe().unwrap();
    let options = SearchOptions { determinizations: adaptive, ..iterations(100) };
    assert_eq!(search(&small, RolloutKind::Random, options, &late, 1).1.determinizations, 10);
}

#[test]
fn a_search_can_be_stopped() {
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    let mut searcher = IsMcts::new(&game, RolloutKind::Random, iterations(1_000_000));
    let stop = AtomicBool::new(false);
    let (edges, report) = searcher.search(&observation, &mut Random::new(1), &stop, &mut |step| {
        if step.iteration == 40 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert!(report.iterations > 40 && report.iterations < 100);
    assert_eq!(visits(&edges), report.iterations);
    // One that was stopped before still tries a little, so that there is a move to play.
    let (edges, report) = searcher.search(&observation, &mut Random::new(1), &stop, &mut |_| {});
    assert!(report.iterations < 100 && best_edge(&edges).is_some());
    // No time is like a stop.
    let options = SearchOptions { time: Some(Duration::ZERO), ..iterations(1_000_000) };
    let (edges, report) = search(&game, RolloutKind::Random, options, &observation, 1);
    assert!(report.iterations < 100 && best_edge(&edges).is_some());
    let (edges, report) = search(&game, RolloutKind::Random, iterations(0), &observation, 1);
    assert_eq!((edges, report), (vec![], Report::default()));
}

#[test]
fn those_who_watch_see_every_iteration() {
    for kind in KeyKind::ALL {
        let game = TwinCool::new(Rules::FULL, kind);
        let state = open(&game, 2).next().unwrap();
        let observation = state.observe().unwrap();
        let (mut seen, mut totals) = (0, HashMap::<Placement, (u32, f64)>::new());
        let mut searcher = IsMcts::new(&game, RolloutKind::Random, iterations(400));
        let (edges, _) = searcher.search(&observation, &mut Random::new(2), &GO_ON, &mut |step| {
            assert_eq!(step.iteration, seen);
            seen += 1;
            assert_eq!((step.start.hand(), step.start.tops()), (state.hand(), state.tops()));
            let mut walker = step.start.clone();
            for &mv in step.walked {
                assert!(moves(&game, &walker).contains(&mv));
                game.play(&mut walker, mv);
            }
            // The end is at least as good as what was walked.
            assert!(!step.walked.is_empty() && step.reward >= game.reward(&walker, 0));
            let entry = totals.entry(step.walked[0]).or_default();
            *entry = (entry.0 + 1, entry.1 + step.reward);
        });
        assert_eq!(seen, 400);
        // The edges of the root tell the same.
        for edge in edges {
            assert_eq!(totals[&edge.mv], (edge.visits, edge.total));
        }
    }
}

#[test]
fn the_best_move_is_the_one_tried_most() {
    let edge = |mv: char, visits, total| Edge { mv, visits, available: 100, total, prior: None };
    let best = |edges: &[Edge<char>]| best_edge(edges).map(|edge| edge.mv);
    assert_eq!(best(&[]), None);
    assert_eq!(best(&[edge('a', 3, 30.0), edge('b', 4, 1.0), edge('c', 1, 99.0)]), Some('b'));
    // As often: the higher mean. As good: the first.
    assert_eq!(best(&[edge('a', 4, 1.0), edge('b', 4, 3.0), edge('c', 4, 2.0)]), Some('b'));
    assert_eq!(best(&[edge('a', 2, 1.0), edge('b', 4, 3.0), edge('c', 4, 3.0)]), Some('b'));
    assert_eq!(best(&[edge('a', 0, 0.0), edge('b', 0, 0.0)]), Some('a'));
}

#[test]
fn trees_are_merged_by_adding_up() {
    let edge = |mv, visits, available, total| Edge { mv, visits, available, total, prior: Some(0.5) };
    let first = vec![edge('a', 1, 10, 2.0), edge('b', 9, 10, 3.0)];
    // Another order, a move that is not in the first, and one that is in the first only.
    let second = vec![edge('c', 2, 4, 1.0), edge('a', 4, 6, 0.5)];
    let all = merged([first.clone(), second, vec![]]);
    assert_eq!(all, [edge('a', 5, 16, 2.5), edge('b', 9, 10, 3.0), edge('c', 2, 4, 1.0)]);
    assert_eq!(merged([first.clone()]), first);
    assert_eq!(merged::<char>([]), []);
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    let trees: Vec<_> = (0..3)
        .map(|seed| search(&game, RolloutKind::Random, iterations(100), &observation, seed).0)
        .collect();
    assert_eq!(visits(&merged(trees)), 300);
}

#[test]
fn forests_do_not_depend_on_threads() {
    let game = full();
    let observation = dealt(Rules::FULL, 1).observe().unwrap();
    for (trees, rounds) in [(1, 100), (3, 100), (8, 5)] {
        let forest = || Forest::new(&game, &RolloutKind::Random, iterations(rounds), trees);
        let (mut seen, mut random) = (vec![0; trees], Random::new(3));
        let (edges, report) = forest().search(&observation, &mut random, &GO_ON, &mut |tree, step| {
            assert_eq!(step.iteration, seen[tree]);
            seen[tree] += 1;
        });
        // The iterations are shared out, the first trees have one more.
        assert_eq!(seen.iter().sum::<u32>(), rounds);
        assert!(seen[0] - seen[trees - 1] <= 1);
        assert_eq!((visits(&edges), report.iterations), (rounds, rounds));
        for threads in [1, 2, 5] {
            let mut random = Random::new(3);
            let found = forest().search_on(threads, &observation, &mut random, &GO_ON).unwrap();
            assert_eq!(found, (edges.clone(), report));
        }
        // Other numbers, other trees.
        let other = forest().search_on(2, &observation, &mut Random::new(4), &GO_ON).unwrap();
        assert_ne!(other.0, edges);
    }
    // What was learnt is kept in every tree, and bounded in all together.
    let options = SearchOptions { keep: true, most_nodes: 400, ..iterations(300) };
    let mut forest = Forest::new(&game, &RolloutKind::Random, options, 3);
    let mut random = Random::new(1);
    for round in 1..=5 {
        let (edges, report) = forest.search_on(2, &observation, &mut random, &GO_ON).unwrap();
        assert!(report.nodes <= 402, "{report:?}");
        assert!(round > 1 || visits(&edges) == 300);
    }
}

#[test]
fn states_are_equal_whatever_was_before() {
    let game = TwinCool::new(Rules { suits: 2, values: 4, removed: 0, hand: 3 }, KeyKind::Played);
    let [one, other] = [[0, 1, 2], [2, 1, 0]].map(|order| {
        let card = |i: u8| Card(i);
        let mut state = GameState::from_parts(
            game.rules,
            &order.map(card),
            vec![card(7), card(6), card(5), card(4), card(3)],
            &[],
        );
        for (card, pile) in [(0, 0), (2, 1), (1, 0)] {
            game.play(&mut state, Placement { card: Card(card), pile });
        }
        state
    });
    assert_eq!(one, other);
    // The deck counts, and so does what lies below the top cards.
    let mut later = one.clone();
    game.play(&mut later, moves(&game, &one)[0]);
    assert_ne!(one, later);
}

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
    // Suits, values, removed, hand; cards played before.
    let sizes = [([3, 3, 1, 2], 1), ([4, 3, 2, 2], 3), ([4, 4, 4, 2], 4), ([4, 2, 2, 4], 0)];
    let options =
        SearchOptions { prior_weight: 0.0, exploration: 0.7, most_nodes: 1_000_000, ..iterations(200_000) };
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
            let (edges, _) = search(&game, RolloutKind::Random, options, &state.observe().unwrap(), seed);
            let chosen = best_edge(&edges).unwrap();
            let mean = chosen.mean();
            assert!(is_best(value(chosen.mv)), "{rules:?} {seed}: {chosen:?} of {values:?}");
            assert!((mean - best).abs() < 0.03 * best, "{rules:?} {seed}: {mean}, perfect is {best}");
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

// Strength.

#[test]
fn searching_beats_flexibility_and_flexibility_beats_chance() {
    let game = full();
    let mean = |strategy, games: u64| {
        let cards = |game_number| {
            let mut random = Random::part(2_024, game_number);
            play_game(&game, strategy, &mut random, &GO_ON).expect("nobody stops it").cards
        };
        f64::from((0..games).map(cards).sum::<u32>()) / games as f64
    };
    // Games differ much; so many are needed for a mean that is off by less than a quarter of the differences.
    let chance = mean(Strategy::Random, 1_000);
    let flexible = mean(Strategy::Heuristic, 1_000);
    let hidden = mean(Strategy::IsMcts(iterations(200).into()), 200);
    let cheat = mean(Strategy::Mcts(iterations(200).into()), 20);
    assert!(flexible > chance + 0.8, "{flexible} by flexibility, {chance} by chance");
    assert!(hidden > flexible + 0.8, "{hidden} by search, {flexible} by flexibility");
    // What the hidden cards cost.
    assert!(cheat > hidden + 8.0, "{cheat} with the deck, {hidden} without");
}
