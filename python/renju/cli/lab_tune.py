"""`renju lab tune`: tables of values from games, numbers of the search by games."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from renju import EngineConfig, Interrupted, Limit
from renju._exit_codes import DONE
from renju.cli.arguments import add_limits, add_strength, config_of, count

if TYPE_CHECKING:
    from renju.lab import Fit, Parameter, SpsaResult

__all__ = ["SELFPLAY_OPTIONS", "add_self_play", "add_tune", "base_config", "given"]

_MOST_GAMES = 10**7

SELFPLAY_OPTIONS = ("opening_nodes", "opening_bound", "random_rate", "beside", "max_stones")
"""Options of self-play that go on as they are, if they are given."""

# Options of `tune values` that go on as they are, if they are given.
_FIT = ("result_share", "scale", "pull", "validation", "iterations", "patience")


def add_tune(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    tune = kinds.add_parser("tune", help="better numbers for the engine; docs/lab-tune.md has the recipe")
    what = tune.add_subparsers(dest="tuned", required=True, metavar="WHAT")
    _add_values(what)
    _add_search(what)


def base_config(options: argparse.Namespace) -> EngineConfig:
    """The settings that `--level` or `--config` name."""
    return (
        EngineConfig.from_toml(options.config) if options.config else EngineConfig.from_level(options.level)
    )


def _add_values(what: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    values = what.add_parser(
        "values",
        help="fit the table of board values to games of the engine against itself",
        description="Plays games of the engine against itself, keeps their positions in a file, and fits a "
        "table of board values to them. A killed run loses at most a few minutes of games: --resume goes on.",
    )
    values.add_argument("-o", "--out", required=True, metavar="FILE", help="the table that is written")
    values.add_argument(
        "--positions", metavar="FILE", help="the file that keeps the positions (default: OUT with .npz)"
    )
    values.add_argument(
        "--resume", action="store_true", help="take the games in the file, and play those that are missing"
    )
    values.add_argument(
        "--games", type=count(_MOST_GAMES), default=2000, help="in the file at the end (default %(default)s)"
    )
    values.add_argument("--seed", type=int, default=0, help="of games and fit (default %(default)s)")
    values.add_argument("--threads", type=count(1024), default=0, help="default: one per core")
    values.add_argument("--quiet", action="store_true", help="no progress bars")
    values.add_argument("--json", action="store_true", help="print JSON")
    add_self_play(values.add_argument_group("the games"))
    _add_fit(values.add_argument_group("the fit"))
    values.set_defaults(run=_values, level="master")


def add_self_play(games: argparse._ArgumentGroup) -> None:
    """The options of games of the engine against itself."""
    add_strength(games)
    games.add_argument(
        "--nodes", type=count(2**62), default=1500, metavar="N", help="for each move (default %(default)s)"
    )
    games.add_argument("--values", metavar="FILE", help="the table that plays (default: the engine's own)")
    games.add_argument(
        "--opening-stones", type=_range, metavar="LOW,HIGH", help="of the random openings (default 3,8)"
    )
    for name, meaning in (
        ("opening-nodes", "of the search that finds an opening even (default 3000)"),
        ("opening-bound", "the score up to which it is even (default 100)"),
        ("beside", "positions beside each quiet one of a game (default 1)"),
        ("max-stones", "stones with which a game is drawn (default 150)"),
    ):
        games.add_argument(f"--{name}", type=count(2**62), metavar="N", help=meaning)
    games.add_argument(
        "--random-rate", type=float, metavar="X", help="of quiet moves that are random (default 0.02)"
    )


def _add_fit(fit: argparse._ArgumentGroup) -> None:
    fit.add_argument("--start", metavar="FILE", help="the table it begins with (default: the engine's own)")
    for name, meaning in (
        ("result-share", "of the result in the target; the score has the rest (default 0.7)"),
        ("scale", "the value that is one unit of the logistic scale (default 200)"),
        ("pull", "towards the start, for what is seldom seen (default 10)"),
        ("validation", "the share of games that is not learnt from (default 0.1)"),
    ):
        fit.add_argument(f"--{name}", type=float, metavar="X", help=meaning)
    fit.add_argument("--iterations", type=count(10**6), metavar="N", help="at most (default 200)")
    fit.add_argument("--patience", type=count(10**6), metavar="N", help="iterations to bear (default 10)")
    fit.add_argument(
        "--order", action=argparse.BooleanOptionalAction, default=True, help="fit the order of moves, too"
    )


def _range(text: str) -> tuple[int, int]:
    try:
        low, high = map(int, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no range such as 3,8") from None
    return low, high


def _values(options: argparse.Namespace) -> int:
    from renju import lab

    out = Path(options.out)
    path = Path(options.positions) if options.positions else out.with_suffix(".npz")
    if path == out:
        raise ValueError(f"{out} cannot hold both the table and the positions")
    if not out.resolve().parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(out.parent))
    # Now: it would be a pity to find out after all the games.
    start = None if options.start is None else lab.load_values(options.start)
    is_told = not options.quiet and sys.stderr is not None
    settings = given(options, SELFPLAY_OPTIONS)
    if options.opening_stones is not None:
        settings["opening_stones"] = options.opening_stones
    positions = lab.grow_positions(
        path,
        options.games,
        options.nodes,
        seed=options.seed,
        threads=options.threads,
        resume=options.resume,
        progress=is_told,
        config=config_of(options),
        values=options.values,
        **settings,
    )
    with _FitBars(is_told) as bars:
        fit = lab.fit_values(
            positions,
            start,
            order=options.order,
            seed=options.seed,
            threads=options.threads,
            progress=bars.show,
            **given(options, _FIT),
        )
    fit.save(out)
    test = ["--values", str(out), *_strength_words(options), "--nodes", str(options.nodes), "--sprt", "0,10"]
    if options.values is not None:
        test += ["--base-values", options.values]
    _tell_fit(options, fit, path, _test_command(test, out))
    return DONE


def given(options: argparse.Namespace, names: tuple[str, ...]) -> dict[str, Any]:
    """The options of these names that are given, as keywords."""
    return {name: value for name in names if (value := getattr(options, name)) is not None}


def _strength_words(options: argparse.Namespace) -> list[str]:
    """The arguments of `lab ab` for the same engine."""
    words = ["--config", options.config] if options.config else ["--level", options.level]
    return words + [word for setting in options.set for word in ("--base", setting)]


def _test_command(words: list[str], out: Path) -> str:
    games = out.with_suffix(".games.jsonl")
    return shlex.join(["renju", "lab", "ab", *words, "--games", "4000", "--out", str(games)])


def _tell_fit(options: argparse.Namespace, fit: Fit, path: Path, test: str) -> None:
    if options.json:
        parts = {"board": fit.board, "order": fit.order}
        facts = {
            "table": options.out,
            "positions_file": str(path),
            "positions": dict(zip(("train", "validation", "left_out"), fit.positions, strict=True)),
            "parts": {
                name: {
                    "before": part.losses[0]._asdict(),
                    "after": part.rounded._asdict(),
                    "best": part.best,
                    "steps": len(part.losses) - 1,
                    "scale": part.scale,
                }
                for name, part in parts.items()
                if part is not None
            },
            "test": test,
        }
        print(json.dumps(facts, ensure_ascii=False))
        return
    print(f"{fit}\nthe table is in {options.out}, the positions are in {path}\n\nIs it stronger?\n  {test}")


class _FitBars:
    """A bar for each part of a fit."""

    def __init__(self, is_told: bool) -> None:
        self._part = ""
        self._bar: Any = None
        self.show: Callable[[str, int, float, float], object] | None = self._show if is_told else None

    def _show(self, part: str, step: int, train: float, validation: float) -> None:
        from tqdm import tqdm

        if part != self._part:
            self.__exit__()
            self._part, self._bar = part, tqdm(desc=part, unit=" steps", dynamic_ncols=True)
        self._bar.set_postfix_str(f"train {train:.5f}, validation {validation:.5f}", refresh=False)
        self._bar.update(step - self._bar.n)

    def __enter__(self) -> _FitBars:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


def _add_search(what: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    search = what.add_parser(
        "search",
        help="tune numbers of the search by games (SPSA)",
        description="Moves several numbers at once towards what wins games. With --nodes and a seed the "
        "result is the same whatever the workers.",
    )
    search.add_argument(
        "--parameter",
        action="append",
        required=True,
        type=_parameter,
        metavar="NAME:START:LOW:HIGH:STEP",
        help="what is tuned, in which range, tried by how much; without START from the value it has",
    )
    add_strength(search)
    add_limits(search)
    search.add_argument("--iterations", type=count(10**6), default=100, help="default %(default)s")
    search.add_argument(
        "--pairs", type=count(10**5), default=0, metavar="N", help="of games an iteration (default: 4 a core)"
    )
    search.add_argument(
        "--rate", type=float, default=1.0, help="how far an iteration moves (default %(default)s)"
    )
    search.add_argument(
        "--openings", metavar="WHAT", default="random:6", help="as in a match (default %(default)s)"
    )
    search.add_argument("--seed", type=int, default=0, help="default %(default)s")
    search.add_argument(
        "--workers", type=count(256), default=0, metavar="N", help="games at once (default: by the cores)"
    )
    search.add_argument("-o", "--out", metavar="FILE", help="write the iterations to this .jsonl file")
    search.add_argument("--resume", action="store_true", help="go on with the run in FILE, or begin")
    search.add_argument("--quiet", action="store_true", help="no progress bar")
    search.add_argument("--json", action="store_true", help="print JSON")
    search.set_defaults(run=_search, level="master")


def _parameter(text: str) -> Parameter:
    from renju.lab import Parameter

    try:
        return Parameter.parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _search(options: argparse.Namespace) -> int:
    from renju import lab

    if options.resume and options.out is None:
        raise ValueError("--resume needs the file of the run: --out FILE")
    try:
        found = lab.spsa(
            options.parameter,
            config=config_of(options),
            limit=Limit(options.time, options.nodes),
            iterations=options.iterations,
            pairs=options.pairs,
            rate=options.rate,
            openings=options.openings,
            seed=options.seed,
            workers=options.workers,
            path=options.out,
            resume=options.resume,
            progress=not options.quiet and sys.stderr is not None,
        )
    except Interrupted as error:
        if error.partial.history:
            _tell_search(options, error.partial)
        raise
    _tell_search(options, found)
    return DONE


def _tell_search(options: argparse.Namespace, found: SpsaResult) -> None:
    now = vars(config_of(options))
    changes = {name: value for name, value in found.settings.items() if value != now[name]}
    words = [word for name, value in changes.items() for word in ("--set", f"{name}={value}")]
    words += _strength_words(options)
    for name in ("nodes", "time"):
        if getattr(options, name) is not None:
            words += [f"--{name}", str(getattr(options, name))]
    out = Path(options.out or "spsa.jsonl")
    test = _test_command([*words, "--sprt", "0,10"], out) if changes else None
    if options.json:
        print(json.dumps(found.to_dict() | {"test": test}, ensure_ascii=False), flush=True)
    else:
        end = f"Is it stronger?\n  {test}" if test else "in whole numbers nothing has changed"
        print(f"{found}\n\n{end}", flush=True)
