"""The forms of the output: how they are named, and how one file is made of many shards."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from renju.errors import FormatError

__all__ = ["FORMS", "JOIN", "form_of", "is_folder", "join_lines"]

FORMS = ("parquet", "csv", "jsonl")

# Rows of a row group of Parquet: with fewer, readers are slow; more are not needed in memory at a time.
_GROUP_ROWS = 1 << 15


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


def join_lines(paths: Sequence[Path], file: IO[bytes]) -> None:
    """Files of lines, one after the other."""
    for path in paths:
        with path.open("rb") as part:
            shutil.copyfileobj(part, file)


def _join_csv(paths: Sequence[Path], file: IO[bytes]) -> None:
    for n, path in enumerate(paths):
        with path.open("rb") as part:
            header = part.readline()
            if n == 0:
                file.write(header)
            shutil.copyfileobj(part, file)


def _join_parquet(paths: Sequence[Path], file: IO[bytes]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with pq.ParquetWriter(file, pq.read_schema(paths[0]), compression="zstd") as writer:
        waiting: list[pa.Table] = []
        for path in paths:
            with pq.ParquetFile(path) as part:  # unlike `read_table` it does not read columns from the path
                waiting.append(part.read())
            if sum(table.num_rows for table in waiting) >= _GROUP_ROWS:
                writer.write_table(pa.concat_tables(waiting))
                waiting.clear()
        if waiting:
            writer.write_table(pa.concat_tables(waiting))


# By form: the shards, of which there is at least one, and the file to write to.
JOIN: dict[str, Callable[[Sequence[Path], IO[bytes]], None]] = {
    "csv": _join_csv,
    "jsonl": join_lines,
    "parquet": _join_parquet,
}
