"""The levels of the engine, and their settings as tables, files and values."""

import pickle
from dataclasses import FrozenInstanceError, asdict, fields
from pathlib import Path

import pytest

import renju
from renju import Board, Engine, EngineConfig, _native
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
