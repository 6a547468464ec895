use super::fives_of;
use super::reference::{is_five, run};
use crate::board::Stones;
use crate::types::{Color, Direction, Point};

/// How a game of renju ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// The reason why the game ended.
    pub reason: Reason,
    /// The stones of the five or overline, or the forbidden stone; empty in a draw.
    pub line: Vec<Point>,
}

/// The reason why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Somebody has five in a row.
    Five,
    /// White has more than five in a row.
    Overline,
    /// Black played a forbidden point.
    Forbidden,
    /// No empty point is left.
    BoardFull,
    /// Both sides passed, one after the other.
    TwoPasses,
    /// The agreed number of moves is reached.
    MoveLimit,
}

impl Reason {
    /// All reasons, in the order of the rules.
    pub const ALL: [Reason; 6] = [
        Reason::Five,
        Reason::Overline,
        Reason::Forbidden,
        Reason::BoardFull,
        Reason::TwoPasses,
        Reason::MoveLimit,
    ];

    /// The word used in records and in Python.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Reason::Five => "five",
            Reason::Overline => "overline",
            Reason::Forbidden => "forbidden",
            Reason::BoardFull => "board-full",
            Reason::TwoPasses => "two-passes",
            Reason::MoveLimit => "move-limit",
        }
    }
}

impl Outcome {
    pub(super) fn draw(reason: Reason) -> Outcome {
        Outcome { winner: None, reason, line: Vec::new() }
    }

    pub(super) fn forbidden(point: Point) -> Outcome {
        Outcome { winner: Some(Color::White), reason: Reason::Forbidden, line: vec![point] }
    }

    /// The win that the stone on `point` is part of, if any.
    #[must_use]
    pub fn of_stone(stones: &Stones, point: Point) -> Option<Outcome> {
        let color = stones.at(point)?;
        // Most stones win nothing; one look at the whole board is cheaper than four runs.
        if !fives_of(stones.of(color), color == Color::Black) {
            return None;
        }
        Direction::ALL.iter().find_map(|&direction| {
            let line = run(stones, color, point, direction);
            is_five(color, line.len()).then(|| {
                let reason = if line.len() == 5 { Reason::Five } else { Reason::Overline };
                Outcome { winner: Some(color), reason, line }
            })
        })
    }

    /// The win of a colour that lies on the board, if any.
    #[must_use]
    pub fn on_board(stones: &Stones, color: Color) -> Option<Outcome> {
        stones.of(color).points().find_map(|point| Outcome::of_stone(stones, point))
    }
}
