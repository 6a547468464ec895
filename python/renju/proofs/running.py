"""The run: a position, or all replies to one, proved with limits that rise from step to step.

What is tried first depends on what won in positions that were finished before: their proofs are played
again. So that the result does not depend on who is how fast, positions are handed out in waves: a wave knows
what won in the waves before it, and nothing of itself.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from renju import _native
from renju._journal import check_new
from renju._progress import Bar, Progress
from renju._types import PASS, Color, Point
from renju.board import Board
from renju.errors import Interrupted
from renju.limits import Limit, between, check_kind, check_seconds
from renju.proofs.places import Place
from renju.proofs.records import OpenRecord, ProofRecord
from renju.proofs.store import ProofStore
from renju.proofs.work import Answer, ProveTask, Workers, hands, outcome
from renju.proving import ProveResult

__all__ = ["STEPS", "RunReport", "run"]

STEPS = (10_000_000, 100_000_000, 1_000_000_000)
"""The most nodes for a position, one step after the other: some 2 seconds, 20 seconds and 4 minutes."""

# The first waves are small, so that most positions know what wins.
_WAVES = (4, 8, 16, 32, 64)

# So many moves that won against other replies are tried first.
_FIRST = 6

# So many proofs of the replies next to a reply are its hints.
_HINTS = 8

# Replies are spread over the board: a number without a common divisor with the points of the board.
_STRIDE = 97

# The main thread looks up so often, to hear of Ctrl-C.
_LOOK_S = 0.1


@dataclass(frozen=True)
class RunReport:
    """What is known after a run, of the position itself or of the replies to it. True if all is proved."""

    board: Board
    """The position that the run was about."""
    color: Color
    """The colour that is to win."""
    path: Path | None
    """The file of the proofs; None if none was asked for."""
    proved: tuple[tuple[Point | None, ProofRecord], ...]
    """What is proved: the reply (None for the position itself), and the record of the position after it."""
    open: tuple[tuple[Point | None, OpenRecord | None], ...]
    """What is open: the reply, and the search that went furthest; None if there was none yet."""
    time: float = field(default=0.0, compare=False)
    """Seconds that this run took."""

    @property
    def is_single(self) -> bool:
        """Was the run about the position itself, with the colour that is to win on move?"""
        return any(reply is None for reply, _ in (*self.proved, *self.open))

    @property
    def cpu_s(self) -> float:
        """Seconds of CPU time of the searches that are told of."""
        return sum(record.cpu_s for _, record in (*self.proved, *self.open) if record is not None)

    def __bool__(self) -> bool:
        return not self.open


def run(
    board: Board,
    path: str | os.PathLike[str] | None = None,
    color: Color | int = Color.BLACK,
    *,
    steps: Sequence[int] = STEPS,
    time: float | None = None,
    threat_limit: int = 1,
    verify: bool = True,
    resume: bool = False,
    progress: bool | Progress | None = None,
    **workers: Any,
) -> RunReport:
    """Proves that `color` wins: the position itself if it is to move, else the positions after all legal
    replies, those that are images of each other once, and after a pass.

    Every position is searched with the nodes of the first of the `steps`; those that are left open with the
    nodes of the second, and so on. With `time`, the most seconds of a search, results may differ from run to
    run. What is found goes to the file `path` at once, proofs with `verify` after the independent verifier
    went through them; with `resume` a file that is there is gone on with. `threat_limit` is that of
    `renju.prove`. `workers` are the fields of `Workers`: threads, processes, executor, client,
    cluster_timeout. `progress` is True for a bar for each step, or called with the positions that are
    finished and those of the step. Ctrl-C raises `Interrupted` with the report so far as ``partial``.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8 i8", "e8 a1 a3", turn=renju.BLACK)
    >>> report = renju.proofs.run(board)
    >>> bool(report), [str(record.move) for reply, record in report.proved]
    (True, ['J8'])
    """
    start, color = perf_counter(), Color(color)
    check_kind("vct", threat_limit)
    steps = sorted({between("steps", nodes, 1, 2**62) for nodes in steps})
    if not steps:
        raise ValueError("steps are one or more numbers of nodes")
    if time is not None:
        check_seconds("time", time)
    if board.outcome is not None:
        raise ValueError("the game is over")
    if path is None and resume:
        raise ValueError("a run without a file cannot be resumed")
    who = Workers(**workers)
    between("threads", who.threads, 0, 1024)
    between("processes", who.processes, 0, 1024)
    is_single = board.turn is color
    with ExitStack() as stack:
        store = stack.enter_context(_store(path, resume))
        if not is_single:
            store.add_goal(board)
        replies = [None] if is_single else _replies(board, color)
        plan = _Plan(store, Place.of(board, color), replies, time, threat_limit, verify)

        def report() -> RunReport:
            return plan.report(board, None if path is None else Path(path), perf_counter() - start)

        try:
            for nodes in steps:
                _step(plan, nodes, who, progress)
        except KeyboardInterrupt:
            raise Interrupted(f"interrupted; {_safe(plan, path)}", report()) from None
        except Exception as error:
            error.add_note(_safe(plan, path))
            raise
        return report()


def _safe(plan: _Plan, path: str | os.PathLike[str] | None) -> str:
    proved, left = plan.counts()
    what = f"{proved} proved, {left} open"
    return what if path is None else f"{what}, all safe in {os.fspath(path)}: resume to go on"


@contextmanager
def _store(path: str | os.PathLike[str] | None, resume: bool) -> Iterator[ProofStore]:
    """The file of a run; one that is gone with the run if nobody asked for it."""
    with ExitStack() as stack:
        if path is None:
            path = Path(stack.enter_context(TemporaryDirectory())) / "run.proof"
        check_new(Path(path), resume)
        yield stack.enter_context(ProofStore.open(path, "a"))


def _replies(board: Board, color: Color) -> list[Point | None]:
    """The replies to be proved, images of each other once, spread over the board; the pass comes last."""
    place, found, seen = Place.of(board, color), list[Point | None](), set[Place]()
    points = _native.quiet_replies(board._position, color.opponent)
    for point in [*sorted(points, key=lambda p: p * _STRIDE % len(_ALL)), PASS]:
        key = place.after(point).canonical()
        if key not in seen:
            seen.add(key)
            found.append(Point(point))
    return found


_ALL = range(_native.BOARD_SIZE**2)


class _Plan:
    """What is to be proved, and what is known of it."""

    def __init__(
        self,
        store: ProofStore,
        root: Place,
        replies: Sequence[Point | None],
        time: float | None,
        threat_limit: int,
        verify: bool,
    ) -> None:
        self.store, self.replies = store, replies
        self.places = [root if reply is None else root.after(reply) for reply in replies]
        self._color = root.color
        self._time, self._threat_limit, self._verify = time, threat_limit, verify

    def waves(self) -> list[range]:
        """The numbers of the replies, wave by wave."""
        ends, count = [0], len(self.replies)
        for size in _WAVES:
            ends.append(min(count, ends[-1] + size))
        return [range(a, b) for a, b in zip(ends, [*ends[1:], count], strict=True) if a < b]

    def todo(self, wave: range, nodes: int) -> list[int]:
        """The numbers of a wave's replies that need a search with this limit of nodes."""
        return [n for n in wave if not self._is_done(self.store.record(self.places[n]), nodes)]

    def _is_done(self, record: ProofRecord | OpenRecord | None, nodes: int) -> bool:
        if not isinstance(record, OpenRecord):
            return record is not None
        if record.threat_limit != self._threat_limit:
            return record.threat_limit > self._threat_limit
        # Nothing but a limit of time could have ended a search without one of nodes.
        return record.is_final or (record.limit or 0) >= nodes

    def tasks(self, wave: range, nodes: int) -> Iterator[ProveTask]:
        """The searches of a wave that are to be made with this limit of nodes."""
        known = self.known(wave, nodes)
        won = Counter(record.move for record in known.values())
        first = tuple(sorted(won, key=lambda move: (-won[move], move))[:_FIRST])
        limit = Limit(self._time, nodes)
        for number in self.todo(wave, nodes):
            near = sorted(known, key=lambda other: (self._distance(number, other), other))[:_HINTS]
            hints = tuple(self.store.proof(known[other]) for other in near)
            board = self.places[number].board()
            yield ProveTask(number, board, self._color, limit, self._threat_limit, first, hints, self._verify)

    def known(self, wave: range, nodes: int) -> dict[int, ProofRecord]:
        """The replies that were proved before this wave of this step, with what is known of them."""
        known: dict[int, ProofRecord] = {}
        for number, place in enumerate(self.places):
            record = self.store.record(place)
            if isinstance(record, ProofRecord) and record.place == place:
                limit = record.limit or 0
                if limit < nodes or (limit == nodes and number < wave.start):
                    known[number] = record
        return known

    def _distance(self, number: int, other: int) -> int:
        """Moves of a king from one reply to another; the pass is next to all."""
        a, b = self.replies[number], self.replies[other]
        if a is None or b is None or PASS in (a, b):
            return 0
        return max(abs(a.x - b.x), abs(a.y - b.y))

    def counts(self) -> tuple[int, int]:
        """How many are proved, and how many are not."""
        proved = sum(isinstance(self.store.record(place), ProofRecord) for place in self.places)
        return proved, len(self.places) - proved

    def report(self, board: Board, path: Path | None, seconds: float) -> RunReport:
        known = [
            (reply, self.store.record(place)) for reply, place in zip(self.replies, self.places, strict=True)
        ]
        proved = tuple((reply, record) for reply, record in known if isinstance(record, ProofRecord))
        left = tuple((reply, record) for reply, record in known if not isinstance(record, ProofRecord))
        return RunReport(board.copy(), self._color, path, proved, left, seconds)


def _step(plan: _Plan, nodes: int, workers: Workers, progress: bool | Progress | None) -> None:
    """Searches all that is open with this limit of nodes."""
    waves = plan.waves()
    total = sum(len(plan.todo(wave, nodes)) for wave in waves)
    if not total:
        return
    done = 0
    with Bar(progress, total, "positions") as bar, hands(workers) as found:
        for wave in waves:
            waiting = plan.tasks(wave, nodes)
            pending: dict[Future[Answer], ProveTask] = {}
            while True:
                while len(pending) < found.window() and (task := next(waiting, None)) is not None:
                    pending[found.submit(task)] = task
                if not pending:
                    break
                finished, _ = wait(pending, _LOOK_S, FIRST_COMPLETED)
                for future in finished:
                    _keep(plan, pending.pop(future), future, nodes)
                    done += 1
                if finished:
                    proved, left = plan.counts()
                    bar.note(f"{nodes:,} nodes each: {proved} proved, {left} open")
                bar.show(done)


def _keep(plan: _Plan, task: ProveTask, future: Future[Answer], nodes: int) -> None:
    reply = plan.replies[task.index]
    answer = outcome(future, "the position" if reply is None else f"the reply {reply}")
    assert isinstance(answer.found, ProveResult)
    plan.store.add(task.board, answer.found, nodes, answer.cpu_s)
