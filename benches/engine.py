"""Speed of the engine: nodes a second and depth of level master, time a move of level hard.

    python benches/engine.py [--time SECONDS] [--peer COMMAND]

One line for each figure. With a peer, another engine that speaks the Gomocup protocol thinks about the same
positions, one after the other on the same machine, and what it says of its own speed is printed.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from statistics import mean, quantiles

from renju import Board, Engine, Limit, _native
from renju.protocol import EngineProcess

DATA = Path(__file__).parent.parent / "tests" / "data"

# Middle games in which neither side has a quick win.
POSITIONS = (
    "h8h9j9j8f8i7g7i9",
    "h8i9g7g9i7h9f9h7i6g6",
    "h8h9f8g8g7i9e9h6",
    "h8i9k8j8k10j9k9k7",
    "h8h9h10g9i9i8g10j10f7",
    "h8i9j8i8i10h9k7l6g10",
    "h8h9i6j7g9g10",
    "h8i9f6i7",
    "h8i9i8g9e7h10",
    "h8g9g7i9j8f8i6",
)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--time", type=float, default=1.0, help="seconds a position (default %(default)s)")
    parser.add_argument("--peer", help="a command that starts another Gomocup engine")
    options = parser.parse_args()

    expected = int((DATA / "signature.txt").read_text())
    assert _native.signature() == expected, "another search than the one that was tested"
    print(f"signature: {expected:,} nodes")
    boards = [Board(record) for record in POSITIONS]
    results = []
    for board in boards:
        result = Engine("master").analyse(board, Limit(time=options.time), multipv=1)
        assert board.is_legal(result.move)
        results.append(result)
    searched = [result for result in results if result.source == "search" and result.win_in is None]
    speed = sum(result.nodes for result in searched) / sum(result.time for result in searched)
    share = sum(result.stats["search_nodes"] for result in searched) / sum(
        result.nodes for result in searched
    )
    depth = mean(result.depth for result in searched)
    print(f"master: {speed:,.0f} nodes/s ({share:.0%} of them of the search, the rest fours and threats)")
    print(f"master: depth {depth:.1f} after {options.time:g} s, {len(searched)} positions")
    times = hard_times()
    cuts = quantiles(times, n=100)
    print(f"hard: {1000 * mean(times):.1f} ms a move, p99 {1000 * cuts[98]:.1f} ms, {len(times)} moves")
    if options.peer:
        peer(options.peer, boards, options.time)


def hard_times() -> list[float]:
    """Seconds for every move of some games of level hard against itself."""
    times = []
    for seed, record in enumerate(POSITIONS):
        board, engine = Board(record), Engine("hard", seed=seed)
        while board.outcome is None and board.legal_moves:
            result = engine.best_move(board)
            times.append(result.time)
            board.push(result.move)
    return times


def peer(command: str, boards: list[Board], seconds: float) -> None:
    speeds, depths = [], []
    with EngineProcess(command.split()) as engine:
        for board in boards:
            text = " ".join(engine.play(board, Limit(time=seconds)).messages)
            if found := re.findall(r"Speed (\d+)K.*?Depth (\d+)", text):
                speeds.append(1000 * int(found[-1][0]))
                depths.append(int(found[-1][1]))
    if speeds:
        print(f"peer: {mean(speeds):,.0f} nodes/s, depth {mean(depths):.1f}, {len(speeds)} positions")
    else:
        print("peer: it said nothing of its speed")


if __name__ == "__main__":
    main()
