//! The engine: choosing a move by what is forced, what is proved and what the search prefers.

mod alphabeta;
mod choice;
mod engine;
mod late_map;
mod leaf;
mod levels;
mod order;
mod outlook;
mod params;
mod pv;
mod quiesce;
mod root;
mod selectivity;
mod signature;
mod smp;
mod stages;
mod stats;
mod table;
mod time;
mod view;
mod worker;

pub use choice::fallback;
pub use engine::{Answer, BoardShares, CallLimits, Engine, MOST_THREADS, NoMove, Query, Source};
pub use levels::Level;
pub use outlook::win_rate;
pub use params::{DEEPEST, Params};
pub use pv::valid_part;
pub use root::{Iteration, RootMove};
pub use signature::signature;
pub use stats::Stats;
pub use table::{Bound, Entry, Table};
pub use view::near;
