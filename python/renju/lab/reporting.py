"""The report of matches: who is stronger, how they think, where they go wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from renju._progress import Progress
from renju.lab.game_record import GameRecord
from renju.lab.ratings import Elo, Rating, elo_of_games, elo_of_pairs, pair_counts, rate_players
from renju.lab.replay import Replay
from renju.lab.result import Match
from renju.lab.sprt import Sprt, SprtState
from renju.lab.statistics import Results, Statistics, results_of, statistics_of
from renju.lab.store import read_match
from renju.lab.weakness import FINDING_KINDS, SEED_PER_GAME, Weakness, WeaknessLimits, find_weaknesses

__all__ = ["REPORT_VERSION", "Report", "read_games", "report"]

REPORT_VERSION = 1
"""The version of the JSON form of a report; docs/lab-report.md tells what it holds."""

Source = str | PathLike[str]


@dataclass(frozen=True)
class Report:
    """All figures of some games; `str` is the text for a terminal."""

    title: str
    """The heading of the report, in words."""
    files: tuple[str, ...]
    """Paths of the match files that the games come from."""
    notes: tuple[str, ...]
    """What the reader of the figures should know, a sentence each."""
    players: tuple[str, ...]
    """Names of the players; the first is the one whose score is told."""
    elo: Elo | None
    """Strength in Elo of the first player against all others; None if it played nobody else."""
    pairs: tuple[int, ...]
    """Numbers of pairs in which the first player took 0, ½, 1, 1½ and 2 points."""
    sprt: Sprt
    """The sequential test that the pairs are put to."""
    sprt_state: SprtState
    """Where the test stands after these pairs."""
    ratings: tuple[Rating, ...]
    """Strengths of all players in Elo, strongest first."""
    results: Results
    """How many games ended in which way."""
    statistics: tuple[Statistics, ...]
    """How long and how deep all players together think, then each player."""
    weakness: Weakness
    """Where the players went wrong, move by move."""
    limits: WeaknessLimits
    """From where on a move counts as a weakness."""
    replays: tuple[Replay, ...] = field(repr=False)
    """The games, where findings are looked up by their index."""

    def to_dict(self) -> dict[str, Any]:
        """All figures and findings, as JSON has them; None for what is not finite."""
        facts = {
            "format": "renju-lab-report",
            "version": REPORT_VERSION,
            "title": self.title,
            "files": list(self.files),
            "notes": list(self.notes),
            "players": list(self.players),
            "elo": None if self.elo is None else asdict(self.elo),
            "pairs": list(self.pairs),
            "sprt": asdict(self.sprt) | asdict(self.sprt_state),
            "ratings": [asdict(rating) for rating in self.ratings],
            "results": asdict(self.results) | {"trap_share": self.results.trap_share},
            "statistics": [asdict(statistics) for statistics in self.statistics],
            "weakness": self._weakness_facts(),
        }
        finite: dict[str, Any] = _finite(facts)
        return finite

    def _weakness_facts(self) -> dict[str, Any]:
        found = self.weakness
        metrics = [
            {
                "kind": kind,
                "meaning": meaning,
                "count": found.count(kind),
                "per_game": found.per_game(kind),
                "per_move": found.per_move(kind),
                "seed_per_game": SEED_PER_GAME.get(kind),
                "players": {
                    name: {
                        "count": found.count(kind, name),
                        "per_game": found.per_game(kind, name),
                        "per_move": found.per_move(kind, name),
                    }
                    for name in self.players
                },
            }
            for kind, meaning in FINDING_KINDS.items()
        ]
        return {
            "limits": asdict(self.limits),
            "metrics": metrics,
            "vcf_chances": found.vcf_chances,
            "vcf_unknown": found.vcf_unknown,
            "aspiration_researches": found.researches,
            "findings": [asdict(f) | {"color": f.color.label} for f in found.findings],
        }

    def to_json(self) -> str:
        """The report as one line of JSON."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def to_text(self) -> str:
        """The report as text for a terminal."""
        from renju.lab.report_text import report_text

        return report_text(self)

    def to_html(self, boards: int = 8) -> str:
        """One HTML page that needs no other file, with at most `boards` boards for each kind of finding."""
        from renju.lab.page import report_page

        return report_page(self, boards)

    def __str__(self) -> str:
        return self.to_text()


@dataclass(frozen=True)
class _Match:
    """The games of a file, or games given as such."""

    games: tuple[GameRecord, ...]
    players: tuple[str, ...] = ()
    sprt: Sprt | None = None


def read_games(
    path: Source, note: Callable[[str], object] | None = None
) -> tuple[dict[str, Any], list[GameRecord]]:
    """The header and the games of a match file. A last line that was cut off is passed over, and `note` is
    told so; `FormatError` names the line of anything else that is wrong."""
    header, games = read_match(fspath(path))
    with Path(path).open("rb") as file:
        if file.seek(0, 2) and file.seek(-1, 2) >= 0 and file.read(1) != b"\n" and note is not None:
            note(f"{fspath(path)}: the last line was cut off and is passed over")
    return header, games


def report(
    games: Source | Iterable[Source | GameRecord],
    *,
    player: str | None = None,
    sprt: Sprt | None = None,
    limits: WeaknessLimits | None = None,
    title: str | None = None,
    threads: int = 0,
    progress: bool | Progress | None = None,
) -> Report:
    """Looks at the games of match files, or at games given as records.

    `player` is the one whose score is told, by default the first of the first file. `sprt` is by default that
    of the match, or else the usual one. `limits` tells from where on a move is a weakness, `title` is the
    heading. `threads` and `progress` are for the search for missed wins.
    """
    notes: list[str] = []
    files, matches = _matches(games, notes)
    limits = WeaknessLimits() if limits is None else limits
    sprt = sprt or next((match.sprt for match in matches if match.sprt), None) or Sprt()
    players = _players(matches, player)
    replays = tuple(Replay(game) for match in matches for game in match.games)
    counts = _pairs(matches, players[0]) if players else (0, 0, 0, 0, 0)
    elo = _elo(replays, players[0], counts, notes) if len(players) > 1 else None
    found = find_weaknesses(replays, limits, threads, progress)
    _note_silence(replays, notes)
    _note_repetitions(replays, notes)
    return Report(
        title=title or _title(players),
        files=tuple(files),
        notes=tuple(notes),
        players=players,
        elo=elo,
        pairs=counts,
        sprt=sprt,
        sprt_state=sprt.state(counts),
        ratings=rate_players(replay.game for replay in replays),
        results=results_of(replays, found.traps),
        statistics=tuple(statistics_of(replays, name) for name in (None, *players)),
        weakness=found,
        limits=limits,
        replays=replays,
    )


def _matches(
    games: Source | Iterable[Source | GameRecord], notes: list[str]
) -> tuple[list[str], list[_Match]]:
    """The files, and the games of each; records are one match more."""
    given = [games] if isinstance(games, str | PathLike) else list(games)
    files, matches, records = [], [], []
    for item in given:
        if isinstance(item, GameRecord):
            records.append(item)
            continue
        if not isinstance(item, str | PathLike):
            raise TypeError(f"games are match files or GameRecords, not {type(item).__name__}")
        files.append(fspath(item))
        matches.append(_of_file(fspath(item), *read_games(item, notes.append), notes))
    if records or not matches:
        matches.append(_Match(tuple(records)))
    return files, matches


def _of_file(path: str, header: Mapping[str, Any], games: list[GameRecord], notes: list[str]) -> _Match:
    match = Match.of_file(path, header, games)  # it knows which games count
    if left := len(games) - len(match.games):
        notes.append(f"{path}: games after the decision of the test are left out: {left}")
    return _Match(match.games, match.players, match.sprt)


def _players(matches: list[_Match], first: str | None) -> tuple[str, ...]:
    names = [name for match in matches for name in match.players]
    names += [name for match in matches for game in match.games for name in (game.black, game.white)]
    if first is not None and first not in names:
        raise ValueError(f"{first!r} played no game; the players are {', '.join(dict.fromkeys(names))}")
    return tuple(dict.fromkeys(names if first is None else [first, *names]))


def _title(players: tuple[str, ...]) -> str:
    if len(players) == 1:
        return f"{players[0]} against itself"
    return " – ".join(players) if len(players) == 2 else f"{len(players)} players"


def _pairs(matches: list[_Match], player: str) -> tuple[int, ...]:
    # The numbers of pairs begin anew in every match.
    return tuple(sum(counts) for counts in zip(*(pair_counts(m.games, player) for m in matches), strict=True))


def _elo(replays: tuple[Replay, ...], player: str, counts: tuple[int, ...], notes: list[str]) -> Elo | None:
    games = [r.game for r in replays if r.game.black != r.game.white]
    points = [game.result_of(player) for game in games if player in (game.black, game.white)]
    if not any(counts):
        return elo_of_games(points.count(1.0), points.count(0.5), points.count(0.0)) if points else None
    if left := len(points) - 2 * sum(counts):
        notes.append(f"games of unfinished pairs, which the rating leaves out: {left}")
    return elo_of_pairs(counts)


def _note_repetitions(replays: Sequence[Replay], notes: list[str]) -> None:
    games = [replay.game for replay in replays]
    repeated = len(games) - len({(game.black, game.white, game.moves) for game in games})
    if repeated:
        notes.append(f"games that repeat earlier ones move by move, and are no evidence: {repeated}")


def _note_silence(replays: tuple[Replay, ...], notes: list[str]) -> None:
    silent = sum(bool(r.game.plies) and all(ply.score is None for ply in r.game.plies) for r in replays)
    bare = sum(not r.game.plies for r in replays)
    if silent or bare:
        notes.append(f"games without scores, in which few weaknesses can be found: {silent + bare}")


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value
