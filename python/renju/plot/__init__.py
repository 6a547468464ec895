"""Boards, score graphs and heat maps with matplotlib.

Each function draws on the axes it is given, or on those of a new figure, and returns them; nothing is shown
or saved, and no setting of matplotlib is changed. Lengths and colours are those of `renju.svg`. Needs the
extra ``plot``: ``pip install 'renju-engine[plot]'``.

>>> import matplotlib
>>> matplotlib.use("agg")
>>> import renju
>>> from renju import plot
>>> axes = plot.board(renju.Board("h8 i9 g7"))
>>> axes.figure.savefig("board.png")
>>> matplotlib.pyplot.close(axes.figure)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from renju import _native
from renju._types import Color, PointLike
from renju.errors import RenjuError
from renju.plot.sheet import draw_board
from renju.svg import graph, style
from renju.svg.scene import ArrowLike, CandidatesLike, HeatLike, LabelsLike, as_heat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from renju.board import Board

__all__ = ["board", "heat", "scores"]

_BOARD_INCHES = (5.0, 5.0)
_GRAPH_INCHES = (7.0, 3.0)
_SHAPES = {3: "^", 4: "s"}  # corners of a mark -> matplotlib's name


def board(
    board: Board,
    ax: Axes | None = None,
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
    """Draw a board on axes. A cell is one unit and A1 is at (0, 0), so that you can add what you like.
    Without `ax` a new figure is made.

    `numbers`, `last_move`, `forbidden`, `coordinates`, `heat`, `arrows`, `labels`, `candidates` and
    `variation` are as for `renju.svg.board`.
    """
    return draw_board(
        _axes(ax, _BOARD_INCHES),
        board,
        numbers=numbers,
        last_move=last_move,
        forbidden=forbidden,
        coordinates=coordinates,
        heat=heat,
        arrows=arrows,
        labels=labels,
        candidates=candidates,
        variation=variation,
    )


def heat(
    board: Board, values: HeatLike, ax: Axes | None = None, *, colorbar: bool = True, **options: Any
) -> Axes:
    """Draw a board with a heat map and the scale of its colours. `values` are numbers of points or a (15, 15)
    array ``a[y, x]``, NaN for no value; `colorbar` draws the scale beside it, `options` are those of
    `board`. Without `ax` a new figure is made."""
    known = as_heat(values)
    axes = draw_board(_axes(ax, _BOARD_INCHES), board, heat=values, **options)
    if colorbar and known.top:
        from matplotlib.cm import ScalarMappable
        from matplotlib.colors import LinearSegmentedColormap, Normalize

        low = -1 if known.is_signed else 0
        steps = [style.heat_color(low + (1 - low) * i / 64) for i in range(65)]
        colors = LinearSegmentedColormap.from_list("renju-heat", steps)
        scale = ScalarMappable(Normalize(low * known.top, known.top), colors)
        axes.figure.colorbar(scale, ax=axes, fraction=0.046, pad=0.03)
    return axes


def scores(scores: graph.ScoresLike, ax: Axes | None = None) -> Axes:
    """Draw the scores of a game: a `renju.Review`, or numbers for the positions after 0, 1, 2, ... moves.

    The view is black's: up is good for black. The scale is that of a logarithm, so that a won position does
    not flatten the rest; the numbers at the axis are scores. In a review mistakes are triangles, blunders are
    squares, and the turning point is an upright line. None or NaN leaves a gap. Without `ax` a
    new figure is made.
    """
    known = graph.as_graph(scores)
    axes = _axes(ax, _GRAPH_INCHES)
    _draw_scale(axes, max(1, len(known.scores) - 1))
    for color in Color:
        for area in known.areas(color):
            levels = [graph.score_at(level) for _, level in area]
            look: dict[str, Any] = {"color": style.STONES[color].fill, "alpha": graph.AREA_OPACITY}
            axes.fill_between([number for number, _ in area], levels, linewidth=0, **look)
    for run in known.runs():
        marker = "." if len(run) == 1 else ""  # a line without length would not be seen
        axes.plot(*zip(*run, strict=True), color=style.WOOD_EDGE, lw=1.8, marker=marker)
    if known.turning_point is not None:
        axes.axvline(known.turning_point, color=style.MARK_COLOR, lw=1.4, ls="--", label="turning point")
    for quality, mark in graph.SCORE_MARKS.items():
        numbers = [found.number for found in known.marks if found.quality == quality]
        if numbers:
            heights = [known.score(number) for number in numbers]
            edge: dict[str, Any] = {"edgecolors": style.MARK_FILL, "linewidths": 0.8}
            shape = _SHAPES[mark.corners]
            axes.scatter(numbers, heights, s=46, c=mark.color, marker=shape, label=quality, zorder=3, **edge)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best", fontsize="small")
    return axes


def _draw_scale(axes: Axes, last: int) -> None:
    """The plane of a score graph: linear in what `graph.loudness` makes of scores."""
    import numpy as np
    from matplotlib.ticker import MaxNLocator

    axes.set_facecolor(graph.GROUND)
    axes.set_yscale(
        "function", functions=tuple(np.vectorize(f, [float]) for f in (graph.loudness, graph.score_at))
    )
    win = float(_native.WIN)
    ticks = sorted([0.0, *(sign * size for size in (*graph.SCORE_TICKS, win) for sign in (1, -1))])
    names = {0.0: "0", win: "black wins", -win: "white wins"}
    axes.set_yticks(ticks, [names.get(tick, f"{tick:+.0f}") for tick in ticks])
    axes.set_yticks([], minor=True)
    axes.set_ylim(graph.score_at(-1.06), graph.score_at(1.06))
    axes.set_xlim(0, last)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.axhline(0, color=style.INK, lw=0.8)
    axes.set_xlabel("moves played")
    axes.set_ylabel("score for black")


def _axes(ax: Axes | None, inches: tuple[float, float]) -> Axes:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise RenjuError("renju.plot needs matplotlib: pip install 'renju-engine[plot]'") from None
    return pyplot.subplots(figsize=inches, layout="constrained")[1] if ax is None else ax
