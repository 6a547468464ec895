use crate::board::Stones;
use crate::rules::planes::{classes, shapes};
use crate::rules::vector::{East, Grid, North, NorthEast, NorthWest};
use crate::rules::{Class, ForbiddenPoints, InstructionSet, Scan, is_real_three};
use crate::types::{Bitboard, Color, Direction, Point};

/// The best a stone makes on a cell, all directions together; the codes of `renju.batch.threat_map`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Threat {
    /// Nothing, or the cell is occupied.
    None = 0,
    /// A two that can become a closed three.
    ClosedTwo = 1,
    /// A two that can become an open three.
    OpenTwo = 2,
    /// 剣先: one more stone makes a four.
    ClosedThree = 3,
    /// 活三: one more legal stone makes a straight four.
    OpenThree = 4,
    /// Two open threes; white's, black's is forbidden.
    DoubleThree = 5,
    /// 四: a four with one completion.
    Four = 6,
    /// 四三: a four and an open three.
    FourThree = 7,
    /// 四四: two fours, on one line or two; white's, black's is forbidden.
    DoubleFour = 8,
    /// 達四: a straight four, with two completions.
    OpenFour = 9,
    /// 五連: five in a row; for white also more.
    Five = 10,
    /// 禁点: black may not play here.
    Forbidden = 11,
}

impl Threat {
    /// All threats, in the order of their codes.
    pub const ALL: [Threat; 12] = [
        Threat::None,
        Threat::ClosedTwo,
        Threat::OpenTwo,
        Threat::ClosedThree,
        Threat::OpenThree,
        Threat::DoubleThree,
        Threat::Four,
        Threat::FourThree,
        Threat::DoubleFour,
        Threat::OpenFour,
        Threat::Five,
        Threat::Forbidden,
    ];

    /// The name of the code.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Threat::None => "none",
            Threat::ClosedTwo => "closed-two",
            Threat::OpenTwo => "open-two",
            Threat::ClosedThree => "closed-three",
            Threat::OpenThree => "open-three",
            Threat::DoubleThree => "double-three",
            Threat::Four => "four",
            Threat::FourThree => "four-three",
            Threat::DoubleFour => "double-four",
            Threat::OpenFour => "open-four",
            Threat::Five => "five",
            Threat::Forbidden => "forbidden",
        }
    }
}

/// The classes of all cells of a board for one colour.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Key: direction, bit of the class code; value: the cells whose class has that bit.
    slices: [[Bitboard; 4]; 4],
    /// Key: direction; value: cells that make a three that counts (for black: a real one).
    threes: [Bitboard; 4],
    /// Black's forbidden points; none for white.
    forbidden: ForbiddenPoints,
}

impl Survey {
    /// Reads a board for a colour.
    #[must_use]
    pub fn of(stones: &Stones, color: Color) -> Survey {
        Survey::with_instructions(InstructionSet::best(), stones, color)
    }

    /// The survey of a board, worked out with these instructions.
    ///
    /// # Panics
    /// If the CPU has no such instructions.
    #[must_use]
    pub fn with_instructions(set: InstructionSet, stones: &Stones, color: Color) -> Survey {
        let slices = match set {
            InstructionSet::Scalar => slices::<crate::rules::vector::Words>(stones, color),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse2 => slices::<crate::rules::simd::Sse2Grid>(stones, color),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                assert!(is_x86_feature_detected!("avx2"));
                // SAFETY: the CPU has AVX2.
                unsafe { slices_avx2(stones, color) }
            }
        };
        let in_form = slices.map(|[_, _, b2, b3]| b2 - b3);
        let mut survey = Survey { slices, threes: in_form, forbidden: ForbiddenPoints::default() };
        if color == Color::Black {
            let scan = Scan::complete(set, stones);
            survey.forbidden = scan.points();
            for direction in Direction::ALL {
                let threes = &mut survey.threes[direction as usize];
                *threes = threes.points().filter(|&p| is_real_three(&scan, p, direction)).collect();
            }
        }
        survey
    }

    /// What a stone makes on an empty cell along a direction. A black three is one in form.
    #[must_use]
    pub fn class(&self, point: Point, direction: Direction) -> Class {
        let slices = &self.slices[direction as usize];
        Class::from_code((0..4).fold(0, |code, i| code | u8::from(slices[i].contains(point)) << i))
    }

    /// Cells that complete a five.
    #[must_use]
    pub fn fives(&self) -> Bitboard {
        self.any(|[b0, _, b2, b3]| b3 & b2 & b0)
    }

    /// Legal cells that make a straight four.
    #[must_use]
    pub fn open_fours(&self) -> Bitboard {
        self.any(|[b0, b1, b2, b3]| (b3 & b1 & b0) - b2) - self.forbidden.all()
    }

    /// Legal cells that make a four which is not straight.
    #[must_use]
    pub fn fours(&self) -> Bitboard {
        self.any(|[b0, b1, b2, b3]| b3 - b2 - (b1 & b0)) - self.forbidden.all()
    }

    /// Legal cells that make two fours at once; white's only.
    #[must_use]
    pub fn double_fours(&self) -> Bitboard {
        let on_one_line = self.any(|[b0, b1, b2, b3]| (b3 & b1) - b2 - b0);
        (two_or_more(self.slices.map(|[_, _, b2, b3]| b3 - b2)) | on_one_line) - self.forbidden.all()
    }

    /// Legal cells that make an open three.
    #[must_use]
    pub fn threes(&self) -> Bitboard {
        self.threes.into_iter().fold(Bitboard::EMPTY, |all, cells| all | cells) - self.forbidden.all()
    }

    /// Legal cells that make a four and, along another direction, an open three.
    #[must_use]
    pub fn four_threes(&self) -> Bitboard {
        (self.fours() | self.open_fours()) & self.threes()
    }

    /// Black's forbidden points; none for white.
    #[must_use]
    pub fn forbidden(&self) -> &ForbiddenPoints {
        &self.forbidden
    }

    /// The cells of each code, weakest first; where a cell is in several, the last one counts.
    #[must_use]
    pub fn by_threat(&self) -> [(Threat, Bitboard); 11] {
        let closed_three = self.any(|[b0, b1, b2, b3]| (b1 & b0) - b2 - b3);
        // A black three that is only one in form can still become a four.
        let in_form = self.any(|[_, _, b2, b3]| b2 - b3);
        [
            (Threat::ClosedTwo, self.any(|[b0, b1, b2, b3]| b0 - b1 - b2 - b3)),
            (Threat::OpenTwo, self.any(|[b0, b1, b2, b3]| b1 - b0 - b2 - b3)),
            (Threat::ClosedThree, closed_three | in_form),
            (Threat::OpenThree, self.threes()),
            (Threat::DoubleThree, two_or_more(self.threes)),
            (Threat::Four, self.fours()),
            (Threat::FourThree, self.four_threes()),
            (Threat::DoubleFour, self.double_fours()),
            (Threat::OpenFour, self.open_fours()),
            (Threat::Five, self.fives()),
            (Threat::Forbidden, self.forbidden.all()),
        ]
    }

    fn any(&self, pick: impl Fn([Bitboard; 4]) -> Bitboard) -> Bitboard {
        self.slices.iter().fold(Bitboard::EMPTY, |all, &slices| all | pick(slices))
    }
}

fn two_or_more(planes: [Bitboard; 4]) -> Bitboard {
    let (mut once, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for plane in planes {
        twice |= once & plane;
        once |= plane;
    }
    twice
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn slices_avx2(stones: &Stones, color: Color) -> [[Bitboard; 4]; 4] {
    slices::<crate::rules::simd::Avx2Grid>(stones, color)
}

#[inline(always)]
fn slices<V: Grid>(stones: &Stones, color: Color) -> [[Bitboard; 4]; 4] {
    let (own, empty) = (V::load(stones.of(color)), V::load(&stones.empty()));
    let exact = match color {
        Color::Black => V::load(&Bitboard::ALL),
        Color::White => V::zero(),
    };
    [
        classes(&shapes::<V, East>(own, empty, exact)).map(V::store),
        classes(&shapes::<V, North>(own, empty, exact)).map(V::store),
        classes(&shapes::<V, NorthEast>(own, empty, exact)).map(V::store),
        classes(&shapes::<V, NorthWest>(own, empty, exact)).map(V::store),
    ]
}
