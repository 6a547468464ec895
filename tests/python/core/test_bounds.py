"""Numbers that no game has: beyond 64 bits, infinite, negative, or larger than any machine."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import renju
from renju import Board, Engine, EngineConfig, Limit, batch, cli, ismcts
from renju import _native as native
from renju.errors import FormatError
from renju.lab.programs import ply_of
from renju.lab.selfplay import selfplay
from renju.pipeline.records import check_header

BOARD = Board("h8i9g7")
BOARDS, TURNS = batch.parse(["h8i9g7"])
SMALL = Limit(nodes=5)

ABSURD = [2**31, 2**32, 2**63, 2**64, 2**70, 10**400, -1, -(2**63), -(2**70), -(10**400)]
NOT_WHOLE = [float("inf"), float("-inf"), float("nan"), 1e300, 1.5, "9" * 5000]

# Each is called with a number for one argument.
CALLS: dict[str, Callable[[Any], object]] = {
    "Point": renju.Point,
    "Point of two": lambda n: renju.Point((n, n)),
    "Color": renju.Color,
    "push": lambda n: BOARD.copy().push(n),
    "transform": BOARD.transform,
    "from_stones": lambda n: Board.from_stones([n], []),
    "turn": lambda n: Board.from_stones("h8", "", turn=n),
    "array": lambda n: Board.from_array([[n] * 15] * 15),
    "move_limit": lambda n: Board(move_limit=n),
    "Limit time": lambda n: Limit(time=n),
    "Limit nodes": lambda n: Limit(nodes=n),
    "Limit depth": lambda n: Limit(depth=n),
    "Engine threads": lambda n: Engine("easy", threads=n),
    "Engine hash_mb": lambda n: Engine("easy", hash_mb=n),
    "Engine seed": lambda n: Engine("beginner", seed=n).best_move(BOARD, SMALL),
    "multipv": lambda n: Engine("easy").analyse(BOARD, SMALL, multipv=n),
    "config depth": lambda n: EngineConfig(depth=n),
    "config score": lambda n: EngineConfig(open_three=n),
    "max_depth": lambda n: renju.solve_vcf(BOARD, max_depth=n),
    "threat_limit": lambda n: renju.solve_vct(BOARD, threat_limit=n, limit=SMALL),
    "batch threads": lambda n: batch.forbidden(BOARDS, threads=n),
    "batch boards": lambda n: batch.forbidden([[[n] * 15] * 15]),
    "batch turns": lambda n: batch.keys(BOARDS, turns=[n]),
    "batch color": lambda n: batch.threat_map(BOARDS, n),
    "batch deadline": lambda n: batch.solve(BOARDS, TURNS, deadline=n),
    "batch multipv": lambda n: batch.analyze(BOARDS, TURNS, SMALL, multipv=n),
    "batch hash_mb": lambda n: batch.analyze(BOARDS, TURNS, SMALL, hash_mb=n),
    "batch plies": lambda n: batch.expand(["h8"], plies=(n, n)),
    "batch last ply": lambda n: batch.expand(["h8"], plies=(0, n)),
    "batch no plies": lambda n: batch.expand(["h8"], plies=n),
    "symmetry": lambda n: batch.transform(BOARDS, n),
    "inverse": batch.inverse,
    "iterations": lambda n: ismcts.IsMcts(iterations=n),
    "search time": lambda n: ismcts.IsMcts(time=n),
    "max_nodes": lambda n: ismcts.IsMcts(max_nodes=n),
    "trees": lambda n: ismcts.IsMcts(trees=n),
    "exploration": lambda n: ismcts.IsMcts(exploration=n),
    "advise threads": lambda n: ismcts.IsMcts(iterations=2).advise(ismcts.GameState.deal(1), threads=n),
    "deal": ismcts.GameState.deal,
    "selfplay first": lambda n: selfplay(games=0, first=n),
    "selfplay hash_mb": lambda n: selfplay(games=0, hash_mb=n),
}


@pytest.mark.parametrize("number", [*ABSURD, *NOT_WHOLE], ids=lambda number: repr(number)[:12])
@pytest.mark.parametrize("name", CALLS)
def test_absurd_numbers_are_taken_or_refused(name: str, number: Any) -> None:
    try:
        CALLS[name](number)
    except (ValueError, TypeError) as error:
        assert str(error)  # noqa: PT017  # also those that take it are fine, such as seeds


def analyze(**changes: Any) -> None:
    """The native call with nothing absurd but the changes."""
    usual: dict[str, Any] = {
        "config": {},
        "hash_mb": 1,
        "multipv": 1,
        "reuse": False,
        "time_s": None,
        "nodes": 5,
    }
    usual |= {"depth": None, "deadline_s": None, "progress": None, "threads": 1}
    native.analyze(BOARDS, TURNS, out=np.zeros((1, 64), np.uint8), **usual | changes)


def solve_position(time_s: float) -> None:
    usual: dict[str, Any] = {
        "color": 1,
        "kind": "vcf",
        "threat_limit": 1,
        "max_depth": None,
        "shortest": False,
    }
    native.solve_position(BOARD._position, first=None, nodes=None, time_s=time_s, stop=None, **usual)


def twin_cool_games(strategy: str, options: dict[str, Any], first: int = 0) -> None:
    rows = np.zeros((4, 3), np.uint32)
    native.twin_cool_games(strategy, options, seed=1, first=first, out=rows, threads=1, progress=None)


def engine(config: dict[str, int] | None = None, hash_mb: int = 1, threads: int = 1) -> None:
    native.Engine(config or {}, hash_mb, threads, values=None, network=None)


def self_play(**changes: Any) -> None:
    usual: dict[str, Any] = {
        "values": None,
        "network": None,
        "nodes": 1,
        "hash_mb": 1,
        "opening_stones": (3, 8),
        "first": 0,
    }
    usual |= {"opening_nodes": 1, "opening_bound": 1, "random_permille": 0, "beside": 0, "most_stones": 150}
    native.self_play({}, seed=1, threads=1, progress=None, **usual | changes)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: engine(threads=2**40), "threads is a number from 1 to 256, not 1099511627776"),
        (lambda: engine(threads=0), "threads is a number from 1 to 256, not 0"),
        (lambda: engine(hash_mb=2**45), "hash_mb is a number from 0 to 1048576, not 3518437208"),
        (lambda: engine({"depth": 2**70}), "depth is a number from 1 to"),
        (lambda: analyze(hash_mb=2**44), "hash_mb is a number"),
        (lambda: analyze(multipv=0), "multipv is a number from 1 to 225, not 0"),
        (lambda: solve_position(time_s=-1.0), "time_s is a number of seconds from 0 to 1e9, not -1"),
        (lambda: solve_position(time_s=float("nan")), "time_s is a number of seconds"),
        (
            lambda: twin_cool_games("random", {}, first=2**64 - 1),
            "4 games from 18446744073709551615 on are too many",
        ),
        (
            lambda: twin_cool_games("ismcts", {"trees": 2**40}),
            "trees is a number from 0 to 1024, not 1099511627776",
        ),
        (lambda: twin_cool_games("ismcts", {"max_nodes": 2**40}), "max_nodes is a number"),
        (lambda: self_play(games=2**32 - 1), "games is a number from 0 to 10000000, not 4294967295"),
        (lambda: self_play(first=2**32 - 1, games=2), "2 games from 4294967295 on are too many"),
    ],
)
def test_native_sizes_are_refused_before_anything_is_allocated(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_table_for_which_there_is_no_memory() -> None:
    """In a process that may have two gigabytes; without the bound it would be ended."""
    script = (
        "import resource, sys, renju\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "try:\n"
        "    renju.Engine(hash_mb=1 << 20)\n"
        "except MemoryError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "there are not 1048576 MB for the table\n"


def npy(shape: str, dtype: str = "|i1", order: str = "False", version: int = 1, cells: int = 450) -> bytes:
    """An array file with anything in its header."""
    header = f"{{'descr': '{dtype}', 'fortran_order': {order}, 'shape': {shape}, }}".encode()
    length = len(header).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + bytes(cells)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npy("(-1, 15, 15)"), "int8 (-1, 15, 15), integers (N, 15, 15) are needed"),
        (npy(f"({-(2**70)}, 15, 15)"), "integers (N, 15, 15) are needed"),
        (npy("(3, 15, 15)"), "the file ends before board 3"),
        (npy(f"({2**70}, 15, 15)"), "the file ends before board 1,180,591,620,717,411,303,424"),
        (npy(f"({2**62}, 15, 15)", order="True"), "the file ends before board"),
        (npy("(2, 15, 15)", dtype="<i8"), "the file ends before board 2"),
        (npy("(2, -15, -15)"), "integers (N, 15, 15) are needed"),
        (npy("(" * 300 + ")" * 300), "in.npy: "),
        (npy("(2, 15, 15)", dtype="|O"), "integers (N, 15, 15) are needed"),
        (npy("(2, 15, 15)", dtype="|V999999999999"), "in.npy: "),
        (npy("(2, 15, 15)", order="2"), "in.npy: "),
        (npy("(2, 15, 15)", version=9), "version 9.0 of array files is not read"),
        (npy(f"({'9' * 5000}, 15, 15)"), "in.npy: "),
        (npy("(2, 15, 15)")[:9], "in.npy: "),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "in.npy: "),
    ],
    ids=range(15),
)
def test_headers_of_arrays_that_promise_anything(
    data: bytes, message: str, inside: Path, capsys: Any
) -> None:
    Path("in.npy").write_bytes(data)
    assert cli.main(["batch", "in.npy", "-o", "out.csv"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error) < 400


@pytest.mark.parametrize("order", ["True", "False"])
@pytest.mark.parametrize("boards", [0, 2])
def test_arrays_in_both_orders(order: str, boards: int, inside: Path) -> None:
    Path("in.npy").write_bytes(npy(f"({boards}, 15, 15)", order=order))
    assert cli.main(["batch", "in.npy", "-o", "out.jsonl"]) == 0
    assert len(Path("out.jsonl").read_text().splitlines()) == boards


@pytest.mark.parametrize(
    "text",
    [
        "depth = " + "9" * 5000,
        "depth = " + "[" * 5000,
        "depth = 1e400",
        "depth = nan",
        f"depth = {2**70}",
        "a" * 9,
    ],
    ids=range(6),
)
def test_settings_in_a_file(text: str, tmp_path: Path, capsys: Any) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    with pytest.raises(FormatError) as error:
        EngineConfig.from_toml(path)
    assert str(error.value).startswith(f"{path}: ")
    assert cli.main(["analyze", "h8", "--config", str(path)]) == 2
    assert cli.main(["analyze", "h8", "--set", text]) == 2
    assert "Traceback" not in capsys.readouterr().err


OPTIONS = [
    ["solve", "h8i9", "--time"],
    ["solve", "h8i9", "--nodes"],
    ["solve", "h8i9", "--depth"],
    ["solve", "h8i9", "--max-depth"],
    ["analyze", "h8i9", "--nodes", "5", "--time"],
    ["analyze", "h8i9", "--nodes", "5", "--multipv"],
    ["analyze", "h8i9", "--nodes", "5", "--seed"],
    ["analyze", "h8i9", "--nodes", "5", "--hash"],
    ["analyze", "h8i9", "--nodes", "5", "--threads"],
    ["batch", "in.txt", "-o", "out.csv", "--jobs", "vcf", "--overwrite", "--solve-time"],
    ["batch", "in.txt", "-o", "out.csv", "--jobs", "forbidden", "--overwrite", "--plies"],
    ["batch", "in.txt", "-o", "out.csv", "--jobs", "forbidden", "--overwrite", "--threads"],
    ["twincool", "bench", "--games", "1", "--seed"],
    ["twincool", "bench", "--seed", "1", "--threads"],
    ["jsonl", "in.txt", "--time"],
    ["bench", "--positions"],
]


@pytest.mark.parametrize("number", ["-1", "nan", "inf", "1e400", str(2**70), "9" * 5000], ids=range(6))
@pytest.mark.parametrize("command", OPTIONS, ids=lambda words: f"{words[0]} {words[-1]}")
@pytest.mark.slow
def test_options_of_commands(command: list[str], number: str, inside: Path, capsys: Any) -> None:
    Path("in.txt").write_text("h8i9\n")
    try:
        code = cli.main([*command, number])
    except SystemExit as stop:  # what argparse raises
        code = stop.code
    # Seeds can be any whole number; everything else has a range.
    assert (code == 2) or (command[-1] == "--seed" and code == 0), capsys.readouterr()


def test_numbers_in_what_a_program_says() -> None:
    digits = "9" * 5000
    ply = ply_of(renju.Point("h8"), 0.0, [f"depth {digits}-{digits} ev {digits} n {digits}K"])
    assert (ply.score, ply.depth, ply.nodes) == (None, None, None)
    ply = ply_of(renju.Point("h8"), 0.0, ["depth 8-13 ev -25 n 12K"])
    assert (ply.score, ply.depth, ply.seldepth, ply.nodes) == (-25, 8, 13, 12_000)


def test_a_header_with_many_columns_takes_linear_time() -> None:
    names = [f"c{n}" for n in range(200_000)] + ["moves"]
    start = time.process_time()
    check_header("in.csv", [*names[:50_000], "moves"], (None, None))
    small = time.process_time() - start
    start = time.process_time()
    check_header("in.csv", names, (None, None))
    assert time.process_time() - start <= max(8 * small, 0.1)
    with pytest.raises(FormatError, match="two columns are named 'moves'"):
        check_header("in.csv", [*names, "moves"], (None, None))
