//! Several threads on one position: each searches alone, all share the table.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder};

use super::Stats;
use super::root::{Iteration, RootMoves, RootResult, RootTask};
use super::worker::{Control, Memory, Worker};
use crate::types::Point;

/// Runs the search of `main` with one thread more for each of the other memories, or with as many as the
/// system gives. What the others find reaches it through the table; they end when it does. Returns its
/// result, and the nodes and counters of the others.
pub fn run(
    main: &mut Worker<'_>,
    others: &mut [Memory],
    moves: &RootMoves,
    first: Option<Point>,
    task: RootTask,
    used: u64,
    report: &mut dyn FnMut(&Iteration),
) -> (RootResult, (u64, Stats)) {
    let color = main.root_turn;
    let mut report = |iteration: &Iteration| {
        report(&Iteration { nodes: iteration.nodes + used, ..iteration.clone() });
    };
    if others.is_empty() {
        return (main.deepen(color, moves, first, task, &mut report), (0, Stats::default()));
    }
    let is_done = AtomicBool::new(false);
    let (params, table, deadline) = (main.params, main.table, main.control.deadline);
    let network = main.network.as_ref().map(|state| Arc::clone(state.network()));
    let network = &network;
    let is_done = &is_done;
    thread::scope(|scope| {
        let helpers: Vec<_> = others
            .iter_mut()
            .enumerate()
            .filter_map(|(index, memory)| {
                let maps = (main.map.get().clone(), main.cells.clone());
                let work = move || {
                    let mut never = || false;
                    let control =
                        Control { stop: is_done, nodes: u64::MAX, deadline, should_stop: &mut never };
                    let mut worker =
                        Worker::new(params, table, memory, control, maps, network.as_ref(), color);
                    // Every second thread is a ply ahead, so that they do not all do the same.
                    let task = RootTask { multipv: 1, exact_threshold: 0, ..task };
                    worker.skip_first_depth = index % 2 == 0;
                    worker.deepen(color, moves, first, task, &mut |_| {});
                    (worker.nodes(), worker.stats)
                };
                Builder::new().spawn_scoped(scope, work).ok()
            })
            .collect();
        let result = main.deepen(color, moves, first, task, &mut report);
        is_done.store(true, Ordering::Relaxed);
        let mut others = (0, Stats::default());
        for helper in helpers {
            let (nodes, stats) = helper.join().expect("a search does not panic");
            others.0 += nodes;
            others.1.add(&stats);
        }
        (result, others)
    })
}
