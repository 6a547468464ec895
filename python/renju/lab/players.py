"""Who plays: a configuration of our own engine, or any program that speaks the Gomocup protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from renju._machine import cores
from renju._network import with_network
from renju.board import Board
from renju.book import Book, load
from renju.config import LEVELS, EngineConfig
from renju.engine import Engine, SearchResult
from renju.lab.game_record import Ply
from renju.limits import DEFAULT_HASH_MB, Limit, between, check_hash, check_limit, check_seconds
from renju.proof import Proof

__all__ = ["EnginePlayer", "Player", "PlayerLike", "ProgramPlayer", "Seat", "Thought", "as_players"]

_MOST_THREADS = 256

# Seconds beyond its limit that a program may take before it has lost on time.
_MARGIN_S = 1.0


@dataclass(frozen=True)
class Thought:
    """A move, what was thought about it, and the proof if it was proved to win."""

    ply: Ply
    """The move with its score, time and search, as it is written down."""
    proof: Proof | None = None
    """The proof that the move wins; None if it was not proved."""


class Seat(ABC):
    """A player at a board: what it takes to play games one after the other, in one thread."""

    @abstractmethod
    def new_game(self, seed: int) -> None:
        """Forgets the last game. What is random follows from the seed."""

    def get_ready(self) -> None:  # noqa: B027  # most are ready at any time
        """Waits until it can be asked: what is waited for here is not on its clock."""

    @abstractmethod
    def think(self, board: Board) -> Thought:
        """The move to play. A program that does wrong is a `programs.Fault`."""

    def stop(self) -> None:  # noqa: B027  # nothing has to be stopped if thinking is short
        """Ends the thinking, from any thread. It may come at any time, and again and again."""

    def close(self) -> None:  # noqa: B027
        """Ends what the player runs, and gives its memory back."""


@dataclass(frozen=True, kw_only=True)
class Player(ABC):
    """A player of a match.

    >>> from renju import lab
    >>> player = lab.Player.parse("hard,nodes=2000,quiescence=0")
    >>> player.name, player.limit.nodes, player.config.quiescence
    ('hard,nodes=2000,quiescence=0', 2000, False)
    >>> lab.Player.parse("hard,aspration=0")
    Traceback (most recent call last):
        ...
    ValueError: 'hard,aspration=0': there is no setting 'aspration'; near are aspiration, ...
    """

    name: str = ""
    """The name in results and files; an empty one is replaced by a usual one."""
    limit: Limit = field(default_factory=Limit)
    """Seconds, nodes and plies for every move; what the limit does not name is up to the player."""

    def __post_init__(self) -> None:
        check_limit(self.limit)
        if not isinstance(self.name, str):
            raise TypeError(f"name is a text, not {self.name!r}")
        if not self.name.strip():
            object.__setattr__(self, "name", self._usual_name())
        if not self.name.isprintable():
            raise ValueError(f"name is one line of text, not {self.name!r}")

    @staticmethod
    def parse(text: str) -> Player:
        """The player of a text such as ``master,nodes=20000``; docs/lab.md tells what can be said."""
        from renju.lab.specs import parse_player

        return parse_player(text)

    @abstractmethod
    def seat(self) -> Seat:
        """A new place at a board. Nothing is started before its first game."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Everything that decides how it plays, as JSON has it."""

    def with_limit(self, limit: Limit) -> Player:
        """The same player with the time and the nodes of a limit, if it has neither of its own."""
        if self.limit.time is not None or self.limit.nodes is not None:
            return self
        depth = limit.depth if self.limit.depth is None else self.limit.depth
        return replace(self, limit=Limit(limit.time, limit.nodes, depth))

    def _usual_name(self) -> str:
        return type(self).__name__


@dataclass(frozen=True, kw_only=True)
class EnginePlayer(Player):
    """A player that is our own engine."""

    config: EngineConfig = field(default_factory=EngineConfig)
    """The settings of the search, such as those of a level."""
    threads: int = 1
    """Threads that search together; 0 becomes one per core."""
    hash_mb: int = DEFAULT_HASH_MB
    """Size of the table of positions in megabytes."""
    values: str | None = None
    """Path of a file with a table of board values; None is that of the package."""
    network: str | None = None
    """Path of a file with a network; None is that of the package, if the settings turn it on."""
    book: bool | str = False
    """True plays by the book that comes with the package, a path by the book of that file. False leaves only
    the first three moves of a game to an opening: a match is to measure how the players think."""

    def __post_init__(self) -> None:
        if not isinstance(self.config, EngineConfig):
            raise TypeError(f"config is a renju.EngineConfig, not {type(self.config).__name__}")
        for name in ("values", "network"):
            given = getattr(self, name)
            if not isinstance(given, str | None):
                raise TypeError(f"{name} is the path of a file, not {type(given).__name__}")
        # As the engine does: what is given is used.
        has_values = self.values is not None
        config, _ = with_network(self.config, self.network, has_values)
        object.__setattr__(self, "config", config)
        if not isinstance(self.book, bool | str):
            raise TypeError(f"book is True, False or the path of a book, not {type(self.book).__name__}")
        threads = between("threads", self.threads, 0, _MOST_THREADS) or min(cores(), _MOST_THREADS)
        object.__setattr__(self, "threads", threads)
        check_hash(self.hash_mb)
        super().__post_init__()

    def seat(self) -> Seat:
        return _EngineSeat(self)

    def facts(self) -> dict[str, Any]:
        values = None if self.values is None else _digest(self.values)
        return {
            "kind": "engine",
            "limit": dict(vars(self.limit)),
            "threads": self.threads,
            "hash_mb": self.hash_mb,
            "values": values,
            "config": dict(vars(self.config)),
            # Files of matches that were played before there was a book stay what they are.
            **({"network": _digest(self.network)} if self.network is not None else {}),
            **({"book": sha256(self._book().to_bytes()).hexdigest()} if self.book else {}),
        }

    def _book(self) -> Book:
        """The book; an empty one leaves the openings."""
        if self.book is False:
            return Book()
        return load() if self.book is True else load(self.book)

    def _usual_name(self) -> str:
        return next((level for level in LEVELS if EngineConfig.from_level(level) == self.config), "engine")


@dataclass(frozen=True, kw_only=True)
class ProgramPlayer(Player):
    """A program that speaks the Gomocup protocol. Without a limit it has 5 seconds a move."""

    command: Sequence[str]
    """The program and its arguments."""
    info: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    """Key: a word of the Gomocup command INFO; value: what the program is told besides its limits."""
    cwd: str | None = None
    """Path of the folder that the program runs in; None is the present one."""
    margin_s: float = _MARGIN_S
    """Seconds beyond its limit that the program may take before it has lost on time."""

    def __post_init__(self) -> None:
        if isinstance(self.command, str) or not self.command:
            raise TypeError("command is a program and its arguments, a sequence of texts")
        object.__setattr__(self, "command", tuple(self.command))
        check_seconds("margin_s", self.margin_s)
        super().__post_init__()

    def seat(self) -> Seat:
        from renju.lab.programs import ProgramSeat

        return ProgramSeat(self)

    def facts(self) -> dict[str, Any]:
        return {
            "kind": "program",
            "limit": dict(vars(self.limit)),
            "command": list(self.command),
            "info": dict(self.info),
            "cwd": self.cwd,
            "margin_s": self.margin_s,
        }

    def _usual_name(self) -> str:
        return Path(self.command[0]).stem


PlayerLike = str | EngineConfig | Player


def as_players(given: Sequence[PlayerLike], limit: Limit | None = None) -> tuple[Player, ...]:
    """Players from what stands for them, with a limit for those that have none. Where names are equal they
    are numbered."""
    limit = check_limit(limit)
    players: dict[str, Player] = {}
    for player in (_as_player(one).with_limit(limit) for one in given):
        name, count = player.name, 1
        while name in players:
            count += 1
            name = f"{player.name} ({count})"
        players[name] = replace(player, name=name)
    return tuple(players.values())


def _as_player(given: PlayerLike) -> Player:
    if isinstance(given, Player):
        return given
    if isinstance(given, EngineConfig):
        return EnginePlayer(config=given)
    if isinstance(given, str):
        return Player.parse(given)
    raise TypeError(f"a player is a text, an EngineConfig or a lab.Player, not {type(given).__name__}")


def _digest(path: str) -> str:
    """What tells one file from another."""
    return sha256(Path(path).read_bytes()).hexdigest()


class _EngineSeat(Seat):
    def __init__(self, player: EnginePlayer) -> None:
        self._player = player
        self._engine: Engine | None = None

    def new_game(self, seed: int) -> None:
        if self._engine is None:
            player = self._player
            self._engine = Engine(
                config=player.config,
                threads=player.threads,
                hash_mb=player.hash_mb,
                book=player._book(),
                values=player.values,
                network=player.network,
            )
        self._engine.clear()
        self._engine.seed = seed

    def think(self, board: Board) -> Thought:
        assert self._engine is not None, "a game comes first"
        result = self._engine.best_move(board, self._player.limit)
        return Thought(_ply(result), result.proof)

    def stop(self) -> None:
        engine = self._engine
        if engine is not None:
            engine.stop()


def _ply(result: SearchResult) -> Ply:
    return Ply(
        move=str(result.move),
        time=result.time,
        score=result.score,
        win_in=result.win_in,
        depth=result.depth,
        seldepth=result.seldepth,
        nodes=result.nodes,
        source=result.source,
        interrupted=result.interrupted,
        fallback=result.fallback,
        candidates=tuple((str(found.move), found.score) for found in result.candidates),
        depths=tuple((depth, str(move), score) for depth, move, score in result.depths),
        stats={name: count for name, count in result.stats.items() if count},
    )
