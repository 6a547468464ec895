"""Statistics of games, and the report as text, JSON and page."""

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
from renju.lab.weakness import FINDING_KINDS
from support.hand_made import TRAP, made, played, scores

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
