"""A bot that does anything that is allowed."""

import numpy as np

from . import View
from .worlds import imagined


class RandomBot:
    """Takes any legal action, each as likely."""

    def choose(self, view: View, rng: np.random.Generator, budget: int | None = None) -> int:
        (world,) = imagined(view, rng)
        actions = world.actions()
        return actions[rng.integers(len(actions))]
