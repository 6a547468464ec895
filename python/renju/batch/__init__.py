"""Many boards at once: arrays in, arrays out.

A batch is an int8 array of shape (N, 15, 15), ``a[n, y, x]`` with row 1 first: 0 empty, 1 black, 2 white (-1
is accepted for white). One board of shape (15, 15) is accepted too, and the result then has no leading axis.
C-contiguous int8 arrays are read where they are; other integer arrays are copied first.

The loop is native and runs without the GIL on a thread pool of its own; ``threads=0`` means one per core.
Inside Dask or multiprocessing workers pass ``threads=1``. The results do not depend on the number of threads.
Do not change an array in another thread while a call reads it. Ctrl-C raises `renju.Interrupted` with what
was finished.

>>> import numpy as np
>>> from renju import batch
>>> boards, turns = batch.parse(["h8i9g7", "h8h9"])
>>> boards.shape, turns.tolist()
((2, 15, 15), [2, 1])
>>> batch.winners(boards).tolist()
[0, 0]
"""

from renju.batch.arrays import Boards, as_boards
from renju.batch.boards import (
    FORBIDDEN_DTYPE,
    canonical,
    evaluate,
    forbidden,
    inverse,
    keys,
    threat_map,
    transform,
    transform_points,
    winners,
)
from renju.batch.columns import columns
from renju.batch.games import Expanded, expand, parse
from renju.batch.search import ANALYSIS_DTYPE, SOLVE_DTYPE, analyse, analyze, solve, win_rates

__all__ = [
    "ANALYSIS_DTYPE",
    "FORBIDDEN_DTYPE",
    "SOLVE_DTYPE",
    "Boards",
    "Expanded",
    "analyse",
    "analyze",
    "as_boards",
    "canonical",
    "columns",
    "evaluate",
    "expand",
    "forbidden",
    "inverse",
    "keys",
    "parse",
    "solve",
    "threat_map",
    "transform",
    "transform_points",
    "win_rates",
    "winners",
]
