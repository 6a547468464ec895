"""Reading SVG pictures: what the tests of pictures share."""

from __future__ import annotations

from xml.etree import ElementTree

import renju
from renju import svg
from renju._types import Point

NAMESPACE = "{http://www.w3.org/2000/svg}"
FOULS = {  # one forbidden point of each kind, and the stones that make it so
    "H8": ("double-three", ["F8", "G8", "H9", "H10"]),
    "N4": ("double-four", ["K4", "L4", "M4", "N5", "N6", "N7"]),
    "F3": ("overline", ["C3", "D3", "E3", "G3", "H3"]),
}


def parse(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def parts(picture: str, name: str) -> list[ElementTree.Element]:
    """Elements with this word in their class."""
    return [node for node in parse(picture).iter() if name in node.get("class", "").split()]


def part(picture: str, name: str) -> ElementTree.Element:
    (found,) = parts(picture, name)
    return found


def title(node: ElementTree.Element) -> str:
    return node.findtext(f"{NAMESPACE}title") or ""


def description(picture: str) -> str:
    """What the picture says of all that is on top of the position."""
    return parse(picture).findtext(f"{NAMESPACE}desc") or ""


def texts(node: ElementTree.Element) -> list[str]:
    return [child.text or "" for child in node.iter(f"{NAMESPACE}text")]


def foul_board() -> renju.Board:
    stones = [point for _, points in FOULS.values() for point in points]
    return renju.Board.from_stones(stones, [], turn=renju.BLACK)


def center(name: str, coordinates: bool = True) -> tuple[float, float]:
    return svg.Frame(coordinates).center(Point(name))


def place(node: ElementTree.Element) -> tuple[float, float]:
    return float(node.get("cx") or node.get("x", "")), float(node.get("cy") or node.get("y", ""))


def shape(node: ElementTree.Element, name: str) -> ElementTree.Element:
    found = node.find(f"{NAMESPACE}{name}")
    assert found is not None
    return found


def corners(node: ElementTree.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in node.get("points", "").split())
    return [(float(x), float(y)) for x, y in pairs]


def luminance(color: str | None) -> float:
    """By the definition of WCAG 2, written a second time."""
    assert color is not None
    shares = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return sum(weight * value for weight, value in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def readable(ink: str | None, ground: str | None) -> bool:
    low, high = sorted((luminance(ink), luminance(ground)))
    return (high + 0.05) / (low + 0.05) >= 4.5


def seen_by_the_colour_blind(color: str | None) -> tuple[float, float, float]:
    """Linear red, green and blue as with deuteranopia (Machado, Oliveira and Fernandes 2009)."""
    assert color is not None
    red, green, blue = (((int(color[i : i + 2], 16) / 255 + 0.055) / 1.055) ** 2.4 for i in (1, 3, 5))
    return (
        0.367322 * red + 0.860646 * green - 0.227968 * blue,
        0.280085 * red + 0.672501 * green + 0.047413 * blue,
        -0.011820 * red + 0.042940 * green + 0.968881 * blue,
    )
