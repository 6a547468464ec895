"""A small engine and a program whose answers are known, and positions as the Gomocup protocol sends them."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from renju import Board, Limit, Point
from renju.protocol import wire
from support.processes import RENJU
from support.waiting import PATIENCE_S

COMMAND = [*RENJU, "gomocup"]
# A limit that a search only comes under when it is stopped.
LONG_MS = round(10_000 * PATIENCE_S)


def rows(moves: str) -> list[str]:
    """The rows of BOARD for the side to move."""
    return wire.stone_rows(Board(moves))


def board_command(moves: str, command: str = "BOARD") -> str:
    return "\n".join([command, *rows(moves), "DONE"])


@dataclass
class Result:
    move: Point
    score: int = 12
    win_in: int | None = None
    depth: int = 3
    seldepth: int = 5
    nodes: int = 100
    time: float = 0.25
    pv: list[Point] = field(default_factory=list)
    candidates: list["Result"] = field(default_factory=list)


class SmallEngine:
    """Plays the first legal point from A1 on; with `is_slow` only when it is stopped or its time is up."""

    def __init__(self, is_slow: bool = False, results: Callable[[Board], Result] | None = None) -> None:
        self.is_slow = is_slow
        self.results = results or (lambda board: Result(board.legal_moves[0], pv=[*board.legal_moves[:2]]))
        self.sizes: list[tuple[int, int]] = []
        self.limits: list[Limit | None] = []
        self.boards: list[Board] = []
        self.cleared = 0
        self.started, self.stopped = Event(), Event()

    def __call__(self, *, threads: int, hash_mb: int) -> "SmallEngine":
        self.sizes.append((threads, hash_mb))
        return self

    def best_move(self, board: Board, limit: Limit | None = None) -> Result:
        self.boards.append(board)
        self.limits.append(limit)
        self.stopped.clear()
        self.started.set()
        if self.is_slow:
            assert limit is not None
            self.stopped.wait(limit.time)
        return self.results(board)

    def analyse(self, board: Board, limit: Limit | None = None, multipv: int = 5) -> Result:
        result = self.best_move(board, limit)
        result.candidates = [
            Result(point, score=-n, pv=[point]) for n, point in enumerate(board.legal_moves[:multipv])
        ]
        return result

    def stream(self, board: Board, limit: Limit | None = None, play: bool = False) -> Iterator[Result]:
        assert play
        yield self.results(board)
        yield self.best_move(board, limit)

    def stop(self) -> None:
        self.stopped.set()

    def clear(self) -> None:
        self.cleared += 1


# A brain that plays from A1 on and writes down what it is told. What it does besides stands in braces.
BRAIN = """
import os, sys, time
log = open(sys.argv[1], "a")
taken = set()
def move():
    {move}
    point = next((x, y) for y in range(14, -1, -1) for x in range(15) if (x, y) not in taken)
    taken.add(point)
    print("MESSAGE thinking")
    print("%d,%d" % point, flush=True)
for line in sys.stdin:
    line = line.strip()
    print(line, file=log, flush=True)
    word, _, rest = line.partition(" ")
    if word == "START":
        {start}
        print("OK", flush=True)
    elif word == "RESTART":
        taken.clear()
        {restart}
        print("OK", flush=True)
    elif word == "ABOUT":
        print('name="brain"', flush=True)
    elif word == "TURN":
        taken.add(tuple(map(int, rest.split(","))))
        move()
    elif line.count(",") == 2:
        taken.add(tuple(map(int, line.split(",")[:2])))
    elif word in ("BEGIN", "DONE"):
        move()
    elif word == "PLAY":
        print(rest, flush=True)
    elif word == "END":
        break
"""


class Brain:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.log = folder / "log.txt"

    def command(self, move: str = "", start: str = "", restart: str = "") -> list[str | Path]:
        script = self._folder / "brain.py"
        script.write_text(
            BRAIN.replace("{move}", move or "pass")
            .replace("{start}", start or "pass")
            .replace("{restart}", restart or "pass")
        )
        return [sys.executable, script, self.log]

    def told(self) -> list[str]:
        """What it was told, without INFO and END."""
        lines = self.log.read_text().splitlines()
        return [line for line in lines if not line.startswith(("INFO", "END"))]

    def info(self) -> list[str]:
        return [line[5:] for line in self.log.read_text().splitlines() if line.startswith("INFO")]
