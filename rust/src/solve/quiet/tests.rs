//! What no proof may get away with: other boards, other bytes, missing answers.

use super::*;
use crate::solve::verify::Fault;
use crate::types::Bitboard;

fn point(name: &str) -> Point {
    let (column, row) = name.split_at(1);
    Point::new((column.as_bytes()[0] - b'A').into(), row.parse::<usize>().unwrap() - 1).unwrap()
}

/// A window of seven by seven cells in the upper left, around it stones that are nowhere three in a row. Black, to move,
/// has no VCT, but a quiet move that wins.
fn board() -> Stones {
    let set = |names: &str| names.split(' ').map(point).collect::<Bitboard>();
    let (black, white) = (set("D10 G10 E12 C13 F13"), set("E9 H9 E10 G13 D14"));
    let mut stones = Stones::new(black, white).unwrap();
    let outside = |p: &Point| !(1..8).contains(&p.x()) || p.y() < 8;
    for p in Point::all().filter(outside) {
        stones.place(Color::ALL[(p.x() + 2 * p.y()) / 2 % 2], p);
    }
    stones
}

fn solve(stones: &Stones, attacker: Color, nodes: u64) -> (QuietVerdict, QuietStats) {
    let options =
        QuietOptions { limits: Limits { nodes: Some(nodes), time: None }, ..QuietOptions::default() };
    QuietSolver::default().solve(stones, attacker, options, &Hints::default(), &mut BoardOrder, &mut || false)
}

fn proved() -> QuietProof {
    match solve(&board(), Color::Black, 1_000_000).0 {
        QuietVerdict::Proved(proof) => proof,
        other => panic!("{other:?}"),
    }
}

fn check(stones: &Stones, proof: &QuietProof) -> Result<Coverage, crate::solve::Rejection> {
    verify_quiet(stones, proof, &mut || false)
}

#[test]
fn a_quiet_win_is_proved_and_every_reply_is_covered() {
    let proof = proved();
    assert!(proof.quiet_depth() > 0);
    let covered = check(&board(), &proof).unwrap();
    // At the first turn of the defender alone: the pass, and every empty point but that of the stone.
    assert!(covered.replies as usize >= board().empty().len(), "{covered:?}");
    assert_eq!(covered.positions as usize, proof.entries().len());
}

#[test]
fn a_proof_without_one_of_its_answers_is_refused() {
    let proof = proved();
    let mut dropped = 0;
    for (place, entry) in proof.entries.iter().enumerate() {
        let Decision::Stone { replies, .. } = entry else { continue };
        for i in 0..replies.len() {
            let mut other = proof.clone();
            let Decision::Stone { replies, .. } = &mut other.entries[place] else { unreachable!() };
            replies.remove(i);
            assert!(check(&board(), &other).is_err(), "entry {place} without reply {i}");
            dropped += 1;
        }
    }
    assert!(dropped > 5, "{dropped}");
}

#[test]
fn a_proof_with_another_first_stone_or_colour_is_refused() {
    let proof = proved();
    for p in board().empty().points().filter(|&p| p != proof.first()) {
        let mut other = proof.clone();
        let Some(Decision::Stone { stone, .. }) = other.entries.last_mut() else { panic!("a quiet stone") };
        *stone = p;
        assert!(check(&board(), &other).is_err(), "{p}");
    }
    let other = QuietProof { attacker: Color::White, ..proof };
    assert!(check(&board(), &other).is_err());
}

#[test]
fn a_proof_is_refused_on_boards_where_it_does_not_win() {
    let (proof, stones) = (proved(), board());
    let taken = stones.with(Color::White, proof.first());
    assert_eq!(check(&taken, &proof).unwrap_err().fault, Fault::Occupied(proof.first()));
    // Without a stone of black that it is made of, or with white's in place of it. White needs one at most.
    let inside = |p: &Point| (1..8).contains(&p.x()) && p.y() >= 8;
    let mut refused = 0;
    for p in stones.black().points().filter(inside) {
        let mut other = stones;
        other.remove(p);
        refused += usize::from(check(&other.with(Color::White, p), &proof).is_err());
    }
    assert!(refused >= 3, "{refused}");
    // White makes five first.
    let mut four = Stones::EMPTY;
    for p in (0..4).map(|x| Point::new(x, 0).unwrap()) {
        four.place(Color::White, p);
    }
    assert!(matches!(check(&four, &proof).unwrap_err().fault, Fault::DefenderWins(_)));
}

#[test]
fn bytes_are_a_proof_or_refused() {
    let proof = proved();
    let bytes = proof.to_bytes();
    assert_eq!(QuietProof::from_bytes(&bytes), Ok(proof.clone()));
    for end in 0..bytes.len() {
        assert!(QuietProof::from_bytes(&bytes[..end]).is_err(), "the first {end} bytes");
    }
    assert_eq!(QuietProof::from_bytes(&[&bytes[..], &[0]].concat()), Err(BadBytes::Wrong(bytes.len())));
    let (mut unread, mut refused, mut held) = (0, 0, 0);
    for place in 0..bytes.len() {
        for change in [1, 0x40, 0x80] {
            let mut other = bytes.clone();
            other[place] ^= change;
            match QuietProof::from_bytes(&other) {
                Err(_) => unread += 1,
                Ok(other) if check(&board(), &other).is_err() => refused += 1,
                // An answer that nobody needs, or a longer threat than was needed.
                Ok(_) => held += 1,
            }
        }
    }
    assert!(held * 10 < unread + refused, "{unread} unread, {refused} refused, {held} held");
}

#[test]
fn verdicts_are_the_same_each_time_and_limits_leave_them_open() {
    let (verdict, stats) = solve(&board(), Color::Black, 1_000_000);
    assert_eq!((verdict, stats), solve(&board(), Color::Black, 1_000_000));
    for nodes in [0, 1, stats.nodes / 2] {
        let (verdict, used) = solve(&board(), Color::Black, nodes);
        assert_eq!(verdict, QuietVerdict::Open(OpenReason::Limit(LimitHit::Nodes)), "{nodes}");
        // A tree that is played again is not stopped midway.
        assert!(used.nodes <= nodes + 10_000, "{used:?}");
    }
    let options = QuietOptions::default();
    let (verdict, _) = QuietSolver::default().solve(
        &board(),
        Color::Black,
        options,
        &Hints::default(),
        &mut BoardOrder,
        &mut || true,
    );
    assert_eq!(verdict, QuietVerdict::Open(OpenReason::Limit(LimitHit::Stop)));
}

#[test]
fn what_won_on_another_board_is_played_again() {
    let proof = proved();
    let hints = Hints::new(std::slice::from_ref(&proof));
    let solve = |stones: &Stones, hints: &Hints| {
        let options =
            QuietOptions { limits: Limits { nodes: Some(1_000_000), time: None }, ..QuietOptions::default() };
        QuietSolver::default().solve(stones, Color::Black, options, hints, &mut BoardOrder, &mut || false)
    };
    let (stones, mut won, mut faster) = (board(), 0, 0);
    for reply in legal_replies(&stones, Color::White).points() {
        let other = stones.with(Color::White, reply);
        let ((expected, plain), (found, hinted)) = (solve(&other, &Hints::default()), solve(&other, &hints));
        match (expected, found) {
            (QuietVerdict::Proved(_), QuietVerdict::Proved(found)) => {
                assert!(check(&other, &found).is_ok(), "{reply}");
                won += 1;
                faster += usize::from(hinted.nodes * 3 < plain.nodes);
            }
            (expected, found) => assert_eq!(expected, found, "{reply}"),
        }
    }
    assert!(won > 3 && faster * 2 > won, "{faster} of {won}");
}

#[test]
fn a_finished_game_and_a_lost_one_are_refuted() {
    let row = |y: usize, count: usize| (0..count).map(move |x| Point::new(x, y).unwrap());
    let five = Stones::new(Bitboard::EMPTY, row(0, 5).collect()).unwrap();
    assert_eq!(solve(&five, Color::Black, 1_000).0, QuietVerdict::Refuted);
    let proof = proved();
    assert_eq!(check(&five, &proof).unwrap_err().fault, Fault::GameOver);
    // Two points complete white's four.
    let four = row(7, 5).skip(1).collect::<Bitboard>();
    let lost = Stones::new(Bitboard::EMPTY, four).unwrap();
    assert_eq!(solve(&lost, Color::Black, 100_000).0, QuietVerdict::Refuted);
}

/// Plays the proof against replies by chance, passes included, until the attacker can make five.
#[test]
fn a_proof_says_what_to_play_wherever_play_leads() {
    let (proof, start) = (proved(), board());
    let mut random = crate::types::Random::new(7);
    let (mut steps, mut passes) = (0, 0);
    for _ in 0..60 {
        let mut stones = start;
        loop {
            let step = follow(&proof, &start, &stones).expect("every reply is covered");
            steps += 1;
            if crate::rules::reference::makes_five(&stones, Color::Black, step.stone) {
                break;
            }
            assert!(check::is_legal(&stones, Color::Black, step.stone));
            stones = stones.with(Color::Black, step.stone);
            assert!(check::fives(&stones, Color::White).is_empty());
            // Answers of their own lead deepest.
            let all: Vec<Point> = legal_replies(&stones, Color::White).points().collect();
            let known: Vec<Point> = step.replies.into_iter().filter(|p| all.contains(p)).collect();
            let replies = if known.is_empty() || random.below(4) == 0 { &all } else { &known };
            if random.below(10) == 0 || replies.is_empty() {
                passes += 1;
            } else {
                stones = stones.with(Color::White, replies[random.below(replies.len())]);
            }
        }
    }
    assert!(steps > 150 && passes > 10, "{steps} {passes}");
}

#[test]
fn a_proof_says_nothing_of_positions_that_it_does_not_lead_to() {
    let (proof, start) = (proved(), board());
    assert_eq!(follow(&proof, &start, &start).map(|step| step.stone), Some(proof.first()));
    let other = start.empty().points().find(|&p| p != proof.first()).unwrap();
    let white = start.empty().points().find(|&p| p != other && p != proof.first()).unwrap();
    assert_eq!(follow(&proof, &start, &start.with(Color::Black, other).with(Color::White, white)), None);
    assert_eq!(follow(&proof, &start, &start.with(Color::White, other)), None);
    assert_eq!(follow(&proof, &start.with(Color::White, other), &start), None);
}
