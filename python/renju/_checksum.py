"""Checksums of what is written, by which it is known again when it is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["Checksum", "checksum", "file_checksum", "is_sealed", "sealed"]

# Damage by chance passes a checksum of so many bytes once in 2^128 times.
_BYTES = 16
_FIELD = "checksum"


def Checksum() -> hashlib.blake2b:
    """A checksum that is made piece by piece: `update` takes bytes, `hexdigest` gives the text."""
    return hashlib.blake2b(digest_size=_BYTES)


def checksum(data: bytes) -> str:
    """The checksum of bytes, as 32 hexadecimal digits."""
    return hashlib.blake2b(data, digest_size=_BYTES).hexdigest()


def file_checksum(path: Path) -> tuple[int, str]:
    """The size of a file in bytes, and its checksum."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, Checksum)
        return file.tell(), found.hexdigest()


def sealed(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The same facts with a field for their checksum, as JSON gives them back."""
    plain: dict[str, Any] = json.loads(json.dumps({k: v for k, v in facts.items() if k != _FIELD}))
    return plain | {_FIELD: _sum(plain)}


def is_sealed(facts: Mapping[str, Any]) -> bool:
    """Do the facts of a JSON file have a checksum, and is it theirs?"""
    rest = {k: v for k, v in facts.items() if k != _FIELD}
    return facts.get(_FIELD) == _sum(rest)


def _sum(facts: Mapping[str, Any]) -> str:
    return checksum(json.dumps(facts).encode())  # the order counts: that of the inputs decides the rows
