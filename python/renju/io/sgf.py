"""SGF: games with variations, comments, labels and set-ups, as most programs write them.

>>> from renju.io import sgf
>>> game = sgf.loads("(;GM[4]SZ[15]PB[Ann]RE[B+R];B[hh];W[ig](;B[gi]C[so])(;B[ji]))")[0]
>>> [str(move) for move in game.moves], game.result, game.comments
(['H8', 'I9', 'G7'], '1-0', {3: 'so'})
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from renju._native import SgfLines
from renju.game import Game
from renju.io._common import as_games, collect, decode, load_file, note, read_all, write_out
from renju.io._sgf_reader import Reader
from renju.io._sgf_writer import game_text

__all__ = ["dump", "dumps", "iter_games", "iter_lines", "load", "loads"]

# Where the code page stands, if it is told.
_CODE_PAGE = re.compile(rb"CA\s*\[\s*([^\]\s]{1,40})\s*\]")
_HEAD_BYTES = 4096
# Games that are read at a time.
_BLOCK = 256


def iter_games(file: IO[bytes], encoding: str | None = None) -> Iterator[Game]:
    """The games of a file, one after the other. Without `encoding` the file tells it, or it is UTF-8."""
    yield from _games(read_all(file), encoding)


def iter_lines(file: IO[bytes]) -> Iterator[bytes | Game]:
    """The games of a file; of those with nothing but a main line to tell, only the numbers of its moves."""
    data = read_all(file)
    text, problem = _decoded(data, None)
    if problem:
        yield from _games(data, None)  # each of them is to tell of it
        return
    lines, reader = SgfLines(text), Reader(text)
    while True:
        block = lines.take(_BLOCK)
        yield from block
        if len(block) < _BLOCK:
            game = reader.next_game(lines.place)
            if game is None:
                return
            yield game
            lines.place = reader.end


def load(path: str | Path, encoding: str | None = None) -> list[Game]:
    """All games of the file at `path`. Without `encoding` the file tells it, or it is UTF-8."""
    return load_file(path, iter_games, encoding)


def loads(data: bytes | str, encoding: str | None = None) -> list[Game]:
    """All games of `data`. Without `encoding` bytes tell it, or they are UTF-8."""
    return collect(_games(data, encoding))


def dumps(games: Game | Iterable[Game]) -> str:
    """The games as a text; headers, comments, labels, variations and set-ups are all in it."""
    return "".join(map(game_text, as_games(games)))


def dump(games: Game | Iterable[Game], path: str | Path) -> None:
    """Writes the games to the file at `path` in UTF-8."""
    write_out(path, dumps(games))


def _decoded(data: bytes | str, encoding: str | None) -> tuple[str, str]:
    """The text, and what is wrong with its bytes."""
    told = _CODE_PAGE.search(data[:_HEAD_BYTES]) if isinstance(data, bytes) else None
    return decode(data, encoding, told and told[1].decode("latin-1"))


def _games(data: bytes | str, encoding: str | None) -> Iterator[Game]:
    text, problem = _decoded(data, encoding)
    for game in Reader(text).games():
        if problem:
            note(game, "text", problem)
        yield game
