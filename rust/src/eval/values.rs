use super::Scores;
use super::codes::{CODE_GROUPS, CellKind, Code, code_groups, group_of_code};
use super::shapes::Shape;
use super::table::ValueTable;
use crate::rules::Class;
use crate::types::Color;

/// What an empty cell means to one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellValue {
    /// The cell's share of the value of the board, in points of score.
    pub board: i16,
    /// What a stone of this colour on the cell is worth at a glance, in points of score.
    pub attack: i16,
    /// What a stone of the opponent's on the cell is worth because it takes the cell away, in points of
    /// score.
    pub defence: i16,
    /// What a stone of this colour on the cell would do.
    pub kind: CellKind,
}

impl CellValue {
    const NOTHING: CellValue = CellValue { board: 0, attack: 0, defence: 0, kind: CellKind::Quiet };

    fn from_scores(scores: &Scores, shapes: [Shape; 4], color: Color) -> CellValue {
        let kind = CellKind::of(shapes, color);
        if kind == CellKind::Forbidden {
            return CellValue { kind, ..CellValue::NOTHING };
        }
        let is_doubtful =
            kind == CellKind::DoubtfulFour || kind == CellKind::DoubleThree && color == Color::Black;
        let board = |shape: Shape| board_share(scores, shape);
        let sum = |worth: &dyn Fn(Shape) -> i32| shapes.into_iter().map(worth).sum::<i32>();
        let attack = sum(&|shape| scores.shape(shape.class()) + grade(scores, shape));
        let defence = sum(&|shape| {
            scores.shape(shape.class()) * scores.defence_percent(shape.class()) / 100
                + grade(scores, shape) / 2
        });
        let bonus = match kind {
            CellKind::FourThree => scores.four_three,
            CellKind::DoubleThree if !is_doubtful => scores.multi_direction,
            _ => 0,
        };
        CellValue {
            board: if is_doubtful { 0 } else { short(sum(&board)) },
            attack: if is_doubtful { 0 } else { short(attack + bonus) },
            defence: if is_doubtful { 0 } else { short(defence + bonus * 7 / 10) },
            kind,
        }
    }
}

/// What an existing shape is worth, shared out over the cells that would make more of it: a three has
/// two cells for a straight four, a closed three two for a four, a two four for a three.
fn board_share(scores: &Scores, shape: Shape) -> i32 {
    match shape.class() {
        Class::Five => scores.four,
        Class::OpenFour | Class::TwoFours => scores.open_three / 2,
        Class::Four => scores.closed_three / 2,
        Class::OpenThree => scores.open_two / 4,
        Class::ClosedThree => scores.closed_two / 3,
        Class::OpenTwo => 1,
        Class::None | Class::ClosedTwo | Class::Overline => 0,
    }
}

/// Tells shapes of one class apart.
fn grade(scores: &Scores, shape: Shape) -> i32 {
    match shape {
        Shape::OpenOne => scores.grade_open_one,
        Shape::OpenTwo => scores.grade_open_two,
        Shape::WideTwo => scores.grade_wide_two,
        Shape::OpenThree => scores.grade_open_three,
        _ => 0,
    }
}

/// Values are kept short; nothing needs to be told apart above a five.
fn short(value: i32) -> i16 {
    value.clamp(-30_000, 30_000) as i16
}

/// Flags of what both sides could do next, as kept by [`super::CellMap::threats`].
pub(super) struct Threats;

impl Threats {
    pub(super) const OWN_FOUR: usize = 1 << 0;
    pub(super) const OWN_FOUR_THREE: usize = 1 << 1;
    pub(super) const OWN_DOUBLE_THREE: usize = 1 << 2;
    pub(super) const OTHER_OPEN_FOUR: usize = 1 << 3;
    pub(super) const OTHER_FOUR_THREE: usize = 1 << 4;
    pub(super) const OTHER_DOUBLE_THREE: usize = 1 << 5;
    pub(super) const OTHER_FOUR: usize = 1 << 6;
}

/// What cells are worth, by their codes.
#[derive(Debug, PartialEq, Eq)]
pub struct CellValues {
    groups: &'static [u16; 1 << 16],
    /// Key: colour, group of codes; filled up to a power of two, so that no bound need be checked.
    values: [Box<[CellValue; PLACES]>; 2],
    /// Key: side to move, see [`super::CellMap::threats`].
    threats: [[i16; THREAT_STATES]; 2],
}

/// Ways in which the two sides can threaten.
pub const THREAT_STATES: usize = 128;

const PLACES: usize = CODE_GROUPS.next_power_of_two();

impl CellValues {
    /// The values that follow from the table of scores.
    #[must_use]
    pub fn new(scores: &Scores) -> CellValues {
        CellValues::by(|color, shapes| CellValue::from_scores(scores, shapes, color))
    }

    /// What the threats of both sides are worth to the side to move.
    #[inline(always)]
    pub(super) fn threats(&self, color: Color, threats: usize) -> i32 {
        self.threats[color.index()][threats % THREAT_STATES].into()
    }

    /// The values of the table that was fitted to games (docs/how-it-thinks.md).
    #[must_use]
    pub fn fitted() -> CellValues {
        CellValues::from_table(&ValueTable::fitted())
    }

    /// The values of a table.
    #[must_use]
    pub fn from_table(table: &ValueTable) -> CellValues {
        let mut values = CellValues::by(|color, shapes| CellValue {
            kind: CellKind::of(shapes, color),
            ..CellValue::NOTHING
        });
        for (color, side) in values.values.iter_mut().enumerate() {
            for (value, numbers) in side.iter_mut().zip(table.cells()) {
                (value.board, value.attack, value.defence) =
                    (numbers[color], numbers[2 + color], numbers[4 + color]);
            }
        }
        for (color, side) in values.threats.iter_mut().enumerate() {
            for (worth, numbers) in side.iter_mut().zip(table.threats()) {
                *worth = numbers[color];
            }
        }
        values
    }

    fn by(worth: impl Fn(Color, [Shape; 4]) -> CellValue) -> CellValues {
        let values = Color::ALL.map(|color| {
            let mut table = Box::new([CellValue::NOTHING; PLACES]);
            for (place, shapes) in table.iter_mut().zip(code_groups()) {
                *place = worth(color, shapes);
            }
            table
        });
        CellValues { groups: group_of_code(), values, threats: [[0; THREAT_STATES]; 2] }
    }

    /// The value of a code.
    #[inline(always)]
    pub(super) fn of(&self, color: Color, code: Code) -> &CellValue {
        &self.values[color.index()][usize::from(self.groups[usize::from(code)]) % PLACES]
    }
}
