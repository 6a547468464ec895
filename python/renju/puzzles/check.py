"""A puzzle of a file, checked again."""

from __future__ import annotations

from renju.errors import RenjuError
from renju.puzzles.model import Puzzle
from renju.puzzles.wanted import Rejected, Wanted
from renju.puzzles.work import look

__all__ = ["check"]


def check(puzzle: Puzzle) -> None:
    """Verifies the proof, and makes the puzzle again from its stones, every other move included, within the
    bounds that it tells; `RenjuError` if that gives something else.

    >>> from renju import puzzles
    >>> puzzles.check(puzzles.samples()[0])
    """
    puzzle.verify()
    try:
        again = look(puzzle.board(), Wanted.from_dict(puzzle.checked))
    except Rejected as rejected:
        raise RenjuError(f"puzzle {puzzle.id}: this is no puzzle: {rejected}") from None
    except (TypeError, KeyError) as error:
        raise RenjuError(f"puzzle {puzzle.id}: its bounds cannot be read: {error}") from None
    for name in ("kind", "solution", "depth", "themes", "difficulty"):
        told, found = getattr(puzzle, name), getattr(again, name)
        if told != found:
            raise RenjuError(f"puzzle {puzzle.id}: its {name} is {found}, not {told}")
