//! The sums of a network and the layers behind them, by the instructions that the CPU has. Whole numbers that never run
//! over: all instructions give the same answers.

#[cfg(target_arch = "x86_64")]
use super::vectors::{avx2, sse2};
use super::weights::{
    CONTEXT_SHIFT, CellVectors, FIRST_SHIFT, Head, INPUT_SHIFT, Layer, MOST_LAYER, PLACES, SECOND_SHIFT,
    WIDTH,
};
use crate::eval::{GroupChange, THREAT_STATES};
use crate::rules::InstructionSet;

/// The sums over all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Sums(pub [i32; WIDTH]);

/// The numbers that go into a layer.
pub(super) type Inputs = [i16; WIDTH];

/// The greatest number of changed cells whose differences fit into 16 bits: twice
/// [`super::weights::MOST_CELL`] for each.
pub(super) const MOST_CHANGES: usize = 63;

/// What the layers make of the sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outputs {
    /// The first layer, which the policy asks for.
    pub first: Inputs,
    /// The value in parts of [`super::weights::OUTPUT_UNIT`].
    pub value: i32,
    /// The second layer, which the chance of a draw asks for.
    pub second: Inputs,
}

/// Adds to the sums what these cells, at most [`MOST_CHANGES`], have more than before.
#[inline]
pub(super) fn add_changes(
    set: InstructionSet,
    cells: [&CellVectors; 2],
    changes: &[GroupChange],
    sums: &mut Sums,
) {
    match set {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a state holds this set only if the CPU has it.
        InstructionSet::Avx2 => unsafe { avx2::add_changes(cells, changes, sums) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 CPU has it.
        InstructionSet::Sse2 => unsafe { sse2::add_changes(cells, changes, sums) },
        InstructionSet::Scalar => add_changes_anywhere(cells, changes, sums),
    }
}

/// Adds one whole cell.
pub(super) fn add_cell(cells: [&CellVectors; 2], groups: [u16; 2], sums: &mut Sums) {
    for (sum, number) in sums.0.iter_mut().zip(cell(cells, groups)) {
        *sum += i32::from(number);
    }
}

/// What the layers make of the sums in a state of threats.
#[inline]
pub(super) fn outputs(set: InstructionSet, head: &Head, threats: usize, sums: &Sums) -> Outputs {
    match set {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a state holds this set only if the CPU has it.
        InstructionSet::Avx2 => unsafe { avx2::outputs(head, threats, sums) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 CPU has it.
        InstructionSet::Sse2 => unsafe { sse2::outputs(head, threats, sums) },
        InstructionSet::Scalar => outputs_by(products, head, threats, sums),
    }
}

/// The weights of a cell's numbers in the policy, given the first layer.
#[inline]
pub(super) fn policy_weights(head: &Head, first: &Inputs) -> Inputs {
    let added = products(&head.context, first, &[0; WIDTH]);
    std::array::from_fn(|i| {
        let weight = i32::from(head.policy[i]) + (added[i] >> CONTEXT_SHIFT);
        weight.clamp(i32::from(-i16::MAX), i32::from(i16::MAX)) as i16
    })
}

/// The policy of a cell with these groups, in parts of [`super::weights::OUTPUT_UNIT`].
#[inline]
pub(super) fn policy(cells: [&CellVectors; 2], groups: [u16; 2], weights: &Inputs) -> i32 {
    dot(&cell(cells, groups), weights)
}

/// The sum of the products of two lists.
#[inline(always)]
pub(super) fn dot(numbers: &Inputs, weights: &[i16; WIDTH]) -> i32 {
    numbers.iter().zip(weights).map(|(&number, &weight)| i32::from(number) * i32::from(weight)).sum()
}

#[inline(always)]
fn cell(cells: [&CellVectors; 2], groups: [u16; 2]) -> Inputs {
    let [black, white] = [0, 1].map(|i| &cells[i][usize::from(groups[i]) % PLACES].0);
    let mut numbers = [0; WIDTH];
    for i in 0..WIDTH {
        numbers[i] = black[i].wrapping_add(white[i]).max(0);
    }
    numbers
}

#[inline(always)]
fn add_changes_anywhere(cells: [&CellVectors; 2], changes: &[GroupChange], sums: &mut Sums) {
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

/// The layers, with the instructions that `products` works out a layer with.
#[inline(always)]
pub(super) fn outputs_by(
    products: impl Fn(&Layer, &Inputs, &[i32; WIDTH]) -> [i32; WIDTH],
    head: &Head,
    threats: usize,
    sums: &Sums,
) -> Outputs {
    let inputs = sums.0.map(|sum| (sum >> INPUT_SHIFT) as i16);
    let first = products(&head.first, &inputs, &head.first_biases[threats % THREAT_STATES]);
    let first = first.map(leaving::<FIRST_SHIFT>);
    let second = products(&head.second, &first, &head.second_biases);
    let second = second.map(leaving::<SECOND_SHIFT>);
    Outputs { first, value: head.value_bias.wrapping_add(dot(&second, &head.value)), second }
}

#[inline(always)]
fn leaving<const SHIFT: u32>(number: i32) -> i16 {
    (number >> SHIFT).clamp(0, MOST_LAYER) as i16
}

#[inline(always)]
fn products(layer: &Layer, inputs: &Inputs, biases: &[i32; WIDTH]) -> [i32; WIDTH] {
    let mut sums = *biases;
    for (weights, pair) in layer.iter().zip(inputs.as_chunks::<2>().0) {
        let [one, other] = pair.map(i32::from);
        for (sum, weight) in sums.iter_mut().zip(weights) {
            let product = one * i32::from(weight[0]) + other * i32::from(weight[1]);
            *sum = sum.wrapping_add(product);
        }
    }
    sums
}
