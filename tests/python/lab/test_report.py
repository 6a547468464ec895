"""Weaknesses on hand-made games, statistics, and the report as text, JSON and page."""

import argparse
import json
from html.parser import HTMLParser

import pytest

from renju import BLACK, WHITE, Board, FormatError
from renju.cli.lab import add_lab
from renju.lab.game_record import GameRecord, Ply, game_to_json
from renju.lab.replay import Replay
from renju.lab.reporting import read_games, report
from renju.lab.schedule import game_seed
from renju.lab.sprt import Sprt
from renju.lab.statistics import statistics_of
from renju.lab.weakness import FINDING_KINDS, Weakness, WeaknessLimits, find_weaknesses

OPENING = "h8i9g7"
# Far from each other: nothing happens on the board.
QUIET = ("A1", "O15", "A15", "O1", "C1", "M15", "C15", "M1")
# Black is to move, white completes a five at G7, which is a double-three of black's.
TRAP = "h8g6f6g5f7g4h7g3g2a1"
# Black is to move and has an open three; G8 and K8 are fours, I11 makes threats enough.
THREE = "h8a1i8a3j8a5"
HEADER = {
    "format": "renju-match",
    "version": 1,
    "seed": 0,
    "games": 4,
    "players": {"a": {}, "b": {}},
    "openings": {"source": "list", "count": 1, "digest": "", "moves": ["h8a1"]},
    "sprt": None,
    "adjudication": None,
    "length": 12,
}


def made(plies, winner=None, reason="length", opening=OPENING, **facts):
    """A game whose plies are given by what is not usual; moves are quiet ones if they are not given."""
    chosen = [
        Ply(**{"move": move, "time": 0.001, "source": "search", **ply})
        for move, ply in zip(QUIET, plies, strict=False)
    ]
    moves = opening + "".join(ply.move.lower() for ply in chosen)
    given = {"number": 0, "pair": 0, "black": "a", "white": "b", **facts}
    return GameRecord(
        opening=opening, moves=moves, winner=winner, reason=reason, plies=tuple(chosen), **given
    )


def scores(*values, **facts):
    """A game by the scores of its moves; white moves first after the opening."""
    return made([{"score": value} for value in values], **facts)


def played(moves, *more, winner=None, reason="five"):
    """A game by its moves after others."""
    return made([{"move": move} for move in more], winner, reason, opening=moves)


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


STATS = {"search_nodes": 100, "table_hits": 20, "table_cutoffs": 5, "beta_cutoffs": 40, "first_cutoffs": 30}
STATS |= {
    "forbidden_checks": 50,
    "forbidden_shortcuts": 40,
    "forbidden_cache_hits": 5,
    "aspiration_researches": 3,
}


def test_statistics():
    plies = [
        {"time": 0.1, "depth": 4, "nodes": 1000, "stats": STATS, "candidates": (("A1", 5), ("B2", 3))},
        {"time": 0.3, "depth": 9, "nodes": 500, "source": "vcf", "candidates": (("O15", 9),)},
        {"time": 0.2, "depth": 2, "nodes": 1500, "interrupted": True, "candidates": (("B2", 5), ("A15", 3))},
        {"time": 0.0, "source": None, "candidates": (("B2", 5),)},
    ]
    replays = [Replay(made(plies))]
    every, white = statistics_of(replays), statistics_of(replays, "b")
    assert (every.games, every.moves, white.moves) == (1, 4, 2)
    assert every.time_ms.mean == pytest.approx(150)
    assert (every.time_ms.p50, every.time_ms.most) == pytest.approx((150, 300))
    assert (every.depth.count, every.depth.mean) == (2, 3)  # the proved win has no depth
    assert every.nodes.mean == 1000
    assert every.nodes_per_second == pytest.approx(5000)
    assert (every.interruptions, every.fallbacks) == (1, 0)
    assert (every.table_hit_rate, every.table_cutoff_rate, every.first_cutoff_rate) == (0.2, 0.05, 0.75)
    assert (every.forbidden_checks_per_move, every.forbidden_shortcut_rate) == (50, 0.8)
    assert (every.forbidden_cache_rate, every.researches_per_move) == (0.1, 3)
    assert {rank: n for rank, n in every.ranks.items() if n} == {"1": 2, "2": 1, "other": 1}
    assert every.sources == {"search": 2, "vcf": 1, "not told": 1}
    assert statistics_of(replays, "a").table_hit_rate is None
    assert statistics_of([]).time_ms is None


def a_match():
    """Two pairs: 2 and 1½ points for a."""
    return [
        scores(10, -3010, winner=BLACK, reason="five", number=0, pair=0),
        scores(10, 20, winner=WHITE, reason="five", number=1, pair=0, black="b", white="a"),
        played(TRAP, "G7", winner=WHITE, reason="forbidden"),
        scores(10, 20, number=3, pair=1, black="a", white="b"),
    ]


def numbered():
    one, two, three, four = a_match()
    third = GameRecord(**{**vars(three), "number": 2, "pair": 1, "black": "b", "white": "a"})
    return [one, two, third, four]


def test_report():
    found = report(numbered(), threads=1)
    assert found.players == ("a", "b")
    assert found.pairs == (0, 0, 0, 1, 1)
    assert (found.elo.points, found.elo.games) == (3.5, 4)
    assert (found.results.black, found.results.white, found.results.draws) == (1, 2, 1)
    assert found.results.trap_share == 0.25
    assert found.results.reasons["five"] == {"black": 1, "white": 1}
    assert found.sprt_state == Sprt().state(found.pairs)
    assert report(numbered(), player="b", threads=1).pairs == (1, 1, 0, 0, 0)
    with pytest.raises(ValueError, match="'x' played no game; the players are a, b"):
        report(numbered(), player="x", threads=1)


def test_report_as_json_has_finite_numbers_only():
    facts = json.loads(report(numbered()[:2], threads=1).to_json())
    assert facts["elo"]["value"] is None
    assert facts["elo"]["points"] == 2
    metrics = {metric["kind"]: metric for metric in facts["weakness"]["metrics"]}
    assert list(metrics) == list(FINDING_KINDS)
    assert metrics["blunder"]["seed_per_game"] == "3.08"
    assert metrics["blunder"]["players"]["a"]["count"] == 1
    assert facts["weakness"]["findings"][0]["color"] == "black"


def test_report_as_text():
    text = report(numbered(), threads=1).to_text()
    assert text.startswith("a – b: 4 games, 2 whole pairs\na against b: Elo +338.0 [")
    assert "3.5 of 4 points" in text
    assert "pairs of 0, ½, 1, 1½, 2 points: 0 0 0 1 1" in text
    assert "decided by forbidden points: 25.0 % (seed: 19 %); trapped 1, self-inflicted 0" in text
    (line,) = [line for line in text.splitlines() if line.startswith("blunder ") and "expected" not in line]
    assert line.split() == ["blunder", "1", "0.250", "14.29", "3.08", "0.250", "0.000"]


def test_games_without_pairs_are_rated_one_by_one():
    found = report([numbered()[0]], threads=1)
    assert not any(found.pairs)
    assert (found.elo.points, found.elo.games) == (1, 1)
    found = report(numbered()[:3], threads=1)
    assert (found.elo.points, found.elo.games) == (2, 2)
    assert found.notes[0] == "games of unfinished pairs, which the rating leaves out: 1"


def test_self_play_has_no_rating():
    found = report([scores(1, 2, white="a")], threads=1)
    assert (found.players, found.elo, found.title) == (("a",), None, "a against itself")
    assert "Elo" not in found.to_text()
    check_page(found.to_html())


def test_no_games_at_all():
    found = report([], threads=1)
    assert found.results.games == 0
    assert "0 games" in found.to_text()
    check_page(found.to_html())
    json.loads(found.to_json())


def test_several_players():
    games = [
        scores(
            1,
            2,
            winner=BLACK,
            reason="five",
            number=n,
            pair=n // 2,
            black=names[n % 2],
            white=names[1 - n % 2],
        )
        for k, names in enumerate((("a", "b"), ("b", "c"), ("c", "d")))
        for n in (2 * k, 2 * k + 1)
    ]
    found = report(games, threads=1)
    assert found.players == ("a", "b", "c", "d")
    assert len(found.ratings) == 4
    assert "95 % interval" in found.to_text()
    check_page(found.to_html())


class Page(HTMLParser):
    """Checks that elements are closed in order, and keeps what is shown."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def check_page(text):
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == []
    assert not {"script", "link", "iframe", "img", "object"} & set(page.tags)
    assert not {"src", "href", "style", "onclick"} & {name for name, _ in page.attributes}
    assert text.replace("http://www.w3.org/2000/svg", "").count("://") == 0
    assert "url(" not in text
    assert "@import" not in text
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    named = [part for name, value in page.attributes if name == "aria-labelledby" for part in value.split()]
    assert sorted(named) == sorted(ids)
    assert "nan" not in text.replace("&", " ").split()
    return page


def test_page():
    found = report(numbered(), threads=1)
    page = check_page(found.to_html())
    shown = "".join(page.text)
    assert "+338.0" in shown
    assert "not decided" in shown
    assert page.tags.count("h1") == 1
    assert page.tags.count("details") >= 2
    # Each picture says what it is.
    assert page.tags.count("svg") == sum(name == "role" for name, _ in page.attributes)
    boards = found.to_html().count("Renju board with")
    assert boards > 0
    assert "Renju board with" not in found.to_html(boards=0)
    with pytest.raises(ValueError, match="boards"):
        found.to_html(boards=-1)


def test_names_are_escaped():
    evil = '<b>&"x"</b><script>alert(1)</script>'
    games = [GameRecord(**{**vars(game), "black": evil, "white": "b'"}) for game in numbered()[:1]]
    text = report(games, threads=1, title="<i>t</i>").to_html()
    page = check_page(text)
    assert "<b>&" not in text
    assert "<i>" not in text
    assert evil in "".join(page.text)


# Ten moves after the opening of the header: fives of black and of white, and neither.
ENDS = {BLACK: "i8a3j8a5k8a7l8", WHITE: "o1a2o3a3o5a4o7a5", None: "o1a3o3a5o5a7o7a9o9a11"}


def true_match():
    """Two pairs as the schedule of the header has them: 2 and 1½ points for a."""
    games = []
    for number, winner in enumerate((BLACK, WHITE, BLACK, None)):
        plies = tuple(Ply(str(move), 0.001, score=10, source="search") for move in Board(ENDS[winner]).moves)
        names = ("a", "b") if number % 2 == 0 else ("b", "a")
        games.append(
            GameRecord(
                number=number,
                pair=number // 2,
                black=names[0],
                white=names[1],
                opening="h8a1",
                moves="h8a1" + ENDS[winner],
                winner=winner,
                reason="length" if winner is None else "five",
                seed=game_seed(0, number),
                plies=plies,
            )
        )
    return games


def write_match(path, games, header=HEADER, end="\n"):
    lines = [json.dumps(header), *map(game_to_json, games)]
    path.write_text("\n".join(lines) + end)
    return str(path)


def run(*arguments):
    parser = argparse.ArgumentParser(prog="renju")
    add_lab(parser.add_subparsers(required=True))
    options = parser.parse_args(["lab", "report", *arguments])
    return options.run(options)


def test_reading(tmp_path):
    path = write_match(tmp_path / "m.jsonl", true_match())
    header, games = read_games(path)
    assert header == HEADER
    assert games == true_match()
    notes = []
    torn = write_match(tmp_path / "torn.jsonl", true_match(), end='\n{"number": 4, "pa')
    assert read_games(torn, notes.append)[1] == true_match()
    assert notes == [f"{torn}: the last line was cut off and is passed over"]
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps(HEADER) + "\n{}\n" + game_to_json(true_match()[0]) + "\n")
    with pytest.raises(FormatError, match=r"bad\.jsonl:2: "):
        read_games(bad)


def test_pairs_of_several_files_are_not_mixed(tmp_path):
    paths = [write_match(tmp_path / name, true_match()) for name in ("one.jsonl", "two.jsonl")]
    found = report(paths, threads=1)
    assert found.pairs == (0, 0, 0, 2, 2)
    assert found.files == tuple(paths)
    assert report(paths[0], threads=1).results.games == 4


def test_games_after_the_decision_of_a_test_do_not_count(tmp_path):
    test = {"elo0": -1000, "elo1": 1000, "alpha": 0.05, "beta": 0.05}
    path = write_match(tmp_path / "m.jsonl", reversed(true_match()), {**HEADER, "sprt": test})
    found = report(path, threads=1)
    assert (found.sprt, found.sprt_state.verdict) == (Sprt(-1000, 1000), "H1")
    assert found.results.games == 2
    assert found.notes == (f"{path}: games after the decision of the test are left out: 2",)


def test_command(tmp_path, capsys):
    path = write_match(tmp_path / "m.jsonl", true_match(), end="\n{")
    page = tmp_path / "report.html"
    assert run(path, "-o", str(page), "--threads", "1", "--title", "A & B") == 0
    out, err = capsys.readouterr()
    assert out.startswith("A & B: 4 games")
    assert "was cut off" in err
    assert "<h1>A &amp; B</h1>" in page.read_text()
    check_page(page.read_text())
    assert run(path, "--json", "--elo0", "-5", "--elo1", "5", "--vcf-nodes", "0", "--player", "b") == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["players"][0], facts["sprt"]["elo0"], facts["weakness"]["vcf_chances"]) == ("b", -5, None)
    assert run(path, "-o", "-") == 0
    check_page(capsys.readouterr().out)
    with pytest.raises(ValueError, match="cannot both"):
        run(path, "-o", "-", "--json")
    assert run(write_match(tmp_path / "empty.jsonl", [])) == 1


def test_the_hand_made_positions_are_what_they_say():
    assert list(map(str, Board(TRAP).threats(WHITE).fives)) == ["G7"]
    assert not Board(TRAP).is_legal("G7")
