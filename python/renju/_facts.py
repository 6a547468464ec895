"""Results as plain values for JSON: what `renju analyze --json` and `renju jsonl` tell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from renju.config import EngineConfig
    from renju.engine import Candidate, SearchResult
    from renju.limits import Limit
    from renju.proof import Proof

__all__ = [
    "changes",
    "limit_facts",
    "move_facts",
    "proof_facts",
    "proof_file",
    "report_facts",
    "rounded_rate",
    "search_facts",
]


def search_facts(result: SearchResult, has_stats: bool = True, has_proof: bool = True) -> dict[str, Any]:
    """All that a search found; counters and the proof, which are long, may be left out."""
    facts = {
        **move_facts(result),
        "win_rate": rounded_rate(result.win_rate),
        "depth": result.depth,
        "seldepth": result.seldepth,
        "nodes": result.nodes,
        "time": round(result.time, 6),
        "source": result.source,
        "candidates": [move_facts(candidate) for candidate in result.candidates],
        "breakdown": dict(result.breakdown),
        "static_value": dict(result.static_value),
        **({"stats": dict(result.stats)} if has_stats else {}),
        "interrupted": result.interrupted,
        "fallback": result.fallback,
        "vct_hint": None if result.vct_hint is None else str(result.vct_hint),
    }
    if has_proof:
        facts["proof"] = None if result.proof is None else proof_file(result.proof)
    return facts


def report_facts(result: SearchResult) -> dict[str, Any]:
    """What a search has found after a depth, while it goes on."""
    return {
        **move_facts(result),
        "win_rate": rounded_rate(result.win_rate),
        "depth": result.depth,
        "seldepth": result.seldepth,
        "nodes": result.nodes,
        "time": round(result.time, 6),
        "candidates": [move_facts(candidate) for candidate in result.candidates],
    }


def rounded_rate(rate: tuple[float, float, float] | None) -> list[float] | None:
    """How likely a side wins, draws and loses, in parts of ten thousand."""
    return None if rate is None else [round(chance, 4) for chance in rate]


def move_facts(found: SearchResult | Candidate) -> dict[str, Any]:
    """A move and what it is worth."""
    return {
        "move": str(found.move),
        "score": found.score,
        "win_in": found.win_in,
        "pv": [str(point) for point in found.pv],
    }


def proof_facts(proof: Proof) -> dict[str, Any]:
    """What a solver found, without the tree."""
    return {
        "status": proof.status,
        "color": proof.color.label,
        "first": None if proof.first is None else str(proof.first),
        "line": [str(point) for point in proof.line],
        "depth": proof.depth,
        "exhausted": proof.exhausted,
        "limit_hit": proof.limit_hit,
        "threat_limit": proof.threat_limit,
        "nodes": proof.nodes,
        "time": round(proof.time, 6),
        # As for a search: a limit or a stop came before its end.
        "interrupted": proof.limit_hit is not None,
    }


def proof_file(proof: Proof) -> dict[str, Any]:
    """The object of a proof file, tree and all."""
    data: dict[str, Any] = json.loads(proof.to_json())
    return data


def limit_facts(limit: Limit) -> dict[str, float | None]:
    return {"time": limit.time, "nodes": limit.nodes, "depth": limit.depth}


def changes(config: EngineConfig, level: EngineConfig) -> dict[str, int]:
    """The settings in which a configuration is not that of a level."""
    return {name: value for name, value in vars(config).items() if value != getattr(level, name)}
