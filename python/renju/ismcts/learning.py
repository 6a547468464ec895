"""How the learnt value of Twin Cool is made."""

from __future__ import annotations

from collections.abc import Callable

from renju import _native
from renju._machine import cores
from renju.errors import Interrupted
from renju.limits import between, whole

__all__ = ["learn_value"]

_MOST = 10**8


def learn_value(
    rounds: int = 10,
    positions: int = 60_000,
    epochs: int = 16,
    seed: int = 1,
    threads: int = 0,
    progress: Callable[[int, float], object] | None = None,
) -> bytes:
    """Learns the value of positions by fitted value iteration; the weights as `value.bin` keeps them.

    Each of `rounds` plays games by the value of the round before, values `positions` of them one draw
    further, exactly over the cards that may be drawn, and fits the weights to that, showing each position
    `epochs` times. The same `seed` gives the same weights on any number of `threads` (0: one per core).
    `progress` is called after every round with its number and the error of the fit in cards; round 0 is the
    first fit, to whole games of the glance. The defaults are those of the weights that the package has.
    """
    try:
        return _native.twin_cool_learn(
            rounds=between("rounds", rounds, 0, 10_000),
            positions=between("positions", positions, 1, _MOST),
            epochs=between("epochs", epochs, 1, 10_000),
            seed=whole("seed", seed) % 2**64,
            threads=between("threads", threads, 0, 1024) or cores(),
            progress=progress,
        )
    except KeyboardInterrupt:
        raise Interrupted("interrupted while learning") from None
