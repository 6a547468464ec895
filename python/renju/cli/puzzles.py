"""`renju puzzles`: positions with one solution, from files of games."""

from __future__ import annotations

import argparse
import json
import sys

from renju._exit_codes import BAD_INPUT, DONE, REFUTED
from renju._page.words import LANGUAGES
from renju.cli.arguments import count
from renju.cli.batch import add_input_fields, ply_range
from renju.errors import RenjuError

__all__ = ["add_puzzles"]

_NAMES = {"kinds": "kinds", "nodes": "nodes", "other_depth": "other_depth", "threat": "threat_limit"}


def add_puzzles(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    puzzles = commands.add_parser(
        "puzzles",
        help="find puzzles with one solution in games",
        description="Looks at every position of files of games for a win whose first move is the only one, "
        "or for the one move that does not lose, and writes puzzles with their proofs. See docs/puzzles.md.",
        epilog="Exit codes: 0 done, 1 no puzzle was found, 2 wrong input, 130 interrupted.",
    )
    puzzles.add_argument(
        "inputs", nargs="*", metavar="INPUT", help="files, archives, folders, as of renju batch"
    )
    puzzles.add_argument("-o", "--out", metavar="FILE", help="the .jsonl file to write")
    puzzles.add_argument(
        "--from", dest="source", metavar="FILE", help="instead of games: a .jsonl file of puzzles"
    )
    puzzles.add_argument("--check", metavar="FILE", help="instead: check all puzzles of a .jsonl file again")
    puzzles.add_argument(
        "--sgf", metavar="FILE", help="write the puzzles as SGF, too, with solutions as variations"
    )
    puzzles.add_argument("--sheet", metavar="FILE", help="write a page to print, too (.html)")
    puzzles.add_argument("--title", help="the headline of the sheet")
    puzzles.add_argument(
        "--lang", choices=LANGUAGES, default=LANGUAGES[0], help="language of the sheet (default %(default)s)"
    )
    _add_wanted(puzzles)
    run = puzzles.add_argument_group("the run")
    again = run.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="go on where an earlier run ended, or begin")
    again.add_argument("--overwrite", action="store_true", help="forget what an earlier run left")
    run.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    run.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    run.add_argument("--json", action="store_true", help="print the summary as JSON")
    add_input_fields(puzzles)
    puzzles.set_defaults(run=_puzzles, complain=puzzles.error)


def _add_wanted(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what is wanted")
    group.add_argument(
        "--kinds",
        type=lambda text: tuple(kind.strip() for kind in text.split(",")),
        metavar="KIND,...",
        help="of vcf, mise-vcf, vct, defence (default: all)",
    )
    group.add_argument(
        "--length",
        type=ply_range,
        metavar="A:B",
        help="stones of the winner in the longest line (default 3:12)",
    )
    group.add_argument(
        "--nodes", type=count(10**9), metavar="N", help="positions of each search for a VCT (default 5000)"
    )
    group.add_argument(
        "--other-depth",
        type=count(60),
        metavar="N",
        help="stones of the VCTs of all other moves (default 10)",
    )
    group.add_argument(
        "--threat", type=int, choices=(1, 2, 3), help="most fours of a threat of those VCTs (default 3)"
    )


def _puzzles(options: argparse.Namespace) -> int:
    if options.check is not None:
        return _check(options)
    if bool(options.source) == bool(options.inputs):
        options.complain("games or --from FILE are required, and not both")
    if options.source is None and options.out is None:
        options.complain("the following arguments are required: -o/--out")
    if options.source is not None and options.out is not None:
        options.complain("--from goes with --sgf and --sheet, not with -o")
    return _find(options) if options.source is None else _write(options, options.source)


def _find(options: argparse.Namespace) -> int:
    from renju import puzzles

    given = {name: getattr(options, option) for option, name in _NAMES.items()}
    given["depth"] = options.length
    if options.length is not None and options.length[1] is None:
        given["depth"] = (options.length[0], puzzles.Wanted().depth[1])
    wanted = puzzles.Wanted(**{name: value for name, value in given.items() if value is not None})
    report = puzzles.find(
        options.inputs,
        options.out,
        wanted,
        moves_field=options.column,
        id_field=options.id_column,
        input_format=options.input_format,
        plies=options.plies,
        referee=not options.no_referee,
        threads=options.threads,
        resume=options.resume,
        overwrite=options.overwrite,
        progress=not options.quiet and sys.stderr is not None,
    )
    if options.json:
        print(json.dumps(report.to_dict()))
    elif not options.quiet:
        print(report)
    _write(options, options.out)
    return DONE if report.puzzles else REFUTED


def _write(options: argparse.Namespace, source: str) -> int:
    from pathlib import Path

    from renju import puzzles
    from renju._files import write_text

    if options.sgf is not None:
        puzzles.dump(puzzles.iter_puzzles(source), Path(options.sgf))
    if options.sheet is not None:
        page = puzzles.sheet(puzzles.iter_puzzles(source), options.title, options.lang)
        write_text(Path(options.sheet), page)
    return DONE


def _check(options: argparse.Namespace) -> int:
    from renju import puzzles

    if options.inputs or options.out or options.source:
        options.complain("--check takes the name of a file of puzzles, and neither games nor -o")
    wrong = 0
    number = 0
    for number, puzzle in enumerate(puzzles.iter_puzzles(options.check), 1):
        try:
            puzzles.check(puzzle)
        except RenjuError as error:
            wrong += 1
            print(f"renju: {options.check}:{number}: {error}", file=sys.stderr)
    if options.json:
        print(json.dumps({"puzzles": number, "wrong": wrong}))
    else:
        print(f"{number:,} puzzles checked again, {wrong:,} wrong")
    return BAD_INPUT if wrong else DONE
