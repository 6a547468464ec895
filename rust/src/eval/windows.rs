//! The cells around an empty cell along a line, and the number that stands for what is on them: the key of
//! the tables of shapes. A stone changes the numbers of the cells next to it by addition, both colours at once.

use crate::types::{BOARD_SIZE, Color, Line};

/// Cells to each side of a stone that have a say in its shapes: four, and one more for overlines.
pub(super) const REACH: usize = 5;

/// Cells of a window, its middle included.
pub(super) const CELLS: usize = 2 * REACH + 1;

/// Lines with a place for [`Line::NOWHERE`], a power of two, so that no bound need be checked.
pub(super) const SLOTS: usize = 128;

/// Keys of a line: one for each cell and [`REACH`] on either side that nobody reads, so that a stone adds to
/// [`ADDED`] keys wherever it is.
pub(super) const KEYS: usize = 32;

/// Keys that a stone adds to: those of a window, rounded up to whole vectors.
pub(super) const ADDED: usize = 12;

/// Keys are below this.
pub(super) const MOST_KEYS: usize = 1 << 16;

/// Keys of one colour's windows if nothing of its own is five cells away.
const NEAR_KEYS: u32 = 3u32.pow(8);

/// Key: cell of the window; value: what it adds to the key if there is an own stone. The eight near cells are
/// digits to the base 3 (2: not ours); of the two far ones it matters only whether they are own.
const WEIGHTS: [u32; CELLS] = weights();

const fn weights() -> [u32; CELLS] {
    let mut weights = [0; CELLS];
    let (mut weight, mut cell) = (1, 1);
    while cell < CELLS - 1 {
        if cell != REACH {
            weights[cell] = weight;
            weight *= 3;
        }
        cell += 1;
    }
    (weights[0], weights[CELLS - 1]) = (NEAR_KEYS, 2 * NEAR_KEYS);
    weights
}

/// The keys of a cell for both colours: black's in the low half, white's in the high half.
pub(super) type KeyPair = u32;

/// What a cell of the window adds to the keys of both colours: an own stone of black's, or of white's.
const fn stone(cell: usize, color: Color) -> KeyPair {
    let weight = WEIGHTS[cell];
    let is_far = cell == 0 || cell == CELLS - 1;
    match color {
        // Five cells away only black's overlines can tell, and only black's stones.
        Color::Black if is_far => weight,
        Color::White if is_far => 0,
        Color::Black => weight | ((2 * weight) << 16),
        Color::White => (2 * weight) | (weight << 16),
    }
}

/// Key: colour, place in the window *of the stone*; value: what the stone adds to the keys of the cell there.
pub(super) static STONES: [[KeyPair; ADDED]; 2] = [stones(Color::Black), stones(Color::White)];

const fn stones(color: Color) -> [KeyPair; ADDED] {
    let mut added = [0; ADDED];
    let mut place = 0;
    while place < CELLS {
        added[place] = stone(CELLS - 1 - place, color);
        place += 1;
    }
    added
}

/// The same for a stone that is taken off.
pub(super) static TAKEN: [[KeyPair; ADDED]; 2] = {
    let mut table = STONES;
    let mut i = 0;
    while i < 2 * ADDED {
        table[i / ADDED][i % ADDED] = STONES[i / ADDED][i % ADDED].wrapping_neg();
        i += 1;
    }
    table
};

/// Key: colour; value: the places in the window of a stone at which it changes a shape, as bits.
pub(super) const CHANGED: [u32; 2] = [0b111_1101_1111, 0b011_1101_1110];

/// Key: line, cell; value: the keys on an empty board, where only the border is in the way.
pub(super) static WALLS: [[KeyPair; KEYS]; SLOTS] = walls();

const fn walls() -> [[KeyPair; KEYS]; SLOTS] {
    let mut table = [[0; KEYS]; SLOTS];
    let mut line = 0;
    while line < Line::COUNT {
        let length = Line::from_index(line).unwrap().length();
        let mut at = 0;
        while at < BOARD_SIZE {
            let mut cell = 1;
            while cell < CELLS - 1 {
                let on_line = at + cell;
                if on_line < REACH || on_line >= length + REACH {
                    table[line][at + REACH] += 2 * WEIGHTS[cell] * 0x1_0001;
                }
                cell += 1;
            }
            at += 1;
        }
        line += 1;
    }
    table
}

/// A window with a stone in the middle: own cells and empty cells as bits.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// The cells of the window with an own stone, as bits.
    pub own: u16,
    /// The empty cells of the window, as bits.
    pub empty: u16,
}

impl Window {
    /// Keys of this colour's windows.
    pub(super) const fn keys(color: Color) -> usize {
        (match color {
            Color::Black => 4 * NEAR_KEYS,
            Color::White => NEAR_KEYS,
        }) as usize
    }

    pub(super) fn key(self, color: Color) -> usize {
        let of = |cell: usize| {
            let is_far = cell == 0 || cell == CELLS - 1;
            match (self.own >> cell & 1, self.empty >> cell & 1) {
                (1, _) if is_far && color == Color::White => 0,
                (1, _) => WEIGHTS[cell],
                (0, 0) if !is_far => 2 * WEIGHTS[cell],
                _ => 0,
            }
        };
        (0..CELLS).map(of).sum::<u32>() as usize
    }

    pub(super) fn from_key(key: usize) -> Window {
        let mut window = Window { own: 1 << REACH, empty: 0 };
        let (mut near, far) = (key as u32 % NEAR_KEYS, key as u32 / NEAR_KEYS);
        window.own |= (far & 1) as u16 | ((far >> 1) as u16) << (CELLS - 1);
        for cell in (1..CELLS - 1).filter(|&cell| cell != REACH) {
            match near % 3 {
                0 => window.empty |= 1 << cell,
                1 => window.own |= 1 << cell,
                _ => {}
            }
            near /= 3;
        }
        window
    }

    pub(super) fn with(self, cell: usize) -> Window {
        Window { own: self.own | 1 << cell, empty: self.empty & !(1 << cell) }
    }

    /// The empty cells that can share a five with the middle.
    pub(super) fn near(self) -> impl Iterator<Item = usize> {
        (1..CELLS - 1).filter(move |&cell| self.empty >> cell & 1 == 1)
    }

    /// Stones in a row with the middle.
    pub(super) fn run(self) -> u32 {
        let up = (self.own >> REACH).trailing_ones();
        let down = (self.own << (15 - REACH)).leading_ones();
        up + down - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_stands_for_its_window() {
        for color in Color::ALL {
            for key in 0..Window::keys(color) {
                assert_eq!(Window::from_key(key).key(color), key);
            }
            assert!(Window::keys(color) <= MOST_KEYS);
        }
    }
}
