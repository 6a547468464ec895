//! The learnt value: what it expects is exact over the draws, its weights are kept and made again, and the luck that
//! it tells is none in the long run.

use std::sync::atomic::AtomicBool;

use renju::hidden::twin_cool::{
    Card, KeyKind, Learning, Learnt, RolloutKind, Rules, Strategy, Table, TwinCool, Valuation, learn,
    play_game, play_game_with_luck,
};
use renju::hidden::{HiddenGame, Valued};
use renju::types::Random;

use super::{GO_ON, SIZES, full, iterations, later, moves, search, visits};

/// A quick lesson, which learns little.
const QUICK: Learning = Learning { rounds: 1, positions: 400, epochs: 2, seed: 3, threads: 1 };

#[test]
fn what_is_expected_is_the_mean_over_all_draws() {
    for rules in SIZES {
        let game = TwinCool::new(rules, KeyKind::Played);
        for (seed, plies) in (0..60).zip([0, 1, 3, 5].into_iter().cycle()) {
            let state = later(&game, seed, plies);
            for mv in moves(&game, &state) {
                let drawn: Vec<Option<Card>> = if state.deck_len() == 0 {
                    vec![None]
                } else {
                    state.unseen().iter().copied().map(Some).collect()
                };
                let estimate = |&card: &Option<Card>| Learnt.estimate(&game, &state.after(rules, mv, card));
                let mean = drawn.iter().map(estimate).sum::<f64>() / drawn.len() as f64;
                let expected = Learnt.expected(&game, &state, mv);
                assert!((mean - expected).abs() < 0.01, "{rules:?} {seed} {mv:?}: {expected}, not {mean}");
            }
        }
    }
}

#[test]
fn a_state_is_worth_its_best_move() {
    let game = full();
    for seed in 0..100 {
        let state = later(&game, seed, seed as usize % 9);
        let all = moves(&game, &state);
        let best = all.iter().map(|&mv| Learnt.glance(&game, &state, mv)).fold(f64::NEG_INFINITY, f64::max);
        let estimate = Learnt.estimate(&game, &state);
        if all.is_empty() {
            assert_eq!(estimate, game.reward(&state, 0), "seed {seed}");
        } else {
            assert!((estimate - best).abs() < 1e-3, "seed {seed}: {estimate}, not {best}");
        }
    }
}

#[test]
fn nothing_is_promised_that_the_cards_do_not_allow() {
    for rules in SIZES {
        let game = TwinCool::new(rules, KeyKind::Played);
        for seed in 0..60 {
            let state = later(&game, seed, seed as usize % 7);
            let (cards, best) = Valuation::shipped().best(&game, &Table::of(&game, &state));
            let most = (state.deck_len() + state.hand().len()) as f32;
            assert!((0.0..=most).contains(&cards), "{rules:?} {seed}: {cards}");
            assert_eq!(best.is_none(), moves(&game, &state).is_empty(), "{rules:?} {seed}");
        }
    }
}

#[test]
fn weights_are_kept_byte_by_byte() {
    let shipped = Valuation::shipped();
    let bytes = shipped.to_bytes();
    assert_eq!(Valuation::from_bytes(&bytes).as_ref(), Ok(shipped));
    let mut no_number = bytes.clone();
    no_number[12..16].copy_from_slice(&f32::NAN.to_le_bytes());
    let bad = [
        (&bytes[..5], "more than 5 bytes"),
        (&bytes[..bytes.len() - 1], "bytes, "),
        (&bytes[1..], "no weights of this version"),
        (&no_number, "weight number 0"),
    ];
    for (bytes, what) in bad {
        let error = Valuation::from_bytes(bytes).unwrap_err();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn a_seed_gives_the_same_weights_on_any_threads() {
    let mut errors = Vec::new();
    let one = learn(QUICK, &GO_ON, &mut |_, error| errors.push(error)).unwrap();
    let two = learn(Learning { threads: 2, ..QUICK }, &GO_ON, &mut |_, _| {}).unwrap();
    assert!(one.is_some() && one == two);
    assert_ne!(one.as_ref(), Some(Valuation::shipped()));
    assert_eq!(errors.len(), 2);
    // The whole game is a matter of luck, what one draw brings is not.
    assert!(errors[1] < errors[0] / 2.0, "{errors:?}");
}

#[test]
fn learning_can_be_stopped() {
    let stop = AtomicBool::new(true);
    assert_eq!(learn(QUICK, &stop, &mut |_, _| {}).unwrap(), None);
}

#[test]
fn luck_is_none_in_the_long_run() {
    let game = full();
    let (mut luck, mut cards) = (Vec::new(), Vec::new());
    for number in 0..400 {
        let mut random = Random::part(7, number);
        let (result, found) = play_game_with_luck(&game, Strategy::Value, &mut random, &GO_ON).unwrap();
        assert_eq!(Some(result), play_game(&game, Strategy::Value, &mut Random::part(7, number), &GO_ON));
        luck.push(found);
        cards.push(f64::from(result.cards));
    }
    let (mean, spread) = mean_and_spread(&luck);
    assert!(mean.abs() < 4.0 * spread / 20.0, "{mean} ± {}", spread / 20.0);
    let fair: Vec<f64> = cards.iter().zip(&luck).map(|(cards, luck)| cards - luck).collect();
    assert!(mean_and_spread(&fair).1 < mean_and_spread(&cards).1 / 5.0);
}

fn mean_and_spread(numbers: &[f64]) -> (f64, f64) {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>();
    (mean, (squares / numbers.len() as f64).sqrt())
}

#[test]
fn a_single_iteration_plays_what_is_expected_most() {
    let game = full();
    for seed in 0..20 {
        let state = later(&game, seed, 3);
        let all = moves(&game, &state);
        if all.is_empty() {
            continue;
        }
        let (edges, report) =
            search(&game, RolloutKind::Value, iterations(1), &state.observe().unwrap(), seed);
        assert_eq!((visits(&edges), report.iterations), (1, 1));
        let tried = edges.iter().find(|edge| edge.visits > 0).unwrap();
        let most = all.iter().map(|&mv| Learnt.expected(&game, &state, mv)).fold(f64::NEG_INFINITY, f64::max);
        assert!((Learnt.expected(&game, &state, tried.mv) - most).abs() < 1e-9, "seed {seed}");
        // Every move has been looked at, tried or not.
        assert!(edges.len() == all.len() && edges.iter().all(|edge| edge.prior.is_some()));
    }
}

#[test]
fn a_table_knows_its_deck() {
    let game = full();
    for seed in 0..20 {
        let state = later(&game, seed, seed as usize);
        assert_eq!(Table::of(&game, &state).deck_len(Rules::FULL) as usize, state.deck_len());
    }
}
