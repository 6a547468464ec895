//! The one place where our errors become Python exceptions.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::batch::{BadCell, BadPosition, BadRecord};
use crate::board::SetupError;
use crate::eval::BadTable;
use crate::lab::BadRow;
use crate::learn::{BadAction, BadFeatures};
use crate::network::BadNetwork;
use crate::record::{DiagramError, NotationError};
use crate::rules::{IllegalMove, IllegalRecord};
use crate::search::NoMove;

/// An error of the core that has an exception class in `renju.errors`.
pub trait CoreError: std::fmt::Display {
    /// The name of that class.
    fn class(&self) -> &'static str;
}

/// The exception for an error, with `place` in front of its text.
pub fn exception(py: Python<'_>, place: &str, error: &impl CoreError) -> PyErr {
    let class = py
        .import("renju.errors")
        .and_then(|module| module.getattr(error.class()))
        .and_then(|class| Ok(class.cast_into::<PyType>()?));
    match class {
        Ok(class) => PyErr::from_type(class, (format!("{place}{error}"),)),
        Err(missing) => missing,
    }
}

/// Results whose error becomes its exception.
pub trait OrRaise<T> {
    /// The value, or the exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: CoreError> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, "", &error))
    }
}

/// A Python string that holds half a surrogate pair, which is no text to anybody else.
#[derive(Debug, thiserror::Error)]
#[error("the text is not Unicode")]
pub struct NotUnicode;

impl CoreError for NotUnicode {
    fn class(&self) -> &'static str {
        "NotationError"
    }
}

/// The exception for threads that the system does not give us.
pub fn no_threads(error: &rayon::ThreadPoolBuildError) -> PyErr {
    PyRuntimeError::new_err(format!("no threads to be had: {error}"))
}

impl CoreError for NotationError {
    fn class(&self) -> &'static str {
        "NotationError"
    }
}

impl CoreError for DiagramError {
    fn class(&self) -> &'static str {
        "NotationError"
    }
}

impl CoreError for IllegalMove {
    fn class(&self) -> &'static str {
        "IllegalMoveError"
    }
}

impl CoreError for IllegalRecord {
    fn class(&self) -> &'static str {
        "IllegalMoveError"
    }
}

impl CoreError for SetupError {
    fn class(&self) -> &'static str {
        "PositionError"
    }
}

impl CoreError for BadCell {
    fn class(&self) -> &'static str {
        "PositionError"
    }
}

impl CoreError for BadPosition {
    fn class(&self) -> &'static str {
        "PositionError"
    }
}

impl CoreError for BadRecord {
    fn class(&self) -> &'static str {
        match self {
            BadRecord::Notation(error) => error.class(),
            BadRecord::OffBoard { .. } => "NotationError",
            BadRecord::Illegal(error) => error.class(),
        }
    }
}

impl CoreError for BadRow {
    fn class(&self) -> &'static str {
        "PositionError"
    }
}

impl CoreError for BadAction {
    fn class(&self) -> &'static str {
        "IllegalMoveError"
    }
}

impl CoreError for BadFeatures {
    fn class(&self) -> &'static str {
        "PositionError"
    }
}

impl CoreError for BadTable {
    fn class(&self) -> &'static str {
        "FormatError"
    }
}

impl CoreError for BadNetwork {
    fn class(&self) -> &'static str {
        "FormatError"
    }
}

impl CoreError for NoMove {
    fn class(&self) -> &'static str {
        "EngineError"
    }
}
