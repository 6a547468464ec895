"""Every call on boards, and boards to call it with: what the tests of array calls share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from renju import BLACK, WHITE, batch
from support import data

THREADS = (1, 2, 3, 7, 0)
Call = Callable[..., npt.NDArray[Any]]
# Every call on boards, with the shape and dtype of its result for one board.
CALLS: dict[str, tuple[Call, tuple[int, ...], type]] = {
    "forbidden": (batch.forbidden, (15, 15), np.uint8),
    "winners": (batch.winners, (), np.int8),
    "threats of black": (partial(batch.threat_map, color=BLACK), (15, 15), np.uint8),
    "threats of white": (partial(batch.threat_map, color=WHITE), (15, 15), np.uint8),
    "keys": (batch.keys, (), np.uint64),
    "symmetric keys": (partial(batch.keys, symmetric=True), (), np.uint64),
}
each_call = pytest.mark.parametrize("call", [call for call, _, _ in CALLS.values()], ids=list(CALLS))
each_result = pytest.mark.parametrize(("call", "shape", "dtype"), list(CALLS.values()), ids=list(CALLS))


def crowded(count: int = 2000) -> npt.NDArray[np.int8]:
    return data.random_boards(count, seed=count)
