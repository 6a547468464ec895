//! What the weaker levels overlook, and what they play then.

use super::Thinking;
use crate::search::Params;
use crate::search::choice::choose;
use crate::search::engine::{Answer, Source};
use crate::search::root::RootMove;
use crate::search::view::View;
use crate::types::{Bitboard, Point, SplitMix};

/// Added to the seed of a call, so that what is overlooked has nothing to do with which of several moves is
/// chosen.
const STREAM: u64 = 0x6f76_6572_7369_6768;

/// What is overlooked in a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Oversights {
    /// An own five.
    pub(super) five: bool,
    /// A four of the opponent.
    pub(super) four: bool,
    /// An open three of the opponent.
    pub(super) three: bool,
    /// Own wins by fours, by a mise or by threats.
    pub(super) win: bool,
    /// The opponent's win by fours, where there is no open three.
    pub(super) vcf: bool,
}

impl Oversights {
    /// What the settings let be overlooked, decided by the seed of a call.
    pub(super) fn of(params: &Params, seed: u64) -> Oversights {
        let mut numbers = SplitMix::new(seed ^ STREAM);
        let mut happens = |percent: u32| numbers.below(100) < percent as usize;
        Oversights {
            five: happens(params.overlook_five_percent),
            four: happens(params.overlook_four_percent),
            three: happens(params.overlook_three_percent),
            win: happens(params.overlook_win_percent),
            vcf: happens(params.overlook_vcf_percent),
        }
    }
}

impl Thinking<'_> {
    /// The move of a player who overlooks a threat: what is best for the own shapes, as if the opponent had
    /// none. Its score is the value of the board at a glance, because the player knows no better.
    pub(super) fn own_plan(&mut self) -> Answer {
        self.stats.oversights += 1;
        let turn = self.query.turn;
        let params = self.engine.params.clone();
        let cells = self.cells();
        let near = View { params: &params, cells }.candidates() & self.legal;
        let moves = if near.is_empty() { self.legal } else { near };
        let value = cells.board_value(turn);
        let mut plans = plans(moves, |point| cells.value(turn, point).attack.into());
        plans.sort_by_key(|plan| (-plan.score, plan.point.index()));
        let best = plans[choose(&params, &plans, self.query.seed)].point;
        self.at_once(best, value, vec![best], Source::Search, None)
    }
}

/// These moves with what they are worth to the own shapes.
fn plans(moves: Bitboard, worth: impl Fn(Point) -> i32) -> Vec<RootMove> {
    let plan = |point| RootMove { point, score: worth(point), is_exact: true, pv: vec![point] };
    moves.points().map(plan).collect()
}
