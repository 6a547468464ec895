//! From a position to what a network is shown of it, and what should come out.

use std::sync::Arc;

use crate::batch::stones_of;
use crate::board::Stones;
use crate::eval::{CellMap, CellValues, ValueTable};
use crate::lab::extract::{candidates, is_valued};
use crate::lab::{BadRow, Sample, SampleBytes, SampleRow, logistic};
use crate::network::POINTS;
use crate::types::Color;

/// What a network is asked to learn from positions.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The share of the game's result in the wanted value, from 0 to 1; the rest is the score of the search.
    pub result_share: f32,
    /// What one unit of the logistic scale is in a score of the search, in points.
    pub score_scale: f32,
    /// The weight of the policy's loss beside that of the value.
    pub policy_weight: f32,
    /// The weight of the loss of the chance of a draw beside that of the value.
    pub draw_weight: f32,
}

/// A number of slots for pairs of groups that is several times the number of cells.
const SLOTS: usize = 1024;

/// A position as a network sees it. The memory is used again for the next one.
pub(super) struct Example {
    /// The index of the colour that is to move: 0 black, 1 white.
    pub side: usize,
    /// What the side to move and its opponent could do next, as the number that `CellMap::threats` gives.
    pub threats: usize,
    /// The value of the table, on the logistic scale.
    pub table: f32,
    /// The share of games that the side to move should win, from 0 to 1.
    pub target: f32,
    /// 1 if the side to move won, 0 if it lost, one half in a draw; nothing if the game does not tell.
    pub result: Option<f32>,
    /// The pairs of groups that the cells have, each once.
    pub groups: Vec<[u16; 2]>,
    /// The number of cells with each of the pairs of `groups`.
    pub counts: Vec<f32>,
    /// The moves to choose from: the place of the cell's pair in `groups`, and what the table's order says of the
    /// move, on the logistic scale.
    pub candidates: Vec<(u16, f32)>,
    /// The place of the move of the search among the `candidates`; nothing if the move is not there.
    pub best: Option<usize>,
    /// Key: hash of a pair; value: its place in `groups` plus 1, or 0.
    slots: Box<[u16; SLOTS]>,
    used: Vec<usize>,
    cells: CellMap,
}

impl Example {
    pub(super) fn new() -> Example {
        let values = Arc::new(CellValues::from_table(&ValueTable::fitted()));
        Example {
            side: 0,
            threats: 0,
            table: 0.0,
            target: 0.0,
            result: None,
            groups: Vec::new(),
            counts: Vec::new(),
            candidates: Vec::new(),
            best: None,
            slots: Box::new([0; SLOTS]),
            used: Vec::new(),
            cells: CellMap::new(&Stones::EMPTY, values),
        }
    }

    /// Becomes the example of a row; false if the engine would not ask for the value of the position.
    pub(super) fn read(&mut self, row: &SampleBytes, lesson: &Lesson) -> Result<bool, BadRow> {
        let position = Sample::decode(row)?;
        self.cells.reset(&position.stones);
        if !is_valued(&position, &self.cells) {
            return Ok(false);
        }
        let turn = position.turn;
        self.side = turn.index();
        self.threats = self.cells.threats(turn);
        self.table = self.cells.board_value(turn) as f32 / POINTS as f32;
        let chance = logistic(f64::from(position.score as f32 / lesson.score_scale)) as f32;
        self.result = (!position.score_only).then(|| f32::from(position.result + 1) / 2.0);
        self.target = self
            .result
            .map_or(chance, |result| lesson.result_share * result + (1.0 - lesson.result_share) * chance);
        self.list_cells();
        self.list_candidates(&position);
        Ok(true)
    }

    fn list_cells(&mut self) {
        for slot in self.used.drain(..) {
            self.slots[slot] = 0;
        }
        self.groups.clear();
        self.counts.clear();
        for groups in self.cells.cell_groups() {
            let slot = find(&self.slots, &self.groups, groups);
            if self.slots[slot] == 0 {
                self.groups.push(groups);
                self.counts.push(0.0);
                self.slots[slot] = self.groups.len() as u16;
                self.used.push(slot);
            }
            self.counts[usize::from(self.slots[slot]) - 1] += 1.0;
        }
    }

    fn list_candidates(&mut self, position: &Sample) {
        self.candidates.clear();
        self.best = None;
        let (own, other) = (position.turn, position.turn.opponent());
        for point in candidates(position).points() {
            if point == position.best {
                self.best = Some(self.candidates.len());
            }
            let slot = find(&self.slots, &self.groups, self.cells.groups_at(point));
            let order = i32::from(self.cells.value(own, point).attack)
                + i32::from(self.cells.value(other, point).defence);
            self.candidates.push((self.slots[slot] - 1, order as f32 / POINTS as f32));
        }
    }
}

/// The slot of a pair, or the free one where it belongs.
fn find(slots: &[u16; SLOTS], known: &[[u16; 2]], groups: [u16; 2]) -> usize {
    let key = u32::from(groups[0]) << 12 ^ u32::from(groups[1]);
    let mut slot = (key.wrapping_mul(0x9e37_79b1) >> 22) as usize % SLOTS;
    while slots[slot] != 0 && known[usize::from(slots[slot]) - 1] != groups {
        slot = (slot + 1) % SLOTS;
    }
    slot
}

/// Key: row; value: a number that all games from the same opening, and from an image of it, have in common: games
/// of one opening must not be learnt from and compared with at once. The opening of a game is its first row; the
/// rows of a game follow each other.
pub fn opening_keys(rows: &[SampleBytes]) -> Result<Vec<u64>, (usize, BadRow)> {
    let mut keys = Vec::with_capacity(rows.len());
    let mut last: Option<(u32, u64)> = None;
    for (i, bytes) in rows.iter().enumerate() {
        let row = SampleRow::decode(bytes);
        if last.is_none_or(|(game, _)| game != row.game) {
            let stones = stones_of(&row.board.0.map(|code| code as i8)).map_err(|error| (i, error.into()))?;
            last = Some((row.game, stones.symmetric_key(Color::Black).0));
        }
        keys.extend(last.map(|(_, key)| key));
    }
    Ok(keys)
}
