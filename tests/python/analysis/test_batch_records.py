"""Columns of records as arrays of boards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from renju import WHITE, Board, batch
from renju.errors import IllegalMoveError, NotationError
from renju.openings import OPENINGS
from support import data
from support.arrays import THREADS

# Records


RECORDS = ["h8i9g7", "", "H8 H9", "h8,i9,g7,pass"]


@pytest.mark.parametrize(
    "column",
    [
        list(RECORDS),
        tuple(RECORDS),
        np.array(RECORDS),
        np.array(RECORDS, object),
        np.array(RECORDS, np.dtypes.StringDType()),
        np.repeat(np.array(RECORDS), 2)[::2],
        pd.Series(RECORDS),
        pd.Series(RECORDS, index=[9, 3, 3, 0]),
        pd.Series(RECORDS, dtype=object),
        pd.Series(RECORDS, dtype="string"),
        pd.Series(RECORDS, dtype="category"),
        pd.Series(RECORDS, dtype=pd.ArrowDtype(pa.string())),
        pd.Index(RECORDS),
        pd.DataFrame({"moves": RECORDS})["moves"],
        pl.Series("moves", RECORDS),
        pl.Series("moves", RECORDS, dtype=pl.Categorical),
        pl.DataFrame({"moves": RECORDS})["moves"],
        pa.array(RECORDS),
        pa.array(RECORDS, pa.large_string()),
        pa.array(RECORDS).dictionary_encode(),
        pa.chunked_array([RECORDS[:1], [], RECORDS[1:]]),
        pa.table({"moves": RECORDS})["moves"],
    ],
    ids=[
        "list",
        "tuple",
        "numpy",
        "numpy objects",
        "numpy strings of any length",
        "numpy with gaps",
        "pandas",
        "pandas with an index",
        "pandas objects",
        "pandas string",
        "pandas category",
        "pandas over arrow",
        "pandas index",
        "pandas frame",
        "polars",
        "polars categorical",
        "polars frame",
        "arrow",
        "arrow large",
        "arrow dictionary",
        "arrow chunks",
        "arrow table",
    ],
)
def test_columns(column: Any) -> None:
    boards, turns = batch.parse(column)
    expected, expected_turns = batch.parse(list(RECORDS))
    np.testing.assert_array_equal(boards, expected)
    np.testing.assert_array_equal(turns, expected_turns)
    assert turns.tolist() == [2, 1, 1, 1]


def test_generators() -> None:
    boards, turns = batch.parse(record for record in RECORDS)
    np.testing.assert_array_equal(boards, batch.parse(RECORDS)[0])
    assert len(turns) == 4
    np.testing.assert_array_equal(batch.parse(dict.fromkeys(RECORDS).keys())[0], boards)


@pytest.mark.parametrize(
    "column",
    [
        ["h8", "i9", None],
        ["h8", "i9", float("nan")],
        ("h8", "i9", b"h8"),
        ["h8", "i9", 112],
        ["h8", "i9", ["h8"]],
        iter(["h8", "i9", None]),
        np.array(["h8", "i9", None], object),
        pd.Series(["h8", "i9", None]),
        pd.Series(["h8", "i9", np.nan], dtype=object),
        pd.Series(["h8", "i9", pd.NA], dtype="string"),
        pd.Series(["h8", "i9", None], dtype=pd.ArrowDtype(pa.string())),
        pl.Series(["h8", "i9", None]),
        pa.array(["h8", "i9", None]),
        pa.chunked_array([["h8"], ["i9", None]]),
    ],
    ids=[
        "None",
        "NaN",
        "bytes",
        "number",
        "list",
        "generator",
        "numpy",
        "pandas None",
        "pandas NaN",
        "pandas NA",
        "pandas over arrow",
        "polars",
        "arrow",
        "arrow chunks",
    ],
)
def test_what_is_no_record(column: Any) -> None:
    with pytest.raises(TypeError, match=r"records\[2\]"):
        batch.parse(column)


@pytest.mark.parametrize(
    "records", ["h8i9", None, 5, b"h8", np.array("h8"), np.array([b"h8"]), [["h8"], ["i9"]]]
)
def test_no_records_at_all(records: Any) -> None:
    with pytest.raises(TypeError):
        batch.parse(records)


@pytest.mark.parametrize(
    ("record", "error", "message"),
    [
        ("h8h8", IllegalMoveError, r"move 2 \(H8\): H8 is occupied"),
        ("h8pass", IllegalMoveError, r"move 2 \(pass\)"),
        ("h8 a1 i8 a3 j8 a5 k8 a7 l8 a9", IllegalMoveError, r"move 10 \(A9\): the game is over"),
        ("f8 a1 g8 a3 h9 a5 h10 a7 h8 a9", IllegalMoveError, r"move 10 \(A9\): the game is over"),
        ("h8 p9", NotationError, "line 1, column 4"),
        ("h8\ni99", NotationError, "line 2, column 2"),
        ("連", NotationError, "連"),
        ("h8\0", NotationError, ""),
        ("h", NotationError, ""),
    ],
)
def test_bad_records(record: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=rf"records\[3\]: .*{message}"):
        batch.parse(["", "h8", "h8i9", record, "h8h8"])


def test_a_record_that_is_no_unicode_text() -> None:
    with pytest.raises(ValueError, match=r"records\[1\]"):
        batch.parse(["h8", "\ud800"])


@pytest.mark.parametrize("threads", THREADS)
def test_the_first_bad_record_is_named(threads: int) -> None:
    records, _, _ = data.game_positions()
    for bad in ([len(records) - 1], [3000, 2999, 700], [256, 255, 2000], [0, 5]):
        wrong = list(records)
        for n in bad:
            wrong[n] = "h8h8"
        with pytest.raises(IllegalMoveError, match=rf"records\[{min(bad)}\]"):
            batch.parse(wrong, threads=threads)


def test_referee() -> None:
    after_foul = "f8 a1 g8 a3 h9 a5 h10 a7 h8 a9"
    after_five = "h8 a1 i8 a3 j8 a5 k8 a7 l8 a9"
    boards, turns = batch.parse([after_foul, after_five], referee=False)
    assert turns.tolist() == [1, 1]
    for record, cells in zip([after_foul, after_five], boards, strict=True):
        np.testing.assert_array_equal(cells, Board(record, referee=False).to_array())
    for record in (after_foul, after_five):
        with pytest.raises(IllegalMoveError):
            batch.parse([record])
        assert np.count_nonzero(batch.parse([record[:-3]])[0]) == 9  # up to the end is fine


def test_openings_parse() -> None:
    records = ["".join(point.name for point in opening.moves) for opening in OPENINGS]
    boards, turns = batch.parse(records)
    assert (turns == WHITE).all()
    assert len(set(batch.keys(boards, turns, symmetric=True).tolist())) == 26
