use super::ThreatMap;
use crate::board::Stones;
use crate::rules::{Forbidden, has_double_three};
use crate::types::{Color, Point};

/// Remembers which points are real double-threes.
///
/// Everything else about a verdict is read off the map in a few nanoseconds and not worth keeping.
/// An entry holds the whole position, so that a stored verdict is never that of another board.
#[derive(Clone, Debug)]
pub struct VerdictCache {
    /// Key: some bits of the position's hash and the point.
    entries: Vec<Option<Entry>>,
    hits: u64,
    misses: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    stones: Stones,
    point: Point,
    is_double_three: bool,
}

impl Default for VerdictCache {
    fn default() -> VerdictCache {
        VerdictCache::new(10)
    }
}

impl VerdictCache {
    /// A cache of `2^size_log2` verdicts, 96 bytes each.
    #[must_use]
    pub fn new(size_log2: u32) -> VerdictCache {
        VerdictCache { entries: vec![None; 1 << size_log2], hits: 0, misses: 0 }
    }

    /// The verdict on an empty point for black, the same as [`ThreatMap::forbidden_kind`].
    pub fn forbidden_kind(&mut self, map: &ThreatMap, point: Point) -> Forbidden {
        map.forbidden_kind_by(point, |map, point| self.double_three(map, point))
    }

    /// Questions answered from the cache.
    #[must_use]
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Questions that had to be worked out.
    #[must_use]
    pub fn misses(&self) -> u64 {
        self.misses
    }

    fn double_three(&mut self, map: &ThreatMap, point: Point) -> bool {
        // The verdict does not depend on whose turn it is.
        let hash = map.key(Color::Black) ^ (point.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = hash as usize & (self.entries.len() - 1);
        if let Some(entry) = &self.entries[slot]
            && entry.point == point
            && entry.stones == *map.stones()
        {
            self.hits += 1;
            return entry.is_double_three;
        }
        self.misses += 1;
        let is_double_three = has_double_three(map, point);
        self.entries[slot] = Some(Entry { stones: *map.stones(), point, is_double_three });
        is_double_three
    }
}
