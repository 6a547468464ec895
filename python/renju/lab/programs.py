"""Programs of others at the board: asked, watched, and started again after they failed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from time import monotonic
from typing import NoReturn

from renju._types import Point
from renju.board import Board
from renju.errors import EngineError, NotationError
from renju.lab.game_record import FIGURES, Ply, Reason
from renju.lab.players import ProgramPlayer, Seat, Thought
from renju.limits import Limit
from renju.protocol.client import EngineProcess
from renju.protocol.remarks import Remark, parse_remark
from renju.protocol.wire import parse_point

__all__ = ["Fault", "ProgramSeat", "ply_of"]

# A program may take so long to start: some read large files.
_START_S = 30.0
# Without a limit of time a program may take so long for a move.
_LONGEST_S = 600.0
# What a program has that was given no limit.
_DEFAULT_LIMIT = Limit(time=5.0)

_NUMBERS = re.compile(r"\s*-?\d+\s*,\s*-?\d+\s*")


class Fault(EngineError):
    """What a program did wrong, by which it loses its game."""

    def __init__(self, reason: Reason, text: str) -> None:
        super().__init__(text)
        self.reason: Reason = reason


class ProgramSeat(Seat):
    """A program. It is started for the first game; if that fails there is no match."""

    def __init__(self, player: ProgramPlayer) -> None:
        self._player = player
        self._process: _Process | None = None

    def new_game(self, seed: int) -> None:
        if self._process is not None:
            self._process.restart()
            return
        self._process = _Process(self._player)
        try:
            self._process.restart()
        except Fault as fault:
            raise EngineError(f"{self._player.name} cannot play: {fault}") from None

    def get_ready(self) -> None:
        assert self._process is not None, "a game comes first"
        self._process.rest()

    def think(self, board: Board) -> Thought:
        assert self._process is not None, "a game comes first"
        limit = self._player.limit
        return self._process.think(board, _DEFAULT_LIMIT if limit == Limit() else limit)

    def stop(self) -> None:
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        if self._process is not None:
            self._process.quit()


class _Process(EngineProcess):
    """A client that tells one fault from another. Points that are forbidden are the referee's business."""

    def __init__(self, player: ProgramPlayer) -> None:
        self._margin_s = player.margin_s
        self._waits_until = 0.0
        self._is_made = False
        super().__init__(player.command, player.cwd, info=player.info, patience_s=_START_S)
        self._is_made = True

    def restart(self) -> None:
        # Not while it is being made: a seat has to know the process in order to stop it while it starts.
        if self._is_made:
            try:
                super().restart()
            except Fault:
                raise
            except EngineError as error:
                raise Fault("crash", str(error)) from None

    def think(self, board: Board, limit: Limit) -> Thought:
        self._patience_s = self._margin_s
        try:
            answer = self.play(board, limit)
        finally:
            self._patience_s = _START_S
        return Thought(ply_of(answer.point, answer.time, answer.messages))

    def kill(self) -> None:
        """Ends the program at once, from any thread."""
        pipe = self._pipe
        if pipe is not None:
            pipe.kill()

    def _answer(self, wait_s: float | None) -> tuple[str, list[str]]:
        wait_s = _LONGEST_S if wait_s is None else wait_s
        self._waits_until = monotonic() + wait_s
        return super()._answer(wait_s)

    def _legal_point(self, board: Board, text: str) -> Point:
        try:
            point = parse_point(text)
        except NotationError:
            reason: Reason = "illegal" if _NUMBERS.fullmatch(text) else "crash"
            self._fail(f"answered {text!r}, which is no point", reason)
        if point in board.stones:
            self._fail(f"answered {text} ({point}), which is occupied", "illegal")
        return point

    def _fail(self, what: str, reason: Reason | None = None) -> NoReturn:
        if reason is None:  # it was waited for, until it ended or the time was up
            reason = "time" if monotonic() >= self._waits_until else "crash"
        try:
            super()._fail(what)
        except EngineError as error:
            raise Fault(reason, str(error)) from None


def ply_of(point: Point, time: float, messages: Sequence[str]) -> Ply:
    """The move with what the program said last of its search. A figure that is out of range is left out: to
    talk nonsense of a search is no fault."""
    remarks = map(parse_remark, reversed(messages))
    told = next((remark for remark in remarks if remark.score is not None), Remark(""))
    win_in, score = _figure("win_in", told.win_in), _figure("score", told.score)
    return Ply(
        move=str(point),
        time=time,
        score=None if win_in != told.win_in else score,
        win_in=win_in,
        depth=_figure("depth", told.depth),
        seldepth=_figure("seldepth", told.seldepth),
        nodes=_figure("nodes", told.nodes),
    )


def _figure(name: str, number: int | None) -> int | None:
    least, most = FIGURES[name]
    return number if number is not None and least <= number <= most else None
