"""A small engine whose answers are known, and positions as the Gomocup protocol sends them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
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
