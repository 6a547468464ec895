use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::ThreadPoolBuildError;

use crate::batch::{self, Effort, Item, Plan};
use crate::hidden::twin_cool::{Learning, Valuation, learn};
use crate::python::bounds::within;
use crate::python::error::no_threads;

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
    let mut value: [Option<Valuation>; 1] = [None];
    // A batch of one: the value is learnt on a thread of its own, and signals are seen meanwhile.
    let (report, signal) = py.detach(|| {
        let mut signal: Option<PyErr> = None;
        let work = |learning: &Learning, value: &mut Option<Valuation>| {
            let mut heard = |round, error| {
                told.lock().unwrap_or_else(PoisonError::into_inner).push((round, error));
            };
            *value = learn(*learning, &stop, &mut heard)?;
            Ok::<_, ThreadPoolBuildError>(if value.is_some() { Item::Done } else { Item::Stopped })
        };
        let plan = Plan { threads: 1, effort: Effort::Long };
        let report = batch::run(
            &[learning],
            &mut value,
            plan,
            &stop,
            || &work,
            |_| {
                signal = Python::attach(|py| py.check_signals().and_then(|()| tell(py))).err();
                if signal.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
                signal.is_none()
            },
        );
        (report, signal)
    });
    if let Some(error) = signal {
        return Err(error);
    }
    let report = report.map_err(|error| no_threads(&error))?;
    if let Some((_, error)) = report.error {
        return Err(no_threads(&error));
    }
    tell(py)?;
    let [value] = value;
    Ok(PyBytes::new(py, &value.expect("nobody stopped it").to_bytes()))
}
