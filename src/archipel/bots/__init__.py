"""Opponents: each sees exactly what a person at its seat sees, and nothing more."""

from importlib import import_module
from typing import Any, Protocol

import numpy as np

from .budget import Budget

View = dict[str, Any]


class Bot(Protocol):
    """Anybody who can choose an action from a view."""

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """An action for the seat of the view, whose turn it is. No budget: as long as the bot likes.

        With a budget of simulations every choice repeats itself: the same
        view, generator and budget give the same action.
        """


BOTS = {"random": "RandomBot", "greedy": "GreedyBot", "mcts": "SearchBot", "expert": "ExpertBot"}
"""The name of each bot, which is also its module's, and its class."""


def bot(spec: str) -> Bot:
    """A bot by name, with the budget it has if none is given: ``greedy``, ``mcts:1s``, ``mcts:2000``.

    ValueError if there is no such bot or budget.
    """
    name, colon, budget = spec.partition(":")
    if name not in BOTS:
        raise ValueError(f"There is no bot {name!r}; the bots are {', '.join(BOTS)}.")
    kind = getattr(import_module(f"{__name__}.{name}"), BOTS[name])
    made: Bot = kind(Budget.parse(budget)) if colon else kind()
    return made


__all__ = ["BOTS", "Bot", "Budget", "View", "bot"]
