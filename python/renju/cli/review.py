"""`renju review`: where a game was lost, as a table, a page, an annotated file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import islice

from renju import Game, Interrupted, Limit, Review, io, review
from renju._exit_codes import DONE, INTERRUPTED, REFUTED
from renju._page.words import LANGUAGES
from renju.cli.arguments import add_limits, add_strength, config_of, count
from renju.cli.keyboard import check_input
from renju.cli.output import write
from renju.errors import FormatError
from renju.io._common import MOST_BYTES
from renju.reviewing import Grades

__all__ = ["add_review"]

# A file may hold hundreds of thousands.
_MOST_COUNTED = 10_000

_GRADES = ("good", "inaccuracy", "mistake", "from_move")


def add_review(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "review",
        help="judge every move of a game",
        description="Tells of every move what it is worth, what was better, and which forced wins were "
        "missed or allowed; the table goes to standard output. See docs/review.md.",
        epilog="Exit codes: 0 done, 1 there is no such game, 2 wrong input, 130 interrupted (the moves that "
        "were finished are told).",
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("file", nargs="?", metavar="FILE", help="a game file of any format; - for stdin")
    source.add_argument("--moves", metavar="MOVES", help='moves such as "h8i9g7" in place of a file')
    parser.add_argument("--game", type=count(2**31), default=1, metavar="N", help="which one (default 1)")
    parser.add_argument("--from", dest="form", choices=[*io.FORMATS], help="what kind of file it is")
    parser.add_argument("--encoding", help="the code page of the file, where it does not tell it")
    add_strength(parser)
    add_limits(parser)
    parser.add_argument(
        "--multipv", type=count(225), default=5, metavar="N", help="moves to compare (default %(default)s)"
    )
    parser.add_argument(
        "--threads", type=count(256), default=0, help="0 for one per core (default %(default)s)"
    )
    defaults = ",".join(str(getattr(Grades(), name)) for name in _GRADES)
    parser.add_argument(
        "--grades",
        type=_grades,
        default=Grades(),
        metavar="G,I,M[,N]",
        help="the most that good moves, inaccuracies and mistakes lose, and the first move that is graded "
        f"(default {defaults})",
    )
    parser.add_argument("-o", "--out", metavar="HTML", help="write the report, a page of its own")
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=LANGUAGES[0], help="language of the report (default %(default)s)"
    )
    parser.add_argument("--sgf", metavar="FILE", help="write the annotated game (- for standard output)")
    parser.add_argument("--json", action="store_true", help="print all of it as JSON in place of the table")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.set_defaults(run=_review)


def _grades(text: str) -> Grades:
    try:
        numbers = [int(number) for number in text.split(",")]
        if len(numbers) not in (3, 4):
            raise ValueError(f"there are {len(numbers)} numbers, not 3 or 4")
        return Grades(*numbers)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} are no grades: {error}") from None


def _review(options: argparse.Namespace) -> int:
    taken = [name for name in ("out", "sgf") if getattr(options, name) == "-"]
    if len(taken) + options.json > 1:
        raise ValueError("only one of --json, --sgf - and -o - can be written to standard output")
    game = _game(options)
    if game is None:
        return REFUTED
    if not game.moves:
        for reason in [*map(str, game.errors), "there is no move to review"]:
            print(f"renju: {reason}", file=sys.stderr)
        return REFUTED
    is_told = not options.quiet and sys.stderr is not None and sys.stderr.isatty()
    try:
        found = review(
            game,
            limit=Limit(options.time, options.nodes),
            progress=is_told,
            grades=options.grades,
            multipv=options.multipv,
            threads=options.threads,
            config=config_of(options),
        )
    except Interrupted as stop:
        _tell(options, stop.partial)
        print("renju: interrupted", file=sys.stderr)
        return INTERRUPTED
    _tell(options, found)
    return DONE


def _game(options: argparse.Namespace) -> Game | None:
    """The game that was asked for; None, and a word about it, if it is not there."""
    if options.moves is not None:
        return Game.from_moves(options.moves)
    number = options.game
    if number < 1:
        raise ValueError("games are counted from 1")
    games = _games(options)
    wanted = list(islice(games, number - 1, number))
    name = "standard input" if options.file == "-" else options.file
    if not wanted:
        print(f"renju: {name} has no game {number}", file=sys.stderr)
        return None
    _tell_others(games, name, number)
    return wanted[0]


def _tell_others(games: Iterator[Game], name: str, number: int) -> None:
    """Says how many games there are, if there are more than this one."""
    total = number
    try:
        total += sum(1 for _ in islice(games, max(_MOST_COUNTED - number, 0)))
    except FormatError as error:  # the game is read; what comes after it is not asked for
        print(f"renju: {error}", file=sys.stderr)
    if total > 1:
        count = f"{total:,}{' or more' if total >= _MOST_COUNTED else ''}"
        print(f"renju: {name} has {count} games; this is game {number} (--game N)", file=sys.stderr)


def _games(options: argparse.Namespace) -> Iterator[Game]:
    if options.file != "-":
        return io.iter_games(options.file, options.encoding, options.form)
    check_input()
    data = sys.stdin.buffer.read(MOST_BYTES + 1)  # the readers refuse more
    return io.iter_games(BytesIO(data), options.encoding, options.form or io.guess(data) or "txt")


def _tell(options: argparse.Namespace, found: Review) -> None:
    if options.out:
        write(options.out, found.to_html(language=options.lang))
    if options.sgf:
        write(options.sgf, found.to_sgf())
    if options.json:
        print(json.dumps(found.to_json_data(), ensure_ascii=False))
    elif "-" not in (options.out, options.sgf):
        print(found)
