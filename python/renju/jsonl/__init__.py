"""Many questions at once: one JSON object a line in, one JSON object a line out.

`serve` answers lines, those of a file through `bounded_lines`; a `Server` is fed line by line; `renju jsonl`
runs one on standard input and output. See docs/jsonl.md.
"""

from renju.jsonl.lines import bounded_lines
from renju.jsonl.query import JOBS
from renju.jsonl.server import Server, serve

__all__ = ["JOBS", "Server", "bounded_lines", "serve"]
