"""SPSA: its arithmetic on functions that are known, its games, and files that survive."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from renju import EngineConfig, FormatError, Interrupted, Limit, cli, lab
from renju._files import Lock
from renju.lab.spsa import gains
from support.journals import write_lines
from support.processes import RENJU, Output
from support.waiting import PATIENCE_S, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("inside")]

X, Y = lab.Parameter("x", 1000, 0, 2000, 100), lab.Parameter("y", 1, 0, 20, 1)
REAL = [lab.Parameter("open_three", None, 100, 5000, 400), lab.Parameter("center", None, 0, 500, 50)]
GAMES: dict[str, Any] = {"level": "medium", "limit": Limit(nodes=50), "pairs": 3, "openings": "random:6"}
COMMAND = ["lab", "tune", "search", "--level", "medium", "--nodes", "50", "--pairs", "2", "--quiet"]
COMMAND += ["--parameter", "open_three::100:5000:400", "--parameter", "center:60:0:500:50"]


def hill(games: int = 16) -> Callable[[Mapping[str, int], Mapping[str, int], int], float]:
    """Games between points on a hill whose top is at x = 300, y = 6."""

    def elo(settings: Mapping[str, int]) -> float:
        return -2e-4 * (settings["x"] - 300) ** 2 - 5 * (settings["y"] - 6) ** 2

    def play(plus: Mapping[str, int], minus: Mapping[str, int], seed: int) -> float:
        likely = 1 / (1 + 10 ** ((elo(minus) - elo(plus)) / 400))
        rng = Random(seed)
        return sum(rng.random() < likely for _ in range(games)) / games

    return play


# Arithmetic


def test_gains() -> None:
    assert gains(99, 100, 0.7) == pytest.approx((0.7, 1))
    a, c = gains(0, 100)
    assert a == pytest.approx((110 / 11) ** 0.602)
    assert c == pytest.approx(100**0.101)


@pytest.mark.parametrize(("score", "moved"), [(1, 50), (0.5, 0), (0.25, -25)])
def test_one_iteration_by_hand(score: float, moved: float) -> None:
    result = lab.spsa([X, Y], iterations=1, play=lambda *_: score)
    (only,) = result.history
    signs = {p.name: 1 if only.plus[p.name] > only.minus[p.name] else -1 for p in (X, Y)}
    assert only.plus == {"x": 1000 + 100 * signs["x"], "y": 1 + signs["y"]}
    assert only.minus == {"x": 1000 - 100 * signs["x"], "y": 1 - signs["y"]}
    assert result.values == {"x": 1000 + moved * signs["x"], "y": 1 + moved / 100 * signs["y"]}
    assert result.is_finished


@pytest.mark.parametrize("seed", range(3))
def test_it_climbs_a_noisy_hill(seed: int) -> None:
    result = lab.spsa([X, Y], iterations=400, seed=seed, play=hill())
    assert result.mean_values["x"] == pytest.approx(300, abs=150)
    assert result.mean_values["y"] == pytest.approx(6, abs=1.5)


def test_values_stay_in_their_range() -> None:
    def upwards(plus: Mapping[str, int], minus: Mapping[str, int], _: int) -> float:
        return float(plus["x"] > minus["x"])

    result = lab.spsa([X], iterations=60, play=upwards)
    assert result.settings == {"x": 2000}
    seen = [side["x"] for i in result.history for side in (i.plus, i.minus)]
    assert 0 <= min(seen) < max(seen) <= 2000


def test_rounding_is_right_on_average() -> None:
    small = lab.Parameter("x", 7.3, 0, 20, 0.01)
    result = lab.spsa([small], iterations=2000, play=lambda *_: 0.5)
    tried = [i.plus["x"] for i in result.history]
    assert {*tried} == {7, 8}
    assert sum(tried) / len(tried) == pytest.approx(7.3, abs=0.05)
    assert result.values == {"x": 7.3}


def test_what_has_no_say_strays_as_far_as_chance() -> None:
    def coin(_plus: Mapping[str, int], _minus: Mapping[str, int], seed: int) -> float:
        rng = Random(seed)
        return sum(rng.random() < 0.5 for _ in range(16)) / 16

    idle = lab.Parameter("x", 0, -(10**6), 10**6, 1)
    results = [lab.spsa([idle], iterations=100, seed=seed, play=coin) for seed in range(40)]
    strayed = sum(result.values["x"] ** 2 for result in results) / len(results)
    expected = sum(result.chance["x"] ** 2 for result in results) / len(results)
    assert strayed == pytest.approx(expected, rel=0.5)
    assert expected**0.5 == pytest.approx(0.6 * (100 / 8) ** 0.5, rel=0.1)


def test_all_follows_from_the_seed() -> None:
    results = [lab.spsa([X, Y], iterations=20, seed=seed, play=hill()) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]
    faster = lab.spsa([X, Y], iterations=20, seed=1, rate=2, play=hill())
    moved = [result.history[0].values["x"] - 1000 for result in (results[0], faster)]
    assert moved[1] == pytest.approx(2 * moved[0])


def test_the_table(capsys: Output) -> None:
    told: list[tuple[int, int]] = []
    result = lab.spsa(
        [X, Y], iterations=8, play=hill(), progress=lambda done, total: told.append((done, total))
    )
    assert told == [(n, 8) for n in range(1, 9)]
    lines = str(result).splitlines()
    assert lines[0] == "8 of 8 iterations"
    assert [line.split()[0] for line in lines[3:]] == ["x", "y"]
    facts = json.loads(json.dumps(result.to_dict()))
    assert facts["settings"] == result.settings
    assert facts["parameters"][0]["value"] == result.values["x"]


# Parameters


def test_parameters_as_text() -> None:
    assert lab.Parameter.parse("radius:2:1:4:0.5") == lab.Parameter("radius", 2, 1, 4, 0.5)
    assert lab.Parameter.parse("radius::1:4:1").start is None
    assert lab.Parameter.parse("center:-1.5:-3:3:1").start == -1.5


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("radius", "NAME:START:LOW:HIGH:STEP was expected"),
        ("radius:2:1:4", "was expected"),
        ("radius:2:1:x:1", "was expected"),
        ("radius:2:4:4:1", "low is less than high"),
        ("radius:5:1:4:1", "the start 5 is not from 1 to 4"),
        ("radius:2:1:4:0", "step is a number"),
        ("radius:2:1:4:nan", "step is a number"),
    ],
)
def test_wrong_parameters(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        lab.Parameter.parse(text)


def test_what_cannot_be_tuned() -> None:
    few: dict[str, Any] = {"iterations": 1, "limit": Limit(nodes=10)}
    for parameters, error in (
        ([], "no parameter"),
        ([REAL[0], REAL[0]], "open_three is given twice"),
        ([lab.Parameter("nothing", 1, 0, 2, 1)], "there is no setting 'nothing'"),
        ([lab.Parameter("vct", 0, 0, 1, 1)], "vct is a switch"),
        ([lab.Parameter("radius", 2, -5, 4, 1)], "radius"),
        ([lab.Parameter("null_move_margin", None, 2000, 3000, 1)], "the start 0 is not from 2000"),
        ([REAL[0]], "open_three has no effect here: it needs not fitted"),
    ):
        with pytest.raises(ValueError, match=error):
            lab.spsa(parameters, **few)
    for wrong in ({"iterations": 0}, {"rate": 0}, {"rate": float("nan")}, {"resume": True}, {"pairs": -1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            lab.spsa(REAL, **few | {"level": "medium"} | wrong)  # type: ignore[operator]
    with pytest.raises(ValueError, match="x has no start"):
        lab.spsa([lab.Parameter("x", None, 0, 2, 1)], play=hill())
    with pytest.raises(ValueError, match="share of points from 0 to 1, not 2"):
        lab.spsa([X], play=lambda *_: 2)


# Files


def test_a_run_is_taken_up_where_it_was_cut() -> None:
    settings: dict[str, Any] = {"iterations": 12, "seed": 3, "play": hill()}
    whole = lab.spsa([X, Y], path="whole.jsonl", **settings)
    data = Path("whole.jsonl").read_bytes()
    ends = [n + 1 for n, byte in enumerate(data) if byte == ord("\n")]
    for cut in (ends[0], ends[0] + 9, ends[4] - 1, ends[7], len(data)):
        Path("out.jsonl").write_bytes(data[:cut])
        again = lab.spsa([X, Y], path="out.jsonl", resume=True, **settings)
        assert again.history == whole.history
        assert Path("out.jsonl").read_bytes() == data
    with pytest.raises(FileExistsError, match="exists already"):
        lab.spsa([X, Y], path="out.jsonl", **settings)
    lock = Lock(Path("out.jsonl.lock"))
    with pytest.raises(BlockingIOError, match="another run"):
        lab.spsa([X, Y], path="out.jsonl", resume=True, **settings)
    lock.remove()
    for other, error in (
        ({"seed": 4}, "seed was 3 and is 4"),
        ({"iterations": 13}, "iterations was 12 and is 13"),
        ({"rate": 0.5}, "rate was 1.0 and is 0.5"),
        ({"parameters": [X]}, r"parameters\.y was"),
    ):
        with pytest.raises(ValueError, match=f"another tuning run, and is not resumed: {error}"):
            lab.spsa(**{"parameters": [X, Y], "path": "out.jsonl", "resume": True} | settings | other)
    assert Path("out.jsonl").read_bytes() == data


def test_bad_files_are_told() -> None:
    settings: dict[str, Any] = {"iterations": 4, "play": hill(), "path": "out.jsonl", "resume": True}
    lab.spsa([X, Y], **settings)
    head, first, *rest = Path("out.jsonl").read_text().splitlines(keepends=True)
    for lines, error in (
        ([head, '{"x":1}\n', *rest], r"out\.jsonl:2: not the record of an iteration"),
        ([head, first.replace('"score":', '"score":NaN,"other":')], r":2: not the record"),
        ([head, *rest], r":2: this is not iteration 0"),
        ([head, first, first], r":3: this is not iteration 1"),
        (['{"format":"renju-match","version":1}\n'], "no file of a tuning run"),
    ):
        write_lines("out.jsonl", lines)
        text = Path("out.jsonl").read_text()
        with pytest.raises(FormatError, match=error):
            lab.spsa([X, Y], **settings)
        assert Path("out.jsonl").read_text() == text


def test_what_ends_a_run_early() -> None:
    played = hill()

    def play(error: BaseException) -> Any:
        def ends(plus: Mapping[str, int], minus: Mapping[str, int], seed: int) -> float:
            left.append(seed)
            if len(left) == 4:
                raise error
            return played(plus, minus, seed)

        left: list[int] = []
        return ends

    settings: dict[str, Any] = {"iterations": 9, "path": "out.jsonl"}
    with pytest.raises(Interrupted, match=r"3 of 9 iterations safe in out\.jsonl: resume to go on") as caught:
        lab.spsa([X, Y], play=play(KeyboardInterrupt()), **settings)
    assert len(caught.value.partial.history) == 3
    assert not caught.value.partial.is_finished
    with pytest.raises(RuntimeError) as failed:
        lab.spsa([X, Y], play=play(RuntimeError("no")), resume=True, **settings)
    assert failed.value.__notes__ == ["6 of 9 iterations safe in out.jsonl: resume to go on"]


# Games


def test_games_do_not_depend_on_the_workers() -> None:
    whole = lab.spsa(REAL, iterations=4, seed=5, workers=1, path="whole.jsonl", **GAMES)
    assert whole.parameters[0].start == EngineConfig.from_level("medium").open_three
    assert len({i.score for i in whole.history}) > 1
    assert lab.spsa(REAL, iterations=4, seed=5, workers=3, **GAMES).history == whole.history
    data = Path("whole.jsonl").read_bytes()
    Path("out.jsonl").write_bytes(data[: -len(data.splitlines()[-1]) - 20])
    # Without a number of pairs it is that of the file.
    again = lab.spsa(
        REAL, iterations=4, seed=5, workers=2, path="out.jsonl", resume=True, **GAMES | {"pairs": 0}
    )
    assert again.history == whole.history
    assert again.pairs == 3
    with pytest.raises(ValueError, match=r"limit\.nodes was 50 and is 60"):
        lab.spsa(REAL, iterations=4, path="out.jsonl", resume=True, **GAMES | {"limit": Limit(nodes=60)})


def test_equal_sides_need_no_games() -> None:
    small = lab.Parameter("open_three", 1000, 900, 1100, 1e-6)
    result = lab.spsa([small], iterations=3, limit=Limit(time=1000), level="hard")
    assert [i.score for i in result.history] == [0.5] * 3


def test_the_command(capsys: Output) -> None:
    command = [*COMMAND, "--iterations", "4", "--out", "out.jsonl"]
    assert cli.main(command) == 0
    out = capsys.readouterr().out
    assert out.startswith("4 of 4 iterations of 4 games\n")
    assert cli.main([*command, "--resume", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["finished"]
    assert facts["pairs"] == 2
    now = {"open_three": 1000, "center": EngineConfig.from_level("medium").center}
    for name, value in facts["settings"].items():
        assert (f"--set {name}={value}" in facts["test"]) == (value != now[name])
    # What is printed is a command.
    words = facts["test"].split()[1:]
    words[words.index("4000")] = "2"
    assert cli.main([*words, "--quiet"]) == 3


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--resume"], "--out FILE"),
        (["--parameter", "center:1:0:5:1"], "center is given twice"),
        (["--openings", "random:x"], "random:N was expected"),
    ],
)
def test_wrong_use(arguments: list[str], error: str, capsys: Output) -> None:
    assert cli.main([*COMMAND, *arguments]) == 2
    assert error in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli.main(["lab", "tune", "search", "--parameter", "radius:1"])
    assert "NAME:START:LOW:HIGH:STEP was expected" in capsys.readouterr().err


def test_killed_in_the_middle() -> None:
    command = [*RENJU, *COMMAND, "--iterations", "8", "--out"]
    subprocess.run([*command, "whole.jsonl"], check=True, capture_output=True, timeout=PATIENCE_S)
    process = subprocess.Popen([*command, "out.jsonl"], stdout=subprocess.DEVNULL)
    out = Path("out.jsonl")
    wait_until(lambda: out.exists() and out.read_bytes().count(b"\n") >= 3, process)
    process.kill()
    process.wait()
    assert process.returncode in (-signal.SIGKILL, 0)
    subprocess.run([*command, "out.jsonl", "--resume"], check=True, capture_output=True, timeout=PATIENCE_S)
    assert out.read_bytes() == Path("whole.jsonl").read_bytes()


@pytest.mark.parametrize("text", ["x:1:2", "x", "x:1:2:3:4:5", "e:a:0:1:1", "x::0:1:"])
def test_parameters_that_are_none_name_the_form(text: str) -> None:
    with pytest.raises(ValueError, match="was expected"):
        lab.Parameter.parse(text)
