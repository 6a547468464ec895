"""Records in files: shards of .npy or .parquet, each written in one step."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from renju._files import written
from renju.data.records import RECORD_DTYPE, Records, check_records, from_files
from renju.errors import FormatError
from renju.limits import between
from renju.pipeline.inputs import need_arrow
from renju.pipeline.records import BadRow

__all__ = ["FORMS", "Export", "export", "load", "shard_paths", "write"]

FORMS = ("npy", "parquet")
"""The formats of shards."""

_SHARD_RECORDS = 1 << 18
_MOST_RECORDS = 1 << 26

# The fields that are several bytes, which Parquet has as binaries of a fixed size.
_PACKED = tuple(name for name in RECORD_DTYPE.names or () if RECORD_DTYPE[name].shape)


@dataclass(frozen=True)
class Export:
    """What `export` wrote."""

    files: tuple[Path, ...]
    """The paths of the shards."""
    records: int
    """The number of records in all shards."""
    games: int
    """The number of games with a record."""
    bad: int
    """The number of rows of the input that gave no record."""


def export(
    inputs: str | Path | Sequence[str | Path],
    out: str | Path,
    form: str = "npy",
    *,
    shard_records: int = _SHARD_RECORDS,
    on_bad: Callable[[BadRow], object] | None = None,
    **options: Any,
) -> Export:
    """Writes the records of files of games to shards in the folder `out`, which must be empty or new.

    A shard is a file of `shard_records` records; `form` names its format. `inputs` and `options` are those of
    `from_files`. What cannot be read is counted, and told to `on_bad`.

    >>> from renju import data, samples
    >>> from pathlib import Path
    >>> _ = Path("few.txt").write_text("\\n".join(samples.games()[:3]))
    >>> done = data.export("few.txt", "shards")
    >>> done.records, done.games, [path.name for path in done.files]
    (83, 3, ['part-000000.npy'])
    """
    total = games = bad = 0

    def count(row: BadRow) -> None:
        nonlocal bad
        bad += 1
        if on_bad is not None:
            on_bad(row)

    def counted() -> Iterator[Records]:
        nonlocal total, games
        for records in from_files(inputs, on_bad=count, **options):
            total += len(records)
            games += len(np.unique(records["game"]))
            yield records

    files = write(counted(), out, form, shard_records=shard_records)
    return Export(tuple(files), total, games, bad)


def write(
    records: Records | Iterable[Records],
    out: str | Path,
    form: str = "npy",
    *,
    shard_records: int = _SHARD_RECORDS,
) -> list[Path]:
    """Writes records, in one array or in several, to shards of `shard_records` each in the folder `out`,
    which must be empty or new; the paths of the shards. `form` names the format of their files."""
    if form not in FORMS:
        raise ValueError(f"form is one of {', '.join(FORMS)}, not {form!r}")
    if form == "parquet":
        _arrow()
    size = between("shard_records", shard_records, 1, _MOST_RECORDS)
    folder = Path(out)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(errno.EEXIST, "is no empty folder; take another name", str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for index, shard in enumerate(_cut([records] if isinstance(records, np.ndarray) else records, size)):
        path = folder / f"part-{index:06d}.{form}"
        with written(path) as file:
            if form == "npy":
                np.save(file, shard)
            else:
                _arrow().write_table(_table(shard), file, compression="zstd")
        paths.append(path)
    return paths


def _cut(parts: Iterable[Records], size: int) -> Iterator[Records]:
    kept: list[Records] = []
    count = 0
    for part in parts:
        rest = check_records(part)
        while count + len(rest) >= size:
            yield np.concatenate([*kept, rest[: size - count]])
            rest, kept, count = rest[size - count :], [], 0
        kept.append(rest)
        count += len(rest)
    if count:
        yield np.concatenate(kept)


def load(path: str | Path) -> Records:
    """The records of the shard at `path`; those of an .npy file stay on the disk until they are asked for."""
    path = Path(path)
    try:
        if path.suffix == ".parquet":
            return _records(_arrow().read_table(path))
        return _checked(np.load(path, mmap_mode="r", allow_pickle=False))
    except OSError as error:
        if error.errno is not None:
            raise
        raise FormatError(f"{path}: {error}") from None
    except (ValueError, TypeError, KeyError, EOFError) as error:
        raise FormatError(f"{path}: it is no shard of records: {error}") from None


def _checked(array: Any) -> Records:
    if array.dtype != RECORD_DTYPE or array.ndim != 1:
        raise TypeError(f"it holds {array.dtype} {array.shape}")
    found: Records = array
    return found


def shard_paths(place: str | Path) -> list[Path]:
    """The shards of a folder by name, or the one file; `FormatError` if there are none."""
    path = Path(place)
    if path.is_file():
        return [path]
    found = sorted(one for form in FORMS for one in path.glob(f"part-*.{form}"))
    if not found:
        raise FormatError(f"{path}: there are no shards")
    return found


def _arrow() -> Any:
    need_arrow()
    import pyarrow.parquet as pq

    return pq


def _table(records: Records) -> Any:
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name in RECORD_DTYPE.names or ():
        values = np.ascontiguousarray(records[name])
        if name in _PACKED:
            kind = pa.binary(values.shape[1])
            columns[name] = pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
        else:
            columns[name] = values
    return pa.table(columns)


def _records(table: Any) -> Records:
    found = np.zeros(table.num_rows, RECORD_DTYPE)
    for name in RECORD_DTYPE.names or ():
        column = table.column(name).combine_chunks()
        if name in _PACKED:
            width = RECORD_DTYPE[name].shape[0]
            if column.type.byte_width != width:
                raise TypeError(f"column {name} has {column.type.byte_width} bytes, not {width}")
            data = np.frombuffer(column.buffers()[1], np.uint8)[column.offset * width :]
            found[name] = data[: len(column) * width].reshape(-1, width)
        else:
            found[name] = column.to_numpy(zero_copy_only=False)
    return found
