"""Elo, the sequential test, and ratings of several players, against closed forms and simulations."""

import math
import random
from dataclasses import replace
from itertools import combinations

import pytest

from renju import BLACK, WHITE, Point
from renju.lab.game_record import GameRecord
from renju.lab.ratings import (
    PAIR_SCORES,
    elo_of_games,
    elo_of_pairs,
    elo_of_score,
    pair_counts,
    rate_players,
    score_of_elo,
)
from renju.lab.sprt import Sprt

# Chances of 0, ½, 1, 1½ and 2 points of a pair.
CHANCES = {
    "even": (0.1, 0.2, 0.4, 0.2, 0.1),
    "better": (0.02, 0.08, 0.3, 0.3, 0.3),
    "crushing": (0.0, 0.02, 0.03, 0.15, 0.8),
    "one-colour-wins": (0.02, 0.0, 0.95, 0.0, 0.03),
}
ONE_SIDED = [
    tuple(count if i == place else 0 for i in range(5)) for place in range(5) for count in (1, 7, 10**9)
]


def record(number, black, white, winner):
    moves = f"h8{Point(number % 112)!s}".lower()
    return GameRecord(number, number // 2, black, white, "h8", moves, winner, "five")


def draw_pairs(rng, chances, count):
    counts = [0] * 5
    for place in rng.choices(range(5), chances, k=count):
        counts[place] += 1
    return counts


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (190.8485, 0.75)])
def test_elo_is_logistic(elo, score):
    assert score_of_elo(elo) == pytest.approx(score)
    assert elo_of_score(score) == pytest.approx(elo, abs=1e-3)


def test_the_ends_of_the_scale():
    assert (elo_of_score(1.0), elo_of_score(0.0)) == (math.inf, -math.inf)
    assert score_of_elo(1e6) == 1.0
    assert score_of_elo(-1e6) == 0.0


def test_many_games_have_the_normal_interval():
    elo = elo_of_games(wins=5200, draws=1000, losses=3800)
    error = 1.96 * math.sqrt((0.52 + 0.25 * 0.1 - 0.57**2) / 10_000)
    assert elo.value == pytest.approx(elo_of_score(0.57))
    assert (elo.low, elo.high) == pytest.approx(
        (elo_of_score(0.57 - error), elo_of_score(0.57 + error)), abs=0.1
    )
    assert (elo.points, elo.games) == (5700, 10_000)


def test_pairs_have_the_variance_of_pairs():
    # Black wins every game: nothing is as even as that, though single games vary as much as they can.
    pairs = elo_of_pairs((0, 0, 1000, 0, 0))
    games = elo_of_games(1000, 0, 1000)
    assert pairs.value == games.value == 0
    assert 0 < pairs.high < games.high / 10


@pytest.mark.parametrize("count", [1, 3, 50])
def test_all_or_nothing(count):
    best, worst = elo_of_pairs((0, 0, 0, 0, count)), elo_of_pairs((count, 0, 0, 0, 0))
    assert (best.value, best.high) == (math.inf, math.inf)
    # Wilson's bound.
    assert best.low == pytest.approx(elo_of_score(count / (count + 1.96**2)), abs=0.1)
    assert (worst.value, worst.low, worst.high) == pytest.approx((-math.inf, -math.inf, -best.low))
    assert best.los == pytest.approx(1 - worst.los)
    assert 0.8 < best.los < 1


def test_no_games():
    elo = elo_of_pairs((0,) * 5)
    assert math.isnan(elo.value)
    assert (elo.low, elo.high, elo.points, elo.games, elo.los) == (-math.inf, math.inf, 0, 0, 0.5)


@pytest.mark.parametrize("name", CHANCES)
@pytest.mark.parametrize("pairs", [10, 100])
def test_the_interval_holds_the_truth_95_times_in_100(name, pairs):
    rng = random.Random(f"{name} {pairs}")
    true = elo_of_score(sum(p * s for p, s in zip(CHANCES[name], PAIR_SCORES, strict=True)))
    hits = 0
    for _ in range(600):
        elo = elo_of_pairs(draw_pairs(rng, CHANCES[name], pairs))
        hits += elo.low <= true <= elo.high
    assert hits / 600 > 0.92


@pytest.mark.parametrize("counts", [(1, 2, 3), (1, 2, 3, 4, -1), (1, 2, 3, 4, 0.5)])
def test_counts_are_checked(counts):
    with pytest.raises(ValueError, match="5 whole numbers"):
        elo_of_pairs(counts)
    with pytest.raises(ValueError, match="5 whole numbers"):
        Sprt().state(counts)


def test_pairs_that_repeat_are_no_evidence():
    first = [record(0, "a", "b", BLACK), record(1, "b", "a", WHITE)]
    again = [replace(game, number=game.number + 2, pair=1) for game in first]
    other = [replace(again[0], moves="h8a1a2"), again[1]]
    assert pair_counts(first + again, "a") == pair_counts(first, "a") == (0, 0, 0, 0, 1)
    assert pair_counts(first + other, "a") == (0, 0, 0, 0, 2)


def test_pair_counts():
    games = [
        *(record(0, "a", "b", BLACK), record(1, "b", "a", WHITE)),  # 2
        *(record(2, "a", "b", BLACK), record(3, "b", "a", BLACK)),  # 1
        *(record(4, "a", "b", None), record(5, "b", "a", BLACK)),  # ½
        record(6, "a", "b", BLACK),  # a game is missing
        *(record(8, "c", "b", BLACK), record(9, "b", "c", BLACK)),  # others
        *(record(10, "a", "a", BLACK), record(11, "a", "a", BLACK)),  # itself
    ]
    assert pair_counts(games, "a") == (0, 1, 1, 0, 1)
    assert pair_counts(games, "b") == (1, 0, 2, 1, 0)
    assert pair_counts(reversed(games), "a") == (0, 1, 1, 0, 1)
    assert pair_counts([], "a") == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("second", [record(1, "a", "b", WHITE), record(0, "a", "b", BLACK)])
def test_a_pair_has_its_colours_exchanged(second):
    with pytest.raises(ValueError, match="pair 0 is none"):
        pair_counts([record(0, "a", "b", BLACK), second], "a")


def test_the_test_is_symmetric():
    sprt = Sprt(-10, 10)
    counts = (3, 10, 40, 25, 12)
    assert sprt.state(counts).llr == pytest.approx(-sprt.state(counts[::-1]).llr)
    assert sprt.state((10, 20, 40, 20, 10)).llr == pytest.approx(0, abs=1e-9)
    assert (sprt.lower, sprt.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_the_ratio_is_the_normal_one_for_many_pairs():
    counts = (9_000, 20_000, 41_000, 20_500, 9_500)
    pairs = sum(counts)
    mean = sum(n * s for n, s in zip(counts, PAIR_SCORES, strict=True)) / pairs
    variance = sum(n * (s - mean) ** 2 for n, s in zip(counts, PAIR_SCORES, strict=True)) / pairs
    zero, one = score_of_elo(0), score_of_elo(10)
    expected = (one - zero) * (2 * mean - zero - one) / (2 * variance / pairs)
    assert Sprt().state(counts).llr == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("counts", ONE_SIDED)
def test_one_sided_counts(counts):
    state = Sprt().state(counts)
    assert math.isfinite(state.llr)
    assert (state.llr > 0) == (counts[3] + counts[4] > 0)
    assert bool(state.verdict) == (sum(counts) == 10**9)


def test_no_pairs_decide_nothing():
    assert Sprt().state((0,) * 5).llr == 0
    assert Sprt().state((0,) * 5).verdict == ""


@pytest.mark.parametrize(
    "settings",
    [
        {"elo0": 10},
        {"elo1": math.inf},
        {"elo1": math.nan},
        {"alpha": 0},
        {"beta": 1},
        {"alpha": 0.6, "beta": 0.6},
    ],
)
def test_settings_of_the_test_are_checked(settings):
    with pytest.raises(ValueError):
        Sprt(**settings)


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "verdict"), [(0.0, "H0"), (80.0, "H1")])
def test_error_rates(elo, verdict):
    # Draws are two in ten, the two games of a pair independent.
    sprt, rng, runs = Sprt(0, 80), random.Random(verdict), 300
    win = score_of_elo(elo) - 0.1
    wrong = 0
    for _ in range(runs):
        counts, state = [0] * 5, sprt.state((0,) * 5)
        while not state.verdict:
            for _ in range(2):
                counts[sum(rng.choices((0, 1, 2), (0.8 - win, 0.2, win), k=2))] += 1
            state = sprt.state(counts)
        wrong += state.verdict != verdict
    # 5 % of errors, three deviations above; overshooting the bounds makes it less.
    assert wrong / runs < 0.09


def test_ratings_of_two_players_are_their_difference():
    games = [record(n, "a", "b", WHITE if n % 4 == 0 else BLACK) for n in range(4000)]
    strong, weak = rate_players(games)
    assert (strong.name, weak.name) == ("a", "b")
    assert strong.value == pytest.approx(-weak.value)
    assert strong.value - weak.value == pytest.approx(elo_of_score(0.75), abs=0.5)
    assert (strong.points, strong.games, weak.points) == (3000, 4000, 1000)
    # The deviation of the difference is twice that of one, around their mean.
    error = 1.96 * 400 / math.log(10) / math.sqrt(4000 * 0.75 * 0.25)
    assert 2 * (strong.high - strong.value) == pytest.approx(error, rel=0.01)


def test_ratings_of_a_round_robin():
    true = {"a": 150.0, "b": 50.0, "c": -50.0, "d": -150.0}
    rng, games = random.Random(5), []
    for first, second in combinations(true, 2):
        for n in range(800):
            black, white = (first, second) if n % 2 else (second, first)
            score = score_of_elo(true[black] - true[white])
            winner = rng.choices((BLACK, None, WHITE), (score - 0.04, 0.08, 0.96 - score))[0]
            games.append(record(n, black, white, winner))
    rated = rate_players(games)
    assert [rating.name for rating in rated] == ["a", "b", "c", "d"]
    assert sum(rating.value for rating in rated) == pytest.approx(0, abs=1e-6)
    for rating in rated:
        assert rating.value == pytest.approx(true[rating.name], abs=25)
        assert rating.low < true[rating.name] < rating.high
        assert rating.games == 2400


def test_players_who_won_or_lost_everything_have_a_rating():
    games = [record(n, *names, BLACK) for names in (("a", "b"), ("b", "c"), ("a", "c")) for n in range(10)]
    rated = rate_players(games)
    assert [rating.name for rating in rated] == ["a", "b", "c"]
    assert all(math.isfinite(x) for rating in rated for x in (rating.value, rating.low, rating.high))
    assert rated[0].value == pytest.approx(-rated[2].value)
    assert rated[0].value > 200


def test_nobody_to_rate():
    assert rate_players([]) == ()
    assert rate_players([record(0, "a", "a", BLACK)]) == ()
