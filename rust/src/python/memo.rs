//! Results of positions that come again.

use std::sync::{Mutex, PoisonError};

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyReadwriteArray2};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use super::batch::{boards_of, not_contiguous};
use super::error::exception;
use crate::batch::{Cells, Memo, ToSearch};
use crate::types::Key;

/// The indices of the boards to search, and for each position the place of its result among those, or -1.
type ToSearchArrays<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// The memo of a run, which several threads may use.
#[pyclass(name = "Memo", module = "renju._native", frozen)]
pub struct NativeMemo {
    inner: Mutex<Memo>,
    sizes: Vec<usize>,
}

#[pymethods]
impl NativeMemo {
    /// A memo of about `most_bytes` bytes for jobs whose results have these sizes in bytes.
    #[new]
    fn new(most_bytes: usize, sizes: Vec<usize>) -> PyResult<NativeMemo> {
        if sizes.contains(&0) {
            return Err(PyValueError::new_err("a result without bytes"));
        }
        Ok(NativeMemo { inner: Mutex::new(Memo::new(most_bytes, sizes.clone())), sizes })
    }

    /// Fills in the results of the boards `wanted` that are known; which are to be searched, and for each board the
    /// place of its result among those, or -1 where it was filled in.
    fn find<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, i8>,
        keys: PyReadonlyArray1<'py, u64>,
        wanted: PyReadonlyArray1<'py, i64>,
        mut results: Vec<PyReadwriteArray2<'py, u8>>,
    ) -> PyResult<ToSearchArrays<'py>> {
        let (boards, keys) = positions(&boards, &keys)?;
        let wanted = indices(wanted.as_slice().map_err(not_contiguous)?, boards.len())?;
        let mut results = self.results(&mut results, wanted.len())?;
        let found = py.detach(|| {
            let memo = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            memo.find(boards, keys, &wanted, &mut results)
        });
        let found = found.map_err(|(row, error)| exception(py, &format!("boards[{row}]: "), &error))?;
        let sources = found.sources.iter().map(|source| source.map_or(-1, |n| n as i64)).collect::<Vec<_>>();
        let rows = found.rows.iter().map(|&row| row as i64).collect::<Vec<_>>();
        Ok((rows.into_pyarray(py), sources.into_pyarray(py)))
    }

    /// Remembers the results `new` of what was to be searched, and fills them in for all boards that were asked for.
    #[expect(clippy::too_many_arguments, reason = "what `find` was given and gave, and the results")]
    fn add<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray3<'py, i8>,
        keys: PyReadonlyArray1<'py, u64>,
        rows: PyReadonlyArray1<'py, i64>,
        sources: PyReadonlyArray1<'py, i64>,
        new: Vec<PyReadonlyArray2<'py, u8>>,
        mut results: Vec<PyReadwriteArray2<'py, u8>>,
    ) -> PyResult<()> {
        let (boards, keys) = positions(&boards, &keys)?;
        let rows = indices(rows.as_slice().map_err(not_contiguous)?, boards.len())?;
        let sources = sources.as_slice().map_err(not_contiguous)?;
        let sources = sources.iter().map(|&source| {
            let place = usize::try_from(source).ok();
            if place.is_some_and(|place| place >= rows.len()) { Err(outside(source)) } else { Ok(place) }
        });
        let sources = sources.collect::<PyResult<Vec<_>>>()?;
        let mut results = self.results(&mut results, sources.len())?;
        let new: Vec<&[u8]> =
            new.iter().map(|array| array.as_slice().map_err(not_contiguous)).collect::<PyResult<_>>()?;
        check_sizes(&self.sizes, new.iter().map(|bytes| bytes.len()), rows.len())?;
        py.detach(|| {
            let searched = ToSearch { rows, sources };
            let mut memo = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            memo.add(boards, keys, &searched, &new, &mut results)
        })
        .map_err(|(row, error)| exception(py, &format!("boards[{row}]: "), &error))
    }
}

impl NativeMemo {
    /// The bytes of the results of each job, of which there are as many as positions.
    fn results<'a>(
        &self,
        arrays: &'a mut [PyReadwriteArray2<'_, u8>],
        positions: usize,
    ) -> PyResult<Vec<&'a mut [u8]>> {
        let slices = arrays.iter_mut().map(|array| array.as_slice_mut().map_err(not_contiguous));
        let slices = slices.collect::<PyResult<Vec<_>>>()?;
        check_sizes(&self.sizes, slices.iter().map(|bytes| bytes.len()), positions)?;
        Ok(slices)
    }
}

fn check_sizes(
    sizes: &[usize],
    given: impl ExactSizeIterator<Item = usize>,
    positions: usize,
) -> PyResult<()> {
    if given.len() == sizes.len() && given.zip(sizes).all(|(bytes, size)| bytes == size * positions) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("the results are not those of {positions} positions")))
}

fn positions<'a>(
    boards: &'a PyReadonlyArray3<'_, i8>,
    keys: &'a PyReadonlyArray1<'_, u64>,
) -> PyResult<(&'a [Cells], &'a [Key])> {
    let (boards, keys) = (boards_of(boards)?, keys.as_slice().map_err(not_contiguous)?);
    if boards.len() != keys.len() {
        return Err(PyValueError::new_err(format!("{} boards but {} keys", boards.len(), keys.len())));
    }
    Ok((boards, keys))
}

fn indices(numbers: &[i64], count: usize) -> PyResult<Vec<usize>> {
    let index = |&n| usize::try_from(n).ok().filter(|&n| n < count).ok_or_else(|| outside(n));
    numbers.iter().map(index).collect()
}

fn outside(index: i64) -> PyErr {
    PyIndexError::new_err(format!("index {index} is outside the arrays"))
}
