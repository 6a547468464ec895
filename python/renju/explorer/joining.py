"""What others know of positions, joined to an explorer; and several explorers joined to one."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from renju import __version__
from renju.errors import FormatError
from renju.explorer.building import Report, finish
from renju.explorer.database import MEMORY_MB, connected, create_tables, facts_of, literal

__all__ = ["Known", "annotate", "merge"]

Known: TypeAlias = Callable[[npt.NDArray[np.uint64]], Mapping[str, Any]]
"""A function that is given symmetric keys of positions, and returns columns of equal length for those that it
knows: "key", and "score" or "sure" or both, as in the file of `annotate`."""

# Keys that a function is asked about at a time.
_KEYS = 1_000_000

_READERS = {".parquet": "read_parquet", ".csv": "read_csv", ".jsonl": "read_json"}

_JOINED = """
INSERT INTO target.moves
SELECT moves.key, after, move, games, black, white, draws, last,
    coalesce(-known.score, moves.score), coalesce(-known.sure, moves.sure)
FROM moves LEFT JOIN known ON known.key = moves.after ORDER BY moves.key, after"""

_MERGED = """
INSERT INTO target.moves
SELECT key, after, min(move), sum(games), sum(black), sum(white), sum(draws), max(last), max(score),
    CASE WHEN max(sure) = 1 THEN 1 ELSE min(sure) END
FROM every_move GROUP BY key, after ORDER BY key, after"""


def annotate(path: str | Path, known: str | Path | Known, *, memory_mb: int = MEMORY_MB) -> Report:
    """Joins scores and sure results of positions to the moves that lead to them; the file is replaced in one
    step.

    `known` is a .parquet, .csv or .jsonl file with the columns "key" (the symmetric key, as a number), and
    "score" or "sure" or both; or a function, `Known`, that is asked about all keys of the explorer, a million
    at a time. A score is for the side to move in the position; "sure" is 1 if that side is proved to win, and
    -1 if it is proved to lose. Both are turned round for the move that leads there. What was known before
    stays where nothing new is told. DuckDB takes up to `memory_mb` megabytes.

    >>> from pathlib import Path
    >>> import renju
    >>> from renju import explorer
    >>> _ = Path("two.txt").write_text("h8i9g7\\nh8i9g9")
    >>> _ = explorer.build("two.txt", "two.duckdb", overwrite=True)
    >>> key = renju.Board("h8i9g7").symmetric_key
    >>> _ = explorer.annotate("two.duckdb", lambda keys: {"key": [key], "score": [-50], "sure": [-1]})
    >>> with explorer.Explorer("two.duckdb") as games:
    ...     moves = games.ask(renju.Board("h8i9")).moves
    >>> sorted((str(played.move), played.score, played.sure) for played in moves)
    [('G7', 50, 'win'), ('G9', None, None)]
    """
    place, work = Path(path), Path(f"{path}.work")
    if work.exists():
        raise FileExistsError(errno.EEXIST, "is in the way; it belongs to a build", str(work))
    try:
        with connected(work, memory_mb=memory_mb) as connection:
            connection.execute(f"ATTACH {literal(str(place))} AS old (READ_ONLY)")
            facts = facts_of(connection, place, "old.")
            connection.execute("CREATE TABLE known (key UBIGINT, score INTEGER, sure TINYINT)")
            if callable(known):
                _ask(connection, known)
            else:
                _load(connection, Path(known))
            _check(connection, known)
            for table in ("moves", "games", "bad"):
                connection.execute(f"CREATE VIEW {table} AS SELECT * FROM old.{table}")
            return finish(connection, place, facts.get("plan", {}), _JOINED)
    finally:
        _remove(work)


def _ask(connection: Any, known: Known) -> None:
    keys = connection.execute("SELECT DISTINCT after FROM old.moves ORDER BY after").fetchnumpy()["after"]
    for start in range(0, len(keys), _KEYS):
        columns = {name: np.asarray(values) for name, values in known(keys[start : start + _KEYS]).items()}
        unknown = {*columns} - {"key", "score", "sure"}
        if "key" not in columns or unknown or len({len(values) for values in columns.values()}) != 1:
            raise ValueError('known returns columns "key", "score" and "sure" of one length')
        if len(columns["key"]):
            columns["key"] = columns["key"].astype(np.uint64)
            connection.register("columns", columns)
            _insert(connection, "columns", list(columns))
            connection.unregister("columns")


def _load(connection: Any, path: Path) -> None:
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise FormatError(f"{path}: scores are read from {' '.join(_READERS)}")
    if not path.is_file():
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
    source = f"{reader}({literal(str(path))})"
    names = [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()]
    if "key" not in names or not {"score", "sure"} & {*names}:
        raise FormatError(
            f'{path}: columns "key", and "score" or "sure" are needed, there are {", ".join(names)}'
        )
    _insert(connection, source, names)


def _insert(connection: Any, source: str, names: Sequence[str]) -> None:
    columns = ", ".join(name if name in names else f"NULL AS {name}" for name in ("key", "score", "sure"))
    connection.execute(f"INSERT INTO known SELECT {columns} FROM {source}")


def _check(connection: Any, known: object) -> None:
    """`FormatError` where a position is told twice, or a flag is none."""
    name = "known" if callable(known) else known
    twice = connection.execute("SELECT key FROM known GROUP BY key HAVING count(*) > 1 LIMIT 1").fetchone()
    if twice is not None:
        raise FormatError(f"{name}: the key {twice[0]} is there twice")
    wrong = connection.execute("SELECT sure FROM known WHERE sure NOT IN (-1, 1) LIMIT 1").fetchone()
    if wrong is not None:
        raise FormatError(f"{name}: sure is 1, -1 or nothing, not {wrong[0]}")


def merge(paths: Sequence[str | Path], out: str | Path, *, memory_mb: int = MEMORY_MB) -> Report:
    """Makes one explorer of several, as if it had been built from all their games. A game that is in two of
    them counts twice. DuckDB takes up to `memory_mb` megabytes."""
    place, work = Path(out), Path(f"{out}.work")
    if not paths:
        raise ValueError("there is nothing to merge")
    taken = next((path for path in (place, work) if path.exists()), None)
    if taken is not None:
        raise FileExistsError(errno.EEXIST, "exists already; take another name", str(taken))
    try:
        with connected(work, memory_mb=memory_mb) as connection:
            create_tables(connection, {})
            plans, first, parts, players, bad = [], 0, [], [], []
            for number, path in enumerate(paths):
                if not Path(path).is_file():
                    raise FileNotFoundError(errno.ENOENT, "No such file or directory", str(path))
                connection.execute(f"ATTACH {literal(str(path))} AS part{number} (READ_ONLY)")
                plans.append(facts_of(connection, path, f"part{number}.").get("plan", {}))
                parts.append(f"SELECT * REPLACE (last + {first} AS last) FROM part{number}.moves")
                players.append(f"SELECT * REPLACE (game + {first} AS game) FROM part{number}.games")
                bad.append(f"SELECT * FROM part{number}.bad")
                first += report_of_games(connection, f"part{number}.")
            connection.execute("CREATE VIEW every_move AS " + " UNION ALL ".join(parts))
            connection.execute("CREATE VIEW every_game AS " + " UNION ALL ".join(players))
            connection.execute("CREATE VIEW every_bad AS " + " UNION ALL ".join(bad))
            plan = {"package": __version__, "merged": plans}
            return finish(connection, place, json.loads(json.dumps(plan)), _MERGED, "every_game", "every_bad")
    finally:
        _remove(work)


def report_of_games(connection: Any, schema: str) -> int:
    """The number of games of an explorer."""
    return int(connection.execute(f"SELECT count(*) FROM {schema}games").fetchone()[0])


def _remove(work: Path) -> None:
    for path in (work, Path(f"{work}.wal")):
        with suppress(FileNotFoundError):
            path.unlink()
