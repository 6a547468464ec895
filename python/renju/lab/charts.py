"""Plots as SVG: bars, shares, an interval, the scores of a game.

Each is one element for an HTML page. Colours are classes, which the style sheet of the page defines for light
and dark; every plot has a title and a description in words.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from renju.svg import Attributes, element, text
from renju.svg.graph import loudness

__all__ = ["Mark", "Series", "bars", "gauge", "interval", "number_text", "score_lines", "shares"]

# Narrow enough that letters stay readable when the plot is scaled to a telephone.
_WIDTH = 420
_LEFT, _RIGHT, _TOP = 44, 8, 22
_BARS_HEIGHT = 150
_LETTER = 6.8  # about the width of one
_GROUP_SHARE = 0.8  # of the room of a label, for its bars
_ROW = 34
_GAME_WIDTH, _GAME_HEIGHT = 360, 80


@dataclass(frozen=True)
class Series:
    """Numbers with a name and a class that gives them a colour."""

    name: str
    """The name of the series, for the legend and for those who cannot see it."""
    values: Sequence[float]
    """The numbers, one for each label of the plot."""
    style: str
    """The class of the style sheet that gives the series its colour."""


@dataclass(frozen=True)
class Mark:
    """Something about a move of a game."""

    ply: int
    """The number of the move on the board, from 1."""
    note: str
    """What is said of the move, in words."""


def bars(key: str, title: str, labels: Sequence[str], series: Sequence[Series], axis: str = "") -> str:
    """Groups of bars, one group for each label. `key` is unique on the page; `axis` says what labels are."""
    top = _TOP if len(series) < 2 else _TOP + 12  # below the legend
    room, floor = _WIDTH - _LEFT - _RIGHT, top + _BARS_HEIGHT
    group = room / max(1, len(labels))
    most = max((value for s in series for value in s.values), default=0.0)
    step = _tick_step(most)
    ceiling = step * max(1, math.ceil(most / step))
    parts = []
    for i in range(round(ceiling / step) + 1):
        y = floor - _BARS_HEIGHT * i * step / ceiling
        parts.append(_line(_LEFT, y, _WIDTH - _RIGHT, y, "grid"))
        parts.append(_text(_LEFT - 6, y + 4, number_text(i * step), "end"))
    width = min(44.0, group * _GROUP_SHARE / max(1, len(series)))
    for i, label in enumerate(labels):
        left = _LEFT + group * (i + 0.5) - width * len(series) / 2
        for n, s in enumerate(series):
            tip = element("title", text(f"{s.name}, {label}: {number_text(s.values[i])}"))
            height = _BARS_HEIGHT * s.values[i] / ceiling
            place: Attributes = {"x": left + width * n + 0.5, "y": floor - height, "height": height}
            parts.append(element("rect", tip, class_=s.style, width=max(1.0, width - 1), **place))
    below, drawn = _labels(labels, group, floor)
    parts += drawn
    if axis:
        below += 16
        parts.append(_text(_LEFT + room / 2, floor + below, axis, "middle", "axis"))
    return _picture(key, title, _words(labels, series), _WIDTH, floor + below + 6, _legend(series) + parts)


def _labels(labels: Sequence[str], group: float, floor: float) -> tuple[float, list[str]]:
    """The labels below the bars and the room they take; on a slope if they would run into each other."""
    longest = max(map(len, labels), default=0)
    is_sloped = longest * _LETTER > group
    drawn = []
    for i, label in enumerate(labels):
        x, y = _LEFT + group * (i + 0.5), floor + 15
        if is_sloped:
            turn = f"rotate(-38 {x:.1f} {y - 4})"
            style: Attributes = {"text_anchor": "end", "class_": "label", "transform": turn}
            drawn.append(element("text", text(label), x=x, y=y - 2, **style))
        else:
            drawn.append(_text(x, y, label, "middle"))
    return (14 + 0.62 * _LETTER * longest if is_sloped else 18), drawn


def shares(key: str, title: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """A row for each label, divided between the series."""
    room = _WIDTH - 2 * _RIGHT
    parts, words = [], []
    for i, label in enumerate(labels):
        y = _TOP + 8 + _ROW * i
        total = sum(s.values[i] for s in series)
        parts.append(_text(_RIGHT, y + 8, label, "start"))
        x = float(_RIGHT)
        for s in series:
            value = s.values[i]
            if not value:
                continue
            width = room * value / total
            tip = element("title", text(f"{label}, {s.name}: {number_text(value)}"))
            place: Attributes = {"x": x, "y": y + 12, "width": width, "height": 14}
            parts.append(element("rect", tip, class_=s.style, **place))
            if width > 24:
                parts.append(_text(x + width / 2, y + 23, number_text(value), "middle", f"on-{s.style}"))
            x += width
        words.append(f"{label}: " + ", ".join(f"{s.name} {number_text(s.values[i])}" for s in series))
    height = _TOP + 16 + _ROW * len(labels)
    return _picture(key, title, "; ".join(words) or "no data", _WIDTH, height, _legend(series) + parts)


def interval(key: str, title: str, rows: Sequence[tuple[str, float, float, float]], reach: float) -> str:
    """A point with its interval for each label, value, low end and high end; 0 is in the middle, and what is
    beyond `reach` is cut off."""
    left = 110.0 if any(label for label, *_ in rows) else float(_RIGHT)
    room = _WIDTH - _RIGHT - left
    height = 26 + 22 * len(rows)

    def x(value: float) -> float:
        return left + room * (0.5 + 0.5 * max(-1.0, min(1.0, value / reach)))

    parts = [_line(x(0), 4, x(0), height - 18, "zero")]
    for side in (-reach, 0.0, reach):
        anchor = "start" if side < 0 else "end" if side else "middle"
        parts.append(_text(x(side), height - 4, f"{side:+.0f}" if side else "0", anchor))
    for i, (label, value, low, high) in enumerate(rows):
        y = 15 + 22 * i
        parts.append(_text(left - 8, y + 4, label if len(label) <= 15 else label[:14] + "…", "end"))
        if not math.isnan(value):
            parts.append(_line(x(low), y, x(high), y, "whisker"))
            parts.append(element("circle", cx=x(value), cy=y, r=5, class_="s0"))
    words = "; ".join(f"{label} {v:+.0f}, from {a:+.0f} to {b:+.0f}" for label, v, a, b in rows)
    return _picture(key, title, words, _WIDTH, height, parts)


def gauge(key: str, title: str, value: float, low: float, high: float) -> str:
    """A number between two bounds; beyond them it is drawn at the end."""
    left, right, y = 2.0 * _RIGHT, _WIDTH - 2.0 * _RIGHT, 15

    def x(value: float) -> float:
        return left + (right - left) * max(0.0, min(1.0, (value - low) / (high - low)))

    parts = [_line(left, y, right, y, "track")]
    parts += [_line(x(end), y - 8, x(end), y + 8, "bound") for end in (low, high)]
    if low < 0 < high:
        parts.append(_line(x(0), y, x(value), y, "whisker"))
        parts += [_line(x(0), y - 8, x(0), y + 8, "zero"), _text(x(0), 40, "0", "middle")]
    parts.append(element("circle", cx=x(value), cy=y, r=5, class_="s0"))
    parts += [_text(_RIGHT, 40, f"{low:.2f}", "start"), _text(_WIDTH - _RIGHT, 40, f"{high:+.2f}", "end")]
    return _picture(key, title, f"{value:.2f} between {low:.2f} and {high:.2f}", _WIDTH, 46, parts)


def score_lines(
    key: str,
    title: str,
    length: int,
    lines: Sequence[tuple[str, Sequence[tuple[int, int]]]],
    marks: Iterable[Mark],
) -> str:
    """What the players thought of a game: for each style the numbers of moves and black's score there."""
    middle = _GAME_HEIGHT / 2

    def x(ply: int) -> float:
        return 4 + (_GAME_WIDTH - 8) * ply / max(1, length)

    def y(score: int) -> float:
        return middle - (middle - 8) * max(-1.0, min(1.0, loudness(score)))

    parts = [_line(4, middle, _GAME_WIDTH - 4, middle, "zero")]
    for style, points in lines:
        path = " ".join(f"{x(ply):.1f},{y(score):.1f}" for ply, score in points)
        parts.append(element("polyline", points=path, class_=f"line-{style}"))
    heights = {ply: y(score) for _, points in lines for ply, score in points}
    for mark in marks:
        tip = element("title", text(mark.note))
        place = heights.get(mark.ply, middle)
        parts.append(element("circle", tip, cx=x(mark.ply), cy=place, r=4, class_="mark"))
    words = f"{length} moves; up is good for black; circles are findings"
    return _picture(key, title, words, _GAME_WIDTH, _GAME_HEIGHT, parts)


def number_text(value: float) -> str:
    """Short, with thousands set apart."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3g}"


def _words(labels: Sequence[str], series: Sequence[Series]) -> str:
    told = (
        f"{s.name}: " + ", ".join(f"{label} {number_text(s.values[i])}" for i, label in enumerate(labels))
        for s in series
    )
    return "; ".join(told) or "no data"


def _tick_step(top: float) -> float:
    """1, 2 or 5 times a power of ten, so that at most five steps reach the top; numbers are whole."""
    if top <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(top))
    fit = next(step for step in (power / 5, power / 2, power, 2 * power) if top / step <= 5)
    return max(1.0, fit)


def _legend(series: Sequence[Series]) -> list[str]:
    if len(series) < 2:
        return []
    parts, x = [], float(_RIGHT)
    for s in series:
        name = s.name if len(s.name) <= 24 else s.name[:23] + "…"
        parts.append(element("rect", x=x, y=4, width=10, height=10, class_=s.style))
        parts.append(_text(x + 14, 13, name, "start"))
        x += 30 + _LETTER * len(name)
    return parts


def _line(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=style)


def _text(x: float, y: float, content: str, anchor: str, style: str = "label") -> str:
    return element("text", text(content), x=x, y=y, text_anchor=anchor, class_=style) if content else ""


def _picture(key: str, title: str, words: str, width: float, height: float, parts: Sequence[str]) -> str:
    root: Attributes = {
        "viewBox": f"0 0 {width} {height}",
        "role": "img",
        "aria_labelledby": f"{key}-title {key}-words",
    }
    names = (
        element("title", text(title), id=f"{key}-title"),
        element("desc", text(words), id=f"{key}-words"),
    )
    return element("svg", *names, *parts, class_="plot", **root)
