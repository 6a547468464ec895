"""The page of `renju board` in a tab of Chromium, as a person uses it. A test module takes the fixtures with
``from support.web_page import open_page as open_page, page as page, board_site as board_site``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from renju import Board, Point
from support.browser import chromium as chromium
from support.waiting import PATIENCE_S, wait_until
from support.web_site import Site, running_site

__all__ = [
    "MOST_SHIFT",
    "SCREENS",
    "WATCH",
    "Page",
    "board_site",
    "by_hand",
    "chromium",
    "is_in_sight",
    "open_page",
    "page",
]


# Adds up how far things moved that nobody touched, as browsers measure it.
WATCH = """
    window.shift = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""
MOST_SHIFT = 0.05
SCREENS = [
    ({"width": 360, "height": 740}, "light", "ja-JP"),
    ({"width": 390, "height": 844}, "dark", "en-GB"),
    ({"width": 820, "height": 1180}, "light", "en-GB"),
    ({"width": 1440, "height": 900}, "dark", "ja-JP"),
    ({"width": 2560, "height": 1440}, "light", "en-GB"),
]


def is_in_sight(page: Any, selector: str) -> bool:
    box = page.locator(selector).bounding_box()
    height = page.viewport_size["height"]
    return bool(box and box["y"] >= 0 and box["y"] + min(box["height"], 40) <= height)


@pytest.fixture(scope="module")
def board_site(chromium: Any) -> Iterator[Site]:
    with running_site(level="beginner") as running:
        yield running


class Page:
    """A tab with the page, as a person uses it."""

    def __init__(self, site: Site | None, tab: Any) -> None:
        self.site, self.tab = site, tab

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tab, name)

    def place_of(self, point: str) -> tuple[float, float]:
        """Where a point of the board is on the screen."""
        self.tab.locator(".renju-board").scroll_into_view_if_needed()
        at = Point(point)
        x, y = self.tab.evaluate(
            """([column, row]) => {
                const svg = document.querySelector(".renju-board");
                const { left, bottom, cell } = svg.dataset;
                const at = new DOMPoint(Number(left) + column * cell, Number(bottom) - row * cell);
                const screen = at.matrixTransform(svg.getScreenCTM());
                return [screen.x, screen.y];
            }""",
            [at.x, at.y],
        )
        return x, y

    def click_point(self, point: str) -> None:
        self.tab.mouse.click(*self.place_of(point))

    def play(self, *points: str) -> None:
        """Clicks, and waits for each stone and for what follows from it."""
        self.settle()
        for point in points:
            count = self.count + 1
            self.click_point(point)
            self.tab.wait_for_function(
                "n => parseInt(document.getElementById('place').textContent) >= n", arg=count
            )
            self.settle()

    def settle(self) -> None:
        """Waits for the facts of the position: until they come from the server, the page shows a guess."""
        self.tab.wait_for_selector("#status-text[aria-busy=false]")

    @property
    def moves(self) -> list[str]:
        """The moves on the board, as the address has them."""
        return re.findall(r"[A-O]\d+|PASS", self.tab.evaluate("location.hash").upper())

    @property
    def count(self) -> int:
        """Moves on the board, of all that the list has."""
        return int(re.match(r"\d+", self.tab.locator("#place").inner_text())[0])

    @property
    def stones(self) -> int:
        return self.tab.locator(".rb-stones > g").count()

    @property
    def ghosts(self) -> int:
        return self.tab.locator(".rb-ghost > g").count()

    @property
    def status(self) -> str:
        self.settle()
        return self.tab.locator("#status-text").inner_text()

    def open_tab(self, name: str) -> None:
        """Shows one of the panels: moves, play, proofs, openings, games."""
        self.tab.click(f"#tab-{name}")

    def read(self, text: str) -> None:
        """Pastes moves."""
        self.open_tab("games")
        self.tab.fill("#text", text)
        self.tab.click("#read")
        self.wait_stones(len(Board(text, referee=False)))

    @property
    def main_line(self) -> list[str]:
        """The moves in the two columns."""
        texts = self.tab.locator("#moves > .move:not(.start):not(.step)").all_inner_texts()
        return [text.split()[1] for text in texts]

    def wait_stones(self, count: int) -> None:
        self.tab.wait_for_function("n => document.querySelectorAll('.rb-stones > g').length === n", arg=count)

    def wait_text(self, selector: str, text: str | re.Pattern[str]) -> None:
        self.tab.locator(selector).filter(has_text=text).wait_for()

    def wait_count(self, count: int) -> None:
        self.tab.wait_for_function(
            "n => document.getElementById('place').textContent.startsWith(`${n} /`)", arg=count
        )


@pytest.fixture
def open_page(board_site: Site, chromium: Any) -> Iterator[Callable[..., Page]]:
    """Opens the page; afterwards nothing may have gone wrong, or have been asked of anybody else."""
    contexts, problems, hosts = [], [], set()

    def opened(script: str = "", code: str = "", ready: str = "#moves .move", **options: Any) -> Page:
        options = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", **options}
        context = chromium.new_context(**options)
        context.set_default_timeout(1000 * PATIENCE_S)
        contexts.append(context)
        if script:
            context.add_init_script(script)
        tab = context.new_page()
        tab.on("console", lambda message: problems.append(message.text))
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
        tab.goto(board_site.address + code)
        tab.wait_for_selector(ready)
        return Page(board_site, tab)

    yield opened
    for context in contexts:
        context.close()
    # Chromium itself notes every answer that is an error; the page tells it in its own words.
    assert [text for text in problems if "status of 400" not in text] == []
    assert hosts <= {f"127.0.0.1:{board_site.port}", ""}  # no host: what the page itself made, to save it
    wait_until(lambda: board_site.searches.count == 0)


@pytest.fixture
def page(open_page: Callable[..., Page]) -> Page:
    return open_page()


def by_hand(page: Page) -> Page:
    """Both sides are played by the person."""
    page.open_tab("play")
    page.select_option("#side", "both")
    page.open_tab("moves")
    return page
