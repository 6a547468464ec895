"""`renju lab train`: a network from games of the engine against itself."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from renju._exit_codes import DONE
from renju._files import write_text
from renju.cli.arguments import config_of, count
from renju.cli.lab_tune import SELFPLAY_OPTIONS, add_self_play, given

if TYPE_CHECKING:
    from renju.lab.network import LossFigures, Training

__all__ = ["add_train"]

_LESSON = ("epochs", "batch", "rate", "result_share", "policy_weight", "draw_weight", "validation")


def add_train(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    train = kinds.add_parser(
        "train",
        help="teach a network by games of the engine against itself",
        description="Plays games of the engine against itself, keeps their positions in a folder, and "
        "teaches a network with them. Nothing that is finished is lost when the run is killed: the same "
        "command with --resume goes on. docs/network.md tells the recipe of the shipped network.",
    )
    train.add_argument("-o", "--out", required=True, metavar="FILE", help="the network that is written")
    train.add_argument(
        "--data", metavar="DIR", help="the folder of the positions (default: OUT with .positions)"
    )
    train.add_argument(
        "--more-data",
        action="append",
        default=[],
        metavar="DIR",
        help="learn from the positions of this folder, too; may be repeated",
    )
    train.add_argument(
        "--games",
        type=count(10**7),
        default=10_000,
        help="in the folder, a multiple of 1000; 0 plays none (default %(default)s)",
    )
    train.add_argument(
        "--start",
        metavar="FILE",
        help="go on from the weights of this network, or of the package's own by the word shipped "
        "(default: small random numbers)",
    )
    train.add_argument("--resume", action="store_true", help="go on with a run that was interrupted")
    train.add_argument("--seed", type=int, default=0, help="of games and network (default %(default)s)")
    train.add_argument("--threads", type=count(256), default=0, help="default: one per core")
    train.add_argument("--picture", metavar="FILE", help="draw the losses as SVG")
    train.add_argument("--note", default="", help="a line for the recipe in the file")
    train.add_argument("--quiet", action="store_true", help="no progress")
    train.add_argument("--json", action="store_true", help="print JSON")
    games = train.add_argument_group("the games")
    add_self_play(games)
    games.add_argument("--network", metavar="FILE", help="the network that plays (default: the engine's own)")
    _add_lesson(train.add_argument_group("the lesson"))
    train.set_defaults(run=_train, level="master")


def _add_lesson(lesson: argparse._ArgumentGroup) -> None:
    for name, meaning in (
        ("epochs", "how often a position is shown (default 4)"),
        ("batch", "positions of a step (default 1024)"),
    ):
        lesson.add_argument(f"--{name}", type=count(2**20), metavar="N", help=meaning)
    for name, meaning in (
        ("rate", "the size of the first steps (default 0.003)"),
        ("result-share", "of the result in the target; the score has the rest (default 0.5)"),
        ("policy-weight", "of the moves beside the value (default 0.15)"),
        ("draw-weight", "of draws beside the value (default 0.2)"),
        ("validation", "the share of openings that is not learnt from (default 0.02)"),
    ):
        lesson.add_argument(f"--{name}", type=float, metavar="X", help=meaning)


def _train(options: argparse.Namespace) -> int:
    from renju import lab

    out = Path(options.out)
    if not out.resolve().parent.is_dir():
        raise FileNotFoundError(2, "there is no such folder", str(out.parent))
    data = Path(options.data) if options.data else out.with_suffix(".positions")
    if not options.resume and out.exists():
        raise FileExistsError(17, "the file is there; --resume goes on with it", str(out))
    is_told = not options.quiet and sys.stderr is not None
    folders = [*options.more_data]
    if options.games:
        settings = given(options, SELFPLAY_OPTIONS)
        if options.opening_stones is not None:
            settings["opening_stones"] = options.opening_stones
        lab.grow_shards(
            data,
            options.games,
            options.nodes,
            seed=options.seed,
            threads=options.threads,
            progress=is_told,
            config=config_of(options),
            values=options.values,
            network=options.network,
            **settings,
        )
    if options.games or data.is_dir():
        folders.insert(0, str(data))
    training = lab.train(
        folders,
        out,
        start=True if options.start == "shipped" else options.start,
        seed=options.seed,
        threads=options.threads,
        resume=options.resume,
        note=options.note,
        progress=_tell if is_told else None,
        **given(options, _LESSON),
    )
    if options.picture:
        write_text(Path(options.picture), training.to_svg())
    print(json.dumps(_facts(training), ensure_ascii=False) if options.json else training)
    return DONE


def _tell(done: int, total: int, last: LossFigures | None) -> None:
    figures = "" if last is None else f", validation {last}"
    print(f"part {done} of {total}{figures}", file=sys.stderr)


def _facts(training: Training) -> dict[str, Any]:
    return {
        "network": str(training.path),
        "before": asdict(training.before),
        "epochs": [asdict(epoch) for epoch in training.epochs],
        "recipe": list(training.recipe),
    }
