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


BOTS = {
    "random": "RandomBot",
    "greedy": "GreedyBot",
    "mcts": "SearchBot",
    "expert": "ExpertBot",
    "solver": "SolverBot",
}
"""The name of each bot, which is also its module's, and its class."""


MANY_CORED = "mcts", "expert"
"""Those who can think on several cores at once."""


def bot(spec: str, cores: int = 1) -> Bot:
    """A bot by name with the budget it has if none is given (`greedy`, `mcts:1s`, `mcts:2000`), or a level (`sailor`).

    With a budget of time it may use so many cores; with one of simulations it uses one, and is the same everywhere.
    ValueError if there is no such bot, level or budget.
    """
    from . import levels

    name, colon, text = spec.partition(":")
    if name.partition("@")[0] in levels.NAMES:
        if colon:
            raise ValueError(f"{name} is a level and has a budget of its own: write {name}.")
        return levels.LevelBot.of(name)
    if name not in BOTS:
        raise ValueError(
            f"There is no bot {name!r}; the bots are {', '.join(BOTS)}, and the levels {', '.join(levels.NAMES)}."
        )
    kind = getattr(import_module(f"{__name__}.{name}"), BOTS[name])
    budget = Budget.parse(text) if colon else None
    wide = {"cores": cores} if name in MANY_CORED and budget and budget.seconds else {}
    made: Bot = kind(budget, **wide) if budget else kind()
    return made


def is_known(name: str) -> bool:
    """Is there a bot or a level of that name?"""
    from .levels import NAMES

    return name in BOTS or name in NAMES


__all__ = ["BOTS", "Bot", "Budget", "View", "bot", "is_known"]
