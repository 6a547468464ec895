"""The fields of `EngineConfig`, made from the settings; a stub tells type checkers of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from renju._settings import SETTINGS

__all__ = ["Settings"]

_kinds = {name: bool if known.is_switch else int for name, known in SETTINGS.items()}
_defaults = {name: _kinds[name](known.default) for name, known in SETTINGS.items()}
_body: dict[str, Any] = {
    "__module__": __name__,
    "__doc__": "The fields of `EngineConfig`.",
    # Called for every object; `EngineConfig`, which is not made into a dataclass once more, has its own.
    "__post_init__": lambda self: None,
    "__annotations__": _kinds,
    **_defaults,
}

Settings = dataclass(frozen=True)(type("Settings", (), _body))
