"""What is fuzzed: a function for every reader, which takes any bytes.

A target lets through what its reader promises to raise, `RenjuError` or `ValueError`. Anything else that it
raises is a fault, and so are a panic, a hang and memory without bound. Where something was read, the target
goes on and uses it: what was accepted must also work.

The native readers are fuzzed from Python, by the same functions that the package calls. A fuzzer in Rust
would need a nightly toolchain (cargo-fuzz) and its own copies of the conversions, where faults are as likely.
"""

from __future__ import annotations

import json
import pickle
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from io import BytesIO, StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from renju import BLACK, Board, EngineConfig, EngineError, Limit, Point, Proof, RenjuError, batch, io, verify
from renju import _native as native
from renju.book import file as book_file
from renju.game import Game
from renju.ismcts.cards import Card
from renju.ismcts.states import Move
from renju.jsonl.query import Defaults, read
from renju.lab.players import Player
from renju.lab.programs import ply_of
from renju.lab.spsa_result import Parameter
from renju.openings.actions import Action
from renju.pipeline import readers
from renju.proofs.records import KIND as PROOF_LINES
from renju.proofs.records import ProofRecord, line_text, unpacked
from renju.protocol import serve
from renju.proving import verify_proof
from renju.web import fields as web_fields

__all__ = ["EXPECTED", "NATIVE", "TARGETS"]

EXPECTED = (RenjuError, ValueError)

Target = Callable[[bytes], None]

# For readers that want a file; in memory where the system has a place for that.
_MEMORY = Path("/dev/shm")
_KEPT = tempfile.TemporaryDirectory(prefix="renju-fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None)
_FOLDER = Path(_KEPT.name)
_BOARD = Board.from_stones("f8 g8 h8", "a1 a3", turn=BLACK)


def _games(name: str) -> Target:
    """A format of games: what was read is written as SGF, and comes back the same."""

    def games(data: bytes) -> None:
        if name in ("sgf", "psq"):
            check_lines(data, name)
        for game in io.loads(data, name):
            again = io.loads(io.dumps(game, "sgf"), "sgf")[0]
            assert [node.move for _, node in again.root.walk()] == [node.move for _, node in game.root.walk()]
            game.board()
            with suppress(*EXPECTED):  # not every format holds every game
                io.loads(io.dumps(game, name), name)

    return games


def check_lines(data: bytes, name: str) -> int:
    """The quick reader of main lines agrees with the full one in all that a table shows; how often it could
    read a game itself."""
    found = _facts(lambda: io.iter_lines(BytesIO(data), name))
    expected = _facts(lambda: io.iter_games(BytesIO(data), form=name))
    assert [facts[1:] for facts in found] == [facts[1:] for facts in expected]
    return sum(is_plain for is_plain, *_ in found)


def _facts(games: Callable[[], Iterator[bytes | Game]]) -> list[tuple[Any, ...]]:
    """Of each game: was it read by the quick reader; its moves, set-up, id and errors; and how it ended."""
    facts: list[tuple[Any, ...]] = []
    try:
        for game in games():
            if isinstance(game, bytes):
                facts.append((True, [*game], ((), ()), None, []))
            else:
                stones = (game.black, game.white)
                facts.append((False, [*game.moves], stones, game.headers.get("id"), game.errors))
    except EXPECTED as error:
        facts.append((False, type(error), str(error)))
    return facts


def _rows(name: str) -> Target:
    """A format of the pipeline."""
    path = _FOLDER / f"in.{name}"

    def rows(data: bytes) -> None:
        path.write_bytes(data)
        for row in islice(readers.read(str(path)), 1000):
            assert row.size >= 0

    return rows


def proof_json(data: bytes) -> None:
    proof = Proof.from_json(_text(data))
    assert Proof.from_json(proof.to_json()) == proof
    assert pickle.loads(pickle.dumps(proof)) == proof
    assert proof.transform(1).transform(3) == proof
    assert len(repr(proof)) < 10**6
    for _ in islice(proof.branches(), 1000):
        pass
    verify(_BOARD, proof)


def quiet_proof(data: bytes) -> None:
    """A proof of order 3, on the board that the first of its seeds was made for."""
    check = verify_proof(_BOARD, data)
    if check:
        # White has no win on this board.
        assert check.positions > 0
        assert native.read_quiet_proof(data)[0] == BLACK
    else:
        assert check.reason
    # What to play is also asked of proofs that nobody checked.
    for moves in ("", "i8 e8", "i8 j8", "e8 i8", "e8 c3", "i7 c3 j6 d4"):
        target = _BOARD.copy()
        for move in moves.split():
            target.push(move)
        native.follow_quiet_proof(_BOARD._position, data, target._position)


def proof_line(data: bytes) -> None:
    """A line of a file of proofs."""
    line = PROOF_LINES.read(data.decode())
    assert PROOF_LINES.read(line_text(line)) == line
    if isinstance(line, ProofRecord) and line.packed is not None:
        unpacked(line.packed, line.size)


def config_toml(data: bytes) -> None:
    path = _FOLDER / "config.toml"
    path.write_bytes(data)
    config = EngineConfig.from_toml(path)
    path.write_text(config.to_toml())
    assert EngineConfig.from_toml(path) == config


def query(data: bytes) -> None:
    """A line of `renju jsonl`, which raises nothing at all."""
    try:
        found = read(data, 1, Defaults("easy", Limit(nodes=1)))
    except EXPECTED as error:
        raise AssertionError("a query is answered, not raised") from error
    json.dumps(found if isinstance(found, dict) else None)


def gomocup(data: bytes) -> None:
    """A session with a manager, up to where an engine would think. Nothing is raised."""

    def no_engine(threads: int, hash_mb: int) -> Any:
        raise EngineError("there is no engine here")

    answers = StringIO()
    try:
        assert serve(StringIO(_text(data), newline=""), answers, no_engine) == 0
    except EXPECTED as error:
        raise AssertionError("a command is answered, not raised") from error
    assert answers.getvalue().isascii()


def request(data: bytes) -> None:
    """The body of a request of the page."""
    found = web_fields.fields_of(data)
    for check in (
        web_fields.board_of,
        lambda fields: web_fields.limit_of(fields, "play", 1.0),
        lambda fields: web_fields.level_of(fields, "hard"),
        lambda fields: fields.text("text", 1000),
        lambda fields: web_fields.count_of(fields, "multipv", 1, 50, 5),
        lambda fields: web_fields.color_of(fields, "color"),
    ):
        with suppress(*EXPECTED):
            check(found)


def book(data: bytes) -> None:
    """What a book holds before it is compressed; else the checksum would hide it."""
    for raw in (data, _packed_book(data)):
        with suppress(*EXPECTED):
            entries, info = book_file.from_bytes(raw)
            assert book_file.from_bytes(book_file.to_bytes(entries, info)) == (entries, info)


def _packed_book(data: bytes) -> bytes:
    packed = zlib.compress(data, 1)
    return struct.pack("<7sBII", b"RENJUBK", book_file.VERSION, len(data), zlib.crc32(packed)) + packed


def moves(data: bytes) -> None:
    """The native reader of moves, for one record and for many."""
    text = _text(data)
    records = text.split("\n")[:50]
    expanded = batch.expand(records, referee=False)
    assert len(expanded.boards) == len(expanded.plies)
    for referee in (True, False):
        for record in records:
            with suppress(*EXPECTED):
                boards, turns = batch.parse([record], referee, threads=1)
                board = Board(record, referee=referee)
                assert (boards[0] == board.to_array()).all()
                assert turns[0] == board.turn
    with suppress(*EXPECTED):
        native.parse_point(text)


def diagram(data: bytes) -> None:
    board = Board.from_text(_text(data))
    assert Board.from_text(str(board), board.turn) == board


def stones(data: bytes) -> None:
    """A set-up by the numbers of its points."""
    half = len(data) // 2
    for turn in (None, 1, 2):
        with suppress(*EXPECTED):
            board = Board.from_stones(list(data[:half]), list(data[half:]), turn)
            assert Board.from_array(board.to_array(), board.turn) == board
            board.forbidden_points()


def arrays(data: bytes) -> None:
    """Boards as arrays, with any codes in their cells."""
    cells = np.frombuffer(data.ljust(226, b"\0")[:226], np.int8)
    boards = cells[1:].reshape(1, 15, 15)
    for call in (
        lambda: batch.forbidden(boards, threads=1),
        lambda: batch.winners(boards, threads=1),
        lambda: batch.threat_map(boards, 1 + cells[0] % 2, threads=1),
        lambda: batch.keys(boards, [cells[0]], threads=1),
        lambda: batch.canonical(boards, threads=1),
        lambda: batch.solve(boards, [1 + cells[0] % 2], limit=Limit(nodes=200), threads=1),
        lambda: Board.from_array(boards[0]),
    ):
        with suppress(*EXPECTED):
            call()


_TABLE = native.values_text(*native.values_arrays(None)).splitlines()


def values(data: bytes) -> None:
    """A table of values, whole or with some lines of the fitted one replaced: "12 0 0 0 0 0 0" is line 12."""
    text = _text(data)
    with suppress(*EXPECTED):
        native.values_arrays(text)
    lines = [*_TABLE]
    for line in text.split("\n"):
        number, _, rest = line.partition(" ")
        if number.isascii() and number.isdecimal() and len(number) < 5:
            lines[int(number) % len(lines)] = rest
    cells, threats = native.values_arrays("\n".join(lines) + "\n")
    native.values_text(cells, threats)


def config_dict(data: bytes) -> None:
    """Settings as the native engine takes them."""
    found = json.loads(data)
    if not isinstance(found, dict):
        raise ValueError("no object")
    sizes = [found.pop(name, 1) for name in ("hash_mb", "threads")]
    native.check_config(found)
    if not all(type(size) is int and 0 <= size < 2**63 for size in sizes):
        raise ValueError("no sizes")
    # Honest sizes are made small: they only take time.
    hash_mb, threads = (
        size % 3 if size <= most else size
        for size, most in zip(sizes, (native.MOST_HASH_MB, native.MOST_ENGINE_THREADS), strict=True)
    )
    native.Engine(found, hash_mb, threads, None, None)


def native_tree(data: bytes) -> None:
    """Tuples for the native verifier: bytes are stones, replies, and how they are nested and shared."""
    trees: list[Any] = [(0, [], None)]
    for at in range(0, len(data) - 3, 4):
        stone, reply, first, second = data[at : at + 4]
        following = [(reply, trees[-1 - first % len(trees)])] if reply % 4 else []
        if reply % 3 == 0:
            following.append(((reply + 1) % 256, trees[-1 - second % len(trees)]))
        trees.append((stone, following, trees[-1 - second % len(trees)] if second % 2 else None))
    with suppress(IndexError):  # no point of the board, which Python checks before
        native.verify(_BOARD._position, 1, ("vcf", "vct", "mise-vcf")[len(data) % 3], 1, trees[-1])


def words(data: bytes) -> None:
    """What people type: points, cards, actions of an opening, players, parameters."""
    text = _text(data)
    for parse in (Point, Card.parse, Move.parse, Action.parse, Player.parse, Parameter.parse, io.links.parse):
        with suppress(*EXPECTED):
            parse(text)
    ply_of(Point("h8"), 0.0, text.splitlines())


def _text(data: bytes) -> str:
    """Bytes as a text; those that are none become halves of characters, which some texts hold."""
    return data.decode("utf-8", errors="surrogateescape")


TARGETS: dict[str, Target] = {
    **{name: _games(name) for name in ("sgf", "lib", "rif", "psq", "txt", "gomocalc")},
    **{f"rows_{name}": _rows(name) for name in ("npy", "csv", "jsonl", "txt")},
    **{
        target.__name__: target
        for target in (
            proof_json,
            quiet_proof,
            proof_line,
            config_toml,
            query,
            gomocup,
            request,
            book,
            moves,
            diagram,
            stones,
            arrays,
            values,
            config_dict,
            native_tree,
            words,
        )
    },
}
"""Key: name of a target, and of the folder of its corpus; value: what is called with each input."""

NATIVE = frozenset(
    {"arrays", "config_dict", "diagram", "moves", "native_tree", "quiet_proof", "stones", "values"}
)
"""Targets whose branches are nearly all native, where the coverage of Python guides nobody."""
