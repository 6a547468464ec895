//! 禁手: which points black may not play.
//!
//! [`Scan`] reads a whole board at once. Overlines and double-fours are decided by the planes
//! alone. A double-three needs its threes to be real, and that is asked only of the few cells that
//! make two threes in form ([`has_double_three`]).
//!
//! Verdicts are by the stones alone, also on boards where the game is over; who plays a game asks
//! `Position`, for which nothing is forbidden any more then.

use super::planes::{Shapes, shapes};
use super::vector::{East, Grid, North, NorthEast, NorthWest};
use crate::board::Stones;
use crate::types::{Bitboard, Direction, Point};

/// Why a point is forbidden to black; the codes of the array API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Forbidden {
    /// Black may play on the point.
    #[default]
    None = 0,
    /// 三三: a double-three.
    DoubleThree = 1,
    /// 四四: a double-four.
    DoubleFour = 2,
    /// 長連: an overline, six or more in a row.
    Overline = 3,
}

impl Forbidden {
    /// All verdicts, in the order of their codes.
    pub const ALL: [Forbidden; 4] =
        [Forbidden::None, Forbidden::DoubleThree, Forbidden::DoubleFour, Forbidden::Overline];

    /// The name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Forbidden::None => "none",
            Forbidden::DoubleThree => "double-three",
            Forbidden::DoubleFour => "double-four",
            Forbidden::Overline => "overline",
        }
    }
}

/// The forbidden points of a board, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ForbiddenPoints {
    /// The points where a stone makes a double-three.
    pub double_three: Bitboard,
    /// The points where a stone makes a double-four.
    pub double_four: Bitboard,
    /// The points where a stone makes an overline.
    pub overline: Bitboard,
}

impl ForbiddenPoints {
    /// Every forbidden point, whatever the kind.
    #[must_use]
    pub fn all(&self) -> Bitboard {
        self.double_three | self.double_four | self.overline
    }

    /// The kind of a point.
    #[must_use]
    pub fn kind(&self, point: Point) -> Forbidden {
        if self.overline.contains(point) {
            Forbidden::Overline
        } else if self.double_four.contains(point) {
            Forbidden::DoubleFour
        } else if self.double_three.contains(point) {
            Forbidden::DoubleThree
        } else {
            Forbidden::None
        }
    }

    /// Every forbidden point with its kind, in index order.
    pub fn iter(&self) -> impl Iterator<Item = (Point, Forbidden)> + '_ {
        self.all().points().map(|point| (point, self.kind(point)))
    }
}

/// What the double-three rule asks about black's shapes, whoever keeps them.
pub trait BlackShapes {
    /// Does a stone make a five, an overline or a four along this direction?
    fn is_strong(&self, point: Point, direction: Direction) -> bool;
    /// Does a stone make a three in form along this direction?
    fn is_three(&self, point: Point, direction: Direction) -> bool;
    /// The cells that turn the three made by a stone here into a straight four.
    fn straight_four_points(&self, point: Point, direction: Direction) -> [Option<Point>; 2];
    /// The stones all this is about.
    fn stones(&self) -> &Stones;
}

/// Does a stone on `point`, which makes at least two threes in form, make two real ones?
pub fn has_double_three<S: BlackShapes>(shapes: &S, point: Point) -> bool {
    let mut real = 0;
    for direction in Direction::ALL {
        real += usize::from(is_real_three(shapes, point, direction));
        if real == 2 {
            return true;
        }
    }
    false
}

/// Does a stone on `point` make a three along `direction` that can become a straight four by a
/// legal stone that is not itself a five?
pub fn is_real_three<S: BlackShapes>(shapes: &S, point: Point, direction: Direction) -> bool {
    shapes.is_three(point, direction)
        && shapes
            .straight_four_points(point, direction)
            .into_iter()
            .flatten()
            .any(|q| is_straight_four_allowed(shapes, point, direction, q))
}

/// May black, with `point` played, make the straight four at `q`?
///
/// `q` lies on the line of the three, and its other three lines do not hold `point`: what is known
/// of them without that stone stays true. Along the three's own line `q` makes one four. So another
/// four is a double-four, and two further threes in form may be a double-three: only then the
/// question repeats itself, on the board with `point` played.
fn is_straight_four_allowed<S: BlackShapes>(shapes: &S, point: Point, along: Direction, q: Point) -> bool {
    let others = || Direction::ALL.into_iter().filter(|&d| d != along);
    if others().any(|d| shapes.is_strong(q, d)) {
        return false;
    }
    if others().filter(|&d| shapes.is_three(q, d)).count() < 2 {
        return true;
    }
    let black = shapes.stones().black().with(point);
    let played = Stones::new(black, *shapes.stones().white()).expect("the point was empty");
    Scan::of(&played).kind(q) == Forbidden::None
}

/// The instruction set a scan runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    /// 64-bit words, which every CPU has.
    Scalar,
    /// 128-bit vectors of SSE2, which every x86-64 CPU has.
    #[cfg(target_arch = "x86_64")]
    Sse2,
    /// Asked of the CPU at run time.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl InstructionSet {
    /// The best that this CPU has.
    #[must_use]
    #[inline]
    pub fn best() -> InstructionSet {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") { InstructionSet::Avx2 } else { InstructionSet::Sse2 }
        }
        #[cfg(not(target_arch = "x86_64"))]
        InstructionSet::Scalar
    }

    /// All that this CPU has, slowest first.
    #[must_use]
    pub fn available() -> Vec<InstructionSet> {
        let mut sets = vec![InstructionSet::Scalar];
        #[cfg(target_arch = "x86_64")]
        sets.push(InstructionSet::Sse2);
        if InstructionSet::best() != sets[sets.len() - 1] {
            sets.push(InstructionSet::best());
        }
        sets
    }
}

/// Black's shapes over a whole board, as far as the forbidden rule needs them.
#[derive(Clone, Copy, Debug)]
pub struct Scan {
    stones: Stones,
    /// Cells that make a five.
    five: Bitboard,
    overline: Bitboard,
    double_four: Bitboard,
    /// Cells that make two or more threes in form, and neither a five, an overline nor a double-four.
    candidates: Bitboard,
    /// The cells that make a four or more, by direction; filled in only if there are candidates, or if asked
    /// for.
    strong: [Bitboard; 4],
    three: [Bitboard; 4],
    straight: [Bitboard; 4],
}

impl Scan {
    /// Reads a board with the best instructions there are.
    #[must_use]
    #[inline]
    pub fn of(stones: &Stones) -> Scan {
        Scan::with_instructions(InstructionSet::best(), stones)
    }

    /// Reads a board with given instructions, which the CPU must have.
    ///
    /// # Panics
    /// If the CPU has no such instructions.
    #[must_use]
    #[inline]
    pub fn with_instructions(set: InstructionSet, stones: &Stones) -> Scan {
        Scan::dispatch(set, stones, false)
    }

    /// Like [`Scan::with_instructions`], with all that [`BlackShapes`] asks for: [`is_real_three`] may be
    /// asked of any cell.
    #[must_use]
    pub fn complete(set: InstructionSet, stones: &Stones) -> Scan {
        Scan::dispatch(set, stones, true)
    }

    #[inline]
    fn dispatch(set: InstructionSet, stones: &Stones, complete: bool) -> Scan {
        match set {
            InstructionSet::Scalar => scan::<super::vector::Words>(stones, complete),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse2 => scan::<super::simd::Sse2Grid>(stones, complete),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => {
                assert!(is_x86_feature_detected!("avx2"));
                // SAFETY: the CPU has AVX2.
                unsafe { scan_avx2(stones, complete) }
            }
        }
    }

    /// The verdict on one empty point; none for an occupied one.
    #[must_use]
    pub fn kind(&self, point: Point) -> Forbidden {
        if self.five.contains(point) {
            Forbidden::None
        } else if self.overline.contains(point) {
            Forbidden::Overline
        } else if self.double_four.contains(point) {
            Forbidden::DoubleFour
        } else if self.candidates.contains(point) && has_double_three(self, point) {
            Forbidden::DoubleThree
        } else {
            Forbidden::None
        }
    }

    /// The verdict on every point.
    #[must_use]
    pub fn points(&self) -> ForbiddenPoints {
        ForbiddenPoints {
            double_three: self.candidates.points().filter(|&p| has_double_three(self, p)).collect(),
            double_four: self.double_four,
            overline: self.overline,
        }
    }
}

impl BlackShapes for Scan {
    fn is_strong(&self, point: Point, direction: Direction) -> bool {
        self.strong[direction as usize].contains(point)
    }

    fn is_three(&self, point: Point, direction: Direction) -> bool {
        self.three[direction as usize].contains(point)
    }

    fn straight_four_points(&self, point: Point, direction: Direction) -> [Option<Point>; 2] {
        let windows = &self.straight[direction as usize];
        let mut found = [None; 2];
        let mut count = 0;
        for back in 0..4 {
            let Some(first) = direction.from(point, -back) else {
                break;
            };
            if !windows.contains(first) {
                continue;
            }
            let cells = (0..4).filter_map(|i| direction.from(first, i));
            for cell in cells.filter(|&cell| cell != point && self.stones.at(cell).is_none()) {
                // A three has at most two such cells: the exact-five rule spoils a third window.
                if let Some(slot) = found.get_mut(count) {
                    *slot = Some(cell);
                    count += 1;
                }
            }
        }
        found
    }

    fn stones(&self) -> &Stones {
        &self.stones
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scan_avx2(stones: &Stones, complete: bool) -> Scan {
    scan::<super::simd::Avx2Grid>(stones, complete)
}

#[inline(always)]
fn scan<V: Grid>(stones: &Stones, complete: bool) -> Scan {
    let (own, empty) = (V::load(stones.black()), V::load(&stones.empty()));
    let exact = V::load(&Bitboard::ALL);
    let by_direction = [
        shapes::<V, East>(own, empty, exact),
        shapes::<V, North>(own, empty, exact),
        shapes::<V, NorthEast>(own, empty, exact),
        shapes::<V, NorthWest>(own, empty, exact),
    ];
    let any =
        |pick: fn(&Shapes<V>) -> V| by_direction.iter().map(pick).fold(V::zero(), |all, plane| all.or(plane));
    let two_or_more = |pick: fn(&Shapes<V>) -> V| {
        let (_, twice) = by_direction
            .iter()
            .map(pick)
            .fold((V::zero(), V::zero()), |(once, twice), plane| (once.or(plane), twice.or(once.and(plane))));
        twice
    };
    let five = any(|s| s.five);
    let overline = any(|s| s.overline).minus(five);
    let double_four = two_or_more(|s| s.four).or(any(|s| s.two_fours)).minus(five).minus(overline);
    let candidates = two_or_more(|s| s.open_three).minus(five).minus(overline).minus(double_four);
    let mut scan = Scan {
        stones: *stones,
        five: five.store(),
        overline: overline.store(),
        double_four: double_four.store(),
        candidates: Bitboard::EMPTY,
        strong: [Bitboard::EMPTY; 4],
        three: [Bitboard::EMPTY; 4],
        straight: [Bitboard::EMPTY; 4],
    };
    if complete || !candidates.is_zero() {
        scan.candidates = candidates.store();
        for (i, shapes) in by_direction.iter().enumerate() {
            scan.strong[i] = shapes.five.or(shapes.overline).or(shapes.four).store();
            scan.three[i] = shapes.open_three.store();
            scan.straight[i] = shapes.straight.store();
        }
    }
    scan
}
