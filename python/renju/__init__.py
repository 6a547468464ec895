"""Exact and fast renju.

>>> import renju
>>> board = renju.Board("h8 i9 g7")
>>> board.turn
<Color.WHITE: 2>
>>> str(board.opening())
'I11 Shagetsu (斜月, Slanting Moon)'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from renju._native import __version__
from renju._types import (
    BLACK,
    BOARD_SIZE,
    PASS,
    WHITE,
    Color,
    Forbidden,
    Outcome,
    Point,
    Threat,
    Threats,
)
from renju.board import Board
from renju.config import EngineConfig
from renju.engine import Candidate, Engine, SearchResult, Source
from renju.errors import (
    EngineError,
    FormatError,
    IllegalMoveError,
    Interrupted,
    NotationError,
    PositionError,
    RenjuError,
)
from renju.explain import Explanation
from renju.game import Game, GameNode, Problem
from renju.limits import Limit
from renju.solving import (
    Breakers,
    Proof,
    Verification,
    WinningMoves,
    breakers,
    is_winning_start,
    shorten,
    solve_mise_vcf,
    solve_vcf,
    solve_vct,
    verify,
    winning_moves,
)

if TYPE_CHECKING:
    from renju import (
        batch,
        book,
        io,
        ismcts,
        jsonl,
        lab,
        openings,
        pipeline,
        plot,
        protocol,
        samples,
        svg,
        web,
    )
    from renju._review import Grades, Review, ReviewedMove, review

__all__ = [
    "BLACK",
    "BOARD_SIZE",
    "PASS",
    "WHITE",
    "Board",
    "Breakers",
    "Candidate",
    "Color",
    "Engine",
    "EngineConfig",
    "EngineError",
    "Explanation",
    "Forbidden",
    "FormatError",
    "Game",
    "GameNode",
    "Grades",
    "IllegalMoveError",
    "Interrupted",
    "Limit",
    "NotationError",
    "Outcome",
    "Point",
    "PositionError",
    "Problem",
    "Proof",
    "RenjuError",
    "Review",
    "ReviewedMove",
    "SearchResult",
    "Source",
    "Threat",
    "Threats",
    "Verification",
    "WinningMoves",
    "__version__",
    "batch",
    "book",
    "breakers",
    "io",
    "is_winning_start",
    "ismcts",
    "jsonl",
    "lab",
    "openings",
    "pipeline",
    "plot",
    "protocol",
    "review",
    "samples",
    "shorten",
    "solve_mise_vcf",
    "solve_vcf",
    "solve_vct",
    "svg",
    "verify",
    "web",
    "winning_moves",
]

# Imported when first used, so that `import renju` stays quick.
_LAZY = frozenset(
    {
        "batch",
        "book",
        "io",
        "ismcts",
        "jsonl",
        "lab",
        "openings",
        "pipeline",
        "plot",
        "protocol",
        "samples",
        "svg",
        "web",
    }
)
_OF_REVIEW = frozenset({"Grades", "Review", "ReviewedMove", "review"})


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return import_module(f"renju.{name}")
    if name in _OF_REVIEW:
        return getattr(import_module("renju._review"), name)
    raise AttributeError(f"module 'renju' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_OF_REVIEW})
