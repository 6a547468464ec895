"""Layers of a position: the board, its stones and marks. A layer turns data into elements on a `Frame`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from renju._types import BOARD_SIZE, PASS, Color, Forbidden, Outcome, Point
from renju.svg.parts import (
    Attributes,
    Frame,
    circle,
    element,
    fitting_size,
    label,
    number,
    polygon,
    text,
    text_group,
)
from renju.svg.style import (
    CELL,
    EDGE_WIDTH,
    GRID,
    INK,
    LABEL_OFFSET,
    LABEL_SIZE,
    LAST_MOVE_COLOR,
    LAST_MOVE_RADIUS,
    LAST_MOVE_WIDTH,
    LINE_WIDTH,
    MARK_COLOR,
    MARK_FILL,
    MARK_RADIUS,
    MARK_SIZE,
    MARK_WIDTH,
    MARKS,
    NUMBER_SIZES,
    SHADOW_OFFSET,
    SHADOW_OPACITY,
    SMALLEST_NUMBER_SIZE,
    STAR_POINTS,
    STAR_RADIUS,
    STONE_EDGE_WIDTH,
    STONE_RADIUS,
    STONES,
    WIN_COLOR,
    WIN_WIDTH,
    WOOD,
    WOOD_CORNER,
    WOOD_EDGE,
)

__all__ = [
    "describe",
    "draw_coordinates",
    "draw_forbidden",
    "draw_grid",
    "draw_last_move",
    "draw_numbers",
    "draw_stones",
    "draw_win",
    "draw_wood",
    "number_label",
    "result_text",
]


def describe(
    turn: Color,
    stones: Mapping[Point, Color],
    moves: Sequence[Point],
    outcome: Outcome | None,
    fouls: Mapping[Point, Forbidden],
) -> str:
    """The position in words."""
    parts = [f"Renju board with {len(stones)} stone{'' if len(stones) == 1 else 's'}"]
    if moves:
        parts.append(f"last move {moves[-1].name}")
    parts.append(f"{turn.label} to move" if outcome is None else result_text(outcome))
    if fouls:
        parts.append("forbidden for black: " + ", ".join(_foul(*item) for item in sorted(fouls.items())))
    return "; ".join(parts)


def draw_wood(frame: Frame) -> str:
    """An opaque ground, coordinates included: the picture looks the same on light and dark pages."""
    inset = EDGE_WIDTH / 2
    side = frame.extent - EDGE_WIDTH
    style: Attributes = {"fill": WOOD, "stroke": WOOD_EDGE, "stroke_width": EDGE_WIDTH}
    return element("rect", class_="wood", x=inset, y=inset, width=side, height=side, rx=WOOD_CORNER, **style)


def draw_grid(frame: Frame) -> str:
    x, y = frame.left, frame.first
    offsets = range(CELL, GRID, CELL)
    rows = "".join(f"M{number(x)} {number(y + offset)}h{GRID}" for offset in offsets)
    columns = "".join(f"M{number(x + offset)} {number(y)}v{GRID}" for offset in offsets)
    lines = element("path", d=rows + columns, stroke_width=LINE_WIDTH)
    edge = element("rect", x=x, y=y, width=GRID, height=GRID, stroke_width=EDGE_WIDTH)
    centers = [frame.center(Point(name)) for name in STAR_POINTS]
    stars = [circle(*center, STAR_RADIUS, fill=INK, stroke="none") for center in centers]
    # Nothing to point at: below the lines a heat map may have tooltips.
    return element("g", lines, edge, *stars, class_="grid", fill="none", stroke=INK, pointer_events="none")


def draw_coordinates(frame: Frame) -> str:
    labels = []
    for i in range(BOARD_SIZE):
        corner = Point((i, i))  # A1, B2, ...: one column and one row each
        x, y = frame.center(corner)
        column, row = corner.name[0], corner.name[1:]
        labels.append(label(x, frame.last + LABEL_OFFSET, column, LABEL_SIZE, INK))
        labels.append(label(frame.left - LABEL_OFFSET, y, row, LABEL_SIZE, INK))
    return text_group("coordinates", labels, pointer_events="none")


def draw_win(frame: Frame, line: Sequence[Point], **style: str | float) -> str:
    """A band below the winning stones."""
    if not line:
        return ""
    (x1, y1), (x2, y2) = frame.center(min(line)), frame.center(max(line))
    band: Attributes = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": WIN_COLOR}
    return element("line", class_="win", **band, stroke_width=WIN_WIDTH, stroke_linecap="round", **style)


def draw_stones(frame: Frame, stones: Mapping[Point, Color], played: Mapping[Point, int]) -> str:
    drawn = []
    for point, color in stones.items():
        style = STONES[color]
        name = f"{point.name}: {color.label}" + (f" {played[point]}" if point in played else "")
        x, y = frame.center(point)
        title = element("title", text(name))
        shadow = circle(x + SHADOW_OFFSET / 2, y + SHADOW_OFFSET, STONE_RADIUS, fill_opacity=SHADOW_OPACITY)
        edge: Attributes = {"stroke": style.edge, "stroke_width": STONE_EDGE_WIDTH}
        disc = circle(x, y, STONE_RADIUS, fill=style.fill, **edge)
        drawn.append(element("g", title, shadow, disc, class_=f"stone {color.label}"))
    return element("g", *drawn, class_="stones")


def draw_numbers(
    frame: Frame,
    stones: Mapping[Point, Color],
    played: Mapping[Point, int],
    without: Collection[Point] = (),
) -> str:
    """The numbers of the moves; stones that carry something else have none."""
    labels = []
    for point, count in played.items():
        if point not in without:
            labels.append(number_label(frame, point, count, STONES[stones[point]].number))
    return text_group("numbers", labels, pointer_events="none")  # the stones below have the tooltips


def number_label(frame: Frame, point: Point, count: int, ink: str) -> str:
    digits = str(count)
    size = NUMBER_SIZES.get(len(digits), SMALLEST_NUMBER_SIZE)
    return label(*frame.center(point), digits, size, ink)


def draw_last_move(frame: Frame, moves: Sequence[Point]) -> str:
    """A ring on the stone just played; a pass leaves none."""
    if not moves or moves[-1] == PASS:
        return ""
    style: Attributes = {"fill": "none", "stroke": LAST_MOVE_COLOR, "stroke_width": LAST_MOVE_WIDTH}
    x, y = frame.center(moves[-1])
    return circle(x, y, LAST_MOVE_RADIUS, class_="last-move", pointer_events="none", **style)


def draw_forbidden(
    frame: Frame, fouls: Mapping[Point, Forbidden], signs: Mapping[Point, str] | None = None
) -> str:
    """Polygons with the sign of their kind, or with another sign that is wanted there."""
    drawn = []
    for point, kind in sorted(fouls.items()):
        style = MARKS[kind]
        x, y = frame.center(point)
        corners = polygon(x, y + style.shift, MARK_RADIUS * style.scale, style.corners)
        outline = element("polygon", points=corners, stroke_width=MARK_WIDTH, stroke_linejoin="round")
        wanted = (signs or {}).get(point, "")
        size = min(MARK_SIZE, fitting_size(wanted, MARK_SIZE)) if wanted else MARK_SIZE
        sign = label(x, y + style.shift, wanted or style.sign, size, MARK_COLOR, stroke="none")
        title = element("title", text(_foul(point, kind, ": ")))
        drawn.append(element("g", title, outline, sign, class_=f"forbidden {kind.label}"))
    return text_group("fouls", drawn, fill=MARK_FILL, stroke=MARK_COLOR)


def result_text(outcome: Outcome) -> str:
    if outcome.winner is None:
        return f"draw ({outcome.reason})"
    line = " " + " ".join(point.name for point in outcome.line) if outcome.line else ""
    return f"{outcome.winner.label} wins ({outcome.reason}{line})"


def _foul(point: Point, kind: Forbidden, separator: str = " ") -> str:
    return f"{point.name}{separator}{kind.label}"
