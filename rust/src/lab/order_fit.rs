//! The order of moves as a regression: which of all candidates the search chose.

use super::descent::{Examples, Sums};
use crate::eval::{CODE_GROUPS, CellMap};
use crate::types::{Bitboard, Color, Point};

/// Parameters, in units of the logistic scale: what cells are worth to an attacker by group, for black's codes and for white's, then to a
/// defender; filled up to a power of two.
pub const ORDER_PARAMETERS: usize = (4 * CODE_GROUPS).next_power_of_two();

/// The parameter of what a cell is worth to a stone of this colour.
#[must_use]
pub const fn attack_parameter(color: Color, group: usize) -> usize {
    color.index() * CODE_GROUPS + group
}

/// The parameter of what it is worth to keep this colour off a cell.
#[must_use]
pub const fn defence_parameter(color: Color, group: usize) -> usize {
    (2 + color.index()) * CODE_GROUPS + group
}

/// Positions, their candidates, and which of these was chosen.
#[derive(Clone, Debug, Default)]
pub struct OrderExamples {
    rows: Vec<Row>,
    /// Two parameters for each candidate.
    candidates: Vec<[u16; 2]>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where the candidates of the position end in the list.
    end: u32,
    /// The place of the candidate that was chosen among those of the position.
    chosen: u16,
    weight: f32,
}

impl OrderExamples {
    /// Adds a position in which this side, to move, chose this move among these. One that is not among them
    /// tells nothing.
    pub fn push(&mut self, cells: &CellMap, turn: Color, best: Point, among: Bitboard, weight: f64) {
        let Some(chosen) = among.points().position(|point| point == best) else { return };
        let other = turn.opponent();
        self.candidates.extend(among.points().map(|point| {
            let attack = attack_parameter(turn, cells.code_group(turn, point));
            let defence = defence_parameter(other, cells.code_group(other, point));
            [attack as u16, defence as u16]
        }));
        let end = self.candidates.len() as u32;
        self.rows.push(Row { end, chosen: chosen as u16, weight: weight as f32 });
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
}

impl Examples for OrderExamples {
    /// The logarithm of the chance of the move that was chosen, where chances go with the exponentials of
    /// the keys.
    fn add(&self, parameters: &[f64], sums: &mut Sums) {
        let parameters: &[f64; ORDER_PARAMETERS] = parameters.try_into().expect("as many as there are");
        let Sums { loss, weight, gradient, curvature } = sums;
        let mut gradient: Option<&mut [f64; ORDER_PARAMETERS]> = gradient.as_deref_mut().map(whole);
        let mut curvature: Option<&mut [f64; ORDER_PARAMETERS]> = curvature.as_deref_mut().map(whole);
        let (mut start, mut chances) = (0, Vec::new());
        for row in &self.rows {
            let candidates = &self.candidates[start..row.end as usize];
            start = row.end as usize;
            chances.clear();
            chances.extend(candidates.iter().map(|&[a, b]| parameters[place(a)] + parameters[place(b)]));
            let chosen = usize::from(row.chosen);
            let (highest, key) = (chances.iter().copied().fold(f64::MIN, f64::max), chances[chosen]);
            chances.iter_mut().for_each(|chance| *chance = (*chance - highest).exp());
            let sum: f64 = chances.iter().sum();
            let row_weight = f64::from(row.weight);
            *loss += row_weight * (sum.ln() + highest - key);
            *weight += row_weight;
            chances.iter_mut().for_each(|chance| *chance /= sum);
            if let Some(gradient) = &mut gradient {
                for (i, (pair, chance)) in candidates.iter().zip(&chances).enumerate() {
                    let is_chosen = if i == chosen { 1.0 } else { 0.0 };
                    let slope = row_weight * (chance - is_chosen);
                    pair.iter().for_each(|&parameter| gradient[place(parameter)] += slope);
                }
            }
            if let Some(curvature) = &mut curvature {
                for (pair, chance) in candidates.iter().zip(&chances) {
                    let bend = row_weight * chance * (1.0 - chance);
                    pair.iter().for_each(|&parameter| curvature[place(parameter)] += bend);
                }
            }
        }
    }
}

/// A parameter's place, which needs no check.
#[inline(always)]
fn place(parameter: u16) -> usize {
    usize::from(parameter) % ORDER_PARAMETERS
}

fn whole(sums: &mut [f64]) -> &mut [f64; ORDER_PARAMETERS] {
    sums.try_into().expect("as many as there are")
}
