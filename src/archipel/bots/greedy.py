"""A bot that tries every action in its head, and takes the one that random play likes best."""

from dataclasses import dataclass
from itertools import cycle

import numpy as np

from archipel.core.state import State

from . import View
from .budget import Budget, Meter
from .worlds import imagined

WORLDS = 16
DEFAULT = Budget(simulations=10_000)
"""A quarter of a second or less on one core."""


@dataclass
class Trial:
    """An action under trial: how often it was played out, what that was worth in all, and how long it took."""

    action: int
    games: int = 0
    worth: float = 0.0
    steps: int = 0

    def rank(self) -> tuple[float, float]:
        """Lowest for the best; of equally good ones, for the one that ends the game soonest."""
        return -self.worth / self.games, self.steps / self.games

    def play(self, world: State, seat: int, games: int, rng: np.random.Generator) -> None:
        """Play the action out in a world."""
        worth, steps = world.after(self.action).judge(games, rng)
        self.games += games
        self.worth += worth[seat]
        self.steps += steps


class GreedyBot:
    """Imagines a few worlds, plays every action out in each, and drops the worse half until one is left."""

    def __init__(self, budget: Budget = DEFAULT) -> None:
        self.budget = budget

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        worlds = imagined(view, rng, WORLDS)
        trials = [Trial(action) for action in worlds[0].actions()]
        share = (budget or self.budget).part((len(trials) - 1).bit_length())
        while len(trials) > 1:
            _spend(share, trials, worlds, view["seat"], rng)
            trials.sort(key=Trial.rank)
            del trials[(len(trials) + 1) // 2 :]
        return trials[0].action


def _spend(share: Budget, trials: list[Trial], worlds: list[State], seat: int, rng: np.random.Generator) -> None:
    """Play all actions out equally often: once at least, then in one world after the other while the budget lasts."""
    meter = Meter(share)
    for turn, world in enumerate(cycle(worlds)):
        portion = meter.portion()
        if turn and portion < len(trials):
            return
        games = max(1, portion // (len(trials) * max(1, len(worlds) - turn)))
        for trial in trials:
            trial.play(world, seat, games, rng)
        meter.spent += games * len(trials)
