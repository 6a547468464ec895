"""Exact and fast renju.

>>> import renju
>>> board = renju.Board("h8 i9 g7")
>>> board.turn
<Color.WHITE: 2>
>>> str(board.opening())
'I11 Shagetsu (斜月, Slanting Moon)'
"""

from importlib import import_module
from os.path import exists  # pathlib is large

# renju._whole looks for it, to tell this package from another one of the same name.
_DISTRIBUTION = "renju-engine"

# What `typing` says, without its price: type checkers take it for true.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from renju import (
        batch,
        book,
        data,
        explorer,
        io,
        ismcts,
        jsonl,
        lab,
        openings,
        pipeline,
        plot,
        proofs,
        protocol,
        puzzles,
        rl,
        samples,
        svg,
        web,
    )
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
    from renju.defence import Defence
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
    from renju.proving import ProveResult, prove
    from renju.reviewing import Grades, Review, ReviewedMove, review
    from renju.solving import (
        Breakers,
        Proof,
        Refutation,
        Verification,
        WinningMoves,
        breakers,
        is_winning_start,
        refutations,
        shorten,
        solve,
        solve_mise_vcf,
        solve_vcf,
        solve_vct,
        verify,
        winning_moves,
    )

__all__ = [
    "BLACK",
    "BOARD_SIZE",
    "PASS",
    "WHITE",
    "Board",
    "Breakers",
    "Candidate",
    "Color",
    "Defence",
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
    "ProveResult",
    "Refutation",
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
    "data",
    "explorer",
    "io",
    "is_winning_start",
    "ismcts",
    "jsonl",
    "lab",
    "openings",
    "pipeline",
    "plot",
    "proofs",
    "protocol",
    "prove",
    "puzzles",
    "refutations",
    "review",
    "rl",
    "samples",
    "shorten",
    "solve",
    "solve_mise_vcf",
    "solve_vcf",
    "solve_vct",
    "svg",
    "verify",
    "web",
    "winning_moves",
]

# Nothing is imported before it is used: `import renju` is quick, and a program hears Ctrl-C before all else
# (renju._start). The key is a module, the value its names that are names of the package, too.
_NAMES_OF = {
    "renju._native": "__version__",
    "renju.reviewing": "Grades Review ReviewedMove review",
    "renju._types": "BLACK BOARD_SIZE PASS WHITE Color Forbidden Outcome Point Threat Threats",
    "renju.board": "Board",
    "renju.config": "EngineConfig",
    "renju.defence": "Defence",
    "renju.engine": "Candidate Engine SearchResult Source",
    "renju.errors": "EngineError FormatError IllegalMoveError Interrupted NotationError PositionError"
    " RenjuError",
    "renju.explain": "Explanation",
    "renju.game": "Game GameNode Problem",
    "renju.limits": "Limit",
    "renju.proving": "ProveResult prove",
    "renju.solving": "Breakers Proof Refutation Verification WinningMoves breakers is_winning_start"
    " refutations shorten solve solve_mise_vcf solve_vcf solve_vct verify winning_moves",
}
_HOME = {name: module for module, names in _NAMES_OF.items() for name in names.split()}
# Modules that are there without an import of their own.
_MODULES = frozenset(
    {
        "_native",
        "_types",
        "batch",
        "board",
        "book",
        "config",
        "data",
        "defence",
        "engine",
        "errors",
        "explain",
        "explorer",
        "game",
        "io",
        "ismcts",
        "jsonl",
        "lab",
        "limits",
        "openings",
        "pipeline",
        "plot",
        "proof",
        "proofs",
        "protocol",
        "proving",
        "puzzles",
        "refutation",
        "result",
        "reviewing",
        "rl",
        "samples",
        "solving",
        "svg",
        "values",
        "web",
    }
)


if exists(f"{__path__[0]}/check_forbid.py"):  # noqa: PTH110
    from warnings import warn

    warn(
        "another distribution, `renju`, is installed in the folder of renju-engine; uninstalling it will "
        "take files of ours away: `pip uninstall renju renju-engine`, then install renju-engine again",
        RuntimeWarning,
        stacklevel=2,
    )


def __getattr__(name: str) -> "Any":
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = import_module(f"renju.{name}")
    else:
        raise AttributeError(f"module 'renju' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
