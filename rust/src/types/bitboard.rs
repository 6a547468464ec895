use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

use super::point::{BOARD_SIZE, Point};

/// A set of points: 225 bits in 256, one 16-bit row after the other.
///
/// Point (x, y) is bit `16 * y + x`. Column 15 and row 15 are never set; they are the frame that
/// keeps shifted rows from running into each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C, align(32))]
pub struct Bitboard([u64; 4]);

/// Bits in one padded row.
const ROW_BITS: usize = 16;

impl Bitboard {
    /// The set without a point.
    pub const EMPTY: Bitboard = Bitboard([0; 4]);

    /// The set of all 225 points.
    pub const ALL: Bitboard = Bitboard([
        0x7fff_7fff_7fff_7fff,
        0x7fff_7fff_7fff_7fff,
        0x7fff_7fff_7fff_7fff,
        0x0000_7fff_7fff_7fff,
    ]);

    /// The set with these four words of four rows each; bits outside the board are dropped.
    #[must_use]
    pub const fn from_words(words: [u64; 4]) -> Bitboard {
        let all = Bitboard::ALL.0;
        Bitboard([words[0] & all[0], words[1] & all[1], words[2] & all[2], words[3] & all[3]])
    }

    /// The four words; row `y` is bits `16 * (y % 4)..` of word `y / 4`.
    #[must_use]
    pub const fn words(&self) -> &[u64; 4] {
        &self.0
    }

    /// The set with these rows, bit `x` of row `y`; bits outside the board are dropped.
    #[must_use]
    pub const fn from_rows(rows: [u16; BOARD_SIZE]) -> Bitboard {
        let mut words = [0; 4];
        let mut y = 0;
        while y < BOARD_SIZE {
            words[y / 4] |= (rows[y] as u64) << (ROW_BITS * (y % 4));
            y += 1;
        }
        Bitboard::from_words(words)
    }

    /// Row `y`, bit `x` for column `x`; 0 outside the board.
    #[must_use]
    pub const fn row(&self, y: usize) -> u16 {
        if y < BOARD_SIZE { (self.0[y / 4] >> (ROW_BITS * (y % 4))) as u16 } else { 0 }
    }

    /// The set of one point.
    #[must_use]
    pub const fn of(point: Point) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        set.insert(point);
        set
    }

    /// Adds a point to the set.
    pub const fn insert(&mut self, point: Point) {
        let bit = Self::bit(point);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Takes a point out of the set.
    pub const fn remove(&mut self, point: Point) {
        let bit = Self::bit(point);
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    /// The set with one point more.
    #[must_use]
    pub const fn with(mut self, point: Point) -> Bitboard {
        self.insert(point);
        self
    }

    /// Is the point in the set?
    #[must_use]
    pub const fn contains(&self, point: Point) -> bool {
        let bit = Self::bit(point);
        self.0[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Is there no point in the set?
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The number of points in the set.
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones() + self.0[3].count_ones())
            as usize
    }

    /// The points in index order.
    #[must_use]
    pub const fn points(self) -> Points {
        Points(self)
    }

    /// The number of a point's bit, below 256.
    #[inline]
    pub(crate) const fn bit(point: Point) -> usize {
        ROW_BITS * point.y() + point.x()
    }

    /// Calls `each` with the bit of every point, in order.
    #[inline(always)]
    pub(crate) fn for_each_bit(&self, mut each: impl FnMut(u8)) {
        for (i, &word) in self.0.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                each((64 * i + rest.trailing_zeros() as usize) as u8);
                rest &= rest - 1;
            }
        }
    }

    /// The point of a bit that is on the board.
    #[inline]
    pub(crate) fn point_of(bit: u8) -> Point {
        Point::from_index(usize::from(bit) - usize::from(bit) / ROW_BITS).expect("a bit of the board")
    }

    /// Is the point of this bit in the set?
    #[inline]
    pub(crate) const fn has_bit(&self, bit: u8) -> bool {
        self.0[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// Adds the point of this bit if it is not in the set, else takes it out.
    #[inline]
    pub(crate) const fn toggle(&mut self, bit: u8) {
        self.0[bit as usize / 64] ^= 1 << (bit % 64);
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Bitboard) {
        *self = *self & other;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Bitboard) {
        *self = *self | other;
    }
}

/// Set difference.
impl Sub for Bitboard {
    type Output = Bitboard;
    fn sub(self, other: Bitboard) -> Bitboard {
        Bitboard(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
}

/// The points of the board that are not in the set.
impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard::ALL - self
    }
}

impl FromIterator<Point> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Bitboard {
        points.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl std::fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.points()).finish()
    }
}

/// Iterator over the points of a [`Bitboard`].
#[derive(Clone)]
pub struct Points(Bitboard);

impl Iterator for Points {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        for (i, word) in self.0.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = i * 64 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Point::new(bit % ROW_BITS, bit / ROW_BITS);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Points {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_set_has_every_point_once_and_in_order() {
        assert!(Bitboard::ALL.points().eq(Point::all()));
        assert_eq!(Bitboard::ALL.len(), 225);
        assert_eq!(Point::all().collect::<Bitboard>(), Bitboard::ALL);
        assert_eq!(!Bitboard::ALL, Bitboard::EMPTY);
    }

    #[test]
    fn insert_and_remove_touch_one_point() {
        for point in Point::all() {
            let mut set = Bitboard::of(point);
            assert_eq!(set.points().collect::<Vec<_>>(), [point]);
            assert_eq!(set.row(point.y()), 1 << point.x());
            set.for_each_bit(|bit| assert_eq!(Bitboard::point_of(bit), point));
            set.remove(point);
            assert!(set.is_empty());
        }
    }
}
