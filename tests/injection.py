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
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from itertools import count, pairwise
from pathlib import Path

from steps import TOO_SHORT, at_step, in_fork, kill_self

from renju import FormatError, cli, lab, pipeline

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
        self._before = before
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
        if self._before is not None:
            assert self.run(shard=self._before)[0] == 0

    def snapshots(self, stride: int) -> list[Tree]:
        """What a run leaves that is killed before some of its steps, and one that is not killed."""
        found: list[Tree] = []
        mode = () if self._before is None else ("--overwrite",)
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


def fail(what: str) -> None:
    """Ends a script that found something."""
    print(what, file=sys.stderr)
    sys.exit(1)
