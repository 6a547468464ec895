"""Layers on top of a position: heat maps, arrows, labels, candidates, lines of moves."""

from __future__ import annotations

import math
from collections.abc import Mapping

from renju._types import Point
from renju.svg.parts import (
    Attributes,
    Frame,
    circle,
    corner_text,
    element,
    fitting_size,
    label,
    number,
    text,
    text_group,
)
from renju.svg.position import number_label
from renju.svg.scene import Arrow, Ghost, Heat, RankedMove, Scene, short_label
from renju.svg.style import (
    ARROW_GAP,
    ARROW_HALO,
    ARROW_HEAD_LENGTH,
    ARROW_HEAD_WIDTH,
    ARROW_LEAST,
    ARROW_TIP_GAP,
    ARROW_WIDTH,
    CANDIDATE_EDGE,
    CANDIDATE_FILLS,
    CANDIDATE_RADIUS,
    CANDIDATE_WIDTH,
    CELL,
    GHOST_DASH,
    GHOST_OPACITY,
    MARK_FILL,
    PATCH_RADIUS,
    PLAIN_MARK_RADIUS,
    STONE_EDGE_WIDTH,
    STONE_RADIUS,
    STONES,
    ink_on,
    mixed,
)

__all__ = [
    "arrow_ends",
    "candidate_fill",
    "draw_arrow_heads",
    "draw_arrow_shafts",
    "draw_candidates",
    "draw_ghosts",
    "draw_heat",
    "draw_labels",
    "ghost_ground",
    "label_ground",
]


def draw_heat(frame: Frame, heat: Heat | None) -> str:
    """A square for each value, to be put below the lines of the board."""
    if heat is None:
        return ""
    drawn = []
    for point, value in heat.values.items():
        x, y = frame.center(point)
        title = element("title", text(f"{point}: {value:.4g}"))
        place: Attributes = {"x": x - CELL / 2, "y": y - CELL / 2, "width": CELL, "height": CELL}
        drawn.append(element("rect", title, **place, fill=heat.color(point), class_="heat-cell"))
    return element("g", *drawn, class_="heat") if drawn else ""


def draw_candidates(frame: Frame, scene: Scene) -> str:
    """A disc for each move with its score, the best one in the strongest colour. A move that is the first of
    the line shown has a ring instead, a labelled one the label."""
    ghosts = {ghost.point for ghost in scene.ghosts}
    drawn = [
        _candidate(frame, move, move.point in ghosts, move.point in scene.labels) for move in scene.candidates
    ]
    return text_group("candidates", drawn)


def _candidate(frame: Frame, move: RankedMove, is_ring: bool, is_labelled: bool) -> str:
    x, y = frame.center(move.point)
    fill = candidate_fill(move.rank)
    title = element("title", text(f"{move.point}: {move.rank}. {move.meaning}"))
    edge: Attributes = {"stroke": CANDIDATE_EDGE, "stroke_width": CANDIDATE_WIDTH}
    disc = circle(
        x, y, STONE_RADIUS if is_ring else CANDIDATE_RADIUS, fill="none" if is_ring else fill, **edge
    )
    worth = ""
    if not (is_ring or is_labelled):
        worth = label(x, y, move.text, fitting_size(move.text), ink_on(fill))
    return element("g", title, disc, worth, class_=f"candidate rank-{move.rank}")


def candidate_fill(rank: int) -> str:
    return CANDIDATE_FILLS[min(rank, len(CANDIDATE_FILLS)) - 1]


def draw_ghosts(frame: Frame, scene: Scene) -> str:
    """The stones of a line: half transparent, with broken edges and numbers."""
    drawn = []
    for ghost in scene.ghosts:
        style = STONES[ghost.color]
        x, y = frame.center(ghost.point)
        title = element("title", text(f"{ghost.point}: {ghost.color.label} {ghost.number} of the line"))
        edge: Attributes = {
            "stroke": style.edge,
            "stroke_width": STONE_EDGE_WIDTH,
            "stroke_dasharray": " ".join(map(number, GHOST_DASH)),
        }
        disc = circle(x, y, STONE_RADIUS, fill=style.fill, fill_opacity=GHOST_OPACITY, **edge)
        count = ""
        if ghost.point not in scene.labels:
            count = number_label(frame, ghost.point, ghost.number, ink_on(ghost_ground(scene, ghost)))
        drawn.append(element("g", title, disc, count, class_=f"ghost {ghost.color.label}"))
    return text_group("variation", drawn)


def ghost_ground(scene: Scene, ghost: Ghost) -> str:
    """The colour a half transparent stone has where it stands."""
    return mixed(scene.ground(ghost.point), STONES[ghost.color].fill, GHOST_OPACITY)


def draw_labels(frame: Frame, scene: Scene, signs: Mapping[Point, str]) -> str:
    """Texts in a colour that can be read on what is below; an empty one is a plain mark. Those in `signs` are
    drawn by another layer."""
    covered = scene.covered()
    drawn = []
    for point, name in scene.labels.items():
        if point in signs:
            continue
        x, y = frame.center(point)
        ground = label_ground(scene, point)
        parts = [element("title", text(f"{point}: {name or 'marked'}"))]
        if name and point not in covered:
            parts.append(circle(x, y, PATCH_RADIUS, fill=ground))
        if name:
            shown = short_label(name)
            parts.append(label(x, y, shown, fitting_size(shown), ink_on(ground)))
        else:
            parts.append(circle(x, y, PLAIN_MARK_RADIUS, fill=ink_on(ground)))
        drawn.append(element("g", *parts, class_="label"))
    return text_group("labels", drawn)


def label_ground(scene: Scene, point: Point) -> str:
    """The colour of what a label is written on."""
    if point in scene.stones:
        return STONES[scene.stones[point]].fill
    for ghost in scene.ghosts:
        if ghost.point == point:
            return ghost_ground(scene, ghost)
    for move in scene.candidates:
        if move.point == point:
            return candidate_fill(move.rank)
    return scene.ground(point)


def arrow_ends(arrow: Arrow, scene: Scene) -> tuple[tuple[float, float], tuple[float, float]]:
    """Both ends in cells, x to the right and y up. They keep clear of stones and labels; on an empty
    point the tip is near its middle."""
    x1, y1, x2, y2 = arrow.start.x, arrow.start.y, arrow.end.x, arrow.end.y
    distance = math.hypot(x2 - x1, y2 - y1)
    covered = scene.covered().union(scene.labels)
    clear = STONE_RADIUS + ARROW_GAP
    gaps = [
        (clear if arrow.start in covered else 0) / CELL,
        (clear if arrow.end in covered else ARROW_TIP_GAP) / CELL,
    ]
    excess = sum(gaps) + ARROW_LEAST / CELL - distance
    if excess > 0:  # neighbours: both ends give way alike
        gaps = [gap * (1 - excess / sum(gaps)) for gap in gaps]
    dx, dy = (x2 - x1) / distance, (y2 - y1) / distance
    return (x1 + dx * gaps[0], y1 + dy * gaps[0]), (x2 - dx * gaps[1], y2 - dy * gaps[1])


def draw_arrow_shafts(frame: Frame, scene: Scene) -> str:
    """To be put below the stones: a long arrow goes under those on its way and hides no number."""
    drawn = []
    for arrow in scene.arrows:
        (x1, y1), (x2, y2) = _arrow_places(frame, arrow, scene)
        length = math.hypot(x2 - x1, y2 - y1)
        share = max(0.0, length - ARROW_HEAD_LENGTH + 2) / length  # the head covers the joint
        ends: Attributes = {"x1": x1, "y1": y1, "x2": x1 + (x2 - x1) * share, "y2": y1 + (y2 - y1) * share}
        halo = element("line", **ends, stroke=MARK_FILL, stroke_width=ARROW_WIDTH + 2 * ARROW_HALO)
        dash: Attributes = {}
        if arrow.style.dash:
            dash["stroke_dasharray"] = " ".join(map(number, arrow.style.dash))
        shaft = element("line", **ends, stroke=arrow.style.color, stroke_width=ARROW_WIDTH, **dash)
        drawn.append(element("g", halo, shaft, class_="arrow-shaft"))
    return element("g", *drawn, class_="arrow-shafts") if drawn else ""


def draw_arrow_heads(frame: Frame, scene: Scene) -> str:
    """To be put above the stones, beside which they end."""
    drawn = []
    for arrow in scene.arrows:
        (x1, y1), (x2, y2) = _arrow_places(frame, arrow, scene)
        length = math.hypot(x2 - x1, y2 - y1)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        back_x, back_y = x2 - dx * ARROW_HEAD_LENGTH, y2 - dy * ARROW_HEAD_LENGTH
        side_x, side_y = -dy * ARROW_HEAD_WIDTH / 2, dx * ARROW_HEAD_WIDTH / 2
        corners = corner_text(
            [(x2, y2), (back_x + side_x, back_y + side_y), (back_x - side_x, back_y - side_y)]
        )
        style = arrow.style
        title = element("title", text(f"{arrow.start} to {arrow.end}"))
        halo: Attributes = {"stroke": MARK_FILL, "stroke_width": ARROW_HALO, "stroke_linejoin": "round"}
        head = element("polygon", points=corners, fill=style.color, paint_order="stroke", **halo)
        kind = f" {arrow.kind}" if arrow.kind[0] != "#" else ""
        drawn.append(element("g", title, head, class_=f"arrow{kind}"))
    return element("g", *drawn, class_="arrows") if drawn else ""


def _arrow_places(
    frame: Frame, arrow: Arrow, scene: Scene
) -> tuple[tuple[float, float], tuple[float, float]]:
    first, second = ((frame.left + CELL * x, frame.last - CELL * y) for x, y in arrow_ends(arrow, scene))
    return first, second
