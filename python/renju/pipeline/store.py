"""Results on disk: shards that are there whole or not at all, and a journal of those that are finished.

A run that is at work keeps a folder ``OUT.parts`` beside what it makes:

    plan.json        what the run does and from which files; as long as it is there, the run is unfinished
    journal.jsonl    a line for each finished shard, written after it
    bad-000000.jsonl the bad rows of a shard, if there are any
    part-000000.csv  the shards, by number; these are in OUT itself if that is a folder
    lock             held by the run that is at work

Every file is written under another name, brought to the disk, and renamed. A shard counts when its line is in
the journal, so whatever moment a run ends at, what counts is whole. At the end ``OUT.report.json`` is written
and the folder is removed, the plan first. A folder OUT then holds nothing but shards, so that any program can
read it as one table.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Set
from pathlib import Path
from typing import IO, Any

from renju._files import Lock, named_errors, remove_unfinished, sync_folder, write_bytes, write_text, written
from renju._journal import differences
from renju.pipeline.forms import FORMS, JOIN, form_of, is_folder, join_lines
from renju.pipeline.work import Chunk, Done

__all__ = ["FORMS", "PLAN_FORMAT", "Store", "form_of"]

# Marks the plans and reports of this program among the files of others.
PLAN_FORMAT = "renju-batch"

_PART = re.compile(rf"part-\d{{6,}}\.({'|'.join(FORMS)})")
_OWN = re.compile(rf"{_PART.pattern}|bad-\d{{6,}}\.jsonl|plan\.json|journal\.jsonl|lock")


class Store:
    """The results of one run. Use it as a context: it is locked meanwhile."""

    def __init__(self, out: str, form: str, plan: Mapping[str, Any]) -> None:
        """`plan` must be the same when the run is taken up again."""
        self.out = Path(out) if Path(out).name.strip(".") else Path(out).resolve()
        self.form = form
        self.is_folder = is_folder(out)
        self.folder = self._beside("parts")
        self.plan = json.loads(json.dumps(plan))
        self.finished: dict[int, tuple[int, int, int]] = {}
        """By shard: its first record, and its numbers of records and of positions."""
        self.analysed = 0
        self._counts: Counter[str] = Counter()
        self._lock: Lock | None = None
        self._is_out_new = False
        self._journal: IO[str] | None = None

    @property
    def plan_path(self) -> Path:
        """What an unfinished run is to do."""
        return self.folder / "plan.json"

    @property
    def journal_path(self) -> Path:
        """The shards that are finished."""
        return self.folder / "journal.jsonl"

    @property
    def report_path(self) -> Path:
        """What a finished run says of itself."""
        return self._beside("report.json")

    @property
    def bad_path(self) -> Path:
        """The bad rows of the input."""
        return self._beside("bad.jsonl")

    def _beside(self, suffix: str) -> Path:
        return self.out.with_name(f"{self.out.name}.{suffix}")

    @property
    def shard_folder(self) -> Path:
        """Where the shards are."""
        return self.out if self.is_folder else self.folder

    def shard_path(self, index: int) -> Path:
        """The file of a shard."""
        return self.shard_folder / f"part-{index:06d}.{self.form}"

    def bad_shard_path(self, index: int) -> Path:
        """The bad rows of a shard."""
        return self.folder / f"bad-{index:06d}.jsonl"

    def is_touched(self, path: Path) -> bool:
        """Might the run change or remove this file?"""
        mine = [self.out, self.report_path, self.bad_path, self.folder]
        if path.exists() and any(one.exists() and one.samefile(path) for one in mine):
            return True  # also where names differ in upper and lower case only
        return not {one.resolve() for one in mine}.isdisjoint({path.resolve(), *path.resolve().parents})

    # The beginning

    def begin(self, resume: bool, overwrite: bool) -> bool:
        """Makes the folder, or takes it up again; true if all was finished before."""
        self._refuse(resume, overwrite)  # before anything is made
        self._take_lock()
        self._refuse(resume, overwrite)  # another run may have ended only now
        plan = _load(self.plan_path)
        if plan is None and resume and self._is_finished():
            self._tidy()
            return True
        if plan is None or overwrite:
            self._clear()
        else:
            self._check(plan, self.plan_path)
            self._read_journal()
        self._remove_unfinished()
        self._journal = self.journal_path.open("a", encoding="utf-8", newline="\n")
        return False

    def _refuse(self, resume: bool, overwrite: bool) -> None:
        """`FileExistsError` if there is something that must not be touched."""
        if self.is_folder and self.out.exists() and not self.out.is_dir():
            raise _exists("is no folder, and its name ends like none of a table", self.out)
        if not self.is_folder and self.out.exists() and not self.out.is_file():
            raise _exists("is no file that could be replaced", self.out)
        if _load(self.plan_path) is not None:
            if not (resume or overwrite):
                raise _exists("holds an unfinished run; resume it or overwrite it", self.folder)
            return
        is_ours = _load(self.report_path) is not None
        if (is_ours and (resume or overwrite)) or (overwrite and not self.is_folder):
            return
        things = sorted(self.out.iterdir()) if self.is_folder and self.out.is_dir() else []
        if things and not is_ours:
            raise _exists(f"is a folder with other things in it, such as {things[0].name}", self.out)
        taken = [path for path in (self.report_path, self.bad_path) if path.exists() and not overwrite]
        if things or (self.out.is_file() and not overwrite):
            taken.insert(0, self.out)
        if taken:
            raise _exists("exists already; take another name or overwrite it", taken[0])

    def _take_lock(self) -> None:
        """Makes the folders, and locks them."""
        for _ in range(100):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                self._lock = Lock(self.folder / "lock")
            except FileNotFoundError:
                continue  # a run that just ended took its folder away
            self._is_out_new = self.is_folder and not self.out.exists()
            self.shard_folder.mkdir(exist_ok=True)
            sync_folder(self.folder.parent)
            return
        raise _exists("comes and goes", self.folder)

    def _is_finished(self) -> bool:
        """Is there the whole result of this run? An error if there is one of another run."""
        report, sizes = _load(self.report_path), self._sizes()
        if report is None or not sizes["files"]:
            return False
        self._check(report, self.report_path)
        if sizes != report.get("sizes"):
            raise _exists("is not as the run that was finished left it; overwrite it", self.out)
        self._counts.update(report.get("counts", {}))
        self.analysed = report.get("analysed", 0)
        return True

    def _sizes(self) -> dict[str, int]:
        """How much the result is."""
        paths = self._parts() if self.is_folder else [self.out] if self.out.exists() else []
        return {"files": len(paths), "bytes": sum(path.stat().st_size for path in paths)}

    def _check(self, before: Mapping[str, Any], path: Path) -> None:
        """`ValueError` unless the plan that a file holds is this one."""
        old, new = before.get("inputs") or {}, self.plan["inputs"]
        changes = [f"{name} has changed" for name in new if name in old and old[name] != new[name]]
        if list(old) != list(new):
            changes.append(f"the input was {', '.join(old)} and is {', '.join(new)}")
        rest = [name for name in self.plan if name != "inputs"]
        changes += differences({n: before.get(n) for n in rest}, {n: self.plan[n] for n in rest})
        if changes:
            raise ValueError(f"{path}: this is another run, and is not resumed: {'; '.join(changes)}")

    def _clear(self) -> None:
        """Removes what an earlier run left, and nothing else; then this run is the one that is unfinished."""
        # Without its journal the earlier run has no finished shards, and from then on the plan may be ours.
        self.journal_path.unlink(missing_ok=True)
        sync_folder(self.folder)
        write_text(self.plan_path, json.dumps(self.plan, indent=1))
        sync_folder(self.folder)
        if self.is_folder:
            for path in (self.report_path, self.bad_path):
                path.unlink(missing_ok=True)
        # A file is left as it is until the new one takes its place: this run may find nothing.
        self._remove_own({self.plan_path})

    def _own_files(self) -> list[Path]:
        return [*self._parts(), *(path for path in self.folder.iterdir() if _OWN.fullmatch(path.name))]

    def _parts(self) -> list[Path]:
        return [path for path in self.shard_folder.iterdir() if _PART.fullmatch(path.name)]

    def _remove_unfinished(self) -> None:
        remove_unfinished(self.folder, lambda name: _OWN.fullmatch(name) is not None)
        remove_unfinished(self.shard_folder, lambda name: _PART.fullmatch(name) is not None)
        for path in (self.out, self.report_path, self.bad_path):
            target = path.resolve()
            remove_unfinished(target.parent, target.name.__eq__)

    def _read_journal(self) -> None:
        """The shards that are finished. A line that was cut off by a crash counts for nothing, nor does a
        shard that is not as the journal says."""
        path = self.journal_path
        text = path.read_text("utf-8", errors="replace") if path.exists() else ""
        for line in text.splitlines():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                entry = json.loads(line)
                shard, bad = self.shard_path(entry["shard"]), self.bad_shard_path(entry["shard"])
                if (_size(shard), _size(bad)) == (entry["bytes"], entry["bad_bytes"]):
                    self._count(entry)
        if text and not text.endswith("\n"):
            with named_errors(path), path.open("a", encoding="utf-8", newline="\n") as file:
                file.write("\n")

    # The shards

    def add(self, chunk: Chunk, done: Done) -> None:
        """Writes a shard, and then that it is finished."""
        assert self._journal is not None, "begin comes first"
        write_bytes(self.shard_path(chunk.index), done.data)
        if done.bad:
            write_bytes(self.bad_shard_path(chunk.index), done.bad)
        for folder in {self.shard_folder, self.folder}:
            sync_folder(folder)
        entry = {
            "shard": chunk.index,
            "first": chunk.first,
            "records": len(chunk.records),
            "bytes": len(done.data),
            "bad_bytes": len(done.bad) or None,
            "analysed": done.analysed,
            "counts": dict(sorted(done.counts.items())),
        }
        with named_errors(self.journal_path):
            self._journal.write(json.dumps(entry) + "\n")
            self._journal.flush()
            self._count(entry)  # now: Ctrl-C may come while the disk is slow
            os.fsync(self._journal.fileno())

    def _count(self, entry: Mapping[str, Any]) -> None:
        if entry["shard"] not in self.finished:
            counts = entry["counts"]
            self.finished[entry["shard"]] = (entry["first"], entry["records"], counts["positions"])
            self._counts.update(counts)
            self.analysed += entry["analysed"]

    @property
    def backlog(self) -> int:
        """Shards that wait to be written: none, for the order does not matter here."""
        return 0

    def counts(self) -> Counter[str]:
        """The numbers of all finished shards together."""
        return self._counts.copy()

    def first_bad(self) -> str | None:
        """The first bad row of the shards that are finished."""
        # Without shards it is a run that was finished before.
        paths = [self.bad_shard_path(index) for index in sorted(self.finished)] or [self.bad_path]
        for path in paths if self._counts["bad"] else ():
            if path.exists():
                with path.open(encoding="utf-8") as file:
                    row = json.loads(file.readline())
                return f"{row['file']}:{row['row']}: {row['reason']}"
        return None

    # The end

    def finish(self, report: Mapping[str, Any]) -> None:
        """Joins the shards to the file that was asked for, if it was one, and says that all is done."""
        # Only what the journal has: a shard may have been cut off between its two files.
        bad = [path for path in map(self.bad_shard_path, sorted(self.finished)) if path.exists()]
        if bad:
            with written(self.bad_path) as file:
                join_lines(bad, file)
        else:
            self.bad_path.unlink(missing_ok=True)
        shards = [self.shard_path(index) for index in sorted(self.finished)]
        if self.is_folder:
            for path in {*self._parts()} - {*shards}:  # of an earlier run that was larger
                path.unlink(missing_ok=True)
            sync_folder(self.out)
        else:
            with written(self.out) as file:
                JOIN[self.form](shards, file)
            sync_folder(self.out.resolve().parent)
        facts = {**self.plan, **report, "sizes": self._sizes()}
        write_text(self.report_path, json.dumps(facts, indent=1))
        sync_folder(self.report_path.resolve().parent)
        self.plan_path.unlink()  # from here on it is finished
        sync_folder(self.folder)
        self._tidy()

    def _tidy(self) -> None:
        """Removes what only an unfinished run needs."""
        self._close_journal()
        self._remove_own({*self._parts()} if self.is_folder else set())
        self._remove_unfinished()

    def _remove_own(self, kept: Set[Path]) -> None:
        for path in {*self._own_files()} - {*kept, self.folder / "lock"}:
            path.unlink(missing_ok=True)

    def _close_journal(self) -> None:
        if self._journal is not None:
            with contextlib.suppress(OSError):  # a full disk was reported before
                self._journal.close()
            self._journal = None

    def close(self) -> None:
        """Gives the lock back. A run without any finished shard leaves nothing behind."""
        if self._lock is None:
            return
        is_begun = self._journal is not None
        self._close_journal()
        is_empty = is_begun and _size(self.journal_path) == 0
        with contextlib.suppress(OSError):  # why the run ended is what counts
            if is_empty:
                self._remove_own(set())
                self._remove_unfinished()
        self._lock.remove()
        self._lock = None
        with contextlib.suppress(OSError):  # it is not empty
            self.folder.rmdir()
            if is_empty and self._is_out_new:
                self.out.rmdir()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _exists(what: str, path: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, what, str(path))


def _size(path: Path) -> int | None:
    return path.stat().st_size if path.exists() else None


def _load(path: Path) -> dict[str, Any] | None:
    """The plan or report in a file; none if the file is not there or not ours."""
    try:
        facts = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    is_ours = isinstance(facts, dict) and facts.get("format") == PLAN_FORMAT
    return facts if is_ours else None
