//! The pattern state: planes against the slow reference, increments against a fresh start.

use crate::support::{Random, game_positions};
use proptest::prelude::*;
use renju::board::Stones;
use renju::rules::{Class, Forbidden, InstructionSet, Scan, reference};
use renju::threats::{Presence, Survey, Threat, ThreatMap, VerdictCache};
use renju::types::{Bitboard, Color, Direction, Point};

fn test_boards(random: &mut Random, count: usize) -> Vec<Stones> {
    let games = game_positions();
    (0..count).map(|i| if i % 4 == 0 { games[random.below(games.len())].0 } else { random.board() }).collect()
}

#[test]
fn the_class_of_every_cell_equals_the_reference() {
    let mut seen = std::collections::BTreeSet::new();
    for stones in test_boards(&mut Random::new(7), 250) {
        let map = ThreatMap::new(&stones);
        for color in Color::ALL {
            let surveys: Vec<Survey> = InstructionSet::available()
                .into_iter()
                .map(|set| Survey::with_instructions(set, &stones, color))
                .collect();
            for point in stones.empty().points() {
                for direction in Direction::ALL {
                    let expected = reference::class(&stones, color, point, direction);
                    seen.insert((color.index(), expected));
                    let place = || format!("{color} {point} {direction:?} on {stones:?}");
                    assert_eq!(map.class(color, point, direction), expected, "{}", place());
                    for survey in &surveys {
                        assert_eq!(survey.class(point, direction), expected, "{}", place());
                    }
                }
            }
        }
    }
    // Every class was met, for both colours; only black has overlines.
    assert_eq!(seen.len(), 2 * Class::ALL.len() - 1);
}

/// The threat of a cell, put together from the reference alone.
fn slow_threat(stones: &Stones, color: Color, point: Point) -> Threat {
    if stones.at(point).is_some() {
        return Threat::None;
    }
    let classes = Direction::ALL.map(|d| reference::class(stones, color, point, d));
    if classes.contains(&Class::Five) {
        return Threat::Five;
    }
    if color == Color::Black && reference::forbidden_kind(stones, point) != Forbidden::None {
        return Threat::Forbidden;
    }
    let played = stones.with(color, point);
    let is_three = |d: Direction| {
        classes[d as usize] == Class::OpenThree
            && (color == Color::White || reference::has_real_three(&played, point, d))
    };
    let threes = Direction::ALL.into_iter().filter(|&d| is_three(d)).count();
    let fours: usize = classes.iter().map(|class| class.fours()).sum();
    match (fours, threes) {
        _ if classes.contains(&Class::OpenFour) => Threat::OpenFour,
        (2.., _) => Threat::DoubleFour,
        (1, 1..) => Threat::FourThree,
        (1, 0) => Threat::Four,
        (_, 2..) => Threat::DoubleThree,
        (_, 1) => Threat::OpenThree,
        _ if classes.iter().any(|c| matches!(c, Class::OpenThree | Class::ClosedThree)) => {
            Threat::ClosedThree
        }
        _ if classes.contains(&Class::OpenTwo) => Threat::OpenTwo,
        _ if classes.contains(&Class::ClosedTwo) => Threat::ClosedTwo,
        _ => Threat::None,
    }
}

#[test]
fn the_threat_of_every_cell_equals_the_reference() {
    let mut seen = std::collections::BTreeSet::new();
    for stones in test_boards(&mut Random::new(11), 200) {
        for color in Color::ALL {
            let survey = Survey::of(&stones, color);
            for point in Point::all() {
                let expected = slow_threat(&stones, color, point);
                let named = survey.by_threat().into_iter().rev().find(|(_, cells)| cells.contains(point));
                let found = named.map_or(Threat::None, |(threat, _)| threat);
                assert_eq!(found, expected, "{color} {point} on {stones:?}");
                seen.insert(found);
            }
        }
    }
    assert_eq!(seen.len(), Threat::ALL.len());
}

/// Plays and takes back at random; after every step all that is kept equals a fresh start.
fn walk(seed: u64, steps: usize) {
    let mut random = Random::new(seed);
    let mut map = ThreatMap::new(&random.board());
    let mut played = Vec::new();
    for _ in 0..steps {
        let empty: Vec<Point> = map.stones().empty().points().collect();
        if random.below(5) < 3 && !empty.is_empty() {
            let point = empty[random.below(empty.len())];
            let color = Color::ALL[random.below(2)];
            map.play(color, point);
            played.push((color, point));
        } else {
            assert_eq!(map.undo(), played.pop());
        }
        map.check().unwrap_or_else(|part| panic!("{part} differ on {:?}", map.stones()));
        assert_eq!(map.key(Color::White), map.stones().key(Color::White));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn increments_equal_a_fresh_start(seed in any::<u64>()) {
        walk(seed, 300);
    }
}

#[test]
fn verdicts_on_the_map_equal_the_scan() {
    for stones in test_boards(&mut Random::new(3), 4000) {
        let (map, scan) = (ThreatMap::new(&stones), Scan::of(&stones).points());
        for point in stones.empty().points() {
            assert_eq!(map.forbidden_kind(point), scan.kind(point), "{point} on {stones:?}");
        }
    }
}

#[test]
fn sets_of_cells_are_what_the_classes_say() {
    for stones in test_boards(&mut Random::new(5), 300) {
        let map = ThreatMap::new(&stones);
        for color in Color::ALL {
            let with = |wanted: &[Class]| -> Bitboard {
                let has =
                    |p: &Point| Direction::ALL.iter().any(|&d| wanted.contains(&map.class(color, *p, d)));
                stones.empty().points().filter(has).collect()
            };
            assert_eq!(map.fives(color), with(&[Class::Five]));
            assert_eq!(
                map.cells_with(color, Presence::Four),
                with(&[Class::Four, Class::TwoFours, Class::OpenFour])
            );
            assert_eq!(
                map.cells_with(color, Presence::TwoCompletions),
                with(&[Class::TwoFours, Class::OpenFour])
            );
            assert_eq!(map.cells_with(color, Presence::OpenThree), with(&[Class::OpenThree]));
            assert_eq!(map.cells_with(color, Presence::ClosedThree), with(&[Class::ClosedThree]));
            assert_eq!(map.cells_with(color, Presence::OpenTwo), with(&[Class::OpenTwo]));
        }
    }
}

#[test]
fn completions_and_stops_are_what_the_reference_finds() {
    for stones in test_boards(&mut Random::new(9), 150) {
        let map = ThreatMap::new(&stones);
        for color in Color::ALL {
            for point in stones.empty().points() {
                for direction in Direction::ALL {
                    let played = stones.with(color, point);
                    let place = || format!("{color} {point} {direction:?} on {stones:?}");
                    match map.class(color, point, direction) {
                        Class::Four | Class::TwoFours | Class::OpenFour => {
                            let expected: Bitboard = reference::completions(&played, color, point, direction)
                                .into_iter()
                                .collect();
                            assert!(
                                (expected - map.completions(color, point, direction)).is_empty(),
                                "{}",
                                place()
                            );
                        }
                        Class::OpenThree => {
                            let stops = |cell: &Point| {
                                played.at(*cell).is_none()
                                    && reference::extensions(
                                        &played.with(color.opponent(), *cell),
                                        color,
                                        point,
                                        direction,
                                    )
                                    .is_empty()
                            };
                            let expected: Bitboard = Point::all().filter(stops).collect();
                            assert_eq!(map.three_stops(color, point, direction), expected, "{}", place());
                        }
                        _ => {}
                    }
                }
            }
        }
    }
}

#[test]
fn cached_verdicts_equal_fresh_ones() {
    let mut cache = VerdictCache::new(6); // small, so that entries are overwritten
    for round in 0..3 {
        for stones in test_boards(&mut Random::new(3), 300) {
            let mut map = ThreatMap::new(&stones);
            let empty: Vec<Point> = stones.empty().points().collect();
            for &point in &empty {
                let fresh = map.forbidden_kind(point);
                assert_eq!(cache.forbidden_kind(&map, point), fresh, "{point} on {stones:?}, round {round}");
                assert_eq!(cache.forbidden_kind(&map, point), fresh, "{point} asked again");
            }
            // The same questions with one stone more, and again without it.
            if let Some(&stone) = empty.first() {
                map.play(Color::White, stone);
                for &point in &empty[1..] {
                    assert_eq!(cache.forbidden_kind(&map, point), map.forbidden_kind(point));
                }
                map.undo();
            }
        }
    }
    assert!(cache.hits() > 500 && cache.misses() > 500, "{} {}", cache.hits(), cache.misses());
}

#[test]
fn what_a_four_opens_is_seen_before_it_is_played() {
    let mut random = Random::new(12);
    let (mut opened, mut closed) = (0, 0);
    for _ in 0..3_000 {
        let mut map = ThreatMap::new(&random.board());
        for color in Color::ALL {
            let mut fours = Vec::new();
            map.for_each_four(color, |stone, block| fours.push((stone, block)));
            for (stone, block) in fours {
                let opens = map.opens_four(color, stone, block);
                map.play(color, stone);
                map.play(color.opponent(), block);
                let mut found = false;
                map.for_each_four_with(color, stone, |_, _| found = true);
                assert_eq!(opens, found, "{color:?} {stone} {block} {:?}", map.stones());
                map.undo();
                map.undo();
                if opens { opened += 1 } else { closed += 1 }
            }
        }
    }
    assert!(opened > 1_000 && closed > 1_000, "{opened} {closed}");
}
