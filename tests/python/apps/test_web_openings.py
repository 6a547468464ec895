"""Openings by a rule on the page of `renju board` in a real browser: by hand and against the engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from renju import Board, io, openings
from renju.web.deciding import RuleSearch
from support.openings_by_rule import RulePage
from support.web_page import Page, by_hand
from support.web_page import board_site as board_site
from support.web_page import chromium as chromium
from support.web_page import open_page as open_page
from support.web_page import page as page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

TEN = "G7 J9 I7 J10 G10 F7 K8 I8 G6 H6"
BY_HAND = [
    ("rif", ["H8", "H9", "I9", "swap", "G8", "offer G7 J9", "choose J9"]),
    ("yamaguchi", ["H8", "H9", "I9", "declare 3", "no swap", "G8", "offer G7 J9 I7", "choose I7"]),
    ("soosorv-8", ["H8", "H9", "I9", "swap", "G8", "declare 2", "swap", "offer G7 J9", "choose G7"]),
    ("taraguchi-10", ["H8", "swap", "H9", "no swap", "I9", "swap", "G8", "swap", "J9", "no swap"]),
    ("taraguchi-10", ["H8", "no swap", "H9", "no swap", "I9", "swap", "G8", f"offer {TEN}", "choose K8"]),
    ("swap2", ["H8", "I9", "K5", "take white"]),
    ("swap2", ["H8", "I9", "K5", "J6", "G6", "take black"]),
]


@pytest.mark.parametrize(("rule", "actions"), BY_HAND)
def test_a_whole_opening_of_two_persons(page: Page, tmp_path: Path, rule: str, actions: list[str]) -> None:
    by_rule = RulePage(page, rule, "both")
    game = openings.start(rule)
    for number, action in enumerate(actions):
        by_rule.expect(game)
        if number == len(actions) // 2:
            page.reload()
            page.wait_stones(len(game.moves))
            by_rule.expect(game)
        by_rule.do(action)
        game = game.play(action)
        assert by_rule.game.history == game.history
    by_rule.expect(game)
    assert game.is_done
    stones = [str(move) for move in game.moves]
    # A reload keeps all of it.
    page.reload()
    page.wait_stones(len(stones))
    by_rule.expect(game)
    # A saved file holds the moves, and the rule with its steps for whoever opens it here.
    page.open_tab("games")
    page.select_option("#format", "sgf")
    with page.expect_download() as download:
        page.click("#save")
    path = tmp_path / "game.sgf"
    download.value.save_as(path)
    (saved,) = io.load(path)
    assert [str(move) for move in saved.moves] == stones
    assert saved.headers["rule"] == openings.OpeningRule.parse(rule).label
    page.click("#new")
    page.wait_stones(0)
    page.set_input_files("#file", path)
    page.wait_stones(len(stones))
    by_rule.expect(game)
    # Every step can be taken back, one by one.
    page.open_tab("moves")
    for count in reversed(range(len(actions))):
        page.click("#previous")
        game = game.undo()
        page.wait_for_function(
            "n => [...document.querySelectorAll('#moves .move')].findIndex((e) => e.ariaCurrent) === n",
            arg=count,
        )
        page.settle()
        by_rule.expect(game)


@pytest.mark.parametrize("side", ["black", "white"])
@pytest.mark.parametrize("rule", ["rif", "yamaguchi", "soosorv-8", "taraguchi-10", "swap2"])
def test_a_whole_opening_against_the_engine(page: Page, rule: str, side: str) -> None:
    by_rule = RulePage(page, rule, side)
    me = "first" if side == "black" else "second"
    while True:
        by_rule.wait_for_turn()
        game = by_rule.game
        if game.is_done:
            break
        assert game.player == me
        told: list[dict[str, str]] = []
        search = RuleSearch(game, seed=len(game.history))
        search.stop()  # anything that the rule allows
        search.run(told.append)
        action = told[0]["action"]
        is_choice = game.options[0].kind == "choose"
        by_rule.do(f"choose {action}" if is_choice else action)
    assert openings.check(rule, game.history).verdict == "legal"
    # After the opening everybody goes on with the colour that is theirs by now.
    color = game.colors[me].label
    page.open_tab("play")
    assert page.locator("#side").input_value() == color
    page.wait_for_selector(f"#status:has(#status-disc.{color}):has(#thinking:empty)")
    assert page.status == f"{color.capitalize()} to move – your move"
    stones = page.count
    assert stones == len(game.moves) + (game.board.turn.label != color)
    free = next(str(point) for point in Board(" ".join(page.moves)).legal_moves)
    page.play(free)
    page.wait_stones(stones + 2)  # the stone and the engine's answer


def test_what_the_rule_refuses_is_told_and_nothing_happens(page: Page) -> None:
    by_rule = RulePage(page, "soosorv-8", "both")
    page.click_point("G7")
    page.wait_text("#toast-text", "move 1 is not on the centre")
    for action in ("H8", "H9"):
        by_rule.do(action)
    page.click_point("L8")
    page.wait_text("#toast-text", "move 3 is not in the central 5x5 square")
    by_rule.do("H7")
    page.click_point("G7")
    page.wait_text("#toast-text", "swap colours or not")
    assert page.locator("#pass").is_disabled()
    for action in ("no swap", "H6", "declare 2", "no swap"):
        by_rule.do(action)
    page.click_point("G8")
    page.wait_text("#rule-actions", "1 of 2 chosen")
    page.click_point("I8")
    page.wait_text("#toast-text", "I8 is the same move as G8 but for a symmetry")
    page.wait_text("#rule-actions", "1 of 2 chosen")
    # What was picked can be taken out again, on the board or in the list.
    page.click_point("G8")
    page.wait_text("#rule-actions", "0 of 2 chosen")
    assert page.locator("#rule-actions button.main").is_disabled()
    by_rule.do("offer J9 K10")
    page.click_point("A1")
    page.wait_text("#toast-text", "A1 was not offered")
    assert by_rule.steps[-1] == "offer J9 K10"
    by_rule.press("B: K10")
    by_rule.wait_for_step(["H8", "H9", "H7", "no swap", "H6", "declare 2", "no swap", "offer J9 K10", "K10"])


def test_undo_takes_back_a_decision_and_the_other_one_is_a_variation(page: Page) -> None:
    by_rule = RulePage(page, "rif", "both")
    for action in ("H8", "H9", "I9", "swap"):
        by_rule.do(action)
    page.wait_text("#rule-players", "First player (White)")
    page.click("#undo")
    page.wait_text("#rule-step", "swap colours or not")
    page.wait_text("#rule-players", "First player (Black)")
    page.click("#redo-change")
    page.wait_text("#rule-players", "First player (White)")
    by_rule.do("G8")
    page.click("#previous")
    page.wait_count(3)
    page.click("#previous")
    page.wait_text("#rule-step", "swap colours or not")
    by_rule.do("no swap")
    by_rule.do("G8")  # the same stone after another decision is another line
    page.open_tab("moves")
    assert page.locator("#moves .branch .step").all_inner_texts() == ["no swap"]
    assert page.main_line == ["H8", "H9", "I9", "G8"]
    page.wait_text("#rule-players", "First player (Black)")


def test_take_back_leads_to_the_last_decision_of_the_person(page: Page) -> None:
    by_rule = RulePage(page, "rif", "black")
    for action in ("H8", "H9", "I9"):
        by_rule.do(action)
    by_rule.wait_for_turn()
    steps = by_rule.steps
    assert steps[3] in ("swap", "no swap")
    page.click("#back")
    page.wait_stones(2)
    page.settle()
    assert by_rule.steps == ["H8", "H9"]
    assert by_rule.told.startswith("You (Black): place move 3")
    by_rule.do("I8")
    by_rule.wait_for_turn()
    assert by_rule.steps[2] == "I8"


def test_the_rule_is_that_of_the_next_new_game(page: Page) -> None:
    by_hand(page).play("A1")
    page.open_tab("play")
    page.select_option("#rule-choice", "rif")
    page.wait_text("#toast-text", "The next new game begins by the rule RIF.")
    assert not page.locator("#rule").is_visible()
    page.click("#new")
    page.wait_text("#rule-step", "place move 1, a black stone, on the centre")
    page.select_option("#rule-choice", "")
    page.wait_for_selector("#rule", state="hidden")
    page.play("A1")
    page.click("#new")
    page.wait_stones(0)
    page.settle()
    assert not page.locator("#rule").is_visible()


def test_a_line_that_breaks_the_rule_goes_on_without_it(page: Page) -> None:
    RulePage(page, "taraguchi-10", "both")
    page.open_tab("openings")
    page.select_option("#opening-list", "H8 H9 I9")  # without the swaps that the rule asks for
    page.wait_stones(3)
    page.wait_text("#rule-step", "This line does not follow Taraguchi-10 and goes on without it. H9: ")
    page.play("A1")
    assert page.stones == 4


def test_steps_of_a_file_that_nobody_understands_are_told(page: Page, tmp_path: Path) -> None:
    by_hand(page)
    path = tmp_path / "strange.sgf"
    path.write_text("(;GM[4]SZ[15]OPENINGRULE[rif];B[hh];OPENINGACTION[fly];W[ii])")
    page.open_tab("games")
    page.set_input_files("#file", path)
    page.wait_stones(2)
    page.wait_text("#error", "action 2: 'fly' is no action of an opening")
    page.play("A1")
    assert page.stones == 3
    path.write_text("(;GM[4]SZ[15]OPENINGRULE[chess];B[hh])")
    page.open_tab("games")
    page.set_input_files("#file", path)
    page.wait_stones(1)
    page.play("A1")
    assert not page.locator("#rule").is_visible()
    assert not page.locator("#error").is_visible()


def test_other_formats_hold_the_stones(page: Page, tmp_path: Path) -> None:
    by_rule = RulePage(page, "rif", "both")
    for action in ("H8", "H9", "I9", "swap", "G8", "offer G7 J9", "choose J9"):
        by_rule.do(action)
    page.open_tab("games")
    for form in ("lib", "psq", "txt"):
        page.select_option("#format", form)
        with page.expect_download() as download:
            page.click("#save")
        path = tmp_path / f"game.{form}"
        download.value.save_as(path)
        (saved,) = io.load(path)
        assert [str(move) for move in saved.moves] == ["H8", "H9", "I9", "G8", "J9"], form


def test_the_keyboard_is_enough_for_an_opening(page: Page) -> None:
    by_rule = RulePage(page, "swap2", "both")
    for action in ("H8", "I9", "K5"):
        by_rule.do(action)
    page.locator("#rule-actions button").first.focus()
    page.keyboard.press("Enter")
    by_rule.wait_for_step(["H8", "I9", "K5", "take black"])
    assert page.evaluate("document.activeElement.id") == "rule"


@pytest.mark.parametrize(
    ("width", "scheme", "locale"),
    [(360, "light", "ja-JP"), (390, "dark", "en-GB"), (820, "light", "en-GB"), (2560, "dark", "ja-JP")],
)
def test_it_fits_on_every_screen(
    open_page: Callable[..., Page], width: int, scheme: str, locale: str
) -> None:
    screen = {"width": width, "height": 844 if width < 500 else 1180}
    page = open_page(viewport=screen, color_scheme=scheme, locale=locale)
    page.open_tab("play")
    page.select_option("#side", "both")
    page.select_option("#rule-choice", "taraguchi-10")
    page.locator("#rule").wait_for()
    for point in ("H8", "H9", "I9"):
        page.evaluate("scrollTo(0, 0)")
        page.play(point)
        assert is_in_sight(page, "#rule-step")
        page.locator("#rule-actions button").nth(1).click()
        page.wait_for_selector("#rule-actions button", state="detached")
        page.settle()
    page.play("G8")
    for number, point in enumerate(TEN.split(), start=1):
        page.evaluate("scrollTo(0, 0)")
        page.click_point(point)
        page.wait_for_function("n => document.querySelectorAll('.rb-labels > g').length === n", arg=number)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    text = page.locator("body").inner_text()
    assert "undefined" not in text
    assert "{" not in text
    small = page.evaluate(
        """() => [...document.querySelectorAll("#rule button, #rule select")]
            .filter((e) => e.getBoundingClientRect().height < 40 || !(e.ariaLabel || e.textContent.trim()))
            .map((e) => e.textContent)"""
    )
    assert small == []


def is_in_sight(page: Page, selector: str) -> bool:
    box = page.locator(selector).bounding_box()
    return bool(box and 0 <= box["y"] < page.viewport_size["height"])


def test_the_words_of_both_languages(open_page: Callable[..., Page]) -> None:
    page = open_page(locale="ja-JP")
    page.open_tab("play")
    page.select_option("#side", "both")
    page.select_option("#rule-choice", "rif")
    page.wait_text("#rule-step", "仮先（黒）：1手目（黒石）を天元に打つ")
    page.click_point("A1")
    page.wait_text("#toast-text", "1手目は天元に打ちます")
    page.click("#language")
    page.wait_text("#rule-step", "First player (Black): place move 1, a black stone, on the centre")
    assert json.loads(page.evaluate("localStorage.getItem('renju.choices')"))["rule"] == "rif"
