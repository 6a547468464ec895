//! A network as a file: a line that names the version, the recipe in lines of text, an empty line, the numbers as
//! little-endian bytes, and a checksum of all that.

use super::weights::{Head, Layer, Network, WIDTH};
use crate::eval::{CODE_GROUPS, THREAT_STATES};

/// The first line of a file.
const FIRST_LINE: &str = "renju network 1\n";

/// Bytes of the numbers: vectors of groups, then the layers of both sides.
const BODY: usize = 2 * 2 * CODE_GROUPS * WIDTH + 2 * HEAD;

/// Bytes of the layers of one side: three layers, four outputs and biases, two shares of the table.
const HEAD: usize = 3 * size_of::<Layer>() + 3 * 2 * WIDTH + 4 * WIDTH * (THREAT_STATES + 1) + 4 * 4;

/// Bytes of the checksum.
const CHECKSUM: usize = 8;

/// The greatest length of a recipe in bytes.
const MOST_RECIPE: usize = 64 << 10;

/// Bytes that are no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    /// The first line is another.
    #[error("the first line is not \"renju network 1\"")]
    Version,
    /// The recipe does not end, or is no text.
    #[error("the recipe after the first line is not text that ends with an empty line")]
    Recipe,
    /// There are too few or too many bytes.
    #[error("{found} bytes follow the recipe, not {wanted}")]
    Length {
        /// The number of bytes after the recipe.
        found: usize,
        /// The number of bytes that there should be.
        wanted: usize,
    },
    /// The bytes are not those that were written.
    #[error("the checksum does not fit: the file is damaged")]
    Checksum,
    /// A number is beyond its bounds.
    #[error("a number of the network is too great for its place")]
    Number,
}

impl Network {
    /// Reads a network from the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, BadNetwork> {
        let rest = bytes.strip_prefix(FIRST_LINE.as_bytes()).ok_or(BadNetwork::Version)?;
        let head = &rest[..rest.len().min(MOST_RECIPE)];
        let end = head.windows(2).position(|pair| pair == b"\n\n").ok_or(BadNetwork::Recipe)?;
        let recipe = std::str::from_utf8(&rest[..=end]).map_err(|_| BadNetwork::Recipe)?;
        let body = &rest[end + 2..];
        let wanted = BODY + CHECKSUM;
        if body.len() != wanted {
            return Err(BadNetwork::Length { found: body.len(), wanted });
        }
        let (content, stored) = bytes.split_at(bytes.len() - CHECKSUM);
        if stored != checksum(content).to_le_bytes() {
            return Err(BadNetwork::Checksum);
        }
        let mut reader = Reader(&body[..BODY]);
        let cells: Vec<[i16; WIDTH]> = (0..2 * CODE_GROUPS).map(|_| reader.numbers()).collect();
        let heads = [0, 1].map(|_| reader.head());
        Network::new(recipe.to_owned(), &cells, heads).ok_or(BadNetwork::Number)
    }

    /// The bytes of a file, as [`Network::from_bytes`] reads them. Empty lines and line ends of the recipe are
    /// made such that the text ends where it should.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = FIRST_LINE.as_bytes().to_vec();
        let lines: Vec<&str> = self.recipe.lines().filter(|line| !line.is_empty()).collect();
        let recipe = if lines.is_empty() { "recipe unknown".to_owned() } else { lines.join("\n") };
        bytes.extend_from_slice(recipe.as_bytes());
        bytes.extend_from_slice(b"\n\n");
        self.cell_vectors().for_each(|vector| put(&mut bytes, vector));
        for head in self.heads() {
            for layer in [&head.first, &head.second, &head.context] {
                put(&mut bytes, layer.as_flattened().as_flattened());
            }
            for output in [&head.value, &head.draw, &head.policy] {
                put(&mut bytes, output);
            }
            let biases = head.first_biases.as_flattened().iter().chain(&head.second_biases);
            let shares = [&head.value_bias, &head.draw_bias, &head.table_share, &head.order_share];
            biases.chain(shares).for_each(|number| bytes.extend(number.to_le_bytes()));
        }
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }
}

fn put(bytes: &mut Vec<u8>, numbers: &[i16]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

/// The 64-bit FNV-1a hash.
fn checksum(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Reads numbers one after the other; there are as many as are asked for.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let (bytes, rest) = self.0.split_first_chunk().expect("the length was checked");
        self.0 = rest;
        *bytes
    }

    fn numbers<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| i16::from_le_bytes(self.bytes()))
    }

    fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.bytes())
    }

    fn layer(&mut self) -> Box<Layer> {
        Box::new(std::array::from_fn(|_| std::array::from_fn(|_| self.numbers())))
    }

    fn longs(&mut self) -> [i32; WIDTH] {
        std::array::from_fn(|_| self.long())
    }

    fn head(&mut self) -> Head {
        let [first, second, context] = std::array::from_fn(|_| self.layer());
        let [value, draw, policy] = std::array::from_fn(|_| self.numbers());
        Head {
            first,
            first_biases: Box::new(std::array::from_fn(|_| self.longs())),
            second,
            second_biases: self.longs(),
            value,
            value_bias: self.long(),
            draw,
            draw_bias: self.long(),
            policy,
            context,
            table_share: self.long(),
            order_share: self.long(),
        }
    }
}
