"""A million positions through the array functions, on one thread and on two, and files through the pipeline.

    python benches/million.py [--positions N]

The positions are those of tests/data/quiet_positions.txt under all eight symmetries and those of the sample
games, again and again: nothing is looked up, every one is worked out. One line per figure.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from renju import Board, Limit, batch, pipeline, samples

ROOT = Path(__file__).resolve().parent.parent

# Wins by fours of the quiet positions, and of the positions of the sample games.
QUIET_WINS, GAME_WINS = 351, 413


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=1_000_000)
    count = parser.parse_args().positions
    quiet, games = quiet_positions(), game_positions()
    assert wins(*quiet) == 8 * QUIET_WINS, "under every symmetry the same"
    assert wins(*games) == GAME_WINS
    boards, turns = repeated(count, quiet, games)
    before = memory_mb()
    told(f"forbidden and winners of {count:,}", lambda threads: quick(boards, threads))
    print(f"{'memory for it, two results in all':<44}{memory_mb() - before:>9.0f} MB")
    told(f"VCF of {count:,} quiet ones", lambda threads: statuses(*repeated(count, quiet), threads=threads))
    told(f"VCF of {count:,}", lambda threads: statuses(boards, turns, threads=threads))
    few = slice(0, 400)
    told(
        "analysis at hard, 20,000 nodes, of 400",
        lambda threads: analysed(games[0][2000:][few], games[1][2000:][few], threads),
    )
    files()


def quiet_positions() -> tuple[Any, Any]:
    """All eight images of each."""
    rows = [line.split(" ") for line in (ROOT / "tests/data/quiet_positions.txt").read_text().splitlines()]
    boards = np.array([Board.from_stones(black, white, turn=1).to_array() for black, white, _ in rows])
    turns = np.array([1 if side == "b" else 2 for *_, side in rows], np.int8)
    return np.concatenate([batch.transform(boards, k) for k in range(8)]), np.tile(turns, 8)


def game_positions() -> tuple[Any, Any]:
    """All of the sample games that are not over."""
    found = batch.expand(samples.games())
    return found.boards[found.outcomes == 0], found.turns[found.outcomes == 0]


def repeated(count: int, *parts: tuple[Any, Any]) -> tuple[Any, Any]:
    boards = np.concatenate([boards for boards, _ in parts])
    turns = np.concatenate([turns for _, turns in parts])
    times = -(-count // len(boards))
    return np.tile(boards, (times, 1, 1))[:count], np.tile(turns, times)[:count]


def wins(boards: Any, turns: Any) -> int:
    return int(np.count_nonzero(batch.solve(boards, turns)["status"] == 1))


def quick(boards: Any, threads: int) -> str:
    codes = batch.forbidden(boards, threads=threads)
    fives = batch.winners(boards, threads=threads)
    return f"{np.count_nonzero(codes):,} points, {np.count_nonzero(fives):,} fives"


def statuses(boards: Any, turns: Any, *, threads: int) -> str:
    unknown, refuted, proved = np.bincount(
        batch.solve(boards, turns, threads=threads)["status"] + 1, minlength=3
    )
    return f"{proved:,} proved, {refuted:,} refuted, {unknown:,} unknown"


def analysed(boards: Any, turns: Any, threads: int) -> str:
    rows = batch.analyze(boards, turns, Limit(nodes=20_000), threads=threads)
    return f"{int(rows['nodes'].sum()):,} nodes"


def told(name: str, work: Callable[[int], str]) -> None:
    """Times the work on one thread and on two; both must find the same."""
    times, answers = [], []
    for threads in (1, 2):
        start = perf_counter()
        answers.append(work(threads))
        times.append(perf_counter() - start)
    assert answers[0] == answers[1], answers
    ratio = times[0] / times[1]
    print(f"{name:<44}{times[0]:>9.2f} s, 2 threads {times[1]:.2f} s, {ratio:.2f}x: {answers[0]}", flush=True)


def files() -> None:
    """The sample games through `renju.pipeline`, again and again under other names, so that none is known."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "games.txt")
        source.write_text("\n".join(samples.games() * 100))
        start = perf_counter()
        report = pipeline.run(source, Path(folder, "out.parquet"))
        seconds = perf_counter() - start
        size = Path(folder, "out.parquet").stat().st_size
        assert report.positions == 100 * len(samples.positions())
        name, rate = "renju batch, 100 times the sample games", report.positions / seconds
        print(f"{name:<44}{rate:>9,.0f} positions/s, {size / report.positions:.1f} bytes a row")


def memory_mb() -> float:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    main()
