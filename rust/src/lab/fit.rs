//! A table of values fitted to positions.

use super::columns::FitPart;
use super::crew::{Crew, Halt};
use super::descent::{Examples, Fitted, Losses, Stopping, Sums, Task, total};
use super::extract::extract;
use super::order_fit::OrderExamples;
use super::rounding::round;
use super::sample::SampleBytes;
use crate::eval::ValueTable;

/// How a table is fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// The share of the game's result in the target, from 0 to 1; the rest is the score of the search.
    pub result_share: f64,
    /// The points of score that are one unit of the logistic scale.
    pub scale: f64,
    /// How strongly parameters are pulled to those of the start: half of this times the square of the distance,
    /// in units of the scale, is added to the loss, which is a sum over all positions.
    pub pull: f64,
    /// The share of the games that is not learnt from, from 0 to 1.
    pub validation: f64,
    /// When the descent ends.
    pub stopping: Stopping,
    /// Fit the columns that order the moves, too?
    pub order: bool,
    /// Decides which games are not learnt from.
    pub seed: u64,
}

/// How one part of a table was fitted.
#[derive(Clone, Debug)]
pub struct FitReport {
    /// The losses at the start and after every step.
    pub losses: Vec<Losses>,
    /// The step that was taken: the one with the lowest loss of the games that are not learnt from.
    pub best: usize,
    /// The losses of the table with its whole numbers.
    pub rounded: Losses,
    /// The points of score that are one unit of the logistic scale.
    pub scale: f64,
    /// Was the fit told to stop?
    pub is_stopped: bool,
}

/// A table and how well it fits.
#[derive(Clone, Debug)]
pub struct TableFit {
    /// The table that was fitted.
    pub table: ValueTable,
    /// The fit of the board value.
    pub board: FitReport,
    /// The fit of the order of moves, if it was asked for and began.
    pub order: Option<FitReport>,
    /// The numbers of positions that were learnt from, that were compared with, and that were left out.
    pub positions: [usize; 3],
}

/// Fits a table to positions, each with its weight (1 if there are no weights). `report` hears of the losses
/// after every step. Told to stop, it returns what it has, once the positions are read.
pub fn fit_table(
    rows: &[SampleBytes],
    weights: &[f32],
    start: &ValueTable,
    options: &FitOptions,
    crew: &mut Crew<'_>,
    report: &mut dyn FnMut(FitPart, usize, Losses),
) -> Result<TableFit, Halt> {
    let mut examples = extract(rows, weights, start, options, crew)?;
    let positions = examples.positions;
    let fit = Fit { part: FitPart::Board, scale: options.scale, options };
    let (table, board) = fit.run(&examples.board, start, crew, report)?;
    let mut result = TableFit { table, board, order: None, positions };
    if !options.order || result.board.is_stopped {
        return Ok(result);
    }
    examples.board = [Vec::new(), Vec::new()];
    let order = order_scale(&examples.order[0], start, options.scale, crew).and_then(|scale| {
        let fit = Fit { part: FitPart::Order, scale, options };
        fit.run(&examples.order, &result.table, crew, report)
    });
    match order {
        Ok((table, order)) => (result.table, result.order) = (table, Some(order)),
        Err(Halt::Stopped) => result.board.is_stopped = true,
        Err(halt) => return Err(halt),
    }
    Ok(result)
}

/// The fit of one part.
struct Fit<'a> {
    part: FitPart,
    scale: f64,
    options: &'a FitOptions,
}

impl Fit<'_> {
    fn run<E: Examples>(
        &self,
        [train, validation]: &[Vec<E>; 2],
        table: &ValueTable,
        crew: &mut Crew<'_>,
        report: &mut dyn FnMut(FitPart, usize, Losses),
    ) -> Result<(ValueTable, FitReport), Halt> {
        let start = self.part.parameters(table, self.scale);
        let FitOptions { pull, stopping, .. } = *self.options;
        let task = Task { train, validation, start: &start, fixed: &[], anchor: &start, pull, stopping };
        let fitted = task.minimize(crew, &mut |step, losses| report(self.part, step, losses))?;
        let mut is_stopped = fitted.is_stopped;
        let rounded = round(&task, &fitted.parameters, self.scale, crew).and_then(|rounded| {
            let losses = task.losses(&rounded, crew)?;
            Ok((rounded, losses))
        });
        let (rounded, losses) = match rounded {
            Ok(found) => found,
            Err(Halt::Stopped) => {
                is_stopped = true;
                (fitted.parameters, fitted.losses[fitted.best])
            }
            Err(halt) => return Err(halt),
        };
        let table = self.part.put(table, &rounded, self.scale);
        let Fitted { losses: steps, best, .. } = fitted;
        Ok((table, FitReport { losses: steps, best, rounded: losses, scale: self.scale, is_stopped }))
    }
}

/// The number of parts of the examples with which the scale is looked for.
const SCALE_PARTS: usize = 8;
/// The least scale that is tried, in points of score.
const LEAST_SCALE: f64 = 10.0;
/// The greatest scale that is tried, in points of score.
const MOST_SCALE: f64 = 10_000.0;
/// The number of steps in which the scale is looked for.
const SCALE_STEPS: usize = 24;

/// The scale with which the numbers of a table tell best which moves are chosen. Other parts of the engine
/// count on what these numbers mean, so a new table keeps it. `blank` if all of them are 0.
fn order_scale(
    train: &[OrderExamples],
    table: &ValueTable,
    blank: f64,
    crew: &mut Crew<'_>,
) -> Result<f64, Halt> {
    if FitPart::Order.parameters(table, 1.0).iter().all(|&number| number == 0.0) {
        return Ok(blank);
    }
    let parts = &train[..train.len().min(SCALE_PARTS)];
    let mut loss = |logarithm: f64| {
        let parameters = FitPart::Order.parameters(table, logarithm.exp());
        total(parts, &parameters, &Sums::loss_only(), crew).map(|sums| sums.mean())
    };
    // The loss is convex in the inverse of the scale, so it has one valley: golden section.
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (LEAST_SCALE.ln(), MOST_SCALE.ln());
    let (mut left, mut right) = (high - golden * (high - low), low + golden * (high - low));
    let (mut at_left, mut at_right) = (loss(left)?, loss(right)?);
    for _ in 0..SCALE_STEPS {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = loss(left)?;
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = loss(right)?;
        }
    }
    Ok(((low + high) / 2.0).exp())
}
