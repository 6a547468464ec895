"""`renju explore`: what was played in a position, from files of games."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from renju._exit_codes import DONE, REFUTED
from renju.cli.arguments import add_position, count, position
from renju.cli.batch import add_input_fields

__all__ = ["add_explore"]


def add_explore(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    explore = commands.add_parser(
        "explore",
        help="what was played in a position, from games",
        description="Builds an explorer, a DuckDB file, from files of games, and asks it: the moves of a "
        "position with counts, results, the last year and its players. Needs the extra explore: pip install "
        "'renju-engine[explore]'. See docs/explorer.md.",
    )
    kinds = explore.add_subparsers(required=True, metavar="COMMAND")
    build = kinds.add_parser("build", help="make an explorer from files of games")
    build.add_argument(
        "inputs", nargs="+", metavar="INPUT", help="files, archives, folders, as of renju batch"
    )
    build.add_argument("-o", "--out", required=True, metavar="FILE", help="the .duckdb file to write")
    again = build.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="go on where an earlier run ended, or begin")
    again.add_argument("--overwrite", action="store_true", help="forget what an earlier run left")
    build.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    _add_memory(build)
    build.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    build.add_argument("--json", action="store_true", help="print the summary as JSON")
    add_input_fields(build)
    build.set_defaults(run=_build)
    show = kinds.add_parser(
        "show",
        help="the moves of a position",
        epilog="Exit codes: 0 done, 1 no game has the position.",
    )
    show.add_argument("file", metavar="FILE", help="an explorer")
    add_position(show)
    show.set_defaults(run=_show)
    _add_others(kinds)


def _add_others(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    merge = kinds.add_parser("merge", help="make one explorer of several")
    merge.add_argument("files", nargs="+", metavar="FILE")
    merge.add_argument("-o", "--out", required=True, metavar="FILE", help="the .duckdb file to write")
    _add_memory(merge)
    merge.set_defaults(run=_merge)
    annotate = kinds.add_parser("annotate", help="join scores and proved wins to the moves")
    annotate.add_argument("file", metavar="FILE", help="an explorer, which is replaced in one step")
    annotate.add_argument(
        "known",
        metavar="KNOWN",
        help="a .parquet, .csv or .jsonl file with the columns key, score, sure, or a .proof file of prove",
    )
    _add_memory(annotate)
    annotate.set_defaults(run=_annotate)
    export = kinds.add_parser("export", help="write a RenLib library (.lib) or a table (.parquet)")
    export.add_argument("file", metavar="FILE", help="an explorer")
    export.add_argument("-o", "--out", required=True, metavar="FILE", help="the name tells the format")
    export.add_argument("--start", default="", metavar="MOVES", help="of a .lib: begin at this position")
    export.add_argument("--plies", type=count(225), default=20, help="of a .lib (default %(default)s)")
    export.add_argument(
        "--min-games",
        type=count(2**32 - 1),
        default=2,
        metavar="N",
        help="of a .lib: fewest games of a move (default 2)",
    )
    export.set_defaults(run=_export)


def _add_memory(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--memory", type=count(1 << 24), default=1024, metavar="MB", help="of DuckDB (default %(default)s)"
    )


def _build(options: argparse.Namespace) -> int:
    from renju import explorer

    report = explorer.build(
        options.inputs,
        options.out,
        moves_field=options.column,
        id_field=options.id_column,
        input_format=options.input_format,
        plies=options.plies,
        referee=not options.no_referee,
        memory_mb=options.memory,
        threads=options.threads,
        resume=options.resume,
        overwrite=options.overwrite,
        progress=not options.quiet and sys.stderr is not None,
    )
    if options.json:
        print(json.dumps(vars(report)))
    elif not options.quiet:
        print(report)
    return DONE if report.games or not report.bad else REFUTED


def _show(options: argparse.Namespace) -> int:
    from renju import explorer

    with explorer.Explorer(options.file) as games:
        found = games.ask(position(options))
    print(json.dumps(found.to_dict()) if options.json else found)
    return DONE if found else REFUTED


def _merge(options: argparse.Namespace) -> int:
    from renju import explorer

    print(explorer.merge(options.files, options.out, memory_mb=options.memory))
    return DONE


def _annotate(options: argparse.Namespace) -> int:
    from renju import explorer
    from renju.proofs import ProofStore

    is_proof = Path(options.known).suffix.lower() == ".proof"
    known = ProofStore.open(options.known).known if is_proof else options.known
    print(explorer.annotate(options.file, known, memory_mb=options.memory))
    return DONE


def _export(options: argparse.Namespace) -> int:
    from renju import Board, explorer

    moves = explorer.export(
        options.file,
        options.out,
        start=Board(options.start),
        plies=options.plies,
        min_games=options.min_games,
    )
    print(f"{moves:,} moves")
    return DONE
