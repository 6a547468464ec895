//! Determinizations agree with what was seen and are equally likely; keys tell information sets apart.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use renju::hidden::HiddenGame;
use renju::hidden::twin_cool::{Card, GameState, KeyKind, Observation, Placement, Rules, TwinCool, TwinKey};
use renju::types::Random;

use super::{SIZES, card, cards, chi_limit, full, later, moves, seen, set};

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
