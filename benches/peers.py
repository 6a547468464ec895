"""Runs other packages on boards we give them; `benches/batch.py --peers PYTHON` starts it.

It runs in an environment of its own, because one of the packages is called `renju` too:

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install "omok[fast]" renju

Reads boards (N, 15, 15) from the .npy file named first. Prints one JSON object: for each package the boards
per second and the forbidden points it finds on each board it was given, as lists of ``y * 15 + x``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

# The slow package gets only so many boards, the first ones.
SLOW_BOARDS = 40


def omok_numba() -> Callable[[Any], list[int]]:
    from omok.renju import BACKEND, forbidden_moves

    assert BACKEND == "numba", BACKEND
    return forbidden_moves


def pypi_renju() -> Callable[[Any], list[int]]:
    from renju.check_forbid import get_foul_type

    def find(board: Any) -> list[int]:
        columns = board.T.tolist()
        empty = np.flatnonzero(board.reshape(-1) == 0).tolist()
        return [point for point in empty if get_foul_type(columns, point % 15, point // 15)]

    return find


def main() -> None:
    boards = np.load(sys.argv[1]).astype(np.uint8)
    results: dict[str, Any] = {}
    for name, prepare, count in (("omok+numba", omok_numba, None), ("PyPI renju", pypi_renju, SLOW_BOARDS)):
        find = prepare()
        some = boards[:count]
        find(some[0])  # compiles
        start = perf_counter()
        points = [find(board) for board in some]
        results[name] = {"rate": len(some) / (perf_counter() - start), "points": points}
    print(json.dumps(results))


if __name__ == "__main__":
    main()
