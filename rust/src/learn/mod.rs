//! For those who learn from positions: many games stepped side by side, and positions as planes of numbers.

mod arena;
mod features;

pub use arena::{Arena, BadAction, Ending, View};
pub use features::{BadFeatures, CHANNELS, Features, PLANES, RecordRow};

use crate::types::{BOARD_POINTS, BOARD_SIZE, Bitboard};

/// Actions of a turn: the 225 points, and a pass.
pub const ACTIONS: usize = BOARD_POINTS + 1;

/// Writes 1 for every point of a set, and 0 for the others, in the order of their index.
fn spread(set: &Bitboard, cells: &mut [u8; BOARD_POINTS]) {
    for (y, row) in cells.as_chunks_mut::<BOARD_SIZE>().0.iter_mut().enumerate() {
        let [low, high] = set.row(y).to_le_bytes();
        row[..8].copy_from_slice(&bits(low));
        row[8..].copy_from_slice(&bits(high)[..BOARD_SIZE - 8]);
    }
}

/// Does the same as [`spread`], faster for a few points and slower for many.
fn mark(set: &Bitboard, cells: &mut [u8; BOARD_POINTS]) {
    cells.fill(0);
    for (place, &word) in set.words().iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            let bit = 64 * place + rest.trailing_zeros() as usize;
            cells[BOARD_SIZE * (bit / 16) + bit % 16] = 1;
            rest &= rest - 1;
        }
    }
}

/// The bits of a byte as bytes of 0 or 1, the lowest first.
const fn bits(byte: u8) -> [u8; 8] {
    // Every byte of the product is the whole byte; of byte n only bit n is kept, and then moved to its lowest bit.
    let kept = (byte as u64 * 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let ones = ((kept + 0x7f7f_7f7f_7f7f_7f7f) >> 7) & 0x0101_0101_0101_0101;
    ones.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Point;

    #[test]
    fn a_set_is_spread_point_by_point() {
        for byte in 0..=u8::MAX {
            assert_eq!(bits(byte), std::array::from_fn(|n| byte >> n & 1));
        }
        for step in [7, 60, 300] {
            let set: Bitboard = Point::all().filter(|point| point.index() % step == 3).collect();
            for write in [spread, mark] {
                let mut cells = [9; BOARD_POINTS];
                write(&set, &mut cells);
                for point in Point::all() {
                    assert_eq!(cells[point.index()], u8::from(set.contains(point)), "{point}");
                }
            }
        }
    }
}
