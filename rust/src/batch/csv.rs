//! Tables as comma-separated values.

use std::io::Write;

/// What the rows of a column hold.
#[derive(Clone, Debug)]
pub enum Values<'a> {
    /// A whole number for every row.
    Signed(&'a [i64]),
    /// A number that is not negative for every row.
    Unsigned(&'a [u64]),
    /// Pieces of a text.
    Pieces {
        /// The pieces of all rows, one after the other.
        text: &'a [u8],
        /// Where the piece of each row ends in the text.
        ends: &'a [i64],
    },
    /// Words of a vocabulary.
    Words {
        /// The vocabulary.
        words: Vec<&'a [u8]>,
        /// The numbers of words in the vocabulary, those of all rows one after the other.
        numbers: &'a [i64],
        /// Where the numbers of each row end; without it every row has one.
        ends: Option<&'a [i64]>,
    },
}

impl Values<'_> {
    fn rows(&self) -> usize {
        match self {
            Values::Signed(numbers) => numbers.len(),
            Values::Unsigned(numbers) => numbers.len(),
            Values::Pieces { ends, .. } | Values::Words { ends: Some(ends), .. } => ends.len(),
            Values::Words { numbers, ends: None, .. } => numbers.len(),
        }
    }

    /// Writes what a row holds; `None` if the row, or what it refers to, is not there.
    fn write(&self, row: usize, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Values::Signed(numbers) => write!(out, "{}", numbers.get(row)?).ok()?,
            Values::Unsigned(numbers) => write!(out, "{}", numbers.get(row)?).ok()?,
            Values::Pieces { text, ends } => out.extend(part(text, ends, row)?),
            Values::Words { words, numbers, ends } => {
                let numbers = match ends {
                    Some(ends) => part(numbers, ends, row)?,
                    None => numbers.get(row..=row)?,
                };
                for (n, &number) in numbers.iter().enumerate() {
                    out.extend((n > 0).then_some(b' '));
                    out.extend(*words.get(usize::try_from(number).ok()?)?);
                }
            }
        }
        Some(())
    }
}

/// The values of a row, of those of all rows.
fn part<'a, T>(values: &'a [T], ends: &[i64], row: usize) -> Option<&'a [T]> {
    let start = if row == 0 { 0 } else { ends[row - 1] };
    values.get(usize::try_from(start).ok()?..usize::try_from(*ends.get(row)?).ok()?)
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column<'a> {
    /// The name of the column, in the first line of the table.
    pub name: &'a str,
    /// What the rows hold.
    pub values: Values<'a>,
    /// The rows that hold nothing, whatever their value is.
    pub is_null: Option<&'a [bool]>,
}

/// A column that has no value for a row of the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column:?} has no value for row {row}")]
pub struct NoValue {
    /// The name of the column.
    pub column: String,
    /// The number of the row, from 0.
    pub row: usize,
}

/// A line of the names of the columns, and a line for each row. Nulls are empty. A cell with a comma, a quote or an
/// end of a line in it is within quotes, and its own quotes are doubled.
///
/// ```
/// use renju::batch::csv::{Column, Values, table};
/// let words = vec![&b"h8"[..], b"a, \"b\""];
/// let columns = [
///     Column { name: "n", values: Values::Signed(&[-1, 0]), is_null: Some(&[false, true]) },
///     Column { name: "words", values: Values::Words { words, numbers: &[0, 0, 1], ends: Some(&[2, 3]) }, is_null: None },
/// ];
/// assert_eq!(table(&columns).unwrap(), b"n,words\n-1,h8 h8\n,\"a, \"\"b\"\"\"\n");
/// ```
pub fn table(columns: &[Column<'_>]) -> Result<Vec<u8>, NoValue> {
    let mut out = Vec::new();
    write_line(&mut out, columns, |column, out| {
        out.extend(column.name.as_bytes());
        Ok(())
    })?;
    let lengths = |column: &Column<'_>| column.values.rows().max(column.is_null.map_or(0, <[bool]>::len));
    for row in 0..columns.iter().map(lengths).max().unwrap_or(0) {
        write_line(&mut out, columns, |column, out| {
            let written = match column.is_null.map(|is_null| is_null.get(row)) {
                Some(Some(true)) => (row < column.values.rows()).then_some(()),
                Some(None) => None,
                Some(Some(false)) | None => column.values.write(row, out),
            };
            written.ok_or_else(|| NoValue { column: column.name.to_owned(), row })
        })?;
    }
    Ok(out)
}

/// Writes a line with a cell for each column.
fn write_line<'a>(
    out: &mut Vec<u8>,
    columns: &[Column<'a>],
    mut write_cell: impl FnMut(&Column<'a>, &mut Vec<u8>) -> Result<(), NoValue>,
) -> Result<(), NoValue> {
    for (n, column) in columns.iter().enumerate() {
        out.extend((n > 0).then_some(b','));
        let start = out.len();
        write_cell(column, out)?;
        // A line with nothing on it would be no row to readers.
        let is_nothing = columns.len() == 1 && out.len() == start;
        if is_nothing || out[start..].iter().any(|byte| b",\"\r\n".contains(byte)) {
            quote(out, start);
        }
    }
    out.push(b'\n');
    Ok(())
}

/// Puts what is written from `start` on into quotes.
fn quote(out: &mut Vec<u8>, start: usize) {
    let cell = out.split_off(start);
    out.push(b'"');
    for byte in cell {
        out.extend((byte == b'"').then_some(b'"'));
        out.push(byte);
    }
    out.push(b'"');
}
