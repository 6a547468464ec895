//! Games side by side have the rules of a position, and planes say what the position says.

use renju::board::Stones;
use renju::learn::{ACTIONS, Arena, BadAction, CHANNELS, Features, PLANES, View};
use renju::rules::{Forbidden, IllegalMove, Position, Reason};
use renju::threats::{Survey, Threat};
use renju::types::{Color, Move, Point, Random, Symmetry};

fn moves(text: &str) -> Vec<Move> {
    renju::record::parse_moves(text).unwrap()
}

/// What a slot shows of itself.
struct Shown {
    cells: [i8; 225],
    turn: i8,
    planes: [u8; 3 * 225],
    mask: [i8; ACTIONS],
}

fn shown(arena: &Arena, slot: usize) -> Shown {
    let mut found = Shown { cells: [7; 225], turn: 7, planes: [7; 3 * 225], mask: [7; ACTIONS] };
    let Shown { cells, turn, planes, mask } = &mut found;
    arena.write(slot, View { cells, turn, planes, mask });
    found
}

fn check(arena: &Arena, slot: usize, position: &Position) {
    let found = shown(arena, slot);
    assert_eq!(arena.position(slot), (position.stones(), position.turn()));
    assert_eq!(found.turn, position.turn() as i8);
    let legal = position.legal_points();
    for point in Point::all() {
        let n = point.index();
        let color = position.stones().at(point);
        assert_eq!(found.cells[n], color.map_or(0, |color| color as i8));
        let own = color.map(|color| color == position.turn());
        assert_eq!(
            [found.planes[n], found.planes[225 + n]],
            [own == Some(true), own == Some(false)].map(u8::from)
        );
        assert_eq!(found.planes[450 + n], u8::from(position.turn() == Color::Black));
        assert_eq!(found.mask[n], i8::from(legal.contains(point)), "{point}");
    }
    assert_eq!(found.mask[225], i8::from(legal.is_empty()));
}

/// Random games in which every sixth move may be any, fouls and passes included.
#[test]
fn an_arena_plays_as_a_position_does() {
    let openings = [moves("h8i9g7"), moves("h8h9")];
    let mut reasons = [0; 6];
    for (openings, limit) in [(&openings[..0], None), (&openings[..], Some(40)), (&openings[..1], Some(225))]
    {
        let mut arena = Arena::new(8, openings, 5, limit).unwrap();
        let begun = |arena: &Arena, slot: usize| {
            let mut position = Position::new(true, limit);
            let start = openings.iter().find(|moves| {
                let mut tried = Position::new(true, limit);
                tried.play_all(moves).unwrap();
                tried.stones() == arena.position(slot).0
            });
            position.play_all(start.map_or(&[], |moves| moves)).unwrap();
            position
        };
        let mut games: Vec<_> = (0..8).map(|slot| begun(&arena, slot)).collect();
        let mut random = Random::new(9);
        for _ in 0..2_000 {
            let mut actions = arena.sample(&[true; 8]);
            for (slot, action) in actions.iter_mut().enumerate() {
                let fouls = games[slot].forbidden_points().all();
                let is_tempted = games[slot].turn() == Color::Black && !fouls.is_empty();
                let empty = if is_tempted { fouls } else { games[slot].stones().empty() };
                match random.below(if games[slot].ply() > 100 { 6 } else { 12 }) {
                    0 => *action = empty.points().nth(random.below(empty.len())).unwrap().index() as i16,
                    1 if games[slot].ply() >= 3 && random.below(3) == 0 => *action = 225,
                    2 => *action = Arena::NO_ACTION,
                    _ => {}
                }
            }
            let endings = arena.step(&actions).unwrap();
            for slot in 0..8 {
                if let Some(mv) = usize::try_from(actions[slot]).ok().and_then(Move::from_index) {
                    games[slot].play(mv).unwrap();
                }
                match (games[slot].outcome(), endings[slot]) {
                    (Some(outcome), Some(ending)) => {
                        assert_eq!((ending.winner, ending.reason), (outcome.winner, outcome.reason));
                        assert_eq!(ending.plies, games[slot].moves().len());
                        reasons[Reason::ALL.iter().position(|&reason| reason == ending.reason).unwrap()] += 1;
                        games[slot] = begun(&arena, slot);
                    }
                    (None, None) => {}
                    (outcome, ending) => panic!("{outcome:?} but {ending:?}"),
                }
                check(&arena, slot, &games[slot]);
            }
        }
    }
    assert!(reasons[0] > 5 && reasons[2] > 5 && reasons[4] > 5 && reasons[5] > 5, "{reasons:?}");
}

#[test]
fn every_end_of_a_game_is_told() {
    let cases = [
        ("h8a1i8a3j8a5k8a7l8", Some(Color::Black), Reason::Five),
        ("h8a1j9b1a9d1c9e1o9f1a15c1", Some(Color::White), Reason::Overline),
        ("f8a1g8a3h9a5h10a7h8", Some(Color::White), Reason::Forbidden),
        ("h8i9g7----", None, Reason::TwoPasses),
    ];
    for (text, winner, reason) in cases {
        let mut arena = Arena::new(1, &[], 0, None).unwrap();
        let moves = moves(text);
        for (n, mv) in moves.iter().enumerate() {
            let ending = arena.step(&[mv.index() as i16]).unwrap()[0];
            assert_eq!(ending.is_some(), n + 1 == moves.len(), "{text} {n}");
            if let Some(ending) = ending {
                assert_eq!((ending.winner, ending.reason, ending.plies), (winner, reason, moves.len()));
            }
        }
        assert!(arena.position(0).0.is_empty());
    }
}

#[test]
fn actions_that_cannot_be_taken_change_nothing() {
    let mut arena = Arena::new(2, &[], 0, None).unwrap();
    arena.step(&[112, 0]).unwrap();
    let occupied = IllegalMove::Occupied { point: Point::CENTER, color: Color::Black };
    assert_eq!(arena.step(&[112, 5]), Err((0, BadAction::Illegal(occupied))));
    assert_eq!(arena.step(&[0, 225]), Err((1, BadAction::Illegal(IllegalMove::EarlyPass))));
    assert_eq!(arena.step(&[0, 226]), Err((1, BadAction::Unknown { code: 226 })));
    assert_eq!(arena.position(0).0.len() + arena.position(1).0.len(), 2);
    assert!(Arena::new(1, &[moves("h8a1i8a3j8a5k8a7l8")], 0, None).is_err());
}

/// Are random actions even?
#[test]
fn samples_are_legal_and_even() {
    let mut arena = Arena::new(1, &[moves("h8i9")], 3, None).unwrap();
    let mut counts = [0_u32; 225];
    for _ in 0..22_300 {
        counts[arena.sample(&[true])[0] as usize] += 1;
    }
    assert_eq!((counts[112], counts[Point::new(8, 8).unwrap().index()]), (0, 0));
    let chi: f64 = counts.iter().filter(|&&n| n > 0).map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
    assert!(chi < 300.0, "{chi}"); // 222 degrees of freedom: passed once in two thousand
    assert_eq!(arena.sample(&[false]), [Arena::NO_ACTION]);
}

fn plane(planes: &[u8; PLANES * 225], name: &str, point: Point) -> bool {
    let channel = CHANNELS.iter().position(|&channel| channel == name).unwrap();
    planes[225 * channel + point.index()] == 1
}

#[test]
fn planes_say_what_the_position_says() {
    let mut random = Random::new(4);
    for n in 0..60 {
        let mut stones = Stones::EMPTY;
        for i in 0..4 + n {
            let empty = stones.empty();
            let point = empty.points().nth(random.below(empty.len())).unwrap();
            stones.place(if i % 2 == 0 { Color::Black } else { Color::White }, point);
        }
        let turn = if n % 2 == 0 { Color::Black } else { Color::White };
        let last = [Some(Move::Place(stones.black().points().next().unwrap())), None];
        let features = Features { stones, turn, last, played: Some(Move::Pass), value: Some(1) };
        let mut planes = [7; PLANES * 225];
        let mut mask = [7; ACTIONS];
        features.write(&mut planes, &mut mask);
        let position = Position::from_stones(stones, Some(turn)).unwrap();
        if position.outcome().is_some() {
            continue;
        }
        for point in Point::all() {
            assert_eq!(mask[point.index()] == 1, position.legal_points().contains(point));
            let forbidden = position.forbidden_kind(point) != Forbidden::None;
            assert_eq!(plane(&planes, "forbidden to black", point), forbidden);
            assert_eq!(plane(&planes, "own stones", point), stones.at(point) == Some(turn));
            assert_eq!(plane(&planes, "opponent stones", point), stones.at(point) == Some(turn.opponent()));
            assert_eq!(plane(&planes, "empty points", point), stones.at(point).is_none());
            assert_eq!(plane(&planes, "black to move", point), turn == Color::Black);
            assert_eq!(plane(&planes, "last move", point), last[0] == Some(Move::Place(point)));
            assert!(!plane(&planes, "move before last", point));
            for (side, color) in [("own", turn), ("opponent", turn.opponent())] {
                let by_threat = Survey::of(&stones, color).by_threat();
                let best =
                    by_threat.iter().rfind(|(_, points)| points.contains(point)).map(|&(threat, _)| threat);
                let marked: Vec<&str> = ["closed three", "open three", "four", "double", "open four", "five"]
                    .into_iter()
                    .filter(|shape| plane(&planes, &format!("{side} {shape}"), point))
                    .collect();
                let expected = match best {
                    Some(Threat::ClosedThree) => vec!["closed three"],
                    Some(Threat::OpenThree) => vec!["open three"],
                    Some(Threat::Four) => vec!["four"],
                    Some(Threat::DoubleThree | Threat::FourThree | Threat::DoubleFour) => vec!["double"],
                    Some(Threat::OpenFour) => vec!["open four"],
                    Some(Threat::Five) => vec!["five"],
                    _ => vec![],
                };
                assert_eq!(marked, expected, "{point} {side}");
            }
        }
        check_images(&features, &planes);
    }
}

/// The planes of an image are the images of the planes.
fn check_images(features: &Features, planes: &[u8; PLANES * 225]) {
    for symmetry in Symmetry::ALL {
        let mut image = [7; PLANES * 225];
        features.image(symmetry).write(&mut image, &mut [7; ACTIONS]);
        for channel in 0..PLANES {
            for point in Point::all() {
                let there = symmetry.point(point).index();
                assert_eq!(image[225 * channel + there], planes[225 * channel + point.index()]);
            }
        }
    }
}
