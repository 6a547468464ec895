/// A generator of random numbers that gives the same ones on every machine and in every version: xoshiro256**,
/// seeded by splitmix64.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    words: [u64; 4],
}

impl Random {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        let mut state = seed;
        Random { words: std::array::from_fn(|_| mixed(&mut state)) }
    }

    /// The generator of the `n`-th of many parts of a work: games, trees.
    #[must_use]
    pub fn part(seed: u64, n: u64) -> Random {
        let mut state = n;
        Random::new(seed ^ mixed(&mut state))
    }

    /// Another generator, whose numbers have nothing to do with those of this one.
    pub fn split(&mut self) -> Random {
        Random::new(self.number())
    }

    /// Any number.
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
        assert!(n > 0, "there is no number below 0");
        let n = n as u64;
        let mut wide = u128::from(self.number()) * u128::from(n);
        if (wide as u64) < n {
            // The first numbers of the wide product are hit once too often; those are drawn again.
            let short = n.wrapping_neg() % n;
            while (wide as u64) < short {
                wide = u128::from(self.number()) * u128::from(n);
            }
        }
        (wide >> 64) as usize
    }

    /// Brings a list into any order, all equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

fn mixed(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut word = *state;
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
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
    }
}
