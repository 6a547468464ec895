"""What the parts of the report's page share: the style sheet, tables, cards, plots side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from renju.lab.report_text import Row

__all__ = ["STYLE", "card_html", "plots_html", "table_html"]

STYLE = """
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #fff; --ink: #22252a; --soft: #666c75;
  --rule: #dcd9d2; --s0: #2b6cb0; --s1: #d9772b; --s2: #4f9a5f; --draw: #9aa0a8; --mark: #c8371b;
  --black: #26282c; --white: #fdfdfb; --edge: #6d6455; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181c; --card: #1f2227; --ink: #e8e6e1;
  --soft: #a2a8b1; --rule: #373b42; --s0: #6aa9e6; --s1: #f0a05a; --s2: #7cc48c; --draw: #7a818b;
  --mark: #ff7a5c; --black: #08090a; --white: #ece9e2; --edge: #a39a88; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 20px 60px; }
h1 { font-size: 1.7rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; margin: 40px 0 12px; padding-bottom: 4px; border-bottom: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 0 0 6px; overflow-wrap: anywhere; }
p { margin: 6px 0; }
.sub, .axis, figcaption, caption, .notes { color: var(--soft); }
.sub { margin: 2px 0 16px; overflow-wrap: anywhere; }
.big { font-size: 2rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; }
.big small { font-size: 1rem; font-weight: 400; color: var(--soft); }
.cards, .plots { display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); }
.card, figure { margin: 0; padding: 14px 16px; background: var(--card); border: 1px solid var(--rule);
  border-radius: 8px; min-width: 0; }
figcaption { font-weight: 600; color: var(--ink); margin-bottom: 6px; }
.plot { display: block; width: 100%; height: auto; max-width: 560px; }
.plot text { font-size: 12px; fill: var(--ink); }
.plot text.axis { fill: var(--soft); }
.plot text.on-s0, .plot text.on-s1, .plot text.on-draw { fill: var(--card); font-weight: 600; }
.plot .grid { stroke: var(--rule); } .plot .zero { stroke: var(--soft); stroke-dasharray: 3 3; }
.plot .track { stroke: var(--rule); stroke-width: 6; stroke-linecap: round; }
.plot .bound { stroke: var(--ink); }
.plot .whisker { stroke: var(--s0); stroke-width: 3; stroke-linecap: round; opacity: .55; }
.plot .s0 { fill: var(--s0); } .plot .s1 { fill: var(--s1); } .plot .s2 { fill: var(--s2); }
.plot .draw { fill: var(--draw); }
.plot .black { fill: var(--black); stroke: var(--edge); }
.plot .white { fill: var(--white); stroke: var(--edge); }
/* The boards have styles of their own, which these rules leave alone. */
.line-s0, .line-s1 { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
.line-s0 { stroke: var(--s0); } .line-s1 { stroke: var(--s1); }
.plot .mark { fill: var(--mark); stroke: var(--card); stroke-width: 1.5; }
.scroll { overflow-x: auto; margin: 16px 0 8px; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 4px; }
th, td { padding: 4px 14px 4px 0; text-align: right; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
thead th { color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:first-child, td.text, th.text { text-align: left; }
td { white-space: nowrap; }
tbody th { font-weight: 500; white-space: nowrap; }
details { border-bottom: 1px solid var(--rule); padding: 6px 0; }
details details { margin-left: 18px; border-bottom: 0; padding: 2px 0; }
details:last-of-type { border-bottom: 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary b { font-weight: 650; } summary span { color: var(--soft); }
.finding { display: flex; flex-wrap: wrap; gap: 16px; padding: 8px 0 14px; align-items: flex-start; }
.finding svg:not(.plot) { max-width: 100%; height: auto; }
.finding > div { flex: 1 1 260px; min-width: 0; }
.moves { overflow-wrap: anywhere; font-size: .85rem; color: var(--soft); }
.key { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin: 0 2px; }
.key.s0 { background: var(--s0); } .key.s1 { background: var(--s1); }
.notes { padding-left: 20px; }
@media (max-width: 480px) { main { padding: 16px 12px 40px; } th, td { padding-right: 10px; }
  tbody th { white-space: normal; } details details { margin-left: 6px; } }
@media print { body { background: #fff; font-size: 11px; } main { max-width: none; padding: 0; }
  figure, .card, tr { break-inside: avoid; } h2, h3 { break-after: avoid; } .scroll { overflow: visible; }
  .plots { grid-template-columns: 1fr 1fr; } }
"""


def card_html(title: str, content: str) -> str:
    """A box; its content is HTML."""
    return f'<div class="card"><h3>{escape(title)}</h3>{content}</div>\n'


def plots_html(plots: Iterable[tuple[str, str]]) -> str:
    """Pictures side by side, each with its title."""
    figures = "".join(
        f"<figure><figcaption>{escape(title)}</figcaption>{plot}</figure>\n" for title, plot in plots
    )
    return f'<div class="plots">\n{figures}</div>\n'


def table_html(caption: str, rows: Sequence[Row], texts: Sequence[int] = ()) -> str:
    """A table whose first row and first column are heads; the columns of `texts` are set to the left."""

    def style(column: int) -> str:
        return ' class="text"' if column in texts else ""

    head, *body = rows
    heads = "".join(f'<th scope="col"{style(i)}>{escape(cell)}</th>' for i, cell in enumerate(head))
    lines = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td{style(i)}>{escape(cell)}</td>" for i, cell in enumerate(row[1:], 1))
        + "</tr>\n"
        for row in body
    )
    name = f"<caption>{escape(caption)}</caption>" if caption else ""
    # Focusable, so that a keyboard can scroll it too.
    return (
        f'<div class="scroll" tabindex="0"><table>{name}<thead><tr>{heads}</tr></thead>\n'
        f"<tbody>\n{lines}</tbody></table></div>\n"
    )
