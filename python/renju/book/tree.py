"""A book as a tree of variations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from renju import openings
from renju._types import PASS
from renju.board import Board
from renju.game import Game, GameNode
from renju.result import score_text

if TYPE_CHECKING:
    from renju.book.collection import Book
    from renju.book.entries import BookMove

__all__ = ["move_text", "to_game"]


def to_game(book: Book, starts: Iterable[Board | str] | None = None) -> Game:
    """A book as the tree of a game, which `Book.to_game` describes."""
    if isinstance(starts, str | Board):
        raise TypeError("starts are several positions: put one into a list")
    boards = [Board(), *(Board(opening.moves) for opening in openings.OPENINGS)]
    if starts is not None:
        boards = [start if isinstance(start, Board) else Board(start) for start in starts]
    game = Game(headers={"event": "opening book"})
    written: set[int] = set()
    for board in boards:
        if starts is not None and board not in book:
            raise ValueError(f"{board!r} is not in the book")
        if board in book:
            _write(book, board, _path(game.root, board), written)
    return game


def _path(root: GameNode, board: Board) -> GameNode:
    """The node of a position, which is made with those before it if there is none."""
    if board.record() and PASS in board.moves:
        raise ValueError(f"{board!r} has a pass, which a tree of moves cannot hold")
    node = root
    for move in board.moves:
        node = next((child for child in node.children if child.move == move), None) or node.add(move)
    return node


def _write(book: Book, board: Board, node: GameNode, written: set[int]) -> None:
    """Adds the moves of a position and of all that follow, each position once."""
    stack = [(board, node)]
    while stack:
        board, node = stack.pop()
        if board.outcome is not None or board.symmetric_key in written:
            continue
        moves = sorted(book.moves(board), key=lambda move: (move.score is None, -(move.score or 0)))
        if not moves:
            continue
        written.add(board.symmetric_key)
        following = []
        for move in moves:
            child = next((child for child in node.children if child.move == move.move), None)
            child = child or node.add(move.move)
            child.comment = move_text(move)
            after = board.copy()
            after.push(move.move)
            following.append((after, child))
        stack += reversed(following)


def move_text(move: BookMove) -> str:
    """What the book says of a move, for people."""
    parts = [f"weight {move.weight}" if move.weight else "not played"]
    if move.score is not None:
        parts += [score_text(move.score), f"depth {move.depth}"]
    if move.games:
        parts.append(f"{move.games:,} game{'' if move.games == 1 else 's'}")
    return ", ".join(parts)
