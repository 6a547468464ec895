"""Why a point is forbidden, in a form that can be read and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from renju._types import Forbidden, Point

if TYPE_CHECKING:
    from renju._native import _ExplanationTuple, _LineTuple

__all__ = ["Explanation", "Extension", "LineShape"]


@dataclass(frozen=True)
class Extension:
    """A point that would turn a three into a straight four."""

    point: Point
    """The point of the next black stone."""
    makes_five: bool
    """Whether a stone on the point makes a five at the same time, so that what it extends is no three."""
    forbidden: Explanation | None
    """Why the point is itself forbidden to black; None if it is not."""

    @property
    def is_allowed(self) -> bool:
        return not self.makes_five and self.forbidden is None

    def __str__(self) -> str:
        if self.makes_five:
            return f"{self.point} makes a five"
        if self.forbidden is not None:
            return f"{self.point} is {_with_article(self.forbidden.kind)}"
        return f"{self.point} makes it straight"


@dataclass(frozen=True)
class LineShape:
    """What the stone makes along one line."""

    direction: str
    """The direction of the line: row, column, rising diagonal or falling diagonal."""
    shape: str
    """The name of the shape: five, overline, straight four, four, two fours or three."""
    stones: tuple[Point, ...]
    """The stones of the shape, the new one included."""
    completions: tuple[Point, ...]
    """For fours: the points that complete a five; empty for other shapes."""
    extensions: tuple[Extension, ...]
    """For threes: the points that would make a straight four of it; empty for other shapes."""

    @property
    def is_real(self) -> bool:
        """False only for a three that cannot become a straight four by a legal stone (ウソの三)."""
        return self.shape != "three" or any(extension.is_allowed for extension in self.extensions)

    def __str__(self) -> str:
        shape = self.shape if self.is_real else f"no real {self.shape}"
        text = f"{self.direction}: {shape} {' '.join(map(str, self.stones))}"
        if self.completions:
            text += f" (completed at {' or '.join(map(str, self.completions))})"
        if self.extensions:
            text += f" ({', '.join(map(str, self.extensions))})"
        return text


@dataclass(frozen=True)
class Explanation:
    """What a black stone would make on a point, line by line, and what follows.

    >>> import renju
    >>> board = renju.Board.from_stones("f8 g8 h9 h10", "", turn=renju.BLACK)
    >>> print(board.explain_forbidden("h8"))
    H8 is forbidden: a double-three
      row: three F8 G8 H8 (E8 makes it straight, I8 makes it straight)
      column: three H8 H9 H10 (H7 makes it straight, H11 makes it straight)
    """

    point: Point
    """The point that is asked about."""
    kind: Forbidden
    """Why the point is forbidden to black, or that it is not."""
    makes_five: bool
    """Whether a black stone on the point makes a five, which is never forbidden."""
    lines: tuple[LineShape, ...]
    """The shapes that the stone makes, one for each line that has some."""

    @property
    def real_threes(self) -> tuple[LineShape, ...]:
        return tuple(line for line in self.lines if line.shape == "three" and line.is_real)

    @property
    def fake_threes(self) -> tuple[LineShape, ...]:
        return tuple(line for line in self.lines if not line.is_real)

    def __str__(self) -> str:
        return "\n".join(self._text_lines())

    def _text_lines(self, indent: str = "") -> list[str]:
        verdict = f"forbidden: {_with_article(self.kind)}" if self.kind else "allowed"
        if self.makes_five:
            verdict = "allowed: it makes a five"
        texts = [f"{indent}{self.point} is {verdict}"]
        for line in self.lines:
            texts.append(f"{indent}  {line}")
            for extension in line.extensions:
                if extension.forbidden is not None:
                    texts += extension.forbidden._text_lines(indent + "    ")
        return texts


def _with_article(kind: Forbidden) -> str:
    return f"{'an' if kind is Forbidden.OVERLINE else 'a'} {kind.label}"


def from_native(data: _ExplanationTuple) -> Explanation:
    """The explanation in the native module's tuples."""
    point, kind, makes_five, lines = data
    return Explanation(Point(point), Forbidden(kind), makes_five, tuple(map(_line_from_native, lines)))


def _line_from_native(data: _LineTuple) -> LineShape:
    direction, shape, stones, completions, extensions = data
    return LineShape(
        direction,
        shape,
        tuple(map(Point, stones)),
        tuple(map(Point, completions)),
        tuple(
            Extension(Point(point), flaw == "five", from_native(flaw) if isinstance(flaw, tuple) else None)
            for point, flaw in extensions
        ),
    )
