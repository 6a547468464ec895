"""The plots of the report's page: results, lengths, times, depths, places, sources."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from renju._types import Color
from renju.lab.charts import Series, bars, shares
from renju.lab.statistics import RANK_NAMES, depths_of, turns_of

if TYPE_CHECKING:
    from renju.lab.reporting import Report

__all__ = ["reach_of", "result_plots", "thinking_plots"]

Plot = tuple[str, str]

# More players than this share their bars.
_MOST_SERIES = 3
_MOST_BARS = 10
_LENGTH_STEP = 10
# The places of a histogram of times, in milliseconds.
_TIME_STEPS = tuple(digit * 10.0**power for power in range(-3, 7) for digit in (1, 2, 5))


def reach_of(values: Sequence[float]) -> float:
    """A round number that is at least as large as all of them, within reason."""
    most = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return next((reach for reach in (50.0, 100.0, 200.0, 400.0, 800.0) if most <= reach), 1600.0)


def result_plots(report: Report) -> list[Plot]:
    """Who won with which colour, how games ended, how long they were."""
    reasons = report.results.reasons
    ends = [
        Series("draw" if name == "draw" else f"{name} wins", [reasons[r].get(name, 0) for r in reasons], name)
        for name in ("black", "white", "draw")
    ]
    return [
        _by_color(report),
        *([_pairs(report)] if any(report.pairs) else ()),
        ("How games ended", bars("reasons", "How games ended", list(reasons), ends)),
        _lengths([len(replay.moves) for replay in report.replays]),
    ]


def _by_color(report: Report) -> Plot:
    """What the first player made of its games; if it met nobody else, what each colour did."""
    player = report.players[0] if report.elo is not None else None
    labels, rows = [], []
    for color in Color:
        own = [
            replay.game.winner
            for replay in report.replays
            if player in (None, replay.game.black if color is Color.BLACK else replay.game.white)
        ]
        labels.append(f"{player} as {color.label}" if player else color.label)
        rows.append((own.count(color), own.count(None), own.count(color.opponent)))
    names = (("wins", "s0"), ("draws", "draw"), ("losses", "s1"))
    series = [Series(name, [row[i] for row in rows], style) for i, (name, style) in enumerate(names)]
    return "Results by colour", shares("colors", "Results by colour", labels, series)


def _pairs(report: Report) -> Plot:
    title = f"Pairs by the points of {report.players[0]}"
    series = [Series("pairs", report.pairs, "s0")]
    return title, bars("pairs", title, ("0", "½", "1", "1½", "2"), series, "points of a pair")


def _lengths(lengths: Sequence[int]) -> Plot:
    least, most = min(lengths, default=0), max(lengths, default=0)
    step = _LENGTH_STEP * max(1, math.ceil((most - least) / _LENGTH_STEP / _MOST_BARS))
    places = range(least // step, most // step + 1)
    counts = [sum(n // step == i for n in lengths) for i in places]
    labels = [str(i * step) for i in places]
    series = [Series("games", counts, "s0")]
    title = "Length of games"
    return title, bars("lengths", title, labels, series, f"moves, in steps of {step}")


def thinking_plots(report: Report) -> list[Plot]:
    """Times, depths, places among the candidates and sources of moves, by player if there are few."""
    names = report.players if 1 < len(report.players) <= _MOST_SERIES else (None,)
    plies = [[turn.ply for turn in turns_of(report.replays, name)] for name in names]
    styles = [(name or "moves", f"s{i}") for i, name in enumerate(names)]
    statistics = [next(s for s in report.statistics if s.player == name) for name in names]
    times = [[1000 * ply.time for ply in own] for own in plies]
    depths = [depths_of(own) for own in plies]
    ranks, sources = [s.ranks for s in statistics], [s.sources for s in statistics]
    all_sources = list(report.statistics[0].sources)
    return [
        _times(times, styles),
        _depths(depths, styles),
        _counts("ranks", "Place of the move among the candidates", RANK_NAMES, ranks, styles),
        _counts("sources", "Where moves come from", all_sources, sources, styles),
    ]


def _counts(
    key: str,
    title: str,
    labels: Sequence[str],
    counts: Sequence[Mapping[str, int]],
    styles: Sequence[tuple[str, str]],
) -> Plot:
    series = [
        Series(name, [own.get(label, 0) for label in labels], style)
        for own, (name, style) in zip(counts, styles, strict=True)
    ]
    return title, bars(key, title, labels, series)


def _times(times: Sequence[Sequence[float]], styles: Sequence[tuple[str, str]]) -> Plot:
    """Steps of 1, 2, 5, 10 ...; times below the first are counted there."""
    places = [[max(0, bisect_right(_TIME_STEPS, time) - 1) for time in own] for own in times]
    told = [place for own in places for place in own]
    used = range(min(told, default=0), max(told, default=0) + 1)
    labels = [f"{_TIME_STEPS[i]:,g}" for i in used]
    series = [
        Series(name, [own.count(i) for i in used], style)
        for own, (name, style) in zip(places, styles, strict=True)
    ]
    title = "Think time of a move"
    return title, bars("times", title, labels, series, "milliseconds, from")


def _depths(depths: Sequence[Sequence[int]], styles: Sequence[tuple[str, str]]) -> Plot:
    told = [depth for own in depths for depth in own]
    levels = range(min(told, default=0), max(told, default=0) + 1)
    series = [
        Series(name, [own.count(level) for level in levels], style)
        for own, (name, style) in zip(depths, styles, strict=True)
    ]
    title = "Depth of searched moves"
    return title, bars("depths", title, [str(level) for level in levels], series, "plies")
