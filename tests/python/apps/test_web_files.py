"""An explorer and proofs from files on the page of `renju board` in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from renju import Board, Game, io
from support.web_page import Page, by_hand
from support.web_page import chromium as chromium
from support.web_page import open_page as open_page
from support.web_page import page as page
from support.web_site import Site, running_site
from support.web_sources import FOUR, GOAL, quiet_board
from support.web_sources import games as games
from support.web_sources import proofs as proofs

pytestmark = [pytest.mark.slow, pytest.mark.browser]


@pytest.fixture(scope="module")
def board_site(chromium: Any, games: Path, proofs: Path) -> Iterator[Site]:
    with running_site(level="beginner", explorer=games, proofs=proofs) as running:
        yield running


def open_quiet(page: Page, tmp_path: Path) -> Board:
    """Opens the board that the file of proofs wins with a quiet stone."""
    board = quiet_board()
    game = Game()
    game.black, game.white = board.points_of(1), board.points_of(2)
    game.turn = board.turn
    path = tmp_path / "quiet.sgf"
    path.write_text(str(io.dumps(game, "sgf")), "utf-8")
    page.open_tab("games")
    page.set_input_files("#file", path)
    page.wait_stones(len(board))
    page.settle()
    return board


# The explorer


def test_the_explorer_shows_what_was_played_and_a_click_plays_it(page: Page) -> None:
    by_hand(page).play("H8", "I9")
    page.open_tab("openings")
    page.wait_text("#explorer-note", "Games in games.duckdb: 3")
    rows = page.locator("#explorer tbody tr")
    assert rows.count() == 2
    first = rows.first
    assert first.locator("td").all_inner_texts()[:2] == ["I7", "2"]
    assert first.locator(".results").get_attribute("aria-label") == "Black won 1, drawn 0, white won 1"
    assert first.locator("td").nth(3).inner_text() == "2024"
    assert first.locator("td").nth(3).get_attribute("title") == "Latest game: Bö – Ann"
    assert first.locator("td").nth(4).inner_text() == "sure win"
    assert rows.nth(1).locator("td").nth(3).inner_text() == "–"
    first.get_by_role("button", name="I7").hover()
    page.wait_for_function("document.querySelectorAll('.rb-ghost > g').length === 1")
    first.get_by_role("button", name="I7").click()
    page.wait_stones(3)
    assert page.moves == ["H8", "I9", "I7"]
    page.wait_text("#explorer-note", "Games in games.duckdb: 1")
    page.play("A1")
    page.wait_text("#explorer-note", "No game in games.duckdb has this position.")
    assert not page.locator("#explorer").is_visible()


def test_a_position_is_found_however_it_is_turned(page: Page) -> None:
    by_hand(page).play("H8", "G7")
    page.open_tab("openings")
    page.wait_text("#explorer-note", ": 3")
    page.locator("#explorer tbody button").first.click()
    page.wait_stones(3)
    assert str(Board(" ".join(page.moves)).opening()).startswith("I7 Hogetsu")


# Proofs


def test_a_sure_win_is_told_and_walked(page: Page, tmp_path: Path) -> None:
    by_hand(page)
    board = open_quiet(page, tmp_path)
    page.wait_text("#sure-text", "Black wins by G9: sure, proof from some.proof.")
    assert page.locator(".rb-candidates > g").count() == 1
    page.click("#sure-play")
    page.wait_stones(len(board) + 1)
    page.wait_text("#sure-text", "Black wins against every reply: sure, proof from some.proof.")
    # A reply with an answer of its own, from the list; then any other one, on the board.
    page.locator("#sure-replies button").first.click()
    page.wait_stones(len(board) + 2)
    page.wait_text("#sure-text", "Black wins by ")
    page.click("#previous")
    page.wait_text("#sure-text", "Black wins against every reply")
    own = page.locator("#sure-replies button").all_inner_texts()
    board.push("G9")
    other = next(str(point) for point in board.legal_moves if str(point) not in own)
    page.play(other)
    page.wait_text("#sure-text", "Black wins by ")
    page.click("#sure-play")
    page.wait_stones(len(board) + 2)


def test_a_proof_that_nobody_verified_is_not_called_sure(page: Page) -> None:
    by_hand(page).read(FOUR)
    page.wait_text("#sure-text", "Black wins by H7: proof from some.proof, not verified.")
    page.click("#language")
    page.wait_text("#sure-text", "未検証")
    assert "必勝" not in page.locator("#sure-text").inner_text()


def test_what_is_open_is_told_and_elsewhere_nothing(page: Page) -> None:
    by_hand(page).read(GOAL)
    text = "Black wins against 1 of 219 replies, 0 of them verified. Open: "
    page.wait_text("#sure-text", text)
    page.read("h8")
    page.wait_text("#sure-text", "some.proof has no proof for this position.")
    assert not page.locator("#sure-play").is_visible()


def test_the_engine_plays_from_the_file(page: Page, tmp_path: Path) -> None:
    by_hand(page)
    board = open_quiet(page, tmp_path)
    page.open_tab("play")
    page.select_option("#side", "white")  # beginner has black, and would not find it
    page.wait_stones(len(board) + 1)
    page.wait_text("#sure-text", "Black wins against every reply")
    page.open_tab("moves")
    assert page.main_line == ["G9"]
    page.locator("#sure-replies button").first.click()
    page.wait_stones(len(board) + 3)


def test_the_words_are_there_in_japanese_and_on_a_phone(open_page: Callable[..., Page]) -> None:
    screen = {"width": 360, "height": 740}
    page = open_page(viewport=screen, locale="ja-JP", color_scheme="dark", code="#h8i9")
    page.open_tab("openings")
    page.locator("#explorer tbody tr").first.wait_for()
    page.wait_text("#explorer-note", "games.duckdbの3局")
    page.wait_text("#sure-text", "some.proofにこの局面の証明はありません。")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert "undefined" not in page.locator("body").inner_text()
