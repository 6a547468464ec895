"""A client of `renju jsonl` for programs with an event loop: many questions at once, answered as objects."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from itertools import count
from types import TracebackType
from typing import Any

from renju._child import Child, Command, Starting, words_of
from renju._types import Color, Forbidden, Point
from renju.board import Board
from renju.config import LEVELS
from renju.engine import SearchResult
from renju.errors import EngineError
from renju.jsonl.answers import position_fields, proof_of, search_result
from renju.limits import Limit, check_hash, check_limit, check_seconds, whole
from renju.proof import Proof

__all__ = ["Analysis", "Client", "popen"]

# A proof tree can be long. A longer line is cut, and then no JSON.
_MOST_ANSWER = 256 * 2**20


def popen(
    command: Command | None = None,
    *,
    threads: int = 0,
    level: str = "hard",
    hash_mb: int = 64,
    patience_s: float = 30.0,
    cwd: str | os.PathLike[str] | None = None,
) -> Starting[Client]:
    """Starts `renju jsonl`: ``client = await popen()``, or ``async with popen() as client``, which ends it.

    `threads` is the number of questions that are worked at, 0 for one per core; `level` and `hash_mb`, the
    megabytes of an engine, are those of `Server`. `command` starts `renju` where it is not the one of this
    Python, such as ``["ssh", "host", "renju"]``; `cwd` is the folder in which it runs. The program has
    `patience_s` seconds to start.

    `EngineError` if there is no such program, or it is another one.
    """
    if level not in LEVELS:
        raise ValueError(f"level is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {level!r}")
    check_seconds("patience_s", patience_s)
    words = [sys.executable, "-m", "renju"] if command is None else words_of(command)
    options = {"threads": whole("threads", threads), "level": level, "hash": check_hash(hash_mb)}
    line = [*words, "jsonl", *(f"--{name}={value}" for name, value in options.items())]

    async def start() -> Client:
        client = Client(await Child.start(line, cwd, _MOST_ANSWER))
        try:
            async with asyncio.timeout(patience_s):
                told = await client.ask({"action": "query_version"})
        except TimeoutError:
            await client.close()
            raise EngineError(f"{words[0]} gave no answer within {patience_s:g} s") from None
        except BaseException:
            await client.close()
            raise
        client.version = str(told.get("version"))
        return client

    return Starting(start)


class Client:
    """A running `renju jsonl`; `popen` starts one. Any number of tasks may ask at the same time.

    A question that the program cannot answer is an `EngineError` with the reason, and concerns nobody else. A
    program that ends or writes nonsense is an `EngineError` for all who wait, with what it said last. A task
    that is cancelled, as by `asyncio.timeout`, terminates its search.
    """

    def __init__(self, child: Child) -> None:
        self.version = ""
        """The version of the program."""
        self._child = child
        self._ids = count()
        # Key: the id of a question; value: the answers that nobody has read yet, None for "no more".
        self._open: dict[int, asyncio.Queue[dict[str, Any] | None]] = {}
        self._failure: EngineError | None = None
        self._reader = asyncio.create_task(self._read(), name="renju-jsonl")

    # Questions

    async def play(
        self, board: Board, limit: Limit | None = None, *, seed: int = 0, **options: Any
    ) -> SearchResult:
        """The move to play, as by `Engine.best_move`. `options` are further fields of a query, such as
        ``level="easy"`` or ``config={"depth": 6}``."""
        answer = await self.ask(self._query("play", board, limit, seed=seed, **options))
        return search_result(answer, board)

    async def analyse(
        self, board: Board, limit: Limit | None = None, multipv: int = 5, **options: Any
    ) -> SearchResult:
        """The `multipv` best moves with exact scores, as by `Engine.analyse`. `options` are further fields of
        a query."""
        answer = await self.ask(self._query("analyze", board, limit, multipv=multipv, **options))
        return search_result(answer, board)

    analyze = analyse

    def analysis(
        self, board: Board, limit: Limit | None = None, multipv: int = 5, **options: Any
    ) -> Analysis:
        """What the engine thinks after every depth, the final result last::

            async with client.analysis(board, Limit(time=10)) as analysis:
                async for result in analysis:
                    print(result)

        Leaving the block terminates the search. The arguments are those of `analyse`.
        """
        query = self._query("analyze", board, limit, multipv=multipv, reports=True, **options)
        return Analysis(self, query, board)

    async def analyse_turns(
        self,
        board: Board,
        turns: Iterable[int] | None = None,
        limit: Limit | None = None,
        multipv: int = 5,
        **options: Any,
    ) -> AsyncIterator[tuple[int, SearchResult]]:
        """Analyses several positions of a game, given by the board after its last move: pairs of the number
        of moves before a position and its result, in the order in which they are ready. `turns` are numbers
        of moves, None for every position before the end; the other arguments are those of `analyse`."""
        asked = "all" if turns is None else [whole("a turn", turn) for turn in turns]
        over = board.outcome is not None
        left = len(board.moves) + (not over) if asked == "all" else len(asked)
        if not left:
            return
        query = self._query("analyze", board, limit, multipv=multipv, turns=asked, **options)
        async with _Talk(self, query, left) as talk:
            for _ in range(left):
                answer = await talk.next()
                earlier = board.copy()
                while len(earlier.moves) > answer["ply"]:
                    earlier.pop()
                yield answer["ply"], search_result(answer, earlier)

    async def solve(
        self,
        board: Board,
        kind: str = "vcf",
        color: Color | None = None,
        limit: Limit | None = None,
        **options: Any,
    ) -> Proof:
        """A forced win of this kind for `color` or the side to move, as by `renju.solve`. `options` are
        further fields of a query: ``max_depth``, ``threat_limit``, ``shortest``."""
        fields = {} if color is None else {"color": Color(color).label}
        query = self._query(kind, board, limit, include_proof=True, **fields, **options)
        return proof_of(await self.ask(query))

    async def forbidden(self, board: Board) -> dict[Point, Forbidden]:
        """The points that are forbidden to black, as by `Board.forbidden_points`."""
        answer = await self.ask(self._query("forbidden", board, None))
        kinds = {kind.label: kind for kind in Forbidden}
        return {Point(name): kinds[label] for name, label in answer["forbidden"].items()}

    async def review(
        self,
        board: Board,
        limit: Limit | None = None,
        progress: Callable[[int, int], object] | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """The review of a game, given by the board after its last move, in the form of `renju review --json`.
        `progress` is called with the steps done and their total; `options` are further fields of a query."""
        query = self._query("review", board, limit, reports=progress is not None, **options)
        async with _Talk(self, query) as talk:
            while "report" in (answer := await talk.next()):
                if progress is not None:
                    progress(answer["done"], answer["total"])
        found: dict[str, Any] = answer["review"]
        return found

    async def ask(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a query or an action, both without an id, as docs/jsonl.md has them. Reports are left
        out; of several turns ask by `analyse_turns`."""
        async with _Talk(self, query) as talk:
            while "report" in (answer := await talk.next()):
                pass
            return answer

    @staticmethod
    def _query(job: str, board: Board, limit: Limit | None, **fields: Any) -> dict[str, Any]:
        query = {"job": job, **position_fields(board), **fields}
        if limit is not None:
            query["limit"] = {
                name: value for name, value in vars(check_limit(limit)).items() if value is not None
            }
        return query

    # The end

    async def close(self) -> None:
        """Stops all searches and ends the program. Whoever waits gets an `EngineError`. A second call does
        nothing."""
        if self._failure is None:
            self._end(EngineError("the client is closed"))
        self._reader.cancel()
        await self._child.close([json.dumps({"id": "end", "action": "terminate_all"})])

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def _end(self, failure: EngineError) -> None:
        self._failure = failure
        for answers in self._open.values():
            answers.put_nowait(None)

    # Lines

    async def _read(self) -> None:
        """Gives every answer to whoever asked, until the program ends or writes nonsense."""
        child = self._child
        while (line := await child.receive()) is not None:
            try:
                answer = json.loads(line)
                name = answer["id"]
            except (ValueError, TypeError, KeyError, RecursionError):
                self._end(child.error(f"answered {line[:100]!r}, which is no answer to a query"))
                await child.close()
                return
            # Of a question that was given up, the answer still comes.
            if (answers := self._open.get(name)) is not None:
                answers.put_nowait(answer)
        how = await child.how_it_ended()
        self._end(child.error(how))
        await child.close()

    async def _send(self, message: dict[str, Any]) -> None:
        if self._failure is not None:
            raise self._failure
        self._child.send([json.dumps(message)])
        await self._child.drained()

    def _terminate(self, name: int) -> None:
        if self._failure is None:
            self._child.send([json.dumps({"id": "stop", "action": "terminate", "terminate_id": name})])


class _Talk:
    """A question and the lines that answer it."""

    def __init__(self, client: Client, query: Mapping[str, Any], expected: int = 1) -> None:
        if "id" in query:
            raise ValueError(
                "the client gives every query an id of its own; to end one, cancel the task that asks"
            )
        self._client = client
        self.id = next(client._ids)
        self._query = {"id": self.id, **query}
        self._expected = expected
        self._answers: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    async def next(self) -> dict[str, Any]:
        """The next report or answer; `EngineError` for an answer that is an error, or if there is no more."""
        answer = await self._answers.get()
        if answer is None:
            assert self._client._failure is not None, "it tells why"
            raise EngineError(str(self._client._failure))
        if "report" not in answer:
            self._expected -= 1
        if "error" in answer:
            # An error of the line as a whole has no ply, and is the only answer.
            if "ply" not in answer:
                self._expected = 0
            field = f"{answer['field']}: " if "field" in answer else ""
            raise EngineError(f"{field}{answer['error']}")
        return answer

    async def __aenter__(self) -> _Talk:
        self._client._open[self.id] = self._answers
        try:
            await self._client._send(self._query)
        except BaseException:
            self._leave()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        self._leave()

    def _leave(self) -> None:
        del self._client._open[self.id]
        if self._expected > 0:
            self._client._terminate(self.id)


class Analysis:
    """A search that is going on: ``async for`` gives a `SearchResult` after every depth, the final one
    last."""

    def __init__(self, client: Client, query: dict[str, Any], board: Board) -> None:
        self._client = client
        self._talk = _Talk(client, query)
        self._board = board.copy()
        self._result: SearchResult | None = None
        self._is_open = False

    def stop(self) -> None:
        """Ends the search; its result, with what was found by then, still comes."""
        if self._is_open and self._result is None:
            self._client._terminate(self._talk.id)

    async def wait(self) -> SearchResult:
        """The final result, once it is there."""
        async for _ in self:
            pass
        if self._result is None:
            raise EngineError("the analysis was left before its end")
        return self._result

    def __aiter__(self) -> Analysis:
        return self

    async def __anext__(self) -> SearchResult:
        if self._result is not None or not self._is_open:
            raise StopAsyncIteration
        result = search_result(await self._talk.next(), self._board)
        if result.final:
            self._result = result
        return result

    async def __aenter__(self) -> Analysis:
        await self._talk.__aenter__()
        self._is_open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_open = False
        await self._talk.__aexit__()
