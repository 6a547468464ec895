"""The file of an explorer: its tables, how it is opened, and what it is without DuckDB."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from renju.errors import FormatError, RenjuError

__all__ = [
    "FORMAT",
    "MEMORY_MB",
    "VERSION",
    "connected",
    "create_tables",
    "duckdb_module",
    "facts_of",
    "literal",
]

FORMAT = "renju-explorer"
VERSION = 1

MEMORY_MB = 1024
"""Megabytes that DuckDB may take for a build, unless others are asked for; what needs more goes to the
disk."""

_GAMES = """
CREATE TABLE {schema}games (
    game UINTEGER,      -- the number of the game, from 0
    file VARCHAR, row_number UBIGINT, id VARCHAR,
    black VARCHAR, white VARCHAR, year USMALLINT,  -- 0: unknown
    result UTINYINT     -- 0 unknown, 1 black won, 2 white won, 3 a draw
)"""

_MOVES = """
CREATE TABLE {schema}moves (
    key UBIGINT,        -- the symmetric key of the position; the table is sorted by it
    after UBIGINT,      -- the symmetric key of the position after the move
    move UTINYINT,      -- the point on the canonical board; 225 is a pass
    games UINTEGER, black UINTEGER, white UINTEGER, draws UINTEGER,
    last UBIGINT,       -- the latest game: its year, times 2^32, and its number
    score INTEGER,      -- the best known score for the side that moves; NULL: none
    sure TINYINT        -- 1 the move is proved to win, -1 to lose; NULL: nothing is proved
)"""

_ABOUT = "CREATE TABLE {schema}about (facts VARCHAR)"


def duckdb_module() -> Any:
    """DuckDB; `RenjuError` says how to get it if it is not there."""
    try:
        import duckdb
    except ImportError:
        raise RenjuError("the explorer needs DuckDB: pip install 'renju-engine[explore]'") from None
    return duckdb


@contextmanager
def connected(
    path: str | Path, read_only: bool = False, memory_mb: int | None = None, threads: int = 0
) -> Iterator[Any]:
    """A connection to a file; errors of DuckDB become `FormatError` with the name of the file."""
    duckdb = duckdb_module()
    place = Path(path)
    if read_only and not place.is_file():
        raise FileNotFoundError(2, "No such file or directory", str(place))
    try:
        connection = duckdb.connect(str(place), read_only=read_only)
    except duckdb.Error as error:
        raise FormatError(f"{place}: {_first_line(error)}") from None
    try:
        if memory_mb is not None:
            connection.execute(f"SET memory_limit = '{int(memory_mb)}MB'")
            connection.execute(f"SET temp_directory = {literal(f'{place}.spill')}")
        if threads:
            connection.execute(f"SET threads = {int(threads)}")
        connection.execute("SET enable_progress_bar = false")
        yield connection
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except duckdb.OutOfMemoryException as error:
        raise MemoryError(f"{place}: {_first_line(error)}") from None
    except duckdb.Error as error:
        raise FormatError(f"{place}: {_first_line(error)}") from None
    finally:
        connection.close()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def literal(text: str) -> str:
    """A text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"


def create_tables(connection: Any, facts: dict[str, Any], schema: str = "") -> None:
    """The empty tables of an explorer."""
    for statement in (_GAMES, _MOVES, _ABOUT):
        connection.execute(statement.format(schema=schema))
    connection.execute(
        f"INSERT INTO {schema}about VALUES (?)", [json.dumps({"format": FORMAT, "version": VERSION, **facts})]
    )


def facts_of(connection: Any, path: str | Path, schema: str = "") -> dict[str, Any]:
    """What a file tells of itself; `FormatError` if it is no explorer of this version."""
    duckdb = duckdb_module()
    try:
        rows = connection.execute(f"SELECT facts FROM {schema}about").fetchall()
        facts = json.loads(rows[0][0])
    except (duckdb.Error, IndexError, ValueError):
        facts = {}
    if facts.get("format") != FORMAT:
        raise FormatError(f"{path}: this is no explorer that renju has built")
    if facts.get("version") != VERSION:
        raise FormatError(f"{path}: its version is {facts.get('version')!r}, this program reads {VERSION}")
    found: dict[str, Any] = facts
    return found
