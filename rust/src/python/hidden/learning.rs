use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::watched;
use crate::hidden::twin_cool::{Learning, learn};
use crate::python::bounds::within;

/// Positions of a round: each takes some 200 bytes.
const MOST_POSITIONS: usize = 100_000_000;

/// Learns the value of Twin Cool; the bytes of its weights. `progress` is called after every round with its number and
/// the error of its fit, in cards.
#[pyfunction]
#[pyo3(signature = (*, rounds, positions, epochs, seed, threads, progress))]
pub fn twin_cool_learn<'py>(
    py: Python<'py>,
    rounds: u32,
    positions: usize,
    epochs: u32,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    within("positions", positions, 1, MOST_POSITIONS)?;
    let learning = Learning { rounds, positions, epochs, seed, threads };
    let stop = AtomicBool::new(false);
    let told: Mutex<Vec<(u32, f64)>> = Mutex::default();
    let tell = |py: Python<'_>| {
        let rounds = std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner));
        rounds.into_iter().try_for_each(|round| {
            progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, round).map(drop))
        })
    };
    let value = watched(py, &stop, tell, || {
        let mut heard = |round, error| {
            told.lock().unwrap_or_else(PoisonError::into_inner).push((round, error));
        };
        learn(learning, &stop, &mut heard)
    })?;
    tell(py)?;
    Ok(PyBytes::new(py, &value.expect("nobody stopped it").to_bytes()))
}
