"""The page of `renju board` holds a game as a tree: nothing is lost, whatever a person does."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from renju import Game, Point, io
from renju.game import GameNode
from support.web_page import Page, by_hand
from support.web_page import board_site as board_site
from support.web_page import chromium as chromium
from support.web_page import open_page as open_page
from support.web_page import page as page

pytestmark = [pytest.mark.slow, pytest.mark.browser]

Facts = dict[str, Any]
# Runs of the random walk and actions of each; more by hand.
RUNS = int(os.environ.get("RENJU_TREE_RUNS", "1"))
ACTIONS = 500


def stored(page: Page) -> Facts:
    """The game of the tab as the browser has kept it."""
    return page.evaluate(
        """() => {
            const { game } = JSON.parse(sessionStorage.getItem("renju.tab"));
            return JSON.parse(localStorage.getItem(`renju.game.${game}`));
        }"""
    )


def nested(nodes: list[Facts]) -> Any:
    """A stored tree as nested lists: move, comment, labels, children."""
    made: dict[int, list[Any]] = {}
    for node in nodes:
        made[node["id"]] = [node.get("move"), node.get("comment"), node.get("labels"), []]
        if node["parent"] is not None:
            made[node["parent"]][3].append(made[node["id"]])
    return made[nodes[0]["id"]]


def tree_of(page: Page) -> Any:
    return nested(stored(page)["nodes"])


def test_a_move_after_stepping_back_makes_a_branch(page: Page) -> None:
    by_hand(page).play("H8", "I9", "G7")
    page.keyboard.press("ArrowLeft")
    page.wait_count(2)
    page.play("J10", "K10")
    assert page.moves == ["H8", "I9", "J10", "K10"]
    assert page.main_line == ["H8", "I9", "G7"]
    assert page.locator("#moves .branch .move").all_text_contents() == ["3 J10", "4 K10"]
    page.click("#main-line")
    assert page.main_line == ["H8", "I9", "J10", "K10"]
    page.click("#delete")
    page.wait_count(3)
    assert page.main_line == ["H8", "I9", "J10"]
    page.click("#toast-undo")
    page.wait_count(4)
    page.keyboard.press("Control+z")  # the main line
    assert page.main_line == ["H8", "I9", "G7"]
    page.keyboard.press("Control+Shift+Z")
    assert page.main_line == ["H8", "I9", "J10", "K10"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowDown")  # the variation beside it
    page.wait_count(3)
    assert page.moves == ["H8", "I9", "G7"]


def test_comments_and_marks_are_kept(page: Page) -> None:
    by_hand(page).play("H8", "I9")
    page.locator("#comment").press_sequentially("Why so?")
    page.click("#mark")
    page.click_point("G7")
    page.click_point("J10")
    page.click_point("G7")
    page.keyboard.press("Escape")
    page.reload()
    page.wait_count(2)
    assert page.locator("#comment").input_value() == "Why so?"
    assert tree_of(page) == [None, None, None, [["H8", None, None, [["I9", "Why so?", {"J10": "B"}, []]]]]]
    assert page.locator(".rb-labels text").all_text_contents() == ["B"]
    for _ in range(4):  # three marks and all letters of the comment
        page.click("#undo")
    assert page.locator("#comment").input_value() == ""
    page.click("#redo-change")
    assert page.locator("#comment").input_value() == "Why so?"


def test_a_new_game_and_a_file_can_be_undone_after_a_reload(page: Page, tmp_path: Path) -> None:
    by_hand(page).play("H8", "I9")
    page.click("#new")
    page.wait_stones(0)
    page.reload()
    page.wait_stones(0)
    path = tmp_path / "x.sgf"
    io.dump(Game.from_moves("a1 b2 c3 d4"), path)
    page.open_tab("games")
    page.set_input_files("#file", path)
    page.wait_stones(4)
    page.reload()
    page.wait_stones(4)
    page.click("#undo")
    page.wait_stones(0)
    page.click("#undo")
    page.wait_stones(2)
    page.click("#redo-change")
    page.click("#redo-change")
    page.wait_stones(4)
    # And all of them are in the list of what the browser has kept.
    page.open_tab("games")
    page.locator("#recent .game", has_text="H8 I9").click()
    page.wait_stones(2)


def test_a_copy_of_the_tab_does_not_overwrite_the_game(page: Page) -> None:
    by_hand(page).play("H8", "I9")
    state = page.evaluate("() => sessionStorage.getItem('renju.tab')")
    copy = page.context.new_page()
    copied = f"sessionStorage.setItem('renju.tab', {json.dumps(state)})"
    copy.add_init_script(f"sessionStorage.getItem('renju.tab') || {copied}")
    copy.goto(page.site.address)
    twin = Page(page.site, copy)
    twin.wait_stones(2)
    twin.play("A1", "A2")
    page.play("O15")
    assert stored(page)["id"] != stored(twin)["id"]
    assert [len(stored(tab)["nodes"]) for tab in (page, twin)] == [4, 5]
    copy.close()


def rich_game() -> Game:
    """A game with all that a file can hold."""
    game = Game({"black": "安", "white": "Bo", "event": "a [b] \\ c"})
    game.root.comment = "Before the first move"
    first = game.root.add("h8")
    third = first.add("i9", "indirect").add("g7")
    third.add("i7").add("pass")
    third.add("k10").add("k11", "deep")
    direct = first.add("h9", "direct\nline two")
    direct.labels = {Point("G7"): "A", Point("J10"): ""}
    for number in range(3):
        direct.add(f"a{number + 1}")
    return game


def facts_of(node: GameNode) -> Any:
    labels = {str(point): text for point, text in node.labels.items()}
    children = [facts_of(child) for child in node.children]
    return [
        None if node.move is None else str(node.move),
        node.comment,
        labels,
        dict(node.properties),
        children,
    ]


@pytest.mark.parametrize("form", ["sgf", "lib"])
def test_a_tree_is_opened_and_saved_without_loss(page: Page, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"tree.{form}"
    io.dump(rich_game(), path)
    before = io.load(path)[0]
    page.open_tab("games")
    page.set_input_files("#file", path)
    page.wait_text("#message", "variations")
    page.reload()
    page.wait_for_selector("#recent li", state="attached")
    page.select_option("#format", form)
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(tmp_path / f"again.{form}")
    after = io.load(tmp_path / f"again.{form}")[0]
    assert facts_of(after.root) == facts_of(before.root)
    assert after.headers == before.headers
    assert len(list(after.root.walk())) > 10


@pytest.mark.parametrize(
    "text",
    [
        "1. h8 2. i9 3. g7",
        "8,8 9,9 7,7",
        "(8, 8) (9, 9) (7, 7)",
        "H8-I9-G7",
        "https://gomocalc.com/#/h8i9g7",
        "https://renju-note.com/#g:h8i9g7,c:3",
        "１．ｈ８ ２．ｉ９ ３．ｇ７",
    ],
)
def test_what_people_paste_is_read(page: Page, text: str) -> None:
    page.open_tab("games")
    page.fill("#text", text)
    page.click("#read")
    page.wait_stones(3)
    assert page.moves == ["H8", "I9", "G7"]


def test_every_position_has_a_link(open_page: Callable[..., Page]) -> None:
    page = open_page(code="#h8i9g7")
    page.wait_stones(3)
    page.keyboard.press("ArrowLeft")
    page.wait_count(2)
    assert page.evaluate("location.hash") == "#h8i9"
    page.evaluate("() => { location.hash = '#h8i9g7'; }")  # in the tree: one goes there
    page.wait_stones(3)
    assert len(page.main_line) == 3
    page.evaluate("() => { location.hash = '#a1b2'; }")  # another game
    page.wait_stones(2)
    page.click("#undo")
    page.wait_stones(3)


def test_a_link_that_is_none_leaves_a_page(open_page: Callable[..., Page]) -> None:
    page = open_page(code="#nothing")
    page.locator("#error").wait_for()
    by_hand(page).play("H8")
    assert page.moves == ["H8"]


def test_pictures(page: Page, tmp_path: Path) -> None:
    by_hand(page).read("h8 i9 g7")
    found = {}
    for button in ("picture-svg", "picture-png", "picture-line"):
        with page.expect_download() as download:
            page.click(f"#{button}")
        path = tmp_path / download.value.suggested_filename
        download.value.save_as(path)
        found[button] = path.read_bytes()
    assert found["picture-svg"].startswith(b"<svg")
    assert b"data-shape" not in found["picture-svg"]
    assert found["picture-png"].startswith(b"\x89PNG")
    # Two stones and their numbers appear; the first stone is always there.
    assert found["picture-line"].count(b"<animate ") == 4
    assert page.stones == 3


# The random walk


Tree = list[Any]  # as of `nested`
FILE = "(;GM[4]SZ[15];B[aa](;W[dd];B[gg])(;W[jj]))"
FILE_TREE = ["A15", None, None, [["D12", None, None, [["G9", None, None, []]]], ["J6", None, None, []]]]
NAMES = {
    "play": 40,
    "back": 14,
    "home": 4,
    "jump": 8,
    "delete": 3,
    "promote": 4,
    "comment": 5,
    "undo": 10,
    "redo": 6,
}
NAMES |= {"new": 1, "open": 1, "reload": 1}


class Model:
    """What the tree must be, kept beside the page; `path` has the places among children that lead to where
    one is."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.root: Tree = [None, None, None, []]
        self.path: list[int] = []
        self.done: list[list[Any]] = []  # before, after, and whether another game was opened
        self.undone: list[list[Any]] = []

    def node(self, depth: int | None = None) -> Tree:
        node = self.root
        for index in self.path[:depth]:
            node = node[3][index]
        return node

    def moves(self) -> list[str]:
        return [self.node(depth + 1)[0] for depth in range(len(self.path))]

    def state(self) -> Any:
        return json.loads(json.dumps([self.root, self.path]))

    def change(self, action: Callable[[], object], is_other_game: bool = False) -> None:
        before = self.state()
        action()
        self.done.append([before, self.state(), is_other_game])
        self.undone.clear()

    def step(self) -> list[Any] | None:
        """Does something; returns how a person does it, None if it is not possible now."""
        name = self.chance.choices(list(NAMES), list(NAMES.values()))[0]
        found: list[Any] | None = getattr(self, f"do_{name}")()
        return found

    def do_play(self) -> list[Any] | None:
        if len(self.path) > 30:
            return None
        # Every third column and row, so that nobody wins and nothing is forbidden.
        free = {f"{column}{row}" for column in "ADGJM" for row in (1, 4, 7, 10, 13)} - set(self.moves())
        if not free:
            return None
        point = self.chance.choice(sorted(free))
        children = self.node()[3]
        known = [child[0] for child in children]
        if point in known:
            self.path.append(known.index(point))
        else:
            self.change(lambda: (children.append([point, None, None, []]), self.path.append(len(known))))
        return ["point", ord(point[0]) - ord("A"), int(point[1:]) - 1]

    def do_back(self) -> list[Any] | None:
        if not self.path:
            return None
        self.path.pop()
        return ["key", "ArrowLeft"]

    def do_home(self) -> list[Any]:
        self.path.clear()
        return ["key", "Home"]

    def do_jump(self) -> list[Any]:
        places = in_list(self.root)
        index = self.chance.randrange(len(places))
        self.path = places[index]
        return ["jump", index, len(places)]

    def do_delete(self) -> list[Any] | None:
        if not self.path:
            return None
        self.change(lambda: self.node(len(self.path) - 1)[3].pop(self.path.pop()))
        return ["id", "delete"]

    def do_promote(self) -> list[Any] | None:
        if not any(self.path):
            return None

        def promote() -> None:
            for depth, index in enumerate(self.path):
                children = self.node(depth)[3]
                children.insert(0, children.pop(index))
                self.path[depth] = 0

        self.change(promote)
        return ["id", "main-line"]

    def do_comment(self) -> list[Any]:
        text = f"note {self.chance.random()}"
        self.change(lambda: self.node().__setitem__(1, text))
        return ["comment", text]

    def do_undo(self) -> list[Any] | None:
        if not self.done:
            return None
        entry = self.done.pop()
        if entry[2]:
            entry[1] = self.state()  # of another game the place is kept where one left it
        self.undone.append(entry)
        self.root, self.path = json.loads(json.dumps(entry[0]))
        return ["key", "z", "ctrl"]

    def do_redo(self) -> list[Any] | None:
        if not self.undone:
            return None
        entry = self.undone.pop()
        if entry[2]:
            entry[0] = self.state()
        self.done.append(entry)
        self.root, self.path = json.loads(json.dumps(entry[1]))
        return ["key", "Z", "ctrl", "shift"]

    def do_new(self) -> list[Any] | None:
        if not self.root[3]:
            return None
        self.show([None, None, None, []], [])
        return ["id", "new"]

    def do_open(self) -> list[Any]:
        self.show([None, None, None, [json.loads(json.dumps(FILE_TREE))]], [0, 0, 0])
        return ["open"]

    def do_reload(self) -> list[Any]:
        return ["reload"]

    def show(self, root: Tree, path: list[int]) -> None:
        def replace() -> None:
            self.root, self.path = root, path

        self.change(replace, True)


def in_list(root: Tree) -> list[list[int]]:
    """The paths of all nodes in the order of the list of moves: after a move those beside it, then what
    follows; inside of a variation what is beside a move comes before it."""

    def main(node: Tree, path: list[int]) -> list[list[int]]:
        found: list[list[int]] = []
        while node[3]:
            found.append([*path, 0])
            for i, other in enumerate(node[3][1:], start=1):
                found += branch(other, [*path, i])
            node, path = node[3][0], [*path, 0]
        return found

    def branch(node: Tree, path: list[int]) -> list[list[int]]:
        found = [path]
        while node[3]:
            for i, other in enumerate(node[3][1:], start=1):
                found += branch(other, [*path, i])
            node, path = node[3][0], [*path, 0]
            found.append(path)
        return found

    return [[], *main(root, [])]


# Does what a person does and waits until the address tells the position; returns what went wrong.
DRIVER = """async (steps) => {
    const svg = document.querySelector(".renju-board");
    const { left, bottom, cell } = svg.dataset;
    for (const [number, [[kind, first, second, third], code]] of steps.entries()) {
        if (kind === "point") {
            const at = new DOMPoint(Number(left) + first * cell, Number(bottom) - second * cell);
            const { x, y } = at.matrixTransform(svg.getScreenCTM());
            svg.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
        } else if (kind === "key") {
            const keys = { key: first, ctrlKey: second === "ctrl", shiftKey: third === "shift" };
            document.body.dispatchEvent(new KeyboardEvent("keydown", { ...keys, bubbles: true }));
        } else if (kind === "id") {
            document.getElementById(first).click();
        } else if (kind === "jump") {
            const buttons = document.querySelectorAll("#moves .move");
            if (buttons.length !== second) return `${number}: ${buttons.length} moves, not ${second}`;
            buttons[first].click();
        } else {
            const box = document.getElementById("comment");
            box.value = first;
            for (const name of ["input", "change"]) box.dispatchEvent(new Event(name));
        }
        for (let waited = 0; location.hash.slice(1) !== code; waited += 1) {
            if (waited > 20000) return `${number} ${kind}: at ${location.hash}, not ${code}`;
            await new Promise((done) => setTimeout(done, 1));
        }
    }
    return "";
}"""


def do_steps(page: Page, steps: list[Any], tmp_path: Path) -> None:
    """Does the steps, those of the page itself in one go."""
    waiting: list[Any] = []
    for step, code in [*steps, (["end"], "")]:
        if step[0] not in ("open", "reload", "end"):
            waiting.append([step, code])
            continue
        assert page.evaluate(DRIVER, waiting) == ""
        waiting = []
        if step[0] == "open":
            path = tmp_path / "open.sgf"
            path.write_text(FILE)
            count = page.evaluate("() => localStorage.length")
            page.set_input_files("#file", path)
            page.wait_for_function("n => localStorage.length > n && location.hash === '#a15d12g9'", arg=count)
        elif step[0] == "reload":
            page.reload()
            page.wait_for_function("code => location.hash.slice(1) === code", arg=code)
            page.wait_for_selector("#moves .move")


@pytest.mark.parametrize("seed", range(RUNS))
def test_five_hundred_random_actions_lose_nothing(
    open_page: Callable[..., Page], tmp_path: Path, seed: int
) -> None:
    page, model = by_hand(open_page()), Model(seed)
    steps: list[Any] = []
    count = 0
    while count < ACTIONS:
        step = model.step()
        if step is None:
            continue
        count += 1
        steps.append((step, "".join(model.moves()).lower()))
        if count % 100 == 0:
            do_steps(page, steps, tmp_path)
            steps = []
            assert tree_of(page) == model.root, f"after action {count} of seed {seed}"
