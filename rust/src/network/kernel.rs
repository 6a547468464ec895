//! The sums of a network: the loops that run for every value, compiled once for every x86-64 CPU and once more for
//! those with AVX2. Whole numbers that never run over: both give the same answers.

use super::weights::{CellVectors, HIDDEN, HIDDEN_SHIFT, Head, INPUT_SHIFT, MOST_HIDDEN, PLACES, WIDTH};
use crate::rules::InstructionSet;

/// The sums over all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Sums(pub [i32; WIDTH]);

/// A cell that changed: the groups of black's and white's codes before and after.
pub(super) type Change = [[u16; 2]; 2];

/// The greatest number of changed cells whose differences fit into 16 bits: twice
/// [`super::weights::MOST_CELL`] for each.
pub(super) const MOST_CHANGES: usize = 63;

/// Adds to the sums what these cells, at most [`MOST_CHANGES`], have more than before.
#[inline]
pub(super) fn add_changes(
    set: InstructionSet,
    cells: [&CellVectors; 2],
    changes: &[Change],
    sums: &mut Sums,
) {
    match set {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a state holds this set only if the CPU has it.
        InstructionSet::Avx2 => unsafe { add_changes_avx2(cells, changes, sums) },
        _ => add_changes_anywhere(cells, changes, sums),
    }
}

/// Adds one whole cell, as many times as it occurs.
pub(super) fn add_cell(cells: [&CellVectors; 2], groups: [u16; 2], sums: &mut Sums) {
    let numbers = cell(cells, groups);
    for (sum, number) in sums.0.iter_mut().zip(numbers) {
        *sum += i32::from(number);
    }
}

/// What the layers make of the sums, in parts of [`super::weights::OUTPUT_UNIT`].
#[inline]
pub(super) fn output(set: InstructionSet, head: &Head, sums: &Sums) -> i32 {
    match set {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a state holds this set only if the CPU has it.
        InstructionSet::Avx2 => unsafe { output_avx2(head, sums) },
        _ => output_anywhere(head, sums),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn add_changes_avx2(cells: [&CellVectors; 2], changes: &[Change], sums: &mut Sums) {
    add_changes_anywhere(cells, changes, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn output_avx2(head: &Head, sums: &Sums) -> i32 {
    output_anywhere(head, sums)
}

#[inline(always)]
fn cell(cells: [&CellVectors; 2], groups: [u16; 2]) -> [i16; WIDTH] {
    let [black, white] = [0, 1].map(|i| &cells[i][usize::from(groups[i]) % PLACES].0);
    let mut numbers = [0; WIDTH];
    for i in 0..WIDTH {
        numbers[i] = black[i].wrapping_add(white[i]).max(0);
    }
    numbers
}

#[inline(always)]
fn add_changes_anywhere(cells: [&CellVectors; 2], changes: &[Change], sums: &mut Sums) {
    debug_assert!(changes.len() <= MOST_CHANGES);
    let mut differences = [0_i16; WIDTH];
    for &[was, is] in changes {
        let (was, is) = (cell(cells, was), cell(cells, is));
        for i in 0..WIDTH {
            differences[i] = differences[i].wrapping_add(is[i].wrapping_sub(was[i]));
        }
    }
    for (sum, difference) in sums.0.iter_mut().zip(differences) {
        *sum = sum.wrapping_add(i32::from(difference));
    }
}

#[inline(always)]
fn output_anywhere(head: &Head, sums: &Sums) -> i32 {
    let mut hidden = head.biases;
    for (pair, weights) in head.weights.iter().enumerate() {
        let [first, second] = [2 * pair, 2 * pair + 1].map(|i| (sums.0[i] >> INPUT_SHIFT) as i16);
        for i in 0..HIDDEN {
            let product =
                i32::from(first) * i32::from(weights[i][0]) + i32::from(second) * i32::from(weights[i][1]);
            hidden[i] = hidden[i].wrapping_add(product);
        }
    }
    let mut total = head.output_bias;
    for (number, output) in hidden.into_iter().zip(head.outputs) {
        let number = (number >> HIDDEN_SHIFT).clamp(0, MOST_HIDDEN);
        total = total.wrapping_add(i32::from(number as i16) * i32::from(output));
    }
    total
}
