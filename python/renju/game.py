"""A game record: headers, moves with comments and variations, and what was wrong with its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from renju._types import Color, Point, PointLike
from renju.board import Board

__all__ = ["Game", "GameNode", "Problem"]


@dataclass(frozen=True)
class Problem:
    """Something that was wrong in a file."""

    where: str
    """The place in the file: a line, a byte, a node."""
    reason: str
    """What is wrong there, in words."""

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(eq=False)
class GameNode:
    """A move with what was written about it, and the moves that follow; the first is the main one.

    The root has no move. So have nodes that only carry text.
    """

    move: Point | None = None
    """The point of the move, or a pass; None for a node that only carries text."""
    color: Color | None = None
    """Who moved, if the file tells it; else the colours take turns."""
    comment: str = ""
    """The text that is written about the move; empty if there is none."""
    labels: dict[Point, str] = field(default_factory=dict)
    """Key: a point of the board; value: the text on it, where an empty one is a plain mark."""
    # Not printed: trees of files can be deeper than any stack.
    children: list[GameNode] = field(default_factory=list, repr=False)
    """The nodes that continue this one; the first is the main line."""
    properties: dict[str, list[str]] = field(default_factory=dict)
    """What else the format of the file said of the node, by name, kept for writing it again."""

    def add(self, move: PointLike | None = None, comment: str = "") -> GameNode:
        """Adds a continuation behind those there are: a move with a comment, or a comment alone."""
        child = GameNode(None if move is None else Point(move), comment=comment)
        self.children.append(child)
        return child

    def main_line(self) -> Iterator[GameNode]:
        """The nodes after this one, always the first child."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def walk(self) -> Iterator[tuple[int, GameNode]]:
        """This node and all below it, each before its children, with the depth. Not recursive: trees of files
        can be deeper than any stack."""
        stack = [(0, self)]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack += [(depth + 1, child) for child in reversed(node.children)]


@dataclass(eq=False)
class Game:
    """A game, or a tree of variations.

    >>> import renju
    >>> game = renju.Game.from_moves("h8 i9 g7", headers={"black": "Nakamura"})
    >>> [str(move) for move in game.moves], game.board().turn.label
    (['H8', 'I9', 'G7'], 'white')
    """

    headers: dict[str, str] = field(default_factory=dict)
    """Facts about the game by name in lower case: black, white, event, round, date, place, rule, opening,
    result, ... as far as known."""
    root: GameNode = field(default_factory=GameNode)
    """The first node of the tree, which has no move."""
    black: tuple[Point, ...] = ()
    """Points of the black stones of a set-up, before the first move."""
    white: tuple[Point, ...] = ()
    """Points of the white stones of a set-up, before the first move."""
    turn: Color | None = None
    """The colour that moves first after a set-up; None if the file does not tell."""
    result: str = ""
    """How the game ended: "1-0" if black won, "0-1" if white did, "1/2-1/2" for a draw; empty if unknown."""
    errors: list[Problem] = field(default_factory=list)
    """What was wrong in the file, and was passed over."""

    @classmethod
    def from_moves(
        cls, moves: str | Iterable[PointLike], headers: dict[str, str] | None = None, result: str = ""
    ) -> Game:
        """A game of these moves without variations; `headers` and `result` are as the fields."""
        game = cls(dict(headers or {}), result=result)
        node = game.root
        for move in Board(moves, referee=False).moves:
            node = node.add(move)
        return game

    @property
    def moves(self) -> tuple[Point, ...]:
        """The moves of the main line."""
        return tuple(node.move for node in self.root.main_line() if node.move is not None)

    @property
    def comments(self) -> dict[int, str]:
        """Key: moves played on the main line; value: what is written there."""
        found: dict[int, str] = {}
        count = 0
        for node in [self.root, *self.root.main_line()]:
            count += node.move is not None
            if node.comment:
                found[count] = "\n".join(filter(None, (found.get(count), node.comment)))
        return found

    @property
    def variations(self) -> list[tuple[int, GameNode]]:
        """Other continuations of the main line, with the number of moves before them."""
        found: list[tuple[int, GameNode]] = []
        count = 0
        for node in [self.root, *self.root.main_line()]:
            count += node.move is not None
            found += [(count, child) for child in node.children[1:]]
        return found

    def board(self, count: int | None = None) -> Board:
        """The position after `count` moves of the main line; None is after all of them."""
        moves = self.moves if count is None else self.moves[:count]
        if not (self.black or self.white):
            return Board(moves, referee=False)
        board = Board.from_stones(self.black, self.white, turn=self.turn)
        for move in moves:
            board.push(move)
        return board

    def _repr_html_(self) -> str:
        from renju._display import game_html

        return game_html(self)
