use std::str::FromStr;

use super::{Fault, NotationError};
use crate::types::{BOARD_SIZE, Move, Point};

/// A row number of more digits is not read to its end.
const LONGEST_ROW: usize = 9;

/// Reads one move: a point in any case, or `pass`, with white space around it.
///
/// ```
/// use renju::record::parse_move;
/// assert_eq!(parse_move(" h8 ").unwrap().to_string(), "H8");
/// assert_eq!(parse_move("z3").unwrap_err().to_string(), "line 1, column 1: column 'z' is off the board (A..O)");
/// ```
pub fn parse_move(text: &str) -> Result<Move, NotationError> {
    let mut reader = Reader::new(text);
    reader.skip_separators();
    let Some(mv) = reader.next_move()? else {
        return Err(reader.error(Fault::Empty));
    };
    reader.skip_separators();
    if reader.peek().is_some() { Err(reader.error(Fault::More)) } else { Ok(mv) }
}

/// Reads a move as [`parse_move`] does.
impl FromStr for Move {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Move, NotationError> {
        parse_move(text)
    }
}

/// Reads a point in any case, with white space around it.
///
/// ```
/// use renju::types::Point;
/// let point: Point = "h8".parse().unwrap();
/// assert_eq!((point, point.to_string().parse()), (Point::CENTER, Ok(point)));
/// let error = "pass".parse::<Point>().unwrap_err();
/// assert_eq!(error.to_string(), "line 1, column 1: a point was expected, not a pass");
/// ```
impl FromStr for Point {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Point, NotationError> {
        match parse_move(text)? {
            Move::Place(point) => Ok(point),
            Move::Pass => Err(Reader::new(text).error(Fault::Pass)),
        }
    }
}

/// Reads a list of moves in any case, with or without separators (white space, `,`, `;`, `_`, `-`,
/// `|`). A pass is `pass` or `--`.
///
/// ```
/// use renju::record::{parse_moves, print_moves};
/// let moves = parse_moves("h8i9 G7,pass").unwrap();
/// assert_eq!(print_moves(&moves), "h8i9g7pass");
/// let error = parse_moves("h8\ni16").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 2: row 16 is off the board (1..15)");
/// ```
pub fn parse_moves(text: &str) -> Result<Vec<Move>, NotationError> {
    let mut reader = Reader::new(text);
    let mut moves = Vec::with_capacity(text.len() / 2);
    reader.skip_separators();
    while let Some(mv) = reader.next_move()? {
        moves.push(mv);
        reader.skip_separators();
    }
    Ok(moves)
}

/// The compact notation, lower case, without separators.
#[must_use]
pub fn print_moves(moves: &[Move]) -> String {
    moves.iter().map(|mv| mv.to_string().to_ascii_lowercase()).collect()
}

/// A text and a place in it.
struct Reader<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Reader<'a> {
        Reader { rest: text, line: 1, column: 1 }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
    }

    fn error(&self, fault: Fault) -> NotationError {
        NotationError { line: self.line, column: self.column, fault }
    }

    fn skip_separators(&mut self) {
        while let Some(c) = self.peek() {
            let separates = c.is_whitespace() || matches!(c, ',' | ';' | '_' | '|');
            if !separates && (c != '-' || self.rest.starts_with("--")) {
                break;
            }
            self.skip(c);
        }
    }

    /// The move that starts here; `None` at the end of the text.
    fn next_move(&mut self) -> Result<Option<Move>, NotationError> {
        let Some(first) = self.peek() else {
            return Ok(None);
        };
        for pass in ["pass", "--"] {
            if self.rest.get(..pass.len()).is_some_and(|start| start.eq_ignore_ascii_case(pass)) {
                pass.chars().for_each(|c| self.skip(c));
                return Ok(Some(Move::Pass));
            }
        }
        if !first.is_ascii_alphabetic() {
            return Err(self.error(Fault::Unexpected(first)));
        }
        let x = usize::from(first.to_ascii_uppercase() as u8 - b'A');
        if x >= BOARD_SIZE {
            return Err(self.error(Fault::Column(first)));
        }
        self.skip(first);
        let digits = self.rest.bytes().take(LONGEST_ROW).take_while(u8::is_ascii_digit).count();
        let row = &self.rest[..digits];
        if row.is_empty() {
            return Err(self.error(Fault::NoRow(first)));
        }
        let y = row.parse().ok().and_then(|row: usize| row.checked_sub(1));
        let Some(point) = y.and_then(|y| Point::new(x, y)) else {
            return Err(self.error(Fault::Row(row.to_owned())));
        };
        row.chars().for_each(|c| self.skip(c));
        Ok(Some(Move::Place(point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_print_and_parse() {
        let moves: Vec<Move> = (0..=Move::PASS_INDEX).map(|i| Move::from_index(i).unwrap()).collect();
        assert_eq!(parse_moves(&print_moves(&moves)).unwrap(), moves);
        for mv in moves {
            assert_eq!(parse_move(&mv.to_string()).unwrap(), mv);
        }
    }

    #[test]
    fn faults_name_their_place() {
        for (text, expected) in [
            ("h8 p3", "line 1, column 4: column 'p' is off the board (A..O)"),
            ("h8i", "line 1, column 4: 'i' has no row number after it"),
            ("h0", "line 1, column 2: row 0 is off the board (1..15)"),
            ("h8\n\n  連", "line 3, column 3: '連' starts no point (A1..O15) and no pass"),
            ("連h8", "line 1, column 1: '連' starts no point (A1..O15) and no pass"),
            ("h123", "line 1, column 2: row 123 is off the board (1..15)"),
            ("8h", "line 1, column 1: '8' starts no point (A1..O15) and no pass"),
        ] {
            assert_eq!(parse_moves(text).unwrap_err().to_string(), expected, "{text:?}");
        }
        assert_eq!(parse_move("").unwrap_err().fault, Fault::Empty);
        assert_eq!(parse_move("h8i9").unwrap_err().fault, Fault::More);
    }

    #[test]
    fn separators_and_passes() {
        for text in ["h8i9--g7", "H8-I9 -- G7", "h8,i9,pass,g7", "h8_i9_PASS_g7", " h8;i9|pass\r\ng7 "] {
            let moves = parse_moves(text).unwrap();
            assert_eq!(print_moves(&moves), "h8i9passg7", "{text:?}");
        }
    }
}
