"""Small runs of `renju batch` and `renju match` for tests that damage files or let the system fail.

A scenario runs the command line in this process, in the current folder, and knows what an undisturbed run
leaves. Files are handled as trees: what is in each file, by its path.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import sys
import tempfile
from argparse import ArgumentParser, RawTextHelpFormatter
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Protocol

from renju import FormatError, cli, lab, pipeline
from support.steps import TOO_SHORT, at_step, in_fork, kill_self

Tree = dict[str, bytes]

INPUT = "in.txt"
LINES = (
    "h8i9g7h7g8",
    "h8h9",
    "h8h8",
    "h8i9j8j9k8k9",
    "h8h9h7h6g5",
    "h8",
    "h8g8h9g9h10g10",
    "h8i8",
    "zz",
    "h8j8i7",
)


@contextmanager
def workplace() -> Iterator[Path]:
    """A new folder in memory, where the system has that, as the current one. Nothing waits for the disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        before, sync = Path.cwd(), os.fsync
        os.chdir(name)
        os.fsync = lambda _: None
        try:
            yield Path(name)
        finally:
            os.fsync = sync
            os.chdir(before)


def read_tree() -> Tree:
    """All files but the input and locks."""
    paths = (path for path in Path().rglob("*") if path.is_file())
    return {str(p): p.read_bytes() for p in paths if p.name != INPUT and not p.name.endswith("lock")}


def write_tree(tree: Tree) -> None:
    """Makes the folder hold these files, and the input."""
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    Path(INPUT).write_text("".join(f"{line}\n" for line in LINES))
    for name, data in tree.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(data)


def call(arguments: list[str]) -> tuple[int, str]:
    """The exit code of a command, and what it says to standard error."""
    errors = io.StringIO()
    with redirect_stderr(errors), redirect_stdout(io.StringIO()):
        code = cli.main(arguments)
    return code, errors.getvalue()


class Batch:
    """`renju batch` with seven shards, one of which has bad rows; `before` is a run that it overwrites."""

    def __init__(self, out: str, form: str, before: int | None = None) -> None:
        self.name = f"batch {out} {form}{'' if before is None else ' over another'}"
        self.out = out
        self._command = ["batch", INPUT, "-o", out, "--form", form, "--jobs", "forbidden", "--threads", "1"]
        self._command += ["--quiet", "--shard"]
        self.before = before
        self.expected: Tree = {}

    def run(self, *arguments: str, shard: int = 4) -> tuple[int, str]:
        return call([*self._command, str(shard), *arguments])

    def prepare(self) -> None:
        """Finds out what an undisturbed run leaves."""
        write_tree({})
        assert self.run()[0] == 0
        self.expected = self.result()

    def start(self) -> None:
        """What is there before a run."""
        write_tree({})
        if self.before is not None:
            assert self.run(shard=self.before)[0] == 0

    def snapshots(self, stride: int) -> list[Tree]:
        """What a run leaves that is killed before some of its steps, and one that is not killed."""
        found: list[Tree] = []
        mode = () if self.before is None else ("--overwrite",)
        for step in count(1, stride):
            self.start()
            code = in_fork(partial(at_step, step, kill_self, partial(self.run, *mode)))
            assert code in (TOO_SHORT, -signal.SIGKILL), code
            found.append(read_tree())
            if code == TOO_SHORT:
                break
        return found

    def result(self) -> Tree:
        """All files that are left, without what may differ: a process knows only what it searched itself."""
        tree = read_tree()
        name = f"{self.out.rstrip('/')}.report.json"
        if name in tree:
            facts = json.loads(tree[name])
            kept = {k: v for k, v in facts.items() if k not in ("analysed", "checksum")}
            tree[name] = json.dumps(kept).encode()
        return tree

    def flaw(self, left_over: bool = False) -> str | None:
        """Why what is left is not what an undisturbed run leaves. What it should have removed may be
        `left_over`."""
        found = self.result()
        if left_over:
            found = {
                name: data for name, data in found.items() if ".parts" not in name and ".tmp" not in name
            }
        if found != self.expected:
            names = {*found, *self.expected}
            return f"other files: {sorted(n for n in names if found.get(n) != self.expected.get(n))}"
        return None if pipeline.check(self.out).is_whole else "the check says that it is damaged"


class Match:
    """`renju match` with four games."""

    name = "match"
    out = "out.jsonl"

    def __init__(self) -> None:
        self.expected: list[tuple[object, ...]] = []
        self._whole = b""

    def run(self, *arguments: str) -> tuple[int, str]:
        players = ["beginner,nodes=20", "easy,nodes=20"]
        command = ["match", *players, "--games", "4", "--workers", "1", "--length", "24"]
        return call([*command, "--out", self.out, "--quiet", *arguments])

    def prepare(self) -> None:
        write_tree({})
        assert self.run()[0] == 0
        self._whole = Path(self.out).read_bytes()
        self.expected = self.result()

    def start(self) -> None:
        write_tree({})

    def snapshots(self, stride: int) -> list[Tree]:
        """What a match leaves that is killed: all lines that are whole, and a part of the next."""
        ends = [n + 1 for n, byte in enumerate(self._whole) if byte == ord("\n")]
        cuts = {*ends, *(end - 1 for end in ends[1:]), *((a + b) // 2 for a, b in pairwise(ends))}
        return [{self.out: self._whole[:cut]} for cut in sorted(cuts, reverse=True)[::stride]]

    def result(self) -> list[tuple[object, ...]]:
        """The games as they were played, without what the clock said."""
        return [
            (g.number, g.pair, g.black, g.white, g.opening, g.moves, g.winner, g.reason, g.seed)
            for g in lab.Match.load(self.out).games
        ]

    def flaw(self, left_over: bool = False) -> str | None:
        """Why the games are not those of an undisturbed match; files that are `left_over` do not matter."""
        try:
            return None if self.result() == self.expected else "other games"
        except FormatError as error:
            return f"the file cannot be read: {error}"


Scenario = Batch | Match


def scenarios() -> list[Scenario]:
    """All kinds of output, prepared."""
    found: list[Scenario] = [
        Batch("out.csv", "csv"),
        Batch("out.jsonl", "jsonl"),
        Batch("out.parquet", "parquet"),
        Batch("folder/", "csv"),
        Batch("folder/", "parquet"),
        Batch("out.csv", "csv", before=1),
        Batch("folder/", "csv", before=1),
        Match(),
    ]
    for scenario in found:
        scenario.prepare()
    return found


class Cases(Protocol):
    """What may happen to runs: each case follows from a seed and its number."""

    count: int
    """Places at which it may happen."""

    def run(self, seed: int, case: int) -> tuple[str, str, str]:
        """The scenario, what happened and the outcome; an error if the run went wrong without a word."""


def run_script(description: str, make: Callable[[], Cases]) -> None:
    """Runs as many cases as the command line asks for; the first that goes wrong ends it with exit code 1."""
    parser = ArgumentParser(description=description, formatter_class=RawTextHelpFormatter)
    parser.add_argument("--cases", type=int, default=1000, help="how many (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="what they follow from (default %(default)s)")
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this case alone")
    options = parser.parse_args()
    table: Counter[tuple[str, str, str]] = Counter()
    with workplace():
        cases = make()
        for case in range(options.cases) if options.only is None else [options.only]:
            try:
                table[cases.run(options.seed, case)] += 1
            except Exception as error:
                sys.exit(f"{type(error).__name__}: {error}\n{' '.join(error.__notes__)}")
    print(f"{table.total()} cases at {cases.count} places, 0 silent differences")
    for column in (0, 1):
        _print_outcomes(table, column)


def _print_outcomes(table: Counter[tuple[str, str, str]], column: int) -> None:
    outcomes = sorted({key[2] for key in table})
    print(f"\n{'':<32}" + "".join(f"{outcome:>15}" for outcome in outcomes))
    for row in [*sorted({key[column] for key in table}), "all"]:
        counts = [
            sum(n for key, n in table.items() if key[2] == outcome and row in (key[column], "all"))
            for outcome in outcomes
        ]
        print(f"{row:<32}" + "".join(f"{count:>15}" for count in counts))
