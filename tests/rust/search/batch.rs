//! The array functions: every board its own answer, whatever the threads do.

use std::sync::atomic::AtomicBool;

use crate::support::{Random, point};
use renju::batch::{self, BadCell, Cells, Effort, Item, Plan, Report};
use renju::rules::{decode, reference};
use renju::types::{BOARD_POINTS, Color};

/// Enough items for several chunks.
const MANY: usize = 3000;

fn run<I: Sync, O: Send>(
    inputs: &[I],
    outputs: &mut [O],
    threads: usize,
    work: impl Fn(&I, &mut O) -> Result<Item, BadCell> + Sync,
    go_on: bool,
) -> Report<BadCell> {
    let plan = Plan { threads, effort: Effort::Quick };
    batch::run(inputs, outputs, plan, &AtomicBool::new(false), || &work, |_| go_on).expect("threads")
}

fn boards(count: usize) -> Vec<Cells> {
    let mut random = Random::new(2);
    let mut board = || {
        let mut cells = [0; BOARD_POINTS];
        batch::write_cells(&random.board(), &mut cells);
        cells
    };
    (0..count).map(|_| board()).collect()
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let inputs = boards(MANY + 17);
    let codes_with = |threads| {
        let mut codes = vec![[0; BOARD_POINTS]; inputs.len()];
        let report = run(&inputs, &mut codes, threads, batch::forbidden, true);
        assert!(report.is_complete() && report.error.is_none());
        codes
    };
    let alone = codes_with(1);
    for threads in [0, 2, 3, 8] {
        assert_eq!(codes_with(threads), alone, "{threads} threads");
    }
    for (cells, codes) in inputs.iter().zip(&alone).step_by(50) {
        let stones = decode(cells).unwrap();
        for (p, kind) in reference::forbidden_points(&stones) {
            assert_eq!(codes[p.index()], kind as u8);
        }
    }
}

#[test]
fn the_first_bad_cell_is_reported() {
    let mut inputs = boards(MANY);
    for board in [403, 1500, MANY - 1] {
        inputs[board][point("C2").index()] = 3;
        inputs[board][point("H8").index()] = -7;
    }
    let mut codes = vec![0; inputs.len()];
    for threads in [1, 2, 4] {
        let report = run(&inputs, &mut codes, threads, batch::winners, true);
        assert_eq!(report.error, Some((403, BadCell { cell: point("C2"), code: 3 })));
        assert!(!report.is_complete());
    }
}

#[test]
fn a_stop_is_obeyed_and_what_was_done_is_known() {
    let inputs = vec![(); 40 * MANY];
    for threads in [1, 2] {
        let mut outputs = vec![false; inputs.len()];
        let work = |_: &(), done: &mut bool| {
            std::thread::sleep(std::time::Duration::from_micros(1));
            *done = true;
            Ok::<Item, BadCell>(Item::Done)
        };
        let report = run(&inputs, &mut outputs, threads, work, false);
        assert!(!report.is_complete());
        assert!(report.done.contains(&true));
        assert_eq!(report.done, outputs);
    }
}

#[test]
fn every_code_but_four_is_bad() {
    for code in i8::MIN..=i8::MAX {
        for cell in [0, 14, 15, 112, 209, 210, 224] {
            let mut cells = [0; BOARD_POINTS];
            cells[cell] = code;
            match (code, decode(&cells)) {
                (0, Ok(stones)) => assert!(stones.is_empty()),
                (1, Ok(stones)) => {
                    assert_eq!(stones.black().points().next().unwrap().index(), cell)
                }
                (2 | -1, Ok(stones)) => {
                    assert_eq!(stones.white().points().next().unwrap().index(), cell)
                }
                (_, found) => assert_eq!(found, Err(cell), "{code}"),
            }
        }
    }
}

#[test]
fn keys_without_a_turn_follow_the_counts() {
    let mut cells = [0; BOARD_POINTS];
    cells[112] = 1;
    let mut key = 0;
    batch::key(&cells, None, false, &mut key).unwrap();
    let stones = decode(&cells).unwrap();
    assert_eq!(key, stones.key(Color::White));
    batch::key(&cells, Some(Color::Black), true, &mut key).unwrap();
    assert_eq!(key, stones.symmetric_key(Color::Black).0);
}
