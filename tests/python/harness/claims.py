"""Decided claims of the engine, checked: "wins in n" and "loses in n" under all levels and small limits.

    cd tests/python && python -m harness.claims --claims 200000 --seed 1

Positions are those of the sample games with a few random stones added. A claim "loses in n" is checked by
every legal reply: after each the opponent must have a forced win of at most n - 1 plies. A claim "wins in n"
is checked by the solvers, or by its first move, after which the opponent must lose in n - 1. A distance is
an upper bound: told too long is allowed, told too short is not. Prints what was claimed and what held.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

import renju
from renju import Board, Limit, batch
from support.data import json_lines

Boards = npt.NDArray[np.int8]
Numbers = npt.NDArray[np.int64]

LEVELS = ("beginner", "easy", "medium", "hard", "master")
MOST_NODES = 4_096
GROUP = 200  # positions that share a level and a limit
SOLVER_NODES = 30_000
HARD_NODES = 200_000


@dataclass
class Positions:
    """Boards with the side to move, 1 or 2."""

    boards: Boards
    turns: Numbers

    def __len__(self) -> int:
        return len(self.boards)

    def take(self, chosen: npt.NDArray[np.bool_] | Numbers) -> Positions:
        return Positions(self.boards[chosen], self.turns[chosen])

    def after(self, moves: Numbers) -> Positions:
        """The positions after one move each."""
        boards = self.boards.copy().reshape(len(self), 225)
        boards[np.arange(len(self)), moves] = self.turns
        return Positions(boards.reshape(self.boards.shape), 3 - self.turns)


def legal(positions: Positions) -> npt.NDArray[np.bool_]:
    """Where the side to move may play; (N, 225)."""
    boards, turns = positions.boards, positions.turns
    is_empty = boards == 0
    is_empty[turns == 1] &= batch.forbidden(boards[turns == 1]) == 0
    return is_empty.reshape(len(positions), 225)


def game_positions() -> Positions:
    """All positions of the sample games that are not over."""
    records = [" ".join(game["moves"]) for game in json_lines("games.jsonl")]
    expanded = batch.expand(records)
    positions = Positions(expanded.boards, expanded.turns.astype(np.int64))
    stones = (positions.boards != 0).sum(axis=(1, 2))
    return positions.take((batch.winners(positions.boards) == 0) & (stones >= 4) & (stones <= 180))


def random_positions(base: Positions, count: int, random: np.random.Generator) -> Positions:
    """Positions of the base with up to seven random stones near others, by turns."""
    found = base.take(random.integers(len(base), size=count))
    more = random.integers(8, size=count)
    for step in range(7):
        grows = np.flatnonzero(more > step)
        part = found.take(grows)
        weights = random.random((len(part), 225)) * (legal(part) & near(part.boards))
        grown = part.after(weights.argmax(axis=1))
        found.boards[grows], found.turns[grows] = grown.boards, grown.turns
    return found.take(batch.winners(found.boards) == 0)


def near(boards: Boards) -> npt.NDArray[np.bool_]:
    """Points at most two steps from a stone; (N, 225)."""
    stones = np.pad(boards != 0, ((0, 0), (2, 2), (2, 2)))
    shifts = [stones[:, y : y + 15, x : x + 15] for y in range(5) for x in range(5)]
    return np.logical_or.reduce(shifts).reshape(len(boards), 225)


class Checker:
    """Checks claims, and counts what it could not decide."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._engine = renju.Engine("master", book=False, hash_mb=16)

    def wins(self, positions: Positions, plies: Numbers, moves: Numbers | None = None) -> list[bool | None]:
        """Does the side to move win within so many plies? None if that could not be decided. `moves` are
        the first moves that are claimed to do it."""
        verdicts: list[bool | None] = [None] * len(positions)
        is_five = plies < 0
        for n in np.unique(plies):
            chosen = np.flatnonzero(plies == n)
            is_five[chosen] = self._solved(positions.take(chosen), int(n))
        for i in np.flatnonzero(is_five):
            verdicts[i] = True
        for i in np.flatnonzero(~is_five):
            move = None if moves is None or moves[i] < 0 else int(moves[i])
            verdicts[i] = self._wins_by(positions.take(np.array([i])), int(plies[i]), move)
        return verdicts

    def _solved(self, positions: Positions, plies: int) -> npt.NDArray[np.bool_]:
        """Is there a win by fours or threats within so many plies?"""
        boards, turns = positions.boards, positions.turns
        stones = (plies - 1) // 2
        if plies <= 2:
            threats = batch.threat_map(boards[turns == 1], 1), batch.threat_map(boards[turns == 2], 2)
            found = np.zeros(len(positions), bool)
            for turn, codes in zip((1, 2), threats, strict=True):
                found[turns == turn] = (codes == renju.Threat.FIVE).any(axis=(1, 2))
            return found
        found = np.zeros(len(positions), bool)
        for kind, options in (
            ("vcf", {}),
            ("vct", {"threat_limit": 1}),
            ("vct", {"threat_limit": 3}),
        ):
            left = np.flatnonzero(~found)
            if not len(left):
                break
            limit = Limit(nodes=SOLVER_NODES)
            rows = batch.solve(boards[left], turns[left], kind, limit, max_depth=stones, threads=1, **options)
            found[left[rows["status"] == 1]] = True
        return found

    def _wins_by(self, position: Positions, plies: int, move: int | None) -> bool | None:
        """By this move, or else by the move that a longer search finds, does the side to move win within so
        many plies, whatever the replies?"""
        if plies <= 1:
            return False
        if move is None:
            board = Board.from_array(position.boards[0], turn=int(position.turns[0]))
            result = self._engine.analyse(board, Limit(nodes=HARD_NODES), multipv=1)
            if result.win_in is None or not 0 < result.win_in <= plies:
                return None
            move = int(result.move)
        return self.loses(position.after(np.array([move])), np.array([plies - 1]))[0]

    def loses(self, positions: Positions, plies: Numbers) -> list[bool | None]:
        """Does the side to move lose within so many plies, whatever it plays?"""
        may_play = legal(positions)
        owners, moves = np.nonzero(may_play)
        children = positions.take(owners).after(moves)
        made_five = batch.winners(children.boards) != 0
        verdicts: list[bool | None] = [True] * len(positions)
        for i in np.unique(owners[made_five]):
            verdicts[i] = False
        left = ~made_five & np.array([verdicts[i] is True for i in owners], bool)
        owners, children = owners[left], children.take(left)
        for i, verdict in zip(owners, self._all_win(children, plies[owners] - 1, owners), strict=True):
            if verdict is not True and verdicts[i] is not False:
                verdicts[i] = verdict
        return verdicts

    def _all_win(self, children: Positions, plies: Numbers, owners: Numbers) -> list[bool | None]:
        """`wins` of every child; once one of an owner does not win, its others are not looked at."""
        solved = np.zeros(len(children), bool)
        for n in np.unique(plies):
            chosen = np.flatnonzero(plies == n)
            solved[chosen] = self._solved(children.take(chosen), int(n))
        verdicts: list[bool | None] = [True] * len(children)
        refuted: set[int] = set()
        for i in np.flatnonzero(~solved):
            if int(owners[i]) not in refuted:
                verdicts[i] = self._wins_by(children.take(np.array([i])), int(plies[i]), None)
                if verdicts[i] is not True:
                    refuted.add(int(owners[i]))
        return verdicts


@dataclass
class Claims:
    """Decided claims: the positions, the moves that are claimed to win (-1: none is named), the distances."""

    positions: Positions
    moves: Numbers
    win_in: Numbers

    def checked(self, checker: Checker) -> list[bool | None]:
        """Does each hold?"""
        verdicts: list[bool | None] = [None] * len(self.moves)
        wins = np.flatnonzero(self.win_in > 0)
        found = checker.wins(self.positions.take(wins), self.win_in[wins], self.moves[wins])
        losses = np.flatnonzero(self.win_in < 0)
        found += checker.loses(self.positions.take(losses), -self.win_in[losses])
        for i, verdict in zip([*wins, *losses], found, strict=True):
            verdicts[i] = verdict
        return verdicts


@dataclass
class Tally:
    """What was claimed, and what did not hold."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, claims: Claims, checker: Checker, asked: str) -> None:
        for i, verdict in enumerate(claims.checked(checker)):
            win_in = int(claims.win_in[i])
            self.counts["claims"] += 1
            self.counts["wins" if win_in > 0 else "losses"] += 1
            self.counts[{True: "hold", False: "false", None: "open"}[verdict]] += 1
            if verdict is not True:
                turn = int(claims.positions.turns[i])
                board = Board.from_array(claims.positions.boards[i], turn=turn)
                what = "is false" if verdict is False else "could not be decided"
                self.failures.append(f"win_in {win_in} {what} ({asked}, move {claims.moves[i]}):\n{board}")


Row = tuple[int, int, int]
"""Number of the position, move (-1: none is named), win_in."""


def batch_rows(positions: Positions, level: str, nodes: int, multipv: int) -> tuple[list[Row], list[Row]]:
    """What `batch.analyze` claims: of positions, and of moves."""
    rows = batch.analyze(
        positions.boards, positions.turns, Limit(nodes=nodes), level, multipv=multipv, threads=1, hash_mb=1
    ).reshape(len(positions), multipv)
    of_positions, of_moves = [], []
    for i, j in zip(*np.nonzero(rows["win_in"]), strict=True):
        claim = int(i), int(rows[i, j]["best"]), int(rows[i, j]["win_in"])
        (of_moves if j else of_positions).append(claim)
    return of_positions, of_moves


def engine_rows(positions: Positions, level: str, nodes: int, multipv: int) -> tuple[list[Row], list[Row]]:
    """The same of `Engine.best_move` for every second position, and of all that `stream` says for the
    others."""
    engine = renju.Engine(level, book=False, hash_mb=1, seed=nodes)
    limit = Limit(nodes=nodes)
    of_positions, of_moves = [], []
    for i in range(len(positions)):
        board = Board.from_array(positions.boards[i], turn=int(positions.turns[i]))
        results = engine.stream(board, limit, multipv) if i % 2 else [engine.best_move(board, limit)]
        for result in results:
            if result.win_in is not None:
                of_positions.append((i, int(result.move), result.win_in))
            of_moves += [(i, int(c.move), c.win_in) for c in result.candidates if c.win_in is not None]
    return of_positions, of_moves


def claims_of(positions: Positions, of_positions: list[Row], of_moves: list[Row]) -> Claims:
    """The claims as claims of positions: after a move the opponent loses or wins, a ply nearer."""
    # A move that makes five claims nothing that would be left to check.
    of_moves = [row for row in of_moves if row[2] != 1]
    here = positions.take(np.array([i for i, _, _ in of_positions], np.int64))
    at, moves = (np.array([row[k] for row in of_moves], np.int64) for k in (0, 1))
    after = positions.take(at).after(moves)
    told = [win_in for _, _, win_in in of_positions]
    told += [1 - win_in if win_in > 0 else -1 - win_in for _, _, win_in in of_moves]
    return Claims(
        Positions(np.concatenate([here.boards, after.boards]), np.concatenate([here.turns, after.turns])),
        np.array([move for _, move, _ in of_positions] + [-1] * len(of_moves), np.int64),
        np.array(told, np.int64),
    )


def run(claims: int, seed: int, report: Callable[[Counter[str]], None] = Counter.copy) -> Tally:
    """Checks at least this number of claims. `report` hears of the counts now and then."""
    random = np.random.default_rng(seed)
    base = game_positions()
    checker = Checker()
    tally = Tally()
    while tally.counts["claims"] < claims:
        positions = random_positions(base, GROUP, random)
        level, multipv = LEVELS[random.integers(5)], int(random.choice([1, 5]))
        nodes = int(2 ** random.uniform(0, np.log2(MOST_NODES)))
        rows_of = engine_rows if random.integers(4) == 0 else batch_rows
        found = claims_of(positions, *rows_of(positions, level, nodes, multipv))
        tally.counts["positions"] += len(positions)
        tally.add(found, checker, f"{rows_of.__name__}, {level}, {nodes} nodes, multipv {multipv}")
        report(tally.counts)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--claims", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    told = 0

    def report(counts: Counter[str]) -> None:
        nonlocal told
        if counts["claims"] >= told + 10_000:
            told = counts["claims"]
            print(dict(counts), flush=True)

    tally = run(options.claims, options.seed, report)
    print(*tally.failures, dict(tally.counts), sep="\n")
    sys.exit(bool(tally.failures))


if __name__ == "__main__":
    main()
