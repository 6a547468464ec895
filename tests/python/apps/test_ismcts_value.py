"""The learnt value of Twin Cool: the strategy, the search by it, the luck it tells, and how it is learnt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from renju import cli, ismcts
from renju.ismcts import GameState, IsMcts, Mcts, Pimc, Value

WEIGHTS = Path(__file__).parents[3] / "rust/src/hidden/twin_cool/value.bin"


def test_the_first_iteration_is_the_value_one_draw_ahead() -> None:
    state = GameState.deal(seed=5).observe()
    advice = IsMcts(iterations=1).advise(state)
    assert advice is not None
    assert advice.moves[0].visits == 1
    assert advice.moves[0].prior == max(move.prior for move in advice.moves)
    assert advice.moves[0].mean == advice.moves[0].prior


def test_the_value_alone_tells_no_moves() -> None:
    game = GameState.deal(seed=5)
    advice = Value().advise(game.observe())
    assert advice is not None
    assert advice.move in game.moves()
    assert advice.moves == ()


@pytest.mark.parametrize("kind", [Mcts, Pimc])
def test_a_deck_that_is_seen_has_no_use_for_the_value(kind: type[Mcts | Pimc]) -> None:
    with pytest.raises(ValueError, match=f"rollout value is of no use to {kind.name}"):
        kind(rollout="value")


def test_luck_does_not_change_the_games() -> None:
    results, luck = ismcts.simulate_with_luck("heuristic", games=30, seed=4, threads=1)
    assert (results == ismcts.simulate("heuristic", games=30, seed=4)).all()
    assert luck.shape == (30,)
    assert np.isfinite(luck).all()
    assert luck.std() > 1
    told = ismcts.benchmark("heuristic", games=30, seed=4, luck=True)
    assert told.fair_cards == pytest.approx((results["cards"] - luck).mean())
    assert f"{told.fair_cards:.3f} ± " in str(told)


def test_values_are_learnt_again_from_the_seed() -> None:
    heard: list[int] = []
    weights = ismcts.learn_value(0, 50, 1, seed=2, threads=1, progress=lambda number, _: heard.append(number))
    assert len(weights) == len(WEIGHTS.read_bytes())
    assert weights[:4] == b"TCV1"
    assert heard == [0]
    assert weights != WEIGHTS.read_bytes()


def test_the_command_writes_the_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "value.bin"
    words = [
        "twincool",
        "learn",
        str(out),
        "--rounds",
        "0",
        "--positions",
        "50",
        "--epochs",
        "1",
        "--seed",
        "2",
    ]
    assert cli.main(words) == 0
    assert out.read_bytes() == ismcts.learn_value(0, 50, 1, seed=2)
    assert "round 0 of 0: off by " in capsys.readouterr().err
