//! The order in which moves are tried.

use super::worker::Worker;
use crate::eval::{CellKind, move_value};
use crate::types::{BOARD_POINTS, Bitboard, Color, Point};

const TABLE_MOVE: i32 = 1_000_000;
const FIRST_KILLER: i32 = 100_000;
const SECOND_KILLER: i32 = 90_000;

/// The number of nodes that take as long as the full value of a move.
const VALUE_WORK: u64 = 16;

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

impl Worker<'_> {
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
                let penalty = if self.params.quiet_fours && own.kind == CellKind::Four {
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
