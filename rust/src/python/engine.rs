use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::bounds::{hash_bytes, seconds, within};
use super::convert::{color_at, point_at};
use super::error::{OrRaise, exception};
use super::position::NativePosition;
use super::settings::params_of;
use super::solve::tree_tuple;
use crate::eval::{CellValues, MoveValue, Term, ValueTable};
use crate::network::Network;
use crate::search::{Answer, BoardShares, CallLimits, Engine, Iteration, MOST_THREADS, Query, RootMove};
use crate::threats::ThreatMap;
use crate::types::BOARD_POINTS;

/// The time after which signals are looked for again.
pub(super) const LOOK_PAUSE: Duration = Duration::from_millis(20);

/// The engine. One call at a time; others wait for their turn, [`NativeEngine::stop`] does not.
#[pyclass(name = "Engine", module = "renju._native", frozen)]
pub struct NativeEngine {
    /// Boxed, because Python's allocator does not align it (`fits_python_memory`).
    inner: Mutex<Box<Engine>>,
    /// The thread whose call the engine is busy with.
    owner: Mutex<Option<ThreadId>>,
    /// The number of calls that have begun.
    begun: AtomicU64,
    /// The number of the last call that is to end, with all before it.
    stopped: AtomicU64,
}

impl NativeEngine {
    /// Calls `work` with the engine, when it is free. Signals are seen while waiting.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Engine) -> T + Send) -> PyResult<T> {
        py.detach(|| {
            let mut engine = loop {
                match self.inner.try_lock() {
                    Ok(engine) => break engine,
                    Err(TryLockError::Poisoned(error)) => break error.into_inner(),
                    Err(TryLockError::WouldBlock) => {}
                }
                if *unpoisoned(&self.owner) == Some(thread::current().id()) {
                    return Err(PyRuntimeError::new_err(
                        "the engine is busy with a call of this very thread",
                    ));
                }
                thread::sleep(LOOK_PAUSE);
                Python::attach(|py| py.check_signals())?;
            };
            *unpoisoned(&self.owner) = Some(thread::current().id());
            let result = work(&mut engine);
            *unpoisoned(&self.owner) = None;
            Ok(result)
        })
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[pymethods]
impl NativeEngine {
    /// `values` is the text of a table of values, in place of the one that comes with the source, `network` the
    /// bytes of a network, in place of that one; boards are valued by them then, whatever the settings say. Sizes that
    /// no machine has are a `ValueError`, a table for which there is no memory is a `MemoryError`.
    #[new]
    fn new(
        config: &Bound<'_, PyDict>,
        hash_mb: usize,
        threads: usize,
        values: Option<&str>,
        network: Option<&[u8]>,
    ) -> PyResult<NativeEngine> {
        let (bytes, threads) = (hash_bytes(hash_mb)?, within("threads", threads, 1, MOST_THREADS)?);
        let mut params = params_of(config)?;
        params.fitted |= values.is_some() || network.is_some();
        let engine = match values {
            None => Engine::new(params, bytes, threads),
            Some(text) => {
                let values = CellValues::from_table(&table_of(config.py(), text)?);
                Engine::with_values(params, values, bytes, threads)
            }
        };
        let no_memory = || PyMemoryError::new_err(format!("there are not {hash_mb} MB for the table"));
        let mut engine = engine.ok_or_else(no_memory)?;
        if let Some(bytes) = network {
            engine.set_network(Some(network_of(config.py(), bytes)?));
        }
        Ok(NativeEngine {
            inner: Mutex::new(Box::new(engine)),
            owner: Mutex::new(None),
            begun: AtomicU64::new(0),
            stopped: AtomicU64::new(0),
        })
    }

    /// The number of a new call of [`NativeEngine::think`].
    fn begin(&self) -> u64 {
        self.begun.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Ends all calls that have begun; later ones are not concerned.
    fn stop(&self) {
        self.stopped.fetch_max(self.begun.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Forgets all positions.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, Engine::clear)
    }

    /// What a stone is worth at a glance, term by term. Python has checked that the move is legal.
    fn move_value<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, NativePosition>,
        color: u8,
        point: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let stones = *position.borrow().stones();
        let (color, point) = (color_at(color)?, point_at(point)?);
        let value = self.with(py, |engine| engine.move_value(&mut ThreatMap::new(&stones), color, point))?;
        value_dict(py, &value)
    }

    /// What a position is worth at a glance, by the table and by the network.
    fn static_value<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, NativePosition>,
        color: u8,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (stones, color) = (*position.borrow().stones(), color_at(color)?);
        shares_dict(py, self.with(py, |engine| engine.board_shares(&stones, color))?)
    }

    /// Thinks about a position without the GIL, as the call with this number. `report` is called with every
    /// finished depth; what it raises ends the search and is raised.
    #[pyo3(signature = (call, position, *, turn, time_s, nodes, depth, multipv, is_play, seed, report))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
    fn think<'py>(
        &self,
        py: Python<'py>,
        call: u64,
        position: &Bound<'py, NativePosition>,
        turn: u8,
        time_s: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
        multipv: usize,
        is_play: bool,
        seed: u64,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let stones = *position.borrow().stones();
        within("multipv", multipv, 0, BOARD_POINTS)?;
        let limits = CallLimits { time: seconds("time_s", time_s)?, nodes, depth };
        let query = Query { stones, turn: color_at(turn)?, limits, multipv, is_play, seed };
        let mut signal = None;
        let raised = Mutex::new(None);
        let answer = self.with(py, |engine| {
            let stop = AtomicBool::new(false);
            let mut looked = Instant::now();
            let mut should_stop = || {
                if signal.is_none() && looked.elapsed() >= LOOK_PAUSE {
                    signal = Python::attach(|py| py.check_signals()).err();
                    looked = Instant::now();
                }
                signal.is_some() || self.stopped.load(Ordering::Relaxed) >= call
            };
            let mut tell = |iteration: &Iteration| {
                if let Some(report) = &report {
                    let told =
                        Python::attach(|py| report.call1(py, (iteration_dict(py, iteration, multipv)?,)));
                    if let Err(error) = told {
                        *unpoisoned(&raised) = Some(error);
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            };
            let answer = engine.think(&query, &stop, &mut should_stop, &mut tell);
            answer.map(|answer| (answer, engine.board_shares(&query.stones, query.turn)))
        })?;
        if let Some(error) = raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let is_signalled = match signal {
            Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => return Err(error),
            signal => signal.is_some(),
        };
        let (answer, shares) = answer.or_raise(py)?;
        let dict = answer_dict(py, &answer)?;
        dict.set_item("static_value", shares_dict(py, shares)?)?;
        dict.set_item("signalled", is_signalled)?;
        Ok(dict)
    }
}

fn indices(points: &[crate::types::Point]) -> Vec<usize> {
    points.iter().map(|point| point.index()).collect()
}

fn move_tuples(moves: &[RootMove]) -> Vec<(usize, i32, Vec<usize>)> {
    moves.iter().map(|m| (m.point.index(), m.score, indices(&m.pv))).collect()
}

fn iteration_dict<'py>(
    py: Python<'py>,
    iteration: &Iteration,
    multipv: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("depth", iteration.depth)?;
    dict.set_item("seldepth", iteration.seldepth)?;
    dict.set_item("nodes", iteration.nodes)?;
    let best = iteration.moves.iter().filter(|m| m.is_exact).take(multipv.max(1)).cloned();
    dict.set_item("candidates", move_tuples(&best.collect::<Vec<_>>()))?;
    Ok(dict)
}

fn answer_dict<'py>(py: Python<'py>, answer: &Answer) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("move", answer.best.index())?;
    dict.set_item("score", answer.score)?;
    dict.set_item("depth", answer.depth)?;
    dict.set_item("seldepth", answer.seldepth)?;
    dict.set_item("nodes", answer.nodes)?;
    dict.set_item("pv", indices(&answer.pv))?;
    dict.set_item("source", answer.source.name())?;
    dict.set_item("candidates", move_tuples(&answer.candidates))?;
    dict.set_item("breakdown", value_dict(py, &answer.breakdown)?)?;
    let stats = PyDict::new(py);
    for (name, count) in answer.stats.entries() {
        stats.set_item(name, count)?;
    }
    dict.set_item("stats", stats)?;
    dict.set_item("interrupted", answer.is_interrupted)?;
    dict.set_item("fallback", answer.is_fallback)?;
    dict.set_item("vct_hint", answer.vct_hint.map(|point| point.index()))?;
    let depths: Vec<_> =
        answer.depths.iter().map(|&(depth, best, score)| (depth, best.index(), score)).collect();
    dict.set_item("depths", depths)?;
    match &answer.proof {
        None => dict.set_item("proof", py.None())?,
        Some(proof) => {
            let tree = tree_tuple(py, &proof.tree)?;
            dict.set_item(
                "proof",
                (proof.kind.name(), tree, indices(&proof.line()), proof.depth(), proof.threat_limit),
            )?;
        }
    }
    Ok(dict)
}

/// The shares that there are.
fn shares_dict(py: Python<'_>, shares: BoardShares) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("table", shares.table)?;
    if let Some(network) = shares.network {
        dict.set_item("network", network)?;
    }
    Ok(dict)
}

/// The terms that are not 0.
fn value_dict<'py>(py: Python<'py>, value: &MoveValue) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for term in Term::ALL {
        if value.get(term) != 0 {
            dict.set_item(term.name(), value.get(term))?;
        }
    }
    Ok(dict)
}

/// How likely the side to move wins, draws and loses from a position with this score.
#[pyfunction]
pub fn win_rate(score: i32) -> (f64, f64, f64) {
    crate::search::win_rate(score).into()
}

/// The network in the bytes of a file.
pub(super) fn network_of(py: Python<'_>, bytes: &[u8]) -> PyResult<Arc<Network>> {
    Network::from_bytes(bytes).map(Arc::new).map_err(|error| exception(py, "network: ", &error))
}

/// The table of values in a text.
pub(super) fn table_of(py: Python<'_>, text: &str) -> PyResult<ValueTable> {
    ValueTable::parse(text).map_err(|error| exception(py, "values: ", &error))
}

/// Positions looked at in a fixed task: the same on every machine.
#[pyfunction]
pub fn signature(py: Python<'_>) -> u64 {
    py.detach(crate::search::signature)
}
