"""The fuzz targets for a moment each, always with the same inputs; and the harness finds what it should."""

import re
import sys
from argparse import Namespace
from itertools import islice
from pathlib import Path

import pytest

from fuzz import run
from fuzz.mutate import mutants
from fuzz.targets import TARGETS

# Inputs of each target: a part of a second.
COUNT = 120


def test_every_target_has_a_corpus_and_it_is_small() -> None:
    folders = {path.name: path for path in run.CORPUS.iterdir()}
    assert folders.keys() == TARGETS.keys()
    sizes = [path.stat().st_size for folder in folders.values() for path in folder.iterdir()]
    assert sum(sizes) < 20_000


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.slow
def test_a_short_run(target: str) -> None:
    assert run.fuzz(target, mutants(run.seeds_of(target), 0), count=COUNT) == COUNT


# A target that refused all that it gets would find nothing.
@pytest.mark.parametrize("target", TARGETS)
def test_a_seed_is_accepted(target: str) -> None:
    assert any(run.try_input(target, data) for data in run.seeds_of(target))


def test_mutants_are_the_same_for_the_same_seed() -> None:
    seeds = run.seeds_of("sgf")
    first, again, other = (list(islice(mutants(seeds, seed), 300)) for seed in (1, 1, 2))
    assert first == again != other
    assert len(set(first)) > 250


@pytest.fixture
def crashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run, "CRASHES", tmp_path)
    return tmp_path


def inputs_with(data: bytes) -> list[bytes]:
    return [b"fine", data, b"never reached"]


@pytest.mark.parametrize("error", [OverflowError, KeyError, RecursionError, MemoryError, BaseException])
def test_what_is_not_promised_is_a_fault(
    error: type[BaseException], crashes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def target(data: bytes) -> None:
        assert data != b"never reached"
        if data == b"bad":
            raise error("here")
        raise ValueError("as promised")

    monkeypatch.setitem(TARGETS, "sgf", target)
    with pytest.raises(run.Fault, match=error.__name__) as fault:
        run.fuzz("sgf", inputs_with(b"bad"))
    (path,) = crashes.iterdir()
    assert str(fault.value).startswith(f"{path}: ")
    assert path.read_bytes() == b"bad"


def test_an_input_without_end_is_a_fault(crashes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "INPUT_S", 0.1)

    def target(data: bytes) -> None:
        while data == b"bad":
            pass

    monkeypatch.setitem(TARGETS, "sgf", target)
    with pytest.raises(run.Fault, match="no end within"):
        run.fuzz("sgf", inputs_with(b"bad"))
    assert [path.read_bytes() for path in crashes.iterdir()] == [b"bad"]


# A target that ends its process with the first seed of the corpus.
ABORTING = """
import os, resource, sys
from fuzz import run, targets
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
targets.TARGETS["sgf"] = lambda data: os.abort() if data else None
raise SystemExit(run.main())
"""


@pytest.mark.slow
def test_an_input_that_ends_the_process_is_kept(
    crashes: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "PROGRAM", [sys.executable, "-c", ABORTING])
    assert not run._run("sgf", Namespace(seed=0, seconds=5.0, count=10, atheris=False))
    (path,) = crashes.iterdir()
    assert path.read_bytes() == run.seeds_of("sgf")[0]
    assert re.search(
        f"^sgf: {path}: the process ended with exit code -6$", capfd.readouterr().out, re.MULTILINE
    )
