"""The report of a review as one page: a file that needs nothing else and asks nobody."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any

from renju import _page
from renju._types import Color
from renju.board import Board
from renju.errors import IllegalMoveError
from renju.reviewing.model import QUALITIES
from renju.reviewing.report_graph import graph_html
from renju.reviewing.report_table import cards_html, headline_html, players, still_html, table_html
from renju.reviewing.report_text import TEXTS

__all__ = ["report_page"]

_VERSION = 1  # of the data that this page knows

# The sign of each quality in a box of 16: told apart by shape, not by colour alone.
_SIGNS = {
    "best": '<circle cx="8" cy="8" r="6.2"/><path class="on" d="M4.9 8.2l2.2 2.3 4-4.6"/>',
    "good": '<circle class="ring" cx="8" cy="8" r="5"/>',
    "inaccuracy": '<rect x="1.5" y="5" width="13" height="6" rx="3"/>',
    "mistake": '<path d="M8 1.2L15 14.2H1z"/>',
    "blunder": '<rect x="1.8" y="1.8" width="12.4" height="12.4"/><path class="on" d="M5 5l6 6m0-6l-6 6"/>',
}
# Arrows and bars of the buttons, in a box of 24.
_BUTTONS = {
    "first": '<path d="M7 5v14M18 5l-8 7 8 7z"/>',
    "previous": '<path d="M16 5l-8 7 8 7z"/>',
    "next": '<path d="M8 5l8 7-8 7z"/>',
    "last": '<path d="M17 5v14M6 5l8 7-8 7z"/>',
}
_SWITCHES = {"candidates": True, "arrows": False, "heat": False, "forbidden": True, "numbers": True}


def report_page(data: Mapping[str, Any], title: str | None = None) -> str:
    """The page for `Review.to_json_data`. `title` is the name of the window, and the headline where the
    players are unknown."""
    if data.get("version") != _VERSION:
        raise ValueError(f"the data of a review has version {_VERSION}, not {data.get('version')!r}")
    name = title or " – ".join(players(data))
    script = _page.asset("board.js") + _asset("report_panel.js") + _asset("report.js")
    style = _page.asset("theme.css") + _page.asset("board.css") + _asset("report.css") + _rank_style()
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    content = [
        _signs(),
        headline_html(data, title),
        f'<noscript><p class="soft">{TEXTS["no_script"]}</p></noscript>\n<div class="layout">\n',
        cards_html(data),
        _board_html(data),
        still_html(data, _still_boards(data)),
        f'<section class="panel live" aria-label="{TEXTS["current"]}"></section>\n',
        graph_html(data),
        table_html(data),
        "</div>\n",
        _footer(data),
    ]
    page = (
        f'<!DOCTYPE html>\n<html lang="{TEXTS["language"]}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(name)}</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n"
        f"<main>\n{''.join(content)}</main>\n"
        f'<script type="application/json" id="data">{_embedded(_script_data(data))}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )
    # Files of unknown code pages may leave halves of characters in texts, which no file can hold.
    return page.encode("utf-8", "replace").decode("utf-8")


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _digest(content: str) -> str:
    """What the browser must find a script or a style to be."""
    return "sha256-" + b64encode(sha256(content.encode()).digest()).decode()


def _embedded(value: object) -> str:
    """JSON that no text in it can break out of: whatever a browser could take for a tag is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _rank_style() -> str:
    """The ranks of candidates look as on the board."""
    return "".join(
        f".rank-{rank} {{ border-color: {color}; border-width: {max(2, width // 3)}px; }}\n"
        for rank, (color, width) in enumerate(_page.RINGS, 1)
    )


def _signs() -> str:
    """The shapes that `icon` and the graph refer to."""
    symbols = "".join(
        f'<symbol id="q-{quality}" viewBox="0 0 16 16">{_SIGNS[quality]}</symbol>' for quality in QUALITIES
    )
    return f'<svg class="hidden" aria-hidden="true">{symbols}</svg>\n'


def _board_html(data: Mapping[str, Any]) -> str:
    """The board with all that moves it; the script fills it."""
    count = len(data["moves"])
    buttons = "".join(
        f'<button type="button" data-do="{name}" aria-label="{TEXTS[name]}" title="{TEXTS[name]}">'
        f'<svg viewBox="0 0 24 24" aria-hidden="true">{shape}</svg></button>'
        for name, shape in _BUTTONS.items()
    )
    switches = "".join(_switch(name, is_on) for name, is_on in _SWITCHES.items())
    return (
        f'<section class="play live" aria-label="{TEXTS["review"]}">\n'
        f'<div class="frame">{_page.board_svg()}</div>\n'
        '<div class="status"><span role="status"></span>'
        f'<button type="button" data-do="back" hidden>{TEXTS["back"]}</button></div>\n'
        f'<input type="range" min="0" max="{count}" value="{count}" aria-label="{TEXTS["position"]}">\n'
        f'<div class="buttons">{buttons}'
        f'<button type="button" class="wide" data-do="next_mistake">{TEXTS["next_mistake"]}</button></div>\n'
        f'<fieldset class="switches"><legend class="hidden">{TEXTS["show"]}</legend>{switches}</fieldset>\n'
        "</section>\n"
    )


def _switch(name: str, is_on: bool) -> str:
    box = f'<input type="checkbox" data-show="{name}"{" checked" if is_on else ""}>'
    return f'<label title="{TEXTS[f"hint_{name}"]}">{box} {TEXTS[f"show_{name}"]}</label>'


def _footer(data: Mapping[str, Any]) -> str:
    facts = {key: escape(str(data[key])) for key in ("engine", "level")}
    grades = {key: int(value) for key, value in data["grades"].items()}
    notes = "".join(f"<p>{escape(str(note))}</p>" for note in data.get("notes", ()))
    keys = f'<p class="live"><b>{TEXTS["keys"]}</b> {TEXTS["keys_text"]}</p>'
    return f"<footer>{notes}{keys}<p>{TEXTS['footer'].format(**facts, **grades)}</p></footer>\n"


def _board(data: Mapping[str, Any], count: int) -> Board:
    """The position after `count` moves. Play beyond a five or a foul that nobody claimed goes on."""
    setup = data["setup"]
    moves = [row["move"] for row in data["moves"][:count]]
    if not (setup["black"] or setup["white"]):
        try:
            return Board(moves)
        except IllegalMoveError:
            return Board(moves, referee=False)
    board = Board.from_stones(setup["black"], setup["white"], turn=Color[setup["turn"].upper()])
    for move in moves:
        board.push(move)
    return board


def _still_boards(data: Mapping[str, Any]) -> dict[int, Board]:
    """The positions on paper: before the turning point, and the last one."""
    point = data["turning_point"]
    counts = [] if point is None else [point["number"] - 1]
    return {count: _board(data, count) for count in [*counts, len(data["moves"])]}


def _script_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """What the script is given: the data, the words, and what the board's rules say of all lines shown."""
    facts: dict[str, dict[str, Any]] = {"fouls": {}, "ends": {}}
    for row in data["moves"]:
        for base, line in _lines(row):
            _add_rules(facts, _board(data, base), base, line)
    last = len(data["moves"])
    _add_rules(facts, _board(data, last), last, [])
    return {**data, "texts": TEXTS, "rules": facts}


def _lines(row: Mapping[str, Any]) -> Iterator[tuple[int, list[str]]]:
    """The lines that can be played on the board, with the number of moves before them."""
    before, after = row["number"] - 1, row["number"]
    yield before, row["pv"]
    yield before, row["played_pv"]
    for candidate in row["candidates"]:
        yield before, candidate["pv"]
    for win in (row["missed"], row["unclear"]):
        if win:
            yield before, win["line"]
    if row["allowed"]:
        yield after, row["allowed"]["line"]


def _add_rules(facts: dict[str, dict[str, Any]], board: Board, base: int, line: list[str]) -> None:
    """Forbidden points and winning rows along a line; key: number of moves before it, and its moves."""
    for i in range(len(line) + 1):
        key = f"{base}:{' '.join(line[:i])}"
        if fouls := board.forbidden_points():
            facts["fouls"][key] = {str(point): kind.label for point, kind in fouls.items()}
        if board.outcome is not None:
            facts["ends"][key] = [str(point) for point in board.outcome.line]
            return
        if i < len(line):
            board.push(line[i])
