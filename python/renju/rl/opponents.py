"""Who plays against the learner, from which openings, and what a player sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from renju import _native, batch
from renju._types import BOARD_SIZE, PASS
from renju.board import Board
from renju.limits import Limit, between
from renju.openings import OPENINGS, Opening, by_code

__all__ = [
    "ACTIONS",
    "Opponent",
    "check_move_limit",
    "check_opponent",
    "check_side",
    "observed",
    "opening_moves",
    "replies",
]

ACTIONS = BOARD_SIZE**2 + 1

Opponent: TypeAlias = Callable[
    [npt.NDArray[np.int8], npt.NDArray[np.int8], npt.NDArray[np.int8]], npt.ArrayLike
]
"""Called with boards (M, 15, 15), turns (M,) and action masks (M, 226); returns an action for each board."""

SIDES = ("black", "white", "both")

# Nodes of a move of an engine that plays against a learner.
_NODES = 1_000

# The fewest moves after which a game can be won.
_LEAST_MOVES = 9
_MOST_MOVES = 2**15 - 1


def check_opponent(opponent: str | Opponent) -> None:
    """`ValueError` if it is no name of an opponent, `TypeError` if it cannot be called either."""
    names = ("self", "random", *_native.LEVELS)
    if isinstance(opponent, str):
        if opponent not in names:
            raise ValueError(f"opponent is one of {', '.join(names)}, or a function, not {opponent!r}")
    elif not callable(opponent):
        raise TypeError(f"opponent is a name or a function, not {type(opponent).__name__}")


def check_side(color: str) -> str:
    """The side that learns: black, white, or both by turns."""
    if color not in SIDES:
        raise ValueError(f"color is one of {', '.join(SIDES)}, not {color!r}")
    return color


def check_move_limit(move_limit: int | None) -> int | None:
    """The number of moves after which a game is drawn, if there is one."""
    return None if move_limit is None else between("move_limit", move_limit, _LEAST_MOVES, _MOST_MOVES)


def opening_moves(opening: str | Opening | None) -> list[list[int]]:
    """The moves of the openings to draw from: none for None, all 26 for "any"."""
    if opening is None:
        return []
    if isinstance(opening, Opening):
        return [[*map(int, opening.moves)]]
    found = OPENINGS if opening == "any" else (by_code(opening),)
    return [[*map(int, one.moves)] for one in found]


def replies(
    opponent: str | Opponent,
    limit: Limit | None,
    boards: npt.NDArray[np.int8],
    turns: npt.NDArray[np.int8],
    masks: npt.NDArray[np.int8],
) -> npt.NDArray[np.int16]:
    """The actions of a function, or of the engine at a level, on these boards."""
    found: Any
    if isinstance(opponent, str):
        bound = Limit(nodes=_NODES) if limit is None else limit
        best = batch.analyze(boards, turns, bound, opponent, threads=1, hash_mb=4)["best"]
        found = np.where(best < 0, PASS, best)
    else:
        found = np.asarray(opponent(boards, turns, masks))
        if found.shape != (len(boards),) or found.dtype.kind not in "iu":
            raise ValueError(
                f"the opponent returned {found.dtype} {found.shape}, integers ({len(boards)},) are needed"
            )
    return np.ascontiguousarray(found, np.int16)


def observed(board: Board) -> dict[str, npt.NDArray[Any]]:
    """What the side to move sees of a board."""
    cells = board.to_array()
    planes = np.zeros((3, BOARD_SIZE, BOARD_SIZE), np.uint8)
    planes[0], planes[1] = cells == board.turn, cells == board.turn.opponent
    planes[2] = board.turn == 1
    mask = np.zeros(ACTIONS, np.int8)
    legal = board.legal_moves
    mask[[*legal]] = 1
    mask[PASS] = not legal and board.outcome is None
    return {"observation": planes, "action_mask": mask}
