"""A series: seats change after each game, scores add up."""

import pytest

import archipel
from archipel import Series, State
from tests.variants import played


def final(name: str, seed: int = 0) -> State:
    *_, (last, _) = played(archipel.game(name), seed)
    return last


def test_seats_change_after_each_game() -> None:
    series = Series()
    assert (series.seating(), series.points, series.leaders) == ([0, 1], [0, 0], [0, 1])
    first, second = final("stonehenge", 1), final("stonehenge", 2)
    series.add(first)
    assert series.seating() == [1, 0]
    assert series.points == first.scores
    series.add(second)
    assert series.seating() == [0, 1]
    assert series.points == [first.scores[0] + second.scores[1], first.scores[1] + second.scores[0]]
    assert series.played == 2


def test_leaders() -> None:
    assert Series(points=[8, 5]).leaders == [0]
    assert Series(points=[5, 8]).leaders == [1]
    assert Series(points=[13, 13]).leaders == [0, 1]


def test_three_move_on_by_one() -> None:
    series = Series(seats=3)
    series.add(final("kula_kula"))
    assert series.seating() == [1, 2, 0]
    assert len(series.points) == 3


def test_two_series_do_not_share_their_points() -> None:
    one, other = Series(), Series()
    one.add(final("stonehenge"))
    assert other.points == [0, 0]


def test_an_unfinished_game_adds_nothing() -> None:
    series = Series()
    with pytest.raises(ValueError, match="The game is not over"):
        series.add(archipel.game("stonehenge").new())
    assert (series.points, series.played) == ([0, 0], 0)


def test_a_game_of_another_size_adds_nothing() -> None:
    series = Series()
    with pytest.raises(ValueError, match="The series has 2 players, the game 3"):
        series.add(final("kula_kula"))
    assert (series.points, series.played) == ([0, 0], 0)
