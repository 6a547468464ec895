"""How a book grows: positions that were analysed, what they are worth through the book, and where to look
next.

The next position is the one that is cheapest to reach: every ply costs something, and a move that is worse
than the best one costs as much as it is worse. So the lines that both sides would choose get long, and every
good alternative gets its turn (this is drop-out expansion).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from renju import _native
from renju._types import BOARD_SIZE, Point
from renju.board import Board
from renju.book.entries import MOST_COUNT, MOST_DEPTH, BookMove

__all__ = ["Analysis", "Growth", "Rules", "is_decided"]

_WEIGHT = 100


@dataclass(frozen=True)
class Rules:
    """Where a book grows, and what is played of it. Scores as the engine has them."""

    plies: int
    """The most plies between a start of the book and a position of it."""
    ply_cost: int
    """Points of score that a ply costs; a larger number makes the book broader and less deep."""
    margin: int
    """Points of score; a move that is worse than the best by more than this is not looked at."""
    play_margin: int
    """Points of score; a move that is worse than the best by this much is never played."""
    weight_step: int
    """Points of score; a move that is worse than the best by this much is played half as often."""


@dataclass(frozen=True)
class Analysis:
    """What the engine found of a position, on its canonical board."""

    main: tuple[int, int, int, int]
    """Best move (as a point's number), score in points, depth in plies and nodes of the search for the best
    move."""
    others: tuple[tuple[int, int, int, int], ...]
    """Move, score, depth and nodes of each move of a search for several moves, best first. It is less deep:
    what it says is only used to decide where to look."""


@dataclass(slots=True)
class _Edge:
    """A move from a position."""

    point: int
    child: int | None
    """The position after it; None if it ends the game."""
    own: tuple[int, int, int]
    """Score, depth and nodes as the analysis has them."""
    is_main: bool
    score: int = 0
    """Through the book, as the following."""
    depth: int = 0
    nodes: int = 0
    is_sound: bool = False
    """Good enough to be played: the best move of a search or a win that it found, or the position after it
    was analysed."""


@dataclass(slots=True)
class _Position:
    board: Board
    stones: int
    edges: list[_Edge]

    def best(self) -> _Edge:
        """What the position is worth. Moves that were only glanced at count, too: without them the side that
        moved before would rely on its opponent to overlook them."""
        return max(self.edges, key=lambda edge: (edge.score, -edge.point))


def is_decided(score: int) -> bool:
    """Is this the score of a win that was found?"""
    return abs(score) >= _native.WIN - BOARD_SIZE**2


def _seen_from_before(score: int) -> int:
    """What a position is worth to the side that moved to it: a win is one ply farther away."""
    if is_decided(score):
        score -= 1 if score > 0 else -1
    return -score


class Growth:
    """The positions of a book that is being made."""

    def __init__(self, starts: Iterable[Board], rules: Rules) -> None:
        self.rules = rules
        self._positions: dict[int, _Position] = {}
        self._boards: dict[int, Board] = {}
        """Positions one move from those that were analysed, on their canonical boards."""
        self._starts: list[int] = []
        for start in starts:
            key, board = _canonical(start)
            if key not in self._boards:
                self._boards[key] = board
                self._starts.append(key)

    def __len__(self) -> int:
        return len(self._positions)

    def board(self, key: int) -> Board:
        """The canonical board of a position."""
        return self._boards[key]

    def add(self, key: int, analysis: Analysis) -> None:
        """Takes in what was found of a position."""
        board = self._boards[key]
        edges: dict[int | None, _Edge] = {}
        for number, (point, score, depth, nodes) in enumerate((analysis.main, *analysis.others)):
            after = board.copy()
            child = None
            if after.push(point) is None and after.legal_moves:
                child, after = _canonical(after)
                self._boards.setdefault(child, after)
            # The first is the main move; images of each other are one.
            edges.setdefault(child, _Edge(point, child, (score, depth, nodes), number == 0))
        self._positions[key] = _Position(board, len(board), list(edges.values()))

    def drop(self, board: Board, move: Point) -> None:
        """Takes a move out, since it loses."""
        position = self._positions[board.symmetric_key]
        position.edges = [edge for edge in position.edges if edge.point != move]

    def settle(self) -> None:
        """Brings the scores from the ends of the lines back to the starts. A position that is left without a
        sound move is as if nobody had looked at it."""
        for key, position in self._deepest_first():
            for edge in position.edges:
                child = None if edge.child is None else self._positions.get(edge.child)
                if child is None:
                    edge.score, edge.depth, edge.nodes = edge.own
                    edge.is_sound = edge.is_main or (edge.score > 0 and is_decided(edge.score))
                else:
                    best = child.best()
                    edge.score, edge.is_sound = _seen_from_before(best.score), True
                    edge.depth, edge.nodes = best.depth + 1, best.nodes
            if not any(edge.is_sound for edge in position.edges):
                del self._positions[key]

    def next(self, count: int) -> list[int]:
        """The positions to be analysed next, cheapest first."""
        rules = self.rules
        # What it costs to get to a position, and in how many plies.
        costs = dict.fromkeys(self._starts, (0, 0))
        waiting = {key: cost for key, cost in costs.items() if key not in self._positions}
        for key, position in reversed(self._deepest_first()):
            if key not in costs:
                continue  # nobody would go there any more
            cost, ply = costs[key]
            best = max(edge.score for edge in position.edges)
            if ply >= rules.plies or is_decided(best):
                continue
            for edge in position.edges:
                drop = best - edge.score
                if edge.child is None or drop > rules.margin or is_decided(edge.score):
                    continue
                reached = (cost + rules.ply_cost + drop, ply + 1)
                costs[edge.child] = min(reached, costs.get(edge.child, reached))
                if edge.child not in self._positions:
                    waiting[edge.child] = costs[edge.child]
        return sorted(waiting, key=lambda key: (waiting[key], key))[:count]

    def moves(self) -> list[tuple[Board, list[BookMove]]]:
        """The moves of all positions, with weights."""
        return [(position.board, self._weighted(position)) for position in self._positions.values()]

    def _weighted(self, position: _Position) -> list[BookMove]:
        rules = self.rules
        best = max(edge.score for edge in position.edges if edge.is_sound)
        moves = []
        for edge in position.edges:
            drop = best - edge.score
            if not edge.is_sound or drop >= rules.play_margin:
                weight = 0
            elif is_decided(best):
                # Of wins the shortest. A lost position is left to the search, which makes it hard.
                weight = _WEIGHT if best > 0 and drop == 0 else 0
            else:
                weight = _WEIGHT >> drop // rules.weight_step
            depth, nodes = min(edge.depth, MOST_DEPTH), min(edge.nodes, MOST_COUNT)
            moves.append(BookMove(Point(edge.point), weight, edge.score, depth, nodes))
        return moves

    def _deepest_first(self) -> list[tuple[int, _Position]]:
        """Positions with more stones first: a move always adds one, so what follows comes before."""
        return sorted(self._positions.items(), key=lambda item: (-item[1].stones, item[0]))


def _canonical(board: Board) -> tuple[int, Board]:
    key, k = board._position.symmetric_key()
    return key, board.transform(k)
