//! What is searched less deep, and what is skipped.

use super::alphabeta::Task;
use super::worker::Worker;
use crate::eval::CellKind;
use crate::types::score::Score;
use crate::types::{Bitboard, Color, Point};

/// Key: number from 1 to 255; value: its logarithm to the base 2 in sixteenths, rounded down. In whole
/// numbers, so that it is the same on every machine.
const LOG2_16: [u8; 256] = log2_16();

const fn log2_16() -> [u8; 256] {
    let mut table = [0; 256];
    let mut n = 1u64;
    while n < 256 {
        // The mantissa squared four times gives four binary places.
        let whole = n.ilog2() as u64;
        let mut mantissa = n << (31 - whole);
        let mut places = 0;
        let mut i = 0;
        while i < 4 {
            mantissa = (mantissa * mantissa) >> 31;
            places <<= 1;
            if mantissa >= 1 << 32 {
                places |= 1;
                mantissa >>= 1;
            }
            i += 1;
        }
        table[n as usize] = (whole * 16 + places) as u8;
        n += 1;
    }
    table
}

impl Worker<'_> {
    /// A five, a four, or a stone that takes one from the opponent: never skipped, and reduced only among the
    /// answers to a three.
    pub(super) fn is_tactical(&self, own: CellKind, taken: CellKind) -> bool {
        let takes = match taken {
            CellKind::FourThree | CellKind::DoubtfulFour => self.params.mise_defence,
            CellKind::Four => !self.params.quiet_takes,
            CellKind::OpenFour | CellKind::Five => true,
            _ => false,
        };
        own == CellKind::Five || own.is_four() && (own != CellKind::Four || !self.params.quiet_fours) || takes
    }

    /// Can a move with these kinds of cells be searched less deep or skipped?
    pub(super) fn is_quiet(&self, own: CellKind, taken: CellKind) -> bool {
        let is_small = own < CellKind::Three || own == CellKind::Four && self.params.quiet_fours;
        is_small && !self.is_tactical(own, taken)
    }

    /// The cells on which a stone of this colour is not quiet.
    pub(super) fn lively(&self, color: Color) -> Bitboard {
        let of = |color, kind| self.cells.cells(color, kind, Bitboard::ALL);
        let other = color.opponent();
        let mut lively = self.cells.threes_or_more(color);
        if self.params.quiet_fours {
            lively = lively - of(color, CellKind::Four);
        }
        lively |= of(other, CellKind::OpenFour) | of(other, CellKind::Five);
        if !self.params.quiet_takes {
            lively |= of(other, CellKind::Four);
        }
        if self.params.mise_defence {
            lively |= of(other, CellKind::FourThree) | of(other, CellKind::DoubtfulFour);
        }
        lively
    }

    /// By how much a late quiet move is searched less deep.
    pub(super) fn reduction(
        &self,
        task: Task,
        count: i32,
        depth: i32,
        kind: CellKind,
        point: Point,
        less: i32,
    ) -> i32 {
        let params = self.params;
        if !params.lmr || count < params.lmr_from as i32 || depth < params.lmr_depth as i32 {
            return 0;
        }
        if !params.lmr_log {
            if less > 0 {
                return 0;
            }
            return params.lmr_reduction as i32;
        }
        let log = |n: i32| i32::from(LOG2_16[n.clamp(1, 255) as usize]);
        // In sixteenths of a ply.
        let mut reduction =
            log(depth) * log(count + 1) / params.lmr_log_divisor as i32 + params.lmr_log_base as i32;
        reduction -= less;
        if task.is_open() {
            reduction -= params.lmr_open as i32;
        }
        if kind >= CellKind::Three && kind != CellKind::Four {
            reduction -= params.lmr_three as i32;
        }
        reduction -= self.memory.history[task.color.index()][point.index()] / params.lmr_history as i32;
        (reduction / 16).clamp(0, depth - 1)
    }

    /// What a quiet move can add at most near the leaves.
    pub(super) fn futility_margin(&self, color: Color, depth: i32) -> Option<Score> {
        let params = self.params;
        if !params.futility {
            return None;
        }
        let margins = if color == self.root_turn {
            [params.futility_own_1, params.futility_own_2, params.futility_own_3]
        } else {
            [params.futility_other_1, params.futility_other_2, params.futility_other_3]
        };
        margins.get(usize::try_from(depth - 1).ok()?).map(|&margin| margin as i32)
    }

    /// Is a quiet move hopeless because the board is far below alpha near the leaves?
    pub(super) fn is_late_futile(&self, value: Score, depth: i32, alpha: Score) -> bool {
        self.params.late_futility
            && depth <= self.params.late_futility_depth as i32
            && value + self.params.late_futility_margin as i32 * (depth + 1) <= alpha
    }

    /// Were enough moves tried, near the leaves, for a quiet one to hardly matter?
    pub(super) fn is_too_late(&self, count: i32, depth: i32) -> bool {
        let most =
            self.params.move_count_base as i32 + depth * depth * self.params.move_count_percent as i32 / 100;
        self.params.move_count_pruning && depth <= self.params.move_count_depth as i32 && count >= most
    }
}

#[cfg(test)]
mod tests {
    use super::LOG2_16;

    #[test]
    fn logarithms_in_sixteenths() {
        assert_eq!([1, 2, 3, 4, 6, 8, 255].map(|n| LOG2_16[n]), [0, 16, 25, 32, 41, 48, 127]);
    }
}
