"""A query at work: what answers it, and what stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock
from typing import Any, TypeAlias

from renju._facts import changes, limit_facts, proof_facts, proof_file, report_facts, search_facts
from renju._native import StopFlag, __version__
from renju._request import RequestError
from renju.config import EngineConfig
from renju.engine import Engine, SearchResult
from renju.errors import Interrupted, RenjuError
from renju.jsonl.query import PLAY, REVIEW, Query, config_of
from renju.proof import Proof
from renju.solving import solve

__all__ = ["Engines", "Task"]

Say: TypeAlias = Callable[[dict[str, object]], None]

# For each worker; a new engine takes a millisecond, and its memory as it is used.
_ENGINES_A_WORKER = 2


class Engines:
    """The engines of all workers, with their settings. The ones used last are kept for the next query."""

    def __init__(self, workers: int, hash_mb: int) -> None:
        self._most = workers * _ENGINES_A_WORKER
        self._hash_mb = hash_mb
        self._lock = Lock()
        # Those that nobody uses, the last one used at the end.
        self._kept: list[Engine] = []
        self._used = 0
        self._clearings = 0

    @contextmanager
    def borrowed(self, config: EngineConfig) -> Iterator[Engine]:
        """An engine with these settings that remembers nothing."""
        with self._lock:
            engine = next((engine for engine in reversed(self._kept) if engine.config == config), None)
            if engine is not None:
                self._kept.remove(engine)
            self._used += 1
            # Before there is another one.
            del self._kept[: max(len(self._kept) + self._used - self._most, 0)]
            clearings = self._clearings
        try:
            if engine is None:
                engine = Engine(config=config, hash_mb=self._hash_mb)
            engine.clear()
            yield engine
        finally:
            with self._lock:
                self._used -= 1
                if engine is not None and clearings == self._clearings:
                    self._kept.append(engine)

    def clear(self) -> None:
        """Gives all engines up; one at work goes on, but is not kept."""
        with self._lock:
            self._kept.clear()
            self._clearings += 1

    def __len__(self) -> int:
        return len(self._kept) + self._used


class Task:
    """A query and how far it is. All but `run` may be called from any thread."""

    def __init__(self, query: Query) -> None:
        self.query = query
        self._is_terminated = False
        self._stop, self._end_review = StopFlag(), Event()
        self._reports = 0
        self._lock = Lock()
        self._engine: Engine | None = None

    def terminate(self) -> None:
        """Ends the task soon, with what it has by then."""
        self._stop.set()
        self._end_review.set()
        with self._lock:
            self._is_terminated = True
            if self._engine is not None:
                self._engine.stop()

    def run(self, engines: Engines, say: Say) -> dict[str, object]:
        """The answer. What goes wrong is an answer, too. Reports, if they are asked for, go to `say`."""
        try:
            facts = self._facts(engines, say)
        except RequestError as error:
            return self.error(error)
        except (RenjuError, ValueError) as error:  # no legal move, or the game is over
            return self.error(RequestError(str(error), self.query.where))
        except Exception as error:
            return self.error(RequestError(f"{type(error).__name__}: {error}"))
        return self._answer(facts)

    def error(self, error: RequestError) -> dict[str, object]:
        return {"id": self.query.id, **self._ply(), **error.facts(self.query.line)}

    def _ply(self) -> dict[str, object]:
        return {} if self.query.ply is None else {"ply": self.query.ply}

    def _report(self, say: Say, facts: dict[str, Any]) -> None:
        """Tells how far the task is. Nobody waits for one that was terminated but for its answer."""
        query = self.query
        if query.reports and not self._is_terminated:
            self._reports += 1
            say({"id": query.id, "job": query.job, **self._ply(), "report": self._reports, **facts})

    def unbegun(self) -> dict[str, object]:
        """The answer of a task that was terminated before it began."""
        return self._answer({"interrupted": True, "no_results": True}, is_terminated=True)

    def _answer(self, facts: dict[str, Any], is_terminated: bool = False) -> dict[str, object]:
        query = self.query
        answer: dict[str, object] = {
            "id": query.id,
            "job": query.job,
            "version": __version__,
            **self._ply(),
            "moves": [str(move) for move in query.board.moves],
            "turn": query.board.turn.label,
            **facts,
        }
        # Of others an interruption tells that a limit came first.
        if is_terminated or self._is_terminated:
            answer["terminated"] = True
        return answer

    def _facts(self, engines: Engines, say: Say) -> dict[str, Any]:
        query = self.query
        if query.job == "forbidden":
            points = query.board.forbidden_points()
            return {"forbidden": {str(point): kind.label for point, kind in points.items()}}
        if query.is_solving:
            return self._solve()
        if query.job == REVIEW:
            return self._review(say)
        return self._think(engines, say)

    def _think(self, engines: Engines, say: Say) -> dict[str, Any]:
        query = self.query
        with engines.borrowed(query.config) as engine:
            result = self._result(engine, say)
        return {
            "level": query.level,
            "settings": changes(query.config, config_of(query.level)),
            "limit": limit_facts(query.limit),
            **({"seed": query.seed} if query.job == PLAY else {}),
            **search_facts(result, has_stats=query.include_stats, has_proof=query.include_proof),
        }

    def _result(self, engine: Engine, say: Say) -> SearchResult:
        query = self.query
        engine.seed = query.seed
        # A stop concerns the calls that have begun, which this one has before its results are asked for.
        results = engine.stream(query.board, query.limit, query.multipv, play=query.job == PLAY)
        with self._lock:
            self._engine = engine
            if self._is_terminated:
                engine.stop()
        try:
            for result in results:
                if result.final:
                    return result
                self._report(say, report_facts(result))
        finally:
            with self._lock:
                self._engine = None
        raise AssertionError("a search ends with a result")

    def _review(self, say: Say) -> dict[str, Any]:
        """The review of a game, on the one thread of this task."""
        from renju.reviewing import review

        def progress(done: int, total: int) -> None:
            self._report(say, {"done": done, "total": total})

        query = self.query
        try:
            found = review(
                query.board,
                limit=query.limit,
                progress=progress,
                multipv=query.multipv,
                threads=1,
                config=query.config,
                seed=query.seed,
                stop=self._end_review,
            )
        except Interrupted as stop:
            found = stop.partial
        return {
            "settings": changes(query.config, config_of(query.level)),
            "limit": limit_facts(query.limit),
            "review": found.to_json_data(),
            "interrupted": self._end_review.is_set(),
        }

    def _solve(self) -> dict[str, Any]:
        query = self.query
        return self._proof_facts(
            solve(
                query.board,
                query.job,
                query.color,
                query.limit,
                query.max_depth,
                query.threat_limit,
                shortest=query.shortest,
                stop=self._stop,
            )
        )

    def _proof_facts(self, proof: Proof) -> dict[str, Any]:
        facts = {"limit": limit_facts(self.query.limit), **proof_facts(proof)}
        if self.query.include_proof:
            facts["proof"] = proof_file(proof)
        return facts
