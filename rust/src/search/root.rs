//! Iterative deepening at the root: one depth after the other, the best moves with exact scores.

use std::time::{Duration, Instant};

use super::alphabeta::Task;
use super::time;
use super::worker::{Stopped, Worker};
use crate::eval::CellKind;
use crate::types::score::{Score, WIN, is_decided, is_loss};
use crate::types::{Bitboard, Color, Point};

/// A move of the root with what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The point of the move.
    pub point: Point,
    /// The score of the move for the side to move.
    pub score: Score,
    /// Is the score exact? If not, the move is not better than that.
    pub is_exact: bool,
    /// The principal variation: this move and what is expected after it.
    pub pv: Vec<Point>,
}

/// What one finished depth found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// The depth that was finished, in plies.
    pub depth: u32,
    /// The deepest ply that any line reached.
    pub seldepth: usize,
    /// The number of positions looked at up to the end of the depth.
    pub nodes: u64,
    /// The moves of the root, best first.
    pub moves: Vec<RootMove>,
}

/// The legal moves of the root, by what is to be done with them. A legal move in none of the three sets
/// leaves the opponent a five or a straight four: the position is not lost later by it than by the others.
#[derive(Clone, Debug)]
pub struct RootMoves {
    /// The moves that are worth trying.
    pub worth: Bitboard,
    /// The moves that are searched only if all those worth trying lose: the position is told as lost only if
    /// every legal move loses.
    pub rest: Bitboard,
    /// Moves that are proved to lose, with the opponent's win as their line.
    pub lost: Vec<RootMove>,
}

impl RootMoves {
    /// These moves, as if there were no others.
    #[must_use]
    pub fn only(worth: Bitboard) -> RootMoves {
        RootMoves { worth, rest: Bitboard::EMPTY, lost: Vec::new() }
    }
}

/// What is wanted of the root.
#[derive(Clone, Copy, Debug)]
pub struct RootTask {
    /// The depth of the last iteration, in plies.
    pub depth: u32,
    /// How many of the best moves get exact scores.
    pub multipv: usize,
    /// Moves whose score is no further from the best than this, in points of score, get exact scores, too.
    pub exact_threshold: Score,
    /// When the search began and how long it may take; a new depth starts only before a part of that.
    pub time: Option<(Instant, Duration)>,
}

/// What a search of the root found.
#[derive(Clone, Debug)]
pub struct RootResult {
    /// What is known of the moves apart from the finished depths: their order before the search, or, once
    /// all that are worth trying were found to lose, how each loses.
    pub known: Vec<RootMove>,
    /// What each finished depth found, in order.
    pub iterations: Vec<Iteration>,
    /// The moves of a depth that was not finished, if the first is the best of those searched and does not
    /// lose.
    pub unfinished: Option<Vec<RootMove>>,
    /// The searched moves that are known to lose, by whatever depth.
    pub losing: Bitboard,
    /// Did a limit end the search?
    pub is_interrupted: bool,
}

impl RootResult {
    /// Did the last finished depth find that every legal move loses?
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.iterations.last().is_some_and(|last| is_loss(last.moves[0].score))
    }
}

impl Worker<'_> {
    /// Searches these moves, a ply deeper each time. `report` hears of every finished depth.
    pub fn deepen(
        &mut self,
        color: Color,
        root: &RootMoves,
        first: Option<Point>,
        task: RootTask,
        report: &mut dyn FnMut(&Iteration),
    ) -> RootResult {
        let mut moves = self.unsearched(root.worth, color, first);
        let mut rest = root.rest;
        let mut result = RootResult {
            known: moves.clone(),
            iterations: Vec::new(),
            unfinished: None,
            losing: Bitboard::EMPTY,
            is_interrupted: false,
        };
        for depth in 1 + u32::from(self.skip_first_depth)..=task.depth {
            let before = result.iterations.last().map(|last| last.moves[0].score);
            // A win is a win; a loss is one for good when it is nearer than the depth.
            let is_settled = before.is_some_and(|score| {
                is_decided(score) && (score > 0 && task.multipv <= 1 || WIN - score.abs() <= depth as Score)
            });
            let may_start = task.time.is_none_or(|(start, time)| {
                depth == 1 || time::may_start_depth(self.params, start.elapsed(), time)
            });
            if is_settled || !may_start {
                break;
            }
            let mut found = self.iterate(color, depth, before, task, &mut moves, &mut result.losing);
            if found.is_ok() && is_loss(moves[0].score) && !rest.is_empty() {
                let score = Some(moves[0].score);
                result.known.clone_from(&moves);
                moves.extend(self.unsearched(rest, color, None));
                rest = Bitboard::EMPTY;
                found = self.iterate(color, depth, score, task, &mut moves, &mut result.losing);
            }
            if found.is_err() {
                result.is_interrupted = true;
                let is_first_good = |first: &RootMove| first.is_exact && !is_loss(first.score);
                result.unfinished = moves.first().is_some_and(is_first_good).then_some(moves);
                break;
            }
            let mut known = moves.clone();
            if is_loss(known[0].score) {
                // The best of all is the move that loses latest.
                known.extend(root.lost.iter().cloned());
                known.sort_by_key(|known| (!known.is_exact, -known.score));
            } else if result.is_lost() {
                break; // what is proved stays proved
            }
            let iteration = Iteration { depth, seldepth: self.seldepth, nodes: self.nodes(), moves: known };
            report(&iteration);
            result.iterations.push(iteration);
        }
        result
    }

    /// Moves of the root in the order in which they are searched, of which nothing is known.
    fn unsearched(&mut self, moves: Bitboard, color: Color, first: Option<Point>) -> Vec<RootMove> {
        let mut picker = self.picker(moves, color, 0, 4, first);
        std::iter::from_fn(|| self.pick(&mut picker))
            .map(|point| RootMove { point, score: 0, is_exact: false, pv: vec![point] })
            .collect()
    }

    /// One depth, around the score of the one before.
    fn iterate(
        &mut self,
        color: Color,
        depth: u32,
        before: Option<Score>,
        task: RootTask,
        moves: &mut [RootMove],
        losing: &mut Bitboard,
    ) -> Result<(), Stopped> {
        let is_single = task.multipv <= 1 && task.exact_threshold == 0;
        let (mut alpha, mut beta) = (-WIN, WIN);
        let mut width = 0;
        if let Some(score) = before
            && self.params.aspiration
            && is_single
            && !is_decided(score)
        {
            width = self.params.window(score);
            (alpha, beta) = (score - width, score + width);
        }
        for known in moves.iter_mut() {
            known.is_exact = false;
        }
        loop {
            let root = Task { color, ply: 0, depth: depth as i32, alpha, beta, may_pass: true };
            let score = self.search_moves(root, task, moves, losing)?;
            if alpha < score && score < beta {
                return Ok(());
            }
            if score <= alpha && alpha <= -WIN || score >= beta && beta >= WIN {
                return Ok(());
            }
            self.stats.aspiration_researches += 1;
            width = width.saturating_mul(self.params.aspiration_growth as Score);
            let is_wide = width > self.params.aspiration_most as Score;
            if score <= alpha {
                alpha = if is_wide { -WIN } else { score - width };
            } else {
                beta = if is_wide { WIN } else { score + width };
            }
        }
    }

    /// Searches all moves of the root once and sorts them. Returns the best score. The moves that are found
    /// to lose are added to `losing`.
    fn search_moves(
        &mut self,
        root: Task,
        task: RootTask,
        moves: &mut [RootMove],
        losing: &mut Bitboard,
    ) -> Result<Score, Stopped> {
        let Task { color, alpha, beta, .. } = root;
        // The exact scores so far, best first.
        let mut exact: Vec<Score> = Vec::new();
        for i in 0..moves.len() {
            // A move must beat this to matter.
            let floor = match exact.first() {
                Some(&best) => {
                    let last = exact.get(task.multipv.max(1) - 1).copied().unwrap_or(alpha);
                    last.min(best - task.exact_threshold - i32::from(task.exact_threshold > 0)).max(alpha)
                }
                None => alpha,
            };
            let point = moves[i].point;
            let reduction = self.root_reduction(root, i, point);
            self.play(color, point);
            let score = self.search_root_move(root, i, floor, beta, reduction);
            self.undo();
            let score = score?;
            let found = &mut moves[i];
            found.score = score;
            found.is_exact = score > floor;
            if is_loss(score) && score < beta {
                losing.insert(point);
            }
            if found.is_exact {
                found.pv.clear();
                found.pv.push(point);
                found.pv.extend_from_slice(&self.memory.lines[1]);
                let place = exact.partition_point(|&other| other >= score);
                exact.insert(place, score);
                // What is best so far stands first, in case the search ends here.
                let place = moves[..i].partition_point(|other| other.is_exact && other.score >= score);
                moves[place..=i].rotate_right(1);
            }
            if score >= beta {
                break;
            }
        }
        Ok(exact.first().copied().unwrap_or(alpha))
    }

    /// Plies by which a late move of the root is first searched less deep.
    fn root_reduction(&self, root: Task, index: usize, point: Point) -> i32 {
        let (own, taken) =
            (self.cells.value(root.color, point), self.cells.value(root.color.opponent(), point));
        if !self.params.lmr_root || own.kind >= CellKind::Three || taken.kind >= CellKind::Three {
            return 0;
        }
        (self.reduction(root, index as i32, root.depth, own.kind, point, 0) - 1).max(0)
    }

    fn search_root_move(
        &mut self,
        root: Task,
        index: usize,
        floor: Score,
        beta: Score,
        reduction: i32,
    ) -> Result<Score, Stopped> {
        let depth = root.depth - 1;
        if index == 0 {
            return Ok(-self.search(root.next(depth, floor, beta))?);
        }
        let mut score = -self.search(root.next(depth - reduction, floor, floor + 1))?;
        if score > floor && reduction > 0 {
            score = -self.search(root.next(depth, floor, floor + 1))?;
        }
        if score > floor && floor + 1 < beta {
            score = -self.search(root.next(depth, floor, beta))?;
        }
        Ok(score)
    }
}
