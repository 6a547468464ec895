"""Files of proofs: sure wins of order 3 of whole openings, that anybody can check and play by.

`run` proves a position or all replies to one and keeps what it finds in a file; `ProofStore` reads and joins
such files, says what to play, and checks them; docs/prove.md tells the rest.

>>> import renju
>>> board = renju.Board.from_stones("f8 g8 h8 i8", "e8 a1 a3", turn=renju.BLACK)
>>> report = renju.proofs.run(board, "win.proof")
>>> store = renju.proofs.ProofStore.open("win.proof")
>>> str(store.move(board)), bool(store.check())
('J8', True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from renju.proofs.places import Place
from renju.proofs.records import Goal, OpenRecord, ProofRecord
from renju.proofs.store import ProofStep, ProofStore, is_store

if TYPE_CHECKING:
    from renju.proofs.checking import StoreCheck, check
    from renju.proofs.running import STEPS, RunReport, run

__all__ = [
    "STEPS",
    "Goal",
    "OpenRecord",
    "Place",
    "ProofRecord",
    "ProofStep",
    "ProofStore",
    "RunReport",
    "StoreCheck",
    "check",
    "is_store",
    "run",
]

# Imported when first used: playing by proofs needs no workers.
_LAZY = {
    "STEPS": "running",
    "RunReport": "running",
    "run": "running",
    "StoreCheck": "checking",
    "check": "checking",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        from importlib import import_module

        return getattr(import_module(f"renju.proofs.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'renju.proofs' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
