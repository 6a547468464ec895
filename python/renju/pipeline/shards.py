"""The journal of a run: a line for each shard that is finished, with all that its files must be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from renju._checksum import Stamp
from renju._files import Lock
from renju._journal import Content, Journal, JournalKind
from renju.errors import FormatError
from renju.pipeline.places import Places
from renju.pipeline.work import Chunk, Done

__all__ = ["JOURNAL_FORMAT", "Shard", "ShardFile"]

JOURNAL_FORMAT = "renju-batch-journal"
_VERSION = 2


@dataclass(frozen=True)
class Shard:
    """A shard that is finished."""

    index: int
    """The number of the shard, from 0."""
    first: int
    """The number of its first record, from 0."""
    records: int
    """Records of the input that the shard was made from, bad rows included."""
    table: Stamp
    """Size and checksum of the file with the rows of the shard."""
    bad: Stamp | None
    """Size and checksum of the file with the bad rows of the shard; None if there are none."""
    analysed: int
    """Positions that were searched, and not known from before."""
    counts: Mapping[str, int]
    """Key: what the summary counts, such as "games" or "vcf proved"; value: how many there are."""

    @classmethod
    def of(cls, chunk: Chunk, done: Done) -> Shard:
        return cls(
            chunk.index,
            chunk.first,
            len(chunk.records),
            done.table,
            Stamp.of(done.bad) if done.bad else None,
            done.analysed,
            dict(sorted(done.counts.items())),
        )

    @property
    def positions(self) -> int:
        return self.counts["positions"]

    def to_json(self) -> str:
        """One line, without its end."""
        facts = {
            "shard": self.index,
            "first": self.first,
            "records": self.records,
            "table": self.table._asdict(),
            "bad": None if self.bad is None else self.bad._asdict(),
            "analysed": self.analysed,
            "counts": self.counts,
        }
        return json.dumps(facts)

    @classmethod
    def from_json(cls, text: str) -> Shard:
        """The shard of a line; `FormatError` tells what is wrong with it."""
        try:
            facts = json.loads(text)
            shard = cls(
                facts["shard"],
                facts["first"],
                facts["records"],
                Stamp.from_json(facts["table"]),
                None if facts["bad"] is None else Stamp.from_json(facts["bad"]),
                facts["analysed"],
                facts["counts"],
            )
            shard._check()
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise FormatError(f"not the record of a shard: {error}") from None
        return shard

    def _check(self) -> None:
        """`ValueError` if the numbers do not fit each other."""
        numbers = [self.index, self.first, self.records, self.analysed, *self.counts.values()]
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError("a number is missing or negative")
        if self.first < self.index or self.analysed > self.positions:
            raise ValueError(f"shard {self.index} has numbers that contradict each other")
        if (self.bad is None) != (self.counts.get("bad", 0) == 0):
            raise ValueError(f"shard {self.index} has a wrong number of bad rows")


def _kind() -> JournalKind[Shard]:
    return JournalKind("batch run", JOURNAL_FORMAT, _VERSION, Shard.from_json)


class ShardFile(Journal[Shard]):
    """The journal of a run that is at work. What is damaged in it, and shards that are not as it says, do not
    count: they are named in `damage`, and are to be done again."""

    def __init__(
        self, places: Places, plan: Mapping[str, Any], on_damage: Callable[[str], object] | None = None
    ) -> None:
        """`on_damage` is called with each text when it comes to `damage`."""
        super().__init__(places.journal, _kind(), {"plan": plan["checksum"]})
        self._places, self._on_damage = places, on_damage
        self.finished: dict[int, Shard] = {}
        self.damage: list[str] = []
        self.is_empty = True
        """Has nothing been written to it yet?"""

    def _claim(self) -> Lock | None:
        return None  # the folder is locked

    def _changes(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
        return ["it belongs to another plan than plan.json"] if old != new else []

    def _mend(self, content: Content[Shard]) -> None:
        # Each line was compared with the one before it. So those that are sound can be believed, and what the
        # others told is found again.
        for number, what in content.damage.items():
            self._tell(f"{self.path}:{number}: {what}; the line is left out")

    def _restore(self, entries: Sequence[Shard]) -> None:
        self.is_empty = not (entries or self.damage)
        # A shard that was done again has a second line.
        for index, shard in sorted({shard.index: shard for shard in entries}.items()):
            files = [(self._places.shard(index), shard.table)]
            if shard.bad is not None:
                files.append((self._places.bad_shard(index), shard.bad))
            flaws = [f"{path}: shard {index}: {flaw}" for path, stamp in files if (flaw := stamp.flaw(path))]
            for flaw in flaws:
                self._tell(f"{flaw}; the shard is done again")
            if not flaws:
                self.finished[index] = shard

    def add(self, shard: Shard) -> None:
        """Writes that a shard is finished, and sees that it is on the disk."""
        self._write(shard.to_json())
        self.is_empty = False
        self.finished[shard.index] = shard  # now: Ctrl-C may come while the disk is slow
        self._sync()

    def drop(self, index: int, why: str) -> None:
        """A shard does not count after all."""
        del self.finished[index]
        self._tell(f"{self.path}: shard {index}: {why}")

    def _tell(self, text: str) -> None:
        self.damage.append(text)
        if self._on_damage is not None:
            self._on_damage(text)
