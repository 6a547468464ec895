//! The pattern state: what a stone would make on every empty cell, for both colours.
//!
//! [`ThreatMap`] keeps it up to date under play and undo for solvers and search; [`Survey`] works
//! it out for a whole board at once, for arrays and reports.

mod cache;
mod lines;
mod map;
mod survey;

pub use cache::VerdictCache;
pub use lines::Presence;
pub use map::ThreatMap;
pub use survey::{Survey, Threat};
