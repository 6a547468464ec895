"""The page of a review: what is in the file."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from renju import _page, svg
from renju.reviewing import report, report_text
from renju.reviewing.report import report_page
from support.report_data import HOSTILE, MOVES, review_data, row


class Outline(HTMLParser):
    """Checks that tags are closed in order, and collects what they carry."""

    VOID = frozenset({"meta", "input", "br", "img", "link", "hr"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, name: str) -> list[str]:
        return [value for _, attrs in self.tags if (value := attrs.get(name)) is not None]


def embedded(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_is_well_formed_and_its_links_lead_somewhere() -> None:
    outline = Outline(report_page(review_data()))
    ids = outline.values("id")
    assert len(ids) == len(set(ids))
    links = outline.values("href")
    assert "#m6" in links
    assert {link.removeprefix("#") for link in links} <= set(ids)


def test_the_page_asks_nobody() -> None:
    page = report_page(review_data())
    assert set(re.findall(r"\w+://[^\"' ]*", page)) == {"http://www.w3.org/2000/svg"}
    outline = Outline(page)
    assert outline.values("src") == []
    assert {tag for tag, _ in outline.tags} & {"link", "img", "iframe", "base", "form", "object"} == set()
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|innerHTML|eval\(", page)


def test_only_what_is_in_the_page_may_run() -> None:
    page = report_page(review_data())
    policy = next(attrs["content"] for _, attrs in Outline(page).tags if attrs.get("http-equiv"))
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        (digest,) = re.findall(r"^'sha256-([^']*)'$", rules[name])
        assert b64decode(digest) == sha256(content.encode()).digest()
    assert page.count("<script") == 2  # the other one is data


def test_text_of_files_stays_text() -> None:
    headers = dict.fromkeys(("black", "white", "event", "date", "place", "round", "rule"), HOSTILE)
    point = {"number": 6, "color": "white", "text": HOSTILE}
    data = review_data(headers=headers, turning_point=point, result=HOSTILE, engine=HOSTILE, notes=[HOSTILE])
    data["moves"][5]["comment"] = HOSTILE
    data["moves"][5]["allowed"]["kind"] = HOSTILE
    page = report_page(data, HOSTILE)
    outline = Outline(page)
    assert "img" not in {tag for tag, _ in outline.tags}
    assert page.count("</script>") == 2
    assert "onerror=" not in "".join(
        re.findall(r"<[^>]*>", re.sub(r"<script.*?</script>", "", page, flags=re.S))
    )
    assert embedded(page)["headers"] == headers
    found = re.search("<title>(.*?)</title>", page)
    assert found is not None
    assert unescape(found[1]) == HOSTILE


def test_half_a_character_is_no_obstacle() -> None:
    page = report_page(review_data(headers={"black": "A\udce9B\0", "white": "C"}))
    assert "A?B" in page
    assert page.encode()


def test_what_can_be_read_without_a_script() -> None:
    page = report_page(review_data())
    text = unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)))
    words = " ".join(text.split())
    for part in (
        "Nakamura – Soosõrv",
        "Friendly match",
        "Black won: five in a row",
        "D4 Kagetsu 花月 (Flower Moon)",
    ):
        assert part in words
    assert "Nakamura 100% accuracy" in words
    assert "Soosõrv 33% accuracy" in words
    assert "Move 6, white A1 allows J8" in words
    assert "Show move 6" in words
    assert "6 A1 blunder win F8 loses in 4 27 → 0 % Allowed win: VCF J8 F8 K8" in words
    assert "4 G9 mistake 500 I7 −100 92 → 29 %" in words
    assert "9 F8 best +10 48 %" in words
    assert "Reviewed by renju 1.2.3 at level hard" in words
    assert len(re.findall(r'<tr id="m\d+"', page)) == len(MOVES)
    # Two still boards: 5 stones before the turning point, and the last position with its five.
    stills = page[page.index('class="still"') :]
    assert stills.count('class="stone ') == 5 + len(MOVES)
    assert stills.count('class="win"') == 1


def test_the_graph_is_in_blacks_view() -> None:
    page = report_page(review_data())
    heights = next(iter(Outline(page).values("data-heights"))).split(",")
    assert heights[0] == "50.0"
    assert heights[8] == ""
    assert float(heights[1]) < 50 < float(heights[2])  # up is black's side
    assert 0 <= float(heights[9]) < 0.1
    marks = re.findall(r'<a class="mark q-(\w+)" href="#m(\d+)"', page)
    assert marks == [("mistake", "4"), ("blunder", "6")]
    assert "<title>4 G9: mistake, wins 92 → 29 %</title>" in page


def test_data_of_another_version_is_refused() -> None:
    with pytest.raises(ValueError, match="version 1, not 2"):
        report_page(review_data(version=2))


def test_games_that_are_short_odd_or_set_up() -> None:
    nobody = {"black": None, "white": None}
    nothing: dict[str, Any] = {
        "accuracy": nobody,
        "turning_point": None,
        "end": None,
        "opening": None,
        "result": "",
    }
    empty = report_page(review_data(moves=[], scores=[None], headers={}, **nothing), "A lesson")
    Outline(empty)
    assert "<h1>A lesson</h1>" in empty
    assert "no graded moves" in empty
    passed = [row(1), row(2), row(3), row(4, move="pass", best="I7"), row(5)]
    page = report_page(review_data(moves=passed, scores=[0] * 6, **nothing))
    Outline(page)
    assert embedded(page)["moves"][3]["move"] == "pass"
    # A double-three by the rules, on a board that was set up.
    setup = {"black": ["F8", "G8", "H9", "H10"], "white": [], "turn": "white"}
    page = report_page(
        review_data(moves=[row(1, move="A1", color="white")], scores=[0, 0], setup=setup, **nothing)
    )
    assert embedded(page)["rules"]["fouls"]["1:"] == {"H8": "double-three"}
    # Play that went on after a five.
    beyond = [row(n) for n in range(1, 10)] + [row(10, move="O15"), row(11, move="O14")]
    Outline(report_page(review_data(moves=beyond, scores=[0] * 12, **nothing)))


def test_the_words_are_all_used_and_all_there() -> None:
    folder = Path(report.__file__).parent
    scripts = "".join((folder / name).read_text("utf-8") for name in ("report.js", "report_panel.js"))
    sources = scripts + "".join(
        (folder / f"report{name}.py").read_text("utf-8") for name in ("", "_table", "_graph")
    )
    sources += _page.asset("board.js")
    sources += Path(report_text.__file__).read_text("utf-8").split("def kind_text")[1]
    names = set(re.findall(r"texts\.(\w+)", scripts)) | set(
        re.findall(r'TEXTS\[f?["\']([\w-]+)["\']\]', sources)
    )
    assert names <= set(report_text.TEXTS)
    families = ("quality_", "result_", "end_", "kind_", "term_", "show_", "hint_", "double-", "overline")
    for name in report_text.TEXTS:
        assert name.startswith(families) or re.search(rf"\b{name}\b", sources), name


def test_the_empty_board_carries_all_shapes() -> None:
    picture = _page.board_svg()
    Outline(picture)
    shapes = re.findall(r'data-shape="([\w-]+)"', picture)
    assert len(shapes) == len(set(shapes))
    assert {f"forbidden-{kind.label}" for kind in svg.MARKS} <= set(shapes)
    assert {f"{part}-{kind}" for kind in svg.ARROWS for part in ("shaft", "head")} <= set(shapes)
    assert " id=" not in picture
    with pytest.raises(FileNotFoundError):
        _page.asset("other.js")
