//! What a [`CellMap`] tells.

use std::sync::Arc;

use super::*;

impl CellMap {
    /// What the board is worth to this colour, to move: what the cells are worth to it less what they are
    /// worth to the other, and what the threats of both mean.
    #[must_use]
    #[inline]
    pub fn board_value(&self, color: Color) -> i32 {
        let board = self.totals.worth.board(BOARD_POINTS);
        let cells = board[color.index()] - board[color.opponent().index()];
        cells + self.values.threats(color, self.threats(color))
    }

    /// What this colour, to move, and its opponent could do next, as a number below
    /// [`crate::eval::THREAT_STATES`].
    #[must_use]
    #[inline]
    pub fn threats(&self, color: Color) -> usize {
        Threats::state(color, |color, kind| self.count(color, kind) > 0)
    }

    /// How many cells of this kind a colour has.
    #[must_use]
    #[inline]
    pub fn count(&self, color: Color, kind: CellKind) -> usize {
        match kind {
            CellKind::Quiet => self.kinds[color.index()][CellKind::Quiet as usize].len(),
            _ => (self.totals.kinds[color.index()] >> (8 * (kind as u32 - 1)) & 0xff) as usize,
        }
    }

    /// What a cell is worth to a colour, and what it is.
    #[must_use]
    #[inline]
    pub fn value(&self, color: Color, point: Point) -> &CellValue {
        self.values.of(color, self.code(color, point))
    }

    /// How many cells make a four that is not forbidden for certain.
    #[must_use]
    #[inline]
    pub fn fours(&self, color: Color) -> usize {
        let of = |kind| self.count(color, kind);
        of(CellKind::Four) + of(CellKind::DoubtfulFour) + of(CellKind::FourThree) + of(CellKind::OpenFour)
    }

    /// The cells of this kind among these.
    #[must_use]
    pub fn cells(&self, color: Color, kind: CellKind, among: Bitboard) -> Bitboard {
        self.kinds[color.index()][kind as usize] & among
    }

    /// The cells that make a four which is not forbidden for certain.
    #[must_use]
    #[inline]
    pub fn four_cells(&self, color: Color) -> Bitboard {
        let of = |kind| self.kinds[color.index()][kind as usize];
        of(CellKind::Four) | of(CellKind::DoubtfulFour) | of(CellKind::FourThree) | of(CellKind::OpenFour)
    }

    /// The cells that make a three or more.
    #[must_use]
    pub fn threes_or_more(&self, color: Color) -> Bitboard {
        let kinds = &self.kinds[color.index()][CellKind::Three as usize..CellKind::COUNT];
        kinds.iter().fold(Bitboard::EMPTY, |all, &cells| all | cells)
    }

    /// The cells that complete a five along a direction once this colour has a stone on the point: the answers
    /// to the four made there.
    #[must_use]
    pub fn completions(&self, color: Color, point: Point, direction: Direction) -> Bitboard {
        let LineCell { line, offset, .. } = Line::through(point)[direction as usize];
        let keys = self.keys[line.index() % SLOTS][usize::from(offset) + REACH];
        let key = (keys >> (16 * color.index())) as usize % MOST_KEYS;
        let cells = u32::from(self.shapes[color.index()].completions[key]) << offset >> REACH;
        line.points().enumerate().filter(|(i, _)| cells >> i & 1 == 1).map(|(_, point)| point).collect()
    }

    /// What a stone of this colour makes on an empty cell along a direction.
    #[must_use]
    pub fn shape(&self, color: Color, point: Point, direction: Direction) -> Shape {
        Shape::ALL[usize::from(self.code(color, point) >> (4 * direction as usize) & 0xf)]
    }

    #[inline(always)]
    fn code(&self, color: Color, point: Point) -> Code {
        (self.cells[Bitboard::bit(point)].codes >> (16 * color.index())) as Code
    }

    /// The group of a cell's code: its place in [`crate::eval::code_groups`].
    #[must_use]
    pub fn code_group(&self, color: Color, point: Point) -> usize {
        self.values.group(self.code(color, point)).into()
    }

    /// How many stones can be taken back.
    #[must_use]
    #[inline]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Calls `changed` with every cell whose codes differ from those it had when only the first `depth` of the
    /// stones that can be taken back were on the board: with the groups of the codes it had, and with those it
    /// has, black's before white's.
    #[inline]
    pub fn changes_since(&self, depth: usize, mut changed: impl FnMut([[u16; 2]; 2])) {
        let mut seen = Bitboard::EMPTY;
        let steps = &self.history[depth..self.depth];
        for step in steps {
            for (&bit, was) in step.bits.iter().zip(&step.cells).take(step.changes % MOST_CHANGES) {
                // What the first stone that changed a cell saved is what the cell was before all of them.
                if steps.len() > 1 {
                    if seen.has_bit(bit) {
                        continue;
                    }
                    seen.toggle(bit);
                }
                let is = self.cells[usize::from(bit)].codes;
                if was.codes != is {
                    changed([self.values.groups(was.codes), self.values.groups(is)]);
                }
            }
        }
    }

    /// The groups of every cell's codes, black's before white's, in the order of [`Point::all`]. A cell with a
    /// stone has those of an empty cell without room for any five.
    pub fn cell_groups(&self) -> impl Iterator<Item = [u16; 2]> + '_ {
        Point::all().map(|point| self.groups_at(point))
    }

    /// The groups of a cell's codes, black's before white's.
    #[must_use]
    #[inline]
    pub fn groups_at(&self, point: Point) -> [u16; 2] {
        self.values.groups(self.cells[Bitboard::bit(point)].codes)
    }

    /// What cells are worth by their codes.
    #[must_use]
    pub fn values(&self) -> &Arc<CellValues> {
        &self.values
    }

    /// The stones of the board that the map is of.
    #[must_use]
    pub fn stones(&self) -> &Stones {
        &self.stones
    }
}
