//! One job, many items, any number of threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// The smallest chunk worth a thread's attention.
const SMALLEST_CHUNK: usize = 256;

/// The largest: about two megabytes of cells, so that two threads seldom wait for the same fresh
/// page of memory.
const LARGEST_CHUNK: usize = 8192;

/// More threads than this only take time to start.
const MOST_THREADS: usize = 256;

/// The number of items after which a stop is looked for.
const STRIDE: usize = 64;

/// How often the caller is asked whether to go on.
const ASK_EVERY: Duration = Duration::from_millis(20);

/// What a run over many items left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Report<E> {
    /// Whether each item was finished: all of them were, unless the run was stopped or failed.
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

/// How a run is cut up.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of threads; 0 is one per core.
    pub threads: usize,
    /// How long one item takes.
    pub effort: Effort,
}

impl Plan {
    /// The most threads, and workers, that a run over this number of items will have.
    #[must_use]
    pub fn threads_for(self, items: usize) -> usize {
        match self.threads {
            _ if self.effort == Effort::Quick && items <= SMALLEST_CHUNK => 1,
            0 => cores(),
            threads => threads.min(MOST_THREADS),
        }
        .min(items)
    }
}

/// How long an item takes, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// An item takes microseconds at most: items are taken by the hundred, and few of them on the calling
    /// thread.
    Quick,
    /// Any time, often little: small chunks on threads of their own, while the calling thread waits.
    Varied,
    /// Milliseconds and more: the same, one by one.
    Long,
}

/// What a worker did with an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The item is finished and has its result.
    Done,
    /// The flag said "stop" before the item was finished.
    Stopped,
}

/// Does the work of `make_worker`, one worker for each thread, on every input and its output. Every
/// 20 ms `go_on` is asked, with the number of items finished; after a "no" the flag `stop` is set and
/// the threads stop within a few items, or in the middle of one if the worker watches the flag. Fails
/// only if the system gives us no threads.
pub fn run<I: Sync, O: Send, E: Send, W: FnMut(&I, &mut O) -> Result<Item, E>>(
    inputs: &[I],
    outputs: &mut [O],
    plan: Plan,
    stop: &AtomicBool,
    make_worker: impl Fn() -> W + Sync,
    mut go_on: impl FnMut(usize) -> bool,
) -> Result<Report<E>, rayon::ThreadPoolBuildError> {
    assert_eq!(inputs.len(), outputs.len(), "one output per input");
    let is_quick = plan.effort == Effort::Quick;
    let threads = plan.threads_for(inputs.len());
    // Many chunks for every thread, so that none waits long for the last.
    let chunk = match plan.effort {
        Effort::Quick => {
            let largest = if threads == 1 { SMALLEST_CHUNK } else { LARGEST_CHUNK };
            (inputs.len() / (16 * threads.max(1))).clamp(SMALLEST_CHUNK, largest)
        }
        Effort::Varied => (inputs.len() / (64 * threads.max(1))).clamp(1, SMALLEST_CHUNK),
        Effort::Long => 1,
    };
    let mut report = Report { done: vec![false; inputs.len()], error: None };
    let chunks = inputs.chunks(chunk).zip(outputs.chunks_mut(chunk)).enumerate();
    let finished_items = AtomicUsize::new(0);
    let one_chunk = |worker: &mut W, index: usize, inputs: &[I], outputs: &mut [O]| -> ChunkResult<E> {
        let first = index * chunk;
        let stride = if is_quick { STRIDE } else { 1 };
        for (i, (input, output)) in inputs.iter().zip(outputs).enumerate() {
            if i % stride == 0 && stop.load(Ordering::Relaxed) {
                return (first..first + i, Ok(()));
            }
            match worker(input, output) {
                Ok(Item::Done) => {}
                Ok(Item::Stopped) => return (first..first + i, Ok(())),
                Err(error) => return (first..first + i, Err((first + i, error))),
            }
        }
        finished_items.fetch_add(inputs.len(), Ordering::Relaxed);
        (first..first + inputs.len(), Ok(()))
    };
    let threads = threads.min(inputs.len().div_ceil(chunk));
    if threads == 0 {
        return Ok(report);
    }
    if threads == 1 && is_quick {
        let (mut worker, mut asked) = (make_worker(), Instant::now());
        for (index, (inputs, outputs)) in chunks {
            report.note(one_chunk(&mut worker, index, inputs, outputs));
            if report.error.is_some() {
                break;
            }
            if asked.elapsed() >= ASK_EVERY {
                if !go_on(finished_items.load(Ordering::Relaxed)) {
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
    // A thread reports once, at its end: a message per chunk would wake this one all the time.
    let (sender, finished) = mpsc::channel();
    let one_thread = |sender: mpsc::Sender<Vec<ChunkResult<E>>>| {
        let mut results = Vec::new();
        let mut worker = make_worker();
        while !stop.load(Ordering::Relaxed) && !failed.load(Ordering::Relaxed) {
            let Some((index, (inputs, outputs))) = chunks.lock().expect("no thread panics here").next()
            else {
                break;
            };
            let result = one_chunk(&mut worker, index, inputs, outputs);
            failed.fetch_or(result.1.is_err(), Ordering::Relaxed);
            results.push(result);
        }
        sender.send(results).expect("the receiver outlives the threads");
    };
    with_pool(threads, !is_quick, |pool| {
        pool.in_place_scope(|scope| {
            for _ in 0..threads {
                let (sender, one_thread) = (sender.clone(), &one_thread);
                scope.spawn(move |_| one_thread(sender));
            }
            drop(sender);
            loop {
                match finished.recv_timeout(ASK_EVERY) {
                    Ok(results) => results.into_iter().for_each(|result| report.note(result)),
                    Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => {}
                    Err(RecvTimeoutError::Timeout) => {
                        let go_on = go_on(finished_items.load(Ordering::Relaxed));
                        stop.store(!go_on, Ordering::Relaxed);
                    }
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
/// for more, or if it `is_long` work that others should not wait for, a pool of its own.
///
/// No lock is held, so that a fork at any moment leaves the child able to make its own. A pool that
/// belonged to the parent is left alone: its threads are not there to be stopped.
fn with_pool(
    threads: usize,
    is_long: bool,
    work: impl FnOnce(&rayon::ThreadPool),
) -> Result<(), rayon::ThreadPoolBuildError> {
    let build = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("renju-batch-{i}"))
            .build()
    };
    if is_long || threads > cores() {
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
