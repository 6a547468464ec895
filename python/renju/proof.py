"""What a solver answers: a verdict, and for a win the tree that proves it."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from renju import _attack, _native
from renju._attack import Attack, depth_of
from renju._types import Color, Point, on_board
from renju.errors import FormatError
from renju.limits import KINDS, THREAT_LIMITS
from renju.refutation import COUNTERS, Refutation
from renju.refutation import KINDS as REFUTATION_KINDS

__all__ = ["Attack", "Proof", "Status", "depth_of"]

Status: TypeAlias = Literal["proved", "refuted", "unknown"]

# The limits that end a search before it knows.
LIMITS: tuple[str, ...] = _native.LIMITS_HIT

# The version of the proof files. Version 1 had no threats, only fours.
PROOF_FORMAT = "renju-proof"
PROOF_VERSION = 2
_READABLE = (1, PROOF_VERSION)

# Nodes that a file can tell: as many as the solver can count.
_MOST_NODES = 2**64 - 1


@dataclass(frozen=True)
class Proof:
    """The answer of a solver. True if a win was proved.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3")
    >>> proof = renju.solve_vcf(board, color=renju.BLACK)
    >>> proof.status, proof.depth, str(proof.first)
    ('proved', 1, 'E8')
    """

    status: Status
    """"proved", "refuted" (no win of this kind within the depth asked for) or "unknown" (a limit came
    first)."""
    kind: str
    """The kind of win that was looked for: vcf, mise-vcf or vct."""
    color: Color
    """The colour whose win was looked for."""
    exhausted: bool = False
    """Whether a refutation holds at any depth: no branch was cut by the depth, so there is no win of this
    kind."""
    line: tuple[Point, ...] = ()
    """Stones and replies, the reply that resists longest each time; the five that follows is not in it."""
    tree: Attack | None = field(default=None, repr=False)
    """The attacks that win against every defence; None if nothing was proved."""
    depth: int = 0
    """Stones of the winner in `line`, which are the most in any line of the tree."""
    nodes: int = 0
    """Positions that the solver looked at."""
    time: float = field(default=0.0, compare=False)
    """Seconds that the search of the solver took."""
    limit_hit: str | None = None
    """For "unknown": nodes, time, memory, stop, or tree (there is a win, but its tree is too large). For
    "proved": what came before shorter wins were excluded, if the shortest was asked for."""
    threat_limit: int = 1
    """The most fours, 1 to 3, that a threat of a VCT might need; other kinds do not use it."""
    refutation: Refutation | None = None
    """Why the attack fails, for "refuted" alone: of `is_winning_start`, and of `solve` with ``why=True``."""

    def __bool__(self) -> bool:
        return self.status == "proved"

    def __hash__(self) -> int:
        return hash((self.status, self.kind, self.color, self.line, self.depth, self.nodes))

    @property
    def first(self) -> Point | None:
        """The first move of the win; None if nothing was proved."""
        return self.line[0] if self.line else None

    def branches(self) -> Iterator[tuple[int, tuple[Point, ...]]]:
        """The tree as rows to show: the number of the first move, and the moves from there on.

        The first row is `line`. Every other row leaves an earlier one with another reply, and follows the
        longest resistance from there.

        >>> import renju
        >>> board = renju.Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=renju.WHITE)
        >>> for number, moves in renju.solve_vct(board, max_depth=2).branches():
        ...     print(number, *moves)
        1 K8 K6 J8
        2 K7 J8
        2 K11 J8
        """
        if self.tree is not None:
            depths: dict[int, int] = {}
            depth_of(self.tree, depths)
            yield from _rows(self.tree, depths)

    def transform(self, k: int) -> Proof:
        """The proof on the board that `Board.transform` makes with the number `k`.

        >>> import renju
        >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3", turn=renju.BLACK)
        >>> proof = renju.solve_vcf(board).transform(1)
        >>> str(proof.first), bool(renju.verify(board.transform(1), proof))
        ('H5', True)
        """
        tree = None if self.tree is None else _attack.turned(self.tree, k)
        why = None if self.refutation is None else self.refutation.transform(k)
        line = tuple(point.transform(k) for point in self.line)
        return replace(self, line=line, tree=tree, refutation=why)

    def _check(self) -> None:
        """`ValueError` if the parts contradict each other."""
        if (self.tree is not None, bool(self.line), self.depth > 0) != (bool(self),) * 3:
            raise ValueError(f"{self.status!r} does not go with this tree, line and depth")
        if (self.status == "unknown" and self.limit_hit is None) or (
            self.status == "refuted" and self.limit_hit is not None
        ):
            raise ValueError(f"{self.status!r} does not go with the limit {self.limit_hit!r}")
        if self.exhausted and self.status != "refuted":
            raise ValueError(f"{self.status!r} is never exhausted")
        if self.refutation is not None and self.status != "refuted":
            raise ValueError(f"{self.status!r} has no refutation")

    def to_json(self) -> str:
        """One JSON object, described in docs/proofs.md; `ValueError` if the tree is too deep or too large for
        one."""
        before = {
            "format": PROOF_FORMAT,
            "version": PROOF_VERSION,
            "status": self.status,
            "kind": self.kind,
            "color": self.color.label,
            "exhausted": self.exhausted,
            "line": [point.name for point in self.line],
        }
        after: dict[str, Any] = {
            "depth": self.depth,
            "nodes": self.nodes,
            "time": self.time,
            "limit_hit": self.limit_hit,
            "threat_limit": self.threat_limit,
        }
        if self.refutation is not None:
            after["refutation"] = self.refutation.to_dict()
        tree = "null" if self.tree is None else _attack.to_json(self.tree)
        return f'{json.dumps(before)[:-1]}, "tree": {tree}, {json.dumps(after)[1:]}'

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """The proof in `text`, a JSON object; `FormatError` if the object holds no proof."""
        try:
            data = json.loads(text)
            if not isinstance(data, dict) or data.get("format") != PROOF_FORMAT:
                raise FormatError("this is no renju proof")
            version = data.get("version")
            if type(version) is not int or version not in _READABLE:
                raise FormatError(f"proof version {version!r} is not {PROOF_VERSION}")
            threat_limit = data["threat_limit"] if version > 1 else 1
            proof = cls(
                status=_one_of(data["status"], ("proved", "refuted", "unknown")),
                kind=_one_of(data["kind"], KINDS if version > 1 else KINDS[:1]),
                color=Color[_one_of(data["color"], ("black", "white")).upper()],
                exhausted=_typed(data["exhausted"], bool),
                line=tuple(_named_point(name) for name in _typed(data["line"], list)),
                tree=None if data["tree"] is None else _attack.from_json(data["tree"], _named_point),
                depth=_count(data["depth"], _native.MOST_PROOF_DEPTH),
                nodes=_count(data["nodes"], _MOST_NODES),
                time=_seconds(data["time"]),
                limit_hit=_one_of(data["limit_hit"], (None, *LIMITS)),
                threat_limit=_one_of(_typed(threat_limit, int), THREAT_LIMITS),
                refutation=_refutation(data.get("refutation")),
            )
            proof._check()
            return proof
        except FormatError:
            raise
        except RecursionError:
            raise FormatError("this is no renju proof: its JSON is nested too deeply") from None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise FormatError(f"this is no renju proof: {type(error).__name__}: {error}") from None


def _rows(tree: Attack, depths: dict[int, int]) -> Iterator[tuple[int, tuple[Point, ...]]]:
    """The row that begins with the tree, then those that leave it, each followed by those that leave it."""
    # The number of the first move, the reply that leaves an earlier row if there is one, and what follows it.
    waiting: list[tuple[int, tuple[Point, ...], Attack]] = [(1, (), tree)]
    while waiting:
        number, start, attack = waiting.pop()
        row = [*start, attack.stone]
        others: list[tuple[int, tuple[Point, ...], Attack]] = []
        while attack.replies:
            longest, *rest = sorted(attack.replies.items(), key=lambda item: -depths[id(item[1])])
            others += [(number + len(row), (reply,), after) for reply, after in rest]
            reply, attack = longest
            row += [reply, attack.stone]
        yield number, tuple(row)
        waiting += reversed(others)


def _refutation(data: Any) -> Refutation | None:
    """The refutation in a file, if there is one."""
    if data is None:
        return None
    limits = ("depth", *LIMITS)
    kind = _one_of(_typed(data, dict)["kind"], REFUTATION_KINDS)
    line = tuple(_named_point(name) for name in _typed(data["line"], list))
    move = None if data["move"] is None else _named_point(data["move"])
    if (move is None) != (kind in ("not-forcing", "unknown")) or (move is not None and move not in line):
        raise ValueError(f"the refutation {_shown(kind)} does not go with the move {_shown(data['move'])}")
    limit_hit = _one_of(data["limit_hit"], limits if kind == "unknown" else (None,))
    return Refutation(
        kind,
        move,
        line,
        counter=_one_of(data["counter"], COUNTERS),
        reason=_typed(data["reason"], str),
        exhausted=_typed(data["exhausted"], bool),
        limit_hit=limit_hit,
    )


def _one_of(value: Any, known: tuple[object, ...]) -> Any:
    if value not in known:
        raise ValueError(f"{_shown(value)} is none of {', '.join(map(str, known))}")
    return value


def _named_point(name: Any) -> Point:
    """A point on the board by its name; numbers and pairs are not written to files."""
    return on_board(_typed(name, str))


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{_shown(value)} is {type(value).__name__}, not {kind.__name__}")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value <= _native.MOST_SECONDS:
        raise ValueError(f"{_shown(value)} is no length of time")
    return float(value)


def _count(value: Any, most: int) -> int:
    if not 0 <= _typed(value, int) <= most:
        raise ValueError(f"{_shown(value)} is no number from 0 to {most}")
    return int(value)


def _shown(value: Any) -> str:
    """A value for an error, of which a file decides how long it is."""
    return reprlib.repr(value)
