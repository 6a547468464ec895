"""Tables of values, self-play and fits from Python; the core is tested in tests/rust/lab/values.rs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renju import Board, Engine, EngineConfig, Limit, Source, batch
from renju.errors import FormatError, PositionError
from renju.lab.selfplay import POSITION_DTYPE, load_positions, save_positions, selfplay
from renju.lab.values import Fit, ValueTable, fit_values, load_values, save_values
from support.waiting import run_code

BOARD = Board("h8 i9 g7 i7 g9 g8 i10 i8")
QUICK: dict[str, Any] = {"nodes": 200, "opening_nodes": 200}


@pytest.fixture(scope="module")
def positions() -> Any:
    return selfplay(60, seed=4, **QUICK)


@pytest.fixture(scope="module")
def plain() -> Any:
    """Games without the network, so that another one does not change what is fitted to them."""
    return selfplay(60, seed=4, network=False, **QUICK)


def halved() -> ValueTable:
    table = ValueTable.fitted()
    return ValueTable(table.cells // 2, table.threats)


def test_a_table_is_text_and_arrays(tmp_path: Path) -> None:
    table = ValueTable.fitted()
    assert table.cells.shape == (3060, 6)
    assert table.threats.shape == (128, 2)
    assert ValueTable.parse(str(table)) == table != halved()
    save_values(halved(), tmp_path / "half.txt")
    assert load_values(tmp_path / "half.txt") == halved()
    with pytest.raises(FormatError, match="line 1 is missing"):
        ValueTable.parse("\n")
    with pytest.raises(ValueError, match="shape"):
        ValueTable(table.cells[1:], table.threats)
    with pytest.raises(ValueError, match="int16"):
        ValueTable(table.cells.astype(int) + 40_000, table.threats)
    with pytest.raises(TypeError, match="dtype"):
        ValueTable(table.cells / 2, table.threats)


def test_an_engine_takes_a_table(tmp_path: Path) -> None:
    limit = Limit(nodes=3000)
    table = ValueTable.fitted()

    def score(**options: Any) -> tuple[int, int]:
        result = Engine(level="master", **options).analyse(BOARD, limit, multipv=1)
        return result.score, result.nodes

    path = tmp_path / "values.txt"
    save_values(table, path)
    same = [
        score(network=False),
        score(values=table),
        score(values=str(table)),
        score(values=path),
        score(values=str(path)),
    ]
    assert len(set(same)) == 1
    assert score(values=halved()) != same[0]
    # It is used whatever the level says.
    engine = Engine(level="hard", values=table)
    assert engine.config == EngineConfig.from_level("hard").replace(fitted=True)
    assert Engine(level="hard").config == EngineConfig.from_level("hard")


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (1, "0 0 0 0 0", "line 1 is not 6 whole numbers"),
        (17, "1 2 3 4 5 x", "line 17 is not 6 whole numbers"),
        (3061, "1 2 3", "line 3061 is not 2 whole numbers"),
        (3188, "1 99999", "line 3188 is not 2 whole numbers"),
        (3188, "0 0\n1 1", "line 3189 is too much"),
    ],
)
def test_a_bad_line_is_named(line: int, text: str, message: str) -> None:
    lines = str(ValueTable.fitted()).splitlines()
    lines[line - 1] = text
    with pytest.raises(ValueError, match=message):
        Engine(values="\n".join(lines))


def test_other_things_are_no_table(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Engine(values=tmp_path / "nothing")
    with pytest.raises(TypeError, match="values"):
        Engine(values=5)  # type: ignore[arg-type]


@pytest.mark.slow
def test_games_are_positions(positions: Any) -> None:
    assert positions.dtype == POSITION_DTYPE
    assert np.unique(positions["game"]).tolist() == list(range(60))
    boards = positions["board"]
    assert set(np.unique(boards)) == {0, 1, 2}
    assert not batch.winners(boards).any()
    counts = (boards == 1).sum((1, 2)) - (boards == 2).sum((1, 2))
    assert np.array_equal(counts == 0, positions["turn"] == 1)
    assert (boards.reshape(len(boards), 225)[range(len(boards)), positions["move"]] == 0).all()
    assert (positions["source"] <= Source.SEARCH).all()
    played = positions[~positions["score_only"]]
    assert (positions["result"][positions["score_only"]] == 0).all()
    assert {-1, 1} <= set(played["result"].tolist()) <= {-1, 0, 1}


@pytest.mark.slow
def test_games_have_numbers(positions: Any) -> None:
    some = selfplay(5, first=10, seed=4, threads=1, **QUICK)
    assert np.array_equal(some, positions[(positions["game"] >= 10) & (positions["game"] < 15)])
    other = selfplay(5, first=10, seed=4, values=halved(), **QUICK)
    assert not np.array_equal(some, other)
    alone = selfplay(5, seed=4, beside=0, random_rate=0, **QUICK)
    assert not alone["score_only"].any()
    assert len(selfplay(0)) == 0
    told: list[tuple[int, int]] = []
    selfplay(3, progress=lambda done, total: told.append((done, total)), **QUICK)
    assert told[-1] == (3, 3)


@pytest.mark.slow
def test_the_score_is_that_of_the_engine(positions: Any) -> None:
    found = batch.analyze(positions["board"], positions["turn"], Limit(nodes=200), level="master", hash_mb=4)
    assert np.array_equal(found["score"], positions["score"])
    assert np.array_equal(found["best"], positions["move"])


def test_positions_are_kept_in_files(positions: Any, tmp_path: Path) -> None:
    path = tmp_path / "positions.npz"
    save_positions(positions, path)
    assert np.array_equal(load_positions(path), positions)
    assert [file.name for file in tmp_path.iterdir()] == ["positions.npz"]
    np.savez(path, positions=np.zeros(3))
    with pytest.raises(FormatError, match="dtype"):
        load_positions(path)
    path.write_text("h8 i9")
    with pytest.raises(FormatError):
        load_positions(path)
    with pytest.raises(TypeError, match="dtype"):
        save_positions(np.zeros(3), path)


def test_a_fit_lowers_the_loss(plain: Any, tmp_path: Path) -> None:
    told: list[tuple[str, int, float, float]] = []
    fit = fit_values(plain, halved(), iterations=15, progress=lambda *step: told.append(step))
    assert isinstance(fit, Fit)
    assert sum(fit.positions) == len(plain)
    assert fit.order is not None
    for part in (fit.board, fit.order):
        assert part.rounded.train < part.losses[0].train
        assert part.rounded.validation < part.losses[0].validation
        assert part.losses[part.best].validation == min(losses.validation for losses in part.losses)
    assert told[0] == ("board", 0, *fit.board.losses[0])
    assert {name for name, *_ in told} == {"board", "order"}
    assert "->" in str(fit)
    fit.save(tmp_path / "new.txt")
    assert load_values(tmp_path / "new.txt") == fit.table != halved()
    assert Engine(level="master", values=fit.table).best_move(BOARD, Limit(nodes=500)).depth > 0


@pytest.mark.slow
def test_weights_count(plain: Any) -> None:
    def fit(weights: Any) -> ValueTable:
        return fit_values(plain, halved(), weights=weights, iterations=3, order=False).table

    ones = np.ones(len(plain))
    assert fit(ones) == fit(None) != fit(np.where(plain["turn"] == 1, 3, 1))
    half = fit_values(plain, weights=plain["score_only"], iterations=1, order=False)
    assert half.positions[2] >= (~plain["score_only"]).sum()
    with pytest.raises(ValueError, match="shape"):
        fit(ones[1:])
    with pytest.raises(ValueError, match="finite"):
        fit(-ones)


def test_nonsense_is_refused(positions: Any) -> None:
    bad = positions.copy()
    bad["turn"][5] = 7
    with pytest.raises(PositionError, match=r"positions\[5\]: turn is 1 or 2, not 7"):
        fit_values(bad)
    with pytest.raises(ValueError, match="no positions"):
        fit_values(positions[:0])
    with pytest.raises(TypeError, match="dtype"):
        fit_values(np.zeros(5))
    for options in (
        {"scale": 0},
        {"result_share": 2},
        {"pull": -1},
        {"validation": float("nan")},
        {"patience": 0},
    ):
        with pytest.raises(ValueError, match="is a number from"):
            fit_values(positions, **options)
    for options in (
        {"nodes": 0},
        {"random_rate": 2},
        {"opening_stones": (5, 3)},
        {"games": -1},
        {"beside": -1},
    ):
        with pytest.raises(ValueError, match="is "):
            selfplay(**{"games": 1, **options})


def test_an_error_of_the_caller_comes_back(positions: Any) -> None:
    def fail(*_: object) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        fit_values(positions, progress=fail)
    with pytest.raises(LookupError, match="enough"):
        selfplay(50, progress=fail, **QUICK)


CTRL_C = """
import os, signal
import numpy as np
from renju import Interrupted
from renju.lab.selfplay import selfplay
from renju.lab.values import Fit, fit_values
from support.waiting import signal_after_work

def stop() -> None:
    os.kill(os.getpid(), signal.SIGINT)

def stop_when_played(done, total):
    if done > 2 and not stopped:
        stopped.append(done)
        signal_after_work(0.05)

stopped = []
try:
    selfplay(100_000, nodes=1000, progress=stop_when_played)
except Interrupted as error:
    partial, done = error.partial, error.done
else:
    raise SystemExit("the games were not interrupted")
assert 2 < done.sum() < 100_000
assert set(np.unique(partial["game"])) == set(np.flatnonzero(done))

try:
    fit_values(selfplay(20, nodes=200), progress=lambda _part, step, *_: stop() if step == 3 else None)
except Interrupted as error:
    assert isinstance(error.partial, Fit) and len(error.partial.board.losses) == 4
else:
    raise SystemExit("the fit was not interrupted")
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_was_found() -> None:
    run_code(CTRL_C)
