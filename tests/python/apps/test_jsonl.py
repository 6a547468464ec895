"""`renju jsonl`: one answer to every line, whatever it holds."""

import codecs
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import renju
from renju import BLACK, WHITE, Board, Engine, Limit, Proof, cli, jsonl
from renju.jsonl import query as jsonl_query
from renju.jsonl.lines import MOST_LINE
from support.jsonl_session import HARD, answer_to, ask, by_id
from support.positions import DOUBLE_THREE, MISE, OVER, QUIET
from support.processes import Output


def without_time(answer: dict) -> dict:
    return {name: value for name, value in answer.items() if name != "time"}


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
    assert answer["static_value"] == result.static_value
    assert answer["win_rate"] == pytest.approx(result.win_rate, abs=5e-5)
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
        assert isinstance(read, list)
        (query,) = read
        assert (query.board, query.board.turn) == (board, board.turn)


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
    "reports": st.booleans() | JSON,
    # One at most, so that a line has one answer.
    "turns": st.lists(st.integers(-1, 3), max_size=1) | st.sampled_from(["x", 1, {}]),
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
    raw = [line if isinstance(line, bytes) else line.encode() for line in lines]
    raw[:1] = [line.removeprefix(codecs.BOM_UTF8) for line in raw[:1]]  # the mark of an editor is no line
    full = [line for line in raw if line.strip(b" \t\r\n")]
    told = ask(*lines, threads=1, limit=Limit(nodes=20))
    answers = [answer for answer in told if "report" not in answer]
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
    assert {answer["id"] for answer in ask(query, threads=1, limit=Limit(nodes=20))} == {"mine"}
