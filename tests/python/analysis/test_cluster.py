"""The pipeline on executors and on a Dask cluster: the same results, also when a worker dies."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import Limit, cli, pipeline, samples
from renju.pipeline import hands
from renju.pipeline.work import Chunk
from support.processes import RENJU
from support.tables import read_table
from support.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.cluster, pytest.mark.usefixtures("inside")]

distributed = pytest.importorskip("distributed", reason="Dask is not installed")

BATCH = [*RENJU, "batch", "--quiet"]
GAMES = samples.games()
HOST = "127.0.0.1"
# Seconds without a worker after which a run gives up; to connect takes less on a busy machine, too.
ALONE_S = 10

Popen = subprocess.Popen[bytes]


@pytest.fixture
def expected() -> bytes:
    """What a run here makes of the input."""
    Path("in.txt").write_text("\n".join([*GAMES[:30], "h8h8"]))
    pipeline.run("in.txt", "here.csv", **OPTIONS)
    return Path("here.csv").read_bytes()


# The same on the command line and in Python.
ARGUMENTS = ["--jobs", "forbidden,vcf,vct,evaluate", "--policy", "2", "--shard", "60", "--solve-nodes", "300"]
OPTIONS: dict[str, Any] = {
    "jobs": ("forbidden", "vcf", "vct", "evaluate"),
    "policy": 2,
    "shard_positions": 60,
    "solve_limit": Limit(nodes=300),
}


def check(expected: bytes, out: str = "out.csv") -> None:
    assert Path(out).read_bytes() == expected
    assert Path(f"{out}.bad.jsonl").read_bytes() == Path("here.csv.bad.jsonl").read_bytes()
    assert not Path(f"{out}.parts").exists()


def journaled(out: str = "out.csv") -> int:
    path = Path(f"{out}.parts/journal.jsonl")
    return path.read_text().count('"shard"') if path.exists() else 0


# Executors


def test_threads(expected: bytes) -> None:
    with ThreadPoolExecutor(3) as executor:
        pipeline.run("in.txt", "out.csv", executor=executor, **OPTIONS)
    check(expected)


def test_processes(expected: bytes) -> None:
    told: list[tuple[int, int]] = []
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        report = pipeline.run(
            "in.txt", "out.csv", executor=executor, progress=lambda *now: told.append(now), **OPTIONS
        )
    check(expected)
    assert told[-1] == (report.positions, report.positions)


class Direct(Executor):
    """Does what it is given at once, as some frameworks do to find bugs."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_any_executor(expected: bytes) -> None:
    pipeline.run("in.txt", "out.csv", executor=Direct(), **OPTIONS)
    check(expected)


def die(chunk: Chunk) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Deadly(ProcessPoolExecutor):
    """Its third task ends the process that does it."""

    tasks = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        return super().submit(die if self.tasks == 3 else fn, *args, **kwargs)


def test_a_process_that_dies_ends_the_run_and_it_can_be_resumed(expected: bytes) -> None:
    message = r"the work on shard \d+ \(in\.txt from row \d+\) failed: BrokenProcessPool"
    with (
        Deadly(1, multiprocessing.get_context("spawn")) as executor,
        pytest.raises(renju.RenjuError, match=message),
    ):
        pipeline.run("in.txt", "out.csv", executor=executor, **OPTIONS)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        pipeline.run("in.txt", "out.csv", executor=executor, resume=True, **OPTIONS)
    check(expected)


def test_an_executor_that_is_closed(expected: bytes) -> None:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(renju.RenjuError, match="nobody takes the work: RuntimeError"):
        pipeline.run("in.txt", "out.csv", executor=executor, **OPTIONS)
    assert not Path("out.csv.parts").exists()


class Old(ThreadPoolExecutor):
    """Workers with another version."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return super().submit(lambda: replace(fn(*args, **kwargs), version="0.0.1"))


def test_another_version_is_refused(expected: bytes) -> None:
    message = re.escape(f"a worker has renju 0.0.1, this is {renju.__version__}")
    with Old(1) as executor, pytest.raises(renju.RenjuError, match=message):
        pipeline.run("in.txt", "out.csv", executor=executor, **OPTIONS)
    assert not Path("out.csv").exists()


def test_executor_or_client() -> None:
    Path("in.txt").write_text("h8")
    with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="executor or client, not both"):
        pipeline.run("in.txt", "out.csv", executor=executor, client=object())  # type: ignore[arg-type]


# A cluster


class Cluster:
    """A scheduler and its workers, each a process of its own, on this machine only."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.processes: list[Popen] = []
        self.workers: list[Popen] = []
        facts = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler", "--host", HOST, "--port", "0", "--no-show", "--scheduler-file", str(facts)
        )
        wait_until(lambda: facts.exists() and facts.read_text().endswith("}"))
        self.address: str = json.loads(facts.read_text())["address"]

    def add_worker(self, *arguments: str) -> Popen:
        options = ["--no-nanny", "--nthreads", "1", "--host", HOST, "--local-directory", str(self._folder)]
        worker = self._start("worker", self.address, *options, *arguments)
        self.workers.append(worker)
        return worker

    def _start(self, kind: str, *arguments: str) -> Popen:
        command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
        log = self._folder / f"{kind}-{len(self.processes)}.log"
        with log.open("wb") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file, cwd=self._folder)
        self.processes.append(process)
        return process

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        yield cluster
    finally:
        cluster.stop()


@contextmanager
def client_of(cluster: Cluster, workers: int) -> Iterator[Any]:
    with distributed.Client(cluster.address, timeout=PATIENCE_S) as client:
        client.wait_for_workers(workers, timeout=PATIENCE_S)
        yield client


def test_a_cluster(cluster: Cluster, expected: bytes) -> None:
    """From Python and from the command line; on the way one of the workers is killed."""
    cluster.add_worker()
    cluster.add_worker()
    killed: list[int] = []

    def listen(done: int, total: int) -> None:
        if not killed and journaled() >= 3:
            cluster.workers[0].kill()
            killed.append(journaled())

    with client_of(cluster, 2) as client:
        report = pipeline.run("in.txt", "out.csv", client=client, progress=listen, **OPTIONS)
    check(expected)
    assert killed
    assert killed[0] < json.loads(Path("out.csv.report.json").read_text())["counts"]["positions"] / 60
    assert report.bad == 1

    cluster.add_worker()
    command = [*BATCH, "in.txt", "-o", "cli.csv", *ARGUMENTS, "--scheduler", cluster.address, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: journaled("cli.csv") >= 3 or process.poll() is not None)
        cluster.workers[1].kill()
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output)["counts"]["games"] == 30
    check(expected, "cli.csv")


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (None, None),
        (distributed.KilledWorker("task", None, 3), distributed.KilledWorker),
        (asyncio.CancelledError("gone"), CancelledError),
    ],
    ids=["result", "killed", "cancelled"],
)
def test_every_task_of_a_cluster_has_an_end(error: BaseException | None, expected: Any) -> None:
    """Also one that fails when its result is fetched."""

    async def task() -> str:
        if error is not None:
            raise error
        return "result"

    future: Future[Any] = Future()
    asyncio.run(hands._carry(task(), future))
    if error is None:
        assert future.result(0) == "result"
    else:
        assert isinstance(future.exception(0), expected)
    asyncio.run(hands._carry(task(), future))  # nobody waits any more


def test_ctrl_c_on_a_cluster(cluster: Cluster) -> None:
    cluster.add_worker()
    Path("in.txt").write_text("\n".join(GAMES))
    options = ["--jobs", "analyze", "--level", "master", "--nodes", "3000", "--shard", "4"]
    command = [*BATCH, "in.txt", "-o", "out.csv", *options, "--scheduler", cluster.address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: journaled() >= 2 or process.poll() is not None)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, output) == (130, ""), errors
    assert errors.startswith("renju: interrupted; ")
    assert errors.endswith("safe in out.csv.parts: resume to go on\n")
    assert len(errors.splitlines()) == 1


def left_alone(cluster: Cluster, process: Popen) -> str:
    """What a run says when this part of its cluster is killed on the way."""
    command = [*BATCH, "in.txt", "-o", "out.csv", *ARGUMENTS, "--scheduler", cluster.address]
    command += ["--cluster-timeout", f"{ALONE_S}"]
    with client_of(cluster, 1):  # a worker that is late to start is not one that died
        pass
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        wait_until(lambda: journaled() >= 2 or run.poll() is not None)
        process.kill()
        output, errors = run.communicate(timeout=PATIENCE_S)
    assert (run.returncode, output) == (2, ""), errors
    assert len(errors.splitlines()) == 2, errors
    error, note = errors.splitlines()
    assert note.endswith("safe in out.csv.parts: resume to go on")
    return error


def test_a_cluster_whose_workers_all_die(cluster: Cluster, expected: bytes) -> None:
    error = left_alone(cluster, cluster.add_worker())
    assert error == f"renju: {cluster.address}: no worker for {ALONE_S} s"
    # Without the cluster one can go on as well.
    assert cli.main(["batch", "in.txt", "-o", "out.csv", *ARGUMENTS, "--resume", "--quiet"]) == 0
    check(expected)


def test_a_cluster_whose_scheduler_dies(cluster: Cluster, expected: bytes) -> None:
    cluster.add_worker()
    error = left_alone(cluster, cluster.scheduler)
    assert error.startswith("renju: ")
    assert "lost the connection to the scheduler" in error or "no worker" in error
    assert cli.main(["batch", "in.txt", "-o", "out.csv", *ARGUMENTS, "--resume", "--quiet"]) == 0
    check(expected)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", "tcp://127.0.0.1", "spam://x:1"])
def test_no_scheduler(address: str) -> None:
    Path("in.txt").write_text("h8")
    command = [*BATCH, "in.txt", "-o", "out.csv", "--scheduler", address, "--cluster-timeout", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith(f"renju: --scheduler {address}: ")
    assert [path.name for path in Path().iterdir()] == ["in.txt"]


def test_a_worker_with_another_version(cluster: Cluster, expected: bytes) -> None:
    # Before anything of the pipeline is imported there.
    Path("old.py").write_text("import renju\n\nrenju.__version__ = '0.0.1'\n")
    cluster.add_worker("--preload", str(Path("old.py").absolute()))
    with (
        client_of(cluster, 1) as client,
        pytest.raises(renju.RenjuError, match=r"a worker has renju 0\.0\.1, this is "),
    ):
        pipeline.run("in.txt", "out.csv", client=client, **OPTIONS)
    assert not Path("out.csv").exists()
    assert read_table(Path("here.csv"))
