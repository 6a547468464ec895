"""From records to positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import Board, Color, _native, batch
from renju.batch import Boards
from renju.batch.arrays import bad_cells, what_is_bad
from renju.batch.games import expand_moves
from renju.errors import RenjuError
from renju.openings import classify
from renju.pipeline.columns import POINT_NAMES
from renju.pipeline.readers import BadRow, Record, Stones
from renju.pipeline.spec import Spec

__all__ = ["OUTCOMES", "Positions", "positions_of"]

# What the outcome codes of `batch.expand` say; 0 is "not over".
OUTCOMES = ("black", "white", "draw")
DRAW = OUTCOMES.index("draw") + 1

_ARRAYS = ("boards", "turns", "games", "rows", "plies", "played", "outcomes", "results", "starts")
_NO_MOVE = -1


@dataclass
class Positions:
    """Positions and where they come from; all but `lines` and `openings` have an entry for each position."""

    boards: Boards
    """The stones of each position."""
    turns: npt.NDArray[np.int8]
    """Who moves there, 1 or 2."""
    games: npt.NDArray[np.int64]
    """The index of the record; all positions of one are neighbours, in order of play."""
    rows: npt.NDArray[np.int64]
    """Line or row of the file."""
    plies: npt.NDArray[np.int64]
    """Moves made before the position; the number of stones for boards and stones."""
    played: npt.NDArray[np.int16]
    """The move made there, 225 for a pass, -1 where there is none."""
    outcomes: npt.NDArray[np.int8]
    """0 while the game goes on, else the place in `OUTCOMES`, counted from 1."""
    results: npt.NDArray[np.int8]
    """The outcome of the whole record."""
    starts: npt.NDArray[np.int64]
    """Where in `lines` the moves begin that led here; -1 for boards and stones."""
    lines: npt.NDArray[np.uint8]
    """The moves of all games."""
    openings: dict[int, str | None]
    """The code of each game's opening, by its index; boards and stones have no entry."""

    def __len__(self) -> int:
        return len(self.turns)

    def keep(self, which: npt.NDArray[Any]) -> Positions:
        """These positions alone, in this order."""
        arrays = {name: getattr(self, name)[which] for name in _ARRAYS}
        return Positions(**arrays, lines=self.lines, openings=self.openings)


def positions_of(
    records: Sequence[Record], spec: Spec, with_openings: bool = True
) -> tuple[Positions, list[BadRow]]:
    """All positions of these records that the spec asks for, and the rows that have none, with the reason.
    Without openings `Positions.openings` is empty."""
    parts: list[Positions] = []
    bad: list[BadRow] = []
    games = [n for n, record in enumerate(records) if isinstance(record.content, str | bytes)]
    if games:
        parts.append(_of_games(records, games, spec, bad, with_openings))
    for n, record in enumerate(records):
        if isinstance(record.content, Stones):
            parts += _of_stones(n, record, record.content, bad)
        elif isinstance(record.content, np.ndarray):
            parts.append(_of_boards(n, record, record.content, bad))
    if not parts:
        return _of_games(records, [], spec, bad, with_openings), bad
    positions = _joined(parts)
    bad.sort(key=lambda row: (row.file, row.row))
    return positions, bad


def _of_games(
    records: Sequence[Record], which: list[int], spec: Spec, bad: list[BadRow], with_openings: bool
) -> Positions:
    contents = [content for n in which if isinstance(content := records[n].content, str | bytes)]
    found = expand_moves(contents, spec.referee, spec.plies, spec.only_last, threads=1)
    for index, error in found.errors.items():
        record, content = records[which[index]], contents[index]
        text = content if isinstance(content, str) else " ".join(POINT_NAMES[move] for move in content)
        bad.append(BadRow(record.file, record.row, str(error), text))
    moves, starts = found.moves.tobytes(), np.concatenate([[0], found.ends[:-1]])[: len(which)]
    openings = {
        which[game]: _opening(moves[start : min(start + 3, end)])
        for game, (start, end) in enumerate(zip(starts.tolist(), found.ends.tolist(), strict=True))
        if with_openings and game not in found.errors
    }
    games = np.array(which, np.int64)[found.games] if len(found.games) else found.games
    rows = np.array([record.row for record in records], np.int64)[games] if len(games) else games
    return Positions(
        found.boards,
        found.turns,
        games,
        rows,
        found.plies.astype(np.int64),
        found.played,
        found.outcomes,
        found.results,
        starts[found.games],
        found.moves,
        openings,
    )


@lru_cache(maxsize=1 << 14)
def _opening(moves: bytes) -> str | None:
    """The code of the opening that begins so."""
    opening = classify(moves) if len(moves) == 3 and _native.PASS not in moves else None
    return None if opening is None else opening.code


def _of_stones(n: int, record: Record, stones: Stones, bad: list[BadRow]) -> list[Positions]:
    try:
        board = Board.from_stones(_points(stones.black), _points(stones.white), turn=_color(stones.turn))
    except (RenjuError, TypeError, ValueError) as error:
        text = f"black {stones.black} white {stones.white} turn {stones.turn}"
        reason = f"black and white are no stones: {error} (--column names a column of moves)"
        bad.append(BadRow(record.file, record.row, reason, text))
        return []
    boards = board.to_array()[None]
    return [_bare(boards, np.array([board.turn], np.int8), n, np.array([record.row]))]


def _points(value: Any) -> Any:
    if isinstance(value, str | list | tuple):
        return value
    raise TypeError(f"stones are a text or a list of points, not {type(value).__name__}")


def _color(value: Any) -> Color | None:
    if value is None:
        return None
    known = {str(color.label): color for color in Color} | {str(int(color)): color for color in Color}
    color = known.get(str(value).lower())
    if color is None:
        raise ValueError(f"turn is black or white, not {value!r}")
    return color


def _of_boards(n: int, record: Record, boards: Any, bad: list[BadRow]) -> Positions:
    is_bad: Any = bad_cells(boards).any(axis=(1, 2))
    codes: npt.NDArray[Any] = np.where(boards == -1, np.int8(Color.WHITE), boards)
    black, white = ((codes == color).sum(axis=(1, 2)) for color in Color)
    is_unclear = (black != white) & (black != white + 1)
    rows = record.row + np.arange(len(codes))
    for i in np.flatnonzero(is_bad | is_unclear).tolist():
        reason = what_is_bad(boards[i]) if is_bad[i] else _native.unclear_turn(int(black[i]), int(white[i]))
        bad.append(BadRow(record.file, int(rows[i]), reason))
    good = ~(is_bad | is_unclear)
    turns = np.where(black == white, Color.BLACK, Color.WHITE).astype(np.int8)
    return _bare(codes[good].astype(np.int8), turns[good], n, rows[good])


def _bare(boards: Boards, turns: npt.NDArray[np.int8], n: int, rows: npt.NDArray[Any]) -> Positions:
    """Positions without a history."""
    count = len(boards)
    stones = np.count_nonzero(boards, axis=(1, 2))
    outcomes = batch.winners(boards, threads=1)
    outcomes[(outcomes == 0) & (stones == boards[0].size if count else 0)] = DRAW
    played = np.full(count, _NO_MOVE, np.int16)
    return Positions(
        boards,
        turns,
        np.full(count, n),
        rows.astype(np.int64),
        stones,
        played,
        outcomes,
        outcomes,
        np.full(count, -1, np.int64),
        np.zeros(0, np.uint8),
        {},
    )


def _joined(parts: list[Positions]) -> Positions:
    if len(parts) == 1:
        return parts[0]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _ARRAYS}
    games = parts[0]  # if there are any, all of them; else this has no moves
    whole = Positions(**arrays, lines=games.lines, openings=games.openings)
    order = np.argsort(whole.games, kind="stable")
    return whole.keep(order)
