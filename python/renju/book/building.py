"""Making a book with the engine."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from renju import __version__, _native, openings
from renju._journal import Journal, JournalKind
from renju._progress import Progress, reporting
from renju._types import BOARD_SIZE, Point
from renju.batch import analyze, solve
from renju.board import Board
from renju.book.collection import Book
from renju.book.growth import Analysis, Growth, Rules
from renju.config import EngineConfig
from renju.errors import FormatError, Interrupted
from renju.limits import DEFAULT_HASH_MB, Limit, between, check_hash, fixed_nodes, whole
from renju.openings import Opening

__all__ = ["Start", "as_arrays", "build"]

Start = Board | Opening | str

_MOST_POSITIONS = 1_000_000
_MOST_NODES = 2**32 - 1
_CELLS = BOARD_SIZE**2
# Positions that are chosen at once. It must not depend on the threads, since the book does depend on it.
_ROUND = 16
# Positions that are searched before what was found is written down.
_CHUNK = 8
_DEFAULT_NODES = 100_000


def build(
    starts: Iterable[Start] | None = None,
    *,
    positions: int = 100,
    limit: Limit | None = None,
    nodes: int | None = None,
    width: int = 4,
    plies: int = _CELLS,
    level: str = "master",
    config: EngineConfig | None = None,
    ply_cost: int = 30,
    margin: int = 150,
    play_margin: int = 60,
    weight_step: int = 20,
    check_nodes: int = 20_000,
    threads: int = 0,
    hash_mb: int = DEFAULT_HASH_MB,
    progress: bool | Progress | None = None,
    path: str | os.PathLike[str] | None = None,
    resume: bool = False,
) -> Book:
    """Makes a book from some starts (the 26 openings, if none are given) with the engine.

    Each of `positions` positions is searched twice: for its best move with the nodes of `limit` (100,000;
    `nodes` is the same as a number), and for the `width` best moves with half of them. The positions are
    taken as `growth` tells: the good lines get long, up to `plies` plies from a start, and alternatives up to
    `margin` points of score behind the best are looked at; a larger `ply_cost`, in points, makes the book
    broader and less deep. A move that is `play_margin` points behind the best is not played, one that is
    `weight_step` points behind half as often. In the end every move that is played is tried against a VCT of
    the opponent with `check_nodes` nodes.

    The engine is that of `level`, or of `config`, with a table of `hash_mb` megabytes in each of `threads`
    threads (0: one per core). `progress` is True for a bar, or called with the positions done and planned.

    The result depends on these settings alone, not on the threads. With `path` everything that was found is
    kept in a file, and with `resume` a build that was broken off goes on from there. Ctrl-C is `Interrupted`
    with the book of what was found.

    >>> from renju import book
    >>> small = book.build(["h8 h9 i9"], positions=3, nodes=2_000, width=2)
    >>> len(small)
    3
    """
    if config is not None and not isinstance(config, EngineConfig):
        raise TypeError(f"config is a renju.EngineConfig, not {type(config).__name__}")
    if isinstance(starts, str | Board | Opening):
        raise TypeError("starts are several positions: put one into a list")
    boards = [_start(one) for one in (openings.OPENINGS if starts is None else starts)]
    if not boards:
        raise ValueError("there is no position to start from")
    rules = Rules(
        between("plies", plies, 0, _CELLS),
        between("ply_cost", ply_cost, 0, _native.WIN),
        between("margin", margin, 0, _native.WIN),
        between("play_margin", play_margin, 1, _native.WIN),
        between("weight_step", weight_step, 1, _native.WIN),
    )
    recipe = {
        "engine": __version__,
        "config": dict(vars(EngineConfig.from_level(level) if config is None else config)),
        "starts": sorted(f"{board.symmetric_key:016x}" for board in boards),
        "nodes": fixed_nodes(limit, nodes, _DEFAULT_NODES),
        "width": between("width", width, 1, _CELLS),
        "check_nodes": between("check_nodes", check_nodes, 0, _MOST_NODES),
        **vars(rules),
    }
    most = between("positions", positions, 1, _MOST_POSITIONS)
    build = _Build(recipe, Growth(boards, rules), threads, check_hash(hash_mb))
    with build.journal(path, resume), reporting(progress, most, "positions") as report:
        return build.run(most, report)


class _Build:
    """A book in the making."""

    def __init__(self, recipe: dict[str, Any], growth: Growth, threads: int, hash_mb: int) -> None:
        self._recipe, self._growth = recipe, growth
        self._config = EngineConfig(**recipe["config"])
        self._threads, self._hash_mb = threads, hash_mb
        self._known: dict[int, Analysis] = {}
        self._file: _BuildFile | None = None

    @contextmanager
    def journal(self, path: str | os.PathLike[str] | None, resume: bool) -> Iterator[None]:
        """Keeps what is found in a file meanwhile, and knows what is there already."""
        if path is None:
            if resume:
                raise ValueError("resume needs the file of the build: path")
            yield
            return
        # Whatever the book is to become, an analysis stays the same.
        facts = {name: self._recipe[name] for name in ("engine", "config", "nodes", "width")}
        with _BuildFile(path, facts) as self._file:
            self._file.begin(resume)
            self._known = dict(self._file.finished)
            yield

    def run(self, most: int, report: Callable[[int], object] | None) -> Book:
        try:
            while count := min(_ROUND, most - len(self._growth)):
                wanted = self._growth.next(count)
                if not wanted:
                    break
                for start in range(0, len(wanted), _CHUNK):
                    self._take_in(wanted[start : start + _CHUNK])
                    if report is not None:
                        report(len(self._growth))
                self._growth.settle()
            self._check()
        except KeyboardInterrupt as error:
            self._growth.settle()
            book = self._book()
            raise Interrupted(f"interrupted; so far there is {book!r}", partial=book) from error
        return self._book()

    def _book(self) -> Book:
        return Book(self._growth.moves(), self._recipe | {"positions": len(self._growth)})

    def _take_in(self, keys: Sequence[int]) -> None:
        """Adds positions to the book, analysed if that was not done before."""
        if missing := [key for key in keys if key not in self._known]:
            self._analyse(missing)
        for key in keys:
            self._growth.add(key, self._known[key])

    def _analyse(self, keys: Sequence[int]) -> None:
        cells, turns = as_arrays([self._growth.board(key) for key in keys])
        nodes, width = self._recipe["nodes"], self._recipe["width"]
        main = self._search(cells, turns, nodes, 1)
        others = self._search(cells, turns, max(1, nodes // 2), width)
        for key, best, rows in zip(keys, main, others, strict=True):
            found = [_facts(row) for row in rows.reshape(-1) if row["best"] >= 0]
            self._known[key] = analysis = Analysis(_facts(best), tuple(found))
            if self._file is not None:
                self._file.add(key, analysis)

    def _search(
        self, cells: npt.NDArray[np.int8], turns: npt.NDArray[np.int8], nodes: int, width: int
    ) -> npt.NDArray[np.void]:
        return analyze(
            cells,
            turns,
            Limit(nodes=nodes),
            multipv=width,
            threads=self._threads,
            config=self._config,
            hash_mb=self._hash_mb,
        )

    def _check(self) -> None:
        """Takes away the moves after which the opponent has a VCT, until no such move is played."""
        limit = Limit(nodes=self._recipe["check_nodes"])
        is_fine: set[int] = set()
        while limit.nodes:
            played = {
                after.symmetric_key: (after, board, move)
                for board, moves in self._growth.moves()
                for move in moves
                if move.weight
                for after in [_after(board, move.move)]
                if after.outcome is None and after.symmetric_key not in is_fine
            }
            if not played:
                return
            cells, turns = as_arrays([after for after, *_ in played.values()])
            found = solve(cells, turns, "vct", limit, threads=self._threads)
            for key, row in zip(played, found, strict=True):
                _, board, move = played[key]
                if row["status"] > 0:
                    self._growth.drop(board, move.move)
                else:
                    is_fine.add(key)
            self._growth.settle()


def _after(board: Board, move: Point) -> Board:
    after = board.copy()
    after.push(move)
    return after


def as_arrays(boards: Sequence[Board]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Boards and turns as the array functions take them."""
    cells = np.stack([board.to_array() for board in boards])
    return cells, np.array([board.turn for board in boards], np.int8)


def _facts(row: npt.NDArray[np.void]) -> tuple[int, int, int, int]:
    best, score, depth, nodes = (int(row[name]) for name in ("best", "score", "depth", "nodes"))
    return best, score, depth, nodes


def _start(given: Start) -> Board:
    if isinstance(given, Opening):
        return Board(given.moves)
    board = given if isinstance(given, Board) else Board(given)
    if board.outcome is not None:
        raise ValueError(f"no book starts at {board!r}: the game is over ({board.outcome.reason})")
    if not board.legal_moves:
        raise ValueError(f"no book starts at {board!r}: there is no legal move")
    return board


class _BuildFile(Journal[tuple[int, Analysis]]):
    """The file of a build: how positions are analysed, then a line for each."""

    def __init__(self, path: str | os.PathLike[str], facts: dict[str, Any]) -> None:
        super().__init__(Path(path), _KIND, facts)
        self.finished: dict[int, Analysis] = {}

    def _restore(self, entries: Sequence[tuple[int, Analysis]]) -> None:
        self.finished.update(entries)

    def add(self, key: int, analysis: Analysis) -> None:
        self._write(json.dumps({"key": key, "main": analysis.main, "others": analysis.others}))
        self._sync()


def _read_line(text: str) -> tuple[int, Analysis]:
    line = json.loads(text)
    try:
        main, *others = (_numbers(row) for row in (line["main"], *line["others"]))
        return whole("key", line["key"]), Analysis(main, tuple(others))
    except (KeyError, TypeError) as error:
        raise FormatError(f"this is no position of a build: {error}") from None


def _numbers(row: Sequence[object]) -> tuple[int, int, int, int]:
    point, score, depth, nodes = (whole("a number", value) for value in row)
    if not 0 <= point < _CELLS:
        raise FormatError(f"{point} is no point")
    return point, score, depth, nodes


_KIND = JournalKind("book build", "renju-book-build", 2, _read_line)
