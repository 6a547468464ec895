//! What a move and a board are worth at a glance: one table of scores, and how each of them counts.

mod cells;
mod codes;
mod groups;
mod leaf;
mod moves;
mod scores;
mod shapes;
mod table;
mod values;
mod windows;

pub use cells::CellMap;
pub use codes::{CODE_GROUPS, CellKind, Code, code_groups};
pub use groups::{GroupChange, GroupMap};
pub use leaf::{
    central_stones, connected_stones, standing_counter_four, standing_crossings, standing_mise,
    standing_trap, standing_vulnerability,
};
pub use moves::{MoveValue, Term, Terms, four_threes, move_value};
pub use scores::Scores;
pub use shapes::Shape;
pub use table::{BadTable, CellNumbers, ThreatNumbers, ValueTable};
pub use values::{CellValue, CellValues, THREAT_STATES};
