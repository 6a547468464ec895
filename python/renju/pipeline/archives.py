"""Archives of files: zip, and tar with its compressions, read member by member in their own order.

Nothing is unpacked to the disk, and no member is in memory whole unless its reader wants it whole.
"""

from __future__ import annotations

import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from renju.errors import FormatError

__all__ = ["Member", "MemberError", "check_archive", "is_archive", "is_passed_over", "members", "reading"]

_TAR_SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
_SUFFIXES = (".zip", *_TAR_SUFFIXES)

# What the modules of Python raise for an archive, or a member of it, that is damaged.
_FAULTS = (
    EOFError,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


class MemberError(FormatError):
    """A member that cannot be read to its end."""


class Member(NamedTuple):
    """A file in an archive."""

    name: str
    """The path of the archive, a slash, and the path of the file in the archive."""
    flaw: str | None
    """Why the member is not read, in words; None if it is."""
    file: IO[bytes] | None
    """The open file; None if there is a flaw. It is read before the next member is asked for."""
    share: float
    """The part of the archive that was read before this member, from 0 to 1."""


def is_archive(name: str) -> bool:
    """Does the name tell that the file is an archive?"""
    return name.lower().endswith(_SUFFIXES)


def is_passed_over(name: str) -> bool:
    """Is a file in an archive or a folder nobody's game: hidden, or what a Mac adds to an archive?"""
    parts = [part for part in Path(name).parts if part != ".."]
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


def check_archive(path: str) -> None:
    """`FormatError` if the file is no archive of the kind that its name tells."""
    if not path.lower().endswith(_TAR_SUFFIXES):
        with reading(path), zipfile.ZipFile(path):
            return
    with reading(path), tarfile.open(path, "r|*") as archive:
        archive.next()


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turns what goes wrong with an archive or a member into a `MemberError` that names it."""
    try:
        yield
    except FormatError:
        raise
    except _FAULTS as error:
        raise MemberError(f"{name}: {str(error) or type(error).__name__}") from None
    except OSError as error:
        if error.errno is not None:
            raise
        raise MemberError(f"{name}: {error}") from None  # bytes that do not decompress


def members(path: str) -> Generator[Member, None, None]:
    """The files of an archive in its order, but those that are passed over."""
    return _zip_members(path) if not path.lower().endswith(_TAR_SUFFIXES) else _tar_members(path)


def _zip_members(path: str) -> Generator[Member, None, None]:
    with reading(path):
        archive = zipfile.ZipFile(path)
    with archive:
        infos = archive.infolist()
        for n, info in enumerate(infos):
            if info.is_dir() or is_passed_over(info.filename):
                continue
            name, share = f"{path}/{info.filename}", n / len(infos)
            try:
                with reading(name):
                    file = archive.open(info)
            except (MemberError, NotImplementedError, RuntimeError) as error:  # it may need a password
                yield Member(name, str(error).removeprefix(f"{name}: "), None, share)
                continue
            with file:
                yield Member(name, None, file, share)


def _tar_members(path: str) -> Generator[Member, None, None]:
    with Path(path).open("rb") as raw:
        size = max(1, raw.seek(0, 2))
        raw.seek(0)
        with reading(path):
            archive = tarfile.open(fileobj=raw, mode="r|*")  # noqa: SIM115
        before = path
        with archive:
            while True:
                with reading(f"{path}, after {before}" if before != path else path):
                    info = archive.next()
                if info is None:
                    return
                archive.members = []  # type: ignore[attr-defined]  # or all that was read would be remembered
                if info.isdir() or is_passed_over(info.name):
                    continue
                before, share = info.name, raw.tell() / size
                file = archive.extractfile(info) if info.isreg() else None
                flaw = None if file is not None else "it is no plain file"
                yield Member(f"{path}/{info.name}", flaw, file, share)
