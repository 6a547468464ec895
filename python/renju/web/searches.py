"""Searches of the page: in threads, a bounded number at a time, and none that nobody waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from renju._facts import move_facts, search_facts
from renju._native import StopFlag, win_rate
from renju._types import PASS, Color, Point
from renju.board import Board
from renju.engine import Engine, SearchResult
from renju.errors import Interrupted, RenjuError
from renju.game import Game
from renju.limits import Limit
from renju.solving import solve, verify
from renju.web.facts import proved
from renju.web.fields import RefusedError

if TYPE_CHECKING:
    from renju.proofs import ProofStore
    from renju.reviewing.model import ReviewedMove

__all__ = ["EngineSearch", "ProofSearch", "ReviewSearch", "Search", "Searches"]

Emit = Callable[[dict[str, Any]], None]
T = TypeVar("T")

# Seconds that a new search waits for another one to end.
_MOST_WAIT = 5.0
_HASH_MB = 64


class Search(Protocol):
    """Something to find out that may take long."""

    def run(self, emit: Emit) -> None:
        """Works, on a thread of its own, and tells what it finds: steps of "progress", then one "result"."""

    def stop(self) -> None:
        """Ends it, from any thread and at any time; it still tells what it has."""


class EngineSearch:
    """The best moves, after every depth."""

    def __init__(
        self,
        board: Board,
        level: str,
        limit: Limit,
        multipv: int = 1,
        seed: int = 0,
        is_play: bool = False,
        threads: int = 1,
        proofs: ProofStore | None = None,
    ) -> None:
        """`EngineError` if the game is over. With `is_play` it is the move to play at this level; where one
        of the `proofs` leads, its move is played."""
        self._board, self._proofs = board, proofs
        self._is_without_moves = is_play and board.outcome is None and not board.legal_moves
        self._engine = Engine(level, hash_mb=_HASH_MB, seed=seed, threads=threads)
        # From here on a stop counts, also one before the first step.
        self._results = self._engine.stream(board, limit, multipv, is_play)

    def run(self, emit: Emit) -> None:
        if self._is_without_moves:
            # Every point is forbidden or occupied: what is left is to pass.
            emit({"type": "result", "move": str(Point(PASS)), "source": "pass", "candidates": []})
            return
        sure = None if self._proofs is None else self._proofs.move(self._board)
        if sure is not None:
            emit({"type": "result", "move": str(sure), "source": "proof", "candidates": []})
            return
        last: SearchResult | None = None
        for result in self._results:
            if last is not None:
                emit({"type": "progress", **_short(last)})
            last = result
        assert last is not None
        facts = search_facts(last, has_stats=False, has_proof=False)
        emit({"type": "result", **facts, "win_rate": last.win_rate, "candidates": _ranked(last)})

    def stop(self) -> None:
        self._engine.stop()


def _short(result: SearchResult) -> dict[str, Any]:
    return {
        **move_facts(result),
        "depth": result.depth,
        "nodes": result.nodes,
        "time": round(result.time, 3),
        "win_rate": result.win_rate,
        "candidates": _ranked(result),
    }


def _ranked(result: SearchResult) -> list[dict[str, Any]]:
    """The candidates with their chances to win, draw and lose, best first: of sure wins the shortest."""
    ranked = sorted(result.candidates, key=lambda candidate: -candidate.score)
    return [{**move_facts(candidate), "win_rate": win_rate(candidate.score)} for candidate in ranked]


class ProofSearch:
    """A forced win of a kind, checked by the verifier before it is told."""

    def __init__(
        self,
        board: Board,
        kind: str,
        color: Color | None,
        limit: Limit,
        threat_limit: int,
        most_lines: int,
        first: Point | None = None,
        why: bool = False,
    ) -> None:
        """A win that starts with `first`, if one is given; with `why` the defence that breaks the attack is
        looked for, too, which may take the limit once more."""
        self._board, self._first, self._why = board, first, why
        self._kind, self._color, self._limit = kind, color, limit
        self._threat_limit, self._most_lines = threat_limit, most_lines
        self._flag = StopFlag()

    def run(self, emit: Emit) -> None:
        proof = solve(
            self._board,
            self._kind,
            self._color,
            self._limit,
            None,
            self._threat_limit,
            first=self._first,
            why=self._why,
            stop=self._flag,
        )
        verification = verify(self._board, proof) if proof else None
        emit({"type": "result", **proved(proof, verification, self._most_lines)})

    def stop(self) -> None:
        self._flag.set()


class ReviewSearch:
    """A judgement on every move of a game."""

    _MOST_LINES = 30  # of a proof: a review is kept in the browser

    def __init__(self, game: Game, level: str, limit: Limit) -> None:
        self._game, self._level, self._limit = game, level, limit
        self._stopped = Event()
        self._judged: list[dict[str, Any]] = []  # not told yet

    def run(self, emit: Emit) -> None:
        from renju.reviewing import review

        def progress(done: int, total: int) -> None:
            if self._stopped.is_set():
                raise KeyboardInterrupt  # what ends a review
            judged, self._judged = self._judged, []
            emit({"type": "progress", "done": done, "total": total, "moves": judged})

        try:
            found = review(self._game, self._level, self._limit, progress, on_move=self._add)
        except Interrupted as stop:
            if not self._stopped.is_set():
                raise
            found = stop.partial
        data = found.to_json_data()
        told = {key: data[key] for key in ("level", "accuracy", "counts", "turning_point", "notes")}
        rates = [None if score is None else win_rate(score) for score in found.scores]
        moves = [self._row(move) for move in found.moves]
        ended = self._stopped.is_set()
        emit({"type": "result", **told, "moves": moves, "win_rates": rates, "interrupted": ended})

    def _add(self, move: ReviewedMove) -> None:
        self._judged.append(self._row(move))

    def _row(self, move: ReviewedMove) -> dict[str, Any]:
        from renju.web.told import proofs_of, told_row, with_proofs

        return told_row(with_proofs(move.to_dict(), proofs_of(move, self._MOST_LINES)))

    def stop(self) -> None:
        self._stopped.set()


class Searches:
    """All searches of the server. A tab of the browser has one at a time: a new one ends the old one."""

    def __init__(self, most: int) -> None:
        self._pool = ThreadPoolExecutor(most, thread_name_prefix="renju-web")
        self._free = asyncio.Semaphore(most)
        self._running: dict[int, tuple[str, Search]] = {}

    @property
    def count(self) -> int:
        """How many are at work or wait for it."""
        return len(self._running)

    async def stream(self, search: Search, tab: str = "") -> AsyncGenerator[dict[str, Any], None]:
        """What a search tells. Leaving the loop stops it."""
        self.stop(tab)
        key = id(search)
        self._running[key] = (tab, search)
        try:
            await self._take()
        except BaseException:
            del self._running[key]
            raise
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def emit(item: dict[str, Any] | None) -> None:
            loop.call_soon_threadsafe(told.put_nowait, item)

        def work() -> None:
            try:
                search.run(emit)
            except RenjuError as error:
                emit({"type": "error", "code": "engine", "message": str(error)})
            finally:
                emit(None)

        def give_back(done: asyncio.Future[None]) -> None:
            self._free.release()
            del self._running[key]

        future = loop.run_in_executor(self._pool, work)
        future.add_done_callback(give_back)
        try:
            while (item := await told.get()) is not None:
                yield item
            await future  # raises what was no error of ours
        finally:
            search.stop()

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Something short that still takes a processor, within the same bound."""
        await self._take()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, function, *arguments)
        finally:
            self._free.release()

    async def _take(self) -> None:
        try:
            await asyncio.wait_for(self._free.acquire(), _MOST_WAIT)
        except TimeoutError:
            raise RefusedError("too many searches are running; try again later", "busy", 503) from None

    def stop(self, tab: str) -> int:
        """Ends the searches of a tab, and says how many; one without a name has none."""
        found = [search for owner, search in self._running.values() if tab and owner == tab]
        for search in found:
            search.stop()
        return len(found)

    def stop_all(self) -> None:
        for _, search in list(self._running.values()):
            search.stop()

    def close(self) -> None:
        """Ends all of them and waits until they have ended."""
        self.stop_all()
        self._pool.shutdown()
