"""A bot that tries every action in its head, and takes the one that random play likes best."""

from dataclasses import dataclass

import numpy as np

from archipel.core.state import State

from . import View
from .worlds import imagined

WORLDS = 16
BUDGET = 1_500_000
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

    def play(self, world: State, seat: int, games: int, rng: np.random.Generator) -> int:
        """Play the action out in a world; how many actions that took, itself included."""
        worth, steps = world.after(self.action).judge(games, rng)
        self.games += games
        self.worth += worth[seat]
        self.steps += steps
        return steps + games


class GreedyBot:
    """Imagines a few worlds, plays every action out in each, and drops the worse half until one is left."""

    def choose(self, view: View, rng: np.random.Generator, budget: int | None = None) -> int:
        worlds = imagined(view, rng, WORLDS)
        trials = [Trial(action) for action in worlds[0].actions()]
        budget = BUDGET if budget is None else budget
        rounds = (len(trials) - 1).bit_length()
        while len(trials) > 1:
            _spend(budget // rounds, trials, worlds, view["seat"], rng)
            trials.sort(key=Trial.rank)
            del trials[(len(trials) + 1) // 2 :]
        return trials[0].action


def _spend(budget: int, trials: list[Trial], worlds: list[State], seat: int, rng: np.random.Generator) -> None:
    """Play all actions out equally often: once at least, then in one world after the other while the budget lasts."""
    spent, sweeps = _sweep(trials, worlds[0], seat, 1, rng), 1
    for worlds_left, world in zip(range(len(worlds), 0, -1), worlds, strict=True):
        games = (budget - spent) * sweeps // (spent * worlds_left)
        if games > 0:
            spent += _sweep(trials, world, seat, games, rng)
            sweeps += games


def _sweep(trials: list[Trial], world: State, seat: int, games: int, rng: np.random.Generator) -> int:
    return sum(trial.play(world, seat, games, rng) for trial in trials)
