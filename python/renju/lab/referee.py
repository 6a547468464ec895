"""The referee: leads a game from its opening to its end, and writes down every move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from renju._types import BOARD_SIZE, Color, Point
from renju.board import Board
from renju.lab.game_record import GameRecord, Ply, Reason, check_ply
from renju.lab.players import Seat, Thought
from renju.lab.programs import Fault
from renju.lab.schedule import Pairing
from renju.limits import between
from renju.proof import Attack, Proof
from renju.solving import verify

__all__ = ["NOT_BEGUN", "Adjudication", "Referee"]

_POINTS = BOARD_SIZE**2

# A proof of more stones is not checked during a match: a check takes about 0.1 ms a stone.
_MOST_CHECKED_STONES = 200


_REASONS: dict[str, Reason] = {
    "five": "five",
    "overline": "five",
    "forbidden": "forbidden",
    "board-full": "full",
    "two-passes": "full",
}


NOT_BEGUN = {color: f"{color.label} did not begin the game: " for color in Color}
"""What the fault of a game begins with if a program failed before the first move. It tells the loser: the
moves cannot, since either colour may fail then."""


@dataclass(frozen=True)
class Adjudication:
    """When a game is decided before its end. A rule with 0 plies is off."""

    win_plies: int = 6
    """Plies, one after the other, for which both players must claim the same win to have it awarded; 0 is
    never."""
    draw_plies: int = 20
    """Plies in a row without a score beyond `draw_score` that make a draw from move `draw_from` on; 0 is
    never."""
    draw_score: int = 100
    """Points of score, for either player, up to which a ply counts as quiet."""
    draw_from: int = 120
    """Moves that a game must have before it can be adjudicated a draw."""

    def __post_init__(self) -> None:
        between("win_plies", self.win_plies, 0, _POINTS)
        between("draw_plies", self.draw_plies, 0, _POINTS)
        between("draw_from", self.draw_from, 0, _POINTS)
        between("draw_score", self.draw_score, 0, 10**6)

    def decide(self, plies: Sequence[Ply], moves: int, turn: Color) -> tuple[Color | None] | None:
        """The winner of a game that is decided, None in it for a draw; None if it goes on. After `moves`
        moves it is the turn of `turn`."""
        won = plies[-self.win_plies :] if 0 < self.win_plies <= len(plies) else ()
        # Whose win each ply claims, the last one first: its mover is the opponent of the one to move.
        claims = set()
        mover = turn.opponent
        for ply in reversed(won):
            claims.add(None if ply.win_in is None else mover if ply.win_in > 0 else mover.opponent)
            mover = mover.opponent
        if len(claims) == 1 and None not in claims:
            return (claims.pop(),)
        quiet = plies[-self.draw_plies :] if 0 < self.draw_plies <= len(plies) else ()
        if quiet and moves >= self.draw_from and all(self._is_quiet(ply) for ply in quiet):
            return (None,)
        return None

    def _is_quiet(self, ply: Ply) -> bool:
        return ply.win_in is None and ply.score is not None and abs(ply.score) <= self.draw_score


@dataclass(frozen=True)
class Referee:
    """The rules by which single games end; `play` leads a game."""

    adjudication: Adjudication | None = None
    """When a game is decided before its end; None plays every game out."""
    length: int = _POINTS
    """Moves after which a game that goes on is drawn."""

    def __post_init__(self) -> None:
        between("length", self.length, 1, _POINTS)

    def result(self, board: Board, plies: Sequence[Ply]) -> tuple[Color | None, Reason] | None:
        """The winner of a game that is over, None in it for a draw, and why; None while the game goes on.
        `plies` are those that led to the board."""
        outcome = board.outcome
        if outcome is not None:
            return outcome.winner, _REASONS[outcome.reason]
        if board.ply >= self.length:
            return None, "length"
        # Black may have nothing left but forbidden points. The numbers are enough: points would take long.
        if not board._position.legal_points():
            return None, "full"
        if self.adjudication is not None:
            decided = self.adjudication.decide(plies, board.ply, board.turn)
            if decided is not None:
                return decided[0], "adjudicated"
        return None

    def play(
        self,
        pairing: Pairing,
        names: tuple[str, str],
        opening: str,
        seats: tuple[Seat, Seat],
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> GameRecord | None:
        """The game of the players with these names and seats, black first; None if it was stopped."""
        game = _Game(self, opening, seats, is_stopped)
        try:
            winner, reason, fault = game.run(pairing.seed)
        except _Stopped:
            return None
        return GameRecord(
            number=pairing.number,
            pair=pairing.pair,
            black=names[0],
            white=names[1],
            opening=opening,
            moves=game.board.record(),
            winner=winner,
            reason=reason,
            seed=pairing.seed,
            time=round(perf_counter() - game.began_at, 6),
            plies=tuple(game.plies),
            fault=fault,
        )


class _Stopped(Exception):
    """The match ends before this game does."""


_Result = tuple[Color | None, Reason, str]


class _Game:
    def __init__(
        self, referee: Referee, opening: str, seats: tuple[Seat, Seat], is_stopped: Callable[[], bool]
    ) -> None:
        self._rules = referee
        self._seats = dict(zip(Color, seats, strict=True))
        self._is_stopped = is_stopped
        self.board = Board(opening)
        self.plies: list[Ply] = []
        self.began_at = perf_counter()

    def run(self, seed: int) -> _Result:
        """Who won, why, and what a program did wrong."""
        mover = Color.BLACK
        is_begun = False
        try:
            for mover in Color:
                self._check_stop()
                self._seats[mover].new_game(seed)
            is_begun = True
            self.began_at = perf_counter()  # what a program needs to start is not part of the game
            while (result := self._rules.result(self.board, self.plies)) is None:
                mover = self.board.turn
                self._move(mover)
        except Fault as fault:
            self._check_stop()
            text = str(fault) if is_begun else f"{NOT_BEGUN[mover]}{fault}"
            return mover.opponent, fault.reason, text
        return *result, ""

    def _move(self, mover: Color) -> None:
        self._seats[mover].get_ready()
        start = perf_counter()
        thought = self._seats[mover].think(self.board.copy())
        time = perf_counter() - start
        self._check_stop()  # a search that was stopped has no say
        point = Point(thought.ply.move)
        if point in self.board.stones:
            raise Fault("illegal", f"{point} is occupied")
        ply = replace(thought.ply, time=time, verified=self._verified(thought))
        check_ply(ply)  # a reader of the file would refuse it
        self.plies.append(ply)
        self.board.push(point)

    def _verified(self, thought: Thought) -> bool | None:
        proof = thought.proof
        if proof is None or proof.tree is None or not _is_small(proof):
            return None
        return verify(self.board, proof).ok

    def _check_stop(self) -> None:
        if self._is_stopped():
            raise _Stopped


def _is_small(proof: Proof) -> bool:
    count = 0
    waiting: list[Attack | None] = [proof.tree]
    while waiting and count <= _MOST_CHECKED_STONES:
        attack = waiting.pop()
        if attack is not None:
            count += 1
            waiting += [*attack.replies.values(), attack.after_pass]
    return count <= _MOST_CHECKED_STONES
