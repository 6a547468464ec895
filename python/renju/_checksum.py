"""Checksums of what is written, by which it is known again when it is read."""

from __future__ import annotations

import errno
import io
import json
import zlib
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, NamedTuple

__all__ = ["Stamp", "StampedFile", "is_sealed", "sealed"]

_SEAL_BYTES = 16
_FIELD = "checksum"
_READ_BYTES = 1 << 20


class Stamp(NamedTuple):
    """What a file must be to be the one that was written.

    CRC-32, which many programs can make, takes a third of the time of other checksums. Damage by chance
    passes it once in 2^32 times, and never if it is within four bytes.
    """

    size: int
    """The size of the file in bytes."""
    crc32: str
    """The CRC-32 of the file as eight hexadecimal digits."""

    @classmethod
    def of(cls, data: bytes) -> Stamp:
        """The stamp of what is written to a file."""
        return cls._made(len(data), zlib.crc32(data))

    @classmethod
    def _made(cls, size: int, crc: int) -> Stamp:
        return cls(size, f"{crc:08x}")

    @classmethod
    def from_json(cls, facts: Any) -> Stamp:
        """The stamp of a JSON object with `size` and `crc32`; `ValueError` if it is something else."""
        if isinstance(facts, Mapping) and {*facts} == {"size", "crc32"}:
            size, text = facts["size"], facts["crc32"]
            if type(size) is int and size >= 0 and isinstance(text, str):
                return cls(size, text)
        raise ValueError(f"{facts!r} is no size and checksum of a file")

    def flaw(self, path: Path) -> str | None:
        """What is wrong with a file; None if it is as it was written."""
        try:
            size = path.stat().st_size
            if size != self.size:
                return f"it has {size:,} bytes and not {self.size:,}"
            crc = 0
            with path.open("rb") as file:
                while data := file.read(_READ_BYTES):
                    crc = zlib.crc32(data, crc)
        except FileNotFoundError:
            return "it is not there"
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EISDIR):
                raise
            return f"it cannot be read: {error.strerror}"
        return None if self == self._made(size, crc) else "its checksum is wrong"

    def is_of(self, data: bytes) -> bool:
        """Are these the bytes that were written to the file?"""
        return self == Stamp.of(data)


class StampedFile(io.RawIOBase):
    """A file to write to, from its beginning to its end, that makes the stamp of what is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._size = self._crc = 0

    @property
    def stamp(self) -> Stamp:
        return Stamp._made(self._size, self._crc)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._file.write(data)
        self._crc = zlib.crc32(data, self._crc)
        count = memoryview(data).nbytes
        self._size += count
        return count

    def tell(self) -> int:
        return self._size


def sealed(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The same facts with a field for their checksum, as JSON gives them back."""
    plain: dict[str, Any] = json.loads(json.dumps({k: v for k, v in facts.items() if k != _FIELD}))
    return plain | {_FIELD: _sum(plain)}


def is_sealed(facts: Mapping[str, Any]) -> bool:
    """Do the facts of a JSON file have a checksum, and is it theirs?"""
    rest = {k: v for k, v in facts.items() if k != _FIELD}
    return facts.get(_FIELD) == _sum(rest)


def _sum(facts: Mapping[str, Any]) -> str:
    # The order counts: that of the inputs decides the rows.
    return blake2b(json.dumps(facts).encode(), digest_size=_SEAL_BYTES).hexdigest()
