//! What won on a board that differs by a stone of the defender, as a hint for a search.

use std::collections::HashMap;

use super::Attack;
use crate::types::{Color, Point, WideKey, wide_stone_key};

/// What every attack that the guide does not name adds to its proof number, in a position that the guide knows. Just
/// enough to break ties (2026-11, six far fourth moves of Hogetsu: four proved within 3 million nodes, two with 0. With 8
/// the guide misleads: of five fourth moves none was proved within 5 seconds).
pub(super) const OTHER_PROOF: u32 = 1;

/// Most positions that a guide knows.
const MOST_POSITIONS: usize = 1 << 12;

/// Key: a position of a tree, with the stone taken away by which its board differs; value: what the attacker played.
#[derive(Clone, Debug, Default)]
pub(super) struct Guide {
    moves: HashMap<WideKey, Point>,
}

impl Guide {
    /// Learns a tree that wins for the attacker from the position with this key on, as far as there is room.
    pub(super) fn add(&mut self, key: WideKey, attacker: Color, tree: &Attack) {
        if self.moves.len() >= MOST_POSITIONS {
            return;
        }
        self.moves.insert(key, tree.stone);
        let key = key ^ wide_stone_key(attacker, tree.stone);
        for (reply, next) in &tree.replies {
            self.add(key ^ wide_stone_key(attacker.opponent(), *reply), attacker, next);
        }
    }

    /// Bytes of the positions, with the room that the map keeps free.
    pub(super) fn bytes(&self) -> usize {
        2 * self.moves.len() * size_of::<(WideKey, Point)>()
    }
}

/// A guide on a board.
#[derive(Clone, Copy)]
pub(super) struct Guided<'a> {
    pub(super) guide: &'a Guide,
    /// The key of the stone that the positions of the guide do not hold.
    pub(super) difference: WideKey,
}

impl Guided<'_> {
    /// What the attacker played in a position with this key.
    pub(super) fn stone(&self, key: WideKey) -> Option<Point> {
        self.guide.moves.get(&(key ^ self.difference)).copied()
    }
}
