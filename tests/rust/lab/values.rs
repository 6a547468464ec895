//! The workshop of the board value: what is counted is what the engine sums up, the fit finds what it should,
//! and games do not depend on who plays them.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::support::{Random, game_positions, point, stones};
use renju::batch::{Effort, Item, Plan, run};
use renju::board::Stones;
use renju::eval::{CellKind, CellMap, CellValues, ValueTable};
use renju::lab::{
    BadRow, BoardExamples, Crew, Examples, FitOptions, FitPart, Halt, OrderExamples, Player, Sample,
    SelfPlay, Stopping, Sums, TableFit, fit_table, is_valued, play_game, target,
};
use renju::search::{Level, Params, Source, near};
use renju::types::score::{is_decided, win_in};
use renju::types::{Bitboard, Color, Point};

const SCALE: f64 = 200.0;

/// Boards of games with some stones more anywhere.
fn boards(step: usize, seed: u64) -> Vec<Stones> {
    let mut random = Random::new(seed);
    let games = game_positions().into_iter().step_by(step).map(|(board, _)| board);
    let mut boards: Vec<Stones> = games.collect();
    for board in &mut boards {
        for _ in 0..random.below(12).min(board.empty().len()) {
            let empty: Vec<_> = board.empty().points().collect();
            board.place(Color::ALL[random.below(2)], empty[random.below(empty.len())]);
        }
    }
    boards
}

fn cells_of(board: &Stones) -> CellMap {
    CellMap::new(board, Arc::new(CellValues::fitted()))
}

#[test]
fn values_are_those_of_the_engine() {
    let parameters = FitPart::Board.parameters(&ValueTable::fitted(), SCALE);
    let values = Arc::new(CellValues::fitted());
    let mut random = Random::new(1);
    let more = (0..2_000).map(|_| random.board());
    let boards: Vec<Stones> = boards(2, 2).into_iter().chain(more).collect();
    assert!(boards.len() > 3_000, "only {} boards", boards.len());
    let (mut examples, mut expected) = (BoardExamples::default(), Vec::new());
    for board in &boards {
        let cells = CellMap::new(board, Arc::clone(&values));
        for turn in Color::ALL {
            examples.push(&cells, turn, 0.5, 1.0);
            expected.push(cells.board_value(turn));
        }
    }
    assert_eq!(examples.len(), expected.len());
    for (found, expected) in examples.values(&parameters).iter().zip(expected) {
        assert!((found * SCALE - f64::from(expected)).abs() < 1e-6, "{} {expected}", found * SCALE);
    }
}

/// Compares a gradient with what small steps to both sides find.
fn check_gradient(examples: &impl Examples, parameters: &[f64]) {
    let mut sums = Sums::with_gradient(parameters.len());
    examples.add(parameters, &mut sums);
    let gradient = sums.gradient.expect("asked for");
    let loss = |i: usize, step: f64| {
        let mut moved = parameters.to_vec();
        moved[i] += step;
        let mut sums = Sums::loss_only();
        examples.add(&moved, &mut sums);
        sums.loss
    };
    let mut used: Vec<usize> = (0..parameters.len()).filter(|&i| gradient[i] != 0.0).collect();
    assert!(used.len() > 500, "only {} parameters matter", used.len());
    used.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
    for &i in used.iter().take(50).chain(used.iter().step_by(20)) {
        let step = 1e-4;
        let slope = (loss(i, step) - loss(i, -step)) / (2.0 * step);
        assert!((slope - gradient[i]).abs() < 1e-5 * (1.0 + slope.abs()), "{i}: {slope} {}", gradient[i]);
    }
}

#[test]
fn gradients_are_those_of_small_steps() {
    let table = ValueTable::fitted();
    let mut random = Random::new(3);
    let (mut board, mut order) = (BoardExamples::default(), OrderExamples::default());
    for stones in boards(40, 4) {
        let cells = cells_of(&stones);
        for turn in Color::ALL {
            let (chance, weight) = (random.below(1_001) as f64 / 1_000.0, 0.5 + random.below(4) as f64);
            board.push(&cells, turn, chance, weight);
            let among = near(Bitboard::ALL - stones.empty(), 2) & stones.empty();
            let candidates: Vec<Point> = among.points().collect();
            if !candidates.is_empty() {
                order.push(&cells, turn, candidates[random.below(candidates.len())], among, weight);
            }
        }
    }
    assert!(board.len() > 100 && order.len() > 100);
    check_gradient(&board, &FitPart::Board.parameters(&table, SCALE));
    check_gradient(&order, &FitPart::Order.parameters(&table, SCALE));
}

fn options() -> FitOptions {
    FitOptions {
        result_share: 0.7,
        scale: SCALE,
        pull: 10.0,
        validation: 0.1,
        stopping: Stopping { iterations: 100, patience: 5 },
        order: false,
        seed: 0,
    }
}

fn fit(
    positions: &[Sample],
    start: &ValueTable,
    options: &FitOptions,
    threads: usize,
) -> Result<TableFit, Halt> {
    let rows: Vec<_> = positions.iter().map(Sample::encode).collect();
    let stop = AtomicBool::new(false);
    let mut crew = Crew { threads, stop: &stop, go_on: &mut || true };
    fit_table(&rows, &[], start, options, &mut crew, &mut |_, _, _| {})
}

/// Positions that this table values as the search does, and whose best move it orders first.
fn synthetic(table: &ValueTable, step: usize) -> Vec<Sample> {
    let values = Arc::new(CellValues::from_table(table));
    let mut positions = Vec::new();
    for (game, board) in boards(step, 5).into_iter().enumerate() {
        let cells = CellMap::new(&board, Arc::clone(&values));
        for turn in Color::ALL {
            let key = |p: &Point| {
                let taken = cells.value(turn.opponent(), *p).defence;
                (i32::from(cells.value(turn, *p).attack) + i32::from(taken), std::cmp::Reverse(p.index()))
            };
            let candidates = near(Bitboard::ALL - board.empty(), 2) & board.empty();
            let Some(best) = candidates.points().max_by_key(key) else { continue };
            positions.push(Sample {
                stones: board,
                turn,
                score: cells.board_value(turn),
                best,
                result: 0,
                score_only: true,
                source: Source::Search,
                game: game as u32,
            });
        }
    }
    positions
}

#[test]
fn a_known_table_is_found_again() {
    // The truth differs from the start in what is common: twos, ones, the tempo.
    let start = ValueTable::fitted();
    let mut truth = start.clone();
    let (cells, threats) = truth.numbers_mut();
    for (class, numbers) in cells.iter_mut().enumerate().skip(1) {
        numbers[0] += (class % 7) as i16 * 3 - 9;
        numbers[1] += (class % 5) as i16 * 4 - 8;
    }
    threats.iter_mut().for_each(|numbers| *numbers = [numbers[0] - 40, numbers[1] + 25]);
    let positions = synthetic(&truth, 1);
    let stopping = Stopping { iterations: 400, patience: 20 };
    let options = FitOptions { pull: 1e-3, validation: 0.2, stopping, ..options() };
    let found = fit(&positions, &start, &options, 2).expect("enough positions");
    let wrong = |table: &ValueTable| {
        let (values, truth) = (CellValues::from_table(table), CellValues::from_table(&truth));
        let (values, truth) = (Arc::new(values), Arc::new(truth));
        let mut all: Vec<i32> = Vec::new();
        for Sample { stones, turn, .. } in positions.iter().step_by(3) {
            let of = |values: &Arc<CellValues>| CellMap::new(stones, Arc::clone(values)).board_value(*turn);
            // Beyond this the logistic curve is flat and tells little.
            if of(&truth).abs() < 400 {
                all.push((of(&values) - of(&truth)).abs());
            }
        }
        f64::from(all.iter().sum::<i32>()) / all.len() as f64
    };
    let (before, after) = (wrong(&start), wrong(&found.table));
    assert!(after < 10.0 && after < before / 8.0, "{before} {after}");
    let [losses, end] = [found.board.losses[0], found.board.rounded];
    assert!(end.validation < losses.validation && end.train < losses.train, "{losses:?} {end:?}");
}

#[test]
fn the_order_of_moves_is_learnt() {
    let truth = ValueTable::fitted();
    let positions = synthetic(&truth, 3);
    let blank = FitPart::Order.put(&truth, &FitPart::Order.parameters(&ValueTable::fitted(), 1e12), SCALE);
    assert!(blank.cells().iter().all(|numbers| numbers[2..] == [0; 4]) && blank.threats() == truth.threats());
    let options = FitOptions { order: true, pull: 0.1, ..options() };
    let found = fit(&positions, &blank, &options, 2).expect("enough positions");
    let order = found.order.expect("asked for");
    let (before, after) = (order.losses[0].validation, order.rounded.validation);
    assert!((before - 4.0).abs() < 1.0 && after < 0.5 * before, "{before} {after}");
}

#[test]
fn a_fit_is_the_same_for_any_number_of_threads() {
    let start = ValueTable::fitted();
    let mut positions = synthetic(&start, 2);
    for (i, position) in positions.iter_mut().enumerate() {
        (position.score, position.score_only, position.result) =
            (position.score / 2, i % 3 > 0, (i % 3) as i8 - 1);
    }
    let options = FitOptions { order: true, stopping: Stopping { iterations: 5, patience: 5 }, ..options() };
    let [one, two] = [1, 2].map(|threads| fit(&positions, &start, &options, threads).expect("a fit"));
    assert_eq!(one.table, two.table);
    assert_eq!(one.board.losses, two.board.losses);
    assert_ne!(one.table, start);
    // All of it, and not more than a step a time.
    assert_eq!(one.positions.iter().sum::<usize>(), positions.len());
    assert!(one.board.losses.windows(2).all(|pair| pair[1].train < pair[0].train));
}

#[test]
fn a_fit_needs_good_rows_and_enough_of_them() {
    let start = ValueTable::fitted();
    let stop = AtomicBool::new(false);
    let mut rows: Vec<_> = synthetic(&start, 50).iter().map(Sample::encode).collect();
    let go = |rows: &[_], go_on: &mut dyn FnMut() -> bool| {
        let mut crew = Crew { threads: 2, stop: &stop, go_on };
        fit_table(rows, &[], &start, &options(), &mut crew, &mut |_, _, _| {})
    };
    assert!(matches!(go(&[], &mut || true), Err(Halt::Nothing)));
    rows[7][225] = 3;
    assert!(matches!(go(&rows, &mut || true), Err(Halt::Bad(7, BadRow::Turn(3)))));
    assert!(matches!(go(&rows, &mut || false), Err(Halt::Stopped)));
}

#[test]
fn rows_hold_positions() {
    for position in synthetic(&ValueTable::fitted(), 30) {
        let position = Sample { score: -position.score, result: -1, score_only: false, ..position };
        let row = position.encode();
        assert_eq!(Sample::decode(&row), Ok(position));
        let with = |at: usize, byte: u8| {
            let mut row = row;
            row[at] = byte;
            Sample::decode(&row).expect_err("a bad row").to_string()
        };
        assert_eq!(with(225, 0), "turn is 1 or 2, not 0");
        assert_eq!(
            with(231, 1),
            format!("move {} is no empty point of the board", 256 + position.best.index())
        );
        assert_eq!(with(232, 2), "result is -1, 0 or 1, not 2");
        assert_eq!(with(234, 99), "source is a number from 0 to 8, not 99");
        assert!(with(3, 7).contains("holds 7"));
    }
}

#[test]
fn forced_positions_are_not_valued() {
    let set = |names: &str| names.split_whitespace().map(point).collect::<Bitboard>();
    let position = |black: &str, white: &str, source| Sample {
        stones: stones(set(black), set(white)),
        turn: Color::Black,
        score: 0,
        best: point("a15"),
        result: 1,
        score_only: false,
        source,
        game: 0,
    };
    let valued = |position: &Sample| is_valued(position, &cells_of(&position.stones));
    assert!(valued(&position("h8 i9", "h9 i8", Source::Search)));
    assert!(valued(&position("h8 i9 j12", "h9 i8 g10", Source::Vct)));
    assert!(!valued(&position("h8 i9", "h9 i8", Source::Vcf)));
    // A three of black's, a four of black's, a four of white's.
    assert!(!valued(&position("g8 h8 i8", "h9 i9 a1", Source::Search)));
    assert!(!valued(&position("f8 g8 h8 i8", "e8 h9 i9 a1", Source::Search)));
    assert!(!valued(&position("e8 h9 i9 a1", "f8 g8 h8 i8", Source::Search)));
    // White's three has yet to be answered.
    assert!(valued(&position("h9 i9 a1", "g8 h8 i8", Source::Search)));

    let won = position("h8 i9", "h9 i8", Source::Search);
    assert!((target(&won, &options()) - (0.7 + 0.3 * 0.5)).abs() < 1e-12);
    assert!((target(&Sample { result: 0, ..won }, &options()) - 0.5).abs() < 1e-12);
    let scored = Sample { score_only: true, score: win_in(9), ..won };
    assert!((target(&scored, &options()) - 1.0).abs() < 1e-12);
}

fn self_play() -> SelfPlay {
    SelfPlay {
        params: Params::of(Level::Master),
        values: None,
        network: None,
        nodes: 300,
        hash_bytes: 1 << 20,
        least_opening_stones: 3,
        most_opening_stones: 8,
        opening_nodes: 300,
        opening_bound: 100,
        random_permille: 50,
        beside: 1,
        most_stones: 100,
        seed: 9,
    }
}

fn games(options: &SelfPlay, games: u32, threads: usize) -> Vec<Vec<Sample>> {
    let stop = AtomicBool::new(false);
    let numbers: Vec<u32> = (0..games).collect();
    let mut found = vec![Vec::new(); numbers.len()];
    let make = || {
        let mut player = Player::new(options).expect("a megabyte");
        let stop = &stop;
        move |&number: &u32, positions: &mut Vec<Sample>| {
            *positions = play_game(&mut player, options, number, stop).expect("nobody stops it");
            Ok::<_, Infallible>(Item::Done)
        }
    };
    let report = run(&numbers, &mut found, Plan { threads, effort: Effort::Long }, &stop, make, |_| true);
    assert!(report.expect("threads").is_complete());
    found
}

#[test]
fn games_are_the_same_for_any_number_of_threads() {
    let options = self_play();
    let one = games(&options, 24, 1);
    assert_eq!(games(&options, 24, 2), one);
    // A game does not depend on those before it.
    let mut player = Player::new(&options).expect("a megabyte");
    assert_eq!(play_game(&mut player, &options, 17, &AtomicBool::new(false)).as_ref(), Some(&one[17]));
    assert!(play_game(&mut player, &options, 17, &AtomicBool::new(true)).is_none());
    let other = SelfPlay { seed: 10, ..options };
    assert_ne!(games(&other, 24, 2), one);
}

#[test]
fn games_are_even_at_first_and_played_to_their_end() {
    let options = SelfPlay { random_permille: 0, beside: 0, ..self_play() };
    let games = games(&options, 30, 2);
    let (mut won, mut stones_at_first) = ([0; 3], [0; 9]);
    for positions in &games {
        let (first, last) = (positions[0], positions[positions.len() - 1]);
        stones_at_first[first.stones.len()] += 1;
        let centre = |p: Point| p.distance(Point::CENTER) <= 3;
        assert!((Bitboard::ALL - first.stones.empty()).points().all(centre));
        for pair in positions.windows(2) {
            let [before, after] = [pair[0], pair[1]];
            assert_eq!(before.stones.with(before.turn, before.best), after.stones);
            assert_eq!((after.turn, after.result), (before.turn.opponent(), -before.result));
            assert!(!before.score_only && cells_of(&before.stones).count(before.turn, CellKind::Five) == 0);
        }
        won[(last.result + 1) as usize] += 1;
        match last.result {
            0 => assert_eq!(last.stones.len() + 1, options.most_stones),
            _ => assert!(is_decided(last.score) && last.score > 0 && last.result == 1),
        }
    }
    assert!(won[2] > 20, "{won:?}");
    assert!(stones_at_first[..3] == [0; 3] && stones_at_first[3..].iter().filter(|&&n| n > 0).count() > 3);
}

#[test]
fn a_random_move_takes_the_result_away_from_what_was_before() {
    let options = SelfPlay { random_permille: 100, ..self_play() };
    let positions: Vec<Sample> = games(&options, 20, 2).into_iter().flatten().collect();
    assert!(positions.iter().all(|position| !position.score_only || position.result == 0));
    let of_games: Vec<&Sample> = positions.iter().filter(|position| !position.score_only).collect();
    assert!(of_games.len() > 60 && positions.len() > 3 * of_games.len() / 2);
    // A table of one's own plays other games.
    let mut table = ValueTable::fitted();
    table.numbers_mut().0.iter_mut().for_each(|numbers| numbers[0] /= 2);
    let other = SelfPlay { values: Some(Arc::new(table)), ..options };
    assert_ne!(games(&other, 20, 2).into_iter().flatten().collect::<Vec<_>>(), positions);
}
