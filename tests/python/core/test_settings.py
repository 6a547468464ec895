"""The settings of the engine: one declaration, and everything that is made from it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from renju import Board, Engine, EngineConfig, Limit
from renju._settings import SETTINGS, Setting
from renju.config import LEVELS
from support import ROOT
from support.processes import RENJU

# A quiet position, and one where white must answer a three.
BOARDS = [Board("h8 i9 g7 i7 g9 g8 i10 i8"), Board("h8 h9 i8 i9 g10 j8 i7 f11 g9 j10 h6 k9 j9")]


def other_values(known: Setting, value: int) -> list[int]:
    """Values of the range that are not this one."""
    if known.is_switch:
        return [1 - value]
    wanted = (known.least, min(known.most, 2 * abs(value) + 7), min(known.most, 100_000))
    return [other for other in wanted if other != value]


def answers(config: EngineConfig) -> list[object]:
    engine = Engine(config=config, book=False, hash_mb=1)
    results = [engine.best_move(board, Limit(nodes=1_500)) for board in BOARDS]
    return [(r.move, r.score, r.nodes, r.depth, r.pv) for r in results]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.slow
def test_what_is_called_inert_has_no_effect(level: str) -> None:
    config = EngineConfig.from_level(level)
    usual = answers(config)
    inert = config.inert()
    assert inert.keys() <= SETTINGS.keys()
    for name in inert:
        for value in other_values(SETTINGS[name], int(getattr(config, name))):
            # `dataclasses.replace` does not warn.
            kind = type(getattr(config, name))
            assert answers(replace(config, **{name: kind(value)})) == usual, (name, value)


def test_conditions_are_not_too_strict() -> None:
    """A setting that hard lets count changes something somewhere, if it is one of these."""
    config = EngineConfig.from_level("hard").replace(vcf=False, mise_vcf=False, vct=False)
    usual = answers(config)
    for name, value in {"open_three": 100, "futility_own_1": 0, "radius": 1, "grade_open_one": 900}.items():
        assert name not in config.inert()
        assert answers(config.replace(**{name: value})) != usual, name


def test_a_value_without_effect_is_told() -> None:
    master = EngineConfig.from_level("master")
    with pytest.warns(UserWarning, match="open_three has no effect here: it needs not fitted or order_deep"):
        changed = master.replace(open_three=5)
    assert "open_three" in changed.inert()
    # The value it has already is not set, and a setting that is turned on in the same breath counts.
    assert master.replace(open_three=master.open_three) == master
    assert "open_three" not in master.replace(open_three=5, fitted=False).inert()


def test_every_setting_is_described() -> None:
    text = EngineConfig().to_toml()
    for name, known in SETTINGS.items():
        assert known.doc.endswith(".")
        assert known.least <= known.default <= known.most
        assert f"\n{name} = " in text
        assert f"# {known.doc}" in text
    assert text.startswith("# Depth of the deepest iteration. (plies, 1 to 100)\ndepth = 4\n")


def test_what_is_made_from_the_declaration_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / ".ci/settings.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_command_tells_of_a_value_without_effect() -> None:
    command = [*RENJU, "match", "master,open_three=5,nodes=50", "hard,nodes=50"]
    done = subprocess.run(
        [*command, "--games", "2", "--quiet", "--json"], capture_output=True, text=True, check=True
    )
    warning = "renju: warning: open_three has no effect here: it needs not fitted or order_deep"
    assert done.stderr.startswith(warning)
    assert "config.py" not in done.stderr
