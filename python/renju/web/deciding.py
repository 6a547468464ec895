"""What the engine does in an opening by a rule: where it places, whether it swaps, how many fifths it
declares, which ones it offers, which one it chooses.

It goes by its own score, that of the strongest level whatever the level of the game is: at lower ones the
score depends more on whose move the last one was than on the position. Where the other player may take either
side, it wants the position to be even; where nobody may, it wants the best for the colour that it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event

from renju._types import Point
from renju.board import Board
from renju.book.playing import pick
from renju.config import LEVELS
from renju.engine import Engine
from renju.limits import Limit
from renju.openings import Action, Option, RuleGame, equivalent_moves
from renju.web.rules import action_text
from renju.web.searches import Emit

__all__ = ["RuleSearch"]

_HASH_MB = 16
# Nodes of a position; of many moves at once, each; and of whatever is asked after a stop.
_NODES, _NODES_OF_EACH, _NODES_IN_HASTE = 60_000, 3_000, 300
# Moves that are looked at for an even one, and of those the ones that are searched by themselves.
_CANDIDATES, _SHORTLIST = 40, 6
# Points by which a position may be less even than the most even one and be taken as well, for variety.
_SPREAD = 25
# Lines between the middle and a stone, or a stone and the next one, where no search can say anything yet.
_NEAR = 2

_Scored = list[tuple[Point, int]]


class RuleSearch:
    """The next action of an opening that is not over, decided by the engine."""

    def __init__(self, game: RuleGame, seed: int) -> None:
        """`seed` decides between actions that are equally good."""
        self._game, self._seed = game, seed
        self._engine = Engine(LEVELS[-1], hash_mb=_HASH_MB, book=False)
        self._stopped = Event()

    def run(self, emit: Emit) -> None:
        """Tells the action as a text."""
        emit({"type": "result", "action": action_text(self._decide(self._game))})

    def stop(self) -> None:
        """Ends the search in haste: what was not looked at yet is decided at a glance."""
        self._stopped.set()
        self._engine.stop()

    def _decide(self, game: RuleGame) -> Action:
        options = {option.kind: option for option in game.options}
        if "choose" in options:
            return Action("choose", (self._worst_fifth(game, game.offered),))
        if "offer" in options:
            fifths = self._fifths(game, options["offer"].low)
            # Where a swap is possible in place of the offer, black offers what it wants to keep.
            if "swap" not in options or fifths[-1][1] > 0:
                return Action("offer", tuple(point for point, _ in fifths))
        if "swap" in options:
            return Action("swap", swapped=self._value(game) < 0)
        if "take" in options:
            board = game.board
            return Action("take", color=board.turn if self._score(board) >= 0 else board.turn.opponent)
        if "declare" in options:
            return Action("declare", count=self._even_count(game, options["declare"]))
        return Action("place", (self._stone(game, options["place"]),))

    # Stones

    def _stone(self, game: RuleGame, option: Option) -> Point:
        if len(option.points) == 1:
            return option.points[0]
        after = game.place(option.points[0])
        if any(later.kind == "place" and later.player == option.player for later in after.options):
            return self._any_stone(game, option.points)  # the last stone of a row decides
        if _may_turn(after, option):
            return self._even_stone(game, option)
        best = self._search(game.board, 1)
        return best[0][0]

    def _any_stone(self, game: RuleGame, points: Sequence[Point]) -> Point:
        """A point near the others, by chance; those that are the same move count once."""
        groups = equivalent_moves(game.board, [point for point in points if _is_near(game, point)])
        return groups[pick([1] * len(groups), self._seed, game.board.key)][0]

    def _even_stone(self, game: RuleGame, option: Option) -> Point:
        """A stone after which the position is about even."""
        board, allowed = game.board, {*option.points}
        found = [(point, score) for point, score in self._search(board, _CANDIDATES) if point in allowed]
        if not found:
            return self._any_stone(game, option.points)
        found.sort(key=lambda item: abs(item[1]))
        looked = [(point, abs(self._value(game.place(point)))) for point, _ in found[:_SHORTLIST]]
        least = min(value for _, value in looked)
        even = [point for point, value in looked if value <= least + _SPREAD]
        return even[pick([1] * len(even), self._seed, board.key)]

    # Fifths

    def _fifths(self, game: RuleGame, count: int) -> _Scored:
        """The best `count` fifths for black of which no two are equivalent, with their scores, best first."""
        board = game.board
        found = dict(self._search(board, min(2 * count + _SHORTLIST, len(board.legal_moves))))
        # Far from the stones no move is searched; the nearest of the others are the best of them.
        lowest = min(found.values(), default=0)
        rest = sorted(
            (p for p in board.legal_moves if p not in found), key=lambda point: _distance(board, point)
        )
        found |= dict.fromkeys(rest, lowest - 1)
        groups = equivalent_moves(board, found, edges=False)
        return [(group[0], found[group[0]]) for group in groups[:count]]

    def _even_count(self, game: RuleGame, option: Option) -> int:
        """The number of fifths that makes the position about even: white will choose black's worst one."""
        game = self._to_fifths(game)
        fifths = self._fifths(game, min(option.high, _CANDIDATES))
        even = min(range(len(fifths)), key=lambda place: abs(fifths[place][1]))
        return max(option.low, even + 1)

    def _to_fifths(self, game: RuleGame) -> RuleGame:
        """The stones that black will offer fifths for, with white's best fourth if it is still to come."""
        if len(game.moves) % 2 == 0:
            return game
        (point, _), *_ = self._search(game.board, 1)
        return game.after(Action("declare", count=1)).swap(False).place(point)

    def _worst_fifth(self, game: RuleGame, offered: Sequence[Point]) -> Point:
        boards = [Board([*game.moves, point]) for point in offered]
        scores = [self._score(board) for board in boards]
        return offered[scores.index(max(scores))]

    # Values

    def _value(self, game: RuleGame) -> int:
        """What a position is worth to the colour that moves, without a swap, with the fifths to come."""
        if any(option.kind == "swap" for option in game.options):
            game = game.swap(False)
        options = {option.kind: option for option in game.options}
        if "offer" in options and "swap" not in options:
            return self._fifths(game, options["offer"].low)[-1][1]
        if "place" in options:
            (point, score), *_ = self._search(game.board, 1)
            after = game.after(Action("place", (point,)))
            later = {option.kind: option for option in after.options}
            if "offer" in later and "swap" not in later:
                return -self._fifths(after, later["offer"].low)[-1][1]
            return score
        return self._score(game.board)

    def _score(self, board: Board) -> int:
        return self._search(board, 1)[0][1]

    def _search(self, board: Board, count: int) -> _Scored:
        """The best moves with their scores for the side to move."""
        nodes = max(_NODES, _NODES_OF_EACH * count)
        limit = Limit(nodes=_NODES_IN_HASTE if self._stopped.is_set() else nodes)
        result = self._engine.analyse(board, limit, count)
        return [(found.move, found.score) for found in result.candidates]


def _may_turn(game: RuleGame, option: Option) -> bool:
    """May the other player take either side as soon as this player has done what has to be done?"""
    while game.options and game.options[0].kind == "declare" and game.options[0].player == option.player:
        game = game.declare(game.options[0].low)
    return any(later.kind in ("swap", "take") and later.player != option.player for later in game.options)


def _is_near(game: RuleGame, point: Point) -> bool:
    return _distance(game.board, point) <= _NEAR


def _distance(board: Board, point: Point) -> int:
    """Lines between a point and the nearest stone; without a stone, the centre."""
    stones = list(board.stones) or [Point("H8")]
    return min(max(abs(point.x - stone.x), abs(point.y - stone.y)) for stone in stones)
