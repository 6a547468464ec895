"""The findings on the report's page: each with its board, and the games in which there are some."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from typing import TYPE_CHECKING

from renju import svg
from renju._types import Color
from renju.lab.charts import Mark, score_lines
from renju.lab.findings import Finding, FindingKind
from renju.lab.replay import Replay
from renju.lab.statistics import winner_name
from renju.lab.weakness import FINDING_KINDS

if TYPE_CHECKING:
    from renju.lab.reporting import Report

__all__ = ["findings_html", "games_html"]

_BOARD_SIZE_PX = 300
_MOST_LINES = 200
_MOST_GAMES = 40
# Found nearly everywhere: no reason to show a game.
_COMMON: frozenset[FindingKind] = frozenset({"depth-disagreement", "time-pressure-error"})


def findings_html(report: Report, boards: int) -> str:
    """A fold for each kind, the worst first; the first `boards` of them with a picture."""
    folds = []
    for kind, meaning in FINDING_KINDS.items():
        found = [f for f in report.weakness.findings if f.kind == kind]
        if not found:
            continue
        found.sort(key=lambda f: -f.size)
        items = [_finding(report, f, n, is_drawn=n < boards) for n, f in enumerate(found[:_MOST_LINES])]
        if len(found) > _MOST_LINES:
            items.append(f"<p>and {len(found) - _MOST_LINES} more</p>")
        folds.append(
            f"<details><summary><b>{kind}</b> {len(found)} <span>{escape(meaning)}</span></summary>\n"
            f"{''.join(items)}</details>\n"
        )
    return "".join(folds)


def _finding(report: Report, finding: Finding, place: int, is_drawn: bool) -> str:
    replay = report.replays[finding.index]
    who = f"{finding.player} ({finding.color.label})"
    head = (
        f"game {int(finding.game)}, move {int(finding.ply)} <b>{escape(finding.move)}</b>, {escape(who)} "
        f"<span>{escape(finding.detail)}</span>"
    )
    if not is_drawn:
        return f"<p>{head}</p>\n"
    board = replay.board(finding.ply)
    picture = svg.board(board, size=_BOARD_SIZE_PX)
    key = f"{finding.kind}-{place}"
    lines = _lines(key, replay, [finding])
    return (
        f'<details><summary>{head}</summary><div class="finding">{picture}'
        f"<div><p>{escape(_title(replay))}</p>{lines}{_moves(replay)}</div></div></details>\n"
    )


def games_html(report: Report) -> str:
    """The scores of the games in which something rare was found."""
    found: dict[int, list[Finding]] = defaultdict(list)
    for finding in report.weakness.findings:
        if finding.kind not in _COMMON:
            found[finding.index].append(finding)
    if not found:
        return ""
    shown = sorted(found)[:_MOST_GAMES]
    figures = "".join(
        f"<figure><figcaption>{escape(_title(report.replays[i]))}</figcaption>"
        f"{_lines(f'game-{i}', report.replays[i], found[i])}</figure>\n"
        for i in shown
    )
    legend = (
        '<p class="sub">What black <span class="key s0"></span> and white <span class="key s1"></span> think '
        "of their moves; up is good for black. Circles are findings.</p>\n"
    )
    more = f"<p>and {len(found) - len(shown)} more games</p>\n" if len(found) > len(shown) else ""
    return f'{legend}<div class="plots">\n{figures}</div>\n{more}'


def _title(replay: Replay) -> str:
    game = replay.game
    result = "draw" if game.winner is None else f"{winner_name(game.winner)} wins"
    return f"Game {game.number}: {game.black} – {game.white}, {result} by {game.reason}"


def _lines(key: str, replay: Replay, findings: list[Finding]) -> str:
    lines = []
    for color, style in ((Color.BLACK, "s0"), (Color.WHITE, "s1")):
        sign = 1 if color is Color.BLACK else -1
        points = [
            (turn.number, sign * turn.ply.score)
            for turn in replay.turns
            if turn.color is color and turn.ply.score is not None
        ]
        lines.append((style, points))
    marks = [Mark(f.ply, f"move {f.ply} {f.move}: {f.kind}") for f in findings]
    return score_lines(key, _title(replay), len(replay.moves), lines, marks)


def _moves(replay: Replay) -> str:
    return f'<p class="moves">{" ".join(map(str, replay.moves))}</p>'
