"""Records from the games of `renju.io`."""

from __future__ import annotations

from collections.abc import Generator
from typing import IO

from renju.game import Game
from renju.pipeline.records import MOST_SHOWN, BadRow, GameFacts, Record, Stones

__all__ = ["Rows", "lines_of", "place_in", "rows_of"]

Rows = Generator[Record | BadRow, None, None]


def place_in(file: IO[bytes], before: int) -> int:
    """How far a file is read; unknown of a stream."""
    try:
        return file.tell()
    except OSError:
        return before


def rows_of(path: str, row: int, game: bytes | Game, size: int, with_facts: bool = False) -> Rows:
    """A game, or the numbers of its moves, as a record; and as a bad row, if something of it was left out."""
    if isinstance(game, bytes):
        yield Record(path, row, None, game, size)
        return
    label = game.headers.get("id")
    moves = game.moves
    if game.black or game.white:
        turn = None if game.turn is None else game.turn.label
        yield Record(path, row, label, Stones([*map(str, game.black)], [*map(str, game.white)], turn), size)
    elif moves or not game.errors:
        names = ("black", "white", "date")
        told = {name: game.headers.get(name, "") for name in names}
        facts = GameFacts(**told, result=game.result) if with_facts else None
        yield Record(path, row, label, bytes(moves), size, facts)
    if game.errors:
        yield BadRow(path, row, "; ".join(map(str, game.errors))[:MOST_SHOWN])


def lines_of(path: str, game: Game, size: int) -> Rows:
    """Every line of a tree to its end, as a record; and a bad row, if something was left out."""
    moves: list[int] = []
    count = 0
    depths: list[int] = []  # by depth in the tree: how many moves there were before
    for depth, node in game.root.walk():
        del depths[depth:]
        del moves[depths[-1] if depths else 0 :]
        if node.move is not None:
            moves.append(node.move)
        depths.append(len(moves))
        if not node.children:
            count += 1
            yield Record(path, count, None, bytes(moves), size if count == 1 else 0)
    if game.errors:
        yield BadRow(path, count, "; ".join(map(str, game.errors))[:MOST_SHOWN])
