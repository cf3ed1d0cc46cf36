"""A bot that reckons Krakatoa out instead of searching: every set, aim and re-roll by its chance to win."""

from time import perf_counter

import numpy as np

from archipel.bots import View
from archipel.bots.budget import Budget
from archipel.bots.exact.krakatoa.player import chances, points, so_far, whole_game
from archipel.bots.thought import Opinion, Thought, evenly
from archipel.bots.worlds import imagined
from archipel.core.game import Game
from archipel.core.state import State

MIDDLING = 0.8
"""The points of who does his best half of the time and his worst the other half, as a share of the best play's."""


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


def expert(game: Game, budget: Budget, cores: int) -> ReckoningBot:
    """The strongest bot: nothing is searched, so it needs no budget."""
    return ReckoningBot()


def strive(view: View, rng: np.random.Generator, ambition: float) -> int:
    """The action of who strives for a share of the points that the best play of a whole game brings.

    He does his best while he is behind his goal and his worst while he is ahead of it. So luck makes less of a
    difference to his totals, and he is weaker or stronger more reliably than who now and then makes a mistake.
    """
    (world,) = imagined(view, rng)
    worths = points(world)
    best, worst = (wanted(worths, key=worths.__getitem__) for wanted in (max, min))
    ahead = so_far(world) + MIDDLING * worths[best] > ambition * whole_game(world)
    return worst if ahead else best


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
