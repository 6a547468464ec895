"""A record, from what a line or a row of a table holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from renju.errors import FormatError

__all__ = [
    "MOST_SHOWN",
    "BadRow",
    "Fields",
    "GameFacts",
    "Record",
    "Stones",
    "check_header",
    "record_of",
    "wanted_fields",
]

# So much of a bad row is shown.
MOST_SHOWN = 1000

# The fields of a table that may hold the moves or the id of a game, in order of preference.
_MOVES_FIELDS = ("moves", "record", "game_moves")
_ID_FIELDS = ("id", "game", "game_id")
# Key: a name of `GameFacts`; value: the fields of a table that may tell it, in order of preference.
_FACT_FIELDS = {
    "black": ("black",),
    "white": ("white",),
    "date": ("date", "year"),
    "result": ("result", "winner"),
}

# The names of the fields with the moves and with the id, where they are not the usual ones.
Fields = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True)
class Stones:
    """A position without a history: the points of `black` and `white`, and whose `turn` it is, as they were
    read."""

    black: Any
    white: Any
    turn: Any = None


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What a file tells of a game beside its moves, as text; empty where it tells nothing."""

    black: str = ""
    """The name of the player with the black stones."""
    white: str = ""
    """The name of the player with the white stones."""
    date: str = ""
    """The date of the game, or its year."""
    result: str = ""
    """The result, as the file tells it."""


class Record(NamedTuple):
    """One game or position of a file. (A tuple, because millions of them are made on one thread.)"""

    file: str
    """The name of the file it is from."""
    row: int
    """The line or row of the file, counted from 1."""
    id: str | None
    """The id that the file gives to the game, if there is one."""
    content: str | bytes | Stones | np.ndarray[Any, Any]
    """Moves as text or as bytes, their numbers; stones; or boards (n, 15, 15), which then are n rows."""
    size: int
    """Bytes or rows of the file since the record before, so that one knows how far one is."""
    facts: GameFacts | None = None
    """Players, date and result, where they were asked for and the file tells any."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A `row` of a `file` that is no record, the `reason` of that, the beginning of its `text` if that helps,
    and its `size` as in `Record`."""

    file: str
    row: int
    reason: str
    text: str = ""
    size: int = 0


def check_header(path: str, names: Sequence[str], fields: Fields) -> None:
    """`FormatError` if a table has no column of moves or stones: then all of its rows would be bad."""
    seen: set[str] = set()
    twice = next((name for name in names if name in seen or seen.add(name)), None)  # type: ignore[func-returns-value]
    if twice is not None:
        raise FormatError(f"{path}: two columns are named {twice!r}")
    missing = [name for name in fields if name is not None and name not in names]
    if missing:
        raise FormatError(f"{path}: no column {missing[0]!r} among {', '.join(names)}")
    if fields[0] is None and not any(name in names for name in (*_MOVES_FIELDS, "black")):
        raise FormatError(
            f"{path}: no column {' or '.join(map(repr, _MOVES_FIELDS))} among {', '.join(names)}; "
            "name it with --column"
        )


def record_of(
    path: str, row: int, value: Any, fields: Fields, size: int, with_facts: bool = False
) -> Record | BadRow:
    """A record from what a line or a row of a table holds, with its facts if they are asked for."""
    try:
        content, label = (value, None) if isinstance(value, str) else _content(value, fields)
        for text in (content, label):
            if isinstance(text, str) and not text.isascii():
                text.encode()
    except UnicodeEncodeError:
        return BadRow(path, row, "the text is not UTF-8", size=size)
    except (TypeError, ValueError) as error:
        return BadRow(path, row, str(error), _shown(value), size)
    facts = _facts(value) if with_facts and isinstance(value, dict) and isinstance(content, str) else None
    return Record(path, row, label, content, size, facts)


def _facts(value: Mapping[str, Any]) -> GameFacts:
    """Players, date and result from the fields of a table."""
    found = {name: _first(value, names)[1] for name, names in _FACT_FIELDS.items()}
    return GameFacts(**{name: _label(field) or "" for name, field in found.items()})


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        value = {name: field for name, field in value.items() if field is not None}
    return str(value)[:MOST_SHOWN]


def _content(value: Any, fields: Fields) -> tuple[str | Stones, str | None]:
    """What is in a row, and the id of its game; `ValueError` or `TypeError` says why there is nothing."""
    if not isinstance(value, dict):
        raise TypeError(f"{type(value).__name__} where an object was expected")
    moves_field, id_field = fields
    label = _label(_first(value, (id_field,) if id_field else _ID_FIELDS)[1])
    names = (moves_field,) if moves_field else _MOVES_FIELDS
    name, moves = _first(value, names)
    if moves is not None:
        if isinstance(moves, list) and all(isinstance(move, str) for move in moves):
            moves = " ".join(moves)
        if not isinstance(moves, str):
            raise TypeError(f"{name!r} is neither a text nor a list of points")
        return moves, label
    black, white = value.get("black"), value.get("white")
    # Beside moves these may be the names of players.
    if any(name in value for name in names) or (black is None and white is None) or moves_field:
        raise ValueError(f"there is no {' or '.join(map(repr, names))}")
    return Stones("" if black is None else black, "" if white is None else white, value.get("turn")), label


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> tuple[str, Any]:
    """The first of these fields that is there."""
    return next(((name, value[name]) for name in names if value.get(name) is not None), ("", None))


def _label(value: Any) -> str | None:
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # what becomes of whole numbers in a column with gaps
    if value is None or isinstance(value, str | int | float):
        return None if value is None or value != value else str(value)
    raise TypeError(f"the id is {type(value).__name__}, not a text or a number")


def wanted_fields(names: Sequence[str], fields: Fields, with_facts: bool = False) -> list[str]:
    """Those of the columns that say something about a record, or about its game."""
    wanted = {*_MOVES_FIELDS, *_ID_FIELDS, *fields, "black", "white", "turn"}
    wanted |= {name for names in _FACT_FIELDS.values() for name in names} if with_facts else set()
    return [name for name in names if name in wanted]
