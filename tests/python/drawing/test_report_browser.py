"""The page of a review in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from renju import svg
from renju.reviewing.report import report_page
from support.browser import chromium as chromium
from support.report_data import HOSTILE, MOVES, review_data, row
from support.waiting import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.browser]


class Opened:
    """A page in the browser, with short words for what the tests ask."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.troubles: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.troubles.append(message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def count(self, selector: str) -> int:
        return int(self.page.locator(selector).count())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    @property
    def stones(self) -> int:
        return self.count(".rb-stones > g")

    @property
    def ghosts(self) -> list[str]:
        points = self.page.eval_on_selector_all(".rb-ghost > g", "all => all.map((g) => g.dataset.point)")
        return list(points)

    @property
    def status(self) -> str:
        return str(self.page.locator("[role=status]").inner_text())

    def tap(self, point: str) -> None:
        """A click on a point of the board, from its column and row."""
        box = self.page.locator(".renju-board").bounding_box()
        frame = svg.Frame(coordinates=True)
        scale = box["width"] / frame.extent
        x = frame.left + svg.CELL * (ord(point[0]) - ord("A"))
        y = frame.last - svg.CELL * (int(point[1:]) - 1)
        self.page.mouse.click(box["x"] + x * scale, box["y"] + y * scale)


@pytest.fixture
def show(chromium: Any, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Opens the page for some data; afterwards nothing may have gone wrong in it."""
    contexts: list[Any] = []
    opened: list[Opened] = []

    def show(data: dict[str, Any] | None = None, place: str = "", **options: Any) -> Opened:
        path = tmp_path / f"report{len(opened)}.html"
        path.write_text(report_page(data or review_data()), "utf-8")
        contexts.append(chromium.new_context(**{"viewport": {"width": 1200, "height": 900}, **options}))
        contexts[-1].set_default_timeout(1000 * PATIENCE_S)
        page = Opened(contexts[-1].new_page())
        page.page.goto(path.as_uri() + place)
        opened.append(page)
        return page

    yield show
    for page in opened:
        assert page.troubles == []
        assert len(page.requests) == 1
        assert page.requests[0].startswith("file:")
    for context in contexts:
        context.close()


def test_it_opens_where_the_game_was_lost(show: Callable[..., Opened]) -> None:
    start = perf_counter()
    page = show()
    print(f"opened in {perf_counter() - start:.2f} s")
    assert page.status == "Move 6: White A1, blunder"
    assert page.stones == 6
    assert page.page.locator(".panel h2").inner_text().split() == ["6", "A1", "blunder"]
    assert page.count("tr[aria-current]") == 1
    assert page.page.locator("tr[aria-current]").get_attribute("id") == "m6"


def test_keys_and_slider_move_through_the_game(show: Callable[..., Opened]) -> None:
    page = show(place="#m2")
    assert page.stones == 2
    page.press("ArrowRight")
    assert page.stones == 3
    page.press("End", "ArrowLeft")
    assert page.stones == 8
    assert page.count(".rb-win > g") == 0
    page.press("End")
    assert (page.stones, page.count(".rb-win > g")) == (9, 1)
    page.press("ArrowRight", "Home", "ArrowLeft")
    assert (page.stones, page.status) == (0, "Before the first move")
    page.press("ArrowDown")  # is for scrolling
    assert page.stones == 0
    page.page.locator("input[type=range]").fill("5")
    assert page.stones == 5
    assert page.page.locator("input[type=range]").get_attribute("aria-valuetext") == "Move 5: Black I8, best"
    for name, stones in (("first", 0), ("next", 1), ("last", 9), ("previous", 8)):
        page.page.locator(f"[data-do={name}]").click()
        assert page.stones == stones


def test_mistakes_are_found_from_all_sides(show: Callable[..., Opened]) -> None:
    page = show(place="#m1")
    page.press("n")
    assert page.stones == 4
    page.page.locator("[data-do=next_mistake]").click()
    assert page.stones == 6
    page.press("n")  # there is no other one
    assert page.stones == 6
    page.press("p")
    assert page.stones == 4
    page.page.locator(".mark").nth(1).click()
    assert page.stones == 6
    page.page.locator("#m8 .loss").click()
    assert page.stones == 8
    page.page.locator(".turning a").click()
    assert page.stones == 6
    box = page.page.locator(".scores").bounding_box()
    page.page.mouse.click(box["x"] + box["width"] * 2 / 9, box["y"] + 5)
    assert page.stones == 2


def test_lines_are_played_on_the_board(show: Callable[..., Opened]) -> None:
    page = show()
    page.press("b")
    assert (page.stones, page.ghosts, page.status) == (5, ["F8"], "Best line: 1 of 3")
    page.press("ArrowRight", "ArrowRight", "ArrowRight")
    assert page.ghosts == ["F8", "J8", "K8"]
    page.press("Home")
    assert page.ghosts == []
    page.press("Escape")
    assert (page.stones, page.ghosts) == (6, [])
    # The win that was allowed starts after the move; its last stone makes a five.
    page.page.locator("[data-play=allowed]").click()
    assert (page.stones, page.ghosts) == (6, ["J8"])
    page.press("End")
    assert (page.ghosts, page.count(".rb-win > g")) == (["J8", "F8", "K8"], 1)
    numbers = page.page.locator(".rb-numbers text").all_text_contents()
    assert numbers == ["1", "2", "3"]
    page.page.locator("[data-do=back]").click()
    assert (page.stones, page.ghosts) == (6, [])
    page.page.locator("[data-line=candidate-1]").click()
    page.page.locator("[data-line=candidate-1]").click()
    assert page.ghosts == ["J8", "F8"]


def test_points_of_the_board_can_be_chosen(show: Callable[..., Opened]) -> None:
    page = show()
    page.tap("G8")  # the stone of move 3
    assert page.stones == 3
    page.press("n", "n")
    page.tap("J8")  # a candidate
    assert page.ghosts == ["J8"]
    page.press("Escape")
    board = page.page.locator(".renju-board")
    board.focus()
    page.press("ArrowLeft")  # from J8, where the click was
    live = page.page.locator(".rb-live")
    assert live.inner_text() == "I8: Black 5"
    page.press("ArrowUp", "ArrowUp")
    assert live.inner_text() == "I10: empty"
    page.press("ArrowDown", "ArrowDown", "Enter")
    assert page.stones == 5


def test_switches(show: Callable[..., Opened]) -> None:
    page = show()
    assert page.count(".rb-candidates > g") == 2
    assert page.count(".rb-heat > g") == page.count(".rb-heads > g") == 0
    page.page.locator("[data-show=heat]").check()
    page.page.locator("[data-show=arrows]").check()
    assert (page.count(".rb-heat > g"), page.count(".rb-heads > g")) == (2, 2)
    assert page.count(".rb-numbers > g") == 6
    page.page.locator("[data-show=numbers]").uncheck()
    page.page.locator("[data-show=candidates]").uncheck()
    assert page.count(".rb-numbers > g") == page.count(".rb-candidates > g") == 0


def test_forbidden_points_are_shown(show: Callable[..., Opened]) -> None:
    setup = {"black": ["F8", "G8", "H9", "H10"], "white": [], "turn": "white"}
    moves = [row(1, move="A1", color="white", graded=True, quality="blunder")]
    page = show(review_data(moves=moves, scores=[0, 0], setup=setup, turning_point=None, end=None))
    assert page.stones == 5
    assert page.page.locator(".rb-forbidden title").all_text_contents() == [
        "H8: forbidden for Black (double-three)"
    ]
    page.page.locator("[data-show=forbidden]").uncheck()
    assert page.count(".rb-forbidden > g") == 0


def test_hostile_text_does_nothing(show: Callable[..., Opened]) -> None:
    data = review_data(headers=dict.fromkeys(("black", "white", "event"), HOSTILE))
    data["moves"][3]["comment"] = HOSTILE
    page = show(data)
    page.press("End", "Home", "n")
    assert page.page.evaluate("window.hurt") is None
    assert page.count("img") == 0
    assert page.page.locator(".comment").inner_text() == HOSTILE
    assert HOSTILE in page.page.locator("h1").inner_text()


@pytest.mark.parametrize("width", [320, 360, 412, 768, 940])
def test_it_fits_any_width(show: Callable[..., Opened], width: int) -> None:
    page = show(viewport={"width": width, "height": 740}, has_touch=True)
    for script in ("document.documentElement", "document.querySelector('.columns')"):
        assert page.page.evaluate(f"{script}.scrollWidth <= {script}.clientWidth")
    sizes = page.page.eval_on_selector_all(
        "button, input[type=range], .switches label, summary, #moves a, .turning a",
        "all => all.filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().height)",
    )
    assert len(sizes) > 20
    assert min(sizes) >= 40


_NAME_AND_OUTLINE = """() => {
  const e = document.activeElement;
  const name = e.getAttribute("aria-label") || e.textContent.trim() || (e.labels && e.labels[0].textContent);
  return [name, getComputedStyle(e).outlineStyle];
}"""


def test_every_control_is_reached_by_tab_and_has_a_name(show: Callable[..., Opened]) -> None:
    page = show()
    expected = page.page.eval_on_selector_all(
        "main a, main button, main input, main summary, .renju-board",
        "all => all.filter((e) => e.checkVisibility()).length",
    )
    names = []
    for _ in range(expected):
        page.press("Tab")
        names.append(page.page.evaluate(_NAME_AND_OUTLINE))
    assert all(name and outline != "none" for name, outline in names), names
    assert page.page.evaluate("document.activeElement.closest('#m9') !== null")


def test_on_paper_there_is_the_table_and_no_button(show: Callable[..., Opened]) -> None:
    page = show(color_scheme="dark")
    page.page.emulate_media(media="print")
    shown = "all => all.filter((e) => e.checkVisibility()).length"
    assert page.page.eval_on_selector_all("#moves tr[id]", shown) == len(MOVES)
    assert page.page.eval_on_selector_all(".still svg", shown) == 2
    assert page.page.eval_on_selector_all(".scores", shown) == 1
    assert page.page.eval_on_selector_all("[data-do], input, .renju-board, .panel", shown) == 0
    colors = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
    assert page.page.eval_on_selector("body", colors) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]


def test_without_scripts_there_is_still_a_report(show: Callable[..., Opened]) -> None:
    page = show(java_script_enabled=False)
    assert page.page.locator("#m9").is_visible()
    assert page.page.locator(".still svg").nth(1).is_visible()
    assert page.page.locator("noscript").inner_text().startswith("Without JavaScript")
    assert not page.page.locator(".play").is_visible()
