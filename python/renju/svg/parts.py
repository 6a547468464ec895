"""What pictures are made of: elements, text, and the places of points."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeAlias
from unicodedata import east_asian_width

from renju._types import Point
from renju.svg.style import (
    CELL,
    EAST_ASIAN_WIDTH,
    FONT,
    GRID,
    LABEL_MARGIN,
    LETTER_WIDTH,
    MARGIN,
    NUMBER_SIZES,
    SMALLEST_TEXT_SIZE,
    TEXT_WIDTH,
    WIDE_LETTERS,
)

__all__ = [
    "Attributes",
    "Frame",
    "check_size",
    "circle",
    "corner_text",
    "document",
    "element",
    "fitting_size",
    "label",
    "number",
    "picture",
    "polygon",
    "text",
    "text_group",
]

Attributes: TypeAlias = dict[str, str | float]

# What XML cannot hold, however it is written; texts of files may have it.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Frame:
    """Where points are in the picture, measured from its upper left corner."""

    coordinates: bool
    """Whether letters and numbers stand beside the lines."""

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


def element(name: str, *children: str, **attributes: str | float) -> str:
    """One SVG element. In attribute names `_` stands for `-`; a final `_` is dropped (``class_``)."""
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    opening = name + "".join(f' {key}="{escape(_clean(number(value)))}"' for key, value in pairs)
    content = "".join(children)
    return f"<{opening}>{content}</{name}>" if content else f"<{opening}/>"


def text(content: str) -> str:
    """Plain text as the child of an element."""
    return escape(_clean(content), quote=False)


def document(frame: Frame, size: float, description: str, layers: Iterable[str], details: str = "") -> str:
    """The whole picture of a board: layers, the lowest first, with words for those who cannot see it."""
    return picture((size, size), (frame.extent, frame.extent), description, details, layers)


def picture(
    size: tuple[float, float],
    extent: tuple[float, float],
    description: str,
    details: str,
    layers: Iterable[str],
) -> str:
    """A picture of a size in pixels that shows an extent of the drawing, both as width and height."""
    root: Attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {number(extent[0])} {number(extent[1])}",
        "width": f"{size[0]:.10g}",
        "height": f"{size[1]:.10g}",
        "role": "img",
        "aria_label": description,
    }
    words = [element("title", text(description))]
    if details:
        words.append(element("desc", text(details)))
    return element("svg", *words, *layers, **root)


def check_size(name: str, size: float) -> None:
    if not 0 < size < math.inf:
        raise ValueError(f"{name} must be a positive number of pixels, got {size!r}")


def circle(x: float, y: float, radius: float, *children: str, **style: str | float) -> str:
    return element("circle", *children, cx=x, cy=y, r=radius, **style)


def label(x: float, y: float, content: str, size: float, fill: str, **style: str | float) -> str:
    # dy centres digits and capitals on y; renderers disagree about dominant-baseline.
    return element("text", text(content), x=x, y=y, dy="0.36em", font_size=size, fill=fill, **style)


def text_group(name: str, children: Sequence[str], **style: str | float) -> str:
    if not children:
        return ""
    font: Attributes = {"font_family": FONT, "font_weight": "bold", "text_anchor": "middle"}
    return element("g", *children, class_=name, **(font | style))


def polygon(x: float, y: float, radius: float, corners: int) -> str:
    """Corners of a regular polygon that stands on a side."""
    angles = [math.pi * (0.5 + (2 * i + 1) / corners) for i in range(corners)]
    return corner_text((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)


def corner_text(corners: Iterable[tuple[float, float]]) -> str:
    """The attribute `points` of a polygon."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in corners)


def fitting_size(content: str, room: float = TEXT_WIDTH) -> float:
    """The font size of a text in a round place."""
    width = sum(map(_letter_width, content))
    return max(SMALLEST_TEXT_SIZE, min(NUMBER_SIZES[2], room / max(width, LETTER_WIDTH)))


def _letter_width(letter: str) -> float:
    if east_asian_width(letter) in "WF":
        return EAST_ASIAN_WIDTH
    return WIDE_LETTERS.get(letter, LETTER_WIDTH)


def number(value: str | float) -> str:
    """Attribute text; lengths are rounded, so that the output does not depend on the machine."""
    return value if isinstance(value, str) else f"{round(value, 2):.10g}"


def _clean(content: str) -> str:
    return _NOT_XML.sub("\ufffd", content)
