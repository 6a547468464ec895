//! Random openings that the search finds even.

use std::sync::atomic::AtomicBool;

use super::games::{Player, SelfPlay};
use crate::board::Stones;
use crate::rules::winner;
use crate::threats::ThreatMap;
use crate::types::{Bitboard, Color, Point, Random};

/// The greatest distance of an opening stone from the centre, in cells.
const RADIUS: usize = 3;

/// The number of openings that are tried before the most even of them is taken.
const TRIES: usize = 100;

/// The stones of a random opening, and who moves. `None` if told to stop.
pub(super) fn even_opening(
    player: &mut Player,
    options: &SelfPlay,
    random: &mut Random,
    stop: &AtomicBool,
) -> Option<(Stones, Color)> {
    let mut best: Option<(i32, (Stones, Color))> = None;
    for _ in 0..TRIES {
        let most = options.most_opening_stones;
        let least = options.least_opening_stones.min(most);
        let opening = random_opening(least + random.below(most - least + 1), random);
        let (stones, turn) = opening;
        let Some(answer) = player.think(&stones, turn, options.opening_nodes, stop) else { continue };
        if answer.is_stopped {
            return None;
        }
        let uneven = answer.score.abs();
        if best.is_none_or(|(least, _)| uneven < least) {
            best = Some((uneven, opening));
        }
        if uneven <= options.opening_bound {
            break;
        }
    }
    Some(best.map_or((Stones::EMPTY, Color::Black), |(_, opening)| opening))
}

/// This number of stones near the centre, none of them forbidden or a five.
fn random_opening(stones: usize, random: &mut Random) -> (Stones, Color) {
    let middle: Bitboard = Point::all().filter(|p| p.distance(Point::CENTER) <= RADIUS).collect();
    let (mut board, mut turn) = (Stones::EMPTY, Color::Black);
    for _ in 0..stones {
        let Some(point) = random_point(&board, turn, middle, random) else { break };
        let next = board.with(turn, point);
        if winner(&next).is_some() {
            break;
        }
        (board, turn) = (next, turn.opponent());
    }
    (board, turn)
}

/// A legal point among these, all equally likely.
pub(super) fn random_point(
    stones: &Stones,
    color: Color,
    among: Bitboard,
    random: &mut Random,
) -> Option<Point> {
    let map = ThreatMap::new(stones);
    let legal: Vec<Point> =
        (among & stones.empty()).points().filter(|&point| map.is_legal(color, point)).collect();
    (!legal.is_empty()).then(|| legal[random.below(legal.len())])
}
