"""One change against none: the match of two configurations, and what else changed beside the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from renju._progress import Progress
from renju._types import BOARD_SIZE
from renju.config import EngineConfig
from renju.errors import Interrupted
from renju.lab.findings import FindingKind
from renju.lab.game_record import GameRecord
from renju.lab.players import EnginePlayer
from renju.lab.referee import Adjudication
from renju.lab.replay import Replay
from renju.lab.result import Match
from renju.lab.runner import match
from renju.lab.sprt import Sprt
from renju.lab.statistics import Spread, statistics_of
from renju.lab.tables import table_text
from renju.lab.weakness import Weakness, WeaknessLimits, find_weaknesses
from renju.limits import Limit

__all__ = ["NEW", "OLD", "Comparison", "Figure", "ab", "compare"]

NEW, OLD = "new", "old"
"""The names of the players of a comparison: with the changes, and without them."""

Settings = Mapping[str, int | bool]

# Name of a figure -> what it is called, and the digits after its point.
_FIGURES: dict[str, tuple[str, int]] = {
    "time_ms_mean": ("think time mean, ms", 1),
    "time_ms_p95": ("think time p95, ms", 1),
    "nodes": ("nodes a move", 0),
    "depth": ("depth mean, plies", 2),
    "researches": ("re-searches a move", 3),
    "interrupted": ("interrupted, % of moves", 2),
    "blunder": ("blunders a game", 3),
    "advantage-squandered": ("squandered a game", 3),
    "time-pressure-error": ("time-pressure errors a game", 3),
    "missed-vcf": ("missed VCFs a game", 3),
    "claim-not-won": ("claims not won a game", 3),
    "claim-rejected": ("claims rejected a game", 3),
    "trap": ("won by forbidden points, % as white", 1),
}
_KINDS: tuple[FindingKind, ...] = (
    "blunder",
    "advantage-squandered",
    "time-pressure-error",
    "missed-vcf",
    "claim-not-won",
    "claim-rejected",
)


@dataclass(frozen=True)
class Figure:
    """A figure of both players; docs/lab-report.md defines each. None where nobody knows."""

    name: str
    """The key of the figure in JSON, such as "nodes"."""
    label: str
    """The words for the figure in a table, with its unit."""
    old: float | None
    """The figure of the player without the changes, in the unit of the label; None if nobody knows."""
    new: float | None
    """The figure of the player with the changes, in the unit of the label; None if nobody knows."""

    @property
    def change_percent(self) -> float | None:
        """Change from old to new in percent of old; None if old is 0 or one of them is not known."""
        if self.old is None or self.new is None or not self.old:
            return None
        return 100 * (self.new - self.old) / self.old


@dataclass(frozen=True)
class Comparison:
    """The match of new against old, and the figures of both."""

    match: Match
    """The match that the player "new" played against "old"."""
    figures: tuple[Figure, ...]
    """What was measured of both players beside the score."""
    changes: Settings = field(default_factory=dict, hash=False)
    """The settings of "new" that are not those of "old", by name."""
    values: tuple[str | None, str | None] = (None, None)
    """The files of the tables of board values of "old" and of "new"; None is that of the package."""

    @property
    def equal_pairs(self) -> int:
        """Pairs whose two games are the same, move by move: there the change made no difference."""
        moves: dict[int, list[str]] = {}
        for game in self.match.games:
            moves.setdefault(game.pair, []).append(game.moves)
        return sum(len(both) == 2 and both[0] == both[1] for both in moves.values())

    def __getitem__(self, name: str) -> Figure:
        """The figure with a name, such as "nodes"."""
        return next(figure for figure in self.figures if figure.name == name)

    def to_dict(self) -> dict[str, Any]:
        """The match and the figures, as JSON has them."""
        return {
            "changes": dict(self.changes),
            "values": dict(zip((OLD, NEW), self.values, strict=True)),
            "match": self.match.to_dict(),
            "equal_pairs": self.equal_pairs,
            "figures": {
                f.name: {"old": f.old, "new": f.new, "change_percent": f.change_percent} for f in self.figures
            },
        }

    def __str__(self) -> str:
        rows = [["", OLD, NEW, "change"]]
        for figure in self.figures:
            digits = _FIGURES[figure.name][1]
            cells = ("–" if x is None else f"{x:,.{digits}f}" for x in (figure.old, figure.new))
            change = figure.change_percent
            rows.append([figure.label, *cells, "–" if change is None else f"{change:+.1f} %"])
        parts = [_what(self), str(self.match)]
        if self.equal_pairs:
            parts.append(
                f"alike     in {self.equal_pairs} pairs both games are the same: the change had no say"
            )
        return "\n".join([*parts, "", table_text(rows)])


def ab(
    changes: Settings | None = None,
    level: str = "hard",
    *,
    config: EngineConfig | None = None,
    base: Settings | None = None,
    values: str | PathLike[str] | None = None,
    base_values: str | PathLike[str] | None = None,
    games: int = 400,
    openings: str | Path | Iterable[str] | None = "random:6",
    limit: Limit | None = None,
    seed: int = 0,
    workers: int = 0,
    path: str | Path | None = None,
    resume: bool = False,
    sprt: Sprt | None = None,
    adjudicate: bool | Adjudication = False,
    length: int = BOARD_SIZE**2,
    weakness: WeaknessLimits | None = None,
    progress: bool | Progress | None = None,
    on_game: Callable[[GameRecord], object] | None = None,
) -> Comparison:
    """Plays `level` with some changes ("new") against the same without them ("old").

    >>> from renju import Limit, lab
    >>> found = lab.ab({"quiescence": False}, "hard", games=4, limit=Limit(nodes=100))
    >>> found.match.players, found["nodes"].old > 0
    (('new', 'old'), True)

    `config` takes the place of the level; `base` are settings of both. `values` is the file of a table of
    board values that new plays with, `base_values` that of both, or of old if both are given; with a table of
    one's own both play without the network. `weakness`
    tells from where on something is a weakness. The rest is as in `lab.match`; openings are random unless
    said otherwise, so that games do not repeat.

    Ctrl-C raises `Interrupted` with the `Match` so far in `partial`.
    """
    old = EngineConfig.from_level(level) if config is None else config
    old = old.replace(**(base or {}))
    tables = [None if given is None else fspath(given) for given in (base_values, values or base_values)]
    if any(tables):
        # A table of one's own plays without the network, which was taught beside another: so must both.
        old = old.replace(network=False)
    if values is not None and (changes or {}).get("fitted", True) != 1:
        raise ValueError("a table of values is used with fitted=true: fitted=false says otherwise")
    players = [
        EnginePlayer(name=name, config=one, values=table)
        for name, one, table in zip((OLD, NEW), (old, old.replace(**(changes or {}))), tables, strict=True)
    ]
    differing = _changes(*players)
    if not differing and tables[0] == tables[1]:
        raise ValueError("there is nothing to compare: new has no other settings and no other table than old")
    played = match(
        players[1],
        players[0],
        games=games,
        openings=openings,
        limit=limit,
        seed=seed,
        workers=workers,
        path=path,
        resume=resume,
        sprt=sprt,
        adjudicate=adjudicate,
        length=length,
        progress=progress,
        on_game=on_game,
    )
    try:
        return compare(played, differing, (tables[0], tables[1]), weakness)
    except KeyboardInterrupt:
        raise Interrupted("interrupted while looking at the games", partial=played) from None


def compare(
    played: Match,
    changes: Settings | None = None,
    values: tuple[str | None, str | None] = (None, None),
    weakness: WeaknessLimits | None = None,
) -> Comparison:
    """What the games of a match of `NEW` and `OLD` tell."""
    replays = [Replay(game) for game in played.games]
    found = find_weaknesses(replays, weakness)
    old, new = (_figures(replays, found, name) for name in (OLD, NEW))
    figures = tuple(Figure(name, label, old[name], new[name]) for name, (label, _) in _FIGURES.items())
    return Comparison(played, figures, dict(changes or {}), values)


def _changes(old: EnginePlayer, new: EnginePlayer) -> dict[str, int | bool]:
    before = vars(old.config)
    return {name: value for name, value in vars(new.config).items() if value != before[name]}


def _figures(replays: list[Replay], found: Weakness, player: str) -> dict[str, float | None]:
    thinking = statistics_of(replays, player)
    as_white = [
        trap for replay, trap in zip(replays, found.traps, strict=True) if replay.game.white == player
    ]
    ends = Counter(as_white)
    figures = {
        "time_ms_mean": _part(thinking.time_ms, "mean"),
        "time_ms_p95": _part(thinking.time_ms, "p95"),
        "nodes": _part(thinking.nodes, "mean"),
        "depth": _part(thinking.depth, "mean"),
        "researches": thinking.researches_per_move,
        "interrupted": _percent(thinking.interruptions, thinking.moves),
        "trap": _percent(ends["trapped"] + ends["self-inflicted"], len(as_white)),
    }
    figures |= {kind: found.per_game(kind, player) for kind in _KINDS}
    if found.vcf_chances is None:
        figures["missed-vcf"] = None  # nobody looked
    return figures


def _part(spread: Spread | None, part: str) -> float | None:
    return None if spread is None else float(getattr(spread, part))


def _percent(part: int, whole: int) -> float | None:
    return 100 * part / whole if whole else None


def _what(comparison: Comparison) -> str:
    """What new is, in one line."""
    words = [f"{name} = {str(value).lower()}" for name, value in comparison.changes.items()]
    old, new = comparison.values
    if old != new:
        words.append(f"values = {new or 'those of the package'}")
    return f"new: {', '.join(words)}"
