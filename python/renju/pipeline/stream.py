"""Results that go straight to standard output, in order."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from renju.pipeline.shards import Shard
from renju.pipeline.work import Chunk, Done

__all__ = ["Stream"]


class Stream:
    """Takes shards in any order and writes them in the right one; bad rows go to standard error."""

    bad_path: Path | None = None

    def __init__(self, form: str) -> None:
        if form == "parquet":
            raise ValueError("Parquet cannot be written to a stream; take csv or jsonl")
        if sys.stdout is None:
            raise OSError("there is no standard output")
        self._form = form
        self._next = 0
        self._waiting: dict[int, Done] = {}
        self._counts: Counter[str] = Counter()
        self.analysed = 0
        self.finished: dict[int, Shard] = {}
        """Shards that are finished already: none, for a stream cannot be taken up again."""
        self.damage: tuple[str, ...] = ()
        """Files of an earlier part of the run that were damaged: none, for a stream has no earlier part."""

    def add(self, chunk: Chunk, done: Done) -> None:
        """Keeps a shard until its turn."""
        self._counts.update(done.counts)
        self.analysed += done.analysed
        self._waiting[chunk.index] = done
        while (ready := self._waiting.pop(self._next, None)) is not None:
            data = ready.data
            if self._form == "csv" and self._next > 0:
                data = data[data.index(b"\n") + 1 :]
            _write(data)
            if ready.bad and sys.stderr is not None:
                from tqdm import tqdm  # a fifth of the start of a run that has no bad rows

                tqdm.write(ready.bad.decode(), file=sys.stderr, end="")  # not into the line of a bar
                sys.stderr.flush()
            self._next += 1

    def drop(self, index: int, why: str) -> None:
        """Nothing is finished before, so nothing is asked for."""
        raise AssertionError(f"shard {index}: {why}")

    @property
    def backlog(self) -> int:
        """Shards that wait for one before them."""
        return len(self._waiting)

    def counts(self) -> Counter[str]:
        """The numbers of all shards that were written."""
        return self._counts.copy()

    def finish(self, report: Mapping[str, Any]) -> None:
        """Nothing is left to do."""


def _write(data: bytes) -> None:
    raw = getattr(sys.stdout, "buffer", None)
    if raw is not None:
        sys.stdout.flush()
        raw.write(data)
    else:
        sys.stdout.write(data.decode())  # a notebook has texts only
    sys.stdout.flush()
