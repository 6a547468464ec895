"""The engine through Python: known answers, legal games, limits, levels, settings, threads and signals."""

import pickle
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, asdict, fields, replace
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest

import renju
from renju import (
    BLACK,
    WHITE,
    Board,
    Engine,
    EngineConfig,
    Limit,
    Point,
    SearchResult,
    Source,
    _native,
    openings,
    speed,
    verify,
)
from renju.engine import LEVELS
from support import ROOT
from support.data import DATA, SYMMETRIES, games
from support.positions import DOUBLE_THREE, FORCED_FOUL, MISE, QUIET
from support.processes import run_child, run_named
from support.waiting import PATIENCE_S, CpuClock, after_work, signal_after_work

DOCUMENT = ROOT / "docs/how-it-thinks.md"

FEW = Limit(nodes=2_000)
SOME = Limit(nodes=20_000)
# Never reached: for searches that are to be stopped.
LONG = Limit(time=1_000)


def images(board: Board, points: str) -> Iterator[tuple[Board, set[int]]]:
    """The board and the points in all eight symmetries."""
    for k in SYMMETRIES:
        yield board.transform(k), {_native.transform_point(Point(name), k) for name in points.split()}


def without_time(result: SearchResult) -> SearchResult:
    return replace(result, time=0.0)


def assert_sound(board: Board, result: SearchResult) -> None:
    """What holds of every answer."""
    assert board.is_legal(result.move), f"{result}\n{board!r}"
    assert result.pv[0] == result.move
    after = board.copy()
    for point in result.pv:
        assert after.is_legal(point), f"{result}\n{board!r}"
        after.push(point)
    assert result.source in _native.SOURCES
    assert abs(result.score) < _native.WIN
    if result.proof is not None:
        assert verify(board, result.proof)
        assert (result.proof.first, result.proof.line) == (result.move, result.pv)
        # After the last stone of the line comes some reply, then the five.
        assert result.win_in == len(result.pv) + 2


@pytest.fixture(scope="module", params=LEVELS)
def engine(request: pytest.FixtureRequest) -> Engine:
    """One of every level."""
    return Engine(request.param, hash_mb=2)


# Known answers

# Name -> board, the right moves, the source, plies to the five.
FORCED: dict[str, tuple[Board, str, str, int | None]] = {
    "five": (Board.from_stones("e8 f8 g8 h8", "d8 d9 e10 f6", turn=BLACK), "I8", "five", 1),
    "five-before-block": (
        Board.from_stones("e8 f8 g8 h8 a1", "e9 f9 g9 h9", turn=BLACK),
        "D8 I8",
        "five",
        1,
    ),
    "white-six": (Board.from_stones("a1 a3 c5 c7 n2 d8", "e8 f8 g8 i8 j8", turn=WHITE), "H8", "five", 1),
    "block": (Board.from_stones("e8 f8 g8 h8", "d8 j3 k4", turn=WHITE), "I8", "forced-defence", None),
    "straight-four": (
        Board.from_stones("e8 f8 g8 h8", "a1 a3 a5", turn=WHITE),
        "D8 I8",
        "forced-defence",
        -2,
    ),
    "four-three": (Board.from_stones("f8 g8 h8 i9 i10", "e8 h11", turn=BLACK), "I8", "vcf", 5),
    "trap": (Board.from_stones("e10 j8 j9 k11 l12", "f10 g10 h10", turn=WHITE), "I10", "vcf", 3),
    "trap-or-straight-four": (
        Board.from_stones("h8 f6 f7 h7 g2", "g6 g5 g4 a1", turn=WHITE),
        "G3 G7 G8",
        "vcf",
        3,
    ),
}


@pytest.mark.parametrize("name", FORCED)
def test_what_is_forced_or_won_by_fours(engine: Engine, name: str) -> None:
    board, moves, source, win_in = FORCED[name]
    for image, wanted in images(board, moves):
        for result in (engine.best_move(image, SOME), engine.analyse(image, SOME, multipv=1)):
            assert_sound(image, result)
            assert (result.source, result.win_in) == (source, win_in)
            assert result.move in wanted
            assert (result.proof is not None) == (source == "vcf")


def test_an_open_three_is_stopped(engine: Engine) -> None:
    for three, other, turn in (("f8 g8 h8", "k3 l4", WHITE), ("f8 g8 h8", "d8 e5 k6", BLACK)):
        stones = (three, other) if turn is WHITE else (other, three)
        for image, stops in images(Board.from_stones(*stones, turn=turn), "D8 E8 I8 J8"):
            result = engine.best_move(image, SOME)
            assert_sound(image, result)
            assert result.move in stops


def test_a_mise_is_played(engine: Engine) -> None:
    for image, _ in images(Board(MISE), ""):
        result = engine.best_move(image, SOME)
        assert_sound(image, result)
        assert (result.source, result.proof.kind) == ("mise-vcf", "mise-vcf")


@pytest.mark.parametrize("level", ["medium", "hard", "master"])
def test_a_win_by_threats_is_played(level: str) -> None:
    engine = Engine(config=EngineConfig.from_level(level).replace(vct_from_stones=0), hash_mb=2)
    board = Board.from_stones("a1 c4 g2 n1", "h8 i8 k9 k10", turn=WHITE)
    for image, _ in images(board, ""):
        result = engine.best_move(image, Limit(nodes=200_000))
        assert_sound(image, result)
        assert (result.source, result.proof.kind) == ("vct", "vct")


def test_switches_of_the_proofs() -> None:
    hard = EngineConfig.from_level("hard")
    board = FORCED["four-three"][0]
    for config in (hard.replace(vcf=False), hard.replace(vcf=False, mise_vcf=False, vct=False)):
        result = Engine(config=config, hash_mb=2).best_move(board, SOME)
        assert result.source != "vcf"
        assert_sound(board, result)


def test_a_trap_wins_in_the_end(engine: Engine) -> None:
    """White makes a four, black has a move but no good one, white makes five."""
    board = FORCED["trap"][0].copy()
    board.push(engine.best_move(board, SOME).move)
    lost = engine.best_move(board, SOME)
    assert_sound(board, lost)
    assert (lost.source, lost.win_in) == ("forced-defence", -2)
    board.push(lost.move)
    outcome = board.push(engine.best_move(board, SOME).move)
    assert (outcome.winner, outcome.reason) == (WHITE, "five")


def test_a_forced_foul_is_answered(engine: Engine) -> None:
    for image, forbidden in images(Board(FORCED_FOUL), "G7"):
        for result in (engine.best_move(image, SOME), engine.analyse(image, SOME)):
            assert_sound(image, result)
            assert (result.source, result.win_in) == ("forced-defence", -2)
            assert result.move not in forbidden


@pytest.mark.slow
def test_black_does_not_make_six(engine: Engine) -> None:
    board = Board.from_stones("e8 f8 g8 i8 j8", "a1 a3 c5 c7 n2", turn=BLACK)
    for image, six in images(board, "H8"):
        result = engine.best_move(image, SOME)
        assert_sound(image, result)
        assert result.move not in six


def test_every_source_has_a_number() -> None:
    names = [source.name.lower().replace("_", "-") for source in Source]
    assert names == [*_native.SOURCES, "over", "none"]
    assert Source.OPENING == 0
    assert Source(Source.MISE_VCF).name == "MISE_VCF"


# Games


@pytest.mark.parametrize("number", range(20))
def test_every_move_of_a_game_is_legal(number: int) -> None:
    black, white = (Engine(LEVELS[(number * k) % 5], seed=number, hash_mb=1) for k in (1, 3))
    board = Board()
    sources = set()
    while board.outcome is None and board.ply < 40:
        result = (black if board.turn is BLACK else white).best_move(board, Limit(nodes=600))
        assert_sound(board, result)
        sources.add(result.source)
        board.push(result.move)
    assert {"opening", "search"} <= sources
    assert board.opening() is not None
    # White may win with six in a row.
    assert board.outcome is None or board.outcome.reason in ("five", "overline")


def test_forbidden_points_are_never_chosen() -> None:
    """Positions of games in which black had forbidden points, at every level."""
    engines = [Engine(level, hash_mb=1) for level in LEVELS]
    seen = 0
    for game in games()[::2]:
        for count in range(8, len(game["moves"]), 6):
            board = Board(game["moves"][:count])
            if board.outcome is None and board.turn is BLACK and board.forbidden_points():
                seen += 1
                for engine in engines[seen % 2 :: 2]:
                    assert_sound(board, engine.best_move(board, Limit(nodes=500)))
    assert seen > 40


@pytest.mark.slow
def test_openings() -> None:
    """Three moves of the engine are one of the 26 openings; which one, the seed decides. Those that black has
    lost come, too, but seldom."""
    found: Counter[str] = Counter()
    engine = Engine("beginner", hash_mb=1)
    for engine.seed in range(1_000):
        board = Board()
        for _ in range(3):
            result = engine.best_move(board)
            assert_sound(board, result)
            assert (result.source, result.depth, result.nodes) == ("opening", 0, 0)
            assert result.candidates[0].move == result.move
            board.push(result.move)
        opening = board.opening()
        assert opening is not None
        found[opening.code] += 1
        assert engine.best_move(board, FEW).source == "book"
    assert found.keys() == {opening.code for opening in openings.OPENINGS}
    lost = {opening.code for opening in openings.OPENINGS if opening.evaluation == "0-1"}
    assert max(found[code] for code in lost) < min(found[code] for code in found.keys() - lost)
    for kind in "DI":
        assert 400 < sum(count for code, count in found.items() if code[0] == kind) < 600


@pytest.mark.parametrize("moves", ["h8", "h8 i9", "h8 h9"])
def test_openings_are_left_where_nobody_wants_them(moves: str) -> None:
    board = Board(moves)
    assert Engine(hash_mb=1).best_move(board, FEW).source == "opening"
    assert Engine(hash_mb=1, book=False).best_move(board, FEW).source != "opening"
    assert Engine(hash_mb=1).analyse(board, FEW).source != "opening"
    assert [result.source for result in Engine(hash_mb=1).stream(board, FEW)][-1] != "opening"


@pytest.mark.parametrize("moves", ["a1", "h8 a1", "g8", "h8 i9 a1"])
def test_other_beginnings_are_searched(moves: str) -> None:
    board = Board(moves)
    result = Engine(hash_mb=1).best_move(board, FEW)
    assert_sound(board, result)
    assert result.source == "search"


# The same answer


@pytest.mark.slow
def test_the_same_nodes_give_the_same_answer(engine: Engine) -> None:
    boards = [Board(QUIET), *(Board(game["moves"][:20]) for game in games()[:4])]
    for board in boards:
        if board.outcome is not None:
            continue
        first = without_time(engine.best_move(board, SOME))
        other = Engine(config=engine.config, hash_mb=2)
        other.best_move(boards[0], Limit(nodes=3_000))
        # Neither what was searched before nor the memory given matters.
        assert without_time(engine.best_move(board, SOME)) == first
        assert without_time(other.best_move(board, SOME)) == first
        analysis = without_time(engine.analyse(board, SOME, 3))
        assert without_time(other.analyze(board, SOME, 3)) == analysis


@pytest.mark.slow
@pytest.mark.parametrize("level", ["beginner", "easy", "medium"])
def test_seeds_choose_among_good_moves(level: str) -> None:
    board, config = Board(QUIET), EngineConfig.from_level(level)
    limit = Limit(nodes=200_000)
    analysis = Engine(level, hash_mb=1).analyse(board, limit, multipv=225)
    exact = {candidate.move: candidate.score for candidate in analysis.candidates}
    assert exact[analysis.move] == max(exact.values())
    seeds = range(60)
    played = [Engine(level, seed=seed, hash_mb=1).best_move(board, limit) for seed in seeds]
    for result in played:
        assert result.score == exact[result.move]
        assert result.score >= analysis.score - config.random_threshold
    assert len({result.move for result in played}) > 1
    others = sum(result.move != analysis.move for result in played)
    expected = len(seeds) * config.random_percent / 100
    assert expected / 4 <= others <= expected * 3
    for seed in seeds[:5]:
        again = Engine(level, seed=seed, hash_mb=1).best_move(board, limit)
        assert without_time(again) == without_time(played[seed])


def test_what_is_decided_is_not_left_to_chance() -> None:
    config = EngineConfig.from_level("beginner").replace(random_percent=100, random_threshold=100_000)
    for name, (board, moves, *_) in FORCED.items():
        for seed in range(10):
            result = Engine(config=config, seed=seed, hash_mb=1).best_move(board, SOME)
            assert str(result.move) in moves.split(), name


@pytest.mark.parametrize("level", ["hard", "master"])
def test_seeds_do_not_matter_to_the_strong_levels(level: str) -> None:
    results = [
        without_time(Engine(level, seed=seed, hash_mb=1).best_move(Board(QUIET), FEW)) for seed in range(4)
    ]
    assert all(result == results[0] for result in results)


def test_analysis_is_never_at_random() -> None:
    results = [
        without_time(Engine("beginner", seed=seed, hash_mb=1).analyse(Board(QUIET))) for seed in range(8)
    ]
    assert all(result == results[0] for result in results)


@pytest.mark.slow
def test_the_signature_of_the_search() -> None:
    """A new number here is a change of behaviour: it goes with the commit that makes it."""
    expected = int((DATA / "signature.txt").read_text())
    assert _native.signature() == expected == speed.signature()


# Limits


@pytest.mark.parametrize("level", ["hard", "master"])
def test_depth(level: str) -> None:
    engine = Engine(level, hash_mb=2)
    for depth in range(1, 5):
        result = engine.analyse(Board(QUIET), Limit(depth=depth, nodes=10**9), multipv=1)
        assert (result.depth, result.interrupted) == (depth, False)
        assert [found for found, _, _ in result.depths] == list(range(1, depth + 1))
        assert result.depths[-1] == (depth, result.move, result.score)
        assert result.seldepth >= depth


def test_nodes(engine: Engine) -> None:
    board = Board(QUIET)
    for nodes in (0, 1, 10, 100, 1_000, 10_000):
        result = engine.best_move(board, Limit(nodes=nodes))
        assert_sound(board, result)
        assert result.nodes <= nodes * 1.5 + 100
        assert abs(result.nodes - result.stats["search_nodes"] - result.stats["threat_nodes"]) <= 1
    assert engine.best_move(board, Limit(nodes=10)).interrupted


@pytest.mark.slow
def test_time() -> None:
    engine, board = Engine("master", hash_mb=2), Board(QUIET)
    for seconds in (0, 0.05, 0.3):
        start, clock = time.perf_counter(), CpuClock()
        result = engine.best_move(board, Limit(time=seconds))
        assert clock.seconds() < 10 * seconds + 2
        assert_sound(board, result)
        assert result.time <= time.perf_counter() - start
    # Some time is enough for some plies.
    while engine.best_move(board, Limit(time=seconds)).depth <= 2:
        seconds *= 2
        assert seconds < PATIENCE_S


def test_a_level_bounds_what_a_limit_does_not_name() -> None:
    result = Engine("hard", hash_mb=2).best_move(Board(QUIET), Limit(time=1_000))
    assert (result.depth, result.interrupted) == (EngineConfig.from_level("hard").depth, False)
    config = EngineConfig.from_level("master").replace(nodes=3_000)
    result = Engine(config=config, hash_mb=2).best_move(Board(QUIET))
    assert result.interrupted
    assert result.nodes < 6_000


@pytest.mark.parametrize("limit", [Limit(depth=0), Limit(nodes=0), Limit(time=0), Limit(0, 0, 0)])
def test_next_to_nothing_is_still_a_move(engine: Engine, limit: Limit) -> None:
    for board in (Board(QUIET), Board(FORCED_FOUL), Board("a1"), Board.from_stones("h8", "", turn=WHITE)):
        assert_sound(board, engine.best_move(board, limit))
        assert_sound(board, engine.analyse(board, limit))
        *_, last = engine.stream(board, limit)
        assert_sound(board, last)


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


# What cannot be


CHECKERED = [["XO"[(x + 2 * y) % 4 // 2] for x in range(15)] for y in range(15)]


def drawn(*first_row: str) -> Board:
    """A full board without a five, but for the beginning of row 1; black to move."""
    rows = [[*first_row, *CHECKERED[0][len(first_row) :]], *CHECKERED[1:]]
    return Board.from_text("\n".join(map(" ".join, rows[::-1])), turn=BLACK)


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (Board("h8 a1 i8 a3 j8 a5 k8 a7 l8"), "five"),
        (Board("h8 a1 i8 a3 j8 a5 k8 a7 l8", referee=False), "five"),
        (Board(f"{DOUBLE_THREE} h8"), "forbidden"),
        (Board("h8 i9 g7 pass pass"), "two-passes"),
        (Board("h8 i9 g7 i7", move_limit=4), "move-limit"),
        (drawn(), "full"),
        (drawn(*"XXX.XXO"), "black has no legal move"),
    ],
    ids=["five", "five-unclaimed", "forbidden", "passes", "move-limit", "full", "no-legal-move"],
)
def test_there_is_no_move_after_the_end(board: Board, reason: str) -> None:
    engine = Engine("hard", hash_mb=1)
    for search in (engine.best_move, engine.analyse, lambda board: list(engine.stream(board))):
        with pytest.raises(renju.EngineError, match=reason):
            search(board)
    assert engine.best_move(Board(QUIET), FEW).source == "search"


def test_a_game_goes_on_after_a_foul_nobody_claimed() -> None:
    board = Board(f"{DOUBLE_THREE} h8", referee=False)
    assert_sound(board, Engine("hard", hash_mb=1).best_move(board, FEW))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"level": "expert"}, ValueError, "level is beginner, easy, medium, hard or master, not 'expert'"),
        ({"level": None}, ValueError, "level is"),
        ({"level": ["hard"]}, ValueError, "level is"),
        ({"config": "hard"}, TypeError, "config is a renju.EngineConfig, not str"),
        ({"config": {}}, TypeError, "config is a renju.EngineConfig, not dict"),
        ({"threads": -1}, ValueError, "threads is a number from 0 to"),
        ({"threads": 10**6}, ValueError, "threads is a number from 0 to"),
        ({"threads": 1.5}, TypeError, "threads is a whole number"),
        ({"hash_mb": 0}, ValueError, "hash_mb is a number from 1 to"),
        ({"hash_mb": 2**60}, ValueError, "hash_mb is a number from 1 to"),
        ({"hash_mb": "64"}, TypeError, "hash_mb is a whole number"),
        ({"seed": "x"}, TypeError, "seed is a whole number"),
        ({"seed": 0.5}, TypeError, "seed is a whole number"),
        ({"depth": 4}, TypeError, "depth"),
    ],
    ids=str,
)
def test_engines_that_cannot_be(arguments: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Engine(**arguments)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"limit": 5}, TypeError, "limit is a renju.Limit, not int"),
        ({"limit": {"nodes": 5}}, TypeError, "limit is a renju.Limit, not dict"),
        ({"multipv": 0}, ValueError, "multipv is a number from 1 to 225, not 0"),
        ({"multipv": 226}, ValueError, "multipv is a number from 1 to 225, not 226"),
        ({"multipv": 1.5}, TypeError, "multipv is a whole number"),
    ],
    ids=str,
)
def test_questions_that_cannot_be(arguments: dict, error: type[Exception], message: str) -> None:
    engine = Engine("beginner", hash_mb=1)
    for search in (engine.analyse, engine.stream):
        with pytest.raises(error, match=message):
            search(Board(QUIET), **arguments)
    if "limit" in arguments:
        with pytest.raises(error, match=message):
            engine.best_move(Board(QUIET), **arguments)


@pytest.mark.parametrize("seed", [-1, -(2**70), 2**64, 2**200, True])
def test_any_whole_number_is_a_seed(seed: int) -> None:
    for board in (Board(), Board("h8"), Board(QUIET)):
        assert_sound(board, Engine("beginner", seed=seed, hash_mb=1).best_move(board))


# Settings

# The table of the levels: depth, seconds, nodes, random per cent, threshold, single-four keep.
TABLE = {
    "beginner": (1, 1, 10_000, 80, 1_200, 100),
    "easy": (2, 2, 50_000, 25, 200, 60),
    "medium": (3, 4, 200_000, 10, 150, 30),
    "hard": (4, 8, 600_000, 0, 0, 0),
}
# The levels from which on each of them is in use.
FROM_LEVEL = {
    "beginner": ("vcf", "mise_vcf"),
    "easy": ("mise_term", "multi_direction_term", "mandatory_defence"),
    "medium": ("counter_four_term", "vct", "mise_defence", "futility"),
    "hard": ("fukumi_term", "trap_term", "vulnerability_term", "null_move"),
}


@pytest.mark.parametrize("level", TABLE)
def test_the_table_of_the_levels(level: str) -> None:
    config = EngineConfig.from_level(level)
    assert TABLE[level] == (
        config.depth,
        config.time_ms / 1000,
        config.nodes,
        config.random_percent,
        config.random_threshold,
        config.single_four_keep_percent,
    )
    for first, names in FROM_LEVEL.items():
        is_on = LEVELS.index(level) >= LEVELS.index(first)
        assert {name: getattr(config, name) for name in names} == dict.fromkeys(names, is_on)
    assert Engine(level).config == config


def test_levels() -> None:
    assert LEVELS == ("beginner", "easy", "medium", "hard", "master")
    assert EngineConfig() == EngineConfig.from_level("hard")
    assert Engine().config == EngineConfig()
    master = EngineConfig.from_level("master")
    assert master.depth > 50
    assert (master.random_percent, master.nodes) == (0, 0)
    assert len({EngineConfig.from_level(level) for level in LEVELS}) == len(LEVELS)


def test_settings_are_those_of_the_core() -> None:
    names = [field.name for field in fields(EngineConfig)]
    for level in LEVELS:
        known = _native.level_config(level)
        assert list(known) == names
        assert asdict(EngineConfig.from_level(level)) == known


@pytest.mark.parametrize("level", LEVELS)
def test_settings_as_toml(level: str, tmp_path: Path) -> None:
    config = EngineConfig.from_level(level).replace(depth=7, vcf=False, radius=3)
    file = tmp_path / "settings.toml"
    assert config.to_toml(file) == file.read_text(encoding="utf-8") == config.to_toml()
    assert EngineConfig.from_toml(file) == config == EngineConfig.from_toml(str(file))
    file.write_text(f'level = "{level}"\ndepth = 7\nvcf = false  # no fours\nradius = 3\n')
    assert EngineConfig.from_toml(file) == config
    file.write_text("")
    assert EngineConfig.from_toml(file) == EngineConfig()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"depth = ", "Invalid value"),
        (b"depth", "Expected '='"),
        (b"dept = 4", "there is no setting 'dept'"),
        (b"depth = 1\ndepth = 2", "overwrite"),
        (b'depth = "4"', "depth is a"),
        (b"depth = 4.0", "depth is a"),
        (b"depth = true", "depth is a"),
        (b"vcf = 1", "vcf is True or False"),
        (b"depth = -1", "depth is a number from 1 to 100, not -1"),
        (b"depth = 99999999999", "depth is a number from 1 to 100"),
        (b"[depth]\nx = 1", "depth is a"),
        (b'level = "expert"', "level is beginner"),
        (b"level = 3", "level is beginner"),
        (b"level = [1]", "level is beginner"),
        (b"depth = 4 \xff", "utf-8"),
    ],
    ids=str,
)
def test_bad_settings_in_files(text: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(text)
    with pytest.raises(renju.FormatError, match=message) as caught:
        EngineConfig.from_toml(file)
    assert str(file) in str(caught.value)
    with pytest.raises(FileNotFoundError):
        EngineConfig.from_toml(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"dept": 4}, ValueError, "there is no setting 'dept'"),
        ({"depth": "4"}, TypeError, "depth is a"),
        ({"depth": None}, TypeError, "depth is a"),
        ({"depth": True}, TypeError, "depth is a"),
        ({"null_move": 1}, TypeError, "null_move is True or False"),
        ({"depth": -1}, ValueError, "depth is a number from 1 to 100, not -1"),
        ({"five": 2**40}, ValueError, "five is a number from"),
        ({"vct_threat_limit": 4}, ValueError, "vct_threat_limit is a number from 1 to 3"),
        ({"radius": 0}, ValueError, "radius is a number from 1"),
        ({"aspiration_window": 0}, ValueError, "aspiration_window is a number from 1"),
        ({"random_percent": 101}, ValueError, "random_percent is a number from 0 to 100"),
    ],
    ids=str,
)
def test_bad_settings(changes: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        EngineConfig().replace(**changes)
    if "dept" not in changes:
        with pytest.raises(error, match=message):
            EngineConfig(**changes)


def test_settings_are_values() -> None:
    config = EngineConfig(depth=6)
    assert config == EngineConfig().replace(depth=6) != EngineConfig()
    assert hash(config) == hash(EngineConfig(depth=6))
    with pytest.raises(FrozenInstanceError):
        config.depth = 7  # type: ignore[misc]


def test_results_and_settings_can_be_pickled() -> None:
    engine = Engine("hard", hash_mb=1)
    for value in (
        EngineConfig(depth=6),
        engine.best_move(Board(QUIET), FEW),
        engine.best_move(Board(MISE), SOME),
        engine.analyse(Board(QUIET), FEW),
    ):
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert type(again) is type(value)


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
