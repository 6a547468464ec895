"""An opening that is played by a rule, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import index

from renju._types import BOARD_SIZE, PASS, Color, Point, PointLike, on_board
from renju.board import Board
from renju.errors import IllegalMoveError
from renju.openings.actions import Action, Option
from renju.openings.fifths import as_points, check_fifths
from renju.openings.rules import PROGRAMS, OpeningRule, Player, Program, Role, Step, heads

__all__ = ["RuleGame", "start"]

_POINTS = tuple(map(Point, range(BOARD_SIZE * BOARD_SIZE)))
_CENTER = _POINTS[len(_POINTS) // 2]


@dataclass(frozen=True)
class RuleGame:
    """An opening under a rule, as far as it has come. A value: what is done gives a new one.

    >>> from renju import openings
    >>> game = openings.start("RIF").place("h8", "i9", "i7")
    >>> game.player, game.expected
    ('second', 'second (white) swaps or not')
    >>> game = game.swap().place("g9").offer("j8 g7")
    >>> game.colors
    {'first': <Color.WHITE: 2>, 'second': <Color.BLACK: 1>}
    >>> game.choose("a1")
    Traceback (most recent call last):
        ...
    renju.errors.IllegalMoveError: RIF: A1 was not offered. Now first (white) chooses one of the fifths J8, G7
    >>> game = game.choose("g7")
    >>> game.is_done, game.player, game.board.record()
    (True, 'first', 'h8i9i7g9g7')
    """

    rule: OpeningRule
    """The opening rule that is followed."""
    program: Program = field(repr=False)
    """The steps of the rule that are left."""
    moves: tuple[Point, ...] = ()
    """The points of the stones that were placed, black and white in turn."""
    black: Player = "first"
    """The player who has black now, first or second."""
    declared: int | None = None
    """Fifths that were declared; None if the rule has not asked for it."""
    offered: tuple[Point, ...] = ()
    """The points of the fifths that were offered."""
    history: tuple[Action, ...] = ()
    """The actions that were done, from the beginning."""

    # State

    @property
    def board(self) -> Board:
        """The stones that were placed, as a board of its own."""
        return Board(self.moves)

    @property
    def is_done(self) -> bool:
        """Is the opening over? Then normal play goes on."""
        return not self.program

    @property
    def colors(self) -> dict[Player, Color]:
        """Who has which colour now. Until the first choice of a side the one who begins has black."""
        black_is_first = self.black == "first"
        return {
            "first": Color.BLACK if black_is_first else Color.WHITE,
            "second": Color.WHITE if black_is_first else Color.BLACK,
        }

    @property
    def player(self) -> Player:
        """Who has to do something now; after the opening, who has the colour to move."""
        return self._player(heads(self.program)[0][0].by if self.program else "to move")

    @property
    def options(self) -> tuple[Option, ...]:
        """What may be done now; more than one where the rule leaves a choice. None after the opening."""
        return tuple(self._option(step) for step, _ in heads(self.program))

    @property
    def expected(self) -> str:
        """What may be done now, in words."""
        if self.is_done:
            return f"the opening is over: {self.player} ({self.colors[self.player].label}) moves"
        return ", or ".join(self._words(step) for step, _ in heads(self.program))

    def __str__(self) -> str:
        return f"{self.rule}: {self.expected}"

    # Actions

    def place(self, *points: PointLike) -> RuleGame:
        """Places a stone, or several one after the other: ``place("h8", "h9")`` or ``place("h8h9")``."""
        game = self
        for point in points:
            for stone in as_points(point if isinstance(point, str) else [point]):
                game = game.play(Action("place", (stone,)))
        return game

    def swap(self, yes: bool = True) -> RuleGame:
        """Uses the right to swap, or not if `yes` is False."""
        return self.play(Action("swap", swapped=bool(yes)))

    def declare(self, count: int) -> RuleGame:
        """Says that `count` fifths will be offered."""
        return self.play(Action("declare", count=index(count)))

    def offer(self, fifths: str | Iterable[PointLike]) -> RuleGame:
        """Offers the points `fifths` to choose from."""
        return self.play(Action("offer", as_points(fifths)))

    def choose(self, fifth: PointLike) -> RuleGame:
        """Chooses `fifth`, one of the offered points; its stone is placed."""
        return self.play(Action("choose", (on_board(fifth),)))

    def take(self, color: Color | int | str) -> RuleGame:
        """Takes the stones of `color`, "black" or "white"."""
        return self.play(Action("take", color=_color(color)))

    def play(self, action: Action | str) -> RuleGame:
        """Does an `action`; `IllegalMoveError` says which part of the rule it would break."""
        action = Action.parse(action)
        problems = self.problems(action)
        if problems:
            raise IllegalMoveError(f"{self.rule}: {'; '.join(problems)}. Now {self.expected}")
        return self.after(action)

    def undo(self) -> RuleGame:
        """The opening without the last action."""
        if not self.history:
            raise IndexError("nothing was done yet")
        game = start(self.rule)
        for action in self.history[:-1]:
            game = game.after(action)
        return game

    def problems(self, action: Action | str) -> tuple[str, ...]:
        """All that is wrong with an action, in words; nothing if it is allowed.

        >>> from renju import openings
        >>> openings.start("RIF").problems("g7")
        ('move 1 is not on the centre',)
        """
        action = Action.parse(action)
        step = self._step(action)
        if step is None:
            return (f"{str(action)!r} is not possible now",)
        match action.kind:
            case "place":
                return tuple(self._stone_problems(action.points[0], step))
            case "declare":
                if step.low <= (action.count or 0) <= step.high:
                    return ()
                return (f"{step.low} to {step.high} fifths may be declared, not {action.count}",)
            case "offer":
                return check_fifths(self.board, action.points, self._fifths(step)).problems
            case "choose":
                return () if action.points[0] in self.offered else (f"{action.points[0]} was not offered",)
        return ()

    def can(self, action: Action) -> bool:
        """Can `action` be done at all, rightly or not? Not what nobody is asked for, and no stone on a
        stone."""
        if self._step(action) is None:
            return False
        return action.kind not in ("place", "choose") or action.points[0] not in {*self.moves, PASS}

    def after(self, action: Action) -> RuleGame:
        """The opening after an `action` that can be done, rightly or not; `play` asks for the rule as
        well."""
        if not self.can(action):
            raise IllegalMoveError(f"{self.rule}: {str(action)!r} cannot be done. Now {self.expected}")
        left = next(left for step, left in heads(self.program) if step.kind == action.kind)
        game = replace(self, history=(*self.history, action), program=left)
        match action.kind:
            case "swap":
                return replace(game, black=_other(self.black)) if action.swapped else game
            case "declare":
                return replace(game, declared=action.count)
            case "offer":
                return replace(game, offered=action.points)
            case "take":
                black = self.player if action.color is Color.BLACK else _other(self.player)
                return replace(game, black=black)
        return replace(game, moves=(*self.moves, *action.points))

    # Helpers

    def _step(self, action: Action) -> Step | None:
        return next((step for step, _ in heads(self.program) if step.kind == action.kind), None)

    def _player(self, by: Role) -> Player:
        if by == "first" or by == "second":
            return by
        # Black has the odd moves. Nobody passes in an opening.
        black_moves = (len(self.moves) % 2 == 0) == (by == "to move")
        return self.black if black_moves else _other(self.black)

    def _fifths(self, step: Step) -> int:
        return step.high or self.declared or 0

    def _stone_problems(self, point: Point, step: Step) -> list[str]:
        if point == PASS:
            return ["nobody may pass in an opening"]
        problems = [f"{point} is occupied"] if point in self.moves else []
        if not _is_within(point, step.reach):
            problems.append(f"move {len(self.moves) + 1} is not {_where(step.reach)}")
        return problems

    def _option(self, step: Step) -> Option:
        player = self._player(step.by)
        low, high = step.low, step.high
        if step.kind == "offer":
            low = high = self._fifths(step)
        return Option(
            step.kind,
            player,
            self.colors[player],
            self._points(step),
            low,
            high,
            step.reach,
            self._words(step),
        )

    def _points(self, step: Step) -> tuple[Point, ...]:
        if step.kind == "choose":
            return self.offered
        if step.kind not in ("place", "offer"):
            return ()
        taken = {*self.moves}
        return tuple(point for point in _POINTS if point not in taken and _is_within(point, step.reach))

    def _words(self, step: Step) -> str:
        player = self._player(step.by)
        who = f"{player} ({self.colors[player].label})"
        match step.kind:
            case "place":
                stone = "white" if len(self.moves) % 2 else "black"
                return f"{who} places move {len(self.moves) + 1}, a {stone} stone, {_where(step.reach)}"
            case "swap":
                return f"{who} swaps or not"
            case "declare":
                return f"{who} declares how many fifths there will be, {step.low} to {step.high}"
            case "offer":
                count = self._fifths(step)
                fifths = "one fifth" if count == 1 else f"{count} fifths, no two of them equivalent"
                return f"{who} offers {fifths}"
            case "choose":
                return f"{who} chooses one of the fifths {', '.join(map(str, self.offered))}"
            case "take":
                return f"{player} takes black or white"


def start(rule: OpeningRule | str) -> RuleGame:
    """The beginning of an opening under this rule.

    >>> from renju import openings
    >>> openings.start("Swap2").place("h8", "i9", "k5").expected
    'second takes black or white, or second (white) places move 4, a white stone, anywhere'
    """
    rule = OpeningRule.parse(rule)
    if not rule.has_machine:
        known = ", ".join(str(other) for other in OpeningRule if other.has_machine)
        raise ValueError(f"only the name of {rule} is known here; there are steps for {known}")
    return RuleGame(rule, PROGRAMS[rule])


def _other(player: Player) -> Player:
    return "second" if player == "first" else "first"


def _is_within(point: Point, reach: int | None) -> bool:
    if reach is None:
        return True
    return max(abs(point.x - _CENTER.x), abs(point.y - _CENTER.y)) <= reach


def _where(reach: int | None) -> str:
    if reach is None:
        return "anywhere"
    side = 2 * reach + 1
    return "on the centre" if reach == 0 else f"in the central {side}x{side} square"


def _color(color: Color | int | str) -> Color:
    if isinstance(color, str):
        if color.strip().upper() not in Color.__members__:
            raise ValueError(f"a colour is 'black' or 'white', not {color!r}")
        return Color[color.strip().upper()]
    return Color(color)
