"""The CSV form of a table, byte for byte as the `csv` module writes it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from renju import _native
from renju.pipeline.columns import (
    POINT_NAMES,
    Column,
    Flags,
    Lists,
    Numbers,
    Records,
    Strings,
    Texts,
    Words,
    encode,
)


def reference(columns: Mapping[str, Column]) -> bytes:
    """Cell by cell, by the `csv` module."""
    return b"".join(map(line, [tuple(columns), *zip(*map(cells, columns.values()), strict=True)]))


def line(row: Sequence[Any]) -> bytes:
    """A row. Python 3.11 leaves a lone \\r without quotes unless lines end with it."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow(row)
    return text.getvalue().removesuffix("\r\n").encode() + b"\n"


def cells(column: Column) -> list[Any]:
    values = column.to_list()
    match column:
        case Lists():
            return [None if value is None else " ".join(value) for value in values]
        case Records():
            return [None if value is None else json.dumps(value) for value in values]
        case Flags():
            return [None if value is None else str(value).lower() for value in values]
        case _:
            return values


TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(', "\r\n'), max_size=6)
ASCII = st.text(st.characters(max_codepoint=127) | st.sampled_from(', "\r\n'), max_size=6)
INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]


def flags(count: int) -> st.SearchStrategy[Any]:
    return st.lists(st.booleans(), min_size=count, max_size=count).map(lambda rows: np.array(rows, np.bool_))


def ends_of(parts: Iterable[Sequence[Any]]) -> Any:
    return np.cumsum([len(part) for part in parts], dtype=np.int64)


@st.composite
def numbers(draw: st.DrawFn, count: int) -> Column:
    kind = np.dtype(draw(st.sampled_from(INTEGERS)))
    info = np.iinfo(kind)
    rows = draw(st.lists(st.integers(int(info.min), int(info.max)), min_size=count, max_size=count))
    # A field of an array's rows is not contiguous.
    records = np.zeros(count, [("other", "u1"), ("value", kind)])
    records["value"] = rows
    return Numbers(records["value"], draw(st.none() | flags(count)))


@st.composite
def strings(draw: st.DrawFn, count: int) -> Column:
    parts = draw(st.lists(ASCII, min_size=count, max_size=count))
    text = np.frombuffer("".join(parts).encode(), np.uint8)
    return Strings(text, ends_of(parts), draw(flags(count)))


@st.composite
def words(draw: st.DrawFn, count: int) -> Column:
    vocabulary = draw(st.lists(TEXTS, max_size=4))
    choice = st.integers(-1, len(vocabulary) - 1)
    kind = draw(st.sampled_from(["int8", "int16", "int64"]))
    return Words(np.array(draw(st.lists(choice, min_size=count, max_size=count)), kind), tuple(vocabulary))


@st.composite
def lists(draw: st.DrawFn, count: int) -> Lists:
    points = st.lists(st.integers(0, len(POINT_NAMES) - 1), max_size=4)
    rows = draw(st.lists(points, min_size=count, max_size=count))
    return Lists(np.array([*chain(*rows)], np.uint8), ends_of(rows), draw(flags(count)))


@st.composite
def candidates(draw: st.DrawFn, count: int) -> Column:
    counts = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    total = sum(counts)
    moves = np.array(draw(st.lists(st.integers(0, 225), min_size=total, max_size=total)), np.int16)
    fields = {
        "move": Words(moves),
        "score": Numbers(moves.astype(np.int32) - 100),
        "win_in": Numbers(moves, moves % 2 == 0),
        "pv": draw(lists(total)),
    }
    return Records(fields, np.cumsum(counts, dtype=np.int64), draw(flags(count)))


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Column]:
    count = draw(st.integers(0, 5))
    texts = st.lists(st.none() | TEXTS, min_size=count, max_size=count).map(Texts)
    truths = st.builds(Flags, flags(count), st.none() | flags(count))
    kinds = [numbers(count), strings(count), words(count), lists(count), candidates(count), texts, truths]
    return draw(st.dictionaries(TEXTS, st.one_of(kinds), max_size=6))


@given(tables())
def test_as_the_csv_module_writes_it(columns: dict[str, Column]) -> None:
    assert encode(columns, "csv", {}) == reference(columns)


def test_a_row_of_one_empty_cell_is_a_row() -> None:
    column = Texts(["", None, "x"])
    assert encode({"a": column}, "csv", {}) == b'a\n""\n""\nx\n'
    assert encode({"a": column, "b": column}, "csv", {}) == b"a,b\n,\n,\nx,x\n"


def test_no_columns_and_no_rows() -> None:
    assert encode({}, "csv", {}) == b"\n"
    assert encode({"a": Texts([]), "b": Words(np.zeros(0, np.int8), ())}, "csv", {}) == b"a,b\n"


ONE, TWO = np.ones(1, np.int64), np.ones(2, np.int64)
TEXT = np.frombuffer(b"text", np.uint8)


@pytest.mark.parametrize(
    ("values", "is_null", "row"),
    [
        pytest.param(ONE, None, 1, id="fewer rows than another column"),
        pytest.param(TWO, np.zeros(1, np.bool_), 1, id="fewer flags than rows"),
        pytest.param(TWO, np.ones(3, np.bool_), 2, id="more flags than rows"),
        pytest.param((TEXT, np.array([3, 5])), None, 1, id="a piece behind the text"),
        pytest.param((TEXT, np.array([3, 2])), None, 1, id="a piece that ends before it begins"),
        pytest.param((TEXT, np.array([-1, 2])), None, 0, id="a piece before the text"),
        pytest.param(([b"no"], np.array([0, 1]), None), None, 1, id="a number behind the vocabulary"),
        pytest.param(([b"no"], np.array([0, -1]), None), None, 1, id="a number before the vocabulary"),
        pytest.param(([b"no"], np.array([0]), np.array([1, 2])), None, 1, id="a list behind the numbers"),
    ],
)
def test_what_is_not_there_is_told(values: Any, is_null: Any, row: int) -> None:
    with pytest.raises(IndexError, match=rf'^column "b" has no value for row {row}$'):
        _native.csv_table([("a", np.zeros(max(2, row + 1), np.int64), None), ("b", values, is_null)])
