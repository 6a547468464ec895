"""Review of a game (振り返り): what every move was worth, which wins were missed, where it was lost."""

from __future__ import annotations

from renju.reviewing.model import ForcedWin, Grades, Review, ReviewedMove, TurningPoint
from renju.reviewing.run import review

__all__ = ["ForcedWin", "Grades", "Review", "ReviewedMove", "TurningPoint", "review"]
