"""A game and its images get the same review: it is made in one orientation of them, and turned back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from renju._types import Point
from renju.engine import Candidate
from renju.reviewing.model import ForcedWin, ReviewedMove
from renju.reviewing.source import Record

__all__ = ["orientation_of", "turned_back", "turned_record"]

_SYMMETRIES = range(8)


def orientation_of(record: Record) -> int:
    """The symmetry that leads to the image of a game which all its images have in common."""

    def image(k: int) -> tuple[bytes, list[Point]]:
        return record.boards[0].transform(k).to_array().tobytes(), _turned(record.moves, k)

    return min(_SYMMETRIES, key=image)


def turned_record(record: Record, k: int) -> Record:
    """The record on a turned board; its game and its end stay as they are."""
    boards = tuple(board.transform(k) for board in record.boards)
    return replace(record, moves=tuple(_turned(record.moves, k)), boards=boards)


def turned_back(move: ReviewedMove, k: int) -> ReviewedMove:
    """A move that was judged on the board turned by `k`, on the board as it is."""
    from renju.batch import inverse  # with numpy, for which only a review waits, not every command

    back = int(inverse(k))

    def win(found: ForcedWin | None) -> ForcedWin | None:
        return None if found is None else replace(found, proof=found.proof.transform(back))

    return replace(
        move,
        move=move.move.transform(back),
        best=move.best.transform(back),
        pv=tuple(_turned(move.pv, back)),
        played_pv=tuple(_turned(move.played_pv, back)),
        candidates=tuple(
            Candidate(found.move.transform(back), found.score, tuple(_turned(found.pv, back)))
            for found in move.candidates
        ),
        forbidden=dict(sorted((point.transform(back), kind) for point, kind in move.forbidden.items())),
        missed=win(move.missed),
        unclear=win(move.unclear),
        allowed=win(move.allowed),
        defence=None if move.defence is None else move.defence.transform(back),
    )


def _turned(points: Iterable[Point], k: int) -> list[Point]:
    return [point.transform(k) for point in points]
