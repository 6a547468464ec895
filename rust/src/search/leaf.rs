//! What the terms of a move add to the value of a board, where the settings ask for them.

use super::worker::Worker;
use crate::eval::{
    CellKind, central_stones, connected_stones, standing_counter_four, standing_crossings, standing_mise,
    standing_trap, standing_vulnerability,
};
use crate::solve::{Limits, VcfOptions, Verdict};
use crate::types::Color;
use crate::types::score::Score;

impl Worker<'_> {
    /// What the terms that are switched on for boards add to the value for the side to move.
    pub(super) fn leaf_terms(&mut self, color: Color) -> Score {
        let params = self.params;
        let scores = &params.scores;
        let other = color.opponent();
        let for_black = |value: Score| if color == Color::Black { value } else { -value };
        let mut value = 0;
        if params.leaf_mise_term
            && self.cells.fours(other) > self.cells.count(other, CellKind::Four)
            && self.cells.count(other, CellKind::OpenFour) == 0
        {
            value -= standing_mise(self.map.get(), other, scores);
        }
        if params.leaf_fukumi_term && self.cells.fours(other) > 1 && self.threatens_fours(other) {
            value -= scores.fukumi;
        }
        if params.leaf_trap_term && self.cells.fours(Color::White) > 0 {
            value -= for_black(standing_trap(self.map.get(), scores));
        }
        if params.leaf_vulnerability_term {
            let is_any = self.cells.count(Color::Black, CellKind::Forbidden)
                + self.cells.count(Color::Black, CellKind::DoubtfulFour)
                > 0;
            if is_any {
                value -= for_black(standing_vulnerability(self.map.get(), scores));
            }
        }
        if params.leaf_multi_direction_term {
            value += standing_crossings(&self.cells, color, scores)
                - standing_crossings(&self.cells, other, scores);
        }
        if params.leaf_counter_four_term && self.cells.fours(color) > 0 {
            value += standing_counter_four(&self.cells, color, scores);
        }
        if params.leaf_connectivity_term {
            value +=
                connected_stones(&self.cells, color, scores) - connected_stones(&self.cells, other, scores);
        }
        if params.leaf_center_term {
            value += central_stones(&self.cells, color, scores) - central_stones(&self.cells, other, scores);
        }
        value
    }

    /// Would this colour, which is not to move, win by a few fours if it were?
    fn threatens_fours(&mut self, color: Color) -> bool {
        let limits = Limits { nodes: Some(self.params.fukumi_nodes.into()), time: None };
        let max_depth = Some(self.params.fukumi_fours as usize);
        let options = VcfOptions { max_depth, limits, ..VcfOptions::default() };
        let (verdict, used) = self.memory.vcf.solve(self.map.get(), color, options, &mut || false);
        self.charge(used);
        matches!(verdict, Verdict::Proved(_))
    }
}
