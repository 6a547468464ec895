//! The solvers, the engine and the array functions.

mod batch;
mod engine;
mod network;
mod quiet;
#[path = "../support/mod.rs"]
mod support;
mod vcf;
mod vct;
