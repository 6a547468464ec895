use crate::types::{BOARD_SIZE, Bitboard, Point};

/// More lines than a file that is read here has.
const MOST_LINES: usize = 9_000;

/// The moves of a .psq file in which everything is as usual: a board of 15 by 15, and stones on free points.
/// `None` leaves the file to the full reader, which knows how to pass over something wrong and what to say of
/// it: what is returned here is what the full reader reads, too.
///
/// ```
/// use renju::record::psq_line;
/// let line = psq_line("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,15\nann.zip\nbo.zip\n-1\n").unwrap();
/// assert_eq!(line.iter().map(ToString::to_string).collect::<String>(), "H8I9");
/// assert_eq!(psq_line("Piskvorky 20x20, 11:11, 0\n8,8,0\n"), None);
/// ```
#[must_use]
pub fn psq_line(text: &str) -> Option<Vec<Point>> {
    let mut lines = text.split('\n');
    let header = lines.next()?.split_at_checked("Piskvorky".len())?;
    let size = header.1.trim_start_matches(' ').strip_prefix("15x15")?;
    let is_header = header.0.eq_ignore_ascii_case("Piskvorky") && header.1.starts_with(' ');
    if !is_header || size.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let (mut line, mut taken) = (Vec::new(), Bitboard::EMPTY);
    for (number, text) in lines.enumerate() {
        // What counts as white space is not the same everywhere.
        let is_odd = |byte: u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\r');
        if number > MOST_LINES || text.bytes().any(is_odd) || (text.trim().is_empty() && !text.is_ascii()) {
            return None;
        }
        if text.trim().is_empty() {
            continue;
        }
        let Some((x, y)) = pair(text.trim_matches([' ', '\t', '\r'])) else {
            break;
        };
        let point = Point::new(x.checked_sub(1)?, BOARD_SIZE.checked_sub(y)?)?;
        if taken.contains(point) {
            return None;
        }
        taken.insert(point);
        line.push(point);
    }
    Some(line)
}

/// The column and the row of a move "8,8" or "8,8,15", as far as they are not below zero, which become zero;
/// `None` if the line is no move.
fn pair(line: &str) -> Option<(usize, usize)> {
    let mut parts = line.split(',').map(|part| part.trim_matches([' ', '\t', '\r']));
    let x = number(parts.next()?, 9)?;
    let y = number(parts.next()?, 9)?;
    if let Some(time) = parts.next() {
        number(time, 18)?;
    }
    parts.next().is_none().then_some((x, y))
}

/// A number of at most `most_digits` digits; zero if it is below zero.
fn number(text: &str, most_digits: usize) -> Option<usize> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = (1..=most_digits).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_and_what_is_left() {
        for (text, expected) in [
            ("piskvorky  15x15\r\n 8 , 8\r\n\r\n1,1,-5\r\nname\r\n2,2\r\n", Some("H8A15")),
            ("Piskvorky 15x15,", Some("")),
            ("Piskvorky 15x15\n8,8\n1,2,3,4\n9,9\n", Some("H8")),
            ("Piskvorky 15x150\n8,8\n", None),
            ("Piskvorky15x15\n8,8\n", None),
            ("Piskvorky 15x15\n8,8\n8,8\n", None),
            ("Piskvorky 15x15\n16,8\n", None),
            ("Piskvorky 15x15\n-1,8\n", None),
            ("Piskvorky 15x15\n8,0\n", None),
            ("Piskvorky 15x15\n8,8\n\u{3000}\n9,9\n", None),
            ("Piskvorky 15x15\n8,8\n\u{1c}\n9,9\n", None),
            ("", None),
        ] {
            let line = psq_line(text).map(|line| line.iter().map(ToString::to_string).collect::<String>());
            assert_eq!(line.as_deref(), expected, "{text:?}");
        }
    }
}
