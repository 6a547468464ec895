"""What a run does: its jobs and their settings. Two runs with equal specs give equal results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from renju import __version__
from renju.config import EngineConfig
from renju.limits import (
    DEFAULT_HASH_MB,
    KINDS,
    Limit,
    between,
    check_depth,
    check_hash,
    check_kind,
    check_limit,
)

__all__ = ["JOBS", "SCHEMA_VERSION", "Spec"]

# Raised when a column changes its name or meaning.
SCHEMA_VERSION = 1

JOBS = ("forbidden", *KINDS, "analyze", "evaluate")

# Jobs that take no longer than finding out whether they were done before.
_QUICK_JOBS = {"forbidden", "evaluate"}

# Positions of a shard: some seconds of work for one thread, which is what a kill may cost.
_SHARD_POSITIONS = {"forbidden": 32_768, "vcf": 32_768, "mise-vcf": 4_096, "vct": 1_024, "analyze": 256}
_SHARD_POSITIONS["evaluate"] = 32_768

_MOST_SHARD_POSITIONS = 1 << 20

# Enough for nearly every win there is; what is not decided by then is "unknown".
_SOLVE_NODES = {"vcf": 1_000_000, "mise-vcf": 100_000, "vct": 20_000}

# Positions that an analysis looks at, so that the clock never decides.
_ANALYZE_NODES = 100_000

_MOST_MULTIPV = 50


@dataclass(frozen=True)
class Spec:
    """Jobs and settings, complete and plain: it can be written down, sent away and compared."""

    jobs: tuple[str, ...]
    """Names of what is done with every position, in the order of `JOBS`."""
    solve_nodes: Mapping[str, int | None]
    """Key: a kind of forced win; value: the most nodes of a search for it, None without a bound."""
    solve_time: float | None
    """The most seconds of a search for a forced win; None without a bound."""
    max_depth: int | None
    """The most stones that the winner of a forced win may need; None without a bound."""
    threat_limit: int
    """The most fours, 1 to 3, that a threat of a VCT may need."""
    config: Mapping[str, Any]
    """Settings of the engine by name; empty if nothing is analysed."""
    limit: Limit
    """Seconds, nodes and plies that the analysis of a position may take."""
    multipv: int
    """Moves of a position of which an analysis tells the exact score."""
    policy: int
    """Moves of a position that the network is asked for, the likeliest first; 0 for none."""
    hash_mb: int
    """Size of the engine's table of positions in megabytes; 0 if nothing is analysed."""
    referee: bool
    """Whether the rules end a game, so that moves after its end make a bad row; else they are played."""
    plies: tuple[int, int | None]
    """The fewest and the most moves before a position that is kept; None for the most is without a bound."""
    only_last: bool
    """Whether only the last position of each game is kept."""
    shard_positions: int
    """Positions after which a shard is full."""
    version: str = field(default=__version__)
    """The version of this program, on which results may depend."""
    schema: int = SCHEMA_VERSION
    """The version of the names and meanings of the columns."""

    @staticmethod
    def make(
        jobs: Sequence[str] = ("forbidden", "vcf"),
        *,
        level: str = "hard",
        config: EngineConfig | None = None,
        limit: Limit | None = None,
        multipv: int = 1,
        policy: int = 0,
        hash_mb: int = DEFAULT_HASH_MB,
        solve_limit: Limit | None = None,
        max_depth: int | None = None,
        threat_limit: int = 1,
        referee: bool = True,
        plies: tuple[int, int | None] = (0, None),
        only_last: bool = False,
        shard_positions: int | None = None,
    ) -> Spec:
        """Fills in what is not given; `ValueError` or `TypeError` names what makes no sense.

        `jobs`, `limit`, `multipv`, `hash_mb`, `max_depth`, `threat_limit`, `referee`, `plies`, `only_last`
        and `shard_positions` are the fields of the same names. `config` takes the place of `level`, and
        `solve_limit` bounds the seconds and nodes of every search for a forced win.
        """
        if isinstance(jobs, str):
            jobs = (jobs,)
        unknown = [job for job in jobs if job not in JOBS]
        if unknown or not jobs:
            raise ValueError(
                f"jobs are some of {', '.join(JOBS)}, not {', '.join(map(repr, unknown)) or 'none'}"
            )
        if config is not None and not isinstance(config, EngineConfig):
            raise TypeError(f"config is a renju.EngineConfig, not {type(config).__name__}")
        config = EngineConfig.from_level(level) if config is None else config
        limit = check_limit(limit)
        if limit.time is None and limit.nodes is None:
            # Without one of them the clock of the level would decide.
            limit = Limit(nodes=_ANALYZE_NODES, depth=limit.depth)
        multipv, hash_mb = between("multipv", multipv, 1, _MOST_MULTIPV), check_hash(hash_mb)
        policy = between("policy", policy, 0, _MOST_MULTIPV)
        threat_limit = check_kind(KINDS[0], threat_limit)
        solving = check_limit(solve_limit)
        if solving.depth is not None:
            raise ValueError("solve_limit has no depth; max_depth counts the stones of the attacker")
        nodes = {kind: _SOLVE_NODES[kind] if solve_limit is None else solving.nodes for kind in KINDS}
        first, last = plies
        between("plies[0]", first, 0, 2**16)
        if last is not None:
            between("plies[1]", last, first, 2**16)
        kept = tuple(job for job in JOBS if job in jobs)
        is_analysed = "analyze" in kept
        nodes_by_kind = {kind: nodes[kind] for kind in KINDS if kind in kept}
        if shard_positions is None:
            shard_positions = min(_SHARD_POSITIONS[job] for job in kept)
        return Spec(
            jobs=kept,
            solve_nodes=nodes_by_kind,
            solve_time=solving.time if nodes_by_kind else None,
            max_depth=check_depth(max_depth) if nodes_by_kind else None,
            threat_limit=threat_limit if "vct" in kept else 1,
            # What no job uses does not make two runs different.
            config=dict(vars(config)) if is_analysed else {},
            limit=limit if is_analysed else Limit(),
            multipv=multipv if is_analysed else 1,
            policy=policy if "evaluate" in kept else 0,
            hash_mb=hash_mb if is_analysed else 0,
            referee=bool(referee),
            plies=(first, last),
            only_last=bool(only_last),
            shard_positions=between("shard_positions", shard_positions, 1, _MOST_SHARD_POSITIONS),
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """The jobs that look for forced wins."""
        return tuple(job for job in self.jobs if job in KINDS)

    @property
    def is_searching(self) -> bool:
        """Is there a job that takes longer than finding out whether it was done before?"""
        return bool(self.searches)

    @property
    def searches(self) -> tuple[str, ...]:
        """The jobs that search."""
        return tuple(job for job in self.jobs if job not in _QUICK_JOBS)

    def solve_limit(self, kind: str) -> Limit:
        """Seconds and nodes that a search for a kind of forced win may take."""
        return Limit(time=self.solve_time, nodes=self.solve_nodes[kind])

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON has them."""
        plain = {f.name: getattr(self, f.name) for f in fields(self)}
        plain["jobs"] = list(self.jobs)
        plain["plies"] = list(self.plies)
        plain["limit"] = vars(self.limit)
        return plain
