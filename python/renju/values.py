"""Tables of values: what a cell is worth by its shapes. Reading and writing them; `renju.lab` fits them to
games."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._files import write_text

__all__ = ["ValueTable", "load_values", "save_values", "values_text"]


@dataclass(frozen=True, eq=False)
class ValueTable:
    """What cells and threats are worth.

    The classes are all combinations of the four shapes that a stone could make on a cell; what a state of
    threats is, is told in `rust/src/eval/values.rs`. `str` gives the text of the file.

    >>> from renju.values import ValueTable
    >>> table = ValueTable.fitted()
    >>> table.cells.shape, table.threats.shape
    ((3060, 6), (128, 2))
    >>> ValueTable.parse(str(table)) == table
    True
    """

    cells: npt.NDArray[np.int16]
    """For every class its share of the board for black and for white, then its worth to an attacker and to a
    defender, again for black's shapes and for white's: (classes, 6)."""
    threats: npt.NDArray[np.int16]
    """For every state of threats its worth if black and if white is to move: (128, 2)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "cells", _short("cells", self.cells))
        object.__setattr__(self, "threats", _short("threats", self.threats))
        for name, array, like in zip(("cells", "threats"), (self.cells, self.threats), _FITTED, strict=True):
            if array.shape != like.shape:
                raise ValueError(f"{name} has shape {array.shape}, {like.shape} is needed")

    @classmethod
    def fitted(cls) -> ValueTable:
        """The table that the engine has of itself."""
        return cls(*(array.copy() for array in _FITTED))

    @classmethod
    def parse(cls, text: str) -> ValueTable:
        """The table of a text; `FormatError` names a line that is wrong."""
        return cls(*_native.values_arrays(text))

    def __str__(self) -> str:
        return _native.values_text(self.cells, self.threats)

    def __repr__(self) -> str:
        return "ValueTable(...)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ValueTable):
            return NotImplemented
        return np.array_equal(self.cells, other.cells) and np.array_equal(self.threats, other.threats)

    __hash__ = None  # type: ignore[assignment]


_FITTED = _native.values_arrays(None)


def _short(name: str, numbers: npt.ArrayLike) -> npt.NDArray[np.int16]:
    array = np.asarray(numbers)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {array.dtype}, whole numbers (int16) are needed")
    short = np.ascontiguousarray(array, dtype=np.int16)
    if not np.array_equal(short, array):
        raise ValueError(f"{name} has numbers that do not fit int16")
    return short


def load_values(path: str | os.PathLike[str]) -> ValueTable:
    """Reads a table from the file at `path`; `FormatError` names a line that is wrong."""
    return ValueTable.parse(Path(path).read_text())


def save_values(table: ValueTable, path: str | os.PathLike[str]) -> None:
    """Writes a table to the file at `path`, in one step."""
    write_text(Path(path), str(table))


def values_text(values: ValueTable | str | os.PathLike[str]) -> str:
    """The text of a table, of a text with more than one line, or of the file with this name."""
    if isinstance(values, ValueTable):
        return str(values)
    if isinstance(values, str) and "\n" in values:
        return values
    if not isinstance(values, str | os.PathLike):
        raise TypeError(f"values is a table, a text or a path, not {type(values).__name__}")
    return Path(values).read_text()
