use std::sync::Arc;

use super::kernel::{
    Inputs, MOST_CHANGES, Sums, add_cell, add_changes, dot, outputs, policy, policy_weights,
};
use super::weights::{Head, Network, OUTPUT_UNIT, POINTS, TABLE_UNIT, WIDTH};
use crate::eval::{CellMap, CellValues};
use crate::rules::InstructionSet;
use crate::types::{Color, Point};

/// The sums of a position.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The number of stones, of those that can be taken back, that were on the board.
    depth: usize,
    sums: Sums,
}

/// The sums of a network under play and undo. They are brought up to date only when a value is asked for: most
/// stones of a search are taken back before.
#[derive(Clone, Debug)]
pub struct NetworkState {
    network: Arc<Network>,
    set: InstructionSet,
    /// The positions on the way to the present one whose sums are known, the first never leaves.
    levels: Vec<Level>,
}

impl NetworkState {
    /// The state of the position of a map.
    #[must_use]
    pub fn new(network: Arc<Network>, cells: &CellMap) -> NetworkState {
        NetworkState::with_instructions(InstructionSet::best(), network, cells)
    }

    /// The state of the position of a map, with given instructions.
    ///
    /// # Panics
    /// If the CPU has no such instructions.
    #[must_use]
    pub fn with_instructions(set: InstructionSet, network: Arc<Network>, cells: &CellMap) -> NetworkState {
        assert!(InstructionSet::available().contains(&set), "{set:?} is not there");
        let mut state = NetworkState { network, set, levels: Vec::new() };
        state.reset(cells);
        state
    }

    /// The network whose sums they are.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Becomes the state of the position of a map.
    pub fn reset(&mut self, cells: &CellMap) {
        let mut sums = Sums([0; WIDTH]);
        let vectors = self.network.vectors();
        for groups in cells.cell_groups() {
            add_cell(vectors, groups, &mut sums);
        }
        self.levels.clear();
        self.levels.push(Level { depth: cells.depth(), sums });
    }

    /// To be called after every stone that the map took back.
    #[inline]
    pub fn undo(&mut self, cells: &CellMap) {
        if self.levels[self.levels.len() - 1].depth > cells.depth() {
            self.levels.pop();
        }
    }

    /// What the position of the map is worth to this colour, to move, in points of score.
    #[inline]
    pub fn value(&mut self, cells: &CellMap, color: Color) -> i32 {
        self.table_points(cells, color) + self.network_points(cells, color)
    }

    /// The share of the value that comes from the table, in points of score.
    #[must_use]
    #[inline]
    pub fn table_points(&self, cells: &CellMap, color: Color) -> i32 {
        cells.board_value(color) * self.head(color).table_share / TABLE_UNIT
    }

    /// The share of the value that comes from the network, in points of score.
    #[inline]
    pub fn network_points(&mut self, cells: &CellMap, color: Color) -> i32 {
        let sums = self.sums(cells);
        points(outputs(self.set, self.head(color), cells.threats(color), &sums).value)
    }

    /// The logarithm of the odds that the game is drawn, with this colour to move.
    pub fn draw_odds(&mut self, cells: &CellMap, color: Color) -> f32 {
        let sums = self.sums(cells);
        let head = self.head(color);
        let second = outputs(self.set, head, cells.threats(color), &sums).second;
        head.draw_bias.wrapping_add(dot(&second, &head.draw)) as f32 / OUTPUT_UNIT as f32
    }

    /// What the network thinks of the moves of this colour.
    pub fn policy(&mut self, cells: &CellMap, color: Color) -> Policy<'_> {
        let sums = self.sums(cells);
        let head = self.head(color);
        let first = outputs(self.set, head, cells.threats(color), &sums).first;
        Policy::new(policy_weights(head, &first), &self.network, color)
    }

    #[inline(always)]
    fn head(&self, color: Color) -> &Head {
        &self.network.heads[color.index()]
    }

    #[inline]
    fn sums(&mut self, cells: &CellMap) -> Sums {
        let mut level = self.levels[self.levels.len() - 1];
        if level.depth == cells.depth() {
            return level.sums;
        }
        let vectors = self.network.vectors();
        let set = self.set;
        let mut changes = [[[0; 2]; 2]; MOST_CHANGES];
        let mut count = 0;
        cells.changes_since(level.depth, |change| {
            changes[count] = change;
            count += 1;
            if count == MOST_CHANGES {
                add_changes(set, vectors, &changes, &mut level.sums);
                count = 0;
            }
        });
        add_changes(set, vectors, &changes[..count], &mut level.sums);
        level.depth = cells.depth();
        self.levels.push(level);
        level.sums
    }

    /// Compares the sums with those worked out from the cells; names the first that differs.
    pub fn check(&mut self, cells: &CellMap) -> Result<(), String> {
        let sums = self.sums(cells);
        let mut fresh = Sums([0; WIDTH]);
        for groups in cells.cell_groups() {
            add_cell(self.network.vectors(), groups, &mut fresh);
        }
        match (0..WIDTH).find(|&i| sums.0[i] != fresh.0[i]) {
            Some(i) => Err(format!("sum {i} is {}, not {}", sums.0[i], fresh.0[i])),
            None => Ok(()),
        }
    }
}

/// What the network thinks of the moves of a position.
pub struct Policy<'a> {
    weights: Inputs,
    network: &'a Network,
    color: Color,
}

impl<'a> Policy<'a> {
    pub(super) fn new(weights: Inputs, network: &'a Network, color: Color) -> Policy<'a> {
        Policy { weights, network, color }
    }

    /// What speaks for a move, in points of score: the more, the likelier is it the best. Only differences between
    /// moves of one position mean something.
    #[must_use]
    #[inline]
    pub fn points(&self, cells: &CellMap, point: Point) -> i32 {
        self.points_of(cells.values(), cells.groups_at(point))
    }

    /// What speaks for a move to a cell with these groups.
    #[inline]
    pub(super) fn points_of(&self, values: &CellValues, groups: [u16; 2]) -> i32 {
        let [own, other] = [self.color, self.color.opponent()];
        let order = i32::from(values.of_group(own, groups[own.index()]).attack)
            + i32::from(values.of_group(other, groups[other.index()]).defence);
        let share = self.network.heads[self.color.index()].order_share;
        order * share / TABLE_UNIT + points(policy(self.network.vectors(), groups, &self.weights))
    }
}

/// What an output is in points of score.
#[inline(always)]
pub(super) fn points(output: i32) -> i32 {
    (i64::from(output) * i64::from(POINTS) / i64::from(OUTPUT_UNIT)) as i32
}
