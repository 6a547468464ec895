"""Speed of the array functions and of `import renju`, with other packages beside us if asked.

    python benches/batch.py [--peers PYTHON]

Answers are compared with the known ones before anything is timed. One line per figure.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from renju import Board, Forbidden, Point, batch, samples
from renju.speed import measure, rate

ROOT = Path(__file__).resolve().parent.parent
IMPORTS = 10
KINDS = {
    "double-three": Forbidden.DOUBLE_THREE,
    "double-four": Forbidden.DOUBLE_FOUR,
    "overline": Forbidden.OVERLINE,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", metavar="PYTHON", help="an interpreter with omok[fast] and PyPI's renju")
    options = parser.parse_args()
    check_answers()
    one, two = measure(threads=1), measure(threads=2)
    for name, single in one.items():
        print(f"{name:<36}{single:>12,.0f} positions/s, 2 threads {two[name] / single:.2f}x")
    solve_quiet_positions()
    print(f"{'import renju over import numpy':<36}{import_time():>12.1f} ms (median of {IMPORTS})")
    if options.peers:
        beside_peers(options.peers)


def check_answers() -> None:
    """No difference on the 3,000 boards of tests/data/forbidden.jsonl."""
    with (ROOT / "tests/data/forbidden.jsonl").open() as lines:
        rows = [json.loads(line) for line in lines]
    boards = np.zeros((len(rows), 15, 15), np.int8)
    expected = np.zeros(boards.shape, np.uint8)
    for n, row in enumerate(rows):
        for code, color in ((1, "black"), (2, "white")):
            for name in row[color]:
                boards[n].flat[Point(name)] = code
        for name, kind in row["forbidden"].items():
            expected[n].flat[Point(name)] = KINDS[kind]
    differences = int(np.count_nonzero(batch.forbidden(boards) != expected))
    assert differences == 0, differences
    print(f"{'boards of forbidden.jsonl':<36}{len(rows):>12,} with 0 differences")


def solve_quiet_positions() -> None:
    """VCF within 12 fours on tests/data/quiet_positions.txt, a hundred times over; then, where there is none,
    Mise-VCF, and VCT within 4 stones."""
    rows = [line.split(" ") for line in (ROOT / "tests/data/quiet_positions.txt").read_text().splitlines()]
    boards = np.array([Board.from_stones(black, white, turn=1).to_array() for black, white, _ in rows])
    turns = np.array([1 if side == "b" else 2 for *_, side in rows], np.int8)
    has_none = batch.solve(boards, turns)["status"] == 0
    for kind, max_depth, times, expected in (
        ("vcf", 12, 100, 351),
        ("mise-vcf", None, 5, 36),
        ("vct", 4, 5, 44),
    ):
        if kind != "vcf":
            boards, turns, has_none = boards[has_none], turns[has_none], has_none[has_none]
        wins = int(
            np.count_nonzero(batch.solve(boards, turns, kind=kind, max_depth=max_depth)["status"] == 1)
        )
        assert wins == expected, (kind, wins)
        count = times * len(boards)
        many, many_turns = np.resize(boards, (count, 15, 15)), np.resize(turns, count)
        one, two = (
            rate(partial(batch.solve, many, many_turns, kind, max_depth=max_depth, threads=threads), count)
            for threads in (1, 2)
        )
        print(
            f"{f'solve, {kind} of quiet positions':<36}{one:>12,.0f} positions/s, 2 threads {two / one:.2f}x"
        )


def import_time() -> float:
    """Milliseconds of `import renju` in a process that has numpy already."""
    code = "import numpy, time; t = time.perf_counter(); import renju; print(time.perf_counter() - t)"
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(IMPORTS)
    ]
    return 1000 * statistics.median(float(run.stdout) for run in runs)


def beside_peers(python: str) -> None:
    """All on the same boards, one thread."""
    boards, _ = batch.parse(samples.positions())
    our_rate = rate(lambda: batch.forbidden(boards, threads=1), len(boards), repeats=50)
    print(f"{'forbidden, on the boards below':<36}{our_rate:>12,.0f} positions/s")
    ours = [np.flatnonzero(codes) for codes in batch.forbidden(boards)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.npy"
        np.save(path, boards)
        run = subprocess.run(
            [python, str(ROOT / "benches/peers.py"), str(path)],
            stdout=subprocess.PIPE,
            check=True,
            cwd=folder,
        )
    for name, result in json.loads(run.stdout).items():
        points = result["points"]
        wrong = sum(mine.tolist() != theirs for mine, theirs in zip(ours, points, strict=False))
        their_rate, ratio = result["rate"], our_rate / result["rate"]
        print(
            f"{'forbidden, ' + name:<36}{their_rate:>12,.0f} positions/s, we are {ratio:,.0f}x as fast; "
            f"{wrong} of {len(points)} boards differ from ours"
        )


if __name__ == "__main__":
    main()
