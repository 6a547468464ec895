//! What a line of fours depends on: which replies may break it, which stones may bring one about.
//!
//! Both questions are answered by a set of cells outside of which nothing can change. The sets are
//! complete: they hold every cell the line touches, every cell that could make a four of the other
//! side on the way, and every cell its forbidden checks read.

use crate::rules::{BlackShapes, Class, Forbidden, is_real_three};
use crate::threats::{Presence, ThreatMap};
use crate::types::{Bitboard, Color, Direction, Line, Point};

/// Does this line of fours and blocks win for the attacker, to move, on the board as it is? Every
/// stone and every block must be just as written; what the blocks make is worked out anew.
pub(super) fn line_wins(map: &mut ThreatMap, attacker: Color, line: &[Point]) -> bool {
    let mut played = 0;
    let wins = replay(map, attacker, line, &mut played);
    take_back(map, played);
    wins
}

fn replay(map: &mut ThreatMap, attacker: Color, line: &[Point], played: &mut usize) -> bool {
    let defender = attacker.opponent();
    for step in line.chunks(2) {
        let stone = step[0];
        if map.stones().at(stone).is_some() {
            return false;
        }
        if map.fives(attacker).contains(stone) {
            return true;
        }
        if !map.is_legal(attacker, stone) {
            return false;
        }
        map.play(attacker, stone);
        *played += 1;
        if !map.fives(defender).is_empty() {
            return false;
        }
        let completions = map.fives(attacker);
        let Some(block) = completions.points().next() else { return false };
        if completions.len() > 1 || !map.is_legal(defender, block) {
            return true;
        }
        if step.get(1) != Some(&block) {
            return false;
        }
        map.play(defender, block);
        *played += 1;
    }
    false
}

fn take_back(map: &mut ThreatMap, stones: usize) {
    for _ in 0..stones {
        map.undo();
    }
}

/// The legal replies against which a line of fours that wins after a pass no longer wins.
pub(super) fn breaking_replies(map: &mut ThreatMap, attacker: Color, line: &[Point], found: &mut Vec<Point>) {
    let defender = attacker.opponent();
    for reply in line_zone(map, attacker, line).points() {
        map.play(defender, reply);
        let wins = line_wins(map, attacker, line);
        map.undo();
        if !wins && map.is_legal(defender, reply) {
            found.push(reply);
        }
    }
}

/// The empty cells on which a stone of the defender may stop a winning line of fours.
pub(super) fn line_zone(map: &mut ThreatMap, attacker: Color, line: &[Point]) -> Bitboard {
    let defender = attacker.opponent();
    let mut zone: Bitboard = line.iter().copied().collect();
    let mut played = 0;
    for step in line.chunks(2) {
        // A four made by the reply and the blocks so far.
        zone |= map.cells_with(defender, Presence::Four);
        let stone = step[0];
        // A white stone can make a black one forbidden only where it is so in form already.
        if attacker == Color::Black && map.is_forbidden_in_form(stone) {
            zone |= verdict_changes(map, stone, Color::White);
        }
        map.play(attacker, stone);
        played += 1;
        if let Some(&block) = step.get(1) {
            map.play(defender, block);
            played += 1;
        } else {
            let completions = map.fives(attacker);
            zone |= completions;
            if let (1, Some(block)) = (completions.len(), completions.points().next()) {
                zone |= verdict_changes(map, block, Color::Black);
            }
        }
    }
    take_back(map, played);
    zone & map.stones().empty()
}

/// The cells on which a stone of this colour turns the verdict on black's `point` round.
fn verdict_changes(map: &mut ThreatMap, point: Point, color: Color) -> Bitboard {
    let is_forbidden = map.forbidden_kind(point) != Forbidden::None;
    let mut changes = Bitboard::EMPTY;
    for cell in verdict_zone(map, point).points() {
        map.play(color, cell);
        if (map.forbidden_kind(point) != Forbidden::None) != is_forbidden {
            changes.insert(cell);
        }
        map.undo();
    }
    changes
}

/// The empty cells, other than the point itself, that black's verdict on a point can depend on.
fn verdict_zone(map: &ThreatMap, point: Point) -> Bitboard {
    let mut zone = lines_through(point);
    // Overline and double-four are read off the four lines through the point. Threes also ask
    // about the points that make them straight, and where those make threes, about others.
    for direction in Direction::ALL.into_iter().filter(|&d| map.is_three(point, d)) {
        for extension in map.straight_four_points(point, direction).into_iter().flatten() {
            let is_three = |&&d: &&Direction| d != direction && map.is_three(extension, d);
            if Direction::ALL.iter().filter(is_three).count() >= 2 {
                zone = Bitboard::ALL;
            }
            zone |= lines_through(extension);
        }
    }
    zone.remove(point);
    zone & map.stones().empty()
}

fn lines_through(point: Point) -> Bitboard {
    Line::through(point).iter().flat_map(|cell| cell.line.points()).collect()
}

/// Does the stone of the attacker on `point` threaten to win with the next one, by a four it is part
/// of? Neither side may have a five to make.
pub(super) fn threatens_to_win(map: &mut ThreatMap, attacker: Color, point: Point) -> bool {
    let mut fours = [(point, point); MOST_FOURS];
    let mut count = 0;
    map.for_each_four_with(attacker, point, |stone, block| {
        fours[count] = (stone, block);
        count += 1;
    });
    let fours = &fours[..count];
    fours.iter().enumerate().any(|(i, &(stone, block))| {
        // Only the first of a stone's fours is looked at, and only if it may have two completions or
        // a forbidden block.
        let is_known = fours[..i].iter().any(|&(other, _)| other == stone);
        if is_known {
            return false;
        }
        let has_two = fours[i..].iter().any(|&(other, end)| other == stone && end != block);
        if attacker == Color::Black {
            return has_two && map.is_legal(attacker, stone);
        }
        if has_two {
            return true;
        }
        let completions = Direction::ALL.map(|d| completions_of(map.class(attacker, stone, d)));
        if completions.iter().sum::<usize>() < 2 && !map.is_forbidden_in_form(block) {
            return false;
        }
        map.play(attacker, stone);
        let wins = map.fives(attacker).len() > 1 || map.forbidden_kind(block) != Forbidden::None;
        map.undo();
        wins
    })
}

/// Does a stone on an empty point make a three that counts, for black a real one?
pub(super) fn makes_three(map: &ThreatMap, color: Color, point: Point) -> bool {
    Direction::ALL.into_iter().any(|direction| match color {
        Color::Black => is_real_three(map, point, direction),
        Color::White => map.class(color, point, direction) == Class::OpenThree,
    })
}

/// 四三: is there a legal stone that makes a four and a three at once?
pub(super) fn threatens_four_three(map: &ThreatMap, color: Color) -> bool {
    let both = map.cells_with(color, Presence::Four) & map.cells_with(color, Presence::OpenThree);
    (both - map.fives(color))
        .points()
        .any(|point| map.is_legal(color, point) && makes_three(map, color, point))
}

/// How many cells complete what a stone makes along a line, if that is a four.
const fn completions_of(class: Class) -> usize {
    match class {
        Class::Four => 1,
        Class::TwoFours | Class::OpenFour => 2,
        _ => 0,
    }
}

/// A cell lies in at most five windows of five on each of its lines, and each gives two pairs.
const MOST_FOURS: usize = 4 * 5 * 2;

/// Cells on which one more stone of the attacker may bring about a win by fours.
#[derive(Clone, Copy)]
pub(super) struct AttackZone {
    /// By being part of a four, or by stopping a counter-four.
    pub(super) by_shape: Bitboard,
    /// By changing what black may play.
    pub(super) by_verdict: Bitboard,
}

impl AttackZone {
    /// The zone for wins by at most `depth` fours. There must be none without the new stone, with the
    /// attacker to move.
    pub(super) fn of(
        map: &mut ThreatMap,
        attacker: Color,
        depth: u16,
        fours: &mut Vec<(Point, Point)>,
    ) -> AttackZone {
        let mut zone = AttackZone { by_shape: Bitboard::EMPTY, by_verdict: Bitboard::EMPTY };
        zone.widen(map, attacker, depth, fours);
        zone.by_shape &= map.stones().empty();
        zone.by_verdict &= map.stones().empty();
        zone
    }

    fn widen(&mut self, map: &mut ThreatMap, attacker: Color, depth: u16, fours: &mut Vec<(Point, Point)>) {
        let defender = attacker.opponent();
        // A new four, or a second completion of an old one, needs a stone that makes three or more.
        // Black's last stone must make a straight four.
        self.by_shape |= map.cells_with(attacker, Presence::OpenThree);
        if depth > 1 || attacker == Color::White {
            self.by_shape |=
                map.cells_with(attacker, Presence::ClosedThree) | map.cells_with(attacker, Presence::Four);
        }
        // A counter-four is harmless if its completion is taken before.
        let counter = map.fives(defender);
        self.by_shape |= counter;
        if counter.len() > 1 {
            return;
        }
        let first = fours.len();
        map.for_each_four(attacker, |stone, block| {
            if counter.is_empty() || counter.contains(stone) {
                fours.push((stone, block));
            }
        });
        for i in first..fours.len() {
            let (stone, block) = fours[i];
            if attacker == Color::Black {
                if !map.is_legal(Color::Black, stone) {
                    self.by_verdict |= verdict_zone(map, stone);
                    continue;
                }
            } else if map.is_forbidden_in_form(block) {
                // One more white stone can make the block forbidden only by making a three real.
                self.by_verdict = Bitboard::ALL;
            }
            if depth > 1 && self.by_verdict != Bitboard::ALL {
                map.play(attacker, stone);
                map.play(defender, block);
                self.widen(map, attacker, depth - 1, fours);
                take_back(map, 2);
            }
        }
        fours.truncate(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Stones;
    use crate::rules::reference::has_five_or_more;
    use crate::solve::vcf::FourSearch;
    use crate::solve::{Budget, Limits};

    /// Crowded boards without a five.
    fn boards(seed: u64, wanted: usize) -> Vec<Stones> {
        let mut state = seed;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let mut found = Vec::new();
        while found.len() < wanted {
            let (size, mut stones) = (6 + below(6), Stones::EMPTY);
            let (left, bottom) = (below(16 - size), below(16 - size));
            for i in 0..size * size * (20 + below(25)) / 100 {
                let point = Point::new(left + below(size), bottom + below(size)).unwrap();
                if stones.at(point).is_none() {
                    stones.place(Color::ALL[i % 2], point);
                }
            }
            if !Color::ALL.iter().any(|&color| has_five_or_more(&stones, color)) {
                found.push(stones);
            }
        }
        found
    }

    fn unlimited(test: impl FnOnce(&mut Budget)) {
        test(&mut Budget::new(Limits::default(), &mut || false));
    }

    #[test]
    fn every_reply_that_breaks_a_line_is_found() {
        let (mut lines, mut by_verdict) = (0, 0);
        unlimited(|budget| {
            for (i, stones) in boards(1, 60_000).into_iter().enumerate() {
                let (attacker, mut map) = (Color::ALL[i % 2], ThreatMap::new(&stones));
                let mut search = FourSearch::default();
                let Some(line) = search.find(&mut map, attacker, 3, true, budget).unwrap() else {
                    continue;
                };
                if map.fives(attacker).contains(line[0]) {
                    continue;
                }
                let defender = attacker.opponent();
                let mut found = Vec::new();
                breaking_replies(&mut map, attacker, line, &mut found);
                let breaks = |map: &mut ThreatMap, reply: Point| {
                    map.play(defender, reply);
                    let wins = line_wins(map, attacker, line);
                    map.undo();
                    !wins && map.is_legal(defender, reply)
                };
                let all: Vec<Point> =
                    stones.empty().points().filter(|&reply| breaks(&mut map, reply)).collect();
                assert_eq!(found, all, "{attacker} {line:?} on {stones:?}");
                lines += 1;
                let makes_four =
                    |&p: &Point| Direction::ALL.iter().any(|&d| map.class(defender, p, d).fours() > 0);
                by_verdict += all.iter().filter(|&p| !line.contains(p) && !makes_four(p)).count();
            }
        });
        assert!(lines > 2_000 && by_verdict > 200, "{lines} {by_verdict}");
    }

    #[test]
    fn no_stone_outside_the_zone_brings_a_win_about() {
        let (mut threats, mut by_verdict) = (0, 0);
        unlimited(|budget| {
            for (i, stones) in boards(2, 20_000).into_iter().enumerate() {
                let (attacker, depth) = (Color::ALL[i % 2], 1 + (i / 2 % 3) as u16);
                let mut map = ThreatMap::new(&stones);
                let mut search = FourSearch::default();
                let has_five = Color::ALL.iter().any(|&color| !map.fives(color).is_empty());
                if has_five || search.find(&mut map, attacker, depth, false, budget).unwrap().is_some() {
                    continue;
                }
                let zone = AttackZone::of(&mut map, attacker, depth, &mut Vec::new());
                for stone in
                    stones.empty().points().filter(|&p| map.is_legal(attacker, p)).collect::<Vec<_>>()
                {
                    map.play(attacker, stone);
                    let is_four = !map.fives(attacker).is_empty();
                    let is_threat =
                        !is_four && search.find(&mut map, attacker, depth, false, budget).unwrap().is_some();
                    let is_simple = depth == 1 && !is_four && !zone.by_verdict.contains(stone);
                    let is_direct = is_simple && threatens_to_win(&mut map, attacker, stone);
                    map.undo();
                    let is_inside = zone.by_shape.contains(stone) || zone.by_verdict.contains(stone);
                    assert!(is_inside || !is_threat, "{attacker} {stone} within {depth} on {stones:?}");
                    assert!(!is_simple || is_threat == is_direct, "{attacker} {stone} on {stones:?}");
                    threats += usize::from(is_threat);
                    by_verdict += usize::from(is_threat && !zone.by_shape.contains(stone));
                }
            }
        });
        assert!(threats > 5_000 && by_verdict > 0, "{threats} {by_verdict}");
    }
}
