"""The forms of the output: how they are named, and how one file is made of many shards."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import IO, TYPE_CHECKING

from renju._checksum import Stamp
from renju.errors import FormatError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["FORMS", "check_shards", "form_of", "is_folder", "join_lines", "join_of"]

FORMS = ("parquet", "csv", "jsonl")

# Rows of a row group of Parquet: with fewer, readers are slow; more are not needed in memory at a time.
_GROUP_ROWS = 1 << 15

# Shards of Parquet that are read ahead of the one that is written.
_AHEAD = 2


def form_of(out: str, form: str | None = None) -> str:
    """The form of the output: as asked for, else by its name; folders hold Parquet unless told otherwise."""
    if form is not None and form not in FORMS:
        raise ValueError(f"the form is {', '.join(FORMS)}, not {form!r}")
    if out == "-":
        return form or "jsonl"
    suffix = Path(out).suffix.lower().removeprefix(".")
    if suffix in FORMS:
        if form is not None and form != suffix:
            raise ValueError(f"{out}: the name says {suffix}, but the form is {form}")
        return suffix
    if not is_folder(out):
        raise FormatError(
            f"{out}: no writer for .{suffix}; known are {', '.join(FORMS)}, "
            "and the name of a folder ends with /"
        )
    return form or "parquet"


def is_folder(out: str) -> bool:
    """Is the output a folder of shards, and not one file?"""
    path = Path(out)
    return not path.suffix or path.is_dir() or out.endswith(("/", os.sep))


# The shards with what they must be, of which there is at least one, and the file to write to.
Join = Callable[[Iterable[tuple[Path, Stamp]], IO[bytes]], None]


def _read(path: Path, stamp: Stamp) -> bytes:
    """A shard, if it is still as it was written: nothing else may get into the table."""
    data = path.read_bytes()
    if not stamp.is_of(data):
        raise FormatError(f"{path}: it was damaged after it was written; resume to do this shard again")
    return data


def check_shards(shards: Iterable[tuple[Path, Stamp]]) -> None:
    """`FormatError` if a shard is not as it was written."""
    for path, stamp in shards:
        if (flaw := stamp.flaw(path)) is not None:
            raise FormatError(f"{path}: {flaw}; resume to do this shard again")


def join_lines(shards: Iterable[tuple[Path, Stamp]], file: IO[bytes]) -> None:
    """Files of lines, one after the other."""
    for path, stamp in shards:
        file.write(_read(path, stamp))


def _join_csv(shards: Iterable[tuple[Path, Stamp]], file: IO[bytes]) -> None:
    for n, (path, stamp) in enumerate(shards):
        data = _read(path, stamp)
        file.write(data if n == 0 else memoryview(data)[data.index(b"\n") + 1 :])


def _join_parquet(shards: Iterable[tuple[Path, Stamp]], file: IO[bytes], threads: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = _tables(shards, threads)
    first = next(tables)
    with pq.ParquetWriter(file, first.schema, compression="zstd") as writer:
        waiting = [first]
        for table in tables:
            if sum(table.num_rows for table in waiting) >= _GROUP_ROWS:
                writer.write_table(pa.concat_tables(waiting))
                waiting.clear()
            waiting.append(table)
        writer.write_table(pa.concat_tables(waiting))


def _tables(shards: Iterable[tuple[Path, Stamp]], threads: int) -> Iterator[pa.Table]:
    """The tables of the shards in order; with more than one thread, some are read ahead."""
    if threads == 1:
        yield from starmap(_table, shards)
        return
    with ThreadPoolExecutor(1, "renju-join") as reader:
        coming: deque[Future[pa.Table]] = deque()
        for shard in shards:
            coming.append(reader.submit(_table, *shard))
            if len(coming) > _AHEAD:
                yield coming.popleft().result()
        while coming:
            yield coming.popleft().result()


def _table(path: Path, stamp: Stamp) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Unlike `read_table` a `ParquetFile` does not read columns from the path.
    with pq.ParquetFile(pa.BufferReader(_read(path, stamp))) as part:
        return part.read(use_threads=False)


def join_of(form: str, threads: int) -> Join:
    """What makes one file of the shards of a form, on this number of threads."""
    joins: dict[str, Join] = {
        "csv": _join_csv,
        "jsonl": join_lines,
        "parquet": partial(_join_parquet, threads=threads),
    }
    return joins[form]
