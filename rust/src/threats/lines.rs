//! What the pattern state keeps of one line, and the formula over eight lines at once.

use crate::rules::planes::{Shapes, shapes};
use crate::rules::vector::{East, Lanes, LinePairs};
use crate::types::{BOARD_POINTS, Color, Line};

/// Slots for lines: the 72 and [`Line::NOWHERE`], rounded up to a power of two, so that
/// [`slot`] needs no bounds check.
pub(super) const SLOTS: usize = 128;

/// What a line holds somewhere for a colour: one flag each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Presence {
    /// A cell that makes a five.
    Five = 1 << 0,
    /// A cell that makes two completions at once: an open four, or two fours on one line.
    TwoCompletions = 1 << 1,
    /// A cell that makes a four of any kind.
    Four = 1 << 2,
    /// A cell that makes a three in form.
    OpenThree = 1 << 3,
    /// A cell that makes a closed three.
    ClosedThree = 1 << 4,
    /// A cell that makes an open two.
    OpenTwo = 1 << 5,
}

/// The classes of all cells of one line for both colours, bit-sliced: bit `i` of the class of cell
/// `c` for colour `k` is bit `c` of `slices[2 * i + k]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C, align(16))]
pub(super) struct LineClasses {
    pub(super) slices: [u16; 8],
}

impl LineClasses {
    /// The four slices of one colour, lowest bit first.
    #[inline(always)]
    pub(super) fn of(&self, color: Color) -> [u16; 4] {
        std::array::from_fn(|i| self.slices[2 * i + color.index()])
    }
}

/// The four lines through a point, ready for the vector register: per line one lane for each
/// colour.
pub(super) struct Crossing {
    /// The point's bit on each line.
    pub(super) bits: [u16; 8],
    /// One bit per cell of each line.
    pub(super) on_board: [u16; 8],
    slots: [u8; 4],
}

impl Crossing {
    /// Where the four lines are kept.
    #[inline(always)]
    pub(super) fn slots(&self) -> [usize; 4] {
        self.slots.map(|slot| usize::from(slot) % SLOTS)
    }
}

/// Key: point.
pub(super) static CROSSINGS: [Crossing; BOARD_POINTS] = crossings();

const fn crossings() -> [Crossing; BOARD_POINTS] {
    let mut table = [const { Crossing { bits: [0; 8], on_board: [0; 8], slots: [Line::NOWHERE.index() as u8; 4] } };
        BOARD_POINTS];
    let mut i = 0;
    while i < Line::COUNT {
        let line = Line::from_index(i).unwrap();
        let direction = line.direction() as usize;
        let mut offset = 0;
        while offset < line.length() {
            let crossing = &mut table[line.point(offset).unwrap().index()];
            crossing.slots[direction] = i as u8;
            let mut lane = 2 * direction;
            while lane < 2 * direction + 2 {
                crossing.bits[lane] = 1 << offset;
                crossing.on_board[lane] = (1 << line.length()) - 1;
                lane += 1;
            }
            offset += 1;
        }
        i += 1;
    }
    table
}

/// Where a line is kept; always below [`SLOTS`], which the compiler can see.
#[inline(always)]
pub(super) fn slot(line: Line) -> usize {
    line.index() % SLOTS
}

/// The cells of a line in the half of a pair that belongs to this colour.
#[inline(always)]
pub(super) fn in_pair(color: Color, cells: u16) -> u32 {
    u32::from(cells) << (16 * color.index())
}

/// The formula over pairs of lanes: exact fives for black, the first of each pair.
#[inline(always)]
pub(super) fn both_colors<V: LinePairs>(own: V, empty: V) -> Shapes<V> {
    let exact = V::from_pairs([0xffff; 4]);
    shapes::<V, East>(own, empty, exact)
}

/// The cells for each presence flag, from the four bits of their classes.
#[inline(always)]
pub(super) fn presences<V: Lanes>([b0, b1, b2, b3]: [V; 4]) -> [(Presence, V); 6] {
    let four = b3.minus(b2);
    let low = b1.minus(b3).minus(b2);
    [
        (Presence::Five, b3.and(b2).and(b0)),
        (Presence::TwoCompletions, four.and(b1)),
        (Presence::Four, four),
        (Presence::OpenThree, b2.minus(b3)),
        (Presence::ClosedThree, low.and(b0)),
        (Presence::OpenTwo, low.minus(b0)),
    ]
}

/// The mask that asks for exact fives of this colour.
pub(super) const fn exact(color: Color) -> u16 {
    match color {
        Color::Black => !0,
        Color::White => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::planes::classes;
    use crate::rules::vector::NativePairs;

    /// The vector and the plain lanes give the same classes for any stones.
    #[test]
    fn native_lanes_equal_plain_lanes() {
        let mut seed = 1u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed as u16
        };
        for _ in 0..100_000 {
            let pairs: [u32; 4] = std::array::from_fn(|_| {
                let black = next() & next() & 0x7fff;
                in_pair(Color::Black, black) | in_pair(Color::White, next() & next() & 0x7fff & !black)
            });
            let plain = classes_of::<[u16; 8]>(pairs);
            let native = classes_of::<NativePairs>(pairs);
            assert_eq!(plain, native.map(NativePairs::lanes));
            assert_eq!(<[u16; 8]>::transpose(plain), NativePairs::transpose(native).map(NativePairs::lanes));
            assert_eq!(plain[0].flag(5), native[0].flag(5).lanes());
            let lanes = std::array::from_fn(|_| next());
            for bit in 0..16 {
                assert_eq!(<[u16; 8]>::lanes_with(&lanes, bit), NativePairs::lanes_with(&lanes, bit));
            }
        }
    }

    fn classes_of<V: LinePairs>(pairs: [u32; 4]) -> [V; 4] {
        let own = V::from_pairs(pairs);
        let on_board = V::from_pairs([0x7fff_7fff; 4]);
        classes(&both_colors(own, on_board.minus(own).minus(own.swap_pairs())))
    }
}
