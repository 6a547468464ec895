//! From fractions to the whole numbers of a file, and back.

use super::model::{CELLS, HeadPlaces, PARAMETERS, cells, head, row, rows};
use crate::network::{
    CELL_UNIT, FIRST_UNIT, Head, Layer, Network, OUTPUT_UNIT, SECOND_UNIT, TABLE_UNIT, WEIGHT_UNIT, WIDTH,
};

/// The network of these fractions. They were kept within the bounds of a file.
pub(super) fn network(numbers: &[f32], recipe: String) -> Option<Network> {
    let cells: Vec<[i16; WIDTH]> = cells(numbers).iter().map(|row| shorts(row, CELL_UNIT)).collect();
    Network::new(recipe, &cells, [0, 1].map(|side| whole_head(head(numbers, side))))
}

fn whole_head(head: &[f32]) -> Head {
    let biases = rows(head, HeadPlaces::FIRST_BIASES);
    Head {
        first: layer(rows(head, HeadPlaces::FIRST)),
        first_biases: Box::new(std::array::from_fn(|i| biases[i].map(|bias| rounded(bias, FIRST_UNIT)))),
        second: layer(rows(head, HeadPlaces::SECOND)),
        second_biases: row(head, HeadPlaces::SECOND_BIASES).map(|bias| rounded(bias, SECOND_UNIT)),
        value: shorts(row(head, HeadPlaces::VALUE), WEIGHT_UNIT),
        value_bias: rounded(head[HeadPlaces::VALUE_BIAS], OUTPUT_UNIT),
        draw: shorts(row(head, HeadPlaces::DRAW), WEIGHT_UNIT),
        draw_bias: rounded(head[HeadPlaces::DRAW_BIAS], OUTPUT_UNIT),
        policy: shorts(row(head, HeadPlaces::POLICY), WEIGHT_UNIT),
        context: layer(rows(head, HeadPlaces::CONTEXT)),
        table_share: rounded(head[HeadPlaces::TABLE_SHARE], TABLE_UNIT),
        order_share: rounded(head[HeadPlaces::ORDER_SHARE], TABLE_UNIT),
    }
}

fn layer(rows: &[[f32; WIDTH]]) -> Box<Layer> {
    let weight = |input: usize, output: usize| rounded(rows[input][output], WEIGHT_UNIT) as i16;
    Box::new(std::array::from_fn(|pair| {
        std::array::from_fn(|output| [weight(2 * pair, output), weight(2 * pair + 1, output)])
    }))
}

fn shorts(numbers: &[f32; WIDTH], unit: i32) -> [i16; WIDTH] {
    numbers.map(|number| rounded(number, unit) as i16)
}

fn rounded(number: f32, unit: i32) -> i32 {
    (number * unit as f32).round_ties_even() as i32
}

/// The parameters that a network is: its vectors stand with their groups alone, those of the shapes are 0.
pub(super) fn parameters(network: &Network) -> Vec<f32> {
    let mut parameters = vec![0.0; PARAMETERS];
    let numbers = network.cell_vectors().flatten();
    for (place, &number) in parameters[..CELLS].iter_mut().zip(numbers) {
        *place = fraction(number, CELL_UNIT);
    }
    let places = parameters[CELLS..].chunks_exact_mut(HeadPlaces::LENGTH);
    for (places, head) in places.zip(network.heads()) {
        put_layer(&mut places[HeadPlaces::FIRST], &head.first);
        put_layer(&mut places[HeadPlaces::SECOND], &head.second);
        put_layer(&mut places[HeadPlaces::CONTEXT], &head.context);
        put(&mut places[HeadPlaces::FIRST_BIASES], head.first_biases.as_flattened(), FIRST_UNIT);
        put(&mut places[HeadPlaces::SECOND_BIASES], &head.second_biases, SECOND_UNIT);
        put(&mut places[HeadPlaces::VALUE], &head.value, WEIGHT_UNIT);
        put(&mut places[HeadPlaces::DRAW], &head.draw, WEIGHT_UNIT);
        put(&mut places[HeadPlaces::POLICY], &head.policy, WEIGHT_UNIT);
        places[HeadPlaces::VALUE_BIAS] = fraction(head.value_bias, OUTPUT_UNIT);
        places[HeadPlaces::DRAW_BIAS] = fraction(head.draw_bias, OUTPUT_UNIT);
        places[HeadPlaces::TABLE_SHARE] = fraction(head.table_share, TABLE_UNIT);
        places[HeadPlaces::ORDER_SHARE] = fraction(head.order_share, TABLE_UNIT);
    }
    parameters
}

fn put_layer(places: &mut [f32], layer: &Layer) {
    for (pair, weights) in layer.iter().enumerate() {
        for (output, weights) in weights.iter().enumerate() {
            for (i, &weight) in weights.iter().enumerate() {
                places[(2 * pair + i) * WIDTH + output] = fraction(weight, WEIGHT_UNIT);
            }
        }
    }
}

fn put<T: Copy + Into<i32>>(places: &mut [f32], numbers: &[T], unit: i32) {
    for (place, &number) in places.iter_mut().zip(numbers) {
        *place = fraction(number, unit);
    }
}

fn fraction(number: impl Into<i32>, unit: i32) -> f32 {
    number.into() as f32 / unit as f32
}

#[cfg(test)]
mod tests {
    use super::{network, parameters};
    use crate::lab::training::model::NUMBERS;
    use crate::network::Network;

    #[test]
    fn a_network_goes_to_fractions_and_back() {
        let shipped = Network::shipped();
        let back = network(&parameters(&shipped)[..NUMBERS], shipped.recipe.clone());
        assert_eq!(back.as_ref(), Some(&*shipped));
    }
}
