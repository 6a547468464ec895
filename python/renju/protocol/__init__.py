"""The protocol of Gomocup and Piskvork: our engine for their managers, their engines for us.

`serve` answers a manager with the commands of Piskvork and the common ones of Yixin; `renju gomocup` and
`pbrain-renju` run it. `EngineProcess` drives any engine that speaks the protocol, and `popen` does so for
programs with an event loop. See docs/protocol.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from renju.protocol.server import main, serve

if TYPE_CHECKING:
    from renju.protocol.aio import AsyncEngine, ProgramAnalysis, popen
    from renju.protocol.client import EngineProcess
    from renju.protocol.dialogue import Answer
    from renju.protocol.remarks import Remark

__all__ = ["Answer", "AsyncEngine", "EngineProcess", "ProgramAnalysis", "Remark", "main", "popen", "serve"]

# A server has no use for what starts processes. Key: a name; value: its module.
_CLIENT = {
    "Answer": "dialogue",
    "AsyncEngine": "aio",
    "EngineProcess": "client",
    "ProgramAnalysis": "aio",
    "Remark": "remarks",
    "popen": "aio",
}


def __getattr__(name: str) -> Any:
    if name in _CLIENT:
        return getattr(import_module(f"renju.protocol.{_CLIENT[name]}"), name)
    raise AttributeError(f"module 'renju.protocol' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_CLIENT})
