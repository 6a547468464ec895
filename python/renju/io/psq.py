"""Piskvork's .psq: one game with the time of every move.

>>> from renju.io import psq
>>> game = psq.loads("Piskvorky 15x15, 11:11, 0\\n8,8,0\\n9,7,15\\nann.zip\\nbo.zip\\n-1\\n1,Renju\\n")[0]
>>> [str(move) for move in game.moves], game.headers["white"], game.result
(['H8', 'I9'], 'bo.zip', '1-0')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from renju._native import psq_line
from renju._types import BOARD_SIZE, PASS, Point
from renju.errors import FormatError
from renju.game import Game, GameNode
from renju.io._common import as_games, collect, decode, keep_playable, load_file, note, read_all, write_out

__all__ = ["TIME", "dump", "dumps", "iter_games", "iter_lines", "load", "loads"]

TIME = "time_ms"
"""The property of a move that holds its time."""

# The moves of a game, and the few lines around them; nobody writes more.
_MOST_LINES = 10_000

_HEADER = re.compile(
    r"\s*Piskvorky\s+(\d{1,9})\s*x\s*(\d{1,9})\s*(?:,\s*(\d{1,9})\s*:\s*(\d{1,9})\s*(?:,\s*([01]))?)?",
    re.IGNORECASE | re.ASCII,
)
_MOVE = re.compile(r"\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*(?:,\s*(-?\d{1,18})\s*)?$", re.ASCII)
_WINNER = re.compile(r"\s*([012])\s*,(.*)$", re.ASCII)
_CODE = re.compile(r"\s*-?\d{1,9}\s*$", re.ASCII)
# Key: who won by the number of the judge; value: the result.
_RESULTS = {"0": "1/2-1/2", "1": "1-0", "2": "0-1"}


def iter_games(file: IO[bytes], encoding: str | None = None) -> Iterator[Game]:
    """The game of a file; `encoding` is the code page of the text, else UTF-8."""
    yield from _games(read_all(file), encoding)


def iter_lines(file: IO[bytes]) -> Iterator[bytes | Game]:
    """The game of a file; if it has nothing but its moves to tell, only their numbers."""
    data = read_all(file)
    text, problem = decode(data, None)
    line = None if problem else psq_line(text)
    yield from _games(data, None) if line is None else [line]


def load(path: str | Path, encoding: str | None = None) -> list[Game]:
    """The game of the file at `path`, in a list as for the other formats; `encoding` is the code page of the
    text, else UTF-8."""
    return load_file(path, iter_games, encoding)


def loads(data: bytes | str, encoding: str | None = None) -> list[Game]:
    """The game of `data`, in a list; `encoding` is the code page of bytes, else UTF-8."""
    return collect(_games(data, encoding))


def _games(data: bytes | str, encoding: str | None) -> Iterator[Game]:
    text, problem = decode(data, encoding)
    lines = text.split("\n", _MOST_LINES)
    header = _HEADER.match(lines[0])
    if header is None:
        raise FormatError("line 1: a .psq file begins with 'Piskvorky 15x15, ...'")
    game = Game()
    if problem:
        note(game, "text", problem)
    width, height, *levels, started = header.groups()
    if any(levels):
        game.headers["levels"] = ":".join(levels)
    last = _read_moves(game, lines, is_fitting=int(width) == int(height) == BOARD_SIZE)
    if not (int(width) == int(height) == BOARD_SIZE):
        told = f"the board is {width}x{height}"
        note(game, "line 1", f"{told}; only {BOARD_SIZE}x{BOARD_SIZE} is read, its moves are left out")
    _read_end(game, lines[last:], started == "1")
    yield game


def _read_moves(game: Game, lines: list[str], is_fitting: bool) -> int:
    """Reads the moves behind the header; returns the line after them."""
    places: dict[int, int] = {}
    bad: dict[int, str] = {}
    node = game.root
    for number, line in enumerate(lines[1:], 2):
        found = _MOVE.match(line)
        if found is None and line.strip():
            break
        if found is None or not is_fitting:
            continue
        x, y, time = found.groups()
        node.children.append(GameNode())
        node = node.children[0]
        places[id(node)] = number
        if 1 <= int(x) <= BOARD_SIZE and 1 <= int(y) <= BOARD_SIZE:
            node.move = Point((int(x) - 1, BOARD_SIZE - int(y)))
        else:
            bad[id(node)] = f"{x},{y} is off the board"
        if time is not None:
            node.properties[TIME] = [time]
    else:
        number = len(lines) + 1
    keep_playable(game, lambda node: f"line {places[id(node)]}", bad)
    return number - 1


def _read_end(game: Game, lines: list[str], is_second_first: bool) -> None:
    """Reads the names of the players, the code of the end, and the winner."""
    names: list[str] = []
    for line in lines[:10]:
        winner = _WINNER.match(line)
        if winner and "end_code" in game.headers:
            game.result = _RESULTS[winner[1]]
            game.headers["event"] = winner[2].strip()
        elif _CODE.match(line):
            game.headers["end_code"] = line.strip()
        elif line.strip() and len(names) < 2 and "end_code" not in game.headers:
            names.append(line.strip()[:200])
    if len(names) == 2:
        game.headers["black"], game.headers["white"] = reversed(names) if is_second_first else names


def dumps(games: Game | Iterable[Game]) -> str:
    """The game as a text; `games` must be one, without a set-up and without passes."""
    several = list(as_games(games))
    if len(several) != 1:
        raise FormatError(f"a .psq file holds one game, not {len(several)}")
    game = several[0]
    if game.black or game.white:
        raise FormatError("a .psq file cannot hold a set-up")
    nodes = [node for node in game.root.main_line() if node.move is not None]
    if any(node.move == PASS for node in nodes):
        raise FormatError("a .psq file cannot hold a pass")
    levels = game.headers.get("levels", "0:0")
    if not re.fullmatch(r"\d+:\d+", levels, re.ASCII):
        levels = "0:0"
    lines = [f"Piskvorky {BOARD_SIZE}x{BOARD_SIZE}, {levels}, 0"]
    for node in nodes:
        assert node.move is not None
        time = (node.properties.get(TIME) or ["0"])[0]
        lines.append(f"{node.move.x + 1},{BOARD_SIZE - node.move.y},{time if time.isdecimal() else 0}")
    names = [_one_line(game.headers.get(name, "")) for name in ("black", "white")]
    if any(names):
        lines += [name or "?" for name in names]
    lines.append(game.headers.get("end_code", "-1"))
    winner = {result: number for number, result in _RESULTS.items()}.get(game.result)
    if winner is not None:
        lines.append(f"{winner},{_one_line(game.headers.get('event', '')) or 'Renju'}")
    return "".join(f"{line}\n" for line in lines)


def _one_line(text: str) -> str:
    """A name that is not taken for a move or a code."""
    text = " ".join(text.split())
    return f"_{text}" if _MOVE.match(text) or _CODE.match(text) else text


def dump(games: Game | Iterable[Game], path: str | Path) -> None:
    """Writes `games`, which must be one, to the file at `path`."""
    write_out(path, dumps(games))
