"""What the tests of the pipeline share: small games, and rows that a run makes of them."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import Limit, batch, pipeline, samples
from support.processes import RENJU
from support.tables import Row, read_table
from support.waiting import PATIENCE_S

GAMES = samples.games()
FIVE = "h8a1i8a3j8a5k8a7l8"  # black's five
FOUL = "f8a1g8a3h9a5h10a7h8"  # a double three


def rows_of(
    out: str = "out.jsonl", inputs: Any = "in.txt", jobs: Any = "forbidden", **options: Any
) -> list[Row]:
    pipeline.run(inputs, out, jobs, overwrite=True, **options)
    return read_table(Path(out))


def boards_of(*records: str) -> npt.NDArray[np.int8]:
    return batch.parse(records)[0]


def draw_by_passes() -> str:
    return "h8i9g7----"


QUICK = {"solve_limit": Limit(nodes=200), "limit": Limit(nodes=300), "multipv": 2, "shard_positions": 20}


def run_cli(*arguments: str, text: str | None = None, code: int = 0) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which remembers nothing."""
    done = subprocess.run(
        [*RENJU, "batch", *arguments], input=text, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done
