"""One game as a Gymnasium environment."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from renju._types import BOARD_SIZE, PASS, Color
from renju.board import Board
from renju.errors import IllegalMoveError
from renju.limits import Limit, check_limit
from renju.openings import Opening
from renju.rl.opponents import (
    ACTIONS,
    Opponent,
    check_move_limit,
    check_opponent,
    check_side,
    observed,
    opening_moves,
    replies,
)

__all__ = ["RenjuEnv", "observation_space"]


def observation_space() -> spaces.Dict:
    """What a player sees: planes of 0 and 1, and which actions are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (3, BOARD_SIZE, BOARD_SIZE), np.uint8),
            "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
        }
    )


class RenjuEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """One game of renju against an opponent, or against oneself, as a Gymnasium environment.

    The arguments are those of `VectorEnv`. An action that cannot be taken, such as a stone on another, loses
    the game with the reason "illegal action"; with ``illegal="raise"`` it is an `IllegalMoveError`.

    >>> from renju import rl
    >>> env = rl.RenjuEnv(opponent="random", color="black", opening="D4")
    >>> observation, info = env.reset(seed=3)
    >>> int(observation["observation"][:2].sum()), info["moves"][:3]
    (4, ('H8', 'H9', 'I9'))
    >>> observation, reward, terminated, truncated, info = env.step(112)
    >>> reward, terminated, info["reason"]
    (-1.0, True, 'illegal action')
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        opponent: str | Opponent = "self",
        *,
        color: str = "both",
        opening: str | Opening | None = None,
        move_limit: int | None = None,
        limit: Limit | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        check_opponent(opponent)
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal is 'lose' or 'raise', not {illegal!r}")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        self._opponent, self._limit = opponent, None if limit is None else check_limit(limit)
        self._side, self._illegal, self.render_mode = check_side(color), illegal, render_mode
        self._openings, self._move_limit = opening_moves(opening), check_move_limit(move_limit)
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(ACTIONS)
        self.board = Board(move_limit=self._move_limit)
        """The board of the game."""
        self.color: Color | None = None
        """The side of the learner; None if it plays both."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a new game; `seed` decides all that is drawn, `options` are not used."""
        super().reset(seed=seed)
        moves = self._openings[self.np_random.integers(len(self._openings))] if self._openings else []
        self.board = Board(moves, move_limit=self._move_limit)
        self.color = None
        if self._opponent != "self":
            code = self.np_random.integers(1, 3) if self._side == "both" else 1 + (self._side == "white")
            self.color = Color(int(code))
        self._reply()
        return observed(self.board), self._info()

    def step(self, action: Any) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays `action`, a move of the learner, and then that of the opponent, if the game goes on."""
        mover = self.board.turn
        try:
            self.board.push(int(action))
        except IllegalMoveError:
            if self._illegal == "raise" or self.board.outcome is not None:
                raise
            info = self._info() | {"winner": int(mover.opponent), "reason": "illegal action"}
            return observed(self.board), -1.0, True, False, info
        self._reply()
        outcome = self.board.outcome
        reward = 0.0
        if outcome is not None and outcome.winner is not None:
            reward = 1.0 if outcome.winner == mover else -1.0
        return observed(self.board), reward, outcome is not None, False, self._info()

    def _reply(self) -> None:
        while self.color is not None and self.board.outcome is None and self.board.turn != self.color:
            mask = observed(self.board)["action_mask"]
            if self._opponent == "random":
                action = int(self.np_random.choice(np.flatnonzero(mask)))
            else:
                boards, turns = self.board.to_array()[None], np.array([self.board.turn], np.int8)
                action = int(replies(self._opponent, self._limit, boards, turns, mask[None])[0])
            self.board.push(action)

    def _info(self) -> dict[str, Any]:
        outcome = self.board.outcome
        winner = 0 if outcome is None else 3 if outcome.winner is None else int(outcome.winner)
        names = tuple("pass" if move == PASS else str(move) for move in self.board.moves)
        reason = "" if outcome is None else outcome.reason
        return {"winner": winner, "reason": reason, "moves": names}

    def render(self) -> str | None:
        """The drawn board, if the render mode is "ansi"."""
        return str(self.board) if self.render_mode == "ansi" else None
