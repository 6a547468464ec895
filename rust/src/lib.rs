#![doc = include_str!("../../README.md")]

pub mod batch;
pub mod board;
pub mod eval;
pub mod hidden;
pub mod lab;
pub mod learn;
pub mod network;
pub mod record;
pub mod rules;
pub mod search;
pub mod solve;
pub mod threats;
pub mod types;

#[cfg(feature = "python")]
mod python;
