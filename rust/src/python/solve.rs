use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::bounds::seconds;
use super::convert::{color_at, point_at};
use super::position::NativePosition;
use crate::solve::{
    self, Attack, LimitHit, Limits, MOST_ATTACKS, MOST_DEPTH, Proof, Question, Solver, Verdict, WinKind,
};
use crate::threats::ThreatMap;

/// The number of questions of the solver, some milliseconds, after which signals are looked for again.
const LOOK_EVERY: u32 = 8;

/// The time after which signals are looked for again while a proof is checked.
const LOOK_PAUSE: Duration = Duration::from_millis(20);

/// Something that one thread sets to end what another does.
#[pyclass(name = "StopFlag", module = "renju._native", frozen)]
#[derive(Default)]
pub struct NativeStopFlag {
    is_set: AtomicBool,
}

impl NativeStopFlag {
    /// Was the end asked for?
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed)
    }
}

#[pymethods]
impl NativeStopFlag {
    #[new]
    fn new() -> NativeStopFlag {
        NativeStopFlag::default()
    }

    /// Ends it.
    fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }
}

thread_local! {
    /// One solver for each Python thread: its table is worth keeping, a megabyte to allocate. Boxed, because not every
    /// system aligns what belongs to a thread to more than 16 bytes, and a bitboard wants 32.
    static SOLVER: RefCell<Box<Solver>> = RefCell::default();
}

/// Status (1 proved, 0 refuted, -1 unknown), exhausted, limit hit, tree, main line, depth, nodes,
/// and whether Ctrl-C ended it.
type Answer<'py> =
    (i8, bool, Option<&'static str>, Option<Bound<'py, PyTuple>>, Vec<usize>, usize, u64, bool);

/// Looks for a win of a colour without the GIL, until `stop` is set. An exception of another signal handler than that of
/// Ctrl-C is raised as it is.
#[pyfunction]
#[pyo3(signature = (position, *, color, kind, threat_limit, max_depth, shortest, first, nodes, time_s, stop))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
pub fn solve_position<'py>(
    py: Python<'py>,
    position: &Bound<'py, NativePosition>,
    color: u8,
    kind: &str,
    threat_limit: usize,
    max_depth: Option<usize>,
    shortest: bool,
    first: Option<usize>,
    nodes: Option<u64>,
    time_s: Option<f64>,
    stop: Option<Py<NativeStopFlag>>,
) -> PyResult<Answer<'py>> {
    // The board itself stays free for others.
    let (stones, attacker) = (*position.borrow().stones(), color_at(color)?);
    let limits = Limits { nodes, time: seconds("time_s", time_s)? };
    let first = first.map(point_at).transpose()?;
    let threat_limit = checked_threat_limit(threat_limit)?;
    let question =
        Question { threat_limit, max_depth, shortest, first, limits, ..Question::new(kind_named(kind)?) };
    let mut signal = None;
    let (verdict, nodes) = py.detach(|| {
        let mut asked = 0;
        let mut should_stop = || {
            asked += 1;
            if asked % LOOK_EVERY == 0 {
                signal = Python::attach(|py| py.check_signals()).err();
            }
            signal.is_some() || stop.as_ref().is_some_and(|stop| stop.get().is_set())
        };
        let mut map = ThreatMap::new(&stones);
        // A signal handler may ask for another solution meanwhile; it gets a solver of its own.
        SOLVER.with(|solver| match solver.try_borrow_mut() {
            Ok(mut solver) => solver.solve(&mut map, attacker, question, &mut should_stop),
            Err(_) => Solver::default().solve(&mut map, attacker, question, &mut should_stop),
        })
    });
    let is_interrupted = match signal {
        Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => return Err(error),
        signal => signal.is_some(),
    };
    Ok(match verdict {
        Verdict::Proved(proof) => {
            let line = proof.line().into_iter().map(|point| point.index()).collect();
            let tree = tree_tuple(py, &proof.tree)?;
            let limit = proof.limit_hit.map(LimitHit::name);
            (1, false, limit, Some(tree), line, proof.depth(), nodes, is_interrupted)
        }
        Verdict::Refuted { exhausted } => (0, exhausted, None, None, Vec::new(), 0, nodes, is_interrupted),
        Verdict::Unknown(limit) => {
            (-1, false, Some(limit.name()), None, Vec::new(), 0, nodes, is_interrupted)
        }
    })
}

/// The kind with this name.
pub fn kind_named(name: &str) -> PyResult<WinKind> {
    WinKind::from_name(name).ok_or_else(|| PyValueError::new_err(format!("there is no kind {name:?}")))
}

/// A number of fours that the solver knows.
pub fn checked_threat_limit(limit: usize) -> PyResult<usize> {
    if (1..=solve::MOST_THREAT_FOURS).contains(&limit) {
        Ok(limit)
    } else {
        let most = solve::MOST_THREAT_FOURS;
        Err(PyValueError::new_err(format!("threat_limit is a number from 1 to {most}, not {limit}")))
    }
}

/// Checks a proof with the independent verifier, without the GIL: `None` if it holds, else why it does
/// not; and the main line and the depth of its tree. Ctrl-C is raised.
#[pyfunction]
pub fn verify(
    py: Python<'_>,
    position: &Bound<'_, NativePosition>,
    color: u8,
    kind: &str,
    threat_limit: usize,
    tree: &Bound<'_, PyTuple>,
) -> PyResult<(Option<String>, Vec<usize>, usize)> {
    let (kind, attacker) = (kind_named(kind)?, color_at(color)?);
    let tree = tree_from_tuple(tree, 1, &mut 0)?;
    let proof = Proof { kind, attacker, threat_limit, tree, limit_hit: None };
    let stones = *position.borrow().stones();
    let result = until_signal(py, |should_stop| solve::verify(&stones, &proof, should_stop))?;
    let reason = result.err().map(|rejection| rejection.to_string());
    Ok((reason, proof.line().into_iter().map(|point| point.index()).collect(), proof.depth()))
}

/// Calls `work` without the GIL, with a question that says when a signal asks it to end; the signal is raised.
pub(super) fn until_signal<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> T + Send,
) -> PyResult<T> {
    let (mut signal, mut looked) = (None, Instant::now());
    let result = py.detach(|| {
        work(&mut || {
            if looked.elapsed() >= LOOK_PAUSE {
                signal = Python::attach(|py| py.check_signals()).err();
                looked = Instant::now();
            }
            signal.is_some()
        })
    });
    signal.map_or(Ok(result), Err)
}

/// A tree as nested tuples: stone, list of (reply, tree), tree after a pass or None.
pub(super) fn tree_tuple<'py>(py: Python<'py>, attack: &Attack) -> PyResult<Bound<'py, PyTuple>> {
    let replies = PyList::empty(py);
    for (reply, next) in &attack.replies {
        replies.append((reply.index(), tree_tuple(py, next)?))?;
    }
    let after_pass = attack.after_pass.as_ref().map(|next| tree_tuple(py, next)).transpose()?;
    (attack.stone.index(), replies, after_pass).into_pyobject(py)
}

/// The tree of nested tuples, at the depth where its first stone is; `attacks` counts those that have been read. A tree
/// that is too deep or too large to be a proof is a `ValueError`: tuples that share their parts can stand for
/// more attacks than any memory holds.
fn tree_from_tuple(tree: &Bound<'_, PyTuple>, depth: usize, attacks: &mut usize) -> PyResult<Attack> {
    type Replies<'py> = Vec<(usize, Bound<'py, PyTuple>)>;
    *attacks += 1;
    if depth > MOST_DEPTH {
        return Err(PyValueError::new_err("the tree is deeper than a game can be long"));
    }
    if *attacks > MOST_ATTACKS {
        return Err(PyValueError::new_err(format!("the tree has more than {MOST_ATTACKS} attacks")));
    }
    let (stone, replies, after_pass): (usize, Replies<'_>, Option<Bound<'_, PyTuple>>) = tree.extract()?;
    let replies = replies
        .into_iter()
        .map(|(reply, next)| Ok((point_at(reply)?, tree_from_tuple(&next, depth + 1, attacks)?)))
        .collect::<PyResult<Vec<_>>>()?;
    let after_pass = after_pass.map(|next| tree_from_tuple(&next, depth + 1, attacks)).transpose()?;
    Ok(Attack { stone: point_at(stone)?, after_pass: after_pass.map(Box::new), replies })
}
