//! Which moves are tried, and in which order.

use super::root::RootMoves;
use super::worker::Worker;
use crate::eval::{Kind, move_value};
use crate::types::{BOARD_POINTS, Bitboard, Color, Direction, Point};

const TABLE_MOVE: i32 = 1_000_000;
const FIRST_KILLER: i32 = 100_000;
const SECOND_KILLER: i32 = 90_000;

/// The full value of a move takes as long as so many nodes.
const VALUE_WORK: u64 = 16;

/// Cells that make a three or more are so near to a stone.
const THREAT_RADIUS: u32 = 2;

/// Moves with what they are ordered by, best taken first.
pub struct MoveList {
    moves: [(i32, Point); BOARD_POINTS],
    length: usize,
    next: usize,
}

impl MoveList {
    fn new() -> MoveList {
        let none = Point::from_index(0).expect("a board has points");
        MoveList { moves: [(0, none); BOARD_POINTS], length: 0, next: 0 }
    }

    fn push(&mut self, key: i32, point: Point) {
        self.moves[self.length] = (key, point);
        self.length += 1;
    }

    fn rest(&mut self) -> &mut [(i32, Point)] {
        &mut self.moves[self.next..self.length]
    }
}

impl Iterator for MoveList {
    type Item = Point;

    /// The best of the rest; equal ones in the order of the board.
    fn next(&mut self) -> Option<Point> {
        let rest = self.rest();
        let best = (0..rest.len()).max_by_key(|&i| (rest[i].0, std::cmp::Reverse(rest[i].1.index())))?;
        rest.swap(0, best);
        let (_, point) = rest[0];
        self.next += 1;
        Some(point)
    }
}

/// All points so near to a stone, in every direction.
pub fn near(stones: Bitboard, radius: u32) -> Bitboard {
    let mut words = *stones.words();
    for _ in 0..radius {
        // Along rows; the empty column at the end keeps rows apart.
        for word in &mut words {
            *word |= *word << 1 | *word >> 1;
        }
        let along = words;
        for i in 0..4 {
            let up = along[i] << 16 | if i > 0 { along[i - 1] >> 48 } else { 0 };
            let down = along[i] >> 16 | if i < 3 { along[i + 1] << 48 } else { 0 };
            words[i] |= up | down;
        }
        words = *Bitboard::from_words(words).words();
    }
    Bitboard::from_words(words)
}

impl Worker<'_> {
    /// The points worth trying: near a stone, and all cells that make a three or more; the centre of an
    /// empty board.
    pub(super) fn candidates(&self) -> Bitboard {
        let stones = self.map.stones();
        let empty = stones.empty();
        let occupied = Bitboard::ALL - empty;
        if occupied.is_empty() {
            return Bitboard::of(Point::CENTER);
        }
        let mut candidates = near(occupied, self.params.radius) & empty;
        if self.params.radius < THREAT_RADIUS {
            let is_threat = |&point: &Point| {
                Color::ALL.iter().any(|&color| self.cells.value(color, point).kind >= Kind::Three)
            };
            let threats: Bitboard =
                (near(occupied, THREAT_RADIUS) & empty).points().filter(is_threat).collect();
            candidates |= threats;
        }
        if candidates.is_empty() { empty } else { candidates }
    }

    /// What answers the opponent's threat of a straight four: the cells that all these fours need, and own
    /// fours. `None` if there is no such threat.
    pub(super) fn answers(&self, color: Color, candidates: Bitboard) -> Option<Bitboard> {
        let other = color.opponent();
        if self.cells.count(other, Kind::OpenFour) == 0 {
            return None;
        }
        let mut stops = Bitboard::ALL;
        for point in self.cells.cells(other, Kind::OpenFour, candidates).points() {
            let mut needed = Bitboard::of(point);
            for direction in Direction::ALL {
                if self.map.class(other, point, direction).fours() > 0 {
                    needed |= self.map.completions(other, point, direction);
                }
            }
            stops &= needed;
        }
        let is_four = |point: &Point| self.cells.value(color, *point).kind.is_four();
        let fours = candidates.points().filter(is_four).collect::<Bitboard>();
        Some(stops | fours)
    }

    /// Which of the legal moves of the root are worth trying. All are if none is near a stone.
    pub(super) fn root_moves(&mut self, color: Color, legal: Bitboard) -> RootMoves {
        let candidates = self.candidates();
        if self.params.mandatory_defence {
            if let Some(block) = self.forced_block(color) {
                return RootMoves::only(Bitboard::of(block));
            }
            let answers = self.answers(color, candidates).map_or(Bitboard::EMPTY, |answers| answers & legal);
            if !answers.is_empty() {
                return RootMoves::only(answers);
            }
        }
        let near = candidates & legal;
        if near.is_empty() {
            return RootMoves::only(legal);
        }
        RootMoves { worth: near, rest: legal - near, lost: Vec::new() }
    }

    /// These moves with their keys.
    pub(super) fn ordered(
        &mut self,
        moves: Bitboard,
        color: Color,
        ply: usize,
        depth: i32,
        table_move: Option<Point>,
    ) -> MoveList {
        let mut list = MoveList::new();
        let killers = if self.params.killers { self.memory.killers[ply] } else { [None; 2] };
        for point in moves.points() {
            let key = if Some(point) == table_move {
                TABLE_MOVE
            } else if Some(point) == killers[0] {
                FIRST_KILLER
            } else if Some(point) == killers[1] {
                SECOND_KILLER
            } else {
                let own = self.cells.value(color, point);
                let penalty = if self.params.quiet_fours && own.kind == Kind::Four {
                    self.params.quiet_four_penalty as i32
                } else {
                    0
                };
                let glance = i32::from(own.attack) - penalty
                    + i32::from(self.cells.value(color.opponent(), point).defence);
                let history =
                    if self.params.history { self.memory.history[color.index()][point.index()] } else { 0 };
                (glance + history / self.params.history_order as i32).min(SECOND_KILLER - 1)
            };
            list.push(key, point);
        }
        self.value_best(&mut list, color, depth);
        list
    }

    /// Orders the most promising moves by their full value.
    fn value_best(&mut self, list: &mut MoveList, color: Color, depth: i32) {
        let count = match depth {
            4.. => self.params.order_deep,
            3 => self.params.order_middle,
            _ => self.params.order_shallow,
        };
        if count == 0 {
            return;
        }
        let rest = list.rest();
        rest.sort_unstable_by_key(|&(key, point)| (std::cmp::Reverse(key), point.index()));
        let terms = self.params.terms();
        for (key, point) in rest.iter_mut().take(count as usize) {
            if *key < SECOND_KILLER && self.is_legal(color, *point) {
                let value = move_value(
                    &mut self.map,
                    color,
                    *point,
                    &self.params.scores,
                    terms,
                    &mut self.memory.vcf,
                );
                *key = value.total().min(SECOND_KILLER - 1);
                self.charge(VALUE_WORK);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_points_are_those_within_the_distance() {
        for radius in 1..=3 {
            for corner in [(0, 0), (14, 14), (0, 14), (7, 7), (14, 3)] {
                let point = Point::new(corner.0, corner.1).expect("on the board");
                let expected = Point::all().filter(|p| p.distance(point) <= radius).collect::<Bitboard>();
                assert_eq!(near(Bitboard::of(point), radius as u32), expected);
            }
        }
    }
}
