use super::color::Color;
use super::point::{BOARD_POINTS, Point};
use super::random::SplitMix;
use super::symmetry::IMAGES;

/// The hash of a position: equal for equal stones and side to move.
pub type Key = u64;

/// A hash so wide that two positions of one search never share it; its low half is the [`Key`] with
/// black to move.
pub type WideKey = u128;

/// Key: colour, point; value: what a stone there adds to the wide hash.
static STONES: [[WideKey; BOARD_POINTS]; 2] = stones();

/// Key: colour, point, symmetry; value: what the image of a stone there adds to the hash.
static IMAGE_KEYS: [[[Key; 8]; BOARD_POINTS]; 2] = image_table();

/// What white to move adds to the hash.
const WHITE_TO_MOVE: Key = mix(SEED - 1);

/// Start of the number sequence; changing it changes every stored key.
const SEED: u64 = 0x7265_6e6a_7531_3521;

/// The part of the hash that one stone contributes.
#[must_use]
pub fn stone_key(color: Color, point: Point) -> Key {
    wide_stone_key(color, point) as Key
}

/// The part of the wide hash that one stone contributes.
#[must_use]
#[inline]
pub fn wide_stone_key(color: Color, point: Point) -> WideKey {
    STONES[color.index()][point.index()]
}

/// The parts of the hash that the eight images of one stone contribute, by symmetry.
#[must_use]
#[inline]
pub fn image_keys(color: Color, point: Point) -> &'static [Key; 8] {
    &IMAGE_KEYS[color.index()][point.index()]
}

/// The part of the hash that the side to move contributes.
#[must_use]
pub const fn side_key(turn: Color) -> Key {
    match turn {
        Color::Black => 0,
        Color::White => WHITE_TO_MOVE,
    }
}

const fn stones() -> [[WideKey; BOARD_POINTS]; 2] {
    let mut table = [[0; BOARD_POINTS]; 2];
    let mut i = 0;
    while i < 2 * BOARD_POINTS {
        let (low, high) = (mix(SEED + i as u64), mix(SEED + (2 * BOARD_POINTS + i) as u64));
        table[i / BOARD_POINTS][i % BOARD_POINTS] = (high as WideKey) << 64 | low as WideKey;
        i += 1;
    }
    table
}

const fn image_table() -> [[[Key; 8]; BOARD_POINTS]; 2] {
    let stones = stones();
    let mut table = [[[0; 8]; BOARD_POINTS]; 2];
    let mut i = 0;
    while i < 2 * BOARD_POINTS * 8 {
        let (color, point, symmetry) = (i / 8 / BOARD_POINTS, i / 8 % BOARD_POINTS, i % 8);
        table[color][point][symmetry] = stones[color][IMAGES[symmetry][point] as usize] as Key;
        i += 1;
    }
    table
}

/// Output `n` of the SplitMix64 generator, counted from 1.
const fn mix(n: u64) -> u64 {
    SplitMix::after(n - 1).number()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn all_keys_differ() {
        let halves = STONES.iter().flatten().flat_map(|&wide| [wide as Key, (wide >> 64) as Key]);
        let mut seen: HashSet<Key> = halves.collect();
        seen.insert(WHITE_TO_MOVE);
        seen.insert(0);
        assert_eq!(seen.len(), 4 * BOARD_POINTS + 2);
    }
}
