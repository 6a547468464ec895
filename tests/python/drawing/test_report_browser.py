"""The page of a review in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from renju import Game, Limit, review
from renju.web.report import report_page
from renju.web.told import proofs_of
from support.browser import chromium as chromium
from support.report_data import HOSTILE, MOVES, review_data, row
from support.waiting import PATIENCE_S
from support.web_page import MOST_SHIFT, SCREENS, WATCH, Page, is_in_sight

pytestmark = [pytest.mark.slow, pytest.mark.browser]


class Opened(Page):
    """A report in the browser, with short words for what the tests ask."""

    def __init__(self, tab: Any) -> None:
        super().__init__(None, tab)
        self.troubles: list[str] = []
        self.requests: list[str] = []
        tab.on("console", lambda message: self.troubles.append(message.text))
        tab.on("pageerror", lambda error: self.troubles.append(str(error)))
        tab.on("request", lambda request: self.requests.append(request.url))

    def number_of(self, selector: str) -> int:
        return int(self.tab.locator(selector).count())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)

    @property
    def line(self) -> list[str]:
        """The points of the line on the board."""
        return list(self.tab.eval_on_selector_all(".rb-ghost > g", "all => all.map((g) => g.dataset.point)"))

    @property
    def text(self) -> str:
        return str(self.tab.locator("#judgement-text").inner_text()).strip()


Show = Callable[..., Opened]


@pytest.fixture
def show(chromium: Any, tmp_path: Path) -> Iterator[Show]:
    """Opens the page for some data, or a page; afterwards nothing may have gone wrong in it."""
    contexts: list[Any] = []
    opened: list[Opened] = []

    def show(
        data: dict[str, Any] | str | None = None,
        place: str = "",
        language: str = "en",
        script: str = "",
        **options: Any,
    ) -> Opened:
        path = tmp_path / f"report{len(opened)}.html"
        page = data if isinstance(data, str) else report_page(data or review_data(), language=language)  # type: ignore[arg-type]
        path.write_text(page, "utf-8")
        contexts.append(chromium.new_context(**{"viewport": {"width": 1200, "height": 900}, **options}))
        contexts[-1].set_default_timeout(1000 * PATIENCE_S)
        if script:
            contexts[-1].add_init_script(script)
        opened.append(Opened(contexts[-1].new_page()))
        opened[-1].tab.goto(path.as_uri() + place)
        if options.get("java_script_enabled", True):
            opened[-1].tab.locator("body:not(.loading)").wait_for()
            opened[-1].settle()
        return opened[-1]

    yield show
    for page in opened:
        assert page.troubles == []
        asked = [url for url in page.requests if not url.startswith("blob:")]  # a picture that the page made
        assert len(set(asked)) == 1
        assert asked[0].startswith("file:")
    for context in contexts:
        context.close()


def test_it_opens_where_the_game_was_lost(show: Show) -> None:
    start = perf_counter()
    page = show()
    print(f"opened in {perf_counter() - start:.2f} s")
    assert page.text == "A1 (loses in 4): blunder. Allows a forced win (VCF)."
    assert page.stones == 6
    assert page.status == "Black to move"
    assert page.number_of(".rows tr[aria-current]") == 1
    assert page.tab.locator(".rows tr[aria-current]").get_attribute("id") == "m6"
    assert "Kagetsu – Flower Moon (D4)" in page.tab.locator(".headline").inner_text()


def test_keys_slider_and_buttons_move_through_the_game(show: Show) -> None:
    page = show(place="#m2")
    page.wait_stones(2)
    page.press("ArrowRight")
    page.wait_stones(3)
    page.press("End", "ArrowLeft")
    page.wait_stones(8)
    assert page.number_of(".rb-win > g") == 0
    page.press("End")
    page.wait_stones(9)
    page.tab.locator(".rb-win > g").wait_for(state="attached")
    assert page.status == "Black has won: five in a row"
    page.press("ArrowRight", "Home", "ArrowLeft")
    page.wait_stones(0)
    page.tab.locator("#slider").fill("5")
    page.wait_stones(5)
    assert page.tab.locator("#place").inner_text() == "5 / 9"
    for name, stones in (("first", 0), ("next", 1), ("last", 9), ("previous", 8)):
        page.click(f"#{name}")
        page.wait_stones(stones)
    assert page.tab.locator("#slider").input_value() == "8"


def test_mistakes_are_found_from_all_sides(show: Show) -> None:
    page = show(place="#m1")
    page.wait_stones(1)
    page.press("n")
    page.wait_stones(4)
    page.click("#mistake")
    page.wait_stones(6)
    page.press("p")
    page.wait_stones(4)
    page.click("#m8 .loss")
    page.wait_stones(8)
    page.click(".turning a")
    page.wait_stones(6)
    page.click("#moves .move:has-text('G9')")
    page.wait_stones(4)
    assert page.tab.locator("#graph .sign title").all_text_contents() == ["4 G9: mistake", "6 A1: blunder"]
    box = page.tab.locator("#graph").bounding_box()
    page.tab.mouse.click(box["x"] + box["width"] * 2 / 9, box["y"] + 5)
    page.wait_stones(2)
    page.tab.mouse.down()
    page.tab.mouse.move(box["x"] + box["width"] - 2, box["y"] + 5)
    page.tab.mouse.up()
    page.wait_stones(9)


def test_lines_are_played_on_the_board(show: Show) -> None:
    page = show()
    page.click("[data-line=best]")
    page.wait_stones(5)
    assert (page.line, page.status) == (["F8"], "Better: F8: 1 of 3")
    page.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert page.line == ["F8", "J8", "K8"]
    page.click("#first")
    assert page.line == []
    page.press("Escape")
    assert (page.stones, page.line) == (5, [])
    # The win that was allowed starts after the move; its last stone makes a five.
    page.click("[data-play=allowed]")
    page.wait_stones(6)
    assert page.line == ["J8"]
    page.click("#last")
    page.tab.locator(".rb-win > g").wait_for(state="attached")
    assert page.line == ["J8", "F8", "K8"]
    assert page.tab.locator(".rb-numbers text").all_text_contents() == ["1", "2", "3"]
    page.click("#leave")
    assert (page.stones, page.line) == (6, [])


def test_points_of_the_board_can_be_chosen(show: Show) -> None:
    page = show()
    page.click_point("G8")  # the stone of move 3
    page.wait_stones(3)
    page.press("n", "n")
    page.wait_stones(6)
    page.press("ArrowLeft")
    page.wait_stones(5)
    page.click_point("J8")  # a candidate
    assert page.line == ["J8"]
    page.press("Escape")
    page.click_point("O15")  # of which the review knows nothing
    live = page.tab.locator(".rb-live")
    assert live.inner_text() == "The report has nothing about this point."
    assert (page.stones, page.line) == (5, [])
    page.click_point("J8")
    page.press("Escape")
    page.tab.locator(".renju-board").focus()
    page.press("ArrowLeft")
    assert live.inner_text() == "I8: black 5"
    page.press("ArrowUp", "ArrowUp")
    assert live.inner_text() == "I10: empty"
    page.press("ArrowDown", "ArrowDown", "Enter")
    page.wait_stones(5)


def test_candidates_and_settings(show: Show) -> None:
    page = show(place="#m5")
    assert page.tab.locator("#candidates strong").all_text_contents() == ["F8", "J8"]
    assert page.number_of(".rb-candidates > g") == 2
    page.click("#candidates li:first-child button")
    assert page.line == ["F8"]
    page.press("Escape")
    page.uncheck("#analyse")
    assert page.number_of(".rb-candidates > g") == 0
    page.click("#options")
    page.uncheck("#numbers")
    assert page.number_of(".rb-numbers > g") == 0
    page.check("#points")
    page.check("#analyse")
    assert page.tab.locator("#candidates .score").all_text_contents() == ["−120", "−150"]


def test_a_proof_is_walked_through(show: Show) -> None:
    found = review("h8i9j10g11f7g9j8j9k9g10g12", limit=Limit(nodes=20_000))
    win = found.moves[6].allowed
    assert win is not None
    page = show(found.to_html(), place="#m7")
    page.click("[data-line=allowed]")
    page.wait_text("#verdict", re.compile("White wins by .* Checked: every defence loses."))
    tree = page.tab.locator("#proof-tree button")
    assert tree.count() == len(proofs_of(found.moves[6], 100)["allowed"]["lines"])
    assert page.line == [str(win.line[0])]
    # Another defence than the longest one.
    page.tab.locator("#proof-tree button").filter(has_text=re.compile(r"^Against \d+")).first.click()
    *before, reply = page.line
    assert before == list(map(str, win.line[: len(before)]))
    assert reply != str(win.line[len(before)])
    # The point of a defence, chosen on the board, is answered by the proof.
    page.click("#first")
    page.click("#next")
    page.click_point(str(win.line[1]))
    assert page.line == list(map(str, win.line[:2]))


def test_variations_of_the_record_are_there(show: Show) -> None:
    game = Game.from_moves("h8 a1 h9 c1 h10 e1 h11 h12 h7")
    game.root.children[0].add("i9", "another <b>way</b>").add("g7")
    page = show(review(game, limit=Limit(nodes=2000)).to_html(), place="#m1")
    page.wait_stones(1)
    page.click("#moves .branch .move:has-text('G7')")
    page.wait_stones(3)
    assert page.moves == ["H8", "I9", "G7"]
    assert "another <b>way</b>" in page.tab.locator("#moves").inner_text()
    assert not page.tab.locator("#judgement").is_visible()


def test_forbidden_points_are_shown_and_explained(show: Show) -> None:
    setup = {"black": ["F8", "G8", "H9", "H10"], "white": [], "turn": "white"}
    moves = [row(1, move="A1", color="white", graded=True, quality="blunder")]
    page = show(review_data(moves=moves, scores=[0, 0], setup=setup, turning_point=None, end=None))
    assert page.stones == 5
    marks = page.tab.locator(".rb-forbidden title")
    assert marks.all_text_contents() == ["H8: forbidden for black (double-three)"]
    page.click(".chip")
    page.wait_text("#why-text", "H8 is forbidden: a double-three")
    page.click("#why-close")
    page.click("#options")
    page.uncheck("#forbidden")
    assert marks.count() == 0


def test_hostile_text_does_nothing(show: Show) -> None:
    data = review_data(headers=dict.fromkeys(("black", "white", "event"), HOSTILE))
    data["moves"][5]["allowed"]["kind"] = HOSTILE
    page = show(data)
    page.press("End", "Home", "n", "n")
    page.wait_stones(6)
    page.click("[data-line=allowed]")
    assert page.evaluate("window.hurt") is None
    assert page.number_of("img") == 0
    assert HOSTILE in page.text
    assert HOSTILE in page.tab.locator("h1").inner_text()


def test_whatever_can_be_pressed_works_without_a_server(show: Show, tmp_path: Path) -> None:
    page = show()
    names = page.eval_on_selector_all("button[id]", "all => all.map((e) => e.id)")
    assert len(names) > 20
    pressed = 0
    for name in names:
        button = page.tab.locator(f"#{name}")
        if button.is_visible() and button.is_enabled():
            button.click()
            page.settle()
            pressed += 1
        assert page.tab.locator("#error").text_content() == "", name
    assert pressed > 10
    with page.expect_download() as download:
        page.click("#picture-svg")
    assert "<svg" in Path(download.value.path()).read_text("utf-8")


def test_a_reload_shows_the_same_and_keeps_nothing(show: Show) -> None:
    page = show()
    page.press("Home", "ArrowRight")
    page.wait_stones(1)
    page.reload()
    page.wait_stones(1)  # the address tells the position
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


@pytest.mark.parametrize(("screen", "scheme", "locale"), SCREENS)
def test_it_fits_any_screen(show: Show, screen: dict[str, int], scheme: str, locale: str) -> None:
    page = show(
        language=locale[:2],
        script=WATCH,
        viewport=screen,
        color_scheme=scheme,
        locale=locale,
        has_touch=screen["width"] < 900,
    )
    for tab in ("games", "proofs", "moves"):
        page.open_tab(tab)
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    for selector in (".renju-board", "#bar", "#judgement-text", "#next"):
        assert is_in_sight(page, selector), selector
    assert page.evaluate(
        "document.querySelector('.columns').scrollWidth <= document.querySelector('.columns').clientWidth"
    )
    page.press("End", "Home", "n", "n")
    page.wait_stones(6)
    page.click("[data-line=best]")
    assert page.evaluate("window.shift") <= MOST_SHIFT
    print(f"{screen['width']} px: first paint {page.evaluate(PAINT):.0f} ms")
    assert "undefined" not in page.locator("body").inner_text()
    if screen["width"] < 900:
        sizes = page.eval_on_selector_all(
            "button, input[type=range], .check, .rows .move a, .turning a",
            "all => all.filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().height)",
        )
        assert len(sizes) > 20
        assert min(sizes) >= 40


PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"

_NAME_AND_OUTLINE = """() => {
  const e = document.activeElement;
  const name = e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels[0].textContent);
  return [name, getComputedStyle(e).outlineStyle, e.matches("input[role=switch]")];
}"""


def test_every_control_is_reached_by_tab_and_has_a_name(show: Show) -> None:
    page = show()
    expected = page.eval_on_selector_all(
        "a, button:enabled, input, .renju-board", "all => all.filter((e) => e.checkVisibility()).length"
    )
    names = []
    for _ in range(expected):
        page.press("Tab")
        names.append(page.evaluate(_NAME_AND_OUTLINE))
    # The outline of a switch is on the picture beside it.
    assert all(name and (outline != "none" or is_switch) for name, outline, is_switch in names), names
    assert page.evaluate("document.activeElement.closest('#m9') !== null")


def test_on_paper_there_is_the_table_and_no_button(show: Show) -> None:
    page = show(color_scheme="dark")
    page.emulate_media(media="print")
    shown = "all => all.filter((e) => e.checkVisibility()).length"
    assert page.eval_on_selector_all(".rows tr[id]", shown) == len(MOVES)
    assert page.eval_on_selector_all(".still figure svg", shown) == 3
    controls = "header button, .table button, input, .renju-board, .engine, #judgement, [role=tab]"
    assert page.eval_on_selector_all(controls, shown) == 0
    colors = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    assert page.eval_on_selector("body", colors) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    places = [page.locator(name).bounding_box()["y"] for name in (".cards", ".still", ".rows", "footer")]
    assert places == sorted(places)


def test_without_scripts_there_is_still_a_report(show: Show) -> None:
    page = show(java_script_enabled=False)
    assert page.locator("#m9").is_visible()
    assert page.locator(".still svg").nth(2).is_visible()
    assert page.locator("noscript").inner_text().startswith("Without JavaScript")
    assert not page.locator("#slider").is_visible()
