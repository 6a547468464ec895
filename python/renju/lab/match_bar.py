"""How far a match is: a bar with the score, a function that is told, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from time import monotonic

from renju._progress import Bar, Progress
from renju.lab.result import Match
from renju.lab.tables import points_text

__all__ = ["MatchBar"]

# Nobody asks for the score again before this many times as long as it took have passed.
_REST = 50


class MatchBar:
    """Use it as a context; `show` tells what is new."""

    def __init__(self, progress: bool | Progress | None, total: int, done: int) -> None:
        self._bar = Bar(progress, total, "games", done)
        self._match: Callable[[], Match] | None = None
        self._next_at = 0.0

    def show(self, done: int, match: Callable[[], Match]) -> None:
        """`done` games are finished; the match is asked for if something of it is shown."""
        interval_s = self._bar.interval_s
        if interval_s is not None:
            # The score takes longer to find than the games of weak players take to play.
            self._match = match
            if (start := monotonic()) >= self._next_at:
                self._bar.note(_standing(match()))
                # In a long match the score takes its time; it shall not take that of the games.
                taken = monotonic() - start
                self._next_at = monotonic() + max(interval_s, _REST * taken)
        self._bar.show(done)

    def __enter__(self) -> MatchBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._match is not None:
            self._bar.note(_standing(self._match()))
        self._bar.__exit__()


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
