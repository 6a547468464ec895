"""The parts of the report's page that need no script: headline, cards, table, still positions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from renju import svg
from renju.board import Board
from renju.reviewing.model import QUALITIES
from renju.reviewing.report_graph import icon
from renju.reviewing.report_text import TEXTS, kind_text, rate_text, score_text

__all__ = ["cards_html", "headline_html", "players", "still_html", "table_html"]

_SIDES = ("black", "white")


def players(data: Mapping[str, Any]) -> tuple[str, str]:
    """The names, or the colours where none are known."""
    black, white = (str(data["headers"].get(side) or TEXTS[side]) for side in _SIDES)
    return black, white


def headline_html(data: Mapping[str, Any], title: str | None) -> str:
    """Who played whom, where and when, and how it ended."""
    headers = data["headers"]
    black, white = (
        f'<span class="player">{_stone(side)}{escape(name)}</span>'
        for side, name in zip(_SIDES, players(data), strict=True)
    )
    is_known = any(headers.get(side) for side in _SIDES)
    heading = f'{black} <span class="versus">–</span> {white}'
    if title and not is_known:
        heading = escape(title)
    round_text = TEXTS["round"].format(round=headers["round"]) if headers.get("round") else ""
    places = [
        headers.get("event"),
        round_text,
        headers.get("place"),
        headers.get("date"),
        headers.get("rule"),
    ]
    facts = [escape(str(place)) for place in places if place]
    if ending := _ending(data):
        facts.append(f"<strong>{escape(ending)}</strong>")
    opening = data["opening"]
    if opening:
        kanji = f'<span lang="ja">{escape(opening["kanji"])}</span>'
        name = f"{escape(opening['code'])} {escape(opening['romaji'])} {kanji} ({escape(opening['english'])})"
        facts.append(f'<span class="opening">{name}</span>')
    lines = "".join(f"<li>{fact}</li>" for fact in facts)
    return f'<header><h1>{heading}</h1><ul class="facts">{lines}</ul></header>\n'


def _ending(data: Mapping[str, Any]) -> str:
    result = TEXTS.get(f"result_{data['result']}", data["result"])
    end = data["end"]
    if end is None:
        return str(result)
    reason = TEXTS.get(f"end_{end['reason']}", end["reason"])
    if not result:
        result = TEXTS["result_1/2-1/2"] if end["winner"] is None else _win_text(end["winner"])
    return f"{result}: {reason}"


def _win_text(side: str) -> str:
    return TEXTS["result_1-0" if side == "black" else "result_0-1"]


def _stone(side: str) -> str:
    return f'<span class="stone-{side}" role="img" aria-label="{TEXTS[side]}"></span>'


def cards_html(data: Mapping[str, Any]) -> str:
    """Accuracy of both sides, and the turning point with a link to it."""
    cards = [_accuracy_card(data, side, name) for side, name in zip(_SIDES, players(data), strict=True)]
    point = data["turning_point"]
    if point is None:
        content = f"<p>{TEXTS['no_turning_point']}</p>"
    else:
        number = int(point["number"])
        link = TEXTS["show_move"].format(number=number)
        text = str(point["text"])
        content = (
            f'<p>{escape(text[:1].upper() + text[1:])}</p><a href="#m{number}" data-go="{number}">{link}</a>'
        )
    cards.append(f'<section class="card turning"><h2>{TEXTS["turning_point"]}</h2>{content}</section>')
    return f'<div class="cards">{"".join(cards)}</div>\n'


def _accuracy_card(data: Mapping[str, Any], side: str, name: str) -> str:
    accuracy = data["accuracy"][side]
    counts = data["counts"][side]
    if accuracy is None:
        value = f'<p class="soft">{TEXTS["no_accuracy"]}</p>'
    else:
        value = f'<p class="big">{accuracy:.0%} <small>{TEXTS["accuracy"]}</small></p>'
    tallies = "".join(
        f'<li title="{TEXTS[f"quality_{quality}"]}">{icon(quality)}<span class="hidden">'
        f"{TEXTS[f'quality_{quality}']} </span>{int(counts.get(quality, 0))}</li>"
        for quality in QUALITIES
    )
    return (
        f'<section class="card"><h2>{_stone(side)}{escape(name)}</h2>{value}'
        f'<ul class="tally">{tallies}</ul></section>'
    )


def table_html(data: Mapping[str, Any]) -> str:
    """One row for every move; a forced win missed or allowed has a row of its own below it."""
    names = ("number", "move", "quality", "loss", "best", "score", "win_rate")
    hints = {"win_rate": f' title="{TEXTS["win_rate_hint"]}"'}
    heads = "".join(
        f'<th scope="col" class="{name}"{hints.get(name, "")}>{TEXTS[name]}</th>' for name in names
    )
    rows = "".join(_row(row) + _notes(row) for row in data["moves"])
    return (
        f'<section class="moves"><h2>{TEXTS["moves"]}</h2><p class="soft">{TEXTS["point_of_view"]}</p>\n'
        f'<div class="columns"><table id="moves"><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>'
        "</table></div></section>\n"
    )


def _row(row: Mapping[str, Any]) -> str:
    number, quality = int(row["number"]), row["quality"]
    word = TEXTS[f"quality_{quality}"] if row["graded"] else TEXTS["opening_move"]
    sign = icon(quality) if row["graded"] else '<span class="icon"></span>'
    score = score_text(row["played_score"], row["played_win_in"])
    move = f"{_stone(row['color'])}{escape(_point(row['move']))}"
    cells = (
        ("move", f'<a href="#m{number}" data-go="{number}">{move}</a>'),
        ("quality", f"{sign}{word}"),
        ("loss", _loss(row)),
        ("best", "" if row["best"] == row["move"] else escape(_point(row["best"]))),
        ("score", score),
        ("win_rate", rate_text(row)),
    )
    content = "".join(f'<td class="{name}">{cell}</td>' for name, cell in cells)
    style = quality if row["graded"] else "opening"
    return (
        f'<tr id="m{number}" class="{style}" data-go="{number}">'
        f'<th scope="row" class="number">{number}</th>{content}</tr>\n'
    )


def _loss(row: Mapping[str, Any]) -> str:
    """A loss from or to a sure win is no number that says anything: the score does."""
    if not row["loss"]:
        return ""
    if row["win_in"] is None and row["played_win_in"] is None:
        return str(int(row["loss"]))
    return TEXTS["sure"]


def _notes(row: Mapping[str, Any]) -> str:
    notes = []
    if row.get("foul"):
        kind = TEXTS.get(row["foul"], row["foul"])
        notes.append(_note(row, f"<span><b>{TEXTS['foul']}</b> {escape(kind)}</span>"))
    for name in ("missed", "allowed"):
        found = row[name]
        if found is None:
            continue
        line = " ".join(escape(_point(move)) for move in found["line"])
        label = f"<b>{TEXTS[name]}: {escape(kind_text(found['kind']))}</b> {line}"
        place = f'data-play="{name}" data-number="{int(row["number"])}"'
        notes.append(_note(row, f'<button type="button" {place}>{label}</button>'))
    return "".join(notes)


def _note(row: Mapping[str, Any], content: str) -> str:
    return f'<tr class="note" data-go="{int(row["number"])}"><td></td><td colspan="6">{content}</td></tr>\n'


def _point(point: str) -> str:
    return TEXTS["pass"] if point == "pass" else point


def still_html(data: Mapping[str, Any], boards: Mapping[int, Board]) -> str:
    """Positions for paper and for browsers without scripts; key: moves played."""
    rows = data["moves"]
    figures = []
    for count, board in boards.items():
        caption, labels = TEXTS["final_position"], {}
        if count < len(rows):
            row = rows[count]
            points = [row["move"], *([] if row["best"] == row["move"] else [row["best"]])]
            labels = {point: letter for point, letter in zip(points, "AB", strict=False) if point != "pass"}
            played, *best = map(_point, points)
            caption = TEXTS["turning_position"].format(number=row["number"], move=played)
            caption += "".join(TEXTS["turning_best"].format(best=point) for point in best)
        picture = svg.board(board, size=360, labels=labels)
        figures.append(f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>")
    return f'<div class="still">{"".join(figures)}</div>\n'
