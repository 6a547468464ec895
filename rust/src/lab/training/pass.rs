//! One example through the network and back: what comes out, how wrong it is, and how every number should change.

use super::example::{Example, Lesson};
use super::model::{CELLS, HeadPlaces, cells, head, row, rows};
use crate::eval::CODE_GROUPS;
use crate::network::{INPUT_DIVISOR, WIDTH};

/// What the sums over all cells are multiplied by before the first layer.
const INPUT_SCALE: f32 = 1.0 / INPUT_DIVISOR as f32;

/// Numbers that are added up one by one in as many lanes as a CPU has, in an order that does not depend on it.
const LANES: usize = 8;

/// Declares numbers that are added up, and their names.
macro_rules! sums {
    ($(#[$doc:meta])* pub struct $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: f64,)*
        }

        impl $name {
            /// Adds those of other positions.
            pub fn add(&mut self, other: &$name) {
                $(self.$field += other.$field;)*
            }

            /// Every number with its name.
            #[must_use]
            pub fn named(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($field), self.$field)),*]
            }
        }
    };
}

sums! {
    /// What came out for many positions, added up.
    pub struct Measures {
        /// The number of positions.
        positions,
        /// The loss of the value against its target: cross-entropy in natural units, added up.
        value_loss,
        /// The loss of the table alone against the target of the value, added up.
        table_loss,
        /// The number of positions whose game tells of them.
        results,
        /// The loss of the value against the results of games, added up.
        result_loss,
        /// The loss of the table alone against the results of games, added up.
        table_result_loss,
        /// The loss of the chance of a draw, added up over the positions whose game tells of them.
        draw_loss,
        /// The number of positions with a move to learn.
        moves,
        /// The loss of the policy: cross-entropy in natural units, added up.
        policy_loss,
        /// The number of positions whose move comes first by the policy.
        policy_first,
        /// The number of positions whose move is one of the first four by the policy.
        policy_first_four,
        /// The number of positions whose move comes first by the table's order.
        table_first,
        /// The number of positions whose move is one of the first four by the table's order.
        table_first_four,
    }
}

/// The numbers of one example on the way, with memory for the cells.
#[derive(Default)]
pub(super) struct Pass {
    sums: [f32; WIDTH],
    first: [f32; WIDTH],
    second: [f32; WIDTH],
    policy_weights: [f32; WIDTH],
    /// The value on the logistic scale, the table's share included.
    value: f32,
    /// The logarithm of the odds of a draw.
    draw: f32,
    /// Key: pair of groups of the example; value: its numbers.
    cells: Vec<[f32; WIDTH]>,
    /// Key: pair of groups; value: how its numbers should change for the policy's sake.
    cell_slopes: Vec<[f32; WIDTH]>,
    /// Key: candidate; value: its policy, then its chance.
    chances: Vec<f32>,
}

impl Pass {
    /// Works out all that the network says of an example.
    #[inline(always)]
    pub(super) fn forward(&mut self, numbers: &[f32], example: &Example) {
        let vectors = cells(numbers);
        let head = head(numbers, example.side);
        self.cells.clear();
        self.sums = [0.0; WIDTH];
        for (groups, &count) in example.groups.iter().zip(&example.counts) {
            let (black, white) =
                (&vectors[usize::from(groups[0])], &vectors[CODE_GROUPS + usize::from(groups[1])]);
            let mut cell = [0.0; WIDTH];
            for i in 0..WIDTH {
                cell[i] = (black[i] + white[i]).max(0.0);
                self.sums[i] += count * cell[i];
            }
            self.cells.push(cell);
        }
        self.sums = self.sums.map(|sum| INPUT_SCALE * sum);
        let biases = &rows(head, HeadPlaces::FIRST_BIASES)[example.threats];
        self.first = through(rows(head, HeadPlaces::FIRST), &self.sums, biases).map(|n| n.max(0.0));
        let biases = row(head, HeadPlaces::SECOND_BIASES);
        self.second = through(rows(head, HeadPlaces::SECOND), &self.first, biases).map(|n| n.max(0.0));
        self.value = head[HeadPlaces::VALUE_BIAS]
            + head[HeadPlaces::TABLE_SHARE] * example.table
            + dot(row(head, HeadPlaces::VALUE), &self.second);
        self.draw = head[HeadPlaces::DRAW_BIAS] + dot(row(head, HeadPlaces::DRAW), &self.second);
        self.policy_weights =
            through(rows(head, HeadPlaces::CONTEXT), &self.first, row(head, HeadPlaces::POLICY));
        let share = head[HeadPlaces::ORDER_SHARE];
        self.chances.clear();
        for &(place, order) in &example.candidates {
            let policy = dot(&self.policy_weights, &self.cells[usize::from(place)]);
            self.chances.push(share * order + policy);
        }
    }

    /// Adds to the measures how wrong the last example came out. The policies become chances.
    pub(super) fn measure(&mut self, example: &Example, measures: &mut Measures) {
        measures.positions += 1.0;
        measures.value_loss += cross_entropy(self.value, example.target);
        measures.table_loss += cross_entropy(example.table, example.target);
        if let Some(result) = example.result {
            measures.results += 1.0;
            measures.result_loss += cross_entropy(self.value, result);
            measures.table_result_loss += cross_entropy(example.table, result);
            measures.draw_loss += cross_entropy(self.draw, is_draw(result));
        }
        let Some(best) = example.best else { return };
        let own = place_of(best, |i| self.chances[i], self.chances.len());
        let table = place_of(best, |i| example.candidates[i].1, self.chances.len());
        let one_if = |is: bool| f64::from(u8::from(is));
        measures.moves += 1.0;
        measures.policy_first += one_if(own == 0);
        measures.policy_first_four += one_if(own < 4);
        measures.table_first += one_if(table == 0);
        measures.table_first_four += one_if(table < 4);
        self.chances_of_policies();
        measures.policy_loss -= f64::from(self.chances[best].max(1e-12).ln());
    }

    /// Adds to the slopes how the loss of the last example grows with every number. To be called after
    /// [`Pass::measure`].
    #[inline(always)]
    pub(super) fn backward(
        &mut self,
        numbers: &[f32],
        example: &Example,
        lesson: &Lesson,
        slopes: &mut [f32],
    ) {
        let own = head(numbers, example.side);
        let (cell_slopes, heads) = slopes.split_at_mut(CELLS);
        let slopes = &mut heads[example.side * HeadPlaces::LENGTH..][..HeadPlaces::LENGTH];

        // The outputs, ...
        let value = sigmoid(self.value) - example.target;
        let draw =
            example.result.map_or(0.0, |result| lesson.draw_weight * (sigmoid(self.draw) - is_draw(result)));
        slopes[HeadPlaces::VALUE_BIAS] += value;
        slopes[HeadPlaces::DRAW_BIAS] += draw;
        slopes[HeadPlaces::TABLE_SHARE] += value * example.table;
        add(&mut slopes[HeadPlaces::VALUE], value, &self.second);
        add(&mut slopes[HeadPlaces::DRAW], draw, &self.second);
        let (value_weights, draw_weights) = (row(own, HeadPlaces::VALUE), row(own, HeadPlaces::DRAW));
        let mut second = [0.0; WIDTH];
        for i in 0..WIDTH {
            let slope = value * value_weights[i] + draw * draw_weights[i];
            second[i] = if self.second[i] > 0.0 { slope } else { 0.0 };
        }
        // ... the second layer, ...
        add(&mut slopes[HeadPlaces::SECOND_BIASES], 1.0, &second);
        let mut first = [0.0; WIDTH];
        back_through(
            (rows(own, HeadPlaces::SECOND), &mut slopes[HeadPlaces::SECOND]),
            &self.first,
            &second,
            &mut first,
        );
        // ... the policy, ...
        let weights = self.policy_back(example, lesson, slopes);
        add(&mut slopes[HeadPlaces::POLICY], 1.0, &weights);
        back_through(
            (rows(own, HeadPlaces::CONTEXT), &mut slopes[HeadPlaces::CONTEXT]),
            &self.first,
            &weights,
            &mut first,
        );
        // ... the first layer, ...
        for (slope, number) in first.iter_mut().zip(&self.first) {
            *slope = if *number > 0.0 { *slope } else { 0.0 };
        }
        add(&mut slopes[HeadPlaces::FIRST_BIASES][WIDTH * example.threats..][..WIDTH], 1.0, &first);
        let mut sums = [0.0; WIDTH];
        back_through(
            (rows(own, HeadPlaces::FIRST), &mut slopes[HeadPlaces::FIRST]),
            &self.sums,
            &first,
            &mut sums,
        );
        // ... and the cells.
        let cell_slopes = cell_slopes.as_chunks_mut::<WIDTH>().0;
        for (i, (groups, &count)) in example.groups.iter().zip(&example.counts).enumerate() {
            let (numbers, policy) = (&self.cells[i], &self.cell_slopes[i]);
            let mut slope = [0.0; WIDTH];
            for k in 0..WIDTH {
                let all = INPUT_SCALE * count * sums[k] + policy[k];
                slope[k] = if numbers[k] > 0.0 { all } else { 0.0 };
            }
            for place in [usize::from(groups[0]), CODE_GROUPS + usize::from(groups[1])] {
                for (sum, slope) in cell_slopes[place].iter_mut().zip(slope) {
                    *sum += slope;
                }
            }
        }
    }

    /// How the loss of the policy grows with its weights; the cells' share is kept for later.
    #[inline(always)]
    fn policy_back(&mut self, example: &Example, lesson: &Lesson, slopes: &mut [f32]) -> [f32; WIDTH] {
        self.cell_slopes.clear();
        self.cell_slopes.resize(self.cells.len(), [0.0; WIDTH]);
        let mut weights = [0.0; WIDTH];
        let Some(best) = example.best else { return weights };
        for (i, (&chance, &(place, order))) in self.chances.iter().zip(&example.candidates).enumerate() {
            let wanted = if i == best { 1.0 } else { 0.0 };
            let slope = lesson.policy_weight * (chance - wanted);
            slopes[HeadPlaces::ORDER_SHARE] += slope * order;
            let numbers = &self.cells[usize::from(place)];
            let cell = &mut self.cell_slopes[usize::from(place)];
            for k in 0..WIDTH {
                weights[k] += slope * numbers[k];
                cell[k] += slope * self.policy_weights[k];
            }
        }
        weights
    }

    fn chances_of_policies(&mut self) {
        let most = self.chances.iter().copied().fold(f32::MIN, f32::max);
        let mut total = 0.0;
        for chance in &mut self.chances {
            *chance = (*chance - most).exp();
            total += *chance;
        }
        for chance in &mut self.chances {
            *chance /= total;
        }
    }
}

fn is_draw(result: f32) -> f32 {
    if result == 0.5 { 1.0 } else { 0.0 }
}

/// The number of candidates that come before one.
fn place_of(best: usize, worth: impl Fn(usize) -> f32, count: usize) -> usize {
    (0..count).filter(|&i| worth(i) > worth(best) || worth(i) == worth(best) && i < best).count()
}

fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// The loss of a value on the logistic scale against a chance.
fn cross_entropy(value: f32, target: f32) -> f64 {
    let (value, target) = (f64::from(value), f64::from(target));
    value.max(0.0) - value * target + (-value.abs()).exp().ln_1p()
}

/// A layer: `weights` has a row for each input.
#[inline(always)]
fn through(weights: &[[f32; WIDTH]], inputs: &[f32; WIDTH], biases: &[f32; WIDTH]) -> [f32; WIDTH] {
    let mut sums = *biases;
    for (weights, &input) in weights.iter().zip(inputs) {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += input * weight;
        }
    }
    sums
}

/// The slopes of a layer's weights and inputs from those of its outputs.
#[inline(always)]
fn back_through(
    (weights, weight_slopes): (&[[f32; WIDTH]], &mut [f32]),
    inputs: &[f32; WIDTH],
    outputs: &[f32; WIDTH],
    input_slopes: &mut [f32; WIDTH],
) {
    let weight_slopes = weight_slopes.as_chunks_mut::<WIDTH>().0;
    for i in 0..WIDTH {
        input_slopes[i] += dot(&weights[i], outputs);
        for (sum, output) in weight_slopes[i].iter_mut().zip(outputs) {
            *sum += inputs[i] * output;
        }
    }
}

#[inline(always)]
fn add(sums: &mut [f32], factor: f32, numbers: &[f32; WIDTH]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += factor * number;
    }
}

#[inline(always)]
fn dot(one: &[f32; WIDTH], other: &[f32; WIDTH]) -> f32 {
    let mut sums = [0.0; LANES];
    for (one, other) in one.as_chunks::<LANES>().0.iter().zip(other.as_chunks::<LANES>().0) {
        for i in 0..LANES {
            sums[i] += one[i] * other[i];
        }
    }
    sums.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::super::model::{NUMBERS, beginning, folded, shape_places};
    use super::*;
    use crate::board::Stones;
    use crate::lab::Sample;
    use crate::search::Source;
    use crate::types::{Color, Point, Random};

    /// The slopes that are worked out are those that one finds by changing a number a little.
    #[test]
    fn slopes_are_those_of_the_loss() {
        let lesson = Lesson { result_share: 0.5, score_scale: 200.0, policy_weight: 0.3, draw_weight: 0.4 };
        let mut numbers = Vec::new();
        let mut random = Random::new(3);
        let mut parameters = beginning(2);
        for number in &mut parameters {
            *number += (random.below(1_000) as f32 - 500.0) / 4_000.0;
        }
        folded(&parameters, &shape_places(), &mut numbers);
        let (mut example, mut pass) = (Example::new(), Pass::default());
        let (mut checked, mut wrong) = (0, 0);
        for (turn, result) in [(Color::Black, 1), (Color::White, 0)] {
            let mut stones = Stones::EMPTY;
            for (i, at) in [112, 98, 113, 97, 127, 83].into_iter().enumerate() {
                stones.place(Color::ALL[i % 2], Point::from_index(at).expect("a point"));
            }
            let best = Point::from_index(114).expect("a point");
            let (score_only, source) = (false, Source::Search);
            let sample = Sample { stones, turn, score: 120, best, result, score_only, source, game: 0 };
            assert!(example.read(&sample.encode(), &lesson).expect("a position"));
            let mut slopes = vec![0.0; NUMBERS];
            pass.forward(&numbers, &example);
            pass.measure(&example, &mut Measures::default());
            pass.backward(&numbers, &example, &lesson, &mut slopes);
            let mut loss = |numbers: &[f32]| {
                let mut found = Measures::default();
                pass.forward(numbers, &example);
                pass.measure(&example, &mut found);
                found.value_loss
                    + f64::from(lesson.policy_weight) * found.policy_loss
                    + f64::from(lesson.draw_weight) * found.draw_loss
            };
            for i in (0..NUMBERS).filter(|&i| slopes[i].abs() > 2e-3).step_by(7) {
                const STEP: f32 = 4e-3;
                let kept = numbers[i];
                numbers[i] = kept + STEP;
                let above = loss(&numbers);
                numbers[i] = kept - STEP;
                let found = (above - loss(&numbers)) / f64::from(2.0 * STEP);
                numbers[i] = kept;
                checked += 1;
                let slope = f64::from(slopes[i]);
                wrong += usize::from((found - slope).abs() > 0.05 * slope.abs() + 5e-4);
            }
        }
        // Where a number becomes 0 the loss has a kink.
        assert!(checked > 200 && wrong * 50 < checked, "{wrong} of {checked}");
    }
}
