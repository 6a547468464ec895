"""A weakness that was found: which game, which move, what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from renju._types import Color
from renju.lab.replay import Replay, Turn

__all__ = ["Finding", "FindingKind"]

FindingKind = Literal[
    "blunder",
    "overrated",
    "advantage-squandered",
    "missed-vcf",
    "time-pressure-error",
    "depth-disagreement",
    "forbidden-trapped",
    "forbidden-self-inflicted",
    "claim-rejected",
    "claim-not-won",
]


@dataclass(frozen=True)
class Finding:
    """One weakness; `renju.lab.weakness.FINDING_KINDS` says what its kind means."""

    kind: FindingKind
    """The metric that the finding belongs to: a key of `FINDING_KINDS`."""
    index: int
    """The place of the game in the list that was looked at, from 0."""
    game: int
    """The number of the game in its match."""
    ply: int
    """The number of the move on the board; the first move of a game is 1."""
    move: str
    """The name of the point that was played, such as H8."""
    player: str
    """The name of the player who moved."""
    color: Color
    """The colour of the player who moved."""
    score: int | None
    """Score of the move in points for its player, as the player told it; None if it told none."""
    expected: int | None
    """Score in points for the same player that the told score is compared with; None if there is none."""
    size: int
    """How bad the move is, in points of score; 0 where points do not tell."""
    detail: str
    """What happened, in words for a reader of the report."""

    @classmethod
    def at(
        cls,
        index: int,
        replay: Replay,
        turn: Turn,
        kind: FindingKind,
        detail: str,
        *,
        expected: int | None = None,
        size: int = 0,
    ) -> Finding:
        """What a turn of a game shows."""
        return cls(
            kind=kind,
            index=index,
            game=replay.game.number,
            ply=turn.number,
            move=turn.ply.move,
            player=turn.player,
            color=turn.color,
            score=turn.ply.score,
            expected=expected,
            size=size,
            detail=detail,
        )
