use crate::types::{BOARD_SIZE, Bitboard, Point};

/// More nodes and moves than a game that is read here has.
const MOST_NODES: usize = 4_000;

/// More names and values than a game that is read here has.
const MOST_PARTS: usize = 100_000;

/// What comes next in a text with SGF games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SgfGame {
    /// A plain game: the points of its main line, and the index of the byte after its last parenthesis.
    Plain(Vec<Point>, usize),
    /// Something that only a full reader can judge.
    Other,
    /// No further game.
    End,
}

/// The next SGF game from byte `start` of a text on, if it is plain: a board of 15 by 15, no set-up, no pass,
/// no header that renju made up, and nothing wrong in any of its variations. Most games are plain, and of
/// their properties only the moves are looked at. Whatever else there may be is left to the full reader, which
/// knows how to pass over it and what to say of it: a plain game is one on which both agree.
///
/// ```
/// use renju::record::{SgfGame, next_sgf_game};
/// let text = "(;GM[4]SZ[15];B[hh]C[so];W[ig](;B[gi])(;B[ji]))";
/// let SgfGame::Plain(line, end) = next_sgf_game(text, 0) else { panic!("it is plain") };
/// assert_eq!(line.iter().map(ToString::to_string).collect::<String>(), "H8I9G7");
/// assert_eq!(next_sgf_game(text, end), SgfGame::End);
/// assert_eq!(next_sgf_game("(;AB[hh])", 0), SgfGame::Other);
/// ```
#[must_use]
pub fn next_sgf_game(text: &str, start: usize) -> SgfGame {
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        let Some(found) = bytes[at..].iter().position(|&byte| byte == b'(') else {
            return SgfGame::End;
        };
        at += found + 1;
        match bytes[at..].iter().find(|&&byte| !is_space(byte)) {
            Some(b';') => {
                let game = PlainGame { bytes, at, ..PlainGame::default() };
                return game.read().map_or(SgfGame::Other, |(line, end)| SgfGame::Plain(line, end));
            }
            Some(byte) if byte.is_ascii_punctuation() && *byte != b'_' => {}
            Some(_) => return SgfGame::Other,
            None => return SgfGame::End,
        }
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A game under the eyes of the reader, which gives up where it is not plain.
#[derive(Default)]
struct PlainGame<'a> {
    bytes: &'a [u8],
    at: usize,
    /// The points with a stone after the moves of this line.
    taken: Bitboard,
    /// Is the next stone white's?
    is_whites_turn: bool,
    /// The stones and the turn where each variation around this place began.
    branches: Vec<(Bitboard, bool)>,
    /// The main line.
    line: Vec<Point>,
    /// Was a variation closed, so that the main line is at its end?
    is_beside: bool,
    nodes: usize,
    moves: usize,
    has_size: bool,
    is_other_kind: bool,
}

impl<'a> PlainGame<'a> {
    /// The main line, and where the game ends. It starts behind its first parenthesis.
    fn read(mut self) -> Option<(Vec<Point>, usize)> {
        self.branches.push((Bitboard::EMPTY, false));
        let (mut name, mut parts, mut wants_node): (&[u8], _, _) = (b"", 0, true);
        loop {
            let start = self.at;
            let byte = *self.bytes.get(start)?;
            self.at += 1;
            match byte {
                b'(' => {
                    self.branches.push((self.taken, self.is_whites_turn));
                    wants_node = true;
                }
                b')' if !wants_node => {
                    (self.taken, self.is_whites_turn) = self.branches.pop()?;
                    if self.branches.is_empty() {
                        let fits = self.has_size || !self.is_other_kind;
                        return fits.then_some((self.line, self.at));
                    }
                    self.is_beside = true;
                }
                b';' => {
                    self.nodes += 1;
                    wants_node = false;
                }
                b'[' if !name.is_empty() => {
                    let value = self.value()?;
                    self.property(name, value)?;
                }
                b'A'..=b'Z' if !wants_node => name = self.name(start)?,
                _ if is_space(byte) => continue,
                _ => return None,
            }
            parts += 1;
            if matches!(byte, b'(' | b')' | b';') {
                name = b"";
            }
            if self.nodes + self.moves > MOST_NODES || parts > MOST_PARTS {
                return None;
            }
        }
    }

    /// The name that starts here, if it is of capitals and digits: old files write other letters, too, which do
    /// not count.
    fn name(&mut self, start: usize) -> Option<&'a [u8]> {
        let rest = &self.bytes[start..];
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().position(|byte| !is_name(byte))?;
        let is_plain = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        self.at = start + length;
        rest[..length].iter().all(is_plain).then_some(&rest[..length])
    }

    /// The value that starts here and ends at the first bracket without a backslash before it.
    fn value(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        loop {
            match self.bytes.get(self.at)? {
                b']' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(&self.bytes[start..self.at - 1])
    }

    /// Takes a value of a property; `None` if it makes the game another than a plain one.
    fn property(&mut self, name: &[u8], value: &[u8]) -> Option<()> {
        match name {
            b"B" | b"W" if (name == b"W") == self.is_whites_turn => {
                let point = point_of(value).filter(|&point| !self.taken.contains(point))?;
                self.taken.insert(point);
                self.is_whites_turn = !self.is_whites_turn;
                self.moves += 1;
                if !self.is_beside {
                    self.line.push(point);
                }
            }
            b"SZ" | b"GM" if self.nodes > 1 || self.moves > 0 => return None,
            b"SZ" if value == b"15" || value == b"15:15" => self.has_size = true,
            b"GM" => self.is_other_kind = value != b"4",
            b"B" | b"W" | b"SZ" | b"AB" | b"AW" | b"PL" | b"HD" | b"QPR" | b"QSLB" | b"QSLW" => return None,
            _ => {}
        }
        Some(())
    }
}

/// A point as SGF has it, "hh", rows counted from above; or "h8", which some programs write.
fn point_of(value: &[u8]) -> Option<Point> {
    let (&first, rest) = value.split_first()?;
    let column = |byte: u8| usize::from(byte.to_ascii_lowercase()).checked_sub(usize::from(b'a'));
    let x = column(first)?;
    match *rest {
        [row] if row.is_ascii_alphabetic() => Point::new(x, (BOARD_SIZE - 1).checked_sub(column(row)?)?),
        [row @ b'1'..=b'9'] => Point::new(x, usize::from(row - b'1')),
        [b'1', row @ b'0'..=b'5'] => Point::new(x, usize::from(row - b'0') + 9),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Option<String> {
        match next_sgf_game(text, 0) {
            SgfGame::Plain(line, _) => Some(line.iter().map(ToString::to_string).collect()),
            SgfGame::Other | SgfGame::End => None,
        }
    }

    #[test]
    fn plain_games() {
        for (text, expected) in [
            ("(;B[aa]W[oo])", "A15O1"),
            ("x ( ;GM[4]FF[4] ; B [h8];W[O15]", "-"),
            ("x ( ;GM[4]FF[4] ; B [h8];W[O15])", "H8O15"),
            ("(;SZ[15:15]GM[1]C[a\\]b(;B[aa\\])];B[hh])", "H8"),
            ("(;GM[4](;B[hh](;W[ig])(;W[gg];B[aa])))", "H8I9"),
            ("(;)", ""),
        ] {
            assert_eq!(line(text).as_deref().unwrap_or("-"), expected, "{text}");
        }
    }

    #[test]
    fn what_is_left_to_the_full_reader() {
        for text in [
            "(;B[hh];B[ig])",
            "(;B[hh];W[hh])",
            "(;B[])",
            "(;B[tt])",
            "(;B[pp])",
            "(;SZ[19];B[hh])",
            "(;GM[1];B[hh])",
            "(;AB[hh];W[aa])",
            "(;HD[id:7];B[hh])",
            "(;White[hh])",
            "(;[hh])",
            "(;B[hh]())",
            "(;B[hh](W[aa]))",
            "(;B[hh]/)",
            "(;B[hh",
            "(B[hh])",
            "(;B[hh](;W[ig])(;W[hh]))",
        ] {
            assert_eq!(next_sgf_game(text, 0), SgfGame::Other, "{text}");
        }
        assert_eq!(next_sgf_game("a game (of go)", 7), SgfGame::Other);
        assert_eq!(next_sgf_game("no game (.", 0), SgfGame::End);
    }
}
