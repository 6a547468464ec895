"""Forced wins: the solvers, the verifier, and questions around a win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from renju import _attack, _native
from renju._types import BOARD_SIZE, Color, Point, PointLike, on_board
from renju.errors import Interrupted
from renju.limits import Limit, check_depth, check_kind, check_limit
from renju.proof import Attack, Proof, Status

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
    "solve",
    "solve_mise_vcf",
    "solve_vcf",
    "solve_vct",
    "verify",
    "winning_moves",
]


@dataclass(frozen=True)
class Verification:
    """What the independent verifier says of a proof. True if it holds."""

    ok: bool
    """Whether the proof wins against every defence."""
    reason: str
    """Why the proof does not hold, in words; empty if it holds."""

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
        try:
            return self._proofs[Point(point)]
        except (ValueError, TypeError):
            raise KeyError(point) from None

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
    """Points where a stone of the defender leaves no win."""
    unknown: tuple[Point, ...]
    """Points of which a limit left open whether a stone there leaves a win."""

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

    `color` is taken to be on move. `limit` bounds the seconds and nodes, `max_depth` its stones;
    ``shortest=True`` finds a win with the fewest, else the first one found is returned. A "no" is complete:
    all fours on the board are tried.

    >>> import renju
    >>> board = renju.Board("h8 g6 f6 g5 f7 g4 h7 g3 g2 a1")
    >>> str(board.turn.label), renju.solve_vcf(board).status  # black may not block the four at G7
    ('black', 'refuted')
    >>> str(renju.solve_vcf(board, color=renju.WHITE).first)
    'G7'
    """
    return solve(board, "vcf", color, limit, max_depth, shortest=shortest)


def solve_mise_vcf(board: Board, color: Color | int | None = None, limit: Limit | None = None) -> Proof:
    """Looks for a Mise-VCF (ミセ手四追い) of `color`, default the side to move; the shortest one.

    The first stone makes a three or a four and threatens a four-three; against every legal reply there is a
    win by fours, spite fours answered. For black the three must be a real one. `limit` bounds the seconds and
    nodes.

    >>> import renju
    >>> board = renju.Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10")
    >>> str(renju.solve_mise_vcf(board).first)
    'G7'
    """
    return solve(board, "mise-vcf", color, limit, None)


def solve_vct(
    board: Board,
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
) -> Proof:
    """Looks for a win by continuous threats (追い詰め) of `color`, default the side to move.

    Every stone makes a four, or would win by at most `threat_limit` fours after a pass: 1 are threes, 2 and 3
    also fukumi moves. `limit` bounds the seconds and nodes, `max_depth` the winner's stones in every line.
    All legal replies are met: see docs/proofs.md.

    >>> import renju
    >>> board = renju.Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=renju.WHITE)
    >>> proof = renju.solve_vct(board, max_depth=4)
    >>> str(proof.first), proof.depth, bool(renju.verify(board, proof))
    ('K8', 2, True)
    """
    return solve(board, "vct", color, limit, max_depth, threat_limit)


def is_winning_start(
    board: Board,
    point: PointLike,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
) -> Proof:
    """Does a win of this kind start here? The proof is true if it does, and has the line.

    The move itself must be one of that kind, for a VCF a four or a five, also where the winner has a five
    elsewhere. All other arguments are those of `solve`.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3", turn=renju.BLACK)
    >>> bool(renju.is_winning_start(board, "i8")), bool(renju.is_winning_start(board, "d8"))
    (True, False)
    """
    return solve(board, kind, color, limit, max_depth, threat_limit, first=point)


def winning_moves(
    board: Board,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
) -> WinningMoves:
    """Every first move of a win of a kind; `limit` holds for each. All other arguments are those of `solve`.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3", turn=renju.BLACK)
    >>> moves = renju.winning_moves(board)
    >>> " ".join(map(str, moves)), moves.complete
    ('E8 I8', True)
    """
    check_kind(kind, threat_limit)
    starts = _starts(board, kind, color)
    proofs: dict[Point, Proof] = {}
    try:
        for start in starts:
            proofs[start] = solve(board, kind, color, limit, max_depth, threat_limit, first=start)
    except KeyboardInterrupt:
        raise Interrupted("interrupted while solving", partial=_winning_moves(starts, proofs)) from None
    return _winning_moves(starts, proofs)


def _starts(board: Board, kind: str, color: Color | int | None) -> list[Point]:
    """Every point where a win of this kind may start."""
    if kind == "vct":
        return sorted(set(map(Point, range(BOARD_SIZE**2))) - set(board.stones))
    threats = board.threats(color)
    fours = threats.fives | threats.open_fours | threats.fours
    return sorted(fours if kind == "vcf" else fours | threats.threes)


def _winning_moves(starts: list[Point], proofs: dict[Point, Proof]) -> WinningMoves:
    """What is known of the starts; those without a proof are unknown."""
    return WinningMoves(
        {start: proof for start, proof in proofs.items() if proof},
        tuple(start for start in starts if start not in proofs or proofs[start].status == "unknown"),
    )


def shorten(board: Board, proof: Proof, limit: Limit | None = None) -> Proof:
    """A win of the same kind with the fewest stones.

    If a limit comes first, the shortest one that was found, with its `limit_hit`, or `proof` itself.
    """
    if not proof:
        raise ValueError("nothing was proved that could be shortened")
    try:
        shorter = solve(board, proof.kind, proof.color, limit, proof.depth, proof.threat_limit, shortest=True)
    except Interrupted as stop:
        stop.partial = stop.partial or proof
        raise
    if shorter.status == "refuted":
        raise ValueError("this is no proof for the board: there is no such win")
    return shorter or proof


def breakers(
    board: Board, proof: Proof, limit: Limit | None = None, max_depth: int | None = None
) -> Breakers:
    """The points where a stone of the defender, on move instead, leaves no win of this kind.

    `limit` and `max_depth` hold for the search after each point. The proof is checked first: `ValueError` if
    it does not hold on the board.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3 c5", turn=renju.BLACK)
    >>> " ".join(map(str, renju.breakers(board, renju.solve_vcf(board)).points))
    'E8 I8'
    """
    if not proof:
        raise ValueError("nothing was proved that could be broken")
    if not (checked := verify(board, proof)):
        raise ValueError(f"this is no proof for the board: {checked.reason}")
    start = board.set_up(proof.color.opponent)
    replies = list(start.legal_moves)
    status: dict[Point, Status] = {}
    try:
        for point in replies:
            start.push(point)
            after = solve(start, proof.kind, proof.color, limit, max_depth, proof.threat_limit)
            status[point] = after.status
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


def solve(
    board: Board,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
    shortest: bool = False,
    first: PointLike | None = None,
    stop: _native.StopFlag | None = None,
) -> Proof:
    """Looks for a forced win of a kind, "vcf", "mise-vcf" or "vct", of `color`, default the side to move:
    what `solve_vcf`, `solve_mise_vcf` and `solve_vct` do, with the kind as an argument.

    `limit` bounds the seconds and nodes, `max_depth` the winner's stones; `threat_limit` is the most fours, 1
    to 3, that a threat of a VCT may need; ``shortest=True`` finds a win with the fewest stones; `first` is
    the stone that it must begin with. Another thread may set `stop`, a `renju._native.StopFlag`, to end the
    search. Ctrl-C raises `Interrupted`.

    >>> import renju
    >>> board = renju.Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10")
    >>> [(kind, renju.solve(board, kind).status) for kind in ("vcf", "mise-vcf")]
    [('vcf', 'refuted'), ('mise-vcf', 'proved')]
    """
    threat_limit, limit = check_kind(kind, threat_limit), check_limit(limit)
    depth = check_depth(max_depth)
    attacker = board.turn if color is None else Color(color)
    found = Proof("unknown", kind, attacker, limit_hit="stop", threat_limit=threat_limit)
    start = perf_counter()
    try:
        status, exhausted, limit_hit, tree, line, depth_found, nodes, is_interrupted = _native.solve_position(
            board._position,
            color=attacker,
            kind=kind,
            threat_limit=threat_limit,
            max_depth=depth,
            shortest=shortest,
            first=None if first is None else on_board(first),
            nodes=limit.nodes,
            time_s=limit.time,
            stop=stop,
        )
        found = Proof(
            status=_STATUS[status],
            kind=kind,
            color=attacker,
            exhausted=exhausted,
            line=tuple(map(Point, line)),
            tree=None if tree is None else _attack.from_native(tree),
            depth=depth_found,
            nodes=nodes,
            time=perf_counter() - start,
            limit_hit=limit_hit,
            threat_limit=threat_limit,
        )
    except KeyboardInterrupt:
        is_interrupted = True
    if is_interrupted:
        raise Interrupted("interrupted while solving", partial=found)
    return found


def verify(board: Board, proof: Proof) -> Verification:
    """Checks a proof with stones and the slow rules alone, independently of the solver.

    It asks whether the tree wins, with attacks of its kind and within its `threat_limit`.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "e8 a1", turn=renju.BLACK)
    >>> tree = renju.solving.Attack(renju.Point("i8"))
    >>> renju.verify(board, renju.Proof("proved", "vcf", renju.BLACK, tree=tree))
    Verification(ok=False, reason='after I8: no answer to J8')
    """
    try:
        return _verify(board, proof)
    except KeyboardInterrupt:
        partial = Verification(False, "the check was stopped before its end")
        raise Interrupted("interrupted while verifying", partial=partial) from None


def _verify(board: Board, proof: Proof) -> Verification:
    if proof.status != "proved" or proof.tree is None:
        return Verification(False, "nothing was proved")
    try:
        tree = _attack.to_native(proof.tree)
    except _attack.BadTreeError as error:  # and nothing else: a signal's handler may raise anything
        return Verification(False, f"the tree is none: {error}")
    reason, line, depth = _native.verify(
        board._position, Color(proof.color), proof.kind, check_kind(proof.kind, proof.threat_limit), tree
    )
    if reason is None and (tuple(line), depth) != (tuple(proof.line), proof.depth):
        reason = "line and depth are not those of the tree"
    return Verification(reason is None, reason or "")


_STATUS: dict[int, Status] = {1: "proved", 0: "refuted", -1: "unknown"}
