"""The puzzles of one chunk of records: which positions are worth a closer look, and what it finds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import batch
from renju._types import Color, Point
from renju.board import Board
from renju.pipeline.positions import Positions, positions_of
from renju.pipeline.readers import BadRow, Record
from renju.pipeline.spec import Spec
from renju.pipeline.work import Chunk
from renju.puzzles.defences import defence_puzzle
from renju.puzzles.model import Puzzle
from renju.puzzles.wanted import Rejected, Solvers, Stop, Wanted
from renju.puzzles.wins import win_puzzle

__all__ = ["Part", "examine", "look"]

# Stones below which nobody can win by force soon.
_FEWEST_STONES = 6


@dataclass
class Part:
    """What was found in a chunk."""

    puzzles: list[Puzzle] = field(default_factory=list)
    """The puzzles in the order of the input."""
    counts: Counter[str] = field(default_factory=Counter)
    """Key: "games", "positions", "bad", or why positions are no puzzles, as "rejected: reason"; value: how
    many."""
    bad: list[dict[str, Any]] = field(default_factory=list)
    """The rows of the input that could not be read: file, row, reason."""

    def reject(self, reason: str, count: int = 1) -> None:
        self.counts[f"rejected: {reason}"] += count


def look(board: Board, wanted: Wanted | None = None, stop: Stop | None = None) -> Puzzle:
    """The puzzle of one position, with its difficulty; `Rejected` tells why the position is no puzzle.

    A position where the side to move has a win is a puzzle of that win; else it may be one of a defence.

    >>> import renju
    >>> from renju import puzzles
    >>> puzzles.look(renju.Board("h8i9"))
    Traceback (most recent call last):
    renju.puzzles.wanted.Rejected: nothing is threatened
    """
    wanted = Wanted() if wanted is None else wanted
    try:
        return win_puzzle(board, wanted, stop)
    except Rejected as rejected:
        if "defence" not in wanted.kinds or str(rejected) != "there is no win":
            raise
    return defence_puzzle(board, wanted, stop)


def examine(spec: Spec, wanted: Wanted, stop: Stop, chunk: Chunk) -> Part:
    """The puzzles of a chunk, with one thread."""
    records = [record for record in chunk.records if isinstance(record, Record)]
    positions, more = positions_of(records, spec, with_openings=False)
    part = Part()
    for row in [*(row for row in chunk.records if isinstance(row, BadRow)), *more]:
        part.bad.append({"file": row.file, "row": row.row, "reason": row.reason})
    part.counts.update(games=len(records), positions=len(positions), bad=len(part.bad))
    wins, defences = _candidates(positions, wanted, stop, part)
    # Key: a game and a colour; value: the last ply of a win that is a puzzle already.
    shown: dict[tuple[int, int], int] = {}
    for n in sorted([*wins, *defences]):
        stop.check()
        board = Board.from_array(positions.boards[n], Color(int(positions.turns[n])))
        place = (int(positions.games[n]), int(positions.turns[n]))
        is_win = n in wins
        if is_win and shown.get(place) == positions.plies[n] - 2:
            shown[place] += 2
            part.reject("the win goes on from an earlier puzzle")
            continue
        try:
            found = (win_puzzle if is_win else defence_puzzle)(board, wanted, stop)
        except Rejected as rejected:
            part.reject(str(rejected))
            continue
        if is_win:
            shown[place] = int(positions.plies[n])
        part.puzzles.append(_placed(found, positions, n, records))
    return part


def _candidates(positions: Positions, wanted: Wanted, stop: Stop, part: Part) -> tuple[set[int], set[int]]:
    """The positions with a win of the side to move, and those where it may have to find a defence."""
    is_live = positions.outcomes == 0
    part.reject("the game is over", int((~is_live).sum()))
    is_early = is_live & (np.count_nonzero(positions.boards, axis=(1, 2)) < _FEWEST_STONES)
    part.reject("there are few stones", int(is_early.sum()))
    live = np.flatnonzero(is_live & ~is_early)
    keys = batch.keys(positions.boards[live], positions.turns[live], symmetric=True, threads=1)
    first = np.sort(np.unique(keys, return_index=True)[1])
    part.reject("an image of an earlier position", len(live) - len(first))
    live = live[first]
    wins, rest = _split(positions, live, wanted, stop, part)
    if {*wanted.kinds} == {"defence"}:
        part.reject("the kind of the win is not wanted", len(wins))
        wins = set()
    if "defence" not in wanted.kinds:
        part.reject("there is no win", len(rest))
        return wins, set()
    other = (3 - positions.turns[rest]).astype(np.int8)
    found = _proved(positions.boards[rest], other, wanted, stop)
    part.reject("nothing is threatened", int((found == 0).sum()))
    part.reject("open: a limit came before the answer", int((found < 0).sum()))
    return wins, set(rest[found == 1].tolist())


def _split(
    positions: Positions, live: npt.NDArray[Any], wanted: Wanted, stop: Stop, part: Part
) -> tuple[set[int], npt.NDArray[Any]]:
    """Positions with a win, and those without any."""
    found = _proved(positions.boards[live], positions.turns[live], wanted, stop)
    part.reject("open: a limit came before the answer", int((found < 0).sum()))
    return set(live[found == 1].tolist()), live[found == 0]


def _proved(
    boards: npt.NDArray[np.int8], turns: npt.NDArray[np.int8], wanted: Wanted, stop: Stop
) -> npt.NDArray[np.int8]:
    """1 where the side has a win of some kind, 0 where it has none within the bounds, -1 where a limit came
    first."""
    solvers = Solvers(wanted, stop)
    status = batch.solve(boards, turns, "vcf", solvers.vcf_limit, threads=1, progress=stop.check)[
        "status"
    ].copy()
    if {*wanted.kinds} == {"vcf"}:
        return status
    for kind, threat_limit in (("mise-vcf", 1), ("vct", wanted.threat_limit)):
        rest = np.flatnonzero(status != 1)
        depth = wanted.depth[1] if kind == "vct" else None
        found = batch.solve(
            boards[rest],
            turns[rest],
            kind,
            solvers.vct_limit,
            depth,
            threat_limit,
            threads=1,
            progress=stop.check,
        )["status"]
        # A win of a later kind counts though an earlier kind was left open; a no must be one of all kinds.
        status[rest] = np.where(found == 1, 1, np.minimum(status[rest], found))
    return status


def _placed(puzzle: Puzzle, positions: Positions, n: int, records: list[Record]) -> Puzzle:
    """The puzzle with the place that its position is from."""
    record = records[int(positions.games[n])]
    start, ply = int(positions.starts[n]), int(positions.plies[n])
    moves = positions.lines[start : start + ply] if start >= 0 else ()
    names = "".join(Point(int(move)).name.lower() for move in moves)
    source = {
        "file": record.file,
        "row": int(positions.rows[n]),
        "game": record.id,
        "ply": ply,
        "moves": names,
    }
    return replace(puzzle, source=source)
