"""Games of the engine against itself, natively on all cores: positions to learn from."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._files import written
from renju._network import NetworkLike, with_network
from renju._progress import Progress, reporting
from renju._types import BOARD_SIZE
from renju.batch.arrays import check_rows
from renju.config import EngineConfig
from renju.errors import FormatError, Interrupted
from renju.limits import Limit, between, check_hash, fixed_nodes, whole
from renju.values import ValueTable, values_text

__all__ = ["POSITION_DTYPE", "load_positions", "save_positions", "selfplay"]

POSITION_DTYPE = np.dtype(list(_native.POSITION_LAYOUT))
"""A position of a game: board (0 empty, 1 black, 2 white), turn (1 or 2), score (what the search found, for
the side to move), move (the one it chose, which is not always the one that was played), result (1 the side to
move won the game, 0 a draw, -1 it lost), score_only (the game says nothing of it: it stands beside the game,
or a random move came after it), source (a `renju.Source`), game (its number)."""

DEFAULT_NODES = 1500
"""The nodes of every move of `selfplay`, unless others are asked for."""

_MOST_NUMBER = 2**32 - 1
_MOST_NODES = 2**63 - 1
_MOST_THREADS = 1024


def selfplay(
    games: int = 1000,
    nodes: int | None = None,
    seed: int = 0,
    threads: int = 0,
    progress: bool | Progress | None = None,
    *,
    limit: Limit | None = None,
    first: int = 0,
    level: str = "master",
    config: EngineConfig | None = None,
    values: ValueTable | str | os.PathLike[str] | None = None,
    network: NetworkLike = None,
    opening_stones: tuple[int, int] = (3, 8),
    opening_nodes: int = 3000,
    opening_bound: int = 100,
    random_rate: float = 0.02,
    beside: int = 1,
    max_stones: int = 150,
    hash_mb: int = 4,
) -> npt.NDArray[np.void]:
    """Plays games `first` and following of a seed, with the nodes of `limit` for every move (1,500; `nodes`
    is the same as a number); a `POSITION_DTYPE` array of all positions, game by game.

    A game begins with a random opening near the centre, of the fewest to the most stones that
    `opening_stones` names, which a search of `opening_nodes` nodes scores within `opening_bound` points of 0.
    A quiet move is replaced by a random one with probability `random_rate`; the result of the game says
    nothing of the positions before it, which are marked `score_only`. So are the positions beside the game:
    after each quiet position `beside` others, one or two random moves away, are searched too. A game ends
    when a win is found, and in a draw with `max_stones` stones.

    The player is that of `level`, or of `config`, with the table of `values` if there is one, the `network`
    of a file, as `renju.Engine` takes it, and `hash_mb` megabytes for each of `threads` threads (0: one per
    core). Game n of a seed is the same whatever the
    threads. `progress` is True for a bar, or called with (done, total) games. Ctrl-C raises `Interrupted`
    with the games that were finished.

    >>> from renju.lab.selfplay import selfplay
    >>> positions = selfplay(2, nodes=200, threads=1, opening_nodes=200)
    >>> sorted(set(positions["game"].tolist())), positions["board"].shape[1:]
    ([0, 1], (15, 15))
    """
    if config is not None and not isinstance(config, EngineConfig):
        raise TypeError(f"config is a renju.EngineConfig, not {type(config).__name__}")
    settings = EngineConfig.from_level(level) if config is None else config
    settings, weights = with_network(settings, network, values is not None)
    count = between("games", games, 0, _native.MOST_SELF_PLAY_GAMES)
    number = between("first", first, 0, _MOST_NUMBER - count)
    least, most = (between("opening_stones", stones, 0, 40) for stones in opening_stones)
    if least > most:
        raise ValueError(f"opening_stones is the least and the most, not {least} and {most}")
    if not 0 <= random_rate <= 1:
        raise ValueError(f"random_rate is a number from 0 to 1, not {random_rate}")
    with reporting(progress, count, "games") as report:
        rows, done = _native.self_play(
            vars(settings),
            values=None if values is None else values_text(values),
            network=weights,
            nodes=fixed_nodes(limit, nodes, DEFAULT_NODES),
            hash_mb=check_hash(hash_mb),
            opening_stones=(least, most),
            opening_nodes=between("opening_nodes", opening_nodes, 1, _MOST_NODES),
            opening_bound=between("opening_bound", opening_bound, 0, _native.WIN),
            random_permille=round(1000 * random_rate),
            beside=between("beside", beside, 0, 100),
            most_stones=between("max_stones", max_stones, 0, BOARD_SIZE**2),
            seed=whole("seed", seed) % 2**64,
            first=number,
            games=count,
            threads=between("threads", threads, 0, _MOST_THREADS),
            progress=report,
        )
    positions = rows.view(POSITION_DTYPE)
    if done is not None:
        raise Interrupted("interrupted", positions, done)
    return positions


def save_positions(positions: npt.NDArray[np.void], path: str | os.PathLike[str]) -> None:
    """Writes positions to the .npz file at `path`, compressed, in one step."""
    with written(Path(path)) as file:
        np.savez_compressed(file, positions=check_positions(positions))


def load_positions(path: str | os.PathLike[str]) -> npt.NDArray[np.void]:
    """Reads positions from the .npz file at `path`; `FormatError` if it holds something else."""
    try:
        with np.load(Path(path), allow_pickle=False) as file:
            return check_positions(file["positions"])
    except (BadZipFile, EOFError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{path} is no file of positions: {error}") from None


def check_positions(positions: npt.NDArray[Any]) -> npt.NDArray[np.void]:
    """Positions one after the other in memory; `TypeError` or `ValueError` if they are something else."""
    return check_rows(positions, "positions", POSITION_DTYPE, "POSITION_DTYPE")
