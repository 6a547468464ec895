"""What the rules say of every position that the report can show: a file has no server to ask.

A position is told by the number of moves of the game before it and the moves from there on, as in
``12:H8 I9``; a line that begins like the game leaves it later. What is not in a table is not forbidden, not
the end, and no problem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from renju._types import Color
from renju.board import Board
from renju.errors import IllegalMoveError
from renju.web.facts import explained, outcome_facts
from renju.web.told import WINS

__all__ = ["board_after", "rules_of"]


def board_after(data: Mapping[str, Any], count: int) -> Board:
    """The position after `count` moves. Play beyond a five or a foul that nobody claimed goes on."""
    setup = data["setup"]
    moves = [row["move"] for row in data["moves"][:count]]
    if not (setup["black"] or setup["white"]):
        try:
            return Board(moves)
        except IllegalMoveError:
            return Board(moves, referee=False)
    board = Board.from_stones(setup["black"], setup["white"], turn=Color[setup["turn"].upper()])
    for move in moves:
        board.push(move)
    return board


def rules_of(
    data: Mapping[str, Any], tree: Sequence[Mapping[str, Any]] | None, language: str
) -> dict[str, dict[str, Any]]:
    """The tables `forbidden`, `outcomes`, `explanations` and `problems` for the game, its `tree` of
    variations (as `renju.web.trees.tree_facts` tells it) and all lines of the review, with the explanations
    in `language`. Key: a position; of an explanation the position and the point."""
    rules = _Rules(data, language)
    for count in range(len(rules.moves) + 1):
        rules.add(count, (), is_explained=True)
    for path in _paths(tree or ()):
        rules.add(0, path, is_explained=True)
    for row in data["moves"]:
        for base, line in _lines(row):
            rules.add(base, line)
    return rules.tables


class _Rules:
    def __init__(self, data: Mapping[str, Any], language: str) -> None:
        self.moves = [row["move"] for row in data["moves"]]
        self.tables: dict[str, dict[str, Any]] = {
            name: {} for name in ("forbidden", "outcomes", "explanations", "problems")
        }
        self._language = language
        self._boards = [board_after(data, count) for count in range(len(self.moves) + 1)]
        self._known: set[str] = set()

    def add(self, base: int, line: Sequence[str], is_explained: bool = False) -> None:
        """All positions of a line that begins after `base` moves of the game."""
        start = 0
        while start < len(line) and base < len(self.moves) and line[start] == self.moves[base]:
            start, base = start + 1, base + 1
        board = self._boards[base].copy()
        own = line[start:]
        for i in range(len(own) + 1):
            key = f"{base}:{' '.join(own[:i])}"
            if i:
                try:
                    board.push(own[i - 1])
                except IllegalMoveError as error:
                    self.tables["problems"][key] = str(error)
                    return
            if key not in self._known:
                self._known.add(key)
                self._tell(key, board, is_explained)

    def _tell(self, key: str, board: Board, is_explained: bool) -> None:
        if board.outcome is not None:
            self.tables["outcomes"][key] = outcome_facts(board.outcome)
        elif fouls := board.forbidden_points():
            self.tables["forbidden"][key] = {str(point): kind.label for point, kind in fouls.items()}
            for point in fouls if is_explained else ():
                why = explained(board, point)
                text = {self._language: why["texts"][self._language]}
                self.tables["explanations"][f"{key} {point}"] = why | {"texts": text}


def _paths(tree: Sequence[Mapping[str, Any]]) -> Iterator[list[str]]:
    """The moves from the root to every node that ends a line."""
    paths: list[list[str]] = []
    for node in tree:
        above = [] if node["parent"] is None else paths[node["parent"]]
        paths.append([*above, node["move"]] if "move" in node else above)
    inner = {node["parent"] for node in tree}
    yield from (path for i, path in enumerate(paths) if i not in inner)


def _lines(row: Mapping[str, Any]) -> Iterator[tuple[int, list[str]]]:
    """The lines that can be shown of a move, with the number of moves before them."""
    before, after = row["number"] - 1, row["number"]
    yield before, row["pv"]
    yield from ((before, candidate["pv"]) for candidate in row["candidates"])
    for name in WINS:
        if row[name]:
            base = after if name == "allowed" else before
            yield from ((base, line) for line in _win_lines(row[name]))


def _win_lines(win: Mapping[str, Any]) -> Iterable[list[str]]:
    return [win["line"], *(line["moves"] for line in win.get("lines", ()))]
