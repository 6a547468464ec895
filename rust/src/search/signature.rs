//! The signature of the search: how many positions it looks at on a fixed task. It is the same on every
//! machine, and changes with every change of behaviour.

use std::sync::atomic::AtomicBool;

use super::{CallLimits, Engine, Level, Params, Query};
use crate::record::parse_moves;
use crate::rules::Position;

/// Openings and middle games, one after the other from quiet to sharp.
const RECORDS: [&str; 10] = [
    "h8h9j9j8f8i7g7i9",
    "h8i9i8g8i10h9",
    "h8h9i10j9j10i9g9",
    "h8i9g7g9i7h9f9h7i6g6",
    "h8h9f8g8g7i9e9h6",
    "h8i9k8j8k10j9k9k7",
    "h8h9h10g9i9i8g10j10f7",
    "h8i7i8g8h6h7g7",
    "h8i9j8i8i10h9k7l6g10",
    "h8h9j7i8i6k8h7",
];

/// What is searched: levels with their depths.
const TASKS: [(Level, u32); 2] = [(Level::Hard, 4), (Level::Master, 8)];

/// Memory for it.
const HASH_BYTES: usize = 16 << 20;

/// Positions looked at in all.
///
/// # Panics
/// If there are not even some megabytes of memory.
#[must_use]
pub fn signature() -> u64 {
    let mut nodes = 0;
    for (level, depth) in TASKS {
        let mut engine = Engine::new(Params::of(level), HASH_BYTES, 1).expect("some megabytes");
        for record in RECORDS {
            let mut position = Position::new(true, None);
            for mv in parse_moves(record).expect("a record") {
                position.play(mv).expect("a legal move");
            }
            let limits = CallLimits { time: None, nodes: Some(u64::MAX), depth: Some(depth) };
            let query = Query {
                stones: *position.stones(),
                turn: position.turn(),
                limits,
                multipv: 1,
                is_play: false,
                seed: 0,
            };
            let answer = engine.think(&query, &AtomicBool::new(false), &mut || false, &mut |_| {});
            nodes += answer.expect("a game that is not over").nodes;
        }
    }
    nodes
}
