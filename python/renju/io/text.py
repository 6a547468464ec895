"""Games as plain text, one a line: moves, stones, links, Gomocup's offsets; and drawn boards.

>>> from renju.io import text
>>> games = text.loads("# two games\\nh8i9g7\\nH8, I9, I7\\n")
>>> [str(game.moves[2]) for game in games]
['G7', 'I7']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO

from renju._native import parse_moves
from renju._types import BOARD_SIZE, PASS, Color, Point
from renju.board import Board
from renju.errors import FormatError, NotationError, PositionError
from renju.game import Game
from renju.io._common import (
    as_games,
    collect,
    decode,
    is_empty,
    keep_playable,
    lines_of,
    load_file,
    note,
    turns,
    write_out,
)
from renju.io.links import is_link, parse

__all__ = ["dump", "dumps", "iter_games", "load", "loads", "offsets"]

# A line that is longer is no game.
_MOST_LINE_BYTES = 1 << 20

_OFFSETS = re.compile(r"-?\d{1,2}(?:\s*,\s*-?\d{1,2})*\s*,?", re.ASCII)
_ROW = re.compile(r"(?:\d{1,2}\s*)?((?:[XO.]\s*){15})(?:\d{1,2})?", re.ASCII)
_LETTERS = re.compile(r"A\s*B\s*C\s*D\s*E\s*F\s*G\s*H\s*I\s*J\s*K\s*L\s*M\s*N\s*O")
_COLUMN = re.compile(r"line 1, column (\d+)")
# A cell of a drawn board in lower case: programs do not agree on which of x and o is black.
_UNCLEAR_ROW = re.compile(r"(?:\d{1,2}\s*)?(?:[xo.]\s*){15}(?:\d{1,2})?", re.ASCII)


def iter_games(file: IO[bytes], encoding: str | None = None) -> Iterator[Game]:
    """The games of a file, one after the other, of any number; `encoding` is the code page of the text, else
    UTF-8."""
    found, first = 0, ""
    drawn: list[tuple[int, str]] = []
    for number, line in _lines(file, encoding):
        game: Game | None
        if line is None:
            game = _bad_line(number, f"the line has more than {_MOST_LINE_BYTES:,} bytes")
        elif _ROW.fullmatch(line):
            drawn.append((number, line))
            game = _of_drawing(drawn) if len(drawn) == BOARD_SIZE else None
        elif _LETTERS.fullmatch(line):
            continue
        else:
            if drawn:
                yield _of_drawing(drawn)
                first = first or f"line {drawn[0][0]}: the board is not drawn whole"
            game = _of_line(line, number)
        if game is None:
            continue
        drawn.clear()
        found += not (is_empty(game) and game.errors)
        first = first or (str(game.errors[0]) if game.errors else "")
        yield game
    if drawn:
        game = _of_drawing(drawn)
        first = first or str(game.errors[0])
        yield game
    if not found:
        raise FormatError(first or "there is no game")


def _lines(file: IO[bytes], encoding: str | None) -> Iterator[tuple[int, str | None]]:
    """Number and text of the lines that say something; no text if there is too much of it."""
    for number, data in lines_of(file, _MOST_LINE_BYTES):
        if data is None:
            yield number, None
            continue
        # Moves are ASCII: of the rest it is enough that it is not taken for them.
        line = decode(data, encoding)[0].strip()
        if not is_link(line):
            line = line.partition("#")[0].rstrip()
        if line:
            yield number, line


def _bad_line(number: int, reason: str) -> Game:
    game = Game()
    note(game, f"line {number}", reason)
    return game


def _of_line(line: str, number: int) -> Game:
    """The game of a line, as far as it can be read."""
    game = Game()
    where = f"line {number}"
    if _UNCLEAR_ROW.fullmatch(line):
        note(game, where, "a board is drawn with X for black and O for white, not with small letters")
    elif is_link(line):
        try:
            game = parse(line)
        except FormatError as error:
            note(game, where, str(error))
    elif _OFFSETS.fullmatch(line):
        _add_offsets(game, line, where)
    elif "/" in line:
        _add_stones(game, line, where)
    else:
        _add_moves(game, line, where)
    keep_playable(game, lambda node: where)
    return game


def _add_moves(game: Game, line: str, where: str) -> None:
    """The moves as far as they can be read."""
    moves: list[int] | None = None
    while moves is None:
        try:
            moves = parse_moves(line)
        except NotationError as error:
            found = _COLUMN.match(str(error))
            column = int(found[1]) if found else 1
            if not game.errors:
                reason = str(error).partition(": ")[2] if found else str(error)
                note(game, f"{where}, column {column}", f"{reason}; the rest of the line is left out")
            # Before it there may be the letter of the point that has a bad number.
            line = line[: min(column, len(line)) - 1]
    node = game.root
    for move in moves:
        node = node.add(move)


def _add_offsets(game: Game, line: str, where: str) -> None:
    """Gomocup's openings: pairs counted from the centre, to the right and downwards."""
    numbers = [int(number) for number in line.rstrip(", \t").split(",")]
    if len(numbers) % 2:
        note(game, where, f"{len(numbers)} numbers are no pairs; the last is left out")
    centre, node = BOARD_SIZE // 2, game.root
    for x, y in zip(numbers[::2], numbers[1::2], strict=False):
        if max(abs(x), abs(y)) > centre:
            note(game, where, f"{x},{y} is off the board; the rest of the line is left out")
            return
        node = node.add((centre + x, centre - y))


def _add_stones(game: Game, line: str, where: str) -> None:
    """Stones, black's before the slash."""
    try:
        black, white = line.split("/")
        board = Board.from_stones(black, white)
        game.black, game.white = (tuple(map(Point, parse_moves(stones))) for stones in (black, white))
        game.turn = board.turn
    except PositionError as error:
        note(game, where, str(error))
    except ValueError as error:  # two slashes, or no points
        note(game, where, str(error) if isinstance(error, NotationError) else "one / divides the stones")


def _of_drawing(drawn: list[tuple[int, str]]) -> Game:
    """The game of the rows of a drawn board."""
    game = Game()
    where = f"line {drawn[0][0]}"
    if len(drawn) != BOARD_SIZE:
        note(game, where, f"a drawn board has {BOARD_SIZE} rows, not {len(drawn)}")
        return game
    # Who moves may be unclear; the stones are known all the same.
    cells = [found[1].split() for _, row in drawn if (found := _ROW.fullmatch(row))]
    rows = ["".join(words) for words in reversed(cells)]
    stones = {Point((x, y)): cell for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "."}
    game.black = tuple(point for point, cell in stones.items() if cell == "X")
    game.white = tuple(point for point, cell in stones.items() if cell == "O")
    try:
        game.turn = Board.from_stones(game.black, game.white).turn
    except PositionError as error:
        note(game, where, str(error))
    return game


def load(path: str | Path, encoding: str | None = None) -> list[Game]:
    """All games of the file at `path`; `encoding` is the code page of the text, else UTF-8."""
    return load_file(path, iter_games, encoding)


def loads(data: bytes | str, encoding: str | None = None) -> list[Game]:
    """All games of `data`; `encoding` is the code page of bytes, else UTF-8."""
    raw = data.encode(errors="replace") if isinstance(data, str) else data
    return collect(iter_games(BytesIO(raw), "utf-8" if isinstance(data, str) else encoding))


def dumps(games: Game | Iterable[Game]) -> str:
    """A line for each of the `games`: "h8i9g7", or the stones of a set-up, "h8,f6/h7"."""
    return "".join(f"{_line(game)}\n" for game in as_games(games))


def dump(games: Game | Iterable[Game], path: str | Path) -> None:
    """Writes the games to the file at `path`."""
    write_out(path, dumps(games))


def _line(game: Game) -> str:
    if not (game.black or game.white or game.moves):
        raise FormatError("a game without moves is no line of text")
    if not (game.black or game.white):
        return "".join("--" if move == PASS else str(move).lower() for move in game.moves)
    if game.moves:
        raise FormatError("a line of text holds moves or a set-up, not both")
    counted = Color.BLACK if len(game.black) == len(game.white) else Color.WHITE
    if turns(game) is not counted:
        raise FormatError(f"stones alone do not tell that it is the turn of {turns(game).label}")
    return "/".join(",".join(map(str, stones)).lower() for stones in (game.black, game.white))


def offsets(games: Game | Iterable[Game]) -> str:
    """The games as openings of Gomocup: pairs counted from the centre, to the right and downwards."""
    lines = []
    for game in as_games(games):
        if game.black or game.white or PASS in game.moves:
            raise FormatError("an opening of Gomocup holds moves from the empty board, no set-up and no pass")
        centre = BOARD_SIZE // 2
        lines.append(", ".join(f"{move.x - centre},{centre - move.y}" for move in game.moves))
    return "".join(f"{line}\n" for line in lines)
