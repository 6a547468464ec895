"""Why games are lost: one hand-made game for every class."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from renju import BLACK, WHITE, Color, FormatError, lab
from renju._native import WIN
from renju.lab import GameRecord, Loss, Ply

# Scattered stones: nobody has anything.
POINTS = [f"{column}{row}" for row in range(1, 15, 3) for column in "acegikmo"]


def game(
    loser: Color, scores: list[int], winner_scores: list[int] | None = None, reason: str = "five"
) -> GameRecord:
    """Both sides play in turn; the loser thinks of its moves as told, a score near -WIN is a loss it sees."""
    theirs = winner_scores or [0] * len(scores)
    plies = []
    for i, point in enumerate(POINTS[: 2 * len(scores)]):
        is_loser = (i % 2 == 0) == (loser is BLACK)
        score = (scores if is_loser else theirs)[i // 2]
        left = WIN - abs(score)
        win_in = None if left > 225 else (left if score > 0 else -left)
        plies.append(Ply(point.upper(), 0.1, score=score, win_in=win_in, source="search"))
    moves = "".join(POINTS[: len(plies)])
    return GameRecord(3, 1, "a", "b", "", moves, loser.opponent, reason, plies=tuple(plies))  # type: ignore[arg-type]


def loss_of(record: GameRecord) -> Loss:
    loser = "b" if record.winner is BLACK else "a"
    (loss,) = lab.losses_of([record], loser)
    assert lab.losses_of([record], "a" if loser == "b" else "b") == ()
    assert lab.losses_of([record], "nobody") == ()
    return loss


LOST = 10 - WIN


@pytest.mark.parametrize("color", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("scores", "kind"),
    [
        ([0, 20, 50, 100, 40, LOST, LOST], "sudden"),
        ([0, 20, 50, -299, -299, LOST, LOST], "sudden"),
        ([0, 20, 50, -300, -400, LOST, LOST], "slow"),
        ([0, 20, -350, 10, -400, LOST, LOST], "slow"),
        ([-100, -310, -320, -400, -500, LOST, LOST], "start"),
        ([-100, -310, -320, -400, -500, -600, -700], "start"),
        ([0, 10, -320, -400, -200, -600, LOST], "slow"),
        ([LOST, LOST], "sudden"),
    ],
)
def test_classes_by_the_loser_s_own_scores(color: Color, scores: list[int], kind: str) -> None:
    loss = loss_of(game(color, scores))
    assert (loss.kind, loss.color, loss.game, loss.moves) == (kind, color, 3, 2 * len(scores))


def test_when_it_was_known() -> None:
    loss = loss_of(game(BLACK, [0, -300, 0, -300, -400, LOST], [0, 0, 0, WIN - 9, WIN - 7, WIN - 5]))
    assert (loss.behind_at, loss.seen_at, loss.known_by_winner_at) == (7, 11, 8)
    never = loss_of(game(BLACK, [0, 0, 0]))
    assert (never.behind_at, never.seen_at, never.known_by_winner_at) == (None, None, None)


def test_reports_tell_why_games_were_lost() -> None:
    records = [game(BLACK, [0, 20, 50, -300, -400, LOST]), game(WHITE, [0, 20, LOST])]
    games = [replace(record, number=number, pair=number) for number, record in enumerate(records)]
    report = lab.report(games)
    assert re.search(r"slow +behind for a while, and then lost +1/0 +0/0\n", report.to_text())
    assert re.search(r"sudden +not behind .* seen +0/0 +0/1\n", report.to_text() + "\n")
    assert "Why games were lost" in report.to_html()


def test_faults_and_forbidden_points_come_first() -> None:
    assert loss_of(game(WHITE, [0, 0, LOST], reason="time")).kind == "fault"
    # White's four F10-I10 can only be stopped at J10, which is a double-three: black plays elsewhere.
    order = ["e10", "f10", "j8", "g10", "j9", "h10", "k11", "a1", "l12", "i10", "a15", "j10"]
    plies = tuple(Ply(point.upper(), 0.1, score=0, source="search") for point in order)
    trapped = GameRecord(0, 0, "a", "b", "", "".join(order), WHITE, "five", plies=plies)
    assert loss_of(trapped).kind == "forbidden"


def test_who_won_is_no_loser() -> None:
    record = game(BLACK, [0, 0])
    drawn = GameRecord(0, 0, "a", "b", "", record.moves, None, "full", plies=record.plies)
    assert lab.losses_of([drawn], "a") == ()
    assert set(lab.LOSS_KINDS) == {"fault", "forbidden", "unknown", "start", "sudden", "slow"}


def test_without_scores_nobody_knows() -> None:
    record = game(BLACK, [0, 20, LOST])
    assert loss_of(replace(record, plies=())).kind == "unknown"


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("number",), "<img src=x onerror=alert(1)>"),
        (("black",), 7),
        (("time",), "long"),
        (("plies", 0, "score"), "x"),
        (("plies", 0, "score"), True),
        (("plies", 0, "stats"), [1]),
        (("plies", 0, "candidates"), [["H8", "<b>"]]),
        (("plies", 0, "verified"), 1),
    ],
)
def test_records_of_other_types_are_refused(place: tuple[str | int, ...], value: object) -> None:
    facts = json.loads(lab.game_to_json(game(BLACK, [0, 20, LOST])))
    part = facts
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    with pytest.raises(FormatError, match="not the record of a game"):
        lab.game_from_json(json.dumps(facts))
