"""Weaknesses of players, on games made by hand."""

import pytest

from renju import BLACK, WHITE, Board, FormatError
from renju.lab.game_record import GameRecord
from renju.lab.replay import Replay
from renju.lab.weakness import Weakness, WeaknessLimits, find_weaknesses
from support.hand_made import OPENING, TRAP, made, played, scores

# Black is to move and has an open three; G8 and K8 are fours, I11 makes threats enough.
THREE = "h8a1i8a3j8a5"


def look(*games, **limits) -> Weakness:
    return find_weaknesses([Replay(game) for game in games], WeaknessLimits(**limits), threads=1)


def found(game, *kinds, **limits):
    """Kind and number of the move of each finding of these kinds."""
    return [(f.kind, f.ply) for f in look(game, **limits).findings if not kinds or f.kind in kinds]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(scores(10, -3010), [("blunder", 5)], id="sudden-loss"),
        pytest.param(scores(10, -3009), [], id="not-enough"),
        pytest.param(scores(-4000, 4000, -3990), [], id="both-agree"),
        pytest.param(scores(10, 2990), [("overrated", 4)], id="reply-sees-more"),
        pytest.param(scores(10, 2989), [], id="not-much-more"),
        pytest.param(scores(10, None, -3010), [], id="not-told"),
        pytest.param(
            made([{"score": 10}, {"score": -5000, "source": "forced-defence"}]), [], id="forced-reply"
        ),
        pytest.param(
            made([{"score": 10, "source": "single-move"}, {"score": -5000}]), [], id="forced-before"
        ),
        pytest.param(made([{"score": 10, "source": "book"}, {"score": 5000}]), [], id="book"),
        pytest.param(
            made([{"score": 99_991, "win_in": 9}, {"score": 100}]), [], id="a-claim-is-no-overrating"
        ),
    ],
)
def test_misjudged(game, expected):
    assert found(game, "blunder", "overrated") == expected


def test_a_finding_tells_where_and_what():
    (finding,) = look(scores(10, -3010, number=7)).findings
    assert (finding.game, finding.index, finding.ply, finding.move) == (7, 0, 5, "O15")
    assert (finding.player, finding.color) == ("a", BLACK)
    assert (finding.score, finding.expected, finding.size) == (-3010, -10, 3000)
    assert finding.detail == "expected -10 by the opponent's move A1, sees -3010"


def test_programs_that_tell_no_source_are_forced_by_the_board():
    four = "h8a1i8a3j8a5g8"  # white has to stop a four
    plies = [{"move": "F8", "score": -9000, "source": None}, {"move": "A7", "score": 5000, "source": None}]
    assert found(made(plies, opening=four), "blunder", "overrated", vcf_nodes=0) == []
    assert not Replay(scores(1)).turns[0].is_forced
    assert Replay(made(plies[:1], opening=four)).turns[0].is_forced


@pytest.mark.parametrize(
    ("values", "winner", "expected"),
    [
        ((3000, -500, 3500, -400), BLACK, [("advantage-squandered", 6)]),
        ((2999, -500), BLACK, []),
        ((3000, -500), WHITE, []),
        ((3000, -500), None, []),
        ((-3000, 3000, 50, 3100), WHITE, [("advantage-squandered", 7)]),
    ],
)
def test_advantage_squandered(values, winner, expected):
    assert found(scores(*values, winner=winner, reason="five"), "advantage-squandered") == expected


DEPTHS = ((1, "A1", 50), (2, "A1", 40), (3, "B2", 30))


@pytest.mark.parametrize(
    ("ply", "expected"),
    [
        ({"interrupted": True, "depths": DEPTHS}, ["time-pressure-error", "depth-disagreement"]),
        ({"interrupted": False, "depths": DEPTHS}, ["depth-disagreement"]),
        ({"interrupted": True, "fallback": True, "depths": DEPTHS}, ["depth-disagreement"]),
        ({"interrupted": True, "depths": DEPTHS[:2]}, []),
        ({"interrupted": True, "depths": DEPTHS[2:]}, []),
        ({"interrupted": True, "depths": (*DEPTHS[:2], (3, "B2", 60))}, ["depth-disagreement"]),
        # The unfinished depth was kept.
        (
            {"interrupted": True, "depths": DEPTHS[:2], "candidates": (("B2", -20),)},
            ["time-pressure-error"],
        ),
        ({"interrupted": True, "depths": DEPTHS[:2], "candidates": (("B2", 45),)}, []),
        ({"interrupted": False, "depths": DEPTHS[:2], "candidates": (("B2", -20),)}, []),
    ],
)
def test_depths(ply, expected):
    assert [kind for kind, _ in found(made([ply]))] == expected


@pytest.mark.parametrize(
    ("game", "trap", "kind"),
    [
        pytest.param(
            played(TRAP, "G7", winner=WHITE, reason="forbidden"),
            "trapped",
            "forbidden-trapped",
            id="plays-it",
        ),
        pytest.param(
            played(TRAP, "O15", "G7", winner=WHITE), "trapped", "forbidden-trapped", id="plays-away"
        ),
        pytest.param(
            played("f8a1g8a3h9a5h10a7", "H8", winner=WHITE, reason="forbidden"),
            "self-inflicted",
            "forbidden-self-inflicted",
            id="own-fault",
        ),
        pytest.param(played("a1h8c1i8e1j8g1k8", "A3", "G8", winner=WHITE), "", "", id="open-four"),
        pytest.param(played(THREE, "G8", "A7", "K8", winner=BLACK), "", "", id="black-wins"),
        pytest.param(played(TRAP, "O15", winner=WHITE, reason="time"), "", "", id="too-slow"),
    ],
)
def test_forbidden_losses(game, trap, kind):
    weakness = look(game)
    assert weakness.traps == (trap,)
    assert [f.kind for f in weakness.findings if f.kind.startswith("forbidden")] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("moves", "trap"),
    [
        pytest.param(TRAP, "trapped", id="black-to-move"),
        pytest.param("h8g6f6g5f7g4h7a1g2a15g8", "trapped", id="the-last-four-is-a-trap"),
        pytest.param("a1h8c1i8e1j8g1", "", id="open-four"),
        pytest.param("h8i9g7a1a15", "unknown", id="no-win-by-fours"),
        pytest.param("h8i9g7a1", "unknown", id="black-has-a-choice"),
    ],
)
def test_awarded_games_are_played_on(moves, trap):
    game = played(moves, winner=WHITE, reason="adjudicated")
    assert Replay(game).trap(10_000) == trap


def test_without_nodes_an_awarded_game_is_unknown():
    game = played("a1h8c1i8e1j8g1", winner=WHITE, reason="adjudicated")
    assert Replay(game).trap(0) == "unknown"


@pytest.mark.parametrize(
    ("move", "is_missed"), [("O15", True), ("G8", False), ("K8", False), ("I11", False), ("D8", True)]
)
def test_missed_wins_by_fours(move, is_missed):
    weakness = look(played(THREE, move, reason="length"))
    assert weakness.vcf_chances == 1
    assert weakness.vcf_unknown == 0
    (*findings,) = [f for f in weakness.findings if f.kind == "missed-vcf"]
    assert [f.detail for f in findings] == (["G8 wins"] if is_missed else [])


def test_a_verified_proof_keeps_the_win():
    plies = [{"move": "O15", "source": "vct", "verified": True}]
    assert found(made(plies, opening=THREE), "missed-vcf") == []


def test_a_five_keeps_the_win_and_a_foul_does_not():
    game = played("h8a1i8a3j8a5g8f8", "K8", winner=BLACK)
    assert found(game, "missed-vcf") == []
    foul = "f8a1g8a3h9a5h10a7d3a9d4a11d5c15"  # a three in column D, and the double-three at H8
    assert found(played(foul, "H8", winner=WHITE, reason="forbidden"), "missed-vcf") == [("missed-vcf", 15)]


def test_a_pass_keeps_no_win():
    assert found(played(THREE, "pass", reason="length"), "missed-vcf") == [("missed-vcf", 7)]


def test_no_win_is_not_missed():
    weakness = look(played(OPENING, "A1", "A3", reason="length"))
    assert (weakness.vcf_chances, weakness.findings) == (0, ())


def test_unknown_is_not_missed():
    weakness = look(played(THREE, "O15", reason="length"), vct_nodes=0)
    assert (weakness.vcf_chances, weakness.vcf_unknown, weakness.findings) == (1, 1, ())
    weakness = look(played(THREE, "O15", reason="length"), vcf_nodes=0)
    assert (weakness.vcf_chances, weakness.findings) == (None, ())


VCF = {"source": "vcf", "win_in": 5, "score": 99_995}


@pytest.mark.parametrize(
    ("plies", "end", "expected"),
    [
        pytest.param([VCF], (BLACK, "five"), [("claim-not-won", 4)], id="lost"),
        pytest.param([VCF], (WHITE, "five"), [], id="won"),
        pytest.param([VCF], (WHITE, "adjudicated"), [], id="awarded"),
        pytest.param([VCF], (None, "adjudicated"), [("claim-not-won", 4)], id="drawn"),
        pytest.param([{**VCF, "win_in": None}], (BLACK, "five"), [("claim-not-won", 4)], id="by-source"),
        pytest.param([{"win_in": 5}], (BLACK, "five"), [("claim-not-won", 4)], id="by-search"),
        pytest.param([{"win_in": -5}], (BLACK, "five"), [], id="sees-its-loss"),
        pytest.param([VCF], (None, "length"), [], id="not-due-yet"),
        pytest.param([{**VCF, "win_in": 1}], (None, "length"), [("claim-not-won", 4)], id="overdue"),
        pytest.param([VCF], (BLACK, "time"), [], id="too-slow"),
        pytest.param([VCF, {}, VCF], (BLACK, "five"), [("claim-not-won", 4)], id="one-series"),
        pytest.param(
            [VCF, {}, {"score": 3}, {}, VCF],
            (BLACK, "five"),
            [("claim-not-won", 4), ("claim-not-won", 8)],
            id="two-series",
        ),
        pytest.param([{**VCF, "verified": True}], (WHITE, "five"), [], id="verified"),
        pytest.param([{**VCF, "verified": False}], (WHITE, "five"), [("claim-rejected", 4)], id="rejected"),
        pytest.param(
            [{**VCF, "verified": False}],
            (BLACK, "five"),
            [("claim-not-won", 4), ("claim-rejected", 4)],
            id="rejected-and-lost",
        ),
    ],
)
def test_false_claims(plies, end, expected):
    assert sorted(found(made(plies, *end), "claim-rejected", "claim-not-won")) == expected


def test_what_became_of_a_claim():
    game = made([VCF, {}, {"score": -40}], BLACK, "five")
    (finding,) = [f for f in look(game).findings if f.kind == "claim-not-won"]
    assert finding.detail == (
        "claimed a win by vcf in 5, not any more at move 6 (-40), lost by five at move 6"
    )


def test_rates_are_by_game_and_by_move():
    weakness = look(scores(10, -3010), scores(10, 10, black="c"))
    assert (weakness.games, weakness.moves) == (2, 4)
    assert weakness.per_game("blunder") == 0.5
    assert weakness.per_move("blunder") == 0.25
    assert (weakness.per_game("blunder", "a"), weakness.per_move("blunder", "a")) == (1, 1)
    assert weakness.per_game("blunder", "b") == 0
    assert look().per_game("blunder") is None


def test_limits_are_parameters():
    assert found(scores(10, -110), "blunder", blunder=100) == [("blunder", 5)]
    game = scores(10, 20, winner=BLACK, reason="five")
    assert found(game, "advantage-squandered", advantage=10) == [("advantage-squandered", 4)]
    with pytest.raises(ValueError, match="blunder is a number from 0 on"):
        WeaknessLimits(blunder=-1)


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"moves": "a1b2"}, "do not start with the opening"),
        ({"moves": OPENING + "b2"}, "not those of the plies"),
        ({"moves": "h8h8"}, "game 0: "),
        ({"opening": "z99"}, "game 0: "),
    ],
)
def test_records_that_contradict_themselves(facts, message):
    game = GameRecord(**{**vars(scores(1, 2)), **facts})
    with pytest.raises(FormatError, match=message):
        Replay(game)


def test_the_hand_made_positions_are_what_they_say():
    assert list(map(str, Board(TRAP).threats(WHITE).fives)) == ["G7"]
    assert not Board(TRAP).is_legal("G7")
