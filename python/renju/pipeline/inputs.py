"""The input of a run: its files, whether they changed, and their records in order."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO

from renju.errors import FormatError, RenjuError
from renju.pipeline.archives import MemberError, check_archive, is_archive, members, reading
from renju.pipeline.file_sets import FileSet, file_set
from renju.pipeline.game_files import Rows
from renju.pipeline.readers import BadRow, Fields, Record, format_of, read

__all__ = ["Inputs", "input_digest", "need_arrow"]


class Inputs:
    """The files that are read. Everything that can be seen at once to be wrong with them is an error here."""

    def __init__(
        self, names: Sequence[str], fields: Fields, form: str | None = None, with_facts: bool = False
    ) -> None:
        """`fields` name the columns of moves and ids where they have other names than usual, `form` is the
        format if names do not tell. `with_facts`: records tell players, date and result, too."""
        self.names, self._fields, self._form, self._with_facts = names, fields, form, with_facts
        if not names:
            raise ValueError("there is no input")
        for name in names:
            if not _is_text(name):
                raise ValueError(f"{name!r}: the name of a file must be UTF-8")
        self._sets = [file_set(name) for name in names]
        self._check_names()
        self._stamps: dict[str, tuple[int, int]] = {}
        """Key: a file; value: its size and the time of its last change."""
        self.bytes = 0
        self.read_bytes = 0.0
        """Bytes of the files that were read so far, roughly."""
        self._at, self._shown = self.files[0], ""
        """The file that is read, and the member of it if it is an archive."""
        self._count = 0
        """Files that were begun, members of archives included."""

    def _check_names(self) -> None:
        """`FormatError` if a file named for itself has no reader, `ValueError` if one is there twice."""
        seen: set[str] = set()
        roots: list[str] = []
        for group in self._sets:
            # The files of a folder are different, and may be a million.
            for name in group.files if group.folder is None else [group.folder]:
                if not group.is_many and not is_archive(name):
                    format_of(name, self._form)
                place = name if name == "-" else os.path.realpath(name)
                if place in seen:
                    raise ValueError(f"{name}: the same input is given twice")
                seen.add(place)
                if group.folder is not None:
                    roots.append(f"{place}{os.sep}")
        for place in seen if roots else ():
            if place.startswith(tuple(roots)):
                raise ValueError(f"{place}: the same input is given twice, for itself and in a folder")

    @property
    def files(self) -> list[str]:
        """The paths of all files, in the order in which they are read."""
        return [name for group in self._sets for name in group.files]

    @property
    def folders(self) -> list[str]:
        """The folders whose files are read."""
        return [group.folder for group in self._sets if group.folder is not None]

    def formats(self) -> set[str]:
        """The formats of the files that have one."""
        found = set()
        for group in self._sets:
            for name in group.files:
                try:
                    found.add("archive" if is_archive(name) else format_of(name, self._form))
                except FormatError:
                    continue  # a bad row, which tells the reason
        return found

    @property
    def has_stream(self) -> bool:
        """Can some of the input be read only once?"""
        return any(_is_stream(name) for group in self._sets if not group.is_many for name in group.files)

    def look(self) -> None:
        """Looks at the beginning of every file that was named for itself, and at the size and the age of all
        files, so that a change is seen later."""
        if "parquet" in self.formats():
            need_arrow()
        for group in self._sets:
            for name in group.files:
                if _is_stream(name):
                    continue
                if is_archive(name) and not group.is_many:
                    check_archive(name)
                elif not group.is_many:
                    rows = read(name, self._fields, self._form)
                    next(rows, None)  # no column of moves, no array of boards
                    rows.close()
                self._stamps[name] = _stamp(name)
        self.bytes = sum(size for size, _ in self._stamps.values())

    def digests(self) -> dict[str, str | None]:
        """What tells by name whether the content of an input is another; nothing is known of streams."""
        return {
            group.name: None if group.files == ["-"] or _is_stream(group.files[0]) else _digest(group)
            for group in self._sets
        }

    def records(self) -> Iterator[Record | BadRow]:
        """All records of all files in order."""
        before = 0
        for group in self._sets:
            for name in group.files:
                self._at = self._shown = name
                read_one = partial(self._members, before) if is_archive(name) else self._rows
                rows = read_one(name, group.is_many)
                with closing(rows):
                    yield from rows
                self.check_unchanged()
                before += self._stamps.get(name, (0, 0))[0]
                self.read_bytes = float(before)

    def _rows(self, name: str, is_lenient: bool, file: IO[bytes] | None = None) -> Rows:
        """The rows of a file; if `is_lenient`, one that cannot be read ends in a bad row."""
        self._count += 1
        try:
            with closing(read(name, self._fields, self._form, file, self._with_facts)) as rows:
                for row in rows:
                    if file is None:
                        self.read_bytes += row.size
                    yield row
        except MemberError:
            raise
        except FormatError as error:
            if not is_lenient:
                raise
            yield BadRow(name, 0, str(error).removeprefix(f"{name}: "))

    def _members(self, before: int, path: str, is_lenient: bool) -> Rows:
        """The rows of the files in an archive, before which there are `before` bytes of input."""
        size = self._stamps.get(path, (0, 0))[0]
        try:
            with closing(members(path)) as found:
                for name, flaw, file, share in found:
                    self._shown, self.read_bytes = name, before + share * size
                    if file is None:
                        yield BadRow(name, 0, str(flaw))
                    else:
                        yield from self._member(path, name, file)
        except MemberError as error:
            if not is_lenient:
                raise FormatError(str(error)) from None
            yield BadRow(path, 0, str(error).removeprefix(f"{path}: "))

    def _member(self, path: str, name: str, file: IO[bytes]) -> Rows:
        if is_archive(name):
            yield BadRow(name, 0, "an archive in an archive is not read; unpack it")
            return
        try:
            with reading(name):
                yield from self._rows(name, True, file)
        except MemberError as error:
            if not path.lower().endswith(".zip"):
                raise  # what comes after it in the stream cannot be found
            yield BadRow(name, 0, str(error).removeprefix(f"{name}: "))

    def place(self) -> str:
        """The file that is read, and its number, in words; empty if the input is one plain file."""
        if len(self._sets) == 1 and not self._sets[0].is_many and not is_archive(self._at):
            return ""
        has_archive = any(is_archive(name) for group in self._sets for name in group.files)
        total = "" if has_archive else f" of {sum(len(group.files) for group in self._sets):,}"
        return f"file {self._count:,}{total}: {self._shown}"

    def check_unchanged(self) -> None:
        """`FormatError` if the file that is read is not the one that the run began with."""
        if self._at in self._stamps and _stamp(self._at) != self._stamps[self._at]:
            raise FormatError(f"{self._at}: the file was changed while it was read")


def need_arrow() -> None:
    """`RenjuError` if there is nothing to read and write Parquet with."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise RenjuError("Parquet needs pyarrow: pip install 'renju-engine[arrow]'") from None


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_stream(name: str) -> bool:
    return name == "-" or (Path(name).exists() and not Path(name).is_file() and not Path(name).is_dir())


def _stamp(name: str) -> tuple[int, int]:
    facts = Path(name).stat()
    return facts.st_size, facts.st_mtime_ns


def input_digest(name: str) -> str:
    """What tells whether the content of an input, which is no stream, is another."""
    return _digest(file_set(name))


def _digest(group: FileSet) -> str:
    if not group.is_many:
        return _file_digest(group.files[0])
    total = hashlib.blake2b()
    for name in group.files:
        total.update(f"{name}\0{_file_digest(name)}\n".encode(errors="surrogateescape"))
    return total.hexdigest()[:32]


def _file_digest(name: str) -> str:
    with Path(name).open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()[:32]
