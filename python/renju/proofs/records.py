"""The lines of a file of proofs, as docs/prove.md describes them."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass
from typing import Any, TypeAlias

from renju import _native
from renju._journal import JournalKind
from renju._types import Color, Point, on_board
from renju.errors import FormatError, NotationError
from renju.limits import THREAT_LIMITS
from renju.proofs.places import Place

__all__ = [
    "FORMAT",
    "KIND",
    "Goal",
    "Line",
    "OpenRecord",
    "ProofRecord",
    "flaw_of",
    "line_text",
    "packed",
    "unpacked",
]

FORMAT, VERSION = "renju-proofs", 1

MOST_BYTES = 1 << 28
"""The most bytes of one proof before it is compressed."""

_LEVEL = 9


@dataclass(frozen=True)
class ProofRecord:
    """A position that is proved."""

    place: Place
    """The stones, and the colour that wins and is to move."""
    move: Point
    """The first move of the win."""
    threat_limit: int
    """The most fours, 1 to 3, of a threat of a VCT in the proof."""
    limit: int | None
    """The most nodes of the search that found the proof; None if there was no such limit."""
    nodes: int
    """Positions that the search looked at."""
    cpu_s: float
    """Seconds of CPU time that the search and, where one was made, the check took."""
    entries: int
    """Positions for which the proof holds a decision of the winner."""
    verified: bool
    """Whether the run that found the proof had it checked. Whoever has the file can check it again."""
    size: int
    """Bytes of the proof before it was compressed."""
    packed: str | None = None
    """The proof, compressed, as text; None for a record whose proof was left in the file."""


@dataclass(frozen=True)
class OpenRecord:
    """A position of which a search did not find out."""

    place: Place
    """The stones, and the colour whose win was looked for and is to move."""
    reason: str
    """As in `ProveResult`: nodes, time, memory, leaves or rejected; refuted, if there is no win of order
    3."""
    threat_limit: int
    """The most fours, 1 to 3, of a threat of a VCT in the search."""
    limit: int | None
    """The most nodes of the search; None if there was no such limit."""
    nodes: int
    """Positions that the search looked at."""
    cpu_s: float
    """Seconds of CPU time that the search took."""

    @property
    def is_final(self) -> bool:
        """Would the same search with more nodes end in the same way?"""
        return self.reason in ("memory", "leaves", "rejected", "refuted")


@dataclass(frozen=True)
class Goal:
    """A position with the other side to move: the win against all its replies is what a run looks for."""

    place: Place
    """The stones, and the colour that is to win and is not to move."""


Line: TypeAlias = ProofRecord | OpenRecord | Goal


def packed(proof: bytes) -> str:
    """A proof as the text of a line."""
    if len(proof) > MOST_BYTES:
        raise ValueError(f"a proof in a file is at most {MOST_BYTES >> 20} MB, not {len(proof):,} bytes")
    return base64.b64encode(zlib.compress(proof, _LEVEL)).decode()


def unpacked(text: str, size: int) -> bytes:
    """The proof of a line, which has this many bytes; `FormatError` if it is something else."""
    inflater = zlib.decompressobj()
    try:
        proof = inflater.decompress(base64.b64decode(text, validate=True), size + 1)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise FormatError(f"the proof cannot be decompressed: {error}") from None
    if len(proof) != size or not inflater.eof or inflater.unused_data:
        raise FormatError(f"the proof has not the {size:,} bytes that the line tells")
    return proof


def flaw_of(proof: bytes, color: Color, move: Point) -> str | None:
    """What is wrong with a proof that a line says to be a win of `color` by `move`; None if it is one."""
    try:
        found, _, first, *_ = _native.read_quiet_proof(proof)
    except ValueError as error:
        return str(error)
    if found != color:
        return f"the proof is one of {Color(found).label}, not of {color.label}"
    return None if first == move else f"the proof begins with {Point(first)}, not with {move}"


def line_text(line: Line) -> str:
    """A line of the file, without its checksum."""
    black, white = line.place.texts()
    facts: dict[str, Any] = {"kind": _NAMES[type(line)], "color": line.place.color.label}
    facts |= {"black": black, "white": white}
    if isinstance(line, ProofRecord | OpenRecord):
        facts |= {"threat": line.threat_limit, "limit": line.limit}
        facts |= {"nodes": line.nodes, "cpu_s": round(line.cpu_s, 3)}
    if isinstance(line, ProofRecord):
        facts |= {"move": str(line.move).lower(), "entries": line.entries, "verified": line.verified}
        facts |= {"size": line.size, "proof": line.packed}
    elif isinstance(line, OpenRecord):
        facts["reason"] = line.reason
    return json.dumps(facts, separators=(",", ":"))


def _read(text: str) -> Line:
    """What a line stands for; `ValueError` names what is wrong with it."""
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        raise FormatError("this line is no JSON") from None
    kind = facts.get("kind") if isinstance(facts, dict) else None
    if kind not in _NAMES.values():
        raise FormatError(f"this line is of kind {kind!r}, not {', '.join(_NAMES.values())}")
    place = Place(_stones(facts, "black"), _stones(facts, "white"), _color(facts))
    if place.black & place.white:
        raise FormatError("a point is both black and white")
    if kind == _NAMES[Goal]:
        return Goal(place)
    limit = facts.get("limit")
    cpu_s = facts.get("cpu_s")
    if isinstance(cpu_s, bool) or not isinstance(cpu_s, int | float) or not cpu_s >= 0:
        raise FormatError(f"cpu_s is {cpu_s!r}, not a number of seconds")
    threat = _count(facts, "threat", THREAT_LIMITS[0], THREAT_LIMITS[-1])
    limit, nodes = None if limit is None else _count(facts, "limit"), _count(facts, "nodes")
    if kind == _NAMES[OpenRecord]:
        return OpenRecord(place, _text(facts, "reason"), threat, limit, nodes, float(cpu_s))
    verified = facts.get("verified")
    if not isinstance(verified, bool):
        raise FormatError(f"verified is {verified!r}, not true or false")
    return ProofRecord(
        place,
        _point(_text(facts, "move")),
        threat,
        limit,
        nodes,
        float(cpu_s),
        _count(facts, "entries", 1),
        verified,
        _count(facts, "size", 1, MOST_BYTES),
        _text(facts, "proof"),
    )


def _text(facts: dict[str, Any], name: str) -> str:
    value = facts.get(name)
    if not isinstance(value, str):
        raise FormatError(f"{name} is {value!r}, not a text")
    return value


def _count(facts: dict[str, Any], name: str, least: int = 0, most: int = 2**63 - 1) -> int:
    value = facts.get(name)
    if type(value) is not int or not least <= value <= most:
        raise FormatError(f"{name} is {value!r}, not a number from {least} to {most}")
    return value


def _color(facts: dict[str, Any]) -> Color:
    for color in Color:
        if facts.get("color") == color.label:
            return color
    raise FormatError(f"color is {facts.get('color')!r}, not black or white")


def _point(text: str) -> Point:
    try:
        return on_board(text)
    except ValueError as error:
        raise FormatError(str(error)) from None


def _stones(facts: dict[str, Any], name: str) -> int:
    text = _text(facts, name)
    try:
        points = [on_board(p) for p in _native.parse_moves(text)]
    except NotationError as error:
        raise FormatError(f"{name}: {error}") from None
    mask = sum(1 << p for p in {*points})
    if mask.bit_count() != len(points):
        raise FormatError(f"{name}: a point is given twice")
    return mask


_NAMES: dict[type, str] = {ProofRecord: "proof", OpenRecord: "open", Goal: "goal"}

KIND: JournalKind[Line] = JournalKind("collection of proofs", FORMAT, VERSION, _read)
"""What the file is to `renju._journal`."""
