"""Openings by a rule on the page of `renju board`, step by step as a person makes them."""

from __future__ import annotations

import json

from renju import openings
from renju.openings import Action, RuleGame
from renju.web.rules import action_text
from support.web_page import Page

__all__ = ["RulePage"]

# The steps of the line that is shown, from what the page has stored.
_STEPS = """() => {
    const tab = JSON.parse(sessionStorage.getItem("renju.tab"));
    const game = JSON.parse(localStorage.getItem("renju.game." + tab.game));
    const nodes = new Map(game.nodes.map((node) => [node.id, node]));
    const steps = [];
    for (let node = nodes.get(game.at); node; node = nodes.get(node.parent)) {
        const step = node.move || (node.properties && node.properties.OPENINGACTION || [])[0];
        if (step) steps.unshift(step);
    }
    return JSON.stringify(steps);
}"""

# The turn of the person, or the end of the opening.
_OURS = """() => {
    const step = document.getElementById("rule-step").textContent;
    const isBusy = document.querySelector("#status-text[aria-busy=true]") !== null;
    const isOver = document.getElementById("rule").hidden || step.startsWith("The opening is over");
    const isThinking = document.getElementById("thinking").textContent !== "";
    return !isBusy && (isOver || (step.startsWith("You ") && !isThinking));
}"""


class RulePage:
    """The page with an opening by a rule."""

    def __init__(self, page: Page, rule: str, side: str) -> None:
        """Begins the opening in an empty game; `side` is what the person plays."""
        self.page, self.rule = page, rule
        page.open_tab("play")
        page.select_option("#rule-choice", rule)
        page.locator("#rule").wait_for()
        page.settle()
        page.select_option("#side", side)
        page.settle()

    @property
    def steps(self) -> list[str]:
        """What was done, as the page has stored it."""
        found: list[str] = json.loads(self.page.evaluate(_STEPS))
        return found

    @property
    def game(self) -> RuleGame:
        """The same, as the machine of the rule has it."""
        game = openings.start(self.rule)
        for text in self.steps:
            if game.is_done:
                break
            is_choice = any(option.kind == "choose" for option in game.options)
            game = game.play(f"choose {text}" if is_choice else text)
        return game

    @property
    def told(self) -> str:
        """What the page says is to be done."""
        text: str = self.page.locator("#rule-step").inner_text()
        return text

    def press(self, name: str) -> None:
        self.page.locator("#rule-actions").get_by_role("button", name=name, exact=True).click()

    def do(self, action: Action | str) -> None:
        """Makes a step with the mouse, and waits until it is made."""
        action, page = Action.parse(action), self.page
        before = self.steps
        match action.kind:
            case "place" | "choose":
                page.click_point(str(action.points[0]))
            case "swap":
                self.press("Swap colours" if action.swapped else "Do not swap")
            case "declare":
                page.select_option("#rule-actions select", str(action.count))
                self.press("Declare")
            case "take":
                self.press("Take Black" if str(action) == "take black" else "Take White")
            case "offer":
                for number, point in enumerate(action.points, start=1):
                    page.click_point(str(point))
                    page.wait_text("#rule-actions", f"{number} of {len(action.points)} chosen")
                self.press("Offer these")
        self.wait_for_step([*before, action_text(action)])

    def wait_for_step(self, steps: list[str]) -> None:
        """Waits until a line begins with these steps; the engine may have gone on."""
        self.page.wait_for_function(
            f"""steps => {{
                const made = JSON.parse(({_STEPS})());
                return steps.every((step, i) => made[i] === step);
            }}""",
            arg=steps,
        )
        self.page.settle()

    def wait_for_turn(self) -> None:
        """Waits until the person has to do something, or the opening is over."""
        self.page.wait_for_function(_OURS)

    def expect(self, game: RuleGame) -> None:
        """The page shows the state of the machine."""
        first, second = (game.colors[player].label.capitalize() for player in ("first", "second"))
        self.page.wait_text("#rule-players", f"First player ({first})")
        self.page.wait_text("#rule-players", f"Second player ({second})")
        assert [move.upper() for move in self.page.moves] == [str(move) for move in game.moves]
        if game.is_done:
            self.page.wait_text("#rule-step", "The opening is over")
        else:
            who = f"{game.player.capitalize()} player ({game.colors[game.player].label.capitalize()})"
            self.page.wait_text("#rule-step", f"{who}: ")
