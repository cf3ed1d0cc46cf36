"""Aims: what can be aimed at, and what is refused in a sentence."""

import json
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from archipel import InvalidAction
from archipel.games.krakatoa.dice import Aim, InvalidAim, Tray
from archipel.games.krakatoa.dice.aim import BACK

from . import landing

LAID = Tray.laid("YYB YRR RRR")
GOOD = {"x": 1.0, "y": -2.0, "direction": 30.0, "strength": 120.0, "spread": 2.5}


def test_an_aim_can_be_written_and_read() -> None:
    aim = Aim.read(GOOD)
    assert Aim.read(json.loads(json.dumps(aim.json()))) == aim == Aim(1.0, -2.0, 30.0)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"x": 20.1}, "outside the tray"),
        ({"x": 15.0, "y": 15.0}, "outside the tray"),
        ({"x": nan}, "The x of an aim is a number, not nan"),
        ({"direction": inf}, "The direction of an aim is a number, not inf"),
        ({"y": None}, "The y of an aim is a number, not None"),
        ({"strength": "120"}, "The strength of an aim is a number, not '120'"),
        ({"spread": True}, "The spread of an aim is a number, not True"),
        ({"strength": 39.9}, "The strength of a throw is 40 to 200 cm/s, not 39.9"),
        ({"strength": 200.1}, "The strength of a throw is 40 to 200 cm/s, not 200.1"),
        ({"spread": 2.4}, "The spread of the hand is 2.5 to 6 cm, not 2.4"),
        ({"spread": 6.5}, "The spread of the hand is 2.5 to 6 cm, not 6.5"),
        ({"x": 18.0, "direction": 180.0}, "Your hand would be outside the tray: aim from another side"),
        ({"colour": "Y"}, "An aim has x, y, direction, strength, spread, and nothing else"),
    ],
)
def test_a_bad_aim_is_refused_in_a_sentence(change: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidAim, match=why) as refusal:
        Aim.read(GOOD | change)
    assert str(refusal.value).endswith(".")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("data", [None, [], "ash1", {}, {"x": 1.0}])
def test_what_is_no_aim_at_all_is_refused(data: Any) -> None:
    with pytest.raises(InvalidAim, match="An aim has x, y, direction, strength, spread, and nothing else"):
        Aim.read(data)


def test_an_aim_at_a_die_is_at_its_middle() -> None:
    aim = Aim.at(LAID, "lava3", 90.0)
    assert (aim.x, aim.y) == (4.0, -4.0)


def test_a_die_of_the_thrown_set_cannot_be_aimed_at() -> None:
    table = LAID.without(["ash1", "ash2", "ash3"])
    with pytest.raises(InvalidAim, match="ash1 does not lie on the table"):
        Aim.at(table, "ash1", 0.0)
    with pytest.raises(InvalidAction):
        landing().game.new().encode({"do": "throw", "set": "ash", "at": "ash1"})


def test_the_action_names_the_nearest_die_that_is_not_thrown() -> None:
    state = landing("lava>ash1").game.restore(
        landing("lava>ash1").snapshot() | {"phase": "throw", "mover": 0, "aim": None}
    )
    aim = Aim(0.3, 0.4, 0.0)
    assert state.notation(aim.action(state, LAID, "steam")) == "steam>ash2"
    assert state.notation(aim.action(state, LAID, "ash")) == "ash>steam2"


def test_the_hand_is_back_and_above_and_its_dice_lie_side_by_side() -> None:
    aim = Aim(1.0, 2.0, 90.0, spread=3.0)
    assert aim.hand[1] == pytest.approx([1.0, 2.0 - BACK, 0.95 + BACK])
    assert (aim.hand[2] - aim.hand[1]).tolist() == pytest.approx([-3.0, 0.0, 0.0])
    assert np.hypot(*aim.velocity[:2]) == pytest.approx(-aim.velocity[2])
    assert np.linalg.norm(aim.velocity) == pytest.approx(aim.strength)
