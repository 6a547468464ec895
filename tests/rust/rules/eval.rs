//! What a move is worth: each term where it should count, and where it should not.

use crate::support::{Random, compact, game_positions, point, stones};
use renju::board::Stones;
use renju::eval::{MoveValue, Scores, Term, Terms, move_value};
use renju::solve::VcfSolver;
use renju::threats::ThreatMap;
use renju::types::{Color, Point, Symmetry};

fn value_with(board: &Stones, color: Color, p: Point, terms: Terms) -> MoveValue {
    let mut map = ThreatMap::new(board);
    let value = move_value(&mut map, color, p, &Scores::default(), terms, &mut VcfSolver::default());
    assert_eq!(map.stones(), board, "the board is as before");
    value
}

fn value(board: &Stones, color: Color, name: &str) -> MoveValue {
    value_with(board, color, point(name), Terms::ALL)
}

#[test]
fn a_five_comes_first() {
    let board = stones(compact("e8f8g8h8"), compact("d8a1b3c5"));
    let five = value(&board, Color::Black, "I8");
    assert_eq!((five.get(Term::Five), five.total()), (100_000, 100_000));
    // Taking it from black is worth as much as the five, and whatever else the stone does.
    assert!(value(&board, Color::White, "I8").get(Term::Defence) >= 100_000);
}

#[test]
fn shapes_are_worth_what_the_table_says() {
    let board = stones(compact("g8h8"), compact("a1a3"));
    // An open three on a row; one on a diagonal counts a twentieth more.
    assert_eq!(value(&board, Color::Black, "I8").get(Term::Attack), 1_000);
    let diagonal = stones(compact("g7h8"), compact("a1a3"));
    assert_eq!(value(&diagonal, Color::Black, "I9").get(Term::Attack), 1_050);
    // A straight four, a four, a closed three.
    let three = stones(compact("f8g8h8"), compact("a1a3b2"));
    assert_eq!(value(&three, Color::Black, "I8").get(Term::Attack), 10_000);
    let closed = stones(compact("f8g8h8"), compact("e8a3b2"));
    assert_eq!(value(&closed, Color::Black, "I8").get(Term::Attack), 1_500);
    let shut = stones(compact("f8g8"), compact("e8a3"));
    assert_eq!(value(&shut, Color::Black, "H8").get(Term::Attack), 30);
    // No room for five: nothing.
    let cramped = stones(compact("f8g8"), compact("e8j8"));
    assert_eq!(value(&cramped, Color::Black, "H8").get(Term::Attack), 0);
    // The opponent's three is worth seven tenths to the one who stops it.
    assert_eq!(value(&board, Color::White, "I8").get(Term::Defence), 700);
}

#[test]
fn what_comes_together_counts_more() {
    // Four on the row, three on the column.
    let board = stones(compact("f8g8h8i9i10"), compact("e8a3b2c1d4"));
    let four_three = value(&board, Color::Black, "I8");
    assert_eq!(four_three.get(Term::FourThree), 5_000);
    assert_eq!(four_three.get(Term::MultiDirection), 500);
    assert_eq!(four_three.get(Term::SingleFour), 0);
    // To white it is worth a crossing.
    assert_eq!(value(&board, Color::White, "I8").get(Term::Crossing), 300);
    // The other end of the row makes a four that leads nowhere.
    let single = value(&stones(compact("f8g8h8"), compact("e8a3b2")), Color::Black, "J8");
    assert_eq!(single.get(Term::SingleFour), -1_500);
    let kept = Terms { single_four_keep: 60, ..Terms::ALL };
    let board = stones(compact("f8g8h8"), compact("e8a3b2"));
    assert_eq!(value_with(&board, Color::Black, point("J8"), kept).get(Term::SingleFour), -600);
}

#[test]
fn quiet_threats_are_seen_and_can_be_switched_off() {
    let games = game_positions();
    let (mut mise, mut double, mut fukumi) = (0, 0, 0);
    for (board, turn) in games.iter().step_by(40) {
        for p in board.empty().points() {
            if *turn == Color::Black
                && ThreatMap::new(board).forbidden_kind(p) != renju::rules::Forbidden::None
            {
                continue;
            }
            let all = value_with(board, *turn, p, Terms::ALL);
            mise += usize::from(all.get(Term::Mise) == 1_000);
            double += usize::from(all.get(Term::Mise) == 4_000);
            fukumi += usize::from(all.get(Term::Fukumi) == 1_500);
            // What is switched off does not count, and nothing else changes.
            let none = Terms {
                mise: false,
                multi_direction: false,
                counter_four: false,
                fukumi: false,
                trap: false,
                vulnerability: false,
                single_four_keep: 100,
                ..Terms::ALL
            };
            let plain = value_with(board, *turn, p, none);
            for term in [Term::Attack, Term::Defence, Term::Crossing, Term::Center, Term::FourThree] {
                assert_eq!(all.get(term), plain.get(term));
            }
            for term in [Term::Mise, Term::MultiDirection, Term::CounterFour, Term::Fukumi, Term::Trap] {
                assert_eq!(plain.get(term), 0, "{}", term.name());
            }
        }
    }
    assert!(mise > 50 && double > 5 && fukumi > 50, "{mise} {double} {fukumi}");
}

#[test]
fn forbidden_points_make_traps_and_weaknesses() {
    // White's four at I10 can only be blocked at J10, where black would make a double-three.
    let board = stones(compact("e10j8j9k11l12"), compact("f10g10h10"));
    assert_eq!(value(&board, Color::White, "I10").get(Term::Trap), 5_000);
    // A white three with one straight-four point forbidden to black: J10 again, and F10.
    let board = stones(compact("j8j9k11l12"), compact("g10h10a1"));
    assert_eq!(value(&board, Color::White, "I10").get(Term::Trap), 3_000);
    let nothing = stones(compact("a1"), compact("g10h10"));
    assert_eq!(value(&nothing, Color::White, "I10").get(Term::Trap), 0);
    // Black's three on row 10 whose extension J10 would be an overline or worse.
    let board = stones(compact("g10h10j7j8j9j11j12"), compact("a1a3a5a7"));
    assert!(value(&board, Color::Black, "I10").get(Term::Vulnerability) < 0);
}

#[test]
fn values_do_not_depend_on_how_the_board_lies() {
    let mut random = Random::new(3);
    let games = game_positions();
    for _ in 0..200 {
        let (board, turn) = games[random.below(games.len())];
        let empty: Vec<Point> = board.empty().points().collect();
        let Some(&p) = empty.get(random.below(empty.len().max(1))) else { continue };
        let here = value_with(&board, turn, p, Terms::ALL);
        for symmetry in Symmetry::ALL {
            let there = value_with(&board.transformed(symmetry), turn, symmetry.point(p), Terms::ALL);
            assert_eq!(here, there, "{p} {symmetry:?} on {board:?}");
        }
    }
}
