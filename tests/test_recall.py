"""Perfect recall: what views say and `imagine` draws, beside every history that fits, listed by brute force.

`python -m tests.histories` does the same with ten thousand states.
"""

from typing import Any

import numpy as np
import pytest

import archipel
from tests.histories import Luck, measured, set_up


@pytest.mark.rule("kahuna.memory")
@pytest.mark.parametrize(
    "options",
    [{}, {"edition": "tilsit"}, {"open_cards": True}, {"open_cards": True, "open_copy": "choose"}],
    ids=["iello", "tilsit", "open cards", "open copies"],
)
def test_kahunas_worlds_are_drawn_from_all_histories_that_fit(options: dict[str, Any]) -> None:
    """Each world is one of those, as often as it is likely; and what a view calls known is in all of them."""
    luck = measured(archipel.game("kahuna", **options), states=90, draws=60, limit=120, seed=1)
    print(luck)
    assert luck.freedom > 200
    assert abs(luck.deviations) < 5


def test_an_imagined_world_is_the_same_as_one_dealt_anew() -> None:
    """`imagine` works from the view alone, `redealt` from a state: by the same odds."""
    rng = np.random.default_rng(2)
    state = set_up(archipel.game("kahuna"), rng)
    for _ in range(6):
        actions = [one for one in state.actions() if state.mover < 0 or state.decode(one)["do"] in ("discard", "draw")]
        state = state.after(actions[0])
    draws = 300
    counts = [[make(1, rng).plain.hands[0] for _ in range(draws)] for make in (state.imagine, state.redealt)]
    luck = Luck()
    for hand in {*counts[0], *counts[1]}:
        first, second = (found.count(hand) for found in counts)
        luck.chi += (first - second) ** 2 / (first + second)
        luck.freedom += 1
    assert luck.deviations < 5
