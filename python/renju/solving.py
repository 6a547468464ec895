"""Forced wins: solvers, proofs and their verification."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from renju import _native
from renju._types import Color, Point, PointLike, on_board
from renju.errors import FormatError, Interrupted

if TYPE_CHECKING:
    from renju.board import Board

__all__ = [
    "Attack",
    "Breakers",
    "Limit",
    "Proof",
    "Verification",
    "WinningMoves",
    "breakers",
    "is_winning_start",
    "shorten",
    "solve_vcf",
    "verify",
    "winning_moves",
]

# The kinds of wins that can be asked for.
KINDS = ("vcf",)

Status: TypeAlias = Literal["proved", "refuted", "unknown"]

# The version of the proof files; readers refuse others.
PROOF_FORMAT = "renju-proof"
PROOF_VERSION = 1

# Far more than any search will see, and a machine word everywhere.
_MOST_NODES = 2**63 - 1


# Thirty years: longer than any search, and a time every clock can hold.
_MOST_SECONDS = 1e9


def check_seconds(name: str, seconds: float) -> None:
    """`ValueError` unless this is a length of time."""
    if not 0 <= seconds <= _MOST_SECONDS:
        raise ValueError(f"{name} is a number of seconds from 0 on, not {seconds}")


@dataclass(frozen=True)
class Limit:
    """What may end a search: seconds, nodes, plies. Without `time` no clock decides anything.

    The clock is read about every thousand nodes, so that very short searches always end by themselves.

    `depth` is the engine's; solvers take ``max_depth``.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None:
            check_seconds("time", self.time)
        if self.nodes is not None and not 0 <= self.nodes <= _MOST_NODES:
            raise ValueError(f"nodes is a number from 0 on, not {self.nodes}")
        if self.depth is not None and self.depth < 0:
            raise ValueError(f"depth is a number of plies, not {self.depth}")


@dataclass(frozen=True)
class Attack:
    """A stone of the attacker, and its next one against every reply that needs an answer."""

    stone: Point
    replies: dict[Point, Attack] = field(default_factory=dict)
    """Answers to replies. Empty if the stone wins as it is."""


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
    tree: Attack | None = None
    depth: int = 0
    """Stones of the winner in `line`."""
    nodes: int = 0
    time: float = 0.0
    """Seconds."""
    limit_hit: str | None = None
    """For "unknown": nodes, time or stop."""

    def __bool__(self) -> bool:
        return self.status == "proved"

    @property
    def first(self) -> Point | None:
        """The winning move."""
        return self.line[0] if self.line else None

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
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Proof:
        """The proof in a JSON object; `FormatError` if it is none."""
        try:
            data = json.loads(text)
            if not isinstance(data, dict) or data.get("format") != PROOF_FORMAT:
                raise FormatError("this is no renju proof")
            if data.get("version") != PROOF_VERSION:
                raise FormatError(f"proof version {data.get('version')!r} is not {PROOF_VERSION}")
            return cls(
                status=_one_of(data["status"], ("proved", "refuted", "unknown")),
                kind=_one_of(data["kind"], KINDS),
                color=Color[_one_of(data["color"], ("black", "white")).upper()],
                exhausted=_typed(data["exhausted"], bool),
                line=tuple(_named_point(name) for name in _typed(data["line"], list)),
                tree=None if data["tree"] is None else _tree_from_json(data["tree"]),
                depth=_count(data["depth"]),
                nodes=_count(data["nodes"]),
                time=_typed(data["time"], float),
                limit_hit=_one_of(data["limit_hit"], (None, "nodes", "time", "stop")),
            )
        except FormatError:
            raise
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise FormatError(f"this is no renju proof: {type(error).__name__}: {error}") from None


@dataclass(frozen=True)
class Verification:
    """What the independent verifier says of a proof. True if it holds."""

    ok: bool
    reason: str
    """Why not; empty if it holds."""

    def __bool__(self) -> bool:
        return self.ok


class WinningMoves(Mapping[Point, Proof]):
    """First moves of wins, each with its proof. `complete` if none is unknown."""

    def __init__(self, proofs: dict[Point, Proof], unknown: tuple[Point, ...]) -> None:
        self._proofs = proofs
        self.unknown = unknown
        """Moves on which a limit came first."""

    @property
    def complete(self) -> bool:
        return not self.unknown

    def __getitem__(self, point: PointLike) -> Proof:
        return self._proofs[Point(point)]

    def __iter__(self) -> Iterator[Point]:
        return iter(self._proofs)

    def __len__(self) -> int:
        return len(self._proofs)

    def __repr__(self) -> str:
        return f"<WinningMoves {' '.join(map(str, self)) or 'none'}; {len(self.unknown)} unknown>"


@dataclass(frozen=True)
class Breakers:
    """Points that leave no win."""

    points: tuple[Point, ...]
    unknown: tuple[Point, ...]
    """Points after which a limit came first."""

    @property
    def complete(self) -> bool:
        return not self.unknown


def solve_vcf(
    board: Board,
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    shortest: bool = False,
) -> Proof:
    """Looks for a win by continuous fours (四追い) of `color`, default the side to move.

    `color` is taken to be on move. `max_depth` bounds its stones; ``shortest=True`` finds a win with the
    fewest, else the first one found is returned. A "no" is complete: all fours on the board are tried.

    >>> import renju
    >>> board = renju.Board("h8 g6 f6 g5 f7 g4 h7 g3 g2 a1")
    >>> str(board.turn.label), renju.solve_vcf(board).status  # black may not block the four at G7
    ('black', 'refuted')
    >>> str(renju.solve_vcf(board, color=renju.WHITE).first)
    'G7'
    """
    return _solve(board, color, limit, max_depth, shortest, None)


def is_winning_start(
    board: Board,
    point: PointLike,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
) -> Proof:
    """Does a win of this kind start here? The proof is true if it does, and has the line.

    The move itself must make a four or a five, also where the winner has a five elsewhere.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3", turn=renju.BLACK)
    >>> bool(renju.is_winning_start(board, "i8")), bool(renju.is_winning_start(board, "d8"))
    (True, False)
    """
    check_kind(kind)
    return _solve(board, color, limit, max_depth, False, on_board(point))


def winning_moves(
    board: Board,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
) -> WinningMoves:
    """Every first move of a win of this kind; `limit` holds for each.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3", turn=renju.BLACK)
    >>> moves = renju.winning_moves(board)
    >>> " ".join(map(str, moves)), moves.complete
    ('E8 I8', True)
    """
    check_kind(kind)
    threats = board.threats(color)
    # A stone that is neither a five nor a four starts no VCF.
    starts = sorted(threats.fives | threats.open_fours | threats.fours)
    proofs: dict[Point, Proof] = {}
    try:
        for start in starts:
            proofs[start] = _solve(board, color, limit, max_depth, False, start)
    except KeyboardInterrupt:
        raise Interrupted("interrupted while solving", partial=_winning_moves(starts, proofs)) from None
    return _winning_moves(starts, proofs)


def _winning_moves(starts: list[Point], proofs: dict[Point, Proof]) -> WinningMoves:
    """What is known of the starts; those without a proof are unknown."""
    return WinningMoves(
        {start: proof for start, proof in proofs.items() if proof},
        tuple(start for start in starts if start not in proofs or proofs[start].status == "unknown"),
    )


def shorten(board: Board, proof: Proof, limit: Limit | None = None) -> Proof:
    """A win of the same kind with the fewest stones; `proof` itself if a limit came first."""
    if not proof:
        raise ValueError("nothing was proved that could be shortened")
    shorter = _solve(board, proof.color, limit, proof.depth, True, None)
    return shorter if shorter else proof


def breakers(board: Board, proof: Proof, limit: Limit | None = None) -> Breakers:
    """The points where a stone of the defender, on move instead, leaves no win of this kind.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3 c5", turn=renju.BLACK)
    >>> " ".join(map(str, renju.breakers(board, renju.solve_vcf(board)).points))
    'E8 I8'
    """
    if not proof:
        raise ValueError("nothing was proved that could be broken")
    defender = proof.color.opponent
    sides = {color: [point for point, owner in board.stones.items() if owner == color] for color in Color}
    start = board.from_stones(sides[Color.BLACK], sides[Color.WHITE], turn=defender)
    replies = list(start.legal_moves)
    status: dict[Point, Status] = {}
    try:
        for point in replies:
            start.push(point)
            status[point] = _solve(start, proof.color, limit, None, False, None).status
            start.pop()
    except KeyboardInterrupt:
        raise Interrupted("interrupted while solving", partial=_breakers(replies, status)) from None
    return _breakers(replies, status)


def _breakers(replies: list[Point], status: dict[Point, Status]) -> Breakers:
    """What is known of the replies; those without a status are unknown."""
    return Breakers(
        tuple(point for point in replies if status.get(point) == "refuted"),
        tuple(point for point in replies if status.get(point, "unknown") == "unknown"),
    )


def _solve(
    board: Board,
    color: Color | int | None,
    limit: Limit | None,
    max_depth: int | None,
    shortest: bool,
    first: Point | None,
) -> Proof:
    if not isinstance(limit, Limit | None):
        raise TypeError(f"limit is a renju.Limit, not {type(limit).__name__}")
    limit = limit or Limit()
    attacker = board.turn if color is None else Color(color)
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth is a number of stones, not {max_depth}")
    start = perf_counter()
    status, exhausted, limit_hit, tree, line, depth, nodes, is_interrupted = _native.solve_vcf(
        board._position,
        attacker,
        None if max_depth is None else min(max_depth, _native.PASS),
        shortest,
        first,
        limit.nodes,
        limit.time,
    )
    proof = Proof(
        status=_STATUS[status],
        kind="vcf",
        color=attacker,
        exhausted=exhausted,
        line=tuple(map(Point, line)),
        tree=None if tree is None else _tree_from_native(tree),
        depth=depth,
        nodes=nodes,
        time=perf_counter() - start,
        limit_hit=limit_hit,
    )
    if is_interrupted:
        raise Interrupted("interrupted while solving", partial=proof)
    return proof


def check_kind(kind: str) -> None:
    """`ValueError` unless wins of this kind can be asked for."""
    if kind not in KINDS:
        raise ValueError(f"kind is {' or '.join(map(repr, KINDS))}, not {kind!r}")


def verify(board: Board, proof: Proof) -> Verification:
    """Checks a proof with stones and the slow rules alone, independently of the solver.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "e8 a1", turn=renju.BLACK)
    >>> tree = renju.solving.Attack(renju.Point("i8"))
    >>> renju.verify(board, renju.Proof("proved", "vcf", renju.BLACK, tree=tree))
    Verification(ok=False, reason='after I8: no answer to J8')
    """
    if proof.status != "proved" or proof.tree is None:
        return Verification(False, "nothing was proved")
    try:
        reason, line, depth = _native.verify(board._position, proof.color, _tree_to_native(proof.tree))
    except (ValueError, RecursionError) as error:  # a pass, or deeper than a game can be long
        return Verification(False, f"the tree is none: {error}")
    if reason is None and (tuple(line), depth) != (proof.line, proof.depth):
        reason = "line and depth are not those of the tree"
    return Verification(reason is None, reason or "")


_STATUS: dict[int, Status] = {1: "proved", 0: "refuted", -1: "unknown"}


def _one_of(value: Any, known: tuple[str | None, ...]) -> Any:
    if value not in known:
        raise ValueError(f"{value!r} is none of {', '.join(map(str, known))}")
    return value


def _tree_from_native(tree: _native._TreeTuple) -> Attack:
    stone, replies = tree
    return Attack(Point(stone), {Point(reply): _tree_from_native(after) for reply, after in replies})


def _tree_to_native(tree: Attack) -> _native._TreeTuple:
    return on_board(tree.stone), [
        (on_board(reply), _tree_to_native(after)) for reply, after in tree.replies.items()
    ]


def _tree_to_json(tree: Attack) -> dict[str, Any]:
    data: dict[str, Any] = {"stone": tree.stone.name}
    if tree.replies:
        data["replies"] = {reply.name: _tree_to_json(after) for reply, after in tree.replies.items()}
    return data


def _tree_from_json(data: dict[str, Any]) -> Attack:
    replies = {_named_point(reply): _tree_from_json(tree) for reply, tree in data.get("replies", {}).items()}
    return Attack(_named_point(data["stone"]), replies)


def _named_point(name: Any) -> Point:
    """A point on the board by its name; numbers and pairs are not written to files."""
    return on_board(_typed(name, str))


def _typed(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is {type(value).__name__}, not {kind.__name__}")
    return value


def _count(value: Any) -> int:
    if _typed(value, int) < 0:
        raise ValueError(f"{value} is negative")
    return int(value)
