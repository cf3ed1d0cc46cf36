"""A bot that reckons a turn of Kula Kula out: the oracle's cards by their odds, all after it by a trained eye.

Where that leaves a doubt it looks out for the next turns: everybody sails on as it would, and what comes of it is
judged again.
"""

import numpy as np
from numpy.typing import NDArray

from archipel.core.state import State, seed

from . import View
from .budget import Budget, Meter
from .knowledge import Lore
from .knowledge.kula_kula import KNOWLEDGE, look_out, weigh, win_chance
from .thought import Opinion, Thought
from .worlds import imagined

DEFAULT = Budget(simulations=1_000)
WORLDS = 24
"""In so many worlds the others' standings are weighed, for their Pukas are hidden."""
DEEP = 8
"""So many more cards it considers."""
CLEAR = 0.05
"""By so much better a chance to win, an action needs no second look."""

Chances = NDArray[np.float64]


class SailorBot:
    """Takes the action with the best chance to win."""

    def __init__(self, budget: Budget = DEFAULT, lore: Lore = KNOWLEDGE.lore) -> None:
        self.budget = budget
        self.lore = lore

    def choose(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> int:
        """The best action."""
        return self.think(view, rng, budget).action

    def think(self, view: View, rng: np.random.Generator, budget: Budget | None = None) -> Thought:
        """Both actions with what they are worth."""
        meter = Meter(budget or self.budget)
        (world,) = imagined(view, rng)
        chances = _weighed(self.lore, world)
        if abs(chances[0] - chances[1]) < CLEAR:
            chances = _looked_out(self.lore, world, rng, meter, chances)
        ranking = _ranking(world, chances, meter.spent)
        values = _values(self.lore, view, rng, ranking[0].value)
        return Thought(view["seat"], ranking, meter.spent, meter.elapsed, [ranking[0].notation], values)


def _weighed(lore: Lore, world: State) -> Chances:
    """The mover's chances at a glance; who must go has only the second."""
    chances = np.empty(2)
    weigh(lore[0], world.game.facts[0], world.record, DEEP, chances)
    return chances


def _looked_out(lore: Lore, world: State, rng: np.random.Generator, meter: Meter, glance: Chances) -> Chances:
    """His chances in the mean of simulations of the next turns, half of them for each action; if any can be made."""
    sums = np.zeros(2)
    while (portion := meter.portion()) > 1:
        look_out(lore, world.game.facts, world._raw, portion // 2, seed(rng), sums)
        meter.spent += portion // 2 * 2
    return sums * 2 / meter.spent if meter.spent else glance


def _values(lore: Lore, view: View, rng: np.random.Generator, own: float) -> list[float]:
    """What it is worth to each seat: the others share what is left as they stand."""
    seat, worlds = view["seat"], imagined(view, rng, WORLDS)
    game = worlds[0].game
    chances = np.array(
        [
            sum(win_chance(lore[0], game.facts[0], world.record, other) for world in worlds)
            for other in range(game.seats)
        ]
    )
    chances[seat] = 0
    left = 1 - (own * (game.seats - 1) + 1) / game.seats
    worth = (chances / chances.sum() * left * game.seats - 1) / (game.seats - 1)
    worth[seat] = own
    return [float(value) for value in worth]


def _ranking(world: State, chances: Chances, simulations: int) -> list[Opinion]:
    """The actions from best to worst."""
    actions, seats = world.actions(), world.game.seats
    ranking = [
        Opinion(action, world.notation(action), simulations // 2, (float(chance) * seats - 1) / (seats - 1))
        for action, chance in zip(actions, chances[-len(actions) :], strict=True)
    ]
    return sorted(ranking, key=lambda opinion: (-opinion.value, opinion.action))
