"""`renju lab`: what the games of matches tell, whether a change is any good, and tuning."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from renju import Interrupted
from renju._exit_codes import DONE, REFUTED
from renju.cli.arguments import count
from renju.cli.lab_train import add_train
from renju.cli.lab_tune import add_tune, base_config
from renju.cli.match import VERDICTS, add_games, game_settings, verdict_code
from renju.cli.output import write
from renju.config import LEVELS

if TYPE_CHECKING:
    from renju.lab.weakness import WeaknessLimits

__all__ = ["add_lab"]


def add_lab(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    lab = commands.add_parser("lab", help="what games tell, tests of changes, tuning")
    kinds = lab.add_subparsers(dest="what", required=True, metavar="WHAT")
    _add_report(kinds)
    _add_ab(kinds)
    add_tune(kinds)
    add_train(kinds)


def _add_report(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    report = kinds.add_parser(
        "report",
        help="who is stronger, how they think, where they go wrong",
        description="Reads the files of matches and tells ratings, statistics and weaknesses. "
        "docs/lab-report.md defines every figure.",
    )
    report.add_argument("files", nargs="+", metavar="FILE", help="what `renju match` wrote")
    report.add_argument("-o", "--out", metavar="FILE", help="write a page too (- for standard output)")
    report.add_argument("--json", action="store_true", help="print all figures and findings as JSON")
    report.add_argument("--player", metavar="NAME", help="whose score is told (default: the first)")
    report.add_argument("--title", help="of the report (default: the players)")
    report.add_argument(
        "--boards",
        type=count(10_000),
        default=8,
        help="pictures for each kind of finding (default %(default)s)",
    )
    test = report.add_argument_group("the test; default: that of the match, or 0 against 10 Elo")
    for name, meaning in (
        ("elo0", "Elo of H0"),
        ("elo1", "Elo of H1"),
        ("alpha", "errors if H0 is true"),
        ("beta", "errors if H1 is true"),
    ):
        test.add_argument(f"--{name}", type=float, metavar="X", help=meaning)
    search = report.add_argument_group("the search for missed wins")
    _add_vcf_nodes(search)
    search.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    report.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> int:
    from renju.lab.reporting import report
    from renju.lab.sprt import Sprt

    if options.json and options.out == "-":
        raise ValueError("--json and -o - cannot both be written to standard output")
    test = {name: getattr(options, name) for name in ("elo0", "elo1", "alpha", "beta")}
    test = {name: value for name, value in test.items() if value is not None}
    found = report(
        options.files,
        player=options.player,
        sprt=Sprt(**test) if test else None,
        limits=_weakness_limits(options),
        title=options.title,
        threads=options.threads,
        progress=sys.stderr is not None and sys.stderr.isatty(),
    )
    for note in found.notes:
        print(f"renju: {note}", file=sys.stderr)
    if options.out:
        write(options.out, found.to_html(options.boards))
    if options.out != "-":
        print(found.to_json() if options.json else found.to_text())
    if not found.results.games:
        print("renju: there are no games yet", file=sys.stderr)
        return REFUTED
    return DONE


def _add_vcf_nodes(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--vcf-nodes",
        type=count(2**40),
        metavar="N",
        help="positions for each move, to find missed wins; 0 does not look",
    )


def _weakness_limits(options: argparse.Namespace) -> WeaknessLimits:
    from dataclasses import replace

    from renju.lab.weakness import WeaknessLimits

    limits = WeaknessLimits()
    return limits if options.vcf_nodes is None else replace(limits, vcf_nodes=options.vcf_nodes)


def _add_ab(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    ab = kinds.add_parser(
        "ab",
        help="is a change of the engine any good?",
        description="Plays a level with changes (new) against the same without them (old), and tells the "
        "score and what else changed. docs/lab-tune.md tells how to read it.",
        epilog=VERDICTS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    ab.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of new, such as aspiration_high=150 or quiescence=0; may be repeated",
    )
    ab.add_argument("--values", metavar="FILE", help="the table of board values of new")
    strength = ab.add_mutually_exclusive_group()
    strength.add_argument("--level", choices=LEVELS, default="hard", help="of both (default %(default)s)")
    strength.add_argument("--config", metavar="FILE", help="settings of both from a TOML file")
    ab.add_argument(
        "--base", action="append", default=[], metavar="NAME=VALUE", help="a setting of both; may be repeated"
    )
    ab.add_argument("--base-values", metavar="FILE", help="the table of both, or of old beside --values")
    add_games(ab, games=400, openings="random:6")
    _add_vcf_nodes(ab)
    ab.set_defaults(run=_ab)


def _ab(options: argparse.Namespace) -> int:
    from renju import lab
    from renju.lab.specs import setting_values

    try:
        found = lab.ab(
            setting_values(options.set, "--set"),
            config=base_config(options),
            base=setting_values(options.base, "--base"),
            values=options.values,
            base_values=options.base_values,
            weakness=_weakness_limits(options),
            **game_settings(options),
        )
    except Interrupted as error:
        if isinstance(error.partial, lab.Match) and error.partial.games:
            facts = {"match": error.partial.to_dict()}
            print(json.dumps(facts, ensure_ascii=False) if options.json else error.partial, flush=True)
        raise
    print(json.dumps(found.to_dict(), ensure_ascii=False) if options.json else found)
    return verdict_code(found.match)
