"""What was found for a position, for when it comes again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import repeat
from threading import Lock
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju.batch import Boards

__all__ = ["Memo", "Packed", "pack"]

Results = Mapping[str, npt.NDArray[Any]]
Packed = npt.NDArray[np.uint8]


class Memo:
    """Results of positions by key; beyond a number of bytes the oldest go. Positions are compared whole, so
    that two that share a key are not mixed up. May be used by several threads."""

    def __init__(self, most_bytes: int = 1 << 25) -> None:
        self._most_bytes = most_bytes
        self._most = 0
        self._slots: dict[int, int] = {}
        self._keys = np.zeros(0, np.uint64)
        self._boards = np.zeros((0, _PACKED), np.uint8)
        self._results: dict[str, npt.NDArray[Any]] = {}
        self._next = 0
        self._used = 0
        """Slots that were filled at least once."""
        self._lock = Lock()

    def find(self, keys: npt.NDArray[np.uint64], packed: Packed, results: Results) -> npt.NDArray[np.bool_]:
        """Fills in the `results` of those that are known, and tells which they are."""
        known = np.zeros(len(keys), np.bool_)
        with self._lock:
            slots = np.array([*map(self._slots.get, keys.tolist(), repeat(-1))], np.int64)
            rows = np.flatnonzero(slots >= 0)
            if len(rows):
                rows = rows[(self._boards[slots[rows]] == packed[rows]).all(axis=1)]
                for name, values in results.items():
                    values[rows] = self._results[name][slots[rows]]
                known[rows] = True
        return known

    def add(self, keys: npt.NDArray[np.uint64], packed: Packed, results: Results) -> None:
        """Remembers results of positions."""
        with self._lock:
            self._make(results)
        if len(keys) > self._most:
            keys, packed = keys[-self._most :], packed[-self._most :]
            results = {name: values[-self._most :] for name, values in results.items()}
        with self._lock:
            slots = (self._next + np.arange(len(keys))) % self._most
            again = slots[slots < self._used]
            for key, slot in zip(self._keys[again].tolist(), again.tolist(), strict=True):
                if self._slots.get(key) == slot:
                    del self._slots[key]
            self._used = max(self._used, int(slots.max(initial=-1)) + 1)
            self._slots.update(zip(keys.tolist(), slots.tolist(), strict=True))
            self._keys[slots], self._boards[slots] = keys, packed
            for name, values in results.items():
                self._results[name][slots] = values
            self._next = int(self._next + len(keys)) % self._most

    def _make(self, results: Results) -> None:
        """Makes the arrays when the first results show how large they are."""
        if not self._results:
            sizes = (values.dtype.itemsize * math.prod(values.shape[1:]) for values in results.values())
            # The key is there twice, as a number of Python's and in its dictionary, too.
            self._most = max(1, self._most_bytes // (_PACKED + 150 + sum(sizes)))
            self._keys = np.zeros(self._most, np.uint64)
            self._boards = np.zeros((self._most, _PACKED), np.uint8)
            self._results = {
                name: np.zeros((self._most, *values.shape[1:]), values.dtype)
                for name, values in results.items()
            }


# Bytes of a board with two bits a cell.
_PACKED = 2 * -(-_native.PASS // 8)


def pack(boards: Boards) -> Packed:
    """Boards in a quarter of their size: the bits of black's stones, then those of white's."""
    cells = boards.reshape(len(boards), _native.PASS)
    return np.concatenate([np.packbits(cells == 1, axis=1), np.packbits(cells == 2, axis=1)], axis=1)
