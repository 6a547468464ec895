"""Files that grow line by line: a header, then a line for everything that is finished.

A line counts when it is whole. What a crash cut off is removed when the file is taken up again. A file
``OUT.lock`` beside it keeps a second run away; the system lets go of it when a run dies.
"""

from __future__ import annotations

import errno
import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Generic, Self, TypeVar

from renju._files import Lock, named_errors, remove_unfinished, sync_folder, write_text
from renju.errors import FormatError
from renju.pipeline.spec import differences

__all__ = ["Journal", "Kind", "check_new", "claim", "read_journal"]

T = TypeVar("T")


@dataclass(frozen=True)
class Kind(Generic[T]):
    """What a file is of."""

    noun: str
    """In words: "match"."""
    format: str
    version: int
    read: Callable[[str], T]
    """What a line stands for; `ValueError` if it is nothing."""
    free: tuple[str, ...] = ()
    """What may differ in the header when a file is taken up again."""


def read_journal(path: Path, kind: Kind[T]) -> tuple[dict[str, Any], list[T], int]:
    """The header, what the lines stand for, and the size of what is whole. A last line that was cut off is
    passed over; `FormatError` names the line of anything else that is wrong."""
    data = path.read_bytes()
    size = data.rfind(b"\n") + 1
    lines = data[:size].split(b"\n")[:-1]
    header = _header(path, kind, lines[0] if lines else b"")
    entries = []
    for number, line in enumerate(lines[1:], 2):
        try:
            entries.append(kind.read(line.decode()))
        except ValueError as error:
            raise FormatError(f"{path}:{number}: {error}") from None
    return header, entries, size


def claim(path: Path, noun: str) -> Lock:
    """Locks a file that is to be written, and clears away what was left unfinished. Errors as of
    `Journal.begin`."""
    if path.exists() and not path.is_file():
        raise _exists(f"is no file that a {noun} could be written to", path)
    real = path.resolve()
    if not real.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(path.parent))
    try:
        lock = Lock(real.with_name(f"{real.name}.lock"))
    except BlockingIOError as error:
        raise BlockingIOError(errno.EAGAIN, error.strerror, str(path)) from None
    remove_unfinished(real.parent, real.name.__eq__)
    return lock


def check_new(path: Path, resume: bool) -> bool:
    """Is there nothing to be taken up? `FileExistsError` if there is, and must not be touched."""
    if path.exists() and not resume:
        raise _exists("exists already; resume it or take another name", path)
    return not path.exists()


class Journal(ABC, Generic[T]):
    """A file that is written to. Use it as a context: it is locked meanwhile."""

    def __init__(self, path: str | Path, kind: Kind[T], header: Mapping[str, Any]) -> None:
        """`header` tells all that decides what is written, as JSON has it."""
        self.path = Path(path)
        self.kind = kind
        self.header: dict[str, Any] = json.loads(
            json.dumps({"format": kind.format, "version": kind.version, **header})
        )
        self._lock: Lock | None = None
        self._file: IO[bytes] | None = None

    def begin(self, resume: bool) -> None:
        """Makes the file or takes it up again. `FileExistsError` if it is there and must not be touched,
        `ValueError` if it is of something else, `BlockingIOError` if another run is at work on it."""
        self._lock = claim(self.path, self.kind.noun)
        if check_new(self.path, resume):
            write_text(self.path, json.dumps(self.header) + "\n")
            sync_folder(self.path.resolve().parent)
        else:
            header, entries, size = read_journal(self.path, self.kind)
            self._check(header)
            self._restore(entries)
            with named_errors(self.path), self.path.open("r+b") as file:
                file.truncate(size)
        self._file = self.path.open("ab")

    def _check(self, before: Mapping[str, Any]) -> None:
        free = self.kind.free
        old, new = ({k: v for k, v in header.items() if k not in free} for header in (before, self.header))
        if changes := self._changes(old, new):
            what = f"{self.path}: this is another {self.kind.noun}, and is not resumed"
            raise ValueError(f"{what}: {'; '.join(changes)}")

    def _changes(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
        """What differs between two headers, in words."""
        return differences(old, new)

    @abstractmethod
    def _restore(self, entries: Sequence[T]) -> None:
        """Takes over what is in the file."""

    def _write(self, line: str) -> None:
        """Hands a line to the system: it is there though this process dies."""
        assert self._file is not None, "begin comes first"
        with named_errors(self.path):
            self._file.write(f"{line}\n".encode())
            self._file.flush()

    def _sync(self) -> None:
        """Sees that it is on the disk."""
        assert self._file is not None, "begin comes first"
        with named_errors(self.path):
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            with suppress(OSError):  # what could not be written was told before
                self._file.close()
            self._file = None
        if self._lock is not None:
            self._lock.remove()
            self._lock = None


def _header(path: Path, kind: Kind[T], line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("format") != kind.format:
        raise FormatError(f"{path}: this is no file of a {kind.noun}")
    if header.get("version") != kind.version:
        raise FormatError(
            f"{path}: its version is {header.get('version')!r}, this program reads {kind.version}"
        )
    return header


def _exists(text: str, path: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, text, str(path))
