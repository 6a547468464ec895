"""The native solvers and the verifier, asked about a board."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from renju import _attack, _native
from renju._types import Color, Point, PointLike, on_board
from renju.errors import Interrupted
from renju.limits import Limit, check_depth, check_kind, check_limit
from renju.proof import Proof, Status

if TYPE_CHECKING:
    from renju.board import Board

__all__ = ["Verification", "ask", "verify"]


@dataclass(frozen=True)
class Verification:
    """What the independent verifier says of a proof. True if it holds."""

    ok: bool
    """Whether the proof wins against every defence."""
    reason: str
    """Why the proof does not hold, in words; empty if it holds."""

    def __bool__(self) -> bool:
        return self.ok


def ask(
    board: Board,
    kind: str,
    color: Color | int | None = None,
    limit: Limit | None = None,
    max_depth: int | None = None,
    threat_limit: int = 1,
    shortest: bool = False,
    first: PointLike | None = None,
    stop: _native.StopFlag | None = None,
) -> Proof:
    """Looks for a forced win; the arguments are those of `renju.solve`. The answer has no `refutation`."""
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
