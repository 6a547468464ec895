//! Is a line one that can be shown?

use crate::threats::{Presence, ThreatMap};
use crate::types::{Color, Point};

/// The part of a line up to the first move that is illegal, or that ignores a five or a straight four
/// that the opponent threatens without making a four itself. The map is left as it was.
#[must_use]
pub fn valid_part(map: &mut ThreatMap, turn: Color, line: &[Point]) -> Vec<Point> {
    let mut played = 0;
    let mut color = turn;
    let mut valid = Vec::new();
    for &point in line {
        if map.stones().at(point).is_some() || !map.is_legal(color, point) {
            break;
        }
        let makes_five = map.fives(color).contains(point);
        let fives = map.fives(color.opponent());
        let ignores_five = !fives.is_empty() && !fives.contains(point);
        let had_straight = has_straight_four(map, color.opponent());
        map.play(color, point);
        played += 1;
        let ignores_four = had_straight
            && fives.is_empty()
            && has_straight_four(map, color.opponent())
            && map.fives(color).is_empty();
        if !makes_five && (ignores_five || ignores_four) && !valid.is_empty() {
            break;
        }
        valid.push(point);
        if makes_five {
            break;
        }
        color = color.opponent();
    }
    for _ in 0..played {
        map.undo();
    }
    valid
}

/// Could this colour make two completions at once with a legal stone?
fn has_straight_four(map: &ThreatMap, color: Color) -> bool {
    map.cells_with(color, Presence::TwoCompletions).points().any(|point| map.is_legal(color, point))
}
