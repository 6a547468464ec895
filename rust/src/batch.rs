//! The array functions: the same question asked of many boards, on many threads.
//!
//! Boards come as slices of cells in the codes of the array API. Work is cut into chunks that
//! threads take in order; every result has its own place, so the answer does not depend on how many
//! threads there are.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use crate::board::Stones;
use crate::record::{NotationError, parse_moves};
use crate::rules::{IllegalRecord, Position, Scan, decode, winner};
use crate::threats::Survey;
use crate::types::{BOARD_POINTS, Color, Key, Point};

/// One board of an array: 0 empty, 1 black, 2 or -1 white, at `y * 15 + x`.
pub type Cells = [i8; BOARD_POINTS];

/// The smallest chunk worth a thread's attention.
const SMALLEST_CHUNK: usize = 256;

/// The largest: about two megabytes of cells, so that two threads seldom wait for the same fresh
/// page of memory.
const LARGEST_CHUNK: usize = 8192;

/// A stop is looked for after so many items.
const STRIDE: usize = 64;

/// How often the caller is asked whether to go on.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// What a run over many items left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Report<E> {
    /// Which items were finished. All, unless the run was stopped or failed.
    pub done: Vec<bool>,
    /// The failure with the lowest index, whatever the number of threads.
    pub error: Option<(usize, E)>,
}

impl<E> Report<E> {
    /// Was every item finished?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.done.iter().all(|&done| done)
    }

    fn note(&mut self, (items, result): ChunkResult<E>) {
        self.done[items].fill(true);
        match result {
            Err(found) if self.error.as_ref().is_none_or(|(first, _)| found.0 < *first) => {
                self.error = Some(found);
            }
            _ => {}
        }
    }
}

/// The items of a chunk that were finished, and the failure in it, if any, with the index of its item.
type ChunkResult<E> = (Range<usize>, Result<(), (usize, E)>);

/// Does `work` on every input and its output, on `threads` threads (0: one per core). Every 20 ms
/// `go_on` is asked; after a "no" the threads stop within a few items. Fails only if the system gives
/// us no threads.
pub fn run<I: Sync, O: Send, E: Send>(
    inputs: &[I],
    outputs: &mut [O],
    threads: usize,
    work: impl Fn(&I, &mut O) -> Result<(), E> + Sync,
    mut go_on: impl FnMut() -> bool,
) -> Result<Report<E>, rayon::ThreadPoolBuildError> {
    assert_eq!(inputs.len(), outputs.len(), "one output per input");
    let threads = match threads {
        _ if inputs.len() <= SMALLEST_CHUNK => 1,
        0 => cores(),
        _ => threads,
    };
    // Many chunks for every thread, so that none waits long for the last.
    let largest = if threads == 1 { SMALLEST_CHUNK } else { LARGEST_CHUNK };
    let chunk = (inputs.len() / (16 * threads)).clamp(SMALLEST_CHUNK, largest);
    let mut report = Report { done: vec![false; inputs.len()], error: None };
    let chunks = inputs.chunks(chunk).zip(outputs.chunks_mut(chunk)).enumerate();
    let stop = AtomicBool::new(false);
    let one_chunk = |index: usize, inputs: &[I], outputs: &mut [O]| -> ChunkResult<E> {
        let first = index * chunk;
        for (i, (input, output)) in inputs.iter().zip(outputs).enumerate() {
            if i % STRIDE == 0 && stop.load(Ordering::Relaxed) {
                return (first..first + i, Ok(()));
            }
            if let Err(error) = work(input, output) {
                return (first..first + i, Err((first + i, error)));
            }
        }
        (first..first + inputs.len(), Ok(()))
    };
    let threads = threads.min(inputs.len().div_ceil(chunk));
    if threads <= 1 {
        let mut asked = Instant::now();
        for (index, (inputs, outputs)) in chunks {
            report.note(one_chunk(index, inputs, outputs));
            if report.error.is_some() {
                break;
            }
            if asked.elapsed() >= ASK_EVERY {
                if !go_on() {
                    break;
                }
                asked = Instant::now();
            }
        }
        return Ok(report);
    }

    // Chunks are taken in order: when one fails, all before it are done or under way. These go on to
    // their end, so that the failure with the lowest index is always found.
    let (chunks, failed) = (Mutex::new(chunks), AtomicBool::new(false));
    // A worker reports once, at its end: a message per chunk would wake this thread all the time.
    let (sender, finished) = mpsc::channel();
    let worker = |sender: mpsc::Sender<Vec<ChunkResult<E>>>| {
        let mut results = Vec::new();
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let Some((index, (inputs, outputs))) = chunks.lock().expect("no thread panics here").next()
            else {
                break;
            };
            let result = one_chunk(index, inputs, outputs);
            failed.fetch_or(result.1.is_err(), Ordering::Relaxed);
            results.push(result);
        }
        sender.send(results).expect("the receiver outlives the workers");
    };
    with_pool(threads, |pool| {
        pool.in_place_scope(|scope| {
            for _ in 0..threads {
                let (sender, worker) = (sender.clone(), &worker);
                scope.spawn(move |_| worker(sender));
            }
            drop(sender);
            loop {
                match finished.recv_timeout(ASK_EVERY) {
                    Ok(results) => results.into_iter().for_each(|result| report.note(result)),
                    Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {}
                    Err(RecvTimeoutError::Timeout) => stop.store(!go_on(), Ordering::Relaxed),
                    Err(RecvTimeoutError::Disconnected) => break,
                }
            }
        });
    })?;
    Ok(report)
}

/// Threads that `threads = 0` stands for.
#[must_use]
pub fn cores() -> usize {
    // Asking the system takes longer than reading a hundred boards.
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// A thread pool and the process it belongs to: threads do not survive a fork.
struct Pool {
    process: u32,
    threads: rayon::ThreadPool,
}

/// The pool of this process, made when first needed and kept.
static POOL: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

/// Calls `work` with a pool of at least `threads` threads: the one kept, which has one per core, or
/// for more a pool of their own.
///
/// No lock is held, so that a fork at any moment leaves the child able to make its own. A pool that
/// belonged to the parent is left alone: its threads are not there to be stopped.
fn with_pool(
    threads: usize,
    work: impl FnOnce(&rayon::ThreadPool),
) -> Result<(), rayon::ThreadPoolBuildError> {
    let build = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("renju-batch-{i}"))
            .build()
    };
    if threads > cores() {
        work(&build(threads)?);
        return Ok(());
    }
    let process = std::process::id();
    let current = POOL.load(Ordering::Acquire);
    // SAFETY: a pointer in POOL comes from `Box::into_raw` below and is never freed.
    if let Some(pool) = unsafe { current.as_ref() }
        && pool.process == process
    {
        work(&pool.threads);
        return Ok(());
    }
    let fresh = Box::into_raw(Box::new(Pool { process, threads: build(cores())? }));
    let exchanged = POOL.compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire);
    // SAFETY: see above; `fresh` was just made and is either in POOL now or still ours.
    match exchanged {
        Ok(_) => work(unsafe { &(*fresh).threads }),
        Err(_) => {
            // Another thread was faster; use ours this once.
            let pool = unsafe { Box::from_raw(fresh) };
            work(&pool.threads);
        }
    }
    Ok(())
}

/// A cell with a code that is none of 0, 1, 2, -1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{cell} (y={}, x={}) holds {code}, not 0, 1, 2 or -1", .cell.y(), .cell.x())]
pub struct BadCell {
    /// Where.
    pub cell: Point,
    /// What it holds.
    pub code: i8,
}

/// The stones of an array board.
pub fn stones_of(cells: &Cells) -> Result<Stones, BadCell> {
    decode(cells).map_err(|index| BadCell {
        cell: Point::from_index(index).expect("an index of a cell"),
        code: cells[index],
    })
}

/// The forbidden code of every cell.
pub fn forbidden(cells: &Cells, codes: &mut [u8; BOARD_POINTS]) -> Result<(), BadCell> {
    let points = Scan::of(&stones_of(cells)?).points();
    codes.fill(0);
    for (point, kind) in points.iter() {
        codes[point.index()] = kind as u8;
    }
    Ok(())
}

/// 1 if black has exactly five in a row, 2 if white has five or more, else 0.
pub fn winners(cells: &Cells, code: &mut i8) -> Result<(), BadCell> {
    *code = winner(&stones_of(cells)?).map_or(0, |color| color as i8);
    Ok(())
}

/// The threat code of every cell for a colour.
pub fn threat_map(color: Color, cells: &Cells, codes: &mut [u8; BOARD_POINTS]) -> Result<(), BadCell> {
    let survey = Survey::of(&stones_of(cells)?, color);
    codes.fill(0);
    for (threat, cells) in survey.by_threat() {
        for point in cells.points() {
            codes[point.index()] = threat as u8;
        }
    }
    Ok(())
}

/// The hash of a board with this side to move; without one, the side that has no more stones than
/// the other (black if equal).
pub fn key(cells: &Cells, turn: Option<Color>, symmetric: bool, key: &mut Key) -> Result<(), BadCell> {
    let stones = stones_of(cells)?;
    let by_count = if stones.black().len() <= stones.white().len() { Color::Black } else { Color::White };
    let turn = turn.unwrap_or(by_count);
    *key = if symmetric { stones.symmetric_key(turn).0 } else { stones.key(turn) };
    Ok(())
}

/// A record that gives no board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRecord {
    /// Its text cannot be read.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Its moves cannot be made.
    #[error(transparent)]
    Illegal(#[from] IllegalRecord),
}

/// The board after the moves of a record, and whose turn it is.
pub fn parse(record: &str, referee: bool, cells: &mut Cells, turn: &mut i8) -> Result<(), BadRecord> {
    let mut position = Position::new(referee, None);
    position.play_all(&parse_moves(record)?)?;
    write_cells(position.stones(), cells);
    *turn = position.turn() as i8;
    Ok(())
}

/// The stones as an array board.
pub fn write_cells(stones: &Stones, cells: &mut Cells) {
    cells.fill(0);
    for color in Color::ALL {
        for point in stones.of(color).points() {
            cells[point.index()] = color as i8;
        }
    }
}
