"""Why games are lost: a class for every lost game, by what the loser itself thought on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from renju._types import Color
from renju.lab.game_record import FAULT_REASONS, GameRecord
from renju.lab.replay import Replay

__all__ = ["LOSS_KINDS", "Loss", "LossKind", "losses_of"]

LossKind = Literal["fault", "forbidden", "unknown", "start", "sudden", "slow"]

LOSS_KINDS: dict[LossKind, str] = {
    "fault": "by the clock, an illegal move or a crash",
    "forbidden": "black, by a forbidden point",
    "unknown": "the player told no scores",
    "start": "behind from the first own moves on, and never again near even",
    "sudden": "not behind at the last move before the loss was seen",
    "slow": "behind for a while, and then lost",
}
"""Key: a class of lost games; value: what it means. A game belongs to the first that applies."""

# Own moves that are the start of a game.
_START_MOVES = 3


@dataclass(frozen=True)
class Loss:
    """A lost game of a player, and why it was lost."""

    game: int
    """The number of the game in its match."""
    color: Color
    """The colour that the loser had."""
    kind: LossKind
    """The class of the loss: a key of `LOSS_KINDS`."""
    behind_at: int | None
    """Number of the move from which on the loser's score was at most minus the limit; None if never."""
    seen_at: int | None
    """Number of the move from which on the loser knew that the game is lost; None if never."""
    known_by_winner_at: int | None
    """Number of the move from which on the winner claimed the win; None if never."""
    moves: int
    """Moves of the whole game, the opening included."""


def losses_of(games: Iterable[GameRecord], player: str, behind: int = 300) -> tuple[Loss, ...]:
    """The lost games of a player; a score of minus `behind` or less is called behind.

    >>> from renju import lab
    >>> games = lab.match("hard,nodes=400", "beginner,nodes=400", games=4).games
    >>> {loss.kind for loss in lab.losses_of(games, "beginner,nodes=400")} <= set(lab.LOSS_KINDS)
    True
    """
    found = []
    for game in games:
        color = {game.black: Color.BLACK, game.white: Color.WHITE}.get(player)
        if color is not None and game.winner is color.opponent:
            found.append(_loss(Replay(game), color, behind))
    return tuple(found)


def _loss(replay: Replay, color: Color, behind: int) -> Loss:
    own = [turn for turn in replay.turns if turn.color is color and turn.ply.score is not None]
    scores = [(turn.number, turn.ply.score or 0) for turn in own]
    seen = _since([(turn.number, (turn.ply.win_in or 0) < 0) for turn in own])
    behind_at = _since([(number, score <= -behind) for number, score in scores])
    theirs = [turn for turn in replay.turns if turn.color is not color and turn.ply.score is not None]
    known = _since([(turn.number, (turn.ply.win_in or 0) > 0) for turn in theirs])
    before = [score for number, score in scores if seen is None or number < seen]
    kind: LossKind
    if replay.game.reason in FAULT_REASONS:
        kind = "fault"
    elif replay.trap(0) in ("trapped", "self-inflicted"):
        kind = "forbidden"
    elif not scores:
        kind = "unknown"
    elif before and max(before[min(_START_MOVES, len(before)) - 1 :]) <= -behind:
        kind = "start"
    elif not before or before[-1] > -behind:
        kind = "sudden"
    else:
        kind = "slow"
    return Loss(replay.game.number, color, kind, behind_at, seen, known, len(replay.moves))


def _since(claims: list[tuple[int, bool]]) -> int | None:
    """The number from which on all are true."""
    since = None
    for number, is_true in claims:
        if not is_true:
            since = None
        elif since is None:
            since = number
    return since
