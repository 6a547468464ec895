//! Choosing a move, step by step: what is forced, what is proved, what the search prefers.

mod oversights;
mod proofs;

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use self::oversights::Oversights;
use self::proofs::Attempt;
use super::choice::{Shown, choose, shown};
use super::engine::{Answer, CallLimits, Engine, NoMove, Query, Source};
use super::root::{Iteration, RootMove, RootMoves, RootResult, RootTask};
use super::worker::{Control, Worker};
use super::{Stats, smp, time, valid_part};
use crate::eval::{CellKind, CellMap, MoveValue};
use crate::rules::fives_of;
use crate::solve::Proof;
use crate::threats::ThreatMap;
use crate::types::score::{Score, UNPROVED_LOSS, is_decided, is_loss, loss_in, win_in};
use crate::types::{Bitboard, Point};

/// One call of [`Engine::think`] on its way.
pub(super) struct Thinking<'a> {
    engine: &'a mut Engine,
    query: &'a Query,
    stop: &'a AtomicBool,
    should_stop: &'a mut dyn FnMut() -> bool,
    /// The threat state of the position: built once, handed to every step, left as it was by each.
    map: ThreatMap,
    /// The codes of the position's cells: built once, too, by the first step that asks for them.
    cells: OnceCell<CellMap>,
    start: Option<Instant>,
    time: Option<Duration>,
    nodes: u64,
    used: u64,
    stats: Stats,
    legal: Bitboard,
    /// What the level overlooks in this position.
    oversights: Oversights,
}

impl<'a> Thinking<'a> {
    pub(super) fn start(
        engine: &'a mut Engine,
        query: &'a Query,
        stop: &'a AtomicBool,
        should_stop: &'a mut dyn FnMut() -> bool,
    ) -> Result<Thinking<'a>, NoMove> {
        let stones = &query.stones;
        if fives_of(stones.black(), true) || fives_of(stones.white(), false) {
            return Err(NoMove::Over);
        }
        if stones.empty().is_empty() {
            return Err(NoMove::Full);
        }
        let map = ThreatMap::new(stones);
        let may_play = |point: &Point| map.is_legal(query.turn, *point);
        let legal: Bitboard = stones.empty().points().filter(may_play).collect();
        if legal.is_empty() {
            return Err(NoMove::NoLegal);
        }
        let CallLimits { time, nodes, .. } = query.limits;
        let params = &engine.params;
        // With a number of nodes alone the clock is never read, and nothing known before may matter.
        let time = match (time, nodes) {
            (None, Some(_)) => None,
            (time, _) => Some(time.unwrap_or(Duration::from_millis(params.time_ms.into()))),
        };
        let own_nodes = if params.nodes == 0 { u64::MAX } else { params.nodes.into() };
        let nodes = nodes.unwrap_or(own_nodes);
        if time.is_none() {
            engine.table.forget();
        }
        let start = time.map(|_| Instant::now());
        let stats = Stats::default();
        let oversights =
            if query.is_play { Oversights::of(&engine.params, query.seed) } else { Oversights::default() };
        Ok(Thinking {
            engine,
            query,
            stop,
            should_stop,
            map,
            cells: OnceCell::new(),
            start,
            time,
            nodes,
            used: 0,
            stats,
            legal,
            oversights,
        })
    }

    /// The steps, in order.
    pub(super) fn run(mut self, report: &mut dyn FnMut(&Iteration)) -> Result<Answer, NoMove> {
        let turn = self.query.turn;
        // 1. Five now.
        let fives = self.map.fives(turn) & self.legal;
        if let Some(five) = fives.points().next() {
            if !self.oversights.five || self.legal == fives {
                return Ok(self.at_once(five, win_in(1), vec![five], Source::Five, None));
            }
            // Without the five nothing else may be searched: that every other move loses would be told as a loss.
            self.legal = self.legal - fives;
            return Ok(self.own_plan());
        }
        // 2. What must be stopped. Two fives, or one that black may not stop: lost, but a move is played.
        let threatened = self.map.fives(turn.opponent());
        if let Some(block) = threatened.points().next() {
            if threatened.len() > 1 || !self.legal.contains(block) {
                let point = (threatened & self.legal).points().next();
                let point = point.unwrap_or_else(|| self.any_move());
                return Ok(self.at_once(point, loss_in(2), vec![point], Source::ForcedDefence, None));
            }
            if self.oversights.four {
                return Ok(self.own_plan());
            }
            let result = self.search(&RootMoves::only(Bitboard::of(block)), None, report);
            let mut answer = self.answer(result);
            answer.source = Source::ForcedDefence;
            return Ok(answer);
        }
        // 3. Proved wins: by fours, by a mise, by threats. An unproved attack may still be the first to try.
        let Attempt { proved, hint } = if self.oversights.win { Attempt::default() } else { self.prove() };
        if let Some(proved) = proved {
            if self.query.multipv <= 1 {
                return Ok(proved);
            }
            let mut others = self.safe_moves().worth;
            others.remove(proved.best);
            return Ok(self.beside(proved, others, report));
        }
        // 4. Moves that leave the opponent a win by fours are no moves.
        if self.cells().count(turn.opponent(), CellKind::OpenFour) == 0 {
            self.oversights.three = false;
        } else if self.oversights.three {
            return Ok(self.own_plan());
        } else {
            self.oversights.vcf = false;
        }
        let moves = self.safe_moves();
        // 5. The only one.
        if self.query.is_play && moves.worth.len() == 1 {
            let result = self.search(&moves, None, report);
            let mut answer = self.answer(result);
            answer.source = Source::SingleMove;
            return Ok(answer);
        }
        // 6. The search.
        let hint = hint.filter(|&point| moves.worth.contains(point));
        let result = self.search(&moves, hint, report);
        let mut answer = self.answer(result);
        answer.vct_hint = hint;
        answer.stats.vct_hints = hint.is_some().into();
        answer.stats.vct_hints_played = (hint == Some(answer.best)).into();
        Ok(answer)
    }

    /// A proved win with other moves searched beside it.
    fn beside(&mut self, proved: Answer, moves: Bitboard, report: &mut dyn FnMut(&Iteration)) -> Answer {
        if moves.is_empty() {
            return proved;
        }
        let first = proved.candidates.clone();
        let mut report = |iteration: &Iteration| {
            let moves = [first.as_slice(), iteration.moves.as_slice()].concat();
            report(&Iteration { moves, ..iteration.clone() });
        };
        let result = self.search(&RootMoves::only(moves), None, &mut report);
        let others = self.answer(result);
        let mut candidates = proved.candidates;
        candidates.extend(others.candidates);
        // The proved move first: another win may look nearer, but this one is sure.
        candidates.truncate(self.query.multipv);
        Answer {
            candidates,
            nodes: others.nodes,
            stats: others.stats,
            is_interrupted: others.is_interrupted,
            ..proved
        }
    }

    /// A legal point, the nearest to the centre.
    fn any_move(&self) -> Point {
        let near = |point: &Point| (point.distance(Point::CENTER), point.index());
        self.legal.points().min_by_key(near).expect("there is a legal move")
    }

    fn at_once(
        &mut self,
        best: Point,
        score: Score,
        pv: Vec<Point>,
        source: Source,
        proof: Option<Proof>,
    ) -> Answer {
        let candidate = RootMove { point: best, score, is_exact: true, pv: pv.clone() };
        Answer {
            best,
            score,
            depth: pv.len() as u32,
            seldepth: pv.len(),
            nodes: self.used,
            pv,
            source,
            candidates: vec![candidate],
            breakdown: self.value(best),
            vct_hint: None,
            stats: self.stats,
            is_interrupted: false,
            is_fallback: false,
            proof,
            depths: Vec::new(),
        }
    }

    fn cells(&self) -> &CellMap {
        self.cells.get_or_init(|| CellMap::new(&self.query.stones, Arc::clone(&self.engine.values)))
    }

    fn value(&mut self, point: Point) -> MoveValue {
        self.engine.move_value(&mut self.map, self.query.turn, point)
    }

    /// Searches these moves with what is left of the limits.
    fn search(
        &mut self,
        moves: &RootMoves,
        hint: Option<Point>,
        report: &mut dyn FnMut(&Iteration),
    ) -> RootResult {
        let maps = (self.map.clone(), self.cells().clone());
        let Engine { params, table, memories, network, .. } = &mut *self.engine;
        let (memory, others) = memories.split_first_mut().expect("there is a thread");
        // Several threads never do the same twice; without a clock the answer must.
        let others = if self.time.is_some() { others } else { &mut [] };
        let Query { stones, turn, .. } = self.query;
        let is_forced = moves.worth.len() == 1 && self.query.is_play;
        let time = self.time.map(|time| time::share(params, time, stones.len(), moves.worth.len()));
        // The only move is searched just far enough to have a score.
        let time = if self.query.is_play && !is_forced { time } else { self.time };
        let deadline = self.start.zip(time).and_then(|(start, time)| start.checked_add(time));
        let depth = self.query.limits.depth.unwrap_or(params.depth);
        let is_random = self.query.is_play && params.random_percent > 0;
        let task = RootTask {
            depth: if is_forced { depth.min(2) } else { depth },
            multipv: self.query.multipv,
            exact_threshold: if is_random { params.random_threshold as Score } else { 0 },
            time: self.start.zip(time),
        };
        table.grow_older();
        let left = self.nodes.saturating_sub(self.used).max(1);
        let used = self.used;
        let control = Control { stop: self.stop, nodes: left, deadline, should_stop: self.should_stop };
        let mut worker = Worker::new(params, table, memory, control, maps, network.as_ref(), *turn);
        let (result, others) = smp::run(&mut worker, others, moves, hint, task, used, report);
        self.used += worker.nodes() + others.0;
        self.stats.add(&worker.stats());
        self.stats.add(&others.1);
        result
    }

    /// What the search found, as an answer.
    fn answer(&mut self, result: RootResult) -> Answer {
        let params = self.engine.params.clone();
        let depths: Vec<_> =
            result.iterations.iter().map(|i| (i.depth, i.moves[0].point, i.moves[0].score)).collect();
        let seldepth = result.iterations.last().map_or(0, |i| i.seldepth);
        let is_lost = result.is_lost();
        let Shown { moves, depth, is_fallback } = shown(&params, &result, self.query.multipv <= 1);
        let exact: Vec<RootMove> = moves.iter().filter(|m| m.is_exact).cloned().collect();
        let mut chosen = 0;
        if self.query.is_play && !is_decided(moves[0].score) {
            chosen = choose(&params, &exact, self.query.seed);
        }
        let best = exact.get(chosen).unwrap_or(&moves[0]).clone();
        // Where the choice is random, all it is made from.
        let shown = if chosen > 0 { exact.len() } else { self.query.multipv.max(1) };
        let (map, turn) = (&mut self.map, self.query.turn);
        let mut valid = |line: &[Point]| valid_part(map, turn, line);
        let candidates = exact.into_iter().take(shown);
        let candidates = candidates.map(|m| RootMove { pv: valid(&m.pv), ..m }).collect();
        let pv = valid(&best.pv);
        Answer {
            best: best.point,
            score: if is_loss(best.score) && !is_lost { UNPROVED_LOSS } else { best.score },
            depth,
            seldepth,
            nodes: self.used,
            pv,
            source: Source::Search,
            candidates,
            breakdown: self.value(best.point),
            vct_hint: None,
            stats: self.stats,
            is_interrupted: result.is_interrupted,
            is_fallback,
            proof: None,
            depths,
        }
    }
}
