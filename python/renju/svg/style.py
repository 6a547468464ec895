"""Lengths and colours of boards: the one place that knows how a board looks."""

from __future__ import annotations

from dataclasses import dataclass

from renju._types import BOARD_SIZE, Color, Forbidden

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
PATCH_RADIUS = 34  # the ground of a label on an empty point, which keeps the lines off the text
TEXT_WIDTH = 71  # room for a text on a stone
# Widths of bold letters in font sizes; those of East Asia are as wide as high.
LETTER_WIDTH = 0.58
WIDE_LETTERS = dict.fromkeys("MW@%…", 0.95)
EAST_ASIAN_WIDTH = 1.0
LABEL_LETTERS = 5  # a longer label is cut; the tooltip has all of it
SMALLEST_TEXT_SIZE = 20
PLAIN_MARK_RADIUS = 16
CANDIDATE_RADIUS = 43
CANDIDATE_WIDTH = 6
GHOST_DASH = (14, 8)
ARROW_WIDTH = 11
ARROW_HALO = 5  # the light edge on each side
ARROW_HEAD_LENGTH = 34
ARROW_HEAD_WIDTH = 38
ARROW_GAP = 4  # between an arrow and the edge of a stone
ARROW_TIP_GAP = 14  # between a tip and the middle of an empty point
ARROW_LEAST = 42  # the shortest arrow; between stones side by side it has to overlap their edges

WOOD = "#e6bb72"
WOOD_EDGE = "#b98a42"
SHADOW_OPACITY = 0.28
INK = "#5a4019"
WIN_COLOR = "#c8371b"
LAST_MOVE_COLOR = "#f0702c"
MARK_COLOR = "#a3151b"
MARK_FILL = "#fdf3e1"
DARK_TEXT = "#16130f"
LIGHT_TEXT = "#ffffff"
GHOST_OPACITY = 0.62
FONT = "Helvetica, Arial, sans-serif"
STAR_POINTS = ("D4", "D12", "H8", "L4", "L12")

# Blue against orange, which colour-blind people tell apart, and both get darker away from 0. The light end is
# lighter than the wood, so that a value of 0 differs from no value.
HEAT_STOPS = {"positive": ("#fbf4e2", "#7fb0dc", "#0b4a96"), "negative": ("#fbf4e2", "#f0934a", "#8f2f00")}
# Best first; those behind the last one look like it.
CANDIDATE_FILLS = ("#0b4a96", "#2f6fb3", "#8db9e3", "#c9dff2", "#f6f2e8")
CANDIDATE_EDGE = "#0b3a75"


@dataclass(frozen=True)
class StoneStyle:
    """Colours of one side's stones."""

    fill: str
    """The colour of the stone itself, such as #1d1b1a."""
    edge: str
    """The colour of the stone's edge."""
    number: str
    """The colour of the number on the stone."""


@dataclass(frozen=True)
class MarkStyle:
    """A regular polygon with a sign in it: told apart by shape and sign, not by colour."""

    corners: int
    """How many corners the polygon has."""
    sign: str
    """The letters that stand in the polygon."""
    shift: float
    """How far the mark is moved down, in hundredths of a cell, so that its sign sits in the middle of its
    room."""
    scale: float = 1.0
    """The size of the polygon as a multiple of `MARK_RADIUS`."""


@dataclass(frozen=True)
class ArrowStyle:
    """The look of a kind of arrow: told apart by its dashes too, not by colour alone."""

    color: str
    """The colour of the arrow, such as #0b5cab."""
    dash: tuple[float, ...] = ()
    """Lengths of dashes and gaps in hundredths of a cell; empty for an unbroken line."""


STONES = {
    Color.BLACK: StoneStyle(fill="#1d1b1a", edge="#000000", number=LIGHT_TEXT),
    Color.WHITE: StoneStyle(fill="#fbf9f4", edge="#6d6455", number=DARK_TEXT),
}
MARKS = {
    Forbidden.DOUBLE_THREE: MarkStyle(corners=3, sign="3", shift=7, scale=1.3),
    Forbidden.DOUBLE_FOUR: MarkStyle(corners=4, sign="4", shift=0, scale=1.12),
    Forbidden.OVERLINE: MarkStyle(corners=6, sign="6", shift=0),
}
ARROWS = {
    "move": ArrowStyle("#0b5cab"),
    "attack": ArrowStyle("#c03a00"),
    "defence": ArrowStyle("#00695c", dash=(26, 12)),
}


def mixed(first: str, second: str, share: float) -> str:
    """The colour that has this share of the second one."""
    return "#" + "".join(
        f"{round(a + (b - a) * share):02x}" for a, b in zip(_channels(first), _channels(second), strict=True)
    )


def heat_color(level: float) -> str:
    """The colour of a level from -1 to 1; 0 is the lightest."""
    stops = HEAT_STOPS["negative" if level < 0 else "positive"]
    place = min(abs(level), 1.0) * (len(stops) - 1)
    i = min(int(place), len(stops) - 2)
    return mixed(stops[i], stops[i + 1], place - i)


def ink_on(ground: str) -> str:
    """The text colour, dark or light, that is easier to read on a ground."""
    return max((DARK_TEXT, LIGHT_TEXT), key=lambda ink: contrast(ink, ground))


def contrast(first: str, second: str) -> float:
    """The contrast of two colours from 1 (equal) to 21 (black on white), as the web's WCAG 2 defines it."""
    low, high = sorted(map(_luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in _shares(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _shares(color: str) -> list[float]:
    return [channel / 255 for channel in _channels(color)]
