"""Arguments that several commands have, and what they stand for."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from renju import Board, Color, EngineConfig
from renju._settings import SETTINGS
from renju.config import LEVELS, toml_values

__all__ = ["add_limits", "add_position", "add_strength", "config_of", "count", "position"]

# Characters of a position on standard input; what is longer is no position.
_MOST_CHARACTERS = 1_000_000


def count(most: int) -> Callable[[str], int]:
    """The type of an argument that is a number up to this."""

    def count(text: str) -> int:
        if not 0 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not in 0..{most}")
        return int(text)

    return count


def add_position(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("moves", help='moves such as "h8i9g7"; - reads moves or a drawn board from stdin')
    parser.add_argument("--turn", choices=[color.label for color in Color], help="who moves on a drawn board")
    parser.add_argument("--json", action="store_true", help="print JSON")


def position(options: argparse.Namespace, default_turn: Color | None = None) -> Board:
    """A board from moves, or with `-` from standard input, where it may also be drawn."""
    if options.moves != "-":
        return Board(options.moves)
    if sys.stdin is None:
        raise OSError("there is no standard input")
    text = sys.stdin.read(_MOST_CHARACTERS + 1)
    if len(text) > _MOST_CHARACTERS:
        raise ValueError(f"a position has at most {_MOST_CHARACTERS:,} characters")
    if not _is_drawn(text):
        return Board(text)
    turns = {color.label: color for color in Color}
    return Board.from_text(text, turns.get(options.turn, default_turn))


def _is_drawn(text: str) -> bool:
    """Several lines, some of them of cells and row numbers only."""
    lines = [line.split() for line in text.splitlines()]
    return sum(any(set(word) <= set("XO.") for word in words) for words in lines) > 1


def add_strength(parser: argparse._ActionsContainer) -> None:
    strength = parser.add_mutually_exclusive_group()
    strength.add_argument("--level", choices=LEVELS, default="hard", help="how well (default %(default)s)")
    strength.add_argument("--config", metavar="FILE", help="settings from a TOML file")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="another value for a setting, such as depth=6 or vct=false; may be repeated",
    )


def config_of(options: argparse.Namespace) -> EngineConfig:
    """The settings that the arguments of `add_strength` stand for."""
    config = (
        EngineConfig.from_toml(options.config) if options.config else EngineConfig.from_level(options.level)
    )
    for setting in options.set:
        try:
            config = config.replace(**_value(setting))
        except (TypeError, ValueError) as error:
            raise ValueError(f"--set {setting}: {error}") from None
    return config


def _value(setting: str) -> dict[str, Any]:
    """The one value of "depth=6", by its name. This is TOML, as in files of settings; a switch may also be 1
    or 0, as in matches."""
    try:
        values = toml_values(setting)
    except ValueError:
        values = {}
    if len(values) != 1:
        raise ValueError("NAME=VALUE was expected, with a number, true or false")
    ((name, value),) = values.items()
    is_switch = name in SETTINGS and SETTINGS[name].is_switch
    return {name: bool(value) if is_switch and value in (0, 1) else value}


def add_limits(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--time", type=float, metavar="S", help="most seconds for a move")
    parser.add_argument(
        "--nodes", type=count(2**62), metavar="N", help="most positions to look at for a move"
    )
