"""Symmetric images of arrays of boards and points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renju
from renju import PASS, Board, Point, Source, batch
from renju.errors import PositionError
from support import data
from support.array_rows import FEW, live

# Symmetries


def test_canonical_is_that_of_boards() -> None:
    records, arrays, turns = data.game_positions()
    every = slice(None, None, 7)
    images, symmetries = batch.canonical(arrays[every], turns[every])
    assert (images.dtype, symmetries.dtype) == (np.int8, np.uint8)
    for record, image, k in zip(records[every], images, symmetries, strict=True):
        board = Board(record)
        np.testing.assert_array_equal(image, board.canonical().to_array())
        np.testing.assert_array_equal(image, board.transform(int(k)).to_array())
    for found, expected in zip(batch.canonical(arrays[every]), (images, symmetries), strict=True):
        np.testing.assert_array_equal(found, expected)
    image, k = batch.canonical(arrays[70], turns[70])
    assert (image.shape, np.shape(k)) == ((15, 15), ())
    np.testing.assert_array_equal(image, images[10])
    images, symmetries = batch.canonical(arrays[:0])
    assert (images.shape, symmetries.shape) == ((0, 15, 15), (0,))


@pytest.mark.parametrize(
    ("boards", "turns", "error"),
    [
        (np.zeros((2, 15, 15)), None, TypeError),
        (np.zeros((2, 15, 14), np.int8), None, ValueError),
        (np.zeros((2, 15, 15), np.int8), [1, 3], ValueError),
        (np.full((2, 15, 15), 5, np.int8), None, PositionError),
    ],
)
def test_no_canonical_image(boards: Any, turns: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        batch.canonical(boards, turns)


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([1, 2, None]), st.sampled_from([1, 2, 5]))
def test_all_images_have_the_same_canonical_one(seed: int, turns: int | None, threads: int) -> None:
    boards = data.random_boards(40, seed)
    expected, _ = batch.canonical(boards, turns, threads)
    for k in data.SYMMETRIES:
        turned = batch.transform(boards, k)
        images, symmetries = batch.canonical(turned, turns, threads)
        np.testing.assert_array_equal(images, expected)
        for board, image, symmetry in zip(turned, images, symmetries, strict=True):
            np.testing.assert_array_equal(batch.transform(board, symmetry), image)
    sides = turns or np.where((boards == 1).sum(axis=(1, 2)) <= (boards == 2).sum(axis=(1, 2)), 1, 2)
    np.testing.assert_array_equal(batch.keys(expected, sides), batch.keys(boards, turns, symmetric=True))


def inverse(k: int) -> int:
    """The symmetry that takes `k` back: turns go the other way, mirrors undo themselves."""
    return (4 - k) % 4 if k < 4 else k


@pytest.mark.parametrize("k", data.SYMMETRIES)
def test_transform(k: int) -> None:
    records, arrays, _ = data.game_positions()
    images = batch.transform(arrays, k)
    assert images.flags.c_contiguous
    np.testing.assert_array_equal(images, data.transformed(arrays, k))
    for n in range(0, len(records), 97):
        np.testing.assert_array_equal(images[n], Board(records[n]).transform(k).to_array())
    np.testing.assert_array_equal(batch.transform(images, inverse(k)), arrays)
    planes = np.random.default_rng(0).random((2, 3, 15, 15))
    np.testing.assert_array_equal(batch.transform(planes, k)[1, 2], batch.transform(planes[1, 2], k))


@pytest.mark.parametrize("k", data.SYMMETRIES)
def test_transform_points(k: int) -> None:
    points = np.arange(PASS)
    images = batch.transform_points(points, k)
    assert images.tolist() == [data.transformed_index(point, k) for point in range(PASS)]
    np.testing.assert_array_equal(batch.transform_points(images, inverse(k)), points)
    outside = np.array([-1, PASS, 255, 112], np.int16)
    assert batch.transform_points(outside, k).tolist() == outside.tolist()
    assert batch.transform_points(outside, k).dtype == np.int16
    # A plane with a stone on each point goes where the points go.
    stones = np.zeros((PASS, 15, 15), np.int8)
    stones.reshape(PASS, PASS)[points, points] = 1
    np.testing.assert_array_equal(
        batch.transform(stones, k).reshape(PASS, PASS).argmax(axis=1), batch.transform_points(points, k)
    )


@pytest.mark.parametrize("k", [-1, 8, "1", None, [0, 1]])
def test_no_symmetry(k: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        batch.transform(np.zeros((15, 15), np.int8), k)


@pytest.mark.parametrize("shape", [(15,), (225,), (2, 225), (15, 14), (15, 15, 2)])
def test_transform_of_other_shapes(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        batch.transform(np.zeros(shape, np.int8), 1)


def test_points_that_are_no_numbers() -> None:
    with pytest.raises(TypeError, match="dtype"):
        batch.transform_points(["h8"], 1)
    with pytest.raises(TypeError, match="dtype"):
        batch.transform_points([1.0], 1)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 255), st.integers(0, 7)), min_size=1))
def test_a_symmetry_for_each_point(pairs: list[tuple[int, int]]) -> None:
    points, symmetries = np.array(pairs).T
    images = batch.transform_points(points, symmetries)
    expected = [int(batch.transform_points(point, k)) for point, k in pairs]
    assert images.tolist() == expected
    lines = np.stack([points, points], axis=1)
    np.testing.assert_array_equal(batch.transform_points(lines, symmetries[:, None])[:, 1], images)


def test_the_engine_sees_images_alike() -> None:
    """What the pipeline relies on: an answer for the canonical image holds for the board itself."""
    boards, arrays, turns = live()
    images, symmetries = batch.canonical(arrays, turns)
    rows = batch.analyze(images, turns, FEW)
    back = np.array([inverse(int(k)) for k in symmetries])
    moves = batch.transform_points(rows["best"], back)
    lines = batch.transform_points(rows["pv"], back[:, None])
    for board, move, line, row in zip(boards, moves, lines, rows, strict=True):
        assert board.is_legal(Point(int(move)))
        assert line[0] == move
        if row["source"] == Source.VCF:
            assert renju.is_winning_start(board, int(move))


def test_symmetries_have_inverses() -> None:
    for k in range(8):
        there = batch.transform_points(np.arange(225), k)
        assert batch.transform_points(there, batch.inverse(k)).tolist() == list(range(225))


@pytest.mark.parametrize("k", [-1, 8, 1.0, [0, 9]])
def test_what_is_no_symmetry(k: object) -> None:
    with pytest.raises(ValueError, match=r"0\.\.7"):
        batch.transform_points([1, 2], k)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"0\.\.7"):
        batch.inverse(k)  # type: ignore[arg-type]


def test_points_need_room() -> None:
    turned = batch.transform_points(np.array([10, -1], np.int8), 2)
    assert turned.dtype == np.int16
    assert turned.tolist() == [214, -1]
    assert batch.transform_points([], 1).tolist() == []
