"""Runs that are killed, interrupted, starved of space or started twice, and how they are taken up again.

Some tests start this file as a script with the name of one of the functions `child_...`.
"""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import Limit, cli, pipeline
from renju._files import Lock
from renju.pipeline.store import Store
from support import data
from support.crashes import GAMES, Recording, contents, journal
from support.processes import RENJU, Output, run_child, run_named
from support.steps import FAILED, TOO_SHORT, at_step, in_fork, kill_self
from support.tables import read_table, write
from support.waiting import PATIENCE_S, CpuClock, after_work, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]
BATCH = [*RENJU, "batch"]
Popen = subprocess.Popen[str]


# Killed at any time


@contextmanager
def started(*arguments: str) -> Iterator[Popen]:
    command = [*BATCH, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(("out", "most"), [("out.csv", 10), ("out.parquet", 4), ("folder", 6)])
def test_killed_at_random_moments(out: str, most: int) -> None:
    rng = random.Random(out)
    write("in.txt", *GAMES[:30], "h8h8", *GAMES[30:60])
    options = ["in.txt", "--jobs", "vcf", "--shard", "100", "--threads", "2", "--quiet"]
    subprocess.run([*BATCH, *options, "-o", f"whole-{out}"], check=True, timeout=PATIENCE_S)
    kills, seen, mode = 0, [], "--resume"
    while kills < most:
        with started(*options, "-o", out, mode) as process:
            if mode == "--overwrite":
                wait_until(lambda: Path(f"{out}.parts/plan.json").exists(), process)
                seen = []
            match rng.randrange(4):
                case 0:  # while it starts
                    time.sleep(rng.uniform(0, 0.4))
                case 1:  # when the shards are joined
                    wait_until(lambda: any(Path().glob(f".{out}*.tmp")), process)
                case _:  # some shards later
                    wanted = len(seen) + rng.randrange(1, 15)
                    wait_until(lambda wanted=wanted: len(journal(out)) >= wanted, process)
                    time.sleep(rng.uniform(0, 0.02))
            process.kill()
            kills += process.wait() == -signal.SIGKILL
            assert process.returncode in (0, -signal.SIGKILL)
        now = journal(out)
        assert len({*now}) == len(now)  # none was done twice
        is_finished = process.returncode == 0 or not Path(f"{out}.parts/plan.json").exists()
        if not is_finished:
            assert now[: len(seen)] == seen
        seen, mode = now, "--overwrite" if is_finished and Path(f"{out}.report.json").exists() else "--resume"
    done = subprocess.run([*BATCH, *options, "-o", out, "--resume"], capture_output=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, b"")
    if out == "out.parquet":
        assert read_table(Path(out)) == read_table(Path(f"whole-{out}"))
    else:
        found, expected = (contents(Path(name)) for name in (out, f"whole-{out}"))
        assert found == expected
        assert Path(out).is_dir() or Path(out).read_bytes() == Path(f"whole-{out}").read_bytes()
    for suffix in ("bad.jsonl", "report.json"):
        found, expected = (json.loads(Path(f"{name}.{suffix}").read_text()) for name in (out, f"whole-{out}"))
        for facts in (found, expected):
            for name in ("analysed", "checksum"):  # a process knows only what it found itself
                facts.pop(name, None)
        assert found == expected
    assert not [path for path in Path().rglob("*") if ".tmp" in path.name or "parts" in path.name]


# Killed at every step


def small_run(out: str, executor: Any = None, **options: Any) -> renju.pipeline.Report:
    """Four shards, one of them with bad rows."""
    return pipeline.run(
        "in.txt", out, "forbidden", form="csv", shard_positions=4, threads=1, executor=executor, **options
    )


def small_input() -> None:
    write("in.txt", "h8i9g7h7g8", "h8h9", "h8h8", "h8i9j8j9k8k9", "h8h9h7h6g5")


def clean() -> None:
    """Leaves the input alone."""
    for path in Path().iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "in.txt":
            path.unlink()


def prepare(out: str, start: str) -> None:
    """What another run has left."""
    other = partial(pipeline.run, "in.txt", out, ("forbidden", "vcf"), form="csv", threads=1)
    if start == "the same":
        small_run(out)
    elif start == "a larger one":
        other(shard_positions=1)
    elif start == "an unfinished one":
        # Late enough for a finished shard: on a busy machine threads may come to their steps in other order.
        for step in range(28, 60):
            clean()
            code = in_fork(partial(at_step, step, kill_self, partial(other, shard_positions=4)))
            assert code == -signal.SIGKILL
            if journal(out):
                return
        raise AssertionError("no shard was finished")


def child_killed_at_every_step(out: str, start: str) -> None:
    """Kills a run before each of its steps, and takes it up again; `start` is what is there before."""
    small_input()
    os.fsync = lambda _: None
    small_run(out)
    expected = contents()
    for step in count(1):
        clean()
        prepare(out, start)
        run = partial(small_run, out, overwrite=start != "nothing")
        code = in_fork(partial(at_step, step, kill_self, run))
        finished = journal(out)
        assert code in (TOO_SHORT, -signal.SIGKILL), f"step {step}: {code}"
        if code == TOO_SHORT:
            assert contents() == expected
            assert step > 40
            return

        def resume(finished: list[int] = finished) -> None:
            executor = Recording()
            try:
                report = small_run(out, executor, resume=True)
            except (FileExistsError, ValueError):
                # It was killed before it began to overwrite: then the other run is still there.
                assert start in ("a larger one", "an unfinished one")
                report = small_run(out, executor, overwrite=True)
                finished = []
            assert not {*executor.chunks} & {*finished}
            assert (report.games, report.positions, report.bad) == (4, 22, 1)

        assert in_fork(resume) == 0, f"step {step}"
        found = contents()
        assert found.keys() == expected.keys(), f"step {step}"
        for name in expected:
            if "report" not in name:
                assert found[name] == expected[name], f"step {step}: {name}"


@pytest.mark.parametrize(
    ("out", "start"),
    [
        ("out.csv", "nothing"),
        ("folder", "the same"),
        ("out.csv", "a larger one"),
        ("folder", "a larger one"),
        ("folder", "an unfinished one"),
    ],
)
def test_killed_at_every_step(out: str, start: str) -> None:
    run_child(__file__, "child_killed_at_every_step", out, start)


def child_full_at_every_step(out: str) -> None:
    """Lets every step fail for want of space, and takes the run up again."""
    small_input()
    os.fsync = lambda _: None
    small_run(out)
    expected = contents()

    def no_space() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for step in count(1):
        clean()
        resume = partial(small_run, out, resume=True)
        code = in_fork(partial(at_step, step, no_space, resume))
        assert code in (0, FAILED, TOO_SHORT), f"step {step}: {code}"
        assert in_fork(resume) == 0, f"step {step}"
        assert contents().keys() == expected.keys(), f"step {step}"
        assert all(contents()[name] == expected[name] for name in expected if "report" not in name)
        if code == TOO_SHORT:
            assert step > 40
            return


def test_no_space_at_every_step() -> None:
    run_child(__file__, "child_full_at_every_step", "out.csv")


def test_a_shard_is_on_the_disk_before_the_journal_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    small_input()
    events: list[str] = []
    real_sync, real_replace = os.fsync, os.replace

    def name_of(file: Any) -> str:
        return Path(f"/proc/self/fd/{file if isinstance(file, int) else file.fileno()}").readlink().name

    def sync(file: Any) -> None:
        events.append(f"sync {name_of(file)}")
        real_sync(file)

    def replace(source: Any, target: Any) -> None:
        events.append(f"name {Path(target).name} {Path(source).name}")
        real_replace(source, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "replace", replace)
    small_run("out.csv")
    shards = [n for n, event in enumerate(events) if event.startswith("name part-")]
    assert len(shards) == 4
    for n in shards:
        temporary = events[n].split(" ")[2]
        assert f"sync {temporary}" in events[:n]
        after = events[n:]
        assert after.index("sync out.csv.parts") < after.index("sync journal.jsonl")
    result = events.index(next(event for event in events if event.startswith("name out.csv ")))
    report = events.index(next(event for event in events if event.startswith("name out.csv.report.json ")))
    assert f"sync {Path.cwd().name}" in events[result:report]


# Ctrl-C


@pytest.mark.parametrize("job", ["vct", "analyze"])
def test_ctrl_c(job: str) -> None:
    """Even if a single position takes for ever."""
    write("in.txt", *GAMES[30:40])
    options = ["in.txt", "-o", "out.csv", "--jobs", job, "--shard", "8", "--plies", "12:40", "--threads", "2"]
    options += ["--quiet"]
    if job == "analyze":
        options += ["--level", "master", "--nodes", "1000"]
    else:
        options += ["--solve-nodes", "3000"]
    with started(*options) as process:
        wait_until(lambda: len(journal("out.csv")) >= 2, process)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, output) == (130, "")
    assert errors.startswith("renju: interrupted; ")
    assert errors.endswith("safe in out.csv.parts: resume to go on\n")
    assert len(errors.splitlines()) == 1
    finished = journal("out.csv")
    assert not Path("out.csv").exists()
    assert cli.main(["batch", *options, "--resume"]) == 0
    assert cli.main(["batch", *options[:2], "whole.csv", *options[3:]]) == 0
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert finished


ENDLESS = "quintet-bench_vct_unstable-1"


def child_interrupted(job: str) -> None:
    """One position, for ever; the run must end soon, and leave nothing behind."""
    (hard,) = (case for case in data.json_lines("vct_cases.jsonl") if case["id"] == ENDLESS)
    write("in.jsonl", json.dumps({name: hard[name] for name in ("black", "white")}))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sent: list[CpuClock] = []

    def interrupt() -> None:
        sent.append(CpuClock())
        os.kill(os.getpid(), signal.SIGINT)

    after_work(0.5, interrupt)
    endless = {"limit": Limit(nodes=2**60), "solve_limit": Limit(nodes=2**60), "threat_limit": 3}
    if job == "analyze":
        write("in.jsonl", '{"moves": "h8i9g7i7g9g8i10i8"}')
        endless |= {"only_last": True}
    with pytest.raises(renju.Interrupted, match="interrupted; no shard was finished") as caught:
        pipeline.run("in.jsonl", "out.csv", job, threads=2, level="master", **endless)
    worked = sent[0].seconds()
    assert worked < 5.0, f"{worked} s of work after the signal"
    report = caught.value.partial
    assert isinstance(report, pipeline.Report)
    assert report.positions == 0
    assert [path.name for path in Path().iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize("job", ["analyze", "vct"])
def test_ctrl_c_within_a_position(job: str) -> None:
    run_child(__file__, "child_interrupted", job)


def test_an_interrupted_run_tells_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    write("in.txt", *GAMES[:12])

    def listen(done: int, total: int) -> None:
        if len(journal("out.csv")) >= 3:
            raise KeyboardInterrupt

    with pytest.raises(renju.Interrupted, match=r"finished shards are safe in out\.csv\.parts") as caught:
        pipeline.run("in.txt", "out.csv", "vcf", shard_positions=100, threads=1, progress=listen)
    entries = [json.loads(line) for line in Path("out.csv.parts/journal.jsonl").read_text().splitlines()[1:]]
    assert caught.value.partial.positions == sum(entry["counts"]["positions"] for entry in entries)


# No space


SPACE_OPTIONS = ["in.txt", "--jobs", "forbidden", "--shard", "50", "--threads", "2", "--quiet"]


def test_a_file_that_grows_too_large() -> None:
    """The shards fit, and the whole does not."""
    write("in.txt", *GAMES)
    limit = 200_000
    command = [*BATCH, *SPACE_OPTIONS, "-o", "out.csv"]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    assert done.returncode == 2
    error, note = done.stderr.splitlines()
    assert error.startswith("renju: ")
    assert error.endswith("/out.csv: File too large")
    assert note.endswith("safe in out.csv.parts: resume to go on")
    assert not Path("out.csv").exists()
    assert not [*Path().rglob("*.tmp")]
    finished = journal("out.csv")
    again = subprocess.run([*command, "--resume"], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (again.returncode, again.stderr) == (0, "")
    assert len(finished) == len({*finished}) > 10
    assert cli.main(["batch", *SPACE_OPTIONS, "-o", "whole.csv"]) == 0
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()


def mount_commands() -> list[tuple[str, ...]]:
    """How a process may get a small disk of its own, which is gone with it; none if it may not."""
    for command in (("unshare", "--mount"), ("unshare", "--mount", "--map-root-user")):
        probe = [*command, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/tmp"]
        with suppress(OSError):
            if subprocess.run(probe, capture_output=True).returncode == 0:
                return [command]
    return []


def child_full_disk(form: str) -> None:
    """A disk that is full somewhere in the middle, and then is not any more."""
    out = Path(f"disk/out.{form}")
    write("in.txt", *GAMES)
    whole = f"whole.{form}"
    assert cli.main(["batch", *SPACE_OPTIONS, "-o", whole]) == 0
    size = Path(whole).stat().st_size
    Path("disk").mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size // 2}", "tmpfs", "disk"], check=True)
    seen: list[int] = []
    for room in (size // 2, size * 5 // 4, size * 8):  # for some shards, for all, for the whole
        subprocess.run(["mount", "-o", f"remount,size={room}", "disk"], check=True)
        done = subprocess.run(
            [*BATCH, *SPACE_OPTIONS, "-o", out, "--resume"],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        now = journal(str(out))
        if room < size * 2:
            error, note = done.stderr.splitlines()
            assert done.returncode == 2
            assert error.endswith(": No space left on device")
            assert "disk/out" in error
            assert note.endswith(f"safe in {out}.parts: resume to go on")
            assert now[: len(seen)] == seen
            assert len({*now}) == len(now) > 0
            assert not [*Path("disk").rglob("*.tmp")]
            seen = now
        else:
            assert (done.returncode, done.stderr) == (0, "")
    assert read_table(out) == read_table(Path(whole))


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("command", mount_commands(), ids=" ".join)
def test_a_full_disk(form: str, command: tuple[str, ...]) -> None:
    run_child(__file__, "child_full_disk", form, before=command)


# Two at once


def test_two_runs_at_once(capsys: Output) -> None:
    write("in.txt", *GAMES[:20])
    slow = ["in.txt", "-o", "out.csv", "--jobs", "analyze", "--level", "master", "--shard", "8", "--quiet"]
    with started(*slow, "--nodes", "20000") as process:
        wait_until(lambda: len(journal("out.csv")) >= 1, process)
        for arguments in (["--resume"], ["--overwrite"]):
            assert cli.main(["batch", *slow, "--nodes", "20000", *arguments]) == 2
            assert "out.csv.parts: another run is at work on it" in capsys.readouterr().err
        assert process.poll() is None
        assert journal("out.csv")
        process.kill()
        process.wait()
    # The lock is gone with its holder.
    quick = ["in.txt", "-o", "out.csv", "--jobs", "forbidden", "--quiet", "--overwrite"]
    assert cli.main(["batch", *quick]) == 0


def test_runs_that_start_together() -> None:
    write("in.txt", *GAMES[:30])
    command = [*BATCH, "in.txt", "-o", "out.csv", "--jobs", "vcf", "--shard", "50", "--quiet"]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    errors = [process.communicate(timeout=PATIENCE_S)[1] for process in processes]
    codes = [process.returncode for process in processes]
    assert sorted(codes) == [0, 2, 2, 2], errors
    for code, error in zip(codes, errors, strict=True):
        assert len(error.splitlines()) == (0 if code == 0 else 1), error
    pipeline.run("in.txt", "whole.csv", "vcf", shard_positions=50)
    assert Path("out.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert not Path("out.csv.parts").exists()


def test_a_run_that_ends_when_another_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    small_input()
    real = Store._take_lock

    def take_late(self: Store) -> None:
        monkeypatch.setattr(Store, "_take_lock", real)
        small_run("out.csv")
        real(self)

    monkeypatch.setattr(Store, "_take_lock", take_late)
    with pytest.raises(FileExistsError, match="exists already"):
        small_run("out.csv")
    assert {*contents()} == {"out.csv", "out.csv.bad.jsonl", "out.csv.report.json"}
    assert len(read_table(Path("out.csv"))) == 22


def child_holds_a_lock() -> None:
    lock = Lock(Path("lock"))
    if os.fork() == 0:
        print(os.getpid(), flush=True)
        time.sleep(PATIENCE_S)
        os._exit(0)
    time.sleep(PATIENCE_S)
    lock.close()


def test_a_lock_is_not_inherited() -> None:
    command = [sys.executable, __file__, "child_holds_a_lock"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        orphan = int(process.stdout.readline())
        try:
            with pytest.raises(BlockingIOError, match="another run is at work on it"):
                Lock(Path("lock"))
            process.kill()
            process.wait()
            Lock(Path("lock")).remove()  # although what it left behind is alive
        finally:
            os.kill(orphan, signal.SIGKILL)


def test_a_lock_that_was_removed_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path("lock")
    real = Path.open
    removed: list[bool] = []

    def open_late(self: Path, *args: Any, **kwargs: Any) -> Any:
        file = real(self, *args, **kwargs)
        if not removed:  # as its last holder does, just then
            removed.append(True)
            path.unlink()
        return file

    monkeypatch.setattr(Path, "open", open_late)
    lock = Lock(path)
    assert path.exists()
    with pytest.raises(BlockingIOError):
        Lock(path)
    lock.remove()
    assert not path.exists()


if __name__ == "__main__":
    run_named(globals())
