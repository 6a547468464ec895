"""The engine through Python: several moves, breakdowns, streams, stops, threads and signals."""

import signal
import threading
from itertools import pairwise
from types import FrameType

import pytest

import renju
from renju import BLACK, WHITE, Board, Engine, EngineConfig, Limit, SearchResult
from support import ROOT
from support.data import games
from support.positions import DOUBLE_THREE, FORCED_FOUL, MISE, QUIET
from support.processes import run_child, run_named
from support.searches import FORCED, SOME, assert_sound, images, without_time
from support.searches import engine as engine
from support.waiting import PATIENCE_S, CpuClock, after_work, signal_after_work

DOCUMENT = ROOT / "docs/how-it-thinks.md"
# Never reached: for searches that are to be stopped.
LONG = Limit(time=1_000)


# Analysis


@pytest.mark.parametrize("moves", [QUIET, MISE, "h8 i9", DOUBLE_THREE])
def test_several_moves(engine: Engine, moves: str) -> None:
    board = Board(moves)
    for count in (1, 2, 5, 225):
        limit = Limit(nodes=10**9, depth=2)
        result = engine.analyse(board, limit, multipv=count)
        assert_sound(board, result)
        found = result.candidates
        scores = [candidate.score for candidate in found]
        assert 1 <= len(found) <= count
        assert scores == sorted(scores, reverse=True)
        assert len({candidate.move for candidate in found}) == len(found)
        assert (found[0].move, found[0].score, found[0].win_in) == (result.move, result.score, result.win_in)
        for candidate in found:
            assert candidate.pv[0] == candidate.move
            assert board.is_legal(candidate.move)
    assert len(engine.analyse(Board(QUIET), Limit(nodes=10**9, depth=1)).candidates) == 5


def test_scores_are_exact() -> None:
    """Without its shortcuts, a move is worth what the position after it is worth to the other side."""
    names = ["opponent_vcf", "aspiration", "lmr", "null_move", "futility", "quiescence", "mandatory_defence"]
    config = EngineConfig.from_level("hard").replace(**dict.fromkeys(names, False))
    engine = Engine(config=config, hash_mb=2)
    board = Board(QUIET)
    result = engine.analyse(board, Limit(nodes=10**9, depth=3), multipv=6)
    assert len(result.candidates) == 6
    for candidate in result.candidates:
        after = board.copy()
        after.push(candidate.move)
        assert candidate.score == -engine.analyse(after, Limit(nodes=10**9, depth=2), multipv=2).score


def test_all_moves_of_a_position() -> None:
    """Every legal point near a stone is a candidate, once."""
    board = Board("h8 i9 g7")
    result = Engine("hard", hash_mb=1).analyse(board, Limit(nodes=10**9, depth=1), multipv=225)
    near = {
        point
        for point in board.legal_moves
        if any(max(abs(point.x - stone.x), abs(point.y - stone.y)) <= 2 for stone in board.stones)
    }
    assert {candidate.move for candidate in result.candidates} == near


def test_win_in_counts_plies() -> None:
    engine = Engine("hard", hash_mb=2)
    board = FORCED["four-three"][0].copy()
    expected = 5
    while board.outcome is None:
        result = engine.analyse(board, SOME, multipv=1)
        assert abs(result.win_in) == expected
        assert (result.win_in > 0) == (board.turn is BLACK)
        board.push(result.move)
        expected -= 1
    assert (expected, board.outcome.winner) == (0, BLACK)


def test_the_text_of_a_result() -> None:
    board, *_ = FORCED["four-three"]
    assert str(Engine(hash_mb=1).best_move(board, SOME)) == "I8 (wins in 5, depth 3, vcf): I8 J8 I7"
    assert "loses in 2" in str(Engine(hash_mb=1).best_move(Board(FORCED_FOUL), SOME))
    assert repr(Engine("easy", seed=3)) == "Engine(level='easy', threads=1, hash_mb=64, seed=3)"
    assert "config=..." in repr(Engine(config=EngineConfig(depth=9)))


# What a move is worth


def test_the_breakdown() -> None:
    """Terms that are documented, the same in all symmetries; a term that is off leaves the others alone."""
    hard = EngineConfig.from_level("hard")
    for name in ("four-three", "trap", "block", "five"):
        board, moves, *_ = FORCED[name]
        found = {
            tuple(sorted(Engine(hash_mb=1).best_move(image, SOME).breakdown.items()))
            for image, _ in images(board, moves)
        }
        assert len(found) == 1, name
        assert all(f"| `{term}` |" in DOCUMENT.read_text(encoding="utf-8") for term, _ in found.pop())
    assert Engine(hash_mb=1).best_move(FORCED["five"][0], SOME).breakdown == {"five": hard.five}

    def total(config: EngineConfig, name: str) -> int:
        breakdown = Engine(config=config, hash_mb=1).best_move(FORCED[name][0], SOME).breakdown
        return sum(breakdown.values())

    four_three = total(hard, "four-three")
    assert four_three >= hard.four + hard.open_three + hard.four_three + hard.multi_direction
    assert total(hard.replace(multi_direction_term=False), "four-three") == four_three - hard.multi_direction
    assert total(hard.replace(four_three=hard.four_three + 77), "four-three") == four_three + 77
    assert total(hard.replace(trap_term=False), "trap") == total(hard, "trap") - hard.trap_strong


def test_the_counters() -> None:
    result = Engine("master", hash_mb=2).best_move(Board(QUIET), Limit(nodes=100_000))
    stats = result.stats
    text = DOCUMENT.read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in stats)
    for name in ("search_nodes", "threat_nodes", "table_hits", "beta_cutoffs", "evaluations", "reductions"):
        assert stats[name] > 0, name
    assert all(count >= 0 for count in stats.values())
    assert stats["beta_cutoffs"] >= stats["first_cutoffs"]
    assert stats["table_hits"] >= stats["table_cutoffs"]
    crowded = Board(games()[3]["moves"][:30])
    assert Engine("master", hash_mb=2).best_move(crowded, SOME).stats["forbidden_checks"] > 0


# Streams, stops, memory


def test_a_stream_tells_every_depth(engine: Engine) -> None:
    board = Board(QUIET)
    for count in (1, 3):
        *depths, last = engine.stream(board, SOME, count)
        assert [result.depth for result in depths] == list(range(1, len(depths) + 1))
        assert all(earlier.nodes <= later.nodes for earlier, later in pairwise([*depths, last]))
        assert all(1 <= len(result.candidates) <= count for result in depths)
        assert without_time(last) == without_time(engine.analyse(board, SOME, count))
        assert [(result.depth, result.move, result.score) for result in depths] == list(last.depths)


def test_a_stream_of_something_proved_is_one_result() -> None:
    (only,) = Engine("hard", hash_mb=1).stream(Board(MISE), SOME)
    assert_sound(Board(MISE), only)
    assert only.source == "mise-vcf"


def test_leaving_the_loop_ends_the_search() -> None:
    engine, board = Engine("master", hash_mb=2), Board(QUIET)
    for result in engine.stream(board, LONG):
        if result.depth == 2:
            break
    assert not any(thread.name == "renju-stream" for thread in threading.enumerate())
    # The next search is not stopped.
    assert engine.analyse(board, Limit(nodes=10**9, depth=3), multipv=1).depth == 3


def test_a_stream_has_its_own_board() -> None:
    engine, board = Engine("hard", hash_mb=2), Board(QUIET)
    expected = [result.move for result in engine.stream(board, SOME)]
    stream = engine.stream(board, SOME)
    board.push("a1")
    assert [result.move for result in stream] == expected


@pytest.mark.slow
def test_stop_from_another_thread() -> None:
    engine, board = Engine("master", hash_mb=2), Board(QUIET)
    engine.stop()  # nothing is running: the next search is not affected
    for search in (engine.best_move, engine.analyse):
        stopping = after_work(0.2, engine.stop)
        result = search(board, LONG)
        stopping.join()
        assert_sound(board, result)
        assert result.interrupted
        assert result.depth > 1


def test_memory_is_used_until_it_is_cleared() -> None:
    engine, board = Engine("master", hash_mb=2), Board(QUIET)
    limit = Limit(time=1_000, depth=5)
    first, second = (engine.analyse(board, limit, multipv=1) for _ in range(2))
    assert second.nodes < first.nodes
    engine.clear()
    assert without_time(engine.analyse(board, limit, multipv=1)) == without_time(first)


def test_one_engine_for_several_threads() -> None:
    engine = Engine("hard", hash_mb=2)
    boards = [Board(QUIET), Board(MISE), Board(FORCED_FOUL)] * 2
    expected = [without_time(engine.best_move(board, SOME)) for board in boards]
    found: dict[int, SearchResult] = {}

    def work(number: int) -> None:
        found[number] = without_time(engine.best_move(boards[number], SOME))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(boards))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert [found[number] for number in range(len(boards))] == expected


@pytest.mark.slow
def test_two_threads_search_together() -> None:
    engine = Engine("master", threads=2, hash_mb=4)
    for limit in (Limit(nodes=20_000), Limit(time=0.2), Limit(depth=4)):
        for board in (Board(QUIET), *(Board(game["moves"][:16]) for game in games()[:3])):
            assert_sound(board, engine.best_move(board, limit))
            several = engine.analyse(board, limit, multipv=3)
            assert_sound(board, several)
    board, moves, source, win_in = FORCED["trap"]
    result = engine.best_move(board, SOME)
    assert (str(result.move), result.source, result.win_in) == (moves, source, win_in)


# Signals and threads, in a process of their own


def child_interrupt(name: str) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    engine, board = Engine("master", hash_mb=2), Board(QUIET)
    sent = signal_after_work(0.3)
    if name == "stream":
        with pytest.raises(KeyboardInterrupt):
            list(engine.stream(board, LONG))
    else:
        with pytest.raises(renju.Interrupted) as caught:
            getattr(engine, name)(board, LONG)
        partial = caught.value.partial
        assert_sound(board, partial)
        assert partial.interrupted
        assert partial.depth > 1
    worked = sent[0].seconds()
    assert worked < 1.0, f"{worked} s of work after the signal"
    # The next search is none the worse for it.
    assert engine.analyse(board, Limit(nodes=10**9, depth=3), multipv=1).depth == 3


class HandlerError(Exception):
    """What the handler below raises."""


def child_handler() -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        raise HandlerError("from the handler")

    signal.signal(signal.SIGUSR1, handler)
    signal_after_work(0.3, signal.SIGUSR1)
    with pytest.raises(HandlerError, match="from the handler"):
        Engine("master", hash_mb=2).best_move(Board(QUIET), LONG)


def child_other_threads(threads: str) -> None:
    """Another thread takes many turns during a search, which it ends after the last."""
    engine = Engine("master", threads=int(threads), hash_mb=2)

    def tick() -> None:
        clock = CpuClock()
        for turn in range(20):
            clock.wait(0.01 * turn)
        engine.stop()

    threading.Thread(target=tick, daemon=True).start()
    assert engine.best_move(Board(QUIET), LONG).interrupted


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ["child_interrupt", "best_move"],
        ["child_interrupt", "analyse"],
        ["child_interrupt", "stream"],
        ["child_handler"],
        ["child_other_threads", "1"],
        ["child_other_threads", "2"],
    ],
    ids="-".join,
)
def test_in_a_process_of_its_own(arguments: list[str]) -> None:
    run_child(__file__, *arguments)


def test_a_stop_concerns_only_what_has_begun() -> None:
    engine = Engine("master", hash_mb=2)
    engine.stop()
    result = engine.best_move(Board(QUIET), Limit(nodes=20_000))
    assert result.nodes > 10_000
    # Several callers share an engine: a stop ends what they are at, not what they ask next.
    found: list[int] = []

    def ask() -> None:
        found.extend(engine.best_move(Board(QUIET), Limit(nodes=3_000)).nodes for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    engine.stop()
    for thread in threads:
        thread.join()
    assert sum(nodes > 1_500 for nodes in found) >= 11


def test_a_proved_win_leads_the_stream() -> None:
    board = Board("h8 i9 i7 g9 j8 h10 h6 k9 h7 h9 j9 i10")
    results = list(Engine("hard").stream(board, Limit(nodes=100_000), multipv=3))
    assert {str(result.candidates[0].move) for result in results} == {"G7"}
    assert results[-1].source == "mise-vcf"
    assert len(results[-1].candidates) == 3


def test_streaming_a_move_to_play() -> None:
    results = list(Engine("hard").stream(Board("h8"), play=True))
    assert [result.source for result in results] == ["opening"]
    forced = Board.from_stones("e8 f8 g8 h8", "d8 a1 a3", turn=WHITE)
    results = list(Engine("master").stream(forced, Limit(nodes=100_000), play=True))
    assert (str(results[-1].move), results[-1].source) == ("I8", "forced-defence")


if __name__ == "__main__":
    run_named(globals())
