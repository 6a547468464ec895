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
    index: int
    """The place of the game in the list that was looked at, from 0."""
    game: int
    """The number of the game in its match."""
    ply: int
    """The number of the move, as on the board: the first is 1."""
    move: str
    player: str
    color: Color
    score: int | None
    """Of the move, for its player, as it was told."""
    expected: int | None
    """What the score is compared with, for the same player."""
    size: int
    """How bad it is, in points; 0 where points do not tell."""
    detail: str
    """In words."""

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
