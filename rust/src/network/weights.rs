use crate::eval::CODE_GROUPS;

/// Numbers in the vector of a group of codes, and in the sums over all cells.
pub const WIDTH: usize = 32;

/// Numbers between the sums and the value.
pub const HIDDEN: usize = 32;

/// What 1 is in the vectors of groups and in the sums.
pub const CELL_UNIT: i32 = 128;

/// The greatest size of a number in the vector of a group: two of them, summed up over a step's cells, fit into 16
/// bits.
pub const MOST_CELL: i16 = 255;

/// The sums lose this number of bits, so that those of a whole board fit into 16.
pub const INPUT_SHIFT: u32 = 2;

/// What 1 is in the weights between the sums, divided by 16, and the hidden numbers.
pub const WEIGHT_UNIT: i32 = 256;

/// The greatest size of a weight of the first layer: the products of all sums fit into 32 bits.
pub const MOST_INPUT: i16 = 2_000;

/// What 1 is in the hidden numbers, before they lose bits: that of the sums, of the weights, and the 16 by which
/// the sums are divided.
pub const HIDDEN_UNIT: i32 = (CELL_UNIT >> INPUT_SHIFT) * WEIGHT_UNIT * 16;

/// The bits that the hidden numbers lose before the second layer.
pub(super) const HIDDEN_SHIFT: u32 = 10;

/// The greatest hidden number in the second layer.
pub const MOST_HIDDEN: i32 = 8_191;

/// What 1 is in the weights of the second layer.
pub const OUTPUT_WEIGHT_UNIT: i32 = 256;

/// The greatest size of a weight of the second layer: the products of all hidden numbers fit into 32 bits.
pub const MOST_OUTPUT: i16 = 4_096;

/// What one unit of the logistic scale is in the sum of the second layer.
pub const OUTPUT_UNIT: i32 = (HIDDEN_UNIT >> HIDDEN_SHIFT) * OUTPUT_WEIGHT_UNIT;

/// What one unit of the logistic scale is in points of score.
pub const POINTS: i32 = 200;

/// What a share of 1 of the table is in [`Network::table_share`].
pub const TABLE_UNIT: i32 = 1_024;

/// Groups of codes, filled up to a power of two, so that no bound need be checked.
pub(super) const PLACES: usize = CODE_GROUPS.next_power_of_two();

/// The vector of a group of codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct CellVector(pub [i16; WIDTH]);

/// Key: group of codes; value: its vector.
pub(super) type CellVectors = [CellVector; PLACES];

/// The layers from the sums to the value, for one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Key: pair of sums, hidden number, sum of the pair; value: the weight of the sum in the hidden number.
    pub weights: Box<[[[i16; 2]; HIDDEN]; WIDTH / 2]>,
    /// Key: hidden number; value: what it is without any sum.
    pub biases: [i32; HIDDEN],
    /// Key: hidden number; value: its weight in the value.
    pub outputs: [i16; HIDDEN],
    /// What the value is without any hidden number.
    pub output_bias: i32,
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
    /// The share of the table in the value, in parts of [`TABLE_UNIT`].
    pub(super) table_share: i32,
}

impl Network {
    /// The network of these numbers. `cells` has the vector of every group, black's groups first; `table_share`
    /// is in parts of [`TABLE_UNIT`]. `None` if a number is too great for its place, or if there are not as many
    /// vectors as there are groups.
    #[must_use]
    pub fn new(
        recipe: String,
        cells: &[[i16; WIDTH]],
        heads: [Head; 2],
        table_share: i32,
    ) -> Option<Network> {
        let small = |numbers: &[i16], most: i16| {
            numbers.iter().all(|number| number.unsigned_abs() <= most.unsigned_abs())
        };
        let is_sound = |head: &Head| {
            small(head.weights.as_flattened().as_flattened(), MOST_INPUT)
                && small(&head.outputs, MOST_OUTPUT)
                && head.biases.iter().chain([&head.output_bias]).all(|bias| bias.unsigned_abs() < 1 << 28)
        };
        if cells.len() != 2 * CODE_GROUPS
            || !small(cells.as_flattened(), MOST_CELL)
            || !heads.iter().all(is_sound)
            || !(0..=16 * TABLE_UNIT).contains(&table_share)
        {
            return None;
        }
        let (black, white) = cells.split_at(CODE_GROUPS);
        let cells = [black, white].map(|vectors| {
            let places = (0..PLACES).map(|i| CellVector(vectors.get(i).copied().unwrap_or([0; WIDTH])));
            places.collect::<Box<[CellVector]>>().try_into().expect("a vector for each place")
        });
        Some(Network { recipe, cells, heads, table_share })
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

    /// The share of the table in the value, in parts of [`TABLE_UNIT`].
    #[must_use]
    pub fn table_share(&self) -> i32 {
        self.table_share
    }
}
