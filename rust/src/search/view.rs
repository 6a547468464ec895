//! Which moves are worth trying, read off a position without searching.

use super::Params;
use super::root::RootMoves;
use crate::eval::{CellKind, CellMap};
use crate::types::{Bitboard, Color, Direction, Point};

/// The greatest distance from a stone, in cells, at which a cell is looked at that may make a three or more.
const THREAT_RADIUS: u32 = 2;

/// The points no further than `radius` cells from a stone, in every direction.
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

/// A position as its cells show it, under the settings of the search.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub params: &'a Params,
    pub cells: &'a CellMap,
}

impl View<'_> {
    /// The points worth trying: near a stone, and all cells that make a three or more; the centre of an
    /// empty board.
    pub(super) fn candidates(&self) -> Bitboard {
        let stones = self.cells.stones();
        let empty = stones.empty();
        let occupied = Bitboard::ALL - empty;
        if occupied.is_empty() {
            return Bitboard::of(Point::CENTER);
        }
        let mut candidates = near(occupied, self.params.radius) & empty;
        if self.params.radius < THREAT_RADIUS {
            let threats = near(occupied, THREAT_RADIUS)
                & (self.cells.threes_or_more(Color::Black) | self.cells.threes_or_more(Color::White));
            candidates |= threats;
        }
        if candidates.is_empty() { empty } else { candidates }
    }

    /// What answers the opponent's threat of a straight four: the cells that all these fours need, and own
    /// fours. `None` if there is no such threat.
    pub(super) fn answers(&self, color: Color, candidates: Bitboard) -> Option<Bitboard> {
        let other = color.opponent();
        if self.cells.count(other, CellKind::OpenFour) == 0 {
            return None;
        }
        let mut stops = Bitboard::ALL;
        for point in self.cells.cells(other, CellKind::OpenFour, candidates).points() {
            let mut needed = Bitboard::of(point);
            for direction in Direction::ALL {
                if self.cells.shape(other, point, direction).is_four() {
                    needed |= self.cells.completions(other, point, direction);
                }
            }
            stops &= needed;
        }
        Some(stops | candidates & self.cells.four_cells(color))
    }

    /// Which of the legal moves of the root are worth trying. All are if none is near a stone.
    pub(super) fn root_moves(&self, color: Color, legal: Bitboard) -> RootMoves {
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

    /// The only cell that stops the opponent's four.
    pub(super) fn forced_block(&self, color: Color) -> Option<Point> {
        if self.cells.count(color.opponent(), CellKind::Five) == 0 {
            return None;
        }
        self.cells.cells(color.opponent(), CellKind::Five, Bitboard::ALL).points().next()
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
