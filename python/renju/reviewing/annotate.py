"""A reviewed game as a tree of moves: comments, better moves, and proofs as variations."""

from __future__ import annotations

from collections.abc import Iterable

from renju import _native
from renju._types import Color, Point
from renju.game import Game, GameNode
from renju.reviewing.model import Quality, Review, ReviewedMove

__all__ = ["annotated"]

# How SGF marks a move, and how strongly: doubtful, bad.
_MARKS: dict[Quality, tuple[str, str]] = {
    "inaccuracy": ("DO", ""),
    "mistake": ("BM", "1"),
    "blunder": ("BM", "2"),
}


def annotated(review: Review) -> Game:
    """A new game of the same moves. What the old one says, and its variations, stay in it."""
    old = review.game
    game = Game(dict(old.headers), _copied(old.root), old.black, old.white, old.turn, review.result)
    game.headers.setdefault("annotator", f"renju {_native.__version__}, level {review.level}")
    game.root.comment = _joined(game.root.comment, _about(review))
    node = game.root
    for move, score in zip(review.moves, review.scores[1:], strict=True):
        while node.children[0].move is None:  # nodes of text between the moves
            node = node.children[0]
        parent, node = node, node.children[0]
        _annotate(node, move, score)
        if move.best != move.move:
            reason = "Best" if move.missed is None else f"Missed: {move.missed.kind}"
            _add_line(parent, move.pv, f"{reason}.")
        if move.allowed is not None:
            _add_line(node, move.allowed.line, f"Allowed: {move.allowed.kind}.")
    return game


def _annotate(node: GameNode, move: ReviewedMove, score: int | None) -> None:
    comment = move.comment + (f" Loss {move.loss}." if move.loss else "")
    node.comment = _joined(node.comment, comment)
    if score is not None:
        node.properties["V"] = [str(score)]  # positive is good for black
    if move.graded and move.quality in _MARKS:
        name, value = _MARKS[move.quality]
        node.properties[name] = [value]
    if move.played_win_in is not None:
        winner = move.color if move.played_win_in > 0 else move.color.opponent
        node.properties["GB" if winner is Color.BLACK else "GW"] = ["2"]


def _add_line(parent: GameNode, line: Iterable[Point], comment: str) -> None:
    """Adds a variation; moves that are there already are gone along. What the game leads to is not made
    longer: a line that goes beyond its last move is in the comment alone."""
    node, is_main = parent, True
    for move in line:
        known = next((child for child in node.children if child.move == move), None)
        if known is None:
            if is_main and not node.children:
                return
            known = node.add(move, comment)
            comment = ""
        is_main = is_main and known is node.children[0]
        node = known


def _about(review: Review) -> str:
    lines = []
    for color, share in review.accuracy.items():
        if share is not None:
            lines.append(f"{color.label.capitalize()}: accuracy {100 * share:.0f} %.")
    if review.turning_point is not None:
        lines.append(f"Turning point: {review.turning_point}.")
    return "\n".join([*lines, *(f"Note: {note}." for note in review.notes)])


def _copied(root: GameNode) -> GameNode:
    """A copy of a tree, which may be deeper than any stack."""
    copy = GameNode()
    stack = [(root, copy)]
    while stack:
        node, new = stack.pop()
        new.move, new.color, new.comment = node.move, node.color, node.comment
        new.labels, new.properties = dict(node.labels), {n: list(v) for n, v in node.properties.items()}
        for child in node.children:
            new.children.append(GameNode())
            stack.append((child, new.children[-1]))
    return copy


def _joined(first: str, second: str) -> str:
    return "\n".join(filter(None, (first, second)))
