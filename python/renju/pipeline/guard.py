"""What a run must not touch: results and folders of others, and what it cannot trust.

Files are removed only from a folder that has a plan of this program, or a journal of it if the plan is
damaged and is to be overwritten. With a damaged plan or report nothing else is done.
"""

from __future__ import annotations

import errno
from pathlib import Path

from renju.errors import FormatError
from renju.pipeline.manifest import Facts, Manifest, load
from renju.pipeline.places import Places
from renju.pipeline.shards import JOURNAL_FORMAT

__all__ = ["exists_error", "refuse"]


def refuse(places: Places, resume: bool, overwrite: bool) -> None:
    """`FileExistsError` if there is something that must not be touched, `FormatError` if there is a plan or a
    report that cannot be trusted."""
    if places.is_folder and places.out.exists() and not places.out.is_dir():
        raise exists_error("is no folder, and its name ends like none of a table", places.out)
    if not places.is_folder and places.out.exists() and not places.out.is_file():
        raise exists_error("is no file that could be replaced", places.out)
    if overwrite and places.is_folder and places.out.is_symlink() and places.out.exists() and places.shards():
        raise exists_error("is a link, and its folder is not emptied; name the folder itself", places.out)
    plan = _plan(places, overwrite)
    if plan is None:
        _refuse_result(places, resume, overwrite)
    elif not (resume or overwrite):
        raise exists_error("holds an unfinished run; resume it or overwrite it", places.folder)
    elif resume:
        _trust(plan, places.plan)


def _plan(places: Places, overwrite: bool) -> Facts | None:
    """The plan of the unfinished run in ``OUT.parts``; None if there is no run. `FileExistsError` if the
    folder is that of others."""
    if places.folder.is_symlink() or (places.folder.exists() and not places.folder.is_dir()):
        raise exists_error("is no folder, or a link to one; move it or take another name", places.folder)
    plan = load(places.plan)
    path = places.finished if plan is None else places.plan
    mark = load(path)
    things = places.other_files()
    if mark is None and things:
        what = f"has no plan of a run in it, but other things, such as {things[0].name}"
        raise exists_error(f"{what}; move it or take another name", places.folder)
    if mark is not None and not mark.facts:
        if overwrite and not _has_journal(places):
            raise exists_error(f"{mark.flaw}; move its folder or take another name", path)
        if not overwrite:
            _trust(mark, path)
    return plan


def _has_journal(places: Places) -> bool:
    """Is there a journal of this program? Then the folder is that of a run."""
    try:
        with places.journal.open("rb") as file:
            return JOURNAL_FORMAT.encode() in file.read(100)
    except FileNotFoundError:
        return False


def _refuse_result(places: Places, resume: bool, overwrite: bool) -> None:
    """The same for what a finished run left, or what others have in its place."""
    report = load(places.report)
    is_ours = report is not None and bool(report.facts)
    things = sorted(places.out.iterdir()) if places.is_folder and places.out.is_dir() else []
    if report is not None and is_ours:
        if resume:
            _trust(report, places.report)
        elif overwrite and things:
            _refuse_emptying(places, report)
        if resume or overwrite:
            return
    if overwrite and not places.is_folder:
        return
    if things and report is not None and not is_ours:
        raise exists_error(f"{report.flaw}; move it and the folder, or take another name", places.report)
    if things and not is_ours:
        raise exists_error(f"is a folder with other things in it, such as {things[0].name}", places.out)
    taken = [path for path in (places.report, places.bad) if path.exists() and not overwrite]
    if things or (places.out.is_file() and not overwrite):
        taken.insert(0, places.out)
    if taken:
        raise exists_error("exists already; take another name or overwrite it", taken[0])


def _refuse_emptying(places: Places, report: Facts) -> None:
    """`FileExistsError` if shards that are to be removed may be of others."""
    if report.flaw is None:
        for path in Manifest.of_report(report.facts, places.report).strange_shards(places):
            raise exists_error("is no shard of the run that was finished; move it", path)


def _trust(found: Facts, path: Path) -> None:
    """`FormatError` if a plan or a report is not what a run wrote."""
    if found.flaw is not None:
        raise FormatError(f"{path}: {found.flaw}; nothing was changed: overwrite it, or take another name")


def exists_error(what: str, path: Path) -> FileExistsError:
    """Something is in the way."""
    return FileExistsError(errno.EEXIST, what, str(path))
