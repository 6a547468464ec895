"""Forced wins: the solvers, the verifier, and questions around a win."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from renju import _native
from renju._ask import Verification, ask, verify
from renju._types import BOARD_SIZE, Color, Point, PointLike, on_board
from renju.board import Board
from renju.errors import Interrupted
from renju.limits import Limit, check_depth, check_kind, check_limit
from renju.proof import Attack, Proof, Status
from renju.refutation import Refutation, furthest
from renju.refuting import refute

__all__ = [
    "Attack",
    "Breakers",
    "Limit",
    "Proof",
    "Refutation",
    "Verification",
    "WinningMoves",
    "breakers",
    "is_winning_start",
    "refutations",
    "shorten",
    "solve",
    "solve_mise_vcf",
    "solve_vcf",
    "solve_vct",
    "verify",
    "winning_moves",
]


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
    why: bool = False,
) -> Proof:
    """Looks for a win by continuous fours (四追い) of `color`, default the side to move.

    `color` is taken to be on move. `limit` bounds the seconds and nodes, `max_depth` its stones;
    ``shortest=True`` finds a win with the fewest, else the first one found is returned. A "no" is complete:
    all fours on the board are tried. ``why=True`` is explained at `solve`.

    >>> import renju
    >>> board = renju.Board("h8 g6 f6 g5 f7 g4 h7 g3 g2 a1")
    >>> str(board.turn.label), renju.solve_vcf(board).status  # black may not block the four at G7
    ('black', 'refuted')
    >>> str(renju.solve_vcf(board, color=renju.WHITE).first)
    'G7'
    """
    return solve(board, "vcf", color, limit, max_depth, shortest=shortest, why=why)


def solve_mise_vcf(
    board: Board, color: Color | int | None = None, limit: Limit | None = None, why: bool = False
) -> Proof:
    """Looks for a Mise-VCF (ミセ手四追い) of `color`, default the side to move; the shortest one.

    The first stone makes a three or a four and threatens a four-three; against every legal reply there is a
    win by fours, spite fours answered. For black the three must be a real one. `limit` bounds the seconds and
    nodes. ``why=True`` is explained at `solve`.

    >>> import renju
    >>> board = renju.Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10")
    >>> str(renju.solve_mise_vcf(board).first)
    'G7'
    """
    return solve(board, "mise-vcf", color, limit, None, why=why)


def solve_vct(
    board: Board,
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
    why: bool = False,
) -> Proof:
    """Looks for a win by continuous threats (追い詰め) of `color`, default the side to move.

    Every stone makes a four, or would win by at most `threat_limit` fours after a pass: 1 are threes, 2 and 3
    also fukumi moves. `limit` bounds the seconds and nodes, `max_depth` the winner's stones in every line.
    All legal replies are met: see docs/proofs.md. ``why=True`` is explained at `solve`.

    >>> import renju
    >>> board = renju.Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=renju.WHITE)
    >>> proof = renju.solve_vct(board, max_depth=4)
    >>> str(proof.first), proof.depth, bool(renju.verify(board, proof))
    ('K8', 2, True)
    """
    return solve(board, "vct", color, limit, max_depth, threat_limit, why=why)


def is_winning_start(
    board: Board,
    point: PointLike,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
) -> Proof:
    """Does a win of this kind start at `point`? The proof is true if it does, and has the line. If it is
    refuted, its `refutation` tells why: the defence that breaks the attack, its class, and the line.

    The move itself must be one of that kind, for a VCF a four or a five, also where the winner has a five
    elsewhere. `color` wins, the side to move unless given; `max_depth` bounds the stones of the winner;
    `threat_limit` is as for `solve`. The search for the refutation may take `limit` once more.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "a1 a3", turn=renju.BLACK)
    >>> bool(renju.is_winning_start(board, "i8")), bool(renju.is_winning_start(board, "d8"))
    (True, False)
    >>> print(renju.is_winning_start(board, "d8").refutation)
    E8 stops it: D8 E8
    """
    return solve(board, kind, color, limit, max_depth, threat_limit, first=point, why=True)


def refutations(
    board: Board,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
) -> dict[Point, Refutation]:
    """Why the attacks of a kind do not win: every stone that is one and starts no win, with the defence that
    breaks it. Stones that win, and those of which a limit leaves open whether they do, are left out.

    `limit` holds for each stone, once for the win and once for the defence. `color` attacks, the side to move
    unless given; `max_depth` bounds the stones of the attacker; `threat_limit` is as for `solve`.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "e8 a3", turn=renju.BLACK)
    >>> for point, why in renju.refutations(board).items():
    ...     print(f"{point}: {why}")
    I8: J8 stops it: I8 J8
    J8: I8 stops it: J8 I8
    """
    check_kind(kind, threat_limit)
    found: dict[Point, Refutation] = {}
    try:
        for start in _starts(board, kind, color):
            proof = is_winning_start(board, start, kind, color, limit, max_depth, threat_limit)
            if proof.refutation is not None and proof.refutation.kind != "not-forcing":
                found[start] = proof.refutation
    except KeyboardInterrupt:
        raise Interrupted("interrupted while solving", partial=found) from None
    return found


def _with_reason(
    board: Board, proof: Proof, point: Point, limit: Limit | None, max_depth: int | None
) -> Proof:
    """A refuted proof with the reason why no win starts at a point."""
    try:
        why = refute(board, point, proof, check_limit(limit), check_depth(max_depth))
    except KeyboardInterrupt:
        raise Interrupted("interrupted while solving", partial=proof) from None
    return replace(proof, refutation=why)


def winning_moves(
    board: Board,
    kind: str = "vcf",
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
) -> WinningMoves:
    """Every first move of a win of a kind. `limit` holds for each move. `color` wins, the side to move unless
    given; `max_depth` bounds the stones of the winner; `threat_limit` is as for `solve`.

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
            proofs[start] = ask(board, kind, color, limit, max_depth, threat_limit, first=start)
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
    """A win of the same kind as `proof` on `board`, with the fewest stones.

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
    why: bool = False,
) -> Proof:
    """Looks for a forced win of a kind, "vcf", "mise-vcf" or "vct", of `color`, default the side to move:
    what `solve_vcf`, `solve_mise_vcf` and `solve_vct` do, with the kind as an argument.

    `limit` bounds the seconds and nodes, `max_depth` the winner's stones; `threat_limit` is the most fours, 1
    to 3, that a threat of a VCT may need; ``shortest=True`` finds a win with the fewest stones; `first` is
    the stone that it must begin with. Another thread may set `stop`, a `renju._native.StopFlag`, to end the
    search. Ctrl-C raises `Interrupted`. With ``why=True`` a refuted answer has a `refutation`: of `first` or,
    without it, of the attack among `refutations` that goes furthest.

    >>> import renju
    >>> board = renju.Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10")
    >>> [(kind, renju.solve(board, kind).status) for kind in ("vcf", "mise-vcf")]
    [('vcf', 'refuted'), ('mise-vcf', 'proved')]
    """
    proof = ask(board, kind, color, limit, max_depth, threat_limit, shortest, first, stop)
    if not why or proof.status != "refuted":
        return proof
    if first is not None:
        return _with_reason(board, proof, on_board(first), limit, max_depth)
    try:
        found = refutations(board, kind, color, limit, max_depth, threat_limit)
    except Interrupted as interrupt:
        interrupt.partial = proof
        raise
    return replace(proof, refutation=furthest(found, kind))
