"""From a game to SGF."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from renju._types import BOARD_SIZE, PASS, Color, Point
from renju.game import Game, GameNode
from renju.io._common import result_of, turns
from renju.io._sgf_reader import HEADER_PROPERTY, HEADERS, OTHER_PROPERTY

__all__ = ["game_text"]

_RESULTS = {"1-0": "B+", "0-1": "W+", "1/2-1/2": "0"}
_NAME = re.compile(r"[A-Z0-9]+")
_WELL_FORMED = re.compile(r"(?:[^\]\\]++|\\.)*+", re.DOTALL)
# What is written from other places than `properties`.
_OWN = {"B", "W", "C", "LB", "MA", "AB", "AW", "PL", "GM", "FF", "CA", "SZ"}


def game_text(game: Game) -> str:
    """A game with all its variations."""
    parts = ["(;", _root(game)]
    first = turns(game)
    # A parenthesis, or a node and who moves there if nobody else is told. Not recursive: trees are deep.
    stack: list[str | tuple[GameNode, Color]] = [")\n", *_behind(game.root, first)]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        node, turn = item
        parts.append(_node(node, turn))
        if node.move is not None:
            turn = (node.color or turn).opponent
        stack += _behind(node, turn)
    return "".join(parts)


def _behind(node: GameNode, turn: Color) -> Iterator[str | tuple[GameNode, Color]]:
    """What follows a node, the last first."""
    if len(node.children) == 1:
        yield node.children[0], turn
        return
    for child in reversed(node.children):
        yield ")"
        yield child, turn
        yield "\n("


def _root(game: Game) -> str:
    text = f"GM[4]FF[4]CA[UTF-8]SZ[{BOARD_SIZE}]"
    names = {header: name for name, header in HEADERS.items()}
    headers = {name: value for name, value in game.headers.items() if value and name != "result"}
    told = game.headers.get("result", "")
    result = told if result_of(told) == game.result else _RESULTS.get(game.result, "")
    if result:
        headers["result"] = result
    for name, value in headers.items():
        known = names.get(name)
        if known is None:
            text += f"{HEADER_PROPERTY}[{_escaped(name, True)}:{_escaped(value)}]"
        else:
            text += f"{known}[{_escaped(value)}]"
    text += _list("AB", map(_point, game.black)) + _list("AW", map(_point, game.white))
    if (game.black or game.white) and game.turn is not None:
        text += "PL[B]" if game.turn is Color.BLACK else "PL[W]"
    return text + _about(game.root) + ("\n" if game.root.children else "")


def _node(node: GameNode, turn: Color) -> str:
    move = ""
    if node.move is not None:
        side = "B" if (node.color or turn) is Color.BLACK else "W"
        move = f"{side}[{'' if node.move == PASS else _point(node.move)}]"
    return f";{move}{_about(node)}"


def _about(node: GameNode) -> str:
    """All that is said of a node but its move."""
    text = f"C[{_escaped(node.comment)}]" if node.comment else ""
    kept = {name: values for name, values in node.properties.items() if values}
    labels = [f"{_point(point)}:{_escaped(label)}" for point, label in node.labels.items() if label]
    marks = [_point(point) for point, label in node.labels.items() if not label]
    text += _list("LB", [*labels, *map(_raw, kept.pop("LB", ()))])
    text += _list("MA", [*marks, *map(_raw, kept.pop("MA", ()))])
    for name, values in kept.items():
        if _NAME.fullmatch(name) and name not in _OWN:
            text += _list(name, map(_raw, values))
        else:
            text += _list(OTHER_PROPERTY, (f"{_escaped(name, True)}:{_escaped(value)}" for value in values))
    return text


def _list(name: str, values: Iterable[str]) -> str:
    text = "".join(f"[{value}]" for value in values)
    return f"{name}{text}" if text else ""


def _point(point: Point) -> str:
    return chr(ord("a") + point.x) + chr(ord("a") + BOARD_SIZE - 1 - point.y)


def _escaped(text: str, is_first_part: bool = False) -> str:
    text = text.replace("\\", "\\\\").replace("]", "\\]")
    return text.replace(":", "\\:") if is_first_part else text


def _raw(value: str) -> str:
    """A value as a file had it, which needs no escapes; else it gets them."""
    return value if _WELL_FORMED.fullmatch(value) else _escaped(value)
