"""Other engines for programs with an event loop: a process that speaks the protocol, driven by `asyncio`."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from time import monotonic, perf_counter
from types import TracebackType

from renju._child import Child, Command, Starting, words_of
from renju._types import Point
from renju.board import Board
from renju.errors import EngineError
from renju.limits import Limit, check_limit, check_seconds
from renju.protocol.dialogue import DEFAULT_LIMIT, RENJU, START, Answer, Dialogue, legal_point
from renju.protocol.remarks import Remark, is_remark, parse_remark

__all__ = ["AsyncEngine", "ProgramAnalysis", "popen"]

# The two words for "move now": Yixin's, which most programs know, and a later one.
_STOP, _OTHER_STOP = "YXSTOP", "STOP"


def popen(
    command: Command,
    cwd: str | os.PathLike[str] | None = None,
    rule: int = RENJU,
    info: Mapping[str, object] | None = None,
    patience_s: float = 10.0,
    pause_s: float = 0.05,
) -> Starting[AsyncEngine]:
    """Starts an engine of the Gomocup protocol: ``engine = await popen(...)``, or ``async with popen(...) as
    engine``, which ends it.

    `command` is a program, or a program and its arguments, and `cwd` the folder in which it runs. `rule` is
    the number that INFO rule tells, and `info` holds further INFO values. The engine may take `patience_s`
    seconds for an answer, and the time of the limit on top for a move. It is asked nothing within `pause_s`
    seconds after it spoke, because some engines lose what comes then.

    `EngineError` if there is no such program, or it does not speak the protocol.
    """
    check_seconds("patience_s", patience_s)
    check_seconds("pause_s", pause_s)
    engine = AsyncEngine(words_of(command), cwd, Dialogue(rule, info), patience_s, pause_s)

    async def start() -> AsyncEngine:
        await engine.restart()
        return engine

    return Starting(start)


class AsyncEngine:
    """An engine of the Gomocup protocol, in a process of its own; `popen` starts one.

    It thinks about one question at a time; another one waits for its turn. An engine that ends, is silent for
    too long or answers nonsense is an `EngineError` that tells what it said, and its process is ended.
    `restart` starts another one.
    """

    def __init__(
        self,
        command: list[str],
        cwd: str | os.PathLike[str] | None,
        dialogue: Dialogue,
        patience_s: float,
        pause_s: float,
    ) -> None:
        self._command = command
        self._cwd = cwd
        self._dialogue = dialogue
        self._patience_s = patience_s
        self._pause_s = pause_s
        self._child: Child | None = None
        # When the last line came.
        self._heard = 0.0
        # It was told to stop and has not given its move yet.
        self._is_leaving = False
        self._asking = asyncio.Lock()

    async def play(
        self, board: Board, limit: Limit | None = None, time_left_s: float | None = None
    ) -> Answer:
        """The engine's move, which is not made on the board. An illegal one is an `EngineError`.

        Without a `limit` it has 5 seconds. With a limit that is not one of time it is waited for without a
        bound; `time_left_s` is what is left of the seconds for the game. A task that is cancelled, as by
        `asyncio.timeout`, stops the engine, and the next question finds it ready.
        """
        limit = DEFAULT_LIMIT if limit is None else check_limit(limit)
        async with ProgramAnalysis(self, board, limit, time_left_s) as analysis:
            return await analysis.wait()

    def analysis(self, board: Board, limit: Limit | None = None) -> ProgramAnalysis:
        """What the engine says while it thinks, until it has a move or somebody leaves::

            async with engine.analysis(board) as analysis:
                async for remark in analysis:
                    if remark.depth is not None and remark.depth >= 10:
                        analysis.stop()
            answer = await analysis.wait()

        Without a `limit` it thinks for as long as it likes.
        """
        return ProgramAnalysis(self, board, check_limit(limit), None)

    async def about(self) -> str:
        """What the engine says of itself: ``name="…", version="…"``, or any other text."""
        async with self._asking:
            await self._settle()
            await self._send(["ABOUT"])
            return await self._reply(self._patience_s)

    async def restart(self) -> None:
        """Begins a new game, in a new process if the engine has ended or knows no other way."""
        async with self._asking:
            await self._settle()
            await self._restart()

    async def close(self) -> None:
        """Ends the engine. A second call does nothing."""
        child, self._child = self._child, None
        self._is_leaving = False
        if child is not None:
            await child.close(["END"])

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<AsyncEngine {' '.join(self._command)}{' (ended)' if self._child is None else ''}>"

    # Steps of a question, for whoever holds the lock

    async def _begin(self, board: Board, limit: Limit, time_left_s: float | None) -> float | None:
        """Asks for a move; the seconds in which it must come."""
        await self._settle()
        dialogue = self._dialogue
        question = dialogue.question(board, limit, time_left_s)
        if question.needs_restart:
            await self._restart()
        await self._send(dialogue.limits(limit, time_left_s))
        dialogue.forget()
        await self._send(question.lines)
        return None if question.time_s is None else question.time_s + self._patience_s

    async def _restart(self) -> None:
        if self._child is not None:
            await self._send(["RESTART"])
            if (await self._reply(self._patience_s)).upper().startswith("OK"):
                self._dialogue.begin_game()
                return
            await self.close()
        self._child = await Child.start(self._command, self._cwd)
        try:
            await self._send([START])
            text = await self._reply(self._patience_s)
        except asyncio.CancelledError:  # nobody has the engine yet who could close it
            await self.close()
            raise
        if not text.upper().startswith("OK"):
            raise await self._failure(f"answered {text!r} to START")
        await self._send(self._dialogue.begin_process())

    async def _reply(self, wait_s: float) -> str:
        """The next line that is no remark."""
        until = monotonic() + wait_s
        while is_remark(line := await self._line(until, wait_s)):
            pass
        return line

    async def _line(self, until: float | None, wait_s: float | None) -> str:
        child = self._running()
        try:
            async with asyncio.timeout(None if until is None else max(until - monotonic(), 0.0)):
                line = await child.receive()
        except TimeoutError:
            raise await self._failure(f"gave no answer within {wait_s:g} s") from None
        self._heard = monotonic()
        if line is None:
            raise await self._failure(await child.how_it_ended())
        return line

    async def _send(self, lines: list[str]) -> None:
        child = self._running()
        await asyncio.sleep(max(self._heard + self._pause_s - monotonic(), 0.0))
        child.send(lines)
        await child.drained()

    def _stop(self) -> None:
        """Tells the engine to move now; its move is still to come."""
        if self._child is not None:
            self._child.send([_STOP])

    async def _settle(self) -> None:
        """Waits for the move of a question that nobody waits for any more. An engine that knows no way to be
        stopped is ended, and started again."""
        if not self._is_leaving:
            return
        self._is_leaving = False
        until = monotonic() + self._patience_s
        try:
            while True:
                word = (await self._line(until, self._patience_s)).split(maxsplit=1)[0].upper()
                if word == "UNKNOWN" and self._child is not None:
                    self._child.send([_OTHER_STOP])
                elif word not in ("ERROR", "OK") and not is_remark(word):
                    return
        except EngineError:
            await self._restart()
        except asyncio.CancelledError:
            self._is_leaving = self._child is not None
            raise

    def _running(self) -> Child:
        if self._child is None:
            raise EngineError(f"{self._command[0]} has ended; restart() starts it again")
        return self._child

    async def _failure(self, what: str) -> EngineError:
        """The error to raise; the process, of which nobody knows what it will do next, is ended."""
        child = self._running()
        await self.close()
        return child.error(what)


class ProgramAnalysis:
    """A question to an engine that is being thought about: ``async for`` gives each `Remark` as it comes."""

    def __init__(self, engine: AsyncEngine, board: Board, limit: Limit, time_left_s: float | None) -> None:
        self._engine = engine
        self._board = board.copy()
        self._limit, self._time_left_s = limit, time_left_s
        self._messages: list[str] = []
        self._until: float | None = None
        self._wait_s: float | None = None
        self._start = 0.0
        self._answer: Answer | None = None
        self._is_begun = self._is_ended = False

    def stop(self) -> None:
        """Tells the engine to move now. What it says until then, and its move, still come."""
        if self._is_begun and not self._is_ended:
            self._engine._stop()
            self._wait_s = self._engine._patience_s
            self._until = monotonic() + self._wait_s

    async def wait(self) -> Answer:
        """The move, once the engine has one. What it says until then is in the messages of the answer."""
        async for _ in self:
            pass
        if self._answer is None:
            raise EngineError("the analysis was left before the engine had a move")
        return self._answer

    def __aiter__(self) -> ProgramAnalysis:
        return self

    async def __anext__(self) -> Remark:
        if self._is_ended:
            raise StopAsyncIteration
        if not self._is_begun:
            raise RuntimeError("an analysis begins with `async with`")
        line = await self._engine._line(self._until, self._wait_s)
        if is_remark(line):
            self._messages.append(line)
            return parse_remark(line)
        await self._finish(line)
        raise StopAsyncIteration

    async def _finish(self, text: str) -> None:
        engine = self._engine
        if (confirmation := engine._dialogue.confirmation(text)) is not None:
            await engine._send([confirmation])
            text = await engine._reply(engine._patience_s)
        time = perf_counter() - self._start
        point = await self._legal_point(text)
        engine._dialogue.remember(self._board, point)
        self._answer = Answer(point, tuple(self._messages), time)
        self._is_ended = True

    async def _legal_point(self, text: str) -> Point:
        try:
            return legal_point(self._board, text)
        except EngineError as error:
            raise await self._engine._failure(str(error)) from None

    async def __aenter__(self) -> ProgramAnalysis:
        engine = self._engine
        await engine._asking.acquire()
        try:
            self._start = perf_counter()
            self._wait_s = await engine._begin(self._board, self._limit, self._time_left_s)
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError):
                # Nobody knows which of the lines were sent.
                await engine.close()
            engine._asking.release()
            raise
        self._until = None if self._wait_s is None else monotonic() + self._wait_s
        self._is_begun = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_ended and self._engine._child is not None:
            # The next question waits for the move; whoever leaves does not.
            self._engine._stop()
            self._engine._is_leaving = True
        self._is_ended = True
        self._engine._asking.release()
