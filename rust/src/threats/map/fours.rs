//! Fours and what stops them, read off the lines on demand.

use super::{ThreatMap, windows_over};
use crate::rules::planes::shapes;
use crate::rules::vector::{East, Lanes, LinePairs, NativePairs};
use crate::threats::Presence;
use crate::threats::lines::{CROSSINGS, both_colors, exact, in_pair, slot};
use crate::types::{Bitboard, Color, Direction, Line, Point};

impl ThreatMap {
    /// Does a stone of this colour on an empty cell make a four, whatever else it makes?
    #[must_use]
    pub fn makes_four(&self, color: Color, point: Point) -> bool {
        Direction::ALL.iter().any(|&direction| self.class(color, point, direction).fours() > 0)
    }

    /// The cells of one line that complete a five of this colour once it has a stone on `point`:
    /// the answers to the four made there.
    #[must_use]
    pub fn completions(&self, color: Color, point: Point, direction: Direction) -> Bitboard {
        let cell = Line::through(point)[direction as usize];
        let (own, empty) = self.line(color, cell.line);
        let played = shapes::<u16, East>(own | cell.bit, empty & !cell.bit, exact(color));
        self.spread(cell.line, played.five)
    }

    /// Calls `found` with every pair of cells of which a stone of this colour on the first makes a
    /// four that the second completes. A pair may come twice.
    #[inline]
    pub fn for_each_four(&self, color: Color, mut found: impl FnMut(Point, Point)) {
        let mut rest = self.lines_with(color, Presence::Four);
        while rest != 0 {
            // Four lines at once; NOWHERE, which has no cells, fills up the last bundle.
            let lines: [Line; 4] = std::array::from_fn(|_| {
                let line = Line::from_index(rest.trailing_zeros() as usize).unwrap_or(Line::NOWHERE);
                rest &= rest.wrapping_sub(1);
                line
            });
            self.fours_on(color, lines, [0; 4], &mut found);
        }
    }

    /// Calls `found` as [`ThreatMap::for_each_four`] does, only with fours that hold the stone on `point`.
    #[inline]
    pub fn for_each_four_with(&self, color: Color, point: Point, mut found: impl FnMut(Point, Point)) {
        let cells = Line::through(point);
        self.fours_on(color, cells.map(|cell| cell.line), cells.map(|cell| cell.bit), &mut found);
    }

    /// Once this colour has a stone on `stone` and its opponent one on `block`, two empty cells of one line: is
    /// there a four to be made with that stone?
    #[must_use]
    #[inline]
    pub fn opens_four(&self, color: Color, stone: Point, block: Point) -> bool {
        let crossing = &CROSSINGS[stone.index()];
        let blocks = &CROSSINGS[block.index()];
        let slots = crossing.slots();
        let other = color.opponent();
        let own = std::array::from_fn(|i| {
            let (slot, bit) = (slots[i], in_pair(color, crossing.bits[2 * i]));
            let is_same = blocks.slots()[i] == slot;
            self.lines[slot] | bit | if is_same { in_pair(other, blocks.bits[2 * i]) } else { 0 }
        });
        let own = NativePairs::from_pairs(own);
        let empty = NativePairs::from_lanes(&crossing.on_board).minus(own).minus(own.swap_pairs());
        let windows = both_colors(own, empty).four_windows.lanes();
        (0..4).any(|i| {
            // The windows of five that hold the stone begin at most four cells before it.
            let starts = (u32::from(crossing.bits[2 * i]) * 0b1_1111) >> 4;
            u32::from(windows[2 * i + color.index()]) & starts != 0
        })
    }

    /// The fours on four lines whose five cells hold at least these.
    #[inline(always)]
    fn fours_on(
        &self,
        color: Color,
        lines: [Line; 4],
        needed: [u16; 4],
        found: &mut impl FnMut(Point, Point),
    ) {
        let own = NativePairs::from_pairs(lines.map(|line| self.lines[slot(line)]));
        let on_board = NativePairs::from_pairs(lines.map(|line| u32::from(line.mask()) * 0x1_0001));
        let empty = on_board.minus(own).minus(own.swap_pairs());
        let windows = both_colors(own, empty).four_windows.lanes();
        let empty = empty.lanes();
        for (i, line) in lines.into_iter().enumerate() {
            let (mut windows, empty) = (windows[2 * i + color.index()], empty[2 * i]);
            while windows != 0 {
                let cells = 0b1_1111 << windows.trailing_zeros();
                windows &= windows - 1;
                if cells & needed[i] != needed[i] {
                    continue;
                }
                let cells = cells & empty;
                let point = |bit: u16| line.point(bit.trailing_zeros() as usize).expect("on the line");
                let (first, second) = (point(cells), point(cells & (cells - 1)));
                found(first, second);
                found(second, first);
            }
        }
    }

    /// The cells that stop the three that a stone of this colour makes on `point` from becoming a
    /// straight four: the empty cells that all its straight fours-to-be need. Where only one is
    /// possible this includes the far end (ナツ止め, natsu-dome).
    #[must_use]
    pub fn three_stops(&self, color: Color, point: Point, direction: Direction) -> Bitboard {
        let cell = Line::through(point)[direction as usize];
        let (own, empty) = self.line(color, cell.line);
        let windows = shapes::<u16, East>(own, empty, exact(color)).straight;
        let mut stops = !0;
        for first in windows_over(windows, cell.offset) {
            // The window and the empty cell at either end.
            stops &= (0b11_1111u32 << first >> 1) as u16;
        }
        if stops == !0 {
            return Bitboard::EMPTY;
        }
        self.spread(cell.line, stops & empty & !cell.bit)
    }
}
