use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::{report_into, search_options};
use crate::hidden::{Guide, HiddenGame, IsMcts, best_edge};
use crate::types::Random;

/// Objects by number, equal ones only once, so that the search can keep them as it keeps its own.
struct Numbered<'py> {
    /// Key: object; value: its number.
    numbers: Bound<'py, PyDict>,
    objects: Bound<'py, PyList>,
}

impl<'py> Numbered<'py> {
    fn new(py: Python<'py>) -> Numbered<'py> {
        Numbered { numbers: PyDict::new(py), objects: PyList::empty(py) }
    }

    fn number(&self, object: &Bound<'py, PyAny>) -> PyResult<usize> {
        if let Some(number) = self.numbers.get_item(object)? {
            return number.extract();
        }
        let number = self.objects.len();
        self.numbers.set_item(object, number)?;
        self.objects.append(object)?;
        Ok(number)
    }

    fn object(&self, number: usize) -> PyResult<Bound<'py, PyAny>> {
        self.objects.get_item(number)
    }
}

/// A game written in Python (`renju.ismcts.Game`).
struct PythonGame<'py> {
    game: Bound<'py, PyAny>,
    /// A generator of the class `random.Random`.
    random: Bound<'py, PyAny>,
    moves: Numbered<'py>,
    keys: Numbered<'py>,
    /// The first exception. After it nothing is asked any more.
    error: RefCell<Option<PyErr>>,
    has_failed: Cell<bool>,
    stop: AtomicBool,
    has_players: bool,
    has_choice: bool,
    has_prior: bool,
    has_share: bool,
}

impl<'py> PythonGame<'py> {
    fn new(game: Bound<'py, PyAny>, seed: u64) -> PyResult<PythonGame<'py>> {
        let py = game.py();
        Ok(PythonGame {
            random: py.import("random")?.getattr("Random")?.call1((seed,))?,
            moves: Numbered::new(py),
            keys: Numbered::new(py),
            error: RefCell::new(None),
            has_failed: Cell::new(false),
            stop: AtomicBool::new(false),
            has_players: game.hasattr("player")?,
            has_choice: game.hasattr("choose")?,
            has_prior: game.hasattr("prior")?,
            has_share: game.hasattr("hidden_share")?,
            game,
        })
    }

    /// The answer, or what stands for it after an exception, which ends the search.
    fn asked<T>(&self, otherwise: T, ask: impl FnOnce() -> PyResult<T>) -> T {
        if self.has_failed.get() {
            return otherwise;
        }
        ask().unwrap_or_else(|error| {
            self.has_failed.set(true);
            self.stop.store(true, Ordering::Relaxed);
            *self.error.borrow_mut() = Some(error);
            otherwise
        })
    }

    fn nothing(&self) -> Bound<'py, PyAny> {
        self.game.py().None().into_bound(self.game.py())
    }
}

impl<'py> HiddenGame for PythonGame<'py> {
    type Observation = Bound<'py, PyAny>;
    type State = Bound<'py, PyAny>;
    type Move = usize;
    type Key = usize;

    fn determinize(&self, observation: &Self::Observation, random: &mut Random) -> Self::State {
        self.asked(self.nothing(), || {
            // From the number of the determinization, so that it is the same when it comes again.
            self.random.call_method1("seed", (random.number(),))?;
            self.game.call_method1("determinize", (observation, &self.random))
        })
    }

    fn key(&self, state: &Self::State) -> usize {
        self.asked(0, || self.keys.number(&self.game.call_method1("key", (state,))?))
    }

    fn moves(&self, state: &Self::State, moves: &mut Vec<usize>) {
        self.asked((), || {
            let list = self.game.call_method1("moves", (state,))?;
            for mv in list.try_iter()? {
                // A game that never ends, or has no end of moves, can be interrupted.
                self.game.py().check_signals()?;
                let number = self.moves.number(&mv?)?;
                if moves.contains(&number) {
                    let mv = self.moves.object(number)?;
                    return Err(PyValueError::new_err(format!("moves names {mv} twice")));
                }
                moves.push(number);
            }
            Ok(())
        });
        if self.has_failed.get() {
            moves.clear();
        }
    }

    fn play(&self, state: &mut Self::State, mv: usize) {
        *state =
            self.asked(self.nothing(), || self.game.call_method1("play", (&*state, self.moves.object(mv)?)));
    }

    fn player(&self, state: &Self::State) -> usize {
        if !self.has_players {
            return 0;
        }
        self.asked(0, || self.game.call_method1("player", (state,))?.extract())
    }

    fn reward(&self, state: &Self::State, player: usize) -> f64 {
        self.asked(0.0, || finite("a reward", self.game.call_method1("reward", (state, player))?.extract()?))
    }

    fn hidden_share(&self, observation: &Self::Observation) -> f64 {
        if !self.has_share {
            return 1.0;
        }
        self.asked(1.0, || self.game.call_method1("hidden_share", (observation,))?.extract())
    }
}

/// Sums of larger numbers would be too large for any comparison.
const MOST_REWARD: f64 = 1e100;

fn finite(what: &str, number: f64) -> PyResult<f64> {
    if number.abs() <= MOST_REWARD {
        return Ok(number);
    }
    Err(PyValueError::new_err(format!("{what} is a finite number up to {MOST_REWARD:e}, not {number}")))
}

/// Asks the game itself, if it has an opinion.
struct Asked;

impl<'py> Guide<PythonGame<'py>> for Asked {
    fn choose(
        &self,
        game: &PythonGame<'py>,
        state: &Bound<'py, PyAny>,
        moves: &[usize],
        random: &mut Random,
    ) -> usize {
        if !game.has_choice {
            return random.below(moves.len());
        }
        game.asked(0, || {
            let objects = moves.iter().map(|&mv| game.moves.object(mv)).collect::<PyResult<Vec<_>>>()?;
            let chosen = game.game.call_method1("choose", (state, objects, &game.random))?;
            let number = game.moves.number(&chosen)?;
            moves.iter().position(|&mv| mv == number).ok_or_else(|| {
                PyValueError::new_err(format!("choose gave {chosen}, which is not one of the moves"))
            })
        })
    }

    fn prior(&self, game: &PythonGame<'py>, state: &Bound<'py, PyAny>, mv: usize) -> f64 {
        if !game.has_prior {
            return 0.0;
        }
        game.asked(0.0, || {
            let prior = game.game.call_method1("prior", (state, game.moves.object(mv)?))?;
            finite("a prior", prior.extract()?)
        })
    }
}

/// Searches a game written in Python: its moves with what is known of them, and the best, which is `None` if there
/// is no move.
#[pyfunction]
pub fn search_hidden<'py>(
    game: Bound<'py, PyAny>,
    observation: &Bound<'py, PyAny>,
    options: &Bound<'py, PyDict>,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let py = observation.py();
    let options = search_options(options)?;
    let mut random = Random::new(seed);
    let game = PythonGame::new(game, random.number())?;
    let (edges, report) =
        IsMcts::new(&game, Asked, options).search(observation, &mut random, &game.stop, &mut |_| {});
    if let Some(error) = game.error.take() {
        return Err(error);
    }
    let dict = PyDict::new(py);
    let best = best_edge(&edges).map(|edge| game.moves.object(edge.mv)).transpose()?;
    dict.set_item("best", best)?;
    let edges = edges.iter().map(|edge| {
        Ok((game.moves.object(edge.mv)?, edge.visits, edge.available, edge.mean(), edge.prior.unwrap_or(0.0)))
    });
    dict.set_item("edges", edges.collect::<PyResult<Vec<_>>>()?)?;
    report_into(&dict, &report)?;
    Ok(dict)
}
