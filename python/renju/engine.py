"""The engine: the best move of a position, at five levels of strength."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from os import PathLike
from queue import SimpleQueue
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING

from renju import _native
from renju._machine import cores
from renju._network import NetworkLike, with_network
from renju._types import BOARD_SIZE, PASS, Point, PointLike
from renju.config import LEVELS, EngineConfig
from renju.errors import EngineError, IllegalMoveError, Interrupted
from renju.limits import DEFAULT_HASH_MB, Limit, between, check_engine_depth, check_hash, check_limit, whole
from renju.result import Candidate, SearchResult, Source, partial_result, whole_result

if TYPE_CHECKING:
    from renju._native import _Iteration
    from renju.board import Board
    from renju.book import Book
    from renju.proofs import ProofStore
    from renju.values import ValueTable

__all__ = ["LEVELS", "Candidate", "Engine", "EngineConfig", "SearchResult", "Source"]


class Engine:
    """Chooses moves. Keeps what it learnt from one move to the next until `clear`; with a number of nodes
    as the only limit, every call starts from nothing and gives the same answer on every machine.

    >>> import renju
    >>> engine = renju.Engine(level="hard")
    >>> result = engine.best_move(renju.Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10"))
    >>> str(result.move), result.source, result.win_in
    ('G7', 'mise-vcf', 13)
    """

    def __init__(
        self,
        level: str = "hard",
        *,
        config: EngineConfig | None = None,
        threads: int = 1,
        hash_mb: int = DEFAULT_HASH_MB,
        seed: int = 0,
        book: bool | Book | ProofStore | str | PathLike[str] = True,
        values: ValueTable | str | PathLike[str] | None = None,
        network: NetworkLike = None,
    ) -> None:
        """`level` is one of `renju.config.LEVELS`; `config` takes its place. `threads` search
        together, 0 for one per core. Memory is bounded by `hash_mb` and some megabytes a thread. `seed`
        decides where a level plays at random, and which opening is played. With `book` a game begins with one
        of the 26 openings and goes on by the book that comes with the package, by a `renju.book.Book`, by the
        proofs of a `renju.proofs.ProofStore`, or by a file of either; with False neither is used. `values` is
        a table of values in place of the fitted one that comes with the package: a `renju.values.ValueTable`,
        its text, or the path of a file; it turns the setting `fitted` on, and `network` off unless that is
        given, too. `network` is the path of a network in place of the one that comes with the package, True
        for that one, or False for none: it turns the settings `network` and `fitted` on, or `network` off;
        None leaves them as they are. `FormatError` names what is wrong in a file."""
        if config is not None and not isinstance(config, EngineConfig):
            raise TypeError(f"config is a renju.EngineConfig, not {type(config).__name__}")
        self.config = EngineConfig.from_level(level) if config is None else config
        most = _native.MOST_ENGINE_THREADS
        self.threads = between("threads", threads, 0, most) or min(cores(), most)
        self.hash_mb = check_hash(hash_mb)
        self.seed = whole("seed", seed)
        self.book = _book(book)
        table: str | None = None
        if values is not None:
            from renju.values import values_text

            table = values_text(values)
        self._has_values = table is not None
        self.config, weights = with_network(self.config, network, self._has_values)
        self._has_network = weights is not None
        self._native = _native.Engine(vars(self.config), self.hash_mb, self.threads, table, weights)

    def best_move(self, board: Board, limit: Limit | None = None) -> SearchResult:
        """The move to play on `board`. What `limit` does not name is bounded by the level.

        `EngineError` if the game is over or there is no legal move.
        """
        limit = check_limit(limit)
        start = perf_counter()
        _check_playable(board)
        known = self._known(board, start)
        return self._think(self._native.begin(), board, limit, 1, is_play=True) if known is None else known

    def analyse(self, board: Board, limit: Limit | None = None, multipv: int = 5) -> SearchResult:
        """The best moves on `board` with exact scores, up to `multipv` of them; never from a book, never at
        random. What `limit` does not name is bounded by the level."""
        limit = check_limit(limit)
        _check_playable(board)
        multipv = between("multipv", multipv, 1, BOARD_SIZE**2)
        return self._think(self._native.begin(), board, limit, multipv, is_play=False)

    analyze = analyse

    def stream(
        self, board: Board, limit: Limit | None = None, multipv: int = 1, play: bool = False
    ) -> Iterator[SearchResult]:
        """A result of `board` after every finished depth, the final one last. Leaving the loop stops the
        search.

        Up to `multipv` moves have exact scores; what `limit` does not name is bounded by the level. With
        `play` it thinks as `best_move` does, openings, book and time rules included.
        """
        limit = check_limit(limit)
        _check_playable(board)
        multipv = between("multipv", multipv, 1, BOARD_SIZE**2)
        if play and (known := self._known(board, perf_counter())) is not None:
            return iter([known])
        return self._stream(self._native.begin(), board.copy(), limit, multipv, play)

    def _stream(
        self, call: int, board: Board, limit: Limit, multipv: int, is_play: bool
    ) -> Iterator[SearchResult]:
        found: SimpleQueue[SearchResult | BaseException | None] = SimpleQueue()
        start = perf_counter()

        def report(native: _Iteration) -> None:
            found.put(partial_result(native, perf_counter() - start, board))

        def run() -> None:
            try:
                found.put(self._think(call, board, limit, multipv, is_play, report))
            except BaseException as error:
                found.put(error)
            found.put(None)

        thread = Thread(target=run, name="renju-stream", daemon=True)
        thread.start()
        last, is_done = None, False
        try:
            while (item := found.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                last = item
                yield item
            is_done = True
        except KeyboardInterrupt:
            raise Interrupted("interrupted while thinking", partial=last) from None
        finally:
            if not is_done:
                self.stop()
            thread.join()

    def stop(self) -> None:
        """Ends the running search, from any thread; it returns what it has, marked as interrupted. Calls that
        begin later are not concerned."""
        self._native.stop()

    def clear(self) -> None:
        """Forgets everything learnt from earlier positions."""
        self._native.clear()

    def breakdown(self, board: Board, move: PointLike) -> dict[str, int]:
        """What a move is worth at a glance, term by term, without a search. Terms that are 0 are left out.

        >>> import renju
        >>> board = renju.Board("h8 a1 i8 a3 j8 a5")
        >>> renju.Engine().breakdown(board, "g8")["attack"] > 0
        True
        """
        point = Point(move)
        if point == PASS or not board.is_legal(point):
            raise IllegalMoveError(f"{point} is not a stone that {board.turn.label} may play")
        return self._native.move_value(board._position, board.turn, point)

    def static_value(self, board: Board) -> dict[str, int]:
        """What a position is worth at a glance to the side to move, in points, without a search: what the
        ``"table"`` says and, if the engine has one, what the ``"network"`` adds. The sum is what a search has
        where it ends.

        >>> import renju
        >>> board = renju.Board("h8h9j9j8f8i7g7i9")
        >>> [sorted(renju.Engine(level).static_value(board)) for level in ("hard", "master")]
        [['table'], ['network', 'table']]
        """
        return self._native.static_value(board._position, board.turn)

    def _known(self, board: Board, start: float) -> SearchResult | None:
        """What an opening or the book says; nothing was searched for it."""
        if self.book is False:
            return None
        from renju.book.playing import known_move

        found = known_move(board, self.seed, None if self.book is True else self.book)
        if found is None:
            return None
        candidates = tuple(Candidate(line[0], score, line) for score, line in found.lines)
        pv = next(candidate.pv for candidate in candidates if candidate.move == found.move)
        time = perf_counter() - start
        return SearchResult(
            found.move, found.score, 0, 0, 0, time, pv, Source(found.source), candidates, board=board.copy()
        )

    def _think(
        self,
        call: int,
        board: Board,
        limit: Limit,
        multipv: int,
        is_play: bool,
        report: Callable[[_Iteration], None] | None = None,
    ) -> SearchResult:
        start = perf_counter()
        board = board.copy()  # the caller may change his own before the result says what it is about
        try:
            native = self._native.think(
                call,
                board._position,
                turn=board.turn,
                time_s=None if limit.time is None else float(limit.time),
                nodes=limit.nodes,
                depth=check_engine_depth(limit.depth),
                multipv=multipv,
                is_play=is_play,
                seed=_mixed(self.seed, board.key),
                report=report,
            )
        except KeyboardInterrupt:  # while another call had the engine
            raise Interrupted("interrupted while waiting for the engine") from None
        result = whole_result(native, perf_counter() - start, board)
        if native["signalled"]:
            raise Interrupted("interrupted while thinking", partial=result)
        return result

    def __repr__(self) -> str:
        level = next((name for name in LEVELS if EngineConfig.from_level(name) == self.config), None)
        what = "config=..." if level is None else f"level={level!r}"
        values = ", values=..." if self._has_values else ""
        book = "" if self.book is True else f", book={self.book!r}"
        sizes = f"threads={self.threads}, hash_mb={self.hash_mb}, seed={self.seed}"
        network = ", network=..." if self._has_network else ""
        return f"Engine({what}, {sizes}{book}{values}{network})"


def _book(given: bool | Book | ProofStore | str | PathLike[str]) -> bool | Book | ProofStore:
    """As the engine keeps it; a file is read now, so that an error comes where it was named."""
    if given is True or given is False:
        return given
    from renju import book, proofs

    if isinstance(given, book.Book | proofs.ProofStore):
        return given
    if isinstance(given, str | PathLike):
        return proofs.ProofStore.open(given) if proofs.is_store(given) else book.load(given)
    raise TypeError(
        "book is True, False, a renju.book.Book, a renju.proofs.ProofStore or the path of one, not "
        f"{type(given).__name__}"
    )


def _check_playable(board: Board) -> None:
    from renju.board import Board

    if not isinstance(board, Board):
        raise TypeError(f"board is a renju.Board, not {type(board).__name__}")
    outcome = board.outcome
    if outcome is not None:
        raise EngineError(f"the game is over: {outcome.reason}")


def _mixed(seed: int, key: int) -> int:
    """One number of 64 bits from both: the same position and seed choose the same move."""
    return (seed * 0x9E3779B97F4A7C15 ^ key) % 2**64
