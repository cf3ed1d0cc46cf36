"""Rows that compiled code writes from a state: what the view says, and nothing that the seat cannot know."""

from typing import Any

import numpy as np
import pytest

import archipel
from archipel.core import batch, encoding, features
from archipel.core.state import State
from tests.variants import EVERY, played


def row(state: State, seat: int | None) -> list[float]:
    """What the kernel writes, over a row that held something else before."""
    game = state.game
    assert encoding.prepare(game)
    rows = np.full((1, len(features.layout(game).names)), 7, np.float32)
    viewer = np.array([-1 if seat is None else seat])
    batch.look_as(game.facts, state._raw.reshape(1, -1), viewer, rows)
    numbers: list[float] = rows[0].tolist()
    return numbers


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_a_row_says_what_the_view_says(name: str, options: dict[str, Any]) -> None:
    game = archipel.game(name, **options)
    part = features.layout(game)
    for number, (state, _) in enumerate(played(game, seed=2)):
        if number % 3 == 0 or state.mover == archipel.OVER:
            for seat in (None, *range(game.seats)):
                told = dict(zip(part.names, row(state, seat), strict=True))
                assert told == dict(zip(part.names, part.row(state.view(seat)).tolist(), strict=True))


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_states_that_a_seat_cannot_tell_apart_have_the_same_row(name: str, options: dict[str, Any]) -> None:
    game = archipel.game(name, **options)
    rng = np.random.default_rng(3)
    for number, (state, _) in enumerate(played(game, seed=3)):
        if number % 5 == 0:
            for seat in (None, *range(game.seats)):
                assert row(state.redealt(seat, rng), seat) == row(state.imagine(seat, rng), seat) == row(state, seat)


def test_re_dealing_does_change_what_is_hidden() -> None:
    """The test above would see a leak: these states differ, and a seat that sees the cards has different rows."""
    state = [state for state, _ in played(archipel.game("kahuna"), seed=3)][40]
    other = state.redealt(0, np.random.default_rng(1))
    assert other != state
    assert row(other, 0) == row(state, 0)
    assert row(other, 1) != row(state, 1)
