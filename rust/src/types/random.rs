/// A generator of random numbers that gives the same ones on every machine and in every version: xoshiro256**,
/// seeded by [`SplitMix`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    words: [u64; 4],
}

impl Random {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        let mut numbers = SplitMix::new(seed);
        Random { words: std::array::from_fn(|_| numbers.number()) }
    }

    /// The generator of the `n`-th of many parts of a work: games, trees.
    #[must_use]
    pub fn part(seed: u64, n: u64) -> Random {
        Random::new(seed ^ SplitMix::new(n).number())
    }

    /// Another generator, whose numbers have nothing to do with those of this one.
    pub fn split(&mut self) -> Random {
        Random::new(self.number())
    }

    /// Any number of 64 bits, all equally likely.
    pub fn number(&mut self) -> u64 {
        let [a, b, c, d] = self.words;
        let result = b.wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let (c, d) = (c ^ a, d ^ b);
        self.words = [a ^ d, b ^ c, c ^ (b << 17), d.rotate_left(45)];
        result
    }

    /// A number below `n`, all equally likely.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        below(n, || self.number())
    }

    /// Brings a list into any order, all equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// SplitMix64: a generator whose whole state is one word, for seeds, keys and choices of one or two numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix(u64);

impl SplitMix {
    /// What each number adds to the state: the odd number next to 2^64 divided by the golden ratio.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// The generator of seed 0 after `n` numbers.
    #[must_use]
    pub const fn after(n: u64) -> SplitMix {
        SplitMix(n.wrapping_mul(SplitMix::STEP))
    }

    /// Any number of 64 bits, all equally likely.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(SplitMix::STEP);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below `n`, all equally likely.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        below(n, || self.number())
    }
}

/// A number below `n`, all equally likely, made from numbers of 64 bits.
fn below(n: usize, mut number: impl FnMut() -> u64) -> usize {
    assert!(n > 0, "there is no number below 0");
    let n = n as u64;
    let mut wide = u128::from(number()) * u128::from(n);
    if (wide as u64) < n {
        // The first numbers of the wide product are hit once too often; those are drawn again.
        let short = n.wrapping_neg() % n;
        while (wide as u64) < short {
            wide = u128::from(number()) * u128::from(n);
        }
    }
    (wide >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_even_and_the_same_everywhere() {
        let mut random = Random::new(7);
        let mut counts = [0_i64; 7];
        for _ in 0..70_000 {
            counts[random.below(7)] += 1;
        }
        // Chi-square with 6 degrees of freedom: 22.5 is passed once in a thousand.
        let chi: f64 = counts.iter().map(|&count| (count - 10_000).pow(2) as f64 / 10_000.0).sum();
        assert!(chi < 22.5, "{chi} {counts:?}");
        assert_eq!(Random::new(0).number(), 11_091_344_671_253_066_420);
        // The first numbers of the published generator for seed 1234567.
        let mut numbers = SplitMix::new(1_234_567);
        assert_eq!(numbers.number(), 6_457_827_717_110_365_317);
        assert_eq!(numbers.number(), 3_203_168_211_198_807_973);
    }
}
