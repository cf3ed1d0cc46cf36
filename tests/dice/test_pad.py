"""The score pad: what is typed in is how the dice landed, unless it cannot be."""

from typing import Any

import numpy as np
import pytest

from archipel import IllegalAction, InvalidAction, State
from archipel.games.krakatoa.dice import Aim, Pad

from . import landing

NOBODY = np.random.default_rng(0)


def typed(state: State, said: Any) -> str:
    return state.notation(Pad(lambda _: said).throw(state, None, NOBODY).landing)


def test_a_landing_is_taken_down_as_notation_or_json() -> None:
    state = landing("lava>ash1")
    assert typed(state, "yrb rrb yyy touched") == "YRB RRB YYY touched"
    assert typed(state, {"do": "land", "faces": "YRB RBR YYY", "touched": False}) == "YRB RBR YYY scratch"
    assert typed(landing(), "YRB RRB RBB") == "YRB RRB RBB"


def test_the_player_is_asked_about_the_position() -> None:
    asked: list[State] = []
    state = landing("lava>ash1")

    def ask(position: State) -> str:
        asked.append(position)
        return "YRB RRB YYY touched"

    throw = Pad(ask).throw(state, Aim(0.0, 0.0, 0.0), NOBODY)
    assert asked == [state]
    assert throw.tray is None
    assert throw.trajectory is None


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("YRB RRB RB touched", "is not how these dice land"),
        ("YRB RRB RBBB touched", "is not how these dice land"),
        ("YRB RRB RBG touched", "is not how these dice land"),
        ("YRB RRB RBB", "is not how these dice land"),
        ("", "is not how these dice land"),
        ({"do": "land", "faces": "YRB RRB RBB"}, "takes faces and touched"),
        ({"do": "land", "faces": "YRB RRB RBB", "touched": "no"}, "true or false"),
        ({"do": "keep"}, "not an action here"),
        (None, "JSON object"),
    ],
)
def test_what_is_no_landing_is_refused(said: Any, why: str) -> None:
    state = landing("lava>ash1")
    before = state.snapshot()
    with pytest.raises(InvalidAction, match=why):
        typed(state, said)
    assert state.snapshot() == before


def test_a_table_die_that_turned_was_touched() -> None:
    with pytest.raises(IllegalAction, match="ash still shows RRB"):
        typed(landing("lava>ash1"), "YRB RRR YYY scratch")


def test_nothing_is_asked_when_no_dice_are_thrown() -> None:
    state = landing()
    with pytest.raises(InvalidAction, match="No dice are to be thrown now"):
        typed(state.after(state.parse("YRB RRB RBB")), "YRB RRB RBB")
