"""Opening rules as the server of `renju board` tells them, and what the engine decides in them."""

from __future__ import annotations

import pytest

from renju import Board, Engine, Limit, openings
from renju.web.deciding import RuleSearch
from renju.web.rules import RULES, followed
from support.web_site import Site
from support.web_site import site as site

SOOSORV = ["H8", "H9", "I9", "swap", "G8", "declare 2", "no swap", "offer G7 J9", "J9"]
NAMES = [rule.value for rule in RULES]


def facts(site: Site, rule: str, actions: list[str]) -> dict[str, object]:
    answer = site.ask("rule", {"rule": rule, "actions": actions})
    assert answer.status == 200, answer.data
    return answer.data


def test_the_rules_are_all_that_can_be_played() -> None:
    assert NAMES[:5] == ["rif", "yamaguchi", "soosorv-8", "taraguchi-10", "swap2"]
    assert "none" not in NAMES
    playable = {rule.value for rule in openings.OpeningRule if rule.has_machine}
    assert set(NAMES) == playable - {"none"}


def test_a_whole_opening_step_by_step(site: Site) -> None:
    game = openings.start("Soosõrv-8")
    for count, text in enumerate(SOOSORV):
        found = facts(site, "soosorv-8", SOOSORV[:count])
        assert (found["player"], found["done"], found["refused"]) == (game.player, False, None)
        assert found["colors"] == {player: color.label for player, color in game.colors.items()}
        assert [option["kind"] for option in found["options"]] == [option.kind for option in game.options]
        game = game.play(f"choose {text}" if count == 8 else text)
    found = facts(site, "soosorv-8", SOOSORV)
    assert (found["done"], found["options"], found["moves"]) == (True, [], ["H8", "H9", "I9", "G8", "J9"])
    assert found["by"] == ["first"] * 3 + ["second", "first", "first", "second", "second", "first"]
    assert (found["name"], found["declared"], found["offered"]) == ("Soosõrv-8", 2, ["G7", "J9"])
    # What comes then no rule concerns.
    assert facts(site, "soosorv-8", [*SOOSORV, "A1", "O15"]) == found


def test_options_tell_what_a_page_needs(site: Site) -> None:
    (place,) = facts(site, "taraguchi-10", ["H8", "no swap"])["options"]
    assert (place["number"], place["stone"], place["reach"]) == (2, "white", 1)
    assert len(place["points"]) == 8
    (place,) = facts(site, "swap1", [])["options"]
    assert place["reach"] is None
    (declare,) = facts(site, "soosorv-8", SOOSORV[:5])["options"]
    assert (declare["low"], declare["high"]) == (1, 8)
    # In a column of four the points beside it are two by two the same.
    column = ["H8", "H9", "H7", "no swap", "H6", "declare 2", "no swap"]
    (offer,) = facts(site, "soosorv-8", column)["options"]
    assert offer["count"] == 2
    assert {"G8", "I8", "G7", "I7"} in map(set, offer["same"])
    swap, offer = facts(site, "taraguchi-10", ["H8", "swap", "H9", "swap", "I9", "swap", "G8"])["options"]
    assert (swap["kind"], offer["kind"], offer["count"]) == ("swap", "offer", 10)


@pytest.mark.parametrize(
    ("rule", "done", "action", "english", "japanese"),
    [
        ("rif", [], "G7", "move 1 is not on the centre", "1手目は天元に打ちます"),
        (
            "rif",
            ["H8", "H9"],
            "L8",
            "move 3 is not in the central 5x5 square",
            "3手目は中央の5×5の中に打ちます",
        ),
        ("rif", ["H8"], "H8", "H8 is occupied", "H8には石があります"),
        ("rif", ["H8"], "swap", "'swap' is not possible now", "今はできません：swap"),
        (
            "soosorv-8",
            SOOSORV[:5],
            "declare 9",
            "1 to 8 fifths may be declared, not 9",
            "提示できる五手目の数は1から8までです（9は不可）",
        ),
        (
            "soosorv-8",
            SOOSORV[:7],
            "offer G7",
            "2 fifths are to be offered, not 1",
            "五手目を2か所提示します（今は1か所）",
        ),
        (
            "soosorv-8",
            ["H8", "H9", "H7", "no swap", "H6", "declare 3", "no swap"],
            "offer G8 I8 H8",
            "H8 is occupied; G8 and I8 are equivalent",
            "H8には石があります；G8とI8は対称で同じ手です",
        ),
        ("soosorv-8", SOOSORV[:7], "offer J9 J9", "J9 is offered more than once", "J9が重複しています"),
        ("soosorv-8", SOOSORV[:8], "A1", "A1 was not offered", "A1は提示されていません"),
    ],
)
def test_what_the_rule_refuses_is_told_in_both_languages(
    site: Site, rule: str, done: list[str], action: str, english: str, japanese: str
) -> None:
    found = facts(site, rule, [*done, action, "H9"])
    assert found["refused"]["place"] == len(done)
    assert found["refused"]["texts"] == {"en": english, "ja": japanese}
    # The state is that before it.
    assert {**found, "refused": None} == facts(site, rule, done)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"rule": "sakata", "actions": []}, "request"),
        ({"rule": "chess", "actions": []}, "notation"),
        ({"rule": 5, "actions": []}, "request"),
        ({"rule": "rif", "actions": "H8"}, "request"),
        ({"rule": "rif", "actions": ["H8", "fly"]}, "notation"),
        ({"rule": "rif", "actions": ["H8", "pass"]}, "notation"),
        ({"rule": "rif", "actions": ["H8"] * 1001}, "request"),
    ],
)
def test_requests_that_make_no_sense_are_refused(site: Site, data: dict[str, object], code: str) -> None:
    for name in ("rule", "decide"):
        answer = site.ask(name, data)
        assert (answer.status, answer.error) == (400, code)


@pytest.mark.slow
@pytest.mark.parametrize("rule", NAMES)
def test_the_engine_plays_whole_openings_by_the_rule(site: Site, rule: str) -> None:
    actions: list[str] = []
    while not followed(rule, actions)[0].is_done:
        (told,) = site.ask("decide", {"rule": rule, "actions": actions, "seed": 7}).lines
        assert told["type"] == "result"
        actions.append(told["action"])
    game, by, refused = followed(rule, actions)
    assert refused is None
    assert openings.check(rule, game.history).verdict == "legal"
    assert len(by) == len(actions)
    answer = site.ask("decide", {"rule": rule, "actions": actions})
    assert (answer.status, answer.error) == (400, "engine")
    assert "is over" in answer.data["error"]["message"]


def decided(rule: str, actions: list[str], seed: int = 0, *, in_haste: bool = False) -> str:
    search = RuleSearch(followed(rule, actions)[0], seed)
    if in_haste:
        search.stop()
    told: list[dict[str, object]] = []
    search.run(told.append)
    return str(told[0]["action"])


@pytest.mark.slow
def test_it_takes_the_side_that_is_better() -> None:
    # Black has a three, white stones in the corners: whoever may be black is.
    assert decided("swap2", ["H8", "A1", "I8", "O15", "J8"]) == "take black"
    assert decided("swap1", ["A1", "H8", "O15"]) == "take white"
    three = ["H8", "no swap", "G9", "no swap", "J8", "no swap", "E5", "no swap", "I8"]
    assert decided("tarannikov", three) == "swap"
    # After white's bad fourth stone black keeps its side: with a swap, and with an offer in place of it.
    bad = ["H8", "no swap", "G9", "no swap", "I8", "no swap", "E5"]
    assert decided("tarannikov", bad) == "no swap"
    assert decided("taraguchi-5", bad).startswith("offer ")


@pytest.mark.slow
def test_it_chooses_the_worst_fifth_and_offers_the_best() -> None:
    stones = ["H8", "H9", "I9", "G8"]
    start = [*stones[:3], "no swap", "G8"]
    offered = decided("rif", start)
    best = offered.split()[1:]
    assert len(best) == 2
    far = "A1"
    assert decided("rif", [*start, f"offer {best[0]} {far}"]) == far
    engine = Engine("master")
    boards = [Board([*stones, point]) for point in (best[0], far)]
    for_white = [engine.analyse(board, Limit(nodes=30_000), multipv=1).score for board in boards]
    assert for_white[0] < for_white[1]


@pytest.mark.slow
def test_a_stop_is_answered_with_something_legal() -> None:
    for rule in NAMES:
        actions: list[str] = []
        while not (game := followed(rule, actions)[0]).is_done:
            action = decided(rule, actions, 3, in_haste=True)
            assert followed(rule, [*actions, action])[2] is None, (rule, action, game.expected)
            actions.append(action)


@pytest.mark.slow
def test_as_many_fifths_as_there_are(site: Site) -> None:
    start = ["H8", "H9", "H7", "declare 62", "no swap", "H6"]
    action = decided("yamaguchi", start, in_haste=True)
    assert len(action.split()) == 63
    assert facts(site, "yamaguchi", [*start, action])["refused"] is None


@pytest.mark.slow
def test_the_same_seed_decides_the_same() -> None:
    start = ["H8", "no swap", "H9", "no swap", "I9", "no swap"]
    assert decided("taraguchi-10", start, 5) == decided("taraguchi-10", start, 5)
    assert len({decided("swap2", [], seed) for seed in range(12)}) > 1
