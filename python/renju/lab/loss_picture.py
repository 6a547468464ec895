"""The losses of a network that learns, as a picture that stands alone."""

from __future__ import annotations

from collections.abc import Sequence

from renju.svg import element, text

__all__ = ["Curve", "draw_losses"]

Curve = tuple[str, Sequence[float], str]
"""The name of a curve, its numbers, one for each epoch, and its colour."""

_WIDTH, _HEIGHT = 480, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 40, 40
_TICKS = 4


def draw_losses(title: str, curves: Sequence[Curve]) -> str:
    """The curves over the epochs, from the least number to the greatest, as the text of an .svg file."""
    numbers = [number for _, values, _ in curves for number in values]
    low, high = (min(numbers), max(numbers)) if numbers else (0.0, 1.0)
    span = (high - low) or 1.0
    count = max((len(values) for _, values, _ in curves), default=1)

    def x(i: int) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (i + 0.5) / max(count, 1)

    def y(number: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - number) / span

    parts = [element("rect", width=_WIDTH, height=_HEIGHT, fill="#fff")]
    for tick in range(_TICKS + 1):
        number = low + span * tick / _TICKS
        parts.append(element("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y(number), y2=y(number), stroke="#ddd"))
        parts.append(_label(_LEFT - 6, y(number) + 4, f"{number:.4f}", "end"))
    parts += [_label(x(i), _HEIGHT - _BOTTOM + 16, str(i + 1), "middle") for i in range(count)]
    parts.append(_label((_LEFT + _WIDTH - _RIGHT) / 2, _HEIGHT - 6, "epoch", "middle"))
    at = float(_LEFT)
    for name, values, color in curves:
        points = " ".join(f"{x(i):.1f},{y(number):.1f}" for i, number in enumerate(values))
        parts.append(element("polyline", points=points, fill="none", stroke=color, stroke_width=2))
        parts += [element("circle", cx=x(i), cy=y(n), r=2.5, fill=color) for i, n in enumerate(values)]
        parts.append(element("rect", x=at, y=20, width=10, height=10, fill=color))
        parts.append(_label(at + 14, 29, name, "start"))
        at += 30 + 7 * len(name)
    names = element("title", text(title))
    return element(
        "svg",
        names,
        _label(_LEFT, 14, title, "start"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        width=_WIDTH,
        height=_HEIGHT,
        role="img",
        font_family="sans-serif",
        font_size=12,
    )


def _label(x: float, y: float, content: str, anchor: str) -> str:
    return element("text", text(content), x=x, y=y, text_anchor=anchor, fill="#333")
