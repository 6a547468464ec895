"""An explorer for other programs: a RenLib library, or a table."""

from __future__ import annotations

from pathlib import Path

from renju._files import write_bytes
from renju.board import Board
from renju.errors import FormatError
from renju.explorer.asking import Explorer, Played
from renju.explorer.database import connected, facts_of, literal
from renju.game import Game, GameNode
from renju.io import lib
from renju.limits import between

__all__ = ["export"]

_MOST_NODES = 1_000_000


def export(
    path: str | Path,
    out: str | Path,
    *,
    start: Board | None = None,
    plies: int = 20,
    min_games: int = 2,
    max_nodes: int = 100_000,
) -> int:
    """Writes an explorer to a file, and returns how many moves are in it.

    To a .parquet file goes the whole table of moves; its columns are told in docs/explorer.md. To a .lib, a
    RenLib library, go the moves from `start` on (None: the empty board), up to `plies` plies, that were
    played in at least `min_games` games, with counts and results as comments: the most played first, and at
    most `max_nodes` of them.
    """
    place = Path(out)
    suffix = place.suffix.lower()
    if suffix == ".parquet":
        return _table(path, place)
    if suffix != ".lib":
        raise FormatError(f"{out}: an explorer is exported to .lib or .parquet")
    between("plies", plies, 1, 225)
    between("min_games", min_games, 1, 2**32 - 1)
    between("max_nodes", max_nodes, 1, _MOST_NODES)
    board = Board() if start is None else start
    game = Game.from_moves(board.moves)
    root = game.root
    for node in game.root.main_line():
        root = node
    with Explorer(path) as explorer:
        count = _walk(explorer, board, root, plies, min_games, max_nodes)
    write_bytes(place, lib.dumps(game))
    return count


def _table(path: str | Path, place: Path) -> int:
    new = Path(f"{place}.new")
    try:
        with connected(path, read_only=True) as connection:
            facts_of(connection, path)
            connection.execute(f"COPY moves TO {literal(str(new))} (FORMAT parquet, COMPRESSION zstd)")
            count = int(connection.execute("SELECT count(*) FROM moves").fetchone()[0])
        new.replace(place)
    finally:
        new.unlink(missing_ok=True)
    return count


def _walk(
    explorer: Explorer, board: Board, root: GameNode, plies: int, min_games: int, max_nodes: int
) -> int:
    """Adds the moves ply by ply, so that what is left out at the end is what is deepest."""
    count = 0
    level = [(board.copy(), root)]
    for _ in range(plies):
        below = []
        for position, node in level:
            for played in explorer.ask(position).moves:
                if played.games < min_games or count == max_nodes:
                    break
                count += 1
                child = node.add(played.move, _comment(played))
                after = position.copy()
                if after.push(played.move) is None:
                    below.append((after, child))
        level = below
    return count


def _comment(played: Played) -> str:
    text = f"{played.games:,} games: black {played.black:,}, white {played.white:,}, drawn {played.draws:,}"
    if played.last_year is not None:
        text += f"; last {played.last_year}"
    return f"{text}; proved {played.sure}" if played.sure else text
