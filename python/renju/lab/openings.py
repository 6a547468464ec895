"""The positions from which games start: the 26 openings, even ones, those of a file, or random ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

from renju import openings as named_openings
from renju import solving
from renju._types import BOARD_SIZE, Color, Point
from renju.board import Board
from renju.engine import Engine
from renju.errors import FormatError, RenjuError
from renju.limits import Limit, between

__all__ = ["Openings", "is_digest_of", "random_opening"]

_RANDOM = "random:"
_NAMED = "26"
_EVEN = "even"
_EVEN_FILE = "data/even_openings.txt"

# The most lines between a random stone and the centre.
_RADIUS = 3
_MOST_STONES = 16
# A random position is even if a short search sees less than this for either side; an open three is 1,000.
_EVEN_SCORE = 300
_EVEN_LIMIT = Limit(nodes=2_000)
_WIN_LIMIT = Limit(nodes=2_000)
_MOST_TRIES = 10_000


@dataclass(frozen=True)
class Openings:
    """The openings of a match, by the number of the round; a list begins again at its end."""

    source: str
    """Where the openings come from, as it was given: "26", "even", the name of a file, "list" or
    "random:8"."""
    listed: tuple[str, ...] = ()
    """The moves of each opening in the order in which they are played; empty for random ones."""
    digest: str = ""
    """A checksum of the list before it was shuffled; empty for random openings."""
    stones: int = 0
    """Stones of a random opening; 0 for a list."""
    seed: int = 0
    """The seed that shuffles a list or makes random openings."""

    @classmethod
    def make(cls, given: str | Path | Iterable[str] | None = None, seed: int = 0) -> Openings:
        """Openings of "26" or None, "even", "random:N", a file's name, or a list of moves; the seed shuffles
        them."""
        if isinstance(given, str) and given.startswith(_RANDOM):
            return cls(given, stones=_stones(given), seed=seed)
        if given is None or given == _NAMED:
            source = _NAMED
            records = [_record(opening.moves) for opening in named_openings.OPENINGS]
        elif given == _EVEN:
            source = _EVEN
            records = _records(resources.files("renju").joinpath(_EVEN_FILE).read_text("ascii"), _EVEN_FILE)
        elif isinstance(given, str | Path):
            source = Path(given).name  # where the file lies does not matter
            records = _read(Path(given))
        else:
            source = "list"
            records = [_checked(record, f"opening {n}") for n, record in enumerate(given, 1)]
        if not records:
            raise ValueError(f"openings: there are none in {source}")
        order = _order(len(records), seed)
        return cls(source, tuple(records[i] for i in order), digest=_digest(records), seed=seed)

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], seed: int) -> Openings | None:
        """The openings that `facts` told; None if they were written down without their moves, as in files of
        version 1, and are not those of the package. `FormatError` if they are no openings."""
        source, count, digest, moves = (facts.get(key) for key in ("source", "count", "digest", "moves"))
        if isinstance(source, str) and (count, digest, moves) == (None, None, None):
            return cls(source, stones=_stones(source), seed=seed)
        if not (isinstance(source, str) and isinstance(digest, str) and type(count) is int and count > 0):
            raise FormatError("its openings are neither random ones nor a list")
        if moves is None:
            named = cls.make(_NAMED, seed)
            return named if named.digest == digest else None
        listed = [_checked(record, f"opening {n}") for n, record in enumerate(moves, 1)]
        if listed != moves or len(listed) != count:
            raise FormatError(f"its openings are not a list of {count} as the referee writes them")
        return cls(source, tuple(listed), digest=digest, seed=seed)

    def __getitem__(self, number: int) -> str:
        """The moves of the opening of a round, such as h8i9g7."""
        if self.listed:
            return self.listed[number % len(self.listed)]
        return random_opening(self.stones, f"{self.seed} {number}")

    def fits(self, number: int, record: str) -> bool:
        """Can a round have had this opening? For random ones only their stones are compared with those that
        the seed leads to: to choose the even ones again would take as long as it did."""
        if self.listed:
            return record == self[number]
        moves = list(Board(record).moves)
        return any(moves == tried for tried in _tries(self.stones, f"{self.seed} {number}"))

    def facts(self) -> dict[str, Any]:
        """What tells them from others, as JSON has it; a list also with its moves, in the order of rounds."""
        facts = {"source": self.source, "count": len(self.listed) or None, "digest": self.digest or None}
        return {**facts, "moves": list(self.listed)} if self.listed else facts


def is_digest_of(digest: str, played: Sequence[str], seed: int) -> bool:
    """Is this the digest of a list that the seed brought into this order?"""
    records = dict(zip(_order(len(played), seed), played, strict=True))
    return digest == _digest([records[i] for i in range(len(played))])


def _order(count: int, seed: int) -> list[int]:
    """The places of a list's openings, in the order in which the openings are played."""
    order = list(range(count))
    Random(f"openings {seed}").shuffle(order)
    return order


def _digest(records: Sequence[str]) -> str:
    return sha256("\n".join(records).encode()).hexdigest()[:16]


def random_opening(stones: int, seed: str) -> str:
    """Moves of some stones near the centre, without a win for either side, and even for a short search."""
    engine = Engine(hash_mb=1)
    for moves in _tries(stones, seed):
        board = Board()
        if all(board.is_legal(move) and board.push(move) is None for move in moves) and _is_even(
            board, engine
        ):
            return _record(moves)
    raise RenjuError(f"no even opening of {stones} stones was found in {_MOST_TRIES} tries")


def _tries(stones: int, seed: str) -> Iterator[list[Point]]:
    """The stones that are looked at one after the other, until an even position is found."""
    rng = Random(f"opening {stones} {seed}")
    centre = BOARD_SIZE // 2
    near = [
        Point((x, y))
        for y in range(centre - _RADIUS, centre + _RADIUS + 1)
        for x in range(centre - _RADIUS, centre + _RADIUS + 1)
    ]
    for _ in range(_MOST_TRIES):
        yield rng.sample(near, stones)


def _is_even(board: Board, engine: Engine) -> bool:
    if any(threat.fives for threat in map(board.threats, Color)):
        return False
    wins = (solving.solve_vcf(board, color, _WIN_LIMIT).status for color in Color)
    if any(status != "refuted" for status in wins):
        return False
    return abs(engine.analyse(board, _EVEN_LIMIT, multipv=1).score) <= _EVEN_SCORE


def _stones(given: str) -> int:
    text = given.removeprefix(_RANDOM)
    if not text.isdecimal():
        raise ValueError(f"openings: {_RANDOM}N was expected, with a number of stones, not {given!r}")
    return between("openings: the number of stones", int(text), 1, _MOST_STONES)


def _read(path: Path) -> list[str]:
    """The openings of a file."""
    try:
        return _records(path.read_text(encoding="utf-8-sig"), str(path))
    except UnicodeDecodeError as error:
        raise FormatError(f"{path}: {error}") from None


def _records(text: str, name: str) -> list[str]:
    """Moves, one opening a line; empty lines and those that begin with # are none."""
    rows = ((number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [_checked(line, f"{name}:{number}") for number, line in rows if line and not line.startswith("#")]


def _checked(record: str, place: str) -> str:
    """The moves as they are written down; `FormatError` if no game can start with them."""
    try:
        board = Board(record)
    except RenjuError as error:
        raise FormatError(f"{place}: {error}") from None
    if board.outcome is not None:
        raise FormatError(f"{place}: the game is over ({board.outcome.reason})")
    return board.record()


def _record(moves: Iterable[Point]) -> str:
    return "".join(move.name.lower() for move in moves)
