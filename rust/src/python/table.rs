//! Tables of columns as files.

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyBytes;

use super::batch::not_contiguous;
use crate::batch::csv::{self, Column, Values};

/// What the rows of a column hold, as [`Values`] has it.
#[derive(FromPyObject)]
pub enum ValuesObject<'py> {
    Signed(PyReadonlyArray1<'py, i64>),
    Unsigned(PyReadonlyArray1<'py, u64>),
    Pieces(PyReadonlyArray1<'py, u8>, PyReadonlyArray1<'py, i64>),
    Words(Vec<PyBackedBytes>, PyReadonlyArray1<'py, i64>, Option<PyReadonlyArray1<'py, i64>>),
}

impl ValuesObject<'_> {
    fn values(&self) -> PyResult<Values<'_>> {
        Ok(match self {
            ValuesObject::Signed(numbers) => Values::Signed(slice(numbers)?),
            ValuesObject::Unsigned(numbers) => Values::Unsigned(slice(numbers)?),
            ValuesObject::Pieces(text, ends) => Values::Pieces { text: slice(text)?, ends: slice(ends)? },
            ValuesObject::Words(words, numbers, ends) => Values::Words {
                words: words.iter().map(|word| &**word).collect(),
                numbers: slice(numbers)?,
                ends: ends.as_ref().map(slice).transpose()?,
            },
        })
    }
}

fn slice<'a, T: numpy::Element>(array: &'a PyReadonlyArray1<'_, T>) -> PyResult<&'a [T]> {
    array.as_slice().map_err(not_contiguous)
}

/// The name of a column, what its rows hold, and the rows that are null.
type ColumnObject<'py> = (PyBackedStr, ValuesObject<'py>, Option<PyReadonlyArray1<'py, bool>>);

/// A table as comma-separated values, made without the GIL.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "the arguments of a Python call are made for it")]
pub fn csv_table<'py>(py: Python<'py>, columns: Vec<ColumnObject<'py>>) -> PyResult<Bound<'py, PyBytes>> {
    let columns = columns.iter().map(|(name, values, is_null)| {
        Ok(Column { name, values: values.values()?, is_null: is_null.as_ref().map(slice).transpose()? })
    });
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let text =
        py.detach(|| csv::table(&columns)).map_err(|error| PyIndexError::new_err(error.to_string()))?;
    Ok(PyBytes::new(py, &text))
}
