use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::types::{Key, Point};

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The score is exact.
    Exact = 0,
    /// The true score is at least that.
    Lower = 1,
    /// The true score is at most that.
    Upper = 2,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The score for the side to move, with wins counted from this position.
    pub score: i32,
    /// The depth to which the position was searched, in plies.
    pub depth: u8,
    /// What the score says of the position: exact, at least or at most.
    pub bound: Bound,
    /// The best move found, if any.
    pub best: Option<Point>,
}

/// A place of the table: the key mixed with the data, and the data. Two threads that write at once
/// leave a pair that fits no key, so that nobody needs to wait.
#[derive(Debug, Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Places that are looked at for one key: a cache line.
const BUCKET: usize = 4;

/// Ages of entries are told apart up to this.
const AGES: u8 = 128;

/// No move.
const NOWHERE: u64 = 0xff;

/// The transposition table: positions already searched, shared by any number of threads, never
/// larger than asked for.
#[derive(Debug)]
pub struct Table {
    slots: Vec<Slot>,
    age: AtomicU8,
    /// Mixed into every key: another one makes all older entries strangers.
    salt: Key,
    /// What is older is forgotten, and its place as good as empty: what was searched before must not
    /// decide what is overwritten.
    first_age: u8,
}

impl Table {
    /// A table of at most `bytes` bytes, but of one bucket at least; `None` if there is no memory for it.
    #[must_use]
    pub fn new(bytes: usize) -> Option<Table> {
        let buckets = (bytes / (BUCKET * size_of::<Slot>())).max(1);
        Some(Table { slots: empty_slots(buckets * BUCKET)?, age: AtomicU8::new(0), salt: 0, first_age: 0 })
    }

    /// Forgets everything, most times in no time.
    pub fn forget(&mut self) {
        const STEP: Key = 0x9e37_79b9_7f4a_7c15;
        self.salt = self.salt.wrapping_add(STEP);
        let age = self.age.get_mut();
        *age += 1;
        if *age == AGES {
            self.slots.fill_with(Slot::default);
            *age = 0;
        }
        self.first_age = *age;
    }

    /// A new search begins: what older ones left is the first to be overwritten. After a hundred and more
    /// searches without [`Table::forget`] all the later ones count as one.
    pub fn grow_older(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1).min(AGES - 1), Ordering::Relaxed);
    }

    /// What is known of a position.
    #[must_use]
    pub fn get(&self, key: Key) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (slot.check.load(Ordering::Relaxed) ^ data == key ^ self.salt && data != 0).then(|| unpack(data))
        })
    }

    /// Remembers a position, in place of itself or of what is oldest and shallowest among a few.
    pub fn put(&self, key: Key, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let key = key ^ self.salt;
        let worth = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            if data == 0 || age_of(data) < self.first_age || slot.check.load(Ordering::Relaxed) ^ data == key
            {
                return i32::MIN;
            }
            // A search ago counts like eight plies less.
            i32::from(unpack(data).depth) - 8 * i32::from(age - age_of(data))
        };
        let slot = self.bucket(key ^ self.salt).iter().min_by_key(worth).expect("a bucket has places");
        let data = pack(entry, age);
        slot.check.store(key ^ data, Ordering::Relaxed);
        slot.data.store(data, Ordering::Relaxed);
    }

    /// Thousandths of the table that the current search has filled, from a sample.
    #[must_use]
    pub fn permille_used(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let sample = &self.slots[..self.slots.len().min(1000)];
        let is_used = |slot: &&Slot| {
            let data = slot.data.load(Ordering::Relaxed);
            data != 0 && age_of(data) == age
        };
        1000 * sample.iter().filter(is_used).count() / sample.len()
    }

    fn bucket(&self, key: Key) -> &[Slot] {
        let buckets = self.slots.len() / BUCKET;
        // The high half of a product is as even as the key, for any number of buckets.
        let first = ((u128::from(key) * buckets as u128) >> 64) as usize * BUCKET;
        &self.slots[first..first + BUCKET]
    }
}

/// So many empty places. The system hands out empty pages, and only those that are used: a large table costs
/// nothing at the start.
fn empty_slots(count: usize) -> Option<Vec<Slot>> {
    let layout = Layout::array::<Slot>(count).ok()?;
    // SAFETY: the layout is not empty, since a table has a bucket at least. A `Slot` of zero bytes is an empty
    // one, and the vector gives the memory back with the layout it was asked for.
    unsafe {
        let place = alloc_zeroed(layout).cast::<Slot>();
        if place.is_null() { None } else { Some(Vec::from_raw_parts(place, count, count)) }
    }
}

/// From the low end: score 32 bits, depth 8, move 8, bound 2, age 7, and a bit that is never 0.
fn pack(entry: Entry, age: u8) -> u64 {
    let best = entry.best.map_or(NOWHERE, |point| point.index() as u64);
    u64::from(entry.score.cast_unsigned())
        | u64::from(entry.depth) << 32
        | best << 40
        | (entry.bound as u64) << 48
        | u64::from(age) << 50
        | 1 << 57
}

fn unpack(data: u64) -> Entry {
    let bound = match data >> 48 & 3 {
        0 => Bound::Exact,
        1 => Bound::Lower,
        _ => Bound::Upper,
    };
    let best = Point::from_index((data >> 40 & 0xff) as usize);
    Entry { score: (data as u32).cast_signed(), depth: (data >> 32) as u8, bound, best }
}

fn age_of(data: u64) -> u8 {
    (data >> 50) as u8 & (AGES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(i: u64) -> Key {
        (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn entry(i: u64) -> Entry {
        Entry {
            score: (i as i32 - 5_000) * 19,
            depth: (i % 40) as u8,
            bound: [Bound::Exact, Bound::Lower, Bound::Upper][i as usize % 3],
            best: Point::from_index(i as usize % 226),
        }
    }

    #[test]
    fn what_was_put_is_got() {
        let mut table = Table::new(1 << 20).expect("memory");
        for i in 0..10_000 {
            table.put(key(i), entry(i));
            assert_eq!(table.get(key(i)), Some(entry(i)));
        }
        assert!((0..10_000).filter(|&i| table.get(key(i)) == Some(entry(i))).count() > 9_900);
        assert!((10_000..20_000).all(|i| table.get(key(i)).is_none()));
        table.forget();
        assert!((0..10_000).all(|i| table.get(key(i)).is_none()));
    }

    #[test]
    fn it_is_never_larger_than_asked_for() {
        for bytes in [0, 1, 63, 64, 1_000, 1 << 20] {
            let table = Table::new(bytes).expect("memory");
            assert!(table.slots.len() * size_of::<Slot>() <= bytes.max(64), "{bytes}");
            table.put(key(1), entry(1));
            assert_eq!(table.get(key(1)), Some(entry(1)));
        }
    }

    #[test]
    fn the_old_and_shallow_go_first() {
        let table = Table::new(1).expect("memory");
        for i in 0..4 {
            table.put(key(i), Entry { depth: 10 + i as u8, ..entry(i) });
        }
        // The shallowest of four gives way; a newer search's entry stays.
        table.put(key(9), Entry { depth: 1, ..entry(9) });
        assert_eq!((table.get(key(0)), table.get(key(3)).is_some()), (None, true));
        table.grow_older();
        table.put(key(10), Entry { depth: 5, ..entry(10) });
        table.put(key(11), Entry { depth: 5, ..entry(11) });
        assert!(table.get(key(10)).is_some() && table.get(key(11)).is_some());
        assert!(table.get(key(3)).is_some());
        assert_eq!(table.permille_used(), 500);
    }

    #[test]
    fn threads_never_read_what_nobody_wrote() {
        let table = Table::new(1 << 12).expect("memory");
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        let i = (i * 7 + thread) % 1_000;
                        table.put(key(i), entry(i));
                        let j = (i * 13 + 5) % 1_000;
                        assert!(table.get(key(j)).is_none_or(|found| found == entry(j)));
                    }
                });
            }
        });
    }
}
