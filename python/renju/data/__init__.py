"""Positions to learn from: records, planes, targets, shards of them, and a dataset for training loops.

A record (`RECORD_DTYPE`, 69 bytes) holds a position, the moves before it, the move that was played and how
the game ended. `features` makes arrays of records: planes, whose `CHANNELS` are named, legal masks, and the
targets of a policy and of a value, all of them turned by the same symmetry.

>>> from renju import data
>>> records = data.from_moves(["h8a1i8a3j8a5k8a7l8"])
>>> len(records), records.dtype.itemsize
(9, 69)
>>> found = data.features(records)
>>> found.planes.shape, found.policy[0], found.value.tolist()[:2]
((9, 19, 15, 15), np.int64(112), [1.0, -1.0])
"""

from renju.data.dataset import Dataset
from renju.data.features import CHANNELS, Features, features
from renju.data.records import RECORD_DTYPE, from_boards, from_files, from_moves, from_self_play
from renju.data.shards import FORMS, Export, export, load, write

__all__ = [
    "CHANNELS",
    "FORMS",
    "RECORD_DTYPE",
    "Dataset",
    "Export",
    "Features",
    "export",
    "features",
    "from_boards",
    "from_files",
    "from_moves",
    "from_self_play",
    "load",
    "write",
]
