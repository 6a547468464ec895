"""The puzzle page of `renju board` in a real browser: tasks, tries, hints, rating, repetition, files."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renju import puzzles, winning_moves
from renju.puzzles import Puzzle
from support.web_page import MOST_SHIFT, SCREENS, WATCH, Page, is_in_sight
from support.web_page import board_site as board_site
from support.web_page import chromium as chromium
from support.web_page import open_page as open_page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

SAMPLES = puzzles.samples()
# The shown puzzle is one of those that the browser keeps: set before the page starts, and once.
SHOW = """
    if (!localStorage.getItem("renju.puzzle")) {
        localStorage.setItem("renju.puzzle", JSON.stringify({ id: "%s", hint: 0, isCounted: false }));
    }
"""


class Trainer:
    """A tab with the puzzle page, as a person uses it."""

    def __init__(self, page: Page, puzzle: Puzzle) -> None:
        self.page, self.puzzle = page, puzzle
        self.settle()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.page, name)

    def settle(self) -> None:
        self.page.wait_for_selector("#status-text[aria-busy=false]")

    def play(self, point: object) -> None:
        """Chooses a point, once the page waits for one."""
        self.settle()
        self.page.click_point(str(point))

    def told(self, text: str) -> str:
        """Waits until the page says so; returns all that it says."""
        self.page.wait_text("#feedback", text)
        return self.page.locator("#feedback").inner_text()

    def solve(self) -> None:
        """Plays the solution; the page answers with the best defence each time."""
        line = [self.puzzle.solution] if self.puzzle.proof is None else list(self.puzzle.proof.line)
        before = len(self.puzzle.black) + len(self.puzzle.white)
        for place in range(0, len(line), 2):
            self.play(line[place])
            if place + 1 < len(line):
                self.page.wait_stones(before + place + 2)
                assert f"answers {line[place + 1]}" in self.told("resists longest")
        self.told("Solved: " + " ".join(map(str, line)))

    @property
    def training(self) -> dict[str, Any]:
        return json.loads(self.page.evaluate('localStorage.getItem("renju.training")'))

    @property
    def entry(self) -> dict[str, Any]:
        """What the training knows of the puzzle."""
        return self.training["puzzles"][self.puzzle.id]

    def text(self, selector: str) -> str:
        return self.page.locator(selector).inner_text()


@pytest.fixture
def open_puzzle(open_page: Callable[..., Page]) -> Callable[..., Trainer]:
    def opened(puzzle: Puzzle, **options: Any) -> Trainer:
        ready = "body.trainer:not(.loading)"
        return Trainer(open_page(WATCH + SHOW % puzzle.id, "puzzles", ready, **options), puzzle)

    return opened


def of_kind(kind: str, difficulty: int = 0) -> Puzzle:
    """The first shipped puzzle of a kind that is as hard, or harder."""
    return next(p for p in SAMPLES if p.kind == kind and p.difficulty >= difficulty)


# Tasks


@pytest.mark.parametrize("kind", puzzles.PUZZLE_KINDS)
def test_a_puzzle_is_solved(open_puzzle: Callable[..., Trainer], kind: str) -> None:
    trainer = open_puzzle(of_kind(kind))
    assert f"{trainer.text('#status-text')}." == trainer.puzzle.task()
    trainer.solve()
    entry = trainer.entry
    assert (entry["tries"], entry["first"], entry["due"]) == (1, 1, None)
    assert trainer.text("#solved") == "1 / 1"
    assert "Rating +" in trainer.text("#feedback")
    trainer.reload()
    trainer.wait_for_selector("body:not(.loading)")
    trainer.wait_text("#solved", "1 / 1")
    value = trainer.training["rating"]["value"]
    assert trainer.text("#rating").startswith(str(math.floor(value + 0.5)))
    # It is shown again, and counts no more.
    trainer.solve()
    assert "Rating" not in trainer.text("#feedback")
    assert trainer.entry == entry


def test_a_wrong_move_is_told_why_and_can_be_tried_again(open_puzzle: Callable[..., Trainer]) -> None:
    puzzle = next(p for p in SAMPLES if p.id == "16ec858fdb2d9fa0")
    trainer = open_puzzle(puzzle)
    fours = sorted({*puzzle.board().threats().fours} - {puzzle.solution})
    trainer.play(fours[0])
    assert f"No VCF starts with {fours[0]}." in trainer.told("does not win")
    # The attack, the defence that breaks it with an arrow, and the line to step through.
    trainer.wait_for_function("() => document.querySelectorAll('.rb-ghost > g').length === 2")
    assert trainer.locator(".rb-shafts > *").count() == 1
    assert trainer.text("#line-name") == f"After {fours[0]}"
    trainer.click("#line-back")
    trainer.wait_for_function("() => document.querySelectorAll('.rb-ghost > g').length === 1")
    assert (trainer.entry["first"], trainer.entry["box"]) == (0, 0)
    assert trainer.text("#solved") == "0 / 1"
    trainer.click("#again")
    assert not trainer.locator("#line").is_visible()
    trainer.play("A1")
    assert "makes no four" in trainer.told("A1")
    trainer.solve()  # a click after a wrong move is another try
    assert trainer.entry["tries"] == 1  # the first wrong move has decided


def test_a_move_that_does_not_defend(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(of_kind("defence", 3))
    wrong, loss = next((point, loss) for point, loss in trainer.puzzle.losses.items() if loss.kind == "vct")
    trainer.play(wrong)
    text = trainer.told(f"{wrong} loses: ")
    assert f"wins by VCT with {loss.reply}" in text
    trainer.click("#line-on")
    assert trainer.locator("#line-moves .move").first.inner_text().split()[1] == str(wrong)
    assert trainer.entry["first"] == 0


def test_a_forbidden_point_does_not_count(open_puzzle: Callable[..., Trainer]) -> None:
    puzzle = next(p for p in SAMPLES if p.turn.label == "black" and p.board().forbidden_points())
    trainer = open_puzzle(puzzle)
    point = next(iter(puzzle.board().forbidden_points()))
    trainer.play(point)
    trainer.told("is forbidden to Black")
    assert trainer.evaluate('localStorage.getItem("renju.training")') is None
    trainer.solve()


def test_another_win_is_right_too(open_puzzle: Callable[..., Trainer]) -> None:
    """After the first move the page judges what a person plays, not what the file says."""
    for puzzle in SAMPLES:
        if puzzle.kind != "vcf" or puzzle.proof is None:
            continue
        board = puzzle.board()
        for point in puzzle.proof.line[:2]:
            board.push(point)
        others = [p for p in winning_moves(board) if p != puzzle.proof.line[2]]
        if others:
            break
    trainer = open_puzzle(puzzle)
    stones = len(puzzle.black) + len(puzzle.white)
    trainer.play(puzzle.solution)
    trainer.wait_stones(stones + 2)
    trainer.play(others[0])
    trainer.wait_for_function(
        "n => document.querySelectorAll('.rb-stones > g').length >= n"
        " || document.getElementById('feedback').textContent.startsWith('Solved')",
        arg=stones + 4,
    )
    trainer.told("answers" if "Solved" not in trainer.text("#feedback") else "Solved")


def test_hints_come_in_steps(open_puzzle: Callable[..., Trainer]) -> None:
    puzzle = next(p for p in SAMPLES if "fukumi" in p.themes)
    trainer = open_puzzle(puzzle)
    heat = trainer.locator(".rb-heat > *")
    assert trainer.text("#hint") == "Hint: theme"
    trainer.click("#hint")
    trainer.told("Theme: four-three, fukumi.")
    assert heat.count() == 0
    trainer.click("#hint")
    trainer.told("coloured area")
    assert heat.count() == 25
    assert trainer.locator(f".rb-heat [data-point={puzzle.solution}]").count() == 1
    assert trainer.locator(".rb-candidates > *").count() == 0
    trainer.click("#hint")
    trainer.told(f"The move is {puzzle.solution}.")
    assert trainer.locator(f".rb-candidates [data-point={puzzle.solution}]").count() == 1
    assert trainer.locator("#hint").is_disabled()
    trainer.solve()
    assert (trainer.entry["first"], trainer.entry["box"]) == (0, 0)


def test_a_hint_is_half_a_success_and_a_reload_forgets_none(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(of_kind("vct"))
    trainer.click("#hint")
    trainer.told("Theme: ")
    trainer.reload()
    trainer.wait_for_selector("body:not(.loading)")
    trainer.solve()
    assert trainer.entry["first"] == 0.5


def test_the_solution_is_a_tree_to_walk(open_puzzle: Callable[..., Trainer]) -> None:
    puzzle = max(SAMPLES, key=lambda p: 0 if p.proof is None or p.kind != "vct" else len(p.proof.line))
    trainer = open_puzzle(puzzle)
    trainer.click("#solution")
    trainer.told("The solution: ")
    rows = trainer.locator("#proof-tree button")
    assert rows.count() > 1
    assert rows.first.inner_text().startswith("Longest defence")
    rows.nth(1).click()
    assert rows.nth(1).get_attribute("aria-current") == "true"
    # At an attack a point chosen for the defender is answered.
    rows.first.click()
    moves = trainer.locator("#line-moves .move")
    moves.first.click()
    free = next(p for p in puzzle.board().legal_moves if p not in puzzle.proof.line)
    trainer.click_point(str(free))
    trainer.wait_for_function(
        "p => document.querySelectorAll('#line-moves .move')[1].textContent.includes(p)", arg=str(free)
    )
    assert trainer.entry["first"] == 0
    assert trainer.locator("#solution").is_disabled()


# Training


def glicko(value: float, deviation: float, opponent: float, score: float) -> tuple[float, float]:
    """Glicko for one game, as its author writes it down; the puzzles have a deviation of 100."""
    q = math.log(10) / 400
    g = 1 / math.sqrt(1 + 3 * q**2 * 100**2 / math.pi**2)
    expected = 1 / (1 + 10 ** (-g * (value - opponent) / 400))
    d2 = 1 / (q**2 * g**2 * expected * (1 - expected))
    new = value + q / (1 / deviation**2 + 1 / d2) * g * (score - expected)
    return new, max(60.0, math.sqrt(1 / (1 / deviation**2 + 1 / d2)))


def test_the_rating_is_that_of_glicko(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(SAMPLES[0])
    rated = """async ([rating, difficulty, score, now]) => {
        const { rated } = await import("/static/training.js");
        return rated(rating, { difficulty }, score, now);
    }"""
    rating = {"value": 1500, "deviation": 350, "time": None}
    for difficulty, score in ((4, 1), (0, 0), (9, 1), (9, 0), (5, 0.5), (5, 1)):
        value, deviation = glicko(rating["value"], rating["deviation"], 1000 + 120 * difficulty, score)
        rating = trainer.evaluate(rated, [rating, difficulty, score, 1000])
        assert (rating["value"], rating["deviation"]) == (pytest.approx(value), pytest.approx(deviation))
    # A year without a puzzle, and nothing is sure any more.
    later = trainer.evaluate(rated, [rating, 4, 1, 1000 + 366 * 24 * 3600 * 1000])
    assert later["deviation"] == pytest.approx(glicko(rating["value"], 350, 1480, 1)[1])


def test_what_failed_comes_back_at_growing_intervals(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(SAMPLES[0])
    course = """async ([puzzle, scores]) => {
        const { newTraining, recorded, isDue } = await import("/static/training.js");
        let [training, now] = [newTraining(), 0];
        const found = [];
        for (const score of scores) {
            training = recorded(training, puzzle, score, now);
            const { due } = training.puzzles[puzzle.id];
            found.push(due === null ? null : (due - now) / 60000);
            if (due === null) continue;
            if (isDue(training, puzzle, due - 1) || !isDue(training, puzzle, due)) throw new Error("due");
            now = due;
        }
        return [found, training.history.length];
    }"""
    puzzle = {"id": "x", "difficulty": 3}
    day = 24 * 60
    minutes, rated = trainer.evaluate(course, [puzzle, [0, 1, 1, 0.5, 1, 1, 1, 1, 1, 1]])
    assert minutes == [10, day, 3 * day, 10, day, 3 * day, 7 * day, 21 * day, None, None]
    assert rated == 1  # repetition is no new evidence
    assert trainer.evaluate(course, [puzzle, [1, 1]]) == [[None, None], 1]


def test_a_failed_puzzle_is_the_next_one_once_it_is_due(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(of_kind("vcf", 4))
    trainer.page.tab.clock.install()
    trainer.reload()
    trainer.wait_for_selector("body:not(.loading)")
    about = trainer.text("#about")
    trainer.click("#solution")
    trainer.wait_text("#due", "0")
    trainer.click("#next")
    trainer.settle()
    other = trainer.text("#about")
    assert other != about
    trainer.page.tab.clock.fast_forward("11:00")
    trainer.click("#next")
    trainer.settle()
    assert trainer.text("#about") == about


def test_the_training_is_a_file(open_puzzle: Callable[..., Trainer], tmp_path: Path) -> None:
    trainer = open_puzzle(of_kind("defence"))
    trainer.solve()
    with trainer.expect_download() as started:
        trainer.click("#export")
    assert started.value.suggested_filename == "renju-training.json"
    path = tmp_path / "training.json"
    started.value.save_as(path)
    kept = json.loads(path.read_text("utf-8"))
    assert kept == trainer.training
    assert (kept["format"], kept["version"]) == ("renju-training", 1)
    before = trainer.text("#rating")
    other = {**kept, "rating": {"value": 1777, "deviation": 88, "time": kept["rating"]["time"]}}
    path.write_text(json.dumps(other), "utf-8")
    trainer.set_input_files("#import", path)
    trainer.wait_text("#rating", "1777 ± 88")
    assert trainer.training == other
    trainer.click("#toast-undo")
    trainer.wait_text("#rating", before)
    assert trainer.training == kept
    for wrong in ("nonsense", {}, {**kept, "version": 2}, {**kept, "puzzles": {"x": 1}}):
        path.write_text(json.dumps(wrong), "utf-8")
        trainer.set_input_files("#import", path)
        trainer.wait_text("#error", "training.json holds no training of this page.")
        trainer.click("#error")
    assert trainer.training == kept


def test_filters(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(of_kind("vcf"))
    hard = [p for p in SAMPLES if p.difficulty >= 7]
    trainer.select_option("#easiest", "7")
    trainer.wait_text("#about", "Difficulty 7 of 9")  # another puzzle, because this one is too easy
    trainer.select_option("#kind", "defence")
    only = [p for p in hard if p.kind == "defence"]
    assert len(only) == 1
    trainer.wait_text("#about", only[0].id[:6])
    trainer.click("#next")
    trainer.wait_text("#toast-text", "There is no other puzzle")
    trainer.select_option("#theme", "mise")
    trainer.wait_text("#empty", "No puzzle passes")
    mise = sum("mise" in p.themes for p in SAMPLES)
    assert f"mise ({mise})" in trainer.locator("#theme option").all_inner_texts()


def test_puzzles_of_a_file(open_puzzle: Callable[..., Trainer], tmp_path: Path) -> None:
    trainer = open_puzzle(SAMPLES[0])
    path = tmp_path / "mine.jsonl"
    puzzles.dump(SAMPLES[10:12], path)
    trainer.set_input_files("#set-file", path)
    trainer.wait_text("#set-name", "mine.jsonl: 2 puzzles")
    ids = [p.id[:6] for p in SAMPLES[10:12]]
    trainer.wait_for_function("ids => ids.some((id) => document.body.innerText.includes(id))", arg=ids)
    trainer.reload()
    trainer.wait_for_selector("body:not(.loading)")
    trainer.wait_text("#set-name", "mine.jsonl: 2 puzzles")
    path.write_text("{}\n", "utf-8")
    trainer.set_input_files("#set-file", path)
    trainer.wait_text("#error", "mine.jsonl:1: this is no renju puzzle")
    trainer.wait_text("#set-name", "mine.jsonl: 2 puzzles")
    trainer.click("#set-own")
    trainer.wait_text("#set-name", f"{len(SAMPLES)} puzzles")


# How it is used and how it looks


def test_it_is_played_by_keys(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(of_kind("defence"))
    trainer.locator(".renju-board").focus()
    at = trainer.puzzle.solution
    for key, count in (
        ("ArrowRight" if at.x > 7 else "ArrowLeft", abs(at.x - 7)),
        ("ArrowUp" if at.y > 7 else "ArrowDown", abs(at.y - 7)),
    ):
        for _ in range(count):
            trainer.keyboard.press(key)
    trainer.keyboard.press("Enter")
    trainer.told("Solved")
    about = trainer.text("#about")
    trainer.keyboard.press("n")
    trainer.wait_for_function("old => document.getElementById('about').textContent !== old", arg=about)
    trainer.settle()
    trainer.keyboard.press("h")
    trainer.told("Theme")
    trainer.keyboard.press("s")
    trainer.told("The solution")


def test_the_way_to_the_board_and_back(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(of_kind("vct"))
    stones = len(trainer.puzzle.black) + len(trainer.puzzle.white)
    trainer.click("#on-board")
    trainer.wait_for_selector("#moves .move")
    trainer.wait_stones(stones)  # the position of the puzzle, to be analysed
    trainer.click("text=Puzzles")
    trainer.wait_for_selector("body.trainer:not(.loading)")


@pytest.mark.parametrize(("screen", "scheme", "locale"), SCREENS)
def test_it_fits_the_screen(
    open_puzzle: Callable[..., Trainer], screen: dict[str, int], scheme: str, locale: str
) -> None:
    trainer = open_puzzle(of_kind("vcf", 4), viewport=screen, color_scheme=scheme, locale=locale)
    assert trainer.evaluate("window.shift") <= MOST_SHIFT
    for action in ("hint", "hint", "solution"):
        trainer.click(f"#{action}")
        assert trainer.evaluate("document.documentElement.scrollWidth") <= screen["width"]
    for selector in (".renju-board", "#hint", "#next"):
        assert is_in_sight(trainer.page, selector), selector
    assert "undefined" not in trainer.text("body")


def test_two_taps(open_puzzle: Callable[..., Trainer]) -> None:
    trainer = open_puzzle(of_kind("defence"), has_touch=True)
    trainer.click("#options")
    trainer.check("#taps")
    trainer.click("#options")
    trainer.play(trainer.puzzle.solution)
    trainer.wait_text("#confirm-text", f"Play {trainer.puzzle.solution}?")
    trainer.click("#confirm-yes")
    trainer.told("Solved")
