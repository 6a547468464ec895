"""Columns of a result, and the three forms they are written in."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._types import Point

if TYPE_CHECKING:
    import pyarrow as pa

    _Cells = tuple[_native._Values, npt.NDArray[np.bool_] | None]

__all__ = [
    "POINT_NAMES",
    "WRITERS",
    "Chances",
    "Column",
    "Flags",
    "Lists",
    "Numbers",
    "Records",
    "Strings",
    "Texts",
    "Words",
    "encode",
]

POINT_NAMES = (*(Point(i).name for i in range(_native.PASS)), "pass")
_POINT_WORDS = [name.encode() for name in POINT_NAMES]


class Column(ABC):
    """A value, or null, for every row."""

    @abstractmethod
    def to_list(self) -> list[Any]:
        """As plain Python values."""

    @abstractmethod
    def to_arrow(self) -> pa.Array:
        """As an Arrow array."""

    @abstractmethod
    def to_csv(self) -> _Cells:
        """What the rows hold, and where they are null, as `_native.csv_table` takes them."""


@dataclass(frozen=True)
class Texts(Column):
    """The texts `values`, or null."""

    values: Sequence[str | None]

    def to_list(self) -> list[Any]:
        return list(self.values)

    def to_arrow(self) -> pa.Array:
        import pyarrow as pa

        return pa.array(self.values, pa.string())

    def to_csv(self) -> _Cells:
        return _each_its_own([value or "" for value in self.values]), None


@dataclass(frozen=True)
class Strings(Column):
    """Pieces of an ASCII `text`: row n goes from ``ends[n - 1]`` to ``ends[n]`` of the `ends`; null where
    `is_null`."""

    text: npt.NDArray[np.uint8]
    ends: npt.NDArray[np.int64]
    is_null: npt.NDArray[np.bool_]

    def to_list(self) -> list[Any]:
        return _with_nulls(_cut(self.text.tobytes().decode("ascii"), self.ends), self.is_null)

    def to_arrow(self) -> pa.Array:
        import pyarrow as pa

        if len(self.text) > np.iinfo(np.int32).max:  # more than one array of Arrow's holds
            return pa.array(self.to_list(), pa.string())
        offsets = pa.py_buffer(_offsets(self.ends))
        known = pa.py_buffer(np.packbits(~self.is_null, bitorder="little")) if self.is_null.any() else None
        return pa.StringArray.from_buffers(len(self.ends), offsets, pa.py_buffer(self.text), known)

    def to_csv(self) -> _Cells:
        return (self.text, self.ends), self.is_null


@dataclass(frozen=True)
class Numbers(Column):
    """Whole numbers, the `values`; null where `is_null`."""

    values: npt.NDArray[Any]
    is_null: npt.NDArray[np.bool_] | None = None

    def to_list(self) -> list[Any]:
        return _with_nulls(self.values.tolist(), self.is_null)

    def to_arrow(self) -> pa.Array:
        import pyarrow as pa

        return pa.array(np.ascontiguousarray(self.values), mask=self.is_null)

    def to_csv(self) -> _Cells:
        is_unsigned = self.values.dtype.kind == "u"
        return self.values.astype(np.uint64) if is_unsigned else self.values.astype(np.int64), self.is_null


class Chances(Numbers):
    """Numbers from 0 to 1, float32; null where `is_null`. As text they have four decimals."""

    def to_list(self) -> list[Any]:
        return _with_nulls([round(value, 4) for value in self.values.tolist()], self.is_null)

    def to_csv(self) -> _Cells:
        return _each_its_own([f"{value:.4f}" for value in self.values.tolist()]), self.is_null


class Flags(Numbers):
    """True or false; null where `is_null`."""

    def to_csv(self) -> _Cells:
        return ([b"false", b"true"], self.values.astype(np.int64), None), self.is_null


@dataclass(frozen=True)
class Words(Column):
    """Words of a small `vocabulary`, such as the names of points, by their `numbers`; null where negative."""

    numbers: npt.NDArray[Any]
    vocabulary: tuple[str, ...] = POINT_NAMES

    def to_list(self) -> list[Any]:
        words = self.vocabulary
        return [None if n < 0 else words[n] for n in self.numbers.tolist()]

    def to_arrow(self) -> pa.Array:
        import pyarrow as pa

        return _words(self.vocabulary).take(pa.array(self.numbers.astype(np.int32), mask=self.numbers < 0))

    def to_csv(self) -> _Cells:
        words = [word.encode() for word in self.vocabulary]
        return (words, self.numbers.astype(np.int64), None), self.numbers < 0


@dataclass(frozen=True)
class Lists(Column):
    """Lists of `points`: row n has those from ``ends[n - 1]`` to ``ends[n]`` of the `ends`, or null where
    `is_null`."""

    points: npt.NDArray[Any]
    ends: npt.NDArray[np.int64]
    is_null: npt.NDArray[np.bool_]

    @staticmethod
    def of_lines(lines: npt.NDArray[np.uint8], is_null: npt.NDArray[np.bool_]) -> Lists:
        """Lines (N, length), where 255 fills the places after the last move."""
        known = lines[~is_null]  # often few
        is_move = known != np.iinfo(np.uint8).max
        counts = np.zeros(len(lines), np.int64)
        counts[~is_null] = np.count_nonzero(is_move, axis=1)
        return Lists(known[is_move], np.cumsum(counts), is_null)

    def to_list(self) -> list[Any]:
        names = [POINT_NAMES[n] for n in self.points.tolist()]
        return _with_nulls(_cut(names, self.ends), self.is_null)

    def to_arrow(self) -> pa.Array:
        import pyarrow as pa

        return _lists(
            self.ends, _words(POINT_NAMES).take(pa.array(self.points.astype(np.int32))), self.is_null
        )

    def to_csv(self) -> _Cells:
        """Names with spaces between them."""
        return (_POINT_WORDS, self.points.astype(np.int64), self.ends), self.is_null


@dataclass(frozen=True)
class Records(Column):
    """Lists of records, such as moves with their scores. `fields` are the columns of all records, one after
    the other; `ends` and `is_null` are as in `Lists`."""

    fields: Mapping[str, Column]
    ends: npt.NDArray[np.int64]
    is_null: npt.NDArray[np.bool_]

    def to_list(self) -> list[Any]:
        rows = [
            dict(zip(self.fields, row, strict=True))
            for row in zip(*(f.to_list() for f in self.fields.values()), strict=True)
        ]
        return _with_nulls(_cut(rows, self.ends), self.is_null)

    def to_arrow(self) -> pa.Array:
        import pyarrow as pa

        fields = {name: column.to_arrow() for name, column in self.fields.items()}
        return _lists(
            self.ends, pa.StructArray.from_arrays(list(fields.values()), list(fields)), self.is_null
        )

    def to_csv(self) -> _Cells:
        """JSON."""
        return _each_its_own([json.dumps(value) for value in self.to_list()]), self.is_null


def _cut(values: list[Any] | str, ends: npt.NDArray[np.int64]) -> list[Any]:
    """The values up to each end."""
    return [values[i:j] for i, j in zip([0, *ends.tolist()], ends.tolist(), strict=False)]


def _with_nulls(values: list[Any], is_null: npt.NDArray[np.bool_] | None) -> list[Any]:
    if is_null is not None:
        for n in np.flatnonzero(is_null).tolist():
            values[n] = None
    return values


def _each_its_own(texts: list[str]) -> _native._Values:
    """Cells with a text each, for `_native.csv_table`."""
    return [text.encode() for text in texts], np.arange(len(texts), dtype=np.int64), None


def _words(vocabulary: tuple[str, ...]) -> pa.Array:
    import pyarrow as pa

    return pa.array(vocabulary, pa.string())


def _lists(ends: npt.NDArray[np.int64], values: pa.Array, is_null: npt.NDArray[np.bool_]) -> pa.Array:
    import pyarrow as pa

    return pa.ListArray.from_arrays(pa.array(_offsets(ends)), values, mask=pa.array(is_null))


def _offsets(ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Where rows begin and end, as Arrow has it."""
    return np.concatenate([[0], ends]).astype(np.int32)


def _to_parquet(columns: Mapping[str, Column], meta: Mapping[str, Any]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({name: column.to_arrow() for name, column in columns.items()})
    table = table.replace_schema_metadata({"renju": json.dumps(meta)})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue().to_pybytes()  # type: ignore[no-any-return]


def _to_csv(columns: Mapping[str, Column], meta: Mapping[str, Any]) -> bytes:
    return _native.csv_table([(name, *column.to_csv()) for name, column in columns.items()])


def _to_jsonl(columns: Mapping[str, Column], meta: Mapping[str, Any]) -> bytes:
    rows = zip(*(column.to_list() for column in columns.values()), strict=True)
    names = tuple(columns)
    lines = [json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows]
    return "".join(f"{line}\n" for line in lines).encode()


WRITERS = {"parquet": _to_parquet, "csv": _to_csv, "jsonl": _to_jsonl}


def encode(columns: Mapping[str, Column], form: str, meta: Mapping[str, Any]) -> bytes:
    """A file of these columns; `meta` goes where the form has a place for it."""
    return WRITERS[form](columns, meta)
