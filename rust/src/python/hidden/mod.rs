mod game;
mod learning;
mod twin_cool;

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;
use pyo3::types::PyDict;

pub use self::game::search_hidden;
pub use self::learning::twin_cool_learn;
pub use self::twin_cool::{NativeTwinCool, twin_cool_games, twin_cool_points};
use super::bounds::{seconds, within};
use crate::hidden::{Determinizations, MOST_NODES, Report, SearchOptions};

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
