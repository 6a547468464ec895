"""Matches for people and for other programs: tables, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from renju._types import Color
from renju.lab.ratings import PAIR_SCORES, Elo
from renju.lab.result import Match

__all__ = ["elo_text", "match_facts", "match_text", "points_text", "table_text"]

# The most faults that are told one by one.
_MOST_FAULTS = 5


def match_text(match: Match) -> str:
    """The result of a match."""
    parts = [_heading(match), "", _scores(match) if len(match.players) == 2 else _cross_table(match), ""]
    if len(match.players) == 2:
        parts += [_pairs(match), f"Elo       {elo_text(match.elo)}"]
    if (state := match.sprt_state) is not None and match.sprt is not None:
        parts.append(f"SPRT      {match.sprt.elo0:g} against {match.sprt.elo1:g} Elo: {state}")
    ends = ", ".join(f"{reason} {count}" for reason, count in match.reasons.items())
    parts.append(f"endings   {ends or 'none'}")
    return "\n".join([*parts, *_warnings(match)])


def points_text(points: float) -> str:
    """Halves as people write them: 7½."""
    whole = int(points)
    return f"{whole or ''}½" if points != whole else str(whole)


def elo_text(elo: Elo) -> str:
    """The difference with its interval."""
    if not elo.games:
        return "no pair of games is finished"
    value, low, high = (f"{end:+.0f}".replace("inf", "∞") for end in (elo.value, elo.low, elo.high))
    return f"{value}, 95 % between {low} and {high}; {100 * elo.los:.1f} % likely stronger"


def match_facts(match: Match) -> dict[str, Any]:
    """The facts of a match as JSON has them. What is infinite is null."""
    state = match.sprt_state
    facts: dict[str, Any] = {
        "players": list(match.players),
        "games": len(match.games),
        "planned": match.planned,
        "finished": match.is_finished,
        "seed": match.seed,
        "scores": {name: _score_facts(match, name) for name in match.players},
        "meetings": [
            {"players": [one, other], **asdict(match.score(one, other))} for one, other in match.meetings()
        ],
        "reasons": match.reasons,
        "repetitions": match.repetitions,
        "faults": [{"game": game.number, "fault": game.fault} for game in match.faults],
        "ratings": [_finite(asdict(rating)) for rating in match.ratings],
        "sprt": None if match.sprt is None or state is None else asdict(match.sprt) | asdict(state),
        "path": None if match.path is None else str(match.path),
        "time": round(match.time, 3),
    }
    if len(match.players) == 2:
        facts |= {"pairs": list(match.pairs()), "elo": _finite(asdict(match.elo))}
    return facts


def _score_facts(match: Match, name: str) -> dict[str, Any]:
    by_color = {color.label: asdict(match.score(name, color=color)) for color in Color}
    return {"points": match.score(name).points, **asdict(match.score(name)), **by_color}


def _finite(facts: dict[str, Any]) -> dict[str, Any]:
    return {k: None if isinstance(v, float) and not isfinite(v) else v for k, v in facts.items()}


def _heading(match: Match) -> str:
    played = len(match.games)
    if played == match.planned:
        count = f"{played} games"
    else:
        count = f"{played} of {match.planned} games"
    who = " against ".join(match.players) if len(match.players) == 2 else f"{len(match.players)} players"
    return f"{who}: {count}"


def _scores(match: Match) -> str:
    rows = [["", "points", "won", "drawn", "lost", "as black", "as white"]]
    for name in match.players:
        score = match.score(name)
        colors = [match.score(name, color=color) for color in Color]
        rows.append(
            [
                name,
                points_text(score.points),
                str(score.won),
                str(score.drawn),
                str(score.lost),
                *(f"{points_text(part.points)} of {part.games}" for part in colors),
            ]
        )
    return table_text(rows)


def _cross_table(match: Match) -> str:
    """Strongest first; a cell holds the points of its row against its column."""
    ratings = {rating.name: rating for rating in match.ratings}
    order = [*ratings, *(name for name in match.players if name not in ratings)]
    rows = [["", "", "Elo", "±", "points", *(str(n) for n in range(1, len(order) + 1))]]
    for place, name in enumerate(order, 1):
        rating = ratings.get(name)
        score = match.score(name)
        cells = ["—" if name == other else points_text(match.score(name, other).points) for other in order]
        rows.append(
            [
                str(place),
                name,
                f"{rating.value:+.0f}" if rating else "",
                f"{(rating.high - rating.low) / 2:.0f}" if rating else "",
                f"{points_text(score.points)} of {score.games}",
                *cells,
            ]
        )
    return table_text(rows, left=2)


def _pairs(match: Match) -> str:
    counts = zip(PAIR_SCORES, match.pairs(), strict=True)
    parts = [
        f"{points_text(2 * share)}–{points_text(2 - 2 * share)}: {count}" for share, count in counts if count
    ]
    return f"pairs     {', '.join(reversed(parts)) or 'none is finished'}"


def _warnings(match: Match) -> list[str]:
    lines = []
    if match.repetitions:
        lines.append(
            f"warning:  {match.repetitions} games repeat earlier ones move by move and are no evidence; "
            "more openings are needed, such as random:6"
        )
    faults = match.faults
    lines += [
        f"fault:    game {game.number}, {' '.join(game.fault.split())}" for game in faults[:_MOST_FAULTS]
    ]
    if len(faults) > _MOST_FAULTS:
        lines.append(f"          and {len(faults) - _MOST_FAULTS} more games lost by faults")
    return lines


def table_text(rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns under each other, the first ones to the left and numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = (
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)
