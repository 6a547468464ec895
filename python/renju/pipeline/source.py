"""The chunks that the input of a run is cut into."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import numpy as np

from renju._types import BOARD_SIZE, PASS
from renju.pipeline.inputs import Inputs
from renju.pipeline.readers import BadRow, Record
from renju.pipeline.spec import Spec
from renju.pipeline.work import Chunk

__all__ = ["Finished", "Source"]

# A record with so many bytes counts for a position more, so that those that are large but hold little do not
# fill the memory.
_BYTES_A_POSITION = 4096

# The points whose names have two letters: those of the rows 1 to 9.
_SHORT_NAMED = bytes(range(9 * BOARD_SIZE))


class Finished(Protocol):
    """A chunk that was done before, as a journal tells of it."""

    @property
    def first(self) -> int:
        """The number of its first record, from 0."""

    @property
    def records(self) -> int:
        """Records of the input that it was made from, bad rows included."""

    @property
    def positions(self) -> int:
        """The positions that its records have."""


class Source:
    """The chunks of the input that are still to do, and how far one is."""

    def __init__(
        self,
        inputs: Inputs,
        spec: Spec,
        finished: Mapping[int, Finished],
        drop: Callable[[int, str], object],
    ) -> None:
        """`finished` shards are not to be done again; `drop` hears of those that are not of this input, with
        the reason."""
        self._inputs, self._spec, self._finished, self._drop = inputs, spec, finished, drop
        self._read_positions = 0
        self._is_at_end = False

    def total(self) -> int:
        """About how many positions there are, from the part that was read so far."""
        if self._is_at_end or not self._inputs.read_bytes:
            return self._read_positions
        return int(self._read_positions * max(1.0, self._inputs.bytes / self._inputs.read_bytes))

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
        self._read_positions += positions
        return Chunk(index, first, taken, positions)

    def settle(self, chunk: Chunk, positions: int) -> None:
        """Now the number of positions of a chunk is known."""
        self._read_positions += positions - chunk.positions

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
