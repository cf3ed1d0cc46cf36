"""Opponents: each sees exactly what a person at its seat sees, and nothing more."""

from importlib import import_module
from typing import Any, Protocol

import numpy as np

View = dict[str, Any]


class Bot(Protocol):
    """Anybody who can choose an action from a view."""

    def choose(self, view: View, rng: np.random.Generator, budget: int | None = None) -> int:
        """An action for the seat of the view, whose turn it is.

        `budget` is how many actions the bot may play in its head; None leaves
        it to the bot. Being a count and no time, it keeps every choice
        repeatable: the same view, generator and budget give the same action.
        """


BOTS = {"random": "RandomBot", "greedy": "GreedyBot"}
"""The name of each bot, which is also its module's, and its class."""


def bot(name: str) -> Bot:
    """A bot by name; ValueError if there is none of that name."""
    if name not in BOTS:
        raise ValueError(f"There is no bot {name!r}; the bots are {', '.join(BOTS)}.")
    made: Bot = getattr(import_module(f"{__name__}.{name}"), BOTS[name])()
    return made
