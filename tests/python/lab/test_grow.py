"""Positions in a file that grows, and `renju lab tune values`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from renju import Engine, EngineConfig, FormatError, Interrupted, cli, lab
from renju.lab import tuning
from renju.lab.selfplay import selfplay
from support.processes import Output
from support.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]

QUICK: dict[str, Any] = {"nodes": 100, "opening_nodes": 200, "seed": 4}
COMMAND = ["lab", "tune", "values", "--nodes", "100", "--opening-nodes", "200", "--seed", "4", "--quiet"]
COMMAND += ["--out", "table.txt"]


@pytest.fixture(scope="module")
def whole() -> Any:
    return selfplay(40, **QUICK)


@pytest.mark.parametrize("save_s", [0, 0.05, 100])
def test_games_are_those_of_selfplay(whole: Any, save_s: float) -> None:
    told: list[tuple[int, int]] = []
    found = lab.grow_positions(
        "out.npz", 25, threads=1, save_s=save_s, progress=lambda *how: told.append(how), **QUICK
    )
    assert np.array_equal(found, whole[whole["game"] < 25])
    assert told[-1] == (25, 25)
    assert told == sorted(told)
    more = lab.grow_positions("out.npz", 40, resume=True, save_s=save_s, **QUICK)
    assert np.array_equal(more, whole)
    assert np.array_equal(lab.load_positions("out.npz"), whole)
    assert [path.name for path in Path().iterdir()] == ["out.npz"]


def test_what_is_there_is_kept(whole: Any) -> None:
    lab.grow_positions("out.npz", 10, **QUICK)
    before = Path("out.npz").read_bytes()
    with pytest.raises(FileExistsError, match="exists already"):
        lab.grow_positions("out.npz", 10, **QUICK)
    for other, error in (
        ({"seed": 5}, "seed was 4 and is 5"),
        ({"nodes": 200}, "nodes was 100 and is 200"),
        ({"beside": 0}, "beside was 1 and is 0"),
        ({"values": lab.ValueTable.fitted()}, r"config\.network was True and is False; values was None"),
        ({"config": EngineConfig.from_level("master").replace(vct=False)}, r"config\.vct was True"),
    ):
        with pytest.raises(ValueError, match=f"other games, and are not resumed: {error}"):
            lab.grow_positions("out.npz", 20, resume=True, **QUICK | other)
    # If nothing is played, nothing else matters.
    fewer = lab.grow_positions("out.npz", 5, resume=True, nodes=7)
    assert np.array_equal(fewer, whole[whole["game"] < 10])
    assert Path("out.npz").read_bytes() == before
    with pytest.raises(TypeError, match="unexpected"):
        lab.grow_positions("other.npz", 5, besides=0)


def test_other_files(whole: Any) -> None:
    lab.save_positions(whole, "plain.npz")
    assert np.array_equal(lab.grow_positions("plain.npz", 40, resume=True), whole)
    with pytest.raises(ValueError, match="does not tell how its games were played"):
        lab.grow_positions("plain.npz", 41, resume=True, **QUICK)
    np.savez("bad.npz", positions=whole, facts=np.array("{"))
    with pytest.raises(FormatError, match=r"bad\.npz"):
        lab.grow_positions("bad.npz", 41, resume=True, **QUICK)
    Path("text.npz").write_text("hello")
    with pytest.raises(FormatError, match=r"text\.npz"):
        lab.grow_positions("text.npz", 41, resume=True, **QUICK)
    with pytest.raises(FileNotFoundError):
        lab.grow_positions("nowhere/out.npz", 1, **QUICK)


def test_ctrl_c_keeps_finished_games(whole: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(games: int, first: int, **_: Any) -> Any:
        done = np.zeros(games, bool)
        done[[0, 3]] = True
        raise Interrupted("interrupted", whole[np.isin(whole["game"], [first, first + 3])], done)

    monkeypatch.setattr(tuning, "selfplay", interrupted)
    monkeypatch.setattr(tuning, "game_facts", lambda settings: {})
    with pytest.raises(Interrupted, match=r"2 games safe in out\.npz: resume to go on") as caught:
        lab.grow_positions("out.npz", 40, **QUICK)
    assert np.unique(caught.value.partial["game"]).tolist() == [0, 3]
    monkeypatch.setattr(tuning, "selfplay", selfplay)
    assert np.array_equal(lab.grow_positions("out.npz", 40, resume=True, **QUICK), whole)


def test_the_command(capsys: Output) -> None:
    assert cli.main([*COMMAND, "--games", "20", "--iterations", "6", "--threads", "1"]) == 0
    out = capsys.readouterr().out
    assert "board: train" in out
    assert "order: train" in out
    test = "renju lab ab --values table.txt --level master --nodes 100 --sprt 0,10 --games 4000"
    assert f"{test} --out table.games.jsonl" in out
    assert Engine(level="master", values="table.txt").config.fitted
    more = [*COMMAND, "--games", "30", "--resume", "--json", "--no-order", "--iterations", "4"]
    more += ["--positions", "table.npz", "--start", "table.txt", "--result-share", "0.5", "--pull", "50"]
    assert cli.main(more) == 0
    facts = json.loads(capsys.readouterr().out)
    assert list(facts["parts"]) == ["board"]
    assert facts["parts"]["board"]["steps"] <= 4
    positions = lab.load_positions("table.npz")
    assert sum(facts["positions"].values()) == len(positions)
    start = lab.fit_values(positions, iterations=0, order=False)
    assert facts["parts"]["board"]["before"] != start.board.losses[0]._asdict()
    words = facts["test"].split()[1:]
    words[words.index("4000")] = "2"
    assert cli.main([*words, "--quiet"]) == 3


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--start", "nothing.txt"], "nothing.txt"),
        (["--out", "nowhere/table.txt"], "nowhere"),
        (["--positions", "table.txt"], "cannot hold both"),
        (["--games", "1", "--opening-stones", "8,3"], "opening_stones"),
        (["--games", "0"], "no positions"),
    ],
)
def test_wrong_use(arguments: list[str], error: str, capsys: Output) -> None:
    assert cli.main([*COMMAND, *arguments]) == 2
    assert error in capsys.readouterr().err
    assert not Path("table.txt").exists()


KILLED = """
import sys
from renju import lab
lab.grow_positions("out.npz", 40, threads=1, save_s=0, resume=True, nodes=100, opening_nodes=200, seed=4)
"""


def test_killed_in_the_middle(whole: Any) -> None:
    process = subprocess.Popen([sys.executable, "-c", KILLED])
    wait_until(Path("out.npz").exists, process)
    process.kill()
    process.wait()
    assert process.returncode in (-signal.SIGKILL, 0)
    kept = lab.load_positions("out.npz")
    assert len(kept)
    assert np.array_equal(kept, whole[np.isin(whole["game"], kept["game"])])
    subprocess.run([sys.executable, "-c", KILLED], check=True, timeout=PATIENCE_S)
    assert np.array_equal(lab.load_positions("out.npz"), whole)
    assert sorted(path.name for path in Path().iterdir()) == ["out.npz"]
