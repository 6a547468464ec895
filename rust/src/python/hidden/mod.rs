mod game;
mod learning;
mod twin_cool;

use std::sync::atomic::AtomicBool;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::ThreadPoolBuildError;

pub use self::game::search_hidden;
pub use self::learning::twin_cool_learn;
pub use self::twin_cool::{NativeTwinCool, twin_cool_games, twin_cool_points};
use super::bounds::{seconds, within};
use super::error::no_threads;
use crate::batch::{self, Effort, Item, Plan};
use crate::hidden::{Determinizations, MOST_NODES, Report, SearchOptions};

/// What `work` answers, on a thread of its own and without the GIL. Meanwhile signals are seen, and `look` is called
/// with the GIL, every 20 ms; an error of either sets `stop` and is the answer.
fn watched<T: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    look: impl Fn(Python<'_>) -> PyResult<()> + Sync,
    work: impl Fn() -> Result<Option<T>, ThreadPoolBuildError> + Sync,
) -> PyResult<Option<T>> {
    let mut answer = [None];
    let (report, signal) = py.detach(|| {
        let mut signal: Option<PyErr> = None;
        // A batch of one.
        let item = |(): &(), answer: &mut Option<T>| {
            *answer = work()?;
            Ok::<_, ThreadPoolBuildError>(Item::Done)
        };
        let plan = Plan { threads: 1, effort: Effort::Long };
        let report = batch::run(
            &[()],
            &mut answer,
            plan,
            stop,
            || item,
            |_| {
                signal = Python::attach(|py| py.check_signals().and_then(|()| look(py))).err();
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
    let [answer] = answer;
    Ok(answer)
}

/// The settings of a search as they are by default, by name.
pub fn default_options(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let SearchOptions { iterations, exploration, prior_weight, most_nodes, .. } = SearchOptions::default();
    let dict = PyDict::new(py);
    dict.set_item("iterations", iterations)?;
    dict.set_item("exploration", exploration)?;
    dict.set_item("prior_weight", prior_weight)?;
    dict.set_item("max_nodes", most_nodes)?;
    Ok(dict)
}

/// The settings of a search, by name; those that are not there, or `None`, are as by default.
fn search_options(options: &Bound<'_, PyDict>) -> PyResult<SearchOptions> {
    let mut search = SearchOptions::default();
    set(options, "iterations", &mut search.iterations)?;
    set(options, "exploration", &mut search.exploration)?;
    set(options, "prior_weight", &mut search.prior_weight)?;
    set(options, "max_nodes", &mut search.most_nodes)?;
    set(options, "keep", &mut search.keep)?;
    within("max_nodes", search.most_nodes, 0, MOST_NODES)?;
    search.time = seconds("time", option(options, "time")?)?;
    search.determinizations = match (option(options, "determinizations")?, option(options, "adaptive")?) {
        (Some(count), _) => Determinizations::Fixed(count),
        (None, Some(least)) => Determinizations::Adaptive { least },
        (None, None) => Determinizations::Always,
    };
    Ok(search)
}

fn option<'py, T: FromPyObjectOwned<'py>>(options: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<T>> {
    let value = options.get_item(name)?.filter(|value| !value.is_none());
    value.map(|value| value.extract().map_err(Into::into)).transpose()
}

fn set<'py, T: FromPyObjectOwned<'py>>(options: &Bound<'py, PyDict>, name: &str, to: &mut T) -> PyResult<()> {
    if let Some(value) = option(options, name)? {
        *to = value;
    }
    Ok(())
}

/// What a search did, by name.
fn report_into(dict: &Bound<'_, PyDict>, report: &Report) -> PyResult<()> {
    dict.set_item("iterations", report.iterations)?;
    dict.set_item("determinizations", report.determinizations)?;
    dict.set_item("nodes", report.nodes)?;
    dict.set_item("sharing", report.sharing())?;
    dict.set_item("bytes", report.bytes)
}
