"""The journal of a search for puzzles: a line for every chunk of the input that is finished."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from renju._journal import Journal, JournalKind
from renju.pipeline.work import Chunk
from renju.puzzles.work import Part

__all__ = ["DoneChunk", "PuzzleJournal"]


@dataclass(frozen=True)
class DoneChunk:
    """A finished chunk."""

    index: int
    """The number of the chunk, from 0."""
    first: int
    """The number of its first record, from 0."""
    records: int
    """Records of the input that it was made from, bad rows included."""
    counts: Counter[str]
    """Numbers of the chunk, as in `Part.counts`."""
    bad: list[dict[str, Any]]
    """The rows that could not be read."""
    puzzles: list[str]
    """The puzzles, a line of JSON each."""

    @property
    def positions(self) -> int:
        """The positions that its records have."""
        return self.counts["positions"]

    @classmethod
    def of(cls, chunk: Chunk, part: Part) -> DoneChunk:
        lines = [puzzle.to_json() for puzzle in part.puzzles]
        return cls(chunk.index, chunk.first, len(chunk.records), part.counts, part.bad, lines)

    def to_json(self) -> str:
        return json.dumps(vars(self) | {"counts": dict(self.counts)})

    @classmethod
    def from_json(cls, text: str) -> DoneChunk:
        try:
            data = json.loads(text)
            return cls(**data | {"counts": Counter(data["counts"])})
        except (TypeError, KeyError) as error:
            raise ValueError(f"this is no finished chunk: {error}") from None


_KIND = JournalKind("search for puzzles", "renju-puzzles-work", 1, DoneChunk.from_json)


class PuzzleJournal(Journal[DoneChunk]):
    """The file that a run is taken up from."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        super().__init__(path, _KIND, header)
        self.finished: dict[int, DoneChunk] = {}
        """Key: the number of a chunk; value: what was found in it."""

    def _restore(self, entries: Sequence[DoneChunk]) -> None:
        self.finished = {entry.index: entry for entry in entries}

    def add(self, done: DoneChunk) -> None:
        """Writes a finished chunk; it counts from now on, whatever happens."""
        self._write(done.to_json())
        self.finished[done.index] = done

    def drop(self, index: int, reason: str) -> None:
        """A chunk is not of this input: it is done again."""
        self.finished.pop(index, None)
