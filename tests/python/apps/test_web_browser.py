"""The page of `renju board` in a real browser: games, analysis, proofs, files, languages, phones."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from renju import Board, Color, Engine, Game, Limit, io
from support.positions import DOUBLE_THREE, MISE
from support.waiting import PATIENCE_S, wait_until
from support.web_page import Page, by_hand
from support.web_page import board_site as board_site
from support.web_page import chromium as chromium
from support.web_page import open_page as open_page
from support.web_page import page as page
from support.web_site import Site, running_site

pytestmark = [pytest.mark.slow, pytest.mark.browser]

FIVE = "f8 a1 g8 a3 h8 a5 i8 a7 j8"


def test_it_loads(open_page: Callable[..., Page]) -> None:
    start = time.perf_counter()
    page = open_page()
    print(f"loaded in {time.perf_counter() - start:.2f} s")
    assert page.status == "Black to move – your move"
    assert page.locator("#level").input_value() == "beginner"
    # Only the level that ends by the clock has a time per move.
    page.open_tab("play")
    assert not page.locator("#time").is_visible()
    page.select_option("#level", "master")
    assert page.locator("#time").is_visible()


# Playing


def test_a_game_by_hand_until_five(page: Page) -> None:
    by_hand(page).play(*FIVE.upper().split())
    assert page.status == "Black has won: five in a row"
    assert page.moves == FIVE.upper().split()
    assert page.locator(".rb-win > *").count() == 1
    page.click_point("O15")
    assert page.stones == 9
    assert page.main_line == FIVE.upper().split()
    assert page.locator("#go").is_disabled()


@pytest.mark.parametrize("color", ["black", "white"])
def test_a_whole_game_against_the_engine(page: Page, color: str) -> None:
    page.open_tab("play")
    page.select_option("#side", color)
    own = Engine("hard")
    mine = Color[color.upper()]
    while True:
        page.wait_for_selector(f"#status.over, #status:has(#status-disc.{color}):has(#thinking:empty)")
        board = Board(" ".join(page.moves))
        if board.outcome is not None:
            break
        assert board.turn is mine
        page.play(str(own.best_move(board, Limit(nodes=20_000)).move))
    assert board.outcome.winner is mine  # hard against beginner
    assert page.status.startswith(f"{color.capitalize()} has won: ")
    ply = len(board.moves)
    page.click("#back")
    page.wait_count(ply - 1)
    assert page.status == f"{color.capitalize()} to move – your move"


def test_take_back_takes_both_moves(page: Page) -> None:
    page.open_tab("play")
    page.play("H8")
    page.wait_count(2)
    page.play("A1")
    page.wait_count(4)
    moves = page.moves
    page.click("#back")
    page.wait_count(2)
    assert page.stones == 2
    page.click("#redo")
    page.wait_count(4)
    assert page.moves == moves
    page.click("#back")
    page.wait_count(2)
    page.click_point("O1")
    page.wait_count(4)
    assert page.moves[:3] == [*moves[:2], "O1"]
    assert page.main_line == moves  # what was taken back is still there, and the new moves are a variation


def test_swap_sides_and_new_game(page: Page) -> None:
    page.open_tab("play")
    page.click("#swap")
    page.wait_count(1)  # the engine is black now and moves
    assert page.moves == ["H8"]
    assert page.status == "White to move – your move"
    assert page.locator("#back").is_disabled()  # there is no move of ours
    page.click("#swap")
    page.wait_count(2)  # and now it is white
    page.click("#new")
    page.wait_count(0)
    assert page.status == "Black to move – your move"


def test_the_engine_plays_itself_until_it_is_stopped(page: Page) -> None:
    page.clock.install()
    page.open_tab("play")
    page.select_option("#side", "none")
    page.wait_for_function("() => parseInt(document.getElementById('place').textContent) >= 4")
    page.click("#halt")
    count = page.count
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.clock.run_for(60_000)  # milliseconds that pass at once: whatever the page waits for happens
    page.wait_text("#thinking", "press “Engine move”")
    wait_until(lambda: page.site.searches.count == 0)
    assert "/api/play" not in asked
    assert page.count <= count + 1


def test_engine_move_and_jumping_about(page: Page) -> None:
    by_hand(page).play("H8", "I9", "G7")
    page.open_tab("play")
    page.click("#go")
    page.wait_count(4)
    page.open_tab("moves")
    page.locator("#moves .move").nth(1).click()
    page.wait_count(1)
    assert page.stones == 1
    assert len(page.main_line) == 4
    page.keyboard.press("End")
    page.wait_count(4)
    page.keyboard.press("ArrowLeft")
    page.wait_count(3)
    page.play("A1")
    assert page.moves == ["H8", "I9", "G7", "A1"]
    assert page.locator("#opening").inner_text() == "Shagetsu – Slanting Moon (I11)"


def test_a_reload_keeps_the_game(page: Page) -> None:
    by_hand(page).play("H8", "I9")
    page.reload()
    page.wait_count(2)
    assert (page.moves, page.stones) == (["H8", "I9"], 2)
    assert page.locator("#side").input_value() == "both"


def test_numbers_are_shown_or_not(page: Page) -> None:
    by_hand(page).play("H8", "I9")
    assert page.locator(".rb-numbers text").count() == 2
    page.click("#options")
    page.uncheck("#numbers")
    assert page.locator(".rb-numbers text").count() == 0


# Forbidden points


def test_a_forbidden_point_is_explained_and_may_be_played(page: Page) -> None:
    page.read(DOUBLE_THREE)
    page.locator(".rb-forbidden > g").wait_for()
    assert page.locator(".rb-forbidden > g").count() == 1
    page.click_point("H8")
    page.wait_text("#why-text", "H8 is forbidden: a double-three")
    expected = str(Board(DOUBLE_THREE).explain_forbidden("h8"))
    assert page.locator("#why-text p").all_inner_texts() == [line.strip() for line in expected.splitlines()]
    assert page.stones == 8
    page.click("#why-close")
    assert not page.locator("#why").is_visible()
    page.click("text=H8 double-three")
    page.click("#why-play")
    page.wait_text("#status-text", "White has won: forbidden move")
    page.click("text=Why is H8 forbidden?")
    page.wait_text("#why-text", "H8 is forbidden: a double-three")
    assert not page.locator("#why-play").is_visible()


def test_forbidden_points_can_be_hidden(page: Page) -> None:
    page.read(DOUBLE_THREE)
    page.click("#options")
    page.uncheck("#forbidden")
    assert page.locator(".rb-forbidden > g").count() == 0
    assert page.locator(".chip").count() == 0


# Analysis and proofs


def test_analysis_streams(page: Page, board_site: Site) -> None:
    page.read("h8 i9 i7 g9 j8")
    page.check("#analyse")
    page.wait_text("#depth", re.compile(r"depth ([3-9]|\d\d)"))
    assert page.locator("#candidates li").count() == 5
    assert page.locator(".rb-candidates > g").count() == 5
    assert re.fullmatch(r"(Black|White) (\d+ %|wins in \d+)", page.locator("#rate").inner_text())
    shares = [int(text.split()[0]) for text in page.locator("#candidates .score").all_inner_texts()]
    assert shares == sorted(shares, reverse=True)
    assert page.locator("#graph .curve, #graph circle").count() >= 1
    page.click("#options")
    page.check("#points")
    assert re.match("[+−0]", page.locator("#candidates .score").first.inner_text())
    page.keyboard.press("Escape")
    page.locator("#candidates button").first.focus()
    assert page.ghosts > 0
    page.locator("#candidates button").first.blur()
    page.uncheck("#analyse")
    wait_until(lambda: board_site.searches.count == 0)
    assert page.locator("#candidates li").count() == 0


def test_analysis_follows_the_position(page: Page, board_site: Site) -> None:
    by_hand(page).read("h8 i9")
    page.check("#analyse")
    page.locator("#candidates li").first.wait_for()
    page.locator("#depth:not(:empty)").wait_for()
    page.play("G7")
    page.wait_for_function("() => document.getElementById('candidates').children.length > 0")
    page.locator("#candidates button").first.click()
    assert page.locator("#line").is_visible()
    page.click("#line-close")
    page.uncheck("#analyse")
    wait_until(lambda: board_site.searches.count == 0)


def test_a_click_is_not_lost_when_the_list_changes_under_it(page: Page) -> None:
    by_hand(page).read("h8 i9")
    page.check("#analyse")
    page.wait_text("#depth", "depth")
    page.locator("#candidates button").first.hover()
    page.mouse.down()
    shown = page.locator("#depth").inner_text()
    page.wait_for_function("was => document.getElementById('depth').textContent !== was", arg=shown)
    page.mouse.up()
    assert page.locator("#line").is_visible()


def test_a_proof_is_shown_as_a_line(page: Page) -> None:
    page.read(MISE)
    page.open_tab("proofs")
    page.click("[data-solve=vct][data-color=black]")
    page.wait_text("#verdict", "Black wins by VCT, with 8 moves of its own. Checked")
    length = page.locator("#line-moves .move").count()
    assert page.ghosts == length == 15
    page.click("#line-back")
    assert page.ghosts == 14
    page.keyboard.press("ArrowLeft")
    assert page.ghosts == 13
    page.locator("#line-moves .move").first.click()
    assert page.ghosts == 1
    page.locator("#proof-tree button").nth(1).click()
    assert page.ghosts > 1
    page.locator("#line-moves .move").last.click()
    moves = [text.split()[-1] for text in page.locator("#line-moves .move").all_inner_texts()]
    page.click("#line-play")
    page.wait_count(12 + len(moves))
    assert page.moves[12:] == moves
    assert not page.locator("#line").is_visible()


def test_a_defence_and_an_attack_are_tried(page: Page) -> None:
    page.read(MISE)
    page.open_tab("proofs")
    page.click("[data-solve=vct][data-color=black]")
    page.locator("#proof-tree button").nth(2).wait_for()
    # Forbidden points are those of the position that is shown.
    line = [text.split()[-1] for text in page.locator("#line-moves .move").all_inner_texts()]
    page.locator("#line-moves .move").first.click()
    board = Board(f"{MISE} {line[0]}")
    page.wait_for_function(
        "n => document.querySelectorAll('.rb-forbidden > g').length === n", arg=len(board.forbidden_points())
    )
    page.click_point("O1")  # no line of the proof has this defence
    page.wait_text("#why-fails", "O1 fails: Black still wins by VCT")
    page.keyboard.press("Escape")
    page.click("#attack-vct")
    page.click_point("A1")
    page.wait_text("#verdict", "No VCT of Black starts with A1.")
    page.wait_text("#why-fails", "A1 forces nothing")
    assert page.stones == 12


def test_either_colour_and_no_win(page: Page) -> None:
    page.read("h8 g6 f6 g5 f7 g4 h7 g3 g2 a1")
    page.open_tab("proofs")
    page.click("[data-solve=vcf][data-color=black]")
    page.wait_text("#verdict", "Black has no VCF here. All of them were tried.")
    page.click("[data-solve=vcf][data-color=white]")
    # It is black's turn: white only threatens it.
    page.wait_text("#verdict", "If it were to move, White would win by VCF")
    assert page.locator("#line-play").is_disabled()


def test_a_limit_is_told_as_such(page: Page) -> None:
    def with_few_nodes(route: Any) -> None:
        data = json.loads(route.request.post_data) | {"nodes": 2}
        route.continue_(post_data=json.dumps(data))

    page.route("**/api/solve", with_few_nodes)
    page.read(MISE)
    page.open_tab("proofs")
    page.click("[data-solve=vct][data-color=black]")
    page.wait_text("#verdict", "Unknown: the limit (nodes) came before it was known")


def test_a_review_shows_where_the_game_was_lost(page: Page) -> None:
    page.read("h8 a1 h9 c1 h10 e1 h11 h12 h7")
    page.open_tab("moves")
    page.click("#review")
    page.wait_text("#review-summary", "The game turned at move 6.")
    blunders = page.locator("#moves .blunder").all_inner_texts()
    assert [text.split()[:3] for text in blunders] == [["6", "E1", "??"]]
    page.reload()  # a review is kept
    page.wait_text("#review-summary", "The game turned at move 6.")
    assert page.locator("#graph .sign").count() >= 1
    page.click("#mistake")
    page.wait_count(6)
    page.wait_text("#judgement-text", "E1 (loses in 4): blunder. Allows a forced win (VCF).")
    page.click("#mistake")
    page.wait_text("#toast-text", "There is no other mistake on this line.")
    page.click("[data-line=allowed]")  # the proof can be walked through
    page.wait_text("#verdict", "Black wins by VCF")
    assert page.locator("#proof-tree button").count() >= 1
    assert page.ghosts == 1
    page.click("#leave")
    assert page.ghosts == 0
    page.open_tab("moves")
    page.click("[data-line=best]")
    page.wait_count(5)
    page.locator("#line").wait_for()
    assert page.locator("#line-moves .move").first.inner_text().split() == ["1", "H7"]
    page.play("A15")
    assert not page.locator("#judgement").is_visible()  # the review says nothing of another line
    page.keyboard.press("n")
    page.wait_count(6)
    page.wait_text("#judgement-text", "E1 (loses in 4): blunder.")


# Files


def test_load_and_save(page: Page, tmp_path: Path) -> None:
    game = Game.from_moves("h8 i9 g7 i7", {"black": "Ann", "white": "Bö"})
    game.root.children[0].comment = "A good start."
    path = tmp_path / "game.sgf"
    io.dump(game, path)
    page.set_input_files("#file", path)
    page.wait_count(4)
    page.open_tab("moves")
    assert page.locator("#players").inner_text().startswith("● Ann　○ Bö")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('comment').value === 'A good start.'")
    page.open_tab("games")
    for form in ("sgf", "psq", "lib", "txt"):
        page.select_option("#format", form)
        with page.expect_download() as download:
            page.click("#save")
        assert download.value.suggested_filename == f"renju.{form}"
        download.value.save_as(tmp_path / f"saved.{form}")
        saved = io.load(tmp_path / f"saved.{form}")[0]
        assert saved.moves == game.moves
        if form == "sgf":
            assert (saved.headers["white"], saved.comments) == ("Bö", {1: "A good start."})


def test_problems_are_listed_and_games_are_chosen(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    path.write_text("(;GM[4]SZ[15]PB[A];B[hh];W[hh])(;GM[4]SZ[15]PB[B];B[hh];W[ii])")
    page.open_tab("games")
    page.set_input_files("#file", path)
    page.wait_text("#problems", "occupied")
    page.select_option("#games", "1")
    page.wait_count(2)
    assert not page.locator("#problems").is_visible()
    page.set_input_files("#file", {"name": "x.db", "mimeType": "", "buffer": b"nothing"})
    page.wait_text("#error", "x.db")
    assert page.stones == 2


# Languages, people, devices


def test_japanese_and_back(page: Page) -> None:
    page.read(DOUBLE_THREE)
    page.open_tab("play")
    page.click("#language")
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert (page.status, page.locator("#back").inner_text()) == ("黒番", "待った")
    page.click_point("H8")
    page.wait_text("#why-text", "H8は禁点です：三三")
    page.reload()
    page.wait_text("#status-text", "黒番")
    assert not re.search(r"undefined|\{", page.locator("body").inner_text())
    page.click("#language")
    assert page.locator("#back").inner_text() == "Take back"


def test_japanese_browsers_get_japanese(open_page: Callable[..., Page]) -> None:
    assert open_page(locale="ja-JP").status == "黒番 – あなたの番です"


def test_it_works_without_storage(open_page: Callable[..., Page]) -> None:
    forbid = "Storage.prototype.getItem = Storage.prototype.setItem = () => { throw new Error('no'); };"
    page = open_page(forbid)
    by_hand(page).play("H8", "I9")
    page.click("#new")
    page.wait_stones(0)
    page.click("#undo")  # even so a new game can be taken back
    page.wait_stones(2)
    page.click("#language")
    assert page.status == "黒番"


def test_the_keyboard_is_enough(page: Page) -> None:
    by_hand(page)
    page.keyboard.press("Escape")
    page.locator(".renju-board").focus()
    for key in ("ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    assert page.locator(".rb-live").inner_text() == "I9: empty"
    page.keyboard.press("Enter")
    page.wait_stones(1)
    assert page.moves == ["I9"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    assert page.locator(".rb-live").inner_text() == "I9: black 1"


def test_everything_has_a_name(page: Page) -> None:
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("button, select, input")]
            .filter((e) => e.offsetParent && !(e.labels && e.labels.length))
            .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim()))
            .map((e) => e.id)"""
    )
    assert nameless == []


@pytest.mark.parametrize("locale", ["en-GB", "ja-JP"])
def test_a_phone(open_page: Callable[..., Page], locale: str) -> None:
    screen = {"width": 360, "height": 740}
    page = open_page(viewport=screen, has_touch=True, is_mobile=True, locale=locale, color_scheme="dark")
    by_hand(page).read(MISE)
    page.open_tab("proofs")
    page.click("[data-solve=vct][data-color=black]")
    page.locator("#line").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, select, .button, .check, .switch, textarea")]
            .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 40)
            .map((e) => e.id || e.className)"""
    )
    assert small == []
    # The points are small: the first tap shows the stone, the second plays it.
    page.evaluate("scrollTo(0, 0)")
    page.click("#new")
    page.wait_stones(0)
    page.touchscreen.tap(*page.place_of("H8"))
    page.locator("#confirm").wait_for()
    assert (page.stones, page.ghosts) == (0, 1)
    page.touchscreen.tap(*page.place_of("H8"))
    page.wait_stones(1)


def test_a_server_that_is_gone_is_told(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('gone')); }")
    page.click_point("H8")
    page.wait_text("#error", "The server does not answer.")
    box = page.locator("#error").bounding_box()
    assert 0 <= box["y"] <= 900 - box["height"]  # wherever one is on the page
    page.keyboard.press("Escape")
    assert not page.locator("#error").is_visible()


def test_errors_are_told_in_the_language_of_the_page(open_page: Callable[..., Page]) -> None:
    page = open_page(locale="ja-JP")
    page.open_tab("games")
    page.fill("#text", "z99")
    page.click("#read")
    page.wait_text("#error", "読み込めません")


def test_why_a_point_is_forbidden_is_seen_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 1280, "height": 860})
    page.read(DOUBLE_THREE)
    page.evaluate("scrollTo(0, 0)")
    page.click_point("H8")
    page.wait_text("#why-text", "H8")
    chips = page.locator("#fouls").bounding_box()
    assert chips["y"] + chips["height"] <= 860
    why = page.locator("#why").bounding_box()
    assert 0 <= why["y"] <= 860 - why["height"]


def test_a_game_given_at_the_start(chromium: Any) -> None:
    with running_site(game=Game.from_moves("h8 i9 g7", {"black": "Ann"})) as other:
        tab = chromium.new_page()
        tab.set_default_timeout(1000 * PATIENCE_S)
        tab.goto(other.address)
        tab.wait_for_selector(".rb-stones > g:nth-child(3)")
        assert "Ann" in tab.locator("#players").inner_text()
        tab.close()
