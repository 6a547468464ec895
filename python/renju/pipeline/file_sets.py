"""What an input names: one file, or many by a folder, a pattern, or a list."""

from __future__ import annotations

import glob
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from renju.errors import FormatError
from renju.pipeline.archives import is_passed_over

__all__ = ["FileSet", "file_set"]


@dataclass(frozen=True)
class FileSet:
    """The files of an input, in the order in which they are read."""

    name: str
    """The input as it was given."""
    files: list[str]
    """The paths of the files; "-" is standard input."""
    is_many: bool
    """Whether the input may name many files. Then one that cannot be read is a bad row, and no error."""
    folder: str | None = None
    """The path of the folder that the files are from, if the input is a folder."""


def file_set(name: str) -> FileSet:
    """The files that an input names; `ValueError` or `FormatError` if there are none."""
    path = Path(name)
    if name == "-" or (path.exists() and not path.is_dir()):
        return FileSet(name, [name], is_many=False)
    if path.is_dir():
        found = FileSet(name, list(_inside(name)), is_many=True, folder=name)
    elif name.startswith("@"):
        found = FileSet(name, list(_listed(name[1:])), is_many=True)
    elif glob.has_magic(name):
        hits = (hit for hit in glob.iglob(name, recursive=True) if Path(hit).is_file())  # noqa: PTH207
        found = FileSet(name, sorted(hits), is_many=True)
    else:
        return FileSet(name, [name], is_many=False)  # which says then that there is no such file
    if not found.files:
        raise ValueError(f"{name}: there is no file in it" if found.folder else f"{name}: it names no file")
    return found


def _inside(folder: str) -> Iterator[str]:
    """All files of a folder and the folders in it, by their names, but the hidden ones. Links to folders are
    not followed: they may lead in a circle."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda entry: entry.name)
    for entry in entries:
        if is_passed_over(entry.name):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _inside(entry.path)
        elif entry.is_file():
            yield entry.path


def _listed(path: str) -> Iterator[str]:
    """The files and folders that a list names, one a line; "-" is a list on standard input."""
    if path == "-" and sys.stdin is None:
        raise OSError("there is no standard input")
    data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    for number, line in enumerate(data.splitlines(), 1):
        try:
            name = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError:
            raise FormatError(f"{path}:{number}: the line is not UTF-8") from None
        if not name or name.startswith("#"):
            continue
        if Path(name).is_dir():
            yield from _inside(name)
        elif Path(name).is_file():
            yield name
        else:
            raise FileNotFoundError(f"{path}:{number}: there is no file {name}")
