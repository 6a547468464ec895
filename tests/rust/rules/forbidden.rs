//! The forbidden-move code against data and against the slow reference.

use std::collections::HashSet;

use crate::support::{Random, forbidden_cases, game_positions};
use renju::rules::{Forbidden, InstructionSet, Scan, reference};
use renju::types::{Color, Point, Symmetry};

#[test]
fn all_points_of_all_cases_in_all_symmetries_on_all_instruction_sets() {
    for case in forbidden_cases() {
        for symmetry in Symmetry::ALL {
            let stones = case.stones.transformed(symmetry);
            for set in InstructionSet::available() {
                let points = Scan::with_instructions(set, &stones).points();
                for point in Point::all() {
                    let expected = case.forbidden.get(&point).copied().unwrap_or_default();
                    let found = points.kind(symmetry.point(point));
                    assert_eq!(found, expected, "{} at {point}, {symmetry:?}, {set:?}", case.id);
                }
            }
        }
    }
}

#[test]
fn the_reference_agrees_with_the_data() {
    for case in forbidden_cases() {
        let found = reference::forbidden_points(&case.stones);
        assert!(found.iter().copied().eq(case.forbidden), "{}: {found:?}", case.id);
    }
}

/// Compares fast and slow until `wanted` empty points have been asked.
fn compare_with_reference(wanted: usize, seed: u64) -> usize {
    let mut random = Random::new(seed);
    let games = game_positions();
    let (mut asked, mut forbidden) = (0, 0);
    while asked < wanted {
        let stones = match random.below(3) {
            0 => {
                // A game position with up to three stones more.
                let (mut stones, mut turn) = games[random.below(games.len())];
                for _ in 0..random.below(4) {
                    let empty: Vec<Point> = stones.empty().points().collect();
                    if let Some(&point) = empty.get(random.below(empty.len().max(1))) {
                        stones.place(turn, point);
                        turn = turn.opponent();
                    }
                }
                stones
            }
            _ => random.board(),
        };
        let scans = InstructionSet::available()
            .into_iter()
            .map(|set| Scan::with_instructions(set, &stones))
            .collect::<Vec<_>>();
        let points = scans.iter().map(Scan::points).collect::<Vec<_>>();
        for point in Point::all() {
            let expected = reference::forbidden_kind(&stones, point);
            for (scan, points) in scans.iter().zip(&points) {
                assert_eq!(points.kind(point), expected, "{point} on {stones:?}");
                assert_eq!(scan.kind(point), expected, "{point} alone on {stones:?}");
            }
            forbidden += usize::from(expected != Forbidden::None);
        }
        asked += stones.empty().len();
    }
    forbidden
}

/// One million points; `RENJU_DEEP_POINTS=100000000` asks for more, on all cores.
#[test]
fn fast_equals_reference() {
    let wanted = std::env::var("RENJU_DEEP_POINTS").map_or(1_000_000, |n| n.parse().expect("a number"));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let forbidden: usize = std::thread::scope(|scope| {
        let run = |seed| scope.spawn(move || compare_with_reference(wanted / workers + 1, seed as u64 + 1));
        let started: Vec<_> = (0..workers).map(run).collect();
        started.into_iter().map(|worker| worker.join().expect("no difference")).sum()
    });
    println!("{wanted} points asked, {forbidden} forbidden");
    assert!(forbidden > wanted / 1000, "too few forbidden points to mean anything: {forbidden}");
}

/// The counts that `renju.speed` checks before it measures.
#[test]
fn the_sample_positions_hold_what_the_benchmark_expects() {
    let positions = game_positions();
    let forbidden: usize =
        positions.iter().map(|(stones, _)| reference::forbidden_points(stones).len()).sum();
    assert_eq!(forbidden, 944);
    let is_won = |stones| Color::ALL.iter().any(|&color| reference::has_five(stones, color));
    assert_eq!(positions.iter().filter(|(stones, _)| is_won(stones)).count(), 103);
    let distinct: HashSet<_> = positions.iter().map(|(stones, turn)| stones.key(*turn)).collect();
    assert_eq!(distinct.len(), 4720);
}
