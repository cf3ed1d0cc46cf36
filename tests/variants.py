"""The games with the options that change how they go, and random games of them."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import archipel
from archipel import CHANCE, OVER, Game, State

Options = dict[str, Any]

SMALL_RING: list[dict[str, Any]] = [
    {"space": 0, "island": "Iwa", "kauri": 2},
    {"space": 1, "number": 7},
    {"space": 2, "number": 2},
    {"space": 3, "island": "Gawa", "kauri": 1},
    {"space": 4, "number": 5},
]
SMALL_BOARD: dict[str, Any] = {
    "ring": SMALL_RING,
    "players": [3],
    "starts": {"3": ["Iwa", "Gawa", "Iwa"]},
    "goal_kauri": {"3": 2},
    "oracle": {"boat": 2, "fish": 1, "idol": 0},
    "puka_supply": 6,
    "price": 2,
    "puka_limit_per_space": 1,
}
"""A board on which everything runs out soon: cards, Pukas and Kauri."""
NUMBERED_ISLANDS: dict[str, Any] = SMALL_BOARD | {
    "ring": [
        {"space": 0, "island": "Iwa", "kauri": 2, "number": 3},
        *SMALL_RING[1:3],
        {"space": 3, "island": "Gawa", "kauri": 1, "number": 4},
        SMALL_RING[4],
    ],
    "oracle": {"boat": 2, "fish": 1, "idol": 1},
    "puka_supply": 9,
    "puka_limit_per_space": 2,
}
"""The same with Pukas on the islands, too."""

OPTIONS: dict[str, list[Options]] = {
    "kahuna": [
        *(
            {"edition": edition, "guarded": guarded, "open_cards": open_cards}
            for edition, guarded, open_cards in product(("iello", "tilsit"), (False, True), (False, True))
        ),
        {"edition": "iello", "handicap": [0, 2]},
        {"edition": "tilsit", "guarded": True, "handicap": [3, 0]},
        {"sudden_end": "state", "memory_aid": False},
        {"open_cards": True, "open_copy": "choose"},
        {"edition": "tilsit", "guarded": True, "open_cards": True, "open_copy": "choose", "sudden_end": "state"},
    ],
    "krakatoa": [
        *({"players": players, "game": game} for players, game in product((2, 3, 4), ("advanced", "basic"))),
        {"players": 4, "teams": True, "game": "advanced"},
        {"players": 4, "teams": True, "game": "basic"},
    ],
    "kula_kula": [
        *({"players": players, "return_home": home} for players, home in product((3, 4, 5), (False, True))),
        {"players": 3, "turn_limit": 5},
        {"players": 3, "board": SMALL_BOARD, "turn_limit": 40},
        {"toll": "after", "dolphin": "after"},
        {"board": NUMBERED_ISLANDS, "turn_limit": 40, "toll": "after"},
        {"board": NUMBERED_ISLANDS, "turn_limit": 40, "dolphin": "after", "memory_aid": True},
    ],
    "stonehenge": [
        {"claims": "auto"},
        {"claims": "manual"},
        {"hidden": True},
    ],
}


def _title(name: str, options: Options) -> str:
    said = (f"{key}={value}" if not isinstance(value, dict) else key for key, value in options.items() if value)
    return " ".join([name, *said])


VARIANTS = [(name, options) for name in archipel.GAMES for options in OPTIONS[name]]
EVERY = [pytest.param(name, options, id=_title(name, options)) for name, options in VARIANTS]
"""Every variant, as parameters `name` and `options` of a test."""


def chosen(state: State, rng: np.random.Generator) -> int:
    """A random action of the mover, or what chance brings."""
    if state.mover == CHANCE:
        return state.sample(rng)
    actions = state.actions()
    return actions[int(rng.integers(len(actions)))]


def played(game: Game, seed: int = 0) -> Iterator[tuple[State, int]]:
    """The states of one random game, each but the last with the action taken there, the last with -1."""
    rng = np.random.default_rng(seed)
    state = game.new()
    while state.mover != OVER:
        action = chosen(state, rng)
        yield state, action
        state = state.after(action)
    yield state, -1


@cache
def positions(variant: int, seed: int = 0) -> list[State]:
    """The states of one random game of the variant of that number."""
    name, options = VARIANTS[variant]
    return [state for state, _ in played(archipel.game(name, **options), seed)]
