//! What the network thinks of boards, without a search.

use std::sync::Arc;

use super::{BadPosition, Cells, Item, playable};
use crate::eval::CellValues;
use crate::network::{Network, NetworkBoards, Opinion, POINTS};
use crate::rules::Scan;
use crate::types::{BOARD_POINTS, Color};

/// How likely the side to move wins, draws and loses, in this order.
pub type Outlook = [f32; 3];

/// Values boards, one after the other, by a network.
pub struct Evaluator {
    boards: NetworkBoards,
}

impl Evaluator {
    /// One that values boards by this network beside the fitted table.
    #[must_use]
    pub fn new(network: &Arc<Network>) -> Evaluator {
        Evaluator { boards: NetworkBoards::new(Arc::clone(network), Arc::new(CellValues::fitted())) }
    }

    /// The outlook of a board.
    pub fn outlook(
        &mut self,
        cells: &Cells,
        turn: Option<Color>,
        outlook: &mut Outlook,
    ) -> Result<Item, BadPosition> {
        let (stones, turn) = playable(cells, turn)?;
        self.boards.move_to(&stones);
        *outlook = outlook_of(&self.boards.opinion(turn));
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
        self.boards.move_to(&stones);
        let opinion = self.boards.opinion(turn);
        *outlook = outlook_of(&opinion);
        let legal = match turn {
            Color::White => stones.empty(),
            Color::Black => stones.empty() - Scan::of(&stones).points().all(),
        };
        // The legal moves side by side, so that the loops go over numbers and not over bits.
        let (mut places, mut worths) = ([0; BOARD_POINTS], [0.0; BOARD_POINTS]);
        let (mut count, mut most) = (0, f32::MIN);
        opinion.policy(legal, |point, points| {
            let worth = points as f32 / POINTS as f32;
            (places[count], worths[count]) = (point.index(), worth);
            most = most.max(worth);
            count += 1;
        });
        let mut total = 0.0;
        for worth in &mut worths[..count] {
            *worth = (*worth - most).exp();
            total += *worth;
        }
        policy.fill(0.0);
        for (&place, worth) in places[..count].iter().zip(worths) {
            policy[place] = worth / total;
        }
        Ok(Item::Done)
    }
}

/// The outlook that the network's value and its odds of a draw stand for.
fn outlook_of(opinion: &Opinion<'_>) -> Outlook {
    let draw = 1.0 / (1.0 + (-opinion.draw_odds()).exp());
    let win = 1.0 / (1.0 + (-(opinion.value() as f32) / POINTS as f32).exp());
    [(1.0 - draw) * win, draw, (1.0 - draw) * (1.0 - win)]
}
