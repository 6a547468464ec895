use std::sync::Arc;

use super::kernel::{MOST_CHANGES, Outputs, Sums, add_cell, add_changes, dot, outputs, policy_weights};
use super::state::{Policy, points};
use super::weights::{Network, OUTPUT_UNIT, TABLE_UNIT, WIDTH};
use crate::board::Stones;
use crate::eval::{CellValues, GroupMap};
use crate::rules::InstructionSet;
use crate::types::{Bitboard, Color, Point};

/// What a network thinks of one board after another, as [`super::NetworkState`] does of the boards of a search, for
/// those who ask once for each board. Nothing is allocated for a board.
#[derive(Clone)]
pub struct NetworkBoards {
    network: Arc<Network>,
    set: InstructionSet,
    cells: GroupMap,
    sums: Sums,
    /// The sums of the empty board.
    empty: Sums,
}

impl NetworkBoards {
    /// On the empty board, with these values of the table beside the network.
    #[must_use]
    pub fn new(network: Arc<Network>, values: Arc<CellValues>) -> NetworkBoards {
        NetworkBoards::with_instructions(InstructionSet::best(), network, values)
    }

    /// On the empty board, with given instructions.
    ///
    /// # Panics
    /// If the CPU has no such instructions.
    #[must_use]
    pub fn with_instructions(
        set: InstructionSet,
        network: Arc<Network>,
        values: Arc<CellValues>,
    ) -> NetworkBoards {
        assert!(InstructionSet::available().contains(&set), "{set:?} is not there");
        let cells = GroupMap::new(values);
        let mut empty = Sums([0; WIDTH]);
        for point in Point::all() {
            add_cell(network.vectors(), cells.groups_at(point), &mut empty);
        }
        NetworkBoards { network, set, cells, sums: empty, empty }
    }

    /// Goes to another board.
    pub fn move_to(&mut self, stones: &Stones) {
        if self.cells.restart_for(stones) {
            self.sums = self.empty;
        }
        for changes in self.cells.move_to(stones).chunks(MOST_CHANGES) {
            add_changes(self.set, self.network.vectors(), changes, &mut self.sums);
        }
    }

    /// What the network thinks of the board with this colour to move.
    #[must_use]
    pub fn opinion(&self, color: Color) -> Opinion<'_> {
        let head = &self.network.heads[color.index()];
        let outputs = outputs(self.set, head, self.cells.threats(color), &self.sums);
        Opinion { boards: self, color, outputs }
    }
}

/// What a network thinks of a board.
pub struct Opinion<'a> {
    boards: &'a NetworkBoards,
    color: Color,
    outputs: Outputs,
}

impl Opinion<'_> {
    /// As [`super::NetworkState::value`].
    #[must_use]
    pub fn value(&self) -> i32 {
        let share = self.boards.network.heads[self.color.index()].table_share;
        self.boards.cells.board_value(self.color) * share / TABLE_UNIT + points(self.outputs.value)
    }

    /// As [`super::NetworkState::draw_odds`].
    #[must_use]
    pub fn draw_odds(&self) -> f32 {
        let head = &self.boards.network.heads[self.color.index()];
        head.draw_bias.wrapping_add(dot(&self.outputs.second, &head.draw)) as f32 / OUTPUT_UNIT as f32
    }

    /// Calls `each` with every one of these moves, in order, and with its [`Policy::points`].
    #[inline]
    pub fn policy(&self, moves: Bitboard, mut each: impl FnMut(Point, i32)) {
        let NetworkBoards { network, cells, .. } = self.boards;
        let head = &network.heads[self.color.index()];
        let policy = Policy::new(policy_weights(head, &self.outputs.first), network, self.color);
        moves.for_each_bit(|bit| {
            each(Bitboard::point_of(bit), policy.points_of(cells.values(), cells.groups_at_bit(bit)));
        });
    }
}
