"""`make demo`: the sample games looked at in one go, with progress, a summary and a picture."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

import numpy as np
from tqdm import tqdm

from renju import Board, Color, Forbidden, Threat, batch, samples, svg
from renju._files import write_text

__all__ = ["main"]

# Positions per step of the progress bar.
STEP = 512


def main(picture: Path | None = None) -> None:
    """Reads all positions of the sample games, says what they hold, and draws one."""
    games = samples.games()
    records = samples.positions()
    start = perf_counter()
    boards, turns = batch.parse(records)
    forbidden = np.empty_like(boards, np.uint8)
    threats = np.empty_like(forbidden)
    with tqdm(total=len(boards), unit=" positions", file=sys.stderr) as progress:
        for first in range(0, len(boards), STEP):
            step = slice(first, first + STEP)
            batch.forbidden(boards[step], out=forbidden[step])
            for color in Color:
                mine = np.flatnonzero(turns[step] == color) + first
                threats[mine] = batch.threat_map(boards[mine], color)
            progress.update(len(boards[step]))
    forbidden[batch.winners(boards) != 0] = 0  # nothing is forbidden when the game is over
    seconds = perf_counter() - start

    print(f"{len(games)} games, {len(records):,} positions in {seconds:.3f} s")
    distinct = np.unique(batch.keys(boards, turns, symmetric=True))
    print(f"{len(distinct):,} of them differ by more than symmetry")
    print()
    print("Forbidden points of black")
    for kind in (Forbidden.DOUBLE_THREE, Forbidden.DOUBLE_FOUR, Forbidden.OVERLINE):
        print(f"  {kind.label:<14}{np.count_nonzero(forbidden == kind):>6}")
    print("Positions in which the side to move can make")
    for threat in (Threat.FIVE, Threat.OPEN_FOUR, Threat.DOUBLE_FOUR, Threat.FOUR_THREE):
        print(f"  {threat.label:<14}{np.count_nonzero((threats == threat).any(axis=(1, 2))):>6}")
    print("Openings")
    opening_counts = Counter(str(Board(game).opening()) for game in games)
    for opening, count in opening_counts.most_common(5):
        print(f"  {count:>3}  {opening}")

    board = Board(records[int(np.argmax(np.count_nonzero(forbidden, axis=(1, 2))))])
    print()
    print(f"Most forbidden points: {' '.join(map(str, board.forbidden_points()))}")
    print(board)
    if picture is not None:
        write_text(picture, svg.board(board))
        print(f"drawn in {picture}")


if __name__ == "__main__":
    main(Path(sys.argv[1])) if len(sys.argv) > 1 else main()
