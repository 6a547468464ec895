"""Puzzles of a win: the one move that wins, every other legal move checked."""

from __future__ import annotations

from dataclasses import replace

from renju._types import Point
from renju.board import Board
from renju.proof import Proof
from renju.puzzles.model import Puzzle
from renju.puzzles.panel import measured_by
from renju.puzzles.themes import themes_of
from renju.puzzles.wanted import Rejected, Solvers, Stop, Wanted

__all__ = ["no_five_at_hand", "win_puzzle"]


def win_puzzle(board: Board, wanted: Wanted, stop: Stop | None = None) -> Puzzle:
    """The puzzle of a position, with its shortest win; `Rejected` tells why the position is no puzzle."""
    solvers = Solvers(wanted, stop)
    no_five_at_hand(board)
    proof = _shortest_win(board, solvers)
    least, most = wanted.depth
    if proof.depth < least:
        raise Rejected("the win is too short")
    if proof.depth > most:
        raise Rejected("the win is too long")
    if proof.kind not in wanted.kinds:
        raise Rejected("the kind of the win is not wanted")
    if solvers.vct(board, max_depth=proof.depth - 1):
        raise Rejected("there is a shorter win of another kind")
    proof = replace(proof, time=0.0)  # the only part that differs from run to run
    assert proof.first is not None
    _only(board, proof, solvers)
    themes = themes_of(board, proof)
    panel = measured_by(board, proof.first, wanted.panel_nodes, solvers.check)
    puzzle = Puzzle(
        kind=proof.kind,
        black=tuple(board.points_of(1)),
        white=tuple(board.points_of(2)),
        turn=board.turn,
        solution=proof.first,
        proof=proof,
        themes=themes,
        difficulty=sum(not is_found for is_found in panel.values()),
        measured={
            "solver_nodes": proof.nodes,
            "fours": len(board.threats().fours | board.threats().open_fours),
            "panel": panel,
        },
        checked=wanted.to_dict(),
    )
    puzzle.verify()
    return puzzle


def no_five_at_hand(board: Board) -> None:
    """`Rejected` where the next move is plain: a five, or the block of a four."""
    if board.threats().fives:
        raise Rejected("a five is at hand")
    if board.threats(board.turn.opponent).fives:
        raise Rejected("a four of the opponent must be blocked")


def _shortest_win(board: Board, solvers: Solvers) -> Proof:
    """The win of the simplest kind, the shortest of that kind."""
    if proof := solvers.vcf(board, shortest=True):
        return proof
    if proof := solvers.mise(board):
        return proof
    depth = solvers.wanted.depth[1]
    for threat_limit in range(1, solvers.wanted.threat_limit + 1):
        if proof := solvers.vct(board, max_depth=depth, threat_limit=threat_limit, shortest=True):
            return proof
    raise Rejected("there is no win")


def _only(board: Board, proof: Proof, solvers: Solvers) -> None:
    """`Rejected` if another legal move wins, too: by a VCF of any depth, by a VCT within the bounds of
    `Wanted`, or as a quiet stone after which there is a VCF against every reply."""
    others = [point for point in board.legal_moves if point != proof.first]
    if proof.kind == "vcf":
        fours = board.threats().fours | board.threats().open_fours
        for point in others:
            if point in fours and solvers.vcf(board, first=point):
                raise Rejected("another move wins by fours")
    for point in others:
        if solvers.vct(board, first=point):
            raise Rejected("another move wins by threats")
    for point in others:
        if _wins_quietly(board, point, proof, solvers):
            raise Rejected("another move wins quietly")


def _wins_quietly(board: Board, point: Point, proof: Proof, solvers: Solvers) -> bool:
    """Is there a VCF after the stone, whatever the reply? One reply without it is enough for a no; those on
    the line of the solution are tried first, since they break most wins."""
    color = board.turn
    after = board.set_up(color)
    after.push(point)
    threat = solvers.vcf(after, color)
    if not threat:
        return False  # a pass is answer enough
    likely = [*threat.line, *proof.line]
    legal = after.legal_moves
    known = {*legal}
    for reply in dict.fromkeys([*(move for move in likely if move in known), *legal]):
        after.push(reply)
        is_over = after.outcome is not None
        still_wins = not is_over and bool(solvers.vcf(after, color))
        after.pop()
        if not still_wins:
            return False
    return True
