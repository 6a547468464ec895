mod fours;

use super::lines::{CROSSINGS, LineClasses, Presence, SLOTS, both_colors, exact, in_pair, presences, slot};
use crate::board::Stones;
use crate::rules::planes::{classes, shapes};
use crate::rules::vector::{East, Lanes, LinePairs, NativePairs};
use crate::rules::{BlackShapes, Class, Forbidden, has_double_three};
use crate::types::{
    Bitboard, Color, Direction, Key, Line, LineCell, Point, WideKey, side_key, wide_stone_key,
};

/// What one stone changed, to be put back by [`ThreatMap::undo`].
#[derive(Clone, Copy, Debug)]
struct Saved {
    classes: [LineClasses; 4],
    presence: [u16; 4],
    point: Point,
    color: Color,
}

/// The class of every empty cell, along every direction, for both colours, under play and undo.
///
/// A stone changes the four lines through it. Their classes, for both colours, are worked out anew
/// in one 128-bit register: eight lanes of 16 cells. Everything else is a question asked of the
/// lines on demand.
///
/// ```
/// use renju::rules::Class;
/// use renju::threats::ThreatMap;
/// use renju::types::{Color, Direction, Point};
///
/// let at = |x, y| Point::new(x, y).unwrap();
/// let mut map = ThreatMap::default();
/// for x in [7, 8, 9] {
///     map.play(Color::Black, at(x, 7));
/// }
/// // . . . . X X X . . .    an open four on either side
/// assert_eq!(map.class(Color::Black, at(6, 7), Direction::East), Class::OpenFour);
/// map.undo();
/// assert_eq!(map.class(Color::Black, at(6, 7), Direction::East), Class::OpenThree);
/// ```
#[derive(Clone)]
pub struct ThreatMap {
    /// Key: line; value: its stones, black in the low half, white in the high half.
    lines: [u32; SLOTS],
    /// Key: line; value: the classes of its cells for both colours.
    classes: [LineClasses; SLOTS],
    /// Key: line; value: [`Presence`] flags, black in the low byte, white in the high byte.
    presence: [u16; SLOTS],
    stones: Stones,
    stones_key: WideKey,
    /// The first `depth` entries are stones that can be taken back.
    history: Vec<Saved>,
    depth: usize,
}

impl Default for ThreatMap {
    fn default() -> ThreatMap {
        ThreatMap::new(&Stones::EMPTY)
    }
}

impl ThreatMap {
    /// The map of a board, from its stones.
    #[must_use]
    pub fn new(stones: &Stones) -> ThreatMap {
        let mut map = ThreatMap {
            lines: [0; SLOTS],
            classes: [LineClasses::default(); SLOTS],
            presence: [0; SLOTS],
            stones: Stones::EMPTY,
            stones_key: 0,
            history: Vec::new(),
            depth: 0,
        };
        map.reset(stones);
        map
    }

    /// Becomes the map of another board; nothing can be taken back.
    pub fn reset(&mut self, stones: &Stones) {
        (self.stones, self.stones_key, self.depth) = (*stones, 0, 0);
        self.lines = [0; SLOTS];
        for color in Color::ALL {
            for point in stones.of(color).points() {
                self.stones_key ^= wide_stone_key(color, point);
                for cell in Line::through(point) {
                    self.lines[slot(cell.line)] |= in_pair(color, cell.bit);
                }
            }
        }
        for first in (0..Line::COUNT).step_by(4) {
            let slots = std::array::from_fn(|i| first + i);
            let pairs = slots.map(|slot| self.lines[slot]);
            if pairs == [0; 4] {
                // Most diagonals of most boards: no stone, no shape.
                self.classes[first..first + 4].fill(LineClasses::default());
                self.presence[first..first + 4].fill(0);
                continue;
            }
            let masks =
                slots.map(|i| u32::from(Line::from_index(i).expect("72 is 18 * 4").mask()) * 0x1_0001);
            self.refresh(slots, NativePairs::from_pairs(pairs), NativePairs::from_pairs(masks));
        }
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) {
        self.stones.place(color, point);
        self.stones_key ^= wide_stone_key(color, point);
        let crossing = &CROSSINGS[point.index()];
        let slots = crossing.slots();
        if self.depth == self.history.len() {
            self.grow_history();
        }
        let saved = &mut self.history[self.depth];
        saved.classes = slots.map(|slot| self.classes[slot]);
        saved.presence = slots.map(|slot| self.presence[slot]);
        (saved.point, saved.color) = (point, color);
        self.depth += 1;

        let only = NativePairs::from_pairs([in_pair(color, !0); 4]);
        let stone = NativePairs::from_lanes(&crossing.bits).and(only);
        let own = NativePairs::from_pairs(slots.map(|slot| self.lines[slot])).or(stone);
        for (slot, pair) in slots.into_iter().zip(own.pairs()) {
            self.lines[slot] = pair;
        }
        self.refresh(slots, own, NativePairs::from_lanes(&crossing.on_board));
    }

    /// Takes the last stone back and returns it; `None` if none was played.
    #[inline]
    pub fn undo(&mut self) -> Option<(Color, Point)> {
        self.depth = self.depth.checked_sub(1)?;
        let saved = &self.history[self.depth];
        let crossing = &CROSSINGS[saved.point.index()];
        for (i, slot) in crossing.slots().into_iter().enumerate() {
            self.lines[slot] &= !in_pair(saved.color, crossing.bits[2 * i]);
            self.classes[slot] = saved.classes[i];
            self.presence[slot] = saved.presence[i];
        }
        let (color, point) = (saved.color, saved.point);
        self.stones.remove(point);
        self.stones_key ^= wide_stone_key(color, point);
        Some((color, point))
    }

    /// The stones of the board that the map is of.
    #[must_use]
    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    /// The hash of the position with this side to move.
    #[must_use]
    pub fn key(&self, turn: Color) -> Key {
        self.stones_key as Key ^ side_key(turn)
    }

    /// The wide hash of the stones; whose turn it is does not matter.
    #[must_use]
    #[inline]
    pub fn stones_key(&self) -> WideKey {
        self.stones_key
    }

    /// What a stone of this colour makes on an empty cell along a direction.
    #[must_use]
    #[inline]
    pub fn class(&self, color: Color, point: Point, direction: Direction) -> Class {
        let LineCell { line, offset, .. } = Line::through(point)[direction as usize];
        let slices = self.classes[slot(line)].of(color);
        let code = (0..4).fold(0, |code, i| code | (slices[i] >> offset & 1) << i);
        Class::from_code(code as u8)
    }

    /// The lines on which this colour has a cell of this kind: bit `i` for line `i`.
    #[must_use]
    #[inline]
    pub fn lines_with(&self, color: Color, presence: Presence) -> u128 {
        let bit = (presence as u8).trailing_zeros() + 8 * color.index() as u32;
        let (blocks, _) = self.presence.as_chunks::<16>();
        let block = |i: usize| u128::from(NativePairs::lanes_with(&blocks[i], bit)) << (16 * i);
        block(0) | block(1) | block(2) | block(3) | block(4)
    }

    /// The cells that make a shape of this kind for a colour, legal or not.
    #[must_use]
    pub fn cells_with(&self, color: Color, presence: Presence) -> Bitboard {
        let mut lines = self.lines_with(color, presence);
        let mut cells = Bitboard::EMPTY;
        while lines != 0 {
            let line = Line::from_index(lines.trailing_zeros() as usize).expect("NOWHERE holds nothing");
            lines &= lines - 1;
            let mut on_line = self.on_line(color, line, presence);
            while on_line != 0 {
                cells.insert(line.point(on_line.trailing_zeros() as usize).expect("on the line"));
                on_line &= on_line - 1;
            }
        }
        cells
    }

    /// The cells of one line that make a shape of this kind: bit `i` for cell `i`.
    #[must_use]
    #[inline]
    pub fn on_line(&self, color: Color, line: Line, presence: Presence) -> u16 {
        presences(self.classes[slot(line)].of(color))
            .into_iter()
            .find(|&(kind, _)| kind == presence)
            .map_or(0, |(_, cells)| cells)
    }

    /// The cells that complete a five for a colour: what its opponent must not leave open.
    #[must_use]
    pub fn fives(&self, color: Color) -> Bitboard {
        self.cells_with(color, Presence::Five)
    }

    /// May black be forbidden to play here: is the point an overline, a double-four or a
    /// double-three at least in form? White stones elsewhere can only make this less.
    #[must_use]
    #[inline]
    pub fn is_forbidden_in_form(&self, point: Point) -> bool {
        let [b2, b3] = self.bits(Color::Black, point, [2, 3]);
        let (fours, threes) = (b3 & !b2, b2 & !b3);
        if is_two_or_more(fours) || is_two_or_more(threes) {
            return true;
        }
        // Overline, or two fours on one line.
        b3 != 0 && {
            let [b0, b1] = self.bits(Color::Black, point, [0, 1]);
            b3 & !b0 & (b2 | b1) != 0
        }
    }

    /// Two bits of the class of an empty cell, each with one bit for every direction.
    #[inline(always)]
    fn bits(&self, color: Color, point: Point, [i, j]: [usize; 2]) -> [u8; 2] {
        let mut bits = [0; 2];
        for (direction, cell) in Line::through(point).iter().enumerate() {
            let slices = &self.classes[slot(cell.line)].slices;
            let bit = |slice: usize| (slices[2 * slice + color.index()] >> cell.offset & 1) as u8;
            bits[0] |= bit(i) << direction;
            bits[1] |= bit(j) << direction;
        }
        bits
    }

    /// The verdict on an empty point for black.
    #[must_use]
    pub fn forbidden_kind(&self, point: Point) -> Forbidden {
        self.forbidden_kind_by(point, has_double_three)
    }

    /// May this colour play on an empty point?
    #[must_use]
    #[inline]
    pub fn is_legal(&self, color: Color, point: Point) -> bool {
        color == Color::White || self.forbidden_kind(point) == Forbidden::None
    }

    /// The verdict, with the double-three question left to `double_three`. It is asked only of
    /// points that make two threes in form and are allowed otherwise.
    #[inline]
    pub(super) fn forbidden_kind_by(
        &self,
        point: Point,
        double_three: impl FnOnce(&ThreatMap, Point) -> bool,
    ) -> Forbidden {
        let [b2, b3] = self.bits(Color::Black, point, [2, 3]);
        let (fours, threes) = (b3 & !b2, b2 & !b3);
        let [b0, b1] = if b3 == 0 { [0; 2] } else { self.bits(Color::Black, point, [0, 1]) };
        if b3 & b2 & b0 != 0 {
            Forbidden::None
        } else if b3 & b2 != 0 {
            Forbidden::Overline
        } else if is_two_or_more(fours) || fours & b1 & !b0 != 0 {
            Forbidden::DoubleFour
        } else if is_two_or_more(threes) && double_three(self, point) {
            Forbidden::DoubleThree
        } else {
            Forbidden::None
        }
    }

    /// Compares everything kept with the same worked out from the stones; names what differs.
    pub fn check(&self) -> Result<(), String> {
        let fresh = ThreatMap::new(&self.stones);
        for line in Line::all() {
            let i = line.index();
            if self.lines[i] != fresh.lines[i] {
                return Err(format!("stones of line {i}"));
            }
            if self.classes[i] != fresh.classes[i] {
                return Err(format!("classes of line {i}"));
            }
            if self.presence[i] != fresh.presence[i] {
                return Err(format!("presence flags of line {i}"));
            }
        }
        if self.stones_key != fresh.stones_key {
            return Err("key".to_owned());
        }
        Ok(())
    }

    #[cold]
    fn grow_history(&mut self) {
        let empty = Saved {
            classes: [LineClasses::default(); 4],
            presence: [0; 4],
            point: Point::from_index(0).expect("a board has points"),
            color: Color::Black,
        };
        self.history.resize(2 * self.depth + 16, empty);
    }

    /// Own stones and empty cells of a line.
    #[inline]
    fn line(&self, color: Color, line: Line) -> (u16, u16) {
        let pair = self.lines[slot(line)];
        let (black, white) = (pair as u16, (pair >> 16) as u16);
        let own = if color == Color::Black { black } else { white };
        (own, line.mask() & !(black | white))
    }

    fn spread(&self, line: Line, cells: u16) -> Bitboard {
        (0..line.length()).filter(|i| cells >> i & 1 == 1).filter_map(|i| line.point(i)).collect()
    }

    /// Works out the classes of four lines, both colours at once, from their stones and cells.
    #[inline(always)]
    fn refresh<V: LinePairs>(&mut self, slots: [usize; 4], own: V, on_board: V) {
        let slices = classes(&both_colors(own, on_board.minus(own).minus(own.swap_pairs())));
        let flags = presences(slices)
            .into_iter()
            .fold(V::zero(), |flags, (kind, cells)| flags.or(cells.flag(kind as u16)));
        // White's flags go to the high byte of black's lane.
        let flags = flags.or(flags.swap_pairs().behind::<8>()).lanes();
        for (i, classes) in V::transpose(slices).into_iter().enumerate() {
            self.classes[slots[i]].slices = classes.lanes();
            self.presence[slots[i]] = flags[2 * i];
        }
    }
}

/// Are at least two of the bits set?
fn is_two_or_more(directions: u8) -> bool {
    directions & directions.wrapping_sub(1) != 0
}

/// The first cells of those four-windows that hold the cell at `offset`.
fn windows_over(windows: u16, offset: u8) -> impl Iterator<Item = u8> {
    (offset.saturating_sub(3)..=offset).filter(move |first| windows >> first & 1 == 1)
}

impl BlackShapes for ThreatMap {
    fn is_strong(&self, point: Point, direction: Direction) -> bool {
        let LineCell { line, bit, .. } = Line::through(point)[direction as usize];
        let [_, _, _, b3] = self.classes[slot(line)].of(Color::Black);
        b3 & bit != 0
    }

    fn is_three(&self, point: Point, direction: Direction) -> bool {
        let LineCell { line, bit, .. } = Line::through(point)[direction as usize];
        let [_, _, b2, b3] = self.classes[slot(line)].of(Color::Black);
        b2 & !b3 & bit != 0
    }

    fn straight_four_points(&self, point: Point, direction: Direction) -> [Option<Point>; 2] {
        let LineCell { line, offset, bit } = Line::through(point)[direction as usize];
        let (own, empty) = self.line(Color::Black, line);
        let windows = shapes::<u16, East>(own, empty, exact(Color::Black)).straight;
        let mut cells = windows_over(windows, offset).map(|first| {
            let rest = (0b1111 << first) & empty & !bit;
            line.point(rest.trailing_zeros() as usize)
        });
        [cells.next().flatten(), cells.next().flatten()]
    }

    fn stones(&self) -> &Stones {
        &self.stones
    }
}
