"""How the page of `renju board` looks on screens of all sizes: what can be seen, and that nothing jumps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.positions import MISE
from support.web_page import MOST_SHIFT, SCREENS, WATCH, Page, is_in_sight
from support.web_page import board_site as board_site
from support.web_page import chromium as chromium
from support.web_page import open_page as open_page

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.mark.parametrize(("screen", "scheme", "locale"), SCREENS)
def test_board_and_analysis_are_seen_together(
    open_page: Callable[..., Page], screen: dict[str, int], scheme: str, locale: str
) -> None:
    code = "#" + MISE.replace(" ", "")
    page = open_page(WATCH, code=code, viewport=screen, color_scheme=scheme, locale=locale)
    page.wait_stones(len(MISE.split()))
    page.check("#analyse")
    page.locator("#candidates li").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    for selector in (".renju-board", "#bar", "#candidates li:first-child", "#next"):
        assert is_in_sight(page, selector), selector
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert is_in_sight(page, ".renju-board")  # the board stays
    for tab in ("moves", "play", "proofs", "openings", "games"):
        page.open_tab(tab)
        assert page.evaluate("document.documentElement.scrollWidth") <= screen["width"], tab
    page.uncheck("#analyse")
    assert page.evaluate("window.shift") <= MOST_SHIFT
    assert "undefined" not in page.locator("body").inner_text()


def test_large_screens_are_used(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 2560, "height": 1440})
    board = page.locator(".renju-board").bounding_box()
    assert board["height"] > 0.8 * 1440
    # The engine and the panels stand beside each other.
    engine, tabs = (page.locator(name).bounding_box() for name in (".engine", ".tabs"))
    assert engine["y"] == tabs["y"]
    assert engine["x"] + engine["width"] <= tabs["x"]


def test_candidates_are_no_stones(open_page: Callable[..., Page]) -> None:
    page = open_page(code="#h8i9g7")
    page.check("#analyse")
    page.locator(".rb-candidates > g").first.wait_for()
    colors = """name => {
        const circles = [...document.querySelectorAll(`.rb-${name} circle`)];
        return circles.map((circle) => getComputedStyle(circle).fill);
    }"""
    fills, stones = (page.evaluate(colors, name) for name in ("candidates", "stones"))
    assert not set(fills) & set(stones)
