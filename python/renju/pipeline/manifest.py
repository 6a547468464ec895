"""Files that tell of a run and know themselves: its plan, and its report with a list of all that it left."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from renju._checksum import Stamp, is_sealed, sealed
from renju._files import write_text
from renju.errors import FormatError
from renju.pipeline.places import Places
from renju.pipeline.shards import Shard

__all__ = ["PLAN_FORMAT", "PLAN_VERSION", "Facts", "Manifest", "load", "write"]

# Marks the plans and reports of this program among the files of others.
PLAN_FORMAT = "renju-batch"
# Version 1 had no checksums.
PLAN_VERSION = 2


class Facts(NamedTuple):
    """What a plan or a report says."""

    facts: dict[str, Any]
    """Facts of the file by name; empty if another program wrote it, or if it is damaged beyond repair."""
    flaw: str | None
    """Why the file cannot be trusted, in words; None if it can."""


def load(path: Path) -> Facts | None:
    """The plan or report in a file; None if there is no file."""
    try:
        facts = json.loads(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (ValueError, RecursionError, IsADirectoryError):
        facts = None
    if not isinstance(facts, dict) or facts.get("format") != PLAN_FORMAT:
        return Facts({}, "it is damaged, or was not written by a run")
    if "checksum" not in facts and "version" not in facts:
        return Facts(facts, "it has no checksum, since an earlier version of renju wrote it")
    if not is_sealed(facts):
        return Facts(facts, "its checksum is wrong")
    if facts.get("version") != PLAN_VERSION:
        return Facts(facts, f"its version is {facts.get('version')!r}, this program reads {PLAN_VERSION}")
    return Facts(facts, None)


def write(path: Path, facts: Mapping[str, Any]) -> None:
    """Writes a plan or a report with its checksum, in one step."""
    write_text(path, json.dumps(sealed(facts), indent=1))


class Manifest(NamedTuple):
    """The files that a finished run has left, beside the report."""

    table: Stamp | None
    """Size and checksum of the table; None if the result is a folder."""
    shards: Mapping[str, Stamp]
    """Size and checksum of each shard by the name of its file; empty if the result is one file."""
    bad: Stamp | None
    """Size and checksum of the file of bad rows; None if there are none."""

    @classmethod
    def of_folder(cls, places: Places, shards: Iterable[Shard], bad: Stamp | None) -> Manifest:
        return cls(None, {places.shard(shard.index).name: shard.table for shard in shards}, bad)

    def to_dict(self) -> dict[str, Any]:
        """The sizes and checksums as JSON has them."""
        return {
            "table": None if self.table is None else self.table._asdict(),
            "shards": {name: stamp._asdict() for name, stamp in self.shards.items()},
            "bad": None if self.bad is None else self.bad._asdict(),
        }

    @classmethod
    def of_report(cls, report: Mapping[str, Any], path: Path) -> Manifest:
        """The files that the facts of a report list; `FormatError` if there is no such list."""
        try:
            facts = report["files"]
            table, bad = (
                None if facts[name] is None else Stamp.from_json(facts[name]) for name in ("table", "bad")
            )
            return cls(table, {name: Stamp.from_json(stamp) for name, stamp in facts["shards"].items()}, bad)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise FormatError(f"{path}: it has no list of files: {error}") from None

    def files(self, places: Places) -> dict[Path, Stamp]:
        """All files with what they must be."""
        found = {} if self.table is None else {places.out: self.table}
        found |= {places.out / name: stamp for name, stamp in self.shards.items()}
        return found if self.bad is None else found | {places.bad: self.bad}

    def strange_shards(self, places: Places) -> list[Path]:
        """Files in the folder that are named as shards are, and are not of the run."""
        if not (places.is_folder and places.out.is_dir()):
            return []
        return sorted(path for path in places.shards() if path.name not in self.shards)

    def strange_tables(self, places: Places) -> list[Path]:
        """Files in the folder that other programs read together with the shards, and are not of the run."""
        if not (places.is_folder and places.out.is_dir()):
            return []
        return sorted({*places.tables(), *places.shards()} - {places.out / name for name in self.shards})

    def damage(self, places: Places) -> Iterator[tuple[Path, str]]:
        """The files that are not as the run left them, and what is wrong with each."""
        for path, stamp in self.files(places).items():
            if (flaw := stamp.flaw(path)) is not None:
                yield path, f"shard {places.shard_number(path)}: {flaw}" if path.name in self.shards else flaw
        strangers = self.strange_tables(places)
        if self.bad is None and places.bad.exists():
            strangers.append(places.bad)
        for path in strangers:
            yield path, "it is no file of this run"
