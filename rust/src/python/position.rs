use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use super::convert::{color_at, move_at, point_at, symmetry_at, text_of};
use super::error::{OrRaise, exception};
use crate::batch::{Cells, stones_of, write_cells};
use crate::board::{Problem, Setup, SetupError, Stones};
use crate::record::{self, Diagram};
use crate::rules::{Explanation, ExtensionFlaw, Outcome, Position};
use crate::threats::Survey;
use crate::types::{BOARD_POINTS, Bitboard, Color, Move, Point};

/// A game in progress, as numbers: points 0..224, pass 225, colours 1 and 2.
#[pyclass(name = "Position", module = "renju._native")]
pub struct NativePosition {
    /// Boxed, because Python's allocator does not align it (`fits_python_memory`).
    inner: Box<Position>,
}

impl From<Position> for NativePosition {
    fn from(position: Position) -> NativePosition {
        NativePosition { inner: Box::new(position) }
    }
}

/// Winner (0 in a draw), reason, points of the line.
type OutcomeTuple = (u8, &'static str, Vec<usize>);

impl NativePosition {
    /// The stones on the board.
    pub fn stones(&self) -> &Stones {
        self.inner.stones()
    }
}

fn outcome_tuple(outcome: Option<&Outcome>) -> Option<OutcomeTuple> {
    outcome
        .map(|o| (o.winner.map_or(0, |color| color as u8), o.reason.name(), indices(o.line.iter().copied())))
}

fn indices(points: impl IntoIterator<Item = Point>) -> Vec<usize> {
    points.into_iter().map(Point::index).collect()
}

fn set_indices(set: Bitboard) -> Vec<usize> {
    indices(set.points())
}

#[pymethods]
impl NativePosition {
    #[new]
    fn new(referee: bool, move_limit: Option<usize>) -> NativePosition {
        Position::new(referee, move_limit).into()
    }

    /// A set-up. Each entry of a list is a point's index, or a text that says why it is none; all
    /// problems are raised together.
    #[staticmethod]
    fn from_stones(
        py: Python<'_>,
        black: Vec<PointOrFault>,
        white: Vec<PointOrFault>,
        turn: Option<u8>,
    ) -> PyResult<NativePosition> {
        let mut problems = Vec::new();
        let mut points = |list: Vec<PointOrFault>, color| -> PyResult<Vec<Point>> {
            let mut points = Vec::with_capacity(list.len());
            for entry in list {
                match entry {
                    PointOrFault::Point(index) => points.push(point_at(index)?),
                    PointOrFault::Fault(reason) => problems.push(Problem::BadPoint { color, reason }),
                }
            }
            Ok(points)
        };
        let (black, white) = (points(black, Color::Black)?, points(white, Color::White)?);
        let setup = Setup { black, white, turn: turn.map(color_at).transpose()? };
        match (Position::from_setup(&setup), problems.is_empty()) {
            (Ok(position), true) => return Ok(position.into()),
            (Err(error), true) => problems = error.problems,
            (Ok(_), false) => {}
            // With points missing, the counts say nothing about the turn.
            (Err(error), false) => {
                let known = |problem: &Problem| !matches!(problem, Problem::UnclearTurn(_));
                problems.extend(error.problems.into_iter().filter(known));
            }
        }
        Err(setup_exception(py, SetupError { problems }))
    }

    /// From the 225 bytes of array cells.
    #[staticmethod]
    fn from_cells(py: Python<'_>, cells: &[u8], turn: Option<u8>) -> PyResult<NativePosition> {
        let cells: Cells = <[u8; BOARD_POINTS]>::try_from(cells)?.map(u8::cast_signed);
        from_stones(py, stones_of(&cells).or_raise(py)?, turn)
    }

    /// From a drawn board.
    #[staticmethod]
    fn from_text(py: Python<'_>, text: &Bound<'_, PyString>, turn: Option<u8>) -> PyResult<NativePosition> {
        let Diagram { black, white } = record::parse_diagram(text_of(text)?).or_raise(py)?;
        from_stones(py, Stones::new(black, white).expect("a drawn cell shows one stone"), turn)
    }

    fn play(&mut self, py: Python<'_>, index: usize) -> PyResult<Option<OutcomeTuple>> {
        self.inner.play(move_at(index)?).or_raise(py)?;
        Ok(outcome_tuple(self.inner.outcome()))
    }

    fn play_all(&mut self, py: Python<'_>, moves: Vec<usize>) -> PyResult<()> {
        let moves = moves.into_iter().map(move_at).collect::<PyResult<Vec<_>>>()?;
        self.inner.play_all(&moves).or_raise(py)
    }

    fn undo(&mut self) -> Option<usize> {
        self.inner.undo().map(Move::index)
    }

    fn copy(&self) -> NativePosition {
        Position::clone(&self.inner).into()
    }

    fn transformed(&self, k: usize) -> PyResult<NativePosition> {
        Ok(self.inner.transformed(symmetry_at(k)?).into())
    }

    fn moves(&self) -> Vec<usize> {
        self.inner.moves().map(Move::index).collect()
    }

    fn record(&self) -> String {
        record::print_moves(&self.inner.moves().collect::<Vec<_>>())
    }

    fn text(&self) -> String {
        record::print_diagram(&self.inner.stones().diagram())
    }

    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        bytes(py, self.inner.stones())
    }

    /// Cells and turn before the first move.
    fn start<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, u8) {
        let (stones, turn) = self.inner.start();
        (bytes(py, stones), turn as u8)
    }

    #[getter]
    fn turn(&self) -> u8 {
        self.inner.turn() as u8
    }

    #[getter]
    fn ply(&self) -> usize {
        self.inner.ply()
    }

    #[getter]
    fn referee(&self) -> bool {
        self.inner.referee()
    }

    #[getter]
    fn move_limit(&self) -> Option<usize> {
        self.inner.move_limit()
    }

    #[getter]
    fn key(&self) -> u64 {
        self.inner.key()
    }

    /// The smallest key of the eight images, and the symmetry that gives it.
    fn symmetric_key(&self) -> (u64, usize) {
        let (key, symmetry) = self.inner.stones().symmetric_key(self.inner.turn());
        (key, symmetry.index())
    }

    fn outcome(&self) -> Option<OutcomeTuple> {
        outcome_tuple(self.inner.outcome())
    }

    fn is_legal(&self, index: usize) -> PyResult<bool> {
        Ok(self.inner.is_legal(move_at(index)?))
    }

    fn legal_points(&self) -> Vec<usize> {
        set_indices(self.inner.legal_points())
    }

    fn forbidden_kind(&self, index: usize) -> PyResult<u8> {
        Ok(self.inner.forbidden_kind(point_at(index)?) as u8)
    }

    fn forbidden_points(&self) -> Vec<(usize, u8)> {
        self.inner.forbidden_points().iter().map(|(point, kind)| (point.index(), kind as u8)).collect()
    }

    /// `None` if the point is occupied; else point, kind, five?, lines.
    fn explain<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.inner.explain(point_at(index)?).map(|why| explanation(py, &why)).transpose()
    }

    /// Fives, open fours, fours, double fours, four-threes, threes of a colour.
    fn threats(&self, color: u8) -> PyResult<[Vec<usize>; 6]> {
        let survey = Survey::of(self.inner.stones(), color_at(color)?);
        let sets = [
            survey.fives(),
            survey.open_fours(),
            survey.fours(),
            survey.double_fours(),
            survey.four_threes(),
            survey.threes(),
        ];
        Ok(sets.map(set_indices))
    }

    fn __eq__(&self, other: &NativePosition) -> bool {
        self.inner == other.inner
    }

    fn __hash__(&self) -> u64 {
        self.inner.key()
    }
}

/// A point's index, or what is wrong with it.
#[derive(FromPyObject)]
enum PointOrFault {
    Point(usize),
    Fault(String),
}

fn bytes<'py>(py: Python<'py>, stones: &Stones) -> Bound<'py, PyBytes> {
    let mut cells = [0; BOARD_POINTS];
    write_cells(stones, &mut cells);
    PyBytes::new(py, &cells.map(i8::cast_unsigned))
}

fn from_stones(py: Python<'_>, stones: Stones, turn: Option<u8>) -> PyResult<NativePosition> {
    let turn = turn.map(color_at).transpose()?;
    Ok(Position::from_stones(stones, turn).map_err(|error| setup_exception(py, error))?.into())
}

/// The exception with all problems in `problems`.
fn setup_exception(py: Python<'_>, error: SetupError) -> PyErr {
    let raised = exception(py, "", &error);
    let problems = PyTuple::new(py, error.problems.iter().map(ToString::to_string));
    match problems.and_then(|problems| raised.value(py).setattr("problems", problems)) {
        Ok(()) => raised,
        Err(failed) => failed,
    }
}

fn explanation<'py>(py: Python<'py>, why: &Explanation) -> PyResult<Bound<'py, PyTuple>> {
    let lines = PyList::empty(py);
    for line in &why.lines {
        let extensions = PyList::empty(py);
        for extension in &line.extensions {
            let flaw = match &extension.flaw {
                None => py.None().into_bound(py),
                Some(ExtensionFlaw::MakesFive) => "five".into_pyobject(py)?.into_any(),
                Some(ExtensionFlaw::Forbidden(nested)) => explanation(py, nested)?.into_any(),
            };
            extensions.append((extension.point.index(), flaw))?;
        }
        lines.append((
            line.direction.name(),
            line.class.to_string(),
            indices(line.stones.iter().copied()),
            indices(line.completions.iter().copied()),
            extensions,
        ))?;
    }
    (why.point.index(), why.kind as u8, why.makes_five, lines).into_pyobject(py)
}
