"""Other engines: a process that speaks the protocol, driven from Python."""

from __future__ import annotations

import io
import os
import signal
import subprocess
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Thread
from time import monotonic, perf_counter, sleep
from types import TracebackType
from typing import IO, NoReturn

from renju._child import words_of
from renju._lines import bounded_lines
from renju._types import Point
from renju.board import Board
from renju.errors import EngineError
from renju.limits import Limit, check_limit, check_seconds
from renju.protocol.dialogue import DEFAULT_LIMIT, RENJU, START, Answer, Dialogue, legal_point
from renju.protocol.remarks import is_remark

__all__ = ["Answer", "EngineProcess"]

# An engine has so long to end by itself.
_QUIT_S = 1.0
# Lines of an engine that are kept until somebody reads them, and the most characters of each.
_MOST_LINES, _LONGEST_LINE = 10_000, 10_000
# Lines of the engine that are shown in an error.
_LAST_LINES = 5


class EngineProcess:
    """An engine of the Gomocup protocol, in a process of its own::

        with EngineProcess("./pbrain-rapfi", cwd="engines/rapfi") as engine:
            board.push(engine.play(board, Limit(time=1)).point)

    `command` is a program, or a program and its arguments; `info` holds further INFO values, and `rule` is
    the number that INFO rule tells. The engine may take `patience_s` seconds for an answer, and the time of
    the limit on top for a move. It is told nothing within `pause_s` seconds after it spoke: some engines
    print their move while they still believe to be thinking, and lose what comes then (Rapfi 0.43, for up to
    16 ms on a busy machine).

    An engine that ends, is silent for too long or answers nonsense is an `EngineError` that tells what it
    said. Its process is ended then; `restart` starts another one.
    """

    def __init__(
        self,
        command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        cwd: str | os.PathLike[str] | None = None,
        rule: int = RENJU,
        info: Mapping[str, object] | None = None,
        patience_s: float = 10.0,
        pause_s: float = 0.05,
    ) -> None:
        check_seconds("patience_s", patience_s)
        check_seconds("pause_s", pause_s)
        self._command = words_of(command)
        self._cwd = cwd
        self._patience_s = patience_s
        self._pause_s = pause_s
        self._pipe: _Pipe | None = None
        self._dialogue = Dialogue(rule, info)
        self.restart()

    def play(self, board: Board, limit: Limit | None = None, time_left_s: float | None = None) -> Answer:
        """The engine's move, which is not made on the board. An illegal one is an `EngineError`.

        Without a limit it has 5 seconds. With a limit that is not one of time it is waited for as long as it
        takes. `time_left_s` is what is left of the time for the game.
        """
        limit = DEFAULT_LIMIT if limit is None else check_limit(limit)
        dialogue = self._dialogue
        question = dialogue.question(board, limit, time_left_s)
        if question.needs_restart:
            self.restart()
        pipe = self._running()
        pipe.send(dialogue.limits(limit, time_left_s))
        start = perf_counter()
        dialogue.forget()
        pipe.send(question.lines)
        wait_s = None if question.time_s is None else question.time_s + self._patience_s
        text, messages = self._answer(wait_s)
        if (confirmation := dialogue.confirmation(text)) is not None:
            pipe.send([confirmation])
            text, more = self._answer(self._patience_s)
            messages += more
        time = perf_counter() - start
        point = self._legal_point(board, text)
        dialogue.remember(board, point)
        return Answer(point, tuple(messages), time)

    def rest(self) -> None:
        """Waits until the engine can be told something, `pause_s` after it spoke. Whoever measures its time
        calls this before."""
        if self._pipe is not None:
            self._pipe.rest()

    def about(self) -> str:
        """What the engine says of itself: ``name="…", version="…"``, or any other text."""
        self._running().send(["ABOUT"])
        return self._answer(self._patience_s)[0]

    def restart(self) -> None:
        """Begins a new game, in a new process if the engine has ended or knows no other way."""
        if self._pipe is not None:
            self._pipe.send(["RESTART"])
            if self._answer(self._patience_s)[0].upper().startswith("OK"):
                self._dialogue.begin_game()
                return
            self.quit()
        try:
            self._pipe = _Pipe(self._command, self._cwd, self._pause_s)
        except OSError as error:
            raise EngineError(f"{self._command[0]} cannot be started: {error}") from error
        self._pipe.send([START])
        text, _ = self._answer(self._patience_s)
        if not text.upper().startswith("OK"):
            self._fail(f"answered {text!r} to START")
        self._pipe.send(self._dialogue.begin_process())

    def quit(self) -> None:
        """Ends the engine. A second call does nothing."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    def __enter__(self) -> EngineProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.quit()

    def __repr__(self) -> str:
        return f"<EngineProcess {' '.join(self._command)}{' (ended)' if self._pipe is None else ''}>"

    def _running(self) -> _Pipe:
        if self._pipe is None:
            raise EngineError(f"{self._command[0]} has ended; restart() starts it again")
        return self._pipe

    def _answer(self, wait_s: float | None) -> tuple[str, list[str]]:
        """The next line that is no remark, and the remarks before it."""
        pipe = self._running()
        messages: deque[str] = deque(maxlen=_MOST_LINES)
        until = None if wait_s is None else monotonic() + wait_s
        while True:
            try:
                line = pipe.receive(None if until is None else max(until - monotonic(), 0.0))
            except Empty:
                self._fail(f"gave no answer within {wait_s:g} s")
            if line is None:
                self._fail(pipe.how_it_ended())
            if not is_remark(line):
                return line, list(messages)
            messages.append(line)
            if until is not None and monotonic() > until:
                self._fail(f"gave no answer within {wait_s:g} s")

    def _legal_point(self, board: Board, text: str) -> Point:
        try:
            return legal_point(board, text)
        except EngineError as error:
            self._fail(str(error))

    def _fail(self, what: str) -> NoReturn:
        """Ends the process, of which nobody knows what it will do next."""
        pipe = self._running()
        self.quit()
        said = "".join(f"\n  {line}" for line in pipe.last_lines)
        raise EngineError(f"{self._command[0]} {what}" + (f"; it said last:{said}" if said else ""))


class _Pipe:
    """A process, lines to it and lines from it."""

    def __init__(self, command: list[str], cwd: str | os.PathLike[str] | None, pause_s: float) -> None:
        self._pause_s = pause_s
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            # A Ctrl-C in the terminal is ours to hear; the engine is ended by us.
            start_new_session=True,
        )
        # When the last line came.
        self._heard = 0.0
        self.last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        # Whoever talks without end has to wait, as in a pipe.
        self._lines: Queue[str | None] = Queue(_MOST_LINES)
        self._is_closed = False
        self._readers = [
            Thread(target=self._read_answers, name="engine-output", daemon=True),
            Thread(target=self._read_errors, name="engine-errors", daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def send(self, lines: Iterable[str]) -> None:
        """Sends lines. If the process has ended, `receive` will tell."""
        assert self._process.stdin is not None
        self.rest()
        with suppress(OSError, ValueError):
            self._process.stdin.write("".join(f"{line}\r\n" for line in lines).encode())
            self._process.stdin.flush()

    def rest(self) -> None:
        """Waits until it is some time ago that the process said something."""
        if (rest := self._heard + self._pause_s - monotonic()) > 0:
            sleep(rest)

    def receive(self, timeout_s: float | None) -> str | None:
        """The next line, None at the end of the output; `queue.Empty` if there is none in time."""
        line = self._lines.get(timeout=timeout_s)
        self._heard = monotonic()
        return line

    def kill(self) -> None:
        """Ends the process at once, and those that it started: a script may stand before the engine."""
        if os.name == "posix":
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def how_it_ended(self) -> str:
        try:
            return f"ended with exit code {self._process.wait(_QUIT_S)}"
        except subprocess.TimeoutExpired:
            return "closed its output"

    def close(self) -> None:
        """Asks the process to end, and sees to it."""
        assert self._process.stdin is not None
        self.send(["END"])
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(_QUIT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        finally:
            self._is_closed = True
            # A child of the engine may still hold the other ends; it shall not hold us.
            for reader in self._readers:
                reader.join(_QUIT_S)

    def _read_answers(self) -> None:
        for line in _lines_of(self._process.stdout):
            self.last_lines.append(line)
            self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._is_closed:
            with suppress(Full):
                self._lines.put(line, timeout=_QUIT_S / 2)
                return

    def _read_errors(self) -> None:
        self.last_lines.extend(_lines_of(self._process.stderr))


def _lines_of(stream: IO[bytes] | None) -> Iterable[str]:
    """The lines with something on them, whatever ends a line; closes the stream."""
    assert stream is not None
    with io.TextIOWrapper(stream, encoding="utf-8", errors="replace") as text, suppress(OSError, ValueError):
        # The rest of a longer line is no line of its own: it could be taken for an answer.
        for line, _, _ in bounded_lines(text, _LONGEST_LINE):
            if line.strip():
                yield line.strip()
