//! The end of a line: fours are played out before the board is valued.

use super::worker::{Stopped, Worker};
use crate::eval::CellKind;
use crate::types::score::{MOST_PLIES, Score, loss_in, win_in};
use crate::types::{Bitboard, Color, Point};

impl Worker<'_> {
    /// The value of a position at the end of the search. `depth` is how many more fours may be played; the
    /// answer to a four costs nothing.
    pub(super) fn quiesce(
        &mut self,
        color: Color,
        ply: usize,
        depth: u32,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        self.memory.lines[ply].clear();
        let is_plain = !self.params.quiescence && !self.params.leaf_vcf;
        if let Some(score) = self.settled(color, ply, !is_plain) {
            return Ok(score);
        }
        if is_plain {
            return Ok(self.static_value(color, beta));
        }
        // Against a four only its answer counts: no standing still.
        if let Some(block) = self.view().forced_block(color) {
            return self.quiesce_block(color, ply, depth, block, alpha, beta);
        }
        let stand = self.static_value(color, beta);
        if ply >= MOST_PLIES - 2 {
            return Ok(stand);
        }
        // Good enough already, whatever fours could add.
        if stand >= beta {
            return Ok(stand);
        }
        if self.params.leaf_vcf {
            let (depth, nodes) = (self.params.leaf_vcf_depth, self.params.leaf_vcf_nodes);
            let plies = self.find_vcf(color, ply, depth, nodes)?;
            return Ok(plies.map_or(stand, |plies| win_in(ply + plies)));
        }
        if depth == 0 {
            return Ok(stand);
        }
        alpha = alpha.max(stand);
        let mut best = stand;
        let fours = self.view().candidates() & self.cells.four_cells(color);
        for point in fours.points() {
            if !self.is_legal(color, point) {
                continue;
            }
            self.take_node()?;
            self.stats.quiescence_nodes += 1;
            self.play(color, point);
            let score = self.quiesce(color.opponent(), ply + 1, depth - 1, -beta, -alpha);
            self.undo();
            let score = -score?;
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.set_line(ply, point);
                }
                if score >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    fn quiesce_block(
        &mut self,
        color: Color,
        ply: usize,
        depth: u32,
        block: Point,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        if ply >= MOST_PLIES - 2 {
            return Ok(self.static_value(color, beta));
        }
        if !self.is_legal(color, block) {
            return Ok(loss_in(ply + 2));
        }
        self.take_node()?;
        self.stats.quiescence_nodes += 1;
        self.play(color, block);
        let score = self.quiesce(color.opponent(), ply + 1, depth, -beta, -alpha);
        self.undo();
        self.set_line(ply, block);
        Ok(-score?)
    }

    /// The score if the next move or two decide: a five at once, two fives of the opponent's to stop, a
    /// straight four that nothing can stop. Only the first if not `is_foreseeing`.
    pub(super) fn settled(&mut self, color: Color, ply: usize, is_foreseeing: bool) -> Option<Score> {
        self.seldepth = self.seldepth.max(ply);
        if self.cells.count(color, CellKind::Five) > 0 {
            let five =
                self.cells.cells(color, CellKind::Five, Bitboard::ALL).points().next().expect("counted");
            self.memory.lines[ply].clear();
            self.memory.lines[ply].push(five);
            return Some(win_in(ply + 1));
        }
        if !is_foreseeing {
            return None;
        }
        match self.cells.count(color.opponent(), CellKind::Five) {
            0 if self.cells.count(color, CellKind::OpenFour) > 0 => {
                self.memory.lines[ply].clear();
                let candidates = self.view().candidates();
                self.memory.lines[ply]
                    .extend(self.cells.cells(color, CellKind::OpenFour, candidates).points().next());
                Some(win_in(ply + 3))
            }
            0 | 1 => None,
            _ => Some(loss_in(ply + 2)),
        }
    }
}
