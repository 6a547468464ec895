"""Batches for a training loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from renju.data.features import features
from renju.data.records import Records, check_records
from renju.data.shards import load, shard_paths
from renju.limits import between, whole

__all__ = ["Dataset"]

_MOST_BATCH = 1 << 20


class Dataset:
    """Batches of the records of some shards, or of an array: a list of dicts of arrays, which can be
    iterated.

    A batch has the fields of `Features`. With `shuffle` the records of all shards are mixed anew for every
    epoch, and with `augment` each is turned by a symmetry that is drawn for it; both follow from `seed` and
    `epoch` alone. The last batch may be smaller. `threads` threads make the arrays of a batch.

    PyTorch's DataLoader takes it as it is, without collating:
    ``DataLoader(dataset, batch_size=None, num_workers=2)``.

    >>> from renju import data, samples
    >>> dataset = data.Dataset(data.from_moves(samples.games()[:3]), batch_size=32, seed=1)
    >>> len(dataset), [len(batch["policy"]) for batch in dataset]
    (3, [32, 32, 19])
    >>> dataset[0]["planes"].shape
    (32, 19, 15, 15)
    """

    def __init__(
        self,
        source: Records | str | Path | Sequence[str | Path],
        batch_size: int = 256,
        *,
        shuffle: bool = True,
        augment: bool = True,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        if isinstance(source, np.ndarray):
            self._shards = [check_records(source)]
        else:
            places = [source] if isinstance(source, str | Path) else source
            self._shards = [load(path) for place in places for path in shard_paths(place)]
        self._ends = np.cumsum([len(shard) for shard in self._shards], dtype=np.int64)
        self.batch_size = between("batch_size", batch_size, 1, _MOST_BATCH)
        self._shuffle, self._augment = shuffle, augment
        self._seed, self._threads = whole("seed", seed) % 2**64, threads
        self._order: tuple[int, npt.NDArray[np.int64]] | None = None
        self.epoch = 0
        """The number of the epoch, from 0 on, which decides how records are mixed and turned. Iterating over
        the dataset to its end adds 1."""

    @property
    def records(self) -> int:
        """The number of records of all shards."""
        return int(self._ends[-1])

    def __len__(self) -> int:
        return -(-self.records // self.batch_size)

    def __getitem__(self, index: int) -> dict[str, npt.NDArray[Any]]:
        number = whole("index", index)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} batches, and no batch {number}")
        number %= len(self)
        chosen = self._chosen(number)
        records = self._rows(chosen)
        symmetries: Any = 0
        if self._augment:
            random = np.random.default_rng((self._seed, self.epoch, 1 + number))
            symmetries = random.integers(0, 8, len(records), np.uint8)
        return features(records, symmetries, self._threads).to_dict()

    def __iter__(self) -> Iterator[dict[str, npt.NDArray[Any]]]:
        for index in range(len(self)):
            yield self[index]
        self.epoch += 1

    def _chosen(self, batch: int) -> npt.NDArray[np.int64]:
        """The numbers of the records of a batch, among those of all shards."""
        part = slice(batch * self.batch_size, min((batch + 1) * self.batch_size, self.records))
        if not self._shuffle:
            return np.arange(part.start, part.stop)
        if self._order is None or self._order[0] != self.epoch:
            random = np.random.default_rng((self._seed, self.epoch, 0))
            self._order = (self.epoch, random.permutation(self.records))
        return self._order[1][part]

    def _rows(self, chosen: npt.NDArray[np.int64]) -> Records:
        shards = np.searchsorted(self._ends, chosen, side="right")
        found = np.empty(len(chosen), self._shards[0].dtype)
        for shard in np.unique(shards).tolist():
            here = shards == shard
            first = self._ends[shard] - len(self._shards[shard])
            found[here] = self._shards[shard][chosen[here] - first]
        return found
