"""The array calls are strict about their arguments: boards, values, outputs, colours and turns."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from renju import BLACK, Board, batch
from renju.errors import PositionError
from support import data
from support.arrays import THREADS, Call, crowded, each_call, each_result

# Inputs


@pytest.mark.parametrize(
    "dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i2", ">i4", ">i8", ">u2", ">u4", ">u8", "<i2"]
)
@each_call
def test_integer_types(call: Call, dtype: str) -> None:
    boards = crowded(300)
    given_boards = boards.astype(dtype)
    before = given_boards.copy()
    np.testing.assert_array_equal(call(given_boards), call(boards))
    np.testing.assert_array_equal(given_boards, before)
    np.testing.assert_array_equal(call(given_boards[3]), call(boards[3]))


@pytest.mark.parametrize("dtype", ["i1", "i2", ">i4", "i8"])
@each_call
def test_minus_one_is_white(call: Call, dtype: str) -> None:
    boards = crowded(300)
    signed = np.where(boards == 2, -1, boards).astype(dtype)
    np.testing.assert_array_equal(call(signed), call(boards))


def strange_layouts(boards: npt.NDArray[np.int8]) -> dict[str, npt.NDArray[np.int8]]:
    """The same boards in memory orders of all kinds."""
    count = len(boards)
    padded = np.full((count, 20, 40), 7, np.int8)
    padded[:, 3:18, 5:35:2] = boards
    spread = np.full((2 * count, 15, 15), 7, np.int8)
    spread[::2] = boards
    read_only = boards.copy()
    read_only.flags.writeable = False
    return {
        "Fortran": np.asfortranarray(boards),
        "columns first": np.ascontiguousarray(boards.swapaxes(1, 2)).swapaxes(1, 2),
        "boards last": np.ascontiguousarray(np.moveaxis(boards, 0, 2)).transpose(2, 0, 1),
        "backwards": np.ascontiguousarray(boards[::-1])[::-1],
        "mirrored": np.ascontiguousarray(boards[:, ::-1, ::-1])[:, ::-1, ::-1],
        "inside a larger array": padded[:, 3:18, 5:35:2],
        "every second": spread[::2],
        "read-only": read_only,
        "field of records": _as_field(boards),
        "odd address": _at_odd_address(boards),
    }


def _as_field(boards: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    records = np.zeros(len(boards), [("id", "i4"), ("cells", "i1", (15, 15)), ("rest", "i2")])
    records["cells"] = boards
    return records["cells"]


def _at_odd_address(boards: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    memory = np.zeros(boards.nbytes + 1, np.int8)
    memory[1:] = boards.ravel()
    return memory[1:].reshape(boards.shape)


@pytest.mark.parametrize("layout", list(strange_layouts(data.random_boards(1))))
@each_call
def test_memory_layouts(call: Call, layout: str) -> None:
    boards = crowded(300)
    given_boards = strange_layouts(boards)[layout]
    np.testing.assert_array_equal(given_boards, boards)
    np.testing.assert_array_equal(call(given_boards), call(boards))
    np.testing.assert_array_equal(call(given_boards[7]), call(boards[7]))
    np.testing.assert_array_equal(given_boards, boards)


@each_call
def test_lists(call: Call) -> None:
    boards = crowded(20)
    np.testing.assert_array_equal(call(boards.tolist()), call(boards))
    np.testing.assert_array_equal(call(list(boards)), call(boards))
    np.testing.assert_array_equal(call([Board("h8").to_array()]), call(Board("h8").to_array()[None]))


def test_int8_arrays_are_read_where_they_are() -> None:
    boards = crowded(300)
    read_only = boards.copy()
    read_only.flags.writeable = False
    for array in (boards, read_only, boards[5:50], boards[3]):
        cells = batch.as_boards(array)
        assert cells.ctypes.data == array.ctypes.data
        assert np.shares_memory(cells, array)
        assert cells.ndim == 3
    for array in (boards.astype(np.int16), np.asfortranarray(boards), boards[::2]):
        assert not np.shares_memory(batch.as_boards(array), array)


def test_no_hidden_copies() -> None:
    boards = crowded(20_000)
    out = np.empty(boards.shape, np.uint8)
    batch.forbidden(boards, out=out)
    tracemalloc.start()
    try:
        batch.forbidden(boards, out=out)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < boards.nbytes / 20


@pytest.mark.parametrize(
    "boards",
    [
        np.zeros((2, 15, 15)),
        np.full((2, 15, 15), np.nan, np.float32),
        np.zeros((2, 15, 15), bool),
        np.zeros((2, 15, 15), complex),
        np.zeros((2, 15, 15), object),
        np.zeros((2, 15, 15), "U1"),
        np.zeros((2, 15, 15), "m8[s]"),
        "h8i9",
        None,
        [["h8"]],
        Board(),
    ],
    ids=[
        "float",
        "NaN",
        "bool",
        "complex",
        "object",
        "str",
        "timedelta",
        "text",
        "None",
        "list of text",
        "Board",
    ],
)
@each_call
def test_wrong_types(call: Call, boards: object) -> None:
    with pytest.raises(TypeError, match="dtype"):
        call(boards)


@pytest.mark.parametrize(
    "shape",
    [
        (),
        (0,),
        (225,),
        (15,),
        (2, 225),
        (14, 15),
        (15, 14),
        (2, 15, 14),
        (2, 19, 19),
        (1, 2, 15, 15),
        (0, 0, 0),
    ],
)
@each_call
def test_wrong_shapes(call: Call, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        call(np.zeros(shape, np.int8))


def test_ragged_lists() -> None:
    with pytest.raises(ValueError):
        batch.forbidden([[[0] * 15] * 15, [[0] * 15] * 14])


# Bad values


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("i1", 3),
        ("i1", -2),
        ("i1", 127),
        ("i1", -128),
        ("u1", 255),
        ("u1", 3),
        ("i2", 257),
        ("i2", -255),
        (">i2", 256),
        ("i4", 65537),
        ("i8", 2**32 + 1),
        ("i8", -(2**63)),
        ("u8", 2**64 - 1),
        (">u4", 16777216),
    ],
)
@each_call
def test_bad_values(call: Call, dtype: str, value: int) -> None:
    boards = crowded(40).astype(dtype)
    boards[17, 3, 4] = value
    boards[20, 0, 0] = value
    with pytest.raises(PositionError, match=rf"boards\[17\]: E4 \(y=3, x=4\) holds {value}\b"):
        call(boards)
    with pytest.raises(PositionError, match=rf"boards\[0\]: E4 .* holds {value}\b"):
        call(boards[17])


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["i1", "i2"])
@pytest.mark.parametrize("threads", THREADS)
@each_call
def test_the_first_bad_board_is_named(call: Call, threads: int, dtype: str) -> None:
    boards = crowded(6000).astype(dtype)
    for bad in (
        [5999],
        [5998, 5999, 300],
        [257, 256 * 3, 256 * 3 + 1, 4000, 5999],
        [0, 5999],
        list(range(700, 6000)),
    ):
        wrong = boards.copy()
        wrong[bad, 14, 14] = 9
        with pytest.raises(PositionError, match=rf"boards\[{min(bad)}\]: O15 "):
            call(wrong, threads=threads)


def test_a_failed_call_leaves_the_next_one_alone() -> None:
    boards = crowded(3000)
    wrong = boards.copy()
    wrong[1000] = 5
    expected = batch.forbidden(boards, threads=1)
    for _ in range(5):
        with pytest.raises(PositionError):
            batch.forbidden(wrong, threads=2)
        np.testing.assert_array_equal(batch.forbidden(boards, threads=2), expected)


# out


@each_result
def test_out(call: Call, shape: tuple[int, ...], dtype: type) -> None:
    boards = crowded(600)
    expected = call(boards)
    out = np.full((600, *shape), 77, dtype)
    result = call(boards, out=out)
    assert np.shares_memory(result, out)
    np.testing.assert_array_equal(out, expected)
    part = np.full((1000, *shape), 77, dtype)
    call(boards, out=part[200:800], threads=2)
    np.testing.assert_array_equal(part[200:800], expected)
    assert (part[:200] == 77).all()
    assert (part[800:] == 77).all()
    single = np.full(shape, 77, dtype)
    call(boards[5], out=single)
    np.testing.assert_array_equal(single, expected[5])


@each_result
def test_unfit_out(call: Call, shape: tuple[int, ...], dtype: type) -> None:
    boards = crowded(6)
    frozen = np.empty((6, *shape), dtype)
    frozen.flags.writeable = False
    unfit: list[Any] = [
        np.empty((6, *shape), np.float64),
        np.empty((6, *shape), np.int64),
        np.empty((6, *shape), np.uint8 if dtype is np.int8 else np.int8),
        np.empty((5, *shape), dtype),
        np.empty((7, *shape), dtype),
        np.empty((6, *shape, 1), dtype),
        np.empty((12, *shape), dtype)[::2],
        np.empty((6, *shape), dtype)[::-1],
        frozen,
        np.empty((6, *shape), dtype).tolist(),
        "out",
        6,
    ]
    if shape:
        unfit.append(np.asfortranarray(np.empty((6, *shape), dtype)))
    for out in unfit:
        with pytest.raises(ValueError, match="out"):
            call(boards, out=out)
    with pytest.raises(ValueError, match="out"):
        call(boards[0], out=np.empty((1, *shape), dtype))
    with pytest.raises(ValueError, match="out"):
        call(boards[:1], out=np.empty(shape, dtype))


def test_out_of_another_byte_order() -> None:
    with pytest.raises(ValueError, match="out"):
        batch.keys(crowded(6), out=np.empty(6, ">u8"))


@each_result
def test_out_over_the_boards(call: Call, shape: tuple[int, ...], dtype: type) -> None:
    memory = np.zeros(4096, np.uint8)
    size = 6 * int(np.prod(shape)) * np.dtype(dtype).itemsize
    for start in range(0, 1350, 104):
        boards = memory[104 : 104 + 1350].view(np.int8).reshape(6, 15, 15)
        out = memory[start + 104 : start + 104 + size].view(dtype).reshape(6, *shape)
        with pytest.raises(ValueError, match="overlaps"):
            call(boards, out=out)
    assert not memory.any()


def test_neighbours_in_memory_do_not_overlap() -> None:
    memory = np.zeros(2 * 6 * 225, np.int8)
    boards, out = memory[:1350].reshape(6, 15, 15), memory[1350:].view(np.uint8).reshape(6, 15, 15)
    boards[:] = crowded(6)
    np.testing.assert_array_equal(batch.forbidden(boards, out=out), batch.forbidden(crowded(6)))
    np.testing.assert_array_equal(boards, crowded(6))


# Colours and turns


@pytest.mark.parametrize("color", [0, 3, -1, None, "black", 1.5])
def test_no_color(color: Any) -> None:
    with pytest.raises(ValueError, match="color"):
        batch.threat_map(crowded(2), color)


@pytest.mark.parametrize(
    ("turns", "error", "message"),
    [
        ([1], ValueError, "shape"),
        ([1, 2, 1, 2], ValueError, "shape"),
        ([[1, 2, 1]], ValueError, "shape"),
        ([], (ValueError, TypeError), "turns"),
        ([1, 0, 3], ValueError, r"turns\[1\] is 0"),
        ([1, 2, 3], ValueError, r"turns\[2\] is 3"),
        (np.array([1, 2, 257]), ValueError, r"turns\[2\] is 257"),
        ([1, 2, -1], ValueError, r"turns\[2\] is -1"),
        (3, ValueError, r"is 3"),
        ([1.0, 2.0, 1.0], TypeError, "dtype"),
        ([True, True, True], TypeError, "dtype"),
        (["black"] * 3, TypeError, "dtype"),
        ([1, None, 2], TypeError, "dtype"),
    ],
)
def test_bad_turns(turns: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        batch.keys(crowded(3), turns)


@pytest.mark.parametrize("dtype", ["i1", "i8", "u1", ">i4"])
def test_turns_of_any_integer_type(dtype: str) -> None:
    boards, turns = crowded(300), np.arange(300) % 2 + 1
    expected = batch.keys(boards, turns.tolist())
    np.testing.assert_array_equal(batch.keys(boards, turns.astype(dtype)), expected)
    np.testing.assert_array_equal(batch.keys(boards, np.repeat(turns, 2).astype(dtype)[::2]), expected)
    np.testing.assert_array_equal(batch.keys(boards[0], BLACK), expected[0])
    np.testing.assert_array_equal(batch.keys(boards[0], [1]), expected[0])
