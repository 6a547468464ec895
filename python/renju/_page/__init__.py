"""The board on HTML pages: what the review's report and the local page share.

The page holds `board_svg()` and the texts of board.css and board.js; the script copies the shapes that the
picture carries in its definitions, so that all looks come from `renju.svg`.

>>> from renju import _page
>>> _page.board_svg()[:4], "class RenjuBoard" in _page.asset("board.js")
('<svg', True)
"""

from __future__ import annotations

from importlib import resources
from math import sqrt

from renju import svg
from renju._types import BOARD_SIZE, Color, Point
from renju.svg.parts import fitting_size

__all__ = ["asset", "board_svg"]

# What only pages show; lengths are those of `renju.svg`.
BADGE_RADIUS = 22  # a candidate on a stone sits on its shoulder
BADGE_SHIFT = svg.STONE_RADIUS / sqrt(2)
HOVER_RADIUS = 30
CURSOR_WIDTH = 8
HEAT_LEVELS = 20
LONGEST_TEXT = svg.LABEL_LETTERS
# Candidates are rings on the wood, so that none is taken for a stone: colour and width of each rank.
RING_RADIUS = 39
RINGS = (("#0b4a96", 11), ("#1d62ad", 8), ("#3f7fc0", 6), ("#5b8fc4", 5), ("#7f9fbf", 4))
RING_INK = "#0a2f5e"
RING_FILL = "#efd09a"  # a little lighter than the wood
# Light on a stone: distance up and to the left, radius, colour, opacity. They are circles, because a
# gradient would need a name.
LIGHTS = {
    Color.BLACK: ((5, 37, "#ffffff", 0.05), (11, 25, "#ffffff", 0.07), (16, 13, "#ffffff", 0.13)),
    Color.WHITE: ((0, 44, "#d8d0c0", 0.5), (3, 40, "#f4f0e7", 0.9), (8, 30, "#ffffff", 0.7)),
}

# The layers that the script fills, the lowest first; heat lies below the lines of the board.
LAYERS = (
    "win",
    "shafts",
    "stones",
    "ghost",
    "numbers",
    "last",
    "forbidden",
    "candidates",
    "labels",
    "heads",
    "hover",
    "cursor",
)


def asset(name: str) -> str:
    """The text of a file of this folder: "board.js", "board.css" or "theme.css"."""
    return resources.files(__name__).joinpath(name).read_text("utf-8")


def board_svg() -> str:
    """An empty board with the shapes that board.js puts on it, as one SVG element.

    Nothing in it has an id, so a page may hold several of them.
    """
    frame = svg.Frame(coordinates=True)
    layers = [svg.draw_wood(frame), _layer("heat"), svg.draw_grid(frame), svg.draw_coordinates(frame)]
    layers += map(_layer, LAYERS)
    # What the script has to know of lengths and colours.
    facts: svg.Attributes = {
        "data_size": BOARD_SIZE,
        "data_left": frame.left,
        "data_bottom": frame.last,
        "data_cell": svg.CELL,
        "data_stone_radius": svg.STONE_RADIUS,
        "data_number_sizes": _list([*svg.NUMBER_SIZES.values(), svg.SMALLEST_NUMBER_SIZE]),
        "data_text_sizes": _list([round(fitting_size("0" * n), 1) for n in range(1, LONGEST_TEXT + 1)]),
        "data_heat": _list([svg.heat_color(i / HEAT_LEVELS) for i in range(HEAT_LEVELS + 1)]),
        "data_arrow_head": _list([svg.ARROW_HEAD_LENGTH, svg.ARROW_HEAD_WIDTH]),
        "data_arrow_gaps": _list([svg.ARROW_GAP, svg.ARROW_TIP_GAP, svg.ARROW_LEAST]),
    }
    root: svg.Attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "class_": "renju-board",
        "viewBox": f"0 0 {frame.extent:g} {frame.extent:g}",
        "role": "application",
        "tabindex": "0",
    }
    return svg.element("svg", svg.element("defs", *_shapes(frame)), *layers, **root, **facts)


def _layer(name: str) -> str:
    return svg.element("g", class_=f"rb-{name}")


def _list(values: list[float] | list[int] | list[str]) -> str:
    return " ".join(map(str, values))


def _shapes(frame: svg.Frame) -> list[str]:
    """All shapes, each around the origin, named by ``data-shape``."""
    half = svg.CELL / 2
    corner = Point("A1")
    heat = svg.element("rect", x=-half, y=-half, width=svg.CELL, height=svg.CELL)
    hover = _disc(HOVER_RADIUS, "none", svg.CANDIDATE_EDGE)
    return [
        *(shape for color in Color for shape in _stone_shapes(frame, corner, color)),
        *(
            _at_origin(frame, f"forbidden-{kind.label}", svg.draw_forbidden(frame, {corner: kind}))
            for kind in svg.MARKS
        ),
        *(shape for rank in range(1, len(RINGS) + 1) for shape in _ranked(rank)),
        *(_arrow(name, style) for name, style in svg.ARROWS.items()),
        _at_origin(frame, "last", svg.draw_last_move(frame, [corner])),
        _shape("win", svg.draw_win(frame, [corner, corner])),
        _writing("label-empty", svg.INK, _disc(svg.PATCH_RADIUS, svg.WOOD, "none", class_="rb-patch")),
        _shape("heat", heat),
        _shape("hover", hover),
        _shape("cursor", *_cursor(half)),
    ]


def _shape(name: str, *content: str) -> str:
    return svg.element("g", *content, data_shape=name)


def _at_origin(frame: svg.Frame, name: str, drawn: str) -> str:
    """What was drawn on A1, moved to the origin."""
    return _shape(name, _moved(frame, drawn))


def _moved(frame: svg.Frame, drawn: str) -> str:
    x, y = frame.center(Point("A1"))
    return svg.element("g", drawn, transform=f"translate({-x:g} {-y:g})")


def _stone_shapes(frame: svg.Frame, corner: Point, color: Color) -> list[str]:
    style, stones = svg.STONES[color], {corner: color}
    edge: svg.Attributes = {
        "stroke": style.edge,
        "stroke_width": svg.STONE_EDGE_WIDTH,
        "stroke_dasharray": " ".join(map(str, svg.GHOST_DASH)),
    }
    ghost = svg.element(
        "circle",
        svg.element("title"),
        r=svg.STONE_RADIUS,
        fill=style.fill,
        fill_opacity=svg.GHOST_OPACITY,
        **edge,
    )
    return [
        _shape(
            f"stone-{color.label}",
            _moved(frame, svg.draw_stones(frame, stones, {})),
            *(
                svg.element("circle", cx=-shift, cy=-shift, r=radius, fill=fill, fill_opacity=opacity)
                for shift, radius, fill, opacity in LIGHTS[color]
            ),
        ),
        _at_origin(frame, f"number-{color.label}", svg.draw_numbers(frame, stones, {corner: 1})),
        _shape(f"ghost-{color.label}", ghost),
        _writing(f"label-{color.label}", style.number),
    ]


def _ranked(rank: int) -> list[str]:
    """A candidate on an empty point, and one on a stone: the move that was played."""
    color, width = RINGS[rank - 1]
    ring: svg.Attributes = {"stroke_width": width, "class_": f"rb-ring rb-ring-{rank}"}
    return [
        _writing(
            f"candidate-{rank}",
            RING_INK,
            svg.element("circle", r=RING_RADIUS, fill=RING_FILL, stroke=color, **ring),
        ),
        _writing(
            f"badge-{rank}",
            svg.ink_on(color),
            _disc(BADGE_RADIUS, color, svg.MARK_FILL),
            BADGE_SHIFT,
        ),
    ]


def _arrow(name: str, style: svg.ArrowStyle) -> str:
    halo = svg.element("line", stroke=svg.MARK_FILL, stroke_width=svg.ARROW_WIDTH + 2 * svg.ARROW_HALO)
    dash: svg.Attributes = {"stroke_dasharray": " ".join(map(str, style.dash))} if style.dash else {}
    shaft = svg.element("line", stroke=style.color, stroke_width=svg.ARROW_WIDTH, **dash)
    edge: svg.Attributes = {
        "stroke": svg.MARK_FILL,
        "stroke_width": svg.ARROW_HALO,
        "stroke_linejoin": "round",
    }
    head = svg.element("polygon", points="", fill=style.color, paint_order="stroke", **edge)
    return _shape(f"shaft-{name}", halo, shaft) + _shape(f"head-{name}", head)


def _writing(name: str, ink: str, ground: str = "", shift: float = 0) -> str:
    """A place for a text of some characters, moved up and to the right by `shift`."""
    writing = svg.element("text", svg.text("0"), dy="0.36em", fill=ink)
    place = svg.element("g", ground, writing, transform=f"translate({shift:.4g} {-shift:.4g})")
    font: svg.Attributes = {"font_family": svg.FONT, "font_weight": "bold", "text_anchor": "middle"}
    return svg.element("g", place, data_shape=name, **font)


def _disc(radius: float, fill: str, stroke: str, **others: str) -> str:
    style: svg.Attributes = {"fill": fill, "stroke": stroke, "stroke_width": svg.CANDIDATE_WIDTH, **others}
    return svg.element("circle", r=radius, **style)


def _cursor(half: float) -> list[str]:
    """The four corners of a cell, dark on light so that they show on wood and on both stones."""
    arm = half * 0.6
    corners = "".join(
        f"M{x * half:g} {y * (half - arm):g}V{y * half:g}H{x * (half - arm):g}"
        for x in (-1, 1)
        for y in (-1, 1)
    )
    strokes = ((svg.MARK_FILL, 2 * CURSOR_WIDTH), (svg.CANDIDATE_EDGE, CURSOR_WIDTH))
    return [
        svg.element("path", d=corners, fill="none", stroke=color, stroke_width=width, stroke_linecap="round")
        for color, width in strokes
    ]
