"""Those who do the work: threads of our own, an executor, or a cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from renju._machine import cores
from renju.errors import RenjuError

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["CLUSTER_TIMEOUT_S", "Hands"]

# How often a cluster tries a chunk that failed. Those of workers that died are given to others anyhow.
_RETRIES = 3

# How long a cluster may be without workers, or without an answer.
CLUSTER_TIMEOUT_S = 60.0

# The workers are counted so often, as they come and go.
_COUNT_S = 1.0


class _Numbered(Protocol):
    """Work that has a number."""

    @property
    def index(self) -> int: ...


Chunk = TypeVar("Chunk", bound=_Numbered)
Done = TypeVar("Done")


class Hands(Generic[Chunk, Done]):
    """Takes chunks of work and gives futures. Use it as a context: at its end work that is under way is given
    up."""

    def __init__(
        self,
        task: Callable[..., Done],
        tick: Callable[[int, int], None],
        threads: int = 0,
        executor: Executor | None = None,
        client: Client | None = None,
        cluster_timeout: float = CLUSTER_TIMEOUT_S,
    ) -> None:
        """`tick` hears, from our own threads, of the number of a chunk and of positions finished in it."""
        if executor is not None and client is not None:
            raise ValueError("executor or client, not both")
        self._task, self._tick = task, tick
        self._stop = Event()
        self._pending: set[Future[Done]] = set()
        self._own: ThreadPoolExecutor | None = None
        self._cluster: _Cluster[Done] | None = None if client is None else _Cluster(client, cluster_timeout)
        if executor is None and client is None:
            executor = self._own = ThreadPoolExecutor(threads or cores(), "renju-pipeline")
        self._executor = executor

    def window(self) -> int:
        """Chunks that may be under way: enough for all hands, few enough for the memory. `RenjuError` if
        nobody is left."""
        if self._cluster is not None:
            hands = self._cluster.threads()
        else:
            hands = getattr(self._executor, "_max_workers", None) or cores()
        return 2 * max(1, int(hands))

    def submit(self, chunk: Chunk) -> Future[Done]:
        """Gives a chunk to a worker."""
        if self._own is not None:
            return self._own.submit(self._task, chunk, partial(self._listen, chunk.index))
        try:
            if self._cluster is not None:
                future = self._cluster.submit(self._task, chunk)
            else:
                assert self._executor is not None
                future = self._executor.submit(self._task, chunk)
        except Exception as error:  # a pool that is broken, a client that is closed
            raise RenjuError(f"nobody takes the work: {type(error).__name__}: {error}") from error
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def _listen(self, index: int, count: int) -> None:
        if self._stop.is_set():
            raise _GivenUp
        self._tick(index, count)

    def __enter__(self) -> Hands[Chunk, Done]:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._cluster is not None:
            self._cluster.cancel()
        for future in list(self._pending):
            future.cancel()
        if self._own is not None:
            self._own.shutdown(wait=True, cancel_futures=True)


class _Cluster(Generic[Done]):
    """A Dask cluster, and whether anybody is there."""

    def __init__(self, client: Any, timeout_s: float) -> None:
        self._client = client
        self._timeout_s = timeout_s
        self._count = 0
        self._counted = float("-inf")
        self._seen = monotonic()
        self._tasks: dict[Future[Done], Any] = {}

    def submit(self, task: Callable[..., Done], chunk: object) -> Future[Done]:
        """Gives a chunk to a worker. (The executor that Dask has leaves futures without an end where a task
        fails after its result was lost with a worker.)"""
        found = self._client.submit(task, chunk, pure=False, retries=_RETRIES)
        future: Future[Done] = Future()
        self._tasks[future] = found
        future.add_done_callback(self._forget)
        self._client.loop.add_callback(_carry, found, future)
        return future

    def _forget(self, future: Future[Done]) -> None:
        self._tasks.pop(future, None)  # then the cluster forgets the result

    def cancel(self) -> None:
        """Nobody waits any more for what is under way."""
        with suppress(Exception):  # a cluster that is gone
            self._client.cancel(list(self._tasks.values()))

    def threads(self) -> int:
        """The threads of all workers; `RenjuError` if there was none for a long time."""
        now = monotonic()
        if now - self._counted >= _COUNT_S:
            self._count = self._ask()
            self._counted = monotonic()
            if self._count:
                self._seen = self._counted
            elif self._counted - self._seen > self._timeout_s:
                address = getattr(self._client.scheduler, "address", "the cluster")
                raise RenjuError(f"{address}: no worker for {self._timeout_s:g} s")
        return self._count

    def _ask(self) -> int:
        # A scheduler that died or hangs counts as one without workers.
        try:
            return sum(self._client.nthreads(callback_timeout=self._timeout_s).values())
        except Exception:
            return 0


async def _carry(source: Any, future: Future[Done]) -> None:
    """Brings the end of a task of Dask, whatever it is, to a future."""
    try:
        result = await source
    except BaseException as error:
        is_usual = isinstance(error, Exception)
        with suppress(InvalidStateError):  # nobody waits any more
            future.set_exception(error if is_usual else CancelledError(*error.args))
    else:
        with suppress(InvalidStateError):
            future.set_result(result)


class _GivenUp(Exception):
    """Nobody waits for this chunk any more."""
