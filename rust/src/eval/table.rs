use std::fmt;

use super::codes::CODE_GROUPS;
use super::values::THREAT_STATES;

/// The numbers of a group of codes: its share of the board, its worth to an attacker and to a defender, each
/// for black's codes and for white's.
pub type CellNumbers = [i16; 6];

/// The numbers of a state of threats: its worth if black and if white is to move.
pub type ThreatNumbers = [i16; 2];

/// The numbers that values are made of, as a file holds them: a line for every group of codes, then one for
/// every state of threats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueTable {
    cells: Vec<CellNumbers>,
    threats: Vec<ThreatNumbers>,
}

/// A text that is no table of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTable {
    /// A line does not hold what it should.
    #[error("line {line} is not {numbers} whole numbers from -32768 to 32767")]
    Line {
        /// The number of the line in the text, from 1.
        line: usize,
        /// How many numbers there should be in the line.
        numbers: usize,
    },
    /// The text ends before all lines were read.
    #[error("line {line} is missing: there are {} lines", CODE_GROUPS + THREAT_STATES)]
    Missing {
        /// The number of the first line that there is not.
        line: usize,
    },
    /// Something follows after the last line of the table.
    #[error("line {line} is too much: there are {} lines", CODE_GROUPS + THREAT_STATES)]
    TooMuch {
        /// The number of the line in the text, from 1.
        line: usize,
    },
}

impl ValueTable {
    /// The table that was fitted to games (docs/how-it-thinks.md).
    ///
    /// # Panics
    /// Never: the tests read it.
    #[must_use]
    pub fn fitted() -> ValueTable {
        ValueTable::parse(include_str!("fitted.txt")).expect("the table that comes with the source")
    }

    /// The table of these numbers; `None` if there are not as many as there should be.
    #[must_use]
    pub fn new(cells: Vec<CellNumbers>, threats: Vec<ThreatNumbers>) -> Option<ValueTable> {
        (cells.len() == CODE_GROUPS && threats.len() == THREAT_STATES)
            .then_some(ValueTable { cells, threats })
    }

    /// Reads a table from its text.
    pub fn parse(text: &str) -> Result<ValueTable, BadTable> {
        let mut lines = text.trim_end().lines().enumerate();
        let cells = (0..CODE_GROUPS).map(|i| row(i, lines.next())).collect::<Result<_, _>>()?;
        let all = CODE_GROUPS..CODE_GROUPS + THREAT_STATES;
        let threats = all.map(|i| row(i, lines.next())).collect::<Result<_, _>>()?;
        match lines.next() {
            Some((i, _)) => Err(BadTable::TooMuch { line: i + 1 }),
            None => Ok(ValueTable { cells, threats }),
        }
    }

    /// Key: group of codes; value: the numbers of its cells.
    #[must_use]
    pub fn cells(&self) -> &[CellNumbers] {
        &self.cells
    }

    /// Key: state of threats; value: what it is worth.
    #[must_use]
    pub fn threats(&self) -> &[ThreatNumbers] {
        &self.threats
    }

    /// The numbers of cells and of threats, to be changed.
    pub fn numbers_mut(&mut self) -> (&mut [CellNumbers], &mut [ThreatNumbers]) {
        (&mut self.cells, &mut self.threats)
    }
}

/// The text that [`ValueTable::parse`] reads.
impl fmt::Display for ValueTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = |numbers: &[i16]| {
            let words: Vec<String> = numbers.iter().map(i16::to_string).collect();
            writeln!(f, "{}", words.join(" "))
        };
        self.cells.iter().try_for_each(|numbers| line(numbers))?;
        self.threats.iter().try_for_each(|numbers| line(numbers))
    }
}

/// The numbers of line `index`, counted from 0.
fn row<const N: usize>(index: usize, line: Option<(usize, &str)>) -> Result<[i16; N], BadTable> {
    let line_number = index + 1;
    let (_, text) = line.ok_or(BadTable::Missing { line: line_number })?;
    let numbers = text.split_whitespace().map(str::parse).collect::<Result<Vec<i16>, _>>();
    let numbers = numbers.ok().and_then(|numbers| numbers.try_into().ok());
    numbers.ok_or(BadTable::Line { line: line_number, numbers: N })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_written_as_it_was_read() {
        let table = ValueTable::fitted();
        assert_eq!(table.to_string(), include_str!("fitted.txt"));
        assert_eq!(ValueTable::parse(&table.to_string()), Ok(table));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let text = ValueTable::fitted().to_string();
        let with = |line: usize, put: &str| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines[line - 1] = put;
            ValueTable::parse(&lines.join("\n")).map_err(|error| error.to_string())
        };
        let wanted =
            |line, numbers| Err(format!("line {line} is not {numbers} whole numbers from -32768 to 32767"));
        assert_eq!(with(5, "1 2 3 4 5"), wanted(5, 6));
        assert_eq!(with(7, "1 2 3 4 5 6 7"), wanted(7, 6));
        assert_eq!(with(9, ""), wanted(9, 6));
        assert_eq!(with(3_060, "1 2 3 4 5 x"), wanted(3_060, 6));
        assert_eq!(with(3_061, "1 40000"), wanted(3_061, 2));
        let missing = ValueTable::parse("").map_err(|error| error.to_string());
        assert_eq!(missing, Err("line 1 is missing: there are 3188 lines".to_owned()));
        let much = ValueTable::parse(&(text.clone() + "\n0 0\n"));
        assert_eq!(much, Err(BadTable::TooMuch { line: 3_189 }));
        assert!(ValueTable::parse(&(text + "\n\n")).is_ok());
    }
}
