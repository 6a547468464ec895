//! Forced wins: searched on the pattern state, proved by trees, checked by an independent verifier.

mod proof;
mod table;
mod vcf;
mod verdict;
mod verify;

pub use proof::{Attack, Kind, Proof};
pub use vcf::{VcfOptions, VcfSolver};
pub use verdict::{Budget, LimitHit, Limits, Verdict};
pub use verify::{Rejection, verify};
