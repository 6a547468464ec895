"""Trees of games as the page holds them: a flat list of nodes, each with the place of its parent in the list.

Nothing of a node is left out, so that a file that is opened and saved again holds what it held.
"""

from __future__ import annotations

from typing import Any

from renju._request import Fields, Object, RequestError
from renju._types import Color, Point, on_board
from renju.errors import RenjuError
from renju.game import Game, GameNode

__all__ = ["MOST_NODES", "fill_tree", "tree_facts"]

MOST_NODES = 50_000
"""Nodes of a tree that the page holds."""
# Characters of a comment, and of a label or a value of a property.
_MOST_COMMENT, _MOST_VALUE = 200_000, 10_000
_KNOWN = ("parent", "move", "color", "comment", "labels", "properties")


def tree_facts(game: Game, most: int = MOST_NODES) -> list[dict[str, Any]] | None:
    """All nodes of a game, the root first and each after its parent; None if there are more than `most`.

    >>> import renju
    >>> game = renju.Game.from_moves("h8 i9")
    >>> _ = game.root.children[0].add("g7", "another way")
    >>> for node in tree_facts(game): print(node)
    {'parent': None}
    {'parent': 0, 'move': 'H8'}
    {'parent': 1, 'move': 'I9'}
    {'parent': 1, 'move': 'G7', 'comment': 'another way'}
    """
    found: list[dict[str, Any]] = []
    waiting: list[tuple[int | None, GameNode]] = [(None, game.root)]
    while waiting:
        parent, node = waiting.pop()
        if len(found) == most:
            return None
        waiting += [(len(found), child) for child in reversed(node.children)]
        found.append({"parent": parent, **_facts(node)})
    return found


def _facts(node: GameNode) -> dict[str, Any]:
    facts = {
        "move": None if node.move is None else str(node.move),
        "color": None if node.color is None else node.color.label,
        "comment": node.comment,
        "labels": {str(point): text for point, text in node.labels.items()},
        "properties": node.properties,
    }
    return {name: value for name, value in facts.items() if value}


def fill_tree(game: Game, tree: Any) -> None:
    """Gives a game the tree of such a list; `RequestError` names the node that is wrong."""
    if not isinstance(tree, list) or not tree:
        raise RequestError("tree is a list of nodes that begins with the root", "tree")
    if len(tree) > MOST_NODES:
        raise RequestError(f"tree has more than {MOST_NODES:,} nodes", "tree")
    made: list[GameNode] = []
    for number, value in enumerate(tree):
        path = f"tree.{number}"
        if not isinstance(value, Object):
            raise RequestError("a node is an object", path)
        fields = Fields(value, _KNOWN, f"{path}.")
        try:
            node = _node(fields)
        except RenjuError as error:
            raise RequestError(f"node {number}: {error}", path) from None
        if number == 0:
            game.root = node
        else:
            parent = fields.integer("parent")
            if parent is None or not 0 <= parent < number:
                raise RequestError(f"the parent of node {number} is a number below {number}", path)
            made[parent].children.append(node)
        made.append(node)


def _node(fields: Fields) -> GameNode:
    move = fields.text("move", 10)
    color = fields.one_of("color", (color.label for color in Color))
    labels, properties = fields.object("labels"), fields.object("properties")
    return GameNode(
        move=Point(move) if move else None,
        color=None if color is None else Color[color.upper()],
        comment=fields.text("comment", _MOST_COMMENT),
        labels={on_board(point): labels.text(point, _MOST_VALUE) for point in labels},
        properties={name: _values(properties, name) for name in properties},
    )


def _values(properties: Fields, name: str) -> list[str]:
    values = properties.any(name)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise RequestError("a property is a list of texts", properties.path(name))
    return list(values)
