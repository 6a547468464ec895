"""The score graph of the report's page: one SVG that fits any width, drawn without a script.

The scale is that of `renju.svg.scores`. Lengths along the axes are in percent, so that texts and marks keep
their size on a phone; the line itself is in an inner picture that is stretched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from renju.reviewing.report_text import MISTAKES, TEXTS, rate_text, score_text
from renju.svg.graph import SCORE_TICKS, ScoreGraph, loudness

__all__ = ["graph_html", "icon"]

_MOST_NUMBERS = 8  # along the lower edge; more would run into each other on a phone


def graph_html(data: Mapping[str, Any]) -> str:
    """Score after each move in black's view, with links at the mistakes."""
    rows: Sequence[Mapping[str, Any]] = data["moves"]
    scores: Sequence[int | None] = data["scores"]
    count = max(1, len(rows))
    levels = [None if score is None else loudness(score) for score in scores]
    ticks = [(sign * loudness(size), score_text(sign * size)) for size in SCORE_TICKS for sign in (1, -1)]
    parts = [
        *(_guide(level, label) for level, label in ticks),
        *(_guide(sign, label, f"side {side}") for sign, label, side in _sides()),
        _guide(0, "0", "zero"),
        *(_number(number, count) for number in _numbers(len(rows))),
        _curve(scores, count),
        '<line class="now" x1="0%" x2="0%" y1="0%" y2="100%"/>',
        *(_mark(row, levels[row["number"]], count) for row in rows),
        '<circle class="here" cx="0%" cy="50%" r="10"/>',
    ]
    # The script puts the mark of the current move on these heights.
    heights = ",".join("" if level is None else str(_percent(level)) for level in levels)
    return (
        f'<section class="graph"><h2>{TEXTS["score_graph"]}</h2><div class="plot">'
        f'<svg class="scores" role="group" aria-label="{escape(TEXTS["score_graph_label"])}" '
        f'data-heights="{heights}">{"".join(parts)}</svg></div></section>\n'
    )


def icon(quality: str) -> str:
    """The sign of a quality: shape and colour; the shapes are defined once in the page."""
    return f'<svg class="icon q-{quality}" aria-hidden="true"><use href="#q-{quality}"/></svg>'


def _sides() -> tuple[tuple[int, str, str], tuple[int, str, str]]:
    return (1, TEXTS["black"], "black"), (-1, TEXTS["white"], "white")


def _percent(level: float) -> float:
    """Distance from the upper edge."""
    return round(50 - 50 * level, 2)


def _place(number: float, count: int) -> float:
    """Distance from the left edge in percent."""
    return round(100 * number / count, 3)


def _guide(level: float, label: str, name: str = "guide") -> str:
    y = _percent(level)
    text = f'<text class="{name}" x="-8" y="{y}%" dy="0.35em" text-anchor="end">{label}</text>'
    return f'<line class="{name}" x1="0%" x2="100%" y1="{y}%" y2="{y}%"/>{text}'


def _numbers(count: int) -> range:
    step = next((size for size in (5, 10, 20, 50) if count / size <= _MOST_NUMBERS), 100)
    return range(0, count + 1, step)


def _number(number: int, count: int) -> str:
    return f'<text x="{_place(number, count)}%" y="100%" dy="18" text-anchor="middle">{number}</text>'


def _curve(scores: Sequence[int | None], count: int) -> str:
    """The line, and the areas between it and zero in the colours of the sides."""
    paths = []
    for scored in ScoreGraph(tuple(scores)).runs():
        run = [(float(number), loudness(score)) for number, score in scored]
        bent = _with_zeros(run)
        for name, limit in (("black", max), ("white", min)):
            corners = [(run[0][0], 0.0), *((x, limit(level, 0.0)) for x, level in bent), (run[-1][0], 0.0)]
            paths.append(f'<path class="area {name}" d="{_path(corners)}Z"/>')
        paths.append(f'<path class="curve" d="{_path(run)}" vector-effect="non-scaling-stroke"/>')
    box = f'viewBox="0 0 {count} 2" preserveAspectRatio="none" width="100%" height="100%"'
    return f'<svg {box} aria-hidden="true">{"".join(paths)}</svg>'


def _with_zeros(run: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The same line with a corner where it crosses zero."""
    bent = [run[0]]
    for (x0, level0), (x1, level1) in pairwise(run):
        if level0 * level1 < 0:
            bent.append((x0 + (x1 - x0) * level0 / (level0 - level1), 0.0))
        bent.append((x1, level1))
    return bent


def _path(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.5g} {1 - level:.4g}" for x, level in corners)


def _mark(row: Mapping[str, Any], level: float | None, count: int) -> str:
    """A link on a mistake."""
    quality = row["quality"]
    if quality not in MISTAKES or not row["graded"] or level is None:
        return ""
    number = int(row["number"])
    rate = f"{TEXTS['win_rate'].lower()} {rate_text(row)}"
    name = escape(f"{number} {row['move']}: {TEXTS[f'quality_{quality}']}, {rate}")
    place = f'x="{_place(number, count)}%" y="{_percent(level)}%"'
    sign = f'<use href="#q-{quality}" x="-8" y="-8" width="16" height="16"/>'
    return (
        f'<a class="mark q-{quality}" href="#m{number}" data-go="{number}" aria-label="{name}">'
        f'<title>{name}</title><svg {place} overflow="visible">{sign}</svg></a>'
    )
