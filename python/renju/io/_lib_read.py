"""Reading RenLib libraries: a stream of nodes, each before its children, to a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from renju._native import FIRST_PASS_PLY
from renju._types import BOARD_SIZE, PASS, Point
from renju.errors import FormatError
from renju.game import Game, GameNode, Problem
from renju.io._common import MOST_DEPTH, MOST_PASSES, TOO_MANY_PASSES
from renju.io._lib_text import decode_all, old_text

__all__ = [
    "COMMENT",
    "EXTENSION",
    "HEADER_SIZE",
    "MAGIC",
    "MARK",
    "NEWEST",
    "NOT_A_MOVE",
    "NO_CHILDREN",
    "SEPARATOR",
    "SIBLING",
    "START",
    "TEXT",
    "read",
]

HEADER_SIZE = 20
MAGIC = b"\xffRenLib\xff"
NEWEST = (3, 4)
"""The newest version of the format."""

SIBLING = 0x80
NO_CHILDREN = 0x40
OLD_COMMENT = 0x20
MARK = 0x10
COMMENT = 0x08
START = 0x04
NOT_A_MOVE = 0x02
EXTENSION = 0x01
"""Two more bytes of flags follow."""
TEXT = 0x0001
"""Of the extension: a text on the board."""

SEPARATOR = "\b"
"""Between the first line of a comment and the others."""

_CENTRE = 0x78  # the first byte of libraries from before there was a header
_LAST_OF_OLD_TEXT = re.compile(rb"[\x80-\xff]")

# A file that is all errors must not become a list of them.
_MOST_PROBLEMS = 100


def _points() -> list[Point | None]:
    """Key: the byte of a place; value: the point. The low half counts columns from 1, the high half rows from
    the top."""
    table: list[Point | None] = [None] * 256
    table[0] = Point(PASS)
    for row in range(BOARD_SIZE):
        for column in range(BOARD_SIZE):
            table[16 * row + column + 1] = Point((column, BOARD_SIZE - 1 - row))
    return table


_POINTS = _points()


class _Cut(Exception):
    """The file cannot be read on."""

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(reason)
        self.offset = offset


@dataclass
class _Text:
    """Bytes of the file that are a comment, or a text on the board at a point."""

    offset: int
    raw: bytes
    node: GameNode
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """What was played from the root to a node."""

    stones: int = 0
    """A bit for the point of each stone."""
    moves: int = 0
    passes: int = 0
    """Passes since the last stone."""
    nodes: int = 0
    fault: str = ""
    """Why it cannot be played; empty if it can."""

    def with_move(self, move: Point | None) -> _Line:
        """The line with one node more."""
        is_pass, stone = move == PASS, 0 if move is None or move == PASS else 1 << move
        if self.fault:
            return self
        fault = ""
        if self.nodes >= MOST_DEPTH:
            fault = f"the line has more than {MOST_DEPTH:,} nodes"
        elif self.stones & stone:
            fault = f"{move} is taken"
        elif is_pass and self.moves < FIRST_PASS_PLY:
            fault = f"a pass is not allowed in the first {FIRST_PASS_PLY} moves"
        elif is_pass and self.passes == MOST_PASSES:
            fault = TOO_MANY_PASSES
        return _Line(
            self.stones | stone,
            self.moves + (move is not None),
            self.passes + 1 if is_pass else 0 if stone else self.passes,
            self.nodes + 1,
            fault,
        )


@dataclass
class _Reader:
    data: bytes
    offset: int
    max_nodes: int
    game: Game = field(default_factory=Game)
    nodes: int = 0
    begun: bool = False
    """Whether anything was read."""
    hidden: int = 0
    """Problems beyond those that are told."""
    texts: list[_Text] = field(default_factory=list)

    def problem(self, offset: int, reason: str) -> None:
        if len(self.game.errors) < _MOST_PROBLEMS:
            self.game.errors.append(Problem(f"byte {offset}", reason))
        else:
            self.hidden += 1

    def pair(self) -> tuple[int, int]:
        if self.offset + 2 > len(self.data):
            raise _Cut(len(self.data), "the file ends where more was announced")
        first, second = self.data[self.offset], self.data[self.offset + 1]
        self.offset += 2
        return first, second

    def text(self, node: GameNode, point: Point | None = None) -> None:
        """A text up to a zero; texts take whole pairs of bytes."""
        start = self.offset
        end = self.data.find(0, start)
        whole = end >= 0
        if not whole:
            end = len(self.data)
        if end > start:
            self.texts.append(_Text(start, self.data[start:end], node, point))
        self.offset = end + 2 - (end - start) % 2
        if not whole:
            raise _Cut(len(self.data), "the file ends within a text")

    def old_comment(self, node: GameNode) -> None:
        """A comment of seven-bit characters, the last with the eighth bit."""
        start = self.offset
        last = _LAST_OF_OLD_TEXT.search(self.data, start)
        end = last.end() if last else len(self.data)
        node.comment = _comment(_with_newlines(old_text(self.data[start:end])))
        self.offset = end + (end - start) % 2
        if last is None:
            raise _Cut(len(self.data), "the file ends within a comment")

    def tree(self) -> None:
        """All nodes. `path` is where we are, and `lines` what was played up to each node of it; where a node
        has siblings, `open_places` keeps the length of the path to their parent."""
        path, lines, open_places = [self.game.root], [_Line()], list[int]()
        first = self.offset
        while True:
            at = self.offset
            if self.nodes >= self.max_nodes:
                raise _Cut(at, f"more than {self.max_nodes:,} nodes; the rest was not read")
            place, flags = self.pair()
            point = _POINTS[place]
            if point is None:
                raise _Cut(at, f"0x{place:02X} is no point of the board")
            self.begun = True
            if at == first and place == 0:  # the root; the oldest libraries begin with the first move
                node = self.game.root
                if flags & SIBLING:
                    self.problem(at, "the root cannot have siblings")
                    flags &= ~SIBLING
            else:
                self.nodes += 1
                node = GameNode(None if flags & NOT_A_MOVE else point)
                line = lines[-1].with_move(node.move)
                if line.fault and not lines[-1].fault:
                    self.problem(at, f"{line.fault}; this move and what follows it are left out")
                elif not flags & NOT_A_MOVE:
                    path[-1].children.append(node)
                if flags & SIBLING:
                    open_places.append(len(path))
                path.append(node)
                lines.append(line)
            self.details(node, path[-2] if len(path) > 1 else None, point, flags)
            is_text = flags & NOT_A_MOVE and node is not self.game.root and not lines[-1].fault
            if is_text and _is_more_than_text(node, point, flags):
                path[-2].children.append(node)
            if flags & NO_CHILDREN:
                if not open_places:
                    return
                length = open_places.pop()
                del path[length:], lines[length:]

    def details(self, node: GameNode, parent: GameNode | None, point: Point, flags: int) -> None:
        """What is said of a node, in the order of the file."""
        extension = 0
        if flags & EXTENSION:
            high, low = self.pair()
            extension = high << 8 | low
        if extension & ~TEXT:
            node.properties["extension"] = [f"{extension & ~TEXT:04x}"]
        if flags & START:
            node.properties["start"] = ["1"]
        if flags & MARK:
            if point == PASS:
                node.properties["mark"] = ["1"]
            elif flags & NOT_A_MOVE and parent is not None:
                parent.labels.setdefault(point, "")
            else:
                node.labels[point] = ""
        if flags & OLD_COMMENT:
            self.old_comment(node)
        elif flags & COMMENT:
            self.text(node)
        if extension & TEXT:
            # A text is seen on the board before its move is made.
            if parent is None or point == PASS:
                self.text(node, Point(PASS))
            else:
                self.text(parent, point)

    def set_texts(self, encoding: str | None) -> None:
        decoded, replaced = decode_all([text.raw for text in self.texts], encoding)
        for text, raw in zip(self.texts, decoded, strict=True):
            words = _with_newlines(raw)
            if text.point not in (None, PASS):
                words = words.replace("\n", " ")  # a text on the board is one line
            if text.point is None:
                text.node.comment = _comment(words)
            elif text.point == PASS:
                text.node.properties["text"] = [words]
            elif text.node.labels.get(text.point, "") in ("", words):
                text.node.labels[text.point] = words
            else:
                self.problem(text.offset, f"a second text on {text.point}; the first was kept")
        for place in replaced:
            self.problem(self.texts[place].offset, "characters of a text could not be read")


def _is_more_than_text(node: GameNode, point: Point, flags: int) -> bool:
    """Whether a node that is no move is more than the place of a text on the board, or of a mark."""
    more = not flags & NO_CHILDREN or flags & (COMMENT | OLD_COMMENT) or point == PASS
    return bool(more or node.properties)


def _comment(words: str) -> str:
    """The two parts of a comment as one text. The first is often empty."""
    return words.replace(SEPARATOR, "\n").lstrip("\n")


def _with_newlines(text: str) -> str:
    """A text whose lines end as everywhere but on Windows."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read(data: bytes, encoding: str | None, max_nodes: int) -> Game:
    """The library as a game with variations; `FormatError` if there is nothing to read."""
    reader = _Reader(data, _start(data), max_nodes)
    if reader.offset:
        major, minor = data[8], data[9]
        reader.game.headers["renlib"] = f"{major}.{minor}"
        if (major, minor) > NEWEST:
            reader.problem(8, f"version {major}.{minor} is newer than the known {NEWEST[0]}.{NEWEST[1]}")
    try:
        reader.tree()
    except _Cut as cut:
        if not reader.begun:
            raise FormatError(f"byte {cut.offset}: {cut}: nothing of the library can be read") from None
        reader.problem(cut.offset, str(cut))
    else:
        if reader.offset < len(data) and data[reader.offset :].strip(b"\0"):
            reader.problem(reader.offset, "the file goes on behind the end of its tree")
    reader.set_texts(encoding)
    if reader.hidden:
        reader.game.errors.append(Problem("file", f"{reader.hidden:,} more problems of this kind"))
    return reader.game


def _start(data: bytes) -> int:
    """Where the nodes begin."""
    if data.startswith(MAGIC):
        if len(data) < HEADER_SIZE:
            raise FormatError(f"byte {len(data)}: the file ends within the header of a RenLib library")
        return HEADER_SIZE
    if data.startswith(b"!<arch>"):
        raise FormatError("byte 0: a library of a linker, not of RenLib")
    if data[:1] != bytes([_CENTRE]):
        raise FormatError("byte 0: no RenLib library: neither its header nor a first move on H8")
    return 0
