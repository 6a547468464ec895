//! The names that most programs want: `use renju::prelude::*;`.

pub use crate::board::{Setup, Stones};
pub use crate::record::{parse_moves, print_moves};
pub use crate::rules::{Forbidden, IllegalMove, Outcome, Position, Reason};
pub use crate::search::{Answer, CallLimits, Engine, Level, Params, Query, Source};
pub use crate::solve::{Limits, Proof, Question, Solver, Verdict, WinKind, verify};
pub use crate::threats::{Survey, Threat, ThreatMap};
pub use crate::types::{Bitboard, Color, Move, Point, Symmetry};
