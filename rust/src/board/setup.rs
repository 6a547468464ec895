use std::fmt;

use super::{Stones, turn_by_counts};
use crate::types::{Bitboard, Color, Point};

/// Anything one can put on a board by hand, right or wrong. [`Setup::validate`] tells which.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The points of black's stones, as given: doubles and all.
    pub black: Vec<Point>,
    /// The points of white's stones, as given: doubles and all.
    pub white: Vec<Point>,
    /// The colour that is to move, if said; else the counts of stones tell.
    pub turn: Option<Color>,
}

/// One thing that is wrong with a set-up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A point that could not be read.
    #[error("{color}: {reason}")]
    BadPoint {
        /// The colour in whose list the point stood.
        color: Color,
        /// What is wrong with the text of the point.
        reason: String,
    },
    /// A point given twice for one colour.
    #[error("{point} is given twice for {color}")]
    Twice {
        /// The point that was given twice.
        point: Point,
        /// The colour for which the point was given twice.
        color: Color,
    },
    /// A point given for both colours.
    #[error("{point} is both black and white")]
    BothColors {
        /// The point that was given for both colours.
        point: Point,
    },
    /// Stone counts that no alternating game reaches, and no turn given.
    #[error("{0}; give the turn")]
    UnclearTurn(UnclearTurn),
    /// Both colours have a five.
    #[error("both colours have five in a row")]
    TwoWinners,
}

/// Numbers of stones that no alternating game reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{black} black and {white} white stones do not tell whose turn it is")]
pub struct UnclearTurn {
    /// The number of black stones on the board.
    pub black: usize,
    /// The number of white stones on the board.
    pub white: usize,
}

/// Everything that is wrong with a set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// All problems of the set-up; there is at least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("; ")?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// The set-up of these stones.
    #[must_use]
    pub fn of(stones: &Stones, turn: Option<Color>) -> Setup {
        Setup { black: stones.black().points().collect(), white: stones.white().points().collect(), turn }
    }

    /// The stones and the turn, or all problems at once. What the rules say of the stones is not
    /// asked here.
    pub fn validate(&self) -> Result<(Stones, Color), SetupError> {
        let mut problems = Vec::new();
        let black = distinct(&self.black, Color::Black, &mut problems);
        let white = distinct(&self.white, Color::White, &mut problems);
        problems.extend((black & white).points().map(|point| Problem::BothColors { point }));
        let stones = Stones { sets: [black, white - black] };
        let turn = self.turn.or_else(|| turn_by_counts(black.len(), white.len()));
        match turn {
            Some(turn) if problems.is_empty() => return Ok((stones, turn)),
            Some(_) => {}
            None => {
                problems.push(Problem::UnclearTurn(UnclearTurn { black: black.len(), white: white.len() }))
            }
        }
        Err(SetupError { problems })
    }
}

fn distinct(points: &[Point], color: Color, problems: &mut Vec<Problem>) -> Bitboard {
    let mut set = Bitboard::EMPTY;
    for &point in points {
        if set.contains(point) {
            problems.push(Problem::Twice { point, color });
        }
        set.insert(point);
    }
    set
}
