"""Which puzzles are wanted, how hard is looked for second solutions, and why a position is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from threading import Event
from typing import Any

from renju import _native
from renju._types import Color, Point
from renju.board import Board
from renju.limits import KINDS, THREAT_LIMITS, Limit, between
from renju.proof import Proof
from renju.solving import solve

__all__ = ["PUZZLE_KINDS", "Rejected", "Solvers", "Stop", "Stopped", "Wanted"]

PUZZLE_KINDS = (*KINDS, "defence")
"""The kinds of puzzles: a win of a kind to be found, or the one move that does not lose."""

# Fours are cheap to look at: a search for a VCF may take so many times the nodes of one for a VCT.
_VCF_FACTOR = 50

_MOST_DEPTH = 60
_MOST_NODES = 10**9


class Rejected(Exception):
    """The position is no puzzle; the text is the reason, one of few."""


class Stopped(Exception):
    """Nobody waits for the answer any more."""


@dataclass(frozen=True)
class Wanted:
    """Settings of the search for puzzles. What they bound is told with every puzzle, in `Puzzle.checked`."""

    kinds: tuple[str, ...] = PUZZLE_KINDS
    """The kinds of puzzles that are wanted, of `PUZZLE_KINDS`."""
    depth: tuple[int, int] = (3, 12)
    """The fewest and the most stones of the winner in the longest line of a win."""
    nodes: int = 5_000
    """The most positions of each search for a VCT or a Mise-VCF; a search for a VCF has fifty times as many.
    A position that a search leaves open is no puzzle."""
    other_depth: int = 10
    """Stones of the winner up to which the VCTs of all other moves are looked for. VCFs are looked for at any
    depth."""
    threat_limit: int = 3
    """The most fours, 1 to 3, that a threat of those VCTs may need."""
    panel_nodes: int = 5_000
    """Positions that each player of the panel looks at, by which the difficulty is measured."""

    def __post_init__(self) -> None:
        unknown = [kind for kind in self.kinds if kind not in PUZZLE_KINDS]
        if unknown or not self.kinds:
            told = ", ".join(map(repr, unknown)) or "none"
            raise ValueError(f"kinds of puzzles are some of {', '.join(PUZZLE_KINDS)}, not {told}")
        least, most = self.depth
        between("depth[0]", least, 1, _MOST_DEPTH)
        between("depth[1]", most, least, _MOST_DEPTH)
        between("nodes", self.nodes, 1, _MOST_NODES)
        between("other_depth", self.other_depth, 1, _MOST_DEPTH)
        between("threat_limit", self.threat_limit, THREAT_LIMITS[0], THREAT_LIMITS[-1])
        between("panel_nodes", self.panel_nodes, 1, _MOST_NODES)

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON has them."""
        return asdict(self) | {"kinds": list(self.kinds), "depth": list(self.depth)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Wanted:
        """The settings that `to_dict` wrote."""
        return cls(**dict(data) | {"kinds": tuple(data["kinds"]), "depth": tuple(data["depth"])})


class Stop:
    """What another thread sets to end the work, a search of a solver included."""

    def __init__(self) -> None:
        self._event = Event()
        self.flag = _native.StopFlag()
        """The flag that the native solvers look at."""

    def set(self) -> None:
        """Ends the work."""
        self._event.set()
        self.flag.set()

    def check(self, *_: object) -> None:
        """`Stopped` if nobody waits any more."""
        if self._event.is_set():
            raise Stopped


class Solvers:
    """The solvers with the limits of `Wanted`. What they leave open rejects the position; a stop from another
    thread raises `Stopped`."""

    def __init__(self, wanted: Wanted, stop: Stop | None = None) -> None:
        stop = Stop() if stop is None else stop
        self.wanted, self._stop, self.check = wanted, stop.flag, stop.check

    @property
    def vcf_limit(self) -> Limit:
        """The nodes of a search for a VCF."""
        return Limit(nodes=_VCF_FACTOR * self.wanted.nodes)

    @property
    def vct_limit(self) -> Limit:
        """The nodes of a search for a VCT or a Mise-VCF."""
        return Limit(nodes=self.wanted.nodes)

    def vcf(
        self, board: Board, color: Color | None = None, first: Point | None = None, shortest: bool = False
    ) -> Proof:
        """A VCF of any depth, or that there is none."""
        return self._asked(
            solve(board, "vcf", color, self.vcf_limit, shortest=shortest, first=first, stop=self._stop)
        )

    def mise(self, board: Board) -> Proof:
        """The shortest Mise-VCF, or that there is none."""
        return self._asked(solve(board, "mise-vcf", None, self.vct_limit, stop=self._stop))

    def vct(
        self,
        board: Board,
        color: Color | None = None,
        first: Point | None = None,
        max_depth: int | None = None,
        threat_limit: int | None = None,
        shortest: bool = False,
    ) -> Proof:
        """A VCT within the depth and the threats of `Wanted`, or of the arguments; or that there is none."""
        depth = self.wanted.other_depth if max_depth is None else max_depth
        threat = self.wanted.threat_limit if threat_limit is None else threat_limit
        return self._asked(
            solve(board, "vct", color, self.vct_limit, depth, threat, shortest, first, self._stop)
        )

    def _asked(self, proof: Proof) -> Proof:
        self.check()
        if proof.status == "unknown" or (proof and proof.limit_hit is not None):
            raise Rejected("open: a limit came before the answer")
        return proof
