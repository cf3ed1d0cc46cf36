"""A bot that reckons Krakatoa out instead of searching: every set, aim and re-roll by its chance to win."""

from time import perf_counter

import numpy as np

from archipel.core.state import State

from . import View
from .budget import Budget
from .exact.krakatoa.player import chances
from .thought import Opinion, Thought, evenly
from .worlds import imagined


class ReckoningBot:
    """Takes the action with the best chance to win. It simulates nothing, and takes no longer with a larger budget."""

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The best action."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Every action with what it is worth; nothing is hidden in this game, so the one world is the true one."""
        begun = perf_counter()
        (world,) = imagined(view, rng)
        ranking = [Opinion(a, world.notation(a), 0, _worth(world, chance)) for a, chance in chances(world).items()]
        ranking.sort(key=lambda opinion: (-opinion.value, opinion.action))
        line = [ranking[0].notation]
        return Thought(view["seat"], ranking, 0, perf_counter() - begun, line, _values(world, ranking[0].value))


def _worth(world: State, chance: float) -> float:
    """What a chance to win is worth, from -1 to 1, if partners share the win."""
    seats, sides = world.game.seats, int(world.game.facts[0].sides)
    share = sides / seats
    return chance * (share * seats - 1) / (seats - 1) - (1 - chance) / (seats - 1)


def _values(world: State, own: float) -> list[float]:
    """What it is worth to each seat; partners share it."""
    sides = int(world.game.facts[0].sides)
    of_sides = evenly(world.mover % sides, own, sides)
    return [of_sides[seat % sides] for seat in range(world.game.seats)]
