"""An explorer from files of games: streamed, resumable, in bounded memory.

Chunks of records go into ``OUT.work``, a database of occurrences: a row for every position of every game. A
chunk and the note that it is finished are one transaction, so that a killed run loses the chunk it was at,
and nothing else. At the end DuckDB groups and sorts the occurrences, on the disk where the memory does not
suffice, into a new file that takes the place of OUT in one step.
"""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from renju import __version__
from renju._files import Lock
from renju._progress import Bar, Progress
from renju.batch import transform_points
from renju.batch.boards import canonical_with_keys
from renju.errors import FormatError, Interrupted
from renju.explorer.database import MEMORY_MB, connected, create_tables, facts_of, literal
from renju.io._common import result_of
from renju.limits import between
from renju.pipeline.inputs import Inputs
from renju.pipeline.positions import Positions, positions_of
from renju.pipeline.readers import BadRow, Record
from renju.pipeline.source import Source
from renju.pipeline.spec import Spec
from renju.pipeline.work import Chunk

__all__ = ["Report", "build"]

# Positions of a chunk: a second of work, and some 100 MB.
_CHUNK_POSITIONS = 200_000
_MOST_MEMORY_MB = 1 << 24
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|2[01]\d\d)(?!\d)")
_RESULTS = {"1-0": 1, "0-1": 2, "1/2-1/2": 3}
_WORDS = {"black": 1, "white": 2, "draw": 3}

_WORK_TABLES = """
CREATE TABLE seen (key UBIGINT, after UBIGINT, move UTINYINT, result UTINYINT, last UBIGINT);
CREATE TABLE bad (file VARCHAR, row_number UBIGINT, reason VARCHAR);
CREATE TABLE done (chunk UINTEGER, first UBIGINT, records UBIGINT, positions UBIGINT, games UBIGINT);
"""

_GROUPED = """
INSERT INTO target.moves
SELECT key, after, min(move), count(*), count(*) FILTER (result = 1), count(*) FILTER (result = 2),
    count(*) FILTER (result = 3), max(last), NULL, NULL
FROM seen GROUP BY key, after ORDER BY key, after"""


@dataclass(frozen=True)
class Report:
    """What an explorer holds."""

    out: str
    """Path of the file that holds the explorer."""
    games: int
    """Records of the input that were read as games."""
    positions: int
    """Different positions with a move, images of each other counted once."""
    moves: int
    """Different moves in the positions, equivalent moves counted once."""
    bad: int = 0
    """Rows of the input that could not be read; the table "bad" of the file lists them."""

    def __str__(self) -> str:
        text = f"{self.games:,} games, {self.positions:,} positions, {self.moves:,} moves"
        return f"{text}; {self.bad:,} bad rows" if self.bad else text


@dataclass(frozen=True)
class _Done:
    """A chunk that is in the work file."""

    first: int
    records: int
    positions: int


def build(
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    *,
    moves_field: str | None = None,
    id_field: str | None = None,
    input_format: str | None = None,
    plies: tuple[int, int | None] = (0, None),
    referee: bool = True,
    memory_mb: int = MEMORY_MB,
    threads: int = 0,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool | Progress | None = None,
) -> Report:
    """Reads files of games and writes an explorer, a DuckDB file.

    Inputs are those of `pipeline.run`: files, archives, folders, patterns, lists; `moves_field`, `id_field`
    and `input_format` are explained there. Of each game the positions from the first to the last of `plies`
    are kept; ``(0, 30)`` is enough for openings. Players, date and result come from the headers of a game, or
    from the columns black, white, date or year, result or winner; a result that is not told is that of the
    last position. `referee` is that of `batch.expand`. DuckDB takes up to `memory_mb` megabytes and `threads`
    threads (0: one per core).

    A run that was killed is taken up again with `resume`; what it has is in ``OUT.work``. `progress` is True
    for a bar, or a function of the positions done and those expected in all.

    >>> from pathlib import Path
    >>> from renju import explorer, samples
    >>> _ = Path("games.txt").write_text("\\n".join(samples.games()))
    >>> print(explorer.build("games.txt", "games.duckdb", plies=(0, 20), overwrite=True))
    120 games, 1,917 positions, 2,041 moves
    """
    names = [str(inputs)] if isinstance(inputs, str | Path) else [str(name) for name in inputs]
    between("memory_mb", memory_mb, 64, _MOST_MEMORY_MB)
    between("threads", threads, 0, 1024)
    if resume and overwrite:
        raise ValueError("resume or overwrite, not both")
    place, work = Path(out), Path(f"{out}.work")
    spec = Spec.make(("vcf",), plies=plies, referee=referee, shard_positions=_CHUNK_POSITIONS)
    files = Inputs(names, (moves_field, id_field), input_format, with_facts=True)
    files.look()
    if resume and files.has_stream:
        raise ValueError("a run that reads a stream cannot be resumed")
    plan = {
        "package": __version__,
        "inputs": files.digests(),
        "fields": [moves_field, id_field],
        "input_format": input_format,
        "plies": list(plies),
        "referee": bool(referee),
    }
    lock = Lock(Path(f"{out}.lock"))
    try:
        if (known := _begin(place, work, plan, resume, overwrite)) is not None:
            return known
        with connected(work, memory_mb=memory_mb, threads=threads) as connection:
            _take_up(connection, work, plan)
            try:
                _read(connection, files, spec, threads, progress)
                report = finish(connection, place, plan, _GROUPED)
            except KeyboardInterrupt:
                raise Interrupted(f"interrupted; what was read is safe in {work}: resume to go on") from None
        for path in (work, Path(f"{work}.wal")):
            with suppress(FileNotFoundError):
                path.unlink()
        return report
    finally:
        lock.remove()


def _begin(place: Path, work: Path, plan: dict[str, Any], resume: bool, overwrite: bool) -> Report | None:
    """Clears the way; the report, if the same run is finished already."""
    if overwrite or not resume:
        taken = next((path for path in (place, work) if path.exists()), None)
        if taken is not None and not overwrite:
            raise FileExistsError(
                errno.EEXIST, "exists already; resume it, overwrite it or take another name", str(taken)
            )
        for path in (work, Path(f"{work}.wal")):
            with suppress(FileNotFoundError):
                path.unlink()
        return None
    if not place.exists():
        return None
    with connected(place, read_only=True) as connection:
        facts = facts_of(connection, place)
        if facts.get("plan") != json.loads(json.dumps(plan)):
            raise ValueError(f"{place}: this is another explorer, and is not resumed")
        return report_of(connection, place)


def _take_up(connection: Any, work: Path, plan: dict[str, Any]) -> None:
    """Makes the tables of the work file, or sees that they are those of this run."""
    tables = {row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if not tables:
        connection.execute("BEGIN")
        create_tables(connection, {"plan": plan})
        connection.execute(_WORK_TABLES)
        connection.execute("COMMIT")
    elif facts_of(connection, work).get("plan") != json.loads(json.dumps(plan)):
        raise ValueError(f"{work}: this is of another input or of other settings, and is not resumed")


def _read(connection: Any, files: Inputs, spec: Spec, threads: int, progress: bool | Progress | None) -> None:
    """Brings all chunks that are not there yet into the work file."""
    rows = connection.execute("SELECT chunk, first, records, positions FROM done").fetchall()
    finished = {row[0]: _Done(*row[1:]) for row in rows}
    games = connection.execute("SELECT coalesce(sum(games), 0) FROM done").fetchone()[0]
    if sorted(finished) != list(range(len(finished))):
        raise FormatError("the work file lacks a chunk; overwrite it")
    source = Source(files, spec, finished, _refuse)
    done = sum(chunk.positions for chunk in finished.values())
    with Bar(progress, max(done, source.total()), "positions", done, is_scaled=True) as bar:
        for chunk in source.chunks():
            games += _add(connection, chunk, spec, int(games), threads)
            positions = connection.execute(
                "SELECT positions FROM done WHERE chunk = ?", [chunk.index]
            ).fetchone()[0]
            source.settle(chunk, positions)
            done += positions
            bar.note(files.place())
            bar.show(done, max(done, source.total()))


def _refuse(index: int, reason: str) -> None:
    raise FormatError(f"chunk {index} of the work file is not of this input: {reason}; overwrite it")


def _add(connection: Any, chunk: Chunk, spec: Spec, first_game: int, threads: int) -> int:
    """Writes a chunk in one transaction; returns the number of its games."""
    records = [record for record in chunk.records if isinstance(record, Record)]
    positions, more = positions_of(records, spec, with_openings=False)
    bad = [*(row for row in chunk.records if isinstance(row, BadRow)), *more]
    results, years = _results(records, positions)
    seen = _occurrences(positions, results, years, first_game, threads)
    games = _games(records, results, years, first_game)
    connection.execute("BEGIN")
    for table, columns in (("seen", seen), ("games", games)):
        if len(next(iter(columns.values()))):
            connection.register("columns", columns)
            connection.execute(f"INSERT INTO {table} SELECT * FROM columns")
            connection.unregister("columns")
    if bad:
        connection.executemany(
            "INSERT INTO bad VALUES (?, ?, ?)", [(row.file, row.row, row.reason) for row in bad]
        )
    told = [chunk.index, chunk.first, len(chunk.records), len(positions), len(records)]
    connection.execute("INSERT INTO done VALUES (?, ?, ?, ?, ?)", told)
    connection.execute("COMMIT")
    return len(records)


def _results(records: Sequence[Record], positions: Positions) -> tuple[Any, Any]:
    """The result and the year of every record: as the file tells it, else as the last position has it."""
    results = np.zeros(len(records), np.uint8)
    results[positions.games] = positions.results
    years = np.zeros(len(records), np.uint16)
    for n, record in enumerate(records):
        if record.facts is not None:
            word = record.facts.result.strip().lower()
            told = _WORDS.get(word) or _RESULTS.get(result_of(record.facts.result))
            results[n] = told or results[n]
            year = _YEAR.search(record.facts.date)
            years[n] = int(year[0]) if year else 0
    return results, years


def _occurrences(
    positions: Positions, results: Any, years: Any, first_game: int, threads: int
) -> dict[str, Any]:
    """A row for every position with a move whose next position is known: its key, that of the next one, and
    the move on the canonical board."""
    _, symmetries, keys = canonical_with_keys(positions.boards, positions.turns, threads=threads)
    at = np.flatnonzero(
        (positions.played[:-1] >= 0)
        & (positions.games[:-1] == positions.games[1:])
        & (positions.plies[:-1] + 1 == positions.plies[1:])
    )
    moves = positions.played[at].astype(np.uint8)
    is_point = moves < 225
    moves[is_point] = transform_points(moves[is_point], symmetries[at][is_point])
    games = positions.games[at]
    last = (years[games].astype(np.uint64) << np.uint64(32)) + (games + first_game).astype(np.uint64)
    return {
        "key": keys[at],
        "after": keys[at + 1],
        "move": moves,
        "result": results[games],
        "last": last,
    }


def _games(records: Sequence[Record], results: Any, years: Any, first_game: int) -> dict[str, Any]:
    def texts(values: list[str]) -> Any:
        return np.array(values, dtype=object)

    facts = [record.facts for record in records]
    return {
        "game": np.arange(first_game, first_game + len(records), dtype=np.uint32),
        "file": texts([record.file for record in records]),
        "row_number": np.array([record.row for record in records], np.uint64),
        "id": texts([record.id or "" for record in records]),
        "black": texts(["" if fact is None else fact.black for fact in facts]),
        "white": texts(["" if fact is None else fact.white for fact in facts]),
        "year": years,
        "result": results,
    }


def finish(
    connection: Any, place: Path, plan: Any, grouped: str, games: str = "games", bad: str = "bad"
) -> Report:
    """Groups and sorts what was read into a new file, which takes the place of the old one in one step."""
    new = Path(f"{place}.new")
    for path in (new, Path(f"{new}.wal")):
        with suppress(FileNotFoundError):
            path.unlink()
    connection.execute(f"ATTACH {literal(str(new))} AS target")
    create_tables(connection, {"plan": plan}, "target.")
    connection.execute(f"INSERT INTO target.games SELECT * FROM {games} ORDER BY game")
    # The latest games of a position stand anywhere in it: 62 of a million take 10 ms by it, 70 without.
    connection.execute("CREATE INDEX games_by_number ON target.games (game)")
    connection.execute(grouped)
    connection.execute("CREATE TABLE target.bad (file VARCHAR, row_number UBIGINT, reason VARCHAR)")
    connection.execute(f"INSERT INTO target.bad SELECT * FROM {bad}")
    connection.execute("CHECKPOINT target")
    connection.execute("DETACH target")
    new.replace(place)
    with connected(place, read_only=True) as finished:
        return report_of(finished, place)


def report_of(connection: Any, place: str | Path) -> Report:
    """The numbers of an explorer."""
    games = connection.execute("SELECT count(*) FROM games").fetchone()[0]
    # The table is sorted by key, so that different keys are counted without a table of them.
    moves, positions = connection.execute(
        "SELECT count(*), count(*) FILTER (is_new) FROM "
        "(SELECT key IS DISTINCT FROM lag(key) OVER () AS is_new FROM moves)"
    ).fetchone()
    bad = connection.execute("SELECT count(*) FROM bad").fetchone()[0]
    return Report(str(place), games, positions, moves, bad)
