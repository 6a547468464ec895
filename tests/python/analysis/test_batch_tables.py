"""Results as tables: rows of forbidden points alone, and flat columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from renju import Forbidden, Limit, Point, batch
from renju.errors import PositionError
from support import data
from support.arrays import crowded


def dense(boards: Any, rows: Any) -> np.ndarray[Any, Any]:
    """The codes of all cells that the rows tell."""
    codes = np.zeros((len(boards), 225), np.uint8)
    codes[rows["board"], rows["point"]] = rows["kind"]
    return codes.reshape(-1, 15, 15)


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_sparse_rows_are_the_codes(threads: int) -> None:
    _, boards, _ = data.game_positions()
    boards = np.concatenate([crowded(400), boards])
    rows = batch.forbidden(boards, threads, sparse=True)
    codes = batch.forbidden(boards)
    assert rows.dtype == batch.FORBIDDEN_DTYPE
    assert len(rows) == np.count_nonzero(codes) > 100
    np.testing.assert_array_equal(dense(boards, rows), codes)
    order = rows["board"] * 225 + rows["point"].astype(np.int64)
    assert (np.diff(order) > 0).all()
    assert set(rows["kind"].tolist()) == {1, 2, 3}


@pytest.mark.slow
def test_sparse_rows_of_more_boards_than_a_block() -> None:
    some = crowded(100)
    boards = np.zeros((70_000, 15, 15), np.int8)
    places = np.array([*range(50), *range(32_750, 32_780), *range(69_980, 70_000)])
    boards[places] = some
    rows = batch.forbidden(boards, sparse=True)
    expected = batch.forbidden(some, sparse=True)
    np.testing.assert_array_equal(rows["board"], places[expected["board"]])
    np.testing.assert_array_equal(rows["point"], expected["point"])
    boards[40_000, 3, 4] = 9
    with pytest.raises(PositionError, match=r"boards\[40000\]: E4 "):
        batch.forbidden(boards, sparse=True)


def test_sparse_arguments() -> None:
    board = np.zeros((15, 15), np.int8)
    assert len(batch.forbidden(board, sparse=True)) == 0
    assert len(batch.forbidden(board[:0].reshape(0, 15, 15), sparse=True)) == 0
    with pytest.raises(ValueError, match="out is for codes"):
        batch.forbidden(board, 1, np.zeros((15, 15), np.uint8), sparse=True)  # type: ignore[call-overload]


def test_columns_are_what_tables_take() -> None:
    boards, turns = batch.parse(["h8a1i8a3j8a5", "h8i9"])
    expanded = batch.expand(["h8i9", "h8a1i8a3j8a5k8a7l8"])
    tables = {
        "solve": batch.columns(batch.solve(boards, turns)),
        "analyze": batch.columns(batch.analyze(boards, turns, Limit(nodes=500), multipv=2)),
        "forbidden": batch.columns(batch.forbidden(crowded(20), sparse=True)),
        "expand": batch.columns(expanded),
    }
    for name, table in tables.items():
        length = len(next(iter(table.values())))
        assert length > 0, name
        assert all(column.shape == (length,) for column in table.values()), name
        assert len(pd.DataFrame(table)) == len(pl.DataFrame(table)) == pa.table(table).num_rows == length
    assert tables["expand"]["played"].tolist()[:3] == ["H8", "I9", None]
    assert tables["expand"]["result"].tolist() == [None] * 3 + ["black"] * 10
    assert tables["expand"]["outcome"].tolist()[-2:] == [None, "black"]
    assert tables["expand"]["turn"].tolist()[:2] == ["black", "white"]
    rows = batch.forbidden(crowded(20), sparse=True)
    named = tables["forbidden"]
    assert named["point"].tolist() == [str(Point(point)) for point in rows["point"]]
    assert named["kind"].tolist() == [Forbidden(kind).label for kind in rows["kind"]]
    assert named["board"].flags.c_contiguous
    with pytest.raises(TypeError, match="not of dtype int64"):
        batch.columns(np.zeros(3, np.int64))  # type: ignore[arg-type]
