"""A review as the page is told it: by the server while it runs, and in the file of a report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from renju._native import win_rate
from renju.reviewing.model import ReviewedMove

__all__ = ["WINS", "proofs_of", "told_row", "with_proofs"]

WINS: Final = ("missed", "unclear", "allowed")
"""The forced wins of a reviewed move, by their names in `ReviewedMove`."""
# Of a move; `ReviewedMove.to_dict` tells more.
_TOLD = (
    *("number", "color", "move", "best", "loss", "quality", "graded", "pv", "foul"),
    *("best_score", "win_in", "played_score", "played_win_in"),
)


def proofs_of(move: ReviewedMove, most: int) -> dict[str, dict[str, Any]]:
    """The trees of the forced wins of a move, to be walked through. Key: one of `WINS`; value: up to `most`
    `lines`, as `renju.web.facts.proof_lines` tells them, and whether there are `more`."""
    from renju.web.facts import tree_lines

    wins = {name: getattr(move, name) for name in WINS}
    return {name: tree_lines(win.proof, most) for name, win in wins.items() if win is not None}


def told_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the page is told of a move, whose row is that of `ReviewedMove.to_dict`; chances are those of the
    side that moves, before and after."""
    rates = {f"{name}_rate": win_rate(row[f"{name}_score"]) for name in ("best", "played")}
    return {name: row[name] for name in (*_TOLD, *WINS)} | rates | {"defence": row.get("defence")}


def with_proofs(row: Mapping[str, Any], proofs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The row of `ReviewedMove.to_dict`, whose forced wins have the lines that `proofs_of` told."""
    return {**row, **{name: {**row[name], **lines} for name, lines in proofs.items()}}
