//! Which attacks are tried first: those whose stones make the best shapes.

use super::Search;
use crate::rules::Class;
use crate::types::{Direction, Point};

/// What an attack that makes no shape at all adds to its proof number. The shapes on its four lines are taken from that.
const NO_SHAPE: u32 = 6;

/// What a four adds beside: fours cost the defender nothing, and use up what later attacks are made of.
const FOUR: u32 = 6;

impl Search<'_, '_> {
    /// What a threat adds to its proof number, by the shapes that its stone makes.
    pub(super) fn shape_proof(&self, stone: Point) -> u32 {
        if !self.by_shape {
            return 0;
        }
        let worth = Direction::ALL.map(|direction| worth(self.map.class(self.attacker, stone, direction)));
        NO_SHAPE.saturating_sub(worth.iter().sum())
    }

    /// What a four adds to its proof number.
    pub(super) fn four_proof(&self, stone: Point) -> u32 {
        if self.by_shape { FOUR + self.shape_proof(stone) } else { 0 }
    }
}

/// What the shape on one line is worth to the attacks that follow. Threes and fours are worth no more than what may
/// become one: that the stone makes one is why it is an attack.
const fn worth(class: Class) -> u32 {
    match class {
        Class::ClosedTwo => 1,
        Class::OpenTwo | Class::ClosedThree | Class::OpenThree | Class::Four => 2,
        _ => 0,
    }
}
