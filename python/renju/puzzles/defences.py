"""Puzzles of a defence: all moves but one lose to a proved win."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from renju import batch
from renju._types import Color, Point
from renju.board import Board
from renju.errors import RenjuError
from renju.limits import Limit
from renju.proof import Proof
from renju.puzzles.model import Loss, Puzzle
from renju.puzzles.panel import measured_by
from renju.puzzles.wanted import Rejected, Solvers, Stop, Wanted
from renju.puzzles.wins import no_five_at_hand
from renju.solving import verify

__all__ = ["defence_puzzle"]

# Positions of a first search after each move, and the moves that are looked at closely at a time: little of
# either rejects most boards.
_GLANCE_NODES = 300
_AT_A_TIME = 2


def defence_puzzle(board: Board, wanted: Wanted, stop: Stop | None = None) -> Puzzle:
    """The puzzle of a position where all legal moves but one lose; `Rejected` tells why there is no puzzle.

    Every other move loses to a VCF, or to a VCT within the bounds of `Wanted`, whose proof was verified. The
    solution loses to neither within them.
    """
    solvers = Solvers(wanted, stop)
    no_five_at_hand(board)
    attacker = board.turn.opponent
    if solvers.vcf(board) or solvers.vct(board):
        raise Rejected("the side to move wins itself")
    if not (solvers.vcf(board, attacker) or solvers.vct(board, attacker)):
        raise Rejected("nothing is threatened")
    solution = _only_defence(board, solvers)
    losses = {}
    for point in board.legal_moves:
        if point != solution:
            losses[point] = _loss(board, point, solvers)
    panel = measured_by(board, solution, wanted.panel_nodes, solvers.check)
    puzzle = Puzzle(
        kind="defence",
        black=tuple(board.points_of(1)),
        white=tuple(board.points_of(2)),
        turn=board.turn,
        solution=solution,
        losses=losses,
        themes=("defence",),
        difficulty=sum(not is_found for is_found in panel.values()),
        measured={
            # Moves that need more than fours to be refuted are those that people try.
            "tries": sum(loss.kind == "vct" for loss in losses.values()),
            "fours": len(board.threats().fours | board.threats().open_fours),
            "panel": panel,
        },
        checked=wanted.to_dict(),
    )
    puzzle.verify()
    return puzzle


def _only_defence(board: Board, solvers: Solvers) -> Point:
    """The one move that does not lose; `Rejected` if there is none, a second one, or one that is open."""
    moves = board.legal_moves
    boards = np.repeat(board.to_array()[None], len(moves), axis=0)
    boards.reshape(len(moves), -1)[np.arange(len(moves)), [int(move) for move in moves]] = board.turn
    turns = np.full(len(moves), board.turn.opponent, np.int8)
    fours = batch.solve(boards, turns, "vcf", solvers.vcf_limit, threads=1, progress=solvers.check)
    left = np.flatnonzero(fours["status"] != 1)
    safe = 0
    solution: Point | None = None
    # A glance first: it rejects most positions.
    for nodes, at_a_time in ((_GLANCE_NODES, len(left)), (solvers.wanted.nodes, _AT_A_TIME)):
        still_open = []
        for start in range(0, len(left), max(1, at_a_time)):
            some = left[start : start + at_a_time]
            status = _threats(boards[some], turns[some], min(nodes, solvers.wanted.nodes), solvers)
            for n, is_lost in zip(some.tolist(), status.tolist(), strict=True):
                if is_lost == 0 and fours["status"][n] == 0:
                    safe, solution = safe + 1, moves[n]
                elif is_lost <= 0:
                    still_open.append(n)
            if safe > 1:
                raise Rejected("a second move does not lose")
            if still_open and nodes >= solvers.wanted.nodes:
                raise Rejected("open: a limit came before the answer")
        left = np.array(still_open, np.int64)
    if solution is None:
        raise Rejected("every move loses")
    return solution


def _threats(
    boards: npt.NDArray[np.int8], turns: npt.NDArray[np.int8], nodes: int, solvers: Solvers
) -> npt.NDArray[np.int8]:
    """1 where the side to move has a VCT, 0 where it has none, -1 where the nodes did not tell."""
    wanted = solvers.wanted
    limit = Limit(nodes=nodes)
    depth, threat = wanted.other_depth, wanted.threat_limit
    rows = batch.solve(boards, turns, "vct", limit, depth, threat, threads=1, progress=solvers.check)
    status: npt.NDArray[np.int8] = rows["status"]
    return status


def _loss(board: Board, point: Point, solvers: Solvers) -> Loss:
    """How a move loses, by a proof that the verifier accepts."""
    after = board.set_up(board.turn)
    after.push(point)
    attacker = Color(board.turn.opponent)
    proof: Proof = solvers.vcf(after, attacker) or solvers.vct(after, attacker)
    if not proof or proof.first is None or not verify(after, proof):
        raise RenjuError(f"{board!r}: {point} was said to lose, and its proof does not hold")
    return Loss(proof.kind, proof.first, proof.depth)
