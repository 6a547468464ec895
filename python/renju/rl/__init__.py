"""Environments for reinforcement learning: one game, two agents, or thousands of games at once.

`VectorEnv` steps many games natively and needs nothing but numpy. `RenjuEnv` is a Gymnasium environment and
`aec_env` a PettingZoo one; they need ``pip install 'renju-engine[rl]'``. All have the rules and the outcomes
of `renju.Board`, and the same observation: a dict of ``observation``, uint8 planes (3, 15, 15) with the
stones of the side to move, those of its opponent, and ones if black is to move; and ``action_mask``, int8
(226,) with a 1 for every legal action. An action is the index of a point, ``y * 15 + x``, or 225 for a pass.
The mask leaves out black's forbidden points, which may be played and lose, and offers a pass only if there is
nothing else.

>>> from renju import rl
>>> envs = rl.VectorEnv(64, seed=1)
>>> observations, infos = envs.reset()
>>> observations["observation"].shape, observations["action_mask"].shape
((64, 3, 15, 15), (64, 226))
>>> observations, rewards, terminations, truncations, infos = envs.step(envs.sample())
>>> int(observations["observation"][:, 1].sum()), bool(terminations.any())
(64, False)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from renju.rl.opponents import Opponent
from renju.rl.vector import REASONS, VectorEnv

if TYPE_CHECKING:
    from renju.rl.aec import aec_env
    from renju.rl.gym import RenjuEnv

__all__ = ["REASONS", "Opponent", "RenjuEnv", "VectorEnv", "aec_env"]


def __getattr__(name: str) -> Any:
    """What needs other packages is imported when it is asked for."""
    if name not in ("RenjuEnv", "aec_env"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from renju.errors import RenjuError

    try:
        if name == "RenjuEnv":
            from renju.rl.gym import RenjuEnv

            return RenjuEnv
        from renju.rl.aec import aec_env

        return aec_env
    except ImportError as error:
        raise RenjuError(f"renju.rl.{name} needs {error.name}: pip install 'renju-engine[rl]'") from None
