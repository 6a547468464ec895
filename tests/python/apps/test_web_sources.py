"""The files that `renju board` is started with: an explorer of games, and proofs of sure wins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import renju
from renju import Board, Point
from support.processes import RENJU
from support.web_site import Site, running_site
from support.web_site import site as site
from support.web_sources import FOUR, GOAL, quiet_board
from support.web_sources import games as games
from support.web_sources import proofs as proofs


def as_request(board: Board, setup: Board) -> dict[str, Any]:
    """A position as the page sends it, the moves after a set-up."""
    stones = {
        color: [str(point) for point in setup.points_of(renju.Color[color.upper()])]
        for color in ("black", "white")
    }
    return {
        "setup": {**stones, "turn": setup.turn.label},
        "moves": [str(move) for move in board.moves],
    }


@pytest.fixture(scope="module")
def proof_site(proofs: Path) -> Iterator[Site]:
    with running_site(proofs=proofs) as running:
        yield running


# Proofs


def test_a_win_is_told_with_its_move_and_walked_against_replies(proof_site: Site) -> None:
    start = quiet_board()
    board = start.copy()
    told = proof_site.ask("sure", as_request(board, start)).data
    assert (told["winner"], told["move"], told["verified"]) == ("black", "G9", True)
    board.push("G9")
    told = proof_site.ask("sure", as_request(board, start)).data
    assert (told["winner"], told["move"], told["verified"]) == ("black", None, True)
    own = told["replies"]
    assert own
    # Whatever the reply is, the file has an answer, and after it a reply again.
    for reply in [*map(str, board.legal_moves)]:
        after = board.copy()
        after.push(reply)
        told = proof_site.ask("sure", as_request(after, start)).data
        assert (told["winner"], told["verified"]) == ("black", True)
        after.push(told["move"])
        told = proof_site.ask("sure", as_request(after, start)).data
        assert after.outcome is not None or told["winner"] == "black"
    # A stone of the winner that the proof does not know is not covered.
    other = start.copy()
    other.push("B15" if other.is_legal("B15") else str(other.legal_moves[0]))
    assert proof_site.ask("sure", as_request(other, start)).data["winner"] is None


def test_what_was_not_verified_is_told_as_such(proof_site: Site) -> None:
    told = proof_site.ask("sure", {"moves": FOUR}).data
    assert (told["winner"], told["move"], told["verified"]) == ("black", "H7", False)
    turned = " ".join(str(move.transform(1)) for move in Board(FOUR).moves)
    assert proof_site.ask("sure", {"moves": turned}).data["move"] == str(Point("H7").transform(1))


def test_of_a_position_under_work_the_open_replies_are_told(proof_site: Site) -> None:
    told = proof_site.ask("sure", {"moves": GOAL}).data
    assert told["winner"] is None
    goal = told["goal"]
    assert (goal["color"], goal["replies"]) == ("black", 225 - 7 + 1)
    assert goal["replies"] - len(goal["open"]) == 1
    assert "C3" not in goal["open"]
    assert "pass" in goal["open"]
    assert goal["verified"] == 0


def test_elsewhere_nothing_is_claimed(proof_site: Site) -> None:
    nothing = {"winner": None, "move": None, "replies": [], "verified": False, "goal": None}
    assert proof_site.ask("sure", {"moves": ""}).data == nothing
    assert proof_site.ask("sure", {"moves": "f8 a1 g8 a3 h8 a5 i8 a7 j8"}).data == nothing


def test_the_engine_plays_from_the_file_on_the_side_of_the_winner(proof_site: Site) -> None:
    start = quiet_board()
    board = start.copy()
    (told,) = proof_site.ask("play", {**as_request(board, start), "level": "beginner", "nodes": 10}).lines
    assert (told["move"], told["source"]) == ("G9", "proof")
    board.push("G9")
    last = proof_site.ask("play", {**as_request(board, start), "level": "beginner", "nodes": 10}).lines[-1]
    assert last["source"] != "proof"


# The explorer


def test_what_was_played_in_a_position(games: Path) -> None:
    with running_site(explorer=games) as site:
        told = site.ask("explorer", {"moves": "h8 i9"}).data
        assert told["games"] == 3
        best, other = told["moves"]
        assert (best["move"], best["games"], best["black"], best["white"], best["draws"]) == (
            "I7",
            2,
            1,
            1,
            0,
        )
        assert (best["last_year"], best["players"]) == (2024, ["Bö", "Ann"])
        assert (best["score"], best["sure"]) == (80, "win")
        assert (other["last_year"], other["sure"]) == (None, None)
        assert site.ask("explorer", {"moves": "h8 i9 a1"}).data["moves"] == []
        page = site.get("/").body.decode()
        assert '"explorer": "games.duckdb"' in page
        assert '"proofs": null' in page


def test_without_a_file_it_cannot_be_asked(site: Site) -> None:
    for name, option in (("explorer", "--explorer"), ("sure", "--proofs")):
        answer = site.ask(name, {"moves": "h8"})
        assert (answer.status, answer.error) == (400, "request")
        assert option in answer.data["error"]["message"]


# The command


def failed(*arguments: str) -> str:
    """What the command says of a wrong start."""
    command = [*RENJU, "board", "--no-open", "--port", "0", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.returncode == 2
    assert done.stdout == ""
    return done.stderr


@pytest.mark.slow
def test_files_that_are_not_there_or_not_of_the_kind_are_named(tmp_path: Path, proofs: Path) -> None:
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    missing = tmp_path / "no.file"
    for option in ("--explorer", "--proofs"):
        assert failed(option, str(missing)).startswith("renju: ")
        assert str(missing) in failed(option, str(missing))
    assert str(proofs) in failed("--explorer", str(proofs))
    other = tmp_path / "game.txt"
    other.write_text("h8 i9")
    assert str(other) in failed("--proofs", str(other))


@pytest.mark.slow
def test_without_the_extra_it_is_told_what_to_install(games: Path) -> None:
    script = (
        "import sys; sys.modules['duckdb'] = None\n"
        "from renju.cli import main\n"
        f"sys.exit(main(['board', '--no-open', '--port', '0', '--explorer', {str(games)!r}]))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "pip install 'renju-engine[explore]'" in done.stderr
