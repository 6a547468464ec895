//! The workshop of the board value, and search under hidden information.

mod hidden;
#[path = "../support/mod.rs"]
mod support;
mod training;
mod values;
