"""What a player does in an opening, and what may be done."""

from __future__ import annotations

import re
from dataclasses import dataclass

from renju._types import Color, Point, on_board
from renju.errors import NotationError
from renju.openings.fifths import as_points
from renju.openings.rules import ActionKind, Player

__all__ = ["Action", "Option"]


@dataclass(frozen=True)
class Action:
    """What a player does. As text: "H8", "swap", "no swap", "declare 3", "offer G7 J9", "choose J9",
    "take black".

    >>> from renju.openings import Action
    >>> Action.parse("offer g7 j9"), str(Action.parse("keep"))
    (Action(kind='offer', points=(Point('G7'), Point('J9')), count=None, swapped=None, color=None), 'no swap')
    """

    kind: ActionKind
    """What is done: place, swap, declare, offer, choose or take."""
    points: tuple[Point, ...] = ()
    """The point of the stone, the points of the fifths that are offered, or of the one that is chosen."""
    count: int | None = None
    """Fifths that are declared; None for other actions."""
    swapped: bool | None = None
    """Whether the right to swap is used; None for other actions."""
    color: Color | None = None
    """The colour that is taken; None for other actions."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", tuple(map(Point, self.points)))  # names and numbers do as well
        complete = {
            "place": len(self.points) == 1,
            "swap": self.swapped is not None,
            "declare": self.count is not None,
            "offer": bool(self.points),
            "choose": len(self.points) == 1,
            "take": self.color is not None,
        }
        if not complete.get(self.kind, False):
            raise ValueError(f"this is no action of an opening: {self!r}")

    @classmethod
    def parse(cls, text: str | Action) -> Action:
        """An action from its text; a point alone is a stone."""
        if isinstance(text, Action):
            return text
        if not isinstance(text, str):
            raise TypeError(f"an action is text such as 'swap', not {type(text).__name__}")
        words = " ".join(text.lower().split())
        verb, _, rest = words.partition(" ")
        if words in ("swap", "no swap", "keep"):
            return cls("swap", swapped=words == "swap")
        if verb == "declare" and re.fullmatch(r"[0-9]{1,3}", rest):
            return cls("declare", count=int(rest))
        if verb == "take" and rest in ("black", "white"):
            return cls("take", color=Color[rest.upper()])
        try:
            if verb == "offer":
                return cls("offer", as_points(rest))
            if verb == "choose":
                return cls("choose", (on_board(rest),))
            return cls("place", (on_board(rest if verb == "place" else words),))
        except NotationError as error:
            raise NotationError(f"{text!r} is no action of an opening: {error}") from None

    def __str__(self) -> str:
        match self.kind:
            case "swap":
                return "swap" if self.swapped else "no swap"
            case "place":
                return " ".join(map(str, self.points))
            case "declare":
                return f"declare {self.count}"
            case "take":
                return f"take {self.color.label if self.color else None}"
            case _:
                return f"{self.kind} {' '.join(map(str, self.points))}"


@dataclass(frozen=True)
class Option:
    """Something that may be done now."""

    kind: ActionKind
    """What may be done: place, swap, declare, offer, choose or take."""
    player: Player
    """The player who may do it, first or second."""
    color: Color
    """The colour that this player has now."""
    points: tuple[Point, ...] = ()
    """Where the stone may go, which points may be offered, or which fifths there are to choose from."""
    low: int = 0
    """The fewest fifths that may be declared or offered; 0 for other actions."""
    high: int = 0
    """The most fifths that may be declared or offered; 0 for other actions."""
    reach: int | None = None
    """For a stone: the most lines between it and the centre of the board; None is anywhere."""
    text: str = ""
    """What may be done, in words for people."""

    def __str__(self) -> str:
        return self.text
