"""How far a match is: a bar with the score, a function that is told, or nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from math import isfinite
from time import monotonic
from typing import Any

from renju.lab.result import Match
from renju.lab.tables import points_text

__all__ = ["Bar", "Progress"]

Progress = Callable[[int, int], object]

# How often a bar is drawn: in a log every time is one more line.
_SHOW_S, _SHOW_IN_A_LOG_S = 0.1, 10.0
# So many times as long as the score took nobody asks for it again.
_REST = 50


class Bar:
    """Use it as a context; `show` tells what is new."""

    def __init__(self, progress: bool | Progress | None, total: int, done: int) -> None:
        self._progress = progress
        self._total = total
        self._bar: Any = None
        self._match: Callable[[], Match] | None = None
        self._next_at = 0.0
        if progress is True:
            from tqdm import tqdm

            self._bar = tqdm(
                total=total,
                initial=done,
                unit=" games",
                dynamic_ncols=True,
                mininterval=_SHOW_S if sys.stderr.isatty() else _SHOW_IN_A_LOG_S,
            )

    def show(self, done: int, match: Callable[[], Match]) -> None:
        """So many games are finished; the match is asked for if something of it is shown."""
        if self._bar is not None:
            # The score takes longer to find than the games of weak players take to play.
            self._match = match
            if (start := monotonic()) >= self._next_at:
                self._bar.set_postfix_str(_standing(match()), refresh=False)
                # In a long match the score takes its time; it shall not take that of the games.
                taken = monotonic() - start
                self._next_at = monotonic() + max(self._bar.mininterval, _REST * taken)
            self._bar.update(done - self._bar.n)
        elif callable(self._progress):
            self._progress(done, self._total)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            if self._match is not None:
                self._bar.set_postfix_str(_standing(self._match()), refresh=False)
            self._bar.close()


def _standing(match: Match) -> str:
    """Who is ahead, in a few words."""
    if len(match.players) > 2:
        best = max(match.players, key=lambda name: match.score(name).points)
        score = match.score(best)
        return f"{best} leads with {points_text(score.points)} of {score.games}"
    scores = [points_text(match.score(name).points) for name in match.players]
    parts = ["–".join(scores)]
    elo = match.elo
    if isfinite(elo.value) and isfinite(elo.low) and isfinite(elo.high):
        parts.append(f"Elo {elo.value:+.0f} ± {(elo.high - elo.low) / 2:.0f}")
    if (state := match.sprt_state) is not None:
        parts.append(f"LLR {state.llr:+.2f} [{state.lower:.2f}, {state.upper:.2f}]")
    return ", ".join(parts)
