"""Was an opening played by its rule? From the actions, or from what a record tells of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from renju._native import parse_moves
from renju._types import PASS, Point, PointLike
from renju.board import Board
from renju.errors import NotationError
from renju.game import Game, Problem
from renju.openings.actions import Action
from renju.openings.fifths import as_points
from renju.openings.play import RuleGame, start
from renju.openings.rules import OpeningRule, most

__all__ = ["RuleCheck", "check", "follow"]

_FIFTH = 4  # its place in a list of moves


@dataclass(frozen=True)
class RuleCheck:
    """How an opening agrees with a rule; true if all of it is known and right."""

    game: RuleGame
    """The opening as far as it could be followed; `is_done` tells if to its end."""
    problems: tuple[Problem, ...]
    """What breaks the rule, with the action or the move."""
    untold: tuple[str, ...] = ()
    """What the record does not tell, and so nobody can judge."""

    @property
    def verdict(self) -> Literal["legal", "illegal", "unknown"]:
        """Legal as far as it goes, or illegal, or unknown: nothing is wrong in what is told."""
        if self.problems:
            return "illegal"
        return "unknown" if self.untold else "legal"

    def __bool__(self) -> bool:
        return self.verdict == "legal"


def check(rule: OpeningRule | str, opening: Game | Board | str | Iterable[Action | str]) -> RuleCheck:
    """Judges a whole opening by a `rule`: a list of the actions of both players, or a record (a game, a
    board, a text of moves), which tells less, see `follow`.

    All that is wrong is named. After a stone in a wrong place, say, the rest is judged as well; after
    something that cannot be done at all it cannot be.

    >>> from renju import openings
    >>> found = openings.check("RIF", ["h8", "h9", "l8", "swap", "g7", "offer i8 i8", "choose i8"])
    >>> for problem in found.problems:
    ...     print(problem)
    action 3 (L8): move 3 is not in the central 5x5 square
    action 6 (offer I8 I8): I8 is offered more than once
    """
    if isinstance(opening, Game):
        if opening.black or opening.white:
            raise ValueError("the game begins with a set-up, and how its stones were placed is not told")
        headers = opening.headers
        return follow(rule, opening.moves, headers.get("swap", ""), headers.get("alternatives", ""))
    if isinstance(opening, Board):
        if not opening._is_from_empty():
            raise ValueError("the board was set up, and how its stones were placed is not told")
        return follow(rule, opening.moves)
    if isinstance(opening, str):
        return follow(rule, opening)
    game = start(rule)
    problems: list[Problem] = []
    for number, text in enumerate(opening, 1):
        action = Action.parse(text)
        where = f"action {number} ({action})"
        problems += [Problem(where, reason) for reason in game.problems(action)]
        if not game.can(action):
            break
        game = game.after(action)
    return RuleCheck(game, tuple(problems))


def follow(
    rule: OpeningRule | str,
    moves: str | Iterable[PointLike],
    swap: str = "",
    alternatives: str | Iterable[PointLike] | None = None,
) -> RuleCheck:
    """Judges by a `rule` what a record tells of an opening: its moves, its swaps and the other fifths.

    `swap` is as in RIF files: a character for each right to swap, "R" where it was used (reversed) and "-"
    where not. `alternatives` are the fifths that were offered besides the one played. RIF files hold other
    things there too, such as "51"; that is no list of points and tells nothing here.

    What is not told is in `untold`, and the verdict is "unknown" then, not "legal". Where nothing is told of
    a swap it goes on without, so that the stones are judged. It stops where the fifths are needed and not
    told, or which way was chosen.

    >>> from renju import openings
    >>> found = openings.follow("Taraguchi-10", "h8 h9 i8 g8 g9", swap="R--R-")
    >>> found.verdict, found.game.is_done, found.game.colors["first"].label
    ('legal', True, 'black')
    >>> openings.follow("RIF", "h8 h9 i8 g8 g9", swap="-").untold
    ('which fifths were offered besides G9',)
    """
    game = start(rule)
    problems: list[Problem] = []
    told = _Told(_moves(moves), swap, alternatives)
    while (action := told.action(game)) is not None:
        where = f"move {len(game.moves) + (action.kind != 'swap')} ({action})"
        problems += [Problem(where, reason) for reason in game.problems(action)]
        if not game.can(action):
            break
        game = game.after(action)
    extra = len(told.swaps) - most("swap", game.program)
    # Where a colour is taken, nobody knows what a swap would mean.
    if extra > 0 and not most("take", game.program):
        problems.append(Problem(f"swaps {swap!r}", f"there are {extra} more than {game.rule} has"))
    return RuleCheck(game, tuple(problems), tuple(told.untold))


class _Told:
    """What a record tells, step by step. Swaps are used up; `untold` grows."""

    def __init__(self, moves: list[Point], swap: str, alternatives: str | Iterable[PointLike] | None) -> None:
        self.untold: list[str] = []
        self.moves = moves
        self.tells_swaps = re.fullmatch(r"[Rr-]+", swap.strip()) is not None
        self.swaps = list(swap.strip().upper()) if self.tells_swaps else []
        if swap.strip() and not self.tells_swaps:
            self.untold.append(f"what the swaps {swap!r} mean")
        self.unread = ""
        self.fifths = self._fifths(alternatives)

    def action(self, game: RuleGame) -> Action | None:
        """The next action, or None where the record ends or tells nothing."""
        kinds = {option.kind for option in game.options}
        if "take" in kinds:
            self.untold.append(f"what {game.player} chose after move {len(game.moves)}")
            return None
        # Where both are possible, an offer was made if no more swaps are told of.
        offered = "offer" in kinds and not self.swaps and (self.tells_swaps or bool(self.fifths))
        if "swap" in kinds and not offered:
            return self._swap(game, "offer" in kinds)
        if len(game.moves) == len(self.moves) or not kinds:
            return None
        move = self.moves[len(game.moves)]
        if "place" in kinds or move == PASS:  # a pass is wrong whatever is asked for
            return Action("place", (move,))
        if "choose" in kinds:
            return Action("choose", (move,))
        if not self.fifths:
            besides = f" besides {self.moves[_FIFTH]}" if len(self.moves) > _FIFTH else ""
            self.untold.append(f"which fifths were offered{besides}{self.unread}")
            return None
        if "declare" in kinds:
            return Action("declare", count=len(self.fifths))
        return Action("offer", self.fifths)

    def _swap(self, game: RuleGame, has_other_way: bool) -> Action | None:
        if self.swaps:
            return Action("swap", swapped=self.swaps.pop(0) == "R")
        if len(game.moves) == len(self.moves):
            return None
        what = f"whether {game.player} swapped after move {len(game.moves)}"
        if has_other_way:
            self.untold.append(f"{what} or offered fifths")
            return None
        self.untold.append(what)
        return Action("swap", swapped=False)

    def _fifths(self, alternatives: str | Iterable[PointLike] | None) -> tuple[Point, ...]:
        """The fifths that were offered, the one played among them; nothing if it is not told."""
        if alternatives is None or len(self.moves) <= _FIFTH:
            return ()
        played = self.moves[_FIFTH]
        if isinstance(alternatives, str):
            others = _points_or_none(alternatives)
            if not others:
                # Told only if it matters.
                self.unread = f" ({alternatives!r} is no list of points)" if alternatives.strip() else ""
                return ()
        else:
            others = as_points(alternatives)
        return others if played in others else (*others, played)


def _points_or_none(text: str) -> tuple[Point, ...]:
    """The points of a text that may be anything."""
    try:
        return as_points(text)
    except NotationError:
        return ()


def _moves(moves: str | Iterable[PointLike]) -> list[Point]:
    return list(map(Point, parse_moves(moves) if isinstance(moves, str) else moves))
