//! Games side by side, and positions as planes.

use numpy::{
    IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2,
    PyReadwriteArray3, PyReadwriteArray4,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::batch::{Done, not_contiguous, run};
use super::bounds::within;
use super::convert::{move_at, symmetry_at};
use super::error::{OrRaise, exception};
use crate::batch::Item;
use crate::learn::{ACTIONS, Arena, BadFeatures, Ending, Features, PLANES, RecordRow, View};
use crate::rules::Reason;
use crate::types::{BOARD_POINTS, Move, Symmetry};

/// Games of one arena: a step of that number of games still ends within a fifth of a second.
pub const MOST_GAMES: usize = 1 << 16;

/// The code of a draw where a winner is told.
const DRAW: i8 = 3;

/// Many games that are stepped together.
#[pyclass(name = "Arena", module = "renju._native")]
pub struct NativeArena {
    inner: Arena,
}

/// The arrays in which the states of all games are kept.
struct Views<'a> {
    cells: &'a mut [[i8; BOARD_POINTS]],
    turns: &'a mut [i8],
    planes: &'a mut [[u8; 3 * BOARD_POINTS]],
    masks: &'a mut [[i8; ACTIONS]],
}

impl Views<'_> {
    fn check(&self, count: usize) -> PyResult<()> {
        let lengths = [self.cells.len(), self.turns.len(), self.planes.len(), self.masks.len()];
        if lengths == [count; 4] {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("{count} games but {lengths:?} rows")))
    }

    fn write(&mut self, arena: &Arena, slot: usize) {
        let view = View {
            cells: &mut self.cells[slot],
            turn: &mut self.turns[slot],
            planes: &mut self.planes[slot],
            mask: &mut self.masks[slot],
        };
        arena.write(slot, view);
    }
}

/// The rows of the four arrays, each as long as its type says.
macro_rules! views {
    ($boards:ident, $turns:ident, $planes:ident, $masks:ident) => {
        Views {
            cells: $boards.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut().0,
            turns: $turns.as_slice_mut().map_err(not_contiguous)?,
            planes: $planes.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut().0,
            masks: $masks.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut().0,
        }
    };
}

#[pymethods]
impl NativeArena {
    #[new]
    fn new(
        py: Python<'_>,
        count: usize,
        openings: Vec<Vec<usize>>,
        seed: u64,
        move_limit: Option<usize>,
    ) -> PyResult<NativeArena> {
        within("count", count, 1, MOST_GAMES)?;
        let openings = openings
            .iter()
            .map(|moves| moves.iter().map(|&index| move_at(index)).collect())
            .collect::<PyResult<Vec<Vec<Move>>>>()?;
        Ok(NativeArena { inner: Arena::new(count, &openings, seed, move_limit).or_raise(py)? })
    }

    /// Begins the games anew that are `wanted`, and writes the states of all games.
    fn begin(
        &mut self,
        wanted: PyReadonlyArray1<'_, bool>,
        mut boards: PyReadwriteArray3<'_, i8>,
        mut turns: PyReadwriteArray1<'_, i8>,
        mut planes: PyReadwriteArray4<'_, u8>,
        mut masks: PyReadwriteArray2<'_, i8>,
    ) -> PyResult<()> {
        let mut views = views!(boards, turns, planes, masks);
        views.check(self.inner.len())?;
        let wanted = wanted.as_slice().map_err(not_contiguous)?;
        check_length("flags", wanted.len(), self.inner.len())?;
        for (slot, &is_wanted) in wanted.iter().enumerate() {
            if is_wanted {
                self.inner.begin(slot);
            }
            views.write(&self.inner, slot);
        }
        Ok(())
    }

    /// Takes an action in every game, -1 for none, and writes the new states, those of games that began anew
    /// included; and of games that ended who won (1, 2, 3 for a draw), the number of the reason (from 1) and the
    /// number of moves. `ends` holds the three of each game, 0 if it goes on.
    #[expect(clippy::too_many_arguments, reason = "each is an array of one Python call")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i16>,
        mut boards: PyReadwriteArray3<'_, i8>,
        mut turns: PyReadwriteArray1<'_, i8>,
        mut planes: PyReadwriteArray4<'_, u8>,
        mut masks: PyReadwriteArray2<'_, i8>,
        mut ends: PyReadwriteArray2<'_, i16>,
    ) -> PyResult<()> {
        let mut views = views!(boards, turns, planes, masks);
        views.check(self.inner.len())?;
        let actions = actions.as_slice().map_err(not_contiguous)?;
        let ends = ends.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut::<3>().0;
        check_length("actions", actions.len(), self.inner.len())?;
        check_length("ends", ends.len(), self.inner.len())?;
        let inner = &mut self.inner;
        let stepped = py.detach(|| {
            let endings = inner.step(actions)?;
            for (slot, (ending, &action)) in endings.iter().zip(actions).enumerate() {
                ends[slot] = ending.as_ref().map_or([0; 3], end_codes);
                if action != Arena::NO_ACTION {
                    views.write(inner, slot);
                }
            }
            Ok(())
        });
        stepped.map_err(|(slot, error): (usize, _)| exception(py, &format!("actions[{slot}]: "), &error))
    }

    /// A random legal action of every game that is `wanted`, -1 of the others.
    fn sample<'py>(
        &mut self,
        py: Python<'py>,
        wanted: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let wanted = wanted.as_slice().map_err(not_contiguous)?;
        check_length("flags", wanted.len(), self.inner.len())?;
        let inner = &mut self.inner;
        Ok(py.detach(|| inner.sample(wanted)).into_pyarray(py))
    }
}

fn end_codes(ending: &Ending) -> [i16; 3] {
    let reason = Reason::ALL.iter().position(|&reason| reason == ending.reason).expect("one of all reasons");
    [ending.winner.map_or(DRAW, |winner| winner as i8).into(), reason as i16 + 1, ending.plies as i16]
}

fn check_length(name: &str, found: usize, wanted: usize) -> PyResult<()> {
    if found == wanted {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{found} {name} but {wanted} games")))
}

/// One position to write: its planes, its legal actions, the move to learn (-1 for none), and its value with
/// whether that is known.
type FeatureRow<'a> =
    (&'a mut [u8; PLANES * BOARD_POINTS], &'a mut [i8; ACTIONS], &'a mut i64, &'a mut f32, &'a mut bool);

/// Writes what is learned from records: the bytes of rows, each turned by its symmetry first.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is an array of one Python call")]
pub fn write_features<'py>(
    py: Python<'py>,
    records: PyReadonlyArray2<'_, u8>,
    symmetries: PyReadonlyArray1<'_, u8>,
    mut planes: PyReadwriteArray4<'_, u8>,
    mut masks: PyReadwriteArray2<'_, i8>,
    mut moves: PyReadwriteArray1<'_, i64>,
    mut values: PyReadwriteArray1<'_, f32>,
    mut known: PyReadwriteArray1<'_, bool>,
    threads: usize,
) -> PyResult<Done<'py>> {
    let (rows, _) = records.as_slice().map_err(not_contiguous)?.as_chunks::<{ RecordRow::BYTES }>();
    let symmetries = symmetries.as_slice().map_err(not_contiguous)?;
    let symmetries =
        symmetries.iter().map(|&k| symmetry_at(k.into())).collect::<PyResult<Vec<Symmetry>>>()?;
    let inputs: Vec<_> = rows.iter().zip(symmetries).collect();
    let planes = planes.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut().0;
    let masks = masks.as_slice_mut().map_err(not_contiguous)?.as_chunks_mut().0;
    let moves = moves.as_slice_mut().map_err(not_contiguous)?;
    let values = values.as_slice_mut().map_err(not_contiguous)?;
    let known = known.as_slice_mut().map_err(not_contiguous)?;
    let together = planes.iter_mut().zip(masks).zip(moves).zip(values).zip(known);
    let mut outputs: Vec<FeatureRow<'_>> = together.map(|((((p, m), mv), v), k)| (p, m, mv, v, k)).collect();
    run(
        py,
        "records",
        &inputs,
        &mut outputs,
        threads,
        |&(row, symmetry), (planes, mask, mv, value, is_known)| {
            let features = Features::of(&RecordRow::decode(row))?.image(symmetry);
            features.write(planes, mask);
            **mv = features.played.map_or(-1, |mv| mv.index() as i64);
            (**value, **is_known) = (features.value.unwrap_or(0).into(), features.value.is_some());
            Ok::<_, BadFeatures>(Item::Done)
        },
    )
}
