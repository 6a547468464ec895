//! The rules of Twin Cool, compared with slow ones.

use std::sync::atomic::AtomicBool;

use renju::hidden::HiddenGame;
use renju::hidden::twin_cool::{
    Card, CardSet, GameState, KeyKind, Observation, Placement, Rules, Strategy, TwinCool, hand_points,
    play_game,
};
use renju::types::Random;

use super::{GO_ON, SIZES, card, cards, dealt, full, later, moves, seen, set};

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
