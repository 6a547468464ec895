//! What the network thinks of boards, without a search.

use std::sync::Arc;

use super::{BadPosition, Cells, Item, playable};
use crate::board::Stones;
use crate::eval::{CellMap, CellValues};
use crate::network::{Network, NetworkState, POINTS};
use crate::rules::Scan;
use crate::types::{BOARD_POINTS, Color};

/// How likely the side to move wins, draws and loses, in this order.
pub type Outlook = [f32; 3];

/// Values boards, one after the other, by a network.
pub struct Evaluator {
    cells: CellMap,
    state: NetworkState,
}

impl Evaluator {
    /// One that values boards by this network beside the fitted table.
    #[must_use]
    pub fn new(network: &Arc<Network>) -> Evaluator {
        let cells = CellMap::new(&Stones::EMPTY, Arc::new(CellValues::fitted()));
        Evaluator { state: NetworkState::new(Arc::clone(network), &cells), cells }
    }

    /// The outlook of a board.
    pub fn outlook(
        &mut self,
        cells: &Cells,
        turn: Option<Color>,
        outlook: &mut Outlook,
    ) -> Result<Item, BadPosition> {
        let (stones, turn) = playable(cells, turn)?;
        self.set(&stones);
        *outlook = self.found(turn);
        Ok(Item::Done)
    }

    /// The outlook of a board, and how likely the best move is at each of its points: 0 on stones and where black may
    /// not play.
    pub fn outlook_and_policy(
        &mut self,
        cells: &Cells,
        turn: Option<Color>,
        outlook: &mut Outlook,
        policy: &mut [f32; BOARD_POINTS],
    ) -> Result<Item, BadPosition> {
        let (stones, turn) = playable(cells, turn)?;
        self.set(&stones);
        *outlook = self.found(turn);
        let legal = match turn {
            Color::White => stones.empty(),
            Color::Black => stones.empty() - Scan::of(&stones).points().all(),
        };
        let points = self.state.policy(&self.cells, turn);
        policy.fill(0.0);
        let mut most = f32::MIN;
        for point in legal.points() {
            let worth = points.points(&self.cells, point) as f32 / POINTS as f32;
            policy[point.index()] = worth;
            most = most.max(worth);
        }
        let mut total = 0.0;
        for point in legal.points() {
            let chance = &mut policy[point.index()];
            *chance = (*chance - most).exp();
            total += *chance;
        }
        for point in legal.points() {
            policy[point.index()] /= total;
        }
        Ok(Item::Done)
    }

    fn set(&mut self, stones: &Stones) {
        self.cells.reset(stones);
        self.state.reset(&self.cells);
    }

    fn found(&mut self, turn: Color) -> Outlook {
        outlook_of(self.state.value(&self.cells, turn), self.state.draw_odds(&self.cells, turn))
    }
}

/// The outlook that a value in points of score and the logarithm of the odds of a draw stand for.
fn outlook_of(value: i32, draw_odds: f32) -> Outlook {
    let draw = 1.0 / (1.0 + (-draw_odds).exp());
    let win = 1.0 / (1.0 + (-(value as f32) / POINTS as f32).exp());
    [(1.0 - draw) * win, draw, (1.0 - draw) * (1.0 - win)]
}
