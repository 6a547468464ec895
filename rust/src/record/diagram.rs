use crate::types::{BOARD_SIZE, Bitboard, Color, Point};

/// A drawn board: which cells show which stone. They never overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Diagram {
    /// The cells with a black stone, drawn as `X`.
    pub black: Bitboard,
    /// The cells with a white stone, drawn as `O`.
    pub white: Bitboard,
}

/// What is wrong with a drawn board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// A character that is no cell.
    #[error("line {line}, column {column}: {found:?} is no cell; use X for black, O for white, . for empty")]
    Cell {
        /// Line in the text, from 1.
        line: usize,
        /// Character in the line, from 1.
        column: usize,
        /// The character.
        found: char,
    },
    /// A row with too few or too many cells.
    #[error("line {line}: {found} cells, 15 expected")]
    Width {
        /// Line in the text, from 1.
        line: usize,
        /// Cells found.
        found: usize,
    },
    /// A row label that does not fit its place.
    #[error("line {line}: the label {found} is out of place in row {expected}")]
    Label {
        /// Line in the text, from 1.
        line: usize,
        /// The label.
        found: String,
        /// The row that stands there, the top one being 15.
        expected: usize,
    },
    /// Too few or too many rows.
    #[error("{0} rows, 15 expected")]
    Height(usize),
}

/// Reads a drawn board: row 15 first, `X` black, `O` white, `.` empty, white space anywhere; row
/// numbers on either side and lines with the column letters A..O are optional.
///
/// Small letters are refused, because programs do not agree which of `x` and `o` is black.
pub fn parse_diagram(text: &str) -> Result<Diagram, DiagramError> {
    let mut diagram = Diagram::default();
    let mut rows = 0;
    for (index, content) in text.lines().enumerate() {
        if content.trim().is_empty() || is_column_header(content) {
            continue;
        }
        rows += 1;
        // Extra rows are counted and reported after the last line.
        let Some(y) = BOARD_SIZE.checked_sub(rows) else {
            continue;
        };
        for (x, color) in parse_row(content, index + 1, y)?.into_iter().enumerate() {
            let point = Point::new(x, y).expect("15 cells in 15 rows");
            match color {
                Some(Color::Black) => diagram.black.insert(point),
                Some(Color::White) => diagram.white.insert(point),
                None => {}
            }
        }
    }
    if rows != BOARD_SIZE {
        return Err(DiagramError::Height(rows));
    }
    Ok(diagram)
}

/// The letters A..O, in this order, and nothing else.
fn is_column_header(line: &str) -> bool {
    line.chars().filter(|c| !c.is_whitespace()).eq(('A'..).take(BOARD_SIZE))
}

fn parse_row(content: &str, line: usize, y: usize) -> Result<[Option<Color>; BOARD_SIZE], DiagramError> {
    let mut cells = [None; BOARD_SIZE];
    let mut found = 0;
    let mut label = String::new();
    let mut is_closed = false;
    for (column, c) in content.chars().chain([' ']).enumerate() {
        if c.is_ascii_digit() {
            label.push(c);
            continue;
        }
        let is_wrong = !label.is_empty() && label.parse() != Ok(y + 1);
        // A label after cells closes the row.
        is_closed |= !label.is_empty() && found > 0;
        if is_wrong || is_closed && !c.is_whitespace() {
            return Err(DiagramError::Label { line, found: label, expected: y + 1 });
        }
        if !is_closed {
            label.clear();
        }
        let color = match c {
            'X' => Some(Color::Black),
            'O' => Some(Color::White),
            '.' => None,
            c if c.is_whitespace() => continue,
            found => {
                return Err(DiagramError::Cell { line, column: column + 1, found });
            }
        };
        if let Some(cell) = cells.get_mut(found) {
            *cell = color;
        }
        found += 1;
    }
    if found == BOARD_SIZE { Ok(cells) } else { Err(DiagramError::Width { line, found }) }
}

/// Draws a board with row numbers and column letters on both sides.
///
/// ```
/// use renju::record::{parse_diagram, print_diagram};
/// let text = print_diagram(&Default::default());
/// assert!(text.starts_with("   A B C D E F G H I J K L M N O\n15 . . ."));
/// assert!(parse_diagram(&text).unwrap().black.is_empty());
/// ```
#[must_use]
pub fn print_diagram(diagram: &Diagram) -> String {
    let letters: Vec<String> = ('A'..).take(BOARD_SIZE).map(String::from).collect();
    let header = format!("   {}\n", letters.join(" "));
    let mut text = header.clone();
    for y in (0..BOARD_SIZE).rev() {
        let row: Vec<&str> = (0..BOARD_SIZE)
            .map(|x| Point::new(x, y).expect("on the board"))
            .map(|point| match (diagram.black.contains(point), diagram.white.contains(point)) {
                (true, _) => "X",
                (_, true) => "O",
                _ => ".",
            })
            .collect();
        text += &format!("{:2} {} {}\n", y + 1, row.join(" "), y + 1);
    }
    text + header.trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn() -> String {
        let points = |list: &[(usize, usize)]| list.iter().filter_map(|&(x, y)| Point::new(x, y)).collect();
        let black = points(&[(0, 0), (7, 7), (14, 14)]);
        print_diagram(&Diagram { black, white: points(&[(14, 0), (0, 14)]) })
    }

    #[test]
    fn a_drawn_board_reads_back() {
        let text = drawn();
        assert_eq!(print_diagram(&parse_diagram(&text).unwrap()), text);
        let bare: String = text.chars().filter(|c| "XO.\n".contains(*c)).collect();
        let bare: String =
            bare.lines().filter(|line| line.len() == 15).map(|line| format!("{line}\n")).collect();
        assert_eq!(print_diagram(&parse_diagram(&bare).unwrap()), text);
    }

    #[test]
    fn faults_name_their_place() {
        let text = drawn();
        for (from, to, expected) in [
            ("X 15", "x 15", "line 2, column 32: 'x' is no cell; use X for black, O for white, . for empty"),
            ("14 . .", "14 . 14 .", "line 3: the label 14 is out of place in row 14"),
            ("14 .", "13 .", "line 3: the label 13 is out of place in row 14"),
            ("14 . ", "14 ", "line 3: 14 cells, 15 expected"),
        ] {
            let error = parse_diagram(&text.replacen(from, to, 1)).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
        let short: Vec<&str> = text.lines().filter(|line| !line.starts_with(" 7")).collect();
        let error = parse_diagram(&short.join("\n")).unwrap_err();
        assert_eq!(error.to_string(), "line 10: the label 6 is out of place in row 7");
        assert_eq!(parse_diagram("").unwrap_err(), DiagramError::Height(0));
        let twice = format!("{text}\n{text}");
        assert_eq!(parse_diagram(&twice).unwrap_err(), DiagramError::Height(30));
    }
}
