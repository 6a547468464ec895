"""The table of Twin Cool of `renju board` in a real browser: dealt games, real cards, advice."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from renju.ismcts import GameState, Move
from support.waiting import wait_until
from support.web_page import MOST_SHIFT, SCREENS, WATCH, Page, is_in_sight
from support.web_page import board_site as board_site
from support.web_page import chromium as chromium
from support.web_page import open_page as open_page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

HAND = "A1 A2 B7 C7 H10"
READY = "body.cool:not(.loading)"


class Table:
    """A tab with the table, as a person uses it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.settle()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def settle(self) -> None:
        self.page.wait_for_selector("#status-text[aria-busy=false]")

    def wait_moves(self, count: int) -> None:
        """Waits until so many moves are played and the table is quiet."""
        self.page.wait_for_function("n => document.querySelectorAll('#history li').length === n", arg=count)
        self.settle()

    def card(self, card: str) -> Any:
        return self.page.locator(f"#hand [data-card={card}]")

    @property
    def hand(self) -> list[str]:
        faces = self.page.locator("#hand .face")
        return [faces.nth(i).get_attribute("data-card") for i in range(faces.count())]

    @property
    def kept(self) -> dict[str, Any]:
        return json.loads(self.page.evaluate('localStorage.getItem("renju.twincool")'))

    def begin_own(self, hand: str, pile: str = "", points: str = "") -> None:
        if not self.page.locator("#own-hand").is_visible():
            self.page.click("#own summary")
        self.page.fill("#own-hand", hand)
        self.page.fill("#own-pile-1", pile)
        self.page.fill("#own-points", points)
        self.page.click("#own-begin")


@pytest.fixture
def open_table(open_page: Callable[..., Page]) -> Callable[..., Table]:
    def opened(code: str = "", **options: Any) -> Table:
        return Table(open_page(WATCH, f"twincool{code}", READY, **options))

    return opened


# Games


def test_a_dealt_game_to_its_end(open_table: Callable[..., Table]) -> None:
    table = open_table("#7")
    game = GameState.deal(7)
    plays = []
    assert "Game 7" in table.locator("#status-text").inner_text()
    while moves := game.moves():
        assert table.hand == [str(card) for card in game.hand]
        move: Move = moves[0]
        fitting = {m.card for m in moves}
        for card in game.hand:
            assert table.card(str(card)).is_disabled() == (card not in fitting)
        game.play(move)
        plays.append(f"{move.card} {move.pile + 1}")
        choices = [m for m in moves if m.card == move.card]
        table.card(str(move.card)).click()
        if len(choices) > 1:
            table.locator(f"button.pile[data-pile='{move.pile + 1}']").click()
        table.wait_moves(len(plays))
    end = f"Cards played: {len(plays)}, points of hands: {game.points}, score: {game.score}."
    table.wait_text("#result", end)
    assert table.kept["plays"] == plays
    # The same game again, by its seed.
    table.fill("#seed", "7")
    table.click("#deal")
    table.wait_moves(0)
    assert table.hand == [str(card) for card in GameState.deal(7).hand]


def test_undo_and_redo_and_a_reload(open_table: Callable[..., Table]) -> None:
    table = open_table("#7")
    hands = [table.hand]
    for count in (1, 2, 3):
        table.locator("#hand .face:enabled").first.click()
        if table.locator("button.pile").count():
            table.locator("button.pile").first.click()
        table.wait_moves(count)
        hands.append(table.hand)
    table.click("#undo")
    table.wait_moves(2)
    table.keyboard.press("u")
    table.wait_moves(1)
    assert table.hand == hands[1]
    table.reload()
    table.wait_for_selector(READY)
    table.wait_moves(1)
    assert table.hand == hands[1]
    table.click("#redo")
    table.wait_moves(2)
    table.keyboard.press("Control+Shift+Z")
    table.wait_moves(3)
    assert table.hand == hands[3]
    assert table.locator("#redo").is_disabled()


def test_a_seed_of_ones_own_and_the_address(open_table: Callable[..., Table]) -> None:
    table = open_table()
    assert table.evaluate("location.hash") == f"#{table.kept['start']['seed']}"
    table.fill("#seed", "twelve")
    table.click("#deal")
    table.wait_text("#error", "A seed is a whole number.")
    table.fill("#seed", "12")
    table.locator("#seed").press("Enter")
    table.wait_text("#status-text", "Game 12 ")
    assert table.evaluate("location.hash") == "#12"
    table.evaluate("location.hash = '#13'")
    table.wait_text("#status-text", "Game 13 ")


def test_a_card_that_fits_twice_asks_for_the_pile(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.begin_own(HAND, "A9")
    table.wait_text("#status-text", "Real cards")
    table.card("A1").click()
    assert table.card("A1").get_attribute("aria-pressed") == "true"
    assert table.locator("button.pile").count() == 2
    table.keyboard.press("Escape")
    assert table.locator("button.pile").count() == 0
    table.keyboard.press("1")
    table.locator("button.pile[data-pile='2']").click()
    table.wait_text("#ask-text", "A1 on pile 2. Which card was drawn?")


def test_cards_of_a_real_table(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.begin_own(HAND)
    table.wait_text("#status-text", "Real cards · score 0")
    table.card("C7").click()
    table.wait_text("#ask-text", "C7 on pile 1. Which card was drawn?")
    assert table.locator("#unseen [data-card=A1]").is_disabled()  # it is in the hand
    table.fill("#drawn", "Z3")
    table.click("#drawn-read")
    table.wait_text("#error", "Z3 is no card")
    table.fill("#drawn", "a1")
    table.click("#drawn-read")
    table.wait_text("#error", "A1")  # drawn already
    table.fill("#drawn", "d7")
    table.locator("#drawn").press("Enter")
    table.wait_moves(1)
    assert table.hand == ["A1", "A2", "B7", "D7", "H10"]
    assert not table.locator("#error").is_visible()
    table.card("D7").click()
    table.locator("button.pile[data-pile='1']").click()
    table.wait_text("#ask-text", "Which card was drawn?")
    table.locator("#unseen [data-card=D9]").click()
    table.wait_moves(2)
    # Taking back asks for the card again, then takes the move itself.
    table.click("#undo")
    table.wait_text("#ask-text", "D7 on pile 1")
    table.click("#undo")
    table.wait_moves(1)
    assert table.hand == ["A1", "A2", "B7", "D7", "H10"]
    assert not table.locator("#ask").is_visible()


def test_a_table_is_told_by_clicks_and_mistakes_are_named(open_table: Callable[..., Table]) -> None:
    table = open_table("#7")
    table.click("#own summary")
    for card in HAND.split():
        table.click(f"#own-cards [data-card={card}]")
    table.locator("#own-pile-1").focus()
    table.click("#own-cards [data-card=A9]")
    table.fill("#own-points", "55")
    table.click("#own-begin")
    table.wait_text("#status-text", "Real cards · score 65")  # one card lies there
    for hand, pile, points, error in (
        ("A1 A2", "", "", "five cards"),
        (f"{HAND} X1", "", "", "X1 is no card"),
        (HAND, "A1", "", "A1 is there twice"),
        (HAND, "A9 B1", "", "B1 cannot lie on A9"),
        (HAND, "", "many", "whole number"),
    ):
        table.begin_own(hand, pile, points)
        table.wait_text("#error", error)
        table.click("#error")
    assert "score 65" in table.locator("#status-text").inner_text()  # what was there is still there


# Advice


def test_advice_has_a_bar_for_every_move(open_table: Callable[..., Table]) -> None:
    table = open_table("#1")
    table.check("#advise")
    table.wait_text("#iterations", "20,000 iterations")
    table.wait_for_selector("#halt:disabled")
    rows = table.locator("#advised button")
    moves = {f"{move.card} {move.pile + 1}" for move in GameState.deal(1).moves()}
    assert {rows.nth(i).get_attribute("data-move") for i in range(rows.count())} == moves
    widths = table.evaluate(
        "[...document.querySelectorAll('.bar-of i')].map((bar) => parseFloat(bar.style.width))"
    )
    assert widths[0] == max(widths) == 100
    assert rows.last.locator(".rest").inner_text() == "glance"  # never tried: no score is told
    assert widths[-1] == 0
    best = rows.first.get_attribute("data-move")
    rows.first.click()
    table.wait_moves(1)
    assert table.kept["plays"] == [best]
    table.uncheck("#advise")
    assert rows.count() == 0


def test_advice_streams_and_is_stopped_and_goes_on(open_table: Callable[..., Table]) -> None:
    table = open_table("#1")
    table.select_option("#most", "1000000")
    table.check("#advise")
    count = "parseInt(document.getElementById('iterations').textContent.replace(/\\D/g, ''))"
    table.wait_for_function(f"() => {count} >= 4000")
    first = table.evaluate(count)
    table.wait_for_function(f"n => {count} > n", arg=first)  # it goes on while one looks
    table.click("#halt")
    table.wait_for_selector("#halt:disabled")
    wait_until(lambda: table.site.searches.count == 0)
    stopped = table.evaluate(count)
    assert stopped < 1_000_000
    assert table.locator("#advised button").count() == 5  # what was found stays
    table.select_option("#most", "2000")
    table.wait_text("#iterations", "2,000 iterations")
    table.wait_for_selector("#halt:disabled")
    table.click("#go")
    table.wait_for_selector("#halt:disabled")
    table.wait_text("#iterations", "2,000 iterations")


def test_a_move_leaves_the_advice_behind(open_table: Callable[..., Table]) -> None:
    table = open_table("#1")
    table.select_option("#most", "1000000")
    table.check("#advise")
    table.locator("#advised button").first.wait_for()
    table.keyboard.press("1")
    table.wait_moves(1)
    fitting = {f"{move.card} {move.pile + 1}" for move in _after_first(1).moves()}
    table.locator("#advised button").first.wait_for()
    rows = table.locator("#advised button")
    assert {rows.nth(i).get_attribute("data-move") for i in range(rows.count())} <= fitting
    table.uncheck("#advise")


def _after_first(seed: int) -> GameState:
    """The game after the first card of the hand was put down."""
    game = GameState.deal(seed)
    game.play(Move(game.hand[0], 0))
    return game


# How it looks


@pytest.mark.parametrize(("screen", "scheme", "locale"), SCREENS)
def test_it_fits_the_screen(
    open_table: Callable[..., Table], screen: dict[str, int], scheme: str, locale: str
) -> None:
    table = open_table("#7", viewport=screen, color_scheme=scheme, locale=locale)
    assert table.evaluate("window.shift") <= MOST_SHIFT
    table.check("#advise")
    table.locator("#advised button").first.wait_for()
    table.wait_for_selector("#halt:disabled")
    for selector in ("#hand .face:last-child", "#piles .deck", "#advised li:first-child"):
        assert is_in_sight(table.page, selector), selector
    assert table.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    table.begin_own(HAND)
    table.wait_for_function("() => !location.hash")
    table.locator("#hand .face").first.click()
    table.locator("#unseen .face").first.wait_for()
    assert table.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    assert "undefined" not in table.locator("body").inner_text()
    table.click("#language")
    table.wait_text("#language", "日本語" if locale == "ja-JP" else "English")


def test_the_pages_lead_to_one_another(open_table: Callable[..., Table]) -> None:
    table = open_table()
    table.click(".pages a[href='/']")
    table.wait_for_selector("#moves .move")
    table.click(".pages a[href='/twincool']")
    table.wait_for_selector(READY)
    table.click(".pages a[href='/puzzles']")
    table.wait_for_selector("body.trainer:not(.loading)")
