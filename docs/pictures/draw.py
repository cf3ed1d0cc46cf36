"""Draws the pictures of the documentation: one position of each game, from a fixed seed."""

from pathlib import Path

import numpy as np

import archipel

POSITIONS = {"kahuna": 118, "krakatoa": 60, "kula_kula": 160, "stonehenge": 11}
"""How many actions into a random game each picture is taken."""


def position(name: str) -> archipel.State:
    """The position that is drawn."""
    rng = np.random.default_rng(4)
    state = archipel.game(name).new()
    for _ in range(POSITIONS[name]):
        if state.mover == archipel.CHANCE:
            action = state.sample(rng)
        else:
            actions = state.actions()
            action = actions[rng.integers(len(actions))]
        state = state.after(action)
    return state


def draw() -> dict[str, str]:
    """Every picture by its file's name."""
    return {f"{name}.svg": position(name)._repr_svg_() + "\n" for name in POSITIONS}


if __name__ == "__main__":
    for name, picture in draw().items():
        (Path(__file__).parent / name).write_text(picture, "utf-8")
