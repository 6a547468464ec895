"""The moves that are compared, and how their scores are made comparable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from renju import _native
from renju._types import PASS, Color, Forbidden, Point
from renju.board import Board
from renju.engine import Candidate, SearchResult
from renju.proof import Proof
from renju.reviewing.wins import plies

__all__ = ["Option", "align", "end_of", "foul_of", "mean_score"]


@dataclass
class Option:
    """A move and what is known about it. Scores are in the view of its player."""

    move: Point
    """The point of the move, which may be a pass."""
    after: Board
    """The position after the move."""
    score: int = 0
    """Score of the move in points, in its player's view."""
    pv: tuple[Point, ...] = ()
    """The line that is expected, beginning with the move."""
    is_certain: bool = False
    """Whether the score is that of a proof or of the rules, which no search can change."""
    loses_to: Proof | None = None
    """A forced win of the opponent after the move; None if none is known."""
    depths: dict[int, int] = field(default_factory=dict)
    """Key: plies of a finished search of the position after the move; value: its score in points, in the
    player's view, where it is neither a win nor a loss."""

    @classmethod
    def at(cls, board: Board, move: Point) -> Option:
        """A move on a board; if it ends the game, it has its score."""
        after = board.copy()
        after.push(move)
        option = cls(move, after)
        outcome = after.outcome
        if foul_of(board, move):
            option.settle(1 - _native.WIN, (move,))
        elif outcome is not None:
            sign = 0 if outcome.winner is None else 1 if outcome.winner is board.turn else -1
            option.settle(sign * (_native.WIN - 1), (move,))
        return option

    def settle(self, score: int, pv: tuple[Point, ...]) -> None:
        """Takes a score that no search can change."""
        self.score, self.pv, self.is_certain = score, pv, True
        self.depths = {}

    def refute(self, win: Proof) -> None:
        """Takes the score of a loss by force."""
        self.settle(1 + plies(self.after, win) - _native.WIN, (self.move, *win.line))
        self.loses_to = win

    def take(self, result: SearchResult) -> None:
        """Takes the scores of a search of the position after the move."""
        self.score, self.pv = -result.score, (self.move, *result.pv)
        if end_of(self.score) is None:
            self.depths = {depth: -score for depth, _, score in result.depths if end_of(score) is None}


def end_of(score: int) -> int | None:
    """The plies to the five of a win, negative for a loss, None for any other score."""
    return Candidate(Point(PASS), score, ()).win_in


def align(options: Iterable[Option]) -> int:
    """Takes all scores that are neither wins nor losses from the last two depths that every search finished.
    Returns the deeper one, the move included; 0 if there are no such scores."""
    searched = [option for option in options if option.depths]
    if not searched:
        return 0
    depth = min(max(option.depths) for option in searched)
    for option in searched:
        option.score = mean_score(option.depths, depth)
    return depth + 1


def mean_score(depths: Mapping[int, int], depth: int) -> int:
    """The mean of the scores of a depth and of the one before it, as far as they are known; that of the next
    depth otherwise. Key: plies; value: the score."""
    known = [depths[plies] for plies in (depth - 1, depth) if plies in depths]
    return sum(known) // len(known) if known else depths[min(depths)]


def foul_of(board: Board, move: Point) -> Forbidden:
    """Why the side to move may not make a move."""
    if move == PASS or board.turn is not Color.BLACK:
        return Forbidden.NONE
    return board.forbidden_kind(move)
