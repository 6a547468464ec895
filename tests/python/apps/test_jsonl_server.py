"""`renju jsonl` as a server and as a command: the order of the work, what is stopped, its memory."""

import io
import itertools
import json
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from threading import enumerate as all_threads

import pytest

import renju
from renju import Board, Engine, EngineConfig, Limit, Proof, cli, jsonl
from renju.jsonl import lines as jsonl_lines
from renju.jsonl import query as jsonl_query
from renju.jsonl import waiting as jsonl_waiting
from renju.jsonl.lines import MOST_LINE
from renju.jsonl.task import Engines, Task
from renju.jsonl.waiting import Waiting
from support.jsonl_session import HARD, answer_to, ask, by_id
from support.positions import DOUBLE_THREE, MISE, QUIET
from support.processes import RENJU, Output
from support.waiting import PATIENCE_S, CpuClock, holds_much, is_idle, wait_until, waits_for_another

RENJU_JSONL = [*RENJU, "jsonl"]
# A search under this limit ends only when it is stopped.
LONG = {"level": "master", "limit": {"time": 1000}}


class Session:
    """A server in this process whose answers are waited for one by one."""

    def __init__(self, **options: object) -> None:
        self._answers: SimpleQueue[str] = SimpleQueue()
        self.server = jsonl.Server(self._answers.put, **options)

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.close()

    def send(self, **query: object) -> None:
        self.server.feed(json.dumps(query))

    def next(self) -> dict:
        return json.loads(self._answers.get(timeout=PATIENCE_S))

    def is_silent(self) -> bool:
        return self._answers.empty()

    def await_begun(self, count: int) -> None:
        """Waits until so many queries have been taken up."""
        wait_until(lambda: len(self.server._open) - len(self.server._waiting) >= count)


# Order


def test_a_higher_priority_goes_first() -> None:
    with Session(threads=1) as session:
        # First whatever happens: nothing else may be taken up before it.
        session.send(id="long", moves=QUIET, priority=9, **LONG)
        for name, priority in [("low", -1), ("a", 0), ("high", 5), ("b", 0), ("c", 0), ("higher", 6)]:
            session.send(id=name, job="forbidden", moves="", priority=priority)
        session.send(id="now", action="terminate", terminate_id="long")
        order = [session.next()["id"] for _ in range(8)]
    assert sorted(order[:2]) == ["long", "now"]
    assert order[2:] == ["higher", "high", "a", "b", "c", "low"]


def many_queries() -> list[dict]:
    limit = {"limit": {"nodes": 700}}
    queries: list[dict] = []
    for moves in (QUIET, QUIET[:-3], MISE, DOUBLE_THREE, "h8i9"):
        queries += [
            {"moves": moves, "multipv": 2, **limit},
            {"moves": moves, "level": "medium", **limit},
            {"moves": moves, "config": {"depth": 2}, "limit": {"nodes": 5000}},
            {"moves": moves, "job": "play", "level": "easy", "seed": 5, **limit},
            {"moves": moves, "job": "vct", "include_proof": True, **limit},
            {"moves": moves, "job": "mise-vcf", **limit},
            {"moves": moves, "job": "forbidden"},
        ]
    return [{"id": number, **query} for number, query in enumerate(queries)]


def comparable(answers: list[dict]) -> dict:
    for answer in answers:
        answer.pop("time", None)
        if answer.get("proof"):
            answer["proof"].pop("time")
    return by_id(answers)


def test_neither_threads_nor_order_decide() -> None:
    queries = many_queries()
    expected = comparable(ask(*queries, threads=1))
    for threads, seed in [(1, 1), (2, 2), (5, 3)]:
        shuffled = queries.copy()
        random.Random(seed).shuffle(shuffled)
        assert comparable(ask(*shuffled, threads=threads)) == expected


def test_a_query_learns_nothing_from_another() -> None:
    # Under a limit of plies an engine that remembers is quicker the second time.
    query = {"moves": QUIET, "level": "medium", "limit": {"depth": 3, "time": 1000}}
    first, second = ask(query | {"id": 1}, query | {"id": 2}, threads=1)
    assert first["nodes"] == second["nodes"]
    engine = Engine("medium")
    again = [engine.analyse(Board(QUIET), Limit(time=1000, depth=3)).nodes for _ in range(2)]
    assert again[0] == first["nodes"] > again[1]


# Actions


def test_version_and_cache() -> None:
    assert answer_to({"id": "v", "action": "query_version"}) == {
        "id": "v",
        "action": "query_version",
        "version": renju.__version__,
    }
    assert answer_to({"id": 3, "action": "clear_cache", "moves": None}) == {"id": 3, "action": "clear_cache"}


def test_what_runs_is_terminated_with_what_it_has() -> None:
    with Session(threads=2) as session:
        session.send(id="a", moves=QUIET, **LONG)
        session.send(id="a", moves=QUIET, job="play", **LONG)
        session.await_begun(2)
        session.send(id="t", action="terminate", terminate_id="b")
        assert session.next() == {"id": "t", "action": "terminate", "terminate_id": "b", "terminated": 0}
        assert session.is_silent()
        session.send(id="t", action="terminate", terminate_id="a")
        answers = [session.next() for _ in range(3)]
        told = next(answer for answer in answers if answer["id"] == "t")
        assert told["terminated"] == 2
        for answer in answers:
            if answer["id"] == "a":
                assert (answer["terminated"], answer["interrupted"]) == (True, True)
                assert Board(QUIET).is_legal(answer["move"])
        # The server goes on.
        session.send(id="next", moves=QUIET, limit={"nodes": 100})
        assert session.next().get("terminated") is None
        session.server.wait()
        assert session.is_silent()


def test_what_waits_is_terminated_without_results() -> None:
    with Session(threads=1) as session:
        session.send(id="long", moves=QUIET, priority=1, **LONG)
        session.await_begun(1)
        for name in (1, 2, 1, "1"):
            session.send(id=name, moves=QUIET)
        session.send(id="t", action="terminate", terminate_id=1)
        for _ in range(2):
            answer = session.next()
            assert (answer["id"], answer["terminated"], answer["no_results"]) == (1, True, True)
            assert answer["interrupted"] is True
            assert "move" not in answer
        assert session.next()["terminated"] == 2
        assert session.is_silent()
        session.send(id="t", action="terminate_all")
        answers = [session.next() for _ in range(4)]
        assert [answer["id"] for answer in answers if answer.get("no_results")] == [2, "1"]
        assert {answer["id"] for answer in answers} == {2, "1", "t", "long"}
        assert all(answer["terminated"] for answer in answers)
        session.server.wait()
        assert session.is_silent()


def test_a_solver_is_terminated_and_the_next_query_does_not_wait_for_it() -> None:
    with Session(threads=1) as session:
        session.send(id="hard", job="vct", limit={"time": 2}, include_proof=True, **HARD)
        session.await_begun(1)
        session.send(id="next", job="forbidden", moves="")
        session.send(id="t", action="terminate", terminate_id="hard")
        answers = [session.next() for _ in range(3)]
        hard = by_id(answers)["hard"]
        assert (hard["status"], hard["limit_hit"], hard["terminated"]) == ("unknown", "stop", True)
        assert hard["interrupted"] is True
        assert Proof.from_json(json.dumps(hard["proof"])).status == "unknown"
        assert by_id(answers)["next"]["forbidden"] == {}
        session.server.wait()


def test_a_search_can_be_terminated_at_any_moment() -> None:
    # Before it is taken up, before its engine is there, before it has begun, and while it runs.
    with Session(threads=2) as session:
        for name in range(40):
            session.send(id=name, moves=QUIET, **LONG)
            time.sleep(name % 8 * 0.0005)  # any moment will do
            session.send(id="t", action="terminate_all")
            answers = [session.next(), session.next()]
            assert {answer["id"] for answer in answers} == {name, "t"}


def test_one_answer_also_when_it_is_terminated_at_its_end() -> None:
    with Session(threads=2) as session:
        for name in range(60):
            session.send(id=name, moves=QUIET, job="vcf")
            session.send(id="t", action="terminate", terminate_id=name)
        session.server.wait()
        answers = [session.next() for _ in range(120)]
        assert session.is_silent()
    assert len({answer["id"] for answer in answers}) == 61


# Memory


def test_a_full_queue_holds_the_reader_back() -> None:
    read = []
    query = json.dumps({"id": 1, "job": "forbidden", "moves": ""})

    def endless() -> Iterator[str]:
        yield json.dumps({"id": "long", "moves": QUIET, "priority": 9, **LONG})
        while True:
            read.append(None)
            yield query

    server = jsonl.Server(lambda _: None, threads=1, most_waiting=20)
    reader = Thread(target=server.serve, args=(endless(),), daemon=True)
    reader.start()
    (taking,) = (thread for thread in all_threads() if thread.name == "jsonl-input")
    wait_until(lambda: len(read) > 21 or (len(read) == 21 and waits_for_another(taking)))
    assert len(read) == 21
    assert len(server._waiting) == 20
    server.close()
    reader.join(PATIENCE_S)
    assert not reader.is_alive()
    assert not server.is_busy


def a_task(priority: int = 0, size: int = 10) -> Task:
    line = json.dumps({"id": priority, "moves": "", "priority": priority}).ljust(size)
    found = jsonl_query.read(line, 1, jsonl_query.Defaults("easy", Limit()))
    assert isinstance(found, list)
    (query,) = found
    object.__setattr__(query, "size", size)
    return Task(query)


def test_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = Waiting(most=4)
    tasks = [a_task(priority) for priority in (0, 3, 0, 3)]
    assert all(waiting.put(task) for task in tasks)
    assert len(waiting) == 4
    assert waiting.remove(lambda task: task is tasks[1]) == [tasks[1]]
    assert [waiting.take(), waiting.take()] == [tasks[3], tasks[0]]
    # Long lines make it full sooner.
    monkeypatch.setattr(jsonl_waiting, "_MOST_BYTES", 100)
    assert waiting.put(a_task(size=95))
    late = Thread(target=waiting.put, args=(tasks[0],))
    late.start()
    wait_until(lambda: waits_for_another(late) or not late.is_alive())
    assert late.is_alive()
    waiting.take()
    waiting.take()
    late.join(PATIENCE_S)
    assert waiting.take() is tasks[0]
    waiting.close()
    assert waiting.take() is None
    assert waiting.put(tasks[0]) is False


def test_engines_are_few() -> None:
    engines = Engines(workers=1, hash_mb=1)
    configs = [EngineConfig.from_level(level) for level in ("easy", "medium", "hard")]
    seen = []
    for config in configs:
        with engines.borrowed(config) as engine:
            seen.append(engine)
            assert engine.config == config
        assert len(engines) <= 2
    with engines.borrowed(configs[2]) as last, engines.borrowed(configs[1]) as other:
        assert (last, other) == (seen[2], seen[1])
        engines.clear()
        assert len(engines) == 2
    assert len(engines) == 0  # those at work were not kept either
    with engines.borrowed(configs[2]) as engine:
        assert engine is not seen[2]
    with pytest.raises(ZeroDivisionError), engines.borrowed(configs[0]):
        raise ZeroDivisionError
    assert len(engines) == 2


class Stream(io.BytesIO):
    """A file that tells how much was wanted at a time."""

    most = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        assert size is not None
        self.most = max(self.most, size)
        return super().readline(size)


def test_a_line_that_is_too_long_is_never_in_memory() -> None:
    fits, too_long, half = b"y" * MOST_LINE, b"x" * (3 * MOST_LINE + 7), b"z" * (2 * MOST_LINE)
    file = Stream(b"\n".join([b"a", fits + b"\r", too_long, b"b", half]))
    first, second, third, fourth, fifth = jsonl.bounded_lines(file)
    assert (first, second, fourth) == (b"a\n", fits + b"\r\n", b"b\n")
    assert file.most <= MOST_LINE + 2
    for line in (third, fifth):
        assert MOST_LINE < len(line) <= MOST_LINE + 2
    assert jsonl_lines.text_of(second, 2) == "y" * MOST_LINE
    assert [*jsonl.bounded_lines(io.StringIO("a\n\nb"))] == ["a\n", "\n", "b"]


# In a program


def test_a_server_waits_at_the_end_of_a_context() -> None:
    answers: list[str] = []
    with jsonl.Server(answers.append, threads=2) as server:
        for number in range(10):
            server.feed(json.dumps({"id": number, "moves": QUIET, "limit": {"nodes": 200}}))
    assert len(answers) == 10
    assert not server.is_busy
    with pytest.raises(ValueError, match="closed"):
        server.feed("{}")


def test_an_error_in_a_context_stops_everything() -> None:
    answers: list[str] = []
    server = jsonl.Server(answers.append, threads=1)

    def fail() -> None:
        with server:
            server.feed(json.dumps({"id": 1, "moves": QUIET, **LONG}))
            server.feed(json.dumps({"id": 2, "moves": QUIET, **LONG}))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert answers == []
    assert not server.is_busy


def test_what_writing_and_reading_raise_is_raised() -> None:
    class Full(Exception):
        pass

    def write(_: str) -> None:
        raise Full

    query = json.dumps({"id": 1, "job": "forbidden", "moves": ""})
    with pytest.raises(Full):
        jsonl.serve(itertools.repeat(query), write, threads=2)
    with pytest.raises(Full), jsonl.Server(write) as server:
        server.feed("nonsense")

    def lines() -> Iterator[str]:
        yield query
        raise OSError("unplugged")

    with pytest.raises(OSError, match="unplugged"):
        jsonl.serve(lines(), lambda _: None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": "expert"}, "level is beginner, easy, medium, hard or master"),
        ({"threads": -1}, "threads is a number from 0 to 1024"),
        ({"threads": 10**6}, "threads"),
        ({"hash_mb": 0}, "hash_mb"),
    ],
)
def test_bad_servers(options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        jsonl.Server(print, **options)
    with pytest.raises(TypeError):
        jsonl.Server(print, limit=5)  # type: ignore[arg-type]


def test_answers_do_not_wait_for_lines() -> None:
    answered = Event()

    def lines() -> Iterator[str]:
        yield json.dumps({"id": 1, "job": "forbidden", "moves": ""})
        assert answered.wait(PATIENCE_S)

    jsonl.serve(lines(), lambda _: answered.set())


# The command


def test_the_command_reads_a_file(tmp_path: Path, capsys: Output) -> None:
    file = tmp_path / "queries.jsonl"
    file.write_bytes(b'{"id": 1, "moves": "h8i9"}\r\n\n\xff\n{"id": 2, "job": "vct", "moves": ""}')
    options = ["--nodes", "50", "--level", "easy", "--threads", "2", "--hash", "1"]
    assert cli.main(["jsonl", str(file), *options]) == 0
    captured = capsys.readouterr()
    answers = by_id([json.loads(line) for line in captured.out.splitlines()])
    assert answers.keys() == {1, None, 2}
    assert (answers[1]["level"], answers[1]["limit"]["nodes"]) == ("easy", 50)
    assert answers[None]["line"] == 3
    assert captured.err == ""


def test_the_command_reads_text(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"id": 1, "action": "query_version"}\n'))
    assert cli.main(["jsonl"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == 1
    monkeypatch.setattr(sys, "stdin", None)
    assert cli.main(["jsonl"]) == 2


@pytest.mark.parametrize("arguments", [["/nowhere/queries"], ["--time", "-1"], ["--hash", "0"], ["."]])
def test_a_command_that_cannot_begin(arguments: list[str], capsys: Output) -> None:
    assert cli.main(["jsonl", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("renju: ")


class Process:
    """The command, with pipes."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [*RENJU_JSONL, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def send(self, *queries: dict) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(json.dumps(query) + "\n" for query in queries))
        self._process.stdin.flush()

    def next(self) -> dict:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def close_output(self) -> None:
        assert self._process.stdout is not None
        self._process.stdout.close()

    def end(self) -> tuple[int, list[dict], str]:
        """Exit code, the rest of the answers, and what else it said."""
        output, errors = self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode, [json.loads(line) for line in output.splitlines()], errors

    def wait(self) -> int:
        return self._process.wait(PATIENCE_S)

    def await_work(self, seconds: float) -> None:
        """Waits until it has computed for so long."""
        CpuClock(self._process).wait(seconds)

    def await_full_output(self) -> None:
        """Waits until the pipe has no room for another answer, and all threads are stuck."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        wait_until(lambda: holds_much(pipe) and is_idle(self._process))

    def errors(self) -> str:
        assert self._process.stderr is not None
        return self._process.stderr.read()


def test_at_the_end_of_the_input_all_is_answered() -> None:
    with Process("--threads", "2") as process:
        process.send(*({"id": number, "moves": QUIET, "limit": {"nodes": 300}} for number in range(20)))
        code, answers, errors = process.end()
    assert (code, errors) == (0, "")
    assert by_id(answers).keys() == set(range(20))


def test_the_end_does_not_wait_for_a_solver_that_was_terminated() -> None:
    with Process("--threads", "1") as process:
        process.send({"id": "first", "job": "forbidden", "moves": ""})
        process.next()
        process.send({"id": 1, "job": "vct", "limit": {"time": 1000}, **HARD})
        process.await_work(0.1)
        process.send({"id": "t", "action": "terminate", "terminate_id": 1})
        process.send({"id": 2, "moves": QUIET, "limit": {"nodes": 100}})
        code, answers, errors = process.end()
    assert (code, errors) == (0, "")
    assert by_id(answers).keys() == {1, "t", 2}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
@pytest.mark.parametrize("work", ["nothing", "engine", "solver"])
def test_a_signal_ends_it_soon(work: str, number: signal.Signals) -> None:
    queries = {
        "nothing": [],
        "engine": [{"id": n, "moves": QUIET, **LONG} for n in range(5)],
        "solver": [{"id": n, "job": "vct", "limit": {"time": 1000}, **HARD} for n in range(5)],
    }
    with Process("--threads", "2") as process:
        process.send({"id": "first", "job": "forbidden", "moves": ""}, *queries[work])
        assert process.next()["id"] == "first"
        if work != "nothing":
            process.await_work(0.1)
        process.signal(number)
        code, answers, errors = process.end()
    assert (code, answers, errors) == (130, [], "renju: interrupted\n")


def test_an_output_that_nobody_reads_ends_it_quietly() -> None:
    with Process("--threads", "2") as process:
        process.send({"id": "first", "job": "forbidden", "moves": ""}, {"id": 2, "moves": QUIET, **LONG})
        process.next()
        process.close_output()
        process.send({"id": "v", "action": "query_version"})
        # Its input stays open.
        assert process.wait() == 0
        assert process.errors() == ""


def test_a_signal_while_nobody_reads() -> None:
    queries = [{"id": "x" * 500, "job": "forbidden", "moves": ""}] * 2000
    with Process("--threads", "2") as process:

        def send() -> None:
            with suppress(OSError, ValueError):
                process.send(*queries)

        Thread(target=send, daemon=True).start()
        process.await_full_output()
        process.signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.errors() == "renju: interrupted\n"
