use std::hash::{BuildHasher, BuildHasherDefault};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use numpy::{IntoPyArray, PyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::{PyIndexError, PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{option, report_into, search_options, set, watched};
use crate::batch::{self, Effort, Item, Plan};
use crate::hidden::twin_cool::{
    Advice, Card, GameResult, GameState, KeyKind, Manner, Observation, Placement, Player, RolloutKind, Rules,
    Search, Strategy, TwinCool, hand_points, play_game, play_game_with_luck,
};
use crate::hidden::{Edge, HiddenGame, MOST_TREES, Mix};
use crate::python::bounds::{numbers_from, within};
use crate::python::engine::LOOK_PAUSE;
use crate::python::error::no_threads;
use crate::types::Random;

const RULES: Rules = Rules::FULL;

/// Numbers of a game: cards, points, score.
const RESULT_NUMBERS: usize = 3;

/// A game of Twin Cool with everything that is hidden in it.
#[pyclass(name = "TwinCoolState", module = "renju._native")]
pub struct NativeTwinCool {
    inner: GameState,
}

#[pymethods]
impl NativeTwinCool {
    /// A new game.
    #[staticmethod]
    fn deal(seed: u64) -> NativeTwinCool {
        NativeTwinCool { inner: GameState::deal(RULES, &mut Random::new(seed)) }
    }

    /// A game with this hand, these piles and this deck, whose last card is drawn first; all other cards are removed.
    #[staticmethod]
    fn from_parts(
        hand: Vec<u8>,
        piles: [Vec<u8>; 2],
        deck: Vec<u8>,
        points: u32,
    ) -> PyResult<NativeTwinCool> {
        let known = observation(&hand, &piles, points)?;
        let mut is_there = [false; 256];
        hand.iter().chain(piles.iter().flatten()).for_each(|&card| is_there[usize::from(card)] = true);
        for &card in &deck {
            let what = match usize::from(card) {
                number if number >= RULES.cards() => format!("there is no card number {card}"),
                number if std::mem::replace(&mut is_there[number], true) => {
                    format!("{} is there twice", Card(card))
                }
                _ => continue,
            };
            return Err(PyValueError::new_err(what));
        }
        let removed: Vec<Card> = RULES.all().filter(|card| !is_there[usize::from(card.0)]).collect();
        if removed.len() != usize::from(RULES.removed) {
            let seen = hand.len() + piles.iter().map(Vec::len).sum::<usize>();
            let wanted = RULES.cards() - usize::from(RULES.removed) - seen;
            let what = format!("the deck has {} cards, {wanted} are needed", deck.len());
            return Err(PyValueError::new_err(what));
        }
        let deck: Vec<Card> = deck.into_iter().map(Card).collect();
        Ok(NativeTwinCool { inner: GameState::from_table(RULES, &known, &deck, &removed) })
    }

    /// A whole state that agrees with what is known.
    #[staticmethod]
    fn determinize(hand: Vec<u8>, piles: [Vec<u8>; 2], points: u32, seed: u64) -> PyResult<NativeTwinCool> {
        let known = observation(&hand, &piles, points)?;
        let inner = GameState::from_determinization(RULES, &known, &mut Random::new(seed), true);
        Ok(NativeTwinCool { inner })
    }

    /// Puts a card of the hand on a pile and draws.
    fn play(&mut self, card: u8, pile: u8) -> PyResult<()> {
        let mv = Placement { card: Card(card), pile };
        if !self.inner.hand().contains(&mv.card) {
            return Err(PyValueError::new_err(format!("{} is not in the hand", mv.card)));
        }
        let top = self.inner.tops().get(usize::from(pile)).copied();
        if !top.is_some_and(|top| top.is_none_or(|top| RULES.fits(mv.card, top))) {
            return Err(PyValueError::new_err(format!("{} cannot go on pile {}", mv.card, pile + 1)));
        }
        self.inner.play(RULES, mv);
        Ok(())
    }

    /// Cards and piles of all moves.
    fn moves(&self) -> Vec<(u8, u8)> {
        moves_of(&self.inner).iter().map(|mv| (mv.card.0, mv.pile)).collect()
    }

    fn hand(&self) -> Vec<u8> {
        numbers(self.inner.hand())
    }

    fn piles(&self) -> [Vec<u8>; 2] {
        let known = self.inner.observe().expect("made with its piles");
        known.piles.map(|pile| numbers(&pile))
    }

    /// The deck; the last card is drawn next.
    fn deck(&self) -> Vec<u8> {
        numbers(&self.inner.deck())
    }

    #[getter]
    fn points(&self) -> u32 {
        self.inner.points()
    }

    #[getter]
    fn score(&self) -> u32 {
        self.inner.score()
    }

    fn equals(&self, other: &NativeTwinCool) -> bool {
        self.inner == other.inner
    }

    /// A number that names the information set.
    fn key(&self, kind: &str) -> PyResult<u64> {
        Ok(hash_of(&TwinCool::new(RULES, key_named(kind)?), &self.inner))
    }

    fn copy(&self) -> NativeTwinCool {
        NativeTwinCool { inner: self.inner.clone() }
    }

    /// The move of a strategy, and why; `None` at the end of the game.
    #[expect(clippy::too_many_arguments, reason = "each is an argument of one Python call")]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        strategy: &str,
        options: &Bound<'py, PyDict>,
        seed: u64,
        threads: usize,
        trace: u32,
        depth: u32,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let (game, strategy) = strategy_of(strategy, options)?;
        let state = self.inner.clone();
        let stop = AtomicBool::new(false);
        let manner = Manner { threads, trace, depth };
        // Other numbers in every position, and others than those of the deal.
        let source = Random::part(seed, hash_of(&TwinCool::new(RULES, KeyKind::Played), &state));
        let advice = watched(
            py,
            &stop,
            |_| Ok(()),
            || Player::new(&game, strategy).advise(&state, &mut source.clone(), &stop, manner),
        )?;
        advice.map(|advice| advice_dict(py, &advice)).transpose()
    }
}

fn hash_of(game: &TwinCool, state: &GameState) -> u64 {
    BuildHasherDefault::<Mix>::default().hash_one(game.key(state))
}

fn numbers(cards: &[Card]) -> Vec<u8> {
    cards.iter().map(|card| card.0).collect()
}

fn moves_of(state: &GameState) -> Vec<Placement> {
    let mut moves = Vec::new();
    TwinCool::new(RULES, KeyKind::default()).moves(state, &mut moves);
    moves
}

fn observation(hand: &[u8], piles: &[Vec<u8>; 2], points: u32) -> PyResult<Observation> {
    let cards = |numbers: &[u8]| numbers.iter().map(|&number| Card(number)).collect::<Vec<_>>();
    let mut hand = cards(hand);
    hand.sort_unstable();
    let known = Observation { hand, piles: piles.each_ref().map(|pile| cards(pile)), points };
    known.check(RULES).map_err(PyValueError::new_err)?;
    Ok(known)
}

/// Card, pile, visits, times available, mean and prior of every move.
fn edge_tuples(edges: &[Edge<Placement>]) -> Vec<(u8, u8, u32, u32, f64, f64)> {
    let tuple = |edge: &Edge<Placement>| {
        let Placement { card, pile } = edge.mv;
        (card.0, pile, edge.visits, edge.available, edge.mean(), edge.prior.unwrap_or(0.0))
    };
    edges.iter().map(tuple).collect()
}

fn advice_dict<'py>(py: Python<'py>, advice: &Advice) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("best", (advice.best.card.0, advice.best.pile))?;
    dict.set_item("edges", edge_tuples(&advice.edges))?;
    let step = |&(mv, drawn): &(Placement, Option<Card>)| (mv.card.0, mv.pile, drawn.map(|card| card.0));
    let seen: Vec<_> = advice
        .seen
        .iter()
        .map(|set| (set.path.iter().map(step).collect::<Vec<_>>(), edge_tuples(&set.edges)))
        .collect();
    dict.set_item("seen", seen)?;
    report_into(&dict, &advice.report)?;
    let placed = |walked: &[Placement]| -> Vec<_> { walked.iter().map(|mv| (mv.card.0, mv.pile)).collect() };
    let trace: Vec<_> = advice
        .trace
        .iter()
        .map(|step| (step.tree, step.iteration, numbers(&step.deck), placed(&step.walked), step.score))
        .collect();
    dict.set_item("trace", trace)?;
    Ok(dict)
}

/// What a hand is worth.
#[pyfunction]
pub fn twin_cool_points(hand: Vec<u8>) -> PyResult<u32> {
    match hand.iter().find(|&&card| usize::from(card) >= RULES.cards()) {
        Some(card) => Err(PyIndexError::new_err(format!("there is no card number {card}"))),
        None => Ok(hand_points(RULES, &hand.iter().map(|&card| Card(card)).collect::<Vec<_>>())),
    }
}

/// Plays games number `first` and following: cards, points and score of each into `out`, and the luck of each into
/// `luck` if it is given. `None` if all were played, or which were, if Ctrl-C came.
#[pyfunction]
#[pyo3(signature = (strategy, options, *, seed, first, out, threads, progress, luck=None))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword of one Python call")]
pub fn twin_cool_games<'py>(
    py: Python<'py>,
    strategy: &str,
    options: &Bound<'py, PyDict>,
    seed: u64,
    first: u64,
    mut out: PyReadwriteArray2<'_, u32>,
    threads: usize,
    progress: Option<Py<PyAny>>,
    mut luck: Option<PyReadwriteArray1<'_, f64>>,
) -> PyResult<Option<Bound<'py, PyArray1<bool>>>> {
    let (game, strategy) = strategy_of(strategy, options)?;
    let rows = out.as_slice_mut().map_err(|_| PyValueError::new_err("out is not contiguous"))?;
    let (rows, _) = rows.as_chunks_mut::<RESULT_NUMBERS>();
    let games = numbers_from(first, rows.len())?;
    let luck = match &mut luck {
        None => None,
        Some(luck) => {
            let places = luck.as_slice_mut().map_err(|_| PyValueError::new_err("luck is not contiguous"))?;
            if places.len() != games.len() {
                let what = format!("luck has {} places, out has {} rows", places.len(), games.len());
                return Err(PyValueError::new_err(what));
            }
            Some(places)
        }
    };
    let with_luck = luck.is_some();
    let mut played: Vec<(GameResult, f64)> = vec![Default::default(); games.len()];
    let plan = Plan { threads, effort: Effort::Varied };
    let stop = AtomicBool::new(false);
    let (report, signal) = py.detach(|| {
        let mut signal: Option<PyErr> = None;
        let work = |&game_number: &u64, place: &mut (GameResult, f64)| {
            let mut random = Random::part(seed, game_number);
            let result = if with_luck {
                play_game_with_luck(&game, strategy, &mut random, &stop)
            } else {
                play_game(&game, strategy, &mut random, &stop).map(|result| (result, 0.0))
            };
            let Some(result) = result else { return Ok(Item::Stopped) };
            *place = result;
            Ok::<_, std::convert::Infallible>(Item::Done)
        };
        let mut told = Instant::now();
        let report = batch::run(
            &games,
            &mut played,
            plan,
            &stop,
            || &work,
            |done| {
                signal = Python::attach(|py| {
                    py.check_signals()?;
                    if told.elapsed() >= LOOK_PAUSE {
                        told = Instant::now();
                        progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done,)).map(drop))?;
                    }
                    Ok(())
                })
                .err();
                if signal.is_some() {
                    stop.store(true, Ordering::Relaxed);
                }
                signal.is_none()
            },
        );
        (report, signal)
    });
    let report = report.map_err(|error| no_threads(&error))?;
    for (row, (GameResult { cards, points, score }, _)) in rows.iter_mut().zip(&played) {
        *row = [*cards, *points, *score];
    }
    for (place, (_, found)) in luck.into_iter().flatten().zip(&played) {
        *place = *found;
    }
    match signal {
        Some(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
            Ok(Some(report.done.into_pyarray(py)))
        }
        Some(error) => Err(error),
        None => {
            if let Some(progress) = &progress {
                progress.call1(py, (games.len(),))?;
            }
            Ok(None)
        }
    }
}

fn key_named(name: &str) -> PyResult<KeyKind> {
    let found = KeyKind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| PyValueError::new_err(format!("there is no kind of key {name:?}")))
}

fn strategy_of(name: &str, options: &Bound<'_, PyDict>) -> PyResult<(TwinCool, Strategy)> {
    let mut search = Search { options: search_options(options)?, ..Search::default() };
    set(options, "trees", &mut search.trees)?;
    within("trees", search.trees, 0, MOST_TREES)?; // 0 is one, too
    let mut key = KeyKind::default();
    if let Some(wanted) = option::<String>(options, "key")? {
        key = key_named(&wanted)?;
    }
    if let Some(wanted) = option::<String>(options, "rollout")? {
        let found = RolloutKind::ALL.into_iter().find(|kind| kind.name() == wanted);
        search.rollout =
            found.ok_or_else(|| PyValueError::new_err(format!("there is no roll-out {wanted:?}")))?;
    }
    if search.rollout == RolloutKind::Value && matches!(name, "mcts" | "pimc") {
        let what = format!("{name} plans with a deck that is seen: the learnt value is of no use to it");
        return Err(PyValueError::new_err(what));
    }
    let strategy = match name {
        "random" => Strategy::Random,
        "heuristic" => Strategy::Heuristic,
        "glance" => Strategy::Glance,
        "value" => Strategy::Value,
        "mcts" => Strategy::Mcts(search),
        "pimc" => Strategy::Pimc(search),
        "ismcts" => Strategy::IsMcts(search),
        _ => return Err(PyValueError::new_err(format!("there is no strategy {name:?}"))),
    };
    Ok((TwinCool::new(RULES, key), strategy))
}
