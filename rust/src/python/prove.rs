use std::time::Instant;

use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::bounds::seconds;
use super::convert::{color_at, point_at};
use super::engine::LOOK_PAUSE;
use super::position::NativePosition;
use super::solve::{NativeStopFlag, checked_threat_limit, until_signal};
use crate::prove;
use crate::solve::{
    Coverage, Hints, Limits, QuietOptions, QuietProof, QuietStats, QuietVerdict, follow, legal_replies,
    verify_quiet,
};
use crate::types::Point;

/// Looks for a win of order 3 without the GIL, until `stop` is set, trying the moves of `first` before all others and what
/// won in the proofs of `hints`, in the same places. An
/// exception of another signal handler than that of Ctrl-C is raised as it is. The keys of the answer: status (1
/// proved, 0 refuted, -1 open), reason, proof (bytes or None), interrupted, and the counters of the search.
#[pyfunction]
#[pyo3(signature = (position, *, color, threat_limit, first, hints, nodes, time_s, stop))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
pub fn prove_position<'py>(
    py: Python<'py>,
    position: &Bound<'py, NativePosition>,
    color: u8,
    threat_limit: usize,
    first: Vec<usize>,
    hints: Vec<Vec<u8>>,
    nodes: Option<u64>,
    time_s: Option<f64>,
    stop: Option<Py<NativeStopFlag>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (stones, attacker) = (*position.borrow().stones(), color_at(color)?);
    let limits = Limits { nodes, time: seconds("time_s", time_s)? };
    let threat_limit = checked_threat_limit(threat_limit)?;
    let first = first.into_iter().map(point_at).collect::<PyResult<Vec<_>>>()?;
    let hints = hints.iter().map(|bytes| proof_of(bytes)).collect::<PyResult<Vec<_>>>()?;
    let hints = Hints::new(&hints);
    let options = QuietOptions { threat_limit, limits, ..QuietOptions::default() };
    let (mut signal, mut looked) = (None, Instant::now());
    let answer = py.detach(|| {
        let mut should_stop = || {
            if signal.is_none() && looked.elapsed() >= LOOK_PAUSE {
                signal = Python::attach(|py| py.check_signals()).err();
                looked = Instant::now();
            }
            signal.is_some() || stop.as_ref().is_some_and(|stop| stop.get().is_set())
        };
        prove::prove(&stones, attacker, options, first, &hints, &mut should_stop)
    });
    let (verdict, stats) = answer.map_err(|error| PyMemoryError::new_err(error.to_string()))?;
    let is_interrupted = match signal {
        Some(error) if !error.is_instance_of::<PyKeyboardInterrupt>(py) => return Err(error),
        signal => signal.is_some(),
    };
    let found = PyDict::new(py);
    let (status, reason) = match &verdict {
        QuietVerdict::Proved(_) => (1, None),
        QuietVerdict::Refuted => (0, None),
        QuietVerdict::Open(reason) => (-1, Some(reason.name())),
    };
    found.set_item("status", status)?;
    found.set_item("reason", reason)?;
    found.set_item("interrupted", is_interrupted)?;
    let proof = match &verdict {
        QuietVerdict::Proved(proof) => Some(PyBytes::new(py, &proof.to_bytes())),
        _ => None,
    };
    found.set_item("proof", proof)?;
    set_stats(&found, &stats)?;
    Ok(found)
}

fn set_stats(found: &Bound<'_, PyDict>, stats: &QuietStats) -> PyResult<()> {
    let QuietStats { nodes, positions, leaves, leaves_won, inherited, attacks, ordered } = *stats;
    found.set_item("nodes", nodes)?;
    found.set_item("positions", positions)?;
    found.set_item("leaves", leaves)?;
    found.set_item("leaves_won", leaves_won)?;
    found.set_item("inherited", inherited)?;
    found.set_item("attacks", attacks)?;
    found.set_item("ordered", ordered)
}

/// What the bytes of a proof of order 3 say: colour, threat limit, first stone, quiet stones in the longest line,
/// entries, trees. `ValueError` if they are none.
#[pyfunction]
pub fn read_quiet_proof(proof: &[u8]) -> PyResult<(usize, usize, usize, usize, usize, usize)> {
    let proof = proof_of(proof)?;
    let (entries, trees) = (proof.entries().len(), proof.trees().len());
    let color = proof.attacker().index() + 1;
    Ok((color, proof.threat_limit(), proof.first().index(), proof.quiet_depth(), entries, trees))
}

/// Checks a proof of order 3 with the independent verifier, without the GIL: `None` if it holds, else why it does not;
/// and the positions, replies and trees that it covered. `ValueError` if the bytes are no proof. It ends early if `stop`
/// is set; Ctrl-C is raised.
#[pyfunction]
#[pyo3(signature = (position, proof, *, stop))]
pub fn verify_quiet_proof(
    py: Python<'_>,
    position: &Bound<'_, NativePosition>,
    proof: &[u8],
    stop: Option<Py<NativeStopFlag>>,
) -> PyResult<(Option<String>, u64, u64, u64)> {
    let (stones, proof) = (*position.borrow().stones(), proof_of(proof)?);
    let result = until_signal(py, |has_signal| {
        let mut should_stop = || has_signal() || stop.as_ref().is_some_and(|stop| stop.get().is_set());
        verify_quiet(&stones, &proof, &mut should_stop)
    })?;
    Ok(match result {
        Ok(Coverage { positions, replies, trees }) => (None, positions, replies, trees),
        Err(rejection) => (Some(rejection.to_string()), 0, 0, 0),
    })
}

/// What a proof on the board `start` says on the board `target`, with its winner to move: the stone, and the replies that
/// have an answer of their own; `None` if the proof does not lead there. `ValueError` if the bytes are no proof.
#[pyfunction]
pub fn follow_quiet_proof(
    py: Python<'_>,
    start: &Bound<'_, NativePosition>,
    proof: &[u8],
    target: &Bound<'_, NativePosition>,
) -> PyResult<Option<(usize, Vec<usize>)>> {
    let (start, target, proof) = (*start.borrow().stones(), *target.borrow().stones(), proof_of(proof)?);
    let step = py.detach(|| follow(&proof, &start, &target));
    Ok(step.map(|step| (step.stone.index(), step.replies.iter().map(|reply| reply.index()).collect())))
}

/// The points that a colour may play by the slow reference rules, whoever is to move.
#[pyfunction]
pub fn quiet_replies(position: &Bound<'_, NativePosition>, color: u8) -> PyResult<Vec<usize>> {
    let replies = legal_replies(position.borrow().stones(), color_at(color)?);
    Ok(replies.points().map(Point::index).collect())
}

fn proof_of(bytes: &[u8]) -> PyResult<QuietProof> {
    QuietProof::from_bytes(bytes).map_err(|error| PyValueError::new_err(error.to_string()))
}
