"""The lines of a manager, read while the engine thinks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from time import perf_counter

__all__ = ["Inbox", "Line"]

_STOP = frozenset({"STOP", "YXSTOP"})
_END = "END"


@dataclass(frozen=True)
class Line:
    """A line that is not empty, without white space at its ends."""

    text: str
    read_at: float
    """By `perf_counter`."""
    stop: Event
    """Set once a STOP, the END or the end of the input came after this line."""

    @property
    def command(self) -> str:
        return self.text.split(maxsplit=1)[0].upper()

    @property
    def arguments(self) -> str:
        return self.text[len(self.text.split(maxsplit=1)[0]) :].strip()


class Inbox:
    """The lines up to END or the end of the input; a thread reads them, so that a STOP is seen at once.

    A STOP is none of the lines: it sets the event that all lines before it share.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = texts
        self._queue: SimpleQueue[Line | None] = SimpleQueue()
        Thread(target=self._read, name="gomocup-input", daemon=True).start()

    def __iter__(self) -> Iterator[Line]:
        return iter(self._queue.get, None)

    def _read(self) -> None:
        stop = Event()
        try:
            for text in self._texts:
                line = Line(text.strip("\0 \t\r\n"), perf_counter(), stop)
                if not line.text.split():
                    continue
                if line.command == _END:
                    break
                if line.command in _STOP:
                    stop.set()
                    stop = Event()
                else:
                    self._queue.put(line)
        except (OSError, ValueError):
            pass  # an input that cannot be read is at its end
        finally:
            stop.set()  # a manager that is gone must not leave an engine at work
            self._queue.put(None)
