//! The rules as the text states them, slowly.
//!
//! Nothing here is shared with the planes: stones are put on the board, runs are counted, and each
//! definition is a sentence of docs/rules.md. Tests compare the fast code with it.

use super::{Class, Forbidden};
use crate::board::Stones;
use crate::types::{Color, Direction, Point};

/// How far from a stone another one can still share a five with it.
const REACH: isize = 4;

/// The unbroken run of `color` through `point` along a direction, as points in order; empty if the
/// stone there is not of that colour.
#[must_use]
pub fn run(stones: &Stones, color: Color, point: Point, direction: Direction) -> Vec<Point> {
    let is_own = |steps: isize| direction.from(point, steps).filter(|&p| stones.at(p) == Some(color));
    if is_own(0).is_none() {
        return Vec::new();
    }
    let first = (1..).find(|&back| is_own(-back).is_none()).expect("the board ends") - 1;
    (-first..).map_while(is_own).collect()
}

/// The length of that run.
#[must_use]
pub fn run_length(stones: &Stones, color: Color, point: Point, direction: Direction) -> usize {
    let is_own = |&p: &Point| stones.at(p) == Some(color);
    let along =
        |step: isize| (1..).map_while(move |i| direction.from(point, i * step)).take_while(is_own).count();
    if is_own(&point) { 1 + along(1) + along(-1) } else { 0 }
}

/// Is a run of this length a five: exactly five for black, five or more for white?
#[must_use]
pub fn is_five(color: Color, length: usize) -> bool {
    match color {
        Color::Black => length == 5,
        Color::White => length >= 5,
    }
}

/// Does a stone on an empty point make a five?
#[must_use]
pub fn makes_five(stones: &Stones, color: Color, point: Point) -> bool {
    let played = stones.with(color, point);
    Direction::ALL.iter().any(|&direction| is_five(color, run_length(&played, color, point, direction)))
}

/// The cells along a direction that turn the stone on `point` and others into a five.
#[must_use]
pub fn completions(stones: &Stones, color: Color, point: Point, direction: Direction) -> Vec<Point> {
    let completes = |&cell: &Point| {
        let five = run(&stones.with(color, cell), color, cell, direction);
        is_five(color, five.len()) && five.contains(&point)
    };
    empty_cells(stones, point, direction).filter(completes).collect()
}

/// 達四: is the run through `point` an unbroken four that can become five in two ways?
#[must_use]
pub fn is_straight_four(stones: &Stones, color: Color, point: Point, direction: Direction) -> bool {
    run_length(stones, color, point, direction) == 4
        && completions(stones, color, point, direction).len() == 2
}

/// 四: the fours that the stone on `point` is part of along a direction, each as its four stones.
/// Black's fours; two completions of the same stones are one four.
#[must_use]
pub fn fours(stones: &Stones, point: Point, direction: Direction) -> Vec<Vec<Point>> {
    let mut found = Vec::new();
    for cell in completions(stones, Color::Black, point, direction) {
        let mut four = run(&stones.with(Color::Black, cell), Color::Black, cell, direction);
        four.retain(|&p| p != cell);
        if !found.contains(&four) {
            found.push(four);
        }
    }
    found
}

/// 三: the cells along a direction where one more stone makes a straight four with the stone on
/// `point`. Whether that stone is legal is not asked.
#[must_use]
pub fn extensions(stones: &Stones, color: Color, point: Point, direction: Direction) -> Vec<Point> {
    let extends = |&cell: &Point| {
        let extended = stones.with(color, cell);
        is_straight_four(&extended, color, cell, direction)
            && run(&extended, color, cell, direction).contains(&point)
    };
    empty_cells(stones, point, direction).filter(extends).collect()
}

/// The verdict on an empty point for black, by the stones alone: whether the game is over already
/// is not asked. An occupied point is not forbidden.
#[must_use]
pub fn forbidden_kind(stones: &Stones, point: Point) -> Forbidden {
    if stones.at(point).is_some() {
        return Forbidden::None;
    }
    kind_of_stone(&stones.with(Color::Black, point), point)
}

/// All forbidden points with their kinds.
#[must_use]
pub fn forbidden_points(stones: &Stones) -> Vec<(Point, Forbidden)> {
    Point::all()
        .map(|point| (point, forbidden_kind(stones, point)))
        .filter(|&(_, kind)| kind != Forbidden::None)
        .collect()
}

/// The verdict on a black stone just played.
fn kind_of_stone(stones: &Stones, point: Point) -> Forbidden {
    let runs = Direction::ALL.map(|d| run_length(stones, Color::Black, point, d));
    if runs.contains(&5) {
        return Forbidden::None;
    }
    if runs.iter().any(|&length| length > 5) {
        return Forbidden::Overline;
    }
    if Direction::ALL.iter().map(|&d| fours(stones, point, d).len()).sum::<usize>() >= 2 {
        return Forbidden::DoubleFour;
    }
    if Direction::ALL.iter().filter(|&&d| has_real_three(stones, point, d)).count() >= 2 {
        return Forbidden::DoubleThree;
    }
    Forbidden::None
}

/// Is the black stone on `point` part of a three along the direction that a legal stone, which is
/// not a five, makes straight?
#[must_use]
pub fn has_real_three(stones: &Stones, point: Point, direction: Direction) -> bool {
    extensions(stones, Color::Black, point, direction)
        .into_iter()
        .any(|extension| extension_flaw(stones, extension).is_none())
}

/// Why black may not make a straight four at `extension`, if so.
#[must_use]
pub fn extension_flaw(stones: &Stones, extension: Point) -> Option<Flaw> {
    let extended = stones.with(Color::Black, extension);
    if Direction::ALL.iter().any(|&d| run_length(&extended, Color::Black, extension, d) == 5) {
        return Some(Flaw::MakesFive);
    }
    match kind_of_stone(&extended, extension) {
        Forbidden::None => None,
        kind => Some(Flaw::Forbidden(kind)),
    }
}

/// What is wrong with a straight-four point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The extension makes a five at the same time, so what it extends is no three.
    MakesFive,
    /// The extension is itself forbidden.
    Forbidden(Forbidden),
}

/// The best shape a stone on an empty point makes along a direction, by what more stones would
/// make of it.
#[must_use]
pub fn class(stones: &Stones, color: Color, point: Point, direction: Direction) -> Class {
    if stones.at(point).is_some() {
        return Class::None;
    }
    let played = stones.with(color, point);
    let length = run_length(&played, color, point, direction);
    if is_five(color, length) {
        return Class::Five;
    }
    if length > 5 {
        return Class::Overline;
    }
    let completions = completions(&played, color, point, direction).len();
    if completions > 0 {
        let is_straight = is_straight_four(&played, color, point, direction);
        return match completions {
            1 => Class::Four,
            _ if is_straight => Class::OpenFour,
            _ => Class::TwoFours,
        };
    }
    let makes_three = |stones: &Stones| !extensions(stones, color, point, direction).is_empty();
    if makes_three(&played) {
        Class::OpenThree
    } else if fills_to_five(&played, color, point, direction, 2) {
        Class::ClosedThree
    } else if empty_cells(&played, point, direction).any(|cell| {
        let second = played.with(color, cell);
        extensions(&second, color, point, direction)
            .into_iter()
            .any(|q| run(&second.with(color, q), color, q, direction).contains(&cell))
    }) {
        Class::OpenTwo
    } else if fills_to_five(&played, color, point, direction, 3) {
        Class::ClosedTwo
    } else {
        Class::None
    }
}

/// Can `missing` more stones make a five that holds the stone on `point` and all of them?
fn fills_to_five(stones: &Stones, color: Color, point: Point, direction: Direction, missing: usize) -> bool {
    let cells: Vec<Point> = empty_cells(stones, point, direction).collect();
    (0..1u32 << cells.len()).filter(|choice| choice.count_ones() as usize == missing).any(|choice| {
        let added: Vec<Point> =
            cells.iter().enumerate().filter(|&(i, _)| choice >> i & 1 == 1).map(|(_, &p)| p).collect();
        let filled = added.iter().fold(*stones, |stones, &p| stones.with(color, p));
        let run = run(&filled, color, point, direction);
        is_five(color, run.len()) && added.iter().all(|p| run.contains(p))
    })
}

/// Has this colour won by the stones alone: exactly five for black, five or more for white?
#[must_use]
pub fn has_five(stones: &Stones, color: Color) -> bool {
    stones
        .of(color)
        .points()
        .any(|p| Direction::ALL.iter().any(|&d| is_five(color, run_length(stones, color, p, d))))
}

/// Has this colour five or more in a row? Then nothing is forbidden any more.
#[must_use]
pub fn has_five_or_more(stones: &Stones, color: Color) -> bool {
    stones.of(color).points().any(|p| Direction::ALL.iter().any(|&d| run_length(stones, color, p, d) >= 5))
}

/// The empty cells that can share a five with a stone on `point`.
fn empty_cells(stones: &Stones, point: Point, direction: Direction) -> impl Iterator<Item = Point> {
    (-REACH..=REACH)
        .filter_map(move |steps| direction.from(point, steps))
        .filter(|&cell| stones.at(cell).is_none())
}
