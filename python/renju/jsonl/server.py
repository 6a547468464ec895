"""Answers lines with many workers: reads, queues, stops, and writes each answer once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from threading import Condition, Lock, Thread
from time import perf_counter
from types import TracebackType

from renju._machine import cores
from renju._native import __version__
from renju.config import LEVELS
from renju.jsonl.query import Action, Asked, Defaults, read
from renju.jsonl.task import Engines, Task
from renju.jsonl.waiting import MOST_WAITING, Waiting
from renju.limits import Limit, check_hash, check_limit, whole

__all__ = ["Server", "serve"]

_MOST_THREADS = 1024
# How long searches that were stopped are waited for at the end; they need some milliseconds.
_PATIENCE_S = 0.15
# Waiting without an end, Ctrl-C would not be seen on every system.
_WAIT_S = 1.0


def serve(
    lines: Iterable[str | bytes],
    write: Callable[[str], object],
    *,
    threads: int = 0,
    level: str = "hard",
    hash_mb: int = 64,
    limit: Limit | None = None,
) -> None:
    """Answers all lines; `write` is called with one line of JSON, without its end, for each answer.

    The arguments are those of `Server`. Lines are read in a thread of their own. What reading or writing
    raises is raised, and ends everything.

    >>> from renju import jsonl
    >>> jsonl.serve(['{"id": "a", "moves": "h8 h8"}'], print)
    {"id": "a", "error": "move 2 (H8): H8 is occupied by black", "field": "moves", "line": 1}
    """
    with Server(write, threads=threads, level=level, hash_mb=hash_mb, limit=limit) as server:
        server.serve(lines)


class Server:
    """Workers that answer queries. `feed` it lines; every answer is a call of `write`, one at a time, which
    must not call the server.

    As a context it waits for all answers at the end, or stops everything if there was an error.

    >>> from renju import jsonl
    >>> with jsonl.Server(print, threads=1) as server:
    ...     server.feed('{"id": 1, "job": "forbidden", "moves": "f8 a1 g8 a3 h9 a5 h10 a7"}')
    {"id": 1, "job": "forbidden", ..., "turn": "black", "forbidden": {"H8": "double-three"}}
    """

    def __init__(
        self,
        write: Callable[[str], object],
        *,
        threads: int = 0,
        level: str = "hard",
        hash_mb: int = 64,
        limit: Limit | None = None,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        """`threads` is the number of queries that are worked at, 0 for one per core; each has engines of its
        own with `hash_mb` megabytes. `level` and `limit` hold for queries that name none. At most
        `most_waiting` queries wait; then `feed` waits, too."""
        if level not in LEVELS:
            raise ValueError(f"level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {level!r}")
        count = whole("threads", threads)
        if not 0 <= count <= _MOST_THREADS:
            raise ValueError(f"threads is a number from 0 to {_MOST_THREADS}, not {threads}")
        self._write = write
        self._writing = Lock()
        self._defaults = Defaults(level, check_limit(limit))
        self._waiting = Waiting(most_waiting)
        self._line = 0
        # Guards all that follows.
        self._changed = Condition()
        # Tasks without an answer, in order of arrival.
        self._open: dict[Task, None] = {}
        self._failure: BaseException | None = None
        self._is_closed = False
        self._is_read = False
        self._workers: set[Thread] = set()
        self._count = count or cores()
        self._engines = Engines(self._count, check_hash(hash_mb))
        with self._changed:
            for _ in range(self._count):
                self._start()

    # Lines in

    def feed(self, line: str | bytes) -> None:
        """Takes a line, from one thread at a time. Waits while too many queries do; raises what `write`
        raised."""
        self._check()
        if self._is_closed:
            raise ValueError("the server is closed")
        self._take(line)
        self._check()

    def _take(self, line: str | bytes) -> None:
        self._line += 1
        asked: Asked
        try:
            asked = read(line, self._line, self._defaults)
        except Exception as error:  # whatever a line holds, the next one is welcome
            asked = {"id": None, "error": f"{type(error).__name__}: {error}", "line": self._line}
        if isinstance(asked, list):
            for query in asked:
                self._add(Task(query))
        elif isinstance(asked, Action):
            self._act(asked)
        elif asked is not None:
            self._say(asked)

    def serve(self, lines: Iterable[str | bytes]) -> None:
        """Feeds all lines from a thread of their own, and waits for all answers."""
        # A reader that waits for a line cannot be ended; it is left behind.
        Thread(target=self._read, args=(lines,), name="jsonl-input", daemon=True).start()
        self._wait(lambda: self._is_read and not self._open)

    def wait(self) -> None:
        """Waits until all queries that were fed are answered; raises what `write` raised."""
        self._wait(lambda: not self._open)

    def _wait(self, is_done: Callable[[], bool]) -> None:
        with self._changed:
            while not (is_done() or self._is_closed):
                self._changed.wait(_WAIT_S)
        self._check()

    def _check(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _read(self, lines: Iterable[str | bytes]) -> None:
        try:
            for line in lines:
                self._take(line)
                if self._is_closed:
                    break
        except BaseException as error:
            self._fail(error)
        finally:
            with self._changed:
                self._is_read = True
                self._changed.notify_all()

    def _add(self, task: Task) -> None:
        with self._changed:
            self._open[task] = None
        if not self._waiting.put(task):
            self._forget(task)

    # Actions

    def _act(self, action: Action) -> None:
        told: dict[str, object] = {"id": action.id, "action": action.name}
        if action.name == "query_version":
            told["version"] = __version__
        elif action.name == "clear_cache":
            self._engines.clear()
        elif action.name == "terminate":
            told["terminate_id"] = action.terminate_id
            told["terminated"] = self._terminate(lambda task: task.query.id == action.terminate_id)
        else:
            told["terminated"] = self._terminate(lambda _: True)
        self._say(told)

    def _terminate(self, is_meant: Callable[[Task], bool]) -> int:
        """Ends queries; those that have not begun are answered at once. How many there were."""
        unbegun = self._waiting.remove(is_meant)
        for task in unbegun:
            self._finish(task, task.unbegun())
        with self._changed:
            begun = [task for task in self._open if is_meant(task)]
        for task in begun:
            task.terminate()
        return len(unbegun) + len(begun)

    # Answers out

    def _start(self) -> None:
        worker = Thread(target=self._work, name="jsonl-worker", daemon=True)
        self._workers.add(worker)
        worker.start()

    def _work(self) -> None:
        while (task := self._waiting.take()) is not None:
            self._finish(task, task.run(self._engines, self._say))

    def _finish(self, task: Task, answer: dict[str, object]) -> None:
        self._say(answer)
        self._forget(task)

    def _forget(self, task: Task) -> None:
        with self._changed:
            self._open.pop(task, None)
            self._changed.notify_all()

    def _say(self, answer: dict[str, object]) -> None:
        text = json.dumps(answer)
        with self._writing:
            if self._is_closed:
                return
            try:
                self._write(text)
            except BaseException as error:
                self._fail(error)

    # The end

    def _fail(self, error: BaseException) -> None:
        with self._changed:
            self._failure = self._failure or error
        self._stop()

    def _stop(self) -> None:
        with self._changed:
            self._is_closed = True
            tasks = list(self._open)
            self._changed.notify_all()
        self._waiting.close()
        for task in tasks:
            task.terminate()

    def close(self) -> None:
        """Stops all searches; there are no more answers."""
        self._stop()
        until = perf_counter() + _PATIENCE_S
        for worker in list(self._workers):
            worker.join(max(until - perf_counter(), 0.0))

    @property
    def is_busy(self) -> bool:
        """Is a worker still there? After `close` it is in a `write` that does not return, and the interpreter
        cannot end cleanly: leave the process by `os._exit`."""
        return any(worker.is_alive() for worker in list(self._workers))

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self.wait()
        finally:
            self.close()
