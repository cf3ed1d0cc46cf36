"""What learners are given: every game's views as numbers, and nothing that is not in a view."""

from typing import Any

import numpy as np
import pytest

import archipel
from archipel.core.features import layout
from archipel.games.stonehenge.game import Stonehenge

from . import VARIANTS, positions


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_every_key_of_a_view_is_told(name: str, options: dict[str, Any]) -> None:
    game = archipel.game(name, **options)
    told = {name.partition(".")[0] for name in layout(game).names}
    # Whether Pukas were counted from the start is always true in a game that is played from its start.
    assert told == game.new().view(0).keys() - {"game", "options", "counted"}


@pytest.mark.parametrize(("name", "options"), VARIANTS)
def test_views_that_differ_are_told_differently(name: str, options: dict[str, Any]) -> None:
    game = archipel.game(name, **options)
    part = layout(game)
    seen: dict[bytes, dict[str, Any]] = {}
    for position in positions(name, options):
        for seat in (None, *range(game.seats)):
            view = position.view(seat)
            row = part.row(view)
            assert row.shape == (len(part.names),)
            assert row.dtype == np.float32
            assert row.min() >= 0
            assert row.max() <= 1
            assert seen.setdefault(row.tobytes(), view) == view


class Fifth(Stonehenge):
    """A game from elsewhere, with no `features.py` beside it."""


def test_a_game_that_lays_nothing_out_is_told_bit_by_bit() -> None:
    game = Fifth(hidden=True)
    part = layout(game)
    assert len(part.names) == 8 * game.rules.state.itemsize
    state = game.new().after(0)
    row = part.row(state.view(1))
    assert set(row.tolist()) == {0.0, 1.0}
    assert (row == part.row(state.imagine(1, np.random.default_rng(1)).view(1))).all()
    assert (row != part.row(state.after(20).view(1))).any()
