"""A bot that tries every action with random playouts and takes the one with the best average result."""

import time
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from archipel.core.state import State

from . import View
from .budget import Budget, Meter
from .thought import Opinion, Thought, zero_sum
from .worlds import imagined

WORLDS = 16
DEFAULT = Budget(simulations=10_000)
"""At most a quarter of a second on one core."""


@dataclass
class Trial:
    """An action under trial: its number of playouts, their total value, and their total length."""

    action: int
    games: int = 0
    worth: float = 0.0
    steps: int = 0

    def rank(self) -> tuple[float, float]:
        """Sort key, lowest for the best action; among equal ones, for the one that ends the game soonest."""
        return -self.worth / self.games, self.steps / self.games

    def play(self, world: State, seat: int, games: int, rng: np.random.Generator) -> None:
        """Play out the action in one sampled world."""
        worth, steps = world.after(self.action).judge(games, rng)
        self.games += games
        self.worth += worth[seat]
        self.steps += steps


class GreedyBot:
    """Successive halving: plays out every action in a few sampled worlds, and drops the worse half until one is
    left."""

    def __init__(self, budget: Budget = DEFAULT) -> None:
        self.budget = budget

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        best, *_ = self._tried(view, imagined(view, rng, WORLDS), rng, budget)
        return best.action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """The actions from best to worst, with the average result of their playouts."""
        began, worlds = time.perf_counter(), imagined(view, rng, WORLDS)
        tried = self._tried(view, worlds, rng, budget)
        ranking = [
            Opinion(trial.action, worlds[0].notation(trial.action), trial.games, trial.worth / max(1, trial.games))
            for trial in tried
        ]
        values = zero_sum(view["seat"], ranking[0].value, worlds[0].game.seats)
        games, seconds = sum(trial.games for trial in tried), time.perf_counter() - began
        return Thought(view["seat"], ranking, games, seconds, [ranking[0].notation], values)

    def _tried(self, view: View, worlds: list[State], rng: np.random.Generator, budget: Budget | None) -> list["Trial"]:
        """The actions from best to worst."""
        trials = [Trial(action) for action in worlds[0].actions()]
        dropped: list[Trial] = []
        share = (budget or self.budget).part((len(trials) - 1).bit_length())
        while len(trials) > 1:
            _spend(share, trials, worlds, view["seat"], rng)
            trials.sort(key=Trial.rank)
            half = (len(trials) + 1) // 2
            dropped[:0] = trials[half:]
            del trials[half:]
        return trials + dropped


def _spend(share: Budget, trials: list[Trial], worlds: list[State], seat: int, rng: np.random.Generator) -> None:
    """Play out all actions equally often: at least once, then in one world after the other until the budget is used
    up."""
    meter = Meter(share)
    for turn, world in enumerate(cycle(worlds)):
        portion = meter.portion()
        if turn and portion < len(trials):
            return
        games = max(1, portion // (len(trials) * max(1, len(worlds) - turn)))
        for trial in trials:
            trial.play(world, seat, games, rng)
        meter.spent += games * len(trials)
