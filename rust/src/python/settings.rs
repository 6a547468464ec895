//! The settings of the engine for Python: what is known of each, the levels, and checks.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::search::{Level, Params};

pub(super) fn params_of(config: &Bound<'_, PyDict>) -> PyResult<Params> {
    let mut params = Params::default();
    for (name, value) in config {
        let name: String = name.extract()?;
        let Some(setting) = Params::setting(&name) else {
            return Err(PyValueError::new_err(format!("there is no setting {name:?}")));
        };
        let number: Option<i64> = value.extract().ok();
        if !number.is_some_and(|number| params.set(&name, number)) {
            let (least, most) = (setting.least, setting.most);
            // The number itself may have a million digits.
            let found = number.map_or("something else".to_owned(), |number| number.to_string());
            return Err(PyValueError::new_err(format!(
                "{name} is a number from {least} to {most}, not {found}"
            )));
        }
    }
    Ok(params)
}

/// Raises `ValueError` unless these settings make sense.
#[pyfunction]
pub fn check_config(config: &Bound<'_, PyDict>) -> PyResult<()> {
    params_of(config).map(|_| ())
}

/// The settings that have no effect under the others, each with the condition that is not met.
#[pyfunction]
pub fn inert_settings(config: &Bound<'_, PyDict>) -> PyResult<Vec<(&'static str, &'static str)>> {
    Ok(params_of(config)?.inert().collect())
}

/// All settings of a level by name: numbers, and switches as booleans.
#[pyfunction]
pub fn level_config<'py>(py: Python<'py>, level: &str) -> PyResult<Bound<'py, PyDict>> {
    let level = Level::ALL
        .into_iter()
        .find(|known| known.name() == level)
        .ok_or_else(|| PyValueError::new_err(format!("there is no level {level:?}")))?;
    let params = Params::of(level);
    let dict = PyDict::new(py);
    for setting in Params::settings() {
        let value = params.get(setting.name).expect("its own names");
        if setting.is_switch {
            dict.set_item(setting.name, value != 0)?;
        } else {
            dict.set_item(setting.name, value)?;
        }
    }
    Ok(dict)
}

/// The names of all levels, weakest first.
pub fn level_names(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Level::ALL.map(Level::name))
}

/// What is known of every setting, as the fields of `renju._settings.Setting`.
pub fn settings(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    let rows = Params::settings().map(|setting| {
        let doc = setting.doc.trim().replace("[`", "`").replace("`]", "`");
        let needs = setting.needs.to_vec();
        (
            setting.name,
            setting.is_switch,
            setting.default,
            setting.least,
            setting.most,
            setting.unit,
            needs,
            doc,
        )
    });
    PyTuple::new(py, rows.collect::<Vec<_>>())
}
