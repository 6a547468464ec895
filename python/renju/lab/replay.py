"""A recorded game played again: its positions, and what the rules say about its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from renju import Board, Color, Limit, Point, solve_vcf
from renju.errors import FormatError, RenjuError
from renju.lab.game_record import GameRecord, Ply

__all__ = ["FORCED_SOURCES", "Replay", "Trap", "Turn"]

FORCED_SOURCES = frozenset({"opening", "book", "five", "forced-defence", "single-move"})
"""Names of sources whose moves were not chosen by their score."""

Trap = Literal["trapped", "self-inflicted", "", "unknown"]
"""How black lost by a forbidden point: see `Replay.trap`."""


@dataclass(frozen=True)
class Turn:
    """A move that a player chose."""

    number: int
    """The number of the move on the board; the first move of a game is 1."""
    player: str
    """The name of the player who moved."""
    color: Color
    """The colour of the player who moved."""
    ply: Ply
    """The move with what its player thought of it."""
    is_forced: bool
    """Whether the move was not chosen by its score: by its source, or, for a program that tells none, because
    there is a five to make or to stop."""


class Replay:
    """A game and its moves; `FormatError` if the record contradicts itself."""

    def __init__(self, game: GameRecord) -> None:
        self.game = game
        try:
            self.moves = Board(game.moves, referee=False).moves
            opening = Board(game.opening, referee=False).moves
            named = [Point(ply.move) for ply in game.plies]
        except RenjuError as error:
            raise FormatError(f"game {game.number}: {error}") from None
        if self.moves[: len(opening)] != opening:
            raise FormatError(f"game {game.number}: the moves do not start with the opening")
        if named and self.moves[len(opening) :] != tuple(named):
            raise FormatError(f"game {game.number}: the moves after the opening are not those of the plies")
        self.first = len(opening)
        """How many moves the opening has."""
        self.turns = self._turns()

    def board(self, count: int) -> Board:
        """The position after `count` moves."""
        return Board(self.moves[:count], referee=False)

    def _turns(self) -> tuple[Turn, ...]:
        game, turns = self.game, []
        for i, ply in enumerate(game.plies, self.first):
            color = Color.BLACK if i % 2 == 0 else Color.WHITE
            player = game.black if color is Color.BLACK else game.white
            is_forced = ply.source in FORCED_SOURCES if ply.source else self._has_five_to_mind(i)
            turns.append(Turn(i + 1, player, color, ply, is_forced))
        return tuple(turns)

    def _has_five_to_mind(self, count: int) -> bool:
        board = self.board(count)
        return bool(board.threats(board.turn).fives or board.threats(board.turn.opponent).fives)

    def trap(self, vcf_nodes: int) -> Trap:
        """Did black lose by a forbidden point?

        "trapped": on its last turn black had to stop a four of white's at a single point that was forbidden
        to it, whatever it played then. "self-inflicted": black played a forbidden point otherwise. A win of
        white's that was awarded before the end is played on by the win by fours that white has, at most
        `vcf_nodes` to find it; "unknown" if none is found. Empty for all other games.
        """
        game = self.game
        if game.winner is not Color.WHITE or game.reason not in ("five", "forbidden", "adjudicated"):
            return ""
        if game.reason == "adjudicated":
            return self._awarded_trap(vcf_nodes)
        last_of_black = len(self.moves) - (1 if game.reason == "forbidden" else 2)
        if last_of_black >= 0 and _is_trapped(self.board(last_of_black)):
            return "trapped"
        return "self-inflicted" if game.reason == "forbidden" else ""

    def _awarded_trap(self, vcf_nodes: int) -> Trap:
        board = self.board(len(self.moves))
        if board.turn is Color.BLACK and _is_trapped(board):
            return "trapped"
        if board.turn is not Color.WHITE or not vcf_nodes:
            return "unknown"
        proof = solve_vcf(board, limit=Limit(nodes=vcf_nodes))
        if not proof:
            return "unknown"
        for move in proof.line:
            board.push(move)
        return "trapped" if _is_trapped(board) else ""  # the line ends with a stone of white's


def _is_trapped(board: Board) -> bool:
    """Has black, to move, to stop a four at one point that is forbidden to it, without a five of its own?"""
    completions = board.threats(Color.WHITE).fives
    if len(completions) != 1 or board.threats(Color.BLACK).fives:
        return False
    return bool(board.forbidden_kind(next(iter(completions))))
