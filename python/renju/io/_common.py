"""What the readers and writers share: limits, code pages, and trees that can be played."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, cycle
from pathlib import Path
from typing import IO

from renju._files import write_bytes
from renju._lines import bounded_lines
from renju._types import PASS, Color, Point
from renju.board import Board
from renju.errors import FormatError, IllegalMoveError, PositionError
from renju.game import Game, GameNode, Problem

__all__ = [
    "MOST_BYTES",
    "MOST_DEPTH",
    "MOST_NODES",
    "MOST_PASSES",
    "TOO_MANY_PASSES",
    "as_games",
    "collect",
    "decode",
    "in_file",
    "is_empty",
    "keep_playable",
    "load_file",
    "note",
    "read_all",
    "result_of",
    "start_board",
    "write_out",
]

# A file that is read as a whole: more of it would be gigabytes of objects.
MOST_BYTES = 1 << 27
# What is read of a file first: most hold less.
_FIRST_BYTES = 1 << 16
# Of one game, and of all games of a list. A node takes about half a kilobyte.
MOST_NODES = 1_000_000
# Nodes of one line: a full board and as many passes and remarks as anybody would make.
MOST_DEPTH = 5_000
# Passes in a row: they end the game as a draw (RIF 10), and another one would mean nothing.
MOST_PASSES = 2
TOO_MANY_PASSES = "two passes in a row have ended the game"
# What is listed of one game.
_MOST_PROBLEMS = 100

# Names that software writes for code pages of which it uses more than the standard has.
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "big5": "cp950", "euc_kr": "cp949"}
# Python's own escapes and the encodings of host names: no code pages, and some take quadratic time.
_NO_TEXT = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "utf-7"}
_CODE_PAGE_NAME = re.compile(r"[\w.:+ -]{1,40}", re.ASCII)


def read_all(file: IO[bytes]) -> bytes:
    """The rest of a file; `FormatError` if that is too much."""
    parts, size = [], 0
    # Asked for all at once, Python would make room for the largest file there may be.
    while size <= MOST_BYTES and (part := file.read(max(_FIRST_BYTES, size))):
        parts.append(part)
        size += len(part)
    check_size(size)
    return b"".join(parts)


def check_size(size: int) -> None:
    if size > MOST_BYTES:
        raise FormatError(f"there are more than {MOST_BYTES:,} bytes; that is no file of games")


def in_file(path: str | Path, error: FormatError) -> FormatError:
    """The same error with the name of the file in front."""
    return FormatError(f"{path}: {error}")


def load_file(
    path: str | Path, read: Callable[[IO[bytes], str | None], Iterable[Game]], encoding: str | None
) -> list[Game]:
    """All games of a file; its name is in the error if there are none."""
    try:
        with Path(path).open("rb") as file:
            return collect(read(file, encoding))
    except FormatError as error:
        raise in_file(path, error) from None


def write_out(path: str | Path, text: str) -> None:
    """Writes UTF-8 in one step; what Unicode does not have becomes a question mark."""
    write_bytes(Path(path), text.encode(errors="replace"))


def as_games(games: Game | Iterable[Game]) -> Iterable[Game]:
    return [games] if isinstance(games, Game) else games


def collect(games: Iterable[Game]) -> list[Game]:
    """All games in a list; `FormatError` if there are too many for the memory."""
    found, cost = [], 0
    for game in games:
        found.append(game)
        cost += 2
        for _, node in game.root.walk():
            cost += 1 + sum(map(len, node.properties.values())) // 4
        if cost > MOST_NODES:
            raise FormatError(
                f"there are more than {MOST_NODES:,} moves; renju.io.iter_games reads game after game"
            )
    return found


def is_empty(game: Game) -> bool:
    """Is there nothing to see on the board?"""
    return not (game.black or game.white or any(node.move is not None for _, node in game.root.walk()))


def note(game: Game, where: str | Callable[[], str], reason: str) -> None:
    """Adds a problem, unless there are very many."""
    if len(game.errors) < _MOST_PROBLEMS:
        game.errors.append(Problem(where if isinstance(where, str) else where(), reason))
    elif len(game.errors) == _MOST_PROBLEMS:
        game.errors.append(Problem("from here on", "further problems are not listed"))


def code_page(name: str) -> str | None:
    """How Python calls a code page; None if the name is that of no code page."""
    try:
        if not _CODE_PAGE_NAME.fullmatch(name):
            return None
        found = codecs.lookup(name.strip())
        if found.name in _NO_TEXT:
            return None
        "".encode(found.name)  # there are also codecs that are no encodings of text
    except (LookupError, ValueError):
        return None
    return _WIDER.get(found.name, found.name)


def decode(data: bytes | str, encoding: str | None, told: str | None = None) -> tuple[str, str]:
    """The text, and what was wrong with its bytes (empty if nothing).

    `encoding` is what the caller knows, `told` what the file says of itself. Else it is UTF-8, or Latin-1.
    """
    if isinstance(data, str):
        check_size(len(data))
        return data, ""
    check_size(len(data))
    page = None if told is None else code_page(told)
    if page is not None and b"(;".decode(page, errors="replace") != "(;":
        page = None  # then the file could not have told it in ASCII
    if encoding is not None:
        page = code_page(encoding)
        if page is None:
            raise FormatError(f"there is no encoding {encoding!r}")
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return data.decode(name, errors="replace"), ""
    for name in filter(None, (page, "utf-8")):
        try:
            return data.decode(name), ""
        except UnicodeDecodeError:
            continue
    if page is None:
        return data.decode("latin-1"), "the text is not UTF-8 and was read as Latin-1; name its encoding"
    return data.decode(page, errors="replace"), f"the text is not all {page}"


def result_of(text: str) -> str:
    """A result as people write it, in the form of `Game.result`; empty if it tells nothing."""
    word = re.sub(r"[\s.]", "", text[:40]).lower()
    if word in ("0", "draw", "jigo", "1/2", "1/2-1/2", "0.5-0.5", "½-½") or re.fullmatch(r"[bw]\+draw", word):
        return "1/2-1/2"
    if word == "1-0" or word.startswith(("b+", "black+")):
        return "1-0"
    if word == "0-1" or word.startswith(("w+", "white+")):
        return "0-1"
    return ""


def start_board(game: Game) -> Board:
    """The board before the first move."""
    if not (game.black or game.white):
        return Board(referee=False)
    return Board.from_stones(game.black, game.white, turn=game.turn)


def keep_playable(game: Game, place: Callable[[GameNode], str], bad: Mapping[int, str] | None = None) -> None:
    """Takes out of the tree what cannot be played, and all behind it, so that no line is another one than the
    file meant; each cut is a problem of the game.

    `bad` has the reasons of nodes, by their `id`, that are known to be wrong. Where the file says that a side
    moved twice in a row, the pass between is added.
    """
    if not bad and _is_played_through(game):
        return
    try:
        board = start_board(game)
    except PositionError as error:
        note(game, "set-up", f"{error}; its moves are left out")
        game.root.children.clear()
        return
    instead: dict[int, list[GameNode]] = {}
    parents: dict[int, GameNode] = {}
    made = 0
    # Parent and node, moves made before it, its depth, and the passes since the last stone.
    stack = [(game.root, child, 0, 1, 0) for child in reversed(game.root.children)]
    while stack:
        parent, node, before, depth, in_a_row = stack.pop()
        while made > before:
            board.pop()
            made -= 1
        reason = (bad or {}).get(id(node), "")
        passes: list[GameNode] = []
        if depth > MOST_DEPTH:
            reason = f"the line has more than {MOST_DEPTH:,} nodes"
        elif not reason and node.move is not None:
            reason, passes = _play(board, node, in_a_row)
            made += 0 if reason else 1 + len(passes)
        if reason:
            note(game, partial(place, node), f"{reason}; left out with all behind it")
            instead[id(node)] = []
            parents[id(parent)] = parent
            continue
        if passes:
            note(game, partial(place, node), "a side moves twice in a row; a pass was added between")
            passes[0].children.append(node)
            instead[id(node)] = passes
            parents[id(parent)] = parent
        if node.move is not None:
            in_a_row = in_a_row + len(passes) + 1 if node.move == PASS else 0
        stack += [(node, child, made, depth + 1, in_a_row) for child in reversed(node.children)]
    for parent in parents.values():
        parent.children = list(chain(*(instead.get(id(child), [child]) for child in parent.children)))


def _is_played_through(game: Game) -> bool:
    """Is the game one line of stones on free points from the empty board on? Nearly all are, and then nothing
    has to be taken out."""
    nodes = [game.root, *game.root.main_line()]
    stones = [node for node in nodes if node.move is not None]
    return (
        not (game.black or game.white)
        and len(nodes) <= MOST_DEPTH
        and all(len(node.children) <= 1 for node in nodes)
        and PASS not in (moves := {node.move for node in stones})
        and len(moves) == len(stones)
        and all(node.color in (None, turn) for node, turn in zip(stones, cycle(Color), strict=False))
    )


def _play(board: Board, node: GameNode, in_a_row: int) -> tuple[str, list[GameNode]]:
    """Makes the move of a node after `in_a_row` passes; returns why it cannot be made, and the pass
    that was missing before it."""
    passes: list[GameNode] = []
    assert node.move is not None
    is_other = node.color not in (None, board.turn)
    if (is_other or node.move == PASS) and in_a_row + is_other + (node.move == PASS) > MOST_PASSES:
        return TOO_MANY_PASSES, []
    try:
        if is_other:
            passes.append(GameNode(Point(PASS), board.turn))
            board.push(PASS)
    except IllegalMoveError:
        return f"it is the turn of {board.turn.label}", []
    try:
        board.push(node.move)
    except IllegalMoveError as error:
        if passes:
            board.pop()
        return str(error), []
    return "", passes


def turns(game: Game) -> Color:
    """Who moves first."""
    if not (game.black or game.white):
        return Color.BLACK
    if game.turn is not None:
        return game.turn
    return Color.BLACK if len(game.black) == len(game.white) else Color.WHITE


def lines_of(file: IO[bytes], most: int) -> Iterator[tuple[int, bytes | None]]:
    """Number and bytes of every line; of what is longer than `most` there are no bytes."""
    for number, (line, _, is_whole) in enumerate(bounded_lines(file, most), 1):
        yield number, line.rstrip(b"\r\n") if is_whole else None
