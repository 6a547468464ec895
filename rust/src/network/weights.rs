use crate::eval::{CODE_GROUPS, THREAT_STATES};

/// Numbers in the vector of a group of codes, in the sums over all cells, and in either layer behind them.
pub const WIDTH: usize = 32;

/// What 1 is in the vectors of groups and in the sums.
pub const CELL_UNIT: i32 = 128;

/// The greatest size of a number in the vector of a group: two of them, summed up over the cells that a stone
/// changes, fit into 16 bits.
pub const MOST_CELL: i16 = 255;

/// The bits that the sums lose before the first layer, so that those of a whole board fit into 16 bits.
pub const INPUT_SHIFT: u32 = 2;

/// The sums are divided by this before the first layer.
pub const INPUT_DIVISOR: i32 = 16;

/// What 1 is in the weights of both layers, of the outputs and of the policy.
pub const WEIGHT_UNIT: i32 = 256;

/// The greatest size of a weight of a layer: the products of all its inputs fit into 32 bits.
pub const MOST_WEIGHT: i16 = 2_000;

/// What 1 is in a number of the first layer before it loses bits.
pub const FIRST_UNIT: i32 = (CELL_UNIT >> INPUT_SHIFT) * INPUT_DIVISOR * WEIGHT_UNIT;

/// The bits that a number of the first layer loses.
pub(super) const FIRST_SHIFT: u32 = 10;

/// What 1 is in the numbers that leave a layer.
pub const LAYER_UNIT: i32 = FIRST_UNIT >> FIRST_SHIFT;

/// What 1 is in a number of the second layer before it loses bits.
pub const SECOND_UNIT: i32 = LAYER_UNIT * WEIGHT_UNIT;

/// The bits that a number of the second layer loses.
pub(super) const SECOND_SHIFT: u32 = 8;

/// The greatest number that leaves a layer.
pub const MOST_LAYER: i32 = 8_191;

/// The greatest size of a weight of an output: the products of a whole layer fit into 32 bits.
pub const MOST_OUTPUT: i16 = 4_096;

/// What one unit of the logistic scale is in an output.
pub const OUTPUT_UNIT: i32 = LAYER_UNIT * WEIGHT_UNIT;

/// The bits that the policy's share of the first layer loses, so that it counts as its weights do.
pub(super) const CONTEXT_SHIFT: u32 = LAYER_UNIT.ilog2();

/// What one unit of the logistic scale is in points of score.
pub const POINTS: i32 = 200;

/// What a share of 1 of the table is.
pub const TABLE_UNIT: i32 = 1_024;

/// The greatest share of the table in a value, and of its order of moves in the policy.
pub(super) const MOST_SHARE: i32 = 16 * TABLE_UNIT;

/// The greatest size of what a number of a layer or an output is without any input.
const MOST_BIAS: u32 = 1 << 28;

/// Groups of codes, filled up to a power of two, so that no bound need be checked.
pub(super) const PLACES: usize = CODE_GROUPS.next_power_of_two();

/// The vector of a group of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct CellVector(pub [i16; WIDTH]);

/// Key: group of codes; value: its vector.
pub(super) type CellVectors = [CellVector; PLACES];

/// Key: pair of inputs, number of the layer, input of the pair; value: the weight of the input in that number.
pub type Layer = [[[i16; 2]; WIDTH]; WIDTH / 2];

/// The layers from the sums to the outputs, for one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The weights of the sums in the first layer.
    pub first: Box<Layer>,
    /// Key: state of threats ([`crate::eval::CellMap::threats`]), number of the first layer; value: what that
    /// number is without any sum.
    pub first_biases: Box<[[i32; WIDTH]; THREAT_STATES]>,
    /// The weights of the first layer in the second.
    pub second: Box<Layer>,
    /// Key: number of the second layer; value: what it is without the first layer.
    pub second_biases: [i32; WIDTH],
    /// Key: number of the second layer; value: its weight in the value.
    pub value: [i16; WIDTH],
    /// What the value is without the second layer.
    pub value_bias: i32,
    /// Key: number of the second layer; value: its weight in the chance of a draw.
    pub draw: [i16; WIDTH],
    /// What the chance of a draw is without the second layer.
    pub draw_bias: i32,
    /// Key: number of a cell; value: its weight in the policy of that cell, without the first layer.
    pub policy: [i16; WIDTH],
    /// Key: pair of numbers of the first layer, number of a cell, number of the pair; value: what the number of the
    /// first layer adds to the weight of the number of the cell.
    pub context: Box<Layer>,
    /// The share of the table in the value, in parts of [`TABLE_UNIT`].
    pub table_share: i32,
    /// The share of the table's order of moves in the policy, in parts of [`TABLE_UNIT`].
    pub order_share: i32,
}

impl Head {
    fn is_sound(&self) -> bool {
        let layers = [&self.first, &self.second, &self.context];
        let outputs = [&self.value, &self.draw, &self.policy];
        let biases = self.first_biases.as_flattened().iter().chain(&self.second_biases);
        layers.into_iter().all(|layer| is_small(layer.as_flattened().as_flattened(), MOST_WEIGHT))
            && outputs.into_iter().all(|output| is_small(output, MOST_OUTPUT))
            && biases.chain([&self.value_bias, &self.draw_bias]).all(|bias| bias.unsigned_abs() < MOST_BIAS)
            && [self.table_share, self.order_share].iter().all(|share| (0..=MOST_SHARE).contains(share))
    }
}

fn is_small(numbers: &[i16], most: i16) -> bool {
    numbers.iter().all(|number| number.unsigned_abs() <= most.unsigned_abs())
}

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Where the network comes from and under which licence it stands, a line for each fact.
    pub recipe: String,
    /// Key: colour, group of codes.
    pub(super) cells: [Box<CellVectors>; 2],
    /// Key: side to move.
    pub(super) heads: [Head; 2],
}

impl Network {
    /// The network of these numbers. `cells` has the vector of every group, black's groups first. `None` if a
    /// number is too great for its place, or if there are not as many vectors as there are groups.
    #[must_use]
    pub fn new(recipe: String, cells: &[[i16; WIDTH]], heads: [Head; 2]) -> Option<Network> {
        if cells.len() != 2 * CODE_GROUPS
            || !is_small(cells.as_flattened(), MOST_CELL)
            || !heads.iter().all(Head::is_sound)
        {
            return None;
        }
        let (black, white) = cells.split_at(CODE_GROUPS);
        let cells = [black, white].map(|vectors| {
            let places = (0..PLACES).map(|i| CellVector(vectors.get(i).copied().unwrap_or([0; WIDTH])));
            places.collect::<Box<[CellVector]>>().try_into().expect("a vector for each place")
        });
        Some(Network { recipe, cells, heads })
    }

    /// The network that comes with the source (docs/network.md).
    ///
    /// # Panics
    /// Never: the tests read it.
    #[must_use]
    pub fn shipped() -> std::sync::Arc<Network> {
        use std::sync::{Arc, LazyLock};
        static SHIPPED: LazyLock<Arc<Network>> = LazyLock::new(|| {
            let network = Network::from_bytes(include_bytes!("shipped.network"));
            Arc::new(network.expect("the network that comes with the source"))
        });
        Arc::clone(&SHIPPED)
    }

    /// Key: black's groups, then white's; value: the vector of the group.
    pub fn cell_vectors(&self) -> impl Iterator<Item = &[i16; WIDTH]> {
        self.cells.iter().flat_map(|cells| cells[..CODE_GROUPS].iter().map(|vector| &vector.0))
    }

    /// Key: side to move; value: its layers.
    #[must_use]
    pub fn heads(&self) -> &[Head; 2] {
        &self.heads
    }

    /// The vectors of both colours' groups.
    #[inline(always)]
    pub(super) fn vectors(&self) -> [&CellVectors; 2] {
        [&self.cells[0], &self.cells[1]]
    }
}
