"""Dealt anew from a state: what `imagine` draws from the view, and by the same odds."""

from collections import Counter

import numpy as np
import pytest

import archipel
from archipel.testing.belief import limit

from ..variants import EVERY, Options, played


@pytest.mark.parametrize(("name", "options"), EVERY)
def test_dealt_anew_it_is_what_is_imagined(name: str, options: Options) -> None:
    game = archipel.game(name, **options)
    for number, (state, _) in enumerate(played(game)):
        if number % 9:
            continue
        for seat in (*range(game.seats), None):
            world = state.redealt(seat, np.random.default_rng(number))
            assert world.view(seat) == state.view(seat)
            assert world == state.imagine(seat, np.random.default_rng(number))
            # From a state that looks the same to the seat, the same is dealt: undo and the pace of bots rely on it.
            assert world.redealt(seat, np.random.default_rng(number)) == world


def test_face_down_druids_are_dealt_by_the_same_odds() -> None:
    state = archipel.game("stonehenge", hidden=True).new()
    for move in ("6@N", "1@A", "4@R", "5@G"):
        state = state.after(state.parse(move))
    draws, rng = 4000, np.random.default_rng(1)
    view = state.view(0)
    imagined = Counter(state.game.imagine(view, rng) for _ in range(draws))
    redealt = Counter(state.redealt(0, rng) for _ in range(draws))
    worlds = imagined.keys() | redealt.keys()
    chi = sum((imagined[world] - redealt[world]) ** 2 / (imagined[world] + redealt[world]) for world in worlds)
    assert len(worlds) > 5
    assert chi < limit(len(worlds) - 1)
