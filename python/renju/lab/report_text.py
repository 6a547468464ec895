"""The report for a terminal, and the tables that the page shows too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from renju._types import Color
from renju.lab.losses import LOSS_KINDS, losses_of
from renju.lab.statistics import Spread, Statistics
from renju.lab.weakness import FINDING_KINDS, SEED_PER_GAME

if TYPE_CHECKING:
    from renju.lab.reporting import Report

__all__ = [
    "Row",
    "elo_text",
    "figure_rows",
    "head_lines",
    "loss_rows",
    "report_text",
    "result_rows",
    "trap_text",
    "vcf_text",
    "weakness_rows",
]

Row = Sequence[str]

_MOST_FINDINGS = 20
# Each found nearly everywhere: they are told by number only.
_COMMON = frozenset({"depth-disagreement", "time-pressure-error"})


def report_text(report: Report) -> str:
    parts = ["\n".join(head_lines(report))]
    if len(report.players) > 2:
        ranks: list[Row] = [("player", "Elo", "95 % interval", "points", "games")]
        for r in report.ratings:
            span = f"[{r.low:+.0f}, {r.high:+.0f}]"
            ranks.append((r.name, f"{r.value:+.0f}", span, f"{r.points:g}", str(r.games)))
        parts.append(_table(ranks))
    parts.append(_table(result_rows(report)) + f"\n{trap_text(report)}")
    parts.append(_table(figure_rows(report)))
    parts.append(_table(weakness_rows(report)) + f"\n{vcf_text(report)}")
    parts.append(_table(loss_rows(report), left=(0, 1)))
    parts += _findings(report)
    parts += [f"note: {note}" for note in report.notes]
    return "\n\n".join(parts)


def head_lines(report: Report) -> list[str]:
    """Who played, and who is stronger."""
    games, pairs = report.results.games, sum(report.pairs)
    lines = [f"{report.title}: {_plural(games, 'game')}, {_plural(pairs, 'whole pair')}"]
    if report.elo is not None:
        others = report.players[1] if len(report.players) == 2 else "the others"
        lines.append(f"{report.players[0]} against {others}: Elo {report.elo}")
    if pairs:
        counts = " ".join(map(str, report.pairs))
        lines.append(f"pairs of 0, ½, 1, 1½, 2 points: {counts}")
    if pairs and len(report.players) == 2:
        lines.append(f"SPRT of {report.sprt.elo0:g} against {report.sprt.elo1:g} Elo: {report.sprt_state}")
    return lines


def elo_text(value: float) -> str:
    return f"{value:+.1f}".replace("inf", "∞")


def result_rows(report: Report) -> list[Row]:
    """A line for each way to end."""
    results = report.results
    rows: list[Row] = [("end", "black wins", "white wins", "draws", "games")]
    for reason, winners in results.reasons.items():
        numbers = [winners.get(name, 0) for name in ("black", "white", "draw")]
        rows.append((reason, *map(str, (*numbers, sum(numbers)))))
    rows.append(("all", *map(str, (results.black, results.white, results.draws, results.games))))
    return rows


def trap_text(report: Report) -> str:
    results = report.results
    share = "–" if results.trap_share is None else f"{100 * results.trap_share:.1f} %"
    text = (
        f"decided by forbidden points: {share} (seed: 19 %); trapped {results.trapped}, "
        f"self-inflicted {results.self_inflicted}"
    )
    return text + (f", not known {results.trap_unknown}" if results.trap_unknown else "")


def figure_rows(report: Report) -> list[Row]:
    """A line for each figure; a column for all, and for each player if there are several."""
    columns = report.statistics if len(report.players) > 1 else report.statistics[:1]
    rows: list[Row] = [("", *("all" if s.player is None else s.player for s in columns))]

    def add(name: str, values: Iterable[str]) -> None:
        cells = tuple(values)
        if any(cell != "–" for cell in cells):
            rows.append((name, *cells))

    add("games", (str(s.games) for s in columns))
    add("moves", (str(s.moves) for s in columns))
    for part in ("mean", "p50", "p90", "p95", "p99"):
        add(f"think time {part}, ms", (_part(s.time_ms, part) for s in columns))
    add("think time longest, ms", (_part(s.time_ms, "most") for s in columns))
    add("depth mean, plies", (_part(s.depth, "mean") for s in columns))
    add("nodes mean", (_part(s.nodes, "mean", 0) for s in columns))
    add("nodes per second", (_number(s.nodes_per_second, 0) for s in columns))
    add("interrupted", (_of_moves(s.interruptions, s) for s in columns))
    add("fallbacks", (_of_moves(s.fallbacks, s) for s in columns))
    add("table hits", (_percent(s.table_hit_rate) for s in columns))
    add("table cut-offs", (_percent(s.table_cutoff_rate) for s in columns))
    add("cut-offs by first move", (_percent(s.first_cutoff_rate) for s in columns))
    add("forbidden checks a move", (_number(s.forbidden_checks_per_move, 0) for s in columns))
    add("  of these by a glance", (_percent(s.forbidden_shortcut_rate) for s in columns))
    add("  of these remembered", (_percent(s.forbidden_cache_rate) for s in columns))
    add("re-searches a move", (_number(s.researches_per_move, 2) for s in columns))
    add("best candidate played", (_best_share(s) for s in columns))
    return rows


def weakness_rows(report: Report) -> list[Row]:
    """A line for each metric, and the seed's figure beside it."""
    found = report.weakness
    names = report.players if len(report.players) > 1 else ()
    heads = ("weakness", "count", "a game", "a 100 moves", "seed, a game")
    rows: list[Row] = [(*heads, *(f"{name}, a game" for name in names))]
    for kind in FINDING_KINDS:
        per_move = found.per_move(kind)
        looked = kind != "missed-vcf" or found.vcf_chances is not None
        rows.append(
            (
                kind,
                str(found.count(kind)) if looked else "–",
                _number(found.per_game(kind) if looked else None, 3),
                _number(None if per_move is None or not looked else 100 * per_move, 2),
                SEED_PER_GAME.get(kind, "–"),
                *(_number(found.per_game(kind, name) if looked else None, 3) for name in names),
            )
        )
    return rows


def loss_rows(report: Report) -> list[Row]:
    """Why games were lost, for each player with black and with white."""
    rows: list[Row] = [("lost games, black/white", "", *report.players)]
    losses = [losses_of((replay.game for replay in report.replays), name) for name in report.players]
    for kind, meaning in LOSS_KINDS.items():
        counts = [
            [sum(loss.kind == kind and loss.color is c for loss in own) for c in Color] for own in losses
        ]
        rows.append((kind, meaning, *(f"{black}/{white}" for black, white in counts)))
    return rows


def vcf_text(report: Report) -> str:
    found = report.weakness
    if found.vcf_chances is None:
        return "wins by fours were not looked for"
    return f"wins by fours: {found.vcf_chances} on the board, {found.vcf_unknown} positions not decided"


def _findings(report: Report) -> list[str]:
    told = [f for f in report.weakness.findings if f.kind not in _COMMON]
    if not told:
        return []
    rows: list[Row] = [("finding", "game", "move", "", "player", "what")]
    rows += [(f.kind, str(f.game), str(f.ply), f.move, f.player, f.detail) for f in told[:_MOST_FINDINGS]]
    more = len(report.weakness.findings) - len(rows) + 1
    return [_table(rows, left=(0, 3, 4, 5)) + (f"\nnot listed here: {more} more" if more else "")]


def _table(rows: Sequence[Row], left: Sequence[int] = (0,)) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _number(value: float | None, digits: int) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _part(spread: Spread | None, part: str, digits: int = 1) -> str:
    return "–" if spread is None else _number(getattr(spread, part), digits)


def _of_moves(count: int, statistics: Statistics) -> str:
    return f"{count} ({_percent(count / statistics.moves)})" if statistics.moves else "–"


def _best_share(statistics: Statistics) -> str:
    total = sum(statistics.ranks.values())
    return _percent(statistics.ranks["1"] / total) if total else "–"
