//! The order in which moves are tried.

use super::worker::Worker;
use crate::eval::{CellKind, move_value};
use crate::types::{BOARD_POINTS, Bitboard, Color, Point};

const TABLE_MOVE: i32 = 1_000_000;
const FIRST_KILLER: i32 = 100_000;
const SECOND_KILLER: i32 = 90_000;

/// The number of nodes that take as long as the full value of a move.
const VALUE_WORK: u64 = 16;

/// Moves with what they are ordered by.
#[derive(Clone)]
pub(super) struct MoveList {
    /// The key of a move in the high bits, its point counted from the last in the low eight: of equal keys the
    /// first on the board is the greatest.
    moves: [i32; BOARD_POINTS],
    length: usize,
}

impl MoveList {
    pub(super) const EMPTY: MoveList = MoveList { moves: [0; BOARD_POINTS], length: 0 };

    fn push(&mut self, key: i32, point: Point) {
        self.moves[self.length] = key << 8 | (255 - point.index() as i32);
        self.length += 1;
    }

    fn moves(&mut self) -> &mut [i32] {
        &mut self.moves[..self.length]
    }

    /// Takes out the best.
    fn take(&mut self) -> Option<Point> {
        let moves = self.moves();
        let mut best = *moves.first()?;
        let mut at = 0;
        for (i, &mv) in moves.iter().enumerate() {
            if mv > best {
                (best, at) = (mv, i);
            }
        }
        let last = moves.len() - 1;
        moves[at] = moves[last];
        self.length = last;
        Some(point_of(best))
    }
}

fn point_of(mv: i32) -> Point {
    Point::from_index(255 - (mv & 0xff) as usize).expect("pushed as a point")
}

/// The moves of a position, best first. The move of the table and the killers come before the others are
/// looked at: mostly one of them is enough.
pub(super) struct Picker {
    color: Color,
    ply: usize,
    depth: i32,
    /// The moves that are neither taken nor in the list.
    moves: Bitboard,
    /// The move of the table and the killers.
    early: [Option<Point>; 3],
    /// How many of these were looked at.
    seen: usize,
    is_listed: bool,
}

impl Worker<'_> {
    /// These moves, in the order in which they are tried.
    pub(super) fn picker(
        &self,
        moves: Bitboard,
        color: Color,
        ply: usize,
        depth: i32,
        table_move: Option<Point>,
    ) -> Picker {
        let [first, second] = if self.params.killers { self.memory.killers[ply] } else { [None; 2] };
        Picker { color, ply, depth, moves, early: [table_move, first, second], seen: 0, is_listed: false }
    }

    /// The next move.
    pub(super) fn pick(&mut self, picker: &mut Picker) -> Option<Point> {
        if !picker.is_listed {
            // Where full values are asked for, they are those of the best of all.
            if self.full_values(picker.depth) == 0 {
                while let Some(&early) = picker.early.get(picker.seen) {
                    picker.seen += 1;
                    if let Some(point) = early
                        && picker.moves.contains(point)
                    {
                        picker.moves.remove(point);
                        return Some(point);
                    }
                }
            }
            self.list(picker);
            picker.is_listed = true;
        }
        self.memory.moves[picker.ply].take()
    }

    /// Leaves out all moves but these; returns how many.
    pub(super) fn keep(&mut self, picker: &mut Picker, moves: Bitboard) -> u64 {
        if !picker.is_listed {
            let left = picker.moves.len();
            picker.moves &= moves;
            return (left - picker.moves.len()) as u64;
        }
        let list = &mut self.memory.moves[picker.ply];
        let mut kept = 0;
        for i in 0..list.length {
            let mv = list.moves[i];
            list.moves[kept] = mv;
            kept += usize::from(moves.contains(point_of(mv)));
        }
        let left = std::mem::replace(&mut list.length, kept);
        (left - kept) as u64
    }

    /// Puts the moves into the list.
    fn list(&mut self, picker: &Picker) {
        let color = picker.color;
        let list = &mut self.memory.moves[picker.ply];
        list.length = 0;
        let penalty = if self.params.quiet_fours { self.params.quiet_four_penalty as i32 } else { 0 };
        let history = &self.memory.history_order[color.index()];
        for point in picker.moves.points() {
            let own = self.cells.value(color, point);
            let mut key =
                i32::from(own.attack) + i32::from(self.cells.value(color.opponent(), point).defence);
            if own.kind == CellKind::Four {
                key -= penalty;
            }
            if self.params.history {
                key += history[point.index()];
            }
            list.push(key.min(SECOND_KILLER - 1), point);
        }
        let count = self.full_values(picker.depth);
        if count > 0 {
            self.value_best(picker, count);
        }
    }

    /// How many moves are ordered by their full value.
    fn full_values(&self, depth: i32) -> usize {
        (match depth {
            4.. => self.params.order_deep,
            3 => self.params.order_middle,
            _ => self.params.order_shallow,
        }) as usize
    }

    /// Orders the most promising moves by their full value.
    fn value_best(&mut self, picker: &Picker, count: usize) {
        let color = picker.color;
        let mut list = self.memory.moves[picker.ply].clone();
        for mv in list.moves() {
            let point = point_of(*mv);
            // A killer that is the move of the table comes first.
            let keys = picker.early.iter().zip([TABLE_MOVE, FIRST_KILLER, SECOND_KILLER]);
            if let Some((_, key)) = keys.into_iter().find(|&(&early, _)| early == Some(point)) {
                *mv = key << 8 | *mv & 0xff;
            }
        }
        list.moves().sort_unstable_by_key(|&mv| std::cmp::Reverse(mv));
        let terms = self.params.terms();
        for mv in list.moves().iter_mut().take(count) {
            let point = point_of(*mv);
            if *mv >> 8 < SECOND_KILLER && self.is_legal(color, point) {
                let value = move_value(
                    self.map.get(),
                    color,
                    point,
                    &self.params.scores,
                    terms,
                    &mut self.memory.vcf,
                );
                *mv = value.total().min(SECOND_KILLER - 1) << 8 | *mv & 0xff;
                self.charge(VALUE_WORK);
            }
        }
        self.memory.moves[picker.ply] = list;
    }
}
