"""Results on disk: shards that are there whole or not at all, and a journal of those that are finished.

A run that is at work keeps a folder ``OUT.parts`` beside what it makes:

    plan.json        what the run does and from which files; as long as it is there, the run is unfinished
    journal.jsonl    a line for each finished shard, written after it
    bad-000000.jsonl the bad rows of a shard, if there are any
    part-000000.csv  the shards, by number; these are in OUT itself if that is a folder
    finished.json    the plan, under another name, of a run whose result is whole
    lock             held by the run that is at work

Every file is written under another name, brought to the disk, and renamed. A shard counts when its line is in
the journal, so whatever moment a run ends at, what counts is whole. At the end ``OUT.report.json`` is
written, the plan gets its other name, and the folder is removed, that file last. A folder OUT then holds
nothing but shards, so that any program can read it as one table.

Every file is known again by a checksum. The lines of the journal have those of the shards, and a chain of
their own; plan and report have one of themselves; the report lists all files of the result with theirs. A
shard, or a line of the journal, that is not as it was written does not count, and the shard is done again.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set
from pathlib import Path
from typing import Any

from renju._checksum import Stamp, sealed
from renju._files import Lock, sync_folder, write_bytes
from renju._journal import differences
from renju.pipeline.guard import exists_error, refuse
from renju.pipeline.joining import Joining, joined
from renju.pipeline.manifest import Manifest, load, write
from renju.pipeline.outputs import check_shards, join_lines, join_of
from renju.pipeline.places import Places
from renju.pipeline.shards import Shard, ShardFile
from renju.pipeline.work import Chunk, Done

__all__ = ["Store"]


class Store:
    """The results of one run. Use it as a context: it is locked meanwhile."""

    def __init__(
        self,
        out: str,
        form: str,
        plan: Mapping[str, Any],
        on_damage: Callable[[str], object] | None = None,
        threads: int = 1,
    ) -> None:
        """`plan` must be the same when the run is taken up again; `on_damage` is called with each text of
        `damage`. The shards are joined on `threads` threads."""
        self._on_damage, self._threads = on_damage, threads
        self.places = Places(out, form)
        self.plan = sealed(plan)
        self._before: dict[str, Any] = {"counts": {}, "analysed": 0}
        """What the report of a run says that was finished before."""
        self._lock: Lock | None = None
        self._is_out_new = False
        self._may_replace = False
        """May a file OUT, or shards in a folder OUT, be there that are to be replaced? Only if that was asked
        for, or this run made them."""
        self._journal: ShardFile | None = None
        self._joining: Joining | None = None

    @property
    def bad_path(self) -> Path:
        """The bad rows of the input."""
        return self.places.bad

    @property
    def finished(self) -> Mapping[int, Shard]:
        """The shards that are finished, by their numbers."""
        return {} if self._journal is None else self._journal.finished

    @property
    def damage(self) -> tuple[str, ...]:
        """What was damaged, and is done again: a text for each file."""
        return () if self._journal is None else tuple(self._journal.damage)

    # The beginning

    def begin(self, resume: bool, overwrite: bool) -> bool:
        """Makes the folder, or takes it up again; true if all was finished before."""
        refuse(self.places, resume, overwrite)  # before anything is made
        self._take_lock()
        refuse(self.places, resume, overwrite)  # another run may have ended only now
        plan = load(self.places.plan)
        if plan is None and resume and self._is_finished():
            self._tidy()
            return True
        if plan is None or overwrite:
            self._may_replace = overwrite
            self._clear()
        else:
            self._check(plan.facts, self.places.plan)
            self._may_replace = plan.facts.get("may_replace", True)
            self._refuse_stranger()
        journal = ShardFile(self.places, self.plan, self._on_damage)
        with _advice("to begin anew, overwrite it"):
            journal.begin(resume=True)
        self._journal = journal
        self._remove_results()  # it may have been killed before it came to that
        self.places.remove_unfinished()
        return False

    def _take_lock(self) -> None:
        """Makes the folders, and locks them."""
        places = self.places
        for _ in range(100):
            places.folder.mkdir(parents=True, exist_ok=True)
            try:
                self._lock = Lock(places.lock)
            except FileNotFoundError:
                continue  # a run that just ended took its folder away
            self._is_out_new = places.is_folder and not places.out.exists()
            places.shard_folder.mkdir(exist_ok=True)
            sync_folder(places.folder.parent)
            return
        raise exists_error("comes and goes", places.folder)

    def _is_finished(self) -> bool:
        """Is there the whole result of this run? An error if it is of another run, or damaged."""
        places = self.places
        report = load(places.report)
        if report is None or not (places.shards() if places.is_folder else places.out.exists()):
            return False
        self._check(report.facts, places.report)
        for path, flaw in Manifest.of_report(report.facts, places.report).damage(places):
            raise exists_error(f"is not as the run that was finished left it ({flaw}); overwrite it", path)
        self._before = report.facts
        return True

    def _check(self, before: Mapping[str, Any], path: Path) -> None:
        """`ValueError` unless the plan that a file holds is this one."""
        old, new = before.get("inputs") or {}, self.plan["inputs"]
        changes = [f"{name} has changed" for name in new if name in old and old[name] != new[name]]
        if list(old) != list(new):
            changes.append(f"the input was {', '.join(old)} and is {', '.join(new)}")
        rest = [name for name in self.plan if name not in ("inputs", "checksum")]
        changes += differences({n: before.get(n) for n in rest}, {n: self.plan[n] for n in rest})
        if changes:
            raise ValueError(f"{path}: this is another run, and is not resumed: {'; '.join(changes)}")

    def _clear(self) -> None:
        """Removes what an earlier run left, and nothing else; then this run is the one that is unfinished."""
        places = self.places
        # Without its journal the earlier run has no finished shards, and from then on the plan may be ours.
        places.journal.unlink(missing_ok=True)
        sync_folder(places.folder)
        self._write_plan()
        self._remove_results()
        # A file is left as it is until the new one takes its place: this run may find nothing.
        self._remove_own({places.plan})

    def _write_plan(self) -> None:
        write(self.places.plan, {**self.plan, "may_replace": self._may_replace})
        sync_folder(self.places.folder)

    def _refuse_stranger(self) -> None:
        """`FileExistsError` if others have put a file in the place of the table since the run began."""
        if not (self._may_replace or self.places.is_folder) and self.places.out.exists():
            raise exists_error("was not there when the run began; move it", self.places.out)

    def _remove_results(self) -> None:
        """A folder is no result from when a new one is made in it."""
        if self.places.is_folder:
            for path in (self.places.report, self.places.bad):
                path.unlink(missing_ok=True)

    # The shards

    def add(self, chunk: Chunk, done: Done) -> None:
        """Writes a shard, and then that it is finished."""
        assert self._journal is not None, "begin comes first"
        write_bytes(self.places.shard(chunk.index), done.data)
        if done.bad:
            write_bytes(self.places.bad_shard(chunk.index), done.bad)
        for folder in {self.places.shard_folder, self.places.folder}:
            sync_folder(folder)
        self._journal.add(Shard.of(chunk, done))
        self._join_more()

    def _join_more(self) -> None:
        """Hands the shards that are finished to the thread that joins them, in order. One thread alone joins
        them in the end: it would have no time for that before."""
        places = self.places
        if self._threads == 1 or places.is_folder or (places.out.exists() and not places.out.is_file()):
            return
        if self._joining is None:
            self._joining = Joining(places.out, join_of(places.form, self._threads))
        while (shard := self.finished.get(len(self._joining.added))) is not None:
            self._joining.add(places.shard(shard.index), shard.table)

    def drop(self, index: int, why: str) -> None:
        """Says that a finished shard does not count after all."""
        assert self._journal is not None, "begin comes first"
        self._journal.drop(index, why)
        if self._joining is not None and index < len(self._joining.added):
            self._joining.close()
            self._joining = None

    @property
    def backlog(self) -> int:
        """Shards that wait to be written: none, for the order does not matter here."""
        return 0

    def counts(self) -> Counter[str]:
        """The numbers of all finished shards together."""
        total = Counter(self._before["counts"])
        for shard in self.finished.values():
            total.update(shard.counts)
        return total

    @property
    def analysed(self) -> int:
        """Positions that were searched for the finished shards."""
        before: int = self._before["analysed"]
        return before + sum(shard.analysed for shard in self.finished.values())

    def first_bad(self) -> str | None:
        """The first bad row of the shards that are finished."""
        # Without shards it is a run that was finished before.
        shards = sorted(self.finished.values(), key=lambda shard: shard.index)
        paths = [self.places.bad_shard(shard.index) for shard in shards if shard.bad is not None]
        if not shards and self._before["counts"].get("bad"):
            paths = [self.places.bad]
        return _first_row(paths[0]) if paths else None

    # The end

    def finish(self, report: Mapping[str, Any]) -> None:
        """Joins the shards to the file that was asked for, if it was one, and says that all is done."""
        places = self.places
        self._refuse_stranger()
        if not places.is_folder:
            self._may_replace = True  # from here on OUT may be our own, if the run ends before it is finished
            self._write_plan()
        shards = [self.finished[index] for index in sorted(self.finished)]
        # Only what the journal has: a shard may have been cut off between its two files.
        bad_rows = [(places.bad_shard(shard.index), shard.bad) for shard in shards if shard.bad is not None]
        bad = None
        if bad_rows:
            bad = joined(places.bad, bad_rows, join_lines)
        else:
            places.bad.unlink(missing_ok=True)
        files = {places.shard(shard.index): shard.table for shard in shards}
        if places.is_folder:
            for path in sorted({*places.shards()} - {*files}):
                if places.out.is_symlink() or not self._may_replace:
                    raise exists_error("is no shard of this run; move it, and resume", path)
                path.unlink(missing_ok=True)  # of an earlier run that was larger
            sync_folder(places.out)
            check_shards([*files.items()])  # another run may have had the same folder by another name
            manifest = Manifest.of_folder(places, shards, bad)
        else:
            manifest = Manifest(self._join([*files.items()]), {}, bad)
            sync_folder(places.out.resolve().parent)
        write(places.report, {**self.plan, **report, "files": manifest.to_dict()})
        sync_folder(places.report.resolve().parent)
        places.plan.replace(places.finished)  # from here on it is finished
        sync_folder(places.folder)
        self._tidy()

    def _join(self, shards: list[tuple[Path, Stamp]]) -> Stamp:
        """Makes the file of the shards, of which most may be joined already; what it must be from now on."""
        joining, self._joining = self._joining, None
        if joining is None:
            return joined(self.places.out, shards, join_of(self.places.form, self._threads))
        if joining.added == shards:
            return joining.finish()
        joining.close()
        return self._join(shards)

    def _tidy(self) -> None:
        """Removes what only an unfinished run needs."""
        self._close_journal()
        self._remove_own({*self.places.shards()} if self.places.is_folder else set())
        self.places.remove_unfinished()

    def _remove_own(self, kept: Set[Path]) -> None:
        """Removes the files of a run, and those last that tell that the folder is that of a run."""
        places = self.places
        marks = [places.plan, places.finished]
        for path in {*places.own_files()} - {*kept, *marks, places.lock}:
            path.unlink(missing_ok=True)
        for path in marks:
            if path not in kept:
                path.unlink(missing_ok=True)

    def _close_journal(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def close(self) -> None:
        """Gives the lock back. A run without any finished shard leaves nothing behind."""
        if self._lock is None:
            return
        if self._joining is not None:
            self._joining.close()
            self._joining = None
        self._close_journal()
        is_empty = self._journal is not None and self._journal.is_empty
        with contextlib.suppress(OSError):  # why the run ended is what counts
            if is_empty:
                self._remove_own(set())
                self.places.remove_unfinished()
        self._lock.remove()
        self._lock = None
        with contextlib.suppress(OSError):  # it is not empty
            self.places.folder.rmdir()
            if is_empty and self._is_out_new:
                self.places.out.rmdir()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _first_row(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        row = json.loads(file.readline())
    return f"{row['file']}:{row['row']}: {row['reason']}"


@contextlib.contextmanager
def _advice(text: str) -> Iterator[None]:
    """Tells with an error about a file what can be done."""
    try:
        yield
    except ValueError as error:
        error.add_note(text)
        raise
