"""Parts of a file of proofs as trees of moves: RenLib libraries, SGF, JSON."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from renju import io
from renju._files import write_bytes
from renju._types import PASS, Point
from renju.board import Board
from renju.errors import FormatError
from renju.game import Game, GameNode
from renju.limits import between
from renju.proofs.places import Place

if TYPE_CHECKING:
    from renju.proofs.store import ProofStore

__all__ = ["export", "to_game"]

JSON_FORMAT, JSON_VERSION = "renju-proof-tree", 1

_MOST_PLIES = 225


def to_game(store: ProofStore, board: Board | None, plies: int) -> Game:
    """A part of the proofs as a tree, which `ProofStore.to_game` describes."""
    between("plies", plies, 1, _MOST_PLIES)
    boards = _starts(store) if board is None else [board]
    game = Game(headers={"event": "sure wins of order 3"})
    written: set[Place] = set()
    nodes = [_path(game.root, start) for start in boards]
    for start, node in zip(boards, nodes, strict=True):
        _write(store, start, node, plies, written)
    if not any(node.children for node in nodes):
        raise ValueError(f"{store.path}: no proof covers {'anything' if board is None else 'the position'}")
    return game


def _starts(store: ProofStore) -> list[Board]:
    """The boards of the goals; of the proofs if there is no goal."""
    goals = [goal.place.board(goal.place.color.opponent) for goal in store.goals]
    return goals or [record.place.board() for record in store]


def _path(root: GameNode, board: Board) -> GameNode:
    """The node of a position, which is made with those before it if there is none. Stones whose order nobody
    knows are put in one, each colour in the order of the points."""
    moves = list(board.moves)
    if PASS in moves:
        raise ValueError("a position with a pass cannot be written as a tree of moves")
    if len(moves) != len(board):
        colors = [list(board.points_of(color)) for color in (1, 2)]
        if len(colors[0]) - len(colors[1]) != (board.turn == 2):
            raise ValueError("a position with a pass cannot be written as a tree of moves")
        moves = [colors[ply % 2][ply // 2] for ply in range(len(board))]
    node = root
    for move in moves:
        node = _child(node, move)
    return node


def _child(node: GameNode, move: Point) -> GameNode:
    return next((child for child in node.children if child.move == move), None) or node.add(move)


def _write(store: ProofStore, board: Board, node: GameNode, plies: int, written: set[Place]) -> None:
    """Adds what the proofs say of a position, and of those that follow, each position once."""
    stack = [(board, node, plies)]
    while stack:
        board, node, plies = stack.pop()
        place = Place.of(board, board.turn).canonical()
        if plies == 0 or board.outcome is not None or place in written:
            continue
        written.add(place)
        step = store.step(board)
        if step is None:
            replies = _known_replies(store, board)
            following = [(reply, "") for reply in replies]
        else:
            others = "any other reply loses to what it threatens" if step.replies else "wins"
            following = [(step.move, f"sure win; {others}")]
        for move, comment in following:
            child = _child(node, move)
            child.comment = comment
            after = board.copy()
            after.push(move)
            if step is None or plies == 1:
                stack.append((after, child, plies - 1))
                continue
            for reply in step.replies:
                if after.outcome is None and after.is_legal(reply):
                    reached = after.copy()
                    reached.push(reply)
                    stack.append((reached, _child(child, reply), plies - 2))


def _known_replies(store: ProofStore, board: Board) -> list[Point]:
    """The replies, with the side that loses to move, after which a proof wins at once."""
    place, images = Place.of(board, board.turn.opponent), set[Place]()
    found = []
    for reply in board.legal_moves:
        key = place.after(reply).canonical()
        if key not in images and store.is_proved(key):
            images.add(key)
            found.append(reply)
    return found


def export(store: ProofStore, path: str | os.PathLike[str], board: Board | None, plies: int) -> int:
    """Writes a part of the proofs, which `ProofStore.export` describes."""
    out = Path(path)
    game = to_game(store, board, plies)
    if out.suffix.lower() == ".json":
        facts = {"format": JSON_FORMAT, "version": JSON_VERSION, "plies": plies}
        data: str | bytes = json.dumps(facts | {"tree": _json(game.root)}) + "\n"
    else:
        form = io.format_of(str(out))
        if not {"variations", "comments"} <= form.holds:
            raise FormatError(f"{out}: {form.name} holds no variations with comments; .lib, .sgf, .json do")
        data = io.dumps(game, form.name)
    write_bytes(out, data if isinstance(data, bytes) else data.encode())
    return sum(1 for _ in game.root.walk()) - 1


def _json(node: GameNode) -> dict[str, Any]:
    """A node and all below it."""
    facts: dict[str, Any] = {} if node.move is None else {"move": str(node.move)}
    if node.comment:
        facts["comment"] = node.comment
    return facts | {"next": [_json(child) for child in node.children]} if node.children else facts
