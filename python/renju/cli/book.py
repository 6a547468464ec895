"""`renju book`: opening books - made, merged, looked into and written as libraries."""

from __future__ import annotations

import argparse
import errno
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from renju import Board, Game, Interrupted, io, openings
from renju._exit_codes import DONE, REFUTED
from renju._files import write_bytes
from renju._types import BOARD_SIZE
from renju.cli.arguments import add_position, count, position
from renju.config import LEVELS, EngineConfig
from renju.errors import FormatError, IllegalMoveError, NotationError

if TYPE_CHECKING:
    from renju.book import Book, BookMove

__all__ = ["add_book"]

_MOST = 10**6

# What `build` takes for the engine only, by the names of argparse.
_OF_ENGINE = (
    "start",
    "positions",
    "nodes",
    "width",
    "ply_cost",
    "margin",
    "level",
    "config",
    "threads",
    "work",
    "resume",
)


def add_book(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    book = commands.add_parser(
        "book",
        help="make opening books, merge them, look into them",
        description="Opening books: made by the engine or from games, merged, looked into, and written as "
        "RenLib libraries. See docs/book.md.",
    )
    kinds = book.add_subparsers(required=True, metavar="COMMAND")
    _add_build(kinds)
    merge = kinds.add_parser("merge", help="make one book of several")
    merge.add_argument("books", nargs="+", metavar="BOOK")
    merge.add_argument("-o", "--out", required=True, metavar="BOOK", help="the book to write")
    merge.set_defaults(run=_merge)
    show = kinds.add_parser(
        "show",
        help="what a book says of a position",
        description="What a book says of a position.",
        epilog="Exit codes: 0 done, 1 the position is not in the book.",
    )
    add_position(show)
    _add_book(show)
    show.set_defaults(run=_show)
    export = kinds.add_parser("export", help="write a book as a RenLib library (.lib), or as .sgf")
    _add_book(export)
    export.add_argument("-o", "--out", required=True, metavar="FILE", help="the name tells the format")
    export.add_argument(
        "--start",
        action="append",
        metavar="MOVES",
        help="begin at this position or opening (D4); may be repeated (default: all that the book has of the "
        "empty board and the 26 openings)",
    )
    export.set_defaults(run=_export)


def _add_build(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    build = kinds.add_parser(
        "build",
        help="make a book with the engine, or from games",
        description="Makes a book with the engine, from the 26 openings or from other positions; or with "
        "--games from what was played. The same arguments make the same book.",
    )
    build.add_argument("-o", "--out", required=True, metavar="BOOK", help="the book to write")
    build.add_argument(
        "--start",
        action="append",
        metavar="MOVES",
        help="a position or opening (D4) to begin with; may be repeated (default: the 26 openings)",
    )
    build.add_argument(
        "--positions", type=count(_MOST), default=100, metavar="N", help="how many (default %(default)s)"
    )
    build.add_argument(
        "--nodes",
        type=count(2**32 - 1),
        default=100_000,
        metavar="N",
        help="of the search in each position; half as many for its alternatives (default %(default)s)",
    )
    build.add_argument(
        "--width",
        type=count(BOARD_SIZE**2),
        default=4,
        metavar="N",
        help="moves of a position (default %(default)s)",
    )
    build.add_argument(
        "--plies",
        type=count(BOARD_SIZE**2),
        metavar="N",
        help="the most plies from a start (default: no limit; 30 with --games)",
    )
    build.add_argument(
        "--ply-cost",
        type=count(_MOST),
        default=30,
        metavar="SCORE",
        help="a small number makes the book deep, a large one broad (default %(default)s)",
    )
    build.add_argument(
        "--margin",
        type=count(_MOST),
        default=150,
        metavar="SCORE",
        help="moves that are worse by more are not looked at (default %(default)s)",
    )
    strength = build.add_mutually_exclusive_group()
    strength.add_argument("--level", choices=LEVELS, default="master", help="default %(default)s")
    strength.add_argument("--config", metavar="FILE", help="settings of the engine, a .toml file")
    build.add_argument("--threads", type=count(256), default=0, metavar="N", help="default: all cores")
    build.add_argument("--work", metavar="FILE", help="keep what is found in this file")
    build.add_argument("--resume", action="store_true", help="go on with the build in --work, or begin")
    build.add_argument("--games", nargs="+", metavar="FILE", help="make it from these files of games instead")
    build.add_argument("--quiet", action="store_true", help="no progress bar")
    build.set_defaults(run=_build, unless_games={name: build.get_default(name) for name in _OF_ENGINE})


def _add_book(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--book", metavar="BOOK", help="the book (default: the one of the package)")


def _build(options: argparse.Namespace) -> int:
    from renju import book

    _check_folder(options.out)
    plies = {} if options.plies is None else {"plies": options.plies}
    if options.games is not None:
        given = [name for name, value in options.unless_games.items() if getattr(options, name) != value]
        if given:
            names = ", ".join("--" + name.replace("_", "-") for name in given)
            raise ValueError(f"--games does not go with {names}: the engine is not asked")
        made = book.from_games(_games(options.games), **plies)
        _save(made, options.out)
        return DONE if len(made) else REFUTED
    if options.resume and options.work is None:
        raise ValueError("--resume needs the file of the build: --work FILE")
    try:
        made = book.build(
            None if options.start is None else [_start(text) for text in options.start],
            positions=options.positions,
            nodes=options.nodes,
            width=options.width,
            config=EngineConfig.from_toml(options.config) if options.config else None,
            level=options.level,
            ply_cost=options.ply_cost,
            margin=options.margin,
            threads=options.threads,
            progress=not options.quiet and sys.stderr is not None,
            path=options.work,
            resume=options.resume,
            **plies,
        )
    except Interrupted as error:
        if error.partial is not None and len(error.partial):
            _save(error.partial, options.out)
        raise
    _save(made, options.out)
    return DONE


def _check_folder(out: str) -> None:
    """`OSError` now and not after a long build."""
    if not Path(out).resolve().parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", str(Path(out).parent))


def _save(book: Book, out: str) -> None:
    book.save(out)
    print(f"{out}: {_count(len(book), 'position')}, {Path(out).stat().st_size:,} bytes")


def _start(text: str) -> Board:
    """A position from moves, or from the code of an opening."""
    try:
        return Board(openings.by_code(text).moves)
    except NotationError:
        pass
    try:
        return Board(text)
    except (NotationError, IllegalMoveError) as error:
        raise ValueError(f"--start {text}: {error}") from None


def _games(files: list[str]) -> Iterator[Game]:
    for name in files:
        for number, game in enumerate(io.iter_games(name), 1):
            for problem in game.errors:
                print(f"renju: {name}: game {number}: {problem}", file=sys.stderr)
            yield game


def _merge(options: argparse.Namespace) -> int:
    from renju import book

    _check_folder(options.out)
    _save(book.merge(map(book.load, options.books)), options.out)
    return DONE


def _show(options: argparse.Namespace) -> int:
    from renju import book
    from renju.result import score_text

    board = position(options)
    found = book.load(options.book)
    moves = found.moves(board)
    if options.json:
        print(json.dumps({"moves": [_facts(move) for move in moves], "line": [*map(str, found.line(board))]}))
        return DONE if moves else REFUTED
    if not moves:
        print(f"not in the book, which has {_sizes(found)}")
        return REFUTED
    total = sum(move.weight for move in moves)
    print(f"{'move':5}{'weight':>7}{'share':>7}{'score':>13}{'depth':>7}{'nodes':>13}{'games':>7}")
    for move in moves:
        share = f"{move.weight / total:.0%}" if total else "-"
        score = "-" if move.score is None else score_text(move.score)
        print(
            f"{move.move!s:5}{move.weight:>7}{share:>7}{score:>13}{move.depth:>7}{move.nodes:>13,}"
            f"{move.games:>7,}"
        )
    print("line:", *found.line(board))
    return DONE


def _sizes(book: Book) -> str:
    stones = Counter(entry.stones for entry in book._entries.values())
    what = f" of {min(stones)} to {max(stones)} stones" if stones else ""
    return f"{_count(len(book), 'position')}{what}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _facts(move: BookMove) -> dict[str, Any]:
    return {
        "move": str(move.move),
        "weight": move.weight,
        "score": move.score,
        "depth": move.depth,
        "nodes": move.nodes,
        "games": move.games,
    }


def _export(options: argparse.Namespace) -> int:
    from renju import book

    starts = None if options.start is None else [_start(text) for text in options.start]
    game = book.load(options.book).to_game(starts)
    form = io.format_of(options.out)
    if not {"variations", "comments"} <= form.holds:
        raise FormatError(f"{options.out}: {form.name} holds no variations with comments; .lib and .sgf do")
    data = io.dumps(game, form.name)
    write_bytes(Path(options.out), data if isinstance(data, bytes) else data.encode())
    print(f"{options.out}: {_count(sum(1 for _ in game.root.walk()) - 1, 'move')}")
    return DONE
