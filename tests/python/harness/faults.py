"""Lets the system fail at file operations of runs, and takes the runs up again: what a run says that it has
finished is right, whatever else happened is told, and after that the run can go on to the right result.

    cd tests/python && python -m harness.faults --cases 2000 --seed 1

Faults are errors of a bad disk (EIO) or a full one (ENOSPC), once or from then on, and writes that take only
a part of what they are given. They come at any file operation: opening, reading, writing, truncating,
renaming, removing, making folders, bringing to the disk; in runs from their beginning, and in runs that were
killed and are taken up. `--only NUMBER` repeats a case.
"""

from __future__ import annotations

import errno
import io
import os
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from harness.injection import Scenario, Tree, read_tree, run_script, scenarios, write_tree

KINDS = {"EIO": errno.EIO, "ENOSPC": errno.ENOSPC, "short write": 0}
# What needs no space.
FREE = ("read", "open to read", "remove", "truncate")


def can_fail(kind: str, operation: str) -> bool:
    """Does this fault come with this operation?"""
    return operation == "write" if kind == "short write" else kind == "EIO" or operation not in FREE


class Faults:
    """Lists the file operations within the current folder, and lets one fail, or all from one on."""

    def __init__(self, at: int | None = None, kind: str = "EIO", is_lasting: bool = False) -> None:
        """The operation number `at` fails, from 0, or the next that can; None if none does."""
        self._at, self._kind, self._is_lasting = at, kind, is_lasting
        self._home = Path.cwd()
        self.operations: list[str] = []
        self.hits: list[str] = []
        """The operations that failed."""

    def is_inside(self, path: Any) -> bool:
        """Is this a file of the run? Open files are."""
        return isinstance(path, int) or Path(path).absolute().is_relative_to(self._home)

    def meet(self, operation: str, path: Any) -> bool:
        """Notes an operation: `OSError` if it fails, true if a write is to be a short one."""
        if not self.is_inside(path):
            return False
        self.operations.append(operation)
        is_due = self._at is not None and len(self.operations) > self._at
        if not is_due or not can_fail(self._kind, operation) or (self.hits and not self._is_lasting):
            return False
        self.hits.append(operation)
        if self._kind == "short write":
            return True
        code = KINDS[self._kind]
        raise OSError(code, os.strerror(code), None if isinstance(path, int) else os.fspath(path))


class FaultyFile(io.FileIO):
    """A file whose reads and writes may fail."""

    def __init__(self, path: Any, mode: str, faults: Faults) -> None:
        self._faults, self._place = faults, path
        super().__init__(path, mode)

    def write(self, data: Any) -> int:
        is_short = self._faults.meet("write", self._place)
        return super().write(memoryview(data)[: len(data) // 2 or 1] if is_short else data)

    def readinto(self, buffer: Any) -> int:
        self._faults.meet("read", self._place)
        return super().readinto(buffer)

    def readall(self) -> bytes:
        self._faults.meet("read", self._place)
        return super().readall()

    def truncate(self, size: int | None = None) -> int:
        self._faults.meet("truncate", self._place)
        return super().truncate(size)


def _opener(faults: Faults) -> Callable[..., Any]:
    real = io.open

    def faulty(path: Any, mode: str = "r", buffering: int = -1, *args: Any, **options: Any) -> Any:
        if isinstance(path, int) or not faults.is_inside(path):
            return real(path, mode, buffering, *args, **options)
        is_read = {*mode} <= {*"rbt"}
        faults.meet("open to read" if is_read else "open to write", path)
        raw = FaultyFile(path, mode.replace("b", "").replace("t", ""), faults)
        if buffering == 0:
            return raw
        kinds = io.BufferedReader if is_read else io.BufferedRandom if "+" in mode else io.BufferedWriter
        file = kinds(raw)
        return file if "b" in mode else io.TextIOWrapper(file, *args, **options)

    return faulty


def _failing(real: Callable[..., Any], operation: str, faults: Faults) -> Callable[..., Any]:
    def faulty(path: Any, *args: Any, **options: Any) -> Any:
        faults.meet(operation, path)
        return real(path, *args, **options)

    return faulty


@contextmanager
def injected(faults: Faults) -> Iterator[None]:
    """The file operations of Python fail as they are told to meanwhile."""
    operations = {
        "replace": "rename",
        "rename": "rename",
        "unlink": "remove",
        "rmdir": "remove",
        "mkdir": "make a folder",
        "fsync": "sync",
        "open": "open a folder",
    }
    with ExitStack() as stack:
        for name, operation in operations.items():
            stack.enter_context(mock.patch.object(os, name, _failing(getattr(os, name), operation, faults)))
        stack.enter_context(mock.patch.object(io, "open", _opener(faults)))
        yield


@dataclass
class Start:
    """Where a run begins, how, and what it does from there."""

    scenario: Scenario
    tree: Tree
    mode: str
    operations: list[str]


class Cases:
    """All operations of the scenarios, from their beginning and from moments at which they were killed."""

    def __init__(self, stride: int = 11) -> None:
        """Runs are killed at every `stride`-th step."""
        self._starts = []
        for scenario in scenarios():
            scenario.start()
            trees = [(read_tree(), "--overwrite" if "over" in scenario.name else "--resume")]
            trees += [(tree, "--resume") for tree in scenario.snapshots(stride)]
            for tree, mode in trees:
                write_tree(tree)
                faults = Faults()
                with injected(faults):
                    code, errors = scenario.run(mode)
                if code == 0:  # else it was killed before it began to overwrite
                    assert errors == ""
                    self._starts.append(Start(scenario, tree, mode, faults.operations))
        self.count = sum(len(start.operations) for start in self._starts)

    def run(self, seed: int, case: int) -> tuple[str, str, str]:
        """The scenario, the fault and the outcome of a case; `AssertionError` if something went wrong."""
        rng = random.Random(f"{seed} {case}")
        start = rng.choice(self._starts)
        pairs = [
            (n, kind) for n, what in enumerate(start.operations) for kind in KINDS if can_fail(kind, what)
        ]
        at, kind = rng.choice(pairs)
        faults = Faults(at, kind, is_lasting=rng.random() < 0.3)
        write_tree(start.tree)
        try:
            outcome = self._fail(start.scenario, start.mode, faults)
            assert faults.hits, "the fault did not come"
        except Exception as error:
            error.add_note(f"case {case} of seed {seed}: {start.scenario.name}: {kind} at {faults.hits[:3]}")
            raise
        return start.scenario.name, f"{kind} at {faults.hits[0]}", outcome

    def _fail(self, scenario: Scenario, mode: str, faults: Faults) -> str:
        with injected(faults):
            code, errors = scenario.run(mode)
        assert code in (0, 2), f"exit code {code}: {errors}"
        if code == 0:
            flaw = scenario.flaw(left_over=bool(faults.hits))
            assert flaw is None, f"{flaw}; it said {errors!r}"
        else:
            assert errors.startswith("renju: "), errors
            assert faults.hits, f"it failed for no reason: {errors}"
        again, errors = scenario.run("--resume")
        if again == 2 and code == 2 and "another run, and is not resumed" in errors:
            again, errors = scenario.run("--overwrite")  # it failed before it began to overwrite
        assert again == 0, f"it cannot go on: {errors}"
        flaw = scenario.flaw()
        assert flaw is None, f"{flaw} after it was taken up; it said {errors!r}"
        return "went on" if code == 0 else "told, resumed"


if __name__ == "__main__":
    run_script(__doc__ or "", Cases)
