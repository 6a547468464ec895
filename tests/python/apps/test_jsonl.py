"""`renju jsonl`: one answer to every line, whatever it holds, in whatever order the work is done."""

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
from hypothesis import given, settings
from hypothesis import strategies as st

import renju
from renju import BLACK, WHITE, Board, Engine, EngineConfig, Limit, Proof, cli, jsonl
from renju.jsonl import lines as jsonl_lines
from renju.jsonl import query as jsonl_query
from renju.jsonl import waiting as jsonl_waiting
from renju.jsonl.lines import MOST_LINE
from renju.jsonl.task import Engines, Task
from renju.jsonl.waiting import Waiting
from support.positions import DOUBLE_THREE, MISE, OVER, QUIET
from support.processes import RENJU, Output
from support.waiting import PATIENCE_S, CpuClock, holds_much, is_idle, wait_until, waits_for_another

# A VCT that takes a solver minutes.
HARD = {"black": "g10i10j10f9j9h8j8i7i6j6k6i5", "white": "i11f10g9h9i9i8k8h7j7l7h6k5", "turn": "black"}

RENJU_JSONL = [*RENJU, "jsonl"]
# A search under this limit ends only when it is stopped.
LONG = {"level": "master", "limit": {"time": 1000}}


def ask(*queries: object, **options: object) -> list[dict]:
    """The answers to these queries, in order of completion. A text or bytes is a line as it is."""
    answers: list[str] = []
    lines = [query if isinstance(query, str | bytes) else json.dumps(query) for query in queries]
    jsonl.serve(lines, answers.append, **options)
    assert all("\n" not in answer and answer.isascii() for answer in answers)
    return [json.loads(answer) for answer in answers]


def answer_to(query: object, **options: object) -> dict:
    (answer,) = ask(query, threads=1, **options)
    return answer


def by_id(answers: list[dict]) -> dict:
    assert len({answer["id"] for answer in answers}) == len(answers)
    return {answer["id"]: answer for answer in answers}


def without_time(answer: dict) -> dict:
    return {name: value for name, value in answer.items() if name != "time"}


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


# What is asked is answered


def test_an_analysis_is_that_of_the_engine() -> None:
    answer = answer_to({"id": "a", "moves": QUIET, "limit": {"nodes": 3000}, "multipv": 3, "level": "medium"})
    result = Engine("medium").analyse(Board(QUIET), Limit(nodes=3000), multipv=3)
    assert (answer["id"], answer["job"], answer["version"]) == ("a", "analyze", renju.__version__)
    assert (answer["moves"], answer["turn"]) == ([str(move) for move in Board(QUIET).moves], "black")
    assert (answer["level"], answer["settings"]) == ("medium", {})
    assert answer["limit"] == {"time": None, "nodes": 3000, "depth": None}
    for name in ("score", "win_in", "depth", "seldepth", "nodes", "source", "interrupted", "fallback"):
        assert answer[name] == getattr(result, name), name
    assert (answer["move"], answer["pv"]) == (str(result.move), [*map(str, result.pv)])
    assert answer["breakdown"] == result.breakdown
    assert answer["candidates"] == [
        {"move": str(c.move), "score": c.score, "win_in": c.win_in, "pv": [*map(str, c.pv)]}
        for c in result.candidates
    ]
    assert len(answer["candidates"]) == 3
    assert answer.keys().isdisjoint({"stats", "proof", "terminated", "error"})


def test_an_analysis_is_that_of_the_command(capsys: Output) -> None:
    assert cli.main(["analyze", QUIET, "--nodes", "2000", "--set", "depth=3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    query = {"id": 1, "moves": QUIET, "limit": {"nodes": 2000}, "config": {"depth": 3}}
    answer = answer_to(query | {"include_proof": True, "include_stats": True})
    for name in told.keys() - {"time", "threads", "seed"}:
        assert answer[name] == told[name], name
    assert answer["settings"] == {"depth": 3}


def test_a_move_to_play_is_that_of_the_engine() -> None:
    query = {"job": "play", "level": "beginner", "limit": {"nodes": 500}}
    queries = [query | {"id": seed, "moves": QUIET, "seed": seed} for seed in range(8)]
    answers = by_id(ask(*queries, query | {"id": "opening", "moves": "h8"}))
    for seed in range(8):
        result = Engine("beginner", seed=seed).best_move(Board(QUIET), Limit(nodes=500))
        assert (answers[seed]["move"], answers[seed]["score"]) == (str(result.move), result.score)
        assert answers[seed]["seed"] == seed
    assert len({answers[seed]["move"] for seed in range(8)}) > 1
    assert answers["opening"]["source"] == "opening"


@pytest.mark.parametrize(
    ("query", "solve"),
    [
        ({"job": "vcf", "moves": MISE}, lambda: renju.solve_vcf(Board(MISE), limit=Limit(nodes=10**7))),
        (
            {"job": "vcf", "moves": QUIET, "color": "white", "shortest": True, "max_depth": 7},
            lambda: renju.solve_vcf(Board(QUIET), WHITE, max_depth=7, shortest=True),
        ),
        ({"job": "mise-vcf", "moves": MISE}, lambda: renju.solve_mise_vcf(Board(MISE))),
        (
            {"job": "vct", "moves": QUIET, "color": "white", "max_depth": 9, "threat_limit": 2},
            lambda: renju.solve_vct(Board(QUIET), WHITE, max_depth=9, threat_limit=2),
        ),
        (
            {"job": "vct", "limit": {"nodes": 2000}, **HARD},
            lambda: renju.solve_vct(
                Board.from_stones(HARD["black"], HARD["white"], BLACK), limit=Limit(nodes=2000)
            ),
        ),
    ],
    ids=["vcf", "vcf-shortest", "mise-vcf", "vct", "unknown"],
)
def test_a_proof_is_that_of_the_solver(query: dict, solve: object) -> None:
    answer = answer_to(query | {"id": 1, "include_proof": True})
    expected = solve()
    proof = Proof.from_json(json.dumps(answer["proof"]))
    assert proof == expected
    assert (answer["status"], answer["limit_hit"]) == (expected.status, expected.limit_hit)
    assert (answer["depth"], answer["nodes"]) == (expected.depth, expected.nodes)
    assert answer["line"] == [*map(str, expected.line)]
    assert answer["first"] == (str(expected.first) if expected else None)
    assert answer["color"] == expected.color.label
    assert answer["interrupted"] is (expected.limit_hit is not None)
    assert "proof" not in answer_to(query | {"id": 1})


def test_forbidden_points() -> None:
    answer = answer_to({"id": 1, "job": "forbidden", "moves": DOUBLE_THREE})
    assert answer["forbidden"] == {"H8": "double-three"}
    # Whose turn it is does not matter.
    setup = {"id": 1, "job": "forbidden", "black": "f8 g8 h9 h10", "white": []}
    assert answer_to(setup)["forbidden"] == {"H8": "double-three"}


@pytest.mark.parametrize(
    ("position", "board"),
    [
        ({"moves": ""}, Board()),
        ({"moves": []}, Board()),
        ({"moves": "H8 i9, G7"}, Board("h8i9g7")),
        ({"moves": ["h8", "I9", "pass"]}, None),
        ({"moves": ["h8", "I9", "g7", "pass"]}, Board("h8i9g7 pass")),
        ({"black": "h8", "white": "i9"}, Board("h8i9")),
        ({"black": ["h8", "g7"], "white": ["i9"]}, Board("h8i9g7")),
        ({"black": "h8", "turn": "white"}, Board("h8")),
        ({"black": "h8", "white": None, "turn": None}, Board("h8")),
        ({"white": "h8", "turn": "black"}, Board.from_stones("", "h8", BLACK)),
        ({"black": "h8", "white": "i9", "moves": "g7 i7"}, Board("h8i9g7i7")),
        ({"moves": f"{DOUBLE_THREE}h8o15", "referee": False}, Board(f"{DOUBLE_THREE}h8o15", referee=False)),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else "",
)
def test_positions(position: dict, board: Board | None) -> None:
    read = jsonl_query.read(json.dumps({"id": 1, **position}), 1, jsonl_query.Defaults("easy", Limit()))
    if board is None:
        assert isinstance(read, dict)
        assert (read["field"], read["line"]) == ("moves", 1)
    else:
        assert isinstance(read, jsonl_query.Query)
        assert (read.board, read.board.turn) == (board, board.turn)


def test_defaults_are_those_of_the_server() -> None:
    options = {"level": "easy", "limit": Limit(nodes=300)}
    answer = answer_to({"id": 1, "moves": QUIET}, **options)
    assert (answer["level"], answer["limit"]["nodes"]) == ("easy", 300)
    # A limit takes the place of the default as a whole: with nodes alone, no clock must decide.
    named = answer_to(
        {"id": 1, "moves": QUIET, "limit": {"nodes": 200}, "level": "medium"},
        level="easy",
        limit=Limit(time=9),
    )
    assert (named["level"], named["limit"]) == ("medium", {"time": None, "nodes": 200, "depth": None})
    solved = answer_to({"id": 1, "job": "vct", **HARD}, **options)
    assert (solved["status"], solved["limit_hit"], solved["nodes"]) == ("unknown", "nodes", 300)
    no_depth = answer_to({"id": 1, "job": "vcf", "moves": QUIET}, limit=Limit(depth=3))
    assert no_depth["limit"]["depth"] is None
    assert no_depth["limit"]["nodes"] > 0  # nothing runs for ever


def test_null_is_not_given() -> None:
    nothing = dict.fromkeys(sorted(jsonl.JOBS["analyze"] - {"id", "moves", "limit"} | {"action", "color"}))
    query = {"id": 1, "moves": QUIET, "limit": {"nodes": 300, "time": None}}
    assert without_time(answer_to(query | nothing)) == without_time(answer_to(query))


def test_both_spellings() -> None:
    query = {"id": 1, "moves": QUIET, "limit": {"nodes": 100}}
    assert answer_to(query | {"job": "analyse"})["job"] == "analyze"


def test_ids_come_back_as_they_are() -> None:
    ids = ["", "a", "1", 1, 0, -7, 2**53, "花月 ☗", "\ud800", "x" * 1000]
    answers = ask(*({"id": name, "job": "forbidden", "moves": ""} for name in ids))
    assert sorted(map(repr, ids)) == sorted(repr(answer["id"]) for answer in answers)
    # Two queries may share an id, if their sender does not mind.
    assert len(ask(*[{"id": 1, "job": "forbidden", "moves": ""}] * 3)) == 3


# Errors are answers


@pytest.mark.parametrize(
    ("query", "field", "message"),
    [
        ({"moves": ""}, "id", "there is no id"),
        ({"id": None, "moves": ""}, "id", "there is no id"),
        ({"id": True, "moves": ""}, "id", "id is a text"),
        ({"id": 1.0, "moves": ""}, "id", "not 1.0"),
        ({"id": [1], "moves": ""}, "id", "not a list"),
        ({"id": 2**53 + 1, "moves": ""}, "id", "2^53"),
        ({"id": "x" * 1001, "moves": ""}, "id", "1000 characters"),
        ({"id": 1}, "moves", "there is no position"),
        ({"id": 1, "moves": 5}, "moves", "moves is a text"),
        ({"id": 1, "moves": {"h8": 1}}, "moves", "not an object"),
        ({"id": 1, "moves": "h8 i16"}, "moves", "column 5: row 16 is off the board"),
        ({"id": 1, "moves": ["h8", "i16"]}, "moves[1]", "row 16 is off the board"),
        ({"id": 1, "moves": ["h8", 113]}, "moves[1]", "a point is a text"),
        ({"id": 1, "moves": ["h8i9"]}, "moves[0]", ""),
        ({"id": 1, "moves": "h8 h8"}, "moves", "move 2 (H8): H8 is occupied by black"),
        ({"id": 1, "moves": OVER}, "moves", "the game is over: five"),
        ({"id": 1, "moves": OVER + "o15"}, "moves", "move 10 (O15): the game is over"),
        ({"id": 1, "moves": DOUBLE_THREE + "h8"}, "moves", "the game is over: forbidden"),
        ({"id": 1, "moves": "", "turn": "black"}, "turn", "follows from the moves"),
        ({"id": 1, "moves": "", "referee": 0}, "referee", "true or false, not 0"),
        ({"id": 1, "black": "h8", "referee": False}, "referee", "empty board only"),
        ({"id": 1, "black": "h8 h8", "turn": "white"}, "black", "H8 is given twice"),
        ({"id": 1, "black": "h8", "white": "h8 z1"}, "white", "column 'z'"),
        ({"id": 1, "black": "h8 g7 a1", "white": "i9"}, "turn", "do not tell whose turn it is"),
        ({"id": 1, "black": "h8", "turn": "red"}, "turn", 'turn is "black" or "white", not "red"'),
        ({"id": 1, "black": "h8", "white": "i9", "moves": "h8"}, "moves", "move 1 (H8): H8 is occupied"),
        ({"id": 1, "black": "h8 i8 j8 k8 l8", "white": "", "turn": "white"}, "black", "the game is over"),
        ({"id": 1, "moves": "", "job": "solve"}, "job", 'not "solve"'),
        ({"id": 1, "moves": "", "job": ["vcf"]}, "job", "not a list"),
        ({"id": 1, "moves": "", "limits": {}}, "limits", 'did you mean "limit"?'),
        ({"id": 1, "moves": "", "multiPV": 2}, "multiPV", 'did you mean "multipv"?'),
        ({"id": 1, "moves": "", "job": "vcf", "multipv": 2}, "multipv", 'does not go with the job "vcf"'),
        ({"id": 1, "moves": "", "job": "vcf", "threat_limit": 2}, "threat_limit", "does not go with"),
        ({"id": 1, "moves": "", "color": "white"}, "color", 'does not go with the job "analyze"'),
        ({"id": 1, "moves": "", "limit": 5}, "limit", "limit is an object, not 5"),
        ({"id": 1, "moves": "", "limit": {"node": 5}}, "limit.node", 'did you mean "nodes"?'),
        ({"id": 1, "moves": "", "limit": {"nodes": True}}, "limit.nodes", "whole number, not true"),
        ({"id": 1, "moves": "", "limit": {"nodes": 1.5}}, "limit.nodes", "whole number, not 1.5"),
        ({"id": 1, "moves": "", "limit": {"nodes": -1}}, "limit.nodes", "not -1"),
        ({"id": 1, "moves": "", "limit": {"nodes": 10**19}}, "limit.nodes", "nodes is a number from 0"),
        ({"id": 1, "moves": "", "limit": {"depth": -2}}, "limit.depth", "plies"),
        ({"id": 1, "moves": "", "limit": {"time": "1"}}, "limit.time", 'a number, not "1"'),
        ({"id": 1, "moves": "", "limit": {"time": -0.5}}, "limit.time", "seconds"),
        ('{"id": 1, "moves": "", "limit": {"time": 1e999}}', "limit.time", "seconds"),
        ('{"id": 1, "moves": "", "limit": {"time": NaN}}', "limit.time", "seconds"),
        ('{"id": 1, "moves": "", "limit": {"time": Infinity}}', "limit.time", "seconds"),
        ('{"id": 1, "moves": "", "limit": {"nodes": NaN}}', "limit.nodes", "whole number, not NaN"),
        ({"id": 1, "moves": "", "limit": {"nodes": 10**4000}}, "limit.nodes", "whole number"),
        ('{"id": 1, "moves": "", "limit": {"nodes": 1, "nodes": 2}}', "limit.nodes", "given twice"),
        ('{"id": 1, "moves": "", "moves": "h8"}', "moves", '"moves" is given twice'),
        ('{"id": 1, "action": "terminate", "action": "terminate_all"}', "action", "given twice"),
        ({"id": 1, "moves": "", "job": "vct", "limit": {"depth": 3}}, "limit.depth", "max_depth"),
        ({"id": 1, "moves": "", "level": "expert"}, "level", 'not "expert"'),
        ({"id": 1, "moves": "", "config": {"dept": 3}}, "config.dept", 'did you mean "depth"?'),
        ({"id": 1, "moves": "", "config": {"self": 3}}, "config.self", "there is no field"),
        ({"id": 1, "moves": "", "config": {"depth": 0}}, "config.depth", "depth is a number from 1 to 100"),
        ({"id": 1, "moves": "", "config": {"depth": 10**19}}, "config.depth", "depth"),
        ({"id": 1, "moves": "", "config": {"depth": True}}, "config.depth", "whole number"),
        ({"id": 1, "moves": "", "config": {"vct": 1}}, "config.vct", "True or False"),
        ({"id": 1, "moves": "", "config": {"vct": [1]}}, "config.vct", "not a list"),
        ({"id": 1, "moves": "", "multipv": 0}, "multipv", "from 1 to 225"),
        ({"id": 1, "moves": "", "multipv": 226}, "multipv", "from 1 to 225"),
        ({"id": 1, "moves": "", "job": "vct", "threat_limit": 4}, "threat_limit", "from 1 to 3"),
        ({"id": 1, "moves": "", "job": "vct", "max_depth": -1}, "max_depth", "not -1"),
        ({"id": 1, "moves": "", "job": "vct", "color": 1}, "color", '"black" or "white", not 1'),
        ({"id": 1, "moves": "", "priority": "high"}, "priority", "whole number"),
        ({"id": 1, "moves": "", "include_proof": "yes"}, "include_proof", "true or false"),
        ({"id": 1, "moves": "", "terminate_id": 1}, "terminate_id", "does not go with the job"),
        ({"id": 1, "action": "terminate", "id_": 1}, "id_", "there is no field"),
        ({"id": 1, "action": "stop"}, "action", '"terminate"'),
        ({"id": 1, "action": "terminate"}, "terminate_id", "there is no terminate_id"),
        ({"id": 1, "action": "terminate", "terminate_id": 1.5}, "terminate_id", "1.5"),
        ({"id": 1, "action": "terminate_all", "terminate_id": 1}, "terminate_id", "does not go with"),
        ({"id": 1, "action": "query_version", "moves": ""}, "moves", "does not go with"),
    ],
    ids=lambda value: (json.dumps(value) if isinstance(value, dict) else str(value))[:60],
)
def test_an_error_names_what_is_wrong(query: object, field: str, message: str) -> None:
    answer = answer_to(query)
    assert answer["id"] == (None if field == "id" else 1)
    assert (answer["field"], answer["line"]) == (field, 1)
    assert message in answer["error"]
    assert answer.keys() == {"id", "error", "field", "line"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"id": "\xff"}', "not UTF-8"),
        (b"\xfe\xff\x00{", "not UTF-8"),
        (b'{"id": 1,\x00 "moves": ""}', "no JSON"),
        (b"{", "no JSON"),
        ("}", "no JSON"),
        ('{"id": 1} {"id": 2}', "no JSON: Extra data"),
        ("{'id': 1}", "no JSON"),
        ("\u00a0", "no JSON"),
        ("5", "an object in braces, not 5"),
        ("null", "not null"),
        ('"id"', 'not "id"'),
        ('[{"id": 1, "moves": ""}]', "not a list"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"id": ' + "9" * 100_000 + "}", "2^53"),
        ('{"id": NaN}', "not NaN"),
        ('{"id": 1, "id": 2, "moves": "", "moves": ""}', '"id" is given twice'),
        (" " * MOST_LINE + "{}", f"longer than {MOST_LINE:,} bytes"),
        (b"x" * (MOST_LINE + 1), f"longer than {MOST_LINE:,} bytes"),
    ],
    ids=lambda value: repr(value[:40]),
)
def test_a_line_that_cannot_be_read(line: str | bytes, message: str) -> None:
    bad, good = ask(line, {"id": "next", "action": "query_version"})
    assert (bad["id"], bad["line"]) == (None, 1)
    assert message in bad["error"]
    assert len(bad["error"]) < 600
    assert good["id"] == "next"


def test_an_error_says_where_in_the_line() -> None:
    answer = answer_to('{"id": 1, moves: ""}')
    assert (answer["column"], answer["line"]) == (11, 1)
    assert ask("", "\n", "{")[0]["line"] == 3


def test_empty_lines_and_line_ends() -> None:
    query = '{"id": 1, "action": "query_version"}'
    assert len(ask("", "\n", " \t\r\n", b"\n", query + "\r\n", query.encode() + b"\n")) == 2
    assert len(ask("\ufeff" + query)) == 1  # as some editors begin a file
    assert answer_to(query.ljust(MOST_LINE)).keys() == {"id", "action", "version"}


def test_what_a_worker_cannot_do_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise MemoryError("no memory")

    monkeypatch.setattr(Engine, "stream", fails)
    bad, good = ask({"id": 1, "moves": ""}, {"id": 2, "job": "forbidden", "moves": ""}, threads=1)
    assert (bad["id"], bad["error"]) == (1, "MemoryError: no memory")
    assert good["forbidden"] == {}


# Any line has one answer

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
POINTS = st.lists(st.sampled_from(["h8", "i9", "g7", "A1", "o15", "pass"]), max_size=6)
# No valid limits but small ones: nobody wants to wait.
FIELDS = {
    "id": st.integers(-3, 3) | st.text(max_size=3) | JSON,
    "job": st.sampled_from([*jsonl.JOBS, "analyse", "x"]) | JSON,
    "moves": POINTS | POINTS.map("".join) | JSON,
    "black": POINTS | JSON,
    "white": POINTS | JSON,
    "turn": st.sampled_from(["black", "white", 1]) | JSON,
    "color": st.sampled_from(["black", "white", 1]) | JSON,
    "level": st.sampled_from([*renju.config.LEVELS, "x"]) | JSON,
    "limit": st.fixed_dictionaries({"nodes": st.integers(-1, 20)}) | st.sampled_from([1, "x", True, [1]]),
    "config": st.dictionaries(st.sampled_from(["depth", "vct", "five", "x"]), JSON, max_size=2) | JSON,
    "action": st.sampled_from([*jsonl_query.ACTIONS]) | JSON,
    "terminate_id": st.integers(-3, 3) | JSON,
    "multipv": st.integers(-1, 3) | JSON,
    "max_depth": st.integers(-1, 3) | JSON,
    "threat_limit": st.integers(0, 4) | JSON,
    **{name: st.booleans() | JSON for name in ("referee", "shortest", "include_proof", "include_stats")},
    "priority": st.integers() | JSON,
    "seed": st.integers() | JSON,
}
REQUESTS = st.fixed_dictionaries(
    {"id": FIELDS["id"]}, optional={n: v for n, v in FIELDS.items() if n != "id"}
)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(st.lists(JSON.map(json.dumps) | REQUESTS.map(json.dumps) | st.binary(max_size=30), max_size=6))
def test_any_line_has_one_answer(lines: list[str | bytes]) -> None:
    lines = [line.replace(b"\n", b"") if isinstance(line, bytes) else line for line in lines]
    full = [line for line in lines if line.strip(b" \t\r\n" if isinstance(line, bytes) else " \t\r\n")]
    answers = ask(*lines, threads=1, limit=Limit(nodes=20))
    assert len(answers) == len(full)
    for answer in answers:
        assert isinstance(answer["id"], str | int | None)
        assert ("error" in answer) + ("job" in answer) + ("action" in answer) == 1
        assert "Error" not in answer.get("error", ""), "an error that nobody foresaw"


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(REQUESTS)
def test_a_valid_id_comes_back(query: dict) -> None:
    query["id"] = "mine"
    assert answer_to(query, limit=Limit(nodes=20))["id"] == "mine"


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
    query = jsonl_query.read(line, 1, jsonl_query.Defaults("easy", Limit()))
    assert isinstance(query, jsonl_query.Query)
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
