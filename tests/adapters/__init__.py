"""The games that both adapters are tried on: each as it comes, and with options that change its shape."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import archipel

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "kahuna": [
        {"edition": "tilsit", "handicap": [0, 3]},
        {"guarded": True},
        {"edition": "tilsit", "guarded": True, "open_cards": True},
    ],
    "krakatoa": [
        {"players": 3},
        {"players": 4, "teams": True},
        {"game": "basic"},
    ],
    "kula_kula": [
        {"players": 4, "turn_limit": 20},
        {"players": 5, "return_home": True, "turn_limit": 20},
        {"board": {"puka_supply": 12, "goal_kauri": {"3": 2}}, "turn_limit": 20},
    ],
    "stonehenge": [
        {"hidden": True},
        {"claims": "manual"},
    ],
}


def _id(options: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())


VARIANTS = [
    pytest.param(name, options, id=f"{name} {_id(options)}".strip())
    for name in archipel.GAMES
    for options in [{}, *OPTIONS.get(name, [])]
]
"""Names with options, as parameters of a test."""


def positions(name: str, options: dict[str, Any], seed: int = 0) -> Iterator[archipel.State]:
    """The positions of one random game."""
    rng = np.random.default_rng(seed)
    state = archipel.game(name, **options).new()
    yield state
    while state.mover != archipel.OVER:
        chance = state.mover == archipel.CHANCE
        state = state.after(state.sample(rng) if chance else int(rng.choice(state.actions())))
        yield state
