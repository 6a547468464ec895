//! Bounds of the numbers that callers choose. What is larger would end the process, and helps nobody.

use std::time::Duration;

use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

/// Megabytes of one table of positions. Nobody has a machine with more memory than this.
pub const MOST_HASH_MB: usize = 1 << 20;

/// Seconds of one call: thirty years, which every clock can add to its time.
pub const MOST_SECONDS: f64 = 1e9;

/// Games of one call of `self_play`, of some kilobytes each.
pub const MOST_SELF_PLAY_GAMES: usize = 10_000_000;

/// The number, or `ValueError` if it is not in this range.
pub fn within(name: &str, number: usize, least: usize, most: usize) -> PyResult<usize> {
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(PyValueError::new_err(format!("{name} is a number from {least} to {most}, not {number}")))
}

/// The bytes of a table of `hash_mb` megabytes.
pub fn hash_bytes(hash_mb: usize) -> PyResult<usize> {
    Ok(within("hash_mb", hash_mb, 0, MOST_HASH_MB)? << 20)
}

/// A length of time, if one was given.
pub fn seconds(name: &str, seconds: Option<f64>) -> PyResult<Option<Duration>> {
    match seconds {
        None => Ok(None),
        Some(seconds) if (0.0..=MOST_SECONDS).contains(&seconds) => {
            Ok(Some(Duration::from_secs_f64(seconds)))
        }
        Some(seconds) => Err(PyValueError::new_err(format!(
            "{name} is a number of seconds from 0 to {MOST_SECONDS:e}, not {seconds}"
        ))),
    }
}

/// `count` numbers from `first` on; `ValueError` if the last is too large, `MemoryError` if they are too many.
pub fn numbers_from(first: u64, count: usize) -> PyResult<Vec<u64>> {
    let end = first.checked_add(count as u64);
    let end =
        end.ok_or_else(|| PyValueError::new_err(format!("{count} games from {first} on are too many")))?;
    let mut numbers = Vec::new();
    numbers
        .try_reserve_exact(count)
        .map_err(|_| PyMemoryError::new_err(format!("there is no memory for {count} games")))?;
    numbers.extend(first..end);
    Ok(numbers)
}
