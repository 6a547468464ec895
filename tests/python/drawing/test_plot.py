"""Plots: drawn without a screen; colours are read from the pixels, numbers from matplotlib's own objects."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("agg")

from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.patches import Circle, Polygon, Rectangle

import renju
from renju import plot, svg
from renju._native import WIN
from renju._types import Color, Point
from renju.svg.style import heat_color
from support.waiting import PATIENCE_S


@pytest.fixture(autouse=True)
def _clean_up() -> Iterator[None]:
    yield
    plt.close("all")


def pixel(axes: Any, x: float, y: float) -> str:
    """The colour drawn at a place of the axes."""
    canvas = axes.figure.canvas
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())
    column, row = axes.transData.transform((x, y))
    return to_hex(pixels[pixels.shape[0] - 1 - round(row), round(column), :3] / 255)


def patches(axes: Any, kind: type, color: str) -> list[Any]:
    return [
        patch for patch in axes.patches if isinstance(patch, kind) and to_hex(patch.get_facecolor()) == color
    ]


def near(color: str, other: str) -> bool:
    return all(abs(int(color[i : i + 2], 16) - int(other[i : i + 2], 16)) <= 3 for i in (1, 3, 5))


def test_board_draws_on_the_axes_given() -> None:
    _, (left, right) = plt.subplots(1, 2)
    assert plot.board(renju.Board("h8 i9"), right) is right
    assert len(right.patches) > 0
    assert len(left.patches) == 0
    assert len(plt.get_fignums()) == 1


def test_board_makes_axes_of_its_own() -> None:
    first, second = plot.board(renju.Board()), plot.board(renju.Board())
    assert first.figure is not second.figure


def test_stones_are_where_they_belong() -> None:
    axes = plot.board(renju.Board("h8 a15 o1"), numbers=False, last_move=False)
    black, white = (svg.STONES[color].fill for color in Color)
    assert near(pixel(axes, 7, 7), black)
    assert near(pixel(axes, 0, 14), white)
    assert near(pixel(axes, 14, 0), black)
    assert near(pixel(axes, 3.5, 3.5), svg.WOOD)
    assert sorted(disc.center for disc in patches(axes, Circle, black)) == [(7, 7), (14, 0)]


@pytest.mark.slow
def test_options_leave_things_out() -> None:
    board = renju.Board.from_stones(["F8", "G8", "H9", "H10"], [], turn=renju.BLACK)
    board.push("A1")

    def count(**options: bool) -> int:
        return len(plot.board(board, **options).patches)

    assert count(forbidden=False) == count() - 2  # a polygon and its sign
    assert count(numbers=False) == count() - 1
    assert count(last_move=False) == count() - 1
    assert count(coordinates=False) == count() - 30


@pytest.mark.slow
def test_heat_has_the_colours_of_the_pictures_and_a_scale() -> None:
    values = np.full((15, 15), np.nan)
    values[0, 0], values[2, 7], values[14, 14] = -1, 2, 0
    axes = plot.heat(renju.Board(), values, coordinates=False)
    for (x, y), level in {(0, 0): -0.5, (7, 2): 1.0, (14, 14): 0.0}.items():
        assert near(
            pixel(axes, x + (0.3 if x == 0 else -0.3), y + (0.3 if y == 0 else -0.3)), heat_color(level)
        )
    colorbar = axes.figure.axes[1]
    assert colorbar.get_ylim() == (-2, 2)
    unsigned = plot.heat(renju.Board(), {"H8": 4.0, "A1": 1})
    assert unsigned.figure.axes[1].get_ylim() == (0, 4)
    assert len(plot.heat(renju.Board(), {"H8": 4.0}, colorbar=False).figure.axes) == 1
    assert len(plot.heat(renju.Board(), {}).figure.axes) == 1


@pytest.mark.slow
def test_overlays() -> None:
    board = renju.Board("h8 i9")
    base = len(plot.board(board).patches)
    axes = plot.board(board, candidates=[("A1", 5), ("B1", "W3")])
    assert len(axes.patches) == base + 4  # a disc and a text each
    assert near(pixel(axes, 0.35, 0), svg.CANDIDATE_FILLS[0])
    axes = plot.board(board, variation="g7 i7")
    assert len(axes.patches) == base + 4
    axes = plot.board(board, labels={"A1": "x", "B1": "", "H8": "y"})
    assert len(axes.patches) == base + 3  # a patch and a text, a dot; on a stone a text for its number
    axes = plot.board(board, arrows=[("A1", "A9", "attack")])
    assert len(patches(axes, Polygon, svg.ARROWS["attack"].color)) == 2
    assert near(pixel(axes, 0, 4.5), svg.ARROWS["attack"].color)


def test_winning_band() -> None:
    axes = plot.board(renju.Board("d8 a1 e8 a3 f8 a5 g8 a7 h8"))
    assert near(pixel(axes, 5.5, 7.5), svg.WIN_COLOR)


def test_wrong_input_is_named_as_in_the_pictures() -> None:
    with pytest.raises(renju.IllegalMoveError, match="move 1 of the variation"):
        plot.board(renju.Board("h8"), variation="h8")
    with pytest.raises(ValueError, match="heat has shape"):
        plot.heat(renju.Board(), np.zeros(3))
    with pytest.raises(TypeError, match="colour"):
        plot.heat(renju.Board(), {}, colour="red")


def test_odd_texts_are_drawn_as_they_are() -> None:
    """A dollar sign begins no formula, and what has no shape is left out."""
    labels = {
        "A1": r"$\q$",
        "B1": "$\\",
        "C1": "  ",
        "D1": "\\a",
        "F1": "\u200b",
        "G1": "\ud800\x00",
        "H1": "\u2800",
    }
    axes = plot.board(renju.Board(), labels=labels, candidates=[("E1", "")])
    axes.figure.savefig(BytesIO())


def review() -> Any:
    moves = [
        SimpleNamespace(number=number, move=Point(number), quality=quality, graded=True)
        for number, quality in enumerate(["best", "mistake", "blunder", "good"], start=1)
    ]
    turning_point = SimpleNamespace(number=3)
    return SimpleNamespace(scores=(0, 20, -500, 3000, WIN - 3), moves=moves, turning_point=turning_point)


def test_scores_of_a_review() -> None:
    axes = plot.scores(review())
    lines = [line.get_xydata().tolist() for line in axes.lines if line.get_color() == svg.WOOD_EDGE]
    assert lines == [[[0, 0], [1, 20], [2, -500], [3, 3000], [4, WIN - 3]]]
    marks = {
        found.get_label(): found.get_offsets().tolist()
        for found in axes.collections
        if len(found.get_offsets())
    }
    assert {name: marks[name] for name in ("mistake", "blunder")} == {
        "mistake": [[2, -500]],
        "blunder": [[3, 3000]],
    }
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "turning point",
        "mistake",
        "blunder",
    ]
    assert "black" in axes.get_ylabel()


def test_scores_use_the_scale_of_the_pictures() -> None:
    axes = plot.scores([0, 1000, WIN, -1000, None, 5])
    axes.figure.canvas.draw()
    heights = [axes.transData.transform((0, score))[1] for score in (-WIN, -1000, 0, 1000, WIN)]
    assert heights == sorted(heights)
    low, middle, high = heights[1] - heights[0], heights[2] - heights[1], heights[3] - heights[2]
    assert middle == pytest.approx(high)
    assert low / middle < 3  # on a plain scale it would be 99
    assert [len(line.get_xydata()) for line in axes.lines if line.get_color() == svg.WOOD_EDGE] == [4, 1]
    assert axes.get_legend() is None


@pytest.mark.parametrize("scores", [[], [None], [0], [float("inf"), float("nan"), -1e9]])
def test_odd_scores_are_drawn(scores: list[float | None]) -> None:
    plot.scores(scores).figure.savefig(BytesIO())


@pytest.mark.slow
def test_nothing_is_shown_and_no_setting_is_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plt, "show", lambda *_, **__: pytest.fail("plt.show was called"))
    before = dict(mpl.rcParams)
    plot.board(renju.Board("h8"), labels={"A1": "x"}, arrows=[("A1", "B2")])
    plot.heat(renju.Board("h8"), {"A1": 1})
    plot.scores(review())
    assert dict(mpl.rcParams) == before


def test_wood_fills_the_board() -> None:
    axes = plot.board(renju.Board())
    (wood,) = patches(axes, Rectangle, svg.WOOD)
    assert wood.get_bbox().width == axes.get_xlim()[1] - axes.get_xlim()[0]


def test_missing_matplotlib_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for draw in (
        lambda: plot.board(renju.Board()),
        lambda: plot.scores([1]),
        lambda: plot.heat(renju.Board(), {}),
    ):
        with pytest.raises(renju.RenjuError, match=r"needs matplotlib: pip install 'renju-engine\[plot\]'"):
            draw()


def test_matplotlib_is_not_imported_before_something_is_drawn() -> None:
    code = "import sys, renju; renju.plot; renju.svg; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=PATIENCE_S).returncode == 0
