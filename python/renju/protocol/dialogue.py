"""What a manager and a program say to each other, whoever carries the lines: `EngineProcess` by threads,
`AsyncEngine` by an event loop."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from renju._types import BOARD_SIZE, PASS, Color, Point
from renju.board import Board
from renju.errors import EngineError, NotationError
from renju.limits import Limit, check_seconds
from renju.protocol import wire

__all__ = ["DEFAULT_LIMIT", "RENJU", "START", "Answer", "Dialogue", "Question", "legal_point"]

RENJU = 4
"""The number of the rule in INFO."""
START = f"START {BOARD_SIZE}"
DEFAULT_LIMIT = Limit(time=5.0)
"""What a program has for a move if nobody says otherwise."""

# INFO values that mean no limit, for a program that was given one before.
_NO_NODES, _NO_DEPTH = -1, BOARD_SIZE**2
_SUGGEST = "SUGGEST"


@dataclass(frozen=True)
class Answer:
    """A move of an engine."""

    point: Point
    """The point that the engine plays."""
    messages: tuple[str, ...]
    """What the engine said before the move, line by line."""
    time: float
    """Seconds from the question to the move."""


@dataclass(frozen=True)
class Question:
    """The lines that ask a program for a move."""

    lines: list[str]
    """The commands, after which the program thinks."""
    needs_restart: bool
    """Whether the program must begin a new game before: it has another position."""
    time_s: float | None
    """The most seconds that the program may take by its limits; None is without a bound."""


class Dialogue:
    """What a program has been told, and what it must be told next."""

    def __init__(self, rule: int = RENJU, info: Mapping[str, object] | None = None) -> None:
        self._info = {"rule": rule, "game_type": 1, "timeout_match": 0} | dict(info or {})
        # The position that the program has, after its last move; None if it has none or another one.
        self._known: Board | None = None
        self._has_stones = False
        # The limits that the program was told, by key.
        self._told: dict[str, int] = {}

    def begin_process(self) -> list[str]:
        """The lines for a program that has just been started."""
        self._told = {}
        self.begin_game()
        return [f"INFO {key} {value}" for key, value in self._info.items()]

    def begin_game(self) -> None:
        """The program has an empty board."""
        self._known, self._has_stones = None, False

    def forget(self) -> None:
        """The program has stones, and nobody can be sure of which."""
        self._known, self._has_stones = None, True

    def remember(self, board: Board, point: Point) -> None:
        """The program has this position and has played this point."""
        self._known, self._has_stones = board.copy(), True
        self._known.push(point)

    def question(self, board: Board, limit: Limit, time_left_s: float | None) -> Question:
        """TURN if the position is the known one and a move, else the whole position. `ValueError` if the game
        is over, `PositionError` if the protocol cannot tell the position."""
        if time_left_s is not None:
            check_seconds("time_left_s", time_left_s)
        if board.outcome is not None:
            raise ValueError(f"the game is over ({board.outcome.reason})")
        times = [time for time in (limit.time, time_left_s) if time is not None]
        time_s = min(times, default=None)
        if self._known is not None and board.moves and board.peek() != PASS:
            before = board.copy()
            last = before.pop()
            if before == self._known:
                return Question([f"TURN {wire.point_text(last)}"], False, time_s)
        rows = wire.stone_rows(board)
        return Question(["BOARD", *rows, "DONE"] if rows else ["BEGIN"], self._has_stones, time_s)

    def limits(self, limit: Limit, time_left_s: float | None) -> list[str]:
        """INFO for what the program has not been told yet, and for the time left, which every move needs."""
        values = {
            "timeout_turn": wire.UNLIMITED_MS if limit.time is None else _milliseconds(limit.time),
            "max_node": _NO_NODES if limit.nodes is None else max(limit.nodes, 1),
            "max_depth": _NO_DEPTH if limit.depth is None else max(limit.depth, 1),
        }
        defaults = {"max_node": _NO_NODES, "max_depth": _NO_DEPTH} | self._told
        changed = {key: value for key, value in values.items() if defaults.get(key) != value}
        self._told |= changed
        changed["time_left"] = wire.UNLIMITED_MS if time_left_s is None else _milliseconds(time_left_s)
        return [f"INFO {key} {value}" for key, value in changed.items()]

    @staticmethod
    def confirmation(text: str) -> str | None:
        """The command for a program that suggests a move and waits to be told to play it; None if the text is
        no suggestion."""
        if not text.upper().startswith(_SUGGEST):
            return None
        return f"PLAY {text[len(_SUGGEST) :].strip()}"


def legal_point(board: Board, text: str) -> Point:
    """The move that a program answers; `EngineError`, without the name of the program, if it cannot be
    played."""
    try:
        point = wire.parse_point(text)
    except NotationError:
        raise EngineError(f"answered {text!r}, which is no point") from None
    if not board.is_legal(point):
        foul = board.turn is Color.BLACK and point not in board.stones
        why = f"forbidden ({board.forbidden_kind(point).label})" if foul else "occupied"
        raise EngineError(f"answered {text} ({point}), which is {why}")
    return point


def _milliseconds(seconds: float) -> int:
    return min(round(seconds * 1000), wire.UNLIMITED_MS)
