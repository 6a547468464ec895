//! The codes of cells: as the threat map has them, and the same after any play and undo.

use std::sync::Arc;

use crate::support::{Random, game_positions};
use renju::eval::{CellKind, CellMap, CellValues, Scores};
use renju::threats::ThreatMap;
use renju::types::{Bitboard, Color, Direction, Symmetry};

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
                    assert_eq!(shape.is_four(), class.fours() > 0);
                    if shape.is_four() {
                        // The map has those of other fours on the line, too.
                        let [own, all] = [
                            cells.completions(color, point, direction),
                            map.completions(color, point, direction),
                        ];
                        assert!(!own.is_empty() && (own - all).is_empty());
                        assert!((all - own - map.fives(color)).is_empty());
                    }
                }
                let kind = cells.value(color, point).kind;
                assert!(cells.cells(color, kind, Bitboard::ALL).contains(point));
                assert_eq!(cells.four_cells(color).contains(point), kind.is_four());
                assert_eq!(cells.threes_or_more(color).contains(point), kind >= CellKind::Three);
            }
            // What black may not do is seen in the kind, but for threes that may not be real.
            match cells.value(Color::Black, point).kind {
                CellKind::DoubleThree | CellKind::DoubtfulFour => {}
                kind => assert_eq!(map.is_legal(Color::Black, point), kind != CellKind::Forbidden),
            }
        }
        for color in Color::ALL {
            assert_eq!(cells.cells(color, CellKind::Five, Bitboard::ALL), map.fives(color));
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
