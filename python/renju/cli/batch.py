"""`renju batch`: files of games and positions to a table."""

from __future__ import annotations

import argparse
import json
import sys

from renju import Limit
from renju._exit_codes import BAD_INPUT, DONE, REFUTED
from renju.cli.arguments import add_limits, add_strength, config_of, count
from renju.cli.cluster import add_cluster, cluster
from renju.limits import DEFAULT_HASH_MB, KINDS, THREAT_LIMITS

__all__ = ["add_batch", "add_input_fields", "ply_range"]


def add_batch(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    batch = commands.add_parser(
        "batch",
        help="analyse all positions of many files",
        description="Reads games and positions (.txt .csv .tsv .jsonl .npy .parquet .sgf .psq .lib .rif, "
        "- for standard input), from folders and archives (.zip .tar .tar.gz .tar.bz2 .tar.xz) too, "
        "analyses every position, and writes a table. See docs/batch.md for its columns.",
    )
    batch.add_argument(
        "inputs",
        nargs="*",
        metavar="INPUT",
        help="files, archives, folders, patterns ('games/**/*.sgf'), or @LIST, a file that names others",
    )
    batch.add_argument(
        "-o",
        "--out",
        metavar="OUT",
        help="a .parquet, .csv or .jsonl file, a folder for shards, or - for standard output",
    )
    batch.add_argument(
        "--check", metavar="OUT", help="instead: is the result of a finished run still as it was written?"
    )
    batch.add_argument(
        "--jobs",
        type=lambda text: [job.strip() for job in text.split(",")],
        default=["forbidden", "vcf"],
        metavar="JOB,...",
        help="of forbidden, vcf, mise-vcf, vct, analyze, evaluate (default forbidden,vcf)",
    )
    batch.add_argument(
        "--form", choices=("parquet", "csv", "jsonl"), help="of a folder or of standard output"
    )
    _add_run(batch)
    _add_input(batch)
    _add_settings(batch)
    defaults = {action.dest: action.default for action in batch._actions}
    batch.set_defaults(run=_batch, defaults=defaults, complain=batch.error)


def _add_run(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the run")
    again = group.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="go on where an earlier run ended, or begin")
    again.add_argument("--overwrite", action="store_true", help="forget what an earlier run left")
    group.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    add_cluster(group)
    group.add_argument(
        "--shard", type=count(1 << 20), metavar="N", help="positions of a shard (default: by the jobs)"
    )
    group.add_argument("--strict", action="store_true", help="stop at the first bad row")
    group.add_argument("--quiet", action="store_true", help="no progress bar and no summary")
    group.add_argument("--json", action="store_true", help="print the summary as JSON")


def _add_input(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the input")
    group.add_argument(
        "--files-from",
        action="append",
        default=[],
        metavar="LIST",
        help="a file that names inputs, one a line, - for standard input; the same as @LIST",
    )
    group.add_argument("--last", action="store_true", help="only the position at the end of each record")
    _add_fields(group)


def add_input_fields(parser: argparse.ArgumentParser) -> None:
    """How the input is read, for commands that read what `renju batch` reads."""
    _add_fields(parser.add_argument_group("the input"))


def _add_fields(group: argparse._ActionsContainer) -> None:
    group.add_argument("--column", metavar="NAME", help="the field with the moves (default: moves or record)")
    group.add_argument(
        "--id-column", metavar="NAME", help="the field with the id of the game (default: id or game)"
    )
    group.add_argument(
        "--input-format",
        metavar="NAME",
        help="what all inputs are, if their names do not tell: txt, csv, jsonl, sgf, ...",
    )
    group.add_argument(
        "--plies", type=ply_range, default=(0, None), metavar="A:B", help="only positions from ply A to B"
    )
    group.add_argument(
        "--no-referee", action="store_true", help="accept records that go on after a foul or a five"
    )


def _add_settings(parser: argparse.ArgumentParser) -> None:
    solving = parser.add_argument_group("forced wins")
    solving.add_argument(
        "--solve-nodes",
        type=count(2**62),
        metavar="N",
        help="most positions for each (default: enough for nearly all)",
    )
    solving.add_argument(
        "--solve-time",
        type=float,
        metavar="S",
        help="most seconds for each; then results may differ from run to run",
    )
    solving.add_argument("--max-depth", type=count(225), metavar="N", help="most stones of the attacker")
    solving.add_argument(
        "--threat",
        "--threat-limit",
        type=int,
        choices=THREAT_LIMITS,
        default=THREAT_LIMITS[0],
        help="most fours of a threat of a VCT (default %(default)s)",
    )
    group = parser.add_argument_group("analysis")
    add_strength(group)
    add_limits(group)
    group.add_argument("--depth", type=count(2**31), help="most plies")
    group.add_argument(
        "--multipv", type=count(50), default=1, metavar="N", help="moves that are told (default %(default)s)"
    )
    group.add_argument(
        "--hash",
        type=count(2**20),
        default=DEFAULT_HASH_MB,
        metavar="MB",
        help="memory of each thread (default %(default)s)",
    )
    network = parser.add_argument_group("evaluate")
    network.add_argument(
        "--policy",
        type=count(50),
        default=0,
        metavar="N",
        help="likeliest moves that are told (default: none)",
    )


def ply_range(text: str) -> tuple[int, int | None]:
    """The ends of a range such as 5:30; None if it has no end."""
    first, colon, last = text.partition(":")
    try:
        lowest = int(first) if first else 0
        return lowest, (int(last) if last else None) if colon else lowest
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no range such as 5:30") from None


def _batch(options: argparse.Namespace) -> int:
    if options.check is not None:
        return _check(options)
    options.inputs = [*options.inputs, *(f"@{name}" for name in options.files_from)]
    missing = [name for name, given in (("INPUT", options.inputs), ("-o/--out", options.out)) if not given]
    if missing:
        options.complain(f"the following arguments are required: {', '.join(missing)}")
    return _run(options)


def _check(options: argparse.Namespace) -> int:
    from renju import pipeline

    if options.inputs or options.files_from or options.out:
        options.complain("--check takes the name of a result, and neither an input nor -o")
    found = pipeline.check(options.check)
    if options.json:
        print(json.dumps(vars(found) | {"is_whole": found.is_whole}))
    elif found.is_whole:
        print(found)
    else:
        for line in str(found).splitlines():
            _tell(line)
    return DONE if found.is_whole else BAD_INPUT


def _run(options: argparse.Namespace) -> int:
    from renju import pipeline

    limits = (options.time, options.nodes, options.depth)
    solve_limits = (options.solve_time, options.solve_nodes)
    with cluster(options) as (client, timeout):
        _warn(options)
        report = pipeline.run(
            options.inputs,
            options.out,
            options.jobs,
            form=options.form,
            moves_field=options.column,
            id_field=options.id_column,
            input_format=options.input_format,
            threads=options.threads,
            client=client,
            cluster_timeout=timeout,
            resume=options.resume,
            overwrite=options.overwrite,
            strict=options.strict,
            progress=not options.quiet and sys.stderr is not None,
            on_damage=_tell,
            config=config_of(options),
            limit=None if limits == (None, None, None) else Limit(*limits),
            multipv=options.multipv,
            policy=options.policy,
            hash_mb=options.hash,
            solve_limit=None if solve_limits == (None, None) else Limit(*solve_limits),
            max_depth=options.max_depth,
            threat_limit=options.threat,
            referee=not options.no_referee,
            plies=options.plies,
            only_last=options.last,
            shard_positions=options.shard,
        )
    facts = {
        "out": report.out,
        "bad_path": report.bad_path and str(report.bad_path),
        **report.to_dict(),
        "damage": report.damage,
    }
    text = json.dumps(facts) if options.json else str(report)
    if not options.quiet or options.json:
        print(text, file=sys.stderr if options.out == "-" else sys.stdout)
    if report.bad and not report.positions:
        print(f"renju: none of the {report.bad} rows could be read", file=sys.stderr)
        return REFUTED
    return DONE


def _tell(text: str) -> None:
    print(f"renju: {text}", file=sys.stderr)


def _warn(options: argparse.Namespace) -> None:
    """Says which options no job uses."""
    of_analysis = ("time", "nodes", "depth", "multipv", "hash", "config", "set", "level")
    of_solvers = ("solve_nodes", "solve_time", "max_depth", "threat")
    unused = [] if "analyze" in options.jobs else [*of_analysis]
    unused += [] if "evaluate" in options.jobs else ["policy"]
    unused += [] if {*options.jobs} & {*KINDS} else [*of_solvers]
    given = [
        f"--{name.replace('_', '-')}" for name in unused if getattr(options, name) != options.defaults[name]
    ]
    if given:
        print(f"renju: no job uses {', '.join(given)}", file=sys.stderr)
