use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use numpy::{
    IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray3, PyReadwriteArray1,
    PyReadwriteArray2, PyReadwriteArray3,
};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::bounds::{hash_bytes, seconds, within};
use super::convert::color_at;
use super::engine::network_of;
use super::error::{CoreError, exception, no_threads};
use super::settings::params_of;
use super::solve::{checked_threat_limit, kind_named};
use crate::batch::{
    self, Analysis, AnalysisRow, Asked, Cells, Effort, Evaluator, ForbiddenRow, Item, Outlook, Plan, Report,
    SolveRow,
};
use crate::network::Network;
use crate::rules::ForbiddenPoints;
use crate::search::{CallLimits, Engine};
use crate::solve::{Limits, Question};
use crate::types::{BOARD_POINTS, Color};

/// `None` if everything is done, or which rows are, if Ctrl-C came.
pub(super) type Done<'py> = Option<Bound<'py, PyArray1<bool>>>;

/// Runs quick work without the GIL and looks for signals meanwhile.
pub(super) fn run<'py, I: Sync, O: Send, E: CoreError + Send>(
    py: Python<'py>,
    name: &str,
    inputs: &[I],
    outputs: &mut [O],
    threads: usize,
    work: impl Fn(&I, &mut O) -> Result<Item, E> + Sync + Send,
) -> PyResult<Done<'py>> {
    run_workers(py, name, 0, inputs, outputs, threads, || &work)
}

/// Runs quick work without the GIL, with a worker for each thread, and looks for signals meanwhile. The first of the
/// inputs has the index `first` among all that the caller knows.
fn run_workers<'py, I: Sync, O: Send, E: CoreError + Send, W: FnMut(&I, &mut O) -> Result<Item, E>>(
    py: Python<'py>,
    name: &str,
    first: usize,
    inputs: &[I],
    outputs: &mut [O],
    threads: usize,
    make_worker: impl Fn() -> W + Sync + Send,
) -> PyResult<Done<'py>> {
    check_lengths(name, inputs.len(), outputs.len())?;
    let plan = Plan { threads, effort: Effort::Quick };
    let (report, signal) = py.detach(|| {
        let mut signal = None;
        let report = batch::run(inputs, outputs, plan, &AtomicBool::new(false), make_worker, |_| {
            signal = Python::attach(|py| py.check_signals()).err();
            signal.is_none()
        });
        (report, signal)
    });
    finish(py, name, first, report, signal)
}

/// Raises what went wrong. An exception of another signal handler than that of Ctrl-C is raised as it is.
/// `first` is the index of the first input among all that the caller knows.
fn finish<'py, E: CoreError>(
    py: Python<'py>,
    name: &str,
    first: usize,
    report: Result<Report<E>, rayon::ThreadPoolBuildError>,
    signal: Option<PyErr>,
) -> PyResult<Done<'py>> {
    let report = report.map_err(|error| no_threads(&error))?;
    match (signal, report.error) {
        (Some(error), _) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            Ok(Some(report.done.into_pyarray(py)))
        }
        (Some(error), _) => Err(error),
        (None, Some((index, error))) => Err(exception(py, &format!("{name}[{}]: ", first + index), &error)),
        (None, None) => Ok(None),
    }
}

/// The boards of an array that Python has checked already.
pub(super) fn boards_of<'a>(array: &'a PyReadonlyArray3<'_, i8>) -> PyResult<&'a [Cells]> {
    let (boards, rest) = array.as_slice().map_err(not_contiguous)?.as_chunks::<BOARD_POINTS>();
    if rest.is_empty() { Ok(boards) } else { Err(PyValueError::new_err("boards are not (N, 15, 15)")) }
}

fn check_lengths(name: &str, inputs: usize, outputs: usize) -> PyResult<()> {
    if inputs == outputs {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{inputs} {name} but {outputs} results")))
}

pub(super) fn not_contiguous(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Forbidden codes of all cells.
#[pyfunction]
pub fn forbidden<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    mut out: PyReadwriteArray3<'_, u8>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let (codes, _) = out.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<BOARD_POINTS>();
    run(py, "boards", boards_of(&boards)?, codes, threads, batch::forbidden)
}

/// Boards whose forbidden points are known at a time, before they become rows: few enough for a cache.
const BLOCK_BOARDS: usize = 1 << 15;

/// The bytes of a row for each forbidden point of all boards, in their order; and `None` or, if Ctrl-C came, which
/// boards are in the rows.
#[pyfunction]
pub fn forbidden_rows<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    threads: usize,
) -> PyResult<(Bound<'py, PyArray1<u8>>, Done<'py>)> {
    let boards = boards_of(&boards)?;
    let mut found = vec![ForbiddenPoints::default(); boards.len().min(BLOCK_BOARDS)];
    let mut rows = Vec::new();
    for (n, block) in boards.chunks(BLOCK_BOARDS).enumerate() {
        let first = n * BLOCK_BOARDS;
        let found = &mut found[..block.len()];
        let done = run_workers(py, "boards", first, block, found, threads, || batch::forbidden_points)?;
        let is_done = done.as_ref().map(|done| done.to_vec()).transpose()?;
        for (n, points) in found.iter().enumerate() {
            if is_done.as_ref().is_none_or(|is_done| is_done[n]) {
                ForbiddenRow::push_all(&mut rows, first + n, points);
            }
        }
        if let Some(is_done) = is_done {
            let mut all = vec![true; first];
            all.extend(is_done);
            all.resize(boards.len(), false);
            return Ok((rows.into_pyarray(py), Some(all.into_pyarray(py))));
        }
    }
    Ok((rows.into_pyarray(py), None))
}

/// Values of all rows one after the other, and where those of each row end.
pub(super) type Pieces<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>);

/// The double-three, double-four and overline points of all boards but those that are skipped.
#[pyfunction]
pub fn forbidden_points<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    skipped: PyReadonlyArray1<'_, bool>,
    threads: usize,
) -> PyResult<[Pieces<'py>; 3]> {
    let boards = boards_of(&boards)?;
    let skipped = skipped.as_slice().map_err(not_contiguous)?;
    check_lengths("boards", boards.len(), skipped.len())?;
    let inputs: Vec<(&Cells, bool)> = boards.iter().zip(skipped.iter().copied()).collect();
    let mut found = vec![ForbiddenPoints::default(); boards.len()];
    let done = run(py, "boards", &inputs, &mut found, threads, |&(cells, is_skipped), points| {
        if is_skipped { Ok(Item::Done) } else { batch::forbidden_points(cells, points) }
    })?;
    if done.is_some() {
        return Err(PyKeyboardInterrupt::new_err(()));
    }
    let mut kinds: [(Vec<u8>, Vec<i64>); 3] = Default::default();
    for board in &found {
        for (point, kind) in board.iter() {
            kinds[kind as usize - 1].0.push(point.index() as u8);
        }
        for (points, ends) in &mut kinds {
            ends.push(points.len() as i64);
        }
    }
    Ok(kinds.map(|(points, ends)| (points.into_pyarray(py), ends.into_pyarray(py))))
}

/// Who has won, by the stones alone.
#[pyfunction]
pub fn winners<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    mut out: PyReadwriteArray1<'_, i8>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let codes = out.as_slice_mut().map_err(not_contiguous)?;
    run(py, "boards", boards_of(&boards)?, codes, threads, batch::winners)
}

/// Threat codes of all cells for a colour.
#[pyfunction]
pub fn threat_map<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    color: u8,
    mut out: PyReadwriteArray3<'_, u8>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let color = color_at(color)?;
    let (codes, _) = out.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<BOARD_POINTS>();
    run(py, "boards", boards_of(&boards)?, codes, threads, |cells, codes| {
        batch::threat_map(color, cells, codes)
    })
}

/// How likely the side to move wins, draws and loses, by a network, or by the one that comes with the source; with
/// `policy` also how likely the best move is at each point. `turns` holds 1, 2, or 0 for "by the stone counts".
#[pyfunction]
pub fn evaluate<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    turns: PyReadonlyArray1<'_, i8>,
    network: Option<&[u8]>,
    mut out: PyReadwriteArray2<'_, f32>,
    policy: Option<PyReadwriteArray3<'_, f32>>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let network = network.map_or_else(|| Ok(Network::shipped()), |bytes| network_of(py, bytes))?;
    let inputs = positions(boards_of(&boards)?, turns.as_slice().map_err(not_contiguous)?);
    let (outlooks, rest) = out.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<3>();
    if !rest.is_empty() {
        return Err(PyValueError::new_err("outlooks are not (N, 3)"));
    }
    let Some(mut policy) = policy else {
        return run_workers(py, "boards", 0, &inputs, outlooks, threads, || {
            let mut evaluator = Evaluator::new(&network);
            move |&(cells, turn), outlook: &mut _| evaluator.outlook(cells, turn, outlook)
        });
    };
    let (policies, _) = policy.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<BOARD_POINTS>();
    check_lengths("boards", inputs.len(), policies.len())?;
    let mut outputs: Vec<_> = outlooks.iter_mut().zip(policies).collect();
    run_workers(py, "boards", 0, &inputs, &mut outputs, threads, || {
        let mut evaluator = Evaluator::new(&network);
        move |&(cells, turn), (outlook, policy): &mut (&mut Outlook, &mut [f32; BOARD_POINTS])| {
            evaluator.outlook_and_policy(cells, turn, outlook, policy)
        }
    })
}

/// How likely the side to move wins, draws and loses from positions with these scores: a row of `out` for each.
#[pyfunction]
pub fn win_rates(scores: PyReadonlyArray1<'_, i32>, mut out: PyReadwriteArray2<'_, f32>) -> PyResult<()> {
    let scores = scores.as_slice().map_err(not_contiguous)?;
    let (rates, rest) = out.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<3>();
    if !rest.is_empty() {
        return Err(PyValueError::new_err("rates are not (N, 3)"));
    }
    check_lengths("scores", scores.len(), rates.len())?;
    for (rate, &score) in rates.iter_mut().zip(scores) {
        *rate = crate::search::win_rate(score).map(|chance| chance as f32);
    }
    Ok(())
}

/// Hashes; `turns` holds 1, 2, or 0 for "by the stone counts".
#[pyfunction]
pub fn keys<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    turns: PyReadonlyArray1<'_, i8>,
    symmetric: bool,
    mut out: PyReadwriteArray1<'_, u64>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let inputs = positions(boards_of(&boards)?, turns.as_slice().map_err(not_contiguous)?);
    let keys = out.as_slice_mut().map_err(not_contiguous)?;
    run(py, "boards", &inputs, keys, threads, |&(cells, turn), key| batch::key(cells, turn, symmetric, key))
}

/// Wins of the side to move; `turns` as in `keys`. `progress` is called with the number of positions
/// finished. After `deadline_s` seconds the rest stays as it was given.
#[pyfunction]
#[pyo3(signature = (boards, turns, *, kind, threat_limit, max_depth, nodes, time_s, deadline_s, progress, out, threads))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
pub fn solve<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    turns: PyReadonlyArray1<'_, i8>,
    kind: &str,
    threat_limit: usize,
    max_depth: Option<usize>,
    nodes: Option<u64>,
    time_s: Option<f64>,
    deadline_s: Option<f64>,
    progress: Option<Py<PyAny>>,
    mut out: PyReadwriteArray2<'_, u8>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let limits = Limits { nodes, time: seconds("time_s", time_s)? };
    let threat_limit = checked_threat_limit(threat_limit)?;
    let question = Question { threat_limit, max_depth, limits, ..Question::new(kind_named(kind)?) };
    let inputs = positions(boards_of(&boards)?, turns.as_slice().map_err(not_contiguous)?);
    let (rows, _) = out.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<{ SolveRow::BYTES }>();
    check_lengths("boards", inputs.len(), rows.len())?;
    rows.fill(SolveRow::none().encode());
    let plan = Plan { threads, effort: Effort::Varied };
    let stop = AtomicBool::new(false);
    let watch = Watch { name: "boards", plan, stop: &stop, deadline_s, progress };
    watch.run(py, &inputs, rows, || batch::solve(question, &stop))
}

/// The best moves of every position, by engines with these settings and tables of `hash_mb` megabytes, one
/// for each thread; `turns` as in `keys`, the rest as in `solve`. Every position has `multipv` rows.
#[pyfunction]
#[pyo3(signature = (boards, turns, *, config, hash_mb, multipv, reuse, time_s, nodes, depth, deadline_s, progress, out, threads))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
pub fn analyze<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    turns: PyReadonlyArray1<'_, i8>,
    config: &Bound<'py, PyDict>,
    hash_mb: usize,
    multipv: usize,
    reuse: bool,
    time_s: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    deadline_s: Option<f64>,
    progress: Option<Py<PyAny>>,
    mut out: PyReadwriteArray2<'_, u8>,
    threads: usize,
) -> PyResult<Done<'py>> {
    within("multipv", multipv, 1, BOARD_POINTS)?;
    let bytes = hash_bytes(hash_mb)?;
    let limits = CallLimits { time: seconds("time_s", time_s)?, nodes, depth };
    let analysis = Analysis { limits, multipv, reuse };
    let inputs = positions(boards_of(&boards)?, turns.as_slice().map_err(not_contiguous)?);
    let (rows, _) = out.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<{ AnalysisRow::BYTES }>();
    rows.fill(AnalysisRow::none().encode());
    let mut rows: Vec<&mut [_]> = rows.chunks_mut(multipv).collect();
    check_lengths("boards", inputs.len(), rows.len())?;
    let plan = Plan { threads, effort: Effort::Long };
    let params = params_of(config)?;
    let engines: Option<Vec<Engine>> =
        (0..plan.threads_for(inputs.len())).map(|_| Engine::new(params.clone(), bytes, 1)).collect();
    let no_memory = || PyMemoryError::new_err(format!("there are not {hash_mb} MB for every table"));
    let engines = Mutex::new(engines.ok_or_else(no_memory)?);
    let stop = AtomicBool::new(false);
    let watch = Watch { name: "boards", plan, stop: &stop, deadline_s, progress };
    watch.run(py, &inputs, &mut rows, || {
        let engine = engines.lock().unwrap_or_else(PoisonError::into_inner).pop();
        batch::analyze(engine.expect("one for each thread"), analysis, &stop)
    })
}

/// How a long run is watched.
pub(super) struct Watch<'a> {
    /// What the inputs are called.
    pub name: &'a str,
    /// The threads of the run, and how long one input takes.
    pub plan: Plan,
    /// The flag that ends the run.
    pub stop: &'a AtomicBool,
    /// The time after which the run ends, in seconds from its start.
    pub deadline_s: Option<f64>,
    /// Called with the number of inputs that are finished and the number of all.
    pub progress: Option<Py<PyAny>>,
}

impl Watch<'_> {
    /// Runs without the GIL. Signals are seen, the progress told, the deadline kept.
    pub(super) fn run<'py, I: Sync, O: Send, E: CoreError + Send, W: FnMut(&I, &mut O) -> Result<Item, E>>(
        self,
        py: Python<'py>,
        inputs: &[I],
        outputs: &mut [O],
        make_worker: impl Fn() -> W + Sync + Send,
    ) -> PyResult<Done<'py>> {
        let Watch { name, plan, stop, deadline_s, progress } = self;
        let deadline = seconds("deadline_s", deadline_s)?.map(|time| Instant::now() + time);
        let (report, signal) = py.detach(|| {
            let mut signal = None;
            let go_on = |done: usize| {
                signal = Python::attach(|py| {
                    py.check_signals()?;
                    progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done,)).map(drop))
                })
                .err();
                signal.is_none() && deadline.is_none_or(|deadline| Instant::now() < deadline)
            };
            (batch::run(inputs, outputs, plan, stop, make_worker, go_on), signal)
        });
        if let (Ok(report), None, Some(progress)) = (&report, &signal, &progress) {
            progress.call1(py, (report.done.iter().filter(|&&done| done).count(),))?;
        }
        finish(py, name, 0, report, signal)
    }
}

/// Boards with their turns; 0 is "by the stone counts".
fn positions<'a>(boards: &'a [Cells], turns: &[i8]) -> Vec<Asked<'a>> {
    boards.iter().zip(turns.iter().map(|&turn| Color::from_code(turn.cast_unsigned()))).collect()
}

/// The canonical images of boards, the symmetries that lead there, and the keys of the images; `turns` as in
/// `keys`.
#[pyfunction]
pub fn canonical<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray3<'_, i8>,
    turns: PyReadonlyArray1<'_, i8>,
    mut images: PyReadwriteArray3<'_, i8>,
    mut symmetries: PyReadwriteArray1<'_, u8>,
    mut keys: PyReadwriteArray1<'_, u64>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let inputs = positions(boards_of(&boards)?, turns.as_slice().map_err(not_contiguous)?);
    let (cells, _) = images.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<BOARD_POINTS>();
    let symmetries = symmetries.as_slice_mut().map_err(not_contiguous)?;
    let keys = keys.as_slice_mut().map_err(not_contiguous)?;
    let rows = cells.iter_mut().zip(symmetries).zip(keys);
    let mut outputs: Vec<_> = rows.map(|((image, symmetry), key)| (image, symmetry, key)).collect();
    run(py, "boards", &inputs, &mut outputs, threads, |&(cells, turn), (image, symmetry, key)| {
        batch::canonical(cells, turn, image, symmetry, key)
    })
}
