"""Records as arrays for a network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._types import BOARD_SIZE
from renju.batch.arrays import thread_count
from renju.data.records import RECORD_DTYPE, check_records
from renju.errors import Interrupted

__all__ = ["CHANNELS", "Features", "features"]

CHANNELS: tuple[str, ...] = _native.CHANNELS
"""What each plane marks with 1, in order. "Own" is of the side to move. A threat is marked where a stone
makes it, and only the best of a point: "double" is a double-three or double-four of white or a four-three of
either side."""

_ACTIONS = BOARD_SIZE**2 + 1


@dataclass(frozen=True)
class Features:
    """What is learned from N positions."""

    planes: npt.NDArray[np.uint8]
    """The planes (N, 19, 15, 15), of 0 and 1, as `CHANNELS` names them."""
    mask: npt.NDArray[np.int8]
    """1 for every legal action (N, 226) that does not lose by a foul; a pass only if no point is legal."""
    policy: npt.NDArray[np.int64]
    """The action (N,) to learn; 225 is a pass, -1 is unknown."""
    value: npt.NDArray[np.float32]
    """1 if the side to move won the game, -1 if it lost, 0 for a draw and where the end is unknown (N,)."""
    known: npt.NDArray[np.bool_]
    """Whether the end of the game is known (N,)."""

    @classmethod
    def empty(cls, count: int) -> Features:
        """Arrays for `count` positions, to be filled."""
        return cls(
            np.empty((count, len(CHANNELS), BOARD_SIZE, BOARD_SIZE), np.uint8),
            np.empty((count, _ACTIONS), np.int8),
            np.empty(count, np.int64),
            np.empty(count, np.float32),
            np.empty(count, bool),
        )

    def __len__(self) -> int:
        return len(self.policy)

    def to_dict(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays by name."""
        return dict(vars(self))

    def one_hot(self) -> npt.NDArray[np.float32]:
        """The policy as probabilities (N, 226): 1 for the action to learn; all 0 where it is unknown."""
        found = np.zeros((len(self), _ACTIONS), np.float32)
        rows = np.flatnonzero(self.policy >= 0)
        found[rows, self.policy[rows]] = 1
        return found


def features(
    records: npt.NDArray[np.void],
    symmetries: npt.ArrayLike = 0,
    threads: int = 0,
    out: Features | None = None,
) -> Features:
    """The planes, masks and targets of records, each turned by its symmetry: one number for all of them, or
    one for each, as those of `batch.transform`.

    `threads` is the number of threads, 0 for one per core; `out` are arrays to fill in place of new ones.

    >>> import numpy as np
    >>> from renju import data
    >>> record = data.from_moves(["h8i9"])[1:]
    >>> all_eight = data.features(record.repeat(8), np.arange(8))
    >>> all_eight.policy.tolist()
    [128, 126, 96, 98, 126, 96, 98, 128]
    """
    rows = check_records(records)
    numbers = np.asarray(symmetries)
    if numbers.dtype.kind not in "iu":
        raise TypeError(f"symmetries have dtype {numbers.dtype}, integers are needed")
    if numbers.shape not in ((), (len(rows),)):
        raise ValueError(f"symmetries have shape {numbers.shape}, () or ({len(rows)},) is needed")
    if ((numbers < 0) | (numbers > 7)).any():
        raise ValueError(
            f"a symmetry is a number from 0 to 7, not {numbers[(numbers < 0) | (numbers > 7)].flat[0]}"
        )
    turned = np.ascontiguousarray(np.broadcast_to(numbers, len(rows)), np.uint8)
    if out is None:
        found = Features.empty(len(rows))
    else:
        found = out
        _check_out(out, len(rows))
    raw = rows.view(np.uint8).reshape(len(rows), RECORD_DTYPE.itemsize)
    arrays = (found.planes, found.mask, found.policy, found.value, found.known)
    done = _native.write_features(raw, turned, *arrays, thread_count(threads))
    if done is not None:
        raise Interrupted("interrupted", found, done)
    return found


def _check_out(out: Features, count: int) -> None:
    wanted = {
        "planes": (np.uint8, (count, len(CHANNELS), BOARD_SIZE, BOARD_SIZE)),
        "mask": (np.int8, (count, _ACTIONS)),
        "policy": (np.int64, (count,)),
        "value": (np.float32, (count,)),
        "known": (np.bool_, (count,)),
    }
    for name, (dtype, shape) in wanted.items():
        array = getattr(out, name)
        if array.dtype != dtype or array.shape != shape or not array.flags.c_contiguous:
            raise ValueError(
                f"out.{name} is {array.dtype} {array.shape}, {np.dtype(dtype)} {shape} in C order is needed"
            )
