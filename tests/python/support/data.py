"""The files of tests/data as arrays, read without the package under test."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from support import DATA

SIZE = 15
BLACK, WHITE = 1, 2
FORBIDDEN_FILES = ("forbidden.jsonl", "forbidden_cases.jsonl", "forbidden_crosscheck.csv")
SYMMETRIES = range(8)

# How the files spell the kinds; the values are the codes of the array API.
_KINDS = {"33": 1, "double-three": 1, "44": 2, "double-four": 2, "6": 3, "ol": 3, "overline": 3}


@dataclass(frozen=True)
class ForbiddenCases:
    """Positions with the verdict on every point. The arrays are read-only."""

    ids: tuple[str, ...]
    boards: npt.NDArray[np.int8]
    codes: npt.NDArray[np.uint8]


def json_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def place(name: str) -> tuple[int, int]:
    """ "H8" or "h8" -> (y, x)."""
    return int(name[1:]) - 1, ord(name[0].upper()) - ord("A")


def names(compact: str) -> list[str]:
    """ "h8i10" -> ["h8", "i10"]."""
    found: list[str] = []
    for char in compact:
        if char.isalpha():
            found.append(char)
        else:
            found[-1] += char
    return found


def stones(black: Iterable[str], white: Iterable[str]) -> npt.NDArray[np.int8]:
    board = np.zeros((SIZE, SIZE), np.int8)
    for points, color in ((black, BLACK), (white, WHITE)):
        for name in points:
            assert board[place(name)] == 0, f"{name} is given twice"
            board[place(name)] = color
    return board


@cache
def forbidden_cases(name: str) -> ForbiddenCases:
    """One of `FORBIDDEN_FILES`."""
    read = _crosscheck if name.endswith(".csv") else _json_cases
    ids, boards, codes = zip(*read(name), strict=True)
    return ForbiddenCases(ids, _frozen(np.stack(boards)), _frozen(np.stack(codes)))


def all_forbidden_cases() -> ForbiddenCases:
    files = [forbidden_cases(name) for name in FORBIDDEN_FILES]
    return ForbiddenCases(
        tuple(case for file in files for case in file.ids),
        _frozen(np.concatenate([file.boards for file in files])),
        _frozen(np.concatenate([file.codes for file in files])),
    )


@cache
def games() -> tuple[dict[str, Any], ...]:
    """moves, result (black, white or draw), reason and opening of complete games."""
    return tuple(json_lines("games.jsonl"))


@cache
def game_positions() -> tuple[list[str], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Every position of the games: record, board and whose turn it is."""
    records, boards, turns = [], [], []
    for game in games():
        moves = game["moves"]
        for count in range(len(moves) + 1):
            records.append("".join(moves[:count]).lower())
            boards.append(stones(moves[:count:2], moves[1:count:2]))
            turns.append(WHITE if count % 2 else BLACK)
    return records, _frozen(np.stack(boards)), _frozen(np.array(turns, np.int8))


def quiet_positions() -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Boards and turns of quiet_positions.txt."""
    rows = [line.split(" ") for line in (DATA / "quiet_positions.txt").read_text().splitlines()]
    boards = [stones(*(filter(None, names.split(",")) for names in row[:2])) for row in rows]
    return np.array(boards), np.array([1 if row[2] == "b" else 2 for row in rows], np.int8)


def transformed(array: npt.NDArray[Any], k: int) -> npt.NDArray[Any]:
    """Mirrored left to right if k >= 4, then turned k % 4 quarters counter-clockwise.

    The last two axes are y and x. Row 1 comes first in an array and is drawn last, so the turn goes the other
    way round than in numpy.
    """
    if k >= 4:
        array = array[..., ::-1]
    return np.ascontiguousarray(np.rot90(array, -(k % 4), axes=(-2, -1)))


def transformed_index(index: int, k: int) -> int:
    """Where the point y * 15 + x goes."""
    marked = np.zeros((SIZE, SIZE), np.int8)
    marked.flat[index] = 1
    return int(transformed(marked, k).argmax())


def random_boards(count: int, seed: int = 0) -> npt.NDArray[np.int8]:
    """Boards of all densities with any stone counts, finished ones among them."""
    rng = np.random.default_rng(seed)
    filled = rng.random((count, SIZE, SIZE)) < rng.uniform(0.05, 0.8, (count, 1, 1))
    black = rng.random((count, SIZE, SIZE)) < rng.uniform(0.3, 0.8, (count, 1, 1))
    return np.where(filled, np.where(black, BLACK, WHITE), 0).astype(np.int8)


def _json_cases(name: str) -> list[tuple[str, npt.NDArray[np.int8], npt.NDArray[np.uint8]]]:
    cases = []
    for number, row in enumerate(json_lines(name), 1):
        expected = row.get("expect", row)
        maps = (expected.get(key) for key in ("forbidden", "all_forbidden", "all_forbidden_ref"))
        verdicts = next(found for found in maps if isinstance(found, dict))
        board = stones(row["black"], row["white"])
        cases.append((row.get("id", f"{name}:{number}"), board, _codes(verdicts)))
    return cases


def _crosscheck(name: str) -> list[tuple[str, npt.NDArray[np.int8], npt.NDArray[np.uint8]]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    cases = []
    for number, row in enumerate(rows, 2):
        verdicts = dict(entry.split(":") for entry in row["forbidden_piskvork_kinds"].split())
        board = stones(names(row["black"]), names(row["white"]))
        cases.append((f"{name}:{number}", board, _codes(verdicts)))
    return cases


def _codes(verdicts: Mapping[str, str]) -> npt.NDArray[np.uint8]:
    codes = np.zeros((SIZE, SIZE), np.uint8)
    for name, kind in verdicts.items():
        codes[place(name)] = _KINDS[kind]
    return codes


def _frozen(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.flags.writeable = False
    return array
