"""Play and analyse in the browser: what `renju board` serves on this machine.

The page and its requests are described in docs/board.md. It needs the extra ``[web]``.
"""

from __future__ import annotations

from renju.web.app import create_app
from renju.web.server import serve

__all__ = ["create_app", "serve"]
