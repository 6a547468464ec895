"""Records: positions with the move that was played and the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._types import BOARD_SIZE, Color
from renju.batch import Expanded, expand
from renju.batch.arrays import as_boards, bad_cells, check_rows, thread_count, turns_of, what_is_bad
from renju.batch.games import expand_moves
from renju.errors import FormatError, PositionError
from renju.lab.selfplay import POSITION_DTYPE
from renju.pipeline.inputs import Inputs
from renju.pipeline.records import BadRow, Record

__all__ = [
    "RECORD_DTYPE",
    "Records",
    "check_records",
    "from_boards",
    "from_files",
    "from_moves",
    "from_self_play",
]

RECORD_DTYPE = np.dtype(list(_native.RECORD_LAYOUT))
"""A position to learn from: black and white (225 bits each, bit n of ``np.unpackbits(…, bitorder="little")``
is the point with index n), turn (1 or 2), last (the last move and the one before it), played (the move to
learn; of both 225 is a pass and 255 no move), result (0 unknown, 1 black won, 2 white won, 3 a draw), ply
(moves made before), game (its number)."""

Records = npt.NDArray[np.void]

_NO_MOVE = 255

# Games that are played out at a time: some megabytes of positions.
_GAMES = 2_048


def from_moves(games: Iterable[str], referee: bool = True, threads: int = 0) -> Records:
    """The records of games that are texts of moves; a game that cannot be read or played is an error that
    names its index. Every position in which a move was played gives a record. `referee` and `threads` are
    those of `batch.expand`.

    >>> from renju import data
    >>> data.from_moves(["h8i9", "h8"])[["game", "ply", "turn", "played"]].tolist()
    [(0, 0, 1, 112), (0, 1, 2, 128), (1, 0, 1, 112)]
    """
    positions = expand(games, referee, threads=threads)
    for index, error in sorted(positions.errors.items())[:1]:
        raise type(error)(f"games[{index}]: {error}")
    return _of_positions(positions, 0)


def from_files(
    inputs: str | Path | Sequence[str | Path],
    *,
    moves_field: str | None = None,
    id_field: str | None = None,
    input_format: str | None = None,
    referee: bool = True,
    threads: int = 0,
    on_bad: Callable[[BadRow], object] | None = None,
) -> Iterator[Records]:
    """The records of all games of some files, in their order, a few thousand games at a time; games are
    numbered from 0 on. The inputs, `moves_field`, `id_field` and `input_format` are as for
    `renju.pipeline.run`; with `referee` off moves after a foul or a five are accepted; `threads` is the
    number of threads, 0 for one per core.

    What cannot be read, and positions without moves, are told to `on_bad`; without it the first is a
    `FormatError`.
    """
    names = [str(inputs)] if isinstance(inputs, str | Path) else [str(name) for name in inputs]
    files = Inputs(names, (moves_field, id_field), input_format)
    files.look()
    return _from_inputs(files, referee, thread_count(threads), _refuse if on_bad is None else on_bad)


def _refuse(row: BadRow) -> None:
    raise FormatError(f"{row.file}:{row.row}: {row.reason}")


def _from_inputs(
    files: Inputs, referee: bool, threads: int, on_bad: Callable[[BadRow], object]
) -> Iterator[Records]:
    taken: list[Record] = []
    first = 0
    for row in files.records():
        if isinstance(row, BadRow):
            on_bad(row)
        elif not isinstance(row.content, str | bytes):
            on_bad(BadRow(row.file, row.row, "it has stones and no moves to learn"))
        else:
            taken.append(row)
        if len(taken) == _GAMES:
            yield _played(taken, referee, threads, first, on_bad)
            first += len(taken)
            taken = []
    if taken:
        yield _played(taken, referee, threads, first, on_bad)


def _played(
    taken: list[Record], referee: bool, threads: int, first: int, on_bad: Callable[[BadRow], object]
) -> Records:
    contents = [cast("str | bytes", record.content) for record in taken]
    positions = expand_moves(contents, referee, (0, None), False, threads)
    for index, error in sorted(positions.errors.items()):
        on_bad(BadRow(taken[index].file, taken[index].row, str(error)))
    return _of_positions(positions, first)


def _of_positions(positions: Expanded, first: int) -> Records:
    """The records of positions in which a move was played; the first game has the number `first`."""
    kept = positions.played >= 0
    games, plies = positions.games[kept], positions.plies[kept].astype(np.int64)
    found = np.zeros(len(games), RECORD_DTYPE)
    _put_stones(found, positions.boards[kept])
    found["turn"], found["played"], found["ply"] = positions.turns[kept], positions.played[kept], plies
    found["result"], found["game"] = positions.results[kept], first + games
    starts = np.concatenate([[0], positions.ends[:-1]])[games] if len(games) else games
    # Of the first moves of a game those before it would be of another; what stands there does not matter.
    moves = np.concatenate([positions.moves, [_NO_MOVE]]).astype(np.uint8)
    for back in (1, 2):
        found["last"][:, back - 1] = np.where(plies >= back, moves[starts + plies - back], _NO_MOVE)
    return found


def _put_stones(found: Records, boards: npt.NDArray[Any]) -> None:
    cells = boards.reshape(len(boards), BOARD_SIZE**2)
    for name, code in (("black", 1), ("white", 2)):
        found[name] = np.packbits(cells == code, axis=1, bitorder="little")


def from_boards(boards: npt.ArrayLike, turns: npt.ArrayLike | None = None) -> Records:
    """The records of positions without a move to learn, for a network that shall judge them: `boards` is an
    array (N, 15, 15), and `turns` tells who moves; without it the counts of stones must tell. The moves
    before are not known.

    >>> import renju
    >>> from renju import data
    >>> found = data.features(data.from_boards(renju.Board("h8 i9").to_array()))
    >>> found.planes.shape, int(found.planes[0, 0, 7, 7]), int(found.policy[0])
    ((1, 19, 15, 15), 1, -1)
    """
    cells = as_boards(boards)
    for n in np.flatnonzero(bad_cells(cells).any(axis=(1, 2)))[:1].tolist():
        raise PositionError(f"boards[{n}]: {what_is_bad(cells[n])}")
    cells = np.where(cells < 0, Color.WHITE, cells).astype(np.int8)
    lead = (cells == Color.BLACK).sum(axis=(1, 2)) - (cells == Color.WHITE).sum(axis=(1, 2))
    given = turns_of(turns, len(cells))
    for n in np.flatnonzero((given == 0) & (lead != 0) & (lead != 1))[:1].tolist():
        raise ValueError(f"boards[{n}]: the stones do not tell whose turn it is; give turns")
    found = np.zeros(len(cells), RECORD_DTYPE)
    _put_stones(found, cells)
    found["turn"] = np.where(given == 0, lead + 1, given)
    found["last"] = found["played"] = _NO_MOVE
    found["ply"] = np.count_nonzero(cells, axis=(1, 2))
    return found


def from_self_play(positions: npt.NDArray[np.void]) -> Records:
    """The records of `positions`, which `renju.lab.selfplay` returned: the move to learn is the one that the
    search chose. The result is unknown where the game says nothing of the position. The moves before are not
    known.

    >>> from renju import data, lab
    >>> records = data.from_self_play(lab.selfplay(2, nodes=200, threads=1, opening_nodes=200))
    >>> sorted(set(records["game"].tolist()))
    [0, 1]
    """
    if positions.dtype != POSITION_DTYPE:
        raise TypeError(f"positions have dtype {positions.dtype}, renju.lab's POSITION_DTYPE is needed")
    found = np.zeros(len(positions), RECORD_DTYPE)
    _put_stones(found, positions["board"])
    found["turn"], found["played"], found["game"] = positions["turn"], positions["move"], positions["game"]
    found["last"] = _NO_MOVE
    found["ply"] = np.count_nonzero(positions["board"], axis=(1, 2))
    turns = positions["turn"].astype(np.int64)
    winners = np.where(positions["result"] > 0, turns, 3 - turns)
    known = np.where(positions["result"] == 0, 3, winners)
    found["result"] = np.where(positions["score_only"], 0, known)
    return found


def check_records(records: npt.ArrayLike) -> Records:
    """Records one after the other in memory; `TypeError` or `ValueError` if they are something else."""
    return check_rows(records, "records", RECORD_DTYPE, "RECORD_DTYPE")
