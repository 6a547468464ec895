"""Players as text: ``hard,quiescence=0,nodes=20000``, ``cmd:./pbrain-other --quick,time=1``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from renju._settings import SETTINGS
from renju.config import LEVELS, EngineConfig
from renju.lab.players import EnginePlayer, Player, ProgramPlayer
from renju.limits import Limit

__all__ = ["parse_player", "setting_value", "setting_values"]

_COMMAND = "cmd:"
_SETTING = re.compile(r"\s*([A-Za-z_][\w.]*)\s*=(.*)", re.DOTALL)

_SWITCHES = {"0": False, "false": False, "off": False, "no": False}
_SWITCHES |= {"1": True, "true": True, "on": True, "yes": True}

# What may be told to programs beside the limits; anything else as info.KEY=VALUE.
_INFO = ("max_memory", "thread_num", "hash_size", "caution_factor", "show_detail", "folder")
# What the referee tells them.
_REFEREE = {"timeout_turn": "time", "max_node": "nodes", "max_depth": "depth"}
_REFEREE |= dict.fromkeys(("timeout_match", "time_left", "rule", "game_type"), "")


def parse_player(text: str) -> Player:
    """The player that a text stands for; `ValueError` tells what is wrong with it."""
    if not isinstance(text, str):
        raise TypeError(f"a player is a text such as 'hard,nodes=2000', not {type(text).__name__}")
    base, settings = _parts(text)
    try:
        _check_once(settings)
        values = dict(settings)
        name = values.pop("name", "").strip()
        if base.startswith(_COMMAND):
            return _program(base[len(_COMMAND) :], values, name)
        return _engine(base, values, name)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{text!r}: {error}") from None


def _parts(text: str) -> tuple[str, list[tuple[str, str]]]:
    """What comes first, and the settings after it. A command may hold commas too, so these are cut from the
    end as long as they look like settings."""
    first, *words = text.strip().split(",")
    settings: list[tuple[str, str]] = []
    is_command = first.startswith(_COMMAND)
    while words and (found := _SETTING.fullmatch(words[-1])):
        settings.insert(0, (found[1], found[2].strip()))
        words.pop()
    if words and not is_command:
        raise ValueError(f"{text!r}: {words[-1].strip()!r} is no setting; NAME=VALUE was expected")
    return ",".join([first, *words]).strip(), settings


def _check_once(settings: list[tuple[str, str]]) -> None:
    names = [name for name, _ in settings]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{twice} is given twice")


def _engine(base: str, values: dict[str, str], name: str) -> Player:
    said = [base if base in LEVELS else Path(base).stem, *(f"{key}={value}" for key, value in values.items())]
    config = _config(base)
    limit = _limit(values)
    own: dict[str, Any] = {}
    if _SWITCHES.get(values.get("network", "on").lower()) is None:
        own["network"] = _file("network", values.pop("network"))
    for key, read in (("threads", _whole), ("hash_mb", _whole), ("values", _file), ("book", _book)):
        if key in values:
            own[key] = read(key, values.pop(key))
    for key, value in values.items():
        found = setting_value(key, value, ("time", "threads", "hash_mb", "values", "book", "name"))
        config = config.replace(**{key: found})
    return EnginePlayer(name=name or ",".join(said), config=config, limit=limit, **own)


def setting_value(name: str, text: str, others: Iterable[str] = ()) -> int | bool:
    """The value of a setting of the engine; `ValueError` if there is no such setting, with those that are
    near, also among `others`."""
    if name not in SETTINGS:
        raise ValueError(_unknown(name, [*SETTINGS, *others]))
    return _switch(name, text) if SETTINGS[name].is_switch else _whole(name, text)


def setting_values(texts: Iterable[str], option: str) -> dict[str, int | bool]:
    """The settings of texts such as ``vct=0``; errors name the option of the command line."""
    found: dict[str, int | bool] = {}
    for text in texts:
        setting = _SETTING.fullmatch(text)
        if setting is None:
            raise ValueError(f"{option} {text}: NAME=VALUE was expected")
        name = setting[1]
        if name in found:
            raise ValueError(f"{option} {text}: {name} is given twice")
        try:
            found[name] = setting_value(name, setting[2].strip())
        except ValueError as error:
            raise ValueError(f"{option} {text}: {error}") from None
    return found


def _config(base: str) -> EngineConfig:
    if base in LEVELS:
        return EngineConfig.from_level(base)
    if Path(base).suffix == ".toml":
        return EngineConfig.from_toml(base)
    near = get_close_matches(base, LEVELS, 1)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise ValueError(f"{base!r} is none of {', '.join(LEVELS)}, no .toml file and no {_COMMAND}program{hint}")


def _program(command: str, values: dict[str, str], name: str) -> Player:
    words = shlex.split(command)
    if not words:
        raise ValueError(f"a program is expected after {_COMMAND}")
    limit = _limit(values)
    own: dict[str, Any] = {}
    if "margin" in values:
        own["margin_s"] = _seconds("margin", values.pop("margin"))
    if "cwd" in values:
        own["cwd"] = values.pop("cwd")
    info: dict[str, str | int] = {}
    for key, value in values.items():
        bare = key.removeprefix("info.")
        if bare in _REFEREE:
            instead = f": {_REFEREE[bare]}=... is what you want" if _REFEREE[bare] else ""
            raise ValueError(f"{bare} is told to programs by the referee{instead}")
        if bare == key and key not in _INFO:
            known = ["time", "nodes", "depth", "name", "margin", "cwd", *_INFO]
            raise ValueError(f"{_unknown(key, known)}; info.{key}=... would tell it to the program")
        info[bare] = value
    return ProgramPlayer(name=name, command=tuple(words), limit=limit, info=info, **own)


def _limit(values: dict[str, str]) -> Limit:
    """Time, nodes and depth, which are taken out of the values."""
    readers: dict[str, Callable[[str, str], Any]] = {"time": _seconds, "nodes": _whole, "depth": _whole}
    return Limit(**{key: read(key, values.pop(key)) for key, read in readers.items() if key in values})


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"{name} is a whole number, not {text!r}") from None


def _seconds(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name} is a number of seconds, not {text!r}") from None


def _switch(name: str, text: str) -> bool:
    if text.lower() not in _SWITCHES:
        raise ValueError(f"{name} is 1 or 0, not {text!r}")
    return _SWITCHES[text.lower()]


def _file(name: str, text: str) -> str:
    if not Path(text).is_file():
        raise ValueError(f"{name}: there is no file {text!r}")
    return text


def _book(name: str, text: str) -> bool | str:
    switch = _SWITCHES.get(text.lower())
    return _file(name, text) if switch is None else switch


def _unknown(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, known, 3, 0.5)
    return f"there is no setting {name!r}" + (f"; near are {', '.join(near)}" if near else "")
