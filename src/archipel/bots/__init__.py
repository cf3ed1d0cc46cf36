"""Bots: each sees exactly what a person at its seat sees, and nothing more."""

from typing import Any, Protocol

import numpy as np

from archipel.core import registry
from archipel.core.manifest import resolve

from .budget import Budget

View = dict[str, Any]


class Bot(Protocol):
    """Anything that can choose an action from a view."""

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """Return an action for the seat of the view, whose turn it is. Without a budget the bot uses its default.

        With a budget of simulations the choice is reproducible: the same view, generator and budget give the same
        action.
        """


_SHARED = {
    "random": "archipel.bots.random:RandomBot",
    "greedy": "archipel.bots.greedy:GreedyBot",
    "mcts": "archipel.bots.mcts:SearchBot",
    "expert": "archipel.bots.expert:ExpertBot",
}
MANY_CORED = "mcts", "expert"
"""The bots that can use several cores."""


def bots() -> dict[str, str]:
    """The classes of all bots that are not levels, by name: those for all games, then those of single games."""
    found = dict(_SHARED)
    for game in registry.names():
        for name, path in registry.manifest(game).bots.items():
            found.setdefault(name, path)
    return found


def bot(spec: str, cores: int = 1) -> Bot:
    """Return a bot by name, with an optional budget (`greedy`, `mcts:1s`, `mcts:2000`), or a level (`sailor`).

    With a time budget a bot may use `cores` cores; with a budget of simulations it uses one, and its moves are the same
    everywhere. ValueError if there is no such bot, level or budget.
    """
    from . import levels

    name, colon, text = spec.partition(":")
    if name.partition("@")[0] in levels.NAMES:
        if colon:
            raise ValueError(f"{name} is a level and has a budget of its own: write {name}.")
        return levels.LevelBot.of(name)
    known = bots()
    if name not in known:
        raise ValueError(
            f"There is no bot {name!r}; the bots are {', '.join(known)}, and the levels {', '.join(levels.NAMES)}."
        )
    budget = Budget.parse(text) if colon else None
    kind = resolve(known[name])
    if budget and budget.seconds and name in MANY_CORED:
        return _on_cores(kind, budget, cores)
    made: Bot = kind(budget) if budget else kind()
    return made


def _on_cores(kind: Any, budget: Budget, cores: int) -> Bot:
    made: Bot = kind(budget, cores=cores)
    return made


def is_known(name: str) -> bool:
    """True if there is a bot or a level of that name."""
    from .levels import NAMES

    return name in NAMES or name in bots()


__all__ = ["Bot", "Budget", "View", "bot", "bots", "is_known"]
