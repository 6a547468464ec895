use std::sync::Arc;

use super::cells::{CodePair, SHAPE, place, shapes_of};
use super::codes::CellKind;
use super::shapes::ShapeTable;
use super::values::{CellValue, CellValues, Threats};
use super::windows::{ADDED, KEYS, KeyPair, REACH, SLOTS, STONES, TAKEN, WALLS};
use crate::board::Stones;
use crate::types::{BOARD_POINTS, Bitboard, Color, Line, Point};

/// Key: direction, bit of a [`Bitboard`]; value: where the key of the cell along that direction is kept. The cells of
/// lines too short for a five share a key that no stone adds to.
static PLACES_OF_KEYS: [[u16; 256]; 4] = places_of_keys();

const fn places_of_keys() -> [[u16; 256]; 4] {
    let untouched = (Line::NOWHERE.index() * KEYS + KEYS - 1) as u16;
    let mut table = [[untouched; 256]; 4];
    let mut index = 0;
    while index < Line::COUNT {
        let line = Line::from_index(index).unwrap();
        let mut offset = 0;
        while offset < line.length() {
            let point = line.point(offset).unwrap();
            table[line.direction() as usize][Bitboard::bit(point)] = (index * KEYS + offset + REACH) as u16;
            offset += 1;
        }
        index += 1;
    }
    table
}

/// The kinds of cells that are counted, because [`GroupMap::threats`] asks for them.
const COUNTED: [CellKind; 4] =
    [CellKind::Four, CellKind::FourThree, CellKind::DoubleThree, CellKind::OpenFour];

/// What a group of codes means to a colour, to be added up over all cells: the value in the low
/// [`Meaning::VALUE_BITS`], [`Meaning::BIAS`] higher so that it is never negative, and above it a byte for each of the
/// [`COUNTED`] kinds, with the number of its cells. No part ever runs over into the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Meaning(u64);

impl Meaning {
    const BIAS: i32 = 1 << 15;
    const VALUE_BITS: usize = 24;

    fn of(value: &CellValue) -> Meaning {
        let kind = COUNTED.iter().position(|&kind| kind == value.kind);
        let count = kind.map_or(0, |i| 1 << (Meaning::VALUE_BITS + 8 * i));
        Meaning(u64::from((i32::from(value.board) + Meaning::BIAS).cast_unsigned()) | count)
    }

    /// The value of a whole board, in points of score.
    fn board(self) -> i32 {
        const { assert!(2 * Meaning::BIAS as usize * BOARD_POINTS < 1 << Meaning::VALUE_BITS) };
        (self.0 & ((1 << Meaning::VALUE_BITS) - 1)) as i32 - BOARD_POINTS as i32 * Meaning::BIAS
    }

    /// Is there a cell of this kind, which is one of [`COUNTED`]?
    fn has(self, kind: CellKind) -> bool {
        let i = COUNTED.iter().position(|&counted| counted == kind).expect("a kind that is counted");
        self.0 >> (Meaning::VALUE_BITS + 8 * i) & 0xff != 0
    }
}

/// Groups of codes, filled up to a power of two, so that no bound need be checked.
const GROUPS: usize = super::CODE_GROUPS.next_power_of_two();

/// Keys of the lines that are on the board, and of the one that is not.
const USED_KEYS: usize = (Line::COUNT + 1) * KEYS;

/// A cell whose groups of codes became others: those it had and those it has, black's before white's.
pub type GroupChange = [[u16; 2]; 2];

/// What is known of one board.
#[derive(Clone)]
struct Known {
    stones: Stones,
    /// Key: [`PLACES_OF_KEYS`]; value: what is around the cell along the direction. Only the first [`USED_KEYS`] are
    /// ever read; the rest makes the number a power of two, so that no bound need be checked.
    keys: [KeyPair; SLOTS * KEYS],
    /// Key: bit of a [`Bitboard`]; 0 where there is a stone.
    codes: [CodePair; 256],
    /// Key: bit of a [`Bitboard`]; value: the groups of the codes, black's before white's.
    groups: [[u16; 2]; 256],
    /// Key: colour; value: what all cells mean together.
    totals: [Meaning; 2],
}

impl Known {
    /// Becomes a copy. What `clone_from` does goes through a third place in memory.
    fn copy_from(&mut self, other: &Known) {
        self.keys[..USED_KEYS].copy_from_slice(&other.keys[..USED_KEYS]);
        self.codes.copy_from_slice(&other.codes);
        self.groups.copy_from_slice(&other.groups);
        (self.stones, self.totals) = (other.stones, other.totals);
    }
}

/// The groups of the codes of all cells for one board after another, as [`super::CellMap`] has them, for those who
/// look at each board once. A board is reached from the one before or from the empty one, whichever differs in fewer
/// stones, and each cell near those stones is looked at once, not once for each stone.
#[derive(Clone)]
pub struct GroupMap {
    values: Arc<CellValues>,
    /// Key: colour, group of codes.
    meanings: [Box<[Meaning; GROUPS]>; 2],
    shapes: [&'static ShapeTable; 2],
    now: Box<Known>,
    empty: Box<Known>,
    /// The changes on the way to the present board; as many as there are bits of a [`Bitboard`].
    changes: Box<[GroupChange; 256]>,
}

impl GroupMap {
    /// The map of the empty board.
    #[must_use]
    pub fn new(values: Arc<CellValues>) -> GroupMap {
        let meanings = Color::ALL.map(|color| {
            let mut table = Box::new([Meaning(0); GROUPS]);
            for (group, meaning) in table.iter_mut().enumerate() {
                *meaning = Meaning::of(values.of_group(color, group as u16));
            }
            table
        });
        let nothing = Known {
            stones: Stones::EMPTY,
            keys: *WALLS.as_flattened().first_chunk().expect("as many as there are walls"),
            codes: [0; 256],
            groups: [[0; 2]; 256],
            totals: [0, 1].map(|i: usize| Meaning(meanings[i][0].0 * BOARD_POINTS as u64)),
        };
        let shapes = Color::ALL.map(ShapeTable::of);
        let [now, empty] = [Box::new(nothing.clone()), Box::new(nothing)];
        let mut map =
            GroupMap { values, meanings, shapes, now, empty, changes: Box::new([[[0; 2]; 2]; 256]) };
        map.update(&[Bitboard::ALL; 4], Bitboard::ALL);
        map.empty = map.now.clone();
        map
    }

    /// Becomes the map of the empty board if this board is nearer to it than to the present one, and tells whether.
    pub fn restart_for(&mut self, stones: &Stones) -> bool {
        let differences = Color::ALL.map(|color| (*stones.of(color) ^ *self.now.stones.of(color)).len());
        let stones = stones.black().len() + stones.white().len();
        let restarts = stones < differences[0] + differences[1];
        if restarts {
            self.now.copy_from(&self.empty);
        }
        restarts
    }

    /// Becomes the map of another board and tells which cells have other groups now.
    pub fn move_to(&mut self, stones: &Stones) -> &[GroupChange] {
        let was = std::mem::replace(&mut self.now.stones, *stones);
        for color in Color::ALL {
            for (points, added) in [
                (*was.of(color) - *stones.of(color), &TAKEN[color.index()]),
                (*stones.of(color) - *was.of(color), &STONES[color.index()]),
            ] {
                for point in points.points() {
                    for cell in Line::through(point) {
                        let (slot, offset) = place(*cell);
                        let keys: Option<&mut [KeyPair; ADDED]> =
                            self.now.keys[slot * KEYS + offset..].first_chunk_mut();
                        add(keys.expect("a line has room"), added);
                    }
                }
            }
        }
        let [black, white] = Color::ALL.map(|color| *was.of(color) ^ *stones.of(color));
        let taken = stones.empty() - was.empty();
        let near = [1, 16, 17, 15].map(|step| {
            // White's stones have no say five cells away.
            let near = (1..REACH).fold(spread(black, step) | white, |near, _| spread(near, step));
            (near | taken) & stones.empty()
        });
        let put = was.empty() - stones.empty();
        for point in put.points() {
            self.now.codes[Bitboard::bit(point)] = 0;
        }
        let count = self.update(&near, near[0] | near[1] | near[2] | near[3] | put);
        &self.changes[..count]
    }

    /// Works out the shapes of these cells along each direction, and then the groups of all these cells. Returns how
    /// many of them have other groups now.
    fn update(&mut self, near: &[Bitboard; 4], all: Bitboard) -> usize {
        let GroupMap { values, meanings: [black, white], now, changes, .. } = self;
        let now = &mut **now;
        let shapes = [&*self.shapes[0].shapes, &*self.shapes[1].shapes];
        for (direction, near) in near.iter().enumerate() {
            let places = &PLACES_OF_KEYS[direction];
            near.for_each_bit(|bit| {
                let keys = now.keys[usize::from(places[usize::from(bit)]) % (SLOTS * KEYS)];
                let code = &mut now.codes[usize::from(bit)];
                *code = *code & !(SHAPE << (4 * direction)) | shapes_of(shapes, keys) << (4 * direction);
            });
        }
        let [mut black_total, mut white_total] = [now.totals[0].0, now.totals[1].0];
        let mut count = 0;
        all.for_each_bit(|bit| {
            let is = values.groups(now.codes[usize::from(bit)]);
            let was = std::mem::replace(&mut now.groups[usize::from(bit)], is);
            let meaning = |table: &[Meaning; GROUPS], group: u16| table[usize::from(group) % GROUPS].0;
            black_total =
                black_total.wrapping_add(meaning(black, is[0])).wrapping_sub(meaning(black, was[0]));
            white_total =
                white_total.wrapping_add(meaning(white, is[1])).wrapping_sub(meaning(white, was[1]));
            // Without a branch: whether a cell changed cannot be guessed.
            changes[count % 256] = [was, is];
            count += usize::from(was != is);
        });
        now.totals = [Meaning(black_total), Meaning(white_total)];
        count
    }

    /// As [`super::CellMap::board_value`].
    #[must_use]
    pub fn board_value(&self, color: Color) -> i32 {
        let board = self.now.totals.map(Meaning::board);
        let cells = board[color.index()] - board[color.opponent().index()];
        cells + self.values.threats(color, self.threats(color))
    }

    /// As [`super::CellMap::threats`].
    #[must_use]
    pub fn threats(&self, color: Color) -> usize {
        let totals = &self.now.totals;
        Threats::state(color, |color, kind| totals[color.index()].has(kind))
    }

    /// The groups of a cell's codes, black's before white's.
    #[must_use]
    #[inline]
    pub fn groups_at(&self, point: Point) -> [u16; 2] {
        self.now.groups[Bitboard::bit(point)]
    }

    /// The groups of the cell with this bit of a [`Bitboard`].
    #[inline(always)]
    pub(crate) fn groups_at_bit(&self, bit: u8) -> [u16; 2] {
        self.now.groups[usize::from(bit)]
    }

    /// What cells are worth by their codes.
    #[must_use]
    pub fn values(&self) -> &CellValues {
        &self.values
    }
}

/// These cells and those one step away, where a step is this number of bits of a [`Bitboard`].
#[inline(always)]
fn spread(cells: Bitboard, step: u32) -> Bitboard {
    let words = cells.words();
    let at = |i: usize| words.get(i).copied().unwrap_or(0);
    let next = std::array::from_fn(|i| {
        let up = at(i) << step | at(i.wrapping_sub(1)) >> (64 - step);
        let down = at(i) >> step | at(i + 1) << (64 - step);
        at(i) | up | down
    });
    Bitboard::from_words(next)
}

/// Adds to keys what a stone changes.
#[inline(always)]
fn add(keys: &mut [KeyPair; ADDED], added: &[KeyPair; ADDED]) {
    for (key, added) in keys.iter_mut().zip(added) {
        *key = key.wrapping_add(*added);
    }
}
