//! The numbers of a network as fractions, all in one list, and where each of them stands.

use std::ops::Range;

use crate::eval::{CODE_GROUPS, Shape, THREAT_STATES, code_groups};
use crate::network::{CELL_UNIT, MOST_CELL, MOST_OUTPUT, MOST_WEIGHT, TABLE_UNIT, WEIGHT_UNIT, WIDTH};
use crate::types::Random;

/// Numbers of the vectors of both colours' groups, black's first.
pub(super) const CELLS: usize = 2 * CODE_GROUPS * WIDTH;

/// Where the numbers of a head stand, counted from its first.
pub(super) struct HeadPlaces;

impl HeadPlaces {
    pub(super) const FIRST: Range<usize> = 0..WIDTH * WIDTH;
    pub(super) const FIRST_BIASES: Range<usize> = after(HeadPlaces::FIRST, THREAT_STATES * WIDTH);
    pub(super) const SECOND: Range<usize> = after(HeadPlaces::FIRST_BIASES, WIDTH * WIDTH);
    pub(super) const SECOND_BIASES: Range<usize> = after(HeadPlaces::SECOND, WIDTH);
    pub(super) const VALUE: Range<usize> = after(HeadPlaces::SECOND_BIASES, WIDTH);
    pub(super) const DRAW: Range<usize> = after(HeadPlaces::VALUE, WIDTH);
    pub(super) const POLICY: Range<usize> = after(HeadPlaces::DRAW, WIDTH);
    pub(super) const CONTEXT: Range<usize> = after(HeadPlaces::POLICY, WIDTH * WIDTH);
    pub(super) const VALUE_BIAS: usize = HeadPlaces::CONTEXT.end;
    pub(super) const DRAW_BIAS: usize = HeadPlaces::VALUE_BIAS + 1;
    pub(super) const TABLE_SHARE: usize = HeadPlaces::DRAW_BIAS + 1;
    pub(super) const ORDER_SHARE: usize = HeadPlaces::TABLE_SHARE + 1;
    pub(super) const LENGTH: usize = HeadPlaces::ORDER_SHARE + 1;
}

const fn after(range: Range<usize>, length: usize) -> Range<usize> {
    range.end..range.end + length
}

/// The numbers of a network.
pub(super) const NUMBERS: usize = CELLS + 2 * HeadPlaces::LENGTH;

/// Numbers of the vectors of both colours' shapes, black's first.
const SHAPES: usize = 2 * Shape::ALL.len() * WIDTH;

/// The number of numbers that are learnt: those of a network, then vectors of shapes. The vector of a group of codes
/// is what is learnt for the group and for each of its four shapes, so that a rare group begins with what its
/// shapes are worth elsewhere.
pub const PARAMETERS: usize = NUMBERS + SHAPES;

/// Rows of a part of the list.
pub(super) type Rows = [[f32; WIDTH]];

/// The vectors of all groups, black's first.
pub(super) fn cells(parameters: &[f32]) -> &Rows {
    parameters[..CELLS].as_chunks().0
}

/// The numbers of the head of a side to move.
pub(super) fn head(parameters: &[f32], side: usize) -> &[f32] {
    &parameters[CELLS + side * HeadPlaces::LENGTH..][..HeadPlaces::LENGTH]
}

/// The rows of a part of a head.
pub(super) fn rows(head: &[f32], part: Range<usize>) -> &Rows {
    head[part].as_chunks().0
}

/// One row of a head.
pub(super) fn row(head: &[f32], part: Range<usize>) -> &[f32; WIDTH] {
    head[part].first_chunk().expect("a part is a row")
}

/// Key: group of both colours, black's first; value: where the vectors of its shapes stand among those of all shapes.
pub(super) fn shape_places() -> Vec<[u16; 4]> {
    let of_color =
        |first: usize| code_groups().map(move |shapes| shapes.map(|shape| (first + shape as usize) as u16));
    of_color(0).chain(of_color(Shape::ALL.len())).collect()
}

/// The numbers of the network that these parameters are.
pub(super) fn folded(parameters: &[f32], places: &[[u16; 4]], numbers: &mut Vec<f32>) {
    let shapes: &Rows = parameters[NUMBERS..].as_chunks().0;
    numbers.clear();
    numbers.extend_from_slice(&parameters[..NUMBERS]);
    let most = f32::from(MOST_CELL) / CELL_UNIT as f32;
    for (vector, places) in numbers[..CELLS].as_chunks_mut::<WIDTH>().0.iter_mut().zip(places) {
        for place in places {
            for (number, added) in vector.iter_mut().zip(&shapes[usize::from(*place)]) {
                *number += added;
            }
        }
        for number in vector {
            *number = number.clamp(-most, most);
        }
    }
}

/// Works out the slopes of the vectors of shapes from those of the groups.
pub(super) fn unfold(slopes: &mut [f32], places: &[[u16; 4]]) {
    let (numbers, shapes) = slopes.split_at_mut(NUMBERS);
    let shapes = shapes.as_chunks_mut::<WIDTH>().0;
    for (vector, places) in numbers[..CELLS].as_chunks::<WIDTH>().0.iter().zip(places) {
        for place in places {
            for (sum, slope) in shapes[usize::from(*place)].iter_mut().zip(vector) {
                *sum += slope;
            }
        }
    }
}

/// The numbers to begin with: the table alone, and small random numbers behind outputs that are still 0.
pub(super) fn beginning(seed: u64) -> Vec<f32> {
    let mut random = Random::new(seed);
    let mut parameters = vec![0.0; PARAMETERS];
    fill(&mut parameters[NUMBERS..], 0.15, &mut random);
    for side in 0..2 {
        let head = &mut parameters[CELLS + side * HeadPlaces::LENGTH..][..HeadPlaces::LENGTH];
        fill(&mut head[HeadPlaces::FIRST], 0.15, &mut random);
        fill(&mut head[HeadPlaces::SECOND], 0.25, &mut random);
        head[HeadPlaces::SECOND_BIASES].fill(0.1);
        head[HeadPlaces::TABLE_SHARE] = 1.0;
        head[HeadPlaces::ORDER_SHARE] = 1.0;
        // Most games have a winner.
        head[HeadPlaces::DRAW_BIAS] = -3.0;
    }
    parameters
}

/// Numbers around 0 of this standard deviation.
fn fill(numbers: &mut [f32], deviation: f32, random: &mut Random) {
    for number in numbers {
        // The sum of three numbers between -1 and 1 has variance 1.
        let mut one = || (random.number() >> 40) as f32 / (1_u32 << 23) as f32 - 1.0;
        *number = deviation * (one() + one() + one());
    }
}

/// Brings numbers that would not fit into a file back to the greatest that do.
pub(super) fn clamp(parameters: &mut [f32]) {
    let most_weight = f32::from(MOST_WEIGHT) / WEIGHT_UNIT as f32;
    let most_output = f32::from(MOST_OUTPUT) / WEIGHT_UNIT as f32;
    for head in parameters[CELLS..NUMBERS].chunks_exact_mut(HeadPlaces::LENGTH) {
        for part in [HeadPlaces::FIRST, HeadPlaces::SECOND, HeadPlaces::CONTEXT] {
            within(&mut head[part], most_weight);
        }
        for part in [HeadPlaces::VALUE, HeadPlaces::DRAW, HeadPlaces::POLICY] {
            within(&mut head[part], most_output);
        }
        for share in [HeadPlaces::TABLE_SHARE, HeadPlaces::ORDER_SHARE] {
            head[share] = head[share].clamp(0.0, (TABLE_UNIT / 128) as f32);
        }
    }
}

fn within(numbers: &mut [f32], most: f32) {
    for number in numbers {
        *number = number.clamp(-most, most);
    }
}
