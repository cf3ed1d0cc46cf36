"""What a learner is given: a seat's view as a row of numbers, and nothing that is not in the view."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from archipel.core.features import Part
from archipel.core.game import Game


def layout(game: Game) -> Part:
    """How the game's views are told in numbers: as its `features.py` says, or else bit by bit."""
    package = type(game).__module__.rpartition(".")[0]
    if package and find_spec(f"{package}.features"):
        told: Part = import_module(f"{package}.features").layout(game)
        return told
    return _bits(game)


def _bits(game: Game) -> Part:
    """The bits of some position that fits the view, always the same one for the same view."""
    names = tuple(f"bit {n}" for n in range(8 * game.rules.state.itemsize))

    def write(out: list[float], at: int, view: Any, viewer: int) -> None:
        position = game.imagine(view, np.random.default_rng(0))
        bits = np.unpackbits(np.frombuffer(position.record.tobytes(), np.uint8))
        out[at : at + len(bits)] = bits.tolist()

    return Part(names, write)
