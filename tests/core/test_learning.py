"""Whether an action may be taken back tells its seat nothing that the seat cannot see."""

import numpy as np
import pytest

import archipel
from archipel.core import learning
from archipel.core.rules import CHANCE

from ..variants import EVERY, Options, played

EVERY_NTH = 5
TWINS = 2
SURE = 300
"""How many worlds show for certain enough that somebody learned something."""


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_states_that_a_seat_cannot_tell_apart_get_the_same_answer(name: str, options: Options) -> None:
    game = archipel.game(name, **options)
    compared = 0
    for number, (state, action) in enumerate(played(game, seed=3)):
        if state.mover < 0 or number % EVERY_NTH or (after := state.after(action)).mover == CHANCE:
            continue
        rng, seat = np.random.default_rng(number), state.mover
        answer = learning.taught(state, action, after)
        for _ in range(TWINS):
            twin = state.redealt(seat, rng)
            ended = twin.after(action)
            if ended.view(seat) == after.view(seat):
                assert learning.taught(twin, action, ended) == answer
                compared += 1
    assert compared > 0 or name == "krakatoa", "there, most actions are throws"


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_what_may_be_taken_back_taught_nobody_anything(name: str, options: Options) -> None:
    """Neither an spectator nor any seat, asked in the state as it is and in many more worlds."""
    game = archipel.game(name, **options)
    for number, (state, action) in enumerate(played(game, seed=4)):
        if state.mover < 0 or number % EVERY_NTH or (after := state.after(action)).mover == CHANCE:
            continue
        if not learning.taught(state, action, after):
            eyes = (learning.SPECTATOR, *range(game.seats))
            assert not any(learning.learned(state, action, after, eye, SURE) for eye in eyes)


def test_both_answers_are_given() -> None:
    game = archipel.game("kahuna")
    answers = {
        learning.taught(state, action, state.after(action))
        for state, action in played(game, seed=3)
        if state.mover >= 0 and state.after(action).mover != CHANCE
    }
    assert answers == {True, False}
