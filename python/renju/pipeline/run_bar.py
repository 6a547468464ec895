"""How far a run is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Lock

from renju._progress import Bar, Progress
from renju.pipeline.work import Chunk, Done

__all__ = ["RunBar"]


class RunBar:
    """The positions of a run. Threads tell it what they do; `show` is for the main thread alone."""

    def __init__(
        self,
        progress: bool | Progress | None,
        total: Callable[[], int],
        place: Callable[[], str],
        done: int,
    ) -> None:
        """`total` is asked for the positions expected in all, `place` for the file that is read, in words;
        `done` positions are finished from before."""
        self._total, self._place = total, place
        self._done = done
        self._live: Counter[int] = Counter()
        self._lock = Lock()
        self._shown = (-1, -1)
        self._bar = Bar(progress, max(done, total()), "positions", done, is_scaled=True)

    def tick(self, index: int, count: int) -> None:
        """`count` more positions of the chunk with this index are finished."""
        with self._lock:
            self._live[index] += count

    def add(self, chunk: Chunk, done: Done) -> None:
        """Counts a finished chunk."""
        with self._lock:
            self._live.pop(chunk.index, None)
            self._done += done.positions

    def show(self) -> None:
        """Shows the positions that were counted."""
        with self._lock:
            done = self._done + self._live.total()
        now = (done, max(done, self._total()))
        if now != self._shown:
            self._shown = now
            self._bar.note(self._place())
            self._bar.show(*now)

    def __enter__(self) -> RunBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__()
