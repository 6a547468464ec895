"""Matches: the games of a schedule, played by several threads, each with players of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import perf_counter
from typing import Any

from renju import __version__
from renju._machine import cores
from renju._progress import Progress
from renju._types import BOARD_SIZE
from renju.errors import Interrupted
from renju.lab.game_record import GameRecord
from renju.lab.match_bar import MatchBar
from renju.lab.openings import Openings
from renju.lab.players import EnginePlayer, Player, PlayerLike, Seat, as_players
from renju.lab.referee import Adjudication, Referee
from renju.lab.result import Match, Walk, games_that_count
from renju.lab.schedule import Pairing, schedule
from renju.lab.sprt import Sprt
from renju.lab.store import MatchFile
from renju.limits import Limit, between, whole
from renju.speed import signature

__all__ = ["engine_facts", "match", "round_robin"]

# The main thread looks up so often, to hear of Ctrl-C.
_LOOK_S = 0.1
# So often those that are at work are told to stop, until they have: a stop concerns only what has begun.
_STOP_S = 0.005

_MOST_WORKERS = 256
_POINTS = BOARD_SIZE**2


# It takes half a second, and does not change while a process runs.
_signature = cache(signature)


def engine_facts() -> dict[str, Any]:
    """Which engine this is: the version of the package, and what its search does."""
    return {"package": __version__, "signature": _signature()}


def match(
    a: PlayerLike,
    b: PlayerLike,
    *,
    games: int = 100,
    openings: str | Path | Iterable[str] | None = None,
    limit: Limit | None = None,
    seed: int = 0,
    workers: int = 0,
    path: str | Path | None = None,
    resume: bool = False,
    sprt: Sprt | None = None,
    adjudicate: bool | Adjudication = False,
    length: int = _POINTS,
    progress: bool | Progress | None = None,
    on_game: Callable[[GameRecord], object] | None = None,
) -> Match:
    """Plays a match of two players; every opening is played twice, with colours exchanged.

    >>> from renju import lab
    >>> result = lab.match("easy,nodes=500", "beginner,nodes=500", games=4, seed=1)
    >>> [game.black for game in result.games]
    ['easy,nodes=500', 'beginner,nodes=500', 'easy,nodes=500', 'beginner,nodes=500']

    Players are texts as `Player.parse` takes them, configurations, or players; `limit` is for those that
    have no limit of time or nodes. `openings` are the 26 ("26", the default), those of a file or a list, or
    random ones ("random:8"). `workers` games are played at once (0: as many as there are cores for them);
    with fixed nodes the games do not depend on it. What is random follows from `seed`.

    Games are written to the file `path` as they end; `resume` takes up a match that is in it. With `sprt`
    the match ends when the test is decided; `games` is the most there can be. `adjudicate` ends games that
    are decided, `length` is the most moves of a game. `progress` is True for a bar, or called with the games
    done and planned; `on_game` is called with every game that ends.

    Ctrl-C raises `Interrupted` with the finished games in `partial`; those that were going on are lost.
    """
    plan = _Plan.make([a, b], games, openings, limit, seed, sprt, adjudicate, length)
    return _play(plan, workers, path, resume, progress, on_game)


def round_robin(
    players: Sequence[PlayerLike],
    *,
    games: int = 20,
    openings: str | Path | Iterable[str] | None = None,
    limit: Limit | None = None,
    seed: int = 0,
    workers: int = 0,
    path: str | Path | None = None,
    resume: bool = False,
    adjudicate: bool | Adjudication = False,
    length: int = _POINTS,
    progress: bool | Progress | None = None,
    on_game: Callable[[GameRecord], object] | None = None,
) -> Match:
    """Each player against each other one, `games` games each. All other arguments are those of `match`.

    All of them meet in one opening before the next one comes, so that a part of it is fair too.
    """
    plan = _Plan.make(players, games, openings, limit, seed, None, adjudicate, length)
    return _play(plan, workers, path, resume, progress, on_game)


@dataclass(frozen=True)
class _Plan:
    """All that decides the games."""

    players: tuple[Player, ...]
    pairings: Sequence[Pairing]
    openings: Openings
    referee: Referee
    seed: int
    sprt: Sprt | None

    @classmethod
    def make(
        cls,
        players: Sequence[PlayerLike],
        games: int,
        openings: str | Path | Iterable[str] | None,
        limit: Limit | None,
        seed: int,
        sprt: Sprt | None,
        adjudicate: bool | Adjudication,
        length: int,
    ) -> _Plan:
        if len(players) < 2:
            raise ValueError(f"a match has two players or more, not {len(players)}")
        if sprt is not None and not isinstance(sprt, Sprt):
            raise TypeError(f"sprt is a lab.Sprt, not {type(sprt).__name__}")
        rules = adjudicate if isinstance(adjudicate, Adjudication) else Adjudication() if adjudicate else None
        seed = whole("seed", seed)
        return cls(
            players=as_players(players, limit),
            pairings=schedule(len(players), whole("games", games), seed),
            openings=Openings.make(openings, seed),
            referee=Referee(rules, length),
            seed=seed,
            sprt=sprt,
        )

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def header(self) -> dict[str, Any]:
        """For the file of the games: whatever decides them, and how many are wanted."""
        rules = self.referee.adjudication
        return {
            **engine_facts(),
            "seed": self.seed,
            "games": len(self.pairings),
            "players": {player.name: player.facts() for player in self.players},
            "openings": self.openings.facts(),
            "sprt": None if self.sprt is None else asdict(self.sprt),
            "adjudication": None if rules is None else asdict(rules),
            "length": self.referee.length,
        }

    def workers(self, wanted: int) -> int:
        """How many games at once. A game keeps one player busy at a time."""
        threads = max((p.threads for p in self.players if isinstance(p, EnginePlayer)), default=1)
        count = between("workers", wanted, 0, _MOST_WORKERS) or max(1, cores() // threads)
        return min(count, len(self.pairings))


def _play(
    plan: _Plan,
    workers: int,
    path: str | Path | None,
    resume: bool,
    progress: bool | Progress | None,
    on_game: Callable[[GameRecord], object] | None,
) -> Match:
    start = perf_counter()
    workers = plan.workers(workers)
    if resume and path is None:
        raise ValueError("a match is resumed from its file: path is missing")
    with ExitStack() as stack:
        file = None
        if path is not None:
            file = stack.enter_context(MatchFile(path, plan.header()))
            file.begin(resume)
        standing = _Standing(plan, file, start)
        bar = stack.enter_context(MatchBar(progress, len(plan.pairings), len(standing.games)))
        crew = stack.enter_context(_Crew(plan, workers, standing.left()))
        try:
            while not standing.is_decided() and (game := crew.next_game()) is not None:
                standing.add(game)
                bar.show(len(standing.games), standing.match)
                if on_game is not None:
                    on_game(game)
            crew.stop(standing.add)
        except KeyboardInterrupt:
            crew.stop(standing.add)
            text = f"interrupted; {standing.what_is_safe()}"
            raise Interrupted(text, partial=standing.match()) from None
        except Exception as error:
            crew.stop(standing.add)
            error.add_note(standing.what_is_safe())
            raise
        return standing.match()


class _Standing:
    """The games that are finished, and what follows from them up to now."""

    def __init__(self, plan: _Plan, file: MatchFile | None, start: float) -> None:
        self._plan = plan
        self._file = file
        self._start = start
        numbers = range(len(plan.pairings))
        before = {} if file is None else file.finished
        self.games = {number: game for number, game in before.items() if number in numbers}
        self._walk = None if plan.sprt is None else Walk(plan.names[0], plan.sprt)

    def add(self, game: GameRecord) -> None:
        if self._file is not None:
            self._file.add(game)
        self.games[game.number] = game

    def left(self) -> list[Pairing]:
        """The games that are to be played."""
        if self.is_decided():
            return []
        return [pairing for pairing in self._plan.pairings if pairing.number not in self.games]

    def is_decided(self) -> bool:
        return self._walk is not None and self._walk.advance(self.games)

    def match(self) -> Match:
        path = None if self._file is None else self._file.path
        kept = games_that_count(self.games, self._walk)
        plan = self._plan
        return Match(
            plan.names, kept, len(plan.pairings), plan.sprt, plan.seed, path, perf_counter() - self._start
        )

    def what_is_safe(self) -> str:
        """What is left of a match that ended early."""
        count = len(self.games)
        games = f"{count} finished game{'' if count == 1 else 's'}"
        if self._file is None or not count:
            return f"{games} of {len(self._plan.pairings)}"
        return f"{games} of {len(self._plan.pairings)} safe in {self._file.path}: resume to go on"


class _Crew:
    """Threads that take the games of a schedule in order, each with seats of its own."""

    def __init__(self, plan: _Plan, workers: int, left: Sequence[Pairing]) -> None:
        self._plan = plan
        self._todo = iter(left)
        self._expected = len(left)
        self._lock = Lock()
        self._stop = Event()
        self._found: SimpleQueue[GameRecord | BaseException] = SimpleQueue()
        self._seats: list[Seat] = []
        self._threads: list[Thread] = []
        for number in range(min(workers, len(left))):
            seats = [player.seat() for player in plan.players]
            self._seats += seats
            name = f"renju-match-{number}"
            self._threads.append(Thread(target=self._work, args=(seats,), name=name, daemon=True))

    def __enter__(self) -> _Crew:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def next_game(self) -> GameRecord | None:
        """Waits for the next game that ends; None if there is no further one."""
        if not self._expected:
            return None
        while True:
            try:
                found = self._found.get(timeout=_LOOK_S)
            except Empty:
                continue
            if isinstance(found, BaseException):
                raise found
            self._expected -= 1
            return found

    def stop(self, keep: Callable[[GameRecord], object] = lambda _: None) -> None:
        """Ends the games that are going on, and keeps those that ended unseen. Without any going on, programs
        have the time to end by themselves."""
        self._stop.set()
        while any(thread.is_alive() for thread in self._threads):
            for seat in self._seats if self._expected else ():
                seat.stop()
            for thread in self._threads:
                thread.join(_STOP_S)
        while not self._found.empty():
            found = self._found.get()
            if isinstance(found, GameRecord):
                keep(found)

    def _work(self, seats: Sequence[Seat]) -> None:
        try:
            while not self._stop.is_set():
                with self._lock:
                    pairing = next(self._todo, None)
                if pairing is None:
                    break
                game = self._game(pairing, seats)
                if game is not None:
                    self._found.put(game)
        except BaseException as error:
            if not self._stop.is_set():  # a program that was ended while it started has an excuse
                self._found.put(error)
        finally:
            for seat in seats:
                seat.close()

    def _game(self, pairing: Pairing, seats: Sequence[Seat]) -> GameRecord | None:
        places = (pairing.black, pairing.white)
        black, white = (self._plan.names[place] for place in places)
        opening = self._plan.openings[pairing.round]
        sides = (seats[pairing.black], seats[pairing.white])
        return self._plan.referee.play(pairing, (black, white), opening, sides, self._stop.is_set)
