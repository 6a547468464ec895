"""Boards as SVG pictures.

Every picture is one self-contained string: no scripts, no style sheets, no references, so that many can
share a page. It is a stack of layers; a layer is a function that turns data into elements on a `Frame`, and
elements are made by `element` and `text` alone, which escape what they are given.

>>> import renju
>>> from renju import svg
>>> picture = svg.board(renju.Board("h8 i9 g7"), size=320)
>>> picture[:4], picture.count('class="stone ')
('<svg', 3)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from renju._types import Color, Point, PointLike
from renju.svg.graph import scores
from renju.svg.overlays import (
    draw_arrow_heads,
    draw_arrow_shafts,
    draw_candidates,
    draw_ghosts,
    draw_heat,
    draw_labels,
)
from renju.svg.parts import Attributes, Frame, check_size, document, element, text
from renju.svg.position import (
    describe,
    draw_coordinates,
    draw_forbidden,
    draw_grid,
    draw_last_move,
    draw_numbers,
    draw_stones,
    draw_win,
    draw_wood,
    result_text,
)
from renju.svg.scene import ArrowLike, CandidatesLike, HeatLike, LabelsLike, Scene, make_scene, short_label
from renju.svg.style import *  # noqa: F403 - how a board looks is part of this module
from renju.svg.style import GHOST_OPACITY

if TYPE_CHECKING:
    from renju.board import Board

__all__ = [
    "Attributes",
    "Frame",
    "Scene",
    "board",
    "describe",
    "document",
    "draw_arrow_heads",
    "draw_arrow_shafts",
    "draw_candidates",
    "draw_coordinates",
    "draw_forbidden",
    "draw_ghosts",
    "draw_grid",
    "draw_heat",
    "draw_labels",
    "draw_last_move",
    "draw_numbers",
    "draw_stones",
    "draw_win",
    "draw_wood",
    "element",
    "make_scene",
    "scores",
    "text",
]


def board(
    board: Board,
    *,
    size: float = 480,
    numbers: bool = True,
    last_move: bool = True,
    forbidden: bool = True,
    coordinates: bool = True,
    heat: HeatLike | None = None,
    arrows: Iterable[ArrowLike] | None = None,
    labels: LabelsLike | None = None,
    candidates: CandidatesLike | None = None,
    variation: str | Iterable[PointLike] | None = None,
) -> str:
    """Draw a board; `size` is the width and height in pixels. `numbers`, `last_move`, `forbidden` and
    `coordinates` tell which of the following is drawn.

    Played stones carry their move number (passes count), set-up stones carry none. The last stone has a
    ring, the winning stones of a finished game share a band, and black's forbidden points are polygons: a
    triangle with 3 is a double-three, a square with 4 a double-four, a hexagon with 6 an overline.
    Pointing at a stone or a mark shows what it is. The same position always gives the same text.

    On top of it:

    - `heat`: numbers of points, or a (15, 15) array ``a[y, x]``; NaN is no value. The scale goes from 0 to
      the largest value, the darker the larger: blue, and orange for values below 0.
    - `arrows`: (from, to) or (from, to, kind); a kind is move, attack, defence or a colour like #0b5cab.
    - `labels`: texts of points. They take the place of numbers; an empty one is a plain mark.
    - `candidates`: a `SearchResult`, its candidates, or pairs of a point and a score or a text, best first.
      "W7" wins in 7 plies, "L8" loses in 8.
    - `variation`: moves that go on from here, as text or points, drawn half transparent. Their numbers go on
      from the moves played, or with ``numbers=False`` begin with 1.

    A mark of a forbidden point gives way to a candidate or a stone of the variation.

    >>> import renju
    >>> from renju import svg
    >>> picture = svg.board(renju.Board.from_stones(["F8", "G8", "H9", "H10"], [], turn=renju.BLACK))
    >>> "<title>H8: double-three</title>" in picture
    True
    >>> svg.board(renju.Board("h8 i9"), variation="g7 h8")
    Traceback (most recent call last):
    renju.errors.IllegalMoveError: move 2 of the variation (H8): H8 is occupied by black
    >>> svg.board(renju.Board(), size=0)
    Traceback (most recent call last):
    ValueError: size must be a positive number of pixels, got 0
    """
    check_size("size", size)
    frame = Frame(coordinates)
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
    played = move_numbers(moves, scene.stones)
    fouls = board.forbidden_points() if forbidden else {}
    marks = {point: kind for point, kind in fouls.items() if point not in scene.covered()}
    signs = {point: short_label(name) for point, name in scene.labels.items() if point in marks}
    end = scene.line_outcome
    layers = [
        draw_wood(frame),
        draw_heat(frame, scene.heat),
        draw_grid(frame),
        draw_coordinates(frame) if coordinates else "",
        draw_win(frame, outcome.line if outcome else ()),
        draw_win(frame, end.line if end else (), stroke_opacity=GHOST_OPACITY),
        draw_arrow_shafts(frame, scene),
        draw_stones(frame, scene.stones, played),
        draw_numbers(frame, scene.stones, played, scene.labels) if numbers else "",
        draw_last_move(frame, moves) if last_move else "",
        draw_forbidden(frame, marks, signs),
        draw_ghosts(frame, scene),
        draw_candidates(frame, scene),
        draw_labels(frame, scene, signs),
        draw_arrow_heads(frame, scene),
    ]
    words = describe(board.turn, scene.stones, moves, outcome, fouls)
    details = scene.words() + (f"; at its end {result_text(end)}" if end else "")
    return document(frame, size, words, layers, details)


def move_numbers(moves: Sequence[Point], stones: Mapping[Point, Color]) -> dict[Point, int]:
    """The numbers of the stones that were played."""
    return {point: number for number, point in enumerate(moves, start=1) if point in stones}
