"""Files that grow line by line: a header, then a line for everything that is finished.

Every line is a JSON object. Its last field, ``chain``, is a checksum of the line together with the ``chain``
of the line before. So a line that was changed, lost, added, doubled or moved is found, and named.

A line counts when it is whole. A last line without its end was cut off by a crash: it is passed over, and
removed when the file is taken up again. Lines that are lost at the end cost only the work that they told of.
A file ``OUT.lock`` beside it keeps a second run away; the system lets go of it when a run dies.
"""

from __future__ import annotations

import errno
import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Generic, NamedTuple, Self, TypeVar, cast

from renju._files import Lock, named_errors, remove_unfinished, sync_folder, write_bytes
from renju.errors import FormatError

__all__ = [
    "Content",
    "Journal",
    "JournalKind",
    "LinePlace",
    "chained",
    "check_new",
    "claim",
    "differences",
    "iter_journal",
    "read_journal",
    "read_line",
]

T = TypeVar("T")

# Of the checksum of a line: each is made once, and compared once or twice.
_CHAIN_BYTES = 8
_LINE = re.compile(rb'(\{.*),"chain":"([0-9a-f]{%d})"\}' % (2 * _CHAIN_BYTES), re.DOTALL)
_WRONG = "the checksum of this line is wrong: it was changed, or a line before it was lost, added or moved"
# Where the checksum is in a line with its end.
_CHAIN = slice(-2 * _CHAIN_BYTES - 3, -3)


class JournalKind(NamedTuple, Generic[T]):
    """What kind of thing a journal file holds."""

    noun: str
    """The word for the file in messages, such as "match"."""
    format: str
    """The name of the format, which the header must have."""
    version: int
    """The number of the newest version of the format, which is the one that is written."""
    read: Callable[[str], T]
    """What a line stands for, without its checksum; `ValueError` if it is nothing."""
    free: tuple[str, ...] = ()
    """What may differ in the header when a file is taken up again."""
    unchained: tuple[int, ...] = ()
    """Versions from before there were checksums: they can be read, and not be taken up again."""


def read_journal(path: Path, kind: JournalKind[T]) -> tuple[dict[str, Any], list[T]]:
    """The header, and what the lines stand for. A last line that was cut off is passed over; `FormatError`
    names the line of anything else that is wrong."""
    content = _read(path, kind)
    content.check(path)
    return content.header, content.entries


class LinePlace(NamedTuple):
    """Where a line is in a file, in bytes."""

    offset: int
    """Bytes of the file before the line."""
    size: int
    """Bytes of the line with its end."""


def iter_journal(path: Path, kind: JournalKind[T]) -> Iterator[tuple[LinePlace, T]]:
    """What the lines after the header stand for, one at a time, with their places. A last line that was cut
    off is passed over; `FormatError` names the line of anything else that is wrong."""
    chain, offset = b"", 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                break
            if number == 1 and _header(path, kind, line)["version"] in kind.unchained:
                raise FormatError(f"{path}: its version has no checksums")
            found = _LINE.fullmatch(line[:-1])
            if found is None or _chain(chain, found[1]) != found[2]:
                raise FormatError(f"{path}:{number}: {_WRONG}")
            chain = found[2]
            if number > 1:
                yield LinePlace(offset, len(line)), _entry(path, number, kind, found[1] + b"}")
            offset += len(line)
    if not chain:
        raise FormatError(f"{path}: this is no file of a {kind.noun}")


def read_line(path: Path, place: LinePlace, kind: JournalKind[T]) -> T:
    """What the line at a place stands for, which `iter_journal` has checked before; `FormatError` if the file
    has changed since."""
    with path.open("rb") as file:
        file.seek(place.offset)
        found = _LINE.fullmatch(file.read(place.size)[:-1])
    if found is None:
        raise FormatError(f"{path}: the line at byte {place.offset} has changed since the file was opened")
    return _entry(path, None, kind, found[1] + b"}")


def _entry(path: Path, number: int | None, kind: JournalKind[T], body: bytes) -> T:
    try:
        return kind.read(body.decode())
    except ValueError as error:
        raise FormatError(f"{path}:{'' if number is None else f'{number}:'} {error}") from None


def chained(bodies: Iterable[bytes], before: bytes = b"") -> bytes:
    """Lines of JSON objects, each with its checksum. The first follows a line whose checksum is `before`."""
    lines = []
    for body in bodies:
        before = _chain(before, body[:-1])
        lines.append(b'%b,"chain":"%b"}\n' % (body[:-1], before))
    return b"".join(lines)


def _chain(before: bytes, body: bytes) -> bytes:
    return blake2b(before + body, digest_size=_CHAIN_BYTES).hexdigest().encode()


class Content(Generic[T]):
    """The header and the entries of a journal file."""

    def __init__(self, header: dict[str, Any], is_old: bool, size: int) -> None:
        """`is_old` if its version has no checksums; `size` is that of the lines that are whole, in bytes."""
        self.header, self.is_old, self.size = header, is_old, size
        self.entries: list[T] = []
        self.bodies: list[bytes] = []
        """The lines of the header and of the entries, without their checksums."""
        self.damage: dict[int, str] = {}
        """Key: the number of a line, from 1; value: what is wrong with it."""
        self.chain = b""
        """The checksum of the last line."""

    def check(self, path: Path) -> None:
        """`FormatError` names the first line that is damaged."""
        if self.damage:
            number = min(self.damage)
            raise FormatError(f"{path}:{number}: {self.damage[number]}")


def _read(path: Path, kind: JournalKind[T]) -> Content[T]:
    """Reads a file, and lists the lines whose checksum is wrong. `FormatError` if there is no header of this
    kind, or if a line with the right checksum stands for nothing."""
    data = path.read_bytes()
    size = data.rfind(b"\n") + 1
    lines = data[:size].split(b"\n")[:-1]
    header = _header(path, kind, lines[0] if lines else b"")
    is_old = header["version"] in kind.unchained
    content: Content[T] = Content(header, is_old, size)
    for number, line in enumerate(lines, 1):
        found = _LINE.fullmatch(line)
        before, content.chain = content.chain, b"" if found is None else found[2]
        if is_old and found is None:
            body = line
        elif is_old or found is None or _chain(before, found[1]) != found[2]:
            content.damage[number] = _WRONG
            if number == 1:
                content.check(path)
            continue
        else:
            body = found[1] + b"}"
        content.bodies.append(body)
        if number > 1:
            content.entries.append(_entry(path, number, kind, body))
    header.pop("chain", None)
    return content


def _header(path: Path, kind: JournalKind[T], line: bytes) -> dict[str, Any]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        header = None
    if not isinstance(header, dict) or header.get("format") != kind.format:
        raise FormatError(f"{path}: this is no file of a {kind.noun}")
    if header.get("version") not in (kind.version, *kind.unchained):
        raise FormatError(
            f"{path}: its version is {header.get('version')!r}, this program reads {kind.version}"
        )
    return header


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

    def __init__(self, path: str | Path, kind: JournalKind[T], header: Mapping[str, Any]) -> None:
        """`header` tells all that decides what is written, as JSON has it."""
        self.path = Path(path)
        self.kind = kind
        self.header: dict[str, Any] = json.loads(
            json.dumps({"format": kind.format, "version": kind.version, **header})
        )
        self._lock: Lock | None = None
        self._file: BinaryIO | None = None
        self._chain = b""
        self._size = 0
        self._is_writing = False

    def begin(self, resume: bool) -> None:
        """Makes the file or takes it up again. `FileExistsError` if it is there and must not be touched,
        `ValueError` if it is of something else or damaged, `BlockingIOError` if another run is at work on
        it."""
        self._lock = self._claim()
        if check_new(self.path, resume):
            self._make([json.dumps(self.header).encode()])
        else:
            self._take_up(_read(self.path, self.kind))
        # Without a buffer: what could not be written must not be tried again when the file is closed.
        self._file = cast(BinaryIO, self.path.open("ab", buffering=0))

    def _claim(self) -> Lock | None:
        return claim(self.path, self.kind.noun)

    def _make(self, bodies: Sequence[bytes]) -> None:
        """Writes the file in one step."""
        data = chained(bodies)
        write_bytes(self.path, data)
        sync_folder(self.path.resolve().parent)
        self._size = len(data)
        self._chain = data[_CHAIN]

    def _take_up(self, content: Content[T]) -> None:
        if content.is_old:
            raise FormatError(
                f"{self.path}: its version is {content.header['version']}, whose lines have no checksums: "
                f"it can be read, but is not resumed"
            )
        self._check(content.header)
        if content.damage:
            self._mend(content)
        self._restore(content.entries)
        header = self._header_to_keep(content.header)
        if content.damage or header != content.header:
            self._make([json.dumps(header).encode(), *content.bodies[1:]])
            return
        with named_errors(self.path), self.path.open("r+b") as file:
            file.truncate(content.size)
        self._size, self._chain = content.size, content.chain

    def _check(self, before: Mapping[str, Any]) -> None:
        free = self.kind.free
        old, new = ({k: v for k, v in header.items() if k not in free} for header in (before, self.header))
        if changes := self._changes(old, new):
            what = f"{self.path}: this is another {self.kind.noun}, and is not resumed"
            raise ValueError(f"{what}: {'; '.join(changes)}")

    def _changes(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
        """What differs between two headers, in words."""
        return differences(old, new)

    def _header_to_keep(self, before: dict[str, Any]) -> dict[str, Any]:
        """The header of the file from now on, where it was `before`; only what is free in it may be new."""
        return before

    def _mend(self, content: Content[T]) -> None:
        """Lines are damaged: an error, unless the others can do without them. If it returns, the file is
        written anew from what is sound."""
        try:
            content.check(self.path)
        except FormatError as error:
            sound = min(content.damage) - 1
            lines = "line is" if sound == 1 else f"{sound} lines are"
            error.add_note(f"the first {lines} sound: a file of nothing else can be resumed")
            raise

    @abstractmethod
    def _restore(self, entries: Sequence[T]) -> None:
        """Takes over what is in the file."""

    def _write(self, body: str) -> None:
        """Hands a line, a JSON object, to the system: it is there though this process dies."""
        assert self._file is not None, "begin comes first"
        line = chained([body.encode()], self._chain)
        with named_errors(self.path):
            if self._is_writing:
                self._file.truncate(self._size)  # the line before was not written whole
            self._is_writing = True
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
        self._size += len(line)
        self._chain = line[_CHAIN]
        self._is_writing = False

    def _sync(self) -> None:
        """Sees that it is on the disk."""
        assert self._file is not None, "begin comes first"
        with named_errors(self.path):
            os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the lock back."""
        if self._file is not None:
            with suppress(OSError):  # what could not be written was told before
                self._file.close()
            self._file = None
        if self._lock is not None:
            self._lock.remove()
            self._lock = None


def differences(before: Mapping[str, Any], now: Mapping[str, Any], prefix: str = "") -> list[str]:
    """What differs between two sets of facts as JSON has them, one text each: "multipv was 1 and is 3"."""
    found = []
    for name in sorted({*before, *now}):
        old, new = before.get(name), now.get(name)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += differences(old, new, f"{prefix}{name}.")
        elif old != new:
            found.append(f"{prefix}{name} was {old!r} and is {new!r}")
    return found


def _exists(text: str, path: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, text, str(path))
