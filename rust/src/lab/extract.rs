//! From positions to examples: which are used, for what, and what should come out.

use std::sync::Arc;

use super::board_fit::{BoardExamples, logistic};
use super::crew::{Crew, Halt};
use super::fit::FitOptions;
use super::order_fit::OrderExamples;
use super::sample::{BadRow, Sample, SampleBytes};
use crate::board::Stones;
use crate::eval::{CellKind, CellMap, CellValues, ValueTable};
use crate::rules::Scan;
use crate::search::{Source, near};
use crate::types::{Bitboard, Color, Random};

/// Positions of a part: sums are added up part by part, so that they do not depend on the threads.
const PART: usize = 8_192;

/// The greatest distance of a candidate from a stone, in cells.
const RADIUS: u32 = 2;

/// Which games are not learnt from is drawn in parts of this.
const PARTS_OF_ONE: usize = 1_000_000;

/// Examples in parts; of each the first list is learnt from, the second is compared with.
#[derive(Default)]
pub(super) struct Extracted {
    /// The examples of the board value: those to learn from, and those to compare with.
    pub board: [Vec<BoardExamples>; 2],
    /// The examples of the order of moves: those to learn from, and those to compare with.
    pub order: [Vec<OrderExamples>; 2],
    /// The numbers of positions that are learnt from, that are compared with, and that are left out.
    pub positions: [usize; 3],
}

/// A part of them.
#[derive(Default)]
struct Part {
    board: [BoardExamples; 2],
    order: [OrderExamples; 2],
    left_out: usize,
}

/// Is a position one that the engine values at a glance?
///
/// It does so only where nothing is forced: no five on either side, which ends the search or leaves one move,
/// and no straight four of the side to move (steps 2 and 3 of `search::alphabeta`, `settled`). Nor where there
/// is a win by fours, which leaves and inner nodes look for by themselves. Positions that are won or lost in
/// other ways count: the leaves must tell them by the value.
#[must_use]
pub fn is_valued(position: &Sample, cells: &CellMap) -> bool {
    let (own, other) = (position.turn, position.turn.opponent());
    cells.count(own, CellKind::Five) == 0
        && cells.count(other, CellKind::Five) == 0
        && cells.count(own, CellKind::OpenFour) == 0
        && position.source != Source::Vcf
}

/// How often the side to move should win.
#[must_use]
pub fn target(position: &Sample, options: &FitOptions) -> f64 {
    let chance = logistic(f64::from(position.score) / options.scale);
    if position.score_only {
        return chance;
    }
    let result = f64::from(position.result + 1) / 2.0;
    options.result_share * result + (1.0 - options.result_share) * chance
}

/// The examples of all positions.
pub(super) fn extract(
    rows: &[SampleBytes],
    weights: &[f32],
    start: &ValueTable,
    options: &FitOptions,
    crew: &mut Crew<'_>,
) -> Result<Extracted, Halt> {
    let values = Arc::new(CellValues::from_table(start));
    let starts: Vec<usize> = (0..rows.len()).step_by(PART).collect();
    let parts = crew.map(&starts, || {
        let mut cells = CellMap::new(&Stones::EMPTY, Arc::clone(&values));
        move |&first: &usize| -> Result<Part, (usize, BadRow)> {
            let mut part = Part::default();
            for (i, row) in rows.iter().enumerate().skip(first).take(PART) {
                let position = Sample::decode(row).map_err(|error| (i, error))?;
                cells.reset(&position.stones);
                part.add(&position, &cells, weights.get(i).copied().unwrap_or(1.0).into(), options);
            }
            Ok(part)
        }
    })?;
    let mut all = Extracted::default();
    for part in parts {
        let Part { board, order, left_out } = part.map_err(|(index, error)| Halt::Bad(index, error))?;
        all.positions[2] += left_out;
        for (i, (board, order)) in board.into_iter().zip(order).enumerate() {
            all.positions[i] += board.len();
            all.board[i].push(board);
            all.order[i].push(order);
        }
    }
    Ok(all)
}

impl Part {
    fn add(&mut self, position: &Sample, cells: &CellMap, weight: f64, options: &FitOptions) {
        if !is_valued(position, cells) || weight <= 0.0 {
            self.left_out += 1;
            return;
        }
        // Not the numbers that made the game: with the same seed they would tell its opening.
        let mut random = Random::part(options.seed, position.game.into()).split();
        let is_compared = (random.below(PARTS_OF_ONE) as f64) < options.validation * PARTS_OF_ONE as f64;
        let place = usize::from(is_compared);
        self.board[place].push(cells, position.turn, target(position, options), weight);
        if options.order {
            self.order[place].push(cells, position.turn, position.best, candidates(position), weight);
        }
    }
}

/// The legal points that a search would try.
pub(super) fn candidates(position: &Sample) -> Bitboard {
    let empty = position.stones.empty();
    let candidates = near(Bitboard::ALL - empty, RADIUS) & empty;
    match position.turn {
        Color::White => candidates,
        Color::Black => candidates - Scan::of(&position.stones).points().all(),
    }
}
