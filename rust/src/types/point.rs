use std::fmt;

/// Cells along one side of the board.
pub const BOARD_SIZE: usize = 15;

/// The number of cells on the board.
pub const BOARD_POINTS: usize = BOARD_SIZE * BOARD_SIZE;

/// One cell of the board: column `x` (A..O from the left), row `y` (1..15 from the bottom).
///
/// ```
/// use renju::types::Point;
/// let center = Point::new(7, 7).unwrap();
/// assert_eq!(center.to_string(), "H8");
/// assert_eq!(center.index(), 112);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    /// 天元: the middle of the board.
    pub const CENTER: Point = Point((BOARD_POINTS / 2) as u8);

    /// The cell at column `x`, row `y`, both from 0; `None` off the board.
    #[must_use]
    pub const fn new(x: usize, y: usize) -> Option<Point> {
        if x < BOARD_SIZE && y < BOARD_SIZE { Some(Point((y * BOARD_SIZE + x) as u8)) } else { None }
    }

    /// The cell with index `y * 15 + x`; `None` from 225 on.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Point> {
        if index < BOARD_POINTS { Some(Point(index as u8)) } else { None }
    }

    /// `y * 15 + x`, 0..=224.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Column from the left, 0..=14.
    #[must_use]
    pub const fn x(self) -> usize {
        self.0 as usize % BOARD_SIZE
    }

    /// Row from the bottom, 0..=14.
    #[must_use]
    pub const fn y(self) -> usize {
        self.0 as usize / BOARD_SIZE
    }

    /// Steps of a king to another point.
    #[must_use]
    pub const fn distance(self, other: Point) -> usize {
        let (across, up) = (self.x().abs_diff(other.x()), self.y().abs_diff(other.y()));
        if across > up { across } else { up }
    }

    /// The 225 cells in the order of their index.
    pub fn all() -> impl Iterator<Item = Point> + Clone {
        (0..BOARD_POINTS as u8).map(Point)
    }

    /// The cell `steps` away along (`dx`, `dy`), if it is on the board.
    #[must_use]
    pub const fn offset(self, dx: isize, dy: isize, steps: isize) -> Option<Point> {
        let x = self.x() as isize + dx * steps;
        let y = self.y() as isize + dy * steps;
        if x < 0 || y < 0 { None } else { Point::new(x as usize, y as usize) }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'A' + self.x() as u8) as char, self.y() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a player does in a turn: a stone on a point, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone is placed on the point.
    Place(Point),
    /// No stone is placed: the side passes.
    Pass,
}

impl Move {
    /// The number that stands for a pass where points are numbers.
    pub const PASS_INDEX: usize = BOARD_POINTS;

    /// 0..=224 for a point, 225 for a pass.
    #[must_use]
    pub const fn index(self) -> usize {
        match self {
            Move::Place(point) => point.index(),
            Move::Pass => Move::PASS_INDEX,
        }
    }

    /// The move with this index; `None` from 226 on.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Move> {
        if index == Move::PASS_INDEX {
            return Some(Move::Pass);
        }
        match Point::from_index(index) {
            Some(point) => Some(Move::Place(point)),
            None => None,
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(point) => point.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}
