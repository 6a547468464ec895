use std::fmt;

/// What a stone on an empty cell makes along one direction: the best of its shapes there.
///
/// The codes are chosen for bit tests: bit 3 says "four or more", bit 2 "ends the game" (with bit
/// 3) or "open three" (without), bit 1 "two completions" among the fours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    /// Nothing with room for five.
    None = 0b0000,
    /// A second stone where five still fit.
    ClosedTwo = 0b0001,
    /// A second stone; one more makes an open three.
    OpenTwo = 0b0010,
    /// 剣先: one more makes a four, none an open four.
    ClosedThree = 0b0011,
    /// 活三 in form: one more makes a straight four. For black the real three also asks whether that
    /// stone is legal.
    OpenThree = 0b0100,
    /// 四: one cell completes the five.
    Four = 0b1000,
    /// Two cells complete a five, but not a straight four: 四四 on one line, forbidden to black.
    TwoFours = 0b1010,
    /// 達四: two cells complete the straight four.
    OpenFour = 0b1011,
    /// 長連: six or more, black only.
    Overline = 0b1100,
    /// 五連: exactly five for black, five or more for white.
    Five = 0b1111,
}

impl Class {
    /// All classes, weakest first.
    pub const ALL: [Class; 10] = [
        Class::None,
        Class::ClosedTwo,
        Class::OpenTwo,
        Class::ClosedThree,
        Class::OpenThree,
        Class::Four,
        Class::TwoFours,
        Class::OpenFour,
        Class::Overline,
        Class::Five,
    ];

    /// The class with this code. Codes without a class read as [`Class::None`]; the planes never
    /// hold one.
    #[must_use]
    pub const fn from_code(code: u8) -> Class {
        match code {
            0b0001 => Class::ClosedTwo,
            0b0010 => Class::OpenTwo,
            0b0011 => Class::ClosedThree,
            0b0100 => Class::OpenThree,
            0b1000 => Class::Four,
            0b1010 => Class::TwoFours,
            0b1011 => Class::OpenFour,
            0b1100 => Class::Overline,
            0b1111 => Class::Five,
            _ => Class::None,
        }
    }

    /// How many fours a stone makes here: 2 only on one line.
    #[must_use]
    pub const fn fours(self) -> usize {
        match self {
            Class::Four | Class::OpenFour => 1,
            Class::TwoFours => 2,
            _ => 0,
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::None => "nothing",
            Class::ClosedTwo => "closed two",
            Class::OpenTwo => "open two",
            Class::ClosedThree => "closed three",
            Class::OpenThree => "three",
            Class::Four => "four",
            Class::TwoFours => "two fours",
            Class::OpenFour => "straight four",
            Class::Overline => "overline",
            Class::Five => "five",
        })
    }
}
