//! What a score of the search means in games.

use crate::types::score::{Score, is_decided};

/// What one unit of the logistic scale is in a score of level master, in points. This and the two numbers below were
/// fitted to the results of 75,000 positions of self-play by the network before the shipped one; on 40,000 positions of
/// games of the shipped one, which it was not taught by, the expected error is 1.4 % (2026-11, docs/network.md).
const SCALE: f64 = 143.0;

/// The side to move does worse than its score says by this, on the logistic scale.
const OFFSET: f64 = -0.15;

/// The share of drawn games.
const DRAWS: f64 = 0.014;

/// How likely the side to move wins, draws and loses a game between equals from a position with this score. A sure end
/// is sure.
#[must_use]
pub fn win_rate(score: Score) -> [f64; 3] {
    if is_decided(score) {
        return if score > 0 { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] };
    }
    let points = 1.0 / (1.0 + (-(f64::from(score) / SCALE + OFFSET)).exp());
    let win = (1.0 - DRAWS) * points;
    [win, DRAWS, 1.0 - DRAWS - win]
}
