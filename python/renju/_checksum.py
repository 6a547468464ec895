"""Checksums of what is written, by which it is known again when it is read."""

from __future__ import annotations

import errno
import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

__all__ = ["Stamp", "StampedFile", "is_sealed", "sealed"]

# Damage by chance passes a checksum of so many bytes once in 2^128 times.
_BYTES = 16
_FIELD = "checksum"


def _hash(data: bytes = b"") -> hashlib.blake2b:
    return hashlib.blake2b(data, digest_size=_BYTES)


@dataclass(frozen=True)
class Stamp:
    """What a file must be to be the one that was written."""

    size: int
    """In bytes."""
    checksum: str

    @classmethod
    def of(cls, data: bytes) -> Stamp:
        """The stamp of what is written to a file."""
        return cls(len(data), _hash(data).hexdigest())

    @classmethod
    def from_json(cls, facts: Any) -> Stamp:
        """From what `vars` gave; `ValueError` if it is something else."""
        if isinstance(facts, Mapping) and {*facts} == {"size", "checksum"}:
            size, text = facts["size"], facts["checksum"]
            if type(size) is int and size >= 0 and isinstance(text, str):
                return cls(size, text)
        raise ValueError(f"{facts!r} is no size and checksum of a file")

    def flaw(self, path: Path) -> str | None:
        """What is wrong with a file; None if it is as it was written."""
        try:
            size = path.stat().st_size
            if size != self.size:
                return f"it has {size:,} bytes and not {self.size:,}"
            with path.open("rb") as file:
                found = hashlib.file_digest(file, _hash).hexdigest()
        except FileNotFoundError:
            return "it is not there"
        except OSError as error:
            if error.errno not in (errno.EIO, errno.EISDIR):
                raise
            return f"it cannot be read: {error.strerror}"
        return None if found == self.checksum else "its checksum is wrong"

    def is_of(self, data: bytes) -> bool:
        """Is this what was written?"""
        return self == Stamp.of(data)


class StampedFile(io.RawIOBase):
    """A file to write to, from its beginning to its end, that makes the stamp of what is written."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = _hash()
        self._size = 0

    @property
    def stamp(self) -> Stamp:
        return Stamp(self._size, self._hash.hexdigest())

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._file.write(data)
        self._hash.update(data)
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
    return _hash(json.dumps(facts).encode()).hexdigest()
