"""Many games at once, stepped natively."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from renju import _native
from renju._types import BOARD_SIZE, Color
from renju.errors import IllegalMoveError
from renju.limits import Limit, between, check_limit, whole
from renju.openings import Opening
from renju.rl.opponents import (
    ACTIONS,
    Opponent,
    check_move_limit,
    check_opponent,
    check_side,
    opening_moves,
    replies,
)

__all__ = ["REASONS", "VectorEnv"]

REASONS = ("", *_native.END_REASONS)
"""What the codes of ``infos["reason"]`` mean: 0 is a game that goes on, the others are the reasons of
`renju.Outcome`."""

Observations = dict[str, npt.NDArray[Any]]
Infos = dict[str, npt.NDArray[Any]]
Step = tuple[Observations, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Infos]


class VectorEnv:
    """`num_envs` games, in each of which a step makes one move of the learner.

    `opponent` answers: "self" is the learner itself, who then moves for both sides by turns; "random" makes
    random legal moves; the name of a level is the engine, with `limit` for each move (1,000 nodes); a
    function is called as `Opponent` says. Against another opponent the learner has the side `color`: "black",
    "white", or "both", drawn for each game. A game begins from the empty board, or with `opening`: the code
    of one of the 26, or "any". After `move_limit` moves, those of the opening included, it is drawn.

    A game that ends begins anew within the step: what is observed then is the new game, and the end is told
    by the rewards, terminations and infos. `seed` decides all that is drawn here.
    """

    def __init__(
        self,
        num_envs: int,
        opponent: str | Opponent = "self",
        *,
        color: str = "both",
        opening: str | Opening | None = None,
        move_limit: int | None = None,
        limit: Limit | None = None,
        seed: int = 0,
        copy: bool = True,
    ) -> None:
        """Without `copy` the observations of all steps are the same arrays, which the next step changes."""
        check_opponent(opponent)
        self.num_envs = between("num_envs", num_envs, 1, _native.MOST_ARENA_GAMES)
        self._opponent, self._limit = opponent, None if limit is None else check_limit(limit)
        self._side, self._copy = check_side(color), copy
        self._openings, self._move_limit = opening_moves(opening), check_move_limit(move_limit)
        self.boards = np.zeros((num_envs, BOARD_SIZE, BOARD_SIZE), np.int8)
        """The stones of all games, as the array functions take them; the next step changes them."""
        self.turns = np.zeros(num_envs, np.int8)
        """The side to move of all games, 1 or 2; the next step changes them."""
        self.colors = np.zeros(num_envs, np.int8)
        """The side of the learner in all games, 1 or 2; 0 if it plays both."""
        self._planes = np.zeros((num_envs, 3, BOARD_SIZE, BOARD_SIZE), np.uint8)
        self._masks = np.zeros((num_envs, ACTIONS), np.int8)
        self._ends = np.zeros((num_envs, 3), np.int16)
        self._all = np.ones(num_envs, bool)
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        number = whole("seed", seed) % 2**64
        self._arena = _native.Arena(self.num_envs, self._openings, number, self._move_limit)
        self._random = np.random.default_rng(number)
        self._arena.begin(~self._all, self.boards, self.turns, self._planes, self._masks)
        self._draw_colors(self._all)
        self._reply()

    def _draw_colors(self, games: npt.NDArray[np.bool_]) -> None:
        if self._opponent == "self":
            return
        if self._side == "both":
            self.colors[games] = self._random.integers(1, 3, np.count_nonzero(games), np.int8)
        else:
            self.colors[games] = Color.BLACK if self._side == "black" else Color.WHITE

    def reset(self, *, seed: int | None = None, options: object = None) -> tuple[Observations, Infos]:
        """Begins all games anew, from `seed` if there is one; `options` are not used."""
        if seed is not None:
            self._begin(seed)
        else:
            self._arena.begin(self._all, self.boards, self.turns, self._planes, self._masks)
            self._draw_colors(self._all)
            self._reply()
        self._ends[:] = 0
        return self._observations(), self._infos(self._ends)

    def step(self, actions: npt.ArrayLike) -> Step:
        """Makes a move of the learner in every game, and then those of the opponent.

        Returns observations, rewards, terminations, truncations (all false: a draw by the move limit is an
        end) and infos: ``winner`` (1, 2, 3 for a draw, 0 if the game goes on), ``reason`` (an index of
        `REASONS`) and ``plies`` (moves of the game that ended). A reward is 1 for a win and -1 for a loss of
        the learner; if it plays both sides, of the one that moved. A forbidden move of black loses; a move
        that cannot be made is an `IllegalMoveError` that names its game, and then nothing is changed.
        """
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise ValueError(
                f"actions are {array.dtype} {array.shape}, integers ({self.num_envs},) are needed"
            )
        # What is no action must not become one by a cast; -1 would be "no move".
        wanted = np.where((array < 0) | (array > ACTIONS), ACTIONS, array).astype(np.int16)
        movers = self.turns.copy() if self._opponent == "self" else self.colors.copy()
        self._play(wanted)
        ends = self._ends.copy()
        if self._opponent != "self":
            self._draw_colors(ends[:, 0] != 0)
            ends = np.where(ends[:, :1] != 0, ends, self._reply())
        winners = ends[:, 0]
        terminations = winners != 0
        rewards = np.where(winners == movers, 1, -1) * ((winners == 1) | (winners == 2))
        truncations = np.zeros(self.num_envs, bool)
        return self._observations(), rewards.astype(np.float32), terminations, truncations, self._infos(ends)

    def _play(self, actions: npt.NDArray[np.int16]) -> None:
        self._arena.step(actions, self.boards, self.turns, self._planes, self._masks, self._ends)

    def _reply(self) -> npt.NDArray[np.int16]:
        """Lets the opponent move until it is the learner's turn in every game; how games ended by that."""
        found = np.zeros_like(self._ends)
        while self._opponent != "self" and (waiting := self.turns != self.colors).any():
            if self._opponent == "random":
                actions = self._arena.sample(waiting)
            else:
                actions = np.full(self.num_envs, -1, np.int16)
                some = self.boards[waiting], self.turns[waiting], self._masks[waiting]
                actions[waiting] = replies(self._opponent, self._limit, *some)
            try:
                self._play(actions)
            except IllegalMoveError as error:
                raise IllegalMoveError(f"the opponent's {error}") from None
            ended = self._ends[:, 0] != 0
            found[ended] = self._ends[ended]
            self._draw_colors(ended)
        return found

    def sample(self) -> npt.NDArray[np.int16]:
        """A random legal action of every game, all equally likely."""
        return self._arena.sample(self._all)

    def _observations(self) -> Observations:
        planes, masks = self._planes, self._masks
        if self._copy:
            planes, masks = planes.copy(), masks.copy()
        return {"observation": planes, "action_mask": masks}

    @staticmethod
    def _infos(ends: npt.NDArray[np.int16]) -> Infos:
        return {
            "winner": ends[:, 0].astype(np.int8),
            "reason": ends[:, 1].astype(np.int8),
            "plies": ends[:, 2].copy(),
        }
