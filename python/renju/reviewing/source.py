"""The game to review as positions: from a game, a board or moves, up to where it can be played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from renju import _native
from renju._types import Color, Outcome, Point, PointLike
from renju.board import Board
from renju.errors import IllegalMoveError
from renju.game import Game

__all__ = ["RESULTS", "Record", "record_of"]

RESULTS: dict[str, Color | None] = {"1-0": Color.BLACK, "0-1": Color.WHITE, "1/2-1/2": None}
"""Key: as `Game.result` has it; value: the winner."""


@dataclass(frozen=True)
class Record:
    """A game that can be played."""

    game: Game
    """The game as it was given, with its headers."""
    moves: tuple[Point, ...]
    """The moves of the main line as far as they can be played."""
    boards: tuple[Board, ...]
    """The positions before the first move and after every one; forbidden stones do not end the game here."""
    end: Outcome | None
    """The winner and the reason of the end, by the board or by the record; None if the game is open."""
    result: str
    """How the game ended, in the form of `Game.result`; empty if unknown."""
    notes: tuple[str, ...]
    """What was odd about the game, and what was left out, a sentence each."""

    def is_over(self, count: int) -> bool:
        """Has the game ended after `count` moves? A forbidden stone ends it if nobody moved after it."""
        if self.boards[count].outcome is not None:
            return True
        return count == len(self.moves) and self.end is not None and self.end.reason == "forbidden"


def record_of(source: Game | Board | str | Iterable[PointLike]) -> Record:
    """The record; `NotationError` for a text that is no list of moves."""
    if isinstance(source, Game):
        game, moves = source, source.moves
        notes = [f"the file: {problem}" for problem in source.errors]
    else:
        game, moves, notes = _game_of(source)
    boards = [game.board(0)]
    if boards[0].outcome is not None:
        raise ValueError(f"the game is over before its first move: {boards[0].outcome.reason}")
    board = boards[0].copy()
    for number, move in enumerate(moves, 1):
        try:
            board.push(move)
        except IllegalMoveError as error:
            notes.append(f"reviewed up to move {number - 1} of {len(moves)}: move {number} ({move}): {error}")
            break
        boards.append(board.copy())
        outcome, left = board.outcome, len(moves) - number
        if outcome is not None and left:
            notes.append(f"the game is over at move {number} ({outcome.reason}); {left} more are left out")
            break
    played = moves[: len(boards) - 1]
    end, result = _ending(game, boards, notes)
    return Record(game, played, tuple(boards), end, result, tuple(notes))


def _game_of(source: Board | str | Iterable[PointLike]) -> tuple[Game, tuple[Point, ...], list[str]]:
    """A game of what is none yet: its moves are added as far as they can be played."""
    game = Game()
    if isinstance(source, Board):
        start = source.copy()
        for _ in source.moves:
            start.pop()
        if len(start) or start.turn is not Color.BLACK:
            game.black, game.white = (start.points_of(color) for color in Color)
            game.turn = start.turn
        moves = source.moves
        if source.outcome is not None and source.outcome.reason == "move-limit":  # a game has no such limit
            game.result = _result_of(source.outcome)
    elif isinstance(source, bytes | bytearray) or not isinstance(source, Iterable):
        raise TypeError(f"a game is a renju.Game, a renju.Board or moves, not {type(source).__name__}")
    else:
        moves = tuple(map(Point, _native.parse_moves(source) if isinstance(source, str) else source))
    node, board = game.root, game.board(0)
    for move in moves:
        try:
            board.push(move)
        except IllegalMoveError:
            break  # told when the record is made
        node = node.add(move)
    return game, moves, []


def _ending(game: Game, boards: list[Board], notes: list[str]) -> tuple[Outcome | None, str]:
    """How the game ended, by the board if it tells, else by the record."""
    outcome = _outcome(boards)
    told = game.result
    if outcome is None:
        if told not in RESULTS:
            return None, ""
        return Outcome(RESULTS[told], "by the record"), told
    shown = _result_of(outcome)
    if told in RESULTS and told != shown:
        notes.append(f"the record says {told}, the board {shown} ({outcome.reason})")
        if outcome.reason == "forbidden":  # nobody claimed it: the record knows how it ended
            return Outcome(RESULTS[told], "by the record"), told
    return outcome, shown


def _result_of(outcome: Outcome) -> str:
    return next(text for text, winner in RESULTS.items() if winner is outcome.winner)


def _outcome(boards: list[Board]) -> Outcome | None:
    """What the last position tells: an end, or a forbidden stone that was the last move."""
    last = boards[-1]
    if last.outcome is not None:
        return last.outcome
    if len(boards) > 1 and boards[-2].turn is Color.BLACK:
        move = last.peek()
        if move in last.stones and boards[-2].forbidden_kind(move):
            return Outcome(Color.WHITE, "forbidden", (move,))
    return None
