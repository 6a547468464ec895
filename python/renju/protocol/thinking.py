"""An engine at work for a manager: made when needed, stopped when asked, told of in messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from renju.board import Board
from renju.limits import Limit
from renju.protocol.settings import Settings

if TYPE_CHECKING:
    from renju.engine import Candidate, Engine, SearchResult

__all__ = ["EngineFactory", "Thinker", "strongest_engine"]

# Called with `threads` and `hash_mb`.
EngineFactory: TypeAlias = "Callable[..., Engine]"

# A manager limits time and memory, not strength.
_LEVEL = "master"

# How often a search is looked after: a STOP waits no longer.
_WATCH_S = 0.02
# A search that is so late is stopped; the margin of the settings leaves room for it.
_LATE_S = 0.005


def strongest_engine(threads: int, hash_mb: int) -> Engine:
    from renju.engine import Engine

    return Engine(_LEVEL, threads=threads, hash_mb=hash_mb)


class Thinker:
    """An engine of the size that the settings ask for, and what it says while it thinks."""

    def __init__(self, factory: EngineFactory, settings: Settings, say: Callable[[str], None]) -> None:
        self._factory = factory
        self._settings = settings
        self._say = say
        self._engine: Engine | None = None
        self._size = (0, 0)

    def prepare(self) -> Engine:
        """The engine, a new one if the settings have changed."""
        size = (self._settings.threads, self._settings.hash_mb)
        if self._engine is None or size != self._size:
            self._engine = None  # two tables might not fit into the memory
            self._engine = self._factory(threads=size[0], hash_mb=size[1])
            self._size = size
        return self._engine

    def clear(self) -> None:
        if self._engine is not None:
            self._engine.clear()

    def think(self, board: Board, asked_at: float, stop: Event, candidates: int = 1) -> SearchResult | None:
        """What a search finds that was asked for at a time and ends at the event, if not before."""
        engine = self.prepare()
        limit = self._settings.limit(board.ply, perf_counter() - asked_at)
        result = None
        with _watching(engine, limit, stop):
            if candidates > 1:
                result = engine.analyse(board, limit, multipv=candidates)
                for number, candidate in enumerate(result.candidates, 1):
                    line = " ".join(map(str, candidate.pv))
                    self._say(f"MESSAGE {number}: {candidate.move} ev {_value(candidate)} pv {line}")
            elif self._settings.has_detail:
                for result in engine.stream(board, limit, play=True):
                    self._say(_message(result))
                return result
            else:
                result = engine.best_move(board, limit)
        self._say(_message(result))
        return result


@contextmanager
def _watching(engine: Engine, limit: Limit, stop: Event) -> Iterator[None]:
    """Stops a search at the event, or when it is late."""
    late_at = None if limit.time is None else perf_counter() + limit.time + _LATE_S
    done = Event()

    def watch() -> None:
        # Again and again: a stop concerns only searches that have begun.
        while not done.wait(_WATCH_S):
            if stop.is_set() or (late_at is not None and perf_counter() > late_at):
                engine.stop()

    watcher = Thread(target=watch, name="gomocup-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _message(result: SearchResult) -> str:
    """A line as other engines write it."""
    return (
        f"MESSAGE depth {result.depth}-{result.seldepth} ev {_value(result)} n {result.nodes} "
        f"tm {round(result.time * 1000)} pv {' '.join(map(str, result.pv))}"
    )


def _value(found: SearchResult | Candidate) -> str:
    """The score, or the plies to the end: +M7 is a win."""
    if found.win_in is None:
        return str(found.score)
    return f"+M{found.win_in}" if found.win_in > 0 else f"-M{-found.win_in}"
