"""What a manager tells with INFO, and what follows from it: time, memory, threads."""

from __future__ import annotations

from renju._machine import cores
from renju.limits import Limit
from renju.protocol.wire import UNLIMITED_MS

__all__ = ["MOST_HASH_KB", "Settings", "most_threads"]

# Without any limit from the manager, a move takes so long.
_DEFAULT_TURN_S = 5.0
# "As fast as possible", and when the time is up.
_FASTEST_S = 0.01
# Of a limit this much is left for the process and the pipes: a fixed part and a share, at most half of it.
_MARGIN_S, _MARGIN_SHARE = 0.03, 0.02
# The match time is shared out as if games had this number of plies, and this number of own moves were always
# still to come.
_EXPECTED_PLIES, _FEWEST_MOVES_LEFT = 60, 8

_DEFAULT_HASH_MB = 64
MOST_HASH_KB = 2**22
# What the interpreter and the solvers take beside the hash table.
_OTHER_MEMORY_MB = 100

_RENJU_BIT = 4
# Where Gomocup has the bit of a continuous game.
_YIXIN_RENJU = 2

_KEYS = frozenset(
    {
        "hash_size",
        "max_depth",
        "max_memory",
        "max_node",
        "rule",
        "show_detail",
        "thread_num",
        "time_left",
        "timeout_match",
        "timeout_turn",
    }
)


class Settings:
    """The values of INFO and the time spent since the manager last told how much is left."""

    def __init__(self, spent_s: float = 0.0) -> None:
        self._values: dict[str, int] = {}
        self._spent_s = spent_s

    def take(self, text: str) -> None:
        """Takes "key value"; what is unknown or makes no sense is ignored, as the protocol asks."""
        key, _, value = " ".join(text.split()).lower().partition(" ")
        if key not in _KEYS:
            return
        try:
            self._values[key] = int(value)
        except ValueError:
            return
        if key == "time_left":
            self._spent_s = 0.0

    def spend(self, seconds: float) -> None:
        """Takes seconds off the time that is left of the match."""
        self._spent_s += seconds

    def new_game(self) -> None:
        """The match time starts again, unless the manager keeps it: it may tell what is left before START."""
        if "time_left" not in self._values:
            self._spent_s = 0.0

    @property
    def is_renju(self) -> bool:
        rule = self._values.get("rule", _RENJU_BIT)
        return bool(rule & _RENJU_BIT) or rule == _YIXIN_RENJU

    @property
    def has_detail(self) -> bool:
        return self._values.get("show_detail", 0) > 0

    @property
    def threads(self) -> int:
        return min(max(self._values.get("thread_num", 1), 1), most_threads())

    @property
    def hash_mb(self) -> int:
        wanted = min(self._positive("hash_size") or _DEFAULT_HASH_MB * 2**10, MOST_HASH_KB) // 2**10
        memory = self._values.get("max_memory", 0)
        if memory > 0:
            wanted = min(wanted, memory // 2**20 - _OTHER_MEMORY_MB)
        return max(wanted, 1)

    def limit(self, ply: int, elapsed_s: float = 0.0) -> Limit:
        """What a move may take, `elapsed_s` after it was asked for."""
        nodes, depth = (self._positive(key) for key in ("max_node", "max_depth"))
        bounds = [bound for bound in (self._turn_s(), self._share_s(ply)) if bound is not None]
        if not bounds and (nodes or depth):
            return Limit(nodes=nodes, depth=depth)
        seconds = min(bounds, default=_DEFAULT_TURN_S) - elapsed_s
        return Limit(max(seconds, _FASTEST_S), nodes, depth)

    def _turn_s(self) -> float | None:
        limit_ms = self._values.get("timeout_turn")
        if limit_ms is None:
            return None
        return _without_margin(_seconds(limit_ms)) if limit_ms > 0 else _FASTEST_S

    def _share_s(self, ply: int) -> float | None:
        """A share of what is left of the match time."""
        left_ms = self._values.get("time_left", self._values.get("timeout_match") or UNLIMITED_MS)
        if left_ms >= UNLIMITED_MS:
            return None
        moves = max((_EXPECTED_PLIES - ply) / 2, _FEWEST_MOVES_LEFT)
        return _without_margin(_seconds(left_ms) - self._spent_s) / moves

    def _positive(self, key: str) -> int | None:
        value = self._values.get(key, 0)
        return min(value, 2**62) if value > 0 else None


def most_threads() -> int:
    return cores()


def _seconds(milliseconds: int) -> float:
    return min(max(milliseconds, 0), 10**12) / 1000


def _without_margin(limit_s: float) -> float:
    return limit_s - min(_MARGIN_S + _MARGIN_SHARE * limit_s, limit_s / 2)
