"""A process that is told lines and answers with lines, for programs that run an event loop of `asyncio`."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Generic, Protocol, TypeVar

from renju.errors import EngineError

__all__ = ["Child", "Starting", "words_of"]

Command = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

# A process has so many seconds to end by itself, and then to be gone after it was killed.
_QUIT_S = 1.0
# Lines that are kept until somebody reads them; then the process has to wait, as with a full pipe.
_MOST_LINES = 10_000
# Lines of the process that an error shows, and the most characters of each.
_LAST_LINES, _LONGEST_SHOWN = 5, 500
_OUTPUT, _ERRORS = 1, 2


def words_of(command: Command) -> list[str]:
    """A program and its arguments as a list of texts; `ValueError` if there is no program."""
    words = [command] if isinstance(command, str | os.PathLike) else command
    texts = [os.fspath(word) for word in words]
    if not texts:
        raise ValueError("command is a program, or a program and its arguments")
    return texts


class Child(asyncio.SubprocessProtocol):
    """A process with pipes. One task at a time may wait for its next line."""

    def __init__(self, name: str, most_line: int) -> None:
        self.name = name
        self.last_lines: deque[str] = deque(maxlen=_LAST_LINES)
        """What the process wrote last, errors included."""
        self._most_line = most_line
        self._transport: asyncio.SubprocessTransport | None = None
        self._lines: deque[str] = deque()
        self._begun = {_OUTPUT: bytearray(), _ERRORS: bytearray()}
        self._is_over = self._is_paused = False
        self._news, self._can_write, self._exited = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._can_write.set()

    @classmethod
    async def start(
        cls, command: list[str], cwd: str | os.PathLike[str] | None = None, most_line: int = 10_000
    ) -> Child:
        """Starts a process. Of a line that is longer than `most_line` bytes only the beginning is kept.
        `EngineError` if there is no such program."""
        child = cls(command[0], most_line)
        try:
            await asyncio.get_running_loop().subprocess_exec(
                lambda: child,
                *command,
                cwd=cwd,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # A Ctrl-C in the terminal is for this program, which ends the process then.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise EngineError(f"{command[0]} cannot be started: {error}") from error
        return child

    # Lines

    def send(self, lines: Iterable[str]) -> None:
        """Sends lines. If the process has ended, `receive` will tell."""
        pipe = self._pipe(0)
        if pipe is not None and not pipe.is_closing():
            pipe.write("".join(f"{line}\n" for line in lines).encode())

    async def drained(self) -> None:
        """Waits until the process has taken most of what was sent, or has ended."""
        await self._can_write.wait()

    async def receive(self) -> str | None:
        """The next line that is not empty, without white space at its ends; None at the end of the output."""
        while not self._lines:
            if self._is_over:
                return None
            self._news.clear()
            await self._news.wait()
        line = self._lines.popleft()
        if self._is_paused and len(self._lines) < _MOST_LINES // 2:
            self._is_paused = False
            self._pipe(_OUTPUT).resume_reading()
        return line

    def error(self, what: str) -> EngineError:
        """The error that tells what the process did wrong, and what it said last."""
        said = "".join(f"\n  {line}" for line in self.last_lines)
        return EngineError(f"{self.name} {what}" + (f"; it said last:{said}" if said else ""))

    # The end

    async def how_it_ended(self) -> str:
        """In words, once its output has ended."""
        assert self._transport is not None
        with suppress(TimeoutError):
            await asyncio.wait_for(self._exited.wait(), _QUIT_S)
        code = self._transport.get_returncode()
        return "closed its output" if code is None else f"ended with exit code {code}"

    def kill(self) -> None:
        """Ends the process at once, and those that it started: a script may stand before the engine."""
        assert self._transport is not None
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self._transport.get_pid(), signal.SIGKILL)
            else:
                self._transport.kill()

    async def close(self, goodbye: Iterable[str] = ()) -> None:
        """Says goodbye to the process, closes its input, and kills it if it does not end by itself."""
        transport = self._transport
        if transport is None:
            return
        self._transport = None
        try:
            pipe = transport.get_pipe_transport(0)
            if isinstance(pipe, asyncio.WriteTransport) and not pipe.is_closing():
                pipe.write("".join(f"{line}\n" for line in goodbye).encode())
                pipe.close()
            await asyncio.wait_for(self._exited.wait(), _QUIT_S)
        except TimeoutError:
            pass
        finally:
            self._transport = transport
            if transport.get_returncode() is None:
                self.kill()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._exited.wait(), _QUIT_S)
            self._transport = None
            self._end_output()
            # A child of the process may still hold the other ends of the pipes; it shall not hold us.
            transport.close()

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        begun = self._begun[fd]
        # What is beyond the bound is dropped, so that a line without an end takes no memory.
        *whole, rest = data.split(b"\n")
        for part in whole:
            begun += part[: self._most_line - len(begun)]
            self._add(fd, bytes(begun))
            begun.clear()
        begun += rest[: self._most_line - len(begun)]

    def _add(self, fd: int, data: bytes) -> None:
        line = data.decode("utf-8", errors="replace").strip()
        if not line:
            return
        self.last_lines.append(line[:_LONGEST_SHOWN])
        if fd != _OUTPUT or self._is_over:
            return
        self._lines.append(line)
        self._news.set()
        if len(self._lines) >= _MOST_LINES and not self._is_paused:
            self._is_paused = True
            self._pipe(_OUTPUT).pause_reading()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd in self._begun:
            self._add(fd, bytes(self._begun[fd]))
            self._begun[fd].clear()
        if fd == _OUTPUT:
            self._end_output()
        elif fd == 0:
            self._can_write.set()

    def process_exited(self) -> None:
        self._exited.set()

    def pause_writing(self) -> None:
        self._can_write.clear()

    def resume_writing(self) -> None:
        self._can_write.set()

    def _end_output(self) -> None:
        self._is_over = True
        self._news.set()

    def _pipe(self, fd: int) -> Any:
        return None if self._transport is None else self._transport.get_pipe_transport(fd)


class _Closable(Protocol):
    async def close(self) -> None: ...


T = TypeVar("T", bound=_Closable)


class Starting(Generic[T]):
    """Something that is being started: ``await`` gives it, ``async with`` gives it and closes it in the
    end."""

    def __init__(self, start: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self._start = start
        self._started: T | None = None

    def __await__(self) -> Generator[Any, None, T]:
        return self._start().__await__()

    async def __aenter__(self) -> T:
        self._started = await self._start()
        return self._started

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._started is not None, "it was entered"
        await self._started.close()
