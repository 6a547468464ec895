"""A match in a file, and the lines of the file: what the tests of evidence share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from renju import Board, lab
from renju.lab.game_record import GameRecord, Ply
from renju.lab.openings import Openings
from renju.lab.programs import Fault
from renju.lab.schedule import schedule

PLAYERS = ("easy,nodes=300", "beginner,nodes=300")
OPENINGS = ["h8i9g7", "h8h9i9", "h8i8j8"]
RULES = lab.Adjudication(win_plies=2, draw_plies=0)
Game = dict[str, Any]


def play(path: Path, resume: bool = False) -> lab.Match:
    """A match in which most games are adjudicated, and one or more end by a five."""
    return lab.match(
        *PLAYERS, games=6, seed=5, openings=OPENINGS, adjudicate=RULES, path=path, resume=resume, workers=1
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the match, in the order of the schedule."""
    path = tmp_path_factory.mktemp("evidence") / "whole.jsonl"
    reasons = {game.reason for game in play(path).games}
    assert reasons >= {"adjudicated"}
    return path


def header_of(path: Path) -> dict[str, Any]:
    return records_of(path)[0]


def games_of(path: Path) -> list[Game]:
    return records_of(path)[1:]


def records_of(path: Path) -> list[dict[str, Any]]:
    """What the lines say, without their checksums."""
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return [{name: value for name, value in record.items() if name != "chain"} for record in records]


def with_plies(game: Game, plies: list[dict[str, Any]]) -> Game:
    """The game with other plies, and moves that fit them."""
    moves = game["opening"] + "".join(ply["move"].lower() for ply in plies)
    return game | {"plies": plies, "moves": moves}


def foreign_opening(game: Game) -> Game:
    """Another opening of as many stones, which are not in the way of any later move."""
    taken = {ply["move"].lower() for ply in game["plies"]}
    free = [name for name in ("a15", "o1", "o15", "a1", "h1", "h15") if name not in taken]
    opening = "h8" + "".join(free[:2])
    return with_plies(game | {"opening": opening}, game["plies"])


class Scripted(lab.Seat):
    """Plays moves by their number on the board; does wrong where there is none."""

    def __init__(self, moves: list[str], reason: Any) -> None:
        self.moves, self.reason = moves, reason

    def new_game(self, seed: int) -> None:
        if not self.moves:
            raise Fault(self.reason, "it did not start")

    def think(self, board: Board) -> lab.Thought:
        if board.ply >= len(self.moves):
            raise Fault(self.reason, f"it fell at move {board.ply + 1}")
        return lab.Thought(Ply(self.moves[board.ply], 0.0, score=3, candidates=(("H8", 3), ("A1", 2))))


SCRIPTS = [
    ("h8a1i8a3j8a5k8a7l8", "crash"),  # a five of black's
    ("h8a1o1a2o3a3o5a4o7a5", "crash"),  # a five of white's
    ("h8a1i8a3j8", "crash"),  # white's fault
    ("h8a1i8a3", "time"),  # black's fault
    ("h8a1i8a3j8a5", "illegal"),
    ("", "crash"),  # black's program does not start the game
    ("h8a1o1a3o3a5o5a7o7a9o9a11", "crash"),  # the length is reached
    ("h8a1i8a3i9a5h9a7", "crash"),
    ("h8a1f8a3g9a5g10a7g8", "crash"),  # a double-three
    ("h8a1a3i8", "time"),
]


@pytest.fixture(scope="module")
def scripted() -> tuple[dict[str, Any], list[GameRecord]]:
    """The header and the games of a match of programs."""
    referee = lab.Referee(length=12)
    header = {
        "format": "renju-match",
        "version": 2,
        "seed": 3,
        "games": len(SCRIPTS),
        "players": {"a": {"kind": "program"}, "b": {"kind": "program"}},
        "openings": Openings.make(["h8a1"], 3).facts(),
        "sprt": None,
        "adjudication": None,
        "length": 12,
    }
    games = []
    for planned, (moves, reason) in zip(schedule(2, len(SCRIPTS), 3), SCRIPTS, strict=True):
        names = [str(point) for point in Board(moves, referee=False).moves]
        seats = (Scripted(names, reason), Scripted(names, reason))
        players = ("a", "b") if planned.black == 0 else ("b", "a")
        game = referee.play(planned, players, "h8a1", seats)
        assert game is not None
        games.append(game)
    assert {game.reason for game in games} == {"five", "crash", "time", "illegal", "length", "forbidden"}
    return header, games
