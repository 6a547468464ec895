"""The lines of a manager, read while the engine thinks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from queue import Queue
from threading import Event, Thread
from time import perf_counter
from typing import IO

from renju._lines import bounded_lines

__all__ = ["MOST_CHARACTERS", "Inbox", "Line"]

_STOP = frozenset({"STOP", "YXSTOP"})
_END = "END"

MOST_CHARACTERS = 1_000_000
"""Characters of a line; all the stones of a board take some thousands."""
# Lines that wait for an answer; then the manager has to wait, too.
_MOST_WAITING = 10_000


@dataclass(frozen=True)
class Line:
    """A line that is not empty, without white space at its ends."""

    text: str
    """The command and its arguments as they were sent."""
    read_at: float
    """When the line was read, in seconds of `perf_counter`."""
    stop: Event
    """Set once a STOP, the END or the end of the input came after this line."""
    is_whole: bool = True
    """Whether the line is no longer than `MOST_CHARACTERS`; else `text` is its beginning."""

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

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._queue: Queue[Line | None] = Queue(_MOST_WAITING)
        Thread(target=self._read, name="gomocup-input", daemon=True).start()

    def __iter__(self) -> Iterator[Line]:
        return iter(self._queue.get, None)

    def _read(self) -> None:
        stop = Event()
        try:
            for text, _, is_whole in bounded_lines(self._file, MOST_CHARACTERS):
                line = Line(text.strip("\0 \t\r\n"), perf_counter(), stop, is_whole)
                if not line.text.split():
                    continue
                if line.is_whole and line.command == _END:
                    break
                if line.is_whole and line.command in _STOP:
                    stop.set()
                    stop = Event()
                else:
                    self._queue.put(line)
        except (OSError, ValueError):
            pass  # an input that cannot be read is at its end
        finally:
            stop.set()  # a manager that is gone must not leave an engine at work
            self._queue.put(None)
