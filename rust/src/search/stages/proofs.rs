//! What is proved before the search: own wins, and moves that leave the opponent one.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::Thinking;
use crate::search::engine::{Answer, Engine, Source};
use crate::search::root::{RootMove, RootMoves};
use crate::search::view::View;
use crate::solve::{LimitHit, Limits, Proof, Question, Verdict, WinKind};
use crate::types::score::{loss_in, win_in};
use crate::types::{Bitboard, Color, Point};

/// What came of looking for a forced win.
#[derive(Default)]
pub(super) struct Attempt {
    /// The answer, if a win was proved.
    pub(super) proved: Option<Answer>,
    /// The first move of an attack that was neither proved nor refuted: worth trying first.
    pub(super) hint: Option<Point>,
}

impl Thinking<'_> {
    /// Looks for a forced win.
    pub(super) fn prove(&mut self) -> Attempt {
        let params = self.engine.params.clone();
        let turn = self.query.turn;
        let stages = [
            (params.vcf, WinKind::Vcf, params.vcf_depth, params.vcf_ms, params.vcf_nodes),
            (
                params.mise_vcf,
                WinKind::MiseVcf,
                params.mise_vcf_depth,
                params.mise_vcf_ms,
                params.mise_vcf_nodes,
            ),
            (
                params.vct && self.query.stones.len() >= params.vct_from_stones as usize,
                WinKind::Vct,
                params.vct_depth,
                params.vct_ms,
                params.vct_nodes,
            ),
        ];
        for (is_on, kind, depth, time_ms, nodes) in stages {
            if !is_on {
                continue;
            }
            let mut question = Question::new(kind);
            question.max_depth = (depth > 0).then_some(depth as usize);
            question.threat_limit = params.vct_threat_limit as usize;
            question.end_fours = params.vct_end_fours as usize;
            let verdict = self.ask(turn, question, time_ms, nodes.into());
            if let Verdict::Proved(proof) = verdict {
                let line = proof.line();
                let score = win_in(2 * proof.depth() + 1);
                let source = match kind {
                    WinKind::Vcf => Source::Vcf,
                    WinKind::MiseVcf => Source::MiseVcf,
                    WinKind::Vct => Source::Vct,
                };
                let proved = Some(self.at_once(line[0], score, line, source, Some(proof)));
                return Attempt { proved, hint: None };
            }
            if kind == WinKind::Vct && matches!(verdict, Verdict::Unknown(_)) {
                let promising = self.engine.solver.promising().filter(|_| params.vct_hint);
                let hint = promising.filter(|&point| self.legal.contains(point));
                return Attempt { proved: None, hint };
            }
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Attempt { proved: None, hint: None }
    }

    /// Asks the solver, within a part of what is left.
    fn ask(&mut self, color: Color, mut question: Question, time_ms: u32, nodes: u64) -> Verdict {
        let parts = self.engine.params.threat_share;
        let share = self.time.map(|time| (time / parts).min(Duration::from_millis(time_ms.into())));
        let nodes = nodes.min(self.nodes.saturating_sub(self.used) / u64::from(parts));
        question.limits = Limits { nodes: Some(nodes), time: share };
        let (stop, should_stop) = (self.stop, &mut *self.should_stop);
        let mut ends = || stop.load(Ordering::Relaxed) || should_stop();
        let (verdict, used) = self.engine.solver.solve(&mut self.map, color, question, &mut ends);
        debug_assert_eq!(*self.map.stones(), self.query.stones, "the solver takes its stones back");
        if verdict == Verdict::Unknown(LimitHit::Stop) {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.used += used;
        self.stats.threat_nodes += used;
        verdict
    }

    /// The moves of the root. If the opponent has a win by fours, only those are worth trying after which it
    /// is gone, and own fours; all if none is left.
    pub(super) fn safe_moves(&mut self) -> RootMoves {
        let turn = self.query.turn;
        let params = self.engine.params.clone();
        let view = View { params: &params, cells: self.cells() };
        let mut moves = view.root_moves(turn, self.legal);
        if !params.opponent_vcf || self.oversights.vcf || moves.worth.len() <= 1 {
            return moves;
        }
        let mut question = Question::new(WinKind::Vcf);
        question.max_depth = Some(params.vcf_depth as usize);
        let verdict = self.ask(turn.opponent(), question, params.vcf_ms, params.vcf_nodes.into());
        if !matches!(verdict, Verdict::Proved(_)) {
            return moves;
        }
        // What there is no time to look at is kept.
        let most = self.used + self.nodes.saturating_sub(self.used) / u64::from(params.threat_share);
        let deadline = self
            .start
            .zip(self.time)
            .and_then(|(start, time)| start.checked_add(time / params.threat_share * 3));
        let mut safe = Bitboard::EMPTY;
        let mut lost = Vec::new();
        for point in moves.worth.points() {
            let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
            let Some(proof) = self.refutation(point, most, is_late) else {
                safe.insert(point);
                continue;
            };
            let score = loss_in(2 * proof.depth() + 2);
            let pv = [vec![point], proof.line()].concat();
            lost.push(RootMove { point, score, is_exact: true, pv });
        }
        if !safe.is_empty() {
            (moves.worth, moves.lost) = (safe, lost);
        }
        moves
    }

    /// The opponent's win by fours after a move; `None` if there is none, if the move makes a four, or if it is
    /// too late to look: `most` nodes are used up, or `is_late` says so.
    fn refutation(&mut self, point: Point, most: u64, is_late: impl Fn() -> bool) -> Option<Proof> {
        let turn = self.query.turn;
        if self.map.makes_four(turn, point)
            || self.used >= most
            || self.stop.load(Ordering::Relaxed)
            || is_late()
        {
            return None;
        }
        let Engine { params, solver, .. } = &mut *self.engine;
        let mut question = Question::new(WinKind::Vcf);
        question.max_depth = Some(params.vcf_depth as usize);
        let nodes = u64::from(params.refutation_nodes).min(most - self.used);
        question.limits = Limits { nodes: Some(nodes), time: None };
        self.map.play(turn, point);
        let (verdict, used) = solver.solve(&mut self.map, turn.opponent(), question, &mut || false);
        self.map.undo();
        self.used += used;
        self.stats.threat_nodes += used;
        match verdict {
            Verdict::Proved(proof) => Some(proof),
            Verdict::Refuted { .. } | Verdict::Unknown(_) => None,
        }
    }
}
