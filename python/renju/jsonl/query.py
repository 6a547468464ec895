"""What a line asks for: a query about a position, or an action."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

from renju import _native
from renju._request import Fields, Object, RequestError, parse_object, quoted
from renju._types import BOARD_SIZE, Color, Point
from renju.board import Board
from renju.config import LEVELS, EngineConfig
from renju.jsonl.lines import text_of
from renju.limits import KINDS, THREAT_LIMITS, Limit

__all__ = [
    "ACTIONS",
    "JOBS",
    "PLAY",
    "REVIEW",
    "Action",
    "Asked",
    "Defaults",
    "Id",
    "Query",
    "config_of",
    "read",
]

_MOST_ID = 1000
# Whole numbers up to here are the same in every language.
_MOST_NUMBER = 2**53
# Positions that one line may ask about; a game has at most 226.
_MOST_TURNS = 1000

# A server must not be busy for ever with a question that had no limit: some seconds.
_SOLVER_LIMIT = Limit(nodes=10_000_000)

_POSITION = frozenset({"id", "job", "priority", "moves", "black", "white", "turn", "referee"})
_SEARCH = frozenset({"level", "config", "limit", "reports"})
_ENGINE = _POSITION | _SEARCH | {"turns", "include_proof", "include_stats"}
_SOLVER = _POSITION | {"turns", "color", "max_depth", "shortest", "limit", "include_proof"}

PLAY, REVIEW = "play", "review"

# Key: a job; value: the fields of its queries.
JOBS: dict[str, frozenset[str]] = {
    "analyze": _ENGINE | {"multipv"},
    PLAY: _ENGINE | {"seed"},
    REVIEW: _POSITION | _SEARCH | {"multipv", "seed"},
    "forbidden": _POSITION | {"turns"},
    **{kind: _SOLVER | ({"threat_limit"} if kind == "vct" else set()) for kind in KINDS},
}
"""What can be asked of a position, each with the fields of its queries."""

_ALIASES = {"analyse": "analyze"}
# Key: an action; value: its fields.
ACTIONS: dict[str, frozenset[str]] = {
    "query_version": frozenset({"id", "action"}),
    "clear_cache": frozenset({"id", "action"}),
    "terminate": frozenset({"id", "action", "terminate_id"}),
    "terminate_all": frozenset({"id", "action"}),
}

_FIELDS = frozenset().union(*JOBS.values(), *ACTIONS.values())

_COLORS = {color.label: color for color in Color}

Id: TypeAlias = str | int
_T = TypeVar("_T")


@dataclass(frozen=True)
class Defaults:
    """What counts for a query that does not say otherwise."""

    level: str
    """The level of the engine for a query that names none."""
    limit: Limit
    """The limit of a search for a query that has none."""


@dataclass(frozen=True, eq=False)
class Query:
    """A question about a position, checked as far as it can be without an answer."""

    id: Id
    """The name that the asker gave to the query, which its answers repeat."""
    line: int
    """The number of the line of the input, from 1."""
    size: int
    """The length of the line in characters, which bounds what the query holds."""
    job: str
    """What is asked of the position: a key of `JOBS`."""
    board: Board
    """The position that is asked about."""
    ply: int | None
    """The number of moves before the position, if the line asks about several; else None."""
    priority: int
    """The rank of the query among those that wait: the highest is taken first."""
    limit: Limit
    """The seconds, nodes and plies that the search may take."""
    where: str
    """The field that is named in the error if the position is no good."""
    level: str
    """The level of the engine that the settings start from."""
    config: EngineConfig
    """The settings of the engine, with the changes that the query makes."""
    multipv: int
    """Moves of which an analysis tells the exact score."""
    seed: int
    """The seed of what the engine plays by chance."""
    color: Color | None
    """The colour whose forced win a solver looks for; None is the side to move."""
    max_depth: int | None
    """The most stones that the winner of a forced win may need; None is without a bound."""
    threat_limit: int
    """The most fours, 1 to 3, that a threat of a VCT may need."""
    shortest: bool
    """Whether a solver looks for the win of the fewest stones."""
    include_proof: bool
    """Whether the answer has the tree of the proof."""
    include_stats: bool
    """Whether the answer has the counters of the search."""
    reports: bool
    """Whether the search tells what it has found before its end."""

    @property
    def is_solving(self) -> bool:
        return self.job in KINDS


@dataclass(frozen=True)
class Action:
    """Something for the server itself to do."""

    id: Id
    """The name that the asker gave to the action, which its answer repeats."""
    name: str
    """What the server does: a key of `ACTIONS`."""
    terminate_id: Id | None
    """The name of the query that "terminate" ends; None for other actions."""


Asked: TypeAlias = list[Query] | Action | dict[str, object] | None


def read(line: str | bytes, number: int, defaults: Defaults) -> Asked:
    """The action of a line, or its queries, one for each position that it asks about; or the answer that
    tells what is wrong; None for an empty line."""
    name: Id | None = None
    try:
        text = text_of(line, number)
        if not text:
            return None
        values = parse_object(text)
        name = _id(values, "id")
        if values.get("action") is not None:
            return _action(name, values)
        return _queries(name, values, number, len(text), defaults)
    except RequestError as error:
        return {"id": name, **error.facts(number)}


def _id(values: Object, field: str) -> Id:
    value = values.get(field)
    if field in values.doubles:
        raise RequestError(f"{quoted(field)} is given twice", field)
    if isinstance(value, str) and len(value) <= _MOST_ID:
        return value
    if type(value) is int and abs(value) <= _MOST_NUMBER:
        return value
    if value is None:
        raise RequestError(f"there is no {field}", field)
    raise RequestError(
        f"{field} is a text of at most {_MOST_ID} characters or a whole number of at most 2^53, "
        f"not {quoted(value)}",
        field,
    )


def _action(name: Id, values: Object) -> Action:
    fields = Fields(values, _FIELDS)
    action = fields.one_of("action", ACTIONS)
    assert action is not None, "it is given"
    _check_known(fields, ACTIONS[action], f"the action {quoted(action)}")
    terminate_id = _id(values, "terminate_id") if action == "terminate" else None
    return Action(name, action, terminate_id)


def _queries(name: Id, values: Object, line: int, size: int, defaults: Defaults) -> list[Query]:
    """A query for each of the turns, or the only one."""
    fields = Fields(values, _FIELDS)
    query = _query(name, fields, line, size, defaults)
    turns = _turns(fields, query.board)
    if turns is None:
        return [query]
    boards = dict.fromkeys(turns, query.board)
    earlier = query.board.copy()
    for ply in sorted(boards, reverse=True):
        while len(earlier.moves) > ply:
            earlier.pop()
        boards[ply] = earlier.copy()
    return [replace(query, board=boards[ply], ply=ply) for ply in turns]


def _turns(fields: Fields, board: Board) -> list[int] | None:
    """The moves before each position that is asked about; None if only the last position is."""
    given = fields.any("turns")
    last = len(board.moves)
    if given is None:
        return None
    if given == "all":
        # After the end there is nothing left to ask.
        given = list(range(last + (board.outcome is None)))
    if not isinstance(given, list):
        raise RequestError(f'turns is a list of numbers of moves or "all", not {quoted(given)}', "turns")
    if not 0 < len(given) <= _MOST_TURNS:
        raise RequestError(f"turns are 1 to {_MOST_TURNS:,} numbers of moves, not {len(given):,}", "turns")
    for index, ply in enumerate(given):
        place = f"turns[{index}]"
        if type(ply) is not int or not 0 <= ply <= last:
            raise RequestError(f"a turn is a number of moves from 0 to {last}, not {quoted(ply)}", place)
        if ply in given[:index]:
            raise RequestError(f"the turn {ply} is given twice", place)
    return given


def _query(name: Id, fields: Fields, line: int, size: int, defaults: Defaults) -> Query:
    job = fields.one_of("job", [*JOBS, *_ALIASES]) or "analyze"
    job = _ALIASES.get(job, job)
    _check_known(fields, JOBS[job], f"the job {quoted(job)}")
    level = fields.one_of("level", LEVELS) or defaults.level
    color = fields.one_of("color", _COLORS)
    return Query(
        id=name,
        line=line,
        size=size,
        job=job,
        board=_board(fields, job),
        ply=None,
        priority=fields.integer("priority", -_MOST_NUMBER, _MOST_NUMBER) or 0,
        limit=_limit(fields, job, defaults),
        where="moves" if "moves" in fields else "black",
        level=level,
        config=_changed(level, fields),
        multipv=1 if job == PLAY else _or(5, fields.integer("multipv", 1, BOARD_SIZE**2)),
        seed=_or(0, fields.integer("seed", -_MOST_NUMBER, _MOST_NUMBER)),
        color=None if color is None else _COLORS[color],
        max_depth=fields.integer("max_depth", 0, _MOST_NUMBER),
        threat_limit=_or(1, fields.integer("threat_limit", THREAT_LIMITS[0], THREAT_LIMITS[-1])),
        shortest=fields.switch("shortest"),
        include_proof=fields.switch("include_proof"),
        include_stats=fields.switch("include_stats"),
        reports=fields.switch("reports"),
    )


def _check_known(fields: Iterable[str], known: frozenset[str], what: str) -> None:
    for field in fields:
        if field not in known:
            raise RequestError(f"{quoted(field)} does not go with {what}", field[:_MOST_ID])


def _or(default: _T, value: _T | None) -> _T:
    return default if value is None else value


# The position


def _board(fields: Fields, job: str) -> Board:
    """Moves from the empty board, or stones and the moves after them."""
    is_set_up = "black" in fields or "white" in fields
    if not is_set_up and "moves" not in fields:
        raise RequestError("there is no position: give moves, or black and white", "moves")
    turn = fields.one_of("turn", _COLORS)
    referee = fields.switch("referee", default=True)
    if is_set_up and not referee:
        raise RequestError("the referee can be sent away for moves from the empty board only", "referee")
    if not is_set_up and turn is not None:
        raise RequestError("whose turn it is follows from the moves; turn goes with black and white", "turn")
    moves = _points(fields, "moves")
    if is_set_up:
        board = _set_up(fields, None if turn is None else _COLORS[turn], job)
    else:
        board = Board(referee=referee)
    with _blaming("moves"):
        board._position.play_all(moves)
    return board


def _set_up(fields: Fields, turn: Color | None, job: str) -> Board:
    black, white = _points(fields, "black"), _points(fields, "white")
    if turn is None and job == "forbidden":
        turn = Color.BLACK  # whose turn it is does not matter there
    if turn is None:
        # Which field is to blame: stones that are wrong whoever moves, or the turn that they do not tell.
        with _blaming("black"):
            Board.from_stones(black, white, Color.BLACK)
    with _blaming("turn" if turn is None else "black"):
        return Board.from_stones(black, white, turn)


def _points(fields: Fields, name: str) -> list[int]:
    """Points as one text, or as a list of names."""
    value = fields.any(name)
    if value is None:
        return []
    if isinstance(value, str):
        with _blaming(name):
            return _native.parse_moves(value)
    if not isinstance(value, list):
        raise RequestError(f'{name} is a text such as "h8i9" or a list of points, not {quoted(value)}', name)
    points: list[int] = []
    for index, item in enumerate(value):
        place = f"{name}[{index}]"
        if not isinstance(item, str):
            raise RequestError(f'a point is a text such as "h8", not {quoted(item)}', place)
        with _blaming(place):
            points.append(Point(item))
    return points


@contextmanager
def _blaming(field: str) -> Iterator[None]:
    """Makes an error one of this field."""
    try:
        yield
    except (ValueError, TypeError) as error:
        raise RequestError(str(error), field) from None


# Limits and settings


def _limit(fields: Fields, job: str, defaults: Defaults) -> Limit:
    """The limit of the query in place of the default one: with nodes alone, no clock must decide."""
    limit = defaults.limit
    if "limit" in fields:
        named = fields.object("limit", ("time", "nodes", "depth"))
        limit = Limit()
        for name in named:
            value: Any = named.number(name) if name == "time" else named.integer(name)
            with _blaming(named.path(name)):
                limit = replace(limit, **{name: value})
        if job in KINDS and limit.depth is not None:
            raise RequestError("depth is the engine's; the most stones of a win are max_depth", "limit.depth")
    if job not in KINDS:
        return limit
    return Limit(limit.time, limit.nodes) if (limit.time, limit.nodes) != (None, None) else _SOLVER_LIMIT


def _changed(level: str, fields: Fields) -> EngineConfig:
    """The settings of a level, and those of the query in their place."""
    changes = fields.object("config", vars(config_of(level)))
    values: dict[str, int] = {}
    for name in changes:
        value = changes.any(name)
        if not isinstance(value, bool | int):
            raise RequestError(
                f"{name} is a whole number, true or false, not {quoted(value)}", changes.path(name)
            )
        values[name] = value
        with _blaming(changes.path(name)):
            EngineConfig().replace(**{name: value})
    return config_of(level, json.dumps(values, sort_keys=True))


@lru_cache(maxsize=64)
def config_of(level: str, changes: str = "{}") -> EngineConfig:
    """The settings of a level with these changes, which are JSON. Queries share them: they are large."""
    config = EngineConfig.from_level(level)
    return config.replace(**json.loads(changes)) if changes != "{}" else config
