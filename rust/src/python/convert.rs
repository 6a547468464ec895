use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::error::{NotUnicode, OrRaise};
use crate::batch::BadCell;
use crate::batch::row::FieldLayout;
use crate::board::UnclearTurn;
use crate::record;
use crate::types::{Color, Move, Point, Symmetry};

/// The move with an index that Python has checked already.
pub fn move_at(index: usize) -> PyResult<Move> {
    Move::from_index(index).ok_or_else(|| PyIndexError::new_err(format!("{index} is no move (0..225)")))
}

/// The point with an index that Python has checked already.
pub fn point_at(index: usize) -> PyResult<Point> {
    Point::from_index(index).ok_or_else(|| PyIndexError::new_err(format!("{index} is no point (0..224)")))
}

/// The symmetry with a number that Python has checked already.
pub fn symmetry_at(k: usize) -> PyResult<Symmetry> {
    Symmetry::new(k).ok_or_else(|| PyIndexError::new_err(format!("{k} is no symmetry (0..7)")))
}

/// The colour with a code that Python has checked already.
pub fn color_at(code: u8) -> PyResult<Color> {
    Color::from_code(code).ok_or_else(|| PyIndexError::new_err(format!("{code} is no colour (1, 2)")))
}

/// The fields of an array's rows as `numpy.dtype` takes them: name, type and shape of each.
pub fn layout<'py>(py: Python<'py>, fields: &[FieldLayout]) -> PyResult<Bound<'py, PyTuple>> {
    let rows = fields.iter().map(|field| {
        // A name that is a word of Rust is written with a mark there.
        let name = field.name.trim_start_matches("r#");
        Ok((name, field.code, PyTuple::new(py, field.shape)?))
    });
    PyTuple::new(py, rows.collect::<PyResult<Vec<_>>>()?)
}

/// The characters of a Python string.
pub fn text_of<'a>(text: &'a Bound<'_, PyString>) -> PyResult<&'a str> {
    text.to_str().map_err(|_| NotUnicode).or_raise(text.py())
}

/// The indices of the moves in a text.
#[pyfunction]
pub fn parse_moves(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<Vec<usize>> {
    let moves = record::parse_moves(text_of(text)?).or_raise(py)?;
    Ok(moves.into_iter().map(Move::index).collect())
}

/// The index of the one point (or pass) in a text.
#[pyfunction]
pub fn parse_point(py: Python<'_>, text: &Bound<'_, PyString>) -> PyResult<usize> {
    record::parse_move(text_of(text)?).map(Move::index).or_raise(py)
}

/// What is wrong with a cell of an array that holds this code.
#[pyfunction]
pub fn bad_cell(index: usize, code: i128) -> PyResult<String> {
    Ok(BadCell { cell: point_at(index)?, code }.to_string())
}

/// What is wrong with so many stones where nobody says whose turn it is.
#[pyfunction]
pub fn unclear_turn(black: usize, white: usize) -> String {
    UnclearTurn { black, white }.to_string()
}

/// Where a point goes under symmetry `k`; a pass stays a pass.
#[pyfunction]
pub fn transform_point(index: usize, k: usize) -> PyResult<usize> {
    Ok(symmetry_at(k)?.apply(move_at(index)?).index())
}
