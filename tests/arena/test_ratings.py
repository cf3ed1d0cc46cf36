"""Ratings: known strengths are found again, and the intervals are as sure as they say."""

from collections.abc import Sequence
from math import log, log10

import numpy as np
import pytest

from archipel.arena.intervals import Estimate, difference, mean, share
from archipel.arena.match import Result
from archipel.arena.plan import Table, lineups
from archipel.arena.ratings import ELO, counted, rate


def result(seats: Sequence[str], winners: Sequence[int], number: int = 0) -> Result:
    """A game that these seats won or shared."""
    count, sharing = len(seats), len(winners)
    worth = [(count - sharing) / (sharing * (count - 1)) if k in winners else -1 / (count - 1) for k in range(count)]
    none = (0,) * count
    return Result(0, number, tuple(seats), tuple(worth), none, sharing > 1, none, none, none, (None,) * count)


def tournament(strengths: dict[str, float], seats: int, games: int, rng: np.random.Generator) -> list[Result]:
    """Games in which everybody wins as likely as his Elo strength says."""
    played = []
    for lineup in lineups(list(strengths), seats):
        for number in range(games):
            at = Table({}, lineup).lineup(number)
            weights = np.exp([strengths[bot] / ELO for bot in at])
            played.append(result(at, [int(rng.choice(seats, p=weights / weights.sum()))], number))
    return played


def test_with_two_bots_it_is_the_formula_of_elo() -> None:
    games = [result("ab", [0])] * 750 + [result("ab", [1])] * 250
    best, anchor = rate("ab", games)
    assert (anchor.bot, anchor.elo, anchor.low, anchor.high) == ("b", 0, 0, 0)
    assert best.elo == pytest.approx(400 * log10(750.5 / 250.5), abs=0.1)
    assert best.low < 191 < best.high
    assert best.high - best.low == pytest.approx(2 * 1.96 * ELO / (1000 * 0.75 * 0.25) ** 0.5, rel=0.03)


def test_a_draw_is_half_a_win() -> None:
    drawn = rate("ab", [result("ab", [0, 1])] * 40 + [result("ab", [0])] * 20)
    decided = rate("ab", [result("ab", [0])] * 40 + [result("ab", [1])] * 20)
    assert drawn[0].elo == pytest.approx(decided[0].elo, abs=0.01)


@pytest.mark.parametrize(("seats", "games"), [(2, 4000), (3, 3000), (4, 6000)])
def test_known_strengths_are_found_again(seats: int, games: int) -> None:
    strengths = {"weak": 0.0, "fair": 120.0, "good": 250.0, "best": 500.0}
    found = rate(list(strengths), tournament(strengths, seats, games, np.random.default_rng(seats)))
    assert [rating.bot for rating in found] == ["best", "good", "fair", "weak"]
    for rating in found:
        assert rating.elo == pytest.approx(strengths[rating.bot], abs=30)
        assert rating.low <= rating.elo <= rating.high


@pytest.mark.parametrize(("seats", "bots"), [(2, 3), (3, 2)])
def test_the_intervals_cover_the_truth_about_95_times_in_100(seats: int, bots: int) -> None:
    strengths = {name: 150.0 * k for k, name in enumerate("abc"[:bots])}
    rng = np.random.default_rng(5)
    inside = []
    for _ in range(60):
        found = rate(list(strengths), tournament(strengths, seats, 60, rng), anchor="a")
        inside += [rating.low <= strengths[rating.bot] <= rating.high for rating in found if rating.bot != "a"]
    assert 0.9 <= np.mean(inside) <= 0.99


def test_a_bot_that_never_lost_has_a_rating() -> None:
    games = [result("ab", [0])] * 50 + [result("bc", [0])] * 50 + [result("ac", [0])] * 50
    a, b, c = rate("abc", games)
    assert (a.bot, b.bot, c.bot) == ("a", "b", "c")
    assert 300 < b.elo < a.elo < 3000
    assert b.low < b.elo < b.high < 5000


def test_before_anything_is_played_all_are_level() -> None:
    assert [rating.elo for rating in rate("abc", [])] == pytest.approx([0, 0, 0], abs=1e-6)


def test_an_anchor_may_be_named() -> None:
    games = [result("ab", [0])] * 30 + [result("ab", [1])] * 10
    a, b = rate("ab", games, anchor="a")
    assert (a.bot, a.elo) == ("a", 0)
    assert b.elo == pytest.approx(-ELO * log(30.5 / 10.5), abs=0.1)


def test_the_slopes_are_those_of_the_loss() -> None:
    ballots = counted("abc", tournament({"a": 0, "b": 90, "c": 200}, 3, 30, np.random.default_rng(1)))
    at, tiny = np.array([0.1, -0.4, 0.7]), 1e-5
    for k in range(3):
        step = np.eye(3)[k] * tiny
        assert ballots.slope(at)[k] == pytest.approx(
            (ballots.loss(at + step) - ballots.loss(at - step)) / 2 / tiny, rel=1e-5
        )
        bend = (ballots.slope(at + step) - ballots.slope(at - step)) / 2 / tiny
        assert ballots.bend(at)[k] == pytest.approx(bend, rel=1e-4, abs=1e-6)


# Intervals.


def test_wilson() -> None:
    found = share(7, 10)
    assert (found.low, found.high) == pytest.approx((0.3968, 0.8922), abs=1e-4)
    assert share(0, 20).low == 0
    assert share(20, 20).high == 1
    assert share(20, 20).low == pytest.approx(0.8389, abs=1e-4)
    assert (share(0, 0).low, share(0, 0).high) == (0, 1)


def test_wilson_covers() -> None:
    rng = np.random.default_rng(2)
    for chance in (0.5, 0.9):
        found = [share(float(won), 50) for won in rng.binomial(50, chance, 2000)]
        assert 0.93 <= np.mean([one.low <= chance <= one.high for one in found]) <= 0.98


def test_a_mean_with_students_interval() -> None:
    found = mean([1, 2, 3, 4, 5])
    assert (found.value, found.low, found.high) == pytest.approx((3, 1.0368, 4.9632), abs=1e-4)
    assert mean([7]).high == float("inf")


def test_newcombes_difference() -> None:
    """The first of the examples in Newcombe (1998): 56 of 70 and 48 of 80."""
    found = difference(share(56, 70), share(48, 80))
    assert (found.value, found.low, found.high) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)
    assert found.is_off_zero
    assert not difference(Estimate(1, 0, 2, 5), Estimate(1, 0, 2, 5)).is_off_zero
