"""What a request of the page asks for, checked and bounded before anything is done."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from renju import _native
from renju._types import BOARD_SIZE, Color, Point
from renju.board import Board
from renju.config import LEVELS
from renju.errors import IllegalMoveError, RenjuError
from renju.limits import Limit

__all__ = [
    "MOST_MOVES",
    "TIMES",
    "RequestError",
    "board_of",
    "choice_of",
    "color_of",
    "count_of",
    "level_of",
    "limit_of",
    "object_of",
    "setup_of",
    "text_of",
]

# Of a game, passes included: more than a board holds, and few enough to be played at once.
MOST_MOVES = 1000

# Seconds, the least and the most a request gets, whatever it asks for; those of a review are for each move.
TIMES = {"play": (0.05, 60.0), "analyse": (0.05, 600.0), "solve": (0.05, 120.0), "review": (0.05, 10.0)}
_MOST_NODES = 10**10
_MOST_TEXT = 200_000


class RequestError(RenjuError, ValueError):
    """A request that cannot be answered. `code` is a word for programs, `status` that of HTTP."""

    def __init__(self, message: str, code: str = "request", status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


def object_of(body: bytes) -> dict[str, Any]:
    """The JSON object of a body."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        raise RequestError("the body is no JSON") from None
    if not isinstance(data, dict):
        raise RequestError("the body is no JSON object")
    return data


def board_of(data: Mapping[str, Any]) -> Board:
    """The position: ``moves``, after ``setup`` if there is one. With ``goes_on`` the moves may go on after
    the end of the game, as in records where nobody claimed it."""
    moves = data.get("moves", "")
    if isinstance(moves, list):
        if not all(isinstance(move, str) for move in moves):
            raise RequestError('moves is a text or a list of points such as "H8"')
        moves = " ".join(moves)
    if not isinstance(moves, str):
        raise RequestError("moves is a text or a list of points")
    if len(moves) > 8 * MOST_MOVES:
        raise RequestError(f"there are more than {MOST_MOVES} moves")
    points = [Point(move) for move in _native.parse_moves(moves)]
    if len(points) > MOST_MOVES:
        raise RequestError(f"there are more than {MOST_MOVES} moves")
    setup = setup_of(data)
    if setup is not None:
        board = Board.from_stones(setup["black"], setup["white"], turn=setup["turn"])
        for point in points:
            board.push(point)
        return board
    try:
        return Board(points)
    except IllegalMoveError:
        if not data.get("goes_on"):
            raise
        return Board(points, referee=False)


def setup_of(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """The stones before the first move, and who moves; None for an empty board."""
    setup = data.get("setup")
    if setup is None:
        return None
    if not isinstance(setup, dict):
        raise RequestError("setup is an object with black, white and turn")
    stones: dict[str, Any] = {}
    for color in Color:
        points = setup.get(color.label, [])
        if not isinstance(points, list) or not all(isinstance(point, str) for point in points):
            raise RequestError(f'{color.label} of setup is a list of points such as "H8"')
        if len(points) > BOARD_SIZE**2:
            raise RequestError(f"there are more {color.label} stones than points")
        stones[color.label] = points
    return {**stones, "turn": color_of(setup, "turn")}


def color_of(data: Mapping[str, Any], name: str) -> Color | None:
    """A colour by its name, None if it is not told."""
    value = data.get(name)
    if value is None:
        return None
    return Color[choice_of(data, name, [color.label for color in Color], "").upper()]


def choice_of(data: Mapping[str, Any], name: str, known: list[str] | tuple[str, ...], default: str) -> str:
    value = data.get(name, default)
    if not isinstance(value, str) or value not in known:
        raise RequestError(f"{name} is {' or '.join(known)}, not {_shown(value)}")
    return value


def text_of(data: Mapping[str, Any], name: str, most: int = _MOST_TEXT) -> str:
    """A text, empty if there is none."""
    value = data.get(name, "")
    if not isinstance(value, str):
        raise RequestError(f"{name} is a text, not {_shown(value)}")
    if len(value) > most:
        raise RequestError(f"{name} is longer than {most:,} characters")
    return value


def count_of(data: Mapping[str, Any], name: str, least: int, most: int, default: int) -> int:
    """A whole number, moved into its range."""
    value = data.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise RequestError(f"{name} is a whole number, not {_shown(value)}")
    return min(max(value, least), most)


def limit_of(data: Mapping[str, Any], kind: str, default: float | None) -> Limit:
    """What the search may take: seconds and nodes, both bounded. A number of nodes alone is an answer that
    does not depend on the clock, but even it ends when the most seconds are over."""
    least, most = TIMES[kind]
    time, nodes = data.get("time"), data.get("nodes")
    # Compared, not converted: a whole number may be too large for a float.
    if time is not None and (
        isinstance(time, bool) or not isinstance(time, int | float) or not -math.inf < time < math.inf
    ):
        raise RequestError(f"time is a number of seconds, not {_shown(time)}")
    if nodes is not None:
        nodes = count_of(data, "nodes", 1, _MOST_NODES, 1)
    if time is None:
        time = most if nodes is not None else default
    return Limit(time=None if time is None else float(min(max(time, least), most)), nodes=nodes)


def level_of(data: Mapping[str, Any], default: str) -> str:
    return choice_of(data, "level", LEVELS, default)


def _shown(value: object) -> str:
    """A value in an error, not at any length."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
