"""Where the files of a run are, and which of them are its own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from os.path import samestat
from pathlib import Path

from renju._files import is_unfinished, remove_unfinished
from renju.pipeline.outputs import FORMS, is_folder

__all__ = ["Places"]

_PART = re.compile(rf"part-(\d{{6,}})\.({'|'.join(FORMS)})")
_OWN = re.compile(rf"{_PART.pattern}|bad-\d{{6,}}\.jsonl|plan\.json|finished\.json|journal\.jsonl|lock")


class Places:
    """The paths of a run whose result is `out`."""

    def __init__(self, out: str, form: str) -> None:
        self.out = Path(out) if Path(out).name.strip(".") else Path(out).resolve()
        self.form = form
        self.is_folder = is_folder(out)
        self.folder = self._beside("parts")
        self.plan = self.folder / "plan.json"
        """What an unfinished run is to do."""
        self.finished = self.folder / "finished.json"
        """The plan of a run that is finished, as long as something is left in its folder."""
        self.journal = self.folder / "journal.jsonl"
        """The shards that are finished."""
        self.lock = self.folder / "lock"
        self.report = self._beside("report.json")
        """What a finished run says of itself."""
        self.bad = self._beside("bad.jsonl")
        """The bad rows of the input."""

    def _beside(self, suffix: str) -> Path:
        return self.out.with_name(f"{self.out.name}.{suffix}")

    @property
    def shard_folder(self) -> Path:
        """The path of the folder of the shards."""
        return self.out if self.is_folder else self.folder

    def shard(self, index: int) -> Path:
        """The file of a shard."""
        return self.shard_folder / f"part-{index:06d}.{self.form}"

    @staticmethod
    def shard_number(path: Path) -> int | None:
        """The number of the shard in a file; None if it is not named as a shard is."""
        found = _PART.fullmatch(path.name)
        return None if found is None else int(found[1])

    def bad_shard(self, index: int) -> Path:
        """The bad rows of a shard."""
        return self.folder / f"bad-{index:06d}.jsonl"

    def touched(self, names: Iterable[str]) -> str | None:
        """The first of these files that the run might change or remove."""
        mine = [self.out, self.report, self.bad, self.folder]
        facts = [one.stat() for one in mine if one.exists()]
        roots = tuple(f"{one.resolve()}{os.sep}" for one in mine)
        for name in names:
            path = Path(name)
            if f"{path.resolve()}{os.sep}".startswith(roots):
                return name
            # Also where names differ in upper and lower case only.
            if facts and path.exists() and any(samestat(path.stat(), one) for one in facts):
                return name
        return None

    def is_within(self, folders: Iterable[str]) -> str | None:
        """The first of these folders in which the run would write."""
        mine = [f"{one.resolve()}{os.sep}" for one in (self.out, self.folder)]
        for folder in folders:
            if any(place.startswith(f"{Path(folder).resolve()}{os.sep}") for place in mine):
                return folder
        return None

    def shards(self) -> list[Path]:
        """All files that are named as shards are."""
        return [path for path in self.shard_folder.iterdir() if _PART.fullmatch(path.name)]

    def tables(self) -> list[Path]:
        """All files that a program takes for parts of the table when it reads the folder as one: those with
        the suffix of the form, but what is hidden by a dot or an underline."""
        folder = self.shard_folder
        found = ((path, path.relative_to(folder).parts) for path in folder.rglob(f"*.{self.form}"))
        return [path for path, names in found if not any(name[0] in "._" for name in names)]

    def own_files(self) -> list[Path]:
        """All files that are named as those of a run are, but what it leaves in the end."""
        return [*self.shards(), *(path for path in self.folder.iterdir() if _OWN.fullmatch(path.name))]

    def other_files(self) -> list[Path]:
        """What the folder of an unfinished run holds, but its lock and files that are not yet whole."""
        if not self.folder.is_dir():
            return []
        kept = (path for path in self.folder.iterdir() if path != self.lock)
        return sorted(path for path in kept if not is_unfinished(path, _is_own))

    def remove_unfinished(self) -> None:
        """Removes what was left by runs that were killed while they wrote."""
        remove_unfinished(self.folder, _is_own)
        remove_unfinished(self.shard_folder, lambda name: _PART.fullmatch(name) is not None)
        for path in (self.out, self.report, self.bad):
            target = path.resolve()
            remove_unfinished(target.parent, target.name.__eq__)


def _is_own(name: str) -> bool:
    return _OWN.fullmatch(name) is not None
