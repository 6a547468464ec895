//! The search of one position: negamax with a null window where nothing better is expected.

use super::table::{Bound, Entry};
use super::worker::{Stopped, Worker};
use crate::eval::CellKind;
use crate::types::score::{
    MOST_PLIES, Score, UNPROVED_LOSS, counted_from_node, counted_from_root, is_decided, is_loss, loss_in,
    win_in,
};
use crate::types::{Bitboard, Color, Key, Point};

/// Worse than any score.
const NO_SCORE: Score = -1_000_000;

/// A position to be searched and the bounds within which its score matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub color: Color,
    pub ply: usize,
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    /// May the side to move pass?
    pub may_pass: bool,
}

impl Task {
    /// The position after a move, seen from the other side.
    pub(super) fn next(self, depth: i32, alpha: Score, beta: Score) -> Task {
        Task {
            color: self.color.opponent(),
            ply: self.ply + 1,
            depth,
            alpha: -beta,
            beta: -alpha,
            may_pass: true,
        }
    }

    pub(super) fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl Worker<'_> {
    /// The score of a position: exact between alpha and beta, else a bound. The best line is left in
    /// `lines[ply]`.
    pub(super) fn search(&mut self, task: Task) -> Result<Score, Stopped> {
        let Task { color, ply, mut depth, mut alpha, mut beta, may_pass } = task;
        let is_open = task.is_open();
        let other = color.opponent();

        // 1. Count; the end of the world.
        self.take_node()?;
        self.memory.lines[ply].clear();
        if ply >= MOST_PLIES - 2 {
            return Ok(self.static_value(color, beta));
        }

        // 2. Settled by the next moves, whatever the depth.
        if let Some(score) = self.settled(color, ply, self.params.mandatory_defence) {
            return Ok(score);
        }

        // 3. The answer to a four is the only move.
        if self.params.mandatory_defence
            && let Some(block) = self.view().forced_block(color)
        {
            return self.search_block(task, block);
        }

        // 4. No win can be nearer than a four that cannot be stopped, no loss nearer than the opponent's:
        // outside these bounds nothing matters.
        if self.params.mandatory_defence && ply > 0 {
            alpha = alpha.max(loss_in(ply + 4));
            beta = beta.min(win_in(ply + 3));
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // 5. The depth is used up.
        if depth <= 0 {
            if self.wants_extension(color) {
                return self.extend(Task { depth: 1, ..task });
            }
            return self.quiesce(color, ply, self.params.quiescence_depth, alpha, beta);
        }

        // 6. Known already?
        let key = self.key(color);
        let excluded = self.excluded.filter(|&(at, _)| at == ply).map(|(_, point)| point);
        let known = if self.params.table && excluded.is_none() { self.table.get(key) } else { None };
        let mut table_move = None;
        if let Some(entry) = known {
            self.stats.table_hits += 1;
            table_move = entry.best.filter(|&point| self.cells.stones().at(point).is_none());
            let score = counted_from_root(entry.score, ply);
            let settles = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if i32::from(entry.depth) >= depth && settles && !is_open {
                self.stats.table_cutoffs += 1;
                return Ok(score);
            }
        }

        // 7. What is the board worth at a glance?
        let margin = self.params.reverse_futility_margin as i32 * depth;
        let mut value = self.static_value(color, beta + margin);
        if self.params.table_value
            && let Some(entry) = known
            && !is_decided(entry.score)
        {
            let is_better = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score > value,
                Bound::Upper => entry.score < value,
            };
            if is_better {
                value = entry.score;
            }
        }
        let candidates = self.view().candidates();
        let answers =
            if self.params.mandatory_defence { self.view().answers(color, candidates) } else { None };
        let is_calm = answers.is_none() && excluded.is_none();

        let may_guess = !is_open && is_calm && !is_decided(alpha) && !is_decided(beta);
        if may_guess {
            // 8. Far above beta near the leaves: good enough.
            if self.params.reverse_futility
                && depth <= self.params.reverse_futility_depth as i32
                && value - margin >= beta
            {
                self.stats.reverse_futility_cutoffs += 1;
                return Ok(value);
            }
        }

        // 9. A win by fours ends it.
        let is_known =
            known.is_some_and(|entry| self.params.inner_vcf_new || i32::from(entry.depth) >= depth);
        if self.params.inner_vcf && excluded.is_none() && !is_known {
            let (fours, nodes) = (self.params.leaf_vcf_depth, self.params.inner_vcf_nodes);
            if let Some(plies) = self.find_vcf(color, ply, fours, nodes)?
                && win_in(ply + plies) > alpha
            {
                let score = win_in(ply + plies);
                let best = self.memory.lines[ply].first().copied();
                self.store(key, ply, depth, score, Bound::Lower, best);
                return Ok(score);
            }
        }

        if may_guess {
            // 10. Razoring: far below alpha near the leaves only fours could help.
            if self.params.razoring
                && depth <= self.params.razoring_depth as i32
                && value + self.params.razoring_margin as i32 * (depth + 1) < alpha
            {
                let score = self.quiesce(color, ply, self.params.quiescence_depth, alpha, beta)?;
                if score <= alpha {
                    self.stats.razoring_cutoffs += 1;
                    return Ok(score);
                }
            }
            // 11. Null move: if even passing is good enough, so is some move. Not where the opponent has
            // fours: a win may be near.
            if self.params.null_move
                && may_pass
                && depth >= self.params.null_move_depth as i32
                && value >= beta + self.params.null_move_margin as i32
                && self.cells.fours(other) + self.cells.count(other, CellKind::DoubleThree) == 0
            {
                let more = depth.checked_div(self.params.null_move_divisor as i32).unwrap_or(0);
                let less = self.params.null_move_reduction as i32 + more;
                let pass = Task { may_pass: false, ..task.next(depth - 1 - less, beta - 1, beta) };
                let score = -self.search(pass)?;
                if score >= beta && !is_decided(score) {
                    self.stats.null_move_cutoffs += 1;
                    return Ok(score);
                }
            }
        }

        // 12. Internal iterative reduction: without a good first move, search less deep to find one.
        let iir_depth = self.params.iir_depth as i32;
        if iir_depth > 0 && depth >= iir_depth && table_move.is_none() && excluded.is_none() {
            depth -= 1;
        }

        // 13. Is the move of the table far better than all others? Then look deeper at it.
        let mut extension = 0;
        if self.params.singular
            && depth >= self.params.singular_depth as i32
            && ply > 0
            && let (Some(entry), Some(best)) = (known, table_move)
            && entry.bound != Bound::Upper
            && i32::from(entry.depth) >= depth - self.params.singular_entry as i32
            && !is_decided(entry.score)
        {
            let bar = entry.score - self.params.singular_margin as i32 * depth;
            self.excluded = Some((ply, best));
            let rest = self.search(Task {
                depth: (depth - 1) / 2,
                alpha: bar - 1,
                beta: bar,
                may_pass: false,
                ..task
            });
            self.excluded = None;
            let rest = rest?;
            if rest < bar {
                extension = 1;
                self.stats.extensions += 1;
            } else if self.params.multi_cut && !is_open {
                if bar >= beta && !is_decided(rest) {
                    return Ok(bar);
                }
                if entry.score >= beta {
                    extension = -1;
                }
            }
        }

        // 14. The moves, best first.
        let moves = answers.map_or(candidates, |answers| answers & self.cells.stones().empty());
        let moves = excluded.map_or(moves, |point| moves - Bitboard::of(point));
        let mut picker = self.picker(moves, color, ply, depth, table_move);
        let futile = self.futility_margin(color, depth).map(|margin| value + margin);
        let mut best_score = NO_SCORE;
        let mut best = None;
        let bottom = alpha;
        let mut tried: [Point; 64] = [Point::CENTER; 64];
        let (mut quiet_tried, mut count) = (0, 0);

        while let Some(point) = self.pick(&mut picker) {
            let (own, taken) = (self.cells.value(color, point).kind, self.cells.value(other, point).kind);

            // 15. Skip what can hardly matter, and all like it: what speaks against one quiet move speaks
            // against every later one.
            if count > 0 && is_calm && !is_open && !is_decided(best_score) && self.is_quiet(own, taken) {
                let is_futile = futile.filter(|&futile| futile <= alpha && self.is_legal(color, point));
                if let Some(futile) = is_futile {
                    best_score = best_score.max(futile);
                }
                let is_futile = is_futile.is_some() || self.is_late_futile(value, depth, alpha);
                if is_futile || self.is_too_late(count, depth) {
                    if is_decided(beta) {
                        continue;
                    }
                    let lively = self.lively(color);
                    let skipped = 1 + self.keep(&mut picker, lively);
                    if is_futile {
                        self.stats.futility_skips += skipped;
                    } else {
                        self.stats.move_count_skips += skipped;
                    }
                    continue;
                }
            }
            if !self.is_legal(color, point) {
                continue;
            }
            let is_tactical = self.is_tactical(own, taken);

            let next_depth = depth - 1 + if Some(point) == table_move { extension } else { 0 };
            self.play(color, point);
            let less = match (is_tactical, answers.is_some()) {
                (false, _) => Some(0),
                (true, true) => Some(self.params.lmr_answer as i32),
                (true, false) => None,
            };
            let score = self.search_move(task, count, next_depth, alpha, beta, less, own, point);
            self.undo();
            let score = score?;
            count += 1;

            if score > best_score {
                best_score = score;
                best = Some(point);
                if score > alpha {
                    alpha = score;
                    self.set_line(ply, point);
                }
                if score >= beta {
                    self.stats.beta_cutoffs += 1;
                    self.stats.first_cutoffs += u64::from(count == 1);
                    if !is_tactical {
                        self.remember_cutoff(color, ply, depth, point, &tried[..quiet_tried]);
                    }
                    break;
                }
            }
            if !is_tactical && quiet_tried < tried.len() {
                tried[quiet_tried] = point;
                quiet_tried += 1;
            }
        }

        // 16. All moves near the stones lose: a loss is told only if all others do, too, and these are tried
        // only where a decided score matters.
        let is_claim = best.is_some() && is_loss(best_score) && best_score < beta;
        if is_claim && answers.is_none() && excluded.is_none() {
            if is_open || is_decided(task.alpha) || is_decided(task.beta) {
                let rest = self.cells.stones().empty() - candidates;
                (best_score, best) = self.search_rest(task, depth, alpha, beta, rest, (best_score, best))?;
            } else {
                best_score = UNPROVED_LOSS;
            }
        }

        // 17. No move at all: nothing answers the threat, or the board is full.
        if best_score == NO_SCORE {
            return Ok(if excluded.is_some() {
                bottom
            } else if answers.is_some() {
                loss_in(ply + 4)
            } else {
                0
            });
        }

        // 18. Remember.
        if excluded.is_none() {
            let bound = if best_score >= beta {
                Bound::Lower
            } else if best_score > bottom {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.store(key, ply, depth, best_score, bound, best);
        }
        Ok(best_score)
    }

    /// The score of a move that has been played, for its player: late moves less deep first, all but the
    /// first with a null window first.
    #[expect(clippy::too_many_arguments, reason = "one step of the search, cut off for length")]
    fn search_move(
        &mut self,
        task: Task,
        count: i32,
        depth: i32,
        alpha: Score,
        beta: Score,
        less: Option<i32>,
        kind: CellKind,
        point: Point,
    ) -> Result<Score, Stopped> {
        if count == 0 {
            return Ok(-self.search(task.next(depth, alpha, beta))?);
        }
        let reduction = less.map_or(0, |less| self.reduction(task, count, depth + 1, kind, point, less));
        let mut score = -self.search(task.next(depth - reduction, alpha, alpha + 1))?;
        if reduction > 0 {
            self.stats.reductions += 1;
            if score > alpha {
                self.stats.reduction_researches += 1;
                score = -self.search(task.next(depth, alpha, alpha + 1))?;
            }
        }
        if score > alpha && score < beta {
            score = -self.search(task.next(depth, alpha, beta))?;
        }
        Ok(score)
    }

    /// Tries these moves, all others having lost, until one does not lose. Returns the best score and its
    /// move, `known` if nothing is better.
    fn search_rest(
        &mut self,
        task: Task,
        depth: i32,
        mut alpha: Score,
        beta: Score,
        rest: Bitboard,
        known: (Score, Option<Point>),
    ) -> Result<(Score, Option<Point>), Stopped> {
        let mut best = known;
        for point in rest.points() {
            if !self.is_legal(task.color, point) {
                continue;
            }
            self.play(task.color, point);
            let score = self.search_move(task, 1, depth - 1, alpha, beta, None, CellKind::Quiet, point);
            self.undo();
            let score = score?;
            if score > best.0 {
                best = (score, Some(point));
                if score > alpha {
                    alpha = score;
                    self.set_line(task.ply, point);
                }
            }
            if !is_loss(best.0) || best.0 >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// A four must be stopped where it can be completed.
    fn search_block(&mut self, task: Task, block: Point) -> Result<Score, Stopped> {
        if !self.is_legal(task.color, block) {
            return Ok(loss_in(task.ply + 2));
        }
        let cost = i32::from(!self.params.block_extension);
        self.stats.extensions += u64::from(self.params.block_extension);
        self.play(task.color, block);
        let score = self.search(task.next(task.depth - cost, task.alpha, task.beta));
        self.undo();
        let score = -score?;
        self.set_line(task.ply, block);
        Ok(score)
    }

    /// One ply more at the end of a line whose score is high, once in a line and while it is cheap.
    fn wants_extension(&mut self, color: Color) -> bool {
        if !self.params.score_extension
            || self.is_extended
            || self.extension_nodes >= self.params.score_extension_nodes.into()
        {
            return false;
        }
        self.cells.board_value(color).abs() >= self.params.score_extension_from as i32
    }

    fn extend(&mut self, task: Task) -> Result<Score, Stopped> {
        let before = self.nodes();
        self.is_extended = true;
        let score = self.search(task);
        self.is_extended = false;
        self.extension_nodes += self.nodes() - before;
        self.stats.extensions += 1;
        score
    }

    fn store(&mut self, key: Key, ply: usize, depth: i32, score: Score, bound: Bound, best: Option<Point>) {
        if self.params.table {
            let depth = depth.clamp(0, 255) as u8;
            self.table.put(key, Entry { score: counted_from_node(score, ply), depth, bound, best });
        }
    }
}
