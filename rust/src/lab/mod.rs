//! The workshop of the board value: games of the engine against itself, and tables fitted to them.

mod board_fit;
mod columns;
mod crew;
mod descent;
mod extract;
mod fit;
mod games;
mod opening;
mod order_fit;
mod rounding;
mod sample;
mod training;

pub use board_fit::{BOARD_PARAMETERS, BoardExamples, logistic};
pub use columns::FitPart;
pub use crew::{Crew, Halt};
pub use descent::{Examples, Fitted, Losses, Stopping, Sums, Task, total};
pub use extract::{is_valued, target};
pub use fit::{FitOptions, FitReport, TableFit, fit_table};
pub use games::{Player, SelfPlay, play_game};
pub use order_fit::{ORDER_PARAMETERS, OrderExamples};
pub use sample::{BadRow, Sample, SampleBytes, SampleRow};
pub use training::{Lesson, Measures, PARAMETERS, Trainer, opening_keys};
