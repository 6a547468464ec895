"""The report as one HTML page: no scripts, no other files, light and dark, for screens and paper."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from renju.lab.charts import gauge, interval
from renju.lab.page_findings import findings_html, games_html
from renju.lab.page_plots import reach_of, result_plots, thinking_plots
from renju.lab.page_style import STYLE, card_html, plots_html, table_html
from renju.lab.report_text import (
    Row,
    elo_text,
    figure_rows,
    loss_rows,
    result_rows,
    trap_text,
    vcf_text,
    weakness_rows,
)
from renju.limits import whole

if TYPE_CHECKING:
    from renju.lab.reporting import Report

__all__ = ["report_page"]


def report_page(report: Report, boards: int) -> str:
    """The whole page; `boards` for each kind of finding."""
    if whole("boards", boards) < 0:
        raise ValueError(f"boards is a number from 0 on, not {boards}")
    sections = [
        _head(report),
        _section("Results", _results(report)),
        _section("Thinking", plots_html(thinking_plots(report)) + table_html("", figure_rows(report))),
        _section("Weaknesses", _weaknesses(report, boards)),
        _section("Games with findings", games_html(report)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(report.title)}: match report</title>\n<style>{STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{''.join(sections)}</main>\n</body>\n</html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{content}</section>\n" if content else ""


def _head(report: Report) -> str:
    played = f"{report.results.games} games, {report.weakness.moves} moves"
    sub = "; ".join([played, *report.files])
    cards = []
    if report.elo is not None:
        cards.append(_elo_card(report))
    if any(report.pairs) and len(report.players) == 2:
        cards.append(_sprt_card(report))
    if len(report.players) > 2:
        cards.append(_ratings_card(report))
    notes = "".join(f"<li>{escape(note)}</li>" for note in report.notes)
    return (
        f'<header>\n<h1>{escape(report.title)}</h1>\n<p class="sub">{escape(sub)}</p>\n'
        + (f'<div class="cards">\n{"".join(cards)}</div>\n' if cards else "")
        + (f'<ul class="notes">{notes}</ul>\n' if notes else "")
        + "</header>\n"
    )


def _elo_card(report: Report) -> str:
    elo = report.elo
    assert elo is not None
    others = report.players[1] if len(report.players) == 2 else "the others"
    reach = reach_of((elo.value, elo.low, elo.high))
    plot = interval("elo", "Elo and its interval", [("", elo.value, elo.low, elo.high)], reach)
    return card_html(
        f"{report.players[0]} against {others}",
        f'<p class="big">{elo_text(elo.value)} <small>Elo</small></p>'
        f"<p>95 % interval from {elo_text(elo.low)} to {elo_text(elo.high)}</p>{plot}"
        f"<p>{elo.points:g} of {elo.games} points ({100 * elo.score:.1f} %), "
        f"{100 * elo.los:.1f} % likely stronger</p>",
    )


def _sprt_card(report: Report) -> str:
    sprt, state = report.sprt, report.sprt_state
    verdict = f"{state.verdict} accepted" if state.verdict else "not decided"
    plot = gauge("sprt", "Log-likelihood ratio and its bounds", state.llr, state.lower, state.upper)
    return card_html(
        f"SPRT of {sprt.elo0:g} against {sprt.elo1:g} Elo",
        f'<p class="big">{verdict}</p><p>LLR {state.llr:.2f}, H0 below {state.lower:.2f}, H1 above '
        f"{state.upper:.2f}</p>{plot}<p>α = {sprt.alpha:g}, β = {sprt.beta:g}; {_pairs_text(report)}</p>",
    )


def _pairs_text(report: Report) -> str:
    pairs = sum(report.pairs)
    return f"{pairs} pair{'' if pairs == 1 else 's'} of games"


def _ratings_card(report: Report) -> str:
    rated = [(r.name, r.value, r.low, r.high) for r in report.ratings]
    reach = reach_of([end for _, *ends in rated for end in ends])
    rows: list[Row] = [("player", "Elo", "95 %", "points", "games")]
    for r in report.ratings:
        span = f"{r.low:+.0f} to {r.high:+.0f}"
        rows.append((r.name, f"{r.value:+.0f}", span, f"{r.points:g}", str(r.games)))
    return card_html("Ratings", interval("ratings", "Ratings", rated, reach) + table_html("", rows))


def _results(report: Report) -> str:
    table = table_html("Games by their end and winner", result_rows(report))
    return plots_html(result_plots(report)) + table + f"<p>{escape(trap_text(report))}</p>\n"


def _weaknesses(report: Report, boards: int) -> str:
    text = f"{vcf_text(report)}; the seed played 200 games of level hard against itself"
    table = table_html("", weakness_rows(report))
    lost = table_html("Why games were lost", loss_rows(report))
    return f'{table}<p class="sub">{escape(text)}</p>\n{lost}{findings_html(report, boards)}'
