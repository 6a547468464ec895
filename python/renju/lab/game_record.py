"""What is written down of a game: every move with all that was thought about it. One JSON line a game."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NoReturn

from renju._types import BOARD_SIZE, PASS, Color, Point
from renju.errors import FormatError
from renju.limits import check_seconds

__all__ = [
    "FAULT_REASONS",
    "FIGURES",
    "REASONS",
    "RECORD_VERSION",
    "GameRecord",
    "Ply",
    "check_ply",
    "game_from_json",
    "game_to_json",
]

RECORD_VERSION = 2
"""The version of the lines of a match file; docs/lab.md tells what they hold."""

REASONS = (
    "five",  # a five, or a six of white's
    "forbidden",  # black played a forbidden point
    "full",  # no point is left, or both have passed
    "adjudicated",  # decided by rule before the end: both agree on a proved win, or on a draw
    "length",  # the most moves a game may have
    "time",  # a program took too long
    "illegal",  # a program named a point that cannot be played
    "crash",  # a program ended, or answered nonsense
)
"""The words for how games end."""

FAULT_REASONS = frozenset({"time", "illegal", "crash"})
"""Ends by what a player did wrong; they say nothing about the position."""

Reason = Literal["five", "forbidden", "full", "adjudicated", "length", "time", "illegal", "crash"]


@dataclass(frozen=True)
class Ply:
    """A move that a player chose, and why. The moves of the opening have none."""

    move: str
    """The name of the point, such as H8."""
    time: float
    """Seconds that the player took, measured by the referee."""
    score: int | None = None
    """Score in points for the player who moved; None if a program did not tell it."""
    win_in: int | None = None
    """Plies to the five that the player claims, negative for a loss it sees; None for neither."""
    depth: int | None = None
    """Plies of the last depth that the search finished; None if a program did not tell it."""
    seldepth: int | None = None
    """Plies of the deepest line that the search looked at; None if a program did not tell it."""
    nodes: int | None = None
    """Positions that the search looked at; None if a program did not tell it."""
    source: str | None = None
    """Where the move comes from, a name of `renju.Source`; None for a program that does not tell it."""
    interrupted: bool = False
    """Whether a limit or a stop broke off a depth of the search."""
    fallback: bool = False
    """Whether the move is that of an earlier depth, because the last one fell far behind it in a hurry."""
    candidates: tuple[tuple[str, int], ...] = ()
    """Names of the best moves with their exact scores in points, best first; a level may play another than
    the first."""
    depths: tuple[tuple[int, str, int], ...] = ()
    """Depth in plies, best move and its score in points for every depth that was finished."""
    stats: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Key: a technique of the search; value: how often it was of use. Counters that are 0 are left out."""
    verified: bool | None = None
    """Did the verifier accept the proof of the claimed win? None if no proof was claimed, or if it was too
    large to be checked at once."""


@dataclass(frozen=True)
class GameRecord:
    """A finished game of a match."""

    number: int
    """The place of the game in the schedule, from 0: games of a pair have numbers 2n and 2n + 1."""
    pair: int
    """The number of the pair, from 0: two games of one opening with the colours exchanged."""
    black: str
    """The name of the player who had black."""
    white: str
    """The name of the player who had white."""
    opening: str
    """The moves that the players were given, in the form of `moves`."""
    moves: str
    """All moves, the opening included, in lower case without spaces, such as h8i9."""
    winner: Color | None
    """The colour that won; None for a draw."""
    reason: Reason
    """How the game ended: one of `REASONS`."""
    seed: int = 0
    """The seed from which everything random in the game follows."""
    time: float = 0.0
    """Seconds from the first move to the last."""
    plies: tuple[Ply, ...] = ()
    """What the players thought, one entry for each move after the opening."""
    fault: str = ""
    """What a program did wrong, in words; empty if nothing."""

    def result_of(self, name: str) -> float:
        """The points, 1, ½ or 0, of the player with this `name`."""
        if name not in (self.black, self.white):
            raise ValueError(f"{name!r} did not play game {self.number}")
        if self.winner is None:
            return 0.5
        return float((self.black if self.winner is Color.BLACK else self.white) == name)


def game_to_json(game: GameRecord) -> str:
    """The game as one line of JSON, without its end."""
    facts = asdict(game)
    facts["winner"] = None if game.winner is None else game.winner.label
    facts["plies"] = [_facts(ply) for ply in game.plies]
    return json.dumps(facts, separators=(",", ":"))


def game_from_json(text: str) -> GameRecord:
    """The game of the line `text`; `FormatError` tells what is wrong with it."""
    try:
        facts = json.loads(text, parse_constant=_no_number)
        plies = tuple(map(_ply, facts.pop("plies")))
        winner = facts.pop("winner")
        game = GameRecord(**facts, plies=plies, winner=None if winner is None else Color[winner.upper()])
        _check_types(game, _GAME_TYPES)
        check_seconds("time", game.time)
        for ply in plies:
            check_ply(ply)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FormatError(f"not the record of a game: {error}") from None
    if game.reason not in REASONS:
        raise FormatError(f"not the record of a game: there is no reason {game.reason!r}")
    return game


_GAME_TYPES: dict[str, tuple[type, ...]] = dict.fromkeys(("number", "pair", "seed"), (int,))
_GAME_TYPES |= dict.fromkeys(("black", "white", "opening", "moves", "reason", "fault"), (str,))
_GAME_TYPES["time"] = (int, float)
_PLY_TYPES: dict[str, tuple[type, ...]] = {"move": (str,), "time": (int, float), "stats": (dict,)}
_PLY_TYPES |= dict.fromkeys(("score", "win_in", "depth", "seldepth", "nodes"), (int, type(None)))
_PLY_TYPES |= {"source": (str, type(None)), "verified": (bool, type(None))}
_PLY_TYPES |= dict.fromkeys(("interrupted", "fallback"), (bool,))

_MOST = 2**63 - 1
FIGURES: dict[str, tuple[int, int]] = {
    "score": (1 - 2**31, 2**31 - 1),
    "win_in": (-(BOARD_SIZE**2), BOARD_SIZE**2),
    "depth": (0, 2**31 - 1),
    "seldepth": (0, 2**31 - 1),
    "nodes": (0, _MOST),
}
"""The least and the most that a figure of a ply can be, by its name."""

_POINT_NAMES = frozenset(str(Point(index)) for index in range(PASS + 1))


def check_ply(ply: Ply) -> None:
    """`TypeError` or `ValueError` if a figure of a ply has the wrong type, or is out of its range."""
    _check_types(ply, _PLY_TYPES)
    check_seconds("time", ply.time)
    for name in FIGURES:
        _check_figure(name, getattr(ply, name))
    for move, score in ply.candidates:
        _check_figure("score", score)
        _check_point(move)
    for depth, move, score in ply.depths:
        _check_figure("depth", depth)
        _check_figure("score", score)
        _check_point(move)
    for name, count in ply.stats.items():
        if not 0 <= count <= _MOST:
            raise ValueError(f"the counter {name} is {count}")


def _check_figure(name: str, value: int | None) -> None:
    least, most = FIGURES[name]
    if value is not None and not least <= value <= most:
        raise ValueError(f"{name} is a number from {least} to {most}, not {value}")


def _check_point(move: str) -> None:
    if move not in _POINT_NAMES and move.upper() not in _POINT_NAMES:
        raise ValueError(f"{move!r} is no point")


def _no_number(text: str) -> NoReturn:
    """For what Python's JSON has beyond the standard: NaN and the infinities."""
    raise ValueError(f"{text} is no number")


def _check_types(record: GameRecord | Ply, types: dict[str, tuple[type, ...]]) -> None:
    """`TypeError` if a file says something else than a number where a number belongs."""
    for name, allowed in types.items():
        value = getattr(record, name)
        if not isinstance(value, allowed) or (isinstance(value, bool) and bool not in allowed):
            raise TypeError(f"{name} is {value!r}")
    if isinstance(record, Ply):
        numbers = [*record.stats.values(), *(score for _, score in record.candidates)]
        numbers += [number for depth, _, score in record.depths for number in (depth, score)]
        texts = [*record.stats, *(move for move, _ in record.candidates), *(m for _, m, _ in record.depths)]
        if not (all(type(n) is int for n in numbers) and all(isinstance(text, str) for text in texts)):
            raise TypeError(f"the move {record.move} has figures that are none")


def _facts(ply: Ply) -> dict[str, Any]:
    """What is not as by default."""
    default = Ply(ply.move, ply.time)
    facts = {k: v for k, v in asdict(ply).items() if v != getattr(default, k)}
    return {"move": ply.move, "time": round(ply.time, 6)} | facts


def _ply(facts: dict[str, Any]) -> Ply:
    candidates = tuple((move, score) for move, score in facts.pop("candidates", ()))
    depths = tuple((depth, move, score) for depth, move, score in facts.pop("depths", ()))
    return Ply(**facts, candidates=candidates, depths=depths)
