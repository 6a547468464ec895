//! Forced wins: searched on the pattern state, proved by trees, checked by an independent verifier.

mod guide;
mod packed;
mod proof;
mod quiet;
mod replay;
mod solver;
mod store;
mod table;
mod threat;
mod vcf;
mod vct;
mod verdict;
mod verify;

pub use packed::{NoTree, PackedTree};
pub use proof::{Attack, MOST_ATTACKS, MOST_DEPTH, Proof, WinKind};
pub use quiet::{
    BadBytes, BoardOrder, Coverage, Decision, EntryId, Hints, MoveOrder, OpenReason, QuietOptions,
    QuietProof, QuietSolver, QuietStats, QuietVerdict, Step, TreeId, follow, legal_replies, verify_quiet,
};
pub use solver::{Question, Solver};
pub(crate) use vcf::FourSearch;
pub use vcf::{VcfOptions, VcfSolver};
pub use vct::{Attacks, MOST_THREAT_FOURS, VctOptions, VctSolver};
pub use verdict::{Budget, LimitHit, Limits, Verdict};
pub use verify::{Rejection, verify};
