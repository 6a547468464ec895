"""The page of a review: what is in the file."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from typing import Any

import pytest

from renju import Board, Color, Game, Limit, _page, review, svg
from renju._page.modules import joined
from renju.web.report import report_page
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
    found = re.search(r'<script type="application/json" id="settings">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    report: dict[str, Any] = json.loads(found[1])["report"]
    return report


def test_the_page_is_well_formed_and_its_links_lead_somewhere() -> None:
    outline = Outline(report_page(review_data()))
    ids = outline.values("id")
    assert len(ids) == len(set(ids))
    links = outline.values("href")
    assert "#m6" in links
    assert {link.removeprefix("#") for link in links} <= set(ids)
    labels = [*outline.values("aria-controls"), *outline.values("aria-labelledby")]
    assert set(labels) <= set(ids)


def test_the_page_asks_nobody() -> None:
    page = report_page(review_data())
    # The other one is no address that is asked: it is how the page tells a link to its own reader of texts.
    addresses = set(re.findall(r"\w+://[^\"' ]*", page))
    assert addresses == {"http://www.w3.org/2000/svg", "https://${location.host}/#${code}`,"}
    outline = Outline(page)
    assert outline.values("src") == []
    assert {tag for tag, _ in outline.tags} & {"link", "img", "iframe", "base", "form", "object"} == set()
    assert not re.search(r"@import|url\(|fetch\(|XMLHttpRequest|innerHTML|eval\(|import\(|/api/", page)


def test_only_what_is_in_the_page_may_run() -> None:
    page = report_page(review_data())
    policy = next(attrs["content"] for _, attrs in Outline(page).tags if attrs.get("http-equiv"))
    assert policy is not None
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert set(rules) == {"default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"}
    assert rules["img-src"] == "blob:"  # pictures of the board that the page itself makes
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        contents = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digests = [f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in contents]
        assert rules[name].split() == digests
    assert page.count("<script") == 3  # the other one is data


def test_text_of_files_stays_text() -> None:
    headers = dict.fromkeys(("black", "white", "event", "date", "place", "round", "rule"), HOSTILE)
    point = {"number": 6, "color": "white", "text": HOSTILE}
    data = review_data(headers=headers, turning_point=point, result=HOSTILE, engine=HOSTILE, notes=[HOSTILE])
    data["moves"][5]["comment"] = HOSTILE
    data["moves"][5]["allowed"]["kind"] = HOSTILE
    page = report_page(data, HOSTILE)
    outline = Outline(page)
    assert "img" not in {tag for tag, _ in outline.tags}
    assert page.count("</script>") == 3
    assert "onerror=" not in "".join(
        re.findall(r"<[^>]*>", re.sub(r"<script.*?</script>", "", page, flags=re.S))
    )
    assert embedded(page)["game"]["headers"] == headers
    found = re.search("<title>(.*?)</title>", page)
    assert found is not None
    assert unescape(found[1]) == HOSTILE


def test_half_a_character_is_no_obstacle() -> None:
    page = report_page(review_data(headers={"black": "A\udce9B\0", "white": "C"}))
    assert "A?B" in page
    assert page.encode()


def words_of(page: str) -> str:
    """What a reader without scripts sees."""
    text = re.sub(r"<(script|style|symbol).*?</\1>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def test_what_can_be_read_without_a_script() -> None:
    page = report_page(review_data())
    words = words_of(page)
    for part in (
        "Nakamura – Soosõrv",
        "Friendly match",
        "Black won: five in a row",
        "Kagetsu – Flower Moon (D4)",
        "Nakamura 100% accuracy",
        "Soosõrv 33% accuracy",
        "Move 6, White A1: blunder. Allows a forced win (VCF). F8 was better.",
        "Show move 6",
        "6 A1 blunder win F8 loses in 4 27 → 0 % Allowed win: VCF J8 F8 K8",
        "4 G9 mistake 500 I7 −100 92 → 29 %",
        "9 F8 best +10 48 %",
        "Reviewed by renju 1.2.3 at level Hard",
    ):
        assert part in words, part
    assert len(re.findall(r'<tr id="m\d+"', page)) == len(MOVES)
    # Two still boards: 5 stones before the turning point, and the last position with its five; and the graph.
    stills = page[page.index('class="still"') :]
    assert stills.count('class="stone ') == 5 + len(MOVES)
    assert stills.count('class="win"') == 1
    assert stills.count('class="score-line"') >= 1


def test_a_report_in_japanese() -> None:
    page = report_page(review_data(), language="ja")
    assert '<html lang="ja">' in page
    words = words_of(page)
    for part in (
        "黒の勝ち：五連",
        "花月（D4）",
        "100% 正確さ",
        "6手目、白A1：大悪手。 相手に必勝手順（四追い）を許しました。 F8が勝りました。",
        "6 A1 大悪手 勝ち F8 4手で負け 27 → 0 % 許した勝ち：四追い J8 F8 K8",
        "最終局面",
        "黒の勝ち 白の勝ち",  # the edges of the graph
        "（強さ：上級）による検討",
    ):
        assert part in words, part
    words = words_of(re.sub("<svg.*?</svg>", "", page, flags=re.DOTALL))
    assert not re.search(r"(?i)\b(black|white|move|best|blunder|accuracy)\b", words)
    with pytest.raises(ValueError, match="one of en, ja, not 'de'"):
        report_page(review_data(), language="de")  # type: ignore[arg-type]


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
    told = embedded(page)
    assert told["forbidden"] == {"0:": {"H8": "double-three"}, "1:": {"H8": "double-three"}}
    board = Board.from_stones("f8 g8 h9 h10", "a1", turn=Color.BLACK)
    assert told["explanations"]["1: H8"]["texts"] == {"en": str(board.explain_forbidden("h8"))}
    # Play that went on after a five.
    beyond = [row(n) for n in range(1, 10)] + [row(10, move="O15"), row(11, move="O14")]
    Outline(report_page(review_data(moves=beyond, scores=[0] * 12, **nothing)))


def test_the_rules_of_all_lines_are_in_the_file() -> None:
    told = embedded(report_page(review_data()))
    # The win that move 6 allows begins like the game; its last stone makes a five.
    five = {"winner": "black", "reason": "five", "line": ["G8", "H8", "I8", "J8", "K8"]}
    assert told["outcomes"]["7:F8 K8"] == five
    assert set(told["outcomes"]) == {"7:F8 K8", "9:"}


def test_variations_and_proofs_are_in_the_file() -> None:
    game = Game.from_moves("h8 a1 h9 c1 h10 e1 h11 h12 h7")
    game.root.children[0].add("i9", "another way").add("g7")
    found = review(game, limit=Limit(nodes=2000))
    told = embedded(found.to_html())
    assert [node.get("move") for node in told["game"]["tree"]].count("I9") == 1
    allowed = told["moves"][5]["allowed"]
    assert allowed["lines"][0]["moves"] == allowed["line"]
    assert found.to_html(language="ja").count("another way") == 1
    # A variation that cannot be played is kept, and told as such.
    game.root.children[0].add("h8")
    told = embedded(review(game, limit=Limit(nodes=2000)).to_html())
    assert list(told["problems"]) == ["1:H8"]


def test_modules_are_joined_or_refused() -> None:
    modules = {"a.js": 'import { x as y } from "./b.js";\nimport * as c from "./c.js";\ny(c.z);\n'}
    modules |= {"b.js": "export function x() {}\n", "c.js": "export const z = 1;\n"}
    script = joined(modules, "a.js")
    assert 'const { x: y } = modules["b.js"];' in script
    assert (
        script.index('modules["b.js"] =')
        < script.index('modules["c.js"] =')
        < script.index('modules["a.js"] =')
    )
    for text, what in (
        ('import x from "./b.js";', "neither a plain import"),
        ("export default 3;", "neither a plain import"),
        ('const x = import("./b.js");', "neither a plain import"),
        ('import { x } from "./d.js";', "a.js imports d.js, which is missing"),
        ('import { x } from "./a.js";', "import each other: a.js → a.js"),
    ):
        with pytest.raises(ValueError, match=what):
            joined(modules | {"a.js": text + "\n"}, "a.js")


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
