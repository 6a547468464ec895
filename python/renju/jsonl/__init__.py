"""Many questions at once: one JSON object a line in, one JSON object a line out.

`serve` answers lines, those of a file through `bounded_lines`; a `Server` is fed line by line; `renju jsonl`
runs one on standard input and output, and `popen` starts that as a `Client` of an event loop. See
docs/jsonl.md.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from renju.jsonl.lines import bounded_lines
from renju.jsonl.query import JOBS
from renju.jsonl.server import Server, serve

if TYPE_CHECKING:
    from renju.jsonl.client import Analysis, Client, popen

__all__ = ["JOBS", "Analysis", "Client", "Server", "bounded_lines", "popen", "serve"]

# A server has no use for `asyncio`.
_CLIENT = frozenset({"Analysis", "Client", "popen"})


def __getattr__(name: str) -> Any:
    if name in _CLIENT:
        return getattr(import_module("renju.jsonl.client"), name)
    raise AttributeError(f"module 'renju.jsonl' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_CLIENT})
