use super::point::{BOARD_POINTS, BOARD_SIZE, Point};

/// The four directions in which stones connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Along a row, left to right.
    East = 0,
    /// Along a column, bottom to top.
    North = 1,
    /// Along a diagonal, up and to the right.
    NorthEast = 2,
    /// Along a diagonal, up and to the left.
    NorthWest = 3,
}

impl Direction {
    /// The four directions, in the order used by every table with a direction in its key.
    pub const ALL: [Direction; 4] =
        [Direction::East, Direction::North, Direction::NorthEast, Direction::NorthWest];

    /// One step as (columns, rows).
    #[must_use]
    pub const fn step(self) -> (isize, isize) {
        match self {
            Direction::East => (1, 0),
            Direction::North => (0, 1),
            Direction::NorthEast => (1, 1),
            Direction::NorthWest => (-1, 1),
        }
    }

    /// The cell `steps` ahead of `point` (behind it if negative), if on the board.
    #[must_use]
    pub const fn from(self, point: Point, steps: isize) -> Option<Point> {
        let (dx, dy) = self.step();
        point.offset(dx, dy, steps)
    }

    /// A word for people: "row", "column", "rising diagonal", "falling diagonal".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Direction::East => "row",
            Direction::North => "column",
            Direction::NorthEast => "rising diagonal",
            Direction::NorthWest => "falling diagonal",
        }
    }
}

/// One of the 72 lines on which five stones fit: 15 rows, 15 columns, 21 + 21 diagonals.
///
/// Line 72 is the *nowhere* line: it has no cells and stands for the diagonals shorter than five,
/// so that every point has exactly four lines and hot loops need no branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line(u8);

/// Where a point lies on a line: cell `offset` of `line`, counted along the direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineCell {
    /// The line through the point, or [`Line::NOWHERE`] if it is too short for a five.
    pub line: Line,
    /// The place of the point on the line, 0 to 14.
    pub offset: u8,
    /// `1 << offset`, or 0 on [`Line::NOWHERE`].
    pub bit: u16,
}

/// First cell, direction and length of a line.
#[derive(Clone, Copy)]
struct Geometry {
    start: Point,
    direction: Direction,
    length: u8,
}

/// A line shorter than this cannot hold a five.
const SHORTEST: usize = 5;

/// Key: line; value: its geometry.
const GEOMETRY: [Geometry; Line::COUNT] = geometry();

/// Key: line, [`Line::NOWHERE`] included; value: one bit per cell.
static MASKS: [u16; Line::COUNT + 1] = masks();

/// Key: line, offset; value: the cell there.
static POINTS: [[Option<Point>; BOARD_SIZE]; Line::COUNT + 1] = points();

/// Key: point, direction; value: the line through the point and the point's place on it.
static CELLS: [[LineCell; 4]; BOARD_POINTS] = cells();

impl Line {
    /// Lines with room for five.
    pub const COUNT: usize = 72;
    /// The line that is not on the board.
    pub const NOWHERE: Line = Line(Line::COUNT as u8);

    /// The line with this index, 0..=71.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Line> {
        if index < Line::COUNT { Some(Line(index as u8)) } else { None }
    }

    /// The 72 lines with room for five.
    pub fn all() -> impl Iterator<Item = Line> {
        (0..Line::COUNT as u8).map(Line)
    }

    /// 0..=71, or 72 for [`Line::NOWHERE`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number of cells; 0 for [`Line::NOWHERE`].
    #[must_use]
    pub const fn length(self) -> usize {
        if self.index() < Line::COUNT { GEOMETRY[self.index()].length as usize } else { 0 }
    }

    /// One bit per cell of the line.
    #[must_use]
    pub fn mask(self) -> u16 {
        MASKS[self.index()]
    }

    /// The point of cell `offset` of the line; `None` if the line is shorter.
    #[must_use]
    #[inline]
    pub const fn point(self, offset: usize) -> Option<Point> {
        if offset < BOARD_SIZE { POINTS[self.index()][offset] } else { None }
    }

    /// The points of the line, in order.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.length()).filter_map(move |offset| self.point(offset))
    }

    /// The direction of the line; rows for [`Line::NOWHERE`].
    #[must_use]
    pub const fn direction(self) -> Direction {
        if self.index() < Line::COUNT { GEOMETRY[self.index()].direction } else { Direction::East }
    }

    /// The four lines through a point, by direction, with the point's place on each.
    #[must_use]
    pub fn through(point: Point) -> &'static [LineCell; 4] {
        &CELLS[point.index()]
    }
}

const fn geometry() -> [Geometry; Line::COUNT] {
    let origin = Point::new(0, 0).unwrap();
    let mut table = [Geometry { start: origin, direction: Direction::East, length: 0 }; Line::COUNT];
    let mut count = 0;
    let mut d = 0;
    while d < 4 {
        let direction = Direction::ALL[d];
        let mut index = 0;
        while index < BOARD_POINTS {
            let start = Point::from_index(index).unwrap();
            if direction.from(start, -1).is_none() {
                let mut length = 1;
                while direction.from(start, length as isize).is_some() {
                    length += 1;
                }
                if length >= SHORTEST {
                    table[count] = Geometry { start, direction, length: length as u8 };
                    count += 1;
                }
            }
            index += 1;
        }
        d += 1;
    }
    assert!(count == Line::COUNT && BOARD_SIZE == 15);
    table
}

const fn masks() -> [u16; Line::COUNT + 1] {
    let mut table = [0; Line::COUNT + 1];
    let mut index = 0;
    while index < Line::COUNT {
        table[index] = (1 << GEOMETRY[index].length) - 1;
        index += 1;
    }
    table
}

const fn geometry_point(line: Line, offset: usize) -> Option<Point> {
    let Geometry { start, direction, length } = GEOMETRY[line.index()];
    if offset < length as usize { direction.from(start, offset as isize) } else { None }
}

const fn points() -> [[Option<Point>; BOARD_SIZE]; Line::COUNT + 1] {
    let mut table = [[None; BOARD_SIZE]; Line::COUNT + 1];
    let mut index = 0;
    while index < Line::COUNT {
        let mut offset = 0;
        while offset < BOARD_SIZE {
            table[index][offset] = geometry_point(Line(index as u8), offset);
            offset += 1;
        }
        index += 1;
    }
    table
}

const fn cells() -> [[LineCell; 4]; BOARD_POINTS] {
    let mut table = [[LineCell { line: Line::NOWHERE, offset: 0, bit: 0 }; 4]; BOARD_POINTS];
    let mut index = 0;
    while index < Line::COUNT {
        let line = Line(index as u8);
        let mut offset = 0;
        while offset < line.length() {
            let point = geometry_point(line, offset).unwrap();
            table[point.index()][line.direction() as usize] =
                LineCell { line, offset: offset as u8, bit: 1 << offset };
            offset += 1;
        }
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_72_lines_of_the_right_kinds() {
        let mut by_direction = [0; 4];
        for line in Line::all() {
            by_direction[line.direction() as usize] += 1;
            assert!((5..=15).contains(&line.length()));
        }
        assert_eq!(by_direction, [15, 15, 21, 21]);
    }

    #[test]
    fn a_point_finds_itself_on_its_lines() {
        for point in Point::all() {
            for (cell, direction) in Line::through(point).iter().zip(Direction::ALL) {
                if cell.line == Line::NOWHERE {
                    assert!(matches!(direction, Direction::NorthEast | Direction::NorthWest));
                } else {
                    assert_eq!(cell.line.point(cell.offset as usize), Some(point));
                    assert_eq!(cell.line.direction(), direction);
                }
            }
        }
    }
}
