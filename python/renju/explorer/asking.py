"""Questions to an explorer: what was played in a position, how often, by whom, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from renju import batch
from renju._types import PASS, Color, Point
from renju.board import Board
from renju.explorer.building import Report, report_of
from renju.explorer.database import connected, facts_of

__all__ = ["Explorer", "Played", "Position"]

_ASK = """
SELECT move, after, games, black, white, draws, last, score, sure FROM moves WHERE key = ?
ORDER BY games DESC, after"""

_GAME = "SELECT game, black, white, id, file, row_number FROM games WHERE game IN ({})"
_YEAR_BITS = 32


@dataclass(frozen=True)
class Played:
    """A move that was played in a position. Moves that lead to images of the same position are one."""

    move: Point
    """The point on the board that was asked about, or a pass."""
    games: int
    """Games in which it was played."""
    black: int
    """Games of those that black won."""
    white: int
    """Games of those that white won."""
    draws: int
    """Games of those that were drawn; of the rest the result is unknown."""
    last_year: int | None
    """The year of the latest of the games; None if no year is known."""
    players: tuple[str, str]
    """The players of black and white in the latest of the games; empty where the file does not tell."""
    game: str
    """The id of the latest game, or its file and row if it has none."""
    score: int | None
    """The best known score for the side that moves; None if there is none."""
    sure: str | None
    """"win" or "loss" if the move is proved to win or lose, else None."""
    key: int
    """The symmetric key of the position after the move."""

    def share(self, color: Color | int) -> float | None:
        """The share of the points that a colour made after the move, draws a half; None if no result is
        known."""
        known = self.black + self.white + self.draws
        wins = self.black if Color(color) == Color.BLACK else self.white
        return (wins + self.draws / 2) / known if known else None


@dataclass(frozen=True)
class Position:
    """What an explorer knows of a position."""

    key: int
    """The symmetric key of the position."""
    turn: Color
    """The colour that moves in the position."""
    moves: tuple[Played, ...]
    """The moves that were played, the most frequent first; empty if the position is not there."""

    @property
    def games(self) -> int:
        """Games that went on from the position."""
        return sum(played.games for played in self.moves)

    def __bool__(self) -> bool:
        return bool(self.moves)

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON has it; keys are in hexadecimal digits."""
        moves = [
            asdict(played)
            | {"move": played.move.name, "key": f"{played.key:016x}", "players": list(played.players)}
            for played in self.moves
        ]
        return {"key": f"{self.key:016x}", "turn": self.turn.label, "games": self.games, "moves": moves}

    def __str__(self) -> str:
        if not self.moves:
            return "no game has this position"
        head = (
            f"{'move':<6}{'games':>9}{'black':>9}{'white':>9}{'draws':>7}{'share':>7}{'last':>6}  latest game"
        )
        lines = [head]
        for played in self.moves:
            share = played.share(self.turn)
            told = "" if share is None else f"{share:.0%}"
            year = "" if played.last_year is None else str(played.last_year)
            names = " – ".join(filter(None, played.players)) or played.game
            note = (
                f"  {played.sure}" if played.sure else "" if played.score is None else f"  {played.score:+d}"
            )
            lines.append(
                f"{played.move!s:<6}{played.games:>9,}{played.black:>9,}{played.white:>9,}{played.draws:>7,}"
                f"{told:>7}{year:>6}  {names}{note}"
            )
        return "\n".join(lines)


class Explorer:
    """A file of positions, open for questions. Use it as a context, or close it.

    >>> import renju
    >>> from pathlib import Path
    >>> from renju import explorer, samples
    >>> _ = Path("games.txt").write_text("\\n".join(samples.games()))
    >>> _ = explorer.build("games.txt", "games.duckdb", plies=(0, 20), overwrite=True)
    >>> with explorer.Explorer("games.duckdb") as games:
    ...     found = games.ask(renju.Board("h8 i9"))
    >>> found.games, str(found.moves[0].move), found.moves[0].games
    (60, 'I7', 6)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._context = connected(path, read_only=True, threads=1)  # a question reads little
        self._connection = self._context.__enter__()
        try:
            self._facts = facts_of(self._connection, path)
        except BaseException:
            self.close()
            raise

    def ask(self, board: Board) -> Position:
        """What was played in a position, or in an image of it."""
        _, symmetries = batch.canonical(board.to_array()[None], [board.turn], threads=1)
        back = int(batch.inverse(symmetries)[0])
        rows = self._connection.execute(_ASK, [board.symmetric_key]).fetchall()
        games = self._games({row[6] & (2**_YEAR_BITS - 1) for row in rows})
        moves = tuple(_played(row, back, games) for row in rows)
        return Position(board.symmetric_key, board.turn, moves)

    def _games(self, numbers: set[int]) -> dict[int, tuple[Any, ...]]:
        """The games with these numbers, by number."""
        if not numbers:
            return {}
        told = ",".join(map(str, sorted(numbers)))
        return {row[0]: row for row in self._connection.execute(_GAME.format(told)).fetchall()}

    def report(self) -> Report:
        """How many games, positions and moves there are."""
        return report_of(self._connection, self.path)

    @property
    def plan(self) -> Mapping[str, Any]:
        """What the explorer was built from, and with which settings."""
        found: Mapping[str, Any] = self._facts.get("plan", {})
        return found

    def close(self) -> None:
        """Closes the file."""
        self._context.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _played(row: tuple[Any, ...], back: int, games: Mapping[int, tuple[Any, ...]]) -> Played:
    move, after, count, black, white, draws, last, score, sure = row
    point = move if move == PASS else int(batch.transform_points(np.array([move]), back)[0])
    year, number = last >> _YEAR_BITS, last & (2**_YEAR_BITS - 1)
    _, black_name, white_name, label, file, line = games[number]
    told = {1: "win", -1: "loss"}.get(sure)
    players = (black_name or "", white_name or "")
    return Played(
        Point(point),
        count,
        black,
        white,
        draws,
        year or None,
        players,
        label or f"{file}:{line}",
        score,
        told,
        after,
    )
