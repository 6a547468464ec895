"""The input of a run: its files, whether they changed, and the chunks they are cut into."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from renju._types import BOARD_SIZE, PASS
from renju.errors import FormatError
from renju.pipeline.readers import BadRow, Fields, Record, format_of, read
from renju.pipeline.shards import Shard
from renju.pipeline.spec import Spec
from renju.pipeline.work import Chunk, Done

__all__ = ["Inputs", "Source", "file_digest"]

# A record with so many bytes counts for a position more, so that those that are large but hold little do not
# fill the memory.
_BYTES_A_POSITION = 4096

# The points whose names have two letters: those of the rows 1 to 9.
_SHORT_NAMED = bytes(range(9 * BOARD_SIZE))


class Inputs:
    """The files that are read. Everything that can be seen at once to be wrong with them is an error here."""

    def __init__(self, names: Sequence[str], fields: Fields, form: str | None = None) -> None:
        """`fields` name the columns of moves and ids where they have other names than usual, `form` is the
        format if names do not tell."""
        self.names, self.fields, self.form = names, fields, form
        if not names:
            raise ValueError("there is no input")
        seen: dict[str | Path, str] = {}
        for name in names:
            format_of(name, form)
            if not _is_text(name):
                raise ValueError(f"{name!r}: the name of a file must be UTF-8")
            place = name if name == "-" else Path(name).resolve()
            if place in seen:
                raise ValueError(f"{name}: the same input is given twice")
            seen[place] = name
        files = [name for name in names if not self.is_stream(name)]
        for name in files:
            rows = read(name, fields, form)
            next(rows, None)  # no column of moves, no array of boards
            rows.close()
        self._stamps = {name: _stamp(name) for name in files}
        self.bytes = sum(size for size, _ in self._stamps.values())
        self._at = names[0]
        """The file that is read."""

    @staticmethod
    def is_stream(name: str) -> bool:
        """Can this be read only once?"""
        return name == "-" or (Path(name).exists() and not Path(name).is_file() and not Path(name).is_dir())

    def digests(self) -> dict[str, str | None]:
        """What tells by name whether the content of a file is another; nothing is known of streams."""
        return {name: file_digest(name) if name in self._stamps else None for name in self.names}

    def records(self) -> Iterator[Record | BadRow]:
        """All records of all files in order."""
        for name in self.names:
            self._at = name
            yield from read(name, self.fields, self.form)
            self.check_unchanged()

    def check_unchanged(self) -> None:
        """`FormatError` if the file that is read is not the one that the run began with."""
        if self._at in self._stamps and _stamp(self._at) != self._stamps[self._at]:
            raise FormatError(f"{self._at}: the file was changed while it was read")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _stamp(name: str) -> tuple[int, int]:
    facts = Path(name).stat()
    return facts.st_size, facts.st_mtime_ns


def file_digest(name: str) -> str:
    """What tells whether the content of a file is another."""
    with Path(name).open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]


class Source:
    """The chunks of the input that are still to do, and how far one is."""

    def __init__(
        self,
        inputs: Inputs,
        spec: Spec,
        finished: Mapping[int, Shard],
        drop: Callable[[int, str], object],
    ) -> None:
        """`finished` shards are not to be done again; `drop` hears of those that are not of this input, with
        the reason."""
        self._inputs, self._spec, self._finished, self._drop = inputs, spec, finished, drop
        self._read_bytes = 0
        self._read_positions = 0
        self._is_at_end = False

    def total(self) -> int:
        """About how many positions there are, from the part that was read so far."""
        if self._is_at_end or not self._read_bytes:
            return self._read_positions
        return int(self._read_positions * max(1.0, self._inputs.bytes / self._read_bytes))

    def chunks(self) -> Iterator[Chunk]:
        """Whole records until they have enough positions; what is finished is passed over. There is always
        one chunk, so that a table without rows has its columns."""
        records = self._inputs.records()
        index = first = 0
        while True:
            chunk = self._take(records, index, first)
            # Before the work on it: a shard that counts is one of the file whose digest is in the plan.
            self._inputs.check_unchanged()
            if not chunk.records and index > 0:
                break
            known = self._finished.get(index)
            if known is not None and (known.first, known.records) != (first, len(chunk.records)):
                # A checksum does not tell whether a number was right when it was written.
                told = f"the journal says {known.records} records from {known.first}"
                self._drop(index, f"{told}, the input {len(chunk.records)} from {first}; it is done again")
                known = None
            if known is None:
                yield chunk
            else:
                self._read_positions += known.positions - chunk.positions
            index, first = index + 1, first + len(chunk.records)
        for extra in [known for known in self._finished if known >= index]:
            self._drop(extra, f"the input has {index} shards; it is left out")
        self._is_at_end = True

    def _take(self, records: Iterator[Record | BadRow], index: int, first: int) -> Chunk:
        taken: list[Record | BadRow] = []
        positions = 0
        while positions < self._spec.shard_positions:
            record = next(records, None)
            if record is None:
                break
            taken.append(record)
            positions += self._expected(record)
            self._read_bytes += record.size
        self._read_positions += positions
        return Chunk(index, first, taken, positions)

    def settle(self, chunk: Chunk, done: Done) -> None:
        """Now the number of positions of a chunk is known."""
        self._read_positions += done.positions - chunk.positions

    def _expected(self, record: Record | BadRow) -> int:
        """Positions of a record, at a glance. Chunks end by it, so it must not depend on anything else."""
        count = 1
        content = record.content if isinstance(record, Record) else None
        if isinstance(content, np.ndarray):
            count = len(content)
        elif isinstance(content, str | bytes) and not self._spec.only_last:
            count = _letters(content) // 2  # the shortest moves have two letters
        return max(1, count, record.size // _BYTES_A_POSITION)


def _letters(moves: str | bytes) -> int:
    """The length of a text of moves; numbers count like the text "H8 I10 pass", by which runs that are not
    finished may have been cut."""
    if isinstance(moves, str):
        return len(moves)
    return 3 * len(moves) - 1 + len(moves.translate(None, _SHORT_NAMED)) + moves.count(PASS)
