//! Order 3: every win checked by the verifier, every verdict by a plain search over all moves and replies.

use crate::support::Random;
use renju::board::Stones;
use renju::rules::reference::{has_five_or_more, makes_five};
use renju::solve::{
    BoardOrder, Hints, Limits, QuietOptions, QuietProof, QuietSolver, QuietVerdict, VctOptions, VctSolver,
    Verdict, verify_quiet,
};
use renju::threats::ThreatMap;
use renju::types::{Color, Point};

/// A position is small enough for the plain search if no VCT search of it takes more nodes.
const SMALL: u64 = 3_000;

/// Quiet stones of the plain search.
const QUIET: usize = 2;

fn solve(stones: &Stones, attacker: Color, nodes: u64) -> QuietVerdict {
    let options =
        QuietOptions { limits: Limits { nodes: Some(nodes), time: None }, ..QuietOptions::default() };
    QuietSolver::default()
        .solve(stones, attacker, options, &Hints::default(), &mut BoardOrder, &mut || false)
        .0
}

/// Is there a VCT? `None` if the position is not small enough.
fn has_vct(solver: &mut VctSolver, stones: &Stones, attacker: Color) -> Option<bool> {
    let limits = Limits { nodes: Some(SMALL), time: None };
    let options = VctOptions { limits, ..VctOptions::default() };
    match solver.solve(&mut ThreatMap::new(stones), attacker, options, &mut || false).0 {
        Verdict::Proved(_) => Some(true),
        Verdict::Refuted { exhausted } => exhausted.then_some(false),
        Verdict::Unknown(_) => None,
    }
}

/// Does the attacker, to move, win by a VCT, or by at most `quiet` stones after which a VCT follows whatever the defender
/// does? Every legal stone is tried, against the pass and every legal reply.
fn plain(solver: &mut VctSolver, stones: &Stones, attacker: Color, quiet: usize) -> Option<bool> {
    if has_vct(solver, stones, attacker)? {
        return Some(true);
    }
    if quiet == 0 {
        return Some(false);
    }
    for stone in legal(stones, attacker) {
        if wins_after(solver, &stones.with(attacker, stone), attacker, quiet - 1)? {
            return Some(true);
        }
    }
    Some(false)
}

fn wins_after(solver: &mut VctSolver, stones: &Stones, attacker: Color, quiet: usize) -> Option<bool> {
    let defender = attacker.opponent();
    if !has_vct(solver, stones, attacker)? {
        return Some(false);
    }
    for reply in legal(stones, defender) {
        let is_lost = makes_five(stones, defender, reply);
        if is_lost || !plain(solver, &stones.with(defender, reply), attacker, quiet)? {
            return Some(false);
        }
    }
    Some(true)
}

fn legal(stones: &Stones, color: Color) -> Vec<Point> {
    let map = ThreatMap::new(stones);
    stones.empty().points().filter(|&p| map.is_legal(color, p)).collect()
}

/// A board whose cells outside a window are all taken by stones that are nowhere three in a row, with some stones of
/// either colour in the window, where nobody has five.
fn window(random: &mut Random) -> Stones {
    loop {
        let (left, bottom) = (random.below(9), random.below(9));
        let is_inside =
            |p: &Point| (left..left + 7).contains(&p.x()) && (bottom..bottom + 7).contains(&p.y());
        let mut stones = Stones::EMPTY;
        for point in Point::all().filter(|p| !is_inside(p)) {
            stones.place(Color::ALL[(point.x() + 2 * point.y()) / 2 % 2], point);
        }
        let inside: Vec<Point> = Point::all().filter(is_inside).collect();
        for i in 0..8 + random.below(5) {
            let point = inside[random.below(inside.len())];
            if stones.at(point).is_none() {
                stones.place(Color::ALL[i % 2], point);
            }
        }
        if !Color::ALL.iter().any(|&color| has_five_or_more(&stones, color)) {
            return stones;
        }
    }
}

#[test]
fn a_plain_search_over_all_replies_agrees() {
    // RENJU_QUIET_BOARDS=2000 makes it a longer test.
    let boards: usize = std::env::var("RENJU_QUIET_BOARDS").map_or(100, |n| n.parse().expect("a number"));
    let (mut random, mut solver) = (Random::new(3), VctSolver::default());
    let (mut small, mut quiet_wins, mut refuted, mut deeper) = (0, 0, 0, 0);
    while small < boards {
        let (stones, attacker) = (window(&mut random), Color::ALL[random.below(2)]);
        if has_vct(&mut solver, &stones, attacker) != Some(false) {
            continue;
        }
        let Some(wins) = plain(&mut solver, &stones, attacker, QUIET) else { continue };
        small += 1;
        match solve(&stones, attacker, 1_000_000) {
            QuietVerdict::Proved(proof) => {
                verify_quiet(&stones, &proof, &mut || false)
                    .unwrap_or_else(|why| panic!("{why}: {attacker} on {stones:?}"));
                assert!(wins || proof.quiet_depth() > QUIET, "{attacker} {} on {stones:?}", proof.first());
                assert_eq!(QuietProof::from_bytes(&proof.to_bytes()), Ok(proof.clone()));
                quiet_wins += usize::from(wins);
                deeper += usize::from(!wins);
            }
            QuietVerdict::Refuted => {
                assert!(!wins, "{attacker} wins on {stones:?}");
                refuted += 1;
            }
            QuietVerdict::Open(_) => assert!(!wins, "{attacker} wins on {stones:?}"),
        }
    }
    println!("{small} small: {quiet_wins} quiet wins, {deeper} deeper, {refuted} refuted");
    assert!(quiet_wins > boards / 50 && refuted > boards / 2, "{quiet_wins} {refuted}");
}
