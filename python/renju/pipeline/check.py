"""Is the result of a finished run still what the run wrote?"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from renju._checksum import Stamp
from renju.errors import FormatError
from renju.pipeline.inputs import input_digest
from renju.pipeline.manifest import Manifest, load
from renju.pipeline.places import Places

__all__ = ["Check", "check"]


@dataclass(frozen=True)
class Check:
    """What was found; `str` makes a page of it."""

    out: str
    """Path of the table or folder that the run wrote."""
    files: int
    """Files that the run left, without the report."""
    size: int
    """Bytes of the files that the run left, without the report."""
    positions: int
    """Positions that the run wrote, which are the rows of its table."""
    damage: tuple[str, ...]
    """What is not as the run left it: file and reason."""
    changes: tuple[str, ...]
    """Input files that are not there any more, or not as they were. The result is no worse for that."""

    @property
    def is_whole(self) -> bool:
        """Is the result what the run wrote, all of it and nothing else?"""
        return not self.damage

    def __str__(self) -> str:
        if self.is_whole:
            files = f"{self.files:,} file{'' if self.files == 1 else 's'}"
            lines = [f"{self.out} is whole: {self.positions:,} positions, {files}, {self.size:,} bytes"]
        else:
            lines = [f"{self.out} is damaged", *self.damage]
        return "\n".join([*lines, *self.changes])


def check(out: str | Path) -> Check:
    """Compares all files of the finished run that wrote `out` with the checksums in its report; Parquet is
    read, too.

    `FileNotFoundError` if there is no report of a finished run, `FormatError` if it cannot be trusted.

    >>> from pathlib import Path
    >>> from renju import pipeline
    >>> _ = Path("one.txt").write_text("h8i9")
    >>> _ = pipeline.run("one.txt", "one.csv", ["forbidden"], overwrite=True)
    >>> pipeline.check("one.csv").is_whole
    True
    >>> _ = Path("one.csv").write_text("changed")
    >>> pipeline.check("one.csv").damage
    ('one.csv: it has 7 bytes and not 266',)
    """
    # The form is in the report, whose place does not depend on it.
    path = Places(str(out), "").report
    report = load(path)
    if report is None:
        unfinished = Places(str(out), "").plan.exists()
        what = "there is only an unfinished run; resume it" if unfinished else "there is no report of a run"
        raise FileNotFoundError(errno.ENOENT, what, str(path))
    if report.flaw is not None:
        raise FormatError(f"{path}: {report.flaw}")
    manifest = Manifest.of_report(report.facts, path)
    places = Places(f"{out}/" if manifest.table is None else str(out), report.facts["form"])
    files = manifest.files(places)
    damage = {str(name): flaw for name, flaw in manifest.damage(places)}
    positions = report.facts["counts"]["positions"]
    if not damage and places.form == "parquet":
        damage |= _unreadable(places, files, positions)
    return Check(
        str(out),
        len(files),
        sum(stamp.size for stamp in files.values()),
        positions,
        tuple(f"{name}: {flaw}" for name, flaw in damage.items()),
        tuple(_changes(report.facts["inputs"])),
    )


def _unreadable(places: Places, files: Mapping[Path, Stamp], positions: int) -> dict[str, str]:
    """What Parquet says to files that have the right checksums."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    for path in files:
        if path == places.bad:
            continue
        try:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches():
                    rows += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            return {str(path): f"it cannot be read as Parquet: {error}"}
    return {} if rows == positions else {str(places.out): f"it has {rows:,} rows and not {positions:,}"}


def _changes(inputs: Mapping[str, Any]) -> Iterator[str]:
    for name, digest in inputs.items():
        if digest is None or name == "@-":
            continue  # of a stream, and of a list on one, nothing is known
        try:
            is_same = input_digest(name) == digest
        except (OSError, ValueError):
            yield f"the input {name} is not there any more"
        else:
            if not is_same:
                yield f"the input {name} has changed since"
