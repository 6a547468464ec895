"""Proofs in a file that grows: what is proved, what is open, and the winning moves of all that is covered.

A file is a journal (`renju._journal`): a line for every position that is proved, for every search that left
one open, and for every position of which all replies are to be proved. Every line carries a checksum that
depends on those before it. What is in memory of a file is what its lines tell of the proofs; a proof itself
is read from the file when it is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from renju import _native
from renju._journal import Journal, LinePlace, iter_journal, read_line
from renju._types import Point
from renju.book.entries import turned_back
from renju.errors import FormatError
from renju.proofs.places import Place
from renju.proofs.records import (
    FORMAT,
    KIND,
    Goal,
    Line,
    OpenRecord,
    ProofRecord,
    flaw_of,
    line_text,
    packed,
    unpacked,
)

if TYPE_CHECKING:
    from renju._progress import Progress
    from renju.board import Board
    from renju.game import Game
    from renju.proofs.checking import StoreCheck
    from renju.proving import ProveResult

__all__ = ["ProofStep", "ProofStore", "is_store"]

# So many proofs are kept ready, decompressed.
_READY = 16


# The header of a file is its first line, and shorter.
_HEAD_BYTES = 100


def is_store(path: str | os.PathLike[str]) -> bool:
    """Does a file begin as one of proofs does? Whether it is sound `ProofStore.open` tells."""
    with Path(path).open("rb") as file:
        return f'"{FORMAT}"'.encode() in file.read(_HEAD_BYTES)


@dataclass(frozen=True)
class ProofStep:
    """What a proof says of a position that it covers."""

    move: Point
    """The winning move of the side to move."""
    replies: tuple[Point, ...]
    """The replies against which the proof holds an answer of its own. Against all others, and against a pass,
    what the move threatens wins."""
    verified: bool
    """Whether the run that found the proof also verified it, as the file says."""


class ProofStore:
    """A file of proofs of order 3. It knows a position in all its rotations and reflections.

    A file that is open to be written to is locked; use it as a context then.

    >>> import renju
    >>> store = renju.proofs.ProofStore.open("new.proof", "a")
    >>> board = renju.Board.from_stones("f8 g8 h8 i8", "e8 a1 a3", turn=renju.BLACK)
    >>> store.add(board, renju.prove(board))
    True
    >>> len(store), str(store.move(board.transform(1)))
    (1, 'H10')
    >>> store.move(renju.Board()) is None
    True
    >>> store.close()
    """

    def __init__(self, path: Path, journal: _File | None) -> None:
        """Use `open`."""
        self.path = path
        """The file of the proofs."""
        self._journal = journal
        self._proofs: dict[Place, tuple[LinePlace, ProofRecord]] = {}
        """Key: the canonical position; value: where its line is, and the line without the proof."""
        self._open: dict[Place, OpenRecord] = {}
        """Key: the canonical position; value: the search that went furthest."""
        self._goals: dict[Place, Goal] = {}
        self._ready = lru_cache(_READY)(self._load)
        for place, line in iter_journal(path, KIND):
            self._know(place, line)

    @classmethod
    def open(cls, path: str | os.PathLike[str], mode: Literal["r", "a"] = "r") -> ProofStore:
        """The proofs of a file, to be read ("r"), or to be added to ("a"), which makes a file that is not
        there. `FormatError` names the line of a file that is damaged; a last line that was cut off is passed
        over, and removed before something is added. `BlockingIOError` if another run adds to the file."""
        if mode not in ("r", "a"):
            raise ValueError(f'mode is "r" or "a", not {mode!r}')
        place = Path(path)
        if mode == "r":
            return cls(place, None)
        journal = _File(place, KIND, {})
        try:
            journal.begin(resume=True)
            return cls(place, journal)
        except BaseException:
            journal.close()
            raise

    # What the file holds

    def __len__(self) -> int:
        """How many positions have a proof of their own; images of each other are one."""
        return len(self._proofs)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[ProofRecord]:
        """The positions that are proved, in the order of the file, without their proofs."""
        return (record for _, record in self._proofs.values())

    def __contains__(self, board: object) -> bool:
        """Is the win of the side to move covered by a proof of the file?"""
        from renju.board import Board

        return isinstance(board, Board) and self.step(board) is not None

    def __repr__(self) -> str:
        return f"<ProofStore {os.fspath(self.path)!r}: {len(self)} proved, {len(self.open_records)} open>"

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The positions of which all replies are to be proved."""
        return tuple(self._goals.values())

    @property
    def open_records(self) -> tuple[OpenRecord, ...]:
        """The positions that were searched and have no proof, with the search that went furthest."""
        return tuple(record for key, record in self._open.items() if key not in self._proofs)

    def record(self, place: Place) -> ProofRecord | OpenRecord | None:
        """What the file holds of a position itself, in any orientation; None if it was not searched."""
        key = place.canonical()
        if key in self._proofs:
            return self._proofs[key][1]
        return self._open.get(key)

    def is_proved(self, place: Place) -> bool:
        """Has the position a proof of its own, in any orientation?"""
        return place.canonical() in self._proofs

    def proof(self, record: ProofRecord) -> bytes:
        """The proof of a position, in the form of docs/prove.md; `FormatError` if the line holds none."""
        return self._ready(record.place.canonical())

    def _load(self, key: Place) -> bytes:
        line = read_line(self.path, self._proofs[key][0], KIND)
        if not isinstance(line, ProofRecord) or line.place.canonical() != key or line.packed is None:
            raise FormatError(f"{self.path}: has changed since it was opened")
        try:
            return unpacked(line.packed, line.size)
        except FormatError as error:
            raise FormatError(f"{self.path}: the proof that begins with {line.move}: {error}") from None

    # What to play

    def move(self, board: Board) -> Point | None:
        """The winning move of the side to move, wherever a proof of the file covers the position, in any
        orientation: the position itself, and all that follow when the winner plays by the proof. None if no
        proof leads there, which does not say that there is no win."""
        step = self.step(board)
        return None if step is None else step.move

    def step(self, board: Board) -> ProofStep | None:
        """The same with the replies against which the proof holds an answer of its own."""
        from renju.board import Board

        if not isinstance(board, Board):
            raise TypeError(f"board is a renju.Board, not {type(board).__name__}")
        if board.outcome is not None:
            return None
        for k, place in enumerate(Place.of(board, board.turn).images()):
            for _, record in self._proofs.values():
                if record.place.is_within(place):
                    start, target, proof = record.place.board(), place.board(), self._trusted(record)
                    found = _native.follow_quiet_proof(start._position, proof, target._position)
                    if found is not None:
                        back = turned_back(k)
                        move, *replies = (Point(p).transform(back) for p in (found[0], *found[1]))
                        return ProofStep(move, tuple(replies), record.verified)
        return None

    def _trusted(self, record: ProofRecord) -> bytes:
        """The proof of a position; `FormatError` if it is not what the line says."""
        proof = self.proof(record)
        if flaw := flaw_of(proof, record.place.color, record.move):
            raise FormatError(f"{self.path}: the proof that begins with {record.move}: {flaw}")
        return proof

    def known(self, keys: Iterable[int]) -> dict[str, list[int]]:
        """What the lines of the file say of positions with the symmetric keys `keys`, in the columns "key"
        and "sure" that `renju.explorer.annotate` asks for: 1 for a position that has a proof of its own,
        which the side to move wins, and -1 for the position after the first move of that win. Check a file
        before you rely on it."""
        sure: dict[int, int] = {}
        for record in self:
            board = record.place.board()
            sure[board.symmetric_key] = 1
            board.push(record.move)
            if board.outcome is None:
                sure[board.symmetric_key] = -1
        found = [key for key in map(int, keys) if key in sure]
        return {"key": found, "sure": [sure[key] for key in found]}

    # How it grows

    def add(
        self, board: Board, result: ProveResult, limit: int | None = None, cpu_s: float | None = None
    ) -> bool:
        """Adds what `renju.prove` found on a board, and sees that it is on the disk; whether it was news.
        `limit` is the most nodes that the search had, `cpu_s` the seconds of CPU time that it took."""
        place = Place.of(board, result.color)
        cpu_s = result.time if cpu_s is None else cpu_s
        if result.status == "unknown" and result.reason == "stop":
            return False  # somebody ended it: that says nothing
        if result.proof is None:
            reason = result.reason or result.status
            return self._add(
                OpenRecord(place, reason, result.threat_limit, limit, result.nodes, round(cpu_s, 3))
            )
        assert result.move is not None
        return self._add(
            ProofRecord(
                place,
                result.move,
                result.threat_limit,
                limit,
                result.nodes,
                round(cpu_s, 3),
                result.entries,
                result.verified,
                len(result.proof),
                packed(result.proof),
            )
        )

    def add_goal(self, board: Board) -> bool:
        """Notes that all replies of the side to move are to be proved as losing; whether that was news."""
        return self._add(Goal(Place.of(board, board.turn.opponent)))

    def merge(self, others: Iterable[ProofStore]) -> int:
        """Adds what other files hold and this one does not; how many lines were news."""
        count = 0
        for other in others:
            lines: list[Line] = [*other.goals, *other.open_records, *other]
            for line in lines:
                if isinstance(line, ProofRecord) and line.place.canonical() not in self._proofs:
                    line = replace(line, packed=packed(other.proof(line)))
                count += self._add(line)
        return count

    def _add(self, line: Line) -> bool:
        if self._journal is None:
            raise ValueError(f'{self.path}: open the file with mode "a" to add to it')
        if not self._is_news(line):
            return False
        place = self._journal.add(line_text(line))
        self._know(place, line)  # now: Ctrl-C may come while the disk is slow
        self._journal.sync()
        return True

    def _is_news(self, line: Line) -> bool:
        key = line.place.canonical()
        if isinstance(line, Goal):
            return key not in self._goals
        if key in self._proofs:
            return False
        if isinstance(line, ProofRecord):
            return True
        known = self._open.get(key)
        return known is None or _reach(line) > _reach(known)

    def _know(self, place: LinePlace, line: Line) -> None:
        key = line.place.canonical()
        if isinstance(line, Goal):
            self._goals.setdefault(key, line)
        elif isinstance(line, ProofRecord):
            self._proofs.setdefault(key, (place, replace(line, packed=None)))
        elif self._is_news(line):
            self._open[key] = line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the lock of a file that was open to be added to back."""
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    # With the help of others

    def check(
        self,
        threads: int = 0,
        resume: bool = False,
        progress: bool | Progress | None = None,
        **workers: Any,
    ) -> StoreCheck:
        """Checks all proofs with the independent verifier, `threads` at a time (0: one per core), and whether
        they cover every reply of the goals. `renju.proofs.check` tells the rest."""
        from renju import proofs

        return proofs.check(self, threads=threads, resume=resume, progress=progress, **workers)

    def to_game(self, board: Board | None = None, plies: int = 4) -> Game:
        """The proofs as a game with variations, `plies` moves deep from a board, or from the positions of the
        file: the winning moves, and the replies that have answers of their own."""
        from renju.proofs.exporting import to_game

        return to_game(self, board, plies)

    def export(self, path: str | os.PathLike[str], board: Board | None = None, plies: int = 4) -> int:
        """Writes `to_game` to a file, whose name tells the format: .lib (RenLib), .sgf or .json. How many
        moves were written."""
        from renju.proofs.exporting import export

        return export(self, path, board, plies)


class _File(Journal[Line]):
    """The file of a store that is written to."""

    def _restore(self, entries: Sequence[Line]) -> None:
        pass  # the store reads the file itself

    def add(self, body: str) -> LinePlace:
        """Writes a line; where it is."""
        offset = self._size
        self._write(body)
        return LinePlace(offset, self._size - offset)

    def sync(self) -> None:
        """Sees that it is on the disk."""
        self._sync()


def _reach(record: OpenRecord) -> tuple[int, bool, float]:
    """How far a search went."""
    limit = float("inf") if record.limit is None else record.limit
    return record.threat_limit, record.is_final, limit
