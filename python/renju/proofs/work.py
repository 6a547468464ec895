"""The work on one position, a function of its arguments: it runs on a thread, in a process, or on another
machine."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Thread
from time import thread_time
from typing import TYPE_CHECKING, Any

from renju import __version__, _native
from renju._types import Color, Point
from renju.errors import RenjuError
from renju.limits import Limit
from renju.pipeline.hands import CLUSTER_TIMEOUT_S, Hands
from renju.proofs.records import flaw_of
from renju.proving import ProofCheck, ProveResult, prove, verify_proof

if TYPE_CHECKING:
    from distributed import Client

    from renju.board import Board

__all__ = ["Answer", "CheckTask", "ProveTask", "Workers", "hands", "outcome", "processes"]


@dataclass(frozen=True)
class ProveTask:
    """A position whose win is looked for."""

    index: int
    """Which position of the run it is."""
    board: Board
    """The position that is searched."""
    color: Color
    """The colour that is to win, taken to be on move."""
    limit: Limit
    """What the search may take."""
    threat_limit: int
    """The most fours, 1 to 3, that a threat of a VCT may need."""
    first: tuple[Point, ...]
    """Moves that are tried before all others."""
    hints: tuple[bytes, ...]
    """Proofs of other positions whose moves and trees are tried before a search."""
    verify: bool
    """Whether the independent verifier goes through what is found."""

    def do(self, stop: _native.StopFlag | None) -> ProveResult:
        return prove(
            self.board,
            self.color,
            self.limit,
            self.threat_limit,
            self.first,
            self.hints,
            check=self.verify,
            stop=stop,
        )


@dataclass(frozen=True)
class CheckTask:
    """A proof that is to be checked."""

    index: int
    """Which proof of the file it is."""
    board: Board
    """The position that the proof is about."""
    proof: bytes
    """The proof in the form of docs/prove.md."""
    color: Color
    """The colour that wins, as the file says."""
    move: Point
    """The first move of the win, as the file says."""

    def do(self, stop: _native.StopFlag | None) -> ProofCheck:
        check = verify_proof(self.board, self.proof, stop)
        if check and (flaw := flaw_of(self.proof, self.color, self.move)):
            return ProofCheck(False, flaw)
        return check


@dataclass(frozen=True)
class Answer:
    """What a worker found."""

    found: ProveResult | ProofCheck
    """What the search or the verifier says."""
    cpu_s: float
    """Seconds of CPU time that the work took."""
    version: str
    """The version of the package that did the work."""


@dataclass(frozen=True)
class Workers:
    """Who does the work: `threads` threads here (0: one per core), `processes` processes here, an `executor`
    of `concurrent.futures`, or the cluster of a Dask `client`, which may be without workers for
    `cluster_timeout` seconds. The result is the same."""

    threads: int = 0
    processes: int = 0
    executor: Executor | None = None
    client: Client | None = None
    cluster_timeout: float = CLUSTER_TIMEOUT_S


def _work(
    task: ProveTask | CheckTask,
    listen: Callable[[int], None] | None = None,
    stop: _native.StopFlag | None = None,
) -> Answer:
    """Does a task; `listen` is for tasks that tell how far they are, which these do not."""
    start = thread_time()
    found = task.do(stop)
    return Answer(found, thread_time() - start, __version__)


@contextmanager
def hands(workers: Workers) -> Iterator[Hands[Any, Answer]]:
    """Those who do the tasks. At the end work that is under way is given up."""
    with ExitStack() as stack:
        executor = workers.executor
        if workers.processes:
            if executor is not None or workers.client is not None:
                raise ValueError("processes, executor or client, not two of them")
            executor = stack.enter_context(processes(workers.processes))
        task: Callable[..., Answer] = _work
        stop = _native.StopFlag()
        if executor is None and workers.client is None:
            task = partial(_work, stop=stop)
        found: Hands[Any, Answer] = stack.enter_context(
            Hands(task, _ignore, workers.threads, executor, workers.client, workers.cluster_timeout)
        )
        stack.callback(stop.set)
        yield found


def _ignore(index: int, count: int) -> None:
    pass


def outcome(future: Future[Answer], what: str) -> Answer:
    """The answer of a worker; `RenjuError` if it failed at `what`, or is of another version."""
    try:
        answer = future.result()
    except MemoryError:
        raise
    except Exception as error:
        # Executors and clusters have many ways to say that a worker died.
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise RenjuError(f"the work on {what} failed: {reason}") from error
    if answer.version != __version__:
        raise RenjuError(f"a worker has renju {answer.version}, this is {__version__}")
    return answer


@contextmanager
def processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end with this one, however it ends, and that are not waited for at the end."""
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_follow_parent)
    try:
        yield pool
    finally:
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()


def _follow_parent() -> None:
    """Ends this process when its parent is gone: a search may take hours."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()
