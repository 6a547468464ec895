"""Match files as evidence: every game of a file is refereed again before it counts.

A line is believed if the referee could have written it in this match. The number of the game fixes the
players, their colours, the pair, the opening and the seed by the schedule; the moves are played again on a
board, and their end by the rules, or by what the players claimed, is the result. What remains are
measurements (times, nodes, scores, depths): they have to be in range, and those of our own engine fit each
other. A game that a program lost by a fault ends before the rules end it, at the turn of the loser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

from renju import _native
from renju._types import Color
from renju.board import Board
from renju.errors import FormatError, RenjuError
from renju.lab.game_record import FAULT_REASONS, GameRecord, Ply
from renju.lab.openings import Openings, is_digest_of
from renju.lab.referee import NOT_BEGUN, Adjudication, Referee
from renju.lab.schedule import pairing
from renju.lab.sprt import Sprt
from renju.limits import whole
from renju.result import win_in_of

__all__ = ["Terms", "check_games"]

# The kind of a player that is our own engine, as its facts tell it.
_ENGINE = "engine"
# All that our own engine can do wrong: it has no clock to lose by, and no process of its own.
_ENGINE_FAULTS = frozenset({"illegal"})


@dataclass(frozen=True)
class Terms:
    """What the header of a match file lays down for all its games."""

    version: int
    """The version of the format of the file."""
    players: Mapping[str, Mapping[str, Any]]
    """What decides how each player plays, by its name, in the order of the schedule."""
    planned: int
    """Games that were asked for; the most, if the match was resumed with another number."""
    seed: int
    """The seed of the match, from which those of its games follow."""
    openings: Mapping[str, Any]
    """The source, number and digest of the openings, as `Openings.facts` tells them."""
    referee: Referee
    """The rules by which games end."""
    sprt: Sprt | None
    """The sequential test that may end the match before its last game; None without one."""

    @classmethod
    def read(cls, header: Mapping[str, Any]) -> Terms:
        """`FormatError` if this is not the header of a match."""
        try:
            players, openings = header["players"], header["openings"]
            rules, test = header["adjudication"], header["sprt"]
            if not isinstance(players, dict) or len(players) < 2:
                raise ValueError("players are two or more by name")
            if not all(isinstance(facts, dict) for facts in (*players.values(), openings)):
                raise ValueError("players and openings have facts by name")
            return cls(
                whole("version", header["version"]),
                players,
                whole("games", header["games"]),
                whole("seed", header["seed"]),
                openings,
                Referee(None if rules is None else Adjudication(**rules), header["length"]),
                None if test is None else Sprt(**test),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"this is not the header of a match: {error!r}") from None


def check_games(path: str | PathLike[str], header: Mapping[str, Any], games: Sequence[GameRecord]) -> None:
    """`FormatError` with the line of the first game that cannot have been played in the match of the header.
    The games are those of all lines behind the header."""
    place = fspath(path)
    try:
        terms = Terms.read(header)
        rounds = _Rounds(terms)
    except (RenjuError, KeyError, TypeError, ValueError) as error:
        raise FormatError(f"{place}:1: {error}") from None
    lines: dict[int, int] = {}
    for line, game in enumerate(games, 2):
        first = lines.setdefault(game.number, line)
        if first != line:
            raise FormatError(f"{place}:{line}: game {game.number} is in it twice, first in line {first}")
        try:
            rounds.check(_check_schedule(terms, game), game.opening)
            _check_moves(terms, game)
        except RenjuError as error:
            raise FormatError(f"{place}:{line}: game {game.number}: {error}") from None
    if not rounds.is_whole_list():
        raise FormatError(f"{place}: the openings of its games are not those of the list in its header")


class _Rounds:
    """The openings of the rounds, as the header tells them, or the first game of each round."""

    def __init__(self, terms: Terms) -> None:
        self._seed = terms.seed
        self._count = terms.openings["count"]
        self._digest = terms.openings["digest"]
        self._openings = Openings.from_facts(terms.openings, terms.seed)
        self._seen: dict[int, str] = {}

    def check(self, number: int, record: str) -> None:
        """`FormatError` if this is not the opening of a round."""
        place = number % self._count if self._count else number
        if place not in self._seen:
            if self._openings is not None and not self._openings.fits(number, record):
                raise FormatError(f"the opening {record!r} is not the one of its round")
            self._seen[place] = record
        elif self._seen[place] != record:
            other = self._seen[place]
            raise FormatError(f"the opening is {record!r}, in another game of its round {other!r}")

    def is_whole_list(self) -> bool:
        """Can the openings be those of the header? A list of which only the digest is known can be compared
        when each of its openings was played."""
        if self._openings is not None or len(self._seen) < self._count:
            return True
        return is_digest_of(self._digest, [self._seen[i] for i in range(self._count)], self._seed)


def _check_schedule(terms: Terms, game: GameRecord) -> int:
    """The round of a game; `FormatError` if the schedule has another game under its number."""
    names = tuple(terms.players)
    try:
        planned = pairing(game.number, len(names), terms.seed)
    except ValueError as error:
        raise FormatError(str(error)) from None
    wanted = {
        "pair": planned.pair,
        "black": names[planned.black],
        "white": names[planned.white],
        "seed": planned.seed,
    }
    for name, value in wanted.items():
        if getattr(game, name) != value:
            raise FormatError(f"{name} is {getattr(game, name)!r}, by the schedule it is {value!r}")
    return planned.round


def _check_moves(terms: Terms, game: GameRecord) -> None:
    """Plays the game again; `FormatError` if it did not go or end as it says."""
    kinds = {color: terms.players[name].get("kind") for color, name in _sides(game)}
    board = Board(game.opening)
    if board.record() != game.opening:
        raise FormatError(f"the opening {game.opening!r} is not written as {board.record()!r}")
    before: list[Ply] = []
    for ply in game.plies:
        end = terms.referee.result(board, before)
        if end is not None:
            raise FormatError(f"it goes on after move {board.ply}, where it is over: {_told(*end)}")
        if kinds[board.turn] == _ENGINE:
            _check_engine(ply, board.ply + 1)
        try:
            board.push(ply.move)
        except RenjuError as error:
            raise FormatError(f"move {board.ply + 1} is {ply.move!r}: {error}") from None
        before.append(ply)
    if board.record() != game.moves:
        raise FormatError("the moves are not those of the opening and the plies")
    if game.reason in FAULT_REASONS:
        _check_fault(terms, game, board)
        return
    end = terms.referee.result(board, before)
    if end != (game.winner, game.reason):
        found = "it is not over" if end is None else _told(*end)
        raise FormatError(f"{_told(game.winner, game.reason)} is told, but by its moves {found}")
    if game.fault:
        raise FormatError(f"it ended by {game.reason}, and yet there is a fault: {game.fault!r}")


def _check_fault(terms: Terms, game: GameRecord, board: Board) -> None:
    """`FormatError` if the game cannot have ended here by a fault of the loser's."""
    end = terms.referee.result(board, game.plies)
    if end is not None:
        raise FormatError(f"{_told(game.winner, game.reason)} is told, but by its moves {_told(*end)}")
    if game.winner is None or not game.fault:
        raise FormatError(f"it ended by {game.reason}, and the loser or the fault is not told")
    loser = game.winner.opponent
    if loser not in _at_fault(terms, game, board):
        raise FormatError(f"{loser.label} lost by {game.reason}, but it was the other one's turn")
    name = dict(_sides(game))[loser]
    if terms.players[name].get("kind") == _ENGINE and game.reason not in _ENGINE_FAULTS:
        raise FormatError(f"{name} lost by {game.reason}, which our own engine cannot")


def _at_fault(terms: Terms, game: GameRecord, board: Board) -> tuple[Color, ...]:
    """Who can have been the one that did wrong."""
    if game.plies:
        return (board.turn,)
    if terms.version == 1:
        return tuple(Color)  # version 1 did not tell whose program failed before the first move
    return tuple(color for color in Color if game.fault.startswith(NOT_BEGUN[color])) or (board.turn,)


def _check_engine(ply: Ply, number: int) -> None:
    """`FormatError` if our own engine cannot have thought this of its move."""
    if ply.source not in _native.SOURCES:
        raise FormatError(f"move {number} has the source {ply.source!r}, which our engine has not")
    if ply.score is None or abs(ply.score) > _native.WIN:
        raise FormatError(f"move {number} has the score {ply.score}, which our engine cannot have")
    if ply.win_in != win_in_of(ply.score):
        raise FormatError(f"move {number} has win_in {ply.win_in}, which the score {ply.score} contradicts")


def _sides(game: GameRecord) -> tuple[tuple[Color, str], tuple[Color, str]]:
    return (Color.BLACK, game.black), (Color.WHITE, game.white)


def _told(winner: Color | None, reason: str) -> str:
    """A result in words."""
    return f"a draw by {reason}" if winner is None else f"a win of {winner.label} by {reason}"
