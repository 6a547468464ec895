"""What the tests of analyses of arrays share."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import Board, Color, Limit
from support import data

FEW = Limit(nodes=2_000)


@cache
def live() -> tuple[list[Board], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Positions of games that go on, and some with a forced win of each kind."""
    records, _, _ = data.game_positions()
    boards = [Board(record) for record in records[::97]]
    for name, count in (("vcf_cases", 12), ("mise_vcf_cases", 3), ("vct_seed_cases", 12)):
        kind = name.split("_cases")[0].removesuffix("_seed")
        wins = [case for case in data.json_lines(f"{name}.jsonl") if case["expect"].get(kind)]
        boards += [_case_board(case) for case in wins[:count]]
    boards = [board for board in boards if board.outcome is None]
    arrays = np.stack([board.to_array() for board in boards])
    return boards, arrays, np.array([board.turn for board in boards], np.int8)


def _case_board(case: dict[str, Any]) -> Board:
    return Board.from_stones(case["black"], case["white"], turn=Color[case["side"].upper()])
