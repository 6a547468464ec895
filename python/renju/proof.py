"""What a solver answers: a verdict, and for a win the tree that proves it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from renju import _native
from renju._types import Color, Point, on_board
from renju.errors import FormatError

__all__ = ["KINDS", "THREAT_LIMITS", "Attack", "Proof", "Status", "depth_of"]

# The kinds of wins that can be asked for.
KINDS: tuple[str, ...] = _native.SOLVE_KINDS

Status: TypeAlias = Literal["proved", "refuted", "unknown"]

# The most fours of a threat that can be asked for.
THREAT_LIMITS: tuple[int, ...] = tuple(range(1, _native.MOST_THREAT_FOURS + 1))

# The limits that end a search before it knows.
LIMITS: tuple[str, ...] = _native.LIMITS_HIT

# The version of the proof files. Version 1 had no threats, only fours.
PROOF_FORMAT = "renju-proof"
PROOF_VERSION = 2
_READABLE = (1, PROOF_VERSION)


@dataclass(frozen=True)
class Attack:
    """A stone of the attacker, and its next one against every reply that needs an answer."""

    stone: Point
    replies: dict[Point, Attack] = field(default_factory=dict)
    """Answers to replies. Empty if the stone wins as it is."""
    after_pass: Attack | None = None
    """For a stone that makes no four: the win by fours that it threatens. It holds after a pass, and against
    every reply that is not in `replies`."""


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
    """"refuted" means: no win of this kind within the depth asked for; "unknown": a limit came first."""
    kind: str
    color: Color
    """Who was to win."""
    exhausted: bool = False
    """Refuted, and no branch was cut by the depth: there is none at all."""
    line: tuple[Point, ...] = ()
    """Stones and replies, the reply that resists longest each time; the five that follows is not in it."""
    tree: Attack | None = field(default=None, repr=False)
    depth: int = 0
    """Stones of the winner in `line`, which are the most in any line of the tree."""
    nodes: int = 0
    time: float = field(default=0.0, compare=False)
    """Seconds."""
    limit_hit: str | None = None
    """For "unknown": nodes, time, memory, stop, or tree (there is a win, but its tree is too large). For
    "proved": what came before shorter wins were excluded, if the shortest was asked for."""
    threat_limit: int = 1
    """The most fours of a threat that were asked for; counts for a VCT only."""

    def __bool__(self) -> bool:
        return self.status == "proved"

    def __hash__(self) -> int:
        return hash((self.status, self.kind, self.color, self.line, self.depth, self.nodes))

    @property
    def first(self) -> Point | None:
        """The winning move."""
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
            yield from _rows(1, (), self.tree, depths)

    def transform(self, k: int) -> Proof:
        """The proof on the board that `Board.transform` makes with the same number.

        >>> import renju
        >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3", turn=renju.BLACK)
        >>> proof = renju.solve_vcf(board).transform(1)
        >>> str(proof.first), bool(renju.verify(board.transform(1), proof))
        ('H5', True)
        """
        tree = None if self.tree is None else _turned(self.tree, k)
        return replace(self, line=tuple(point.transform(k) for point in self.line), tree=tree)

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

    def to_json(self) -> str:
        """One JSON object, described in docs/proofs.md."""
        return json.dumps(
            {
                "format": PROOF_FORMAT,
                "version": PROOF_VERSION,
                "status": self.status,
                "kind": self.kind,
                "color": self.color.label,
                "exhausted": self.exhausted,
                "line": [point.name for point in self.line],
                "tree": None if self.tree is None else _tree_to_json(self.tree),
                "depth": self.depth,
                "nodes": self.nodes,
                "time": self.time,
                "limit_hit": self.limit_hit,
                "threat_limit": self.threat_limit,
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """The proof in a JSON object; `FormatError` if it is none."""
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
                tree=None if data["tree"] is None else _tree_from_json(data["tree"]),
                depth=_count(data["depth"]),
                nodes=_count(data["nodes"]),
                time=_seconds(data["time"]),
                limit_hit=_one_of(data["limit_hit"], (None, *LIMITS)),
                threat_limit=_one_of(_count(threat_limit), THREAT_LIMITS),
            )
            proof._check()
            return proof
        except FormatError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise FormatError(f"this is no renju proof: {type(error).__name__}: {error}") from None


def depth_of(tree: Attack, depths: dict[int, int] | None = None) -> int:
    """Stones in the longest line of a tree; `depths` gets that of every attack, by its id."""
    after = [depth_of(answer, depths) for answer in tree.replies.values()]
    if tree.after_pass is not None:
        after.append(depth_of(tree.after_pass, depths))
    depth = 1 + max(after, default=0)
    if depths is not None:
        depths[id(tree)] = depth
    return depth


def _turned(tree: Attack, k: int) -> Attack:
    replies = {reply.transform(k): _turned(answer, k) for reply, answer in tree.replies.items()}
    after_pass = None if tree.after_pass is None else _turned(tree.after_pass, k)
    return Attack(tree.stone.transform(k), replies, after_pass)


def _rows(
    number: int, start: tuple[Point, ...], tree: Attack, depths: dict[int, int]
) -> Iterator[tuple[int, tuple[Point, ...]]]:
    """The row that begins with `start` and goes on with the tree, then those that leave it."""
    row = [*start, tree.stone]
    others: list[tuple[int, Point, Attack]] = []
    while tree.replies:
        longest, *rest = sorted(tree.replies.items(), key=lambda item: -depths[id(item[1])])
        others += [(number + len(row), reply, after) for reply, after in rest]
        reply, tree = longest
        row += [reply, tree.stone]
    yield number, tuple(row)
    for other_number, reply, after in others:
        yield from _rows(other_number, (reply,), after, depths)


def _one_of(value: Any, known: tuple[object, ...]) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is none of {', '.join(map(str, known))}")
    return value


def _tree_to_json(tree: Attack) -> dict[str, Any]:
    data: dict[str, Any] = {"stone": tree.stone.name}
    if tree.replies:
        data["replies"] = {reply.name: _tree_to_json(after) for reply, after in tree.replies.items()}
    if tree.after_pass is not None:
        data["after_pass"] = _tree_to_json(tree.after_pass)
    return data


def _tree_from_json(data: dict[str, Any]) -> Attack:
    named = data.get("replies", {})
    replies = {_named_point(reply): _tree_from_json(tree) for reply, tree in named.items()}
    if len(replies) < len(named):
        raise ValueError("a reply is answered twice")
    after_pass = data.get("after_pass")
    return Attack(
        _named_point(data["stone"]), replies, None if after_pass is None else _tree_from_json(after_pass)
    )


def _named_point(name: Any) -> Point:
    """A point on the board by its name; numbers and pairs are not written to files."""
    return on_board(_typed(name, str))


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is {type(value).__name__}, not {kind.__name__}")
    return value


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0 <= value < float("inf"):
        raise ValueError(f"{value!r} is no length of time")
    return float(value)


def _count(value: Any) -> int:
    if _typed(value, int) < 0:
        raise ValueError(f"{value} is negative")
    return int(value)
