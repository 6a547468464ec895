"""The report of a review: the page of `renju board` in one file that needs no server and asks nobody.

The file is the page's own HTML, styles and modules; `settings.report` tells them what the review has found,
and offline.js answers from there what else the server would. Headline, cards, table and two still boards
stand in it as HTML, too: for paper, and for readers that run no scripts.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any

from renju import _page
from renju._facts import rounded_rate
from renju._native import win_rate
from renju._page.modules import joined
from renju._page.words import Language, Words, page_texts
from renju.game import Game
from renju.web.app import SHARED, page_settings
from renju.web.report_rules import board_after, rules_of
from renju.web.report_table import cards_html, headline_html, players, still_html, table_html
from renju.web.told import told_row, with_proofs
from renju.web.trees import tree_facts

__all__ = ["MOST_LINES", "report_page"]

_VERSION = 1  # of the data that this page knows
# Runs before anything is painted: what is for readers without scripts is never seen by others.
_FIRST = 'document.documentElement.className = "scripted";'
MOST_LINES = 30
"""Lines of a proof that the report of a review holds."""
_MOST_NODES = 3_000  # of a game's tree in a report; of a larger one the main line is shown


def report_page(
    data: Mapping[str, Any],
    title: str | None = None,
    language: Language = "en",
    proofs: Sequence[Mapping[str, Mapping[str, Any]]] = (),
    game: Game | None = None,
) -> str:
    """The page for `Review.to_json_data`. `title` is the name of the window, and the headline where the
    players are unknown; `proofs` has for every move what `proofs_of` tells, `game` the variations."""
    if data.get("version") != _VERSION:
        raise ValueError(f"the data of a review has version {_VERSION}, not {data.get('version')!r}")
    words = Words(language)
    files = {
        item.name: item.read_text("utf-8")
        for item in resources.files("renju").joinpath("web", "static").iterdir()
    } | {name: _page.asset(name) for name in SHARED}
    modules = {name: text for name, text in files.items() if name.endswith(".js")}
    script = files["board.js"] + joined(modules | {"api.js": files["offline.js"]}, "main.js")
    styles = [*re.findall(r'href="/static/([\w.-]+\.css)"', files["index.html"]), "report.css"]
    style = "".join(files[name] for name in styles)
    policy = (
        f"default-src 'none'; script-src '{_digest(_FIRST)}' '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; img-src blob:; base-uri 'none'; form-action 'none'"
    )
    known = [*proofs, *({} for _ in range(len(data["moves"]) - len(proofs)))]
    rows = [with_proofs(row, trees) for row, trees in zip(data["moves"], known, strict=True)]
    told = {**data, "moves": rows}
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<script>{_FIRST}</script>\n'
        f"<style>{style}</style>\n"
        f'<script type="application/json" id="settings">{_embedded(_settings(told, words, game))}</script>\n'
    )
    return _filled(
        files["index.html"],
        {
            '<html lang="en">': f'<html lang="{language}">',
            "<title>.*?</title>": f"<title>{escape(title or ' – '.join(players(data, words)))}</title>",
            '<body class="loading">': '<body class="loading report">',
            "<!--files-->.*<!--/files-->": head,
            "<!--title-->.*<!--/title-->": headline_html(data, title, words),
            "<nav .*?</nav>\n": "",
            "{{board}}": _page.board_svg(),
            "(?<=</main>\n)": _paper(data, words),
            "<noscript>.*</noscript>\n": "",
            "</body>": f"<script>{script}</script>\n</body>",
        },
    )


def _filled(page: str, parts: Mapping[str, str]) -> str:
    """The page with its parts in the place of what their patterns find, each once. One pass: what is put in
    is not looked at again."""
    found: list[str] = []

    def part(match: re.Match[str]) -> str:
        name = [*parts][(match.lastindex or 1) - 1]
        found.append(name)
        return parts[name]

    filled = re.sub("|".join(f"({pattern})" for pattern in parts), part, page, flags=re.DOTALL)
    assert sorted(found) == sorted(parts), "the page has changed: a part of the report has no place"
    # Files of unknown code pages may leave halves of characters in texts, which no file can hold.
    return filled.encode("utf-8", "replace").decode("utf-8")


def _digest(content: str) -> str:
    """What the browser must find a script or a style to be."""
    return "sha256-" + b64encode(sha256(content.encode()).digest()).decode()


def _embedded(value: object) -> str:
    """JSON that no text in it can break out of: whatever a browser could take for a tag is escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _settings(data: Mapping[str, Any], words: Words, game: Game | None) -> dict[str, Any]:
    """What the page has to know; nothing in it depends on this machine."""
    language, setup = words.language, data["setup"]
    moves = [row["move"] for row in data["moves"]]
    is_same = game is not None and [str(move) for move in game.moves] == moves
    tree = tree_facts(game, _MOST_NODES) if game is not None and is_same else None
    is_set_up = setup["black"] or setup["white"] or setup["turn"] != "black"
    shown = {"moves": moves, "tree": tree, "setup": setup if is_set_up else None}
    told = {name: data[name] for name in ("accuracy", "turning_point", "opening")}
    rows = [{**told_row(row), **_looked_at(row)} for row in data["moves"]]
    rules = rules_of(data, tree, language)
    texts = {key: {language: text[language]} for key, text in page_texts().items()}
    return page_settings(None, None) | {
        "texts": texts,
        "language": language,
        "start": "",
        "threads": 1,
        "report": {
            **told,
            **rules,
            "moves": rows,
            "game": {**shown, "headers": data["headers"], "result": data["result"]},
        },
    }


def _looked_at(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the page shows as the analysis of the position before the move."""
    candidates = [
        {**candidate, "win_rate": rounded_rate(win_rate(candidate["score"]))}
        for candidate in sorted(row["candidates"], key=lambda candidate: -candidate["score"])
    ]
    return {"candidates": candidates, "depth": row["depth"], "nodes": row["nodes"]}


def _paper(data: Mapping[str, Any], words: Words) -> str:
    """Cards, still boards, table and notes, below the page."""
    counts = [point["number"] - 1] if (point := data["turning_point"]) else []
    stills = {count: board_after(data, count) for count in [*counts, len(data["moves"])]}
    facts = {key: escape(str(data[key])) for key in ("engine", "level")}
    facts["level"] = words.word(f"level-{facts['level']}", facts["level"])
    grades = {key: int(value) for key, value in data["grades"].items()}
    notes = "".join(f"<p>{escape(str(note))}</p>" for note in data.get("notes", ()))
    return (
        f'<div class="paper">\n<noscript><p class="soft">{words("noScript")}</p></noscript>\n'
        f"{cards_html(data, words)}{still_html(data, stills, words)}{table_html(data, words)}"
        f"<footer>{notes}<p>{words('reviewedBy', **facts, **grades)}</p></footer>\n</div>\n"
    )
