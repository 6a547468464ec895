"""The parts of a report that are there without a script: headline, cards, table, still positions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import SimpleNamespace
from typing import Any

from renju import svg
from renju._page.words import Words
from renju.board import Board
from renju.reviewing.model import QUALITIES

__all__ = ["COLUMNS", "cards_html", "headline_html", "players", "still_html", "table_html"]

_SIDES = ("black", "white")
COLUMNS = ("number", "move", "quality", "loss", "best", "score", "rate")


def players(data: Mapping[str, Any], words: Words) -> tuple[str, str]:
    """The names, or the colours where none are known."""
    black, white = (str(data["headers"].get(side) or _side(side, words)) for side in _SIDES)
    return black, white


def headline_html(data: Mapping[str, Any], title: str | None, words: Words) -> str:
    """Who played whom, where and when, and how it ended."""
    headers = data["headers"]
    black, white = (
        f'<span class="player">{_stone(side, words)}{escape(name)}</span>'
        for side, name in zip(_SIDES, players(data, words), strict=True)
    )
    is_known = any(headers.get(side) for side in _SIDES)
    heading = f'{black} <span class="versus">–</span> {white}'
    if title and not is_known:
        heading = escape(title)
    round_text = words("round", round=headers["round"]) if headers.get("round") else ""
    places = [headers.get("event"), round_text, *(headers.get(name) for name in ("place", "date", "rule"))]
    facts = [escape(str(place)) for place in places if place]
    if ending := _ending(data, words):
        facts.append(f"<strong>{escape(ending)}</strong>")
    if data["opening"]:
        facts.append(f'<span class="name">{escape(words("opening", **data["opening"]))}</span>')
    lines = "".join(f"<li>{fact}</li>" for fact in facts)
    return f'<div class="headline"><h1>{heading}</h1><ul class="facts">{lines}</ul></div>\n'


def _ending(data: Mapping[str, Any], words: Words) -> str:
    result = words.word(f"result-{data['result']}", data["result"])
    end = data["end"]
    if end is None:
        return str(result)
    if not result:
        winner = {"black": "1-0", "white": "0-1", None: "1/2-1/2"}[end["winner"]]
        result = words(f"result-{winner}")
    return words("ending", result=result, why=words.word(f"reason-{end['reason']}", end["reason"]))


def _side(side: str, words: Words) -> str:
    return words("sideBlack" if side == "black" else "sideWhite")


def _stone(side: str, words: Words) -> str:
    return f'<i class="disc {side}" role="img" aria-label="{_side(side, words)}"></i> '


def _icon(quality: str) -> str:
    """The sign of a quality: shape and colour; the shapes are those of the page."""
    return f'<svg class="icon q-{quality}" aria-hidden="true"><use href="#q-{quality}"/></svg>'


def cards_html(data: Mapping[str, Any], words: Words) -> str:
    """Accuracy of both sides, and the turning point with a link to it."""
    cards = [
        _accuracy_card(data, side, name, words)
        for side, name in zip(_SIDES, players(data, words), strict=True)
    ]
    point = data["turning_point"]
    if point is None:
        content = f"<p>{words('noTurning')}</p>"
    else:
        number = int(point["number"])
        text = escape(_turning_text(data["moves"][number - 1], words))
        link = f'<a href="#m{number}" data-go="{number}">{words("showMove", number=number)}</a>'
        content = f"<p>{text}</p>{link}"
    cards.append(f'<section class="card turning"><h2>{words("turningHead")}</h2>{content}</section>')
    return f'<div class="cards">{"".join(cards)}</div>\n'


def _turning_text(row: Mapping[str, Any], words: Words) -> str:
    """What was wrong with the move that decided the game."""
    move, quality = _point(row["move"], words), words(f"quality-{row['quality']}")
    color = _side(row["color"], words)
    texts = [words("turningMove", number=row["number"], color=color, move=move, quality=quality)]
    if row["foul"]:
        texts.append(words("foul", kind=words.word(row["foul"], row["foul"])))
    wins = [name for name in ("missed", "allowed") if row[name]]
    texts += [words(name, kind=_kind(row[name]["kind"], words)) for name in wins]
    if not (row["loss"] or row["foul"] or row["missed"] or row["allowed"]):
        texts.append(words("turningNone", color=color))
    elif row["best"] != row["move"]:
        texts.append(words("turningBest", best=_point(row["best"], words)))
    return " ".join(texts)


def _kind(kind: str, words: Words) -> str:
    """The name of a forced win; a kind without a text of its own is shown as it is."""
    return words.word(f"kind-{kind}", kind)


def _accuracy_card(data: Mapping[str, Any], side: str, name: str, words: Words) -> str:
    accuracy, counts = data["accuracy"][side], data["counts"][side]
    if accuracy is None:
        value = f'<p class="soft">{words("noAccuracy")}</p>'
    else:
        value = f'<p class="big">{accuracy:.0%} <small>{words("accuracyWord")}</small></p>'
    names = {quality: words(f"quality-{quality}") for quality in QUALITIES}
    tallies = "".join(
        f'<li title="{name}">{_icon(quality)}<span class="away">{name} </span>'
        f"{int(counts.get(quality, 0))}</li>"
        for quality, name in names.items()
    )
    return (
        f'<section class="card"><h2>{_stone(side, words)}{escape(name)}</h2>{value}'
        f'<ul class="tally">{tallies}</ul></section>'
    )


def table_html(data: Mapping[str, Any], words: Words) -> str:
    """One row for every move; a forced win missed or allowed has a row of its own below it."""
    hints = {"rate": f' title="{words("rateHint")}"'}
    heads = "".join(
        f'<th scope="col" class="{name}"{hints.get(name, "")}>{words(f"head-{name}")}</th>'
        for name in COLUMNS
    )
    rows = "".join(_row(row, words) + _notes(row, words) for row in data["moves"])
    return (
        f'<section class="card rows"><h2>{words("moves")}</h2><p class="soft">{words("scoreView")}</p>\n'
        f'<div class="columns"><table><thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>'
        "</table></div></section>\n"
    )


def _row(row: Mapping[str, Any], words: Words) -> str:
    number, quality = int(row["number"]), row["quality"]
    name = words(f"quality-{quality}" if row["graded"] else "openingMove")
    sign = _icon(quality) if row["graded"] else '<span class="icon"></span>'
    move = f"{_stone(row['color'], words)}{escape(_point(row['move'], words))}"
    cells = (
        f'<a href="#m{number}" data-go="{number}">{move}</a>',
        f"{sign}{name}",
        _loss(row, words),
        "" if row["best"] == row["move"] else escape(_point(row["best"], words)),
        _score(row["played_score"], row["played_win_in"], words),
        _rate(row),
    )
    content = "".join(
        f'<td class="{name}">{cell}</td>' for name, cell in zip(COLUMNS[1:], cells, strict=True)
    )
    style = quality if row["graded"] else "opening"
    return (
        f'<tr id="m{number}" class="{style}" data-go="{number}">'
        f'<th scope="row" class="number">{number}</th>{content}</tr>\n'
    )


def _score(score: int, win_in: int | None, words: Words) -> str:
    """A score in the view of the side that moves: a sure end in words."""
    if win_in is not None:
        return words("wins" if win_in > 0 else "loses", count=abs(win_in))
    sign = "+" if score > 0 else "−" if score < 0 else ""
    return f"{sign}{abs(score)}"


def _rate(row: Mapping[str, Any]) -> str:
    """How likely the side that moved wins: with the best move, and after the move played if that differs."""
    before, after = (round(100 * row[name][0]) for name in ("win_rate", "played_win_rate"))
    return f"{after} %" if before == after else f"{before} → {after} %"


def _loss(row: Mapping[str, Any], words: Words) -> str:
    """A loss from or to a sure win is no number that says anything: the score does."""
    if not row["loss"]:
        return ""
    if row["win_in"] is None and row["played_win_in"] is None:
        return str(int(row["loss"]))
    return words("sure")


def _notes(row: Mapping[str, Any], words: Words) -> str:
    notes = []
    if row["foul"]:
        kind = escape(words.word(row["foul"], row["foul"]))
        notes.append(_note(row, f"<span>{words('foul', kind=kind)}</span>"))
    for name in ("missed", "allowed"):
        if found := row[name]:
            line = " ".join(escape(_point(move, words)) for move in found["line"])
            label = f"<b>{escape(words(f'line-{name}', kind=_kind(found['kind'], words)))}</b> {line}"
            place = f'data-play="{name}" data-go="{int(row["number"])}"'
            notes.append(_note(row, f'<button type="button" {place}>{label}</button>'))
    return "".join(notes)


def _note(row: Mapping[str, Any], content: str) -> str:
    place = f'class="told-below" data-go="{int(row["number"])}"'
    return f'<tr {place}><td></td><td colspan="6">{content}</td></tr>\n'


def _point(point: str, words: Words) -> str:
    return words("passed") if point == "pass" else point


def still_html(data: Mapping[str, Any], boards: Mapping[int, Board], words: Words) -> str:
    """Positions and the score graph for paper and for readers without scripts; key: moves played."""
    rows = data["moves"]
    figures = []
    for count, board in boards.items():
        caption, labels = words("finalPosition"), {}
        if count < len(rows):
            row = rows[count]
            points = [row["move"], *([] if row["best"] == row["move"] else [row["best"]])]
            labels = {point: letter for point, letter in zip(points, "AB", strict=False) if point != "pass"}
            played, *best = (_point(point, words) for point in points)
            caption = words("turningPosition", number=row["number"], move=played)
            caption += "".join(words("turningLabel", best=point) for point in best)
        picture = svg.board(board, size=360, labels=labels)
        figures.append(f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>")
    graph = svg.scores(_graph(data), width=900, sides=(words("winsBlack"), words("winsWhite")))
    figures.append(
        f'<figure class="scores">{graph}<figcaption>{words("scoresPicture")}</figcaption></figure>'
    )
    return f'<div class="still">{"".join(figures)}</div>\n'


def _graph(data: Mapping[str, Any]) -> Any:
    """What `svg.scores` draws of a review."""
    point = data["turning_point"]
    return SimpleNamespace(
        scores=data["scores"],
        moves=[SimpleNamespace(**row) for row in data["moves"]],
        turning_point=None if point is None else SimpleNamespace(**point),
    )
