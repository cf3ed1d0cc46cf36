"""A bot that plays at random."""

import numpy as np

from . import View
from .budget import Budget
from .thought import Opinion, Thought
from .worlds import imagined


class RandomBot:
    """Chooses any legal action with equal probability; ignores the budget."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        (world,) = imagined(view, rng)
        actions = world.actions()
        return actions[rng.integers(len(actions))]

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Every action has the same value; their order is random."""
        (world,) = imagined(view, rng)
        order = rng.permutation(world.actions()).tolist()
        ranking = [Opinion(action, world.notation(action), 0, 0.0) for action in order]
        return Thought(view["seat"], ranking, 0, 0.0, [ranking[0].notation], [0.0] * world.game.seats)
