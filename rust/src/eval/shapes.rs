//! What a stone would make along one line, graded finer than [`Class`]: the letters of cell codes.

use std::sync::LazyLock;

use super::windows::{MOST_KEYS, Window};
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

    /// Is it a four, whatever the number of its completions?
    #[must_use]
    pub const fn is_four(self) -> bool {
        matches!(self, Shape::Four | Shape::TwoFours | Shape::OpenFour)
    }
}

/// The shapes of all windows, for one colour.
pub(super) struct ShapeTable {
    /// Key: window; value: the shape in its middle.
    pub shapes: Box<[u8; MOST_KEYS]>,
    /// Key: window; value: its cells that complete a five once there is a stone in the middle, as bits.
    pub completions: Box<[u16; MOST_KEYS]>,
}

/// Key: colour.
static TABLES: LazyLock<[ShapeTable; 2]> = LazyLock::new(|| Color::ALL.map(ShapeTable::new));

impl ShapeTable {
    /// The table for a colour.
    pub(super) fn of(color: Color) -> &'static ShapeTable {
        &TABLES[color.index()]
    }

    fn new(color: Color) -> ShapeTable {
        let mut table =
            ShapeTable { shapes: Box::new([0; MOST_KEYS]), completions: Box::new([0; MOST_KEYS]) };
        // A shape is what its next stones make of it, and a stone makes the key greater.
        for key in (0..Window::keys(color)).rev() {
            let window = Window::from_key(key);
            table.shapes[key] = table.judge(window, color) as u8;
            let is_five = |&cell: &usize| table.shapes[window.with(cell).key(color)] == Shape::Five as u8;
            table.completions[key] = window.near().filter(is_five).fold(0, |cells, cell| cells | 1 << cell);
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
            next[usize::from(self.shapes[window.with(cell).key(color)])] += 1;
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
    use super::super::windows::REACH;
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
        Shape::ALL[usize::from(ShapeTable::of(color).shapes[window.key(color)])]
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
