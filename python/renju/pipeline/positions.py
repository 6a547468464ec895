"""From records to positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import Board, Color, Point, batch
from renju._native import parse_moves
from renju.batch import Boards
from renju.errors import RenjuError
from renju.openings import classify
from renju.pipeline.readers import BadRow, Record, Stones
from renju.pipeline.spec import Spec

__all__ = ["OUTCOMES", "Positions", "positions_of"]

# What the outcome codes of `batch.expand` say; 0 is "not over".
OUTCOMES = ("black", "white", "draw")
DRAW = OUTCOMES.index("draw") + 1

_ARRAYS = ("boards", "turns", "games", "rows", "plies", "played", "outcomes", "results")
_NO_MOVE = -1
_NAMES = [Point(i).name.lower() for i in range(225)] + ["--"]


@dataclass
class Positions:
    """Positions and where they come from; all but `games` have an entry for each position."""

    boards: Boards
    turns: npt.NDArray[np.int8]
    games: npt.NDArray[np.int64]
    """The index of the record; all positions of one are neighbours, in order of play."""
    rows: npt.NDArray[np.int64]
    """Line or row of the file."""
    plies: npt.NDArray[np.int64]
    played: npt.NDArray[np.int16]
    outcomes: npt.NDArray[np.int8]
    results: npt.NDArray[np.int8]
    """The outcome of the whole record."""
    moves: list[str | None]
    """The record so far; unknown for boards and stones."""
    openings: dict[int, str | None]
    """The code of each game's opening, by its index; boards and stones have no entry."""

    def __len__(self) -> int:
        return len(self.turns)

    def keep(self, which: npt.NDArray[Any]) -> Positions:
        """These positions alone, in this order."""
        arrays = {name: getattr(self, name)[which] for name in _ARRAYS}
        return Positions(**arrays, moves=[self.moves[n] for n in which.tolist()], openings=self.openings)


def positions_of(records: Sequence[Record], spec: Spec) -> tuple[Positions, list[BadRow]]:
    """All positions of these records that the spec asks for, and the rows that have none, with the reason."""
    parts: list[Positions] = []
    bad: list[BadRow] = []
    texts = [n for n, record in enumerate(records) if isinstance(record.content, str)]
    if texts:
        parts.append(_of_games(records, texts, spec, bad))
    for n, record in enumerate(records):
        if isinstance(record.content, Stones):
            parts += _of_stones(n, record, record.content, bad)
        elif not isinstance(record.content, str):
            parts.append(_of_boards(n, record, record.content, bad))
    if not parts:
        return _of_games(records, [], spec, bad), bad
    positions = _joined(parts)
    bad.sort(key=lambda row: (row.file, row.row))
    return positions, bad


def _of_games(records: Sequence[Record], which: list[int], spec: Spec, bad: list[BadRow]) -> Positions:
    texts = [str(records[n].content) for n in which]
    found = batch.expand(texts, spec.referee, spec.plies, spec.only_last)
    for index, error in found.errors.items():
        record = records[which[index]]
        bad.append(BadRow(record.file, record.row, str(error), texts[index]))
    moves: list[str | None] = []
    openings: dict[int, str | None] = {}
    plies_of = dict(_runs(found.games, found.plies))
    for game, text in enumerate(texts):
        if game in found.errors:
            continue
        points = parse_moves(text)
        names = [_NAMES[point] for point in points]
        compact = "".join(names)
        ends = np.cumsum([0, *map(len, names)]).tolist()
        moves += [compact[: ends[ply]] for ply in plies_of.get(game, ())]
        openings[which[game]] = _opening(tuple(points[:3]))
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
        moves,
        openings,
    )


@lru_cache(maxsize=1 << 14)
def _opening(points: tuple[int, ...]) -> str | None:
    """The code of the opening that begins so."""
    opening = classify(Board(points)) if len(points) == 3 else None
    return None if opening is None else opening.code


def _runs(games: npt.NDArray[np.int64], plies: npt.NDArray[Any]) -> list[tuple[int, list[int]]]:
    """The plies of each game."""
    if not len(games):
        return []
    starts = np.flatnonzero(np.diff(games, prepend=-1))
    parts = np.split(plies, starts[1:])
    return [(game, part.tolist()) for game, part in zip(games[starts].tolist(), parts, strict=True)]


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
    codes = boards.astype(np.int64)  # 255 of a uint8 must not become -1
    codes[codes == -1] = Color.WHITE
    is_bad = ((codes < 0) | (codes > Color.WHITE)).any(axis=(1, 2))
    black, white = ((codes == color).sum(axis=(1, 2)) for color in Color)
    is_unclear = (black != white) & (black != white + 1)
    rows = record.row + np.arange(len(codes))
    for i in np.flatnonzero(is_bad | is_unclear).tolist():
        if is_bad[i]:
            y, x = np.argwhere((codes[i] < 0) | (codes[i] > Color.WHITE))[0].tolist()
            reason = f"{Point((x, y))} (y={y}, x={x}) holds {codes[i, y, x]}, not 0, 1, 2 or -1"
        else:
            reason = f"{black[i]} black and {white[i]} white stones do not tell whose turn it is"
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
        [None] * count,
        {},
    )


def _joined(parts: list[Positions]) -> Positions:
    if len(parts) == 1:
        return parts[0]
    arrays = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _ARRAYS}
    moves = [text for part in parts for text in part.moves]
    openings = {game: code for part in parts for game, code in part.openings.items()}
    whole = Positions(**arrays, moves=moves, openings=openings)
    order = np.argsort(whole.games, kind="stable")
    return whole.keep(order)
