//! What a stone would make along one line, graded finer than [`Class`]: the letters of cell codes.

use std::sync::LazyLock;

use crate::rules::Class;
use crate::types::Color;

/// What a stone on an empty cell makes along one direction, by what may become of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// A stone with no room for five around it.
    Dead = 0,
    /// A stone with room for five on one side only.
    ClosedOne,
    /// A stone that one more may make an open two.
    OpenOne,
    /// A two that may become a closed three.
    ClosedTwo,
    /// A two that one cell makes an open three.
    NarrowTwo,
    /// A two that two cells make an open three.
    OpenTwo,
    /// A two that three or more cells make an open three.
    WideTwo,
    /// 剣先: a closed three, which may become a four.
    ClosedThree,
    /// A three that one cell makes a straight four.
    NarrowThree,
    /// A three that two cells make a straight four.
    OpenThree,
    /// 四: a four with one completion.
    Four,
    /// 四四: two fours on one line.
    TwoFours,
    /// 達四: a straight four, with two completions.
    OpenFour,
    /// 長連: six or more in a row, black's only.
    Overline,
    /// 五連: five in a row; for white also more.
    Five,
}

impl Shape {
    /// All shapes, weakest first.
    pub const ALL: [Shape; 15] = [
        Shape::Dead,
        Shape::ClosedOne,
        Shape::OpenOne,
        Shape::ClosedTwo,
        Shape::NarrowTwo,
        Shape::OpenTwo,
        Shape::WideTwo,
        Shape::ClosedThree,
        Shape::NarrowThree,
        Shape::OpenThree,
        Shape::Four,
        Shape::TwoFours,
        Shape::OpenFour,
        Shape::Overline,
        Shape::Five,
    ];

    /// The class it belongs to.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Shape::Dead | Shape::ClosedOne | Shape::OpenOne => Class::None,
            Shape::ClosedTwo => Class::ClosedTwo,
            Shape::NarrowTwo | Shape::OpenTwo | Shape::WideTwo => Class::OpenTwo,
            Shape::ClosedThree => Class::ClosedThree,
            Shape::NarrowThree | Shape::OpenThree => Class::OpenThree,
            Shape::Four => Class::Four,
            Shape::TwoFours => Class::TwoFours,
            Shape::OpenFour => Class::OpenFour,
            Shape::Overline => Class::Overline,
            Shape::Five => Class::Five,
        }
    }
}

/// Cells to each side of a stone that have a say in its shapes: four, and one more for overlines.
pub(super) const REACH: usize = 5;

/// The cells of a window besides its middle.
const NEIGHBORS: usize = 2 * REACH;

/// Windows: every neighbour empty, own or in the way.
pub(super) const WINDOWS: usize = 3usize.pow(NEIGHBORS as u32);

/// The shapes of all windows, for one colour. Key: base-3 number of the neighbours from the lowest
/// cell up, without the middle: 0 empty, 1 own, 2 opponent's or off the board.
pub(super) struct ShapeTable {
    shapes: Box<[u8; WINDOWS]>,
}

/// Key: colour.
static TABLES: LazyLock<[ShapeTable; 2]> = LazyLock::new(|| Color::ALL.map(ShapeTable::new));

/// Key: the eleven cells of a window as bits; value: the base-3 number with a 1 for each of them, the
/// middle left out.
pub(super) static TERNARY: [u16; 1 << (NEIGHBORS + 1)] = ternary();

pub(super) const fn ternary() -> [u16; 1 << (NEIGHBORS + 1)] {
    let mut table = [0; 1 << (NEIGHBORS + 1)];
    let mut bits = 0;
    while bits < table.len() {
        let (mut number, mut weight, mut cell) = (0, 1, 0);
        while cell <= NEIGHBORS {
            if cell != REACH {
                if bits >> cell & 1 == 1 {
                    number += weight;
                }
                weight = if cell == NEIGHBORS { weight } else { weight * 3 };
            }
            cell += 1;
        }
        table[bits] = number as u16;
        bits += 1;
    }
    table
}

/// A window with a stone in the middle: own cells and empty cells as bits.
#[derive(Clone, Copy)]
struct Window {
    own: u16,
    empty: u16,
}

impl Window {
    fn key(self) -> usize {
        let blocked = !(self.own | self.empty) & ((1 << (NEIGHBORS + 1)) - 1);
        usize::from(TERNARY[usize::from(self.own)]) + 2 * usize::from(TERNARY[usize::from(blocked)])
    }

    fn from_key(mut key: usize) -> Window {
        let mut window = Window { own: 1 << REACH, empty: 0 };
        for cell in (0..=NEIGHBORS).filter(|&cell| cell != REACH) {
            match key % 3 {
                0 => window.empty |= 1 << cell,
                1 => window.own |= 1 << cell,
                _ => {}
            }
            key /= 3;
        }
        window
    }

    fn with(self, cell: usize) -> Window {
        Window { own: self.own | 1 << cell, empty: self.empty & !(1 << cell) }
    }

    /// The empty cells that can share a five with the middle.
    fn near(self) -> impl Iterator<Item = usize> {
        (1..NEIGHBORS).filter(move |&cell| self.empty >> cell & 1 == 1)
    }

    /// Stones in a row with the middle.
    fn run(self) -> u32 {
        let up = (self.own >> REACH).trailing_ones();
        let down = (self.own << (15 - REACH)).leading_ones();
        up + down - 1
    }
}

impl ShapeTable {
    /// The table for a colour.
    pub(super) fn of(color: Color) -> &'static ShapeTable {
        &TABLES[color.index()]
    }

    /// Key: window; value: its shape.
    pub(super) fn shapes(&self) -> &[u8; WINDOWS] {
        &self.shapes
    }

    fn new(color: Color) -> ShapeTable {
        let mut table = ShapeTable { shapes: Box::new([0; WINDOWS]) };
        // Fuller windows first: a shape is what its next stones make of it.
        let mut keys: Vec<usize> = (0..WINDOWS).collect();
        keys.sort_by_key(|&key| Window::from_key(key).empty.count_ones());
        for key in keys {
            table.shapes[key] = table.judge(Window::from_key(key), color) as u8;
        }
        table
    }

    fn judge(&self, window: Window, color: Color) -> Shape {
        let run = window.run();
        if run == 5 || run > 5 && color == Color::White {
            return Shape::Five;
        }
        if run > 5 {
            return Shape::Overline;
        }
        // Key: shape; value: next stones that make it.
        let mut next = [0u32; Shape::ALL.len()];
        for cell in window.near() {
            next[usize::from(self.shapes[window.with(cell).key()])] += 1;
        }
        let count = |shape: Shape| next[shape as usize];
        let threes = count(Shape::NarrowThree) + count(Shape::OpenThree);
        let twos = count(Shape::NarrowTwo) + count(Shape::OpenTwo) + count(Shape::WideTwo);
        match count(Shape::Five) {
            // Four in a row with a completion at either end.
            2.. if run == 4 => return Shape::OpenFour,
            2.. => return Shape::TwoFours,
            1 => return Shape::Four,
            0 => {}
        }
        match count(Shape::OpenFour) {
            2.. => return Shape::OpenThree,
            1 => return Shape::NarrowThree,
            0 => {}
        }
        if count(Shape::Four) + count(Shape::TwoFours) > 0 {
            return Shape::ClosedThree;
        }
        match threes {
            3.. => return Shape::WideTwo,
            2 => return Shape::OpenTwo,
            1 => return Shape::NarrowTwo,
            0 => {}
        }
        if count(Shape::ClosedThree) > 0 {
            Shape::ClosedTwo
        } else if twos > 0 {
            Shape::OpenOne
        } else if count(Shape::ClosedTwo) > 0 {
            Shape::ClosedOne
        } else {
            Shape::Dead
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A drawing around a stone `X`: own `x`, empty `.`, in the way `o`, off the board nothing.
    fn shape(color: Color, left: &str, right: &str) -> Shape {
        let mut window = Window { own: 1 << REACH, empty: 0 };
        let cells = left.chars().rev().enumerate().map(|(i, c)| (REACH - 1 - i, c));
        for (cell, c) in cells.chain(right.chars().enumerate().map(|(i, c)| (REACH + 1 + i, c))) {
            match c {
                'x' => window.own |= 1 << cell,
                '.' => window.empty |= 1 << cell,
                _ => {}
            }
        }
        Shape::ALL[usize::from(ShapeTable::of(color).shapes()[window.key()])]
    }

    #[test]
    fn drawn_shapes() {
        use Color::{Black, White};
        for color in Color::ALL {
            assert_eq!(shape(color, "..xx", "xx..."), Shape::Five);
            assert_eq!(shape(color, "...xx", "x...."), Shape::OpenFour);
            assert_eq!(shape(color, "oxx", "x...."), Shape::Four);
            assert_eq!(shape(color, "...xx", "....."), Shape::OpenThree);
            assert_eq!(shape(color, "...x", ".x..."), Shape::NarrowThree);
            assert_eq!(shape(color, "..oxx", "....."), Shape::ClosedThree);
            assert_eq!(shape(color, ".....", "x...."), Shape::WideTwo);
            assert_eq!(shape(color, "....o", "x...."), Shape::ClosedTwo);
            assert_eq!(shape(color, "....o", "...o."), Shape::Dead);
            assert_eq!(shape(color, ".....", "....."), Shape::OpenOne);
            assert_eq!(
                shape(color, "x.xx", "x.x"),
                if color == Black { Shape::Dead } else { Shape::OpenFour }
            );
        }
        assert_eq!(shape(Black, "xxx", "xx"), Shape::Overline);
        assert_eq!(shape(White, "xxx", "xx"), Shape::Five);
        assert_eq!(shape(Black, "x.x", "x.x"), Shape::TwoFours);
        assert_eq!(shape(Black, "x..xx", "x.x"), Shape::Four);
    }
}
