"""Openings by a rule as the page plays them: what was done so far, and what may be done now.

The rules themselves are those of `renju.openings`. A request tells all that was done, as texts; nothing is
kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from renju._types import Point
from renju.errors import NotationError
from renju.openings import Action, OpeningRule, Option, RuleGame, equivalent_moves, start
from renju.openings.rules import ActionKind, Player
from renju.web.facts import names
from renju.web.japanese import refusal_text

__all__ = ["RULES", "action_text", "followed", "rule_facts"]

_FIRST = ("rif", "yamaguchi", "soosorv-8", "taraguchi-10", "swap2")

RULES = sorted(
    (rule for rule in OpeningRule if rule.has_machine and rule is not OpeningRule.NONE),
    key=lambda rule: _FIRST.index(rule.value) if rule.value in _FIRST else len(_FIRST),
)
"""The opening rules that can be played, the best known ones first."""


def followed(rule: str, texts: Sequence[str]) -> tuple[RuleGame, list[Player], tuple[int, Action] | None]:
    """The opening after what was done, who did each thing, and the place and the action of the first thing
    that the rule refuses, if there is one: the opening is that before it.

    A point alone is a stone, or the choice of a fifth where there is one to choose. What comes after the end
    of the opening are moves like all others, which no rule concerns.
    """
    game, by = start(rule), list[Player]()
    for place, text in enumerate(texts):
        kinds = _kinds(game)
        try:
            action = Action.parse(text)
        except ValueError as error:
            raise NotationError(f"action {place + 1}: {error}") from None
        if game.is_done and action.kind == "place":
            break
        if action.kind == "place" and "choose" in kinds:
            action = Action("choose", action.points)
        if game.problems(action):
            return game, by, (place, action)
        by.append(next(option.player for option in game.options if option.kind == action.kind))
        game = game.play(action)
    return game, by, None


def action_text(action: Action) -> str:
    """The text of an action in requests: a stone and the choice of a fifth are a point."""
    return str(action.points[0]) if action.kind in ("place", "choose") else str(action)


def rule_facts(rule: str, texts: Sequence[str]) -> dict[str, Any]:
    """All that the page shows of an opening that is played by a rule."""
    game, by, refused = followed(rule, texts)
    facts: dict[str, Any] = {
        "rule": game.rule.value,
        "name": game.rule.label,
        "done": game.is_done,
        "player": game.player,
        "colors": {player: color.label for player, color in game.colors.items()},
        "moves": names(game.moves),
        "declared": game.declared,
        "offered": names(game.offered),
        "by": by,
        "options": [_option_facts(game, option) for option in game.options],
        "refused": None,
    }
    if refused is not None:
        place, action = refused
        reasons = {"en": "; ".join(game.problems(action)), "ja": refusal_text(game, action)}
        facts["refused"] = {"place": place, "action": str(action), "texts": reasons}
    return facts


def _option_facts(game: RuleGame, option: Option) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "kind": option.kind,
        "player": option.player,
        "color": option.color.label,
        "text": option.text,
    }
    match option.kind:
        case "place":
            stone = "white" if len(game.moves) % 2 else "black"
            facts |= {"number": len(game.moves) + 1, "stone": stone, "reach": option.reach}
            facts["points"] = names(option.points)
        case "declare":
            facts |= {"low": option.low, "high": option.high}
        case "offer":
            facts |= {"count": option.low, "same": _same(game, option.points)}
        case "choose":
            facts["points"] = names(option.points)
    return facts


def _same(game: RuleGame, points: Sequence[Point]) -> list[list[str]]:
    """Groups of points that are one fifth: a symmetry of the stones' shape leads from one to the other."""
    groups = equivalent_moves(game.board, points, edges=False)
    return [names(group) for group in groups if len(group) > 1]


def _kinds(game: RuleGame) -> set[ActionKind]:
    return {option.kind for option in game.options}
