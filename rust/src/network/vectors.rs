//! The two loops that take the time of a value, in vector instructions: the same text for the registers of SSE2, which
//! every x86-64 CPU has, and for those of AVX2. Left to the compiler they become loads of single numbers.

use super::kernel::{Inputs, Outputs, Sums, outputs_by};
use super::weights::{CellVectors, Head, Layer, PLACES, WIDTH};
use crate::eval::GroupChange;

/// The numbers of a group. No closure in these loops: the compiler does not inline a closure into a function with
/// instructions of its own, which made the sums take seven times as many.
#[inline(always)]
fn row(vectors: &CellVectors, group: u16) -> &[i16; WIDTH] {
    &vectors[usize::from(group) % PLACES].0
}

macro_rules! vectors {
    (
        $(#[$doc:meta])* $module:ident, $feature:literal, $register:ident,
        $load:ident, $store:ident, $zero:ident, $repeat:ident,
        $add_short:ident, $subtract_short:ident, $most_short:ident, $add_long:ident, $multiply_pairs:ident $(,)?
    ) => {
        $(#[$doc])*
        pub(super) mod $module {
            use std::arch::x86_64::{
                $add_long, $add_short, $load, $most_short, $multiply_pairs, $register, $repeat, $store,
                $subtract_short, $zero,
            };

            use super::{CellVectors, GroupChange, Head, Inputs, Layer, Outputs, Sums, WIDTH, outputs_by, row};

            /// Numbers of 16 bits, and of 32 bits, in a register.
            const SHORTS: usize = size_of::<$register>() / size_of::<i16>();
            const LONGS: usize = size_of::<$register>() / size_of::<i32>();

            #[target_feature(enable = $feature)]
            #[inline]
            fn shorts(numbers: &[i16; SHORTS]) -> $register {
                // SAFETY: there are as many bytes as a register has; any alignment will do.
                unsafe { $load(std::ptr::from_ref(numbers).cast()) }
            }

            #[target_feature(enable = $feature)]
            #[inline]
            fn longs(numbers: &[i32; LONGS]) -> $register {
                // SAFETY: there are as many bytes as a register has; any alignment will do.
                unsafe { $load(std::ptr::from_ref(numbers).cast()) }
            }

            /// Adds to the sums what these cells have more than before.
            #[target_feature(enable = $feature)]
            pub(in super::super) fn add_changes(
                cells: [&CellVectors; 2],
                changes: &[GroupChange],
                sums: &mut Sums,
            ) {
                let mut differences = [$zero(); WIDTH / SHORTS];
                for &[was, is] in changes {
                    let was_black = row(cells[0], was[0]).as_chunks::<SHORTS>().0;
                    let was_white = row(cells[1], was[1]).as_chunks::<SHORTS>().0;
                    let is_black = row(cells[0], is[0]).as_chunks::<SHORTS>().0;
                    let is_white = row(cells[1], is[1]).as_chunks::<SHORTS>().0;
                    for i in 0..WIDTH / SHORTS {
                        let was = $add_short(shorts(&was_black[i]), shorts(&was_white[i]));
                        let is = $add_short(shorts(&is_black[i]), shorts(&is_white[i]));
                        let more = $subtract_short($most_short(is, $zero()), $most_short(was, $zero()));
                        differences[i] = $add_short(differences[i], more);
                    }
                }
                let mut more = [0_i16; WIDTH];
                for (place, register) in more.as_chunks_mut::<SHORTS>().0.iter_mut().zip(differences) {
                    // SAFETY: the place has as many bytes as a register.
                    unsafe { $store(std::ptr::from_mut(place).cast(), register) };
                }
                for (sum, more) in sums.0.iter_mut().zip(more) {
                    *sum = sum.wrapping_add(i32::from(more));
                }
            }

            /// What the layers make of the sums in a state of threats.
            #[target_feature(enable = $feature)]
            pub(in super::super) fn outputs(head: &Head, threats: usize, sums: &Sums) -> Outputs {
                outputs_by(|layer, inputs, biases| products(layer, inputs, biases), head, threats, sums)
            }

            /// The sums of a layer: a pair of inputs is multiplied by the weights of a register of numbers at once.
            #[target_feature(enable = $feature)]
            #[inline]
            fn products(
                layer: &Layer,
                inputs: &Inputs,
                biases: &[i32; WIDTH],
            ) -> [i32; WIDTH] {
                let biases = biases.as_chunks::<LONGS>().0;
                let mut sums: [$register; WIDTH / LONGS] = std::array::from_fn(|i| longs(&biases[i]));
                for (weights, pair) in layer.iter().zip(inputs.as_chunks::<2>().0) {
                    let pair = $repeat(i32::from(pair[0].cast_unsigned()) | i32::from(pair[1]) << 16);
                    let weights = weights.as_flattened().as_chunks::<SHORTS>().0;
                    for (sum, weights) in sums.iter_mut().zip(weights) {
                        *sum = $add_long(*sum, $multiply_pairs(shorts(weights), pair));
                    }
                }
                let mut all = [0; WIDTH];
                for (place, sum) in all.as_chunks_mut::<LONGS>().0.iter_mut().zip(sums) {
                    // SAFETY: the place has as many bytes as a register.
                    unsafe { $store(std::ptr::from_mut(place).cast(), sum) };
                }
                all
            }
        }
    };
}

vectors!(
    /// Registers of 128 bits.
    sse2, "sse2", __m128i,
    _mm_loadu_si128, _mm_storeu_si128, _mm_setzero_si128, _mm_set1_epi32,
    _mm_add_epi16, _mm_sub_epi16, _mm_max_epi16, _mm_add_epi32, _mm_madd_epi16,
);

vectors!(
    /// Registers of 256 bits.
    avx2, "avx2", __m256i,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm256_setzero_si256, _mm256_set1_epi32,
    _mm256_add_epi16, _mm256_sub_epi16, _mm256_max_epi16, _mm256_add_epi32, _mm256_madd_epi16,
);
