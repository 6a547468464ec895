//! Games in files and records, as numbers.

use numpy::{
    IntoPyArray, PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray3,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyBytes, PyString};

use super::batch::{Done, Pieces, not_contiguous, run};
use super::convert::{move_at, text_of};
use super::error::{exception, no_threads};
use crate::batch::{self, Cells, Plies, Record};
use crate::record::{self, SgfGame};
use crate::types::{BOARD_POINTS, BOARD_SIZE, Point};

/// The moves of a game: a text, or the bytes of their numbers.
#[derive(FromPyObject)]
pub enum RecordObject {
    Text(PyBackedStr),
    Numbers(PyBackedBytes),
}

impl RecordObject {
    fn record(&self) -> Record<'_> {
        match self {
            RecordObject::Text(text) => Record::Text(text),
            RecordObject::Numbers(codes) => Record::Numbers(codes),
        }
    }
}

/// Boards and turns of move records.
#[pyfunction]
pub fn parse<'py>(
    py: Python<'py>,
    records: Vec<RecordObject>,
    referee: bool,
    mut boards: PyReadwriteArray3<'_, i8>,
    mut turns: PyReadwriteArray1<'_, i8>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let (cells, _) = boards.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<BOARD_POINTS>();
    let turns = turns.as_slice_mut().map_err(not_contiguous)?;
    let mut outputs: Vec<(&mut Cells, &mut i8)> = cells.iter_mut().zip(turns).collect();
    let records: Vec<Record<'_>> = records.iter().map(RecordObject::record).collect();
    run(py, "records", &records, &mut outputs, threads, |record, (cells, turn)| {
        batch::parse(*record, referee, cells, turn)
    })
}

/// Boards, turns, index of the record, ply, move played, outcome code and that of the record, of every position;
/// the moves of all records, and where those of each record end.
type Positions<'py> = (
    Bound<'py, PyArray3<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u16>>,
    Bound<'py, PyArray1<i16>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u8>>,
    Bound<'py, PyArray1<i64>>,
);

/// All positions of games with a ply from `first` to `last`, or their last ones only; and the exceptions of
/// the records that give none, by their index.
#[pyfunction]
pub fn expand<'py>(
    py: Python<'py>,
    records: Vec<RecordObject>,
    referee: bool,
    first: usize,
    last: usize,
    only_last: bool,
    threads: usize,
) -> PyResult<(Positions<'py>, Vec<(usize, PyErr)>)> {
    let (all, signal) = py.detach(|| {
        let records: Vec<Record<'_>> = records.iter().map(RecordObject::record).collect();
        let mut signal = None;
        let go_on = |_| {
            signal = Python::attach(|py| py.check_signals()).err();
            signal.is_none()
        };
        (batch::expand(&records, referee, Plies { first, last, only_last }, threads, go_on), signal)
    });
    if let Some(signal) = signal {
        return Err(signal);
    }
    let all = all.map_err(|error| no_threads(&error))?.expect("only a signal ends it early");
    let count = all.boards.len();
    let boards = all.boards.into_flattened().into_pyarray(py).reshape([count, BOARD_SIZE, BOARD_SIZE])?;
    let positions = (
        boards,
        all.turns.into_pyarray(py),
        all.games.into_pyarray(py),
        all.plies.into_pyarray(py),
        all.played.into_pyarray(py),
        all.outcomes.into_pyarray(py),
        all.results.into_pyarray(py),
        all.moves.into_pyarray(py),
        all.ends.into_pyarray(py),
    );
    let errors = all.errors.iter().map(|(index, error)| (*index, exception(py, "", error))).collect();
    Ok((positions, errors))
}

/// The compact texts of the first `counts` moves from `starts` on, one after the other, and where each ends;
/// the text of a start below zero is empty.
#[pyfunction]
pub fn prefixes<'py>(
    py: Python<'py>,
    moves: PyReadonlyArray1<'_, u8>,
    starts: PyReadonlyArray1<'_, i64>,
    counts: PyReadonlyArray1<'_, i64>,
) -> PyResult<Pieces<'py>> {
    let moves = moves.as_slice().map_err(not_contiguous)?;
    let moves = moves.iter().map(|&code| move_at(code.into())).collect::<PyResult<Vec<_>>>()?;
    let starts = starts.as_slice().map_err(not_contiguous)?;
    let counts = counts.as_slice().map_err(not_contiguous)?;
    let part = |(&start, &count): (&i64, &i64)| {
        let start = usize::try_from(start).ok()?;
        Some(start..start.checked_add(usize::try_from(count).ok()?)?)
    };
    let parts: Vec<_> = starts.iter().zip(counts).map(part).map(Option::unwrap_or_default).collect();
    if parts.len() != counts.len() || parts.iter().any(|part| part.end > moves.len()) {
        return Err(PyIndexError::new_err("a part is not within the moves"));
    }
    let (texts, ends) = py.detach(|| batch::prefixes(&moves, parts.into_iter()));
    Ok((texts.into_pyarray(py), ends.into_pyarray(py)))
}

/// The plain games of a text of SGF, and the place of what is not plain.
#[pyclass(name = "SgfLines", module = "renju._native")]
pub struct NativeSgfLines {
    text: String,
    /// Bytes of the text that were read.
    byte: usize,
    /// Characters of the text that were read.
    character: usize,
}

#[pymethods]
impl NativeSgfLines {
    #[new]
    fn new(text: &Bound<'_, PyString>) -> PyResult<NativeSgfLines> {
        Ok(NativeSgfLines { text: text_of(text)?.to_owned(), byte: 0, character: 0 })
    }

    /// The main lines of the next plain games, at most `most` of them. With fewer of them the text is at its end, or
    /// what follows is for the full reader.
    fn take<'py>(&mut self, py: Python<'py>, most: usize) -> Vec<Bound<'py, PyBytes>> {
        let lines = py.detach(|| {
            let mut lines = Vec::new();
            while lines.len() < most
                && let SgfGame::Plain(line, end) = record::next_sgf_game(&self.text, self.byte)
            {
                self.character += self.text[self.byte..end].chars().count();
                self.byte = end;
                lines.push(line);
            }
            lines
        });
        lines.iter().map(|line| numbers(py, line)).collect()
    }

    /// How many characters of the text were read.
    #[getter]
    fn place(&self) -> usize {
        self.character
    }

    /// Goes on behind the first `place` characters of the text, which are no fewer than were read.
    #[setter]
    fn set_place(&mut self, place: usize) -> PyResult<()> {
        let behind = || PyIndexError::new_err("the place is not in the rest of the text");
        let rest = &self.text[self.byte..];
        let count = place.checked_sub(self.character).ok_or_else(behind)?;
        let ends = rest.char_indices().map(|(byte, _)| byte).chain([rest.len()]).nth(count);
        self.byte += ends.ok_or_else(behind)?;
        self.character = place;
        Ok(())
    }
}

/// The moves of a plain .psq file; `None` if it is for the full reader.
#[pyfunction]
pub fn psq_line<'py>(text: &Bound<'py, PyString>) -> PyResult<Option<Bound<'py, PyBytes>>> {
    Ok(record::psq_line(text_of(text)?).map(|line| numbers(text.py(), &line)))
}

fn numbers<'py>(py: Python<'py>, line: &[Point]) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &line.iter().map(|point| point.index() as u8).collect::<Vec<_>>())
}
