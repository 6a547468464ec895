"""What a person meets at each level: how often it takes its wins and stops those of the opponent.

    cd tests/python && python -m harness.levels --positions 500 --seed 1

Positions come from games of the two weakest levels from even openings, each game with a seed of its own, so
that the questions are those of ordinary play. Every level answers every position once, as in a game: with its
own settings and without a clock. Prints a row for each question with the share of right answers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import renju
from renju import Board, Engine, Limit, Point
from renju.config import LEVELS, EngineConfig
from renju.lab.openings import Openings

PLAYERS = ("beginner", "easy")
"""The levels whose games the positions are taken from."""
VCF_NODES = 20_000
"""Positions for the question how long a win by fours is."""
NODES = {level: EngineConfig.from_level(level).nodes or 20_000 for level in LEVELS}
"""Positions that each level may look at for a move; master, which has no limit of its own, gets 20,000."""


@dataclass(frozen=True)
class Question:
    """A kind of position and when an answer to it is right."""

    name: str
    is_right: Callable[[Board, Point], bool]


def vcf_length(board: Board, color: renju.Color) -> int | None:
    """Stones of the shortest win by fours of a colour, if it were to move; None if none was found."""
    proof = renju.solve_vcf(board, color=color, shortest=True, limit=Limit(nodes=VCF_NODES))
    return proof.depth if proof.status == "proved" else None


def is_five(board: Board, move: Point) -> bool:
    return move in fives(board, board.turn)


def fives(board: Board, color: renju.Color) -> frozenset[Point]:
    """The points that complete five for a colour."""
    return board.threats(color).fives


def stops_five(board: Board, move: Point) -> bool:
    return move in fives(board, board.turn.opponent)


def stops_fours(board: Board, move: Point) -> bool:
    """Is the opponent's win by fours gone, or put off by a four?"""
    after = board.copy()
    after.push(move)
    if after.outcome is not None:
        return after.outcome.winner == board.turn
    return bool(fives(after, board.turn)) or vcf_length(after, after.turn) is None


def wins_by_fours(board: Board, move: Point) -> bool:
    return renju.is_winning_start(board, move, "vcf").status == "proved"


QUESTIONS = {
    name: Question(name, is_right)
    for name, is_right in (
        ("takes its own five", is_five),
        ("blocks a four", stops_five),
        ("answers an open three", stops_fours),
        ("stops another win by fours", stops_fours),
        ("makes a straight four", wins_by_fours),
        ("sees a VCF of 2 fours", wins_by_fours),
        ("sees a VCF of 3 fours", wins_by_fours),
        ("sees a VCF of 4 to 6 fours", wins_by_fours),
    )
}


def question_of(board: Board) -> str | None:
    """The name of the question that a position asks; None if it asks none."""
    own, other = board.turn, board.turn.opponent
    if fives(board, own):
        return "takes its own five"
    if threatened := fives(board, other):
        return "blocks a four" if len(threatened) == 1 and board.is_legal(min(threatened)) else None
    if length := vcf_length(board, own):
        if length == 1:
            return "makes a straight four"
        if length < 4:
            return f"sees a VCF of {length} fours"
        return "sees a VCF of 4 to 6 fours" if length < 7 else None
    if length := vcf_length(board, other):
        return "answers an open three" if length == 1 else "stops another win by fours"
    return None


def games(seed: int) -> Iterator[Board]:
    """Positions of games between the weak levels, without end."""
    openings = Openings.make("even", seed)
    number = seed << 20
    while True:
        players = [Engine(level, hash_mb=1, seed=number, book=False) for level in PLAYERS]
        board = Board(openings[number])
        while board.outcome is None and board.ply < 120:
            yield board
            player = players[(board.ply + number) % 2]
            board.push(player.best_move(board, Limit(nodes=NODES[PLAYERS[(board.ply + number) % 2]])).move)
        number += 1


def collect(questions: list[str], positions: int, seed: int) -> dict[str, list[Board]]:
    """For each question this number of positions, all different."""
    found: dict[str, dict[int, Board]] = {name: {} for name in questions}
    for board in games(seed):
        name = question_of(board)
        if name in found and len(found[name]) < positions:
            found[name].setdefault(board.symmetric_key, board.copy())
        if all(len(boards) >= positions for boards in found.values()):
            break
    return {name: list(boards.values()) for name, boards in found.items()}


def measure(boards: dict[str, list[Board]], level: str, seed: int) -> dict[str, float]:
    """Key: question; value: the share of positions that a level answers rightly."""
    engine = Engine(level, hash_mb=1, seed=seed, book=False)
    limit = Limit(nodes=NODES[level])
    shares = {}
    for name, asked in boards.items():
        right = sum(QUESTIONS[name].is_right(board, engine.best_move(board, limit).move) for board in asked)
        shares[name] = right / len(asked)
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500, help="of each question (default 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--levels", nargs="+", default=list(LEVELS), choices=LEVELS)
    parser.add_argument("--questions", nargs="+", default=list(QUESTIONS), choices=list(QUESTIONS))
    args = parser.parse_args()
    boards = collect(args.questions, args.positions, args.seed)
    shares = {level: measure(boards, level, args.seed) for level in args.levels}
    print("| | " + " | ".join(args.levels) + " |")
    print("|---" * (len(args.levels) + 1) + "|")
    for name in args.questions:
        print(f"| {name} | " + " | ".join(f"{shares[level][name]:.0%}" for level in args.levels) + " |")


if __name__ == "__main__":
    main()
