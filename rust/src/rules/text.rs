use std::fmt;
use std::str::FromStr;

use super::{IllegalRecord, Position};
use crate::record::{NotationError, parse_moves};

/// A text that is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadGame {
    /// The text cannot be read as moves.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The moves of the text cannot be made.
    #[error(transparent)]
    Illegal(#[from] IllegalRecord),
}

/// Reads the moves of a game from the empty board on, with the referee on.
///
/// ```
/// use renju::rules::Position;
/// let game: Position = "h8i9 G7".parse().unwrap();
/// assert_eq!(game.moves().len(), 3);
/// let error = "h8h8".parse::<Position>().unwrap_err();
/// assert_eq!(error.to_string(), "move 2 (H8): H8 is occupied by black");
/// ```
impl FromStr for Position {
    type Err = BadGame;
    fn from_str(text: &str) -> Result<Position, BadGame> {
        let mut position = Position::default();
        position.play_all(&parse_moves(text)?)?;
        Ok(position)
    }
}

/// The drawn board.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stones().fmt(f)
    }
}
