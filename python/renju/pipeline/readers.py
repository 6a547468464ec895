"""Files of games and positions, read one record at a time."""

from __future__ import annotations

import csv
import json
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from renju.errors import FormatError
from renju.game import Game
from renju.limits import shown
from renju.pipeline.game_files import Rows, lines_of, place_in, rows_of
from renju.pipeline.input_lines import TOO_LONG, input_lines, open_input, text_lines
from renju.pipeline.records import (
    MOST_SHOWN,
    BadRow,
    Fields,
    Record,
    Stones,
    check_header,
    record_of,
    wanted_fields,
)

__all__ = ["FORMATS", "BadRow", "Fields", "Record", "Stones", "format_of", "read"]

# Reads the file at a path, or the open file with this name; the last argument is whether facts are wanted.
Reader = Callable[[str, Fields, Any, bool], Rows]

# Rows of a Parquet file that are in memory at a time.
_ARROW_ROWS = 8_192

# Boards of an array that are one record: a single one would be too small a thing to handle.
_BOARDS = 256


def format_of(path: str, form: str | None = None) -> str:
    """The format of a file: as asked for, else by its name; `FormatError` if there is no reader for it."""
    if form is not None and form not in FORMATS:
        raise FormatError(f"no reader for {form!r}; known are {' '.join(FORMATS)}")
    if path == "-":
        if form in ("npy", "parquet"):
            raise FormatError(f"standard input can be {_streams()}, not {form}")
        return form or "txt"
    if form is not None:
        return form
    suffix = Path(path).suffix.lower()
    found = _SUFFIXES.get(suffix)
    if found is None:
        raise FormatError(
            f"{path}: no reader for {suffix or 'a name without a suffix'}; "
            f"known are {' '.join(sorted(_SUFFIXES))}"
        )
    return found


def _streams() -> str:
    """The formats of which a file need not be one, for people."""
    names = [name for name in FORMATS if name not in ("npy", "parquet")]
    return f"{', '.join(names[:-1])} or {names[-1]}"


def read(
    path: str,
    fields: Fields = (None, None),
    form: str | None = None,
    file: IO[bytes] | None = None,
    with_facts: bool = False,
) -> Rows:
    """The records of a file in order, and its rows that are none. `fields` name the columns of moves and ids
    where they have other names than usual, `form` the format if the name does not tell. An open `file`, such
    as a member of an archive, is read in place of the one at the path. `with_facts`: records tell players,
    date and result, too, which takes longer for SGF and .psq."""
    found = format_of(path, form)
    if file is not None and found in ("npy", "parquet"):
        raise FormatError(f"{path}: a file in an archive can be {_streams()}, not {found}; unpack it")
    return FORMATS[found](path, fields, file, with_facts)


def _read_text(path: str, fields: Fields, file: IO[bytes] | None = None, with_facts: bool = False) -> Rows:
    """A record on every line; empty lines and those that begin with # are none."""
    for item in text_lines(path, file):
        if isinstance(item, BadRow):
            yield item
            continue
        number, text, size = item
        text = text.strip()
        if "\r" in text:
            # Two games would be read as one.
            yield BadRow(path, number, "there is a carriage return within the line", text[:MOST_SHOWN], size)
        elif text and not text.startswith("#"):
            yield Record(path, number, None, text, size)


def _read_jsonl(path: str, fields: Fields, file: IO[bytes] | None = None, with_facts: bool = False) -> Rows:
    """A game on every line: an object with "moves", or with "black", "white" and perhaps "turn"; or a
    text."""
    for item in text_lines(path, file):
        if isinstance(item, BadRow):
            yield item
            continue
        number, text, size = item
        if not text.strip():
            continue
        try:
            value = json.loads(text)
            if isinstance(value, dict):
                # Null stands for nothing here; an empty cell of a table does not.
                value = {name: field for name, field in value.items() if field is not None}
        except (ValueError, RecursionError) as error:
            yield BadRow(path, number, f"no JSON: {error}", text[:MOST_SHOWN], size)
            continue
        yield record_of(path, number, value, fields, size, with_facts)


class _CsvLines:
    """The lines of a file for `csv.reader`. Those of a row can be given back."""

    def __init__(self, path: str, file: IO[bytes] | None) -> None:
        self._source = input_lines(path, file)
        self._again: deque[tuple[int, str, int, bool]] = deque()
        self.row: list[tuple[int, str, int, bool]] = []
        """Of every line since the row before: its number, text, size, and whether it was too long."""

    def __iter__(self) -> _CsvLines:
        return self

    def __next__(self) -> str:
        if self._again:
            line = self._again.popleft()
        else:
            number, found, size = next(self._source)
            # Bytes that are no text become visible marks, and then the row is bad.
            text = (found or b"").decode("utf-8-sig" if number == 1 else "utf-8", errors="surrogateescape")
            line = (number, f"{text}\n", size, found is None)
        self.row.append(line)
        return line[1]

    def give_back(self) -> None:
        """Has all lines since the row before read again, but the first."""
        self._again.extendleft(reversed(self.row[1:]))
        del self.row[1:]


def _read_csv(path: str, fields: Fields, file: IO[bytes] | None = None, with_facts: bool = False) -> Rows:
    """A game in every row; the first row has the names of the columns."""
    lines = _CsvLines(path, file)
    rows = csv.reader(lines, delimiter="\t" if path.lower().endswith(".tsv") else ",", strict=True)
    header: list[str] | None = None
    while True:
        lines.row.clear()
        reason = None
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            # Often a quote without its other half: then the lines after it may still be rows.
            lines.give_back()
            row, reason = [], f"no CSV: {error}"
        number, text = lines.row[0][:2]
        size = sum(line[2] for line in lines.row)
        if any(line[3] for line in lines.row):
            reason = TOO_LONG
        elif row and header is not None and len(row) != len(header):
            reason = f"{len(row)} fields where the header has {len(header)}"
        if reason is not None:
            yield BadRow(path, number, reason, text.rstrip("\n")[:MOST_SHOWN], size)
        elif row and header is None:
            header = row
            check_header(path, header, fields)
        elif row and header is not None:
            value = {name: cell or None for name, cell in zip(header, row, strict=True)}
            yield record_of(path, number, value, fields, size, with_facts)


def _read_npy(path: str, fields: Fields, _: None = None, with_facts: bool = False) -> Rows:
    """Boards (N, 15, 15); who moves is told by the stones."""
    with Path(path).open("rb") as file:
        boards, is_in_columns, dtype = _npy_header(path, file)
        start = file.tell()
        # Its header may promise anything: it is believed as far as there are bytes.
        if os.fstat(file.fileno()).st_size - start < boards * 225 * dtype.itemsize:
            raise FormatError(f"{path}: the file ends before board {boards:,}")
        mapped = None
        if is_in_columns and boards:  # a map of nothing cannot be made
            mapped = np.memmap(file, dtype, "r", start, (boards, 15, 15), "F")
        for row in range(0, boards, _BOARDS):
            count = min(_BOARDS, boards - row)
            if mapped is not None:
                block = np.array(mapped[row : row + count], order="C")
            else:
                # Not mapped: a file that shrinks while it is mapped would end the process.
                data = file.read(count * 225 * dtype.itemsize)
                if len(data) < count * 225 * dtype.itemsize:
                    raise FormatError(f"{path}: the file ends before board {row + count:,}")
                block = np.frombuffer(data, dtype).reshape(count, 15, 15)
            yield Record(path, row + 1, None, _small(block), block.nbytes)


def _npy_header(path: str, file: IO[bytes]) -> tuple[int, bool, np.dtype[Any]]:
    """The number of boards of an array file, whether their columns stand one after the other, and the type of
    a cell; the file is read up to the first of them."""
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    try:
        version = np.lib.format.read_magic(file)
        if version not in readers:
            raise ValueError(f"version {version[0]}.{version[1]} of array files is not read")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that an old program wrote it is no problem
            shape, is_in_columns, dtype = readers[version](file)
    except OSError:
        raise
    except Exception as error:  # what numpy raises for a header that is none has no common class
        raise FormatError(f"{path}: {str(error)[:200]}") from None
    if len(shape) != 3 or shape[1:] != (15, 15) or shape[0] < 0 or dtype.kind not in "iu":
        raise FormatError(f"{path}: {dtype} {shown(shape)}, integers (N, 15, 15) are needed")
    return shape[0], is_in_columns, dtype


def _small(codes: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same numbers as bytes, if that is what they are: chunks may travel."""
    is_small = codes.dtype == np.int8 or not ((codes < -128) | (codes > 127)).any()
    return codes.astype(np.int8) if is_small else codes


def _read_parquet(path: str, fields: Fields, _: None = None, with_facts: bool = False) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as table:
            names = table.schema_arrow.names
            check_header(path, names, fields)
            size = Path(path).stat().st_size // max(1, table.metadata.num_rows)
            row = 0
            for rows in table.iter_batches(_ARROW_ROWS, columns=wanted_fields(names, fields, with_facts)):
                for value in _plain(rows):
                    row += 1
                    yield record_of(path, row, value, fields, size, with_facts)
    except pa.ArrowException as error:
        raise FormatError(f"{path}: {error}") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise FormatError(f"{path}: {error}") from None  # pages that are damaged


def _plain(rows: Any) -> Iterator[dict[str, Any]]:
    """Rows of Arrow as Python has them, also those whose texts are bytes or no UTF-8."""
    import pyarrow as pa

    try:
        values = rows.to_pylist()
    except UnicodeDecodeError:
        columns = {
            name: column.cast(pa.large_binary()) if _is_text(column.type) else column
            for name, column in zip(rows.schema.names, rows.columns, strict=True)
        }
        values = pa.table(columns).to_pylist()
    for value in values:
        for name, field in value.items():
            if isinstance(field, bytes):
                value[name] = field.decode("utf-8", errors="surrogateescape")
        yield value


def _games_reader(form: str) -> Reader:
    """The reader of a format of `renju.io`: main lines, or the stones of set-ups; all lines of a library."""

    def read_games(
        path: str, fields: Fields, opened: IO[bytes] | None = None, with_facts: bool = False
    ) -> Rows:
        from renju.io import iter_games, iter_lines

        try:
            with open_input(path, opened) as file:
                at = 0
                games = iter_games(file, form=form) if with_facts else iter_lines(file, form)
                for row, game in enumerate(games, 1):
                    if isinstance(game, bytes) and at:  # of a file that was read whole for the first of them
                        yield Record(path, row, None, game, 0)
                        continue
                    before, at = at, place_in(file, at)
                    if form == "lib" and isinstance(game, Game):
                        yield from lines_of(path, game, at - before)
                    else:
                        yield from rows_of(path, row, game, at - before, with_facts)
        except FormatError as error:
            raise FormatError(f"{path}: {error}") from None

    return read_games


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    return any(is_kind(kind) for is_kind in (pa.types.is_string, pa.types.is_large_string))


FORMATS: dict[str, Reader] = {
    "txt": _read_text,
    "csv": _read_csv,
    "jsonl": _read_jsonl,
    "npy": _read_npy,
    "parquet": _read_parquet,
    **{form: _games_reader(form) for form in ("sgf", "psq", "lib", "rif")},
}

_SUFFIXES = {
    ".tsv": "csv",
    ".ndjson": "jsonl",
    ".pq": "parquet",
    ".xml": "rif",
    **{f".{name}": name for name in FORMATS},
}
