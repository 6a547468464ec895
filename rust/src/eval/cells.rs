use std::sync::Arc;

use super::codes::{CellKind, Code, group_of_code};
use super::shapes::{REACH, Shape, ShapeTable, TERNARY, WINDOWS, ternary};
use super::values::{CellValue, CellValues, Threats};
use crate::board::Stones;
use crate::types::{BOARD_POINTS, BOARD_SIZE, Bitboard, Color, Direction, Line, LineCell, Point};

/// Lines with a place for [`Line::NOWHERE`], a power of two.
const SLOTS: usize = 128;

/// Key: line, offset; value: the base-3 number with a 1 for each cell of the window off the board.
static BEYOND: [[u16; 16]; SLOTS] = beyond();

const fn beyond() -> [[u16; 16]; SLOTS] {
    let ternary = ternary();
    let mut table = [[0; 16]; SLOTS];
    let mut i = 0;
    while i < Line::COUNT {
        let on_board: u32 = ((1 << Line::from_index(i).unwrap().length()) - 1) << REACH;
        let mut offset = 0;
        while offset < BOARD_SIZE {
            table[i][offset] = ternary[(!on_board >> offset & 0x7ff) as usize];
            offset += 1;
        }
        i += 1;
    }
    table
}

/// What has to be put back when a stone is taken off.
#[derive(Clone, Copy)]
struct Saved {
    totals: Totals,
    /// Where the codes that the stone changed begin in `CellMap::changes`.
    changes: usize,
    point: Point,
    color: Color,
}

/// What is summed up over all empty cells.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Totals {
    /// Key: colour; value: what its cells are worth, in points of score.
    board: [i32; 2],
    /// Key: colour, kind; value: the number of cells of this kind.
    kinds: [[u8; CellKind::COUNT]; 2],
}

/// The code of every empty cell for both colours under play and undo, and with them the value of the
/// board: what the cells are worth, summed up.
#[derive(Clone)]
pub struct CellMap {
    values: Arc<CellValues>,
    /// Key: colour, window; value: the shape in the middle of the window.
    shapes: [&'static [u8; WINDOWS]; 2],
    /// Key: point, colour; value: the code of the cell, 0 where there is a stone.
    codes: [[Code; 2]; BOARD_POINTS],
    /// Key: line, colour; value: stones, [`REACH`] bits up.
    lines: [[u32; 2]; SLOTS],
    stones: Stones,
    totals: Totals,
    history: Vec<Saved>,
    changes: Vec<(Point, [Code; 2])>,
}

impl CellMap {
    /// The codes of a board.
    #[must_use]
    pub fn new(stones: &Stones, values: Arc<CellValues>) -> CellMap {
        let mut map = CellMap {
            values,
            shapes: Color::ALL.map(|color| ShapeTable::of(color).shapes()),
            codes: [[0; 2]; BOARD_POINTS],
            lines: [[0; 2]; SLOTS],
            stones: Stones::EMPTY,
            totals: Totals::default(),
            history: Vec::new(),
            changes: Vec::new(),
        };
        map.reset(stones);
        map
    }

    /// Becomes the map of another board; nothing can be taken back.
    pub fn reset(&mut self, stones: &Stones) {
        (self.stones, self.totals) = (*stones, Totals::default());
        self.history.clear();
        self.changes.clear();
        self.lines = [[0; 2]; SLOTS];
        for color in Color::ALL {
            for point in stones.of(color).points() {
                for cell in Line::through(point) {
                    self.lines[cell.line.index() % SLOTS][color.index()] |= u32::from(cell.bit) << REACH;
                }
            }
        }
        self.codes = [[0; 2]; BOARD_POINTS];
        for point in stones.empty().points() {
            let mut codes = [0; 2];
            for (direction, cell) in Line::through(point).iter().enumerate() {
                for (code, shape) in codes.iter_mut().zip(self.shapes(*cell)) {
                    *code |= u16::from(shape) << (4 * direction);
                }
            }
            self.codes[point.index()] = codes;
        }
        // Stones count as quiet cells, so that the number of cells never changes.
        for codes in &self.codes {
            for color in Color::ALL {
                self.totals.add(color, self.values.of(color, codes[color.index()]));
            }
        }
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn play(&mut self, color: Color, point: Point) {
        self.history.push(Saved { totals: self.totals, changes: self.changes.len(), point, color });
        self.change(point, [0; 2]);
        self.stones.place(color, point);
        // Five cells away only black's overlines can tell, and only black's stones.
        let reach = if color == Color::Black { REACH } else { REACH - 1 };
        let window = (1u32 << (2 * reach + 1)) - 1;
        for (direction, cell) in Line::through(point).iter().enumerate() {
            let LineCell { line, offset, bit } = *cell;
            let stones = &mut self.lines[line.index() % SLOTS];
            stones[color.index()] |= u32::from(bit) << REACH;
            let empty = u32::from(line.mask()) & !((stones[0] | stones[1]) >> REACH);
            let mut near = empty & (window << offset >> reach);
            while near != 0 {
                let at = near.trailing_zeros();
                near &= near - 1;
                let other = line.point(at as usize).expect("on the line");
                let shapes = self.shapes(LineCell { line, offset: at as u8, bit: 0 });
                let old = self.codes[other.index()];
                let shift = 4 * direction;
                let new = [0, 1].map(|i| old[i] & !(0xf << shift) | u16::from(shapes[i]) << shift);
                if new != old {
                    self.change(other, new);
                }
            }
        }
    }

    /// Takes the last stone back.
    ///
    /// # Panics
    /// If none was played.
    #[inline]
    pub fn undo(&mut self) {
        let saved = self.history.pop().expect("a stone to take back");
        self.totals = saved.totals;
        for &(point, codes) in self.changes[saved.changes..].iter().rev() {
            self.codes[point.index()] = codes;
        }
        self.changes.truncate(saved.changes);
        self.stones.remove(saved.point);
        for cell in Line::through(saved.point) {
            self.lines[cell.line.index() % SLOTS][saved.color.index()] &= !(u32::from(cell.bit) << REACH);
        }
    }

    /// What the board is worth to this colour, to move: what the cells are worth to it less what they are
    /// worth to the other, and what the threats of both mean.
    #[must_use]
    #[inline]
    pub fn board_value(&self, color: Color) -> i32 {
        let cells = self.totals.board[color.index()] - self.totals.board[color.opponent().index()];
        cells + self.values.threats(color, self.threats(color))
    }

    /// What this colour, to move, and its opponent could do next, as a number below
    /// [`super::THREAT_STATES`].
    #[must_use]
    #[inline]
    pub fn threats(&self, color: Color) -> usize {
        let flag = |color, kind, flag| if self.count(color, kind) > 0 { flag } else { 0 };
        let other = color.opponent();
        flag(color, CellKind::Four, Threats::OWN_FOUR)
            | flag(color, CellKind::FourThree, Threats::OWN_FOUR_THREE)
            | flag(color, CellKind::DoubleThree, Threats::OWN_DOUBLE_THREE)
            | flag(other, CellKind::OpenFour, Threats::OTHER_OPEN_FOUR)
            | flag(other, CellKind::FourThree, Threats::OTHER_FOUR_THREE)
            | flag(other, CellKind::DoubleThree, Threats::OTHER_DOUBLE_THREE)
            | flag(other, CellKind::Four, Threats::OTHER_FOUR)
    }

    /// How many cells of this kind a colour has.
    #[must_use]
    #[inline]
    pub fn count(&self, color: Color, kind: CellKind) -> usize {
        self.totals.kinds[color.index()][kind as usize].into()
    }

    /// What a cell is worth to a colour, and what it is.
    #[must_use]
    #[inline]
    pub fn value(&self, color: Color, point: Point) -> &CellValue {
        self.values.of(color, self.codes[point.index()][color.index()])
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
        among.points().filter(|&point| self.value(color, point).kind == kind).collect()
    }

    /// What a stone of this colour makes on an empty cell along a direction.
    #[must_use]
    pub fn shape(&self, color: Color, point: Point, direction: Direction) -> Shape {
        let code = self.codes[point.index()][color.index()];
        Shape::ALL[usize::from(code >> (4 * direction as usize) & 0xf)]
    }

    /// The group of a cell's code: its place in [`super::code_groups`].
    #[must_use]
    pub fn code_group(&self, color: Color, point: Point) -> usize {
        group_of_code()[usize::from(self.codes[point.index()][color.index()])].into()
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

    /// Compares everything kept with the same worked out from the stones; names what differs.
    pub fn check(&self) -> Result<(), String> {
        let fresh = CellMap::new(&self.stones, Arc::clone(&self.values));
        if let Some(point) = Point::all().find(|p| self.codes[p.index()] != fresh.codes[p.index()]) {
            return Err(format!("code of {point}"));
        }
        if self.totals != fresh.totals {
            return Err("totals".to_owned());
        }
        Ok(())
    }

    /// The shapes of both colours on one cell of a line.
    #[inline(always)]
    fn shapes(&self, cell: LineCell) -> [u8; 2] {
        let LineCell { line, offset, .. } = cell;
        let stones = self.lines[line.index() % SLOTS];
        let ternary = |cells: u32| usize::from(TERNARY[(cells >> offset & 0x7ff) as usize]);
        let [black, white] = stones.map(ternary);
        let beyond = usize::from(BEYOND[line.index() % SLOTS][usize::from(offset % 16)]);
        [self.shapes[0][black + 2 * (white + beyond)], self.shapes[1][white + 2 * (black + beyond)]]
    }

    #[inline(always)]
    fn change(&mut self, point: Point, new: [Code; 2]) {
        let old = std::mem::replace(&mut self.codes[point.index()], new);
        self.changes.push((point, old));
        for color in Color::ALL {
            let (old, new) = (old[color.index()], new[color.index()]);
            if old != new {
                self.totals.subtract(color, self.values.of(color, old));
                self.totals.add(color, self.values.of(color, new));
            }
        }
    }
}

impl Totals {
    #[inline(always)]
    fn add(&mut self, color: Color, value: &CellValue) {
        self.board[color.index()] += i32::from(value.board);
        self.kinds[color.index()][value.kind as usize] += 1;
    }

    #[inline(always)]
    fn subtract(&mut self, color: Color, value: &CellValue) {
        self.board[color.index()] -= i32::from(value.board);
        self.kinds[color.index()][value.kind as usize] -= 1;
    }
}
