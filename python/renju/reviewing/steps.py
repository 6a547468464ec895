"""The work of a review on several threads: a look at each position, then the judgement on each move as soon
as the positions around it are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition, Event, Thread
from time import monotonic

from renju import _native
from renju.engine import Engine
from renju.reviewing.judge import Judge, Look
from renju.reviewing.model import ReviewedMove
from renju.reviewing.source import Record
from renju.reviewing.wins import check

__all__ = ["Steps"]

# How often the caller's thread looks for Ctrl-C, in seconds.
_TICK = 0.05
# How long the threads are waited for in the end, and how often they are told to stop. They stop their
# searches at once; only the making of a large proof tree takes longer, and then they go by themselves.
_LAST_WAIT, _STOP_TICK = 0.1, 0.005


class Steps:
    """What is done and what is left, shared by all threads."""

    def __init__(self, record: Record, on_move: Callable[[ReviewedMove], object] | None = None) -> None:
        """`on_move` is called with every judgement that is checked, on the thread of the caller."""
        self.looks: dict[int, Look | None] = {}
        """Key: the moves played before the position; value: None if the game is over there."""
        self.moves: dict[int, ReviewedMove] = {}
        """Judged, and all that is claimed verified. Key: the moves played before."""
        self._record = record
        self._on_move = on_move
        self._to_look = list(range(len(record.boards)))
        self._to_judge: list[int] = []
        self._judged: list[tuple[int, ReviewedMove]] = []
        self._changed = Condition()
        self._error: BaseException | None = None
        self._is_ended = False
        self.total = len(record.boards) + len(record.moves)

    def run(
        self,
        judges: Sequence[tuple[Engine, Judge]],
        stop: _native.StopFlag,
        report: Callable[[int], object] | None,
        ended: Event | None = None,
    ) -> None:
        """Does all of it, a thread for each judge. Whatever ends it, they are told to stop; `ended` ends it
        as Ctrl-C does."""
        workers = [
            Thread(target=self._work, args=(judge,), name="renju-review", daemon=True) for _, judge in judges
        ]
        try:
            for worker in workers:
                worker.start()
            self._wait(report, ended)
        finally:
            with self._changed:
                self._is_ended = True
                self._changed.notify_all()
            stop.set()
            deadline = monotonic() + _LAST_WAIT
            while any(worker.is_alive() for worker in workers) and monotonic() < deadline:
                for (engine, _), worker in zip(judges, workers, strict=True):
                    engine.stop()  # again and again: a search may have begun just now
                    worker.join(_STOP_TICK)

    def _wait(self, report: Callable[[int], object] | None, ended: Event | None) -> None:
        """Waits, checks what is claimed, and raises what went wrong."""
        told = -1
        while told < self.total:
            if ended is not None and ended.is_set():
                raise KeyboardInterrupt
            with self._changed:
                if not self._judged and len(self.looks) + len(self.moves) == told:
                    self._changed.wait(_TICK)
                if self._error is not None:
                    raise self._error
                judged, self._judged = self._judged, []
            for i, move in judged:
                self._check(i, move)
                self.moves[i] = move
                if self._on_move is not None:
                    self._on_move(move)
            done = len(self.looks) + len(self.moves)
            if done != told:
                if report is not None:
                    report(done)
                told = done

    def _check(self, i: int, move: ReviewedMove) -> None:
        """Has all that is claimed verified; here, because only this thread hears Ctrl-C."""
        before, after = self._record.boards[i : i + 2]
        for board, win in ((before, move.missed), (before, move.unclear), (after, move.allowed)):
            if win is not None:
                check(board, win.proof)

    def _work(self, judge: Judge) -> None:
        try:
            while (step := self._next()) is not None:
                i, is_judgement = step
                if is_judgement:
                    self._judge(judge, i)
                else:
                    self._look(judge, i)
        except BaseException as error:
            with self._changed:
                self._error = self._error or error
                self._changed.notify_all()

    def _look(self, judge: Judge, i: int) -> None:
        record = self._record
        look = None
        if not record.is_over(i):
            look = judge.look(record.boards[i], record.moves[i] if i < len(record.moves) else None)
        with self._changed:
            if self._is_ended:
                return  # what was broken off does not count
            self.looks[i] = look
            for move in range(max(i - 1, 0), min(i + 2, len(record.moves))):
                around = {max(move - 1, 0), move, move + 1}
                if i in around and around <= self.looks.keys():
                    self._to_judge.append(move)
            self._changed.notify_all()

    def _judge(self, judge: Judge, i: int) -> None:
        look = self.looks[i]
        assert look is not None, "there is no move after the end"
        board, move = self._record.boards[i], self._record.moves[i]
        judged = judge.judge(i + 1, board, move, look, self.looks.get(i - 1), self.looks[i + 1])
        with self._changed:
            if not self._is_ended:
                self._judged.append((i, judged))
            self._changed.notify_all()

    def _next(self) -> tuple[int, bool] | None:
        """The next step, a judgement if there is one, so that an early end leaves whole moves."""
        with self._changed:
            while not self._is_ended and self._error is None:
                if self._to_judge:
                    return self._to_judge.pop(0), True
                if self._to_look:
                    return self._to_look.pop(0), False
                if len(self.looks) == len(self._record.boards):
                    return None
                self._changed.wait()
            return None
