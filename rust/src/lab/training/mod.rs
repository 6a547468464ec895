//! A network is taught: examples of positions, the network in fractions with its gradient, the steps down that
//! gradient, and the whole numbers that come of it.

mod example;
mod model;
mod pass;
mod quantize;
mod trainer;

pub use example::{Lesson, opening_keys};
pub use model::PARAMETERS;
pub use pass::Measures;
pub use trainer::Trainer;
