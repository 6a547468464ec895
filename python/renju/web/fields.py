"""What a request of the page asks for, checked and bounded before anything is done."""

from __future__ import annotations

import math

from renju import _native
from renju._request import Fields, RequestError, parse_object, quoted
from renju._types import BOARD_SIZE, Color, Point
from renju.board import Board
from renju.config import LEVELS
from renju.errors import IllegalMoveError
from renju.limits import Limit
from renju.openings import OpeningRule

__all__ = [
    "MOST_MOVES",
    "TIMES",
    "RefusedError",
    "board_of",
    "choice_of",
    "color_of",
    "count_of",
    "fields_of",
    "level_of",
    "limit_of",
    "rule_of",
    "start_of",
]

# Of a game, passes included: more than a board holds, and few enough to be played at once.
MOST_MOVES = 1000

# Seconds, the least and the most a request gets, whatever it asks for; those of a review are for each move.
TIMES = {
    "play": (0.05, 60.0),
    "analyse": (0.05, 600.0),
    "solve": (0.05, 120.0),
    "review": (0.05, 10.0),
    "advise": (0.05, 60.0),
}
_MOST_NODES = 10**10
# Characters of the name of a rule.
_MOST_NAME = 40


class RefusedError(RequestError):
    """A request that is not answered. `code` is a word for programs, `status` that of HTTP."""

    def __init__(self, message: str, code: str = "request", status: int = 400) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


def fields_of(body: bytes) -> Fields:
    """The fields of the JSON object of a body."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise RequestError("the body is not UTF-8") from None
    return Fields(parse_object(text))


def board_of(fields: Fields) -> Board:
    """The position: ``moves``, after ``setup`` if there is one. With ``goes_on`` the moves may go on after
    the end of the game, as in records where nobody claimed it."""
    points = _moves(fields)
    board = start_of(fields)
    if board is not None:
        for point in points:
            board.push(point)
        return board
    try:
        return Board(points)
    except IllegalMoveError:
        if not fields.switch("goes_on"):
            raise
        return Board(points, referee=False)


def _moves(fields: Fields) -> list[Point]:
    """The points of ``moves``, a text or a list of texts."""
    if isinstance(fields.any("moves"), list):
        text = " ".join(fields.texts("moves", MOST_MOVES))
    else:
        text = fields.text("moves", 8 * MOST_MOVES)
    points = [Point(move) for move in _native.parse_moves(text)]
    if len(points) > MOST_MOVES:
        raise RequestError(f"moves has more than {MOST_MOVES:,} items", "moves")
    return points


def start_of(fields: Fields) -> Board | None:
    """The stones before the first move, and who moves; None for an empty board."""
    if "setup" not in fields:
        return None
    setup = fields.object("setup", (*(color.label for color in Color), "turn"))
    black, white = (setup.texts(color.label, BOARD_SIZE**2) for color in Color)
    return Board.from_stones(black, white, turn=color_of(setup, "turn"))


def color_of(fields: Fields, name: str) -> Color | None:
    """A colour by its name, None if it is not told."""
    value = fields.one_of(name, (color.label for color in Color))
    return None if value is None else Color[value.upper()]


def choice_of(fields: Fields, name: str, known: tuple[str, ...], default: str) -> str:
    return fields.one_of(name, known) or default


def count_of(fields: Fields, name: str, least: int, most: int, default: int) -> int:
    """A whole number, moved into its range."""
    value = fields.integer(name)
    return min(max(default if value is None else value, least), most)


def limit_of(fields: Fields, kind: str, default: float | None) -> Limit:
    """What the search may take: seconds and nodes, both bounded. A number of nodes alone is an answer that
    does not depend on the clock, but even it ends when the most seconds are over."""
    least, most = TIMES[kind]
    time = fields.number("time")
    # Compared, not converted: a whole number may be too large for a float.
    if time is not None and not -math.inf < time < math.inf:
        raise RequestError(f"time is a number of seconds, not {quoted(time)}", "time")
    nodes = count_of(fields, "nodes", 1, _MOST_NODES, 1) if "nodes" in fields else None
    if time is None:
        time = most if nodes is not None else default
    return Limit(time=None if time is None else float(min(max(time, least), most)), nodes=nodes)


def level_of(fields: Fields, default: str) -> str:
    return choice_of(fields, "level", LEVELS, default)


def rule_of(fields: Fields) -> tuple[str, list[str]]:
    """The opening rule of a game, and what was done in it so far."""
    rule = OpeningRule.parse(fields.text("rule", _MOST_NAME))
    if not rule.has_machine:
        raise RequestError(f"only the name of {rule} is known here", "rule")
    return rule.value, fields.texts("actions", MOST_MOVES)
