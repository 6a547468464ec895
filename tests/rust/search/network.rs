//! The network beside the table: its sums under play and undo are those of the stones, every instruction set and
//! every image of a board gives the same answer, and a damaged file is refused.

use std::sync::Arc;

use crate::support::{Random, game_positions};
use renju::board::Stones;
use renju::eval::{CODE_GROUPS, CellMap, CellValues};
use renju::network::{
    BadNetwork, Head, Layer, MOST_CELL, MOST_OUTPUT, MOST_WEIGHT, Network, NetworkBoards, NetworkState,
    TABLE_UNIT, WIDTH,
};
use renju::rules::InstructionSet;
use renju::types::{Color, Point, Symmetry};

fn cells_of(stones: &Stones) -> CellMap {
    CellMap::new(stones, Arc::new(CellValues::fitted()))
}

/// A network of random numbers up to the greatest that a file may hold.
fn wild_network(seed: u64) -> Network {
    let mut random = Random::new(seed);
    let mut number = |most: i16| (random.below(2 * most as usize + 1) as i32 - i32::from(most)) as i16;
    let cells: Vec<[i16; WIDTH]> =
        (0..2 * CODE_GROUPS).map(|_| std::array::from_fn(|_| number(MOST_CELL))).collect();
    let heads = [0, 1].map(|_| {
        let mut layer = || -> Box<Layer> {
            Box::new(std::array::from_fn(|_| std::array::from_fn(|_| [0, 1].map(|_| number(MOST_WEIGHT)))))
        };
        let (first, second, context) = (layer(), layer(), layer());
        let biases =
            |number: &mut dyn FnMut(i16) -> i16| std::array::from_fn(|_| i32::from(number(i16::MAX)) * 4_096);
        Head {
            first,
            first_biases: Box::new(std::array::from_fn(|_| biases(&mut number))),
            second,
            second_biases: biases(&mut number),
            value: std::array::from_fn(|_| number(MOST_OUTPUT)),
            value_bias: 1 << 27,
            draw: std::array::from_fn(|_| number(MOST_OUTPUT)),
            draw_bias: -(1 << 27),
            policy: std::array::from_fn(|_| number(MOST_OUTPUT)),
            context,
            table_share: TABLE_UNIT / 2,
            order_share: TABLE_UNIT * 3,
        }
    });
    Network::new("wild".to_owned(), &cells, heads).expect("numbers within their bounds")
}

fn networks() -> Vec<Arc<Network>> {
    vec![Network::shipped(), Arc::new(wild_network(1)), Arc::new(wild_network(2))]
}

#[test]
fn sums_under_play_and_undo_equal_those_of_the_stones() {
    let mut random = Random::new(3);
    for network in networks() {
        for set in InstructionSet::available() {
            let mut cells = cells_of(&Stones::EMPTY);
            let mut state = NetworkState::with_instructions(set, Arc::clone(&network), &cells);
            let mut asked = 0;
            for _ in 0..1_500 {
                let empty: Vec<_> = cells.stones().empty().points().collect();
                if cells.depth() > 0 && (empty.len() < 60 || random.below(5) < 2) {
                    cells.undo();
                    state.undo(&cells);
                } else {
                    cells.play(Color::ALL[random.below(2)], empty[random.below(empty.len())]);
                }
                // Mostly nobody asks, so that several stones come at once.
                if random.below(3) == 0 {
                    state.check(&cells).unwrap_or_else(|wrong| panic!("{set:?}: {wrong}"));
                    asked += 1;
                }
            }
            assert!(asked > 300, "asked only {asked} times");
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_answers() {
    let boards: Vec<Stones> = game_positions().into_iter().step_by(7).map(|(board, _)| board).collect();
    assert!(boards.len() > 300);
    for network in networks() {
        for board in &boards {
            let cells = cells_of(board);
            let mut answers = InstructionSet::available().into_iter().map(|set| {
                let mut state = NetworkState::with_instructions(set, Arc::clone(&network), &cells);
                Color::ALL.map(|color| {
                    let value = state.value(&cells, color);
                    let odds = state.draw_odds(&cells, color).to_bits();
                    let policy = state.policy(&cells, color);
                    let policies: Vec<i32> =
                        board.empty().points().map(|point| policy.points(&cells, point)).collect();
                    (value, odds, policies)
                })
            });
            let first = answers.next().expect("every CPU has one");
            assert!(answers.all(|other| other == first));
        }
    }
}

#[test]
fn the_eight_images_of_a_board_are_worth_the_same() {
    let network = Network::shipped();
    for (board, _) in game_positions().into_iter().step_by(40) {
        let mut found = Vec::new();
        for symmetry in Symmetry::ALL {
            let cells = cells_of(&board.transformed(symmetry));
            let mut state = NetworkState::new(Arc::clone(&network), &cells);
            found.push(Color::ALL.map(|color| {
                let value = state.value(&cells, color);
                let policy = state.policy(&cells, color);
                let policies: Vec<i32> = board
                    .empty()
                    .points()
                    .map(|point| policy.points(&cells, symmetry.point(point)))
                    .collect();
                (value, policies)
            }));
        }
        assert!(found.iter().all(|image| *image == found[0]), "{board:?}");
    }
}

/// What is asked of a board: its value, the odds of a draw, and what speaks for each move.
type Opinions = [(i32, u32, Vec<i32>); 2];

fn of_the_search(network: &Arc<Network>, board: &Stones) -> Opinions {
    let cells = cells_of(board);
    let mut state = NetworkState::with_instructions(InstructionSet::Scalar, Arc::clone(network), &cells);
    Color::ALL.map(|color| {
        let (value, odds) = (state.value(&cells, color), state.draw_odds(&cells, color).to_bits());
        let policy = state.policy(&cells, color);
        (value, odds, board.empty().points().map(|point| policy.points(&cells, point)).collect())
    })
}

fn of_one_after_another(boards: &mut NetworkBoards, board: &Stones) -> Opinions {
    boards.move_to(board);
    Color::ALL.map(|color| {
        let opinion = boards.opinion(color);
        let mut moves = Vec::new();
        opinion.policy(board.empty(), |point, points| {
            assert!(board.at(point).is_none());
            moves.push(points);
        });
        (opinion.value(), opinion.draw_odds().to_bits(), moves)
    })
}

#[test]
fn one_board_after_another_is_worth_what_the_search_says() {
    let mut random = Random::new(6);
    // Games move by move, their images, and jumps between them: near boards, far ones, fuller and emptier ones.
    let games: Vec<Stones> = game_positions().into_iter().map(|(board, _)| board).collect();
    let mut boards = vec![Stones::EMPTY];
    boards.extend(&games[..30]);
    for _ in 0..20 {
        let board = games[random.below(games.len())];
        boards.extend(Symmetry::ALL.map(|symmetry| board.transformed(symmetry)));
    }
    // Stones of any colour come, go and change, up to the edges and to a full board.
    let mut wild = Stones::EMPTY;
    for step in 0..160 {
        for _ in 0..1 + random.below(4) {
            let point = Point::from_index(random.below(225)).expect("a point");
            wild.remove(point);
            if random.below(160) < 40 + step {
                wild.place(Color::ALL[random.below(2)], point);
            }
        }
        boards.push(wild);
    }
    for network in networks() {
        let expected: Vec<Opinions> = boards.iter().map(|board| of_the_search(&network, board)).collect();
        for set in InstructionSet::available() {
            let values = Arc::new(CellValues::fitted());
            let mut state = NetworkBoards::with_instructions(set, Arc::clone(&network), values);
            for (i, (board, expected)) in boards.iter().zip(&expected).enumerate() {
                assert_eq!(
                    of_one_after_another(&mut state, board),
                    *expected,
                    "{set:?}, board {i}: {board:?}"
                );
            }
        }
    }
}

#[test]
fn a_network_has_an_opinion_of_its_own() {
    let network = Network::shipped();
    let mut differs = 0;
    for (board, turn) in game_positions().into_iter().step_by(40) {
        let cells = cells_of(&board);
        let mut state = NetworkState::new(Arc::clone(&network), &cells);
        assert_eq!(
            state.value(&cells, turn),
            state.table_points(&cells, turn) + state.network_points(&cells, turn)
        );
        differs += usize::from(state.network_points(&cells, turn) != 0);
    }
    assert!(differs > 50, "only {differs}");
}

#[test]
fn a_file_is_read_as_it_was_written() {
    for network in networks() {
        let bytes = network.to_bytes();
        let again = Network::from_bytes(&bytes).expect("what was written");
        assert_eq!((again.heads(), again.to_bytes()), (network.heads(), bytes));
        assert!(again.cell_vectors().eq(network.cell_vectors()));
    }
}

#[test]
fn a_damaged_file_is_refused() {
    let bytes = Network::shipped().to_bytes();
    let refused = |bytes: &[u8]| Network::from_bytes(bytes).expect_err("damaged");
    assert_eq!(refused(b""), BadNetwork::Version);
    assert_eq!(refused(&bytes[1..]), BadNetwork::Version);
    assert_eq!(refused(b"renju network 1\nno end"), BadNetwork::Recipe);
    assert!(matches!(refused(&bytes[..bytes.len() - 1]), BadNetwork::Length { .. }));
    let mut random = Random::new(4);
    for _ in 0..50 {
        let mut damaged = bytes.clone();
        let at = 1_000 + random.below(bytes.len() - 1_000);
        damaged[at] ^= 1 << random.below(8);
        assert_eq!(refused(&damaged), BadNetwork::Checksum, "byte {at}");
    }
}

#[test]
fn numbers_beyond_their_bounds_are_no_network() {
    let network = wild_network(5);
    let cells: Vec<[i16; WIDTH]> = network.cell_vectors().copied().collect();
    let of = |cells: &[[i16; WIDTH]], heads: [Head; 2]| Network::new(String::new(), cells, heads);
    assert!(of(&cells, network.heads().clone()).is_some());
    assert!(of(&cells[1..], network.heads().clone()).is_none());
    let mut great = cells.clone();
    great[7][3] = MOST_CELL + 1;
    assert!(of(&great, network.heads().clone()).is_none());
    let changes: [fn(&mut Head); 4] = [
        |head| head.first[2][3][1] = MOST_WEIGHT + 1,
        |head| head.value[0] = -MOST_OUTPUT - 1,
        |head| head.second_biases[5] = 1 << 28,
        |head| head.table_share = -1,
    ];
    for change in changes {
        let mut heads = network.heads().clone();
        change(&mut heads[1]);
        assert!(of(&cells, heads).is_none());
    }
}
