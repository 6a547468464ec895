"""A board on the axes of matplotlib: the layers of `renju.svg` once more, as patches."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from renju._types import BOARD_SIZE, PASS, Forbidden, Point, PointLike
from renju.svg import move_numbers, overlays, style
from renju.svg.scene import (
    Arrow,
    ArrowLike,
    CandidatesLike,
    HeatLike,
    LabelsLike,
    Scene,
    make_scene,
    short_label,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from renju.board import Board

__all__ = ["draw_board"]

_LAST = BOARD_SIZE - 1
_MARGIN = style.MARGIN / style.CELL
_LABEL_MARGIN = style.LABEL_MARGIN / style.CELL
# The lowest first, as in `renju.svg.board`; a text is right above what it is written on.
_LAYERS = (
    "wood",
    "heat",
    "grid",
    "win",
    "shaft",
    "stone",
    "ring",
    "mark",
    "ghost",
    "candidate",
    "label",
    "head",
)
_POINTS_PER_INCH = 72
# Of the font of matplotlib, which is wider than that of the pictures: in font sizes.
_FONT_SCALE = 0.86
_CAPITAL_HEIGHT = 0.73


def draw_board(
    axes: Axes,
    board: Board,
    *,
    numbers: bool = True,
    last_move: bool = True,
    forbidden: bool = True,
    coordinates: bool = True,
    heat: HeatLike | None = None,
    arrows: Iterable[ArrowLike] | None = None,
    labels: LabelsLike | None = None,
    candidates: CandidatesLike | None = None,
    variation: str | Iterable[PointLike] | None = None,
) -> Axes:
    """Draws a board on axes, which `renju.plot.board` describes."""
    moves, outcome = board.moves, board.outcome
    scene = make_scene(
        board,
        heat=heat,
        arrows=arrows,
        labels=labels,
        candidates=candidates,
        variation=variation,
        first_number=len(moves) + 1 if numbers else 1,
    )
    marks = board.forbidden_points() if forbidden else {}
    sheet = _Sheet(axes, coordinates)
    sheet.draw_wood()
    sheet.draw_heat(scene)
    sheet.draw_grid()
    for end, opacity in ((outcome, 1.0), (scene.line_outcome, style.GHOST_OPACITY)):
        if end is not None and end.line:
            sheet.draw_win(min(end.line), max(end.line), opacity)
    sheet.draw_stones(scene, move_numbers(moves, scene.stones) if numbers else {})
    if last_move and moves and moves[-1] != PASS:
        sheet.disc(
            moves[-1], style.LAST_MOVE_RADIUS, "ring", "none", style.LAST_MOVE_COLOR, style.LAST_MOVE_WIDTH
        )
    covered = scene.covered()
    for point, kind in marks.items():
        if point not in covered:
            sheet.draw_mark(point, kind, scene.labels.get(point, ""))
    sheet.draw_line(scene)
    sheet.draw_candidates(scene)
    sheet.draw_labels(scene, set(marks) - covered)
    for arrow in scene.arrows:
        sheet.draw_arrow(arrow, scene)
    return axes


class _Sheet:
    """Draws on axes where a cell is one unit; lengths are given as in `renju.svg`, 100 a cell."""

    def __init__(self, axes: Axes, coordinates: bool) -> None:
        from matplotlib import patches

        self.axes = axes
        self.patches = patches
        self.coordinates = coordinates
        self.low = -(_LABEL_MARGIN if coordinates else _MARGIN)
        self.high = _LAST + _MARGIN
        axes.set(xlim=(self.low, self.high), ylim=(self.low, self.high), aspect="equal")
        axes.axis("off")

    def add(self, patch: Any, layer: str, lift: float = 0.0) -> None:
        patch.set_zorder(1 + _LAYERS.index(layer) + lift)
        self.axes.add_patch(patch)

    def width(self, length: float) -> float:
        """The width of a line in points. Matplotlib's do not grow with the axes; this fits their size now."""
        inches = self.axes.get_window_extent().width / self.axes.figure.dpi
        return length / style.CELL * inches * _POINTS_PER_INCH / (self.high - self.low)

    def disc(
        self,
        point: Point,
        radius: float,
        layer: str,
        fill: str,
        edge: str = "none",
        edge_width: float = 0.0,
        **options: Any,
    ) -> None:
        size = radius / style.CELL
        look = {"facecolor": fill, "edgecolor": edge, "linewidth": self.width(edge_width)} | options
        self.add(self.patches.Circle((point.x, point.y), size, **look), layer)

    def text(
        self,
        place: tuple[float, float],
        content: str,
        color: str,
        layer: str,
        size: float = style.NUMBER_SIZES[2],
        room: float = style.TEXT_WIDTH,
    ) -> None:
        """A text as a shape, so that it grows with the board; smaller where it would not fit."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.path import Path
        from matplotlib.textpath import text_to_path
        from matplotlib.transforms import Affine2D

        content = "".join(filter(str.isprintable, content)).strip()
        # Not as a TextPath: that cannot be empty, and takes a dollar sign for the beginning of a formula.
        corners, codes = text_to_path.get_text_path(FontProperties(weight="bold"), content)
        if not len(corners):
            return
        path = Path(corners, codes).transformed(Affine2D().scale(1 / text_to_path.FONT_SCALE))
        box = path.get_extents()
        scale = min(size * _FONT_SCALE, room / box.width) / style.CELL
        middle = (box.x0 + box.x1) / 2, _CAPITAL_HEIGHT / 2
        move = Affine2D().translate(-middle[0], -middle[1]).scale(scale).translate(*place)
        shape = self.patches.PathPatch(path.transformed(move), facecolor=color, linewidth=0)
        self.add(shape, layer, 0.5)

    def draw_wood(self) -> None:
        side = self.high - self.low
        look: dict[str, Any] = {"facecolor": style.WOOD, "edgecolor": style.WOOD_EDGE}
        self.add(self.patches.Rectangle((self.low, self.low), side, side, **look), "wood")

    def draw_grid(self) -> None:
        layer = 1 + _LAYERS.index("grid")
        for i in range(BOARD_SIZE):
            width = self.width(style.EDGE_WIDTH if i in (0, _LAST) else style.LINE_WIDTH)
            look: dict[str, Any] = {"color": style.INK, "lw": width, "zorder": layer}
            self.axes.plot((0, _LAST), (i, i), solid_capstyle="projecting", **look)
            self.axes.plot((i, i), (0, _LAST), solid_capstyle="projecting", **look)
        for name in style.STAR_POINTS:
            self.disc(Point(name), style.STAR_RADIUS, "grid", style.INK)
        if self.coordinates:
            offset = -style.LABEL_OFFSET / style.CELL
            for i in range(BOARD_SIZE):
                name = Point((i, i)).name
                for place, content in (((i, offset), name[0]), ((offset, i), name[1:])):
                    self.text(place, content, style.INK, "grid", style.LABEL_SIZE)

    def draw_heat(self, scene: Scene) -> None:
        for point in scene.heat.values if scene.heat is not None else ():
            corner = (point.x - 0.5, point.y - 0.5)
            self.add(self.patches.Rectangle(corner, 1, 1, facecolor=scene.ground(point), linewidth=0), "heat")

    def draw_win(self, first: Point, last: Point, opacity: float) -> None:
        self.stroke(
            (first.x, first.y), (last.x, last.y), style.WIN_WIDTH, style.WIN_COLOR, "win", alpha=opacity
        )
        for end in {first, last}:
            self.disc(end, style.WIN_WIDTH / 2, "win", style.WIN_COLOR, alpha=opacity)

    def draw_stones(self, scene: Scene, played: Mapping[Point, int]) -> None:
        for point, color in scene.stones.items():
            look = style.STONES[color]
            self.disc(point, style.STONE_RADIUS, "stone", look.fill, look.edge, style.STONE_EDGE_WIDTH)
            if point in played and point not in scene.labels:
                self.text((point.x, point.y), str(played[point]), look.number, "stone")

    def draw_mark(self, point: Point, kind: Forbidden, sign: str) -> None:
        look = style.MARKS[kind]
        center = point.x, point.y - look.shift / style.CELL
        turn = 0 if look.corners % 2 else math.pi / look.corners  # standing on a side
        radius = style.MARK_RADIUS * look.scale / style.CELL
        edge = {"facecolor": style.MARK_FILL, "edgecolor": style.MARK_COLOR}
        width = self.width(style.MARK_WIDTH)
        polygon = self.patches.RegularPolygon(
            center, look.corners, radius=radius, orientation=turn, lw=width, **edge
        )
        self.add(polygon, "mark")
        shown = short_label(sign) or look.sign
        self.text(center, shown, style.MARK_COLOR, "mark", style.MARK_SIZE, style.MARK_SIZE)

    def draw_line(self, scene: Scene) -> None:
        for ghost in scene.ghosts:
            look = style.STONES[ghost.color]
            ground = overlays.ghost_ground(scene, ghost)
            width = style.STONE_EDGE_WIDTH
            self.disc(ghost.point, style.STONE_RADIUS, "ghost", ground, look.edge, width, linestyle="--")
            if ghost.point not in scene.labels:
                place = ghost.point.x, ghost.point.y
                self.text(place, str(ghost.number), style.ink_on(ground), "ghost")

    def draw_candidates(self, scene: Scene) -> None:
        ghosts = {ghost.point for ghost in scene.ghosts}
        for move in scene.candidates:
            is_ring = move.point in ghosts
            fill = overlays.candidate_fill(move.rank)
            radius = style.STONE_RADIUS if is_ring else style.CANDIDATE_RADIUS
            edge = style.CANDIDATE_EDGE, style.CANDIDATE_WIDTH
            self.disc(move.point, radius, "candidate", "none" if is_ring else fill, *edge)
            if not is_ring and move.point not in scene.labels:
                self.text((move.point.x, move.point.y), move.text, style.ink_on(fill), "candidate")

    def draw_labels(self, scene: Scene, marked: Collection[Point]) -> None:
        covered = scene.covered()
        for point, name in scene.labels.items():
            if point in marked:
                continue
            ground = overlays.label_ground(scene, point)
            if not name:
                self.disc(point, style.PLAIN_MARK_RADIUS, "label", style.ink_on(ground))
                continue
            if point not in covered:
                self.disc(point, style.PATCH_RADIUS, "label", ground)
            self.text((point.x, point.y), short_label(name), style.ink_on(ground), "label")

    def draw_arrow(self, arrow: Arrow, scene: Scene) -> None:
        (x1, y1), (x2, y2) = overlays.arrow_ends(arrow, scene)
        length = math.hypot(x2 - x1, y2 - y1)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        head, half = style.ARROW_HEAD_LENGTH / style.CELL, style.ARROW_HEAD_WIDTH / 2 / style.CELL
        back = x2 - dx * head, y2 - dy * head
        look = arrow.style
        self.stroke((x1, y1), back, style.ARROW_WIDTH + 2 * style.ARROW_HALO, style.MARK_FILL, "shaft")
        self.stroke((x1, y1), back, style.ARROW_WIDTH, look.color, "shaft", look.dash)
        corners = [
            (x2, y2),
            (back[0] - dy * half, back[1] + dx * half),
            (back[0] + dy * half, back[1] - dx * half),
        ]
        width = self.width(style.ARROW_HALO / 2)
        edge = {"facecolor": look.color, "edgecolor": style.MARK_FILL, "lw": width, "joinstyle": "round"}
        self.add(self.patches.Polygon(corners, closed=True, **edge), "head")

    def stroke(
        self,
        first: tuple[float, float],
        last: tuple[float, float],
        width: float,
        color: str,
        layer: str,
        dash: tuple[float, ...] = (),
        alpha: float = 1.0,
    ) -> None:
        """A straight line as long rectangles, which grow with the board."""
        length = math.hypot(last[0] - first[0], last[1] - first[1])
        dx, dy = (last[0] - first[0]) / length, (last[1] - first[1]) / length
        half = width / 2 / style.CELL
        on, off = (part / style.CELL for part in dash or (length * style.CELL, 1.0))
        start = 0.0
        while start < length:
            end = min(start + on, length)
            near, far = ((first[0] + dx * at, first[1] + dy * at) for at in (start, end))
            corners = [
                (x + side * -dy * half, y + side * dx * half)
                for (x, y), side in ((near, 1), (far, 1), (far, -1), (near, -1))
            ]
            self.add(self.patches.Polygon(corners, closed=True, facecolor=color, alpha=alpha, lw=0), layer)
            start = end + off
