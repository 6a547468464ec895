"""Forced wins: found by the solvers, checked by the verifier, and called by their names."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from renju import _native
from renju._types import PASS, Color, Point
from renju.board import Board
from renju.errors import EngineError
from renju.limits import Limit
from renju.proof import Proof, Status
from renju.reviewing.model import WinKind
from renju.solving import solve, verify

__all__ = ["Search", "WinSearch", "check", "lost_score", "plies", "points_of", "win_kind", "win_score"]

# What is looked for, in this order: the kind, the most fours of a threat, and the nodes it may take. The
# first is complete without a limit; the last also finds wins that begin with a quiet move (フクミ手).
_STAGES = (("vcf", 1, 100_000), ("mise-vcf", 1, 50_000), ("vct", 1, 200_000), ("vct", 3, 100_000))
# Is a win kept? A Mise-VCF is a VCT, and so is a VCT with shorter threats.
_KEEPING = (("vcf", 1, 100_000), ("vct", 1, 400_000), ("vct", 3, 400_000))
# Is a defence worth a closer look?
_QUICK = (("vcf", 1, 5_000), ("vct", 1, 20_000))


_LEAST_SECONDS = 0.001


@dataclass(frozen=True)
class Search:
    """What was found, how sure a "no" is, and what it took."""

    proof: Proof | None
    """The proof of the win; None if no win was found."""
    status: Status
    """Whether a win was proved, refuted, or left unknown by a limit."""
    nodes: int
    """Positions that the solvers looked at."""


class WinSearch:
    """Looks for forced wins within limits; another thread may end it by `stop`."""

    def __init__(self, limit: Limit, stop: _native.StopFlag, is_shared: bool = True) -> None:
        """`limit` is shared by all searches from one `begin` to the next, or else holds for each of them."""
        self._limit, self._stop, self._is_shared = limit, stop, is_shared
        self.begin()

    def begin(self) -> None:
        """The whole limit is there again."""
        self._nodes = self._limit.nodes
        self._end = None if self._limit.time is None else perf_counter() + self._limit.time

    @property
    def is_spent(self) -> bool:
        """Is nothing left of the limit? Then the answer to every question is "unknown"."""
        is_late = self._end is not None and perf_counter() >= self._end
        return self._is_shared and (is_late or self._nodes == 0)

    def win(self, board: Board) -> Search:
        """A win of the side to move."""
        return self._first(board, _STAGES, None)

    def quick_win(self, board: Board) -> Search:
        """A win of the side to move, with few nodes, where many moves are looked at."""
        return self._first(board, _QUICK, None)

    def win_by(self, board: Board, move: Point) -> Search:
        """A win of the side to move that starts with this move."""
        if move == PASS:
            return Search(None, "refuted", 0)
        return self._first(board, _KEEPING, move)

    def _first(self, board: Board, stages: tuple[tuple[str, int, int], ...], move: Point | None) -> Search:
        nodes, is_unknown = 0, False
        for kind, threat_limit, most in stages:
            if self.is_spent:
                is_unknown = True
                break
            limit = self._left(most)
            # The shortest win by fours is quickly known, and easier to believe.
            shortest = kind == "vcf" and move is None
            proof = solve(board, kind, None, limit, None, threat_limit, shortest, first=move, stop=self._stop)
            nodes += proof.nodes
            if self._is_shared and self._nodes is not None:
                self._nodes = max(self._nodes - proof.nodes, 0)
            if proof:
                return Search(proof, "proved", nodes)
            is_unknown |= proof.status == "unknown"
        return Search(None, "unknown" if is_unknown else "refuted", nodes)

    def _left(self, most: int) -> Limit:
        """The time and the nodes that a search may take, of which there are at most `most`."""
        time = self._limit.time
        if self._is_shared and self._end is not None:
            time = max(self._end - perf_counter(), _LEAST_SECONDS)
        return Limit(time, most if self._nodes is None else min(most, self._nodes))


def check(board: Board, proof: Proof) -> None:
    """`EngineError` if the verifier rejects the proof, which would be a bug."""
    verdict = verify(board, proof)
    if not verdict:
        raise EngineError(f"a proof ({proof.kind}) does not hold on {board!r}: {verdict.reason}")


def plies(board: Board, proof: Proof) -> int:
    """Moves up to and including the five."""
    return 1 if proof.first in board.threats(proof.color).fives else 2 * proof.depth + 1


def win_score(board: Board, proof: Proof) -> int:
    """What a proved win is worth to the side to move."""
    return _native.WIN - plies(board, proof)


def lost_score(running: Proof) -> int:
    """What a position is worth to the side to move, after the opponent began a proved win."""
    return 2 * running.depth - _native.WIN


def points_of(proof: Proof) -> set[Point]:
    """All points of a proof: those of the winner, and the replies."""
    found: set[Point] = set()
    trees = [] if proof.tree is None else [proof.tree]
    while trees:
        tree = trees.pop()
        found |= {tree.stone, *tree.replies}
        trees += tree.replies.values()
        if tree.after_pass is not None:
            trees.append(tree.after_pass)
    return found


def win_kind(board: Board, proof: Proof) -> WinKind:
    """How a player calls the win."""
    if _is_trap(board, proof):
        return "forbidden-trap"
    if _is_double_mise(board, proof):
        return "double-mise"
    kind: dict[str, WinKind] = {"vcf": "vcf", "mise-vcf": "mise-vcf", "vct": "vct"}
    return kind[proof.kind]


def _is_trap(board: Board, proof: Proof) -> bool:
    """Does the line end with a four of white's that black may stop at one point only, a forbidden one?"""
    if proof.color is not Color.WHITE:
        return False
    end = _played(board, proof.line)
    completions = end.threats(Color.WHITE).fives
    if len(completions) != 1 or end.threats(Color.BLACK).fives:
        return False
    return bool(end.forbidden_kind(next(iter(completions))))


def _is_double_mise(board: Board, proof: Proof) -> bool:
    """Does the first stone, which makes no four, give two new points for a four-three?"""
    end = _played(board, proof.line[:1])
    after = end.threats(proof.color)
    new = after.four_threes - after.open_fours - board.threats(proof.color).four_threes
    return len(new) >= 2 and not after.fives


def _played(board: Board, line: tuple[Point, ...]) -> Board:
    """The board after these moves, also where the record of the game has ended already."""
    after = board.set_up()
    for point in line:
        after.push(point)
    return after
