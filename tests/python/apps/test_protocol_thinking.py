"""The Gomocup protocol while the engine thinks, in this process and in one of its own."""

import io
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from unittest import mock

import pytest

from renju import Board, Limit, Point, cli
from renju.protocol import main, serve, thinking, wire
from support.gomocup import COMMAND, LONG_MS, Result, SmallEngine, board_command, rows
from support.positions import FORCED_FOUL
from support.waiting import PATIENCE_S, CpuClock, wait_until, waits_for_another

# A small engine


class Lines:
    """A stream of lines between threads, for either direction."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()

    def readline(self, size: int) -> str:
        line = self._lines.get()
        return "" if line is None else f"{line}\n"

    def write(self, text: str) -> None:
        for line in text.splitlines():
            self._lines.put(line)

    def flush(self) -> None:
        pass

    def end(self) -> None:
        self._lines.put(None)

    def next(self) -> str | None:
        return self._lines.get(timeout=PATIENCE_S)

    def next_answer(self) -> str | None:
        line = self.next()
        while line is not None and line.startswith("MESSAGE"):
            line = self.next()
        return line

    def is_empty(self) -> bool:
        return self._lines.empty()


class Session:
    """A server in a thread of this process."""

    def __init__(self, engine: SmallEngine) -> None:
        self.input, self.output = Lines(), Lines()
        self._thread = Thread(target=serve, args=(self.input, self.output, engine), daemon=True)
        self._thread.start()

    def ask(self, text: str) -> str | None:
        self.input.write(text)
        return self.output.next_answer()

    def await_thinking(self) -> None:
        """Waits until the engine waits, and until the watcher, which must not stop it, has looked at the
        clock five times."""
        wait_until(lambda: waits_for_another(self._thread))
        with mock.patch.object(thinking, "perf_counter", wraps=thinking.perf_counter) as clock:
            wait_until(lambda: clock.call_count >= 5 or not self.output.is_empty(), what="looks at the clock")

    def ends(self) -> bool:
        self._thread.join(PATIENCE_S)
        return not self._thread.is_alive()


# While the engine thinks


@pytest.fixture
def slow() -> Iterator[tuple[SmallEngine, Session]]:
    engine = SmallEngine(is_slow=True)
    session = Session(engine)
    assert session.ask("START 15") == "OK"
    session.input.write(f"INFO timeout_turn {LONG_MS}")
    yield engine, session
    session.input.end()
    assert session.ends()


@pytest.mark.parametrize("stop", ["STOP", "YXSTOP", "stop"])
def test_stop_while_thinking(slow: tuple[SmallEngine, Session], stop: str) -> None:
    engine, session = slow
    session.input.write("BEGIN")
    assert engine.started.wait(PATIENCE_S)
    assert session.output.is_empty()
    assert session.ask(stop) == "0,14"
    # The next search is not stopped by it.
    engine.started.clear()
    session.input.write("TURN 7,7")
    assert engine.started.wait(PATIENCE_S)
    session.await_thinking()
    assert session.output.is_empty()
    assert session.ask(stop) == "1,14"


def test_stop_before_the_search_has_begun(slow: tuple[SmallEngine, Session]) -> None:
    _, session = slow
    session.input.write("BEGIN\nTURN 7,7\nSTOP")
    assert [session.output.next_answer() for _ in range(2)] == ["0,14", "1,14"]


def test_stop_without_a_search_says_nothing(slow: tuple[SmallEngine, Session]) -> None:
    _, session = slow
    session.input.write("STOP\nYXSTOP")
    line = session.ask("ABOUT")
    assert line is not None
    assert line.startswith("name=")


def test_commands_wait_for_the_move(slow: tuple[SmallEngine, Session]) -> None:
    engine, session = slow
    session.input.write("BEGIN")
    assert engine.started.wait(PATIENCE_S)
    session.input.write("ABOUT")
    session.await_thinking()
    assert session.output.is_empty()
    assert session.ask("STOP") == "0,14"
    line = session.output.next_answer()
    assert line is not None
    assert line.startswith("name=")


@pytest.mark.parametrize("end", ["END", "end", None])
def test_the_end_while_thinking(end: str | None) -> None:
    engine = SmallEngine(is_slow=True)
    session = Session(engine)
    session.input.write(f"START 15\nINFO timeout_turn {LONG_MS}\nBEGIN")
    assert engine.started.wait(PATIENCE_S)
    if end is None:
        session.input.end()
    else:
        session.input.write(end)
    assert session.ends()


def test_a_search_that_is_late_is_stopped() -> None:
    class Late(SmallEngine):
        def best_move(self, board: Board, limit: Limit | None = None) -> Result:
            return super().best_move(board, Limit(time=LONG_MS / 1000))

    session = Session(Late(is_slow=True))
    assert session.ask("INFO timeout_turn 200\nBEGIN") == "0,14"
    session.input.write("END")
    assert session.ends()


def test_nobody_reads_the_answers() -> None:
    output = io.StringIO()
    output.close()
    with pytest.raises(BrokenPipeError):
        serve(io.StringIO("ABOUT"), output, SmallEngine())


# The real process


class Process:
    """`renju gomocup` as a manager has it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.output = Lines()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output.write(line.decode())
        self.output.end()

    def send(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(text.replace("\n", "\r\n").encode() + b"\r\n")
        self.process.stdin.flush()

    def ask(self, text: str) -> str | None:
        self.send(text)
        return self.output.next_answer()

    def move(self, text: str) -> Point:
        line = self.ask(text)
        assert line is not None
        return wire.parse_point(line)

    def ends(self) -> None:
        """It has come to an end without a word on standard error."""
        assert self.process.wait(PATIENCE_S) == 0
        self._reader.join(PATIENCE_S)
        assert self.process.stderr is not None
        assert self.process.stderr.read() == b""


@pytest.fixture
def engine() -> Iterator[Process]:
    started = Process()
    yield started
    started.process.kill()
    started.process.wait()
    started._reader.join(PATIENCE_S)
    for stream in (started.process.stdin, started.process.stdout, started.process.stderr):
        assert stream is not None
        with suppress(OSError):  # what could not be sent
            stream.close()


def test_a_process_plays_a_game(engine: Process) -> None:
    board = Board()
    assert engine.ask("START 15\nINFO rule 4\nINFO timeout_turn 100\nINFO max_node 2000") == "OK"
    command = "BEGIN"
    while board.outcome is None and board.ply < 12:
        point = engine.move(command)
        assert board.is_legal(point)
        if board.push(point) is None:
            reply = board.legal_moves[board.ply * 11]
            board.push(reply)
            command = f"TURN {wire.point_text(reply)}"
    engine.send("END")
    engine.ends()


def test_a_legal_move_where_the_only_block_is_forbidden(engine: Process) -> None:
    assert engine.ask("START 15\nINFO rule 4\nINFO timeout_turn 1000") == "OK"
    board = Board(FORCED_FOUL)
    assert board.is_legal(engine.move(board_command(FORCED_FOUL)))
    assert engine.ask("yxboard\n" + "\n".join(rows(FORCED_FOUL)) + "\ndone\nyxshowforbid") == "FORBID 0608."


def test_five_is_played_and_four_is_stopped(engine: Process) -> None:
    assert engine.ask("START 15\nINFO timeout_turn 1000") == "OK"
    assert engine.move(board_command("h8a1i8a3j8a5k8a7")) in {Point("G8"), Point("L8")}
    assert engine.ask("RESTART") == "OK"
    assert engine.move(board_command("h8g8i8a3j8a5k8")) == Point("L8")


@pytest.mark.slow
def test_a_turn_is_kept(engine: Process) -> None:
    assert engine.ask("START 15\nINFO timeout_turn 500") == "OK"
    clock = CpuClock(engine.process)
    engine.move(board_command("h8i9g7i7g9"))
    assert clock.seconds() < 10 * 0.5


@pytest.mark.slow
def test_a_process_that_is_stopped(engine: Process) -> None:
    assert engine.ask(f"START 15\nINFO timeout_turn {LONG_MS}\nINFO time_left {2**31 - 1}") == "OK"
    clock = CpuClock(engine.process)
    engine.send(board_command("h8i9g7i7g9"))
    clock.wait(0.2)
    assert Board("h8i9g7i7g9").is_legal(engine.move("STOP"))


@pytest.mark.slow
@pytest.mark.parametrize("end", ["END", None])
def test_a_process_that_ends_while_thinking(engine: Process, end: str | None) -> None:
    assert engine.ask(f"START 15\nINFO timeout_turn {LONG_MS}") == "OK"
    clock = CpuClock(engine.process)
    engine.send(board_command("h8i9g7i7g9"))
    clock.wait(0.2)
    assert engine.process.stdin is not None
    if end is None:
        engine.process.stdin.close()
    else:
        engine.send(end)
    engine.ends()


def test_bytes_that_are_no_text(engine: Process) -> None:
    assert engine.process.stdin is not None
    engine.process.stdin.write(bytes(range(256)) + b"\n")
    answer = engine.ask("ABOUT")
    while answer is not None and answer.startswith(("UNKNOWN", "ERROR")):
        answer = engine.output.next_answer()
    assert answer is not None
    assert answer.startswith("name=")
    engine.send("END")
    engine.ends()


def test_a_manager_that_goes_away() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(b"ABOUT\n")
        process.stdin.flush()  # and left open
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == b""


def test_ctrl_c(engine: Process) -> None:
    assert engine.ask("START 15") == "OK"
    engine.process.send_signal(signal.SIGINT)
    assert engine.process.wait(PATIENCE_S) == 130
    assert engine.process.stderr is not None
    assert b"Traceback" not in engine.process.stderr.read()


def test_commands_from_a_file() -> None:
    done = subprocess.run(
        COMMAND, input="START 15\nABOUT\nEND\nABOUT\n", capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 2


def test_a_server_does_without_numpy() -> None:
    code = "import sys, renju.protocol; sys.exit('numpy' in sys.modules or 'subprocess' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=PATIENCE_S).returncode == 0


def test_it_is_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renju.protocol.main", lambda: 0)
    assert cli.main(["gomocup"]) == 0
    assert callable(main)
