"""What can go wrong. All but `Interrupted` are `RenjuError`; those about bad input are `ValueError` too."""

from __future__ import annotations

from typing import Any

__all__ = [
    "EngineError",
    "FormatError",
    "IllegalMoveError",
    "Interrupted",
    "NotationError",
    "PositionError",
    "RenjuError",
]


class RenjuError(Exception):
    """Any error of this package."""


class NotationError(RenjuError, ValueError):
    """Text (or a number, or a pair) that is no point, no move list or no board."""


class IllegalMoveError(RenjuError, ValueError):
    """A move that cannot be made: occupied point, game over, early pass."""


class PositionError(RenjuError, ValueError):
    """Stones that make no position. `problems` names everything that is wrong, not only the first."""

    problems: tuple[str, ...] = ()


class FormatError(RenjuError, ValueError):
    """A file that is not what it should be."""


class EngineError(RenjuError):
    """The engine could not do what was asked."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a long call.

    `partial` holds what was finished, in the form of the full result; for calls on arrays `done` tells row by
    row what that is.
    """

    def __init__(self, message: str = "interrupted", partial: Any = None, done: Any = None) -> None:
        super().__init__(message)
        self.partial = partial
        self.done = done
