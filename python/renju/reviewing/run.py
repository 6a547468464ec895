"""`renju.review`: a game in, a judgement on every move out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Event

from renju import _native
from renju._machine import cores
from renju._progress import Progress, reporting
from renju._types import BOARD_SIZE, Color, PointLike
from renju.board import Board
from renju.config import LEVELS, EngineConfig
from renju.engine import Engine
from renju.errors import Interrupted
from renju.game import Game
from renju.limits import Limit, between, check_limit
from renju.reviewing.judge import Judge, Shares
from renju.reviewing.model import Grades, Review, ReviewedMove
from renju.reviewing.options import end_of, mean_score
from renju.reviewing.orientation import orientation_of, turned_back, turned_record
from renju.reviewing.source import Record, record_of
from renju.reviewing.steps import Steps
from renju.reviewing.summary import scores_of, turning_point, without_doubts
from renju.reviewing.wins import WinSearch, lost_score, win_score

__all__ = ["review"]


_MOST_THREADS = 256
# A table for each thread; a search takes fewer nodes than it has room for.
_HASH_MB = 16


def review(
    game_or_moves: Game | Board | str | Iterable[PointLike],
    level: str = "hard",
    limit: Limit | None = None,
    progress: bool | Progress | None = None,
    *,
    grades: Grades | None = None,
    multipv: int = 5,
    threads: int = 0,
    config: EngineConfig | None = None,
    seed: int = 0,
    stop: Event | None = None,
    on_move: Callable[[ReviewedMove], object] | None = None,
) -> Review:
    """Judges every move of a game: what it is worth, what was better, which forced wins were missed or
    allowed, and where the game was lost. Never uses a book.

    `limit` is for one move, for all that is searched for it; only a first ply is always looked at. Without a
    limit the level decides, by nodes where it has a number of them, so that the answer is the same on every
    machine and with any number of `threads` (0 for one per core). `config` takes the place of the level. The
    `multipv` best moves of a position are compared with the move played, `grades` tells which loss is called
    what, and `seed` is that of the engine. `progress` is True for a bar, or is called with the steps done and
    their total. `on_move` is called with every judgement as soon as it is checked, in any order; in the
    review itself a doubt about a neighbouring move may have changed it. Ctrl-C raises `Interrupted` with a
    review of the first moves as `partial`; so does `stop`, a `threading.Event` that another thread may set.

    >>> import renju
    >>> review = renju.review("h8 a1 h9 c1 h10 e1 h11 h12 h7")  # white leaves an open three alone
    >>> review.moves[5].quality, review.moves[5].allowed.kind, str(review.moves[5].best)
    ('blunder', 'vcf', 'H7')
    >>> review.accuracy[renju.WHITE], review.turning_point.number, review.result
    (0.5, 6, '1-0')
    """
    if config is not None and not isinstance(config, EngineConfig):
        raise TypeError(f"config is a renju.EngineConfig, not {type(config).__name__}")
    settings = EngineConfig.from_level(level) if config is None else config
    if grades is not None and not isinstance(grades, Grades):
        raise TypeError(f"grades are renju.Grades, not {type(grades).__name__}")
    grades = Grades() if grades is None else grades
    multipv = between("multipv", multipv, 1, BOARD_SIZE**2)
    count = between("threads", threads, 0, _MOST_THREADS) or cores()
    record = record_of(game_or_moves)
    turned = orientation_of(record)
    shares = _shares(check_limit(limit), settings, multipv)
    flag = _native.StopFlag()
    judges = []
    for _ in range(min(count, len(record.boards))):
        engine = Engine(config=settings, hash_mb=_HASH_MB, seed=seed)
        wins = WinSearch(shares.proofs, flag, shares.are_proofs_one)
        judges.append((engine, Judge(engine, wins, shares, multipv, grades)))
    told = None if on_move is None else lambda move: on_move(turned_back(move, turned))
    steps = Steps(turned_record(record, turned), told)
    name = next((name for name in LEVELS if EngineConfig.from_level(name) == settings), "custom")
    try:
        with reporting(progress, steps.total, "steps") as report:
            steps.run(judges, flag, report, stop)
    except KeyboardInterrupt:
        partial = _summary(record, turned, steps, name, grades)
        raise Interrupted("interrupted while reviewing", partial=partial) from None
    return _summary(record, turned, steps, name, grades)


def _shares(limit: Limit, config: EngineConfig, multipv: int) -> Shares:
    """A third of the limit is for the searches of the engine, a third for those of other defences, a third
    for forced wins."""
    time, nodes = limit.time, limit.nodes
    if time is None and nodes is None:
        if config.nodes:
            most = Limit(nodes=config.nodes)
            return Shares(Limit(nodes=config.nodes, depth=limit.depth), most, False, BOARD_SIZE**2)
        time = config.time_ms / 1000
    # The position, each candidate, and the move played.
    searches = multipv + 2

    def part(count: int, depth: int | None = None) -> Limit:
        seconds = None if time is None else time / count
        return Limit(seconds, None if nodes is None else max(nodes // count, 1), depth)

    return Shares(part(3 * searches, limit.depth), part(6), True, searches)


def _summary(record: Record, turned: int, steps: Steps, level: str, grades: Grades) -> Review:
    """The review of the moves that are judged, up to the first that is not."""
    moves: list[ReviewedMove] = []
    while len(moves) in steps.moves:
        moves.append(turned_back(steps.moves[len(moves)], turned))
    moves = without_doubts(moves)
    count, total = len(moves), len(record.moves)
    last = _last_score(record, steps, count)
    notes = list(record.notes)
    winner = None
    if count < total:
        notes.append(f"interrupted: {count} of {total} moves are reviewed")
    elif record.end is not None:
        winner = record.end.winner
    elif (winner := _forced_winner(record, steps)) is not None:
        notes.append(f"no result is told; at the end {winner.label} wins by force")
    return Review(
        game=record.game,
        level=level,
        grades=grades,
        moves=tuple(moves),
        scores=scores_of(moves, last),
        turning_point=turning_point(moves, last, winner, grades),
        opening=record.boards[-1].opening(),
        result=record.result,
        end=record.end,
        notes=tuple(notes),
    )


def _forced_winner(record: Record, steps: Steps) -> Color | None:
    """Who has a proved win in the last position."""
    count, turn = len(record.moves), record.boards[-1].turn
    last, before = steps.looks.get(count), steps.looks.get(count - 1)
    if last is not None and last.win is not None:
        return turn
    if before is not None and before.kept is not None and before.kept.proof is not None:
        return turn.opponent
    return None


def _last_score(record: Record, steps: Steps, count: int) -> int | None:
    """Score in points of the position after `count` moves, in black's view; None if nobody looked at it."""
    board = record.boards[count]
    if record.is_over(count):
        winner = None if record.end is None else record.end.winner
        return {None: 0, Color.BLACK: _native.WIN, Color.WHITE: -_native.WIN}[winner]
    look = steps.looks.get(count)
    if look is None or look.result is None:
        return None
    before = steps.looks.get(count - 1)
    if look.win is not None:
        score = win_score(board, look.win)
    elif before is not None and before.kept is not None and before.kept.proof is not None:
        score = lost_score(before.kept.proof)
    else:
        depths = {depth: score for depth, _, score in look.result.depths if end_of(score) is None}
        is_open = end_of(look.result.score) is None and depths
        score = mean_score(depths, look.result.depth) if is_open else look.result.score
    return score if board.turn is Color.BLACK else -score
