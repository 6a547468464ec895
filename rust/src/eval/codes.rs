//! What a stone would make on a cell in all four directions at once, and what that is called.

use std::sync::LazyLock;

use super::shapes::Shape;
use crate::types::Color;

/// The four shapes of a cell for one colour: four bits for each direction.
pub type Code = u16;

/// What a stone on a cell would do: the four directions taken together, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CellKind {
    /// Nothing that must be answered.
    Quiet = 0,
    /// A three, real or not.
    Three,
    /// Two threes; for black forbidden, at least in form.
    DoubleThree,
    /// A four with one completion.
    Four,
    /// Black's four with two threes in form: legal only if the threes are not real.
    DoubtfulFour,
    /// 四三: a four and a three.
    FourThree,
    /// Two completions: a straight four, or white's two fours.
    OpenFour,
    /// An overline or a double-four of black: certainly forbidden.
    Forbidden,
    /// A five, which wins at once.
    Five,
}

impl CellKind {
    /// The number of kinds of cells.
    pub const COUNT: usize = 9;

    /// Does a stone there make a four that is not forbidden for certain?
    #[must_use]
    #[inline]
    pub const fn is_four(self) -> bool {
        matches!(self, CellKind::Four | CellKind::DoubtfulFour | CellKind::FourThree | CellKind::OpenFour)
    }

    /// What these shapes are together.
    #[must_use]
    pub fn of(shapes: [Shape; 4], color: Color) -> CellKind {
        let count = |wanted: &[Shape]| shapes.iter().filter(|shape| wanted.contains(shape)).count();
        let fours = count(&[Shape::Four, Shape::OpenFour]) + 2 * count(&[Shape::TwoFours]);
        let threes = count(&[Shape::NarrowThree, Shape::OpenThree]);
        let is_black = color == Color::Black;
        if count(&[Shape::Five]) > 0 {
            CellKind::Five
        } else if is_black && (count(&[Shape::Overline]) > 0 || fours >= 2) {
            CellKind::Forbidden
        } else if is_black && threes >= 2 {
            if fours == 0 { CellKind::DoubleThree } else { CellKind::DoubtfulFour }
        } else if fours >= 2 || count(&[Shape::OpenFour]) > 0 {
            CellKind::OpenFour
        } else if fours == 1 && threes > 0 {
            CellKind::FourThree
        } else if fours == 1 {
            CellKind::Four
        } else if threes >= 2 {
            CellKind::DoubleThree
        } else if threes == 1 {
            CellKind::Three
        } else {
            CellKind::Quiet
        }
    }
}

/// Different codes if the order of directions does not matter: 15 shapes, four of them with repetition.
pub const CODE_GROUPS: usize = 3060;

/// Key: code; value: 0..[`CODE_GROUPS`], the same for the same shapes in another order.
static GROUP_OF_CODE: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut table = vec![0; 1 << 16];
    for (group, shapes) in code_groups().enumerate() {
        for order in orders() {
            table[usize::from(code_of(order.map(|i| shapes[i])))] = group as u16;
        }
    }
    table
});

/// Key: code; value: its group.
pub(super) type CodeGroups = [u16; 1 << 16];

/// The table from codes to their groups.
pub(super) fn group_of_code() -> &'static CodeGroups {
    GROUP_OF_CODE.first_chunk().expect("one entry for each code")
}

/// The shapes of every group of codes, in order.
pub fn code_groups() -> impl Iterator<Item = [Shape; 4]> {
    let all = Shape::ALL.len();
    (0..all).flat_map(move |a| {
        (a..all).flat_map(move |b| {
            (b..all).flat_map(move |c| (c..all).map(move |d| [a, b, c, d].map(|i| Shape::ALL[i])))
        })
    })
}

fn code_of(shapes: [Shape; 4]) -> Code {
    shapes.iter().rev().fold(0, |code, &shape| code << 4 | shape as u16)
}

/// All orders of four things.
fn orders() -> impl Iterator<Item = [usize; 4]> {
    (0..256).map(|i| [i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6 & 3]).filter(|order: &[usize; 4]| {
        let seen = order.iter().fold(0, |seen, &i| seen | 1 << i);
        seen == 0b1111
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_of_directions_do_not_matter() {
        assert_eq!(code_groups().count(), CODE_GROUPS);
        assert_eq!(orders().count(), 24);
        let groups = group_of_code();
        let [a, b] = [Shape::Four, Shape::OpenThree];
        let dead = Shape::Dead;
        let group = |shapes| groups[usize::from(code_of(shapes))];
        assert_eq!(group([a, b, dead, dead]), group([dead, b, dead, a]));
        assert_ne!(group([a, b, dead, dead]), group([a, a, dead, dead]));
        for (i, shapes) in code_groups().enumerate() {
            assert_eq!(usize::from(group(shapes)), i);
        }
    }

    #[test]
    fn kinds() {
        let dead = Shape::Dead;
        let kind = |a, b, color| CellKind::of([dead, a, dead, b], color);
        assert_eq!(kind(Shape::Four, Shape::OpenThree, Color::Black), CellKind::FourThree);
        assert_eq!(kind(Shape::Four, Shape::Four, Color::Black), CellKind::Forbidden);
        assert_eq!(kind(Shape::Four, Shape::Four, Color::White), CellKind::OpenFour);
        assert_eq!(kind(Shape::OpenThree, Shape::NarrowThree, Color::White), CellKind::DoubleThree);
        assert_eq!(kind(Shape::Overline, Shape::Five, Color::Black), CellKind::Five);
        assert_eq!(kind(Shape::TwoFours, dead, Color::Black), CellKind::Forbidden);
        assert_eq!(kind(Shape::WideTwo, Shape::WideTwo, Color::White), CellKind::Quiet);
        let three = Shape::OpenThree;
        assert_eq!(CellKind::of([three, three, Shape::Four, dead], Color::Black), CellKind::DoubtfulFour);
        assert_eq!(CellKind::of([three, three, Shape::Four, dead], Color::White), CellKind::FourThree);
    }
}
