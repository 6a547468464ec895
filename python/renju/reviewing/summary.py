"""What a whole game shows: its score graph, and where it was lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from renju._types import Color
from renju.result import score_text
from renju.reviewing.model import Grades, ReviewedMove, TurningPoint
from renju.reviewing.text import win_text

__all__ = ["scores_of", "turning_point", "without_doubts"]


def scores_of(moves: Sequence[ReviewedMove], last: int | None) -> tuple[int | None, ...]:
    """In black's view, before the first move and after every one; `last` is the one after the last."""
    before = [move.best_score if move.color is Color.BLACK else -move.best_score for move in moves]
    return (*before, last)


def without_doubts(moves: Sequence[ReviewedMove]) -> list[ReviewedMove]:
    """Takes back what the next move makes doubtful: if all that the opponent could answer loses as well, a
    win was perhaps not missed but kept by a quiet move."""
    settled = list(moves)
    for i, (move, answer) in enumerate(pairwise(moves)):
        if move.missed is not None and (answer.win_in or 0) < 0:
            settled[i] = replace(
                move,
                kept=None,
                missed=None,
                unclear=move.missed,
                loss=0,
                quality="best",
                played_score=min(move.best_score, -answer.best_score - 1),
            )
    return settled


def turning_point(
    moves: Sequence[ReviewedMove], last: int | None, winner: Color | None, grades: Grades
) -> TurningPoint | None:
    """Where the loser was near even for the last time: not more than a mistake behind, with the best move on
    its turn. None in a draw, if the end on the board was near even too (it was lost by the clock, or given
    up), if the loser never was near even, or if that was before the first graded move."""
    if winner is None or last is None:
        return None
    loser = winner.opponent
    if (last if loser is Color.BLACK else -last) >= -grades.mistake:
        return None
    near_even = [move for move in moves if move.color is loser and move.best_score >= -grades.mistake]
    if not near_even or not near_even[-1].graded:
        return None
    move = near_even[-1]
    return TurningPoint(move.number, loser, _why(move))


def _why(move: ReviewedMove) -> str:
    who, other = move.color.label, move.color.opponent.label
    name = f"move {move.number}, {who} {move.move}"
    if move.foul:
        return f"{name}: forbidden ({move.foul.label})"
    if move.missed is not None:
        after = f", and gives {other} {win_text(move.allowed)}" if move.allowed is not None else ""
        return f"{name} misses {win_text(move.missed)}{after}"
    if move.allowed is not None:
        return f"{name} gives {other} {win_text(move.allowed)}; {move.best} was better"
    if move.loss:
        played, best = score_text(move.played_score), score_text(move.best_score)
        return f"{name} ({played}); {move.best} was better ({best})"
    return f"{name}: {who} is never near even again, but nothing better was found here"
