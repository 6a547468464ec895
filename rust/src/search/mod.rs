//! The engine's search.

mod table;

pub use table::{Bound, Entry, Table};
