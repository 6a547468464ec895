"""Writing RenLib libraries: games to one tree, and the tree to a stream of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from renju._types import BOARD_SIZE, PASS, Color, Point
from renju.errors import FormatError
from renju.game import Game, GameNode
from renju.io._lib_read import (
    COMMENT,
    EXTENSION,
    HEADER_SIZE,
    MAGIC,
    MARK,
    NEWEST,
    NO_CHILDREN,
    NOT_A_MOVE,
    SEPARATOR,
    SIBLING,
    START,
    TEXT,
)

__all__ = ["write"]

_CENTRE = Point((BOARD_SIZE // 2, BOARD_SIZE // 2))
# Of characters, as broken files leave them; no encoding has them.
_HALVES = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class _Move:
    """A move of the merged tree; also the root, and places of texts that are no moves."""

    point: Point
    is_move: bool = True
    comments: tuple[str, ...] = ()
    text: str = ""
    mark: bool = False
    start: bool = False
    extension: int = 0
    labels: dict[Point, str] = field(default_factory=dict)
    """Texts on the board after this move."""
    children: dict[Point, _Move] = field(default_factory=dict)

    def is_plain(self) -> bool:
        return not (self.comments or self.text or self.mark or self.start or self.extension)

    def add(self, node: GameNode) -> None:
        """What is said of this move in one of the games."""
        if node.comment and node.comment not in self.comments:
            self.comments += (node.comment,)
        for point, text in ((Point(place), text) for place, text in node.labels.items()):
            if point == self.point:
                # Texts of RenLib stand on points where a move can be made; a stone can only be marked.
                self.mark = self.mark or not text
                self.text = self.text or text
            elif not self.labels.get(point):
                self.labels[point] = text
        self.start = self.start or "start" in node.properties
        self.mark = self.mark or "mark" in node.properties
        self.text = self.text or "".join(node.properties.get("text", []))
        for value in node.properties.get("extension", []):
            self.extension |= int(value, 16) & 0xFFFF & ~TEXT


def _merge(games: Iterable[Game]) -> _Move:
    """One tree of all games: the same moves share nodes. Nodes without a move join the one before them."""
    root = _Move(Point(PASS))
    for number, game in enumerate(games, 1):
        if game.black or game.white:
            raise ValueError(f"game {number} begins with a set-up: a RenLib library holds only moves")
        todo = [(game.root, root, Color.BLACK)]
        while todo:
            node, move, turn = todo.pop()
            move.add(node)
            below = []
            for child in node.children:
                if child.move is None:
                    below.append((child, move, turn))
                    continue
                if child.color is not None and child.color != turn:
                    raise ValueError(
                        f"game {number}: {child.move} is {child.color.label}'s, where {turn.label} is to "
                        "move; in a RenLib library the colours take turns"
                    )
                next_move = move.children.get(child.move)
                if next_move is None:
                    next_move = move.children[child.move] = _Move(child.move)
                below.append((child, next_move, turn.opponent))
            todo += reversed(below)
    return root


def _in_order(root: _Move) -> Iterator[tuple[_Move, int]]:
    """All nodes, each before its children, with the flags of the tree."""
    todo = [(root, False)]
    while todo:
        move, has_sibling = todo.pop()
        children = list(move.children.values())
        for point, text in move.labels.items():
            if point == PASS:
                continue  # a label of no place
            if point in move.children:
                child = move.children[point]
                child.text = child.text or text
                child.mark = child.mark or not text
            else:
                children.append(_Move(point, is_move=False, text=text, mark=not text))
        yield move, (SIBLING if has_sibling else 0) | (0 if children else NO_CHILDREN)
        todo += [(child, place > 0) for place, child in enumerate(reversed(children))]


def _node(move: _Move, flags: int, encoding: str) -> bytes:
    comment = _comment(move.comments)
    flags |= MARK * move.mark | START * move.start | NOT_A_MOVE * (not move.is_move) | COMMENT * bool(comment)
    extension = move.extension | TEXT * bool(move.text)
    place = 0 if move.point == PASS else 16 * (BOARD_SIZE - 1 - move.point.y) + move.point.x + 1
    parts = [bytes([place, flags | EXTENSION * bool(extension)])]
    if extension:
        parts.append(extension.to_bytes(2, "big"))
    parts += [_text(text, encoding) for text in (comment, move.text) if text]
    return b"".join(parts)


def _comment(comments: tuple[str, ...]) -> str:
    """The first line, and the others behind a separator; lines end as on Windows, RenLib's home."""
    text = "\n".join(comments).replace(SEPARATOR, "").replace("\r\n", "\n").strip("\0").lstrip("\n")
    first, _, rest = text.partition("\n")
    return first + SEPARATOR + rest.replace("\n", "\r\n") if rest else first


def _text(text: str, encoding: str) -> bytes:
    """A text with a zero behind it, in whole pairs of bytes. It cannot have zeros itself, nor halves of
    characters."""
    text = _HALVES.sub("?", text.replace("\0", ""))
    try:
        raw = text.encode(encoding)
    except UnicodeEncodeError as error:
        raise FormatError(f"{encoding} has no {text[error.start]!r}: write the library as utf-8") from None
    return raw + bytes(2 - len(raw) % 2)


def write(games: Iterable[Game], encoding: str) -> bytes:
    """The library of some games."""
    root = _merge(games)
    moves = _in_order(root)
    first = next(moves)  # what its labels say of first moves is known then
    alone = list(root.children) == [_CENTRE] and not set(root.labels) - {_CENTRE}
    body = bytearray()
    passes = False
    for move, flags in moves:
        passes = passes or (move.is_move and move.point == PASS)
        body += _node(move, flags, encoding)
    # Version 3.0 knows no root, so that all must begin in the centre, and no passes.
    if alone and root.is_plain() and not passes:
        return _header(0) + body
    return _header(NEWEST[1]) + _node(*first, encoding) + body


def _header(minor: int) -> bytes:
    return (MAGIC + bytes([NEWEST[0], minor])).ljust(HEADER_SIZE, b"\xff")
