use crate::types::WideKey;

/// Depth of a failure that no depth limit had a part in.
pub const EXHAUSTED: u16 = u16::MAX;

/// Entries are 16 bytes: 1 MB in all, which stays in the second-level cache.
const SIZE_LOG2: u32 = 16;

/// Positions from which the attacker has no win within so many stones.
///
/// An entry holds the whole wide key (its low 16 bits are the place in the table), so that a failure
/// is never taken for that of another position.
#[derive(Clone, Debug)]
pub struct FailureTable {
    /// Key: low bits of the position's key; value: its high half, and the rest of the low half with
    /// the depth in its last 16 bits.
    entries: Vec<(u64, u64)>,
    /// Mixed into every key: another one makes all older entries strangers.
    salt: WideKey,
}

impl Default for FailureTable {
    fn default() -> FailureTable {
        FailureTable { entries: vec![(0, 0); 1 << SIZE_LOG2], salt: 0 }
    }
}

impl FailureTable {
    /// Forgets everything, in no time.
    pub fn forget(&mut self) {
        const STEP: WideKey = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        self.salt = self.salt.wrapping_add(STEP);
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
    }

    #[inline]
    fn place(&self, key: WideKey) -> (usize, u64, u64) {
        let key = key ^ self.salt;
        (key as usize & ((1 << SIZE_LOG2) - 1), (key >> 64) as u64, key as u64 & !0xffff)
    }
}
