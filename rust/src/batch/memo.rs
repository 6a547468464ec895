//! What was found for a position, for when the position comes again.

use std::collections::HashMap;
use std::mem::size_of;

use super::{BadCell, Cells, stones_of};
use crate::board::Stones;
use crate::types::Key;

/// Results of positions by their keys, as bytes; beyond a number of bytes the oldest go. Positions are compared
/// whole, so that two that share a key are not mixed up.
///
/// ```
/// use renju::batch::Memo;
/// let boards = [[0; 225], [0; 225]];
/// let (mut memo, mut results) = (Memo::new(1 << 20, vec![2]), [vec![0; 4]]);
/// let asked = memo.find(&boards, &[7, 7], &[0, 1], &mut slices(&mut results)).unwrap();
/// assert_eq!((asked.rows.as_slice(), asked.sources.as_slice()), (&[0][..], &[Some(0), Some(0)][..]));
/// memo.add(&boards, &[7, 7], &asked, &[&[3, 4]], &mut slices(&mut results)).unwrap();
/// assert_eq!(results, [[3, 4, 3, 4]]);
/// assert!(memo.find(&boards, &[7, 7], &[1], &mut [&mut [0; 2]]).unwrap().rows.is_empty());
/// # fn slices(results: &mut [Vec<u8>]) -> Vec<&mut [u8]> { results.iter_mut().map(Vec::as_mut_slice).collect() }
/// ```
#[derive(Debug)]
pub struct Memo {
    /// The size of one result of each job, in bytes.
    sizes: Vec<usize>,
    /// The number of positions that fit.
    most: usize,
    /// Key: the key of a position; value: its place in `positions`.
    places: HashMap<Key, usize>,
    positions: Vec<(Key, Stones)>,
    /// For each job, the results of the positions one after the other.
    results: Vec<Vec<u8>>,
    /// The place that is filled next, once all are filled.
    next: usize,
}

/// What is to be searched, because the memo does not know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToSearch {
    /// The indices of the boards that are to be searched, each position once.
    pub rows: Vec<usize>,
    /// For each position that was asked for, the index in `rows` of the one whose result is its own; `None` if the
    /// memo filled in the result.
    pub sources: Vec<Option<usize>>,
}

impl Memo {
    /// A memo of about `most_bytes` bytes for jobs whose results have these sizes in bytes.
    #[must_use]
    pub fn new(most_bytes: usize, sizes: Vec<usize>) -> Memo {
        // A place of a hash map, of which up to half are empty.
        let place_bytes = 2 * (size_of::<(Key, usize)>() + 1);
        let bytes = size_of::<(Key, Stones)>() + place_bytes + sizes.iter().sum::<usize>();
        let results = vec![Vec::new(); sizes.len()];
        let most = (most_bytes / bytes).max(1);
        Memo { sizes, most, places: HashMap::new(), positions: Vec::new(), results, next: 0 }
    }

    /// Looks for the positions `wanted`, by their indices in `boards` and `keys`: fills in the results of those that
    /// are known, for each job in the order of `wanted`, and tells which of the others are to be searched.
    ///
    /// # Panics
    ///
    /// If there are too few keys, boards or bytes of results.
    pub fn find(
        &self,
        boards: &[Cells],
        keys: &[Key],
        wanted: &[usize],
        results: &mut [&mut [u8]],
    ) -> Result<ToSearch, (usize, BadCell)> {
        let mut found = ToSearch { rows: Vec::new(), sources: Vec::with_capacity(wanted.len()) };
        let mut asked: Vec<Stones> = Vec::new();
        // Key: the key of a position that is to be searched; value: its index in `asked`.
        let mut seen: HashMap<Key, usize> = HashMap::new();
        for (n, &row) in wanted.iter().enumerate() {
            let (key, stones) = (keys[row], stones_of(&boards[row]).map_err(|error| (row, error))?);
            if let Some(place) = self.place(key, &stones) {
                for ((job, size), results) in self.results.iter().zip(&self.sizes).zip(&mut *results) {
                    results[n * size..][..*size].copy_from_slice(&job[place * size..][..*size]);
                }
                found.sources.push(None);
                continue;
            }
            let source = match seen.get(&key) {
                Some(&index) if asked[index] == stones => index,
                // New; or two positions share a key, as good as never: then each is searched for itself.
                _ => {
                    asked.push(stones);
                    found.rows.push(row);
                    seen.insert(key, asked.len() - 1);
                    asked.len() - 1
                }
            };
            found.sources.push(Some(source));
        }
        Ok(found)
    }

    fn place(&self, key: Key, stones: &Stones) -> Option<usize> {
        let place = *self.places.get(&key)?;
        (self.positions[place].1 == *stones).then_some(place)
    }

    /// Remembers what was found for the positions to search, `new` for each job in their order, and fills it in for
    /// all positions that were asked for.
    ///
    /// # Panics
    ///
    /// If there are too few keys, boards or bytes of results.
    pub fn add(
        &mut self,
        boards: &[Cells],
        keys: &[Key],
        searched: &ToSearch,
        new: &[&[u8]],
        results: &mut [&mut [u8]],
    ) -> Result<(), (usize, BadCell)> {
        for ((new, size), results) in new.iter().zip(&self.sizes).zip(results) {
            for (result, source) in results.chunks_exact_mut(*size).zip(&searched.sources) {
                if let Some(source) = source {
                    result.copy_from_slice(&new[source * size..][..*size]);
                }
            }
        }
        let first = searched.rows.len().saturating_sub(self.most);
        for (n, &row) in searched.rows.iter().enumerate().skip(first) {
            let stones = stones_of(&boards[row]).map_err(|error| (row, error))?;
            let rows: Vec<&[u8]> =
                new.iter().zip(&self.sizes).map(|(new, size)| &new[n * size..][..*size]).collect();
            self.put(keys[row], stones, &rows);
        }
        Ok(())
    }

    /// Remembers a position, in the place of the oldest one if there is no other.
    fn put(&mut self, key: Key, stones: Stones, rows: &[&[u8]]) {
        if self.positions.len() < self.most {
            self.places.insert(key, self.positions.len());
            self.positions.push((key, stones));
            self.results.iter_mut().zip(rows).for_each(|(results, row)| results.extend(*row));
            return;
        }
        let place = self.next;
        self.next = (place + 1) % self.most;
        let old = self.positions[place].0;
        if self.places.get(&old) == Some(&place) {
            self.places.remove(&old);
        }
        self.places.insert(key, place);
        self.positions[place] = (key, stones);
        for ((results, row), size) in self.results.iter_mut().zip(rows).zip(&self.sizes) {
            results[place * size..][..*size].copy_from_slice(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Color, Point};

    fn board(n: usize) -> Cells {
        let stones = Stones::default().with(Color::Black, Point::from_index(n).expect("a point"));
        let mut cells = [0; 225];
        super::super::write_cells(&stones, &mut cells);
        cells
    }

    /// Asks for all boards; the result of the board with index n is n.
    fn ask(memo: &mut Memo, boards: &[Cells], keys: &[Key]) -> (Vec<usize>, Vec<u8>) {
        let (mut results, wanted) = (vec![99; boards.len()], Vec::from_iter(0..boards.len()));
        let asked = memo.find(boards, keys, &wanted, &mut [&mut results]).expect("cells are sound");
        let new: Vec<u8> = asked.rows.iter().map(|&row| row as u8).collect();
        memo.add(boards, keys, &asked, &[&new], &mut [&mut results]).expect("cells are sound");
        (asked.rows, results)
    }

    #[test]
    fn what_is_known_is_not_asked_again() {
        let mut memo = Memo::new(1 << 20, vec![1]);
        let boards = [board(0), board(1), board(0)];
        assert_eq!(ask(&mut memo, &boards, &[5, 6, 5]), (vec![0, 1], vec![0, 1, 0]));
        assert_eq!(ask(&mut memo, &boards, &[5, 6, 5]), (vec![], vec![0, 1, 0]));
    }

    #[test]
    fn positions_with_one_key_are_told_apart() {
        let mut memo = Memo::new(1 << 20, vec![1]);
        let boards = [board(0), board(1), board(1)];
        assert_eq!(ask(&mut memo, &boards, &[5, 5, 5]), (vec![0, 1], vec![0, 1, 1]));
        // The later one is remembered, the other one asked again.
        assert_eq!(ask(&mut memo, &boards, &[5, 5, 5]), (vec![0], vec![0, 1, 1]));
    }

    #[test]
    fn the_oldest_go() {
        let mut memo = Memo::new(0, vec![1]);
        assert_eq!(memo.most, 1);
        let boards = [board(0), board(1)];
        assert_eq!(ask(&mut memo, &boards, &[5, 6]), (vec![0, 1], vec![0, 1]));
        assert_eq!(ask(&mut memo, &boards, &[5, 6]), (vec![0], vec![0, 1]));
        assert_eq!((memo.places.len(), memo.positions.len()), (1, 1));
        assert_eq!(ask(&mut memo, &boards, &[5, 6]), (vec![1], vec![0, 1]));
    }

    #[test]
    fn a_cell_that_means_nothing_is_told_with_its_board() {
        let mut boards = [board(0), board(1)];
        boards[1][7] = 9;
        let found = Memo::new(1 << 20, vec![1]).find(&boards, &[5, 6], &[0, 1], &mut [&mut [0; 2]]);
        assert_eq!(found.map_err(|(row, error)| (row, error.code)), Err((1, 9)));
    }
}
