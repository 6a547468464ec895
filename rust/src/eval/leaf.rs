//! Terms of the value of a board that the table of cells does not know: what the terms of a move are worth
//! once the move stands on the board.

use super::moves::four_threes;
use super::{CellKind, CellMap, Scores};
use crate::rules::{Class, Forbidden};
use crate::threats::{Presence, ThreatMap};
use crate::types::{Bitboard, Color, Direction, Point};

/// Bits from one cell to the next of a line: east, north-east, north, north-west.
const STEPS: [u32; 4] = [1, 17, 16, 15];

/// What the four-threes of this colour, which is not to move, are worth to it.
#[must_use]
pub fn standing_mise(map: &ThreatMap, color: Color, scores: &Scores) -> i32 {
    match four_threes(map, color).len() {
        0 => 0,
        1 => scores.mise,
        _ => scores.double_mise,
    }
}

/// What black's forbidden points add to white's threes and to the fours that white could make.
#[must_use]
pub fn standing_trap(map: &ThreatMap, scores: &Scores) -> i32 {
    let is_forbidden = |point: Point| map.forbidden_kind(point) != Forbidden::None;
    let straight = map.cells_with(Color::White, Presence::TwoCompletions);
    let barred = straight.points().filter(|&point| is_forbidden(point)).count();
    let three = match (straight.len(), barred) {
        (_, 0) => 0,
        (2, 1) => scores.trap_three,
        _ => scores.trap_setup,
    };
    if three > 0 {
        return three;
    }
    let mut has_setup = false;
    map.for_each_four(Color::White, |_, block| has_setup = has_setup || is_forbidden(block));
    if has_setup { scores.trap_setup } else { 0 }
}

/// What the threes of black lose by extensions that are forbidden.
#[must_use]
pub fn standing_vulnerability(map: &ThreatMap, scores: &Scores) -> i32 {
    let mut sum = 0;
    for point in map.cells_with(Color::Black, Presence::TwoCompletions).points() {
        if map.forbidden_kind(point) == Forbidden::None {
            continue;
        }
        let attacks = |&direction: &Direction| {
            let class = map.class(Color::White, point, direction);
            class.fours() > 0 || matches!(class, Class::ClosedThree | Class::OpenThree)
        };
        let is_attacked = Direction::ALL.iter().any(attacks);
        sum += if is_attacked { scores.vulnerability_strong } else { scores.vulnerability_weak };
    }
    sum.min(scores.vulnerability_most)
}

/// What a colour's cells with threats in several directions are worth: one of them is enough.
#[must_use]
pub fn standing_crossings(cells: &CellMap, color: Color, scores: &Scores) -> i32 {
    // Two threes of black are forbidden, at least in form.
    let double_threes = if color == Color::White { cells.count(color, CellKind::DoubleThree) } else { 0 };
    if cells.count(color, CellKind::FourThree) + double_threes > 0 { scores.multi_direction } else { 0 }
}

/// What the best four of the side to move adds that also takes something from the opponent.
#[must_use]
pub fn standing_counter_four(cells: &CellMap, color: Color, scores: &Scores) -> i32 {
    let taken = |point: Point| i32::from(cells.value(color.opponent(), point).defence);
    let most = cells.four_cells(color).points().map(taken).max().unwrap_or(0);
    most * (scores.counter_four_percent - 100) / 100
}

/// What the stones of a colour are worth that have another of theirs near along two or more lines: a share for
/// each of these lines.
#[must_use]
pub fn connected_stones(cells: &CellMap, color: Color, scores: &Scores) -> i32 {
    let stones = cells.stones();
    let (own, empty) = (*stones.of(color), stones.empty());
    let (mut once, mut again, mut lines) = (Bitboard::EMPTY, Bitboard::EMPTY, 0);
    for step in STEPS {
        let next = [shifted_up(own, step), shifted_down(own, step)];
        let beyond = [shifted_up(next[0] & empty, step), shifted_down(next[1] & empty, step)];
        let paired = own & (next[0] | next[1] | beyond[0] | beyond[1]);
        lines += paired.len();
        again |= once & paired;
        once |= paired;
    }
    let single = (once - again).len();
    (lines - single) as i32 * scores.connectivity
}

/// What the places of a colour's stones are worth, the more the nearer they are to the centre of the board.
#[must_use]
pub fn central_stones(cells: &CellMap, color: Color, scores: &Scores) -> i32 {
    let worth = |point: Point| scores.center * (7 - point.distance(Point::CENTER) as i32) / 7;
    cells.stones().of(color).points().map(worth).sum()
}

fn shifted_up(cells: Bitboard, bits: u32) -> Bitboard {
    let words = cells.words();
    let from = |i: usize| words[i] << bits | if i > 0 { words[i - 1] >> (64 - bits) } else { 0 };
    Bitboard::from_words(std::array::from_fn(from))
}

fn shifted_down(cells: Bitboard, bits: u32) -> Bitboard {
    let words = cells.words();
    let from = |i: usize| words[i] >> bits | if i < 3 { words[i + 1] << (64 - bits) } else { 0 };
    Bitboard::from_words(std::array::from_fn(from))
}
