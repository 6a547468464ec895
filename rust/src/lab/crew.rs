use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};

use super::BadRow;
use crate::batch::{Effort, Item, Plan, run};

/// Threads for a work of many steps, and who may end it.
pub struct Crew<'a> {
    /// The number of threads; 0 is one per core.
    pub threads: usize,
    /// The work ends when anyone sets this.
    pub stop: &'a AtomicBool,
    /// Asked every 20 ms, and after every step; false ends the work.
    pub go_on: &'a mut dyn FnMut() -> bool,
}

/// Why a work was not finished.
#[derive(Debug, thiserror::Error)]
pub enum Halt {
    /// The work was told to stop.
    #[error("stopped")]
    Stopped,
    /// Something is wrong with the input of this index.
    #[error("{1}")]
    Bad(usize, BadRow),
    /// There is nothing to work on.
    #[error("there are no positions to fit to, or none to compare with")]
    Nothing,
    /// The system gives no threads.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Crew<'_> {
    /// Does the work of `make_worker`, one worker for each thread, on every input. The results are in their
    /// order, whatever the threads.
    pub(super) fn map<I: Sync, O: Send, W: FnMut(&I) -> O>(
        &mut self,
        inputs: &[I],
        make_worker: impl Fn() -> W + Sync,
    ) -> Result<Vec<O>, Halt> {
        let mut outputs: Vec<Option<O>> = inputs.iter().map(|_| None).collect();
        let plan = Plan { threads: self.threads, effort: Effort::Long };
        let (stop, go_on) = (self.stop, &mut *self.go_on);
        let make = || {
            let mut work = make_worker();
            move |input: &I, output: &mut Option<O>| {
                *output = Some(work(input));
                Ok::<_, Infallible>(Item::Done)
            }
        };
        run(inputs, &mut outputs, plan, stop, make, |_| go_on())?;
        // A short step is over before anybody was asked.
        if stop.load(Ordering::Relaxed) || !go_on() {
            stop.store(true, Ordering::Relaxed);
            return Err(Halt::Stopped);
        }
        Ok(outputs.into_iter().flatten().collect())
    }
}
