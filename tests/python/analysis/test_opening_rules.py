"""Opening rules: names, the steps of every rule with a machine, fifths, and what records tell."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator
from typing import Any, Literal

import pytest

import renju
from renju import BLACK, PASS, WHITE, Board, Game, Point, openings
from renju.errors import IllegalMoveError, NotationError
from renju.openings import Action, OpeningRule, Option, RuleGame

MACHINES = [rule for rule in OpeningRule if rule.has_machine]
FIFTHS = "g7 j9 i10 f6 k9 g9 j6 e8 k11 h11 d4 l5"  # none equivalent to another after h8 h9 i9 g8


def line(rule: str, swaps: str = "", fifths: int = 0) -> RuleGame:
    """An opening through its main path; `swaps` are answers in order, R or -."""
    answers = iter(swaps)
    game = openings.start(rule)
    stones = iter(["h8", "h9", "i9", "g8", "j9"])
    while not game.is_done:
        option = game.options[-1 if fifths and "offer" in {o.kind for o in game.options} else 0]
        match option.kind:
            case "place":
                game = game.place(next(stones))
            case "swap":
                game = game.swap(next(answers) == "R")
            case "declare":
                game = game.declare(fifths)
            case "offer":
                game = game.offer(FIFTHS.split()[: option.low])
            case "choose":
                game = game.choose(game.offered[-1])
            case "take":
                game = game.take("white")
    assert next(answers, None) is None, "not all swaps were asked for"
    return game


# Names


@pytest.mark.parametrize(
    ("rule", "names"),
    [
        (OpeningRule.NONE, ["none", "No opening rule", "free", "centre"]),
        (OpeningRule.RIF, ["RIF", "rif", "RIF rule", "RIF opening rule", "三手交换五手两打"]),
        (OpeningRule.YAMAGUCHI, ["Yamaguchi", "yamaguchi rule", "山口", "山口规则"]),
        (OpeningRule.SOOSORV_4, ["Soosõrv", "Soosyrv", "soosorv-4", "Soosõrv opening rule"]),
        (OpeningRule.SOOSORV_6, ["Soosyrv-6"]),
        (OpeningRule.SOOSORV_8, ["Soosõrv-8", "Soosyrv-8", "soosorv8", "SOOSYRV 8", "soosyrv_8", "索索夫8"]),
        (OpeningRule.TARANNIKOV, ["Tarannikov", "5-swap"]),
        (OpeningRule.TARAGUCHI_5, ["Taraguchi", "Taraguchi-5"]),
        (OpeningRule.TARAGUCHI_10, ["Taraguchi-10", "taraguchi10", "TARAGUCHI_10"]),
        (OpeningRule.SUPER_TARAGUCHI_10, ["Super Taraguchi-10", "super-taraguchi"]),
        (OpeningRule.SAKATA, ["Sakata"]),
        (OpeningRule.SUPER_SAKATA, ["Super Sakata Rule"]),
        (OpeningRule.YAMASORV, ["Yamasyrv", "Yamasyrv-8", "yamasõrv-10"]),
        (OpeningRule.LINHUAN, ["LinHuan"]),
        (OpeningRule.SWAP, ["Swap", "SWAP rule"]),
        (OpeningRule.SWAP1, ["Swap1", "swap-1"]),
        (OpeningRule.SWAP2, ["Swap2", "SWAP2", "swap-2", "SWAP2BOARD"]),
        (OpeningRule.SWAP5, ["swap-5"]),
        (OpeningRule.JOOSEP_GOMOKU, ["Joosep-Gomoku"]),
    ],
)
def test_names_in_files_and_clients(rule: OpeningRule, names: list[str]) -> None:
    for name in [*names, rule.value, rule.label, str(rule), rule.name]:
        assert OpeningRule.parse(name) is rule, name


@pytest.mark.parametrize(
    "text", ["", "rule", "25", "Renju", "Soosyrv-9", "Taraguchi-11", "swap3", "yamasyrv-x"]
)
def test_unknown_names(text: str) -> None:
    with pytest.raises(NotationError, match=r"unknown opening rule .*expected one of .*Soosõrv-8"):
        OpeningRule.parse(text)


def test_labels_differ() -> None:
    assert len({rule.label.casefold() for rule in OpeningRule}) == len(OpeningRule)
    with pytest.raises(TypeError, match="an opening rule is a name"):
        OpeningRule.parse(8)  # type: ignore[arg-type]


def test_numbers_of_engines() -> None:
    assert {OpeningRule.from_info(number) for number in (0, 1, 2, 4)} == {OpeningRule.NONE}
    assert OpeningRule.from_info(5) is OpeningRule.SWAP1
    assert OpeningRule.from_info(6) is OpeningRule.SWAP2
    with pytest.raises(ValueError, match="unknown INFO rule 7"):
        OpeningRule.from_info(7)


@pytest.mark.parametrize("rule", [rule for rule in OpeningRule if not rule.has_machine], ids=str)
def test_rules_that_are_only_names(rule: OpeningRule) -> None:
    with pytest.raises(ValueError, match=f"only the name of {rule} is known"):
        openings.start(rule)
    with pytest.raises(ValueError, match="only the name"):
        openings.check(rule, Game.from_moves("h8 i9 i7"))


# Written down from the texts of the rules. 1 and 2 are the players; they Place, Swap or not, Declare, Offer,
# Choose and Take.

THREE = "1P 1P 1P"
SEQUENCES = [
    ("none", "", 0, "1P", 2),
    ("RIF", "-", 0, f"{THREE} 2S 2P 1O 2C", 2),
    ("RIF", "R", 0, f"{THREE} 2S 1P 2O 1C", 1),
    ("Yamaguchi", "-", 3, f"{THREE} 1D 2S 2P 1O 2C", 2),
    ("Yamaguchi", "R", 9, f"{THREE} 1D 2S 1P 2O 1C", 1),
    ("Soosyrv-8", "--", 8, f"{THREE} 2S 2P 2D 1S 1O 2C", 2),
    ("Soosyrv-8", "R-", 1, f"{THREE} 2S 1P 1D 2S 2O 1C", 1),
    ("Soosyrv-8", "-R", 2, f"{THREE} 2S 2P 2D 1S 2O 1C", 1),
    ("Soosyrv-4", "RR", 4, f"{THREE} 2S 1P 1D 2S 1O 2C", 2),
    (
        "Tarannikov",
        "-----",
        0,
        "1P 2S 2P 1S 1P 2S 2P 1S 1P 2S",
        2,
    ),
    (
        "Tarannikov",
        "R----",
        0,
        "1P 2S 1P 2S 2P 1S 1P 2S 2P 1S",
        1,
    ),
    (
        "Tarannikov",
        "----R",
        0,
        "1P 2S 2P 1S 1P 2S 2P 1S 1P 2S",
        1,
    ),
    (
        "Taraguchi-10",
        "-R--R",
        0,
        "1P 2S 2P 1S 2P 1S 1P 2S 2P 1S",
        2,
    ),
    ("Taraguchi-10", "---", 10, "1P 2S 2P 1S 1P 2S 2P 1O 2C", 2),
    ("Taraguchi-5", "--R", 5, "1P 2S 2P 1S 1P 2S 1P 2O 1C", 1),
    ("Swap1", "", 0, f"{THREE} 2T", 2),
    ("Swap2", "", 0, f"{THREE} 2T", 2),
]


@pytest.mark.parametrize(("rule", "swaps", "fifths", "sequence", "next_player"), SEQUENCES)
def test_who_does_what(rule: str, swaps: str, fifths: int, sequence: str, next_player: int) -> None:
    done = line(rule, swaps, fifths)
    game, seen = openings.start(rule), []
    for action in done.history:
        seen.append(f"{['first', 'second'].index(game.player) + 1}{action.kind[0].upper()}")
        game = game.play(action)
    assert " ".join(seen) == sequence
    assert game == done
    assert game.player == ("first", "second")[next_player - 1]
    assert len(game.offered) == (fifths or (2 if rule == "RIF" else 0))


@pytest.mark.parametrize("rule", MACHINES, ids=str)
def test_squares_and_numbers(rule: OpeningRule) -> None:
    """How many points each stone may go to, taken ones included, and how many fifths may be declared."""
    squares = {
        "none": [1],
        "tarannikov": [1, 9, 25, 49, 81],
        "taraguchi-5": [1, 9, 25, 49, 81],
        "taraguchi-10": [1, 9, 25, 49, 81],
        "super-taraguchi-10": [1, 25, 49, 81, 81],
        "swap1": [225, 225, 225],
        "swap2": [225, 225, 225],
    }
    numbers = {"yamaguchi": (1, 62)} | {f"soosorv-{most}": (1, most) for most in range(4, 9)}
    game = openings.start(rule)
    sizes, declared = [], None
    stones = iter(["h8", "h9", "i9", "g8", "j9"])
    while not game.is_done:
        option = game.options[0]
        match option.kind:
            case "place":
                sizes.append(len(option.points) + len(game.moves))
                game = game.place(next(stones))
            case "declare":
                declared = (option.low, option.high)
                game = game.declare(option.high)
            case "offer":
                game = game.offer(some_fifths(game, option, random.Random(1)))
            case "choose":
                game = game.choose(option.points[0])
            case "swap":
                game = game.swap(False)
            case "take":
                game = game.take(BLACK)
    assert sizes == squares.get(rule.value, [1, 9, 25, 225])
    assert declared == numbers.get(rule.value)


@pytest.mark.parametrize(
    ("choice", "colors", "player"),
    [
        (["take black"], (WHITE, BLACK), "first"),
        (["take white"], (BLACK, WHITE), "second"),
        (["a1", "o15", "take black"], (BLACK, WHITE), "second"),
        (["a1", "o15", "take white"], (WHITE, BLACK), "first"),
    ],
)
def test_swap2(choice: list[str], colors: tuple[renju.Color, renju.Color], player: str) -> None:
    game = openings.start("swap2").place("c3", "d4", "m13")
    assert [option.kind for option in game.options] == ["take", "place"]
    for action in choice:
        assert game.player == ("first" if len(game.moves) == 5 else "second")
        game = game.play(action)
    assert game.is_done
    assert (game.colors["first"], game.colors["second"]) == colors
    assert game.player == player
    assert game.board.turn == game.colors[game.player] == WHITE


# Random openings through every machine


def some_fifths(game: RuleGame, option: Option, chance: random.Random) -> list[Point]:
    groups = openings.equivalent_moves(game.board, option.points, edges=False)
    return [chance.choice(group) for group in chance.sample(groups, option.low)]


def some_action(game: RuleGame, chance: random.Random) -> Action:
    option = chance.choice(game.options)
    match option.kind:
        case "place" | "choose":
            return Action(option.kind, (chance.choice(option.points),))
        case "swap":
            return Action("swap", swapped=chance.random() < 0.5)
        case "declare":
            return Action("declare", count=chance.randint(option.low, option.high))
        case "offer":
            return Action("offer", tuple(some_fifths(game, option, chance)))
        case "take":
            return Action("take", color=chance.choice([BLACK, WHITE]))


def wrong_actions(game: RuleGame, chance: random.Random) -> Iterator[Action]:
    """Actions that the rule does not allow now, of every kind."""
    kinds = {option.kind: option for option in game.options}
    some = Point(chance.choice([p for p in range(225) if p not in game.moves]))

    def few(kind: Literal["place", "choose"], points: set[int]) -> list[Action]:
        return [Action(kind, (Point(p),)) for p in chance.sample(sorted(points), min(9, len(points)))]

    plain = [
        Action("place", (some,)),
        Action("swap", swapped=True),
        Action("swap", swapped=False),
        Action("declare", count=1),
        Action("offer", (some,)),
        Action("choose", (some,)),
        Action("take", color=BLACK),
    ]
    yield from (action for action in plain if action.kind not in kinds)
    if "place" in kinds:
        yield from few("place", {*range(226)} - {*kinds["place"].points})
        yield from few("place", {*game.moves, PASS})
    if "declare" in kinds:
        yield Action("declare", count=kinds["declare"].low - 1)
        yield Action("declare", count=kinds["declare"].high + 1)
    if "choose" in kinds:
        yield from few("choose", {*range(225)} - {*game.offered})
    if "offer" in kinds:
        right = some_fifths(game, kinds["offer"], chance)
        yield Action("offer", (*right[1:], game.moves[0]))
        yield Action("offer", (*right, some))
        if len(right) > 1:
            yield Action("offer", tuple(right[1:]))
            yield Action("offer", (*right[1:], right[1]))
        for group in openings.equivalent_moves(game.board, kinds["offer"].points, edges=False):
            if len(group) > 1 and len(right) > 1:
                yield Action("offer", (*right[2:], *group[:2]))
                break


def holder_of_black(history: tuple[Action, ...]) -> str:
    """Worked out from the actions alone."""
    if history and history[-1].kind == "take":
        chooser = "first" if len([a for a in history if a.kind == "place"]) == 5 else "second"
        took_black = history[-1].color == BLACK
        return chooser if took_black else {"first": "second", "second": "first"}[chooser]
    return ("first", "second")[sum(bool(action.swapped) for action in history) % 2]


@pytest.mark.slow
@pytest.mark.parametrize("rule", MACHINES, ids=str)
def test_random_openings(rule: OpeningRule) -> None:
    chance = random.Random(f"openings {rule.value}")
    for number in range(30):
        game = openings.start(rule)
        while not game.is_done:
            assert {option.player for option in game.options} == {game.player}
            assert all(option.color == game.colors[option.player] for option in game.options)
            if number < 6:
                for wrong in wrong_actions(game, chance):
                    with pytest.raises(IllegalMoveError, match=r"\. Now ") as caught:
                        game.play(wrong)
                    assert str(caught.value).startswith(f"{rule}: ")
                    assert str(caught.value).endswith(game.expected)
                    assert not openings.check(rule, [*game.history, wrong])
            action = some_action(game, chance)
            assert Action.parse(str(action)) == action
            after = game.play(str(action))
            assert after.undo() == game
            assert after.black == holder_of_black(after.history)
            game = after
        # Normal play goes on: whoever has the colour to move is next, and nobody has won or lost.
        assert game.options == ()
        assert game.board.outcome is None
        assert game.colors[game.player] == game.board.turn
        assert {*game.colors.values()} == {BLACK, WHITE}
        assert game.board.turn == (WHITE if len(game.moves) % 2 else BLACK)
        assert pickle.loads(pickle.dumps(game)) == game
        found = openings.check(rule, game.history)
        assert (found.verdict, found.game) == ("legal", game)
        with pytest.raises(IllegalMoveError, match="the opening is over"):
            game.place("a8")


@pytest.mark.slow
@pytest.mark.parametrize("rule", [rule for rule in MACHINES if not rule.value.startswith("swap")], ids=str)
def test_a_record_tells_the_opening(rule: OpeningRule) -> None:
    """Moves, swaps and alternatives of a played opening lead to the same state."""
    chance = random.Random(f"records {rule.value}")
    for _ in range(30):
        game = openings.start(rule)
        while not game.is_done:
            game = game.play(some_action(game, chance))
        swaps = "".join("-R"[bool(action.swapped)] for action in game.history if action.kind == "swap")
        others = [point for point in game.offered if point != game.moves[-1]] if game.offered else None
        found = openings.follow(rule, [*game.moves, "a1"], swaps, others)
        assert found.verdict == "legal", (found.problems, found.untold)
        again = found.game
        assert (again.moves, again.colors, again.declared) == (game.moves, game.colors, game.declared)
        assert {*again.offered} == {*game.offered}


# Legality of whole sequences


def test_all_reasons_are_named() -> None:
    actions = ["g8", "h10", "l8", "swap", "g7", "declare 9", "no swap", "offer a1 a1 g8", "choose b2"]
    found = openings.check("Soosyrv-8", actions)
    assert found.verdict == "illegal"
    assert not found
    assert found.game.is_done
    assert [str(problem) for problem in found.problems] == [
        "action 1 (G8): move 1 is not on the centre",
        "action 2 (H10): move 2 is not in the central 3x3 square",
        "action 3 (L8): move 3 is not in the central 5x5 square",
        "action 6 (declare 9): 1 to 8 fifths may be declared, not 9",
        "action 8 (offer A1 A1 G8): 9 fifths are to be offered, not 3",
        "action 8 (offer A1 A1 G8): G8 is occupied",
        "action 8 (offer A1 A1 G8): A1 is offered more than once",
        "action 9 (choose B2): B2 was not offered",
    ]


def test_what_cannot_be_done_ends_the_check() -> None:
    found = openings.check("RIF", ["h8", "h8", "i9"])
    assert [str(problem) for problem in found.problems] == ["action 2 (H8): H8 is occupied"]
    assert len(found.game.moves) == 1
    found = openings.check("RIF", ["h8", "swap"])
    assert [problem.reason for problem in found.problems] == ["'swap' is not possible now"]
    found = openings.check("none", ["h8", "a1"])
    assert [problem.reason for problem in found.problems] == ["'A1' is not possible now"]


def test_a_beginning_is_legal() -> None:
    found = openings.check("RIF", ["h8", "h9"])
    assert found
    assert not found.game.is_done
    assert openings.check("RIF", []).verdict == "legal"


@pytest.mark.parametrize(
    "text",
    ["", "jump", "declare", "declare x", "declare -1", "take", "take red", "offer", "choose", "h16", "pass"],
)
def test_text_that_is_no_action(text: str) -> None:
    with pytest.raises(ValueError, match="no action of an opening"):
        Action.parse(text)


@pytest.mark.parametrize("kind", ["place", "swap", "declare", "offer", "choose", "take", "jump"])
def test_incomplete_action(kind: Any) -> None:
    with pytest.raises(ValueError, match="no action of an opening"):
        Action(kind)


def test_verbs_refuse_nonsense() -> None:
    game = openings.start("Swap2").place("h8h9i9")
    with pytest.raises(ValueError, match="'black' or 'white', not 'red'"):
        game.take("red")
    with pytest.raises(NotationError):
        game.place("pass")
    with pytest.raises(TypeError):
        openings.start("Yamaguchi").place("h8h9i9").declare("3")  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="nothing was done"):
        openings.start("RIF").undo()


# Records


def test_a_game_of_the_rif_database() -> None:
    """Game 171548, public as an example of the format; "51" in its rule is no list of points."""
    headers = {"rule": "Taraguchi-10", "swap": "R--R-", "alternatives": "51"}
    game = Game.from_moves("h8 h9 i8 g8 g9 f7 e6 f10", headers=headers)
    found = openings.check(OpeningRule.parse(headers["rule"]), game)
    assert found
    assert found.game.is_done
    assert [str(action) for action in found.game.history] == [
        *("H8", "swap", "H9", "no swap", "I8", "no swap", "G8", "swap", "G9", "no swap"),
    ]


@pytest.mark.parametrize(
    ("rule", "moves", "swap", "alternatives", "untold"),
    [
        ("RIF", "h8 h9 i8 g8 g9", "", "g7", ["whether second swapped after move 3"]),
        ("RIF", "h8 h9 i8 g8 g9", "-", None, ["which fifths were offered besides G9"]),
        (
            "RIF",
            "h8 h9 i8 g8 g9",
            "-",
            "51",
            ["which fifths were offered besides G9 ('51' is no list of points)"],
        ),
        (
            "RIF",
            "h8 h9 i8 g8 g9",
            "x",
            "g7",
            ["what the swaps 'x' mean", "whether second swapped after move 3"],
        ),
        ("RIF", "h8h9i8g8g9", "-", "-", ["which fifths were offered besides G9 ('-' is no list of points)"]),
        ("Soosyrv-8", "h8h9i8g8g9", "--", " ", ["which fifths were offered besides G9"]),
        ("Yamaguchi", "h8 h9 i8 g8 g9", "-", "", ["which fifths were offered besides G9"]),
        ("Taraguchi-10", "h8 h9 i8 g8 g9", "---", "", ["which fifths were offered besides G9"]),
        ("Swap2", "h8 h9 i8 g8 g9", "", None, ["what second chose after move 3"]),
    ],
)
def test_what_is_not_told_is_unknown(
    rule: str, moves: str, swap: str, alternatives: str | None, untold: list[str]
) -> None:
    found = openings.follow(rule, moves, swap, alternatives)
    assert (found.verdict, list(found.untold)) == ("unknown", untold)
    assert not found


def test_two_ways_that_are_not_told() -> None:
    found = openings.follow("Taraguchi-10", "h8 h9 i8 g8 g9")
    assert found.untold[-1] == "whether first swapped after move 4 or offered fifths"
    assert len(found.game.moves) == 4


@pytest.mark.parametrize(
    ("rule", "moves", "swap", "reason"),
    [
        ("Taraguchi-10", "h8 h9 i8 l8 g9", "-----", "move 4 is not in the central 7x7 square"),
        ("Taraguchi-10", "h8 h9 i8 g8 m8", "-----", "move 5 is not in the central 9x9 square"),
        ("Tarannikov", "h8 h9 l8", "", "move 3 is not in the central 5x5 square"),
        ("RIF", [112, 225, 0], "", "nobody may pass in an opening"),
        ("Tarannikov", "h8 h9 i8 g8 g9", "------", "there are 1 more than Tarannikov has"),
        ("RIF", "h8", "R--", "there are 2 more than RIF has"),
        ("RIF", "h8 h9 i8 g8 g9", "R--", "there are 2 more than RIF has"),
        ("Taraguchi-10", "h8 h9", "------", "there are 1 more than Taraguchi-10 has"),
    ],
)
def test_records_that_break_the_rule(rule: str, moves: str | list[int], swap: str, reason: str) -> None:
    found = openings.follow(rule, moves, swap)
    assert found.verdict == "illegal"
    assert reason in {problem.reason for problem in found.problems}


@pytest.mark.parametrize(("rule", "swap"), [("RIF", "-"), ("Soosyrv-8", "-"), ("Taraguchi-10", "---")])
@pytest.mark.parametrize("alternatives", [None, "g7", ["G7"]])
def test_a_pass_is_no_fifth(rule: str, swap: str, alternatives: str | list[str] | None) -> None:
    found = openings.follow(rule, ["h8", "h9", "i8", "g8", "pass"], swap, alternatives)
    assert found.verdict == "illegal"
    assert [problem.where for problem in found.problems] == ["move 5 (pass)"]


def test_swaps_of_a_rule_with_choices_of_colour_are_not_judged() -> None:
    assert openings.follow("Swap2", "h8 h9 i8 g8 a1", "R").verdict == "unknown"


def test_actions_take_points_in_any_form() -> None:
    assert Action("offer", ("g7", 0)) == Action.parse("offer g7 a1")  # type: ignore[arg-type]
    with pytest.raises(NotationError):
        Action("place", ("z9",))  # type: ignore[arg-type]


def test_equivalent_fifths_of_a_record() -> None:
    found = openings.follow("RIF", "h8 h9 h7 h6 g8", "-", "i7")
    assert [str(problem) for problem in found.problems] == ["move 5 (offer I7 G8): I7 and G8 are equivalent"]
    assert openings.follow("Soosyrv-8", "h8 h9 h7 h6 g8", "--", ()).game.declared == 1


def test_boards_and_set_ups() -> None:
    assert openings.check("Tarannikov", Board("h8 h9 l8")).verdict == "illegal"
    assert openings.check("Tarannikov", "h8 h9 l8") == openings.check("Tarannikov", Board("h8 h9 l8"))
    with pytest.raises(ValueError, match="the board was set up"):
        openings.check("none", Board.from_stones("", "", turn=WHITE))
    with pytest.raises(ValueError, match="the board was set up"):
        openings.check("RIF", Board.from_stones("h8", "h9"))
    with pytest.raises(ValueError, match="begins with a set-up"):
        openings.check("RIF", Game(black=(Point("H8"),)))
