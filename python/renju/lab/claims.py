"""Wins that players claimed, and what became of them."""

from __future__ import annotations

from collections.abc import Iterator

from renju._types import Color
from renju.lab.findings import Finding
from renju.lab.game_record import FAULT_REASONS, Ply
from renju.lab.replay import Replay, Turn

__all__ = ["CLAIM_SOURCES", "false_claims", "is_claim"]

CLAIM_SOURCES = frozenset({"vcf", "mise-vcf", "vct"})
"""Moves that come with the proof of a win."""


def is_claim(ply: Ply) -> bool:
    """Does the player say that it wins by force?"""
    return ply.source in CLAIM_SOURCES or (ply.win_in is not None and ply.win_in > 0)


def false_claims(index: int, replay: Replay) -> Iterator[Finding]:
    """Claims that the verifier rejects, and claims of players who did not win."""
    for turn in replay.turns:
        if turn.ply.verified is False:
            text = f"{_claim_text(turn.ply)}, but the proof does not hold"
            yield Finding.at(index, replay, turn, "claim-rejected", text)
    for color in Color:
        if replay.game.winner is color or _is_excused(replay, color):
            continue
        for first, after in _series([turn for turn in replay.turns if turn.color is color]):
            if _is_due(replay, first):
                text = f"{_claim_text(first.ply)}, {_what_happened(replay, after)}"
                yield Finding.at(index, replay, first, "claim-not-won", text)


def _series(turns: list[Turn]) -> Iterator[tuple[Turn, Turn | None]]:
    """The first move of each series of claims, and the move at which the player claims no more. A forced move
    without a score does not end a series."""
    first = None
    for turn in turns:
        if is_claim(turn.ply):
            first = first or turn
        elif first is not None and not (turn.is_forced and turn.ply.score is None):
            yield first, turn
            first = None
    if first is not None:
        yield first, None


def _is_excused(replay: Replay, color: Color) -> bool:
    """Did the player lose by a fault, and not on the board?"""
    return replay.game.reason in FAULT_REASONS and replay.game.winner is color.opponent


def _is_due(replay: Replay, turn: Turn) -> bool:
    """Would the win have come before a game was ended by its length? A game that went on long enough, or was
    decided otherwise, has no such excuse."""
    if replay.game.reason not in ("length", "full") or turn.ply.win_in is None:
        return True
    return turn.number - 1 + turn.ply.win_in <= len(replay.moves)


def _claim_text(ply: Ply) -> str:
    source = "" if ply.source is None else f" by {ply.source}"
    return f"claimed a win{source}" + ("" if ply.win_in is None else f" in {ply.win_in}")


def _what_happened(replay: Replay, after: Turn | None) -> str:
    game = replay.game
    end = "drew" if game.winner is None else "lost"
    result = f"{end} by {game.reason} at move {len(replay.moves)}"
    if after is None:
        return result
    score = "" if after.ply.score is None else f" ({after.ply.score:+d})"
    return f"not any more at move {after.number}{score}, {result}"
