"""The levels of the engine, and their settings as tables, files and values."""

import pickle
from dataclasses import FrozenInstanceError, asdict, fields
from pathlib import Path

import pytest

import renju
from renju import BLACK, WHITE, Board, Engine, EngineConfig, _native
from renju.engine import LEVELS
from support.positions import MISE, QUIET
from support.searches import FEW, SOME

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


OVERSIGHTS = ("five", "four", "three", "win", "vcf")
FOUR = Board.from_stones("e8 f8 g8 h8", "d8 d9 e10", turn=WHITE)  # I8 stops it
THREE = Board.from_stones("f8 g8 h8", "k3 l4", turn=WHITE)
OWN_FIVE = Board.from_stones("e8 f8 g8 h8", "d8 d9 e10 f6", turn=BLACK)


def only(level: str, **percents: int) -> EngineConfig:
    """The settings of a level that overlooks nothing but this."""
    none = {f"overlook_{what}_percent": 0 for what in OVERSIGHTS}
    return EngineConfig.from_level(level).replace(
        **none | {f"overlook_{what}_percent": percent for what, percent in percents.items()}
    )


@pytest.mark.parametrize("level", ["beginner", "easy", "medium"])
def test_what_is_overlooked_is_not_answered(level: str) -> None:
    for what, board, right in (
        ("five", OWN_FIVE, {"I8"}),
        ("four", FOUR, {"I8"}),
        ("three", THREE, {"D8", "E8", "I8", "J8"}),
    ):
        seen = Engine(config=only(level), hash_mb=1).best_move(board, FEW)
        assert (str(seen.move) in right, seen.stats["oversights"]) == (True, 0)
        missed = Engine(config=only(level, **{what: 100}), hash_mb=1).best_move(board, FEW)
        assert (str(missed.move) in right, missed.stats["oversights"]) == (False, 1)
        assert board.is_legal(missed.move)
        assert missed.win_in is None  # who overlooks a threat does not tell of it
        analysed = Engine(config=only(level, **{what: 100}), hash_mb=1).analyse(board, FEW)
        assert (str(analysed.move) in right, analysed.stats["oversights"]) == (True, 0)


def test_oversights_follow_the_seed() -> None:
    def moves(first: int) -> list[tuple[str, int]]:
        engines = (Engine("beginner", hash_mb=1, seed=seed) for seed in range(first, first + 120))
        found = (engine.best_move(FOUR, FEW) for engine in engines)
        return [(str(result.move), result.stats["oversights"]) for result in found]

    once = moves(0)
    assert once == moves(0) != moves(1000)
    missed = sum(oversights for _, oversights in once)
    assert 1 <= missed <= 15  # 5 per cent of 120 are 6
    assert all((move == "I8") == (oversights == 0) for move, oversights in once)


def test_the_fours_at_the_end_of_a_vct_are_counted_apart() -> None:
    board = Board(MISE)
    alone = EngineConfig.from_level("hard").replace(
        vcf=False, mise_vcf=False, vct_from_stones=0, vct_depth=2, vct_end_fours=0
    )
    assert Engine(config=alone, hash_mb=1).best_move(board, SOME).source != "vct"
    result = Engine(config=alone.replace(vct_end_fours=8), hash_mb=1).best_move(board, SOME)
    assert result.source == "vct"
    assert renju.verify(board, result.proof)
    assert result.proof.depth > 2


def test_the_depth_of_a_mise_vcf_is_bounded() -> None:
    board = Board(MISE)
    alone = EngineConfig.from_level("hard").replace(vcf=False, vct=False)
    deep = Engine(config=alone, hash_mb=1).best_move(board, SOME)
    assert (deep.source, deep.proof.depth) == ("mise-vcf", 6)
    for depth, source in ((5, "search"), (6, "mise-vcf"), (0, "mise-vcf")):
        config = alone.replace(mise_vcf_depth=depth)
        assert Engine(config=config, hash_mb=1).best_move(board, SOME).source == source


def test_the_terms_of_a_board() -> None:
    board = Board("h8 i9 g7 i7 g9 g8 i10 i8 f8 j7")
    bare = EngineConfig.from_level("hard").replace(depth=1, quiescence=False, vcf=False, opponent_vcf=False)
    scores = {}
    for name in ("connectivity", "center"):
        config = bare.replace(**{f"leaf_{name}_term": True})
        assert config.inert().keys() == bare.inert().keys()
        scores[name] = Engine(config=config, hash_mb=1).analyse(board, FEW, multipv=1).score
        doubled = config.replace(**{name: 2 * getattr(config, name)})
        assert Engine(config=doubled, hash_mb=1).analyse(board, FEW, multipv=1).score != scores[name]
    plain = Engine(config=bare, hash_mb=1).analyse(board, FEW, multipv=1).score
    assert plain not in scores.values()
    assert "leaf_center_term" in EngineConfig.from_level("master").inert()


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


def test_an_overlooked_five_is_not_told_as_a_loss() -> None:
    config = EngineConfig.from_level("beginner").replace(overlook_five_percent=100)
    # White threatens two fives, and black could win at once.
    board = Board.from_stones("e3 f3 g3 h3 a15", "e9 f9 g9 h9", turn=BLACK)
    for seed in range(8):
        result = Engine(config=config, seed=seed, hash_mb=1).best_move(board)
        assert str(result.move) not in ("D3", "I3")
        assert (result.win_in, result.stats["oversights"]) == (None, 1)
