use crate::types::WideKey;

/// Depth of a failure that no depth limit had a part in.
pub const EXHAUSTED: u16 = u16::MAX;

/// Entries are 16 bytes: 1 MB in all, which stays in the second-level cache.
const SIZE_LOG2: u32 = 16;

/// A search that fills the table gets a larger one, up to 64 MB: where many fours can be played in any
/// order, one that forgets would visit the same positions again and again.
const MOST_LOG2: u32 = 22;

/// Positions from which the attacker has no win within a number of stones.
///
/// An entry holds the whole wide key (its low 16 bits are the place in the table), so that a failure
/// is never taken for that of another position.
#[derive(Clone, Debug)]
pub struct FailureTable {
    /// Key: low bits of the position's key; value: its high half, and the rest of the low half with
    /// the depth in its last 16 bits.
    entries: Vec<(u64, u64)>,
    /// Mixed into the high half of every key: another one makes all older entries strangers.
    salt: u64,
    /// Failures stored since the table was emptied or grew.
    stored: usize,
    /// The most entries that the table grows to.
    most: usize,
}

impl Default for FailureTable {
    fn default() -> FailureTable {
        FailureTable::bounded(MOST_LOG2)
    }
}

impl FailureTable {
    /// A table that grows up to this.
    pub fn bounded(most_log2: u32) -> FailureTable {
        FailureTable { entries: vec![(0, 0); 1 << SIZE_LOG2], salt: 0, stored: 0, most: 1 << most_log2 }
    }

    /// Forgets everything, in no time unless the table has grown.
    pub fn forget(&mut self) {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        self.salt = self.salt.wrapping_add(STEP);
        self.stored = 0;
        if self.entries.len() > 1 << SIZE_LOG2 {
            self.entries = vec![(0, 0); 1 << SIZE_LOG2];
        }
    }

    /// Is it known that the attacker has no win here within `depth` stones? If so, within how many.
    #[inline]
    pub fn failed(&self, key: WideKey, depth: u16) -> Option<u16> {
        let (slot, high, low) = self.place(key);
        let (stored_high, stored_low) = self.entries[slot];
        let stored_depth = stored_low as u16;
        (stored_high == high && stored_low & !0xffff == low && stored_depth >= depth).then_some(stored_depth)
    }

    /// Remembers that the attacker has no win here within `depth` stones.
    #[inline]
    pub fn store(&mut self, key: WideKey, depth: u16) {
        let (slot, high, low) = self.place(key);
        self.entries[slot] = (high, low | u64::from(depth));
        self.stored += 1;
        if self.stored > self.entries.len() && self.entries.len() < self.most {
            self.grow();
        }
    }

    #[inline]
    fn place(&self, key: WideKey) -> (usize, u64, u64) {
        // The place does not depend on the salt: what is overwritten, and so the number of nodes, must
        // not depend on what was solved before.
        (key as usize & (self.entries.len() - 1), (key >> 64) as u64 ^ self.salt, key as u64 & !0xffff)
    }

    #[cold]
    fn grow(&mut self) {
        let mut entries = vec![(0, 0); 4 * self.entries.len()];
        for (slot, &(high, low)) in self.entries.iter().enumerate() {
            // The entry and its place together are the key.
            let key = (low & !0xffff) | (slot as u64 & 0xffff);
            entries[key as usize & (4 * self.entries.len() - 1)] = (high, low);
        }
        (self.entries, self.stored) = (entries, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Growing and filling never invents a failure, and keeps what is not overwritten.
    #[test]
    fn a_grown_table_knows_what_it_was_told() {
        let mut table = FailureTable::default();
        let key = |i: u64| WideKey::from(i).wrapping_mul(0x0123_4567_89ab_cdef_f7d3_1c25_93b5_a64d);
        for i in 0..300_000 {
            table.store(key(i), (i % 100) as u16);
        }
        assert!(table.entries.len() > 1 << SIZE_LOG2);
        let known = (0..300_000).filter(|&i| table.failed(key(i), 0) == Some((i % 100) as u16)).count();
        assert!(known > 150_000, "{known}");
        assert!((300_000..600_000).all(|i| table.failed(key(i), 0).is_none()));
        table.forget();
        assert!((0..300_000).all(|i| table.failed(key(i), 0).is_none()));
        assert_eq!(table.entries.len(), 1 << SIZE_LOG2);
    }
}
