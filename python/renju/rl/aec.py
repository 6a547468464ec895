"""A game of two agents as a PettingZoo environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from renju._types import Color
from renju.board import Board
from renju.openings import Opening
from renju.rl.gym import observation_space
from renju.rl.opponents import ACTIONS, check_move_limit, observed, opening_moves

__all__ = ["aec_env"]

_AGENTS = {Color.BLACK: "black_0", Color.WHITE: "white_0"}


def aec_env(
    opening: str | Opening | None = None, move_limit: int | None = None, render_mode: str | None = None
) -> AECEnv[str, dict[str, Any], int]:
    """A game between the agents "black_0" and "white_0", as an AEC environment of PettingZoo.

    `opening` and `move_limit` are those of `VectorEnv`; `render_mode` is None or "ansi". A move that cannot
    be made is an `IllegalMoveError`.

    >>> from renju import rl
    >>> env = rl.aec_env()
    >>> env.reset(seed=1)
    >>> for move in (112, 0, 113, 2, 114, 4, 115, 6, 116):
    ...     env.step(move)
    >>> env.rewards, env.terminations["black_0"]
    ({'black_0': 1.0, 'white_0': -1.0}, True)
    """
    return _RenjuAEC(opening, move_limit, render_mode)


class _RenjuAEC(AECEnv[str, dict[str, Any], int]):
    metadata = {  # noqa: RUF012 - as PettingZoo has it
        "name": "renju_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, opening: str | Opening | None, move_limit: int | None, render_mode: str | None
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is None or 'ansi', not {render_mode!r}")
        self._openings, self._move_limit = opening_moves(opening), check_move_limit(move_limit)
        self.render_mode = render_mode
        self.possible_agents = [*_AGENTS.values()]
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self._random = np.random.default_rng()
        self.board = Board(move_limit=self._move_limit)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        moves = self._openings[self._random.integers(len(self._openings))] if self._openings else []
        self.board = Board(moves, move_limit=self._move_limit)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = _AGENTS[self.board.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; if it is not its turn, its own stones first and no legal action."""
        seen = observed(self.board)
        if agent != _AGENTS[self.board.turn]:
            planes = seen["observation"]
            seen["observation"] = np.stack([planes[1], planes[0], 1 - planes[2]])
            seen["action_mask"] = np.zeros_like(seen["action_mask"])
        return seen

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "only an agent whose game is over makes no move"
        outcome = self.board.push(int(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if outcome is not None:
            for color, agent in _AGENTS.items():
                self.terminations[agent] = True
                self.infos[agent] = {"reason": outcome.reason}
                if outcome.winner is not None:
                    self.rewards[agent] = 1.0 if outcome.winner == color else -1.0
        self._accumulate_rewards()
        self.agent_selection = _AGENTS[self.board.turn]

    def render(self) -> str | None:
        return str(self.board) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is kept open."""
