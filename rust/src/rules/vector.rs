//! The small vector algebra under the shape formulas.
//!
//! A [`Lanes`] value is a bundle of 16-bit lanes, each a line of cells. A [`Grid`] is such a bundle
//! of sixteen that holds a whole board, one row per lane, and can also move by rows. An [`Axis`]
//! says what "the next cell" means, so that one formula serves all four directions.

use crate::types::Bitboard;

/// Lanes of 16 cells each, worked on all at once.
pub trait Lanes: Copy {
    /// No cell.
    fn zero() -> Self;
    /// Cells in both.
    fn and(self, other: Self) -> Self;
    /// Cells in either.
    fn or(self, other: Self) -> Self;
    /// Cells in exactly one.
    fn xor(self, other: Self) -> Self;
    /// Cells in `self` and not in `other`.
    fn minus(self, other: Self) -> Self;
    /// May work on this plane be skipped because it has no cell? "No" is always a right answer, and
    /// what bundles of a few lines say: for them the question costs more than the work.
    #[inline(always)]
    fn can_be_skipped(self) -> bool {
        false
    }
    /// Cell `i` of every lane takes the value of its cell `i + K`.
    fn ahead<const K: i32>(self) -> Self;
    /// Cell `i` of every lane takes the value of its cell `i - K`.
    fn behind<const K: i32>(self) -> Self;
}

/// A whole board: lane `y` is row `y`.
pub trait Grid: Lanes {
    /// From a set of points.
    fn load(set: &Bitboard) -> Self;
    /// To a set of points; cells outside the board are dropped.
    fn store(self) -> Bitboard;
    /// Is there no cell?
    fn is_zero(self) -> bool;
    /// Row `y` takes the value of row `y + K`; K is 1..=5.
    fn rows_ahead<const K: i32>(self) -> Self;
    /// Row `y` takes the value of row `y - K`; K is 1..=5.
    fn rows_behind<const K: i32>(self) -> Self;
}

/// Eight lines at once: four pairs, in each pair the black and the white stones of one line.
pub trait LinePairs: Lanes {
    /// Four pairs side by side; the first of a pair is in the low half.
    fn from_pairs(pairs: [u32; 4]) -> Self;
    /// From lanes in memory.
    fn from_lanes(lanes: &[u16; 8]) -> Self;
    /// The lanes one by one.
    fn lanes(self) -> [u16; 8];
    /// The pairs one by one.
    fn pairs(self) -> [u32; 4];
    /// The two lanes of every pair exchanged.
    fn swap_pairs(self) -> Self;
    /// `flag` in every lane that is not empty.
    fn flag(self, flag: u16) -> Self;
    /// Four bundles turned round: result `i` holds pair `i` of each.
    fn transpose(bundles: [Self; 4]) -> [Self; 4];
    /// Which of these sixteen lanes have this bit: lane `i` in bit `i` of the result.
    fn lanes_with(lanes: &[u16; 16], bit: u32) -> u16;
}

/// The [`LinePairs`] of this CPU.
#[cfg(target_arch = "x86_64")]
pub type NativePairs = super::simd::Sse2;
/// The [`LinePairs`] of this CPU.
#[cfg(not(target_arch = "x86_64"))]
pub type NativePairs = [u16; 8];

/// The [`Grid`] of this CPU's baseline.
#[cfg(target_arch = "x86_64")]
pub type NativeGrid = super::simd::Sse2Grid;
/// The [`Grid`] of this CPU's baseline.
#[cfg(not(target_arch = "x86_64"))]
pub type NativeGrid = Words;

/// A direction: what it means to look K cells ahead or behind.
pub trait Axis<V> {
    /// Every cell takes the value of the cell K steps ahead of it.
    fn ahead<const K: i32>(v: V) -> V;
    /// Every cell takes the value of the cell K steps behind it.
    fn behind<const K: i32>(v: V) -> V;
}

/// Along the lanes: rows of a board, or any bundle of lines.
pub struct East;
/// The direction up the columns.
pub struct North;
/// Up and to the right.
pub struct NorthEast;
/// Up and to the left.
pub struct NorthWest;

impl<V: Lanes> Axis<V> for East {
    #[inline(always)]
    fn ahead<const K: i32>(v: V) -> V {
        v.ahead::<K>()
    }
    #[inline(always)]
    fn behind<const K: i32>(v: V) -> V {
        v.behind::<K>()
    }
}

impl<V: Grid> Axis<V> for North {
    #[inline(always)]
    fn ahead<const K: i32>(v: V) -> V {
        v.rows_ahead::<K>()
    }
    #[inline(always)]
    fn behind<const K: i32>(v: V) -> V {
        v.rows_behind::<K>()
    }
}

impl<V: Grid> Axis<V> for NorthEast {
    #[inline(always)]
    fn ahead<const K: i32>(v: V) -> V {
        v.rows_ahead::<K>().ahead::<K>()
    }
    #[inline(always)]
    fn behind<const K: i32>(v: V) -> V {
        v.rows_behind::<K>().behind::<K>()
    }
}

impl<V: Grid> Axis<V> for NorthWest {
    #[inline(always)]
    fn ahead<const K: i32>(v: V) -> V {
        v.rows_ahead::<K>().behind::<K>()
    }
    #[inline(always)]
    fn behind<const K: i32>(v: V) -> V {
        v.rows_behind::<K>().ahead::<K>()
    }
}

/// A single line.
impl Lanes for u16 {
    #[inline(always)]
    fn zero() -> u16 {
        0
    }
    #[inline(always)]
    fn and(self, other: u16) -> u16 {
        self & other
    }
    #[inline(always)]
    fn or(self, other: u16) -> u16 {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: u16) -> u16 {
        self ^ other
    }
    #[inline(always)]
    fn minus(self, other: u16) -> u16 {
        self & !other
    }
    #[inline(always)]
    fn ahead<const K: i32>(self) -> u16 {
        self >> K
    }
    #[inline(always)]
    fn behind<const K: i32>(self) -> u16 {
        self << K
    }
}

/// Any number of lines, one after the other; compilers turn this into whatever vectors there are.
impl<const N: usize> Lanes for [u16; N] {
    #[inline(always)]
    fn zero() -> Self {
        [0; N]
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & other[i])
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] | other[i])
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] ^ other[i])
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & !other[i])
    }
    #[inline(always)]
    fn ahead<const K: i32>(self) -> Self {
        self.map(|lane| lane >> K)
    }
    #[inline(always)]
    fn behind<const K: i32>(self) -> Self {
        self.map(|lane| lane << K)
    }
}

impl LinePairs for [u16; 8] {
    #[inline(always)]
    fn from_pairs(pairs: [u32; 4]) -> Self {
        std::array::from_fn(|i| (pairs[i / 2] >> (16 * (i % 2))) as u16)
    }
    #[inline(always)]
    fn from_lanes(lanes: &[u16; 8]) -> Self {
        *lanes
    }
    #[inline(always)]
    fn lanes(self) -> [u16; 8] {
        self
    }
    #[inline(always)]
    fn pairs(self) -> [u32; 4] {
        std::array::from_fn(|i| u32::from(self[2 * i]) | u32::from(self[2 * i + 1]) << 16)
    }
    #[inline(always)]
    fn swap_pairs(self) -> Self {
        std::array::from_fn(|i| self[i ^ 1])
    }
    #[inline(always)]
    fn flag(self, flag: u16) -> Self {
        self.map(|lane| if lane == 0 { 0 } else { flag })
    }
    #[inline(always)]
    fn transpose(bundles: [Self; 4]) -> [Self; 4] {
        std::array::from_fn(|i| std::array::from_fn(|j| bundles[j / 2][2 * i + j % 2]))
    }
    #[inline(always)]
    fn lanes_with(lanes: &[u16; 16], bit: u32) -> u16 {
        lanes.iter().rev().fold(0, |found, lane| found << 1 | (lane >> bit & 1))
    }
}

/// The board on plain 64-bit words, four rows each: the path for CPUs without SSE2.
#[derive(Clone, Copy)]
pub struct Words([u64; 4]);

/// The four 16-bit lanes of a word, each holding `lane`.
const fn four_lanes(lane: u16) -> u64 {
    lane as u64 * 0x0001_0001_0001_0001
}

impl Lanes for Words {
    #[inline(always)]
    fn zero() -> Words {
        Words([0; 4])
    }
    #[inline(always)]
    fn and(self, other: Words) -> Words {
        Words(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    #[inline(always)]
    fn or(self, other: Words) -> Words {
        Words(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }
    #[inline(always)]
    fn xor(self, other: Words) -> Words {
        Words(std::array::from_fn(|i| self.0[i] ^ other.0[i]))
    }
    #[inline(always)]
    fn minus(self, other: Words) -> Words {
        Words(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }
    #[inline(always)]
    fn can_be_skipped(self) -> bool {
        self.is_zero()
    }
    #[inline(always)]
    fn ahead<const K: i32>(self) -> Words {
        Words(self.0.map(|word| (word >> K) & four_lanes(0xffff >> K)))
    }
    #[inline(always)]
    fn behind<const K: i32>(self) -> Words {
        Words(self.0.map(|word| (word << K) & four_lanes(0xffff << K)))
    }
}

impl Grid for Words {
    #[inline(always)]
    fn load(set: &Bitboard) -> Words {
        Words(*set.words())
    }
    #[inline(always)]
    fn store(self) -> Bitboard {
        Bitboard::from_words(self.0)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0 == [0; 4]
    }
    #[inline(always)]
    fn rows_ahead<const K: i32>(self) -> Words {
        let (words, bits) = (K as usize / 4, 16 * (K as u32 % 4));
        let word = |i: usize| if i < 4 { self.0[i] } else { 0 };
        Words(std::array::from_fn(|i| {
            let low = word(i + words);
            if bits == 0 { low } else { low >> bits | word(i + words + 1) << (64 - bits) }
        }))
    }
    #[inline(always)]
    fn rows_behind<const K: i32>(self) -> Words {
        let (words, bits) = (K as usize / 4, 16 * (K as u32 % 4));
        let word = |i: usize, back: usize| if i >= back { self.0[i - back] } else { 0 };
        Words(std::array::from_fn(|i| {
            let high = word(i, words);
            if bits == 0 { high } else { high << bits | word(i, words + 1) >> (64 - bits) }
        }))
    }
}
