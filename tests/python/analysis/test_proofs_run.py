"""Runs that prove positions and openings: the same result by all workers, and nothing finished is lost."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import resource
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import cli, proofs
from renju.proofs import ProofStore
from renju.proofs import store as store_module
from renju.proofs.running import _Plan, _replies
from support.processes import Output, run_child, run_named
from support.windows import quiet_board, three_board, window

pytestmark = pytest.mark.usefixtures("inside")

# The nodes of two steps: what is open takes the most of the time.
STEPS = (2_000, 4_000)

Facts = dict[str, Any]


def run(path: str = "out.proof", **options: Any) -> proofs.RunReport:
    return proofs.run(three_board(), path, **{"steps": STEPS, "threads": 2, "verify": False} | options)


def facts(path: str = "out.proof") -> dict[Any, Any]:
    """What a file says, in no order and without seconds."""
    store = ProofStore.open(path)
    found: dict[Any, Any] = {
        record.place: (record.move, record.nodes, store.proof(record)) for record in store
    }
    found |= {record.place: (record.reason, record.limit, record.nodes) for record in store.open_records}
    return found | dict.fromkeys(store.goals)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Any]:
    path = str(tmp_path_factory.mktemp("expected") / "out.proof")
    run(path, threads=1)
    return facts(path)


def test_all_replies_are_proved_or_open(expected: dict[Any, Any]) -> None:
    told: list[tuple[int, int]] = []
    report = run(progress=lambda *now: told.append(now))
    assert facts() == expected
    assert not report
    assert not report.is_single
    assert len(report.proved) == 22
    assert renju.PASS in [reply for reply, _ in report.proved]
    ((reply, record),) = report.open
    assert reply == renju.Point("b13")
    assert record is not None
    assert record.limit == STEPS[-1]
    assert told[0][1] == 23
    assert told[-1] == (1, 1)  # the second step had one position


@pytest.mark.slow
def test_a_file_is_gone_on_with(expected: dict[Any, Any]) -> None:
    run(steps=STEPS[:1])
    with pytest.raises(FileExistsError, match="resume it"):
        run()
    before = Path("out.proof").read_bytes()
    run(steps=STEPS[:1], resume=True)
    assert Path("out.proof").read_bytes() == before
    run(resume=True)
    assert Path("out.proof").read_bytes().startswith(before)
    assert facts() == expected


def test_replies_that_are_images_of_each_other_are_proved_once() -> None:
    replies = _replies(renju.Board("h8 h9 h10"), renju.BLACK)
    assert len(replies) == 12 + 15 * 7 + 1
    assert len(_replies(renju.Board("h8 i9 i7"), renju.BLACK)) == 223


def test_points_that_are_forbidden_to_black_are_no_replies() -> None:
    board = renju.Board.from_stones("f8 g8 h9 h10", "a1 c1 e1", turn=renju.BLACK)
    assert board.forbidden_kind("h8")
    replies = _replies(board, renju.WHITE)
    assert renju.Point("h8") not in replies
    assert renju.Point("i8") in replies


@pytest.mark.slow
def test_a_wave_knows_what_won_before_it(expected: dict[Any, Any]) -> None:
    run()
    store, board = ProofStore.open("out.proof"), three_board()
    plan = _Plan(
        store, proofs.Place.of(board, renju.BLACK), _replies(board, renju.BLACK), None, 1, verify=False
    )
    waves = plan.waves()
    assert [len(wave) for wave in waves] == [4, 8, 11]
    assert [len(plan.known(wave, STEPS[0])) for wave in waves] == [0, 3, 11]
    (open_reply,) = (n for wave in waves for n in plan.todo(wave, STEPS[1] + 1))
    wave = next(wave for wave in waves if open_reply in wave)
    (task,) = plan.tasks(wave, STEPS[1] + 1)
    known = plan.known(wave, STEPS[1] + 1)
    assert set(task.first) <= {record.move for record in known.values()}
    assert len(task.hints) == 8
    assert set(task.hints) <= {store.proof(record) for record in known.values()}
    assert [len(plan.todo(wave, STEPS[1])) for wave in waves] == [0, 0, 0]
    assert sum(len(plan.todo(wave, STEPS[1] + 1)) for wave in waves) == 1


def test_a_single_position() -> None:
    report = proofs.run(quiet_board(), steps=[5_000_000], threads=1)
    assert report
    assert report.is_single
    assert report.path is None
    ((reply, record),) = report.proved
    assert reply is None
    assert record.verified
    refuted = proofs.run(window("b15", "e12", renju.BLACK, size=4), threads=1)
    assert [record.reason for _, record in refuted.open if record] == ["refuted"]


def test_what_makes_no_sense() -> None:
    with pytest.raises(ValueError, match="steps are one or more"):
        run(steps=())
    with pytest.raises(ValueError, match="steps"):
        run(steps=(0,))
    with pytest.raises(ValueError, match="time"):
        run(time=-1)
    with pytest.raises(ValueError, match="cannot be resumed"):
        run(None, resume=True)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="the game is over"):
        proofs.run(renju.Board("h8 a1 h9 a2 h10 a3 h11 a4 h12"))
    with pytest.raises(ValueError, match="processes, executor or client"):
        run(processes=1, client=object())
    with pytest.raises(ValueError, match="threads"):
        run("other.proof", threads=-1)


# Workers


@pytest.mark.slow
def test_processes(expected: dict[Any, Any]) -> None:
    run(processes=2, threads=0)
    assert facts() == expected
    check = ProofStore.open("out.proof").check(processes=2)
    assert (check.proofs, [goal.open for goal in check.goals]) == (22, [(renju.Point("b13"),)])


def die(task: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Deadly(ProcessPoolExecutor):
    """Its fifth task ends the process that does it."""

    tasks = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.tasks += 1
        return super().submit(die if self.tasks == 5 else fn, *args, **kwargs)


@pytest.mark.slow
def test_a_worker_that_dies_loses_nothing_that_is_finished(expected: dict[Any, Any]) -> None:
    with (
        Deadly(1, multiprocessing.get_context("spawn")) as executor,
        pytest.raises(
            renju.RenjuError, match=r"the work on the reply \w+ failed: BrokenProcessPool"
        ) as caught,
    ):
        run(executor=executor, threads=0)
    finished = {place: found for place, found in facts().items() if found and isinstance(found[2], bytes)}
    assert finished
    assert finished.items() <= expected.items()
    assert "safe in out.proof: resume to go on" in caught.value.__notes__[0]
    run(resume=True)
    assert facts() == expected


@pytest.mark.slow
@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore")
def test_a_cluster(expected: dict[Any, Any]) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    options: Facts = {"processes": False, "n_workers": 1, "threads_per_worker": 2, "dashboard_address": None}
    with distributed.Client(**options) as client:
        run(client=client, threads=0)
        assert facts() == expected
        assert ProofStore.open("out.proof").check(client=client).proofs == 22


# Runs that end early


def child_killed() -> None:
    """The run dies while it writes its sixth line."""
    add, count = store_module._File.add, [0]

    def dying(self: Any, body: str) -> Any:
        count[0] += 1
        if count[0] == 6:
            self._file.write(body[:50].encode())
            os.kill(os.getpid(), signal.SIGKILL)
        return add(self, body)

    store_module._File.add = dying  # type: ignore[method-assign]
    run(threads=1)


@pytest.mark.slow
def test_a_run_that_is_killed_loses_the_position_under_work_alone(expected: dict[Any, Any]) -> None:
    with pytest.raises(AssertionError):
        run_child(__file__, "child_killed")
    assert not Path("out.proof").read_text().endswith("\n")
    assert len(facts()) == 5
    report = run(resume=True)
    assert len(report.proved) == 22
    assert facts() == expected


def child_full_disk() -> None:
    """The file cannot grow over a size; later it can."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, most))
    with pytest.raises(OSError, match=r"out\.proof") as caught:
        run()
    assert caught.value.errno == errno.EFBIG
    assert "resume to go on" in caught.value.__notes__[0]
    assert len(facts()) > 3
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    run(resume=True)


@pytest.mark.slow
def test_a_full_disk_loses_nothing_that_was_written(expected: dict[Any, Any]) -> None:
    run_child(__file__, "child_full_disk")
    assert facts() == expected


@pytest.mark.slow
def test_ctrl_c_tells_what_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(done: int, total: int) -> None:
        if done > 2:
            raise KeyboardInterrupt

    with pytest.raises(renju.Interrupted, match=r"\d+ proved, \d+ open, all safe in out.proof") as caught:
        run(progress=interrupt)
    assert len(caught.value.partial.proved) > 1
    assert not Path("out.proof.lock").exists()


# Checks


@pytest.mark.slow
def test_a_check_is_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    store = ProofStore.open("out.proof")

    def interrupt(done: int, total: int) -> None:
        if done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(renju.Interrupted, match="of 22 proofs were checked, resume to go on"):
        store.check(threads=1, resume=True, progress=interrupt)
    noted = Path("out.proof.checked").read_text().count('"digest"')
    assert 5 <= noted < 22
    told: list[tuple[int, int]] = []
    check = store.check(threads=1, resume=True, progress=lambda *now: told.append(now))
    assert told[0][0] >= noted
    assert check.proofs == 22
    assert check == store.check(threads=2)
    assert check.positions == sum(record.entries for record in store)
    assert [len(goal.open) for goal in check.goals] == [1]
    assert [goal.replies for goal in check.goals] == [23]
    assert not check


# The command


def command(*words: str, code: int, capsys: Output) -> str:
    assert cli.main(["prove", *words]) == code
    return capsys.readouterr().out


@pytest.mark.slow
def test_the_command_proves_checks_and_shows(capsys: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = "h8 a1 h9 a15 h10 o1 h11"  # an open four
    steps = ("--steps", "1k", "--quiet", "--threads", "2")
    out = command(moves, "-o", "four.proof", *steps, code=0, capsys=capsys)
    assert out.startswith("black wins against 219 of 219 replies, ")
    out = command("--check", "four.proof", "--quiet", code=0, capsys=capsys)
    assert out.startswith("219 proofs hold: 219 positions, ")
    assert out.endswith("black h8h9h10h11, white a1o1a15: black wins against 219 of 219 replies\n")
    found = json.loads(command("--check", "four.proof", "--quiet", "--json", code=0, capsys=capsys))
    assert (found["status"], found["proofs"], found["goals"][0]["open"]) == ("holds", 219, [])
    out = command("--show", "four.proof", f"{moves} h12", code=0, capsys=capsys)
    assert out == "black wins by H7\n"
    assert command("--show", "four.proof", moves, code=3, capsys=capsys).startswith("no proof of the file")
    out = command("--show", "four.proof", code=0, capsys=capsys)
    assert "219 proved, 219 of them verified; 0 open" in out
    out = command("--export", "four.proof", "-o", "x.sgf", "--plies", "1", code=0, capsys=capsys)
    assert out == "x.sgf: 225 moves\n"
    out = command("--merge", "four.proof", "-o", "all.proof", code=0, capsys=capsys)
    assert out == "all.proof: 219 proved, 0 open, 220 lines were news\n"


def test_the_command_on_one_position(capsys: Output) -> None:
    words = ("--steps", "1k", "--quiet")
    found = json.loads(command("h8 i9 i7 g8", "--json", *words, code=3, capsys=capsys))
    assert (found["status"], found["open"][0]["reason"]) == ("open", "nodes")
    out = command("h8 a1 h9 a15 h10 o1 h11 c3", *words, code=0, capsys=capsys)
    assert out.startswith("black wins by H7 (1 position, ")
    assert "verified; " in out
    won = "a1 h8 c1 h9 e1 h10 g1"
    out = command(won, "--color", "white", *words, code=0, capsys=capsys)
    assert out.startswith("white wins by ")


@pytest.mark.slow
def test_open_and_refused_files(capsys: Output) -> None:
    run()
    out = command("--check", "out.proof", "--quiet", "--threads", "1", code=3, capsys=capsys)
    assert out.endswith("black wins against 22 of 23 replies\nopen: B13\n")
    Path("out.proof").write_bytes(Path("out.proof").read_bytes().replace(b"size", b"siez", 1))
    assert cli.main(["prove", "--check", "out.proof"]) == 2
    assert "out.proof:3: the checksum of this line is wrong" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["h8 i9 i7"], "-o FILE"),
        ([], "required: moves"),
        (["h8", "--check", "x"], "neither moves nor -o"),
        (["--merge", "x"], "-o for the file"),
        (["--export", "x"], "-o FILE"),
        (["h8 i9", "--steps", "many"], "'many' is no number of nodes"),
        (["h8 i9", "--steps", "0"], "'0' is no number of nodes"),
        (["h8 i9", "--threads", "2", "--processes", "2"], "not two of --threads, --processes"),
    ],
)
def test_words_that_make_no_sense(words: list[str], message: str, capsys: Output) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["prove", *words])
    assert message in capsys.readouterr().err


if __name__ == "__main__":
    run_named(globals())
