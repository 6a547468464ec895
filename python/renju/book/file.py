"""The file of a book, described in docs/book.md. Whatever the bytes are, reading them ends in a book or in a
`FormatError` that says where they are wrong."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from struct import Struct
from typing import Any

from renju import _native
from renju._types import BOARD_SIZE, Point
from renju.book.entries import BookMove, Entry
from renju.errors import FormatError

__all__ = ["MOST_BYTES", "VERSION", "from_bytes", "to_bytes"]

VERSION = 1

MOST_BYTES = 1 << 25
"""The size of what a file holds, before it is compressed: more would be a gigabyte of objects."""

_MAGIC = b"RENJUBK"
_CELLS = BOARD_SIZE**2
_MOST_INFO = 1 << 16
# Version, size of what is compressed behind it, checksum of the compressed bytes.
_HEAD = Struct("<7sBII")
_COUNT = Struct("<I")
# Key, stones, number of moves.
_POSITION = Struct("<QBB")
# Point, weight, score, depth, nodes, games.
_MOVE = Struct("<BHiHII")
_NO_SCORE = -(2**31)


def to_bytes(entries: Mapping[int, Entry], info: Mapping[str, Any]) -> bytes:
    text = json.dumps(info, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    if len(text) > _MOST_INFO:
        raise ValueError(f"the info of a book is at most {_MOST_INFO:,} bytes, not {len(text):,}")
    parts = [_COUNT.pack(len(text)), text, _COUNT.pack(len(entries))]
    for key, entry in sorted(entries.items()):
        parts.append(_POSITION.pack(key, entry.stones, len(entry.moves)))
        for move in entry.moves:
            score = _NO_SCORE if move.score is None else move.score
            parts.append(_MOVE.pack(move.move, move.weight, score, move.depth, move.nodes, move.games))
    payload = b"".join(parts)
    if len(payload) > MOST_BYTES:
        raise ValueError(f"the book is too large: a file holds {MOST_BYTES >> 20} MB")
    packed = zlib.compress(payload, 9)
    return _HEAD.pack(_MAGIC, VERSION, len(payload), zlib.crc32(packed)) + packed


def from_bytes(data: bytes) -> tuple[dict[int, Entry], dict[str, Any]]:
    """The positions of a file, and its info."""
    if not isinstance(data, bytes | bytearray | memoryview):
        raise TypeError(f"a book is bytes, not {type(data).__name__}")
    reader = _Reader(_payload(bytes(data)))
    info = _info(reader)
    (count,) = reader.take(_COUNT, "the number of positions")
    entries: dict[int, Entry] = {}
    last = -1
    for number in range(count):
        start = reader.offset
        try:
            key, stones, length = reader.take(_POSITION, "a position")
            if key <= last:
                raise FormatError("its key is not larger than the one before")
            last = key
            entries[key] = Entry(stones, _moves(reader, stones, length))
        except FormatError as error:
            raise FormatError(f"position {number} at byte {start}: {error}") from None
    if reader.offset != len(reader.data):
        raise FormatError(f"byte {reader.offset}: there is something behind the last position")
    return entries, info


def _payload(data: bytes) -> bytes:
    if len(data) < _HEAD.size or not data.startswith(_MAGIC):
        raise FormatError("byte 0: this is no opening book of renju")
    _, version, size, checksum = _HEAD.unpack_from(data)
    if version != VERSION:
        raise FormatError(f"byte {len(_MAGIC)}: version {version}; this program reads {VERSION}")
    if size > MOST_BYTES:
        raise FormatError(f"byte {len(_MAGIC) + 1}: the book is larger than {MOST_BYTES >> 20} MB")
    packed = data[_HEAD.size :]
    if zlib.crc32(packed) != checksum:
        raise FormatError(f"byte {_HEAD.size}: the checksum is wrong; the file is cut off or damaged")
    inflater = zlib.decompressobj()
    try:
        payload = inflater.decompress(packed, size + 1)
    except zlib.error as error:
        raise FormatError(f"byte {_HEAD.size}: it cannot be decompressed: {error}") from None
    if len(payload) != size or not inflater.eof or inflater.unused_data:
        raise FormatError(f"byte {_HEAD.size}: the book has another size than {size:,} bytes")
    return payload


class _Reader:
    """What is left of the bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.offset = 0

    def take(self, form: Struct, what: str) -> tuple[Any, ...]:
        if self.offset + form.size > len(self.data):
            raise FormatError(f"byte {self.offset}: {what} is cut off")
        fields = form.unpack_from(self.data, self.offset)
        self.offset += form.size
        return fields


def _info(reader: _Reader) -> dict[str, Any]:
    (size,) = reader.take(_COUNT, "the size of the info")
    start = reader.offset
    if size > _MOST_INFO or start + size > len(reader.data):
        raise FormatError(f"byte {start}: the info of {size:,} bytes is too long")
    reader.offset += size
    try:
        info = json.loads(reader.data[start : start + size])
    except (ValueError, RecursionError) as error:
        raise FormatError(f"byte {start}: the info is no JSON: {error}") from None
    if not isinstance(info, dict):
        raise FormatError(f"byte {start}: the info is no JSON object")
    return info


def _moves(reader: _Reader, stones: int, length: int) -> tuple[BookMove, ...]:
    if not 0 < length <= _CELLS - stones:
        raise FormatError(f"there are {length} moves with {stones} stones")
    moves = []
    for _ in range(length):
        point, weight, score, depth, nodes, games = reader.take(_MOVE, "a move")
        if point >= _CELLS:
            raise FormatError(f"{point} is no point")
        if score != _NO_SCORE and abs(score) > _native.WIN:
            raise FormatError(f"{score} is no score")
        moves.append(
            BookMove(Point(point), weight, None if score == _NO_SCORE else score, depth, nodes, games)
        )
    if len({move.move for move in moves}) != length:
        raise FormatError("a move is given twice")
    return tuple(moves)
