"""The settings of the engine as the core declares them."""

from __future__ import annotations

from typing import NamedTuple

from renju import _native

__all__ = ["SETTINGS", "Setting"]


class Setting(NamedTuple):
    """What is known of one setting."""

    name: str
    """The name of the field of `EngineConfig`."""
    is_switch: bool
    """Whether it is True or False, not a number."""
    default: int
    """The value at level hard."""
    least: int
    """The least value that is accepted."""
    most: int
    """The greatest value that is accepted."""
    unit: str
    """What one unit of the number is; empty for a switch."""
    needs: list[str]
    """When the setting has an effect: all of these conditions must hold. Each names settings, joined by "or",
    of which one must be on (not 0), or off after "not"."""
    doc: str
    """The meaning in one sentence or more."""

    @property
    def facts(self) -> str:
        """Unit, range and conditions in words."""
        parts = [] if self.is_switch else [f"{self.unit}, {self.least:,} to {self.most:,}"]
        parts += [f"needs {need}" for need in self.needs]
        return "; ".join(parts)


SETTINGS: dict[str, Setting] = {row[0]: Setting(*row) for row in _native.SETTINGS}
"""Every setting by name, in the order of the declaration."""
