//! From fractions to the whole numbers of a file.

use super::model::{HeadPlaces, cells, head, row, rows};
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
