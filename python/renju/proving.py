"""Sure wins of order 3: quiet moves that threaten a VCT, proved and checked against every reply."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from renju import _native
from renju._types import Color, Point, PointLike, on_board
from renju.errors import Interrupted
from renju.limits import Limit, check_kind, check_limit
from renju.proof import Status

if TYPE_CHECKING:
    from renju.board import Board

__all__ = ["ProofCheck", "ProveResult", "prove", "verify_proof"]

# How the verifier ends the reason for a check that was stopped.
_STOPPED = "the check was stopped before its end"

_STATUS: dict[int, Status] = {1: "proved", 0: "refuted", -1: "unknown"}


@dataclass(frozen=True)
class ProofCheck:
    """What the independent verifier says of a proof of order 3. True if the proof holds."""

    ok: bool
    """Whether the proof wins against every legal reply and every pass."""
    reason: str
    """Why the proof does not hold, in words; empty if it holds."""
    positions: int = 0
    """Positions with the winner to move that have a decision of their own and were checked."""
    replies: int = 0
    """Replies that were tried, passes included."""
    trees: int = 0
    """Trees of VCTs that were played through, each as often as a position needed it."""

    @property
    def is_stopped(self) -> bool:
        """Whether the check was ended before it knew."""
        return self.reason.endswith(_STOPPED)

    def __bool__(self) -> bool:
        return self.ok


@dataclass(frozen=True)
class ProveResult:
    """The answer of `prove`. True if a win was proved."""

    status: Status
    """"proved", "refuted" (every move was tried, and no limit had a part in it) or "unknown" (open)."""
    color: Color
    """The colour whose win was looked for."""
    reason: str | None = None
    """For "unknown": nodes, time, memory or stop, the limit that came first; leaves, if every move failed,
    but some only because searches for VCTs gave up; rejected, if the verifier refused what was found."""
    move: Point | None = None
    """The first move of the win; None if nothing was proved."""
    verified: bool = False
    """Whether the independent verifier went through the whole proof and accepted it."""
    depth: int = 0
    """Stones of the winner before the last VCT, in the longest line; 0 if a VCT wins at once."""
    entries: int = 0
    """Positions for which the proof holds a decision of the winner."""
    trees: int = 0
    """Different trees of VCTs that the proof holds."""
    threat_limit: int = 1
    """The most fours, 1 to 3, that a threat of a VCT might need."""
    nodes: int = 0
    """Positions that all searches together looked at."""
    time: float = field(default=0.0, compare=False)
    """Seconds that the search took, without the check."""
    counters: dict[str, int] = field(default_factory=dict, hash=False)
    """What the search did: positions of the graph, leaves (searches for VCTs), leaves_won, inherited
    (replies answered by a sibling's tree), attacks (stones whose replies were worked out), ordered (positions
    whose moves the engine put in order)."""
    proof: bytes | None = field(default=None, repr=False)
    """The proof in the form of docs/prove.md; None if nothing was proved."""

    def __bool__(self) -> bool:
        return self.status == "proved"


def prove(
    board: Board,
    color: Color | int | None = None,
    limit: Limit | None = None,
    threat_limit: int = 1,
    first: Iterable[PointLike] = (),
    hints: Iterable[bytes] = (),
    check: bool = True,
    stop: _native.StopFlag | None = None,
) -> ProveResult:
    """Looks for a win of order 3 of `color`, default the side to move: one in which a stone may be quiet, if
    a pass after it would lose to a VCT. See docs/prove.md.

    `color` is taken to be on move. `limit` bounds the seconds and nodes of the search; with `nodes` alone the
    answer is always the same. `threat_limit` is that of `solve_vct`. The moves of `first` are tried before
    all others. `hints` are proofs of positions that differ by a stone or two: what won there with the same
    stones added is played again first. Neither says whether there is a win, only where to look. With
    ``check=True`` the independent verifier goes through what was found; that comes on top of `limit` and
    takes several times as long as the search. Another thread may set `stop`, a `renju._native.StopFlag`, to
    end the search. Ctrl-C raises `Interrupted`.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h8", "e8 a1", turn=renju.BLACK)
    >>> renju.prove(board, limit=renju.Limit(nodes=0)).reason
    'nodes'
    """
    limit, attacker = check_limit(limit), board.turn if color is None else Color(color)
    threat_limit = check_kind("vct", threat_limit)
    found = ProveResult("unknown", attacker, reason="stop", threat_limit=threat_limit)
    start = perf_counter()
    try:
        answer = _native.prove_position(
            board._position,
            color=attacker,
            threat_limit=threat_limit,
            first=[int(on_board(point)) for point in first],
            hints=list(hints),
            nodes=limit.nodes,
            time_s=limit.time,
            stop=stop,
        )
        found = _result(answer, attacker, threat_limit, perf_counter() - start)
        is_interrupted = answer["interrupted"]
        if not is_interrupted and check and found.proof is not None:
            found = _checked(board, found, found.proof, stop)
    except KeyboardInterrupt:
        is_interrupted = True
    if is_interrupted:
        raise Interrupted("interrupted while proving", partial=found)
    return found


def _result(answer: _native._QuietAnswer, attacker: Color, threat_limit: int, seconds: float) -> ProveResult:
    counters = {
        "positions": answer["positions"],
        "leaves": answer["leaves"],
        "leaves_won": answer["leaves_won"],
        "inherited": answer["inherited"],
        "attacks": answer["attacks"],
        "ordered": answer["ordered"],
    }
    found = ProveResult(
        _STATUS[answer["status"]],
        attacker,
        reason=answer["reason"],
        threat_limit=threat_limit,
        nodes=answer["nodes"],
        time=seconds,
        counters=counters,
    )
    proof = answer["proof"]
    if proof is None:
        return found
    _, _, move, depth, entries, trees = _native.read_quiet_proof(proof)
    return replace(found, move=Point(move), depth=depth, entries=entries, trees=trees, proof=proof)


def _checked(board: Board, found: ProveResult, proof: bytes, stop: _native.StopFlag | None) -> ProveResult:
    """The result, verified; open if the verifier refuses the proof, which is a fault of the solver. A check
    that was stopped leaves the proof unverified."""
    check = verify_proof(board, proof, stop)
    if check or check.is_stopped:
        return replace(found, verified=check.ok)
    return ProveResult(
        "unknown",
        found.color,
        reason="rejected",
        threat_limit=found.threat_limit,
        nodes=found.nodes,
        time=found.time,
        counters=found.counters,
    )


def verify_proof(board: Board, proof: bytes, stop: _native.StopFlag | None = None) -> ProofCheck:
    """Checks a proof of order 3 on a board with stones and the slow rules alone, independently of the solver.

    At every turn of the defender the pass and every legal point of the board are tried. The winner is taken
    to be on move. Bytes that hold no proof are no proof. Another thread may set `stop`, a
    `renju._native.StopFlag`, to end the check early.

    >>> import renju
    >>> renju.proving.verify_proof(renju.Board(), b"nothing")
    ProofCheck(ok=False, reason='the bytes do not begin as a proof of order 3, version 1, does', ...)
    """
    try:
        _native.read_quiet_proof(proof)
    except ValueError as error:
        return ProofCheck(False, str(error))
    try:
        reason, positions, replies, trees = _native.verify_quiet_proof(board._position, proof, stop=stop)
    except KeyboardInterrupt:
        partial = ProofCheck(False, _STOPPED)
        raise Interrupted("interrupted while verifying", partial=partial) from None
    return ProofCheck(reason is None, reason or "", positions, replies, trees)
