"""What follows from the results of a whole game: wins that were missed, what moves lost, and sums."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju.pipeline.columns import Column, Numbers
from renju.pipeline.positions import DRAW, OUTCOMES, Positions

__all__ = ["COLORS", "STATUSES", "Results", "losses", "missed_wins", "summary_counts"]

# What the status of a solver is called; the last one is -1.
STATUSES = ("refuted", "proved", "unknown")
COLORS = ("black", "white")

# The rows of each job that searches.
Results = dict[str, npt.NDArray[Any]]

# What is known of a win of the side to move.
_NOT_WON, _WON, _UNKNOWN = 0, 1, -1


def losses(positions: Positions, rows: npt.NDArray[Any]) -> Column:
    """What the move played is worth less than the best one, by the scores here and after it."""
    count = len(positions)
    here, after = np.arange(max(0, count - 1)), np.arange(1, max(1, count))
    is_told = (
        (positions.games[here] == positions.games[after])
        & (positions.plies[here] + 1 == positions.plies[after])
        & (rows["source"][here] < _native.OVER_SOURCE)
        & (positions.outcomes[here] == 0)
        & (positions.played[here] >= 0)  # boards of an array are no game
    )
    is_end = positions.outcomes[after] != 0
    # Where there is no move to make and no end, nobody knows.
    is_told &= is_end | (rows["source"][after] < _native.OVER_SOURCE)
    ends = np.select(
        [positions.outcomes[after] == positions.turns[after], positions.outcomes[after] == DRAW],
        [_native.WIN, 0],
        -_native.WIN,
    )
    scores = np.where(is_end, ends, rows["score"][after])
    losses, is_null = np.zeros(count, np.int32), np.ones(count, np.bool_)
    losses[here] = np.maximum(0, rows["score"][here] + scores)
    is_null[here] = ~is_told
    return Numbers(losses, is_null)


def _known_wins(results: Results) -> npt.NDArray[np.int8] | None:
    """What all jobs together say of each live position: won if one does, not won if no solver was left in
    doubt. None if no job looks for wins."""
    found = None
    for job, rows in results.items():
        if job == "analyze":
            status = ((rows if rows.ndim == 1 else rows[:, 0])["win_in"] > 0).astype(np.int8)
        else:
            status = rows["status"]
        # Won before unknown before not won.
        found = (
            status if found is None else np.where((found == _WON) | (status == _WON), _WON, found | status)
        )
    return found


def missed_wins(
    positions: Positions, results: Results, live: npt.NDArray[np.int64]
) -> npt.NDArray[np.int8] | None:
    """1 where a win was there and was gone at the player's next turn, 0 where it was kept, -1 where there was
    none or the record does not tell."""
    known = _known_wins(results)
    if known is None:
        return None
    count = len(positions)
    wins = np.full(count, _UNKNOWN, np.int8)
    wins[live] = known
    is_won = wins == _WON
    missed = np.full(count, -1, np.int8)
    for steps in (1, 2):
        here, there = np.arange(max(0, count - steps)), np.arange(steps, max(steps, count))
        follows = (
            (positions.games[here] == positions.games[there])
            & (positions.plies[here] + steps == positions.plies[there])
            & (positions.played[here] >= 0)  # boards of an array are no game
        )
        here, there = here[follows & is_won[here]], there[follows & is_won[here]]
        ends = positions.outcomes[there]
        if steps == 1:
            # The move itself ended the game: by a five, or by a foul.
            ended = ends != 0
            missed[here[ended]] = ends[ended] != positions.turns[here[ended]]
        else:
            gone = np.array([1, 0, -1], np.int8)[wins[there]]  # by what is known of the next turn
            missed[here] = np.where(ends != 0, ends != positions.turns[here], gone)
    return missed


def summary_counts(
    positions: Positions,
    results: Results,
    live: npt.NDArray[np.int64],
    missed: npt.NDArray[np.int8] | None,
    bad: int,
) -> Counter[str]:
    """Numbers that can be added up over all chunks."""
    counts = Counter({"games": len(positions.openings), "positions": len(positions), "bad": bad})
    last = np.flatnonzero(np.diff(positions.games, append=-1))
    for n, game in zip(last.tolist(), positions.games[last].tolist(), strict=True):
        if game in positions.openings:
            outcome = int(positions.results[n])
            result = OUTCOMES[outcome - 1] if outcome else "unfinished"
            counts[f"opening {positions.openings[game]} {result}"] += 1
    for job, rows in results.items():
        if job == "analyze":
            best = rows if rows.ndim == 1 else rows[:, 0]
            counts["analyze win"] += int(np.count_nonzero(best["win_in"] > 0))
            counts["analyze loss"] += int(np.count_nonzero(best["win_in"] < 0))
        else:
            for status, name in enumerate(STATUSES):
                counts[f"{job} {name}"] += int(np.count_nonzero(rows["status"] % len(STATUSES) == status))
    counts["searched"] += len(live) if results else 0
    if missed is not None:
        for color, name in enumerate(COLORS, 1):
            told = missed[(positions.turns == color) & (missed >= 0)]
            counts[f"missed {name}"] += int(np.count_nonzero(told == 1))
            counts[f"kept {name}"] += int(np.count_nonzero(told == 0))
    return counts
