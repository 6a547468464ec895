"""From SGF to games, one after the other, without recursion."""

from __future__ import annotations

import re
from collections.abc import Iterator

from renju._types import BOARD_SIZE, PASS, Color, Point
from renju.errors import FormatError
from renju.game import Game, GameNode
from renju.io._common import MOST_DEPTH, MOST_NODES, keep_playable, note, result_of

__all__ = ["HEADERS", "HEADER_PROPERTY", "OTHER_PROPERTY", "Reader", "plain"]

# Key: the property of the root; value: the name of the header.
HEADERS = {
    "PB": "black",
    "PW": "white",
    "BR": "black_rank",
    "WR": "white_rank",
    "BT": "black_team",
    "WT": "white_team",
    "EV": "event",
    "RO": "round",
    "DT": "date",
    "PC": "place",
    "RU": "rule",
    "RE": "result",
    "ON": "opening",
    "TM": "time",
    "OT": "overtime",
    "GN": "name",
    "GC": "remark",
    "SO": "source",
    "US": "user",
    "AN": "annotator",
    "CP": "copyright",
    "AP": "application",
}
# Headers and properties for which SGF has no name, as [name:text].
HEADER_PROPERTY, OTHER_PROPERTY = "HD", "XP"

# Names and values of one game.
_MOST_PARTS = 4 * MOST_NODES

# The next parenthesis that is not in a value.
_PARENTHESIS = re.compile(r"(?:[^()\[]++|\[(?:[^\]\\]++|\\.)*+\]?)*+([()])", re.DOTALL)
_START = re.compile(r"\(\s*(?:;|[A-Za-z0-9_]+\s*\[)")
# A value ends at the first bracket without a backslash, or with the file. The quantifiers give nothing back:
# a value is looked at once.
_TOKEN = re.compile(
    r"[();]|[A-Za-z0-9_]+|\[(?P<value>(?:[^\]\\]++|\\.)*+)(?P<end>\]?)|[^\s()\[;A-Za-z0-9_]+", re.DOTALL
)
_ESCAPE = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_NEWLINE = re.compile(r"\r\n|\n\r|\r")
_FIRST_PART = re.compile(r"((?:[^:\\]++|\\.)*+):", re.DOTALL)
_COLORS = {name: color for color in Color for name in (color.label, color.label[0], str(int(color)))}


def plain(raw: str) -> str:
    """A value without its escapes."""
    if "\\" in raw:
        raw = _ESCAPE.sub(lambda found: "" if found[1][0] in "\r\n" else found[1], raw)
    return _NEWLINE.sub("\n", raw) if "\r" in raw else raw


def point_of(raw: str) -> Point | None:
    """A point or a pass; None if it is neither. Besides "hh" also "h8", which some programs write."""
    text = raw.strip().lower()
    if text in ("", "tt"):
        return Point(PASS)
    if len(text) == 2 and all("a" <= letter <= "o" for letter in text):
        return Point((ord(text[0]) - ord("a"), BOARD_SIZE - 1 - (ord(text[1]) - ord("a"))))
    if re.fullmatch(r"[a-o](?:1[0-5]|[1-9])", text, re.ASCII):
        return Point(text)
    return None


class Reader:
    """Reads the games of a text in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._seen = (0, 1, 0)  # a place, its line and where that begins, to count on from
        self.end = 0
        """Where the last game ended."""

    def games(self) -> Iterator[Game]:
        """Each game when its last parenthesis was read. `FormatError` if there is none at all."""
        while (game := self.next_game(self.end)) is not None:
            yield game

    def next_game(self, start: int) -> Game | None:
        """The next game from a place on, or None. `FormatError` if there is none in the whole text."""
        found = _START.search(self._text, start)
        if found is None:
            if start == 0:
                raise FormatError("there is no SGF game: nothing begins with '(;'")
            return None
        builder = _Builder(self)
        self.end = self._read_game(builder, found.start())
        return builder.finish()

    def place(self, at: int) -> str:
        """The line and the column of a character."""
        before, line, begin = self._seen
        count = self._text.count("\n", min(before, at), max(before, at))
        if count:
            begin = self._text.rfind("\n", 0, at) + 1
        self._seen = (at, line + count if at >= before else line - count, begin)
        return f"line {self._seen[1]}, column {at - begin + 1}"

    def _read_game(self, builder: _Builder, start: int) -> int:
        """Feeds a game to its builder; returns where it ends."""
        at: int | None = start
        while at is not None and at < len(self._text):
            at = self._read_on(builder, at)
            if builder.is_closed:
                return len(self._text) if at is None else at
        builder.problem(len(self._text), "the text ends within the game")
        return len(self._text)

    def _read_on(self, builder: _Builder, start: int) -> int | None:
        """Feeds the builder until the game ends, or until a line is longer than anybody's: then the rest of
        its variation is left out. Returns where to go on; None at the end of the text."""
        name, name_at = "", start
        for token in _TOKEN.finditer(self._text, start):
            first, at = token[0][0], token.start()
            if first == "[":
                if not token["end"]:
                    builder.problem(at, "this bracket is never closed")
                if name:
                    builder.value(name, token["value"], name_at)
                else:
                    builder.problem(at, "a value without a property is passed over")
                if not builder.is_too_deep:
                    continue
            if first == "(":
                builder.begin_branch(at)
            elif first == ")":
                builder.end_branch()
                if builder.is_closed:
                    return token.end()
            elif first == ";":
                builder.begin_node(at)
            elif first.isascii() and (first.isalnum() or first == "_"):
                name, name_at = _short(token[0]), at
                builder.count(at)
                continue
            elif first != "[":
                builder.problem(at, f"{token[0][:10]!r} is passed over")
            if builder.is_too_deep:
                builder.is_too_deep = False
                return self._end_of_branch(token.end())
            name = ""
        return None

    def _end_of_branch(self, start: int) -> int | None:
        """Where the parenthesis is that closes the variation around a place; None if there is none."""
        depth, at = 0, start
        # Not searched for: where there is none, each place of the text would be tried.
        while found := _PARENTHESIS.match(self._text, at):
            depth += 1 if found[1] == "(" else -1
            if depth < 0:
                return found.start(1)
            at = found.end()
        return None


def _short(name: str) -> str:
    """Old files write out names, of which the capitals count: `White`."""
    if name.isupper() or name.isdigit():
        return name
    return (
        "".join(letter for letter in name if not letter.islower()) if name != name.lower() else name.upper()
    )


class _Builder:
    """A game that grows property by property."""

    def __init__(self, reader: Reader) -> None:
        self.game = Game()
        self._reader = reader
        self._node = self.game.root
        # Nodes where a variation begins, each with the number of nodes before it.
        self._branches: list[tuple[GameNode, int]] = []
        # Nodes from the root to this one.
        self._depth = 0
        # Key: id of a node; value: the node and the parts of its comment.
        self._comments: dict[int, tuple[GameNode, list[str]]] = {}
        self.is_closed = False
        """Whether the last parenthesis was read."""
        self.is_too_deep = False
        """Whether the last node was not taken because there are too many before it."""
        self._starts: dict[int, int] = {}
        self._bad: dict[int, str] = {}
        self._nodes = self._parts = 0
        self._has_begun = self._has_moves = self._is_branched = False
        self._is_root = True
        self._size = ""
        self._kind = ""

    def problem(self, at: int, reason: str) -> None:
        note(self.game, lambda: self._reader.place(at), reason)

    def count(self, at: int) -> None:
        self._parts += 1
        if self._nodes > MOST_NODES or self._parts > _MOST_PARTS:
            place = self._reader.place(at)
            raise FormatError(f"{place}: a game with more than {MOST_NODES:,} nodes is not read")

    def begin_branch(self, at: int) -> None:
        self.count(at)
        self._branches.append((self._node, self._depth))

    def end_branch(self) -> None:
        self._node, self._depth = self._branches.pop()
        self._is_root = False
        self.is_closed = not self._branches

    def begin_node(self, at: int) -> None:
        if self._has_begun:
            self._is_root = False
            self._add(at)
        self._has_begun = True

    def _add(self, at: int) -> None:
        if self._depth >= MOST_DEPTH:
            if not self.is_too_deep:
                self.problem(at, f"the line has more than {MOST_DEPTH:,} nodes; left out with all behind it")
            self.is_too_deep = True
            return
        self._nodes += 1
        self._depth += 1
        self.count(at)
        child = GameNode()
        self._is_branched |= bool(self._node.children)
        self._node.children.append(child)
        self._node = child
        self._starts[id(child)] = at

    def value(self, name: str, raw: str, at: int) -> None:
        """Takes a value of a property."""
        self.count(at)
        self._has_begun = True
        if name in ("B", "W"):
            self._move(Color.BLACK if name == "B" else Color.WHITE, raw, at)
        elif name in ("QPR", "QSLB", "QSLW"):
            # The opening as gomokuquest writes it: stones one after the other, then the choice of a side.
            color = Color.WHITE if name == "QSLW" else Color.BLACK
            for part in raw.split(",")[:BOARD_SIZE]:
                self._move(color, part, at)
                color = color.opponent
        elif name == "C":
            # Put together at the end: there may be any number of parts.
            self._comments.setdefault(id(self._node), (self._node, []))[1].append(plain(raw))
        elif name in ("AB", "AW", "PL"):
            self._set_up(name, raw, at)
        elif name in ("LB", "MA"):
            self._label(name, raw)
        elif name == OTHER_PROPERTY and (found := _FIRST_PART.match(raw)):
            self._node.properties.setdefault(plain(found[1]), []).append(plain(raw[found.end() :]))
        elif not (self._is_root and self._header(name, raw)):
            self._node.properties.setdefault(name, []).append(raw)

    def _move(self, color: Color, raw: str, at: int) -> None:
        if self._node is self.game.root or self._node.move is not None or id(self._node) in self._bad:
            self._add(at)  # also where all moves stand in one node
        if self.is_too_deep:
            return
        node = self._node
        node.color = color
        node.move = point_of(raw)
        self._has_moves = True
        self._starts[id(node)] = at
        if node.move is None:
            self._bad[id(node)] = f"{raw[:20]!r} is no point of the board"

    def _set_up(self, name: str, raw: str, at: int) -> None:
        game = self.game
        if self._has_moves or self._is_branched:
            self._node.properties.setdefault(name, []).append(raw)
            if name != "PL":
                self._bad[id(self._node)] = "stones are set up after moves"
            return
        if name == "PL":
            game.turn = _COLORS.get(raw.strip().lower())
            return
        points = _points(raw)
        if points is None:
            self.problem(at, f"{raw[:20]!r} are no points of the board")
        elif name == "AB":
            game.black += points
        else:
            game.white += points
        # More stones than points are no set-up; a long list of them would take quadratic time.
        if len(game.black) + len(game.white) > 4 * PASS:
            place = self._reader.place(at)
            raise FormatError(f"{place}: more stones are set up than the board has points")

    def _label(self, name: str, raw: str) -> None:
        place, colon, text = plain(raw).partition(":")
        point = point_of(place)
        labels = self._node.labels
        if point is None or point == PASS or point in labels or (name == "MA" and colon):
            self._node.properties.setdefault(name, []).append(raw)
        else:
            labels[point] = " ".join(text.split("\n")) if name == "LB" else ""

    def _header(self, name: str, raw: str) -> bool:
        """Takes a property of the whole game; False if the property is of another kind."""
        text = plain(raw).replace("\n", " ").strip() if name != "GC" else plain(raw)
        if name == HEADER_PROPERTY and (found := _FIRST_PART.match(raw)):
            self.game.headers[plain(found[1])] = plain(raw[found.end() :])
        elif name in HEADERS:
            if text:
                self.game.headers[HEADERS[name]] = text
        elif name == "SZ":
            self._size = text
        elif name == "GM":
            self._kind = text
        elif name not in ("FF", "CA"):
            return False
        return True

    def finish(self) -> Game:
        """The game, with all that can be played."""
        game = self.game
        for node, parts in self._comments.values():
            node.comment = "\n".join(filter(None, parts))
        game.result = result_of(game.headers.get("result", ""))
        size = self._size or ("15" if self._kind in ("", "4") else "19")
        width, _, height = size.partition(":")
        if {width.strip(), (height or width).strip()} != {str(BOARD_SIZE)}:
            told = f"the board is {width[:9]}x{(height or width)[:9]}"
            note(game, "SZ", f"{told}; only {BOARD_SIZE}x{BOARD_SIZE} is read, its moves are left out")
            game.black = game.white = ()
            game.root.children.clear()
            return game
        game.black, game.white = (tuple(dict.fromkeys(stones)) for stones in (game.black, game.white))
        if (game.black or game.white) and game.turn is None:
            game.turn = next((node.color for node in game.root.main_line() if node.move is not None), None)
        keep_playable(game, lambda node: self._reader.place(self._starts.get(id(node), 0)), self._bad)
        return game


def _points(raw: str) -> tuple[Point, ...] | None:
    """The points of a value: one, or the rectangle between two; None if they are not on the board."""
    corners = [point_of(part) for part in raw.split(":")[:3]]
    if len(corners) > 2:
        return None
    found: list[Point] = []
    for corner in corners:
        if corner is None or corner == PASS:
            return None
        found.append(corner)
    first, last = found[0], found[-1]
    columns = range(min(first.x, last.x), max(first.x, last.x) + 1)
    rows = range(max(first.y, last.y), min(first.y, last.y) - 1, -1)
    return tuple(Point((x, y)) for y in rows for x in columns)
