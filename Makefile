# Everything is installed into .venv; `make` alone lists the targets.
#
# PYTHON       the interpreter that makes .venv (3.11 or newer)
# CARGO_FLAGS  extra flags of every cargo and maturin call, such as --locked
# PYTEST_FLAGS extra flags of pytest, such as -n0: one process in place of one for each core
# SECONDS      how long `make fuzz` is at each target
# PEERS        an interpreter with the packages that `make bench` runs beside us (benches/README.md)

PYTHON ?= python3
CARGO_FLAGS ?=
PYTEST_FLAGS ?=
PEERS ?=

VENV := $(CURDIR)/.venv
BIN := $(VENV)/bin
WHEELS := $(CURDIR)/target/wheels

# Stamps: a step runs again only when one of its inputs is newer.
TOOLS := .venv/.stamp-tools
DEV := .venv/.stamp-dev
ARROW := .venv/.stamp-arrow
NATIVE := .venv/.stamp-native
STUB := .venv/.stamp-stub

# What `make check` leaves out of the Rust tests: those that take more than about 1.5 s of CPU.
SLOW_RUST_TESTS := \
	a_plain_search_over_all_replies_agrees \
	claimed_wins_can_be_played_out \
	counts_of_legal_lines_equal_the_reference \
	every_reply_that_breaks_a_line_is_found \
	every_technique_can_be_switched_off \
	explanations_agree_with_the_verdicts \
	known_cases_are_decided \
	little_memory_changes_no_verdict \
	mise_vcf_equals_a_plain_search \
	no_claimed_win_is_false \
	parts_do_not_change_the_verdict \
	proved_wins_are_played_and_verified \
	the_claimed_win_after_move_17_is_none \
	the_class_of_every_cell_equals_the_reference \
	the_reference_agrees_with_the_data \
	the_same_nodes_give_the_same_answer \
	the_sample_positions_hold_what_the_benchmark_expects \
	the_search_finds_the_perfect_move_of_small_games \
	the_threat_of_every_cell_equals_the_reference \
	vct_equals_a_plain_search \
	verdicts_equal_a_plain_search \
	without_shortcuts_it_is_minimax

RUST_INPUTS := Cargo.toml $(wildcard Cargo.lock) pyproject.toml $(shell find rust/src -type f)
# The stamp alone does not show that the module was deleted.
NATIVE_MISSING := $(if $(wildcard python/renju/_native*.so),,always)

# What activating .venv would tell maturin and PyO3.
export VIRTUAL_ENV := $(VENV)
export PYO3_PYTHON := $(BIN)/python
unexport CONDA_PREFIX PYTHONHOME

# A test module is one process's, so what its tests share is made once.
PYTEST := $(BIN)/python -m pytest --numprocesses=auto --dist=loadfile

# Prints the requirements under a key of pyproject.toml, one per line.
REQUIREMENTS := $(BIN)/python -c 'import functools, sys, tomllib; \
	data = tomllib.load(open("pyproject.toml", "rb")); \
	print(*functools.reduce(dict.get, sys.argv[1:], data), sep="\n")'

.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo check test bench settings site fuzz wheel sanitize clean check-rust check-python lint-rust \
	lint-python have-cargo have-python always

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(ARROW) $(NATIVE) ## build, then run the main job on a sample
	$(BIN)/python -m renju.demo target/demo

check: lint-rust lint-python $(STUB) ## the quick part of `make test`: format, lint, types and the quick tests
	cargo test $(CARGO_FLAGS) --lib --tests -- $(addprefix --skip ,$(SLOW_RUST_TESTS))
	$(PYTEST) -m "not slow" $(PYTEST_FLAGS)

test: check-rust check-python ## format, lint, types and all tests of Rust and Python

bench: $(NATIVE) ## benchmarks of the core, the array calls and the engine
	cargo bench $(CARGO_FLAGS)
	$(BIN)/python benches/batch.py $(if $(PEERS),--peers $(PEERS))
	$(BIN)/python benches/million.py
	$(BIN)/python benches/engine.py
	$(BIN)/python benches/twincool.py --games 200

settings: $(NATIVE) ## what is made from the declaration of the settings: docs/settings.md and a stub
	$(BIN)/python .ci/settings.py

site: .venv/.stamp-site ## the documentation with the reference of the API into target/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --config-file .ci/site/mkdocs.yml
	$(BIN)/python .ci/site/check.py target/site

fuzz: $(NATIVE) ## nonsense for every reader, SECONDS for each
	cd tests/python && $(BIN)/python -m fuzz.run --seconds $(or $(SECONDS),5)

wheel: $(TOOLS) have-cargo ## wheel and sdist into target/wheels, both checked
	rm -rf $(WHEELS)
	$(BIN)/maturin sdist --out $(WHEELS)
	$(BIN)/maturin build --release $(CARGO_FLAGS) --interpreter $(BIN)/python --out $(WHEELS)
	$(BIN)/python .ci/check_wheel.py $(WHEELS)

sanitize: have-cargo ## Rust tests under AddressSanitizer and ThreadSanitizer, on a nightly toolchain
	CARGO_FLAGS="$(CARGO_FLAGS)" bash .ci/sanitize

clean: ## remove all that was built or installed
	rm -rf .venv target .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f python/renju/_native*.so
	find python tests benches .ci -name __pycache__ -type d -prune -exec rm -rf {} +

check-rust: lint-rust
	cargo test $(CARGO_FLAGS)
	RUSTDOCFLAGS="-D warnings" cargo doc $(CARGO_FLAGS) --no-deps

check-python: lint-python
	$(STUBTEST)
	$(PYTEST) $(PYTEST_FLAGS)

lint-rust: $(TOOLS) have-cargo
	cargo fmt --check
	cargo clippy $(CARGO_FLAGS) --all-targets -- -D warnings
	cargo clippy $(CARGO_FLAGS) --all-targets --features python -- -D warnings

lint-python: $(DEV) $(NATIVE)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

$(TOOLS): pyproject.toml | have-python
	$(PYTHON) -m venv .venv
	$(REQUIREMENTS) build-system requires > .venv/tools.txt
	$(BIN)/python -m pip install --quiet --requirement .venv/tools.txt
	@touch $@

# An extra of the package: .stamp-arrow, .stamp-dask, .stamp-rl.
.venv/.stamp-%: pyproject.toml $(TOOLS)
	$(REQUIREMENTS) project optional-dependencies $* > .venv/$*.txt
	$(BIN)/python -m pip install --quiet --requirement .venv/$*.txt
	@touch $@

# A group of tools that the package has no use for.
.venv/.stamp-browser .venv/.stamp-site: .venv/.stamp-%: pyproject.toml $(TOOLS)
	$(REQUIREMENTS) dependency-groups $* > .venv/$*.txt
	$(BIN)/python -m pip install --quiet --requirement .venv/$*.txt
	@touch $@

$(NATIVE): $(RUST_INPUTS) $(TOOLS) $(NATIVE_MISSING) | have-cargo
	$(BIN)/maturin develop --release $(CARGO_FLAGS)
	@touch $@

# The stub against the built module, which takes longer than all other lints.
STUBTEST = $(BIN)/python -m mypy.stubtest --mypy-config-file pyproject.toml renju._native

$(STUB): $(DEV) $(NATIVE) python/renju/_native.pyi
	$(STUBTEST)
	@touch $@

have-cargo:
	@command -v cargo > /dev/null || { \
		echo "error: cargo not found. Building renju needs Rust $(RUST_VERSION) or newer." >&2; exit 1; }

have-python:
	@command -v $(PYTHON) > /dev/null || { \
		echo "error: $(PYTHON) not found. renju needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: $(PYTHON) is too old ($$($(PYTHON) --version 2>&1)). renju needs Python 3.11 or newer:" \
			"make PYTHON=/path/to/python3" >&2; exit 1; }

RUST_VERSION = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
