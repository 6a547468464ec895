//! The x86-64 vectors behind [`Lanes`], [`LinePairs`] and [`Grid`]: the one file with intrinsics.
//!
//! SSE2 is part of x86-64 and always there. An [`Avx2Grid`] is made only inside functions compiled
//! for AVX2 that `Scan::at_level` and its like enter after asking the CPU.

use std::arch::x86_64::*;

use super::vector::{Grid, Lanes, LinePairs};
use crate::types::{BOARD_POINTS, BOARD_SIZE, Bitboard};

/// Eight lines in one SSE2 register.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Sse2(__m128i);

/// A board in two SSE2 registers, rows 0..=7 and 8..=15.
#[derive(Clone, Copy)]
pub struct Sse2Grid(Sse2, Sse2);

/// A board in one AVX2 register.
#[derive(Clone, Copy)]
pub struct Avx2Grid(__m256i);

/// Intrinsics on values only. SAFETY: they ask for nothing but the instructions themselves, and
/// those are there: SSE2 on every x86-64, AVX2 wherever an `Avx2Grid` exists (see the module).
macro_rules! values {
    ($($body:tt)*) => { unsafe { $($body)* } };
}

/// [`Lanes`] for one register; `$skip` answers `can_be_skipped`.
macro_rules! register_lanes {
    ($name:ident, $skip:expr, $zero:ident, $and:ident, $or:ident, $xor:ident, $andnot:ident, $right:ident, $left:ident) => {
        impl Lanes for $name {
            #[inline(always)]
            fn zero() -> $name {
                $name(values!($zero()))
            }
            #[inline(always)]
            fn and(self, other: $name) -> $name {
                $name(values!($and(self.0, other.0)))
            }
            #[inline(always)]
            fn or(self, other: $name) -> $name {
                $name(values!($or(self.0, other.0)))
            }
            #[inline(always)]
            fn xor(self, other: $name) -> $name {
                $name(values!($xor(self.0, other.0)))
            }
            #[inline(always)]
            fn minus(self, other: $name) -> $name {
                $name(values!($andnot(other.0, self.0)))
            }
            #[inline(always)]
            fn can_be_skipped(self) -> bool {
                $skip(self)
            }
            #[inline(always)]
            fn ahead<const K: i32>(self) -> $name {
                $name(values!($right::<K>(self.0)))
            }
            #[inline(always)]
            fn behind<const K: i32>(self) -> $name {
                $name(values!($left::<K>(self.0)))
            }
        }
    };
}

register_lanes!(
    Sse2,
    |_| false,
    _mm_setzero_si128,
    _mm_and_si128,
    _mm_or_si128,
    _mm_xor_si128,
    _mm_andnot_si128,
    _mm_srli_epi16,
    _mm_slli_epi16
);
register_lanes!(
    Avx2Grid,
    Avx2Grid::is_zero,
    _mm256_setzero_si256,
    _mm256_and_si256,
    _mm256_or_si256,
    _mm256_xor_si256,
    _mm256_andnot_si256,
    _mm256_srli_epi16,
    _mm256_slli_epi16
);

impl LinePairs for Sse2 {
    #[inline(always)]
    fn from_pairs(pairs: [u32; 4]) -> Sse2 {
        let [a, b, c, d] = pairs.map(u32::cast_signed);
        Sse2(values!(_mm_set_epi32(d, c, b, a)))
    }
    #[inline(always)]
    fn from_lanes(lanes: &[u16; 8]) -> Sse2 {
        // SAFETY: the pointer covers 16 readable bytes; loadu asks for no alignment.
        Sse2(unsafe { _mm_loadu_si128(lanes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn lanes(self) -> [u16; 8] {
        let mut lanes = [0; 8];
        // SAFETY: the pointer covers 16 writable bytes; storeu asks for no alignment.
        unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), self.0) };
        lanes
    }
    #[inline(always)]
    fn pairs(self) -> [u32; 4] {
        let mut pairs = [0; 4];
        // SAFETY: the pointer covers 16 writable bytes; storeu asks for no alignment.
        unsafe { _mm_storeu_si128(pairs.as_mut_ptr().cast(), self.0) };
        pairs
    }
    #[inline(always)]
    fn swap_pairs(self) -> Sse2 {
        Sse2(values!(_mm_or_si128(_mm_slli_epi32::<16>(self.0), _mm_srli_epi32::<16>(self.0))))
    }

    #[inline(always)]
    fn flag(self, flag: u16) -> Sse2 {
        Sse2(values!(_mm_andnot_si128(
            _mm_cmpeq_epi16(self.0, _mm_setzero_si128()),
            _mm_set1_epi16(flag as i16)
        )))
    }

    #[inline(always)]
    fn transpose([a, b, c, d]: [Sse2; 4]) -> [Sse2; 4] {
        values!(
            let (ab_low, cd_low) = (_mm_unpacklo_epi32(a.0, b.0), _mm_unpacklo_epi32(c.0, d.0));
            let (ab_high, cd_high) = (_mm_unpackhi_epi32(a.0, b.0), _mm_unpackhi_epi32(c.0, d.0));
            [
                Sse2(_mm_unpacklo_epi64(ab_low, cd_low)),
                Sse2(_mm_unpackhi_epi64(ab_low, cd_low)),
                Sse2(_mm_unpacklo_epi64(ab_high, cd_high)),
                Sse2(_mm_unpackhi_epi64(ab_high, cd_high)),
            ]
        )
    }
    #[inline(always)]
    fn lanes_with(lanes: &[u16; 16], bit: u32) -> u16 {
        let to_sign = values!(_mm_cvtsi32_si128(15 - bit as i32));
        // SAFETY: the pointer covers 32 readable bytes; loadu asks for no alignment.
        let (low, high) = unsafe {
            (_mm_loadu_si128(lanes.as_ptr().cast()), _mm_loadu_si128(lanes.as_ptr().add(8).cast()))
        };
        // Packing to bytes keeps the sign, and the mask collects it.
        values!(_mm_movemask_epi8(_mm_packs_epi16(_mm_sll_epi16(low, to_sign), _mm_sll_epi16(high, to_sign)))
            as u16)
    }
}

impl Lanes for Sse2Grid {
    #[inline(always)]
    fn zero() -> Sse2Grid {
        Sse2Grid(Sse2::zero(), Sse2::zero())
    }
    #[inline(always)]
    fn and(self, other: Sse2Grid) -> Sse2Grid {
        Sse2Grid(self.0.and(other.0), self.1.and(other.1))
    }
    #[inline(always)]
    fn or(self, other: Sse2Grid) -> Sse2Grid {
        Sse2Grid(self.0.or(other.0), self.1.or(other.1))
    }
    #[inline(always)]
    fn xor(self, other: Sse2Grid) -> Sse2Grid {
        Sse2Grid(self.0.xor(other.0), self.1.xor(other.1))
    }
    #[inline(always)]
    fn minus(self, other: Sse2Grid) -> Sse2Grid {
        Sse2Grid(self.0.minus(other.0), self.1.minus(other.1))
    }
    #[inline(always)]
    fn can_be_skipped(self) -> bool {
        self.is_zero()
    }
    #[inline(always)]
    fn ahead<const K: i32>(self) -> Sse2Grid {
        Sse2Grid(self.0.ahead::<K>(), self.1.ahead::<K>())
    }
    #[inline(always)]
    fn behind<const K: i32>(self) -> Sse2Grid {
        Sse2Grid(self.0.behind::<K>(), self.1.behind::<K>())
    }
}

/// `$shift!(bytes, 16 - bytes)` for the number of rows, because a byte shift wants literals.
macro_rules! by_rows {
    ($k:ident, $shift:ident) => {
        match $k {
            1 => $shift!(2, 14),
            2 => $shift!(4, 12),
            3 => $shift!(6, 10),
            4 => $shift!(8, 8),
            5 => $shift!(10, 6),
            _ => unreachable!(),
        }
    };
}

impl Grid for Sse2Grid {
    #[inline(always)]
    fn load(set: &Bitboard) -> Sse2Grid {
        let words = set.words().as_ptr();
        // SAFETY: a bitboard is 32 readable bytes; loadu asks for no alignment.
        unsafe { Sse2Grid(Sse2(_mm_loadu_si128(words.cast())), Sse2(_mm_loadu_si128(words.add(2).cast()))) }
    }
    #[inline(always)]
    fn store(self) -> Bitboard {
        let mut words = [0; 4];
        // SAFETY: the array is 32 writable bytes; storeu asks for no alignment.
        unsafe {
            _mm_storeu_si128(words.as_mut_ptr().cast(), self.0.0);
            _mm_storeu_si128(words.as_mut_ptr().add(2).cast(), self.1.0);
        }
        Bitboard::from_words(words)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        let any = self.0.or(self.1).0;
        values!(_mm_movemask_epi8(_mm_cmpeq_epi8(any, _mm_setzero_si128())) == 0xffff)
    }
    #[inline(always)]
    fn rows_ahead<const K: i32>(self) -> Sse2Grid {
        let (low, high) = (self.0.0, self.1.0);
        macro_rules! shift {
            ($bytes:literal, $rest:literal) => {
                values!(Sse2Grid(
                    Sse2(_mm_or_si128(_mm_srli_si128::<$bytes>(low), _mm_slli_si128::<$rest>(high))),
                    Sse2(_mm_srli_si128::<$bytes>(high)),
                ))
            };
        }
        by_rows!(K, shift)
    }
    #[inline(always)]
    fn rows_behind<const K: i32>(self) -> Sse2Grid {
        let (low, high) = (self.0.0, self.1.0);
        macro_rules! shift {
            ($bytes:literal, $rest:literal) => {
                values!(Sse2Grid(
                    Sse2(_mm_slli_si128::<$bytes>(low)),
                    Sse2(_mm_or_si128(_mm_slli_si128::<$bytes>(high), _mm_srli_si128::<$rest>(low))),
                ))
            };
        }
        by_rows!(K, shift)
    }
}

impl Grid for Avx2Grid {
    #[inline(always)]
    fn load(set: &Bitboard) -> Avx2Grid {
        // SAFETY: AVX2 is there (see the module); a bitboard is 32 readable bytes.
        Avx2Grid(unsafe { _mm256_loadu_si256(set.words().as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self) -> Bitboard {
        let mut words = [0; 4];
        // SAFETY: AVX2 is there (see the module); the array is 32 writable bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) };
        Bitboard::from_words(words)
    }
    #[inline(always)]
    fn is_zero(self) -> bool {
        values!(_mm256_testz_si256(self.0, self.0) == 1)
    }
    #[inline(always)]
    fn rows_ahead<const K: i32>(self) -> Avx2Grid {
        // Upper half brought down, zeros above it.
        macro_rules! shift {
            ($bytes:literal, $rest:literal) => {
                values!(_mm256_alignr_epi8::<$bytes>(
                    _mm256_permute2x128_si256::<0x81>(self.0, self.0),
                    self.0
                ))
            };
        }
        Avx2Grid(by_rows!(K, shift))
    }
    #[inline(always)]
    fn rows_behind<const K: i32>(self) -> Avx2Grid {
        // Lower half brought up, zeros below it.
        macro_rules! shift {
            ($bytes:literal, $rest:literal) => {
                values!(_mm256_alignr_epi8::<$rest>(
                    self.0,
                    _mm256_permute2x128_si256::<0x08>(self.0, self.0)
                ))
            };
        }
        Avx2Grid(by_rows!(K, shift))
    }
}

/// The black and the white stones of an array board (0 empty, 1 black, 2 or -1 white), or `None` if
/// another code is in it.
#[must_use]
#[inline]
pub fn decode(cells: &[i8; BOARD_POINTS]) -> Option<(Bitboard, Bitboard)> {
    let mut highest = values!(_mm_setzero_si128());
    // Row `y`: which of its cells are odd, which are white.
    let mut row = |y: usize| {
        // A row is 15 bytes; the load takes 16. The last row borrows its extra byte from the row
        // below, so that nothing past the board is read.
        let is_last = y == BOARD_SIZE - 1;
        let start = y * BOARD_SIZE - usize::from(is_last);
        // SAFETY: start + 16 <= 225, which the slice checks.
        let codes = unsafe { _mm_loadu_si128(cells[start..start + 16].as_ptr().cast()) };
        // One more than a known code is 0..=3 without a sign.
        highest = values!(_mm_max_epu8(highest, _mm_add_epi8(codes, _mm_set1_epi8(1))));
        // A mask collects the top bit of every byte. Bit 1 of a code says white (2 and -1), bit 0
        // without it black.
        let odd = values!(_mm_movemask_epi8(_mm_slli_epi16::<7>(codes))) as u32 >> u32::from(is_last);
        let white = values!(_mm_movemask_epi8(_mm_slli_epi16::<6>(codes))) as u32 >> u32::from(is_last);
        (u64::from(odd), u64::from(white))
    };
    let mut words = |y: usize, rows: usize| {
        let (mut odd, mut white) = (0, 0);
        for i in 0..rows {
            let (row_odd, row_white) = row(y + i);
            odd |= row_odd << (16 * i);
            white |= row_white << (16 * i);
        }
        (odd & !white, white)
    };
    let [(b0, w0), (b1, w1), (b2, w2), (b3, w3)] = [words(0, 4), words(4, 4), words(8, 4), words(12, 3)];
    let is_known = values!(
        _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(highest, _mm_set1_epi8(3)), _mm_set1_epi8(3)))
            == 0xffff
    );
    is_known.then(|| (Bitboard::from_words([b0, b1, b2, b3]), Bitboard::from_words([w0, w1, w2, w3])))
}
