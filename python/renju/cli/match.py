"""`renju match`: players against each other, with the score, the rating and a test."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING, Any

from renju import Interrupted, Limit
from renju._exit_codes import DONE, REFUTED, UNKNOWN
from renju.cli.arguments import add_limits, count
from renju.config import LEVELS

if TYPE_CHECKING:
    from renju.lab import Match

__all__ = ["VERDICTS", "add_games", "add_match", "game_settings", "verdict_code"]

_PLAYERS = f"""\
players:
  hard                          a level: {", ".join(LEVELS)}
  hard,quiescence=0,nodes=5000  a level with other settings and a limit for each move
  mine.toml,time=0.5,name=mine  settings from a file, a limit in seconds, another name
  "cmd:./pbrain-x --fast"       a program that speaks the Gomocup protocol
docs/lab.md tells the rest.

"""
VERDICTS = """\
exit codes: 0 done (with --sprt: H1 accepted), 1 H0 accepted, 2 wrong input, 3 the test is not decided,
130 interrupted
"""


def add_match(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    match = commands.add_parser(
        "match",
        help="let engines play against each other",
        description="Plays games between two players, or between each two of several. Every opening is "
        "played twice, with colours exchanged.",
        epilog=_PLAYERS + VERDICTS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    match.add_argument("players", nargs="+", metavar="PLAYER", help="two or more, see below")
    add_games(match, games=100, openings="26")
    match.set_defaults(run=_match)


def add_games(match: argparse.ArgumentParser, games: int, openings: str) -> None:
    """What tells which games are played, and how; `game_settings` takes it up."""
    match.add_argument(
        "--games",
        type=count(10**7),
        default=games,
        help="of each two players, an even number (default %(default)s)",
    )
    match.add_argument(
        "--openings",
        metavar="WHAT",
        default=openings,
        help="26 for those of renju, even for even ones, random:N for N stones, or a file with moves, one "
        "opening a line (default %(default)s)",
    )
    add_limits(match)
    match.add_argument("--seed", type=int, default=0, help="decides all that is random (default 0)")
    match.add_argument(
        "--workers", type=count(256), default=0, metavar="N", help="games at once (default: by the cores)"
    )
    match.add_argument("-o", "--out", metavar="FILE", help="write the games to this .jsonl file as they end")
    match.add_argument("--resume", action="store_true", help="go on with the match in FILE, or begin")
    match.add_argument(
        "--sprt",
        type=_numbers,
        metavar="ELO0,ELO1",
        help="end when it is clear whether the first player is stronger by ELO0 or by ELO1; "
        "ELO0,ELO1,ALPHA,BETA tells the rates of errors, too (default 0.05 each)",
    )
    match.add_argument(
        "--adjudicate",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="end games that are decided (default: play them to their end)",
    )
    match.add_argument("--length", type=count(225), default=225, metavar="N", help="draw after N moves")
    match.add_argument("--quiet", action="store_true", help="no progress bar")
    match.add_argument("--json", action="store_true", help="print JSON")


def _numbers(text: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(word) for word in text.split(","))
    except ValueError:
        numbers = ()
    if len(numbers) not in (2, 4):
        raise argparse.ArgumentTypeError(f"{text!r} is no range such as 0,10")
    return numbers


def _match(options: argparse.Namespace) -> int:
    from renju import lab

    if options.sprt and len(options.players) != 2:
        raise ValueError("--sprt is for two players")
    settings = game_settings(options)
    try:
        if len(options.players) == 2:
            result = lab.match(*options.players, **settings)
        else:
            del settings["sprt"]
            result = lab.round_robin(options.players, **settings)
    except Interrupted as error:
        if error.partial is not None and error.partial.games:
            _tell(options, error.partial)
        raise
    _tell(options, result)
    return verdict_code(result)


def game_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The settings of `lab.match` that the arguments of `add_games` stand for."""
    from renju import lab

    if options.resume and options.out is None:
        raise ValueError("--resume needs the file of the match: --out FILE")
    return {
        "games": options.games,
        "openings": options.openings,
        "limit": Limit(options.time, options.nodes),
        "seed": options.seed,
        "workers": options.workers,
        "path": options.out,
        "resume": options.resume,
        "sprt": None if options.sprt is None else lab.Sprt(*options.sprt),
        "adjudicate": options.adjudicate,
        "length": options.length,
        "progress": not options.quiet and sys.stderr is not None,
    }


def verdict_code(match: Match) -> int:
    """The exit code: what the test says, if there is one."""
    state = match.sprt_state
    return DONE if state is None else {"H1": DONE, "H0": REFUTED, "": UNKNOWN}[state.verdict]


def _tell(options: argparse.Namespace, match: Match) -> None:
    print(json.dumps(match.to_dict(), ensure_ascii=False) if options.json else match, flush=True)
