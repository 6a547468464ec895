//! Play, results and counts of legal lines.

use crate::support::{Random, compact, forbidden_cases, point, stones};
use renju::board::{Problem, Setup, Stones, UnclearTurn};
use renju::record::{parse_diagram, parse_moves, print_diagram};
use renju::rules::{
    ExtensionFlaw, Forbidden, IllegalMove, Outcome, Position, Reason, explain, fives_of, perft, reference,
    winner,
};
use renju::types::{Bitboard, Color, Move, Symmetry};

fn played(record: &str) -> Position {
    let mut position = Position::default();
    position.play_all(&parse_moves(record).unwrap()).unwrap();
    position
}

fn reason(position: &Position) -> Option<(Option<Color>, Reason)> {
    position.outcome().map(|outcome| (outcome.winner, outcome.reason))
}

#[test]
fn games_end_as_the_rules_say() {
    let black_five = played("h8a1i8a3j8a5k8a7l8");
    assert_eq!(reason(&black_five), Some((Some(Color::Black), Reason::Five)));
    assert_eq!(black_five.outcome().unwrap().line.len(), 5);
    let white_six = played("a1h8a3i8a5j8c1l8c3m8c5k8");
    assert_eq!(reason(&white_six), Some((Some(Color::White), Reason::Overline)));
    let black_six = played("h8a1i8a3j8a5l8a7m8a9k8");
    assert_eq!(
        black_six.outcome(),
        Some(&Outcome { winner: Some(Color::White), reason: Reason::Forbidden, line: vec![point("K8")] })
    );
    let passes = played("h8i9g7passpass");
    assert_eq!(reason(&passes), Some((None, Reason::TwoPasses)));
    let mut limited = Position::new(true, Some(2));
    limited.play_all(&parse_moves("h8i9").unwrap()).unwrap();
    assert_eq!(reason(&limited), Some((None, Reason::MoveLimit)));
}

#[test]
fn moves_that_cannot_be_made_say_why() {
    let mut position = played("h8i9");
    let occupied = position.play(Move::Place(point("H8"))).unwrap_err();
    assert_eq!(occupied, IllegalMove::Occupied { point: point("H8"), color: Color::Black });
    assert_eq!(position.play(Move::Pass).unwrap_err(), IllegalMove::EarlyPass);
    let mut over = played("h8i9g7passpass");
    let error = over.play(Move::Place(point("A1"))).unwrap_err();
    assert_eq!(error.to_string(), "the game is over (two-passes)");
    assert!(over.legal_points().is_empty());
    assert_eq!(over.undo(), Some(Move::Pass));
    assert!(over.play(Move::Place(point("A1"))).is_ok());
}

#[test]
fn without_a_referee_play_goes_on() {
    let mut position = Position::new(false, None);
    position.play_all(&parse_moves("f8a1g8a3h9a5h10a7h8").unwrap()).unwrap();
    assert_eq!(position.outcome(), None);
    position.play_all(&parse_moves("b1i8b3").unwrap()).unwrap();
    assert_eq!(position.stones().len(), 12);
}

#[test]
fn undo_brings_everything_back() {
    let mut random = Random::new(21);
    for game in 0..60 {
        let mut position = Position::new(game % 2 == 0, None);
        let mut states = Vec::new();
        while position.outcome().is_none() && states.len() < 80 {
            let empty: Vec<_> = position.stones().empty().points().collect();
            states.push((*position.stones(), position.turn(), position.key()));
            let anywhere = empty[random.below(empty.len())];
            position.play(Move::Place(anywhere)).unwrap();
            assert_eq!(position.key(), position.stones().key(position.turn()));
        }
        while let Some(state) = states.pop() {
            position.undo().unwrap();
            assert_eq!((*position.stones(), position.turn(), position.key()), state);
            assert_eq!(position.outcome(), None);
        }
        assert_eq!(position.undo(), None);
    }
}

#[test]
fn a_setup_names_all_its_problems() {
    let setup =
        Setup { black: ["H8", "H8", "G7"].map(point).to_vec(), white: vec![point("G7"); 1], turn: None };
    let error = Position::from_setup(&setup).unwrap_err();
    assert_eq!(error.to_string(), "H8 is given twice for black; G7 is both black and white");
    let uneven = Setup { black: ["H8", "G7", "A1"].map(point).to_vec(), ..Setup::default() };
    assert_eq!(
        Position::from_setup(&uneven).unwrap_err().problems,
        [Problem::UnclearTurn(UnclearTurn { black: 3, white: 0 })]
    );
    let five = |row: &str| (0..5).map(|i| point(&format!("{}{row}", (b'A' + i) as char))).collect();
    let both = Setup { black: five("1"), white: five("3"), turn: None };
    assert_eq!(Position::from_setup(&both).unwrap_err().problems, [Problem::TwoWinners]);
}

/// A board filled but for the cells of `open`, without five in a row for anybody.
fn dense(open: &str) -> Stones {
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for p in renju::types::Point::all() {
        // Pairs along the rows, shifted so that no run in any direction is longer than two.
        if (p.x() + 2 * p.y()) % 4 < 2 { black.insert(p) } else { white.insert(p) }
    }
    let hole = compact(open);
    stones(black - hole, white - hole)
}

/// The same count with the slow rules only.
fn slow_perft(stones: Stones, turn: Color, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    if Color::ALL.iter().any(|&color| reference::has_five(&stones, color)) {
        return 0;
    }
    let is_legal = |&p: &_| turn == Color::White || reference::forbidden_kind(&stones, p) == Forbidden::None;
    let legal = stones.empty().points().filter(is_legal);
    legal.map(|p| slow_perft(stones.with(turn, p), turn.opponent(), depth - 1)).sum()
}

#[test]
fn counts_of_legal_lines_equal_the_reference() {
    let mut with_forbidden = 0;
    let crowded = forbidden_cases().into_iter().filter(|case| case.id.starts_with("forbidden.jsonl"));
    for case in crowded.filter(|case| !case.forbidden.is_empty()).step_by(60) {
        for turn in Color::ALL {
            let setup = Setup::of(&case.stones, Some(turn));
            let Ok(mut position) = Position::from_setup(&setup) else {
                continue;
            };
            assert_eq!(perft(&mut position, 2), slow_perft(case.stones, turn, 2), "{}", case.id);
            with_forbidden += 1;
        }
    }
    assert!(with_forbidden > 30);
}

#[test]
fn perft_counts_stay_what_they_are() {
    assert_eq!(perft(&mut Position::default(), 3), 225 * 224 * 223);
    let nearly_full = dense("g7g8g9h7h8h9i7i8");
    assert_eq!(winner(&nearly_full), None);
    for turn in Color::ALL {
        let mut position = Position::from_setup(&Setup::of(&nearly_full, Some(turn))).unwrap();
        for depth in 1..=6 {
            assert_eq!(perft(&mut position, depth), slow_perft(nearly_full, turn, depth), "{turn} {depth}");
        }
    }
}

#[test]
fn winners_equal_the_reference() {
    let mut random = Random::new(13);
    let mut seen = [0; 3];
    for _ in 0..20_000 {
        let board = random.board();
        let [black, white] = Color::ALL.map(|color| reference::has_five(&board, color));
        assert_eq!(fives_of(board.black(), true), black, "{board:?}");
        assert_eq!(fives_of(board.white(), false), white, "{board:?}");
        seen[winner(&board).map_or(0, |color| color as usize)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

#[test]
fn explanations_say_which_threes_are_real() {
    // Case E15: H8 makes two threes in form; the row's extension I8 would be a 4-3-3.
    let board = stones(compact("f8g8h9h10i10i11j9k10"), compact("d8"));
    let why = explain(&board, point("H8")).unwrap();
    assert_eq!(why.kind, Forbidden::None);
    assert_eq!(why.lines.len(), 2);
    assert_eq!(why.lines.iter().filter(|line| line.is_real_three()).count(), 1);
    let fake = why.lines.iter().find(|line| !line.is_real_three()).unwrap();
    let Some(ExtensionFlaw::Forbidden(nested)) = &fake.extensions[0].flaw else { panic!("{fake:?}") };
    assert_eq!((nested.point, nested.kind), (point("I8"), Forbidden::DoubleThree));
    // Case E17: the extension makes a five at the same time.
    let board = stones(compact("f8i8h9h10g4g5g6g7"), Bitboard::EMPTY);
    let why = explain(&board, point("H8")).unwrap();
    let flaws: Vec<_> = why.lines.iter().flat_map(|line| &line.extensions).map(|e| &e.flaw).collect();
    assert!(flaws.contains(&&Some(ExtensionFlaw::MakesFive)));
    assert_eq!(explain(&board, point("G4")), None);
}

#[test]
fn explanations_agree_with_the_verdicts() {
    for case in forbidden_cases().into_iter().step_by(7) {
        for p in case.stones.empty().points() {
            let expected = case.forbidden.get(&p).copied().unwrap_or_default();
            let why = explain(&case.stones, p).unwrap();
            assert_eq!(why.kind, expected, "{} {p}", case.id);
            let real = why.lines.iter().filter(|line| line.is_real_three()).count();
            let fours: usize = why.lines.iter().map(|line| line.class.fours()).sum();
            match expected {
                Forbidden::DoubleThree => assert!(real >= 2, "{} {p}", case.id),
                Forbidden::DoubleFour => assert!(fours >= 2, "{} {p}", case.id),
                Forbidden::None if !why.makes_five => {
                    assert!(real < 2 && fours < 2, "{} {p}", case.id)
                }
                _ => {}
            }
        }
    }
}

#[test]
fn symmetric_boards_share_a_key() {
    let mut random = Random::new(17);
    for _ in 0..500 {
        let board = random.board();
        let (key, symmetry) = board.symmetric_key(Color::White);
        assert_eq!(board.transformed(symmetry).key(Color::White), key);
        for image in Symmetry::ALL {
            assert_eq!(board.transformed(image).symmetric_key(Color::White).0, key);
        }
        assert_ne!(board.key(Color::White), board.key(Color::Black));
        assert_eq!(parse_diagram(&print_diagram(&board.diagram())).unwrap(), board.diagram());
    }
}
