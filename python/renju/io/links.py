"""Links to a position: those of gomocalc.com, and the share links of renju-note.

>>> from renju.io import links
>>> game = links.parse("https://gomocalc.com/#/h8i9g7")
>>> [str(move) for move in game.moves]
['H8', 'I9', 'G7']
>>> links.renju_note(game)
'https://renju-note.com/#g:h8i9g7,c:3'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO
from urllib.parse import unquote

from renju._native import parse_moves
from renju._types import PASS, Color, Point
from renju.errors import FormatError, NotationError
from renju.game import Game
from renju.io._common import (
    as_games,
    check_size,
    collect,
    decode,
    is_empty,
    keep_playable,
    load_file,
    note,
    read_all,
    turns,
    write_out,
)

__all__ = ["dump", "dumps", "gomocalc", "is_link", "iter_games", "load", "loads", "parse", "renju_note"]

_GOMOCALC = "https://gomocalc.com/#/"
_RENJU_NOTE = "https://renju-note.com/#"

# No game makes a longer link.
_MOST_CHARACTERS = 10_000

_LINK = re.compile(r"https?://|(?:www\.)?gomocalc\.com|renju-note\.", re.IGNORECASE)
# The parts of a renju-note link.
_PART = re.compile(r"(gid|g|o|c|b|w|p|l):")
_MOVE = re.compile(r"[a-o](?:1[0-5]|[1-9])(?!\d)|--|pass", re.IGNORECASE)


def is_link(text: str) -> bool:
    """Does the line `text` look like a link?"""
    return _LINK.match(text.strip()) is not None


def parse(link: str) -> Game:
    """The game of a link, or of what stands behind its `#`. `FormatError` if there is none in it."""
    if len(link) > _MOST_CHARACTERS:
        raise FormatError(f"a link has at most {_MOST_CHARACTERS:,} characters")
    link = link.strip()
    _, hash_sign, code = link.partition("#")
    if not hash_sign:
        if is_link(link):
            raise FormatError("there is no # in the link, and no position behind it")
        code = link
    code = unquote(code).lstrip("/").strip()
    game = _of_renju_note(code) if _PART.match(code) else _of_moves(code)
    if is_empty(game) and game.errors:
        raise FormatError(f"there is no position in the link: {game.errors[0].reason}")
    return game


def _of_moves(code: str) -> Game:
    game = Game()
    _add_moves(game, code, Color.BLACK)
    keep_playable(game, lambda node: "moves")
    return game


def _of_renju_note(code: str) -> Game:
    parts: dict[str, str] = {}
    for part in code.split(","):
        name, _, value = part.partition(":")
        parts.setdefault(name, value)
    game = Game()
    game.black, game.white = (tuple(_points(game, parts.get(name, ""))) for name in "bw")
    first = Color.WHITE if "i" in parts.get("o", "") else Color.BLACK
    if game.black or game.white or first is Color.WHITE:
        game.turn = first
    if parts.get("gid"):
        game.headers["id"] = parts["gid"]
    for point in _points(game, parts.get("p", "")):
        game.root.labels[point] = ""
    for name, key in (("c", "cursor"), ("l", "lines")):
        if parts.get(name):
            game.root.properties[key] = [parts[name]]
    _add_moves(game, parts.get("g", ""), first)
    if first is Color.WHITE and not (game.black or game.white):
        _set_up_first(game)
    keep_playable(game, lambda node: "moves")
    return game


def _set_up_first(game: Game) -> None:
    """Makes the first move, which is white's, a set-up: black begins on an empty board."""
    game.turn = None
    for node in game.root.children:
        game.turn = Color.BLACK
        game.white = () if node.move is None else (node.move,)
        game.root.children = node.children


def _points(game: Game, text: str) -> list[Point]:
    try:
        return [Point(point) for point in parse_moves(text) if point != PASS]
    except NotationError as error:
        note(game, "stones", str(error))
        return []


def _add_moves(game: Game, text: str, color: Color) -> None:
    """The moves as far as they can be read."""
    node, at = game.root, 0
    while at < len(text):
        found = _MOVE.match(text, at)
        if found is None:
            if text[at] in "_-. /+":  # what stands between moves
                at += 1
                continue
            note(game, f"character {at + 1}", f"{text[at : at + 10]!r} is no move; the rest is left out")
            return
        node = node.add(found[0])
        node.color, color = color, color.opponent
        at = found.end()


def gomocalc(game: Game) -> str:
    """The link to the main line of `game` at gomocalc.com; `FormatError` for a set-up, which such links
    cannot hold."""
    if game.black or game.white:
        raise FormatError("a gomocalc link holds moves from the empty board, no set-up")
    return _GOMOCALC + _compact(game)


def renju_note(game: Game) -> str:
    """The link to the main line of `game` at renju-note, with a set-up and the marks of the root."""
    parts = []
    moves = _compact(game)
    if moves:
        parts.append(f"g:{moves}")
    if turns(game) is Color.WHITE:
        parts.append("o:i")
    cursor = game.root.properties.get("cursor") or [str(len(game.moves))]
    if moves and cursor[0].isdigit():
        parts.append(f"c:{cursor[0]}")
    for name, points in (("b", game.black), ("w", game.white), ("p", tuple(game.root.labels))):
        if points:
            parts.append(f"{name}:{''.join(map(str, points)).lower()}")
    lines = game.root.properties.get("lines")
    if lines:
        parts.append(f"l:{lines[0]}")
    return _RENJU_NOTE + ",".join(parts)


def _compact(game: Game) -> str:
    if PASS in game.moves:
        raise FormatError("a link cannot hold a pass")
    return "".join(map(str, game.moves)).lower()


def iter_games(file: IO[bytes], encoding: str | None = None) -> Iterator[Game]:
    """The games of a file of links, one a line; `encoding` is the code page of the text, else UTF-8."""
    yield from _games(read_all(file), encoding)


def load(path: str | Path, encoding: str | None = None) -> list[Game]:
    """The games of the file of links at `path`; `encoding` is the code page of the text, else UTF-8."""
    return load_file(path, iter_games, encoding)


def loads(data: bytes | str, encoding: str | None = None) -> list[Game]:
    """The games of `data`, a link on every line; empty lines are none. `encoding` is the code page of bytes,
    else UTF-8."""
    return collect(_games(data, encoding))


def dumps(games: Game | Iterable[Game], site: str = "gomocalc") -> str:
    """A link for each of the `games`, on a line; `site` is gomocalc or renju-note."""
    writers = {"gomocalc": gomocalc, "renju-note": renju_note}
    if site not in writers:
        raise ValueError(f"site is gomocalc or renju-note, not {site!r}")
    return "".join(f"{writers[site](game)}\n" for game in as_games(games))


def dump(games: Game | Iterable[Game], path: str | Path, site: str = "gomocalc") -> None:
    """Writes links to the `games` into the file at `path`; `site` is gomocalc or renju-note."""
    write_out(path, dumps(games, site))


def _games(data: bytes | str, encoding: str | None) -> Iterator[Game]:
    check_size(len(data))
    text, _ = decode(data, encoding)
    found, first = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            game = parse(line)
            found += 1
        except FormatError as error:
            game = Game()
            note(game, f"line {number}", str(error))
            first = first or str(game.errors[0])
        yield game
    if not found:
        raise FormatError(first or "there is no link")
