"""How far a run is."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Any

from renju.pipeline.work import Chunk, Done

__all__ = ["Bar", "Progress"]

Progress = Callable[[int, int], object]

# How often a bar is drawn: in a log every time is one more line.
_SHOW_S, _SHOW_IN_A_LOG_S = 0.1, 10.0


class Bar:
    """A progress bar, a function that is told, or nothing. Threads tell it what they do; `show` is for the
    main thread alone."""

    def __init__(self, progress: bool | Progress | None, total: Callable[[], int], done: int) -> None:
        """`total` is asked for the positions expected in all; so many are `done` from before."""
        self._progress, self._total = progress, total
        self._done = done
        self._live: Counter[int] = Counter()
        self._lock = Lock()
        self._shown = (-1, -1)
        self._bar: Any = None
        if progress is True:
            from tqdm import tqdm

            self._bar = tqdm(
                initial=done,
                unit=" positions",
                unit_scale=True,
                dynamic_ncols=True,
                mininterval=_SHOW_S if sys.stderr.isatty() else _SHOW_IN_A_LOG_S,
            )

    def tick(self, index: int, count: int) -> None:
        """So many more positions of a chunk are finished."""
        with self._lock:
            self._live[index] += count

    def add(self, chunk: Chunk, done: Done) -> None:
        """A chunk is finished."""
        with self._lock:
            self._live.pop(chunk.index, None)
            self._done += done.positions

    def show(self) -> None:
        """Tells what is new."""
        if not self._progress:
            return
        with self._lock:
            done = self._done + self._live.total()
        now = (done, max(done, self._total()))
        if now == self._shown:
            return
        self._shown = now
        if self._bar is not None:
            self._bar.total = now[1]
            self._bar.update(done - self._bar.n)
        elif callable(self._progress):
            self._progress(*now)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
