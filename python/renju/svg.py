"""Boards as SVG pictures.

Every picture is one self-contained string: no scripts, no style sheets, no references, so many of them can
share a page. It is a stack of layers; a layer is a function that turns data into elements on a `Frame`, and
elements are made by `element` and `text` alone, which escape what they are given.

>>> import renju
>>> from renju import svg
>>> picture = svg.board(renju.Board("h8 i9 g7"), size=320)
>>> picture[:4], picture.count('class="stone ')
('<svg', 3)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, TypeAlias

from renju._types import BOARD_SIZE, PASS, Color, Forbidden, Point

if TYPE_CHECKING:
    from renju._types import Outcome
    from renju.board import Board

__all__ = ["board"]

Attributes: TypeAlias = dict[str, str | float]

# Lengths. Browsers handle font sizes below 1 badly, so a cell is 100 long and not 1.
CELL = 100  # distance of two neighbouring lines
GRID = CELL * (BOARD_SIZE - 1)
LABEL_MARGIN = 125  # outside the first line on the sides with coordinates
MARGIN = 80  # outside the first line elsewhere
LABEL_OFFSET = 80  # from the first line to the middle of a coordinate
LABEL_SIZE = 37
LINE_WIDTH = 3.2
EDGE_WIDTH = 7.5
WOOD_CORNER = 20
STAR_RADIUS = 10
STONE_RADIUS = 45.5
STONE_EDGE_WIDTH = 3
SHADOW_OFFSET = 4.5  # down; half as much to the right
NUMBER_SIZES = {1: 50, 2: 46, 3: 36}  # number of digits -> font size
SMALLEST_NUMBER_SIZE = 27  # for more digits: long records with many passes
LAST_MOVE_RADIUS = 37.5
LAST_MOVE_WIDTH = 7.5
WIN_WIDTH = 113
MARK_RADIUS = 36
MARK_WIDTH = 5.5
MARK_SIZE = 42

WOOD = "#e6bb72"
WOOD_EDGE = "#b98a42"
SHADOW_OPACITY = 0.28
INK = "#5a4019"
WIN_COLOR = "#c8371b"
LAST_MOVE_COLOR = "#f0702c"
MARK_COLOR = "#a3151b"
MARK_FILL = "#fdf3e1"
FONT = "Helvetica, Arial, sans-serif"
STAR_POINTS = ("D4", "D12", "H8", "L4", "L12")


@dataclass(frozen=True)
class StoneStyle:
    """Colours of one side's stones."""

    fill: str
    edge: str
    number: str


@dataclass(frozen=True)
class MarkStyle:
    """A regular polygon with a sign in it: told apart by shape and sign, not by colour."""

    corners: int
    sign: str
    shift: float  # down, so that the sign sits in the middle of the polygon's room
    scale: float = 1.0


STONES = {
    Color.BLACK: StoneStyle(fill="#1d1b1a", edge="#000000", number="#ffffff"),
    Color.WHITE: StoneStyle(fill="#fbf9f4", edge="#6d6455", number="#16130f"),
}
MARKS = {
    Forbidden.DOUBLE_THREE: MarkStyle(corners=3, sign="3", shift=7, scale=1.3),
    Forbidden.DOUBLE_FOUR: MarkStyle(corners=4, sign="4", shift=0, scale=1.12),
    Forbidden.OVERLINE: MarkStyle(corners=6, sign="6", shift=0),
}


@dataclass(frozen=True)
class Frame:
    """Where points are in the picture, measured from its upper left corner."""

    coordinates: bool

    @property
    def left(self) -> float:
        return LABEL_MARGIN if self.coordinates else MARGIN

    @property
    def first(self) -> float:
        """Height of row 15, the uppermost."""
        return MARGIN

    @property
    def last(self) -> float:
        """Height of row 1, the lowest."""
        return self.first + GRID

    @property
    def right(self) -> float:
        return self.left + GRID

    @property
    def extent(self) -> float:
        """Width and height of the picture."""
        return self.right + MARGIN

    def center(self, point: Point) -> tuple[float, float]:
        return self.left + CELL * point.x, self.last - CELL * point.y


def board(
    board: Board,
    *,
    size: float = 480,
    numbers: bool = True,
    last_move: bool = True,
    forbidden: bool = True,
    coordinates: bool = True,
) -> str:
    """Draw a board; `size` is the width and height in pixels.

    Played stones carry their move number (passes count), set-up stones carry none. The last stone has a
    ring, the winning stones of a finished game share a band, and black's forbidden points are polygons: a
    triangle with 3 is a double-three, a square with 4 a double-four, a hexagon with 6 an overline.
    Pointing at a stone or a mark shows what it is. The same position always gives the same text.

    >>> import renju
    >>> from renju import svg
    >>> picture = svg.board(renju.Board.from_stones(["F8", "G8", "H9", "H10"], [], turn=renju.BLACK))
    >>> "<title>H8: double-three</title>" in picture
    True
    >>> svg.board(renju.Board(), size=0)
    Traceback (most recent call last):
    ValueError: size must be a positive number of pixels, got 0
    """
    if not 0 < size < math.inf:
        raise ValueError(f"size must be a positive number of pixels, got {size!r}")
    frame = Frame(coordinates)
    stones = board.stones
    played = _move_numbers(board.moves, stones)
    fouls = board.forbidden_points() if forbidden else {}
    outcome = board.outcome
    layers = [
        draw_wood(frame),
        draw_grid(frame),
        draw_coordinates(frame) if coordinates else "",
        draw_win(frame, outcome.line if outcome else ()),
        draw_stones(frame, stones, played),
        draw_numbers(frame, stones, played) if numbers else "",
        draw_last_move(frame, board.moves) if last_move else "",
        draw_forbidden(frame, fouls),
    ]
    return document(frame, size, describe(board.turn, stones, board.moves, outcome, fouls), layers)


def describe(
    turn: Color,
    stones: Mapping[Point, Color],
    moves: Sequence[Point],
    outcome: Outcome | None,
    fouls: Mapping[Point, Forbidden],
) -> str:
    """The picture in words."""
    parts = [f"Renju board with {len(stones)} stone{'' if len(stones) == 1 else 's'}"]
    if moves:
        parts.append(f"last move {moves[-1].name}")
    parts.append(f"{turn.label} to move" if outcome is None else _result(outcome))
    if fouls:
        parts.append("forbidden for black: " + ", ".join(_foul(*item) for item in sorted(fouls.items())))
    return "; ".join(parts)


def element(name: str, *children: str, **attributes: str | float) -> str:
    """One SVG element. In attribute names `_` stands for `-`; a final `_` is dropped (``class_``)."""
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    opening = name + "".join(f' {key}="{escape(_value(value))}"' for key, value in pairs)
    content = "".join(children)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def text(content: str) -> str:
    """Plain text as the child of an element."""
    return escape(content, quote=False)


def document(frame: Frame, size: float, description: str, layers: Iterable[str]) -> str:
    """The whole picture: layers, the lowest first, with a description for those who cannot see it."""
    length = f"{size:.10g}"
    root: Attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {_value(frame.extent)} {_value(frame.extent)}",
        "width": length,
        "height": length,
        "role": "img",
        "aria_label": description,
    }
    title = element("title", text(description))
    return element("svg", title, *layers, **root)


def draw_wood(frame: Frame) -> str:
    """An opaque ground, coordinates included: the picture looks the same on light and dark pages."""
    inset = EDGE_WIDTH / 2
    side = frame.extent - EDGE_WIDTH
    style: Attributes = {"fill": WOOD, "stroke": WOOD_EDGE, "stroke_width": EDGE_WIDTH}
    return element("rect", class_="wood", x=inset, y=inset, width=side, height=side, rx=WOOD_CORNER, **style)


def draw_grid(frame: Frame) -> str:
    x, y = frame.left, frame.first
    offsets = range(CELL, GRID, CELL)
    rows = "".join(f"M{_value(x)} {_value(y + offset)}h{GRID}" for offset in offsets)
    columns = "".join(f"M{_value(x + offset)} {_value(y)}v{GRID}" for offset in offsets)
    lines = element("path", d=rows + columns, stroke_width=LINE_WIDTH)
    edge = element("rect", x=x, y=y, width=GRID, height=GRID, stroke_width=EDGE_WIDTH)
    centers = [frame.center(Point(name)) for name in STAR_POINTS]
    stars = [_circle(*center, STAR_RADIUS, fill=INK, stroke="none") for center in centers]
    return element("g", lines, edge, *stars, class_="grid", fill="none", stroke=INK)


def draw_coordinates(frame: Frame) -> str:
    labels = []
    for i in range(BOARD_SIZE):
        corner = Point((i, i))  # A1, B2, ...: one column and one row each
        x, y = frame.center(corner)
        column, row = corner.name[0], corner.name[1:]
        labels.append(_label(x, frame.last + LABEL_OFFSET, column, LABEL_SIZE, INK))
        labels.append(_label(frame.left - LABEL_OFFSET, y, row, LABEL_SIZE, INK))
    return _text_group("coordinates", labels, pointer_events="none")


def draw_win(frame: Frame, line: Sequence[Point]) -> str:
    """A band below the winning stones."""
    if not line:
        return ""
    (x1, y1), (x2, y2) = frame.center(min(line)), frame.center(max(line))
    ends: Attributes = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    style: Attributes = {"stroke": WIN_COLOR, "stroke_width": WIN_WIDTH, "stroke_linecap": "round"}
    return element("line", class_="win", **ends, **style)


def draw_stones(frame: Frame, stones: Mapping[Point, Color], played: Mapping[Point, int]) -> str:
    drawn = []
    for point, color in stones.items():
        style = STONES[color]
        name = f"{point.name}: {color.label}" + (f" {played[point]}" if point in played else "")
        x, y = frame.center(point)
        title = element("title", text(name))
        shadow = _circle(x + SHADOW_OFFSET / 2, y + SHADOW_OFFSET, STONE_RADIUS, fill_opacity=SHADOW_OPACITY)
        edge: Attributes = {"stroke": style.edge, "stroke_width": STONE_EDGE_WIDTH}
        disc = _circle(x, y, STONE_RADIUS, fill=style.fill, **edge)
        drawn.append(element("g", title, shadow, disc, class_=f"stone {color.label}"))
    return element("g", *drawn, class_="stones")


def draw_numbers(frame: Frame, stones: Mapping[Point, Color], played: Mapping[Point, int]) -> str:
    labels = []
    for point, number in played.items():
        digits = str(number)
        ink = STONES[stones[point]].number
        labels.append(
            _label(*frame.center(point), digits, NUMBER_SIZES.get(len(digits), SMALLEST_NUMBER_SIZE), ink)
        )
    return _text_group("numbers", labels, pointer_events="none")  # the stones below have the tooltips


def draw_last_move(frame: Frame, moves: Sequence[Point]) -> str:
    """A ring on the stone just played; a pass leaves none."""
    if not moves or moves[-1] == PASS:
        return ""
    style: Attributes = {"fill": "none", "stroke": LAST_MOVE_COLOR, "stroke_width": LAST_MOVE_WIDTH}
    x, y = frame.center(moves[-1])
    return _circle(x, y, LAST_MOVE_RADIUS, class_="last-move", pointer_events="none", **style)


def draw_forbidden(frame: Frame, fouls: Mapping[Point, Forbidden]) -> str:
    drawn = []
    for point, kind in sorted(fouls.items()):
        style = MARKS[kind]
        x, y = frame.center(point)
        corners = _polygon(x, y + style.shift, MARK_RADIUS * style.scale, style.corners)
        outline = element("polygon", points=corners, stroke_width=MARK_WIDTH, stroke_linejoin="round")
        sign = _label(x, y + style.shift, style.sign, MARK_SIZE, MARK_COLOR, stroke="none")
        title = element("title", text(_foul(point, kind, ": ")))
        drawn.append(element("g", title, outline, sign, class_=f"forbidden {kind.label}"))
    return _text_group("fouls", drawn, fill=MARK_FILL, stroke=MARK_COLOR)


def _circle(x: float, y: float, radius: float, **style: str | float) -> str:
    return element("circle", cx=x, cy=y, r=radius, **style)


def _label(x: float, y: float, content: str, size: float, fill: str, **style: str | float) -> str:
    # dy centres digits and capitals on y; renderers disagree about dominant-baseline.
    return element("text", text(content), x=x, y=y, dy="0.36em", font_size=size, fill=fill, **style)


def _text_group(name: str, children: Sequence[str], **style: str | float) -> str:
    if not children:
        return ""
    font: Attributes = {"font_family": FONT, "font_weight": "bold", "text_anchor": "middle"}
    return element("g", *children, class_=name, **font, **style)


def _polygon(x: float, y: float, radius: float, corners: int) -> str:
    """Corners of a regular polygon that stands on a side."""
    angles = [math.pi * (0.5 + (2 * i + 1) / corners) for i in range(corners)]
    points = ((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
    return " ".join(f"{_value(px)},{_value(py)}" for px, py in points)


def _value(value: str | float) -> str:
    """Attribute text; lengths are rounded, so that the output does not depend on the machine."""
    return value if isinstance(value, str) else f"{round(value, 2):.10g}"


def _move_numbers(moves: Sequence[Point], stones: Mapping[Point, Color]) -> dict[Point, int]:
    return {point: number for number, point in enumerate(moves, start=1) if point in stones}


def _foul(point: Point, kind: Forbidden, separator: str = " ") -> str:
    return f"{point.name}{separator}{kind.label}"


def _result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return f"draw ({outcome.reason})"
    line = " " + " ".join(point.name for point in outcome.line) if outcome.line else ""
    return f"{outcome.winner.label} wins ({outcome.reason}{line})"
