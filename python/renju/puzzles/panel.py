"""How hard a puzzle is: who of a panel of players chooses the solution."""

from __future__ import annotations

from typing import Any

from renju._types import Point
from renju.batch import analyze
from renju.board import Board
from renju.config import EngineConfig
from renju.limits import Limit

__all__ = ["PANEL", "measured_by"]

# The levels of the panel stand here by name: a level that is added later changes no difficulty.
_LEVELS = ("beginner", "easy", "medium", "hard", "master")

# Plies that a search without solvers looks ahead.
_PLAIN_DEPTHS = (2, 4, 6, 8)


def _plain(depth: int) -> EngineConfig:
    """The search alone, to a depth in plies: no solver tells it of a forced win."""
    hard = EngineConfig.from_level("hard")
    off = dict.fromkeys(("vcf", "mise_vcf", "vct", "opponent_vcf", "quiescence"), False)
    return hard.replace(depth=depth, **off)


PANEL: dict[str, EngineConfig] = {
    **{level: EngineConfig.from_level(level) for level in _LEVELS},
    **{f"plain-{depth}": _plain(depth) for depth in _PLAIN_DEPTHS},
}
"""Key: the name of a player, a level or "plain-" and a depth in plies; value: its settings."""


def measured_by(board: Board, solution: Point, nodes: int, check: Any) -> dict[str, bool]:
    """Key: a player of the panel; value: whether it chooses the solution. Each of them looks at up to `nodes`
    positions; no clock decides. `check` is called now and then, and may raise to stop."""
    found = {}
    for name, config in PANEL.items():
        check()
        rows = analyze(
            board.to_array()[None], [board.turn], Limit(nodes=nodes), config=config, threads=1, hash_mb=1
        )
        found[name] = int(rows["best"][0]) == solution
    return found
