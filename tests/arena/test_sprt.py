"""The sequential test: its likelihoods, its error rates, its order, and what it refuses."""

from collections import Counter
from math import log

import numpy as np
import pytest

import archipel
from archipel.arena import ArenaError
from archipel.arena.match import Result
from archipel.arena.plan import Plan, round_robin
from archipel.arena.sprt import NOT_STRONGER, STRONGER, Hypotheses, Trial, log_likelihood_ratio

PLAN = round_robin(archipel.game("stonehenge"), ["new", "old"], 20_000, 1, {})


def game(plan: Plan, number: int, won: float, table: int = 0) -> Result:
    """A game in which the new bot's seats take such a part of the points, shared equally."""
    seats = plan.match(table, number).seats
    own, count = seats.count("new"), len(seats)
    shares = [won / own if bot == "new" else (1 - won) / (count - own) for bot in seats]
    returns = tuple((share * count - 1) / (count - 1) for share in shares)
    none = (0,) * count
    return Result(table, number, seats, returns, none, False, none, none, none, (None,) * count)


def pairs(rng: np.random.Generator, elo: float, same: float = 0.3) -> "list[tuple[float, float]]":
    """Pairs of games at a true Elo difference; in some pairs the deal decides both games, as it does between bots."""
    chance = 1 / (1 + 10 ** (-elo / 400))
    luck = rng.random((2000, 3))
    first = luck[:, 0] < chance
    second = np.where(luck[:, 2] < same, first, luck[:, 1] < chance)
    return list(zip(first.astype(float), second.astype(float), strict=True))


def verdict(test: Hypotheses, outcomes: "list[tuple[float, float]]") -> tuple[str | None, int]:
    trial = Trial(test, PLAN, "new")
    for deal, (first, second) in enumerate(outcomes):
        trial.add([game(PLAN, 2 * deal, first), game(PLAN, 2 * deal + 1, second)])
        if trial.verdict:
            break
    return trial.verdict, trial.finding().score.count


@pytest.mark.parametrize(("elo", "wrong"), [(0.0, STRONGER), (120.0, NOT_STRONGER)])
def test_verdicts_are_wrong_as_seldom_as_promised(elo: float, wrong: str) -> None:
    test, trials = Hypotheses(0, 120, alpha=0.1, beta=0.1), 200
    rng = np.random.default_rng(7)
    found = [verdict(test, pairs(rng, elo))[0] for _ in range(trials)]
    assert None not in found
    mistaken = found.count(wrong) / trials
    # 0.1 is promised; of 200 trials at that rate, 95 in 100 lie between 0.06 and 0.145.
    assert 0.04 <= mistaken <= 0.145


def test_a_clear_difference_is_found_sooner_than_a_small_one() -> None:
    rng, test = np.random.default_rng(3), Hypotheses(0, 60)
    needed = {elo: np.mean([verdict(test, pairs(rng, elo))[1] for _ in range(10)]) for elo in (30.0, 60.0, 240.0)}
    assert needed[240.0] < needed[60.0] < needed[30.0]


def test_the_ratio_of_a_known_distribution() -> None:
    # Only whole wins and losses: the likeliest distributions of a given mean are that mean itself.
    counts = {1.0: 60, 0.0: 40}
    exact = 60 * log(0.6 / 0.5) + 40 * log(0.4 / 0.5)
    assert log_likelihood_ratio(counts, 0.5, 0.6) == pytest.approx(exact, abs=0.02)
    assert log_likelihood_ratio(counts, 0.6, 0.5) == pytest.approx(-exact, abs=0.02)
    # Two identical games of a pair say no more than one.
    assert log_likelihood_ratio({1.0: 6, 0.0: 4}, 0.5, 0.6) == pytest.approx(exact / 10, abs=0.02)


def test_the_order_in_which_games_end_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    games = [game(PLAN, number, float(rng.random() < 0.75)) for number in range(400)]
    test = Hypotheses(0, 40)
    in_order, shuffled = Trial(test, PLAN, "new"), Trial(test, PLAN, "new")
    in_order.add(games)
    for number in rng.permutation(len(games)):
        shuffled.add([games[number]])
    assert in_order.verdict == STRONGER
    assert in_order.finding() == shuffled.finding()
    assert in_order.finding().score.count < 200


def test_an_unfinished_deal_waits() -> None:
    trial = Trial(Hypotheses(), PLAN, "new")
    trial.add([game(PLAN, 0, 1.0)])
    assert trial.finding().score.count == 0
    trial.add([game(PLAN, 1, 0.0), game(PLAN, 4, 1.0), game(PLAN, 5, 1.0)])
    assert trial.finding().counts == {0.5: 1}


def test_three_seats_have_a_mean_of_their_own() -> None:
    """Between equal bots each of three seats takes a third, so two of them take two thirds and nobody is stronger."""
    plan = round_robin(archipel.game("kula_kula"), ["new", "old"], 3000, 1, {})
    assert [table.bots.count("new") for table in plan.tables] == [2, 1]
    rng, trial = np.random.default_rng(2), Trial(Hypotheses(0, 100), plan, "new")
    for number in range(3000):
        for table, lineup in enumerate(plan.tables):
            won = float(rng.random() < lineup.bots.count("new") / 3)
            trial.add([game(plan, number, won, table)])
        if trial.verdict:
            break
    assert trial.verdict == NOT_STRONGER
    assert set(Counter(trial.finding().counts)) <= {n / 6 for n in range(7)} | {round(n / 6, 9) for n in range(7)}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"elo0": 10, "elo1": 10}, "elo0 must be below elo1"),
        ({"elo1": 5000}, "both from -1000 to 1000"),
        ({"elo1": float("nan")}, "elo0 must be below elo1"),
        ({"alpha": 0}, "alpha must be above 0 and below 0.5, not 0."),
        ({"beta": 0.5}, "beta must be above 0 and below 0.5, not 0.5."),
    ],
)
def test_what_cannot_be_tested_is_one_sentence(given: dict[str, float], sentence: str) -> None:
    with pytest.raises(ArenaError, match=sentence):
        Hypotheses(**given)


def test_shares_are_another_way_to_say_elo() -> None:
    test = Hypotheses.of_shares(0.5, 10 / 11)
    assert (test.elo0, test.elo1) == pytest.approx((0, 400))
    with pytest.raises(ArenaError, match="share0 must be below share1, both between 0 and 1"):
        Hypotheses.of_shares(0.6, 0.5)


def test_a_test_compares_two_bots() -> None:
    three = round_robin(archipel.game("stonehenge"), ["a", "b", "c"], 2, 1, {})
    with pytest.raises(ArenaError, match="A test compares two bots, not 3: a, b, c"):
        Trial(Hypotheses(), three, "a")
