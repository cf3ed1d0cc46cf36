"""The tray: how dice lie, written and read, and kept from lying in each other."""

import json
from typing import Any

import numpy as np
import pytest

from archipel.games.krakatoa.dice.shape import tops
from archipel.games.krakatoa.dice.tray import APART, RADIUS, Lie, Tray, apart, to_the_rim

LAID = Tray.laid("YYB YRR RRR")


def test_dice_laid_out_by_hand_show_what_they_should() -> None:
    assert LAID.written == "YYB YRR RRR"
    assert "".join(shown.letter for shown in LAID.lies.values()) == "YYBYRRRRR"
    assert tops(LAID.poses[:, 3:]).tolist() == [lie.face for lie in LAID.lies.values()]


def test_a_tray_can_be_written_and_read() -> None:
    assert Tray.read(json.loads(json.dumps(LAID.json()))) == LAID
    assert Tray.read({}) == Tray({})


def test_a_lie_keeps_to_the_grid() -> None:
    assert Lie.near(1.23456, -0.0026, 3, 1.23456) == Lie(1.235, -0.005, 3, 1.2346)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ([], "names its dice"),
        ({"mud1": [0, 0, 0, 0]}, "names its dice"),
        ({"ash1": [0, 0, 0, 0], "steam1": [3, 0, 0, 0]}, "names its dice"),
        ({"ash1": [0, 0, 0]}, "four numbers"),
        ({"ash1": [0, 0, 0, True]}, "four numbers"),
        ({"ash1": [25.0, 0, 0, 0]}, "does not lie in the tray"),
        ({"ash1": [float("nan"), 0, 0, 0]}, "does not lie in the tray"),
        ({"ash1": [0, 0, 12, 0]}, "faces 0 to 11"),
        ({"ash1": [0, 0, 1.5, 0]}, "faces 0 to 11"),
    ],
)
def test_what_is_no_tray_is_refused(data: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Tray.read(data)


def test_the_nearest_die_of_those_on_the_table() -> None:
    assert LAID.nearest(0.1, 0.2) == "ash2"
    assert LAID.without(["ash1", "ash2", "ash3"]).nearest(0.1, 0.2) == "steam2"


def test_the_rim_is_an_octagon() -> None:
    assert to_the_rim(0, 0) == RADIUS
    assert to_the_rim(RADIUS, 0) == pytest.approx(0)
    assert to_the_rim(*[RADIUS / np.sqrt(2)] * 2) == pytest.approx(0)
    assert to_the_rim(20, 8.2) > -0.1 > to_the_rim(20.2, 8.2)


def test_dice_that_lie_in_each_other_are_parted() -> None:
    rng = np.random.default_rng(5)
    places = np.concatenate([np.zeros((2, 2)), rng.normal(0, 2, (6, 2)), [[19.9, 0.0]]])
    parted = apart(places)
    gaps = np.hypot(*(parted[:, None] - parted).transpose(2, 0, 1)) + 9 * np.eye(9)
    assert gaps.min() > APART - 1e-4
    assert min(to_the_rim(x, y) for x, y in parted) > 1


def test_only_the_free_are_moved() -> None:
    places = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    parted = apart(places, np.array([False, True, False]))
    assert parted[[0, 2]].tolist() == [[0, 0], [1, 0]]
    assert np.hypot(*(parted[1] - parted[[0, 2]]).T).min() > APART - 1e-4
