"""One file of many shards, made while later shards are still worked on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, cast

from renju._checksum import Stamp, StampedFile
from renju._files import written
from renju.pipeline.outputs import Join

__all__ = ["Joining", "joined"]

_Item = tuple[Path, Stamp]


class _GivenUp(Exception):
    """Ends the thread that joins."""


class Joining:
    """Joins shards on a thread of its own, in the order in which they are added. Nothing is in the place of
    the result before `finish`; after `close` nothing is left."""

    def __init__(self, path: Path, join: Join) -> None:
        self.added: list[_Item] = []
        """The shards that were added, with what they must be."""
        self._coming: SimpleQueue[_Item | BaseException | None] = SimpleQueue()
        self._stack = ExitStack()
        file = StampedFile(self._stack.enter_context(written(path)))
        self._hand = ThreadPoolExecutor(1, "renju-join")
        self._done: Future[Stamp] = self._hand.submit(self._run, join, file)

    def _run(self, join: Join, file: StampedFile) -> Stamp:
        join(self._shards(), cast(IO[bytes], file))
        return file.stamp

    def _shards(self) -> Iterator[_Item]:
        while (item := self._coming.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item

    def add(self, path: Path, stamp: Stamp) -> None:
        """The next shard, which is finished."""
        self.added.append((path, stamp))
        self._coming.put((path, stamp))

    def finish(self) -> Stamp:
        """Puts the file in its place when all that was added is in it; what it must be from now on."""
        with self._hand, self._stack:
            self._coming.put(None)
            return self._done.result()

    def close(self) -> None:
        """Gives up what is not finished, and removes what was written of it."""
        self._coming.put(_GivenUp())
        self._hand.shutdown()
        with suppress(_GivenUp, OSError), self._stack:  # a full disk is told by the shard that it refused
            raise _GivenUp


def joined(path: Path, shards: list[_Item], join: Join) -> Stamp:
    """Makes one file of many; what it must be from now on."""
    with written(path) as file:
        stamped = StampedFile(file)
        join(iter(shards), cast(IO[bytes], stamped))
        return stamped.stamp
