"""The engine through Python: known answers, legal games, limits, and what cannot be asked."""

import time
from collections import Counter

import pytest

import renju
from renju import BLACK, WHITE, Board, Engine, EngineConfig, Limit, Source, _native, openings, speed
from renju.engine import LEVELS
from support.data import DATA, games
from support.positions import DOUBLE_THREE, FORCED_FOUL, MISE, QUIET
from support.searches import FEW, FORCED, SOME, assert_sound, images, sighted, without_time
from support.searches import engine as engine
from support.waiting import PATIENCE_S, CpuClock

# Known answers


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
    engine = Engine(config=sighted(level).replace(vct_from_stones=0), hash_mb=2)
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
    config = sighted("beginner").replace(random_percent=100, random_threshold=100_000)
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
