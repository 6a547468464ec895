"""Positions of self-play in a folder: a file of each thousand games, written in one step, read by numpy."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from renju._files import sync_folder, write_text, written
from renju._journal import claim, differences
from renju._progress import Progress, reporting
from renju.errors import FormatError, Interrupted
from renju.lab.selfplay import DEFAULT_NODES, check_positions, selfplay
from renju.lab.tuning import game_facts
from renju.limits import Limit, between, fixed_nodes

__all__ = ["SHARD_GAMES", "grow_shards", "load_shard", "shard_files"]

SHARD_GAMES = 1000
"""The number of games in a file of positions."""

_PLAN = "plan.json"
_NAME = re.compile(r"games-(\d{7})\.npy")
_MOST_GAMES = 10**7 * SHARD_GAMES // 1000


def grow_shards(
    folder: str | os.PathLike[str],
    games: int,
    nodes: int | None = None,
    *,
    limit: Limit | None = None,
    first: int = 0,
    seed: int = 0,
    threads: int = 0,
    progress: bool | Progress | None = None,
    **settings: Any,
) -> list[Path]:
    """Plays as `selfplay` does until `folder` holds games `first` and following, `games` of them, of a seed;
    the files of positions that hold them, in the order of the games.

    Each file has a thousand games (`SHARD_GAMES`) and is called after its first, such as
    ``games-0012000.npy``: an array of `POSITION_DTYPE` that `numpy.load` reads, also mapped into memory. A
    position takes 240 bytes, a file about 7 megabytes. A killed run loses at most the file it was at; what
    is there is not played again. Several processes may fill one folder, each with games of its own: `first`
    and `games` are multiples of a thousand. ``plan.json`` in the folder tells what decides the games, and a
    folder of other games is refused with `ValueError`. The other arguments are those of `selfplay`.
    """
    folder = Path(folder)
    count, number = between("games", games, 0, _MOST_GAMES), between("first", first, 0, _MOST_GAMES)
    if count % SHARD_GAMES or number % SHARD_GAMES:
        raise ValueError(f"games and first are multiples of {SHARD_GAMES}, not {count} and {number}")
    nodes = fixed_nodes(limit, nodes, DEFAULT_NODES)
    folder.mkdir(parents=True, exist_ok=True)
    _plan(folder, game_facts(settings | {"nodes": nodes, "seed": seed}))
    play = partial(selfplay, SHARD_GAMES, nodes, seed, threads, **settings)
    paths = [folder / f"games-{n:07d}.npy" for n in range(number, number + count, SHARD_GAMES)]
    with reporting(progress, count, "games") as report:
        for done, path in enumerate(paths):
            if not path.exists():
                _play(path, play, number + done * SHARD_GAMES)
            if report is not None:
                report((done + 1) * SHARD_GAMES)
    return paths


def _play(path: Path, play: Any, first: int) -> None:
    lock = claim(path, "position")
    try:
        positions = play(first=first)
        with written(path) as file:
            np.save(file, positions)
        sync_folder(path.parent)
    except Interrupted:
        raise Interrupted(f"interrupted; the files in {path.parent} are whole: call again to go on") from None
    finally:
        lock.remove()


def _plan(folder: Path, facts: Mapping[str, Any]) -> None:
    """Writes what decides the games, or compares it with what is written."""
    path = folder / _PLAN
    try:
        known = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        if any(shard_files(folder)):
            raise FormatError(f"{path}: missing, though there are files of positions beside it") from None
        write_text(path, json.dumps(facts, indent=1) + "\n")
        return
    except ValueError as error:
        raise FormatError(f"{path}: {error}") from None
    if not isinstance(known, dict):
        raise FormatError(f"{path}: not an object")
    if changes := differences(known, facts):
        raise ValueError(f"{folder}: these are other games: {'; '.join(changes)}")


def shard_files(folder: str | os.PathLike[str]) -> list[Path]:
    """The files of positions in a folder, in the order of their games."""
    return sorted(path for path in Path(folder).iterdir() if _NAME.fullmatch(path.name))


def load_shard(path: str | os.PathLike[str]) -> npt.NDArray[np.void]:
    """The positions of the file at `path`; `FormatError` if it holds something else."""
    try:
        return check_positions(np.load(path, allow_pickle=False))
    except (EOFError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is no file of positions: {error}") from None


def blocks(paths: list[Path], size: int) -> Iterator[npt.NDArray[np.uint8]]:
    """The positions of the files as rows of bytes, `size` files at a time."""
    for at in range(0, len(paths), size):
        rows = [load_shard(path) for path in paths[at : at + size]]
        joined = np.concatenate(rows)
        yield joined.view(np.uint8).reshape(len(joined), joined.dtype.itemsize)
