//! Exact and fast renju (連珠): the board, the forbidden moves, forced wins with their proofs, and an engine.
//!
//! The package is `renju-engine` and the library `renju`. It is not on crates.io; with a checkout beside your own crate the
//! dependency is
//!
//! ```toml
//! [dependencies]
//! renju-engine = { path = "../renju" }
//! ```
//!
//! It needs no feature: `python` builds the Python module. [`prelude`] has the names that most programs want.
//!
//! # A game
//!
//! ```
//! use renju::prelude::*;
//!
//! let mut game: Position = "f8 a1 g8 a3 h9 a5 h10 a7".parse()?;
//! let h8: Point = "h8".parse()?;
//! // Two threes at once are forbidden to black.
//! assert_eq!(game.forbidden_kind(h8), Forbidden::DoubleThree);
//! assert!(!game.is_legal(Move::Place(h8)));
//! // The stone may be placed all the same, and loses.
//! game.play(Move::Place(h8))?;
//! let outcome = game.outcome().unwrap();
//! assert_eq!((outcome.winner, outcome.reason), (Some(Color::White), Reason::Forbidden));
//! println!("{game}"); // draws the board
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A forced win
//!
//! ```
//! use renju::prelude::*;
//!
//! let game: Position = "h8 a1 i8 a3 j8 a5".parse()?;
//! let verdict = Solver::default().prove(game.stones(), Color::Black, Question::default());
//! let Verdict::Proved(proof) = verdict else { panic!("there is a win by fours") };
//! assert_eq!(proof.tree.stone.to_string(), "G8");
//! // The verifier shares nothing with the solver but the rules.
//! verify(game.stones(), &proof, &mut || false)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Question`](solve::Question) says which kind of win is meant, how long it may be and how many nodes may be spent.
//! "Not proved" is a verdict of its own, with the limit that was hit.
//!
//! # The engine
//!
//! ```
//! use renju::prelude::*;
//!
//! let mut engine = Engine::new(Params::of(Level::Hard), 1 << 24, 1).expect("16 MB");
//! let game: Position = "h8 i9 g7".parse()?;
//! let limits = CallLimits { nodes: Some(20_000), ..CallLimits::default() };
//! let answer = engine.best_move(&Query { limits, ..Query::of(&game) })?;
//! println!("{} {}", answer.best, answer.score);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With nodes as the only limit the answer is the same on every machine.
//!
//! # Modules
//!
//! | module | holds |
//! |---|---|
//! | [`types`] | points, colours, lines, sets of points, symmetries, keys |
//! | [`record`], [`board`] | moves and boards as text; stones, and set-ups with all that is wrong with them |
//! | [`rules`] | positions, forbidden points with their reasons, outcomes, and a slow reference from the rule text |
//! | [`threats`] | the patterns of a board under play and undo |
//! | [`solve`] | forced wins, their proofs and the verifier |
//! | [`eval`], [`network`], [`search`] | the value of boards and the engine |
//! | [`batch`], [`learn`], [`lab`] | many boards on many threads, games and planes to learn from, the workshop of the values |
//! | [`hidden`] | search under hidden information |
//!
//! Three short programs are in `rust/examples`: `cargo run --release --example forbidden`, `solve` and `play`.

pub mod batch;
pub mod board;
pub mod eval;
pub mod hidden;
pub mod lab;
pub mod learn;
pub mod network;
pub mod prelude;
pub mod prove;
pub mod record;
pub mod rules;
pub mod search;
pub mod solve;
pub mod threats;
pub mod types;

#[cfg(feature = "python")]
mod python;
