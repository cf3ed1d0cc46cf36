"""Sample states that are consistent with a view."""

import json
from functools import lru_cache

import numpy as np

from archipel.core import registry
from archipel.core.game import Game
from archipel.core.state import State

from . import View


def game_of(view: View) -> Game:
    """The game of a view."""
    return _game(view["game"], json.dumps(view["options"], sort_keys=True))


@lru_cache(maxsize=64)
def _game(name: str, options: str) -> Game:
    return registry.game(name, **json.loads(options))


def imagined(view: View, rng: np.random.Generator, count: int = 1) -> list[State]:
    """Sample `count` states, each drawn from all that are consistent with the view."""
    first = game_of(view).imagine(view, rng)
    return [first, *(first.redealt(view["seat"], rng) for _ in range(count - 1))]
