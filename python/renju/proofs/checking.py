"""Whether the proofs of a file hold, and whether they cover all that the file is about.

Nothing that the file says of its proofs is believed: every proof goes through the independent verifier, and
the replies to a goal are all points of the board that the slow rules allow, each of which must lead to a
position with a proof that holds.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from renju import __version__, _native
from renju._journal import Journal, JournalKind
from renju._progress import Bar, Progress
from renju._types import PASS, Point
from renju.errors import FormatError, Interrupted
from renju.proofs.places import Place
from renju.proofs.records import ProofRecord
from renju.proofs.work import Answer, CheckTask, Workers, hands, outcome
from renju.proving import ProofCheck

if TYPE_CHECKING:
    from renju.proofs.store import ProofStore

__all__ = ["GoalCheck", "StoreCheck", "check"]

# The main thread looks up so often, to hear of Ctrl-C.
_LOOK_S = 0.1

_DIGEST_BYTES = 16


@dataclass(frozen=True)
class GoalCheck:
    """Whether the proofs of a file win against all replies to a position."""

    place: Place
    """The stones of the position, and the colour that is to win and is not to move."""
    replies: int
    """Replies that were looked up, the pass included: all that the slow rules allow, in no symmetry."""
    open: tuple[Point, ...]
    """Replies after which there is no position with a proof that holds."""

    def __bool__(self) -> bool:
        return not self.open


@dataclass(frozen=True)
class StoreCheck:
    """What the independent verifier says of a file of proofs. True if all holds and nothing is open."""

    proofs: int
    """How many proofs of the file hold."""
    refused: tuple[tuple[ProofRecord, str], ...]
    """Proofs that do not hold, and why."""
    goals: tuple[GoalCheck, ...]
    """The positions of which all replies are to be proved."""
    open: int
    """Positions, other than replies to a goal, that were searched and have no proof."""
    positions: int
    """Positions with the winner to move that have a decision of their own and were checked."""
    replies: int
    """Replies that were tried in them, passes included."""
    trees: int
    """Trees of VCTs that were played through, each as often as a position needed it."""
    cpu_s: float = field(compare=False)
    """Seconds of CPU time that the checks took."""
    time: float = field(compare=False)
    """Seconds that this check took."""

    def __bool__(self) -> bool:
        return not self.refused and not self.open and all(self.goals)


def check(
    store: ProofStore,
    *,
    resume: bool = False,
    progress: bool | Progress | None = None,
    **workers: Any,
) -> StoreCheck:
    """Checks all proofs of a file with the independent verifier, and whether they cover every reply to the
    goals of the file.

    With `resume` what was checked is noted in a file beside it, ``FILE.checked``, and what is noted there is
    not checked again: so a check can go on after its end, and a file that grows is checked in parts.
    `workers` are the fields of `renju.proofs.work.Workers`: threads, processes, executor, client,
    cluster_timeout. `progress` is True for a bar, or called with the proofs checked and their number. Ctrl-C
    raises `Interrupted`.
    """
    start, who = perf_counter(), Workers(**workers)
    records = list(store)
    with ExitStack() as stack:
        notes = _Notes(store.path.with_name(f"{store.path.name}.checked"))
        if resume:
            stack.enter_context(notes).begin(resume=True)
        digests = [_digest(record, store.proof(record)) for record in records]
        todo = [number for number, digest in enumerate(digests) if digest not in notes.checks]
        try:
            _check_all(store, records, digests, todo, notes, who, progress)
        except KeyboardInterrupt:
            count = sum(digest in notes.checks for digest in digests)
            safe = f"{count} of {len(records)} proofs were checked{', resume to go on' * resume}"
            raise Interrupted(f"interrupted; {safe}") from None
    found = [notes.checks[digest] for digest in digests]
    return _result(store, records, found, perf_counter() - start)


def _check_all(
    store: ProofStore,
    records: Sequence[ProofRecord],
    digests: Sequence[str],
    todo: Sequence[int],
    notes: _Notes,
    workers: Workers,
    progress: bool | Progress | None,
) -> None:
    """Hands the proofs out and notes what comes back."""
    if not todo:
        return
    waiting, pending = iter(todo), dict[Future[Answer], int]()
    done = before = len(records) - len(todo)
    with Bar(progress, len(records), "proofs", before) as bar, hands(workers) as found:
        while True:
            while len(pending) < found.window() and (number := next(waiting, None)) is not None:
                record = records[number]
                board, proof = record.place.board(), store.proof(record)
                task = CheckTask(number, board, proof, record.place.color, record.move)
                pending[found.submit(task)] = number
            if not pending:
                return
            finished, _ = wait(pending, _LOOK_S, FIRST_COMPLETED)
            for future in finished:
                number = pending.pop(future)
                answer = outcome(future, f"the proof that begins with {records[number].move}")
                assert isinstance(answer.found, ProofCheck)
                notes.add(digests[number], answer.found, answer.cpu_s)
                done += 1
            bar.show(done)


def _result(
    store: ProofStore, records: Sequence[ProofRecord], found: Sequence[_Checked], seconds: float
) -> StoreCheck:
    sound = {record.place.canonical() for record, (check, _) in zip(records, found, strict=True) if check}
    refused = tuple(
        (record, check.reason) for record, (check, _) in zip(records, found, strict=True) if not check
    )
    goals, asked = [], set[Place]()
    for goal in store.goals:
        board = goal.place.board(turn=goal.place.color.opponent)
        replies = [*_native.quiet_replies(board._position, goal.place.color.opponent), PASS]
        keys = {reply: goal.place.after(reply).canonical() for reply in replies}
        asked.update(keys.values())
        left = tuple(Point(reply) for reply, key in keys.items() if key not in sound)
        goals.append(GoalCheck(goal.place, len(replies), left))
    return StoreCheck(
        len(sound),
        refused,
        tuple(goals),
        sum(record.place.canonical() not in asked for record in store.open_records),
        sum(check.positions for check, _ in found),
        sum(check.replies for check, _ in found),
        sum(check.trees for check, _ in found),
        sum(cpu_s for _, cpu_s in found),
        seconds,
    )


def _digest(record: ProofRecord, proof: bytes) -> str:
    """A checksum by which a proof, with what its line says, is known again."""
    text = " ".join((record.place.color.label, *record.place.texts(), str(record.move)))
    return blake2b(text.encode() + b"\n" + proof, digest_size=_DIGEST_BYTES).hexdigest()


_Checked = tuple[ProofCheck, float]
_COUNTS = ("positions", "replies", "trees")


def _read_note(text: str) -> tuple[str, _Checked]:
    """A proof that was checked: its digest, what was found, and the seconds of CPU time."""
    facts = json.loads(text)
    try:
        counts = [int(facts[name]) for name in _COUNTS]
        check = ProofCheck(bool(facts["ok"]), str(facts["reason"]), *counts)
        return str(facts["digest"]), (check, float(facts["cpu_s"]))
    except (KeyError, TypeError, ValueError):
        raise FormatError("this line tells of no check") from None


class _Notes(Journal[tuple[str, _Checked]]):
    """What was checked; in a file if it was begun."""

    def __init__(self, path: Path) -> None:
        kind = JournalKind("check of proofs", "renju-proof-check", 1, _read_note)
        super().__init__(path, kind, {"verifier": __version__})
        self.checks: dict[str, _Checked] = {}

    def _restore(self, entries: Sequence[tuple[str, _Checked]]) -> None:
        self.checks = dict(entries)

    def add(self, digest: str, check: ProofCheck, cpu_s: float) -> None:
        """Notes a check, and sees that it is on the disk if there is a file."""
        if check.is_stopped:
            return  # that says nothing
        if self._file is not None:
            facts = {"digest": digest, "ok": check.ok, "reason": check.reason, "cpu_s": round(cpu_s, 3)}
            facts |= {name: getattr(check, name) for name in _COUNTS}
            self._write(json.dumps(facts))
            self._sync()
        self.checks[digest] = (check, cpu_s)
