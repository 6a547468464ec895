//! The codes of cells: as the threat map has them, and the same after any play and undo.

use std::sync::Arc;

use crate::support::{Random, game_positions};
use renju::eval::{CellKind, CellMap, CellValues, Scores};
use renju::threats::ThreatMap;
use renju::types::{Color, Direction, Symmetry};

fn values() -> Arc<CellValues> {
    Arc::new(CellValues::new(&Scores::default()))
}

#[test]
fn shapes_are_those_of_the_threat_map() {
    let mut random = Random::new(4);
    let values = values();
    for (board, _) in game_positions().into_iter().step_by(7) {
        // Dense boards too: some more stones anywhere.
        let mut stones = board;
        for _ in 0..random.below(30).min(stones.empty().len()) {
            let empty: Vec<_> = stones.empty().points().collect();
            stones.place(Color::ALL[random.below(2)], empty[random.below(empty.len())]);
        }
        let (cells, map) = (CellMap::new(&stones, Arc::clone(&values)), ThreatMap::new(&stones));
        for point in stones.empty().points() {
            for color in Color::ALL {
                for direction in Direction::ALL {
                    let shape = cells.shape(color, point, direction);
                    let class = map.class(color, point, direction);
                    assert_eq!(shape.class(), class, "{color:?} {point} {direction:?} {shape:?}");
                }
            }
        }
    }
}

#[test]
fn play_and_undo_keep_everything() {
    let mut random = Random::new(5);
    let values = values();
    for (stones, turn) in game_positions().into_iter().step_by(25) {
        let mut cells = CellMap::new(&stones, Arc::clone(&values));
        let (mut color, mut played) = (turn, Vec::new());
        for _ in 0..40 {
            let empty: Vec<_> = cells.stones().empty().points().collect();
            if empty.is_empty() || random.below(3) == 0 && !played.is_empty() {
                let Some(last) = played.pop() else { break };
                cells.undo();
                color = last;
            } else {
                cells.play(color, empty[random.below(empty.len())]);
                played.push(color);
                color = color.opponent();
            }
            assert_eq!(cells.check(), Ok(()));
        }
        for _ in played {
            cells.undo();
        }
        assert_eq!(cells.check(), Ok(()));
        assert_eq!(cells.stones(), &stones);
    }
}

#[test]
fn a_board_is_worth_the_same_from_every_side() {
    let values = values();
    for (stones, turn) in game_positions().into_iter().step_by(20) {
        let cells = CellMap::new(&stones, Arc::clone(&values));
        for symmetry in Symmetry::ALL {
            let turned = CellMap::new(&stones.transformed(symmetry), Arc::clone(&values));
            assert_eq!(turned.board_value(turn), cells.board_value(turn));
            assert_eq!(turned.count(turn, CellKind::Four), cells.count(turn, CellKind::Four));
        }
    }
}
