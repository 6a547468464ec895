"""Signals, threads, forks and nonsense. Each test runs in a process of its own, with a time-out.

A test starts this file as a script with the name of one of the functions `child_...` and its arguments.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import cycle, islice, product
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import renju
from renju import BLACK, PASS, WHITE, Board, Color, Point, batch, openings
from renju.errors import RenjuError
from support import data
from support.processes import run_child, run_named
from support.steps import in_fork
from support.waiting import CpuClock, signal_after_work

pytestmark = pytest.mark.slow


# Long calls

# 256 items that take their time; a long input repeats them.
PERIOD = 256
MOST_ITEMS = 600_000


def slow_boards() -> npt.NDArray[np.int8]:
    """A quarter of the cells black: many threes to judge."""
    return (np.random.default_rng(0).random((PERIOD, 15, 15)) < 0.25).astype(np.int8)


def slow_records() -> list[str]:
    """Full boards in random order."""
    rng = np.random.default_rng(0)
    return ["".join(Point(int(index)).name for index in rng.permutation(225)) for _ in range(PERIOD)]


CALLS: dict[str, Callable[..., Any]] = {
    "forbidden": batch.forbidden,
    "threat_map": partial(batch.threat_map, color=BLACK),
    "keys": partial(batch.keys, symmetric=True),
    "parse": partial(batch.parse, referee=False),
}


def repeated(items: Any, count: int) -> Any:
    return list(islice(cycle(items), count)) if isinstance(items, list) else np.resize(items, (count, 15, 15))


def long_call(name: str, threads: int) -> tuple[Callable[[], Any], Any, float]:
    """A call that works for about a second (less where that would need much memory), the results of one
    period, and the seconds of CPU that are expected."""
    call, items = CALLS[name], slow_records() if name == "parse" else slow_boards()
    expected = call(items, threads=1)
    trial = repeated(items, 32 * PERIOD)
    clock = CpuClock()
    call(trial, threads=threads)
    per_item = clock.seconds() / len(trial)
    count = min(MOST_ITEMS, int(0.8 / per_item))
    given_items = repeated(items, count)
    return partial(call, given_items, threads=threads), expected, count * per_item


def child_interrupt(name: str, threads: str) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    call, expected, seconds = long_call(name, int(threads))
    sent = signal_after_work(seconds / 5)
    with pytest.raises(renju.Interrupted) as caught:
        call()
    worked = sent[0].seconds()
    assert worked < 1.0, f"{worked} s of work after the signal"
    interrupted = caught.value
    assert isinstance(interrupted, KeyboardInterrupt)

    partial_results = interrupted.partial if name == "parse" else (interrupted.partial,)
    full_results = expected if name == "parse" else (expected,)
    done = interrupted.done
    assert done.dtype == bool
    assert done.any()
    assert not done.all()
    for found, full in zip(partial_results, full_results, strict=True):
        assert len(found) == len(done)
        rows = np.flatnonzero(done)
        np.testing.assert_array_equal(found[rows], full[rows % PERIOD])

    # The next call is none the worse for it.
    again = CALLS[name](slow_records() if name == "parse" else slow_boards(), threads=int(threads))
    for found, full in zip(again if name == "parse" else (again,), full_results, strict=True):
        np.testing.assert_array_equal(found, full)


@pytest.mark.parametrize(
    ("name", "threads"),
    [
        ("forbidden", 1),
        ("forbidden", 2),
        ("threat_map", 1),
        ("threat_map", 2),
        ("keys", 2),
        ("parse", 1),
        ("parse", 2),
    ],
)
def test_ctrl_c(name: str, threads: int) -> None:
    run_child(__file__, "child_interrupt", name, threads)


class HandlerError(Exception):
    """What the handlers below raise."""


def child_handler_raises(number: str, threads: str) -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        raise HandlerError("from the handler")

    signal.signal(int(number), handler)
    call, expected, seconds = long_call("threat_map", int(threads))
    sent = signal_after_work(seconds / 5, int(number))
    with pytest.raises(HandlerError, match="from the handler"):
        call()
    worked = sent[0].seconds()
    assert worked < 1.0, f"{worked} s of work after the signal"
    np.testing.assert_array_equal(CALLS["threat_map"](slow_boards(), threads=2), expected)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGINT])
def test_an_exception_of_a_signal_handler_comes_through(number: signal.Signals, threads: int) -> None:
    run_child(__file__, "child_handler_raises", int(number), threads)


def child_handler_returns(threads: str) -> None:
    handled: list[float] = []
    signal.signal(signal.SIGUSR1, lambda number, frame: handled.append(time.perf_counter()))
    call, expected, seconds = long_call("threat_map", int(threads))
    signal_after_work(seconds / 5, signal.SIGUSR1)
    result = call()
    finished = time.perf_counter()
    np.testing.assert_array_equal(result, expected[np.arange(len(result)) % PERIOD])
    assert len(handled) == 1
    assert handled[0] < finished, "the handler ran only after the call"


@pytest.mark.parametrize("threads", [1, 2])
def test_a_signal_handler_runs_during_a_call(threads: int) -> None:
    run_child(__file__, "child_handler_returns", threads)


def child_releases_gil(name: str, threads: str) -> None:
    """Another thread takes many turns during a call, which it ends after the last."""
    call, _, seconds = long_call(name, int(threads))

    def tick() -> None:
        clock = CpuClock()
        for turn in range(20):
            clock.wait(seconds / 2 * turn / 20)
        os.kill(os.getpid(), signal.SIGINT)

    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=tick, daemon=True).start()
    with pytest.raises(renju.Interrupted):
        call()


@pytest.mark.parametrize(("name", "threads"), [("threat_map", 1), ("threat_map", 2), ("parse", 1)])
def test_other_threads_run_during_a_call(name: str, threads: int) -> None:
    run_child(__file__, "child_releases_gil", name, threads)


# Threads and processes


def answers(boards: npt.NDArray[np.int8], threads: int) -> list[npt.NDArray[Any]]:
    records = ["h8i9g7", "h8h9", ""] * 300
    return [
        batch.forbidden(boards, threads=threads),
        batch.winners(boards, threads=threads),
        batch.threat_map(boards, WHITE, threads=threads),
        batch.keys(boards, symmetric=True, threads=threads),
        *batch.parse(records, threads=threads),
    ]


def are_equal(found: list[npt.NDArray[Any]], expected: list[npt.NDArray[Any]]) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(found, expected, strict=True))


def child_threads() -> None:
    boards = data.random_boards(8 * 1000)
    expected = answers(boards, 1)
    shared_out = np.zeros(boards.shape, np.uint8)
    failures: list[str] = []
    ready = threading.Barrier(8)

    def work(number: int) -> None:
        try:
            part = slice(1000 * number, 1000 * (number + 1))
            ready.wait()
            for round_number in range(5):
                threads = (number + round_number) % 4
                found = answers(boards[part], threads)
                own = [array[part] for array in expected[:4]] + expected[4:]
                if not are_equal(found, own):
                    failures.append(f"thread {number}: different")
                if not are_equal(answers(boards, threads), expected):  # all read the same array
                    failures.append(f"thread {number}: different on shared boards")
                batch.forbidden(boards[part], threads=threads, out=shared_out[part])
                board = Board(referee=False)
                for index in range(60):
                    board.push(index)
                if board.key != batch.keys(board.to_array(), int(board.turn)):
                    failures.append(f"thread {number}: board")
        except BaseException as error:
            failures.append(f"thread {number}: {error!r}")

    workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    np.testing.assert_array_equal(shared_out, expected[0])


def test_eight_threads_at_once() -> None:
    run_child(__file__, "child_threads")


def child_shared_out() -> None:
    boards = repeated(slow_boards(), 20_000)
    out = np.zeros(boards.shape, np.uint8)
    errors: list[BaseException] = []

    def work() -> None:
        try:
            batch.threat_map(boards, BLACK, threads=1, out=out)
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(errors) < 4
    assert all(isinstance(error, ValueError | TypeError) for error in errors), errors
    np.testing.assert_array_equal(out, batch.threat_map(boards, BLACK))


def test_one_out_for_several_threads_is_refused_or_right() -> None:
    run_child(__file__, "child_shared_out")


def child_fork(when: str) -> None:
    boards = data.random_boards(3000)
    expected = answers(boards, 1)
    if when == "pool in use before":
        assert are_equal(answers(boards, 2), expected)
    if when == "call under way":
        stop = threading.Event()

        def keep_busy() -> None:
            while not stop.is_set():
                batch.threat_map(busy_boards, BLACK, threads=2)

        busy_boards = repeated(slow_boards(), 20_000)
        busy = threading.Thread(target=keep_busy)
        clock = CpuClock()
        busy.start()
        clock.wait(0.05)

    def check() -> None:
        assert all(are_equal(answers(boards, threads), expected) for threads in (2, 0, 7, 1))

    def check_twice_removed() -> None:
        check()
        assert in_fork(check) == 0

    codes = [in_fork(check), in_fork(check_twice_removed), in_fork(check)]
    if when == "call under way":
        stop.set()
        busy.join()
    assert codes == [0, 0, 0]
    check()  # here as before


@pytest.mark.parametrize("when", ["pool not in use", "pool in use before", "call under way"])
def test_fork(when: str) -> None:
    run_child(__file__, "child_fork", when)


def work_in_process(part: tuple[npt.NDArray[np.int8], Board]) -> tuple[list[npt.NDArray[Any]], Board]:
    boards, board = part
    board.push("a1")
    return answers(boards, 2), board


def child_multiprocessing(method: str) -> None:
    boards = data.random_boards(4000)
    expected = answers(boards, 2)
    parts = [(boards[n : n + 1000], Board("h8 i9")) for n in range(0, 4000, 1000)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map(work_in_process, parts, chunksize=1)
    for number, (found, board) in enumerate(results):
        own = [array[1000 * number : 1000 * (number + 1)] for array in expected[:4]] + expected[4:]
        assert are_equal(found, own)
        assert board.record() == "h8i9a1"


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_multiprocessing(method: str) -> None:
    run_child(__file__, "child_multiprocessing", method)


# Nonsense

many = settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))

any_text = st.text(st.characters(exclude_categories=()))  # lone surrogates too
like_notation = st.text("aAhHoOpPsSxX089152-_,;.| \n\t連\0\u0301", max_size=40)
like_moves = st.lists(
    st.sampled_from(["h8", "I9", "a15", "o1", "p3", "h0", "pass", "--", "-", " ", "", "9"])
).map("".join)


@st.composite
def like_diagrams(draw: st.DrawFn) -> str:
    """A drawn board with a few characters changed."""
    text = list(str(Board("h8 i9 g7")))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text) - 1))
        text[at : at + draw(st.integers(0, 2))] = draw(st.text("XO. \n1589AB連x", max_size=2))
    return "".join(text)


texts = st.one_of(any_text, like_notation, like_moves, like_diagrams())


def read_record(text: str) -> None:
    board = Board(text, referee=False)
    again = Board(board.record(), referee=False)
    assert again == board
    assert again.moves == board.moves


def read_point(text: str) -> None:
    assert Point(str(Point(text))) == Point(text)


def read_diagram(text: str) -> None:
    board = Board.from_text(text, turn=BLACK)
    assert Board.from_text(str(board), turn=BLACK) == board


def read_records(text: str) -> None:
    boards, turns = batch.parse(["h8", text])
    np.testing.assert_array_equal(boards[1], Board(text).to_array())
    assert turns[1] == Board(text).turn


READERS = {"Board": read_record, "Point": read_point, "from_text": read_diagram, "parse": read_records}


def try_texts(read: Callable[[str], None]) -> dict[str, int]:
    count = {"read": 0, "refused": 0}

    @many
    @given(texts)
    def check(text: str) -> None:
        try:
            read(text)
        except (RenjuError, ValueError):
            count["refused"] += 1
        else:
            count["read"] += 1

    check()
    return count


def child_texts() -> None:
    for name, read in READERS.items():
        count = try_texts(read)
        assert min(count.values()) > 0, f"{name}: {count}"


def test_any_text_is_read_or_refused() -> None:
    run_child(__file__, "child_texts")


def junk() -> st.SearchStrategy[Any]:
    """Arguments of all kinds, right ones among them."""
    numbers = st.one_of(
        st.integers(-3, 230), st.integers(), st.sampled_from([2**31, 2**63, 2**64, 2**70, -(2**63), -(2**70)])
    )
    arrays = st.builds(
        lambda shape, dtype, fill: np.full(shape, fill).astype(dtype),
        st.sampled_from(
            [(), (0,), (3,), (225,), (15, 15), (2, 15, 15), (0, 15, 15), (15, 14), (1, 1, 15, 15)]
        ),
        st.sampled_from(["i1", "u1", "i2", ">i4", "i8", "u8", "f4", "?", "O", "U3", "S2", "M8[s]"]),
        st.sampled_from([0, 1, 2, 3]),
    )
    plain = st.one_of(
        st.none(),
        st.booleans(),
        numbers,
        st.floats(),
        st.complex_numbers(),
        texts,
        st.binary(max_size=20),
        st.sampled_from([Color.BLACK, Color.WHITE, Point("h8"), Point(PASS), object(), int, len, ...]),
        st.just(np.float64("nan")),
        st.integers(0, 224).map(np.int64),
        arrays,
        st.builds(Board),
    )
    return st.one_of(
        plain,
        st.lists(plain, max_size=4),
        st.tuples(plain, plain),
        st.tuples(numbers, numbers),
        st.dictionaries(st.integers(0, 5), plain, max_size=2),
        st.lists(st.integers(0, 225), max_size=30),
        st.lists(plain, max_size=3).map(iter),
    )


def position() -> Board:
    return Board.from_stones("f8 g8 h9 h10", "d8 a1 b1", turn=BLACK)


STONES = data.random_boards(3)

# For each group: what is called, and with how many pieces of junk.
PUBLIC: dict[str, dict[str, tuple[int, Callable[..., Any]]]] = {
    "board": {
        "Point": (1, Point),
        "Board": (1, Board),
        "Board move_limit": (1, lambda a: Board("h8", move_limit=a)),
        "Board referee": (1, lambda a: Board("h8", referee=a)),
        "from_stones": (2, Board.from_stones),
        "from_stones turn": (1, lambda a: Board.from_stones("h8", "i9", turn=a)),
        "from_array": (1, Board.from_array),
        "from_array turn": (1, lambda a: Board.from_array(STONES[0], turn=a)),
        "from_text": (1, Board.from_text),
        "from_text turn": (1, lambda a: Board.from_text(str(Board("h8")), turn=a)),
        "push": (1, lambda a: position().push(a)),
        "is_legal": (1, lambda a: position().is_legal(a)),
        "forbidden_kind": (1, lambda a: position().forbidden_kind(a)),
        "explain_forbidden": (1, lambda a: str(position().explain_forbidden(a))),
        "threats": (1, lambda a: position().threats(a)),
        "transform": (1, lambda a: position().transform(a)),
        "==": (1, lambda a: position() == a),
    },
    "batch": {
        "forbidden": (1, batch.forbidden),
        "forbidden threads": (1, lambda a: batch.forbidden(STONES, threads=a)),
        "forbidden out": (1, lambda a: batch.forbidden(STONES, out=a)),
        "winners": (1, batch.winners),
        "winners threads": (1, lambda a: batch.winners(STONES, threads=a)),
        "winners out": (1, lambda a: batch.winners(STONES, out=a)),
        "threat_map": (2, batch.threat_map),
        "threat_map color": (1, lambda a: batch.threat_map(STONES, a)),
        "threat_map threads": (1, lambda a: batch.threat_map(STONES, 1, threads=a)),
        "threat_map out": (1, lambda a: batch.threat_map(STONES, 1, out=a)),
        "keys": (2, batch.keys),
        "keys turns": (1, lambda a: batch.keys(STONES, a)),
        "keys symmetric": (1, lambda a: batch.keys(STONES, symmetric=a)),
        "keys threads": (1, lambda a: batch.keys(STONES, threads=a)),
        "keys out": (1, lambda a: batch.keys(STONES, out=a)),
        "parse": (1, batch.parse),
        "parse referee": (1, lambda a: batch.parse(["h8"], referee=a)),
        "parse threads": (1, lambda a: batch.parse(["h8"], threads=a)),
    },
    "openings": {
        "classify": (1, openings.classify),
        "by_code": (1, openings.by_code),
        "by_rif_id": (1, openings.by_rif_id),
        "equivalent_moves": (1, lambda a: openings.equivalent_moves(Board("h8 i9"), a)),
    },
}


# Tried on every call, whatever else comes up.
ALWAYS: list[Any] = [
    None,
    True,
    -1,
    2**64,
    -(2**70),
    1.5,
    float("nan"),
    "",
    "\ud800",
    "p3",
    b"h8",
    [],
    {},
    object(),
]


def try_junk(call: Callable[..., Any], count: int) -> None:
    for args in product(ALWAYS, repeat=count):
        with suppress(RenjuError, ValueError, TypeError):
            call(*args)

    @many
    @given(st.lists(junk(), min_size=count, max_size=count))
    def check(args: list[Any]) -> None:
        with suppress(RenjuError, ValueError, TypeError):
            call(*args)

    check()


def child_junk(group: str) -> None:
    faults = []
    for name, (count, call) in PUBLIC[group].items():
        try:
            try_junk(call, count)
        except BaseException as error:  # a panic is no Exception
            notes = " ".join(getattr(error, "__notes__", []))
            faults.append(f"{name}: {type(error).__name__}: {error} {notes}")
    print(*faults, sep="\n")
    assert faults == []


@pytest.mark.parametrize("group", list(PUBLIC))
def test_junk_is_refused(group: str) -> None:
    run_child(__file__, "child_junk", group)


if __name__ == "__main__":
    run_named(globals())
