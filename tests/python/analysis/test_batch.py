"""The array calls: right on all data, equal to single calls, strict about their arguments."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from renju import BLACK, WHITE, Board, Color, Point, Threat, batch
from renju.errors import IllegalMoveError, NotationError, PositionError
from renju.openings import OPENINGS
from support import data

THREADS = (1, 2, 3, 7, 0)

Call = Callable[..., npt.NDArray[Any]]

# Every call on boards, with the shape and dtype of its result for one board.
CALLS: dict[str, tuple[Call, tuple[int, ...], type]] = {
    "forbidden": (batch.forbidden, (15, 15), np.uint8),
    "winners": (batch.winners, (), np.int8),
    "threats of black": (partial(batch.threat_map, color=BLACK), (15, 15), np.uint8),
    "threats of white": (partial(batch.threat_map, color=WHITE), (15, 15), np.uint8),
    "keys": (batch.keys, (), np.uint64),
    "symmetric keys": (partial(batch.keys, symmetric=True), (), np.uint64),
}
each_call = pytest.mark.parametrize("call", [call for call, _, _ in CALLS.values()], ids=list(CALLS))
each_result = pytest.mark.parametrize(("call", "shape", "dtype"), list(CALLS.values()), ids=list(CALLS))


def crowded(count: int = 2000) -> npt.NDArray[np.int8]:
    return data.random_boards(count, seed=count)


# Against the data


@pytest.mark.slow
@pytest.mark.parametrize("k", data.SYMMETRIES)
@pytest.mark.parametrize("name", data.FORBIDDEN_FILES)
def test_forbidden_has_no_difference(name: str, k: int) -> None:
    cases = data.forbidden_cases(name)
    boards, expected = data.transformed(cases.boards, k), data.transformed(cases.codes, k)
    different = (batch.forbidden(boards) != expected).any(axis=(1, 2))
    assert [cases.ids[n] for n in np.flatnonzero(different)] == []


def test_the_data_are_complete() -> None:
    """Guards the test above against an empty or misread file."""
    counts = {name: len(data.forbidden_cases(name).ids) for name in data.FORBIDDEN_FILES}
    assert counts == {"forbidden.jsonl": 3000, "forbidden_cases.jsonl": 157, "forbidden_crosscheck.csv": 3000}
    codes = data.forbidden_cases("forbidden_crosscheck.csv").codes
    assert np.bincount(codes.ravel())[1:].tolist() == [2593, 463, 82]


def test_games() -> None:
    records, boards, turns = data.game_positions()
    found_boards, found_turns = batch.parse(records)
    np.testing.assert_array_equal(found_boards, boards)
    np.testing.assert_array_equal(found_turns, turns)
    last = np.cumsum([len(game["moves"]) + 1 for game in data.games()]) - 1
    winners = {"black": 1, "white": 2}
    expected = np.zeros(len(boards), np.int8)
    expected[last] = [winners[game["result"]] if game["reason"] == "five" else 0 for game in data.games()]
    np.testing.assert_array_equal(batch.winners(boards), expected)


def test_winners_by_hand() -> None:
    boards = [
        data.stones(["a1", "b1", "c1", "d1", "e1"], []),
        data.stones(["a1", "b1", "c1", "d1", "e1", "f1"], []),  # black six is no win
        data.stones(["a1", "b1", "c1", "d1", "e1", "f1", "a2", "a3", "a4", "a5"], []),  # six and five
        data.stones([], ["a1", "b2", "c3", "d4", "e5"]),
        data.stones([], ["k15", "l14", "m13", "n12", "o11"]),
        data.stones([], ["h1", "h2", "h3", "h4", "h5", "h6"]),  # white six is
        data.stones([], ["h1", "h2", "h3", "h4", "h6"]),
        data.stones([], ["m1", "n1", "o1", "a2", "b2"]),  # no line goes round the edge
        data.stones([], []),
    ]
    assert batch.winners(np.stack(boards)).tolist() == [1, 0, 1, 2, 2, 2, 0, 0, 0]


# Against single calls


def test_forbidden_is_a_loop_of_boards() -> None:
    boards = crowded(400)
    judged = 0
    for cells, codes in zip(boards, batch.forbidden(boards), strict=True):
        try:
            board = Board.from_array(cells, turn=BLACK)
        except PositionError:
            continue  # two fives
        if board.outcome is None and (points := board.forbidden_points()):
            found = {Point(int(index)): codes.flat[index] for index in np.flatnonzero(codes)}
            assert found == points
            judged += 1
    assert judged > 50
    _, boards, turns = data.game_positions()
    for n in range(0, len(boards), 17):
        codes = np.zeros(225, np.uint8)
        for point, kind in Board.from_array(boards[n], turn=turns[n]).forbidden_points().items():
            codes[point] = kind
        if batch.winners(boards[n]) != BLACK:
            np.testing.assert_array_equal(batch.forbidden(boards[n]).ravel(), codes)


@pytest.mark.parametrize("name", ["five", "six"])
def test_forbidden_judges_finished_boards_by_their_stones(name: str) -> None:
    line = ["a1", "b1", "c1", "d1", "e1", "f1"][: 5 if name == "five" else 6]
    cells = data.stones(["f8", "g8", "h9", "h10", *line], [])
    assert batch.forbidden(cells)[7, 7] == 1
    assert Board.from_array(cells, turn=WHITE).forbidden_points() == {}


def test_winners_are_those_of_boards() -> None:
    boards = crowded(400)
    seen = set()
    for cells, winner in zip(boards, batch.winners(boards), strict=True):
        try:
            outcome = Board.from_array(cells, turn=BLACK).outcome
        except PositionError:
            assert winner == BLACK  # both have five, which no game reaches
            continue
        won_by = None if outcome is None else outcome.winner
        assert winner == (won_by or 0)
        seen.add(won_by)
    assert seen == {None, BLACK, WHITE}


@pytest.mark.slow
@pytest.mark.parametrize("color", Color)
def test_threat_map_is_made_of_the_sets_of_boards(color: Color) -> None:
    _, positions, _ = data.game_positions()
    cases = data.forbidden_cases("forbidden_cases.jsonl")
    boards = np.concatenate([positions[::13], cases.boards, crowded(300)])
    maps, fouls = batch.threat_map(boards, color), batch.forbidden(boards)
    kinds = set()
    for cells, codes, foul in zip(boards, maps, fouls, strict=True):
        assert not codes[cells != 0].any()
        kinds |= set(np.unique(codes).tolist())
        try:
            threats = Board.from_array(cells, turn=BLACK).threats(color)
        except PositionError:
            continue  # two fives
        forbidden = {Point(int(index)) for index in np.flatnonzero(foul)} if color is BLACK else set()
        by_strength = [
            (forbidden, {Threat.FORBIDDEN}),
            (threats.fives, {Threat.FIVE}),
            (threats.open_fours, {Threat.OPEN_FOUR}),
            (threats.double_fours, {Threat.DOUBLE_FOUR}),
            (threats.four_threes, {Threat.FOUR_THREE}),
            (threats.fours, {Threat.FOUR}),
            (threats.threes, {Threat.OPEN_THREE, Threat.DOUBLE_THREE}),
        ]
        stronger: set[Point] = set()
        for points, threat in by_strength:
            found = {Point(int(index)) for index in np.flatnonzero(np.isin(codes, list(threat)))}
            assert found == points - stronger, threat
            stronger |= points
    only_whites = {Threat.DOUBLE_THREE, Threat.DOUBLE_FOUR}
    assert kinds == set(Threat) - (only_whites if color is BLACK else {Threat.FORBIDDEN})


@pytest.mark.parametrize("symmetric", [False, True])
def test_keys_are_those_of_boards(symmetric: bool) -> None:
    records, boards, turns = data.game_positions()
    every = slice(None, None, 11)
    played = [Board(record) for record in records[every]]
    expected = [board.symmetric_key if symmetric else board.key for board in played]
    for given_turns in (None, turns[every]):
        assert batch.keys(boards[every], given_turns, symmetric).tolist() == expected
    for k in data.SYMMETRIES:
        images = batch.keys(data.transformed(boards[every], k), symmetric=symmetric)
        if symmetric:
            assert images.tolist() == expected
        else:
            assert images.tolist() == [board.transform(k).key for board in played]


def test_keys_without_turns_take_any_counts() -> None:
    boards = crowded(200)
    black, white = (boards == 1).sum(axis=(1, 2)), (boards == 2).sum(axis=(1, 2))
    turns = np.where(black <= white, 1, 2)
    assert len(set(turns.tolist())) == 2
    np.testing.assert_array_equal(batch.keys(boards), batch.keys(boards, turns))
    np.testing.assert_array_equal(batch.keys(boards, 1), batch.keys(boards, np.ones(200, int)))
    assert (batch.keys(boards, 1) != batch.keys(boards, 2)).all()


def test_parse_is_a_loop_of_boards() -> None:
    records = ["", "h8", "H8 I9 G7", "h8i9g7passa1", "h8,i9,g7", "h8i9g7 pass pass", " \n", "a1o15"]
    boards, turns = batch.parse(records)
    assert (boards.dtype, turns.dtype) == (np.int8, np.int8)
    for record, cells, turn in zip(records, boards, turns, strict=True):
        np.testing.assert_array_equal(cells, Board(record).to_array())
        assert turn == Board(record).turn


# Threads and order


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 255, 256, 257, 511, 513, 3000])
@each_call
def test_threads_do_not_matter(call: Call, count: int) -> None:
    boards = crowded(count)
    expected = call(boards, threads=1)
    for threads in THREADS:
        np.testing.assert_array_equal(call(boards, threads=threads), expected, f"{threads} threads")


@each_call
def test_order_is_kept(call: Call) -> None:
    boards = crowded(1500)
    order = np.random.default_rng(0).permutation(len(boards))
    expected = call(boards, threads=1)
    for threads in THREADS:
        np.testing.assert_array_equal(call(boards[order], threads=threads), expected[order])
    for n in range(0, len(boards), 97):
        np.testing.assert_array_equal(call(boards[n]), expected[n])


def test_threads_of_parse() -> None:
    records, expected, turns = data.game_positions()
    for threads in THREADS:
        found = batch.parse(records, threads=threads)
        np.testing.assert_array_equal(found[0], expected)
        np.testing.assert_array_equal(found[1], turns)


@pytest.mark.parametrize("threads", [-1, -(10**30)])
@each_call
def test_negative_threads(call: Call, threads: int) -> None:
    with pytest.raises(ValueError, match="threads"):
        call(crowded(3), threads=threads)


@pytest.mark.parametrize("threads", [1.5, "2", None])
@each_call
def test_threads_of_a_wrong_type(call: Call, threads: object) -> None:
    with pytest.raises(TypeError):
        call(crowded(3), threads=threads)


@each_call
def test_more_threads_than_work(call: Call) -> None:
    boards = crowded(600)
    np.testing.assert_array_equal(call(boards, threads=10_000), call(boards, threads=1))


# Shapes


@each_result
def test_shapes(call: Call, shape: tuple[int, ...], dtype: type) -> None:
    boards = crowded(5)
    result = call(boards)
    assert (result.shape, result.dtype) == ((5, *shape), dtype)
    assert result.flags.c_contiguous
    assert result.flags.writeable
    for n in range(5):
        single = call(boards[n])
        assert (np.shape(single), single.dtype) == (shape, dtype)
        np.testing.assert_array_equal(single, result[n])
        assert call(boards[n : n + 1]).shape == (1, *shape)


@pytest.mark.parametrize("threads", THREADS)
@each_result
def test_no_boards(call: Call, shape: tuple[int, ...], dtype: type, threads: int) -> None:
    result = call(np.zeros((0, 15, 15), np.int8), threads=threads)
    assert (result.shape, result.dtype) == ((0, *shape), dtype)
    assert call(np.zeros((0, 15, 15), np.int32)).shape == (0, *shape)
    out = np.empty((0, *shape), dtype)
    assert call(np.zeros((0, 15, 15), np.int8), out=out).shape == out.shape


def test_no_records() -> None:
    for records in (
        [],
        (),
        iter([]),
        np.array([], str),
        pd.Series([], dtype=object),
        pl.Series([], dtype=pl.String),
    ):
        boards, turns = batch.parse(records)
        assert (boards.shape, turns.shape) == ((0, 15, 15), (0,))
    assert batch.keys(boards, turns).shape == (0,)


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


# Properties


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 7), st.sampled_from(THREADS))
def test_symmetry(seed: int, k: int, threads: int) -> None:
    boards = data.random_boards(300, seed)
    images = data.transformed(boards, k)
    for call, shape, _ in CALLS.values():
        if call is batch.keys:
            continue
        expected = call(boards, threads=threads)
        np.testing.assert_array_equal(
            call(images, threads=threads), data.transformed(expected, k) if shape else expected
        )


@settings(deadline=None, max_examples=50)
@given(st.lists(st.lists(st.integers(0, 224), unique=True, max_size=40), max_size=20))
def test_records_read_back(games: list[list[int]]) -> None:
    records = ["".join(Point(move).name for move in moves).lower() for moves in games]
    boards, turns = batch.parse(records, referee=False)
    for moves, cells, turn in zip(games, boards, turns, strict=True):
        expected = np.zeros(225, np.int8)
        expected[moves[::2]] = 1
        expected[moves[1::2]] = 2
        np.testing.assert_array_equal(cells.ravel(), expected)
        assert turn == len(moves) % 2 + 1
