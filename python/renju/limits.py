"""What a search may take, and whether what is asked for makes sense."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from numbers import Real
from operator import index
from reprlib import repr as shown

from renju import _native

__all__ = [
    "KINDS",
    "THREAT_LIMITS",
    "Limit",
    "as_float",
    "between",
    "check_depth",
    "check_engine_depth",
    "check_hash",
    "check_kind",
    "check_limit",
    "check_seconds",
    "fixed_nodes",
    "shown",
    "whole",
]

KINDS: tuple[str, ...] = _native.SOLVE_KINDS
"""The kinds of forced wins that can be asked for."""

THREAT_LIMITS: tuple[int, ...] = tuple(range(1, _native.MOST_THREAT_FOURS + 1))
"""The most fours that a threat of a VCT may need, from the fewest that can be asked for to the most."""

# Far more than any search will see, and a machine word everywhere.
_MOST_NODES = 2**63 - 1

# More plies than a game can have.
_MOST_PLIES = 1000


@dataclass(frozen=True)
class Limit:
    """What may end a search: seconds, nodes, plies.

    With `nodes` and without `time` no clock decides anything. An engine takes from its level what is not
    named: with a limit of time alone, levels below master still end at the depth of the level, mostly long
    before the time is up. Level master has no depth of its own and uses its time.

    The clock is read about every thousand nodes, so that very short searches always end by themselves.

    `depth` is the engine's; solvers take ``max_depth``.
    """

    time: float | None = None
    """The most seconds that a search may take; None is without a bound."""
    nodes: int | None = None
    """The most positions that a search may look at; None is without a bound."""
    depth: int | None = None
    """The most plies that the engine looks ahead; None is without a bound."""

    def __post_init__(self) -> None:
        if self.time is not None:
            check_seconds("time", self.time)
        if self.nodes is not None and not 0 <= whole("nodes", self.nodes) <= _MOST_NODES:
            raise ValueError(f"nodes is a number from 0 to {_MOST_NODES}, not {shown(self.nodes)}")
        if self.depth is not None and whole("depth", self.depth) < 0:
            raise ValueError(f"depth is a number of plies, not {shown(self.depth)}")


def check_seconds(name: str, seconds: object) -> None:
    """`ValueError` or `TypeError`, with the name, unless `seconds` is a length of time."""
    if not isinstance(seconds, Real):
        raise TypeError(f"{name} is a number of seconds, not {shown(seconds)}")
    if not 0 <= as_float(seconds) <= _native.MOST_SECONDS:
        most = f"{_native.MOST_SECONDS:,.0f}"
        raise ValueError(f"{name} is a number of seconds from 0 to {most}, not {shown(seconds)}")


def as_float(value: Real | float) -> float:
    """A number as a float, infinite if it is too large for one: a whole number can have any size."""
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf  # type: ignore[operator]  # all real numbers can be compared


def check_kind(kind: str, threat_limit: int = 1) -> int:
    """The threat limit; `ValueError` unless wins of this kind can be asked for."""
    if kind not in KINDS:
        raise ValueError(f"kind is {' or '.join(map(repr, KINDS))}, not {kind!r}")
    return between("threat_limit", threat_limit, THREAT_LIMITS[0], THREAT_LIMITS[-1])


def check_limit(limit: Limit | None) -> Limit:
    """The limit, or one without any bound for None; `TypeError` if it is something else."""
    if not isinstance(limit, Limit | None):
        raise TypeError(f"limit is a renju.Limit, not {type(limit).__name__}")
    return Limit() if limit is None else limit


def fixed_nodes(limit: Limit | None, nodes: int | None, default: int) -> int:
    """The nodes of every search of a run whose answers no clock may change: those of `limit`, or `nodes`, the
    older spelling. `ValueError` if both are given, or a limit that names anything else."""
    if limit is not None:
        limit = check_limit(limit)
        if nodes is not None:
            raise ValueError("limit and nodes are two spellings of the same: give one of them")
        if limit.nodes is None or limit != Limit(nodes=limit.nodes):
            raise ValueError(f"limit names nodes and nothing else here, so that no clock decides: {limit}")
        nodes = limit.nodes
    return between("nodes", default if nodes is None else nodes, 1, _MOST_NODES)


def check_depth(max_depth: int | None) -> int | None:
    """The most stones of a forced win as the solvers take it; None is without a bound."""
    if max_depth is None:
        return None
    depth = whole("max_depth", max_depth)
    if depth < 0:
        raise ValueError(f"max_depth is a number of stones, not {shown(depth)}")
    return min(depth, _native.PASS)


def check_engine_depth(depth: int | None) -> int | None:
    """The most plies of a search as the engine takes it; None is without a bound."""
    return None if depth is None else min(depth, _MOST_PLIES)


# The table of positions that an engine has unless another size is asked for, in megabytes.
DEFAULT_HASH_MB = 64


def check_hash(hash_mb: int) -> int:
    """Megabytes for a table of positions; `ValueError` if there are too few or too many."""
    return between("hash_mb", hash_mb, 1, _native.MOST_HASH_MB)


def between(name: str, value: int, least: int, most: int) -> int:
    """A whole number from `least` to `most`; `ValueError` with its name if it is another one."""
    number = whole(name, value)
    if not least <= number <= most:
        raise ValueError(f"{name} is a number from {least} to {most}, not {shown(value)}")
    return number


def whole(name: str, value: object) -> int:
    """A whole number, also one of numpy's; `TypeError` with its name if it is no such number."""
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} is a whole number, not {shown(value)}") from None
