"""Files that are there whole or not at all, and a lock that is gone with its holder."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, ClassVar
from weakref import WeakSet

__all__ = [
    "Lock",
    "is_unfinished",
    "named_errors",
    "remove_unfinished",
    "sync_folder",
    "write_bytes",
    "write_text",
    "written",
]


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """A file to write to that takes the place of `path` when all is written and on the disk: a reader, or a
    crash, finds the old file or the new one."""
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file  # a pipe or a terminal cannot be replaced
        return
    path = path.resolve()  # what a link points to, not the link
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path.parent))
    temporary = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    try:
        with named_errors(path):
            with temporary.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
    except BaseException:
        with suppress(OSError):  # what went wrong before is what counts
            temporary.unlink(missing_ok=True)
        raise


@contextmanager
def named_errors(path: Path) -> Iterator[None]:
    """Lets the errors of the system say which file they are about: those of a write do not."""
    try:
        yield
    except OSError as error:
        if error.errno is not None and error.filename is None:
            error.filename = str(path)
        raise


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file in one step."""
    with written(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Writes a text file in one step."""
    write_bytes(path, text.encode())


def sync_folder(folder: Path) -> None:
    """Brings the names of a folder's files to the disk, where the system lets us."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network file systems cannot
            raise
    finally:
        os.close(handle)


_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp")


def is_unfinished(path: Path, is_ours: Callable[[str], bool]) -> bool:
    """Is this what a writer left when it was killed, where the name of the file that it wrote is ours?"""
    found = _TEMPORARY.fullmatch(path.name)
    return found is not None and is_ours(found[1])


def remove_unfinished(folder: Path, is_ours: Callable[[str], bool]) -> None:
    """Removes what writers left in a folder when they were killed, where the name of the file is ours."""
    for path in folder.iterdir():
        if is_unfinished(path, is_ours):
            path.unlink(missing_ok=True)


class Lock:
    """A lock file that one process at a time can hold. The system lets go of it when the holder dies."""

    # A process that was forked off would keep the lock of its dead parent.
    _held: ClassVar[WeakSet[Lock]] = WeakSet()

    def __init__(self, path: Path) -> None:
        """Takes the lock; `BlockingIOError` if another has it, `FileExistsError` if the file is no lock."""
        self.path = path
        while True:
            if _is_foreign(path):
                raise FileExistsError(errno.EEXIST, "is in the place of a lock; move it", str(path))
            self._file: IO[bytes] | None = path.open("ab")
            try:
                _lock(self._file)
            except (BlockingIOError, PermissionError):
                self.close()
                raise BlockingIOError(
                    errno.EAGAIN, "another run is at work on it", str(path.parent)
                ) from None
            except OSError:
                pass  # a file system without locks: then it must do without
            if self._is_there():
                self._held.add(self)
                return
            self.close()  # its last holder removed it meanwhile: what we hold has no name

    def _is_there(self) -> bool:
        assert self._file is not None
        try:
            return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())
        except FileNotFoundError:
            return False

    def remove(self) -> None:
        """Gives the lock back and takes its file away, in this order where open files cannot be removed."""
        if os.name != "posix":
            self.close()
        with suppress(OSError):
            self.path.unlink(missing_ok=True)
        self.close()

    def close(self) -> None:
        """Gives the lock back."""
        self._held.discard(self)
        if self._file is not None:
            self._file.close()
            self._file = None


def _is_foreign(path: Path) -> bool:
    """Is there something that is no lock? A lock is an empty file, and is removed in the end."""
    try:
        facts = path.lstat()
    except FileNotFoundError:
        return False
    return not stat.S_ISREG(facts.st_mode) or facts.st_size > 0


def _lock(file: IO[bytes]) -> None:
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif os.name == "nt":  # pragma: no cover
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]


def _drop_locks() -> None:
    for lock in list(Lock._held):
        lock.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_drop_locks)
