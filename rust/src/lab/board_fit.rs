//! The value of a board as a regression: what it is made of, counted once and kept short.

use super::descent::{Examples, Sums};
use crate::eval::{CODE_GROUPS, CellMap, THREAT_STATES};
use crate::types::{BOARD_POINTS, Color, Point};

/// Parameters, in units of the logistic scale: black's shares by group, white's shares, what threats are worth with black to move, with white;
/// filled up to a power of two, so that no bound need be checked.
pub const BOARD_PARAMETERS: usize = (2 * CODE_GROUPS + 2 * THREAT_STATES).next_power_of_two();

/// The group of a cell without room for any five. Stones count as such cells, too.
const DEAD_GROUP: usize = 0;

/// The parameter of a share of the board.
#[must_use]
pub const fn share_parameter(color: Color, group: usize) -> usize {
    color.index() * CODE_GROUPS + group
}

/// The parameter of a state of threats with this side to move.
#[must_use]
pub const fn threat_parameter(color: Color, state: usize) -> usize {
    2 * CODE_GROUPS + color.index() * THREAT_STATES + state
}

/// Positions and what their values should be: for each the groups of its cells and how often there is each,
/// three bytes a group.
#[derive(Clone, Debug, Default)]
pub struct BoardExamples {
    rows: Vec<Row>,
    /// For every row first the parameters of black's shares, then those of white's.
    parameters: Vec<u16>,
    /// How many cells have the group of each of the parameters.
    counts: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where black's groups, and where white's end in the lists.
    ends: [u32; 2],
    /// Dead cells of each colour.
    dead: [u8; 2],
    turn: Color,
    threats: u16,
    target: f32,
    weight: f32,
}

impl BoardExamples {
    /// Adds a position whose side to move should win with probability `target`.
    pub fn push(&mut self, cells: &CellMap, turn: Color, target: f64, weight: f64) {
        let mut row = Row {
            ends: [0; 2],
            dead: [0; 2],
            turn,
            threats: cells.threats(turn) as u16,
            target: target as f32,
            weight: weight as f32,
        };
        for color in Color::ALL {
            let mut groups = [0_u16; BOARD_POINTS];
            for (group, point) in groups.iter_mut().zip(Point::all()) {
                *group = cells.code_group(color, point) as u16;
            }
            groups.sort_unstable();
            for same in groups.chunk_by(|a, b| a == b) {
                let (group, count) = (usize::from(same[0]), same.len() as u8);
                if group == DEAD_GROUP {
                    row.dead[color.index()] = count;
                } else {
                    self.parameters.push(share_parameter(color, group) as u16);
                    self.counts.push(count);
                }
            }
            row.ends[color.index()] = self.parameters.len() as u32;
        }
        self.rows.push(row);
    }

    /// The number of examples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Is there no example?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The values of all positions for their sides to move.
    #[must_use]
    pub fn values(&self, parameters: &[f64]) -> Vec<f64> {
        let mut values = Vec::new();
        self.each(parameters, |_, _, value| values.push(value));
        values
    }

    /// Calls `found` with every row, where its groups begin, and its value.
    fn each(&self, parameters: &[f64], mut found: impl FnMut(&Row, usize, f64)) {
        let parameters: &[f64; BOARD_PARAMETERS] = parameters.try_into().expect("as many as there are");
        let mut start = 0;
        for row in &self.rows {
            let [middle, end] = row.ends.map(|end| end as usize);
            let sum = |from: usize, to: usize| -> f64 {
                let pairs = self.parameters[from..to].iter().zip(&self.counts[from..to]);
                pairs.map(|(&i, &count)| parameters[place(i)] * f64::from(count)).sum()
            };
            let dead = |color: Color| {
                f64::from(row.dead[color.index()]) * parameters[share_parameter(color, DEAD_GROUP)]
            };
            let black = sum(start, middle) + dead(Color::Black) - sum(middle, end) - dead(Color::White);
            let threats = parameters[threat_parameter(row.turn, row.threats.into())];
            found(row, start, if row.turn == Color::Black { black } else { -black } + threats);
            start = end;
        }
    }
}

/// A parameter's place, which needs no check.
#[inline(always)]
fn place(parameter: u16) -> usize {
    usize::from(parameter) % BOARD_PARAMETERS
}

impl Examples for BoardExamples {
    /// The logistic loss. What a dead cell is worth never changes: with the stones that count as dead it
    /// would be a matter of how full the board is.
    fn add(&self, parameters: &[f64], sums: &mut Sums) {
        let Sums { loss, weight, gradient, curvature } = sums;
        let mut gradient: Option<&mut [f64; BOARD_PARAMETERS]> = gradient.as_deref_mut().map(whole);
        let mut curvature: Option<&mut [f64; BOARD_PARAMETERS]> = curvature.as_deref_mut().map(whole);
        self.each(parameters, |row, start, x| {
            let (target, row_weight) = (f64::from(row.target), f64::from(row.weight));
            // The logarithm of 1 + exp(x), without overflow.
            let soft = x.max(0.0) + (-x.abs()).exp().ln_1p();
            *loss += row_weight * (soft - target * x);
            *weight += row_weight;
            let chance = logistic(x);
            let slope = row_weight * (chance - target);
            let [middle, end] = row.ends.map(|end| end as usize);
            let threats = threat_parameter(row.turn, row.threats.into());
            if let Some(gradient) = &mut gradient {
                let black = if row.turn == Color::Black { slope } else { -slope };
                for (side, slope) in [(start..middle, black), (middle..end, -black)] {
                    for (&i, &count) in self.parameters[side.clone()].iter().zip(&self.counts[side]) {
                        gradient[place(i)] += slope * f64::from(count);
                    }
                }
                gradient[threats] += slope;
            }
            if let Some(curvature) = &mut curvature {
                let bend = row_weight * chance * (1.0 - chance);
                for (&i, &count) in self.parameters[start..end].iter().zip(&self.counts[start..end]) {
                    curvature[place(i)] += bend * f64::from(count) * f64::from(count);
                }
                curvature[threats] += bend;
            }
        });
    }
}

fn whole(sums: &mut [f64]) -> &mut [f64; BOARD_PARAMETERS] {
    sums.try_into().expect("as many as there are")
}

/// The chance of winning for a value in units of the logistic scale.
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
