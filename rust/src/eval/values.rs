use super::Scores;
use super::codes::{CODE_GROUPS, CellKind, Code, CodeGroups, code_groups, group_of_code};
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

    /// The flags with this colour to move, where `has` tells whether a colour has a cell of a kind.
    #[inline(always)]
    pub(super) fn state(color: Color, has: impl Fn(Color, CellKind) -> bool) -> usize {
        let flag = |color, kind, flag| if has(color, kind) { flag } else { 0 };
        let other = color.opponent();
        flag(color, CellKind::Four, Threats::OWN_FOUR)
            | flag(color, CellKind::FourThree, Threats::OWN_FOUR_THREE)
            | flag(color, CellKind::DoubleThree, Threats::OWN_DOUBLE_THREE)
            | flag(other, CellKind::OpenFour, Threats::OTHER_OPEN_FOUR)
            | flag(other, CellKind::FourThree, Threats::OTHER_FOUR_THREE)
            | flag(other, CellKind::DoubleThree, Threats::OTHER_DOUBLE_THREE)
            | flag(other, CellKind::Four, Threats::OTHER_FOUR)
    }
}

/// What a cell adds to the value of the board, and what a stone there would do, for both colours: black's in
/// the low half, white's in the high half. In each half 28 bits hold the value, [`WorthPair::BIAS`] higher so that
/// it is never negative, and four the kind; in a sum of cells all 32 hold the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WorthPair(u64);

/// Key: code; value: one half of a [`WorthPair`].
pub(super) type Worths = [u32; 1 << 16];

impl WorthPair {
    pub(super) const NOTHING: WorthPair = WorthPair(0);

    const BIAS: i32 = 1 << 15;
    const VALUES: u64 = 0x0fff_ffff_0fff_ffff;

    const fn half(value: &CellValue) -> u32 {
        (value.board as i32 + WorthPair::BIAS).cast_unsigned() | (value.kind as u32) << 28
    }

    /// What a cell with these codes is worth.
    #[inline(always)]
    pub(super) fn of(worths: [&Worths; 2], codes: u32) -> WorthPair {
        let [black, white] = [codes & 0xffff, codes >> 16];
        WorthPair(u64::from(worths[0][black as usize]) | u64::from(worths[1][white as usize]) << 32)
    }

    /// This sum of cells with one more. No half ever runs over into the other.
    #[inline(always)]
    pub(super) const fn plus(self, cell: WorthPair) -> WorthPair {
        WorthPair(self.0 + (cell.0 & WorthPair::VALUES))
    }

    /// This sum of cells without one of them.
    #[inline(always)]
    pub(super) const fn minus(self, cell: WorthPair) -> WorthPair {
        WorthPair(self.0 - (cell.0 & WorthPair::VALUES))
    }

    /// Key: colour; value: the value of this sum of cells, in points of score.
    #[inline(always)]
    pub(super) const fn board(self, cells: usize) -> [i32; 2] {
        let bias = cells as i32 * WorthPair::BIAS;
        [(self.0 as u32).cast_signed() - bias, ((self.0 >> 32) as u32).cast_signed() - bias]
    }

    /// Key: colour; value: the cell's kind, as its place in a table of sixteen.
    #[inline(always)]
    pub(super) const fn kinds(self) -> [usize; 2] {
        [(self.0 >> 28) as usize % 16, (self.0 >> 60) as usize]
    }

    /// Is a cell that was the one and is the other of another kind for a colour?
    #[inline(always)]
    pub(super) const fn is_other_kind(was: WorthPair, is: WorthPair) -> bool {
        (was.0 ^ is.0) & !WorthPair::VALUES != 0
    }
}

/// What cells are worth, by their codes.
#[derive(Debug, PartialEq, Eq)]
pub struct CellValues {
    groups: &'static CodeGroups,
    /// Key: colour; value: what is asked for at every stone, close together.
    worths: [Box<Worths>; 2],
    /// Key: colour, group of codes; filled up to a power of two, so that no bound need be checked.
    values: [Box<[CellValue; PLACES]>; 2],
    /// Key: side to move, see [`super::CellMap::threats`].
    threats: [[i16; THREAT_STATES]; 2],
}

/// Ways in which the two sides can threaten.
pub const THREAT_STATES: usize = 128;

/// Groups of codes, filled up to a power of two, so that no bound need be checked.
const PLACES: usize = CODE_GROUPS.next_power_of_two();

impl CellValues {
    /// The values that follow from the table of scores.
    #[must_use]
    pub fn new(scores: &Scores) -> CellValues {
        CellValues::by(|color, _, shapes| CellValue::from_scores(scores, shapes, color))
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
        let mut values = CellValues::by(|color, group, shapes| {
            let numbers = table.cells()[group];
            let [board, attack, defence] = [0, 2, 4].map(|first| numbers[first + color.index()]);
            CellValue { board, attack, defence, kind: CellKind::of(shapes, color) }
        });
        for (color, side) in values.threats.iter_mut().enumerate() {
            for (worth, numbers) in side.iter_mut().zip(table.threats()) {
                *worth = numbers[color];
            }
        }
        values
    }

    /// `worth` tells the value of a group of codes to a colour from the group's number and its shapes.
    fn by(worth: impl Fn(Color, usize, [Shape; 4]) -> CellValue) -> CellValues {
        let values = Color::ALL.map(|color| {
            let mut table = Box::new([CellValue::NOTHING; PLACES]);
            for (group, (place, shapes)) in table.iter_mut().zip(code_groups()).enumerate() {
                *place = worth(color, group, shapes);
            }
            table
        });
        let groups = group_of_code();
        let worths = [0, 1].map(|i: usize| {
            let worth = |&group: &u16| WorthPair::half(&values[i][usize::from(group) % PLACES]);
            groups.iter().map(worth).collect::<Box<[u32]>>().try_into().expect("a worth for each code")
        });
        CellValues { groups, worths, values, threats: [[0; THREAT_STATES]; 2] }
    }

    /// What cells are worth to either colour.
    #[inline(always)]
    pub(super) fn worths(&self) -> [&Worths; 2] {
        [&self.worths[0], &self.worths[1]]
    }

    /// The group of a code.
    #[inline(always)]
    pub(super) fn group(&self, code: Code) -> u16 {
        self.groups[usize::from(code)]
    }

    /// The groups of a cell's codes, black's before white's; white's code is in the high half.
    #[inline(always)]
    pub(super) fn groups(&self, codes: u32) -> [u16; 2] {
        [self.group(codes as Code), self.group((codes >> 16) as Code)]
    }

    /// The value of a code.
    #[inline(always)]
    pub(super) fn of(&self, color: Color, code: Code) -> &CellValue {
        self.of_group(color, self.group(code))
    }

    /// What a cell with a code of this group, its place in [`super::code_groups`], is worth to a colour.
    #[must_use]
    #[inline(always)]
    pub fn of_group(&self, color: Color, group: u16) -> &CellValue {
        &self.values[color.index()][usize::from(group) % PLACES]
    }
}
