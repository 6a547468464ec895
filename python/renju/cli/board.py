"""`renju board`: play and analyse in the browser."""

from __future__ import annotations

import argparse
import sys

from renju import io
from renju._exit_codes import DONE
from renju.cli.arguments import count
from renju.engine import LEVELS
from renju.errors import FormatError

__all__ = ["add_board"]

_MOST_PORT = 65535


def add_board(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    board = commands.add_parser(
        "board",
        help="play and analyse in the browser",
        description="Serves a page on this machine and opens it. Ctrl-C ends it. See docs/board.md.",
        epilog="Needs the extra [web]: pip install 'renju-engine[web]'.",
    )
    board.add_argument("--puzzles", metavar="FILE", help="puzzles to train with (default: those shipped)")
    board.add_argument("file", nargs="?", metavar="FILE", help="a game to begin with, in any format")
    board.add_argument("--host", default="127.0.0.1", help="where to listen (default %(default)s)")
    board.add_argument(
        "--port", type=count(_MOST_PORT), default=8225, help="0 for any that is free (default %(default)s)"
    )
    board.add_argument(
        "--name",
        action="append",
        default=[],
        help="another name in the address that is answered to, where HOST is open to other machines",
    )
    board.add_argument("--level", choices=LEVELS, help="at first (default: the last one chosen, else hard)")
    board.add_argument(
        "--explorer", metavar="FILE", help="what was played in games, from `renju explore` (extra [explore])"
    )
    board.add_argument("--proofs", metavar="FILE", help="sure wins, from `renju prove`")
    board.add_argument("--no-open", action="store_true", help="do not open the browser")
    board.set_defaults(run=_board)


def _board(options: argparse.Namespace) -> int:
    from renju import puzzles, web

    game = None
    if options.file is not None:
        games = io.load(options.file)
        if not games:
            raise FormatError(f"{options.file}: there is no game in it")
        game = games[0]
        if len(games) > 1:
            print(f"renju: {options.file} has {len(games)} games; the first is shown", file=sys.stderr)
    web.serve(
        options.host,
        options.port,
        names=options.name,
        level=options.level,
        game=game,
        explorer=options.explorer,
        proofs=options.proofs,
        open_browser=not options.no_open,
        puzzles=None if options.puzzles is None else puzzles.load(options.puzzles),
    )
    return DONE
