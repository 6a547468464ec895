//! The pattern state of the threat searches, brought up to date only when it is asked for: most positions of
//! a search never ask.

use crate::threats::ThreatMap;
use crate::types::{Color, Point};

/// A map some stones behind the position.
#[derive(Clone)]
pub(super) struct LateMap {
    map: ThreatMap,
    /// The stones that the map does not have yet, in order.
    waiting: Vec<(Color, Point)>,
}

impl LateMap {
    /// Starts with a map that has every stone.
    pub(super) fn new(map: ThreatMap) -> LateMap {
        LateMap { map, waiting: Vec::new() }
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub(super) fn play(&mut self, color: Color, point: Point) {
        self.waiting.push((color, point));
    }

    /// Takes the last stone back.
    #[inline]
    pub(super) fn undo(&mut self) {
        if self.waiting.pop().is_none() {
            self.map.undo();
        }
    }

    /// The map with every stone of the position.
    #[inline]
    pub(super) fn get(&mut self) -> &mut ThreatMap {
        for (color, point) in self.waiting.drain(..) {
            self.map.play(color, point);
        }
        &mut self.map
    }
}
