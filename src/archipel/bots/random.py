"""A bot that does anything that is allowed."""

import numpy as np

from . import View
from .budget import Budget
from .worlds import imagined


class RandomBot:
    """Takes any legal action, each as likely; it spends no budget."""

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        (world,) = imagined(view, rng)
        actions = world.actions()
        return actions[rng.integers(len(actions))]
