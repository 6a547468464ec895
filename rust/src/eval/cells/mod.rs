mod queries;

use std::sync::Arc;

use super::codes::{CellKind, Code};
use super::shapes::{Shape, ShapeTable};
use super::values::{CellValue, CellValues, Threats, WorthPair};
use super::windows::{ADDED, CHANGED, KEYS, KeyPair, MOST_KEYS, REACH, SLOTS, STONES, TAKEN, WALLS};
use crate::board::Stones;
use crate::types::{BOARD_POINTS, Bitboard, Color, Direction, Line, LineCell, Point};

/// The codes of one cell for both colours: black's in the low half, white's in the high half.
pub(super) type CodePair = u32;

/// The shape of one direction in a pair of codes, all bits set.
pub(super) const SHAPE: CodePair = 0x000f_000f;

/// Key: direction, place in the window of a stone; value: how far its cell is from the stone's in a
/// [`Bitboard`], wrapped round.
static STEPS: [[u8; 16]; 4] = steps();

const fn steps() -> [[u8; 16]; 4] {
    let mut table = [[0; 16]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (dx, dy) = Direction::ALL[direction].step();
        let mut place = 0;
        while place < 16 {
            let steps = place as isize - REACH as isize;
            table[direction][place] = (steps * (dx + 16 * dy)) as u8;
            place += 1;
        }
        direction += 1;
    }
    table
}

/// What is known of an empty cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(16))]
struct Cell {
    /// 0 where there is a stone.
    codes: CodePair,
    worth: WorthPair,
}

impl Cell {
    const NOTHING: Cell = Cell { codes: 0, worth: WorthPair::NOTHING };
}

/// Places for kinds, a power of two.
const KINDS: usize = CellKind::COUNT.next_power_of_two();

/// More than the cells that a stone changes, a power of two.
const MOST_CHANGES: usize = 64;

/// What has to be put back when a stone is taken off.
#[derive(Clone)]
struct Saved {
    totals: Totals,
    point: Point,
    color: Color,
    /// How many cells the stone changed, itself among them.
    changes: usize,
    /// These cells, as bits of a [`Bitboard`].
    bits: [u8; MOST_CHANGES],
    /// What was known of them before.
    cells: [Cell; MOST_CHANGES],
    /// How many of them became of another kind for a colour.
    flips: usize,
    /// Which of them did.
    flipped: [u8; MOST_CHANGES],
}

impl Saved {
    const NOTHING: Saved = Saved {
        totals: Totals::NOTHING,
        point: Point::CENTER,
        color: Color::Black,
        changes: 0,
        bits: [0; MOST_CHANGES],
        cells: [Cell::NOTHING; MOST_CHANGES],
        flips: 0,
        flipped: [0; MOST_CHANGES],
    };

    /// A cell that became of another kind for a colour: its bit, and what it was worth before.
    #[inline(always)]
    fn flip(&self, flip: usize) -> (u8, WorthPair) {
        let i = usize::from(self.flipped[flip % MOST_CHANGES]) % MOST_CHANGES;
        (self.bits[i], self.cells[i].worth)
    }
}

/// What is summed up over all empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Totals {
    worth: WorthPair,
    /// Key: colour; value: the number of cells of each kind but the quiet ones, a byte each.
    kinds: [u64; 2],
}

impl Totals {
    const NOTHING: Totals = Totals { worth: WorthPair::NOTHING, kinds: [0; 2] };
}

/// Key: kind; value: one cell of the kind in [`Totals::kinds`].
static ONE: [u64; KINDS] = {
    let mut table = [0; KINDS];
    let mut kind = CellKind::Quiet as usize + 1;
    while kind < CellKind::COUNT {
        table[kind] = 1 << (8 * (kind - 1));
        kind += 1;
    }
    table
};

/// The code of every empty cell for both colours under play and undo, and with them the value of the
/// board: what the cells are worth, summed up.
#[derive(Clone)]
pub struct CellMap {
    values: Arc<CellValues>,
    /// Key: colour.
    shapes: [&'static ShapeTable; 2],
    /// Key: bit of a [`Bitboard`].
    cells: [Cell; 256],
    /// Key: line, cell with [`REACH`] cells before the first; value: what is around the cell.
    keys: [[KeyPair; KEYS]; SLOTS],
    /// Key: line; value: the cells that are not empty, [`REACH`] bits up, those off the board among them.
    occupied: [u32; SLOTS],
    /// Key: colour, kind; value: the cells of the kind.
    kinds: [[Bitboard; KINDS]; 2],
    stones: Stones,
    totals: Totals,
    /// The new codes of the cells that a stone changes, while it is put on the board.
    codes: [CodePair; MOST_CHANGES],
    /// The first `depth` entries are stones that can be taken back.
    history: Vec<Saved>,
    depth: usize,
}

impl CellMap {
    /// The codes of a board.
    #[must_use]
    pub fn new(stones: &Stones, values: Arc<CellValues>) -> CellMap {
        let mut map = CellMap {
            values,
            shapes: Color::ALL.map(ShapeTable::of),
            cells: [Cell::NOTHING; 256],
            keys: WALLS,
            occupied: [!0; SLOTS],
            kinds: [[Bitboard::EMPTY; KINDS]; 2],
            stones: Stones::EMPTY,
            totals: Totals::NOTHING,
            codes: [0; MOST_CHANGES],
            history: Vec::new(),
            depth: 0,
        };
        map.reset(stones);
        map
    }

    /// Becomes the map of another board; nothing can be taken back.
    pub fn reset(&mut self, stones: &Stones) {
        (self.stones, self.totals, self.depth) = (*stones, Totals::NOTHING, 0);
        self.keys = WALLS;
        for line in Line::all() {
            self.occupied[line.index()] = !(u32::from(line.mask()) << REACH);
        }
        for color in Color::ALL {
            for point in stones.of(color).points() {
                for cell in Line::through(point) {
                    let (slot, offset) = place(*cell);
                    add(&mut self.keys[slot], offset, &STONES[color.index()]);
                    self.occupied[slot] |= u32::from(cell.bit) << REACH;
                }
            }
        }
        // Nothing is on the lines too short for a five.
        self.keys[Line::NOWHERE.index()] = WALLS[Line::NOWHERE.index()];
        self.kinds = [[Bitboard::EMPTY; KINDS]; 2];
        let worths = self.values.worths();
        // Stones count as quiet cells, so that the number of cells never changes.
        for point in Point::all() {
            let mut codes = 0;
            if stones.at(point).is_none() {
                for (direction, cell) in Line::through(point).iter().enumerate() {
                    let keys = self.keys[cell.line.index() % SLOTS][usize::from(cell.offset) + REACH];
                    codes |= shapes_of(self.shapes.map(|table| &*table.shapes), keys) << (4 * direction);
                }
            }
            let worth = WorthPair::of(worths, codes);
            self.cells[Bitboard::bit(point)] = Cell { codes, worth };
            self.totals.worth = self.totals.worth.plus(worth);
            for (i, kind) in worth.kinds().into_iter().enumerate() {
                self.totals.kinds[i] += ONE[kind];
                self.kinds[i][kind].insert(point);
            }
        }
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) {
        if self.depth == self.history.len() {
            self.grow_history();
        }
        let saved = &mut self.history[self.depth];
        self.depth += 1;
        (saved.totals, saved.point, saved.color) = (self.totals, point, color);
        self.stones.place(color, point);

        // First the new codes of the stone's own cell and of the cells near it, ...
        let stone_bit = Bitboard::bit(point) as u8;
        (saved.bits[0], self.codes[0]) = (stone_bit, 0);
        let mut count = 1;
        let [black, white] = self.shapes.map(|table| &*table.shapes);
        for (direction, cell) in Line::through(point).iter().enumerate() {
            let (slot, offset) = place(*cell);
            let keys = &mut self.keys[slot];
            add(keys, offset, &STONES[color.index()]);
            self.occupied[slot] |= u32::from(cell.bit) << REACH;
            let keys: &[KeyPair; 16] = keys[offset..].first_chunk().expect("a line has room");
            let mut near = !self.occupied[slot] >> offset & CHANGED[color.index()];
            while near != 0 {
                let at = near.trailing_zeros() as usize % 16;
                near &= near - 1;
                let shapes = shapes_of([black, white], keys[at]);
                let bit = stone_bit.wrapping_add(STEPS[direction][at]);
                let old = self.cells[usize::from(bit)].codes;
                self.codes[count % MOST_CHANGES] =
                    old & !(SHAPE << (4 * direction)) | shapes << (4 * direction);
                saved.bits[count % MOST_CHANGES] = bit;
                count += 1;
            }
        }
        saved.changes = count;

        // ... then what they mean.
        let worths = self.values.worths();
        let mut total = self.totals.worth;
        let mut flips = 0;
        for i in 0..count % MOST_CHANGES {
            let cell = &mut self.cells[usize::from(saved.bits[i])];
            let codes = self.codes[i];
            let was = std::mem::replace(cell, Cell { codes, worth: WorthPair::of(worths, codes) });
            saved.cells[i] = was;
            total = total.minus(was.worth).plus(cell.worth);
            saved.flipped[flips % MOST_CHANGES] = i as u8;
            flips += usize::from(WorthPair::is_other_kind(was.worth, cell.worth));
        }
        (self.totals.worth, saved.flips) = (total, flips);
        for flip in 0..flips % MOST_CHANGES {
            let (bit, was) = saved.flip(flip);
            let (was, is) = (was.kinds(), self.cells[usize::from(bit)].worth.kinds());
            for i in 0..2 {
                self.totals.kinds[i] =
                    self.totals.kinds[i].wrapping_add(ONE[is[i]].wrapping_sub(ONE[was[i]]));
                self.kinds[i][was[i]].toggle(bit);
                self.kinds[i][is[i]].toggle(bit);
            }
        }
    }

    /// Takes the last stone back and returns it.
    ///
    /// # Panics
    /// If none was played.
    #[inline]
    pub fn undo(&mut self) -> (Color, Point) {
        self.depth = self.depth.checked_sub(1).expect("a stone to take back");
        let saved = &self.history[self.depth];
        self.totals = saved.totals;
        for flip in 0..saved.flips % MOST_CHANGES {
            let (bit, was) = saved.flip(flip);
            let (was, is) = (was.kinds(), self.cells[usize::from(bit)].worth.kinds());
            for i in 0..2 {
                self.kinds[i][is[i]].toggle(bit);
                self.kinds[i][was[i]].toggle(bit);
            }
        }
        for i in 0..saved.changes % MOST_CHANGES {
            self.cells[usize::from(saved.bits[i])] = saved.cells[i];
        }
        self.stones.remove(saved.point);
        for cell in Line::through(saved.point) {
            let (slot, offset) = place(*cell);
            add(&mut self.keys[slot], offset, &TAKEN[saved.color.index()]);
            self.occupied[slot] &= !(u32::from(cell.bit) << REACH);
        }
        (saved.color, saved.point)
    }

    #[cold]
    fn grow_history(&mut self) {
        self.history.resize(2 * self.depth + 16, Saved::NOTHING);
    }

    /// Compares everything kept with the same worked out from the stones; names what differs.
    pub fn check(&self) -> Result<(), String> {
        let fresh = CellMap::new(&self.stones, Arc::clone(&self.values));
        if let Some(point) =
            Point::all().find(|&p| self.cells[Bitboard::bit(p)] != fresh.cells[Bitboard::bit(p)])
        {
            return Err(format!("code of {point}"));
        }
        if self.totals != fresh.totals {
            return Err("totals".to_owned());
        }
        if self.kinds != fresh.kinds {
            return Err("cells by kind".to_owned());
        }
        Ok(())
    }
}

/// Where the keys of a line are kept, and from which on a stone on its cell adds to them.
#[inline(always)]
pub(super) fn place(cell: LineCell) -> (usize, usize) {
    (cell.line.index() % SLOTS, usize::from(cell.offset % 16))
}

/// Adds to the keys of a line what a stone changes.
#[inline(always)]
fn add(keys: &mut [KeyPair; KEYS], offset: usize, added: &[KeyPair; ADDED]) {
    for (key, added) in keys[offset..offset + ADDED].iter_mut().zip(added) {
        *key = key.wrapping_add(*added);
    }
}

/// The shapes of both colours, for the codes of the first direction.
#[inline(always)]
pub(super) fn shapes_of([black, white]: [&[u8; MOST_KEYS]; 2], keys: KeyPair) -> CodePair {
    let [black_key, white_key] = [keys & 0xffff, keys >> 16].map(|key| key as usize % MOST_KEYS);
    u32::from(black[black_key]) | u32::from(white[white_key]) << 16
}
