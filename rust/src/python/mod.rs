//! `renju._native`: thin wrappers, no logic. The public Python names are in `python/renju`.

mod batch;
mod bounds;
mod convert;
mod engine;
mod error;
mod games;
mod hidden;
mod lab;
mod learn;
mod memo;
mod network;
mod position;
mod prove;
mod settings;
mod solve;
mod table;

use pyo3::prelude::*;

/// Does not compile if `T` asks for more alignment than Python's allocator gives: two machine words, whatever
/// the type of a class wants. A value in a class lies in Python's memory, and a bitboard, which wants 32 bytes,
/// would there be read and written by instructions that trap on other addresses. Such a value belongs into a `Box`.
const fn fits_python_memory<T>() {
    assert!(align_of::<T>() <= 2 * size_of::<usize>(), "Python's allocator does not align this class");
}

// Every class; `tests/rust/rules/architecture.rs` finds one that is missing.
const _: () = {
    fits_python_memory::<engine::NativeEngine>();
    fits_python_memory::<games::NativeSgfLines>();
    fits_python_memory::<hidden::NativeTwinCool>();
    fits_python_memory::<learn::NativeArena>();
    fits_python_memory::<memo::NativeMemo>();
    fits_python_memory::<network::NativeTrainer>();
    fits_python_memory::<position::NativePosition>();
    fits_python_memory::<solve::NativeStopFlag>();
};

/// The native core of renju.
#[pymodule]
mod _native {
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    use crate::hidden::twin_cool::{KeyKind, RolloutKind, Rules};
    use crate::rules::Forbidden;
    use crate::search::Source;
    use crate::threats::Threat;
    use crate::types::{BOARD_SIZE, Move};

    #[pymodule_export]
    use super::batch::{
        analyze, canonical, evaluate, forbidden, forbidden_points, forbidden_rows, keys, solve, threat_map,
        win_rates, winners,
    };
    #[pymodule_export]
    use super::convert::{bad_cell, parse_moves, parse_point, transform_point, unclear_turn};
    #[pymodule_export]
    use super::engine::{NativeEngine, signature, win_rate};
    #[pymodule_export]
    use super::games::{NativeSgfLines, expand, parse, prefixes, psq_line};
    #[pymodule_export]
    use super::hidden::{NativeTwinCool, search_hidden, twin_cool_games, twin_cool_learn, twin_cool_points};
    #[pymodule_export]
    use super::lab::{fit_values, self_play, values_arrays, values_text};
    #[pymodule_export]
    use super::learn::{NativeArena, write_features};
    #[pymodule_export]
    use super::memo::NativeMemo;
    #[pymodule_export]
    use super::network::{NativeTrainer, opening_keys, shipped_network};
    #[pymodule_export]
    use super::position::NativePosition;
    #[pymodule_export]
    use super::prove::{
        follow_quiet_proof, prove_position, quiet_replies, read_quiet_proof, verify_quiet_proof,
    };
    #[pymodule_export]
    use super::settings::{check_config, inert_settings, level_config};
    #[pymodule_export]
    use super::solve::{NativeStopFlag, solve_position, verify};
    #[pymodule_export]
    use super::table::csv_table;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("BOARD_SIZE", BOARD_SIZE)?;
        module.add("SOLVE_LAYOUT", super::convert::layout(py, crate::batch::SolveRow::LAYOUT)?)?;
        module.add("ANALYSIS_LAYOUT", super::convert::layout(py, crate::batch::AnalysisRow::LAYOUT)?)?;
        module.add("FORBIDDEN_LAYOUT", super::convert::layout(py, crate::batch::ForbiddenRow::LAYOUT)?)?;
        module.add("RECORD_LAYOUT", super::convert::layout(py, crate::learn::RecordRow::LAYOUT)?)?;
        module.add("CHANNELS", PyTuple::new(py, crate::learn::CHANNELS)?)?;
        module.add(
            "END_REASONS",
            PyTuple::new(py, crate::rules::Reason::ALL.map(crate::rules::Reason::name))?,
        )?;
        module.add("POSITION_LAYOUT", super::convert::layout(py, crate::lab::SampleRow::LAYOUT)?)?;
        module.add(
            "SOLVE_KINDS",
            PyTuple::new(py, crate::solve::WinKind::ALL.map(crate::solve::WinKind::name))?,
        )?;
        module.add(
            "LIMITS_HIT",
            PyTuple::new(py, crate::solve::LimitHit::ALL.map(crate::solve::LimitHit::name))?,
        )?;
        module.add("MOST_THREAT_FOURS", crate::solve::MOST_THREAT_FOURS)?;
        module.add("OVER_SOURCE", crate::batch::OVER_SOURCE)?;
        module.add("NO_SOURCE", crate::batch::NO_SOURCE)?;
        module.add("MOST_ARENA_GAMES", super::learn::MOST_GAMES)?;
        module.add("MOST_HASH_MB", super::bounds::MOST_HASH_MB)?;
        module.add("MOST_SECONDS", super::bounds::MOST_SECONDS)?;
        module.add("MOST_SELF_PLAY_GAMES", super::bounds::MOST_SELF_PLAY_GAMES)?;
        module.add("MOST_ENGINE_THREADS", crate::search::MOST_THREADS)?;
        module.add("MOST_PROOF_ATTACKS", crate::solve::MOST_ATTACKS)?;
        module.add("MOST_PROOF_DEPTH", crate::solve::MOST_DEPTH)?;
        module.add("ISMCTS_LEAST_NODES", crate::hidden::LEAST_NODES)?;
        module.add("ISMCTS_MOST_NODES", crate::hidden::MOST_NODES)?;
        module.add("ISMCTS_MOST_TREES", crate::hidden::MOST_TREES)?;
        module.add("TWIN_COOL_PIMC_DECKS", crate::hidden::twin_cool::PIMC_DECKS)?;
        module.add("ISMCTS_DEFAULTS", super::hidden::default_options(py)?)?;
        module.add("TWIN_COOL_REMOVED", Rules::FULL.removed)?;
        module.add("TWIN_COOL_KEYS", PyTuple::new(py, KeyKind::ALL.map(KeyKind::name))?)?;
        module.add("TWIN_COOL_ROLLOUTS", PyTuple::new(py, RolloutKind::ALL.map(RolloutKind::name))?)?;
        module.add("TWIN_COOL_SUITS", Rules::FULL.suits)?;
        module.add("TWIN_COOL_VALUES", Rules::FULL.values)?;
        module.add("PASS", Move::PASS_INDEX)?;
        module.add("FIRST_PASS_PLY", crate::rules::FIRST_PASS_PLY)?;
        module.add("FORBIDDEN_KINDS", PyTuple::new(py, Forbidden::ALL.map(Forbidden::name))?)?;
        module.add("LEVELS", super::settings::level_names(py)?)?;
        module.add("SETTINGS", super::settings::settings(py)?)?;
        module.add("SOURCES", PyTuple::new(py, Source::ALL.map(Source::name))?)?;
        module.add("WIN", crate::types::score::WIN)?;
        module.add("THREATS", PyTuple::new(py, Threat::ALL.map(Threat::name))?)?;
        Ok(())
    }
}
