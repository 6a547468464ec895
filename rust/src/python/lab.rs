use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::batch::{Done, Watch, not_contiguous};
use super::bounds::{MOST_SELF_PLAY_GAMES, hash_bytes, within};
use super::engine::{network_of, table_of};
use super::error::{exception, no_threads};
use super::settings::params_of;
use crate::batch::{Effort, Item, Plan};
use crate::eval::{CellNumbers, ThreatNumbers, ValueTable};
use crate::lab::{
    BadRow, Crew, FitOptions, FitPart, Halt, Losses, Player, Sample, SampleRow, SelfPlay, Stopping, TableFit,
    fit_table, play_game,
};

/// Rows of numbers.
type Numbers<'py> = Bound<'py, PyArray2<i16>>;

/// The numbers of a table of values, of the one that comes with the source if there is no text: (classes, 6)
/// and (states of threats, 2).
#[pyfunction]
pub fn values_arrays<'py>(py: Python<'py>, text: Option<&str>) -> PyResult<(Numbers<'py>, Numbers<'py>)> {
    let table = text.map_or_else(|| Ok(ValueTable::fitted()), |text| table_of(py, text))?;
    let cells = table.cells().as_flattened().to_vec().into_pyarray(py);
    let threats = table.threats().as_flattened().to_vec().into_pyarray(py);
    Ok((
        cells.reshape([table.cells().len(), size_of::<CellNumbers>() / size_of::<i16>()])?,
        threats.reshape([table.threats().len(), size_of::<ThreatNumbers>() / size_of::<i16>()])?,
    ))
}

/// The text of a table of these numbers.
#[pyfunction]
pub fn values_text(cells: PyReadonlyArray2<'_, i16>, threats: PyReadonlyArray2<'_, i16>) -> PyResult<String> {
    let (cells, cells_rest) = cells.as_slice().map_err(not_contiguous)?.as_chunks();
    let (threats, threats_rest) = threats.as_slice().map_err(not_contiguous)?.as_chunks();
    let table = ValueTable::new(cells.to_vec(), threats.to_vec());
    match table.filter(|_| cells_rest.is_empty() && threats_rest.is_empty()) {
        Some(table) => Ok(table.to_string()),
        None => Err(PyValueError::new_err("these are not the numbers of a table of values")),
    }
}

/// Plays games number `first` and following. Returns the bytes of all positions, game by game, and `None` or,
/// if Ctrl-C came, which games were finished.
#[pyfunction]
#[pyo3(signature = (config, *, values, network, nodes, hash_mb, opening_stones, opening_nodes, opening_bound, random_permille, beside, most_stones, seed, first, games, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
pub fn self_play<'py>(
    py: Python<'py>,
    config: &Bound<'py, PyDict>,
    values: Option<&str>,
    network: Option<&[u8]>,
    nodes: u64,
    hash_mb: usize,
    opening_stones: (usize, usize),
    opening_nodes: u64,
    opening_bound: i32,
    random_permille: usize,
    beside: usize,
    most_stones: usize,
    seed: u64,
    first: u32,
    games: u32,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyArray1<u8>>, Done<'py>)> {
    let options = SelfPlay {
        params: params_of(config)?,
        values: values.map(|text| table_of(py, text).map(Arc::new)).transpose()?,
        network: network.map(|bytes| network_of(py, bytes)).transpose()?,
        nodes,
        hash_bytes: hash_bytes(hash_mb)?,
        least_opening_stones: opening_stones.0,
        most_opening_stones: opening_stones.1,
        opening_nodes,
        opening_bound,
        random_permille,
        beside,
        most_stones,
        seed,
    };
    within("games", games as usize, 0, MOST_SELF_PLAY_GAMES)?;
    let end = first.checked_add(games);
    let end =
        end.ok_or_else(|| PyValueError::new_err(format!("{games} games from {first} on are too many")))?;
    let numbers: Vec<u32> = (first..end).collect();
    let mut found: Vec<Vec<Sample>> = vec![Vec::new(); numbers.len()];
    let plan = Plan { threads, effort: Effort::Long };
    let players: Option<Vec<Player>> =
        (0..plan.threads_for(numbers.len())).map(|_| Player::new(&options)).collect();
    let no_memory = || PyMemoryError::new_err(format!("there are not {hash_mb} MB for every table"));
    let players = Mutex::new(players.ok_or_else(no_memory)?);
    let stop = AtomicBool::new(false);
    let watch = Watch { name: "games", plan, stop: &stop, deadline_s: None, progress };
    let done = watch.run(py, &numbers, &mut found, || {
        let player = players.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut player = player.expect("one for each thread");
        let (options, stop) = (&options, &stop);
        move |&number: &u32, positions: &mut Vec<Sample>| {
            let Some(played) = play_game(&mut player, options, number, stop) else {
                return Ok(Item::Stopped);
            };
            *positions = played;
            Ok::<_, BadRow>(Item::Done)
        }
    })?;
    let rows = found.iter().flatten().map(Sample::encode).collect::<Vec<_>>();
    Ok((rows.into_flattened().into_pyarray(py), done))
}

/// Fits a table of values to the bytes of positions. `start` is the text of the table to begin with, or `None`
/// for the one that comes with the source; `progress` is called with the part of the table, the step and both
/// losses. What Ctrl-C ended early is marked as stopped, with what was found; `None` if that is nothing.
#[pyfunction]
#[pyo3(signature = (positions, weights, *, start, result_share, scale, pull, validation, iterations, patience, order, seed, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
pub fn fit_values<'py>(
    py: Python<'py>,
    positions: PyReadonlyArray2<'_, u8>,
    weights: PyReadonlyArray1<'_, f32>,
    start: Option<&str>,
    result_share: f64,
    scale: f64,
    pull: f64,
    validation: f64,
    iterations: usize,
    patience: usize,
    order: bool,
    seed: u64,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let start = start.map_or_else(|| Ok(ValueTable::fitted()), |text| table_of(py, text))?;
    let (rows, rest) = positions.as_slice().map_err(not_contiguous)?.as_chunks::<{ SampleRow::BYTES }>();
    let weights = weights.as_slice().map_err(not_contiguous)?;
    if !rest.is_empty() {
        return Err(PyValueError::new_err("these are not the bytes of positions"));
    }
    let stopping = Stopping { iterations, patience };
    let options = FitOptions { result_share, scale, pull, validation, stopping, order, seed };
    let stop = AtomicBool::new(false);
    let (fit, signal) = py.detach(|| {
        let signal = RefCell::new(None);
        let mut go_on = || {
            if signal.borrow().is_none() {
                *signal.borrow_mut() = Python::attach(|py| py.check_signals()).err();
            }
            signal.borrow().is_none()
        };
        let mut report = |part: FitPart, step: usize, losses: Losses| {
            if let Some(progress) = &progress {
                let told = Python::attach(|py| {
                    progress.call1(py, (part.name(), step, losses.train, losses.validation))
                });
                if let Err(error) = told {
                    *signal.borrow_mut() = Some(error);
                }
            }
        };
        let mut crew = Crew { threads, stop: &stop, go_on: &mut go_on };
        let fit = fit_table(rows, weights, &start, &options, &mut crew, &mut report);
        (fit, signal.into_inner())
    });
    match (signal, fit) {
        (Some(error), _) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
        (_, Ok(fit)) => fit_dict(py, &fit).map(Some),
        (_, Err(Halt::Stopped)) => Ok(None),
        (_, Err(Halt::Bad(index, error))) => Err(exception(py, &format!("positions[{index}]: "), &error)),
        (_, Err(Halt::Threads(error))) => Err(no_threads(&error)),
        (_, Err(halt @ Halt::Nothing)) => Err(PyValueError::new_err(halt.to_string())),
    }
}

fn fit_dict<'py>(py: Python<'py>, fit: &TableFit) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("table", fit.table.to_string())?;
    dict.set_item("positions", <(usize, usize, usize)>::from(fit.positions))?;
    for (part, report) in [(FitPart::Board, Some(&fit.board)), (FitPart::Order, fit.order.as_ref())] {
        let Some(report) = report else { continue };
        let pair = |losses: &Losses| (losses.train, losses.validation);
        let entry = PyDict::new(py);
        entry.set_item("losses", report.losses.iter().map(pair).collect::<Vec<_>>())?;
        entry.set_item("best", report.best)?;
        entry.set_item("rounded", pair(&report.rounded))?;
        entry.set_item("scale", report.scale)?;
        dict.set_item(part.name(), entry)?;
    }
    let is_stopped = fit.board.is_stopped || fit.order.as_ref().is_some_and(|order| order.is_stopped);
    dict.set_item("stopped", is_stopped)?;
    Ok(dict)
}
