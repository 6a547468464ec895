"""The protocol of Gomocup and Piskvork: our engine for their managers, their engines for us.

`serve` answers a manager with the commands of Piskvork and the common ones of Yixin; `renju gomocup` and
`pbrain-renju` run it. `EngineProcess` drives any engine that speaks the protocol. See docs/protocol.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from renju.protocol.server import main, serve

if TYPE_CHECKING:
    from renju.protocol.client import Answer, EngineProcess

__all__ = ["Answer", "EngineProcess", "main", "serve"]

# A server has no use for what starts processes.
_CLIENT = frozenset({"Answer", "EngineProcess"})


def __getattr__(name: str) -> Any:
    if name in _CLIENT:
        return getattr(import_module("renju.protocol.client"), name)
    raise AttributeError(f"module 'renju.protocol' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_CLIENT})
