use std::cell::RefCell;

use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use super::batch::not_contiguous;
use super::bounds::within;
use super::error::{exception, no_threads};
use crate::lab::{self, Halt, Lesson, Measures, SampleBytes, SampleRow, Trainer};
use crate::network::Network;

/// The most threads of a trainer.
const MOST_THREADS: usize = 256;

/// A network that learns.
#[pyclass(name = "Trainer", module = "renju._native")]
pub struct NativeTrainer {
    inner: Trainer,
}

#[pymethods]
impl NativeTrainer {
    /// A network that knows nothing but the table of values; with `start` one that goes on from the network of a
    /// file with these bytes; with `state` and `steps` one that was being taught before.
    #[new]
    #[pyo3(signature = (*, seed, threads, start, state, steps))]
    fn new(
        py: Python<'_>,
        seed: u64,
        threads: usize,
        start: Option<&[u8]>,
        state: Option<PyReadonlyArray1<'_, f32>>,
        steps: u32,
    ) -> PyResult<NativeTrainer> {
        let threads = within("threads", threads, 0, MOST_THREADS)?;
        let trainer = match (state, start) {
            (None, None) => Trainer::new(seed, threads).map(Some),
            (None, Some(start)) => {
                let network = Network::from_bytes(start).map_err(|error| exception(py, "start: ", &error))?;
                Trainer::start(&network, threads).map(Some)
            }
            (Some(state), _) => {
                Trainer::resume(state.as_slice().map_err(not_contiguous)?.to_vec(), steps, threads)
            }
        };
        let not_one = || PyValueError::new_err("these are not the numbers of a network that learns");
        let inner = trainer.map_err(|halt| halted(&halt))?.ok_or_else(not_one)?;
        Ok(NativeTrainer { inner })
    }

    /// Learns from the positions of these numbers, in this order, `batch` of them a step of size `rate`. Returns
    /// sums of losses; Ctrl-C keeps the steps that were taken.
    #[pyo3(signature = (positions, order, *, batch, rate, result_share, score_scale, policy_weight, draw_weight))]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
    fn learn<'py>(
        &mut self,
        py: Python<'py>,
        positions: PyReadonlyArray2<'_, u8>,
        order: PyReadonlyArray1<'_, u32>,
        batch: usize,
        rate: f32,
        result_share: f32,
        score_scale: f32,
        policy_weight: f32,
        draw_weight: f32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let lesson = Lesson { result_share, score_scale, policy_weight, draw_weight };
        let inner = &mut self.inner;
        watched(py, &positions, &order, |rows, order, go_on| {
            inner.learn(rows, order, (batch, rate), &lesson, go_on)
        })
    }

    /// Measures the network on the positions of these numbers, in sums.
    #[pyo3(signature = (positions, order, *, result_share, score_scale))]
    fn measure<'py>(
        &mut self,
        py: Python<'py>,
        positions: PyReadonlyArray2<'_, u8>,
        order: PyReadonlyArray1<'_, u32>,
        result_share: f32,
        score_scale: f32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let lesson = Lesson { result_share, score_scale, policy_weight: 0.0, draw_weight: 0.0 };
        let inner = &mut self.inner;
        watched(py, &positions, &order, |rows, order, go_on| inner.measure(rows, order, &lesson, go_on))
    }

    /// The bytes of the network as a file, with this recipe.
    fn network<'py>(&self, py: Python<'py>, recipe: String) -> PyResult<Bound<'py, PyBytes>> {
        let network = self.inner.network(recipe);
        let network = network.ok_or_else(|| PyValueError::new_err("a number of the network is too great"))?;
        Ok(PyBytes::new(py, &network.to_bytes()))
    }

    /// All that the next step depends on, but for the number of steps.
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        self.inner.state().to_vec().into_pyarray(py)
    }

    /// The number of steps taken.
    fn steps(&self) -> u32 {
        self.inner.steps()
    }
}

/// The bytes of the file of the network that comes with the package.
#[pyfunction]
pub fn shipped_network(py: Python<'_>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &Network::shipped().to_bytes())
}

/// Key: position; value: a number that games from one opening, or from an image of it, have in common.
#[pyfunction]
pub fn opening_keys<'py>(
    py: Python<'py>,
    positions: PyReadonlyArray2<'_, u8>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let rows = sample_rows(&positions)?;
    let keys = py.detach(|| lab::opening_keys(rows));
    let keys = keys.map_err(|(index, error)| exception(py, &format!("positions[{index}]: "), &error))?;
    Ok(keys.into_pyarray(py))
}

fn sample_rows<'a>(positions: &'a PyReadonlyArray2<'_, u8>) -> PyResult<&'a [SampleBytes]> {
    let (rows, rest) = positions.as_slice().map_err(not_contiguous)?.as_chunks::<{ SampleRow::BYTES }>();
    if !rest.is_empty() {
        return Err(PyValueError::new_err("these are not the bytes of positions"));
    }
    Ok(rows)
}

/// Works without the GIL and looks for signals after every step.
fn watched<'py>(
    py: Python<'py>,
    positions: &PyReadonlyArray2<'_, u8>,
    order: &PyReadonlyArray1<'_, u32>,
    work: impl FnOnce(&[SampleBytes], &[u32], &mut dyn FnMut() -> bool) -> Result<Measures, Halt> + Send,
) -> PyResult<Bound<'py, PyDict>> {
    let rows = sample_rows(positions)?;
    let order = order.as_slice().map_err(not_contiguous)?;
    if let Some(index) = order.iter().find(|&&index| index as usize >= rows.len()) {
        return Err(PyValueError::new_err(format!("order names position {index} of {}", rows.len())));
    }
    let (done, signal) = py.detach(|| {
        let signal = RefCell::new(None);
        let mut go_on = || {
            *signal.borrow_mut() = Python::attach(|py| py.check_signals()).err();
            signal.borrow().is_none()
        };
        (work(rows, order, &mut go_on), signal.into_inner())
    });
    match (signal, done) {
        (Some(error), _) => Err(error),
        (None, Ok(measures)) => measures_dict(py, &measures),
        (None, Err(Halt::Bad(index, error))) => Err(exception(py, &format!("positions[{index}]: "), &error)),
        (None, Err(halt)) => Err(halted(&halt)),
    }
}

fn halted(halt: &Halt) -> PyErr {
    match halt {
        Halt::Threads(error) => no_threads(error),
        other => PyValueError::new_err(other.to_string()),
    }
}

fn measures_dict<'py>(py: Python<'py>, measures: &Measures) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, number) in measures.named() {
        dict.set_item(name, number)?;
    }
    Ok(dict)
}
