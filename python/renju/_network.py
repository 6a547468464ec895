"""Which network values boards: the one that comes with the package, that of a file, or none."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from renju.config import EngineConfig

__all__ = ["NetworkLike", "network_bytes", "with_network"]

NetworkLike: TypeAlias = bool | str | PathLike[str] | None
"""True for the network that comes with the package, False for none, the path of a file, or None for what the
settings say."""


def with_network(
    config: EngineConfig, network: NetworkLike, has_values: bool = False
) -> tuple[EngineConfig, bytes | None]:
    """The settings with the network turned on or off, and the bytes of its file if there is one. A table of
    values of one's own goes without a network that is not asked for: the network was taught beside another
    table."""
    weights = network_bytes(network)
    if has_values:
        config = config.replace(fitted=True)
        network = False if network is None else network
    if network is False:
        config = config.replace(network=False)
    elif network is not None:
        config = config.replace(network=True, fitted=True)
    return config, weights


def network_bytes(network: NetworkLike) -> bytes | None:
    """The bytes of a network's file; None where there is none to be read."""
    if network is None or isinstance(network, bool):
        return None
    if not isinstance(network, str | PathLike):
        raise TypeError(f"network is True, False, None or the path of a file, not {type(network).__name__}")
    return Path(network).read_bytes()
